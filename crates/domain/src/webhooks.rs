//! Webhook endpoints and the deliveries made to them.

use std::fmt;
use std::time::Duration;

use crate::events::{EventId, EventType};
use crate::id::Identified;
use crate::text::LongText;
use crate::words::words;
use crate::workspaces::WorkspaceId;
use crate::{Id, InvalidValue, Stamp, Timestamp};

/// Identifies an endpoint (`whe_…`).
pub type WebhookEndpointId = Id<WebhookEndpoint>;

/// Identifies a delivery (`whd_…`).
pub type WebhookDeliveryId = Id<WebhookDelivery>;

impl Identified for WebhookEndpoint {
    const PREFIX: &'static str = "whe";
    const OBJECT: &'static str = "webhook_endpoint";
}

impl Identified for WebhookDelivery {
    const PREFIX: &'static str = "whd";
    const OBJECT: &'static str = "webhook_delivery";
}

words!(
    /// Whether an endpoint is told anything.
    EndpointStatus {
        /// Told.
        Enabled = "enabled",
        /// Not told.
        Disabled = "disabled",
    }
);

words!(
    /// Where a delivery is in its life.
    DeliveryStatus {
        /// To be tried, now or later.
        Pending = "pending",
        /// Answered with a 2xx.
        Delivered = "delivered",
        /// Given up.
        Failed = "failed",
    }
);

/// `whsec_` and base64 of 32 bytes. No `Display`, and a `Debug` that shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// From its text: `whsec_…`.
    pub const fn from_text(text: String) -> Self {
        Self(text)
    }

    /// The text; shown when made and when rotated.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(whsec_…)")
    }
}

/// Which events an endpoint wants: `*`, a whole family such as `submission.*`, or single types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFilter(Vec<String>);

impl EventFilter {
    /// Everything.
    pub fn everything() -> Self {
        Self(vec!["*".to_owned()])
    }

    /// Checks that every entry names something there is.
    ///
    /// # Errors
    /// [`InvalidValue`]
    pub fn parse(entries: Vec<String>) -> Result<Self, InvalidValue> {
        let known = |entry: &String| {
            entry == "*"
                || EventType::parse(entry).is_ok()
                || entry.strip_suffix(".*").is_some_and(|family| {
                    EventType::ALL.iter().any(|kind| family_of(*kind) == family)
                })
        };
        if entries.is_empty() {
            return Err(InvalidValue::new("must name at least one event type"));
        }
        match entries.iter().find(|entry| !known(entry)) {
            Some(unknown) => Err(InvalidValue::new(format!("must not name {unknown:?}"))),
            None => Ok(Self(entries)),
        }
    }

    /// Whether `kind` is wanted.
    pub fn wants(&self, kind: EventType) -> bool {
        self.0.iter().any(|entry| {
            entry == "*"
                || entry == kind.as_str()
                || entry.strip_suffix(".*") == Some(family_of(kind))
        })
    }

    /// The entries.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

fn family_of(kind: EventType) -> &'static str {
    kind.as_str().split('.').next().unwrap_or_default()
}

/// Where someone wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: WebhookEndpointId,
    /// The address.
    pub url: String,
    /// What it wants to hear.
    pub enabled_events: EventFilter,
    /// What its owner calls it.
    pub description: LongText,
    /// Whether it is told anything.
    pub status: EndpointStatus,
    /// What signs its messages.
    pub secret: WebhookSecret,
    /// The one before, and until when it still signs too.
    pub previous_secret: Option<(WebhookSecret, Timestamp)>,
    /// Since when every attempt has failed, if it has.
    pub failing_since: Option<Timestamp>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl WebhookEndpoint {
    /// The secrets that sign at `now`, newest first.
    pub fn signing_secrets(&self, now: Timestamp) -> Vec<String> {
        let previous = self
            .previous_secret
            .iter()
            .filter(|(_, until)| *until > now);
        std::iter::once(&self.secret)
            .chain(previous.map(|(secret, _)| secret))
            .map(|secret| secret.reveal().to_owned())
            .collect()
    }
}

/// When a delivery is tried: waits before each attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliverySchedule(Vec<Duration>);

impl Default for DeliverySchedule {
    /// 0, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h.
    fn default() -> Self {
        Self(
            [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
                .map(Duration::from_secs)
                .to_vec(),
        )
    }
}

impl DeliverySchedule {
    /// Reads whole seconds separated by commas, such as `0,5,300`.
    ///
    /// # Errors
    /// [`InvalidValue`]
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        text.split(',')
            .map(|part| part.trim().parse().map(Duration::from_secs))
            .collect::<Result<Vec<_>, _>>()
            .map(Self)
            .map_err(|_| InvalidValue::new("must be seconds separated by commas"))
    }

    /// The wait after `attempts` failed attempts, shifted by up to ±20 % by `jitter` (0..=255); `None` when it is over.
    pub fn wait_after(&self, attempts: u32, jitter: u8) -> Option<Duration> {
        let base = self.0.get(usize::try_from(attempts).ok()?)?;
        let per_mille = 800 + u32::from(jitter) * 400 / 255;
        Some(*base * per_mille / 1000)
    }
}

/// One event on its way to one endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: WebhookDeliveryId,
    /// What is told.
    pub event_id: EventId,
    /// Whom.
    pub endpoint_id: WebhookEndpointId,
    /// Where it is in its life.
    pub status: DeliveryStatus,
    /// Attempts made.
    pub attempts: u32,
    /// When the next is due, while pending.
    pub next_attempt_at: Option<Timestamp>,
    /// The receiver's last status, if it answered.
    pub last_status: Option<u16>,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_types_families_or_everything() {
        let filter = EventFilter::parse(vec!["submission.*".into(), "ping".into()]).unwrap();
        assert!(filter.wants(EventType::SubmissionGraded) && filter.wants(EventType::Ping));
        assert!(!filter.wants(EventType::CourseCreated));
        assert!(EventFilter::everything().wants(EventType::CourseCreated));
        assert!(EventFilter::parse(vec!["nothing.*".into()]).is_err());
        assert!(EventFilter::parse(vec![]).is_err());
    }

    #[test]
    fn waits_stay_within_a_fifth_of_the_schedule_and_end() {
        let schedule = DeliverySchedule::default();
        assert_eq!(schedule.wait_after(0, 128), Some(Duration::ZERO));
        assert_eq!(schedule.wait_after(2, 0), Some(Duration::from_mins(4)));
        assert_eq!(schedule.wait_after(2, 255), Some(Duration::from_mins(6)));
        assert_eq!(schedule.wait_after(8, 0), None);
        assert_eq!(
            DeliverySchedule::parse("0, 1,2").unwrap().wait_after(3, 0),
            None
        );
        assert!(DeliverySchedule::parse("soon").is_err());
    }
}
