//! What happened, and what can happen.

use lyceum_wire::notifying::event_types::EventTypeView;
use lyceum_wire::notifying::events::EventView;

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// What happened, and what can happen.
    pub fn events(&self) -> Events {
        Events(self.clone())
    }
}

/// What happened, and what can happen.
#[derive(Debug, Clone)]
pub struct Events(Client);

impl Events {
    /// Lists what can happen, with a JSON Schema of each event.
    pub fn types(&self) -> Listing<EventTypeView> {
        self.0.list("/v1/event_types")
    }

    /// Lists what happened.
    pub fn list(&self) -> Listing<EventView> {
        self.0.list("/v1/events")
    }

    /// Shows an event.
    pub fn retrieve(&self, id: &str) -> Call<EventView> {
        self.0.get(&path("events", id, ""))
    }
}
