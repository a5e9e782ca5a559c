//! Enrolments.

use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{CohortId, EnrollmentId, UserId, WorkspaceId};
use lyceum_domain::learning::enrollments::Enrollment;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where enrolments are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait EnrollmentRepository {
    /// Adds a new one; [`StoreError::Taken`] (`user_id`) if the student is already in the cohort.
    fn insert(&mut self, enrollment: &Enrollment) -> Result<(), StoreError>;
    /// The enrolment of this student in this cohort.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        user: UserId,
    ) -> Result<Option<Enrollment>, StoreError>;
    /// Removes it; whether it was there.
    fn delete(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        user: UserId,
    ) -> Result<bool, StoreError>;
    /// A page of a cohort's enrolments with their students, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        page: &PageRequest,
    ) -> Result<Page<(Enrollment, User)>, StoreError>;
    /// How many students are in each of these cohorts; those without any are left out.
    fn counts(
        &mut self,
        workspace: WorkspaceId,
        cohorts: &[CohortId],
    ) -> Result<Vec<(CohortId, u32)>, StoreError>;
    /// Every enrolment of this student, newest first.
    fn of_user(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
    ) -> Result<Vec<Enrollment>, StoreError>;
    /// Those with these ids that are in this workspace, with their students, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[EnrollmentId],
    ) -> Result<Vec<(Enrollment, User)>, StoreError>;
}
