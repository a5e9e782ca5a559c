//! Workspaces in rows.

use lyceum_domain::identity::ai_settings::{MonthlyBudget, OnProviderFailure, WorkspaceAi};
use lyceum_domain::identity::workspaces::{
    Platform, PlatformCode, PlatformUuid, Workspace, WorkspaceStatus,
};
use lyceum_domain::json::Metadata;
use lyceum_domain::money::MicroUsd;
use lyceum_domain::text::Name;
use lyceum_ports::identity::workspaces::WorkspaceRepository;

use serde::Deserialize;
use serde_json::json;

use crate::mapping::documents;
use crate::mapping::schema::{counters, workspaces};
use crate::prelude::*;

row! {
    /// A workspace as it is stored; users are read together with theirs.
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = workspaces, primary_key(id), treat_none_as_null = true)]
    pub struct WorkspaceRow of Workspace {
        id: WorkspaceId,
        name: Name,
        domain: Option<String>,
        status: WorkspaceStatus,
        ai: WorkspaceAi,
        metadata: Metadata,
        ..platform: (platform_number: i64, platform_uuid: String, platform_code: Option<String>),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(PlatformCode, PlatformUuid, WorkspaceStatus);

impl Stored for Platform {
    type Columns = (i64, String, Option<String>);

    fn columns(&self) -> Self::Columns {
        (self.number, self.uuid.columns(), self.code.columns())
    }

    fn read((number, uuid, code): Self::Columns) -> Result<Self, StoreError> {
        Ok(Self {
            number,
            uuid: Stored::read(uuid)?,
            code: Stored::read(code)?,
        })
    }
}

/// What a workspace decided about AI, as a document; money is in millionths of a dollar.
#[derive(Deserialize)]
#[serde(default)]
struct WorkspaceAiDocument {
    monthly_tokens: Option<u64>,
    monthly_cost: Option<u64>,
    on_provider_failure: String,
}

impl Default for WorkspaceAiDocument {
    fn default() -> Self {
        Self {
            monthly_tokens: None,
            monthly_cost: None,
            on_provider_failure: OnProviderFailure::Error.to_string(),
        }
    }
}

impl Stored for WorkspaceAi {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json(json!({
            "monthly_tokens": self.monthly_budget.tokens,
            "monthly_cost": self.monthly_budget.cost.map(MicroUsd::millionths),
            "on_provider_failure": self.on_provider_failure.as_str(),
        }))
    }

    fn read(document: Json) -> Result<Self, StoreError> {
        let document: WorkspaceAiDocument = documents::read(document)?;
        Ok(Self {
            monthly_budget: MonthlyBudget {
                tokens: document.monthly_tokens,
                cost: document.monthly_cost.map(MicroUsd::new),
            },
            on_provider_failure: rows::read(OnProviderFailure::parse(
                &document.on_provider_failure,
            ))?,
        })
    }
}

/// The counter that platforms are numbered by.
const PLATFORM_NUMBER: &str = "platform_number";

impl WorkspaceRepository for Session<'_> {
    fn insert(&mut self, workspace: &Workspace) -> Result<(), StoreError> {
        let row = WorkspaceRow::from(workspace);
        self.run(|conn| {
            let insert = diesel::insert_into(workspaces::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
        .map(drop)
    }

    fn find(&mut self, id: WorkspaceId) -> Result<Option<Workspace>, StoreError> {
        let found = self.run(|conn| {
            let found = workspaces::table.find(id.to_string());
            let row = on_either!(conn, found.select(WorkspaceRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Workspace::try_from).transpose()
    }

    fn find_by_code(&mut self, code: &PlatformCode) -> Result<Option<Workspace>, StoreError> {
        let found = self.run(|conn| {
            let found = workspaces::table.filter(workspaces::platform_code.eq(code.as_str()));
            let row = on_either!(conn, found.select(WorkspaceRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Workspace::try_from).transpose()
    }

    fn update(&mut self, workspace: &Workspace) -> Result<(), StoreError> {
        let row = WorkspaceRow::from(workspace);
        self.change(&row.id, |conn| {
            diesel::update(workspaces::table)
                .filter(workspaces::id.eq(&row.id))
                .filter(workspaces::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, id: WorkspaceId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(workspaces::table)
                .filter(workspaces::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn hold(&mut self, id: WorkspaceId) -> Result<(), StoreError> {
        // A lock alone would let the one who waited go on with what it saw before: at REPEATABLE READ only a row that
        // was really written tells them to begin anew.
        let writing = |session: &mut Self| {
            session.run(|conn| {
                diesel::update(workspaces::table)
                    .filter(workspaces::id.eq(id.to_string()))
                    .set(workspaces::status.eq(workspaces::status))
                    .execute(conn)
            })
        };
        self.contend(|| Line::at(id), writing).map(drop)
    }

    fn next_platform_number(&mut self) -> Result<i64, StoreError> {
        let last: Option<i64> = self.run(|conn| {
            counters::table
                .find(PLATFORM_NUMBER)
                .select(counters::value)
                .first(conn)
                .optional()
        })?;
        let Some(last) = last else {
            self.insert_absent(|conn| {
                diesel::insert_into(counters::table)
                    .values((counters::name.eq(PLATFORM_NUMBER), counters::value.eq(1)))
                    .execute(conn)
            })?;
            return Ok(1);
        };
        let next = last.saturating_add(1);
        self.change(PLATFORM_NUMBER, |conn| {
            diesel::update(counters::table)
                .filter(counters::name.eq(PLATFORM_NUMBER))
                .set(counters::value.eq(next))
                .execute(conn)
        })?;
        Ok(next)
    }

    fn none_yet(&mut self) -> Result<bool, StoreError> {
        let any: Option<String> = self.run(|conn| {
            workspaces::table
                .select(workspaces::id)
                .first(conn)
                .optional()
        })?;
        Ok(any.is_none())
    }
}
