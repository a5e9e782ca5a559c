//! SCORM packages in rows.

use diesel::prelude::*;
use lyceum_domain::scorm::{
    RuntimeBaseUrl, ScormFile, ScormPackage, ScormPackageId, ScormState, ScormVersion,
};
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::page::{Keyset, Page, PageRequest};
use lyceum_ports::scorm_packages::{ScormPackageFilter, ScormPackageRepository};
use lyceum_ports::store::StoreError;
use serde::{Deserialize, Serialize};

use crate::columns::{Json, Moment};
use crate::conditions::narrowing;
use crate::documents;
use crate::error::corrupt;
use crate::rows;
use crate::schema::scorm_packages;
use crate::session::Session;

/// A package as it is stored; learners look theirs up together with themselves.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = scorm_packages, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
pub struct ScormPackageRow {
    workspace_id: String,
    id: String,
    cohort_id: String,
    course_id: String,
    edition: String,
    runtime_base_url: String,
    status: String,
    estimated_ready_at: Option<Moment>,
    file: Option<Json>,
    error_code: Option<String>,
    error_message: Option<String>,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

#[derive(Serialize, Deserialize)]
struct FileDocument {
    size_bytes: u64,
    sha256: String,
    content_hash: String,
    warnings: Vec<String>,
}

impl From<&ScormFile> for FileDocument {
    fn from(file: &ScormFile) -> Self {
        let ScormFile {
            size_bytes,
            sha256,
            content_hash,
            warnings,
        } = file;
        Self {
            size_bytes: *size_bytes,
            sha256: sha256.clone(),
            content_hash: content_hash.clone(),
            warnings: warnings.clone(),
        }
    }
}

impl From<FileDocument> for ScormFile {
    fn from(document: FileDocument) -> Self {
        let FileDocument {
            size_bytes,
            sha256,
            content_hash,
            warnings,
        } = document;
        Self {
            size_bytes,
            sha256,
            content_hash,
            warnings,
        }
    }
}

/// What a state carries, as columns.
#[derive(Default)]
struct StateColumns {
    estimated_ready_at: Option<Moment>,
    file: Option<Json>,
    error_code: Option<String>,
    error_message: Option<String>,
}

impl TryFrom<&ScormState> for StateColumns {
    type Error = StoreError;

    fn try_from(state: &ScormState) -> Result<Self, StoreError> {
        Ok(match state {
            ScormState::Pending { estimated_ready_at } => Self {
                estimated_ready_at: Some((*estimated_ready_at).into()),
                ..Self::default()
            },
            ScormState::Ready(file) | ScormState::Revoked(file) => Self {
                file: Some(documents::write(&FileDocument::from(file))?),
                ..Self::default()
            },
            ScormState::Error { code, message } => Self {
                error_code: Some(code.clone()),
                error_message: Some(message.clone()),
                ..Self::default()
            },
        })
    }
}

impl StateColumns {
    fn state(self, status: &str) -> Result<ScormState, StoreError> {
        let Self {
            estimated_ready_at,
            file,
            error_code,
            error_message,
        } = self;
        let file = file.map(documents::read::<FileDocument>).transpose()?;
        let state = match (status, estimated_ready_at, file, error_code, error_message) {
            ("pending", Some(Moment(estimated_ready_at)), None, None, None) => {
                ScormState::Pending { estimated_ready_at }
            }
            ("ready", None, Some(file), None, None) => ScormState::Ready(file.into()),
            ("error", None, None, Some(code), Some(message)) => ScormState::Error { code, message },
            ("revoked", None, Some(file), None, None) => ScormState::Revoked(file.into()),
            (other, ..) => return Err(corrupt(format!("package state {other:?}"))),
        };
        Ok(state)
    }
}

impl TryFrom<&ScormPackage> for ScormPackageRow {
    type Error = StoreError;

