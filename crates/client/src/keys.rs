//! The person's API keys.

use lyceum_wire::deleted::Deleted;
use lyceum_wire::identity::keys::{ApiKeyView, CreateApiKey, RotateApiKey, UpdateApiKey};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// The person's API keys.
    pub fn api_keys(&self) -> ApiKeys {
        ApiKeys(self.clone())
    }
}

/// The person's API keys.
#[derive(Debug, Clone)]
pub struct ApiKeys(Client);

impl ApiKeys {
    /// Makes a key; its secret is in this answer alone.
    pub fn create(&self, new: &CreateApiKey) -> Call<ApiKeyView> {
        self.0.post("/v1/api_keys", new)
    }

    /// Lists keys, without their secrets.
    pub fn list(&self) -> Listing<ApiKeyView> {
        self.0.list("/v1/api_keys")
    }

    /// Shows a key.
    pub fn retrieve(&self, id: &str) -> Call<ApiKeyView> {
        self.0.get(&path("api_keys", id, ""))
    }

    /// Changes a key: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateApiKey) -> Call<ApiKeyView> {
        self.0.patch(&path("api_keys", id, ""), change)
    }

    /// Deletes a key and its sessions.
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("api_keys", id, ""))
    }

    /// Makes a key like another, which keeps working; its secret is in this answer alone.
    pub fn rotate(&self, id: &str) -> Call<ApiKeyView> {
        self.0.act(&path("api_keys", id, "/rotate"))
    }

    /// The same, and the old key stops working after a while.
    pub fn rotate_with(&self, id: &str, rotation: &RotateApiKey) -> Call<ApiKeyView> {
        self.0.post(&path("api_keys", id, "/rotate"), rotation)
    }

    /// Revokes a key and its sessions.
    pub fn revoke(&self, id: &str) -> Call<ApiKeyView> {
        self.0.act(&path("api_keys", id, "/revoke"))
    }
}
