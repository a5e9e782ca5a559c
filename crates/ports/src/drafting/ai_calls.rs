//! Calls to AI that left the service: what was sent where, what it took, and how much more there may be.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::drafting::ai_calls::{AiCallRecord, AiUsage};
pub use lyceum_domain::drafting::ai_calls::{AiFeature, CallOutcome};
use lyceum_domain::ids::{AiReservationId, WorkspaceId};
use lyceum_domain::money::MicroUsd;

use crate::drafting::ai_outcome::{AiError, Usage};
use crate::drafting::ai_reservations::SharedBudget;
use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// One request that left the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiCall {
    /// What it was for.
    pub feature: AiFeature,
    /// Host it went to.
    pub host: String,
    /// The model that was asked.
    pub model_asked: String,
    /// The model that answered, where one did.
    pub model: Option<String>,
    /// The provider's own name of the request.
    pub request_id: Option<String>,
    /// What it took.
    pub usage: Usage,
    /// Whether the usage is a guess because the provider did not say.
    pub estimated: bool,
    /// What it cost, where prices are known.
    pub cost: Option<MicroUsd>,
    /// How long it took.
    pub latency: Duration,
    /// How it ended.
    pub outcome: CallOutcome,
    /// Which classes of fields were sent, such as `submission_text` or `rubric`.
    pub sent: Vec<&'static str>,
    /// What was set aside for it, to be taken back when it is written down.
    pub reservation: Option<AiReservationId>,
}

/// How much may be spent; a member that is absent sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowance {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: Option<MicroUsd>,
}

impl Allowance {
    /// The smaller of two limits, part by part.
    #[must_use]
    pub fn at_most(self, other: Self) -> Self {
        Self {
            tokens: [self.tokens, other.tokens].into_iter().flatten().min(),
            cost: [self.cost, other.cost].into_iter().flatten().min(),
        }
    }
}

/// Hears of every call as it ends.
pub trait CallWatcher: Debug + Send + Sync {
    /// This one just ended.
    fn called(&self, call: &AiCall);
}

/// Counts what is called on behalf of one piece of work, and refuses what would be too much.
#[derive(Debug, Default)]
pub struct Meter {
    counted: Mutex<Counted>,
    shared: Option<Arc<dyn SharedBudget>>,
    watcher: Option<Arc<dyn CallWatcher>>,
    workspace: Option<WorkspaceId>,
    is_waited_for: bool,
}

/// What a meter has seen: all that was spent, and the calls that nobody has written down yet.
#[derive(Debug, Default)]
struct Counted {
    allowance: Allowance,
    usage: Usage,
    cost: MicroUsd,
    unwritten: Vec<AiCall>,
}

impl Meter {
    /// A meter with a limit.
    pub const fn new(allowance: Allowance) -> Self {
        Self {
            counted: Mutex::new(Counted {
                allowance,
                usage: Usage {
                    tokens_in: 0,
                    tokens_out: 0,
                    tokens_cached: 0,
                },
                cost: MicroUsd::ZERO,
                unwritten: Vec::new(),
            }),
            shared: None,
            watcher: None,
            workspace: None,
            is_waited_for: false,
        }
    }

    /// The same meter, over a budget that others spend from as well.
    #[must_use]
    pub fn sharing(mut self, shared: Option<Arc<dyn SharedBudget>>) -> Self {
        self.shared = shared;
        self
    }

    /// The same meter, for the work of a workspace: what one does with a provider is not held against another.
    #[must_use]
    pub const fn on_behalf_of(mut self, workspace: WorkspaceId) -> Self {
        self.workspace = Some(workspace);
        self
    }

    /// The same meter, for work whose caller waits for what comes of it: it has to be there while they do.
    #[must_use]
    pub const fn waited_for(mut self) -> Self {
        self.is_waited_for = true;
        self
    }

    /// Whether a caller waits.
    pub const fn is_waited_for(&self) -> bool {
        self.is_waited_for
    }

    /// Whose work it is, if it is anybody's.
    pub const fn workspace(&self) -> Option<WorkspaceId> {
        self.workspace
    }

    /// The same meter, whose calls are heard of.
    #[must_use]
    pub fn watched(mut self, watcher: Option<Arc<dyn CallWatcher>>) -> Self {
        self.watcher = watcher;
        self
    }

