//! The person's sessions in browsers.

use lyceum_wire::deleted::Deleted;
use lyceum_wire::identity::web_sessions::{EndedSessionsView, WebSessionView};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// The person's sessions in browsers.
    pub fn sessions(&self) -> Sessions {
        Sessions(self.clone())
    }
}

/// The person's sessions in browsers.
#[derive(Debug, Clone)]
pub struct Sessions(Client);

impl Sessions {
    /// Lists those that live.
    pub fn list(&self) -> Listing<WebSessionView> {
        self.0.list("/v1/sessions")
    }

    /// Shows one.
    pub fn retrieve(&self, id: &str) -> Call<WebSessionView> {
        self.0.get(&path("sessions", id, ""))
    }

    /// Ends one.
    pub fn end(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("sessions", id, ""))
    }

    /// Ends all of them but the one that this is asked with, if it is asked with one.
    pub fn end_others(&self) -> Call<EndedSessionsView> {
        self.0.act("/v1/sessions/end_others")
    }
}
