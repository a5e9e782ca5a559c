//! Deliveries: one event on its way to one endpoint, how an attempt ends, and what that makes of the delivery.

mod attempts;

use std::time::Duration;

pub use attempts::{Answer, DeliveryAttempt, Header, shown_answer};

use crate::ids::{EventId, WebhookDeliveryId, WebhookEndpointId, WorkspaceId};
use crate::words::words;
use crate::{InvalidValue, Stamp, Timestamp};

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

impl DeliveryStatus {
    /// What an attempt came to that left a delivery so, in a word.
    pub const fn outcome(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Pending => "retried",
            Self::Failed => "failed",
        }
    }
}

/// Where a delivery is in its life, and what goes with that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// To be tried.
    Pending {
        /// Not before this.
        next_attempt_at: Timestamp,
    },
    /// Answered with a 2xx.
    Delivered,
    /// Given up.
    Failed,
}

impl DeliveryState {
    /// To be tried at this time.
    pub const fn due(next_attempt_at: Timestamp) -> Self {
        Self::Pending { next_attempt_at }
    }

    /// The state in a word.
    pub const fn status(self) -> DeliveryStatus {
        match self {
            Self::Pending { .. } => DeliveryStatus::Pending,
            Self::Delivered => DeliveryStatus::Delivered,
            Self::Failed => DeliveryStatus::Failed,
        }
    }

    /// When the next attempt is due, while there is to be one.
    pub const fn next_attempt_at(self) -> Option<Timestamp> {
        match self {
            Self::Pending { next_attempt_at } => Some(next_attempt_at),
            Self::Delivered | Self::Failed => None,
        }
    }
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// A 2xx in time.
    Delivered {
        /// The receiver's status.
        status: u16,
        /// From connecting to the last byte, in milliseconds.
        duration_ms: u64,
        /// What it said beside that.
        answer: Answer,
    },
    /// An answer that is not a 2xx; a redirect counts as one and is not followed.
    Refused {
        /// The receiver's status.
        status: u16,
        /// `Retry-After` in seconds, if the receiver asked for one.
        retry_after_seconds: Option<u64>,
        /// From connecting to the last byte, in milliseconds.
        duration_ms: u64,
        /// What it said beside that.
        answer: Answer,
    },
    /// No answer: refused, timed out, cut, or an address that must not be called.
    Failed {
        /// One sentence without addresses of our own network.
        reason: String,
    },
}

impl DeliveryOutcome {
    /// The receiver's way of saying "never again".
    const GONE: u16 = 410;

