//! The service itself, and who is calling.

use lyceum_wire::identity::me::{MeView, UpdateMe};
use serde::Deserialize;
use serde_json::Value;

use crate::call::Call;
use crate::client::Client;

/// How the service is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Health {
    /// `ok` for a process that lives; `ready` or `degraded` for one that can work.
    pub status: String,
    /// What is missing, if something is.
    #[serde(default)]
    pub reason: Option<String>,
}

impl Client {
    /// Who is calling, with which key, and where they may go.
    pub fn me(&self) -> Call<MeView> {
        self.get("/v1/me")
    }

    /// Changes what the caller is called, their language and their time zone: what is not named stays as it is.
    pub fn update_me(&self, change: &UpdateMe) -> Call<MeView> {
        self.patch("/v1/me", change)
    }

    /// Whether the process lives.
    pub fn health(&self) -> Call<Health> {
        self.get("/healthz")
    }

    /// Whether the service can work; it refuses with `unavailable` while it cannot.
    pub fn readiness(&self) -> Call<Health> {
        self.get("/readyz")
    }

    /// The `OpenAPI` document of the service.
    pub fn openapi(&self) -> Call<Value> {
        self.get("/v1/openapi.json")
    }
}
