//! Where steps of generations are kept: the accounting for ever, what came of them until it has landed.

use lyceum_domain::Timestamp;
use lyceum_domain::drafting::generation_steps::{GenerationStep, StepKey, StepResult};
use lyceum_domain::ids::{GenerationId, WorkspaceId};

use crate::error::StoreError;

/// Steps of generations.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait GenerationStepRepository {
    /// Stores a step, new or changed; what came of it before stays.
    fn put(&mut self, step: &GenerationStep) -> Result<(), StoreError>;
    /// Stores a step and what came of it.
    fn keep(&mut self, step: &GenerationStep, result: &StepResult) -> Result<(), StoreError>;
    /// The steps of these generations, in order, without their results.
    fn of(
        &mut self,
        workspace: WorkspaceId,
        generations: &[GenerationId],
    ) -> Result<Vec<GenerationStep>, StoreError>;
    /// What came of the steps of a generation, where it is still kept.
    fn results(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
    ) -> Result<Vec<(StepKey, StepResult)>, StoreError>;
    /// A finished step with this key and hash that a canceled or failed generation of this target left behind; the
    /// newest, if there are several.
    fn left_behind(
        &mut self,
        workspace: WorkspaceId,
        target_id: &str,
        key: &StepKey,
        task_hash: &str,
    ) -> Result<Option<(GenerationStep, StepResult)>, StoreError>;
    /// Forgets what came of a generation's steps, and of equal ones that other generations of its target left behind.
    fn forget_results(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
    ) -> Result<(), StoreError>;
    /// Forgets what came of up to `limit` steps that were last changed before `oldest`, of generations that came to
    /// nothing; how many those were.
    fn forget_left_behind(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
