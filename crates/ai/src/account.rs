//! Bookkeeping of requests: each is admitted before it leaves, and written down however it ends.
//!
//! Nobody has to remember to write: an [`Entry`] does it when it goes out of use, also when its work is cancelled.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lyceum_domain::ids::AiReservationId;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::{AiError, Usage};
use lyceum_ports::drafting::ai_calls::{AiCall, AiFeature, CallOutcome, Meter};

use crate::prices::Price;

/// How a call's cost is found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tariff {
    /// Nobody said what it costs.
    Unknown,
    /// By tokens.
    Tokens(Price),
    /// The same whatever comes back, such as for a text to be spoken.
    Flat(MicroUsd),
}

/// What all requests of one piece of work have in common, and what they took together.
#[derive(Debug)]
pub(crate) struct Account<'m> {
    pub meter: &'m Meter,
    pub feature: AiFeature,
    pub host: String,
    pub model: String,
    pub tariff: Tariff,
    /// Classes of what is sent.
    pub sent: Vec<&'static str>,
    pub total: Mutex<Total>,
}

/// What requests took together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Total {
    pub usage: Usage,
    pub cost: Option<MicroUsd>,
    pub latency: Duration,
}

impl Account<'_> {
    /// Whether a request may leave; what is set aside for it.
    pub(crate) async fn admit(&self, estimate: Usage) -> Result<Option<AiReservationId>, AiError> {
        self.meter.reserve(estimate, self.cost(estimate)).await
    }

    /// It did not leave after all.
    pub(crate) async fn take_back(&self, reservation: Option<AiReservationId>) {
        self.meter.take_back(reservation).await;
    }

    /// Begins to write a request down; until more is known, it was sent and nobody answered.
    pub(crate) fn open(&self, estimate: Usage, reservation: Option<AiReservationId>) -> Entry<'_> {
        Entry {
            account: self,
            reservation,
            started: Instant::now(),
            latency: None,
            model: None,
            request_id: None,
            usage: Usage {
                tokens_out: 0,
                ..estimate
            },
            estimated: true,
            outcome: CallOutcome::Unavailable,
        }
    }

    /// What the requests so far took.
    pub(crate) fn total(&self) -> Total {
        let total = *self.total.lock().unwrap_or_else(PoisonError::into_inner);
        let nothing_yet = self.cost(Usage::default());
        Total {
            cost: total.cost.or(nothing_yet),
            ..total
        }
    }

    fn cost(&self, usage: Usage) -> Option<MicroUsd> {
        match self.tariff {
            Tariff::Unknown => None,
            Tariff::Tokens(price) => Some(price.of(usage)),
            Tariff::Flat(_) if usage == Usage::default() => Some(MicroUsd::ZERO),
            Tariff::Flat(cost) => Some(cost),
        }
    }
}

/// A request that left; written down when dropped.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    account: &'a Account<'a>,
    reservation: Option<AiReservationId>,
    started: Instant,
    latency: Option<Duration>,
    pub model: Option<String>,
    pub request_id: Option<String>,
    usage: Usage,
    estimated: bool,
    outcome: CallOutcome,
}

impl Entry<'_> {
    /// The answer is there, whatever it is worth.
    pub(crate) fn stop_clock(&mut self) {
        self.latency = Some(self.started.elapsed());
    }

    /// It was not worked on: not sent, or turned away.
    pub(crate) const fn took_nothing(&mut self) {
        self.usage = Usage {
            tokens_in: 0,
            tokens_out: 0,
            tokens_cached: 0,
        };
        self.estimated = false;
    }

    /// The provider said what it took.
    pub(crate) const fn took(&mut self, usage: Usage) {
        self.usage = usage;
        self.estimated = false;
    }

    /// It answered with so many tokens, by our guess.
    pub(crate) const fn wrote_about(&mut self, tokens: u64) {
        self.usage.tokens_out = tokens;
        self.estimated = true;
    }

    /// How it ended.
    pub(crate) const fn end(&mut self, outcome: CallOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let account = self.account;
        let latency = self.latency.unwrap_or_else(|| self.started.elapsed());
        let cost = account.cost(self.usage);
        let mut total = account.total.lock().unwrap_or_else(PoisonError::into_inner);
        total.usage = total.usage + self.usage;
        total.latency += latency;
        total.cost = cost.map(|cost| cost + total.cost.unwrap_or_default());
        drop(total);
        account.meter.record(AiCall {
            feature: account.feature,
            host: account.host.clone(),
            model_asked: account.model.clone(),
            model: self.model.take(),
            request_id: self.request_id.take(),
            usage: self.usage,
            estimated: self.estimated,
            cost,
            latency,
            outcome: self.outcome,
            sent: account.sent.clone(),
            reservation: self.reservation.take(),
        });
    }
}

/// Tokens of a text, guessed the usual way: four characters each.
pub(crate) fn about_tokens(text: &str) -> u64 {
    u64::try_from(text.chars().count().div_ceil(4)).unwrap_or(u64::MAX)
}
