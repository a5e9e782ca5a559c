//! Steps of generations in rows.

use diesel::prelude::*;
use lyceum_domain::Timestamp;
use lyceum_domain::drafting::generation_steps::{
    GenerationStep, StepCost, StepKey, StepResult, StepStatus,
};
use lyceum_domain::ids::{GenerationId, WorkspaceId};
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::generation_steps::GenerationStepRepository;
use lyceum_ports::store::StoreError;

use crate::database::session::Session;
use crate::drafting::step_documents;
use crate::mapping::columns::{Json, Moment};
use crate::mapping::rows;
use crate::mapping::schema::{generation_steps, generations};

/// Everything but the result, which is big and seldom wanted.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = generation_steps, primary_key(workspace_id, generation_id, key))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct StepRow {
    workspace_id: String,
    generation_id: String,
    key: String,
    position: i64,
    status: String,
    task_hash: String,
    model: Option<String>,
    prompt_version: Option<String>,
    tokens_in: i64,
    tokens_out: i64,
    cost_micro_usd: Option<i64>,
    latency_ms: i64,
    attempts: i64,
    created_at: Moment,
    updated_at: Moment,
}

impl From<&GenerationStep> for StepRow {
    fn from(step: &GenerationStep) -> Self {
        let GenerationStep {
            workspace_id,
            generation_id,
            key,
            position,
            status,
            task_hash,
            model,
            prompt_version,
            cost,
            attempts,
            created_at,
            updated_at,
        } = step;
        Self {
            workspace_id: workspace_id.to_string(),
            generation_id: generation_id.to_string(),
            key: key.to_string(),
            position: (*position).into(),
            status: status.to_string(),
            task_hash: task_hash.clone(),
            model: model.clone(),
            prompt_version: prompt_version.clone(),
            tokens_in: rows::stored_number(cost.tokens_in),
            tokens_out: rows::stored_number(cost.tokens_out),
            cost_micro_usd: cost.cost.map(|cost| rows::stored_number(cost.millionths())),
            latency_ms: rows::stored_number(cost.latency_ms),
            attempts: (*attempts).into(),
            created_at: (*created_at).into(),
            updated_at: (*updated_at).into(),
        }
    }
}

impl TryFrom<StepRow> for GenerationStep {
    type Error = StoreError;

    fn try_from(row: StepRow) -> Result<Self, StoreError> {
        let cost = row.cost_micro_usd.map(rows::number).transpose()?;
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            generation_id: rows::id(&row.generation_id)?,
            key: rows::read(StepKey::parse(&row.key))?,
            position: rows::number(row.position)?,
            status: rows::read(StepStatus::parse(&row.status))?,
            task_hash: row.task_hash,
            model: row.model,
            prompt_version: row.prompt_version,
            cost: StepCost {
                tokens_in: rows::number(row.tokens_in)?,
                tokens_out: rows::number(row.tokens_out)?,
                cost: cost.map(MicroUsd::new),
                latency_ms: rows::number(row.latency_ms)?,
            },
            attempts: rows::number(row.attempts)?,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        })
    }
}

/// The row of a step.
#[diesel::dsl::auto_type(no_type_alias)]
fn of_step(step: &GenerationStep) -> _ {
    let workspace: String = step.workspace_id.to_string();
    let generation: String = step.generation_id.to_string();
    let key: String = step.key.to_string();
    generation_steps::workspace_id
        .eq(workspace)
        .and(generation_steps::generation_id.eq(generation))
        .and(generation_steps::key.eq(key))
}

/// What names a step: workspace, generation, key.
type StepKeyRow = (String, String, String);

