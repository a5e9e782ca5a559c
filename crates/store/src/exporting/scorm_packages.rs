//! SCORM packages in rows.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::Bool;
use lyceum_domain::exporting::scorm::{
    RuntimeBaseUrl, ScormFile, ScormPackage, ScormState, ScormVersion,
};
use lyceum_domain::ids::CohortId;
use lyceum_domain::ids::ScormPackageId;
use lyceum_ports::exporting::scorm_packages::{ScormPackageFilter, ScormPackageRepository};
use serde::{Deserialize, Serialize};

use crate::exporting::scorm_policy_document::PolicyDocument;
use crate::mapping::documents;
use crate::mapping::schema::scorm_packages;
use crate::prelude::*;

/// A package as it is stored.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = scorm_packages, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct ScormPackageRow {
    workspace_id: String,
    id: String,
    cohort_id: String,
    course_id: String,
    edition: String,
    runtime_base_url: String,
    launch: Json,
    status: String,
    estimated_ready_at: Option<Moment>,
    file: Option<Json>,
    origin_id: Option<String>,
    fingerprint: Option<String>,
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
            // Columns of their own, because packages are looked for by them.
            origin: _,
            fingerprint: _,
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

impl FileDocument {
    fn file(self, origin: ScormPackageId, fingerprint: Option<String>) -> ScormFile {
        let Self {
            size_bytes,
            sha256,
            content_hash,
            warnings,
        } = self;
        ScormFile {
            origin,
            fingerprint,
            size_bytes,
            sha256,
            content_hash,
            warnings,
        }
    }
}

/// What a state carries, as columns.
#[derive(Default)]
struct PackageStateColumns {
    estimated_ready_at: Option<Moment>,
    file: Option<Json>,
    origin_id: Option<String>,
    fingerprint: Option<String>,
    error_code: Option<String>,
    error_message: Option<String>,
}

impl TryFrom<&ScormState> for PackageStateColumns {
    type Error = StoreError;

