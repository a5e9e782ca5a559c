//! Workspaces that the key's person belongs to.

use lyceum_wire::deleted::Deleted;
use lyceum_wire::identity::workspaces::{CreateWorkspace, UpdateWorkspace, WorkspaceView};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// Workspaces that the key's person belongs to.
    pub fn workspaces(&self) -> Workspaces {
        Workspaces(self.clone())
    }
}

/// Workspaces that the key's person belongs to.
#[derive(Debug, Clone)]
pub struct Workspaces(Client);

impl Workspaces {
    /// Makes a workspace.
    pub fn create(&self, new: &CreateWorkspace) -> Call<WorkspaceView> {
        self.0.post("/v1/workspaces", new)
    }

    /// Lists workspaces.
    pub fn list(&self) -> Listing<WorkspaceView> {
        self.0.list("/v1/workspaces")
    }

    /// Shows a workspace.
    pub fn retrieve(&self, id: &str) -> Call<WorkspaceView> {
        self.0.get(&path("workspaces", id, ""))
    }

    /// Changes a workspace: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateWorkspace) -> Call<WorkspaceView> {
        self.0.patch(&path("workspaces", id, ""), change)
    }

    /// Deletes a workspace and everything in it; `in_use` once learners have used it, unless by
    /// [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("workspaces", id, ""))
    }
}