    /// Who hears of its calls, for a meter over a part of the work.
    pub fn watcher(&self) -> Option<Arc<dyn CallWatcher>> {
        self.watcher.clone()
    }

    /// The budget that others spend from as well, for a meter over a part of the work.
    pub fn shared(&self) -> Option<Arc<dyn SharedBudget>> {
        self.shared.clone()
    }

    /// Whether a call may be made that will probably take this much; then that much is set aside for it, where others
    /// spend from the same budget.
    ///
    /// # Errors
    /// Those of [`Meter::admit`] and of [`SharedBudget::set_aside`]
    pub async fn reserve(
        &self,
        estimate: Usage,
        cost: Option<MicroUsd>,
    ) -> Result<Option<AiReservationId>, AiError> {
        self.admit(estimate, cost)?;
        match &self.shared {
            Some(shared) => shared.set_aside(estimate, cost).await.map(Some),
            None => Ok(None),
        }
    }

    /// Takes back what was set aside for a call that was not made.
    pub async fn take_back(&self, reservation: Option<AiReservationId>) {
        if let (Some(shared), Some(id)) = (&self.shared, reservation) {
            shared.take_back(id).await;
        }
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Narrows what may be spent, all in all, to no more than this.
    pub fn limit(&self, allowance: Allowance) {
        let mut counted = self.counted();
        counted.allowance = counted.allowance.at_most(allowance);
    }

    /// Whether a call may be made that will probably take this much.
    ///
    /// # Errors
    /// [`AiError::BudgetExceeded`]
    pub fn admit(&self, estimate: Usage, cost: Option<MicroUsd>) -> Result<(), AiError> {
        let (used, spent) = self.spent();
        let allowance = self.counted().allowance;
        if let Some(limit) = allowance.tokens {
            let wanted = used.tokens().saturating_add(estimate.tokens());
            if wanted > limit {
                let sentence = format!("about {wanted} tokens are needed and {limit} are left");
                return Err(AiError::BudgetExceeded(sentence));
            }
        }
        if let Some(limit) = allowance.cost {
            let Some(cost) = cost else {
                let sentence = "a limit in money is set, and no prices are known";
                return Err(AiError::BudgetExceeded(sentence.to_owned()));
            };
            let wanted = spent + cost;
            if wanted > limit {
                let sentence = format!("about {wanted} USD are needed and {limit} are left");
                return Err(AiError::BudgetExceeded(sentence));
            }
        }
        Ok(())
    }

    /// What may still be spent.
    pub fn left(&self) -> Allowance {
        let counted = self.counted();
        let tokens = counted.usage.tokens();
        Allowance {
            tokens: counted
                .allowance
                .tokens
                .map(|limit| limit.saturating_sub(tokens)),
            cost: counted
                .allowance
                .cost
                .map(|limit| limit.minus(counted.cost)),
        }
    }

    /// Notes a call that just ended.
    pub fn record(&self, call: AiCall) {
        if let Some(watcher) = &self.watcher {
            watcher.called(&call);
        }
        self.take_over(call);
    }

    /// Notes a call that was noted on another meter first.
    pub fn take_over(&self, call: AiCall) {
        let mut counted = self.counted();
        counted.usage = counted.usage + call.usage;
        counted.cost = counted.cost + call.cost.unwrap_or_default();
        counted.unwritten.push(call);
    }

    /// What all calls so far took and, as far as prices are known, cost; also those that were taken.
    pub fn spent(&self) -> (Usage, MicroUsd) {
        let counted = self.counted();
        (counted.usage, counted.cost)
    }

    /// The calls since this was last asked, to be written down.
    pub fn take(&self) -> Vec<AiCall> {
        std::mem::take(&mut self.counted().unwritten)
    }

    /// Gives back calls that were taken and could not be written down.
    pub fn give_back(&self, calls: Vec<AiCall>) {
        self.counted().unwritten.splice(0..0, calls);
    }
}

/// Which calls.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AiCallFilter {
    /// For this.
    pub feature: Option<AiFeature>,
    /// That ended like this.
    pub outcome: Option<CallOutcome>,
    /// On behalf of the thing with this id.
    pub subject_id: Option<String>,
}

