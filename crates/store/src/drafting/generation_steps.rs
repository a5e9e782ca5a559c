//! Steps of generations in rows.

use lyceum_domain::drafting::generation_steps::{
    GenerationStep, StepCost, StepKey, StepResult, StepStatus,
};
use lyceum_domain::ids::GenerationId;
use lyceum_ports::drafting::generation_steps::GenerationStepRepository;

use crate::drafting::step_documents;
use crate::mapping::schema::{generation_steps, generations};
use crate::prelude::*;

row! {
    /// Everything but the result, which is big and seldom wanted.
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = generation_steps, primary_key(workspace_id, generation_id, key))]
    #[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
    struct StepRow of GenerationStep {
        workspace_id: WorkspaceId,
        generation_id: GenerationId,
        key: StepKey,
        position: u32,
        status: StepStatus,
        task_hash: String,
        model: Option<String>,
        prompt_version: Option<String>,
        attempts: u32,
        created_at: Timestamp,
        updated_at: Timestamp,
        ..cost: (tokens_in: i64, tokens_out: i64, cost_micro_usd: Option<i64>, latency_ms: i64),
    }
}

kept_as_text!(StepKey, StepStatus);

impl Stored for StepCost {
    type Columns = (i64, i64, Option<i64>, i64);

    fn columns(&self) -> Self::Columns {
        (
            self.tokens_in.columns(),
            self.tokens_out.columns(),
            self.cost.columns(),
            self.latency_ms.columns(),
        )
    }

    fn read((tokens_in, tokens_out, cost, latency_ms): Self::Columns) -> Result<Self, StoreError> {
        Ok(Self {
            tokens_in: Stored::read(tokens_in)?,
            tokens_out: Stored::read(tokens_out)?,
            cost: Stored::read(cost)?,
            latency_ms: Stored::read(latency_ms)?,
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
