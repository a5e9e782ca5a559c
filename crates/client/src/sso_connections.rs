//! Connections to identity providers.

use lyceum_wire::deleted::Deleted;
use lyceum_wire::identity::sso_connections::{
    CreateSsoConnection, SsoConnectionView, SsoTestView, UpdateSsoConnection,
};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// The platform's connections to identity providers.
    pub fn sso_connections(&self) -> SsoConnections {
        SsoConnections(self.clone())
    }
}

/// The platform's connections to identity providers.
#[derive(Debug, Clone)]
pub struct SsoConnections(Client);

impl SsoConnections {
    /// Makes a connection.
    pub fn create(&self, new: &CreateSsoConnection) -> Call<SsoConnectionView> {
        self.0.post("/v1/sso_connections", new)
    }

    /// Lists connections.
    pub fn list(&self) -> Listing<SsoConnectionView> {
        self.0.list("/v1/sso_connections")
    }

    /// Shows a connection, without its secret.
    pub fn retrieve(&self, id: &str) -> Call<SsoConnectionView> {
        self.0.get(&path("sso_connections", id, ""))
    }

    /// Changes a connection: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateSsoConnection) -> Call<SsoConnectionView> {
        self.0.patch(&path("sso_connections", id, ""), change)
    }

    /// Deletes a connection; the sessions that began by it end.
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("sso_connections", id, ""))
    }

    /// Says what is wrong with a connection.
    pub fn test(&self, id: &str) -> Call<SsoTestView> {
        self.0.act(&path("sso_connections", id, "/test"))
    }
}
