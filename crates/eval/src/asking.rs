//! Asking a grader: once per request, within the budget, until somebody says stop.
//!
//! What is asked and what becomes of the answer is for `run` and `injections`; here is only the way there and back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lyceum_domain::grading::grades::{CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::{AiError, AiProvider, Answered, ResolvedModel};
use lyceum_ports::drafting::ai_calls::{AiCall, Allowance, CallOutcome, Meter};
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, key};

/// After this many answers in a row that nobody gave, nobody is asked any more.
const PATIENCE: u32 = 5;

/// Who grades.
#[derive(Clone)]
pub struct Engine {
    provider: Arc<dyn AiProvider>,
    /// Where it is, such as `https://api.openai.com/v1`; `builtin` for the built-in engine.
    pub address: String,
    /// The name of the model that is asked for; empty for the provider's own.
    pub model: String,
    /// What that name leads to.
    pub resolved: ResolvedModel,
}

impl Engine {
    /// A grader; nothing where the provider may not ask that model.
    pub fn new(provider: Arc<dyn AiProvider>, address: &str, model: &str) -> Option<Self> {
        let resolved = provider.resolve(model)?;
        let address = if resolved.built_in {
            "builtin"
        } else {
            address
        };
        Some(Self {
            provider,
            address: address.to_owned(),
            model: model.to_owned(),
            resolved,
        })
    }
}

/// How an answer of the grader ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With a proposal.
    Proposed(Proposal),
    /// With a no.
    Refused(String),
    /// With something that breaks the rules, also after a repair.
    Invalid(String),
}

/// A [`GradeProposal`] as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    criteria: Vec<ProposedCriterion>,
    feedback: String,
    flags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ProposedCriterion {
    criterion_id: String,
    level_id: Option<String>,
    points_hundredths: i32,
    rationale: String,
    quotes: Vec<(String, usize)>,
    confidence: Option<u8>,
    missing: Vec<String>,
    not_judged: Option<String>,
}

impl Proposal {
    fn of(proposal: GradeProposal) -> Self {
        let criteria = proposal.criteria.into_iter();
        let criteria = criteria.map(|given| ProposedCriterion {
            criterion_id: given.criterion_id,
            level_id: given.level_id,
            points_hundredths: given.points.hundredths(),
            rationale: given.rationale,
            quotes: given.quotes,
            confidence: given.confidence,
            missing: given.missing,
            not_judged: given.not_judged,
        });
        Self {
            criteria: criteria.collect(),
            feedback: proposal.feedback,
            flags: proposal.flags,
        }
    }

    /// The proposal, as the grader made it.
    pub fn restored(self) -> GradeProposal {
        let criteria = self.criteria.into_iter();
        let criteria = criteria.map(|given| CriterionProposal {
            criterion_id: given.criterion_id,
            level_id: given.level_id,
            points: Points::from_hundredths(given.points_hundredths.into()),
            rationale: given.rationale,
            quotes: given.quotes,
            confidence: given.confidence,
            missing: given.missing,
            not_judged: given.not_judged,
        });
        GradeProposal {
            criteria: criteria.collect(),
            feedback: self.feedback,
            flags: self.flags,
        }
    }
}

/// What came back, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// How it ended.
    pub ending: Ending,
    /// The model that answered.
    pub model: String,
    /// Version of the prompt or algorithm.
    pub prompt_version: String,
    /// Requests that left for it.
    pub calls: usize,
    /// Those of them whose answer broke rules, as far as the provider recorded it.
    pub invalid_calls: usize,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Tokens read that the provider still had.
    pub tokens_cached: u64,
    /// What it cost in millionths of a dollar, where prices are known.
    pub cost: Option<u64>,
    /// How long it took, in milliseconds, over all tries.
    pub latency_ms: u64,
}

/// What became of a question to the grader.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Something came back, now or in an earlier run.
    Answered(Box<Response>),
    /// Nobody answered; another run may ask again.
    Unavailable(String),
    /// It was not asked, because the run had stopped.
    NotAsked,
}

/// Why a run stopped before it was through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The next answer would have gone over the budget, for this reason.
    Budget(String),
    /// Nobody answered several times in a row; the last reason.
    Unavailable(String),
    /// What was paid for could not be kept.
    Cache(String),
    /// Somebody interrupted it.
    Interrupted,
}

/// How a grader is asked.
#[derive(Debug, Default)]
pub struct Terms {
    /// Where answers are kept; the built-in engine's are not, since they cost nothing.
    pub cache: Option<Cache>,
    /// How much may be spent in this run.
    pub budget: Option<MicroUsd>,
    /// How many are asked at once. With a budget it is one after the other, so that the budget holds.
    pub at_once: usize,
    /// Set from outside to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// Asks a grader on terms.
pub struct Asker {
    /// Who is asked.
    pub engine: Engine,
    terms: Terms,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spent: MicroUsd,
    stop: Option<Stop>,
    unavailable_in_a_row: u32,
    asked: usize,
    remembered: usize,
}

impl State {
    /// Nobody answered; after too many in a row nobody is asked any more.
    fn unavailable(&mut self, reason: String) -> Outcome {
        self.unavailable_in_a_row += 1;
        if self.unavailable_in_a_row >= PATIENCE {
            self.stop = Some(Stop::Unavailable(reason.clone()));
        }
        Outcome::Unavailable(reason)
    }
}

/// What a run of an [`Asker`] came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Why it stopped early, if it did.
    pub stop: Option<Stop>,
    /// How often the grader was asked.
    pub asked: usize,
    /// How often an earlier answer was on disk.
    pub remembered: usize,
    /// What this run spent.
    pub spent: MicroUsd,
}

