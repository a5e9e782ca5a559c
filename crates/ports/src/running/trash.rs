//! What was deleted and may come back.

use lyceum_domain::grading::grades::Grade;
use lyceum_domain::grading::receipts::{ChainHead, Kept};
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{GenerationId, SubmissionId, TrashItemId, UserId, WorkspaceId};
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashKind, TrashPart};
use lyceum_domain::{Timestamp, json::JsonObject};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which items.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrashFilter {
    /// Of one of these kinds.
    pub kinds: Vec<TrashKind>,
    /// The thing with this id.
    pub object_id: Option<String>,
    /// Deleted by this member.
    pub deleted_by: Option<UserId>,
    /// Not over at this moment.
    pub restorable_at: Option<Timestamp>,
}

/// Something that what is in the trash hangs on, and that is no longer there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingParent {
    /// The member that names it, such as `course_id`.
    pub field: String,
    /// Its id.
    pub id: String,
    /// Where in the trash it is, if it is there.
    pub item: Option<TrashItemId>,
}

/// A graded submission in the trash, with its records.
#[derive(Debug, Clone, PartialEq)]
pub struct SealedWork {
    /// In which item.
    pub item: TrashItemId,
    /// The submission.
    pub submission: Submission,
    /// What it says its newest receipt is.
    pub head: ChainHead,
    /// Its records, oldest first.
    pub records: Vec<(Grade, Kept)>,
}

/// Where in the trash a walk over graded work is.
pub type SealedPlace = (WorkspaceId, TrashItemId, SubmissionId);

/// Where things are that were deleted: whole, and out of every other query's sight.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait TrashRepository {
    /// Begins an item, and copies the thing and all that hangs on it into it. They stay where they are until
    /// [`TrashRepository::take_out`]; meanwhile nobody adds to them. What was copied, by part.
    fn gather(&mut self, item: &TrashItem) -> Result<TrashCounts, StoreError>;
    /// Removes from their places what was copied into the item.
    fn take_out(&mut self, item: &TrashItem) -> Result<(), StoreError>;
    /// At most `limit` ids of a part of the item, in order, behind `after`.
    fn ids(
        &mut self,
        item: &TrashItem,
        part: TrashPart,
        after: Option<String>,
        limit: u16,
    ) -> Result<Vec<String>, StoreError>;
    /// Generations under way for anything in the item.
    fn pending_generations(&mut self, item: &TrashItem) -> Result<Vec<GenerationId>, StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: TrashItemId,
    ) -> Result<Option<TrashItem>, StoreError>;
    /// Lets nobody else bring the item back or destroy it until the transaction is over.
    fn hold(&mut self, item: &TrashItem) -> Result<(), StoreError>;
    /// A page of those that match, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &TrashFilter,
        page: &PageRequest,
    ) -> Result<Page<TrashItem>, StoreError>;
    /// The row of the thing itself, as the database writes it.
    fn root(&mut self, item: &TrashItem) -> Result<JsonObject, StoreError>;
    /// Some of what the item hangs on that is not there.
    fn missing(&mut self, item: &TrashItem) -> Result<Vec<MissingParent>, StoreError>;
    /// Puts all of it back where it was, the thing itself at `position` among its siblings where it has one; work that
    /// was under way waits to be taken up again.
    fn put_back(
        &mut self,
        item: &TrashItem,
        position: Option<u32>,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Other items that hold work of the member that this item is.
    fn others_with_work(&mut self, item: &TrashItem) -> Result<Vec<TrashItemId>, StoreError>;
    /// Removes the item with everything in it.
    fn forget(&mut self, item: &TrashItem) -> Result<(), StoreError>;
    /// Removes at most `limit` rows of the item, and the item itself after the last; whether it is gone.
    fn forget_some(&mut self, item: &TrashItem, limit: u16) -> Result<bool, StoreError>;
    /// Removes those rows of the item that files belong to, and says what the files are called: archives by the id of
    /// their origin, recordings by name.
    fn let_go_of_files(&mut self, item: &TrashItem) -> Result<Vec<String>, StoreError>;
    /// Whether something in the trash has the file of this name.
    fn keeps_file(&mut self, workspace: WorkspaceId, name: &str) -> Result<bool, StoreError>;
    /// The item whose time was over first, if one's is.
    fn expired(&mut self, now: Timestamp) -> Result<Option<TrashItem>, StoreError>;
    /// Erases what is somebody's from every item, and items that were theirs; how many rows those were.
    fn erase(&mut self, user: &User) -> Result<u64, StoreError>;
    /// At most `limit` graded submissions in the trash, behind `after`; of one workspace, or of all.
    fn sealed_work(
        &mut self,
        workspace: Option<WorkspaceId>,
        after: Option<SealedPlace>,
        limit: u16,
    ) -> Result<Vec<SealedWork>, StoreError>;
}