    fn try_from(package: &ScormPackage) -> Result<Self, StoreError> {
        let ScormPackage {
            workspace_id,
            id,
            cohort_id,
            course_id,
            version,
            runtime_base_url,
            state,
            stamp,
        } = package;
        let StateColumns {
            estimated_ready_at,
            file,
            error_code,
            error_message,
        } = state.try_into()?;
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            cohort_id: cohort_id.to_string(),
            course_id: course_id.to_string(),
            edition: version.to_string(),
            runtime_base_url: runtime_base_url.as_str().to_owned(),
            status: state.as_str().to_owned(),
            estimated_ready_at,
            file,
            error_code,
            error_message,
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
        })
    }
}

impl TryFrom<ScormPackageRow> for ScormPackage {
    type Error = StoreError;

    fn try_from(row: ScormPackageRow) -> Result<Self, StoreError> {
        let columns = StateColumns {
            estimated_ready_at: row.estimated_ready_at,
            file: row.file,
            error_code: row.error_code,
            error_message: row.error_message,
        };
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            cohort_id: rows::id(&row.cohort_id)?,
            course_id: rows::id(&row.course_id)?,
            version: rows::read(ScormVersion::parse(&row.edition))?,
            runtime_base_url: rows::read(RuntimeBaseUrl::parse(&row.runtime_base_url))?,
            state: columns.state(&row.status)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

impl ScormPackageRepository for Session<'_> {
    fn insert(&mut self, package: &ScormPackage) -> Result<(), StoreError> {
        let row = ScormPackageRow::try_from(package)?;
        self.run(|conn| {
            diesel::insert_into(scorm_packages::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: ScormPackageId,
    ) -> Result<Option<ScormPackage>, StoreError> {
        let found = self.run(|conn| {
            scorm_packages::table
                .find((workspace.to_string(), id.to_string()))
                .select(ScormPackageRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(ScormPackage::try_from).transpose()
    }

    fn update(&mut self, package: &ScormPackage) -> Result<(), StoreError> {
        let row = ScormPackageRow::try_from(package)?;
        let changed = self.run(|conn| {
            diesel::update(scorm_packages::table)
                .filter(scorm_packages::workspace_id.eq(&row.workspace_id))
                .filter(scorm_packages::id.eq(&row.id))
                .filter(scorm_packages::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })?;
        rows::one_row(changed)
    }

    fn delete(&mut self, workspace: WorkspaceId, id: ScormPackageId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(scorm_packages::table)
                .filter(scorm_packages::workspace_id.eq(workspace.to_string()))
                .filter(scorm_packages::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &ScormPackageFilter,
        page: &PageRequest,
    ) -> Result<Page<ScormPackage>, StoreError> {
        let mut query = scorm_packages::table
            .filter(scorm_packages::workspace_id.eq(workspace.to_string()))
            .select(ScormPackageRow::as_select())
            .order(scorm_packages::id.desc())
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in narrowing(self.conn, "scorm_packages", page) {
            query = query.filter(condition);
        }
        if let Some(after) = &page.after {
            query = query.filter(scorm_packages::id.lt(after.id.clone()));
        }
        if let Some(status) = &filter.status {
            query = query.filter(scorm_packages::status.eq(status.clone()));
        }
        if let Some(cohort) = filter.cohort_id {
            query = query.filter(scorm_packages::cohort_id.eq(cohort.to_string()));
        }
        let found = self.run(|conn| query.load::<ScormPackageRow>(conn))?;
        let packages = found
            .into_iter()
            .map(ScormPackage::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(packages, page.limit, |package| Keyset {
            position: None,
            id: package.id.to_string(),
        }))
    }

    fn find_signed(&mut self, id: ScormPackageId) -> Result<Option<ScormPackage>, StoreError> {
        let found = self.run(|conn| {
            scorm_packages::table
                .filter(scorm_packages::id.eq(id.to_string()))
                .select(ScormPackageRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(ScormPackage::try_from).transpose()
    }
}
