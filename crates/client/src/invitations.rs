//! The person's invitations to workspaces.

use lyceum_wire::identity::invitations::InvitationView;

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// The person's invitations to workspaces.
    pub fn invitations(&self) -> Invitations {
        Invitations(self.clone())
    }
}

/// The person's invitations to workspaces.
#[derive(Debug, Clone)]
pub struct Invitations(Client);

impl Invitations {
    /// Lists those that wait for an answer; `status` names others.
    pub fn list(&self) -> Listing<InvitationView> {
        self.0.list("/v1/invitations")
    }

    /// Shows one.
    pub fn retrieve(&self, id: &str) -> Call<InvitationView> {
        self.0.get(&path("invitations", id, ""))
    }

    /// Accepts one: the person's keys open the workspace.
    pub fn accept(&self, id: &str) -> Call<InvitationView> {
        self.0.act(&path("invitations", id, "/accept"))
    }

    /// Declines one, or leaves the workspace.
    pub fn decline(&self, id: &str) -> Call<InvitationView> {
        self.0.act(&path("invitations", id, "/decline"))
    }
}