impl GenerationStepRepository for Session<'_> {
    fn put(&mut self, step: &GenerationStep) -> Result<(), StoreError> {
        let row = StepRow::from(step);
        let changed = self.run(|conn| {
            diesel::update(generation_steps::table)
                .filter(of_step(step))
                .set(&row)
                .execute(conn)
        })?;
        if changed > 0 {
            return Ok(());
        }
        self.run(|conn| {
            diesel::insert_into(generation_steps::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn keep(&mut self, step: &GenerationStep, result: &StepResult) -> Result<(), StoreError> {
        let document = step_documents::written(result)?;
        self.put(step)?;
        self.run(|conn| {
            diesel::update(generation_steps::table)
                .filter(of_step(step))
                .set(generation_steps::result.eq(Some(document)))
                .execute(conn)
        })
        .map(drop)
    }

    fn of(
        &mut self,
        workspace: WorkspaceId,
        generations: &[GenerationId],
    ) -> Result<Vec<GenerationStep>, StoreError> {
        let ids: Vec<String> = generations.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            generation_steps::table
                .filter(generation_steps::workspace_id.eq(workspace.to_string()))
                .filter(generation_steps::generation_id.eq_any(ids))
                .order((
                    generation_steps::generation_id,
                    generation_steps::position,
                    generation_steps::key,
                ))
                .select(StepRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(GenerationStep::try_from).collect()
    }

    fn results(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
    ) -> Result<Vec<(StepKey, StepResult)>, StoreError> {
        let found: Vec<(String, Option<Json>)> = self.run(|conn| {
            generation_steps::table
                .filter(generation_steps::workspace_id.eq(workspace.to_string()))
                .filter(generation_steps::generation_id.eq(generation.to_string()))
                .filter(generation_steps::status.eq(StepStatus::Ready.as_str()))
                .filter(generation_steps::result.is_not_null())
                .select((generation_steps::key, generation_steps::result))
                .load(conn)
        })?;
        let read = |(key, document): (String, Option<Json>)| {
            let key = rows::read(StepKey::parse(&key))?;
            Ok(match document {
                Some(document) => Some((key, step_documents::read(document)?)),
                None => None,
            })
        };
        let found: Result<Vec<_>, StoreError> = found.into_iter().map(read).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    fn left_behind(
        &mut self,
        workspace: WorkspaceId,
        target_id: &str,
        key: &StepKey,
        task_hash: &str,
    ) -> Result<Option<(GenerationStep, StepResult)>, StoreError> {
        let found: Option<(StepRow, Option<Json>)> = self.run(|conn| {
            generation_steps::table
                .inner_join(
                    generations::table.on(generations::workspace_id
                        .eq(generation_steps::workspace_id)
                        .and(generations::id.eq(generation_steps::generation_id))),
                )
                .filter(generation_steps::workspace_id.eq(workspace.to_string()))
                .filter(generation_steps::task_hash.eq(task_hash))
                .filter(generation_steps::key.eq(key.as_str()))
                .filter(generation_steps::status.eq(StepStatus::Ready.as_str()))
                .filter(generation_steps::result.is_not_null())
                .filter(generations::target_id.eq(target_id))
                .filter(generations::status.eq_any(["canceled", "error"]))
                .order(generations::id.desc())
                .select((StepRow::as_select(), generation_steps::result))
                .first(conn)
                .optional()
        })?;
        let Some((row, Some(document))) = found else {
            return Ok(None);
        };
        Ok(Some((row.try_into()?, step_documents::read(document)?)))
    }

    fn forget_results(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
    ) -> Result<(), StoreError> {
        let landed = generation.to_string();
        let hashes: Vec<String> = self.run(|conn| {
            generation_steps::table
                .filter(generation_steps::workspace_id.eq(workspace.to_string()))
                .filter(generation_steps::generation_id.eq(&landed))
                .filter(generation_steps::result.is_not_null())
                .select(generation_steps::task_hash)
                .load(conn)
        })?;
        let target: Option<String> = self.run(|conn| {
            generations::table
                .find((workspace.to_string(), &landed))
                .select(generations::target_id)
                .first(conn)
                .optional()
        })?;
        let beside: Vec<String> = self.run(|conn| {
            generations::table
                .filter(generations::workspace_id.eq(workspace.to_string()))
                .filter(generations::target_id.eq(target.unwrap_or_default()))
                .select(generations::id)
                .load(conn)
        })?;
        self.run(|conn| {
            diesel::update(generation_steps::table)
                .filter(generation_steps::workspace_id.eq(workspace.to_string()))
                .filter(generation_steps::generation_id.eq_any(beside))
                .filter(generation_steps::task_hash.eq_any(hashes))
                .set(generation_steps::result.eq(None::<Json>))
                .execute(conn)
        })
        .map(drop)
    }

    fn forget_left_behind(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let old: Vec<StepKeyRow> = self.run(|conn| {
            generation_steps::table
                .inner_join(
                    generations::table.on(generations::workspace_id
                        .eq(generation_steps::workspace_id)
                        .and(generations::id.eq(generation_steps::generation_id))),
                )
                .filter(generation_steps::result.is_not_null())
                .filter(generation_steps::updated_at.lt(Moment(oldest)))
                .filter(generations::status.eq_any(["canceled", "error"]))
                .order(generation_steps::updated_at.asc())
                .limit(limit.into())
                .select((
                    generation_steps::workspace_id,
                    generation_steps::generation_id,
                    generation_steps::key,
                ))
                .load(conn)
        })?;
        for (workspace, generation, key) in &old {
            self.run(|conn| {
                diesel::update(generation_steps::table.find((workspace, generation, key)))
                    .set(generation_steps::result.eq(None::<Json>))
                    .execute(conn)
            })?;
        }
        rows::number(rows::stored_number(old.len()))
    }
}
