//! Users of the workspace.

use lyceum_wire::deleted::Deleted;
use lyceum_wire::identity::sent_invitations::SentInvitationView;
use lyceum_wire::identity::users::{CreateUser, UpdateUser, UserView};
use lyceum_wire::identity::web_sessions::{EndSessions, EndedSessionsView, WebSessionView};
use lyceum_wire::learning::progress::ProgressView;
use lyceum_wire::running::personal_data::{EraseUser, UserErasureView, UserExportView};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// Users of the workspace.
    pub fn users(&self) -> Users {
        Users(self.clone())
    }
}

/// Users of the workspace.
#[derive(Debug, Clone)]
pub struct Users(Client);

impl Users {
    /// Makes a user.
    pub fn create(&self, new: &CreateUser) -> Call<UserView> {
        self.0.post("/v1/users", new)
    }

    /// Lists users.
    pub fn list(&self) -> Listing<UserView> {
        self.0.list("/v1/users")
    }

    /// Shows a user.
    pub fn retrieve(&self, id: &str) -> Call<UserView> {
        self.0.get(&path("users", id, ""))
    }

    /// Changes a user: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateUser) -> Call<UserView> {
        self.0.patch(&path("users", id, ""), change)
    }

    /// Ends a user's membership; `in_use` once they did something, unless by [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("users", id, ""))
    }

    /// Sends a user who has not accepted an invitation by mail; where the service sends none, the answer has the link.
    pub fn invite(&self, id: &str) -> Call<SentInvitationView> {
        self.0.act(&path("users", id, "/invitation"))
    }

    /// Shows how it stands with a user's invitation.
    pub fn invitation(&self, id: &str) -> Call<SentInvitationView> {
        self.0.get(&path("users", id, "/invitation"))
    }

    /// Lists who has not accepted yet, and how it stands with their invitation.
    pub fn sent_invitations(&self) -> Listing<SentInvitationView> {
        self.0.list("/v1/sent_invitations")
    }

    /// Lists a user's sessions in browsers, as far as the workspace was told of them.
    pub fn sessions(&self, id: &str) -> Listing<WebSessionView> {
        self.0.list(&path("users", id, "/sessions"))
    }

    /// Ends one of a user's sessions in browsers, or all.
    pub fn end_sessions(&self, id: &str, wanted: &EndSessions) -> Call<EndedSessionsView> {
        self.0.post(&path("users", id, "/end_sessions"), wanted)
    }

    /// Hands out everything that is kept of a user.
    pub fn export(&self, id: &str) -> Call<UserExportView> {
        self.0.act(&path("users", id, "/export"))
    }

    /// Erases a user; what others' records hang on stays under a pseudonym.
    pub fn erase(&self, id: &str, wanted: &EraseUser) -> Call<UserErasureView> {
        self.0.post(&path("users", id, "/erase"), wanted)
    }

    /// Lists how far a user has come, by cohort.
    pub fn progress(&self, id: &str) -> Listing<ProgressView> {
        self.0.list(&path("users", id, "/progress"))
    }
}
