//! Webhook endpoints on the wire.

use lyceum_domain::ids::WebhookEndpointId;
use lyceum_domain::notifying::deliveries::{DeliveryAttempt, Header, WebhookDelivery};
use lyceum_domain::notifying::webhooks::{
    EndpointStatus, EventFilter, NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointChanges,
};
use lyceum_domain::text::LongText;
use lyceum_domain::web_address::WebAddress;
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource, not_cleared};
use crate::declared::view;
use crate::patch::Patch;
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

impl Command for CreateWebhookEndpoint {
    type Of = NewWebhookEndpoint;

    fn command(self) -> Result<NewWebhookEndpoint, Invalid> {
        let events = self
            .enabled_events
            .map_or_else(|| Ok(EventFilter::everything()), EventFilter::parse);
        Ok(NewWebhookEndpoint {
            url: WebAddress::parse(self.url).at("url")?,
            enabled_events: events.at("enabled_events")?,
            description: LongText::parse(self.description.unwrap_or_default()).at("description")?,
        })
    }
}

/// A change of an endpoint: absent keeps, `null` clears.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateWebhookEndpoint {
    /// New address; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 2_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub url: Patch<String>,
    /// New event types, families or `*`, replaced whole; everything when cleared.
    #[schema(value_type = Option<Vec<String>>, min_items = 1, max_items = 100)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub enabled_events: Patch<Vec<String>>,
    /// New description.
    #[schema(value_type = Option<String>, max_length = 100_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub description: Patch<String>,
    /// Whether it is told anything; cannot be cleared. Switching an endpoint on forgives its failures.
    #[schema(value_type = Option<WebhookEndpointStatus>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub status: Patch<WebhookEndpointStatus>,
}

/// Whether an endpoint is told anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookEndpointStatus {
    /// Told.
    Enabled,
    /// Not told.
    Disabled,
}

impl From<WebhookEndpointStatus> for EndpointStatus {
    fn from(status: WebhookEndpointStatus) -> Self {
        match status {
            WebhookEndpointStatus::Enabled => Self::Enabled,
            WebhookEndpointStatus::Disabled => Self::Disabled,
        }
    }
}

impl Command for UpdateWebhookEndpoint {
    type Of = WebhookEndpointChanges;

    fn command(self) -> Result<WebhookEndpointChanges, Invalid> {
        Ok(WebhookEndpointChanges {
            url: not_cleared(self.url, "url")?
                .map(WebAddress::parse)
                .transpose()
                .at("url")?,
            enabled_events: self
                .enabled_events
                .try_map(EventFilter::parse)
                .at("enabled_events")?
                .or_default(EventFilter::everything),
            description: self
                .description
                .try_map(LongText::parse)
                .at("description")?
                .or_default(LongText::default),
            status: not_cleared(self.status, "status")?.map(Into::into),
        })
    }
}

/// From when on an endpoint is to be told again what it missed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct RecoverWebhookEndpoint {
    /// The moment, at most 30 days ago.
    #[schema(format = DateTime, example = "2026-11-20T06:55:00Z")]
    pub since: String,
}

impl Command for RecoverWebhookEndpoint {
    type Of = Timestamp;

    fn command(self) -> Result<Timestamp, Invalid> {
        Timestamp::parse(&self.since).at("since")
    }
}

view! {
    /// What an endpoint is told again.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct WebhookRecoveryView {
        /// Always `webhook_recovery`.
        pub object: String = "webhook_recovery".to_owned(),
        /// The endpoint.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::WebhookEndpoint>)]
        pub endpoint_id: String = endpoint.to_string(),
        /// From when on.
        pub since: String = since.to_string(),
        /// How many deliveries are due now that were not before.
        pub queued: u32 = queued,
        /// Whether there are more than one call queues; then call again.
        pub has_more: bool = has_more,
    }

    /// Of an endpoint.
    pub fn new(endpoint: WebhookEndpointId, since: Timestamp, queued: u32, has_more: bool);
}

