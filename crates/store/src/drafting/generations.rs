//! Generations in rows.

use diesel::prelude::*;
use lyceum_domain::drafting::generations::{Generation, GenerationKind, GenerationState};
use lyceum_domain::ids::{GenerationId, WorkspaceId};
use lyceum_ports::drafting::generations::{GenerationFilter, GenerationRepository};
use lyceum_ports::page::{Keyset, Page, PageRequest};
use lyceum_ports::store::StoreError;

use crate::database::cached_by_text::CachedByText;
use crate::database::connection::on_either;
use crate::database::error::corrupt;
use crate::database::session::Session;
use crate::mapping::columns::{Json, Moment};
use crate::mapping::conditions::narrowing;
use crate::mapping::rows;
use crate::mapping::schema::generations;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = generations, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct GenerationRow {
    workspace_id: String,
    id: String,
    kind: String,
    target_object: String,
    target_id: String,
    request: Json,
    status: String,
    estimated_ready_at: Option<Moment>,
    result: Option<Json>,
    error_code: Option<String>,
    error_message: Option<String>,
    completed: i64,
    total: i64,
    tokens_in: i64,
    tokens_out: i64,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

/// What a state carries, as columns.
#[derive(Default)]
struct GenerationStateColumns {
    estimated_ready_at: Option<Moment>,
    result: Option<Json>,
    error_code: Option<String>,
    error_message: Option<String>,
}

impl From<&GenerationState> for GenerationStateColumns {
    fn from(state: &GenerationState) -> Self {
        match state {
            GenerationState::Pending { estimated_ready_at } => Self {
                estimated_ready_at: Some((*estimated_ready_at).into()),
                ..Self::default()
            },
            GenerationState::Ready(result) => Self {
                result: Some(Json(result.clone())),
                ..Self::default()
            },
            GenerationState::Error { code, message } => Self {
                error_code: Some(code.clone()),
                error_message: Some(message.clone()),
                ..Self::default()
            },
            GenerationState::Canceled => Self::default(),
        }
    }
}

impl GenerationStateColumns {
    fn state(self, status: &str) -> Result<GenerationState, StoreError> {
        let Self {
            estimated_ready_at,
            result,
            error_code,
            error_message,
        } = self;
        let state = match (
            status,
            estimated_ready_at,
            result,
            error_code,
            error_message,
        ) {
            ("pending", Some(Moment(estimated_ready_at)), None, None, None) => {
                GenerationState::Pending { estimated_ready_at }
            }
            ("ready", None, Some(Json(result)), None, None) => GenerationState::Ready(result),
            ("error", None, None, Some(code), Some(message)) => {
                GenerationState::Error { code, message }
            }
            ("canceled", None, None, None, None) => GenerationState::Canceled,
            (other, ..) => return Err(corrupt(format!("generation state {other:?}"))),
        };
        Ok(state)
    }
}

impl From<&Generation> for GenerationRow {
    fn from(generation: &Generation) -> Self {
        let Generation {
            workspace_id,
            id,
            kind,
            target_object,
            target_id,
            request,
            state,
            completed,
            total,
            tokens_in,
            tokens_out,
            stamp,
        } = generation;
        let GenerationStateColumns {
            estimated_ready_at,
            result,
            error_code,
            error_message,
        } = state.into();
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            kind: kind.to_string(),
            target_object: target_object.clone(),
            target_id: target_id.clone(),
            request: Json(request.clone()),
            status: state.as_str().to_owned(),
            estimated_ready_at,
            result,
            error_code,
            error_message,
            completed: (*completed).into(),
            total: (*total).into(),
            tokens_in: rows::stored_number(*tokens_in),
            tokens_out: rows::stored_number(*tokens_out),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
        }
    }
}

impl TryFrom<GenerationRow> for Generation {
    type Error = StoreError;

    fn try_from(row: GenerationRow) -> Result<Self, StoreError> {
        let columns = GenerationStateColumns {
            estimated_ready_at: row.estimated_ready_at,
            result: row.result,
            error_code: row.error_code,
            error_message: row.error_message,
        };
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            kind: rows::read(GenerationKind::parse(&row.kind))?,
            target_object: row.target_object,
            target_id: row.target_id,
            request: row.request.0,
            state: columns.state(&row.status)?,
            completed: rows::number(row.completed)?,
            total: rows::number(row.total)?,
            tokens_in: rows::number(row.tokens_in)?,
            tokens_out: rows::number(row.tokens_out)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

impl GenerationRepository for Session<'_> {
    fn insert(&mut self, generation: &Generation) -> Result<(), StoreError> {
        let row = GenerationRow::from(generation);
        self.run(|conn| {
            diesel::insert_into(generations::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: GenerationId,
    ) -> Result<Option<Generation>, StoreError> {
        let found = self.run(|conn| {
            generations::table
                .find((workspace.to_string(), id.to_string()))
                .select(GenerationRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Generation::try_from).transpose()
    }

    fn update(&mut self, generation: &Generation) -> Result<(), StoreError> {
        let row = GenerationRow::from(generation);
        self.change(&row.id, |conn| {
            let query = diesel::update(generations::table)
                .filter(generations::workspace_id.eq(&row.workspace_id))
                .filter(generations::id.eq(&row.id))
                .filter(generations::version.lt(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: GenerationId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(generations::table)
                .filter(generations::workspace_id.eq(workspace.to_string()))
                .filter(generations::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &GenerationFilter,
        page: &PageRequest,
    ) -> Result<Page<Generation>, StoreError> {
        let mut query = generations::table
            .filter(generations::workspace_id.eq(workspace.to_string()))
            .select(GenerationRow::as_select())
            .order(generations::id.desc())
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in narrowing(self.conn, "generations", page) {
            query = query.filter(condition);
        }
        if let Some(after) = &page.after {
            query = query.filter(generations::id.lt(after.id.clone()));
        }
        if let Some(status) = &filter.status {
            query = query.filter(generations::status.eq(status.clone()));
        }
        let found = self.run(|conn| query.load::<GenerationRow>(conn))?;
        let generations = found
            .into_iter()
            .map(Generation::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(generations, page.limit, |generation| Keyset {
            position: None,
            id: generation.id.to_string(),
        }))
    }
}
