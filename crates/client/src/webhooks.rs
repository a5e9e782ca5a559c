//! Webhook endpoints, what is sent to them, and what a receiver does with it.

mod received;

use lyceum_wire::deleted::Deleted;
use lyceum_wire::notifying::webhooks::{
    CreateWebhookEndpoint, RecoverWebhookEndpoint, UpdateWebhookEndpoint, WebhookDeliveryView,
    WebhookEndpointView, WebhookRecoveryView,
};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

pub use received::{Event, EventData, MessageError, verify, verify_at};

impl Client {
    /// Webhook endpoints, what is sent to them, and what a receiver does with it.
    pub fn webhook_endpoints(&self) -> WebhookEndpoints {
        WebhookEndpoints(self.clone())
    }
}

/// Webhook endpoints, what is sent to them, and what a receiver does with it.
#[derive(Debug, Clone)]
pub struct WebhookEndpoints(Client);

impl WebhookEndpoints {
    /// Makes an endpoint; its secret is in this answer alone.
    pub fn create(&self, new: &CreateWebhookEndpoint) -> Call<WebhookEndpointView> {
        self.0.post("/v1/webhook_endpoints", new)
    }

    /// Lists endpoints.
    pub fn list(&self) -> Listing<WebhookEndpointView> {
        self.0.list("/v1/webhook_endpoints")
    }

    /// Shows a endpoint.
    pub fn retrieve(&self, id: &str) -> Call<WebhookEndpointView> {
        self.0.get(&path("webhook_endpoints", id, ""))
    }

    /// Changes a endpoint: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateWebhookEndpoint) -> Call<WebhookEndpointView> {
        self.0.patch(&path("webhook_endpoints", id, ""), change)
    }

    /// Deletes a endpoint.
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("webhook_endpoints", id, ""))
    }

    /// Lists what was sent to an endpoint, or will be.
    pub fn deliveries(&self, id: &str) -> Listing<WebhookDeliveryView> {
        self.0.list(&path("webhook_endpoints", id, "/deliveries"))
    }

    /// Gives an endpoint another secret, shown in this answer alone; for a day the old one signs beside it.
    pub fn rotate_secret(&self, id: &str) -> Call<WebhookEndpointView> {
        self.0.act(&path("webhook_endpoints", id, "/rotate_secret"))
    }

    /// Sends an endpoint a ping.
    pub fn test(&self, id: &str) -> Call<WebhookDeliveryView> {
        self.0.act(&path("webhook_endpoints", id, "/test"))
    }

    /// Sends an endpoint again what it missed since a moment; once more while the answer says there is more.
    pub fn recover(&self, id: &str, wanted: &RecoverWebhookEndpoint) -> Call<WebhookRecoveryView> {
        self.0
            .post(&path("webhook_endpoints", id, "/recover"), wanted)
    }
}

impl Client {
    /// What is sent to endpoints.
    pub fn webhook_deliveries(&self) -> WebhookDeliveries {
        WebhookDeliveries(self.clone())
    }
}

/// What is sent to endpoints.
#[derive(Debug, Clone)]
pub struct WebhookDeliveries(Client);

impl WebhookDeliveries {
    /// Shows a delivery.
    pub fn retrieve(&self, id: &str) -> Call<WebhookDeliveryView> {
        self.0.get(&path("webhook_deliveries", id, ""))
    }

    /// Sends a delivery again.
    pub fn redeliver(&self, id: &str) -> Call<WebhookDeliveryView> {
        self.0.act(&path("webhook_deliveries", id, "/redeliver"))
    }
}
