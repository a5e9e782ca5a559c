//! Webhook endpoints on the wire.

use lyceum_domain::text::LongText;
use lyceum_domain::webhooks::{EventFilter, WebhookDelivery, WebhookEndpoint};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::shapes;

/// An endpoint to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateWebhookEndpoint {
    /// Where to send: https, or http where the operator allows it.
    #[schema(min_length = 1, max_length = 2_000)]
    pub url: String,
    /// Event types, families such as `submission.*`, or `*`; everything when absent.
    #[schema(min_items = 1, max_items = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled_events: Option<Vec<String>>,
    /// What you call it.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// An endpoint as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWebhookEndpoint {
    /// Where to send.
    pub url: String,
    /// What it wants to hear.
    pub enabled_events: EventFilter,
    /// What its owner calls it.
    pub description: LongText,
}

impl Command for CreateWebhookEndpoint {
    type Of = NewWebhookEndpoint;

    fn command(self) -> Result<NewWebhookEndpoint, Invalid> {
        let events = self
            .enabled_events
            .map_or_else(|| Ok(EventFilter::everything()), EventFilter::parse);
        Ok(NewWebhookEndpoint {
            url: self.url,
            enabled_events: events.at("enabled_events")?,
            description: LongText::parse(self.description.unwrap_or_default()).at("description")?,
        })
    }
}

/// An endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookEndpointView {
    /// `whe_…`
    #[schema(schema_with = shapes::id_of::<WebhookEndpoint>)]
    pub id: String,
    /// Always `webhook_endpoint`.
    #[schema(schema_with = shapes::name_of::<WebhookEndpoint>)]
    pub object: String,
    /// Where to send.
    pub url: String,
    /// What it wants to hear.
    pub enabled_events: Vec<String>,
    /// What you call it.
    pub description: String,
    /// `enabled` or `disabled`.
    #[schema(schema_with = shapes::word::<lyceum_domain::webhooks::EndpointStatus>)]
    pub status: String,
    /// What its messages are signed with; only in the answer to its creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl WebhookEndpointView {
    /// Of an endpoint; with its secret only where it is shown once.
    pub fn new(endpoint: &WebhookEndpoint, with_secret: bool) -> Self {
        Self {
            id: endpoint.id.to_string(),
            object: "webhook_endpoint".to_owned(),
            url: endpoint.url.clone(),
            enabled_events: endpoint.enabled_events.as_slice().to_vec(),
            description: endpoint.description.to_string(),
            status: endpoint.status.to_string(),
            secret: with_secret.then(|| endpoint.secret.reveal().to_owned()),
            created_at: endpoint.stamp.created_at.to_string(),
            updated_at: endpoint.stamp.updated_at.to_string(),
        }
    }
}

impl Resource for WebhookEndpointView {
    const COLLECTION: &'static str = "webhook_endpoints";

    fn id(&self) -> &str {
        &self.id
    }
}

/// One event on its way to one endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookDeliveryView {
    /// `whd_…`
    #[schema(schema_with = shapes::id_of::<WebhookDelivery>)]
    pub id: String,
    /// Always `webhook_delivery`.
    #[schema(schema_with = shapes::name_of::<WebhookDelivery>)]
    pub object: String,
    /// The event.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::events::Event>)]
    pub event_id: String,
    /// The endpoint.
    #[schema(schema_with = shapes::id_of::<WebhookEndpoint>)]
    pub endpoint_id: String,
    /// `pending`, `delivered` or `failed`.
    #[schema(schema_with = shapes::word::<lyceum_domain::webhooks::DeliveryStatus>)]
    pub status: String,
    /// Attempts made.
    pub attempts: u32,
    /// When the next attempt is due.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub next_attempt_at: Option<String>,
    /// The receiver's last status.
    #[schema(required)]
    pub last_status: Option<u16>,
    /// What went wrong last.
    #[schema(required)]
    pub last_error: Option<String>,
    /// When it was queued.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it was last tried.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl WebhookDeliveryView {
    /// Of a delivery.
    pub fn new(delivery: &WebhookDelivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            object: "webhook_delivery".to_owned(),
            event_id: delivery.event_id.to_string(),
            endpoint_id: delivery.endpoint_id.to_string(),
            status: delivery.status.to_string(),
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at.map(|at| at.to_string()),
            last_status: delivery.last_status,
            last_error: delivery.last_error.clone(),
            created_at: delivery.stamp.created_at.to_string(),
            updated_at: delivery.stamp.updated_at.to_string(),
        }
    }
}

impl Resource for WebhookDeliveryView {
    const COLLECTION: &'static str = "webhook_deliveries";

    fn id(&self) -> &str {
        &self.id
    }
}
