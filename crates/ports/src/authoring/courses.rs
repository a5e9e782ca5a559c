//! Courses.

use lyceum_domain::authoring::courses::{Course, CourseAttachments, CourseStatus};
use lyceum_domain::ids::{CohortId, CourseId, GenerationId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which courses; every member that is given must match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CourseFilter {
    /// In this state.
    pub status: Option<CourseStatus>,
    /// In this language (canonical tag).
    pub language: Option<String>,
}

/// How many of a course's cohorts its answer names.
pub const COHORTS_SHOWN: u16 = 100;

/// A course and what its answer names of what belongs to it, which is read in one go: this is what is asked for most.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownCourse {
    /// The course.
    pub course: Course,
    /// Its newest cohorts, the newest first, at most [`COHORTS_SHOWN`].
    pub cohorts: Vec<CohortId>,
    /// Its newest generation.
    pub generation: Option<ShownGeneration>,
}

/// What the answer of its target says of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownGeneration {
    /// Which.
    pub id: GenerationId,
    /// The word for its state.
    pub status: String,
}

/// Where courses are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait CourseRepository {
    /// Adds a new one.
    fn insert(&mut self, course: &Course) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: CourseId) -> Result<Option<Course>, StoreError>;
    /// Those with these ids that are in this workspace, with what their answers name, in any order.
    fn shown(
        &mut self,
        workspace: WorkspaceId,
        ids: &[CourseId],
    ) -> Result<Vec<ShownCourse>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, course: &Course) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: CourseId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &CourseFilter,
        page: &PageRequest,
    ) -> Result<Page<ShownCourse>, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[CourseId],
    ) -> Result<Vec<Course>, StoreError>;
    /// How much hangs on the course that is not its content.
    fn attachments(
        &mut self,
        workspace: WorkspaceId,
        id: CourseId,
    ) -> Result<CourseAttachments, StoreError>;
}
