//! Events.

use lyceum_domain::ids::{EventId, WorkspaceId};
use lyceum_domain::notifying::events::{Event, EventType};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// Of this type.
    pub kind: Option<EventType>,
    /// About the thing with this id.
    pub object_id: Option<String>,
}

/// Where events are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait EventRepository {
    /// Adds an event to the log.
    fn append(&mut self, event: &Event) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: EventId) -> Result<Option<Event>, StoreError>;
    /// A page of those that match, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &EventFilter,
        page: &PageRequest,
    ) -> Result<Page<Event>, StoreError>;
}
