//! Webhook endpoints and the deliveries made to them.

use std::fmt;
use std::time::Duration;

mod attempts;

pub use attempts::{DeliveryAttempt, shown_answer};

use crate::id::Identified;
use crate::ids::{self, EventId, WebhookDeliveryId, WebhookEndpointId, WorkspaceId};
use crate::notifying::events::EventType;
use crate::text::LongText;
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{InvalidValue, Stamp, Timestamp};

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

    /// Every type that is wanted, but tests: they are sent to one endpoint, whatever it wants.
    pub fn kinds(&self) -> Vec<EventType> {
        let kinds = EventType::ALL.iter().copied();
        kinds
            .filter(|kind| *kind != EventType::Ping && self.wants(*kind))
            .collect()
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

/// An endpoint to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhookEndpoint {
    /// The address.
    pub url: String,
    /// What it wants to hear.
    pub enabled_events: EventFilter,
    /// What its owner calls it.
    pub description: LongText,
}

/// What is to change about an endpoint; `None` keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookEndpointChanges {
    /// New address.
    pub url: Option<String>,
    /// What it wants to hear from now on.
    pub enabled_events: Option<EventFilter>,
    /// New description.
    pub description: Option<LongText>,
    /// Whether it is to be told anything.
    pub status: Option<EndpointStatus>,
}

impl WebhookEndpoint {
    /// For how long a secret still signs, beside the new one, after it was rotated.
    pub const ROTATION_OVERLAP: Duration = Duration::from_hours(24);

