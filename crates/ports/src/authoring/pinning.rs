//! What cohorts see that take new versions of their course by choice.

use lyceum_domain::authoring::versions::pinning::PinnedContent;
use lyceum_domain::authoring::versions::waiting::ChangeTarget;
use lyceum_domain::ids::{CohortId, CourseId, WorkspaceId};

use crate::authoring::waiting::{ChangeReach, WaitingMark};
use crate::error::StoreError;

/// Where it is kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PinnedContentRepository {
    /// The cohorts of a course for which what changes is pinned, by id: those under way, or over, that are updated by choice.
    fn pinning(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<CohortId>, StoreError>;
    /// Adds what a cohort sees of a thing that it has nothing pinned of. Whoever adds, changes or takes away a pin stands in the line of its
    /// course before.
    fn insert(&mut self, pinned: &PinnedContent) -> Result<(), StoreError>;
    /// Replaces one.
    fn update(&mut self, pinned: &PinnedContent) -> Result<(), StoreError>;
    /// What a cohort has pinned of a thing.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        of: ChangeTarget,
    ) -> Result<Option<PinnedContent>, StoreError>;
    /// What cohorts have pinned of a thing.
    fn of_thing(
        &mut self,
        workspace: WorkspaceId,
        of: ChangeTarget,
    ) -> Result<Vec<PinnedContent>, StoreError>;
    /// What a cohort has pinned of these.
    fn among(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        of: &[ChangeTarget],
    ) -> Result<Vec<PinnedContent>, StoreError>;
    /// Of what a cohort has anything pinned: units, then lessons, activities and assignments, by id.
    fn of_cohort(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<Vec<WaitingMark>, StoreError>;
    /// Takes one away; whether there was one.
    fn delete(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        of: ChangeTarget,
    ) -> Result<bool, StoreError>;
    /// Takes away all of a cohort; how many that was.
    fn delete_of_cohort(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<u64, StoreError>;
    /// Whom of a cohort it reaches when it is updated. Of `cohorts` there is one, with all who learn in it.
    fn reach(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<ChangeReach, StoreError>;
}
