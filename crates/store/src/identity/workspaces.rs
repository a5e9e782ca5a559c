//! Workspaces in rows.

use diesel::prelude::*;
use lyceum_domain::identity::ai_settings::{MonthlyBudget, OnProviderFailure, WorkspaceAi};
use lyceum_domain::identity::workspaces::{
    Platform, PlatformCode, PlatformUuid, Workspace, WorkspaceStatus,
};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::money::MicroUsd;
use lyceum_domain::text::Name;
use lyceum_ports::identity::workspaces::WorkspaceRepository;
use lyceum_ports::store::{Line, StoreError};

use serde::Deserialize;
use serde_json::json;

use crate::database::connection::on_either;
use crate::database::session::Session;
use crate::mapping::columns::{Json, Moment};
use crate::mapping::schema::{counters, workspaces};
use crate::mapping::{documents, rows};

/// A workspace as it is stored; users are read together with theirs.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = workspaces, primary_key(id), treat_none_as_null = true)]
pub struct WorkspaceRow {
    id: String,
    platform_number: i64,
    platform_uuid: String,
    platform_code: Option<String>,
    name: String,
    domain: Option<String>,
    status: String,
    ai: Json,
    metadata: Json,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl From<&Workspace> for WorkspaceRow {
    fn from(workspace: &Workspace) -> Self {
        let Workspace {
            id,
            platform: Platform { number, uuid, code },
            name,
            domain,
            status,
            ai,
            metadata,
            stamp,
        } = workspace;
        Self {
            id: id.to_string(),
            platform_number: *number,
            platform_uuid: uuid.to_string(),
            platform_code: code.as_ref().map(ToString::to_string),
            name: name.to_string(),
            domain: domain.clone(),
            status: status.to_string(),
            ai: ai_document(*ai),
            metadata: Json::object(metadata.as_map()),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
        }
    }
}

impl TryFrom<WorkspaceRow> for Workspace {
    type Error = StoreError;

    fn try_from(row: WorkspaceRow) -> Result<Self, StoreError> {
        let code = row.platform_code.as_deref().map(PlatformCode::parse);
        Ok(Self {
            id: rows::id(&row.id)?,
            platform: Platform {
                number: row.platform_number,
                uuid: rows::read(PlatformUuid::parse(&row.platform_uuid))?,
                code: rows::read(code.transpose())?,
            },
            name: rows::read(Name::parse(row.name))?,
            domain: row.domain,
            status: rows::read(WorkspaceStatus::parse(&row.status))?,
            ai: documents::read::<WorkspaceAiDocument>(row.ai)?.read()?,
            metadata: rows::metadata(row.metadata)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
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

impl WorkspaceAiDocument {
    fn read(self) -> Result<WorkspaceAi, StoreError> {
        Ok(WorkspaceAi {
            monthly_budget: MonthlyBudget {
                tokens: self.monthly_tokens,
                cost: self.monthly_cost.map(MicroUsd::new),
            },
            on_provider_failure: rows::read(OnProviderFailure::parse(&self.on_provider_failure))?,
        })
    }
}

fn ai_document(ai: WorkspaceAi) -> Json {
    let WorkspaceAi {
        monthly_budget: MonthlyBudget { tokens, cost },
        on_provider_failure,
    } = ai;
    Json(json!({
        "monthly_tokens": tokens,
        "monthly_cost": cost.map(MicroUsd::millionths),
        "on_provider_failure": on_provider_failure.as_str(),
    }))
}

/// The counter that platforms are numbered by.
const PLATFORM_NUMBER: &str = "platform_number";

impl WorkspaceRepository for Session<'_> {
    fn insert(&mut self, workspace: &Workspace) -> Result<(), StoreError> {
        let row = WorkspaceRow::from(workspace);
        self.run(|conn| {
            let insert = diesel::insert_into(workspaces::table).values(&row);
            on_either!(conn, insert.execute(conn))
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
