//! Webhook endpoints: where somebody wants to be told, of what, and for how long in vain.

use std::fmt;
use std::time::Duration;

use crate::id::Identified;
use crate::ids::{self, WebhookEndpointId, WorkspaceId};
use crate::notifying::deliveries::DeliveryOutcome;
use crate::notifying::events::EventType;
use crate::text::LongText;
use crate::transition::InvalidTransition;
use crate::web_address::WebAddress;
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
    pub url: WebAddress,
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
    pub url: WebAddress,
    /// What it wants to hear.
    pub enabled_events: EventFilter,
    /// What its owner calls it.
    pub description: LongText,
}

/// What is to change about an endpoint; `None` keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookEndpointChanges {
    /// New address.
    pub url: Option<WebAddress>,
    /// What it wants to hear from now on.
    pub enabled_events: Option<EventFilter>,
    /// New description.
    pub description: Option<LongText>,
    /// Whether it is to be told anything.
    pub status: Option<EndpointStatus>,
}

/// What an attempt at telling an endpoint something changed about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointChange {
    /// Nothing.
    Nothing,
    /// Since when it fails.
    Patience,
    /// It was switched off.
    SwitchedOff,
}

impl WebhookEndpoint {
    /// For how long a secret still signs, beside the new one, after it was rotated.
    pub const ROTATION_OVERLAP: Duration = Duration::from_hours(24);

    /// After how long of nothing but failure it is switched off.
    pub const PATIENCE: Duration = Duration::from_hours(5 * 24);

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

    /// Takes in how an attempt ended. Whoever fails for longer than [`Self::PATIENCE`], or wants no more of it, is
    /// switched off.
    pub fn hear(&mut self, outcome: &DeliveryOutcome, now: Timestamp) -> EndpointChange {
        let failing_since = match outcome {
            DeliveryOutcome::Delivered { .. } => None,
            DeliveryOutcome::Refused { .. } | DeliveryOutcome::Failed { .. } => {
                Some(self.failing_since.unwrap_or(now))
            }
        };
        let is_tired = failing_since.is_some_and(|since| since.plus(Self::PATIENCE) <= now);
        let is_told = self.status == EndpointStatus::Enabled;
        let change = if is_told && (is_tired || outcome.is_gone()) {
            EndpointChange::SwitchedOff
        } else if failing_since == self.failing_since {
            return EndpointChange::Nothing;
        } else {
            EndpointChange::Patience
        };
        self.failing_since = failing_since;
        if change == EndpointChange::SwitchedOff {
            self.status = EndpointStatus::Disabled;
        }
        self.stamp.touch(now);
        change
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use crate::notifying::deliveries::Answer;

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
            url: WebAddress::accepted("https://example.org/hook".to_owned()),
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
    fn a_filter_knows_its_types_and_tests_are_none_of_them() {
        let kinds = |entry: &str| EventFilter::parse(vec![entry.into()]).unwrap().kinds();
        assert_eq!(kinds("course.deleted"), [EventType::CourseDeleted]);
        assert_eq!(kinds("*").len(), EventType::ALL.len() - 1);
        assert_eq!(kinds("ping"), []);
    }

    #[test]
    fn patience_ends_after_five_days_of_failure_or_at_once_for_who_is_gone() {
        let failed = || DeliveryOutcome::Failed {
            reason: "no answer".to_owned(),
        };
        let answered = |status| DeliveryOutcome::Refused {
            status,
            retry_after_seconds: None,
            duration_ms: 1,
            answer: Answer::default(),
        };
        let delivered = DeliveryOutcome::Delivered {
            status: 204,
            duration_ms: 1,
            answer: Answer::default(),
        };
        let mut endpoint = endpoint();
        assert_eq!(endpoint.hear(&delivered, now()), EndpointChange::Nothing);
        assert_eq!(endpoint.hear(&failed(), now()), EndpointChange::Patience);
        let almost = now()
            .plus(WebhookEndpoint::PATIENCE)
            .minus(Duration::from_millis(1));
        assert_eq!(
            endpoint.hear(&answered(500), almost),
            EndpointChange::Nothing
        );
        let mut forgiven = endpoint.clone();
        assert_eq!(forgiven.hear(&delivered, almost), EndpointChange::Patience);
        assert_eq!(forgiven.failing_since, None);
        let over = now().plus(WebhookEndpoint::PATIENCE);
        assert_eq!(endpoint.hear(&failed(), over), EndpointChange::SwitchedOff);
        assert_eq!(endpoint.status, EndpointStatus::Disabled);
        assert_eq!(endpoint.hear(&failed(), over), EndpointChange::Nothing);
        assert_eq!(
            forgiven.hear(&answered(410), almost),
            EndpointChange::SwitchedOff
        );
    }
}
