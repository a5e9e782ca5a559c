//! Generations in rows.

use lyceum_domain::drafting::generations::{Generation, GenerationKind, GenerationState};
use lyceum_domain::ids::GenerationId;
use lyceum_ports::drafting::generations::{GenerationFilter, GenerationRepository};
use serde_json::Value;

use crate::mapping::schema::generations;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = generations, primary_key(workspace_id, id))]
    #[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
    struct GenerationRow of Generation {
        workspace_id: WorkspaceId,
        id: GenerationId,
        kind: GenerationKind,
        target_object: String,
        target_id: String,
        request: Value,
        completed: u32,
        total: u32,
        tokens_in: u64,
        tokens_out: u64,
        ..state: (
            status: String,
            estimated_ready_at: Option<Moment>,
            result: Option<Json>,
            error_code: Option<String>,
            error_message: Option<String>,
        ),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(GenerationKind);

impl Stored for GenerationState {
    /// The word, when it will probably be done, what was made, and what went wrong.
    type Columns = (
        String,
        Option<Moment>,
        Option<Json>,
        Option<String>,
        Option<String>,
    );

    fn columns(&self) -> Self::Columns {
        let status = self.as_str().to_owned();
        match self {
            Self::Pending { estimated_ready_at } => {
                (status, Some(Moment(*estimated_ready_at)), None, None, None)
            }
            Self::Ready(result) => (status, None, Some(result.columns()), None, None),
            Self::Error { code, message } => (
                status,
                None,
                None,
                Some(code.clone()),
                Some(message.clone()),
            ),
            Self::Canceled => (status, None, None, None, None),
        }
    }

    fn read((status, ready_at, result, code, message): Self::Columns) -> Result<Self, StoreError> {
        match (status.as_str(), ready_at, result, code, message) {
            ("pending", Some(Moment(estimated_ready_at)), None, None, None) => {
                Ok(Self::Pending { estimated_ready_at })
            }
            ("ready", None, Some(Json(result)), None, None) => Ok(Self::Ready(result)),
            ("error", None, None, Some(code), Some(message)) => Ok(Self::Error { code, message }),
            ("canceled", None, None, None, None) => Ok(Self::Canceled),
            (other, ..) => Err(corrupt(format!("generation state {other:?}"))),
        }
    }
}

impl GenerationRepository for Session<'_> {
    fn insert(&mut self, generation: &Generation) -> Result<(), StoreError> {
        let row = GenerationRow::from(generation);
        // A course is shown with it, and so changed by everybody who begins one.
        self.contend(
            || Line::at(&row.target_id),
            |session| {
                session.run(|conn| {
                    diesel::insert_into(generations::table)
                        .values(&row)
                        .execute(conn)
                })
            },
        )
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
        let walk = Walk::<ids::Generation>::over("generations", workspace, page)
            .sifting(filter.status.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = generations::table
                .filter(generations::workspace_id.eq(workspace.to_string()))
                .select(GenerationRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(status) = &filter.status {
                query = query.filter(generations::status.eq(status.clone()));
            }
            let found = session.run(|conn| query.load::<GenerationRow>(conn))?;
            let generations = found
                .into_iter()
                .map(Generation::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(generations, |generation| generation.id.to_string()))
        })
    }
}