    /// A new endpoint, switched on.
    pub fn new(
        workspace_id: WorkspaceId,
        id: WebhookEndpointId,
        new: NewWebhookEndpoint,
        secret: WebhookSecret,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            url: new.url,
            enabled_events: new.enabled_events,
            description: new.description,
            status: EndpointStatus::Enabled,
            secret,
            previous_secret: None,
            failing_since: None,
            stamp: Stamp::new(now),
        }
    }

    /// Changes it; whether anything is another. Switching it on forgives its failures: its patience starts anew.
    pub fn change(&mut self, changes: WebhookEndpointChanges, now: Timestamp) -> bool {
        let WebhookEndpointChanges {
            url,
            enabled_events,
            description,
            status,
        } = changes;
        let before = self.clone();
        if status == Some(EndpointStatus::Enabled) && self.status == EndpointStatus::Disabled {
            self.failing_since = None;
        }
        self.url = url.unwrap_or_else(|| before.url.clone());
        self.enabled_events = enabled_events.unwrap_or_else(|| before.enabled_events.clone());
        self.description = description.unwrap_or_else(|| before.description.clone());
        self.status = status.unwrap_or(before.status);
        let is_another = *self != before;
        if is_another {
            self.stamp.touch(now);
        }
        is_another
    }

    /// Signs with another secret from now on; the one before signs too for [`Self::ROTATION_OVERLAP`], the one
    /// before that no more.
    pub fn rotate(&mut self, secret: WebhookSecret, now: Timestamp) {
        let old = std::mem::replace(&mut self.secret, secret);
        self.previous_secret = Some((old, now.plus(Self::ROTATION_OVERLAP)));
        self.stamp.touch(now);
    }

    /// Checks that something may be queued for it: what is queued for an endpoint that is switched off would
    /// surprise its owner on the day they switch it on.
    ///
    /// # Errors
    /// [`InvalidTransition`]
    pub const fn require_enabled(&self) -> Result<(), InvalidTransition> {
        match self.status {
            EndpointStatus::Enabled => Ok(()),
            EndpointStatus::Disabled => Err(InvalidTransition {
                object: <ids::WebhookEndpoint as Identified>::OBJECT,
                from: "disabled",
                action: "be sent anything; enable it first",
            }),
        }
    }

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
    /// Attempts made since it was last queued.
    pub attempts: u32,
    /// When the next is due, while pending.
    pub next_attempt_at: Option<Timestamp>,
    /// The receiver's last status, if it answered.
    pub last_status: Option<u16>,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// The attempts that said how they ended, also of earlier rounds, oldest first.
    pub history: Vec<DeliveryAttempt>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl WebhookDelivery {
    /// How long an attempt may take before another worker may try: well over the deadline of whoever sends it.
    pub const LEASE: Duration = Duration::from_mins(1);

    /// How long it is kept once it has ended; for what is older nobody can say whether it arrived.
    pub const KEPT: Duration = Duration::from_hours(30 * 24);

    /// An event to be told to an endpoint, due at once.
    pub const fn new(
        workspace_id: WorkspaceId,
        id: WebhookDeliveryId,
        event_id: EventId,
        endpoint_id: WebhookEndpointId,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            event_id,
            endpoint_id,
            status: DeliveryStatus::Pending,
            attempts: 0,
            next_attempt_at: Some(now),
            last_status: None,
            last_error: None,
            history: Vec::new(),
            stamp: Stamp::new(now),
        }
    }

    /// Notes how an attempt ended; of many the newest are kept.
    pub fn log(&mut self, attempt: DeliveryAttempt) {
        self.history.push(attempt);
        let too_many = self.history.len().saturating_sub(DeliveryAttempt::MOST);
        self.history.drain(..too_many);
    }

    /// Makes it due now. What had ended starts its whole schedule anew; what is still being tried only waits no
    /// longer, so that an attempt that is under way can still say how it ended.
    pub fn requeue(&mut self, now: Timestamp) {
        self.next_attempt_at = Some(now);
        match self.status {
            DeliveryStatus::Pending => {}
            DeliveryStatus::Delivered | DeliveryStatus::Failed => {
                self.status = DeliveryStatus::Pending;
                self.attempts = 0;
                self.stamp.touch(now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    #[test]
    fn a_filter_names_types_families_or_everything() {
        let filter = EventFilter::parse(vec!["submission.*".into(), "ping".into()]).unwrap();
        assert!(filter.wants(EventType::SubmissionGraded) && filter.wants(EventType::Ping));
        assert!(!filter.wants(EventType::CourseCreated));
        assert!(EventFilter::everything().wants(EventType::CourseCreated));
        assert!(EventFilter::parse(vec!["nothing.*".into()]).is_err());
        assert!(EventFilter::parse(vec![]).is_err());
    }

    fn now() -> Timestamp {
        Timestamp::from_unix_millis(1_795_244_100_000)
    }

    fn secret(text: &str) -> WebhookSecret {
        WebhookSecret::from_text(format!("whsec_{text}"))
    }

    fn id<K>(n: u128) -> Id<K> {
        Id::from_uuid(uuid::Uuid::from_u128(n))
    }

    fn endpoint() -> WebhookEndpoint {
        let new = NewWebhookEndpoint {
            url: "https://example.org/hook".to_owned(),
            enabled_events: EventFilter::everything(),
            description: LongText::default(),
        };
        WebhookEndpoint::new(id(1), id(2), new, secret("one"), now())
    }

    #[test]
    fn a_rotated_secret_signs_for_a_day_and_only_the_last_one() {
        let mut endpoint = endpoint();
        endpoint.rotate(secret("two"), now());
        assert_eq!(endpoint.signing_secrets(now()), ["whsec_two", "whsec_one"]);
        let day_later = now().plus(WebhookEndpoint::ROTATION_OVERLAP);
        assert_eq!(endpoint.signing_secrets(day_later), ["whsec_two"]);
        endpoint.rotate(secret("three"), now());
        assert_eq!(
            endpoint.signing_secrets(now()),
            ["whsec_three", "whsec_two"]
        );
    }

    #[test]
    fn only_switching_it_on_forgives_its_failures() {
        let mut endpoint = endpoint();
        endpoint.failing_since = Some(now());
        let to = |status| WebhookEndpointChanges {
            status: Some(status),
            ..WebhookEndpointChanges::default()
        };
        assert!(!endpoint.change(to(EndpointStatus::Enabled), now()));
        assert_eq!(endpoint.failing_since, Some(now()));
        assert!(endpoint.change(to(EndpointStatus::Disabled), now()));
        assert!(endpoint.failing_since.is_some() && endpoint.require_enabled().is_err());
        assert!(endpoint.change(to(EndpointStatus::Enabled), now()));
        assert!(endpoint.failing_since.is_none() && endpoint.require_enabled().is_ok());
        assert_eq!(endpoint.stamp.version, 3);
    }

    #[test]
    fn what_ended_starts_anew_and_what_is_tried_only_waits_no_longer() {
        let later = now().plus(Duration::from_mins(1));
        let mut delivery = WebhookDelivery::new(id(1), id(2), id(3), id(4), now());
        delivery.attempts = 2;
        delivery.requeue(later);
        assert_eq!((delivery.attempts, delivery.stamp.version), (2, 1));
        assert_eq!(delivery.next_attempt_at, Some(later));
        delivery.status = DeliveryStatus::Failed;
        delivery.requeue(later);
        assert_eq!(
            (delivery.attempts, delivery.status),
            (0, DeliveryStatus::Pending)
        );
        assert_eq!(delivery.stamp.version, 2);
    }

    #[test]
    fn a_filter_knows_its_types_and_tests_are_none_of_them() {
        let kinds = |entry: &str| EventFilter::parse(vec![entry.into()]).unwrap().kinds();
        assert_eq!(kinds("course.deleted"), [EventType::CourseDeleted]);
        assert_eq!(kinds("*").len(), EventType::ALL.len() - 1);
        assert_eq!(kinds("ping"), []);
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