view! {
    /// An endpoint.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct WebhookEndpointView {
        /// `whe_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::WebhookEndpoint>)]
        pub id: String = endpoint.id.to_string(),
        /// Always `webhook_endpoint`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::WebhookEndpoint>)]
        pub object: String = "webhook_endpoint".to_owned(),
        /// Where to send.
        pub url: String = endpoint.url.to_string(),
        /// What it wants to hear.
        pub enabled_events: Vec<String> = endpoint.enabled_events.as_slice().to_vec(),
        /// What you call it.
        pub description: String = endpoint.description.to_string(),
        /// `enabled` or `disabled`.
        #[schema(schema_with = shapes::word::<EndpointStatus>)]
        pub status: String = endpoint.status.to_string(),
        /// What its messages are signed with; only in the answers to its creation and rotation.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub secret: Option<String> = with_secret.then(|| endpoint.secret.reveal().to_owned()),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = endpoint.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = endpoint.stamp.updated_at.to_string(),
    }

    /// Of an endpoint; with its secret only where it is shown once.
    pub fn new(endpoint: &WebhookEndpoint, with_secret: bool);
}

impl Resource for WebhookEndpointView {
    const COLLECTION: &'static str = "webhook_endpoints";

    fn id(&self) -> &str {
        &self.id
    }
}

view! {
    /// One event on its way to one endpoint.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct WebhookDeliveryView {
        /// `whd_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::WebhookDelivery>)]
        pub id: String = delivery.id.to_string(),
        /// Always `webhook_delivery`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::WebhookDelivery>)]
        pub object: String = "webhook_delivery".to_owned(),
        /// The event.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Event>)]
        pub event_id: String = delivery.event_id.to_string(),
        /// The endpoint.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::WebhookEndpoint>)]
        pub endpoint_id: String = delivery.endpoint_id.to_string(),
        /// `pending`, `delivered` or `failed`.
        #[schema(schema_with = shapes::word::<lyceum_domain::notifying::deliveries::DeliveryStatus>)]
        pub status: String = delivery.state.status().to_string(),
        /// Attempts made since it was last queued.
        pub attempts: u32 = delivery.attempts,
        /// When the next attempt is due.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub next_attempt_at: Option<String> = delivery.state.next_attempt_at().map(|at| at.to_string()),
        /// The receiver's last status.
        #[schema(required)]
        pub last_status: Option<u16> = delivery.last_status,
        /// What went wrong last.
        #[schema(required)]
        pub last_error: Option<String> = delivery.last_error.clone(),
        /// Every attempt that said how it ended, oldest first, also from before it was queued again; the newest 20.
        pub history: Vec<DeliveryAttemptView> = delivery
            .history
            .iter()
            .map(DeliveryAttemptView::new)
            .collect(),
        /// When it was queued.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = delivery.stamp.created_at.to_string(),
        /// When it last ended an attempt, or was queued again after it had ended.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = delivery.stamp.updated_at.to_string(),
    }

    /// Of a delivery.
    pub fn new(delivery: &WebhookDelivery);
}

/// One attempt at a delivery, as it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryAttemptView {
    /// When it began.
    #[schema(schema_with = shapes::moment)]
    pub at: String,
    /// The receiver's status, if it answered.
    #[schema(required)]
    pub status: Option<u16>,
    /// What went wrong; `null` where the receiver took it.
    #[schema(required)]
    pub error: Option<String>,
    /// From connecting to the last byte, in milliseconds, if the receiver answered.
    #[schema(required)]
    pub duration_ms: Option<u64>,
    /// The headers of the answer: at most 1 kB of names and values, without what signs and without cookies.
    pub headers: Vec<DeliveryHeader>,
    /// How the body of the answer begins: at most 2 kB, without what signs.
    pub answer: String,
}

/// A header of a receiver's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryHeader {
    /// In lower case.
    pub name: String,
    /// Read as UTF-8.
    pub value: String,
}

impl From<&Header> for DeliveryHeader {
    fn from(header: &Header) -> Self {
        Self {
            name: header.name.clone(),
            value: header.value.clone(),
        }
    }
}

impl DeliveryAttemptView {
    fn new(attempt: &DeliveryAttempt) -> Self {
        Self {
            at: attempt.at.to_string(),
            status: attempt.status,
            error: attempt.error.clone(),
            duration_ms: attempt.duration_ms,
            headers: attempt.headers.iter().map(DeliveryHeader::from).collect(),
            answer: attempt.answer.clone(),
        }
    }
}

impl Resource for WebhookDeliveryView {
    const COLLECTION: &'static str = "webhook_deliveries";

    fn id(&self) -> &str {
        &self.id
    }
}