    /// Whether the receiver wants no more of anything.
    pub const fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                status: Self::GONE,
                ..
            }
        )
    }

    const fn status(&self) -> Option<u16> {
        match self {
            Self::Delivered { status, .. } | Self::Refused { status, .. } => Some(*status),
            Self::Failed { .. } => None,
        }
    }

    fn error(&self) -> Option<String> {
        match self {
            Self::Delivered { .. } => None,
            Self::Refused { status, .. } => Some(format!("the receiver answered {status}")),
            Self::Failed { reason } => Some(reason.clone()),
        }
    }

    const fn duration_ms(&self) -> Option<u64> {
        match self {
            Self::Delivered { duration_ms, .. } | Self::Refused { duration_ms, .. } => {
                Some(*duration_ms)
            }
            Self::Failed { .. } => None,
        }
    }

    fn shown_answer(&self, secrets: &[String]) -> Answer {
        match self {
            Self::Delivered { answer, .. } | Self::Refused { answer, .. } => {
                shown_answer(answer, secrets)
            }
            Self::Failed { .. } => Answer::default(),
        }
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
    pub state: DeliveryState,
    /// Attempts made since it was last queued.
    pub attempts: u32,
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
            state: DeliveryState::Pending {
                next_attempt_at: now,
            },
            attempts: 0,
            last_status: None,
            last_error: None,
            history: Vec::new(),
            stamp: Stamp::new(now),
        }
    }

    /// Takes in how the attempt that was under way ended: that it is over, or when it is tried again, if `wait` says that
    /// it is. A receiver may ask for more patience than that, but not put a delivery off for ever; `secrets` are kept out
    /// of what is kept of its answer.
    pub fn end_attempt(
        &mut self,
        outcome: &DeliveryOutcome,
        wait: Option<Duration>,
        secrets: &[String],
        (began, ended): (Timestamp, Timestamp),
    ) {
        self.stamp.touch(ended);
        self.last_status = outcome.status();
        self.last_error = outcome.error();
        self.state = match (outcome, wait.filter(|_| !outcome.is_gone())) {
            (DeliveryOutcome::Delivered { .. }, _) => DeliveryState::Delivered,
            (DeliveryOutcome::Refused { .. } | DeliveryOutcome::Failed { .. }, None) => {
                DeliveryState::Failed
            }
            (
                DeliveryOutcome::Refused {
                    retry_after_seconds,
                    ..
                },
                Some(wait),
            ) => {
                let asked = Duration::from_secs(retry_after_seconds.unwrap_or_default());
                DeliveryState::due(ended.plus(wait.max(asked.min(wait * 2))))
            }
            (DeliveryOutcome::Failed { .. }, Some(wait)) => DeliveryState::due(ended.plus(wait)),
        };
        let answer = outcome.shown_answer(secrets);
        self.log(DeliveryAttempt {
            at: began,
            status: self.last_status,
            error: self.last_error.clone(),
            duration_ms: outcome.duration_ms(),
            headers: answer.headers,
            answer: answer.body,
        });
    }

    /// Of many attempts the newest are kept.
    fn log(&mut self, attempt: DeliveryAttempt) {
        self.history.push(attempt);
        let too_many = self.history.len().saturating_sub(DeliveryAttempt::MOST);
        self.history.drain(..too_many);
    }

    /// Makes it due now. What had ended starts its whole schedule anew; what is still being tried only waits no
    /// longer, so that an attempt that is under way can still say how it ended.
    pub fn requeue(&mut self, now: Timestamp) {
        match self.state {
            DeliveryState::Pending { .. } => {}
            DeliveryState::Delivered | DeliveryState::Failed => {
                self.attempts = 0;
                self.stamp.touch(now);
            }
        }
        self.state = DeliveryState::due(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    fn now() -> Timestamp {
        Timestamp::from_unix_millis(1_795_244_100_000)
    }

    fn id<K>(n: u128) -> Id<K> {
        Id::from_uuid(uuid::Uuid::from_u128(n))
    }

    fn refused(status: u16, retry_after_seconds: Option<u64>) -> DeliveryOutcome {
        DeliveryOutcome::Refused {
            status,
            retry_after_seconds,
            duration_ms: 12,
            answer: Answer {
                headers: Vec::new(),
                body: "no".to_owned(),
            },
        }
    }

    /// The first attempt at a delivery, taken in a second after it began.
    fn tried(outcome: &DeliveryOutcome, wait: Option<u64>) -> WebhookDelivery {
        let mut delivery = WebhookDelivery::new(id(1), id(2), id(3), id(4), now());
        let ended = now().plus(Duration::from_secs(1));
        let wait = wait.map(Duration::from_secs);
        delivery.end_attempt(outcome, wait, &[], (now(), ended));
        delivery
    }

    fn due(seconds: u64) -> DeliveryState {
        DeliveryState::due(now().plus(Duration::from_secs(seconds + 1)))
    }

    #[test]
    fn a_2xx_ends_it_whatever_is_left_of_the_schedule() {
        let outcome = DeliveryOutcome::Delivered {
            status: 204,
            duration_ms: 3,
            answer: Answer::default(),
        };
        let delivery = tried(&outcome, Some(5));
        assert_eq!(delivery.state, DeliveryState::Delivered);
        assert_eq!(
            (delivery.last_status, delivery.last_error),
            (Some(204), None)
        );
        assert_eq!(delivery.history[0].duration_ms, Some(3));
    }

    #[test]
    fn a_refused_one_waits_at_least_as_scheduled_and_at_most_twice_that() {
        assert_eq!(tried(&refused(503, None), Some(10)).state, due(10));
        assert_eq!(tried(&refused(503, Some(3)), Some(10)).state, due(10));
        assert_eq!(tried(&refused(503, Some(15)), Some(10)).state, due(15));
        assert_eq!(tried(&refused(503, Some(9_999)), Some(10)).state, due(20));
        let failed = tried(&refused(503, None), None);
        assert_eq!(failed.state, DeliveryState::Failed);
        assert_eq!(
            failed.last_error.as_deref(),
            Some("the receiver answered 503")
        );
        assert_eq!(failed.history[0].answer, "no");
    }

    #[test]
    fn who_is_gone_is_not_tried_again_and_who_is_not_there_is() {
        assert_eq!(
            tried(&refused(410, None), Some(10)).state,
            DeliveryState::Failed
        );
        let reason = "no answer".to_owned();
        let silent = tried(&DeliveryOutcome::Failed { reason }, Some(10));
        assert_eq!(silent.state, due(10));
        assert_eq!(
            (silent.last_status, silent.history[0].duration_ms),
            (None, None)
        );
    }

    #[test]
    fn what_ended_starts_anew_and_what_is_tried_only_waits_no_longer() {
        let later = now().plus(Duration::from_mins(1));
        let mut delivery = WebhookDelivery::new(id(1), id(2), id(3), id(4), now());
        delivery.attempts = 2;
        delivery.requeue(later);
        assert_eq!((delivery.attempts, delivery.stamp.version), (2, 1));
        assert_eq!(delivery.state, DeliveryState::due(later));
        delivery.state = DeliveryState::Failed;
        delivery.requeue(later);
        assert_eq!(
            (delivery.attempts, delivery.state),
            (0, DeliveryState::due(later))
        );
        assert_eq!(delivery.stamp.version, 2);
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