impl Asker {
    /// Asks `engine` on `terms`.
    pub fn new(engine: Engine, mut terms: Terms) -> Self {
        if engine.resolved.built_in {
            terms.cache = None;
        }
        Self {
            engine,
            terms,
            state: Mutex::default(),
        }
    }

    /// How many may be asked at once.
    pub fn at_once(&self) -> usize {
        if self.terms.budget.is_some() {
            return 1;
        }
        self.terms.at_once.max(1)
    }

    /// What the run came to so far.
    pub fn tally(&self) -> Tally {
        let state = self.state();
        Tally {
            stop: state.stop.clone(),
            asked: state.asked,
            remembered: state.remembered,
            spent: state.spent,
        }
    }

    /// Asks, or remembers; `sample` tells repetitions of the same request apart.
    pub async fn ask(&self, task: GradingTask, sample: usize) -> Outcome {
        let resolved = &self.engine.resolved;
        let grader = [
            self.engine.address.as_str(),
            resolved.model.as_str(),
            resolved.grading_version.as_str(),
        ];
        let key = key(&grader, &task, sample);
        let known = self.terms.cache.as_ref().and_then(|cache| cache.get(&key));
        if let Some(response) = known {
            self.state().remembered += 1;
            return Outcome::Answered(Box::new(response));
        }
        if self.stopped() {
            return Outcome::NotAsked;
        }
        let meter = Meter::new(self.allowance());
        let answer = self.engine.provider.grade(task, &meter).await;
        self.settle(&key, answer, &meter.take())
    }

    fn stopped(&self) -> bool {
        let mut state = self.state();
        if state.stop.is_none() && self.terms.interrupted.load(Ordering::Relaxed) {
            state.stop = Some(Stop::Interrupted);
        }
        state.stop.is_some()
    }

    fn allowance(&self) -> Allowance {
        let spent = self.state().spent;
        Allowance {
            tokens: None,
            cost: self.terms.budget.map(|budget| budget.minus(spent)),
        }
    }

    fn settle(
        &self,
        key: &str,
        answer: Result<Answered<GradeProposal>, AiError>,
        calls: &[AiCall],
    ) -> Outcome {
        let mut state = self.state();
        state.spent = state.spent + calls.iter().filter_map(|call| call.cost).sum();
        state.asked += 1;
        let response = match answer {
            Ok(answered) => answered_response(answered, calls),
            Err(AiError::Refused(why)) => self.response(Ending::Refused(why), calls),
            Err(AiError::InvalidOutput(why) | AiError::InputTooThin(why)) => {
                self.response(Ending::Invalid(why), calls)
            }
            Err(AiError::BudgetExceeded(why)) => {
                state.asked -= 1;
                state.stop = Some(Stop::Budget(why));
                return Outcome::NotAsked;
            }
            Err(AiError::Unavailable { reason, .. }) => return state.unavailable(reason),
            Err(error @ AiError::LeftAlone { .. }) => return state.unavailable(error.to_string()),
        };
        state.unavailable_in_a_row = 0;
        let kept = self.terms.cache.as_ref();
        if let Some(Err(error)) = kept.map(|cache| cache.put(key, &response)) {
            state.stop = Some(Stop::Cache(error.to_string()));
        }
        Outcome::Answered(Box::new(response))
    }

    /// The response where there is no proposal to tell more.
    fn response(&self, ending: Ending, calls: &[AiCall]) -> Response {
        let latency: Duration = calls.iter().map(|call| call.latency).sum();
        let model = calls.iter().find_map(|call| call.model.clone());
        Response {
            ending,
            model: model.unwrap_or_else(|| self.engine.resolved.model.clone()),
            prompt_version: self.engine.resolved.grading_version.clone(),
            calls: calls.len(),
            invalid_calls: invalid(calls),
            tokens_in: calls.iter().map(|call| call.usage.tokens_in).sum(),
            tokens_out: calls.iter().map(|call| call.usage.tokens_out).sum(),
            tokens_cached: calls.iter().map(|call| call.usage.tokens_cached).sum(),
            cost: calls
                .iter()
                .map(|call| call.cost)
                .sum::<Option<MicroUsd>>()
                .map(MicroUsd::millionths),
            latency_ms: milliseconds(latency),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answered_response(answered: Answered<GradeProposal>, calls: &[AiCall]) -> Response {
    Response {
        ending: Ending::Proposed(Proposal::of(answered.value)),
        model: answered.model,
        prompt_version: answered.prompt_version,
        calls: calls.len(),
        invalid_calls: invalid(calls),
        tokens_in: answered.usage.tokens_in,
        tokens_out: answered.usage.tokens_out,
        tokens_cached: answered.usage.tokens_cached,
        cost: answered.cost.map(MicroUsd::millionths),
        latency_ms: milliseconds(answered.latency),
    }
}

fn invalid(calls: &[AiCall]) -> usize {
    let invalid = calls
        .iter()
        .filter(|call| call.outcome == CallOutcome::Invalid);
    invalid.count()
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