    fn try_from(state: &ScormState) -> Result<Self, StoreError> {
        Ok(match state {
            ScormState::Pending { estimated_ready_at } => Self {
                estimated_ready_at: Some((*estimated_ready_at).into()),
                ..Self::default()
            },
            ScormState::Ready(file) | ScormState::Revoked(file) => Self {
                file: Some(documents::write(&FileDocument::from(file))?),
                origin_id: Some(file.origin.to_string()),
                fingerprint: file.fingerprint.clone(),
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

impl PackageStateColumns {
    fn state(self, status: &str) -> Result<ScormState, StoreError> {
        let Self {
            estimated_ready_at,
            file,
            origin_id,
            fingerprint,
            error_code,
            error_message,
        } = self;
        let file = match (file, rows::optional_id(origin_id.as_ref())?) {
            (Some(file), Some(origin)) => {
                Some(documents::read::<FileDocument>(file)?.file(origin, fingerprint))
            }
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => return Err(corrupt("a package's file")),
        };
        let state = match (status, estimated_ready_at, file, error_code, error_message) {
            ("pending", Some(Moment(estimated_ready_at)), None, None, None) => {
                ScormState::Pending { estimated_ready_at }
            }
            ("ready", None, Some(file), None, None) => ScormState::Ready(file),
            ("error", None, None, Some(code), Some(message)) => ScormState::Error { code, message },
            ("revoked", None, Some(file), None, None) => ScormState::Revoked(file),
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
            launch,
            reporting,
            state,
            stamp,
        } = package;
        let policy = PolicyDocument::new(launch, *reporting);
        let PackageStateColumns {
            estimated_ready_at,
            file,
            origin_id,
            fingerprint,
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
            launch: documents::write(&policy)?,
            status: state.as_str().to_owned(),
            estimated_ready_at,
            file,
            origin_id,
            fingerprint,
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
        let policy = documents::read::<PolicyDocument>(row.launch)?;
        let (launch, reporting) = policy.read()?;
        let columns = PackageStateColumns {
            estimated_ready_at: row.estimated_ready_at,
            file: row.file,
            origin_id: row.origin_id,
            fingerprint: row.fingerprint,
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
            launch,
            reporting,
            state: columns.state(&row.status)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

/// Written out and not bound, because the indexes of what can be downloaded are made for the word.
fn ready() -> SqlLiteral<Bool> {
    sql("scorm_packages.status = 'ready'")
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
        let writing = |session: &mut Self| {
            session.run_unless_raced(|conn| {
                diesel::update(scorm_packages::table)
                    .filter(scorm_packages::workspace_id.eq(&row.workspace_id))
                    .filter(scorm_packages::id.eq(&row.id))
                    .filter(scorm_packages::version.lt(row.version))
                    .set(&row)
                    .execute(conn)
            })
        };
        let changed = self.contend(|| Line::at(package.id), writing)?;
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
        let walk = Walk::<ids::ScormPackage>::over("scorm_packages", workspace, page)
            .along("cohort_id", filter.cohort_id)
            .sifting(filter.status.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = scorm_packages::table
                .filter(scorm_packages::workspace_id.eq(workspace.to_string()))
                .select(ScormPackageRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(status) = &filter.status {
                query = query.filter(scorm_packages::status.eq(status.clone()));
            }
            if let Some(cohort) = filter.cohort_id {
                query = query.filter(scorm_packages::cohort_id.eq(cohort.to_string()));
            }
            let found = session.run(|conn| query.load::<ScormPackageRow>(conn))?;
            let packages = found
                .into_iter()
                .map(ScormPackage::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(packages, |package| package.id.to_string()))
        })
    }

    fn with_fingerprint(
        &mut self,
        workspace: WorkspaceId,
        fingerprint: &str,
    ) -> Result<Option<ScormPackage>, StoreError> {
        let found = self.run(|conn| {
            scorm_packages::table
                .filter(scorm_packages::workspace_id.eq(workspace.to_string()))
                .filter(scorm_packages::fingerprint.eq(fingerprint))
                .filter(ready())
                .select(ScormPackageRow::as_select())
                .order(scorm_packages::id.asc())
                .first(conn)
                .optional()
        })?;
        found.map(ScormPackage::try_from).transpose()
    }

    fn sharing(
        &mut self,
        workspace: WorkspaceId,
        origin: ScormPackageId,
    ) -> Result<Vec<ScormPackage>, StoreError> {
        let found = self.run(|conn| {
            scorm_packages::table
                .filter(scorm_packages::workspace_id.eq(workspace.to_string()))
                .filter(scorm_packages::origin_id.eq(origin.to_string()))
                .filter(ready())
                .select(ScormPackageRow::as_select())
                .order(scorm_packages::id.asc())
                .load(conn)
        })?;
        found.into_iter().map(ScormPackage::try_from).collect()
    }

    fn open(&mut self, origin: ScormPackageId) -> Result<Option<ScormPackage>, StoreError> {
        let found = self.run(|conn| {
            scorm_packages::table
                .filter(scorm_packages::origin_id.eq(origin.to_string()))
                .filter(ready())
                .select(ScormPackageRow::as_select())
                .order(scorm_packages::id.asc())
                .first(conn)
                .optional()
        })?;
        found.map(ScormPackage::try_from).transpose()
    }

    fn origins_of_cohort(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<Vec<ScormPackageId>, StoreError> {
        let found: Vec<Option<String>> = self.run(|conn| {
            scorm_packages::table
                .filter(scorm_packages::workspace_id.eq(workspace.to_string()))
                .filter(scorm_packages::cohort_id.eq(cohort.to_string()))
                .filter(scorm_packages::origin_id.is_not_null())
                .select(scorm_packages::origin_id)
                .distinct()
                .load(conn)
        })?;
        found.iter().flatten().map(|id| rows::id(id)).collect()
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