/// From when on, and until before when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first moment in it.
    pub from: Timestamp,
    /// The first moment after it.
    pub to: Timestamp,
}

/// By what calls are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UsageKey {
    /// What they were for.
    Feature,
    /// The model that answered, else the one that was asked.
    Model,
    /// The day (UTC), as `2026-11-21`.
    Day,
    /// From whose share they were paid.
    Spender,
}

/// Where calls that left the service are kept. They are added and read, never changed.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AiCallRepository {
    /// Adds calls.
    fn append(&mut self, calls: &[AiCallRecord]) -> Result<(), StoreError>;
    /// A page of those that match, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &AiCallFilter,
        page: &PageRequest,
    ) -> Result<Page<AiCallRecord>, StoreError>;
    /// What the calls of a period took.
    fn usage(&mut self, workspace: WorkspaceId, period: Period) -> Result<AiUsage, StoreError>;
    /// The same, put together by something, in its order.
    fn usage_by(
        &mut self,
        workspace: WorkspaceId,
        period: Period,
        key: UsageKey,
    ) -> Result<Vec<(String, AiUsage)>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tokens: u64, cost: Option<u64>) -> AiCall {
        AiCall {
            feature: AiFeature::Grading,
            host: "ai.example".to_owned(),
            model_asked: "m".to_owned(),
            model: None,
            request_id: None,
            usage: Usage {
                tokens_in: tokens,
                ..Usage::default()
            },
            estimated: false,
            cost: cost.map(MicroUsd::new),
            latency: Duration::ZERO,
            outcome: CallOutcome::Answered,
            sent: vec!["submission_text"],
            reservation: None,
        }
    }

    fn usage(tokens: u64) -> Usage {
        Usage {
            tokens_out: tokens,
            ..Usage::default()
        }
    }

    #[test]
    fn a_meter_admits_what_its_allowance_still_holds() {
        let meter = Meter::new(Allowance {
            tokens: Some(100),
            cost: None,
        });
        assert!(meter.admit(usage(100), None).is_ok());
        meter.record(call(60, None));
        assert!(meter.admit(usage(40), None).is_ok());
        let error = meter.admit(usage(41), None).unwrap_err();
        assert_eq!(error.code(), "ai_budget_exceeded");
    }

    #[test]
    fn a_limit_in_money_needs_prices() {
        let meter = Meter::new(Allowance {
            tokens: None,
            cost: Some(MicroUsd::new(10)),
        });
        assert!(meter.admit(usage(1), None).is_err());
        meter.record(call(1, Some(9)));
        assert!(meter.admit(usage(1), Some(MicroUsd::new(1))).is_ok());
        assert!(meter.admit(usage(1), Some(MicroUsd::new(2))).is_err());
        meter.limit(Allowance {
            tokens: Some(1),
            cost: None,
        });
        assert!(meter.admit(usage(1), Some(MicroUsd::new(1))).is_err());
    }

    #[test]
    fn calls_are_handed_out_once() {
        let meter = Meter::default();
        meter.record(call(1, None));
        assert_eq!(meter.take().len(), 1);
        assert_eq!(meter.take(), []);
    }

    #[test]
    fn what_was_taken_is_still_spent_and_counts_once_when_given_back() {
        let meter = Meter::new(Allowance {
            tokens: Some(10),
            cost: None,
        });
        meter.record(call(6, Some(4)));
        let taken = meter.take();
        assert!(meter.admit(usage(5), None).is_err());
        meter.record(call(1, Some(1)));
        meter.give_back(taken);
        let (used, spent) = meter.spent();
        assert_eq!((used.tokens(), spent), (7, MicroUsd::new(5)));
        let tokens: Vec<u64> = meter
            .take()
            .iter()
            .map(|call| call.usage.tokens_in)
            .collect();
        assert_eq!(tokens, [6, 1]);
    }

    #[test]
    fn of_two_limits_the_smaller_counts_part_by_part() {
        let month = Allowance {
            tokens: Some(5),
            cost: None,
        };
        let call = Allowance {
            tokens: Some(9),
            cost: Some(MicroUsd::new(1)),
        };
        let both = month.at_most(call);
        assert_eq!(both.tokens, Some(5));
        assert_eq!(both.cost, Some(MicroUsd::new(1)));
        assert_eq!(Allowance::default().at_most(month), month);
    }
}
