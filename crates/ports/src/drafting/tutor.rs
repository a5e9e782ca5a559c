//! Conversations with the tutor.

use lyceum_domain::drafting::tutor::TutorTurn;
use lyceum_domain::ids::{LessonId, ThreadId, TurnId, UserId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where the newest turns of conversations are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait TutorRepository {
    /// Adds one.
    fn insert(&mut self, turn: &TutorTurn) -> Result<(), StoreError>;
    /// The newest turns, at most [`TutorTurn::KEPT`], of a user's conversation about a lesson, oldest first; none
    /// for a conversation that is somebody else's or about something else.
    fn newest(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        lesson: LessonId,
        thread: ThreadId,
    ) -> Result<Vec<TutorTurn>, StoreError>;
    /// A page of a user's turns about a lesson, all or those of one conversation, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        lesson: LessonId,
        thread: Option<ThreadId>,
        page: &PageRequest,
    ) -> Result<Page<TutorTurn>, StoreError>;
    /// Forgets the turns of a conversation that came before this one.
    fn forget_before(
        &mut self,
        workspace: WorkspaceId,
        thread: ThreadId,
        turn: TurnId,
    ) -> Result<(), StoreError>;
}
