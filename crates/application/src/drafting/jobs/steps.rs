//! The steps of one generation, on behalf of one attempt of its job.
//!
//! A step is asked for once: what is finished is read, and what AI answers is stored at once, in a transaction that
//! checks first that this attempt still holds the job. What is made of the steps lands elsewhere, all at once.

mod second_reader;
pub mod tasks;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use lyceum_domain::drafting::generation_steps::{
    GenerationStep, Outcome, StepCost, StepKey, StepResult, spent, task_hash,
};
use lyceum_domain::drafting::generations::{
    Generation, GenerationBudget, GenerationKind, GenerationState,
};
use lyceum_domain::ids::GenerationId;
use lyceum_ports::drafting::ai::{AiError, Answered, ResolvedModel};
use lyceum_ports::drafting::ai_calls::{AiCall, Allowance, Meter};
use lyceum_ports::running::jobs::QueuedJob;
use serde_json::Value;

use super::generation::{self, drop_lost};
use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::prelude::*;

/// How many steps that do not need each other are asked for at once.
const SIDE_BY_SIDE: usize = 3;

/// Why no more steps are asked for.
pub enum Stop {
    /// There is nothing more to do: called off, target gone, taken by another attempt, or another step failed.
    Over,
    /// AI did not do this step.
    Failed(StepKey, AiError),
    /// Storage failed.
    Store(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

/// How an attempt without a result ended.
pub enum Ended {
    /// It is over.
    Over,
    /// The provider failed for good, and the built-in engine is to do what is left.
    StandIn,
}

/// What came of a step, and by whom.
#[derive(Debug, Clone, PartialEq)]
pub struct Drafted<T> {
    pub value: T,
    pub model: String,
    pub prompt_version: String,
}

impl<T> Drafted<T> {
    /// The same by the same, about something else.
    pub fn with<U>(&self, value: U) -> Drafted<U> {
        Drafted {
            value,
            model: self.model.clone(),
            prompt_version: self.prompt_version.clone(),
        }
    }
}

/// What is known of a generation's steps.
#[derive(Debug, Clone)]
pub struct KnownSteps {
    generation: Generation,
    steps: Vec<GenerationStep>,
    results: BTreeMap<StepKey, StepResult>,
}

impl KnownSteps {
    /// Reads it.
    pub fn of(tx: &mut dyn Tx, generation: Generation) -> Result<Self, Error> {
        let (workspace, id) = (generation.workspace_id, generation.id);
        let steps = tx.generation_steps().of(workspace, &[id])?;
        let results = tx.generation_steps().results(workspace, id)?;
        Ok(Self {
            generation,
            steps,
            results: results.into_iter().collect(),
        })
    }
}

/// The steps of one generation.
pub struct Steps<'a> {
    pub app: &'a App,
    job: &'a Claimed,
    generation: GenerationId,
    target_id: String,
    model: Option<ResolvedModel>,
    budget: GenerationBudget,
    known: Mutex<KnownSteps>,
    stopped: AtomicBool,
}

impl<'a> Steps<'a> {
    /// The steps as they are known, to be asked of the model that this name leads to.
    pub fn open(app: &'a App, job: &'a Claimed, known: KnownSteps, model: &str) -> Self {
        Self {
            app,
            job,
            generation: known.generation.id,
            target_id: known.generation.target_id.clone(),
            model: app.ai.resolve(model),
            budget: GenerationBudget::of_request(&known.generation.request),
            known: Mutex::new(known),
            stopped: AtomicBool::new(false),
        }
    }

    /// Whether what comes of it waits for a person.
    pub fn is_reviewed(&self) -> bool {
        self.known().generation.is_reviewed()
    }

    /// Whether the built-in engine answers: it costs nothing, and would say the same again.
    pub fn is_built_in(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.built_in)
    }

    fn model_name(&self) -> &str {
        self.model.as_ref().map_or("", |model| model.model.as_str())
    }

    /// Says which steps are to come, beside those that are known already.
    pub async fn plan(&self, keys: Vec<StepKey>) -> Result<(), Stop> {
        let new: Vec<StepKey> = {
            let known = self.known();
            let is_new = |key: &StepKey| !known.steps.iter().any(|step| step.key == *key);
            keys.into_iter().filter(is_new).collect()
        };
        if new.is_empty() {
            return Ok(());
        }
        let now = self.app.clock.now();
        let first = self.next_position();
        let planned: Vec<GenerationStep> = (first..)
            .zip(new)
            .map(|(position, key)| self.new_step(key, position, now))
            .collect();
        let rows = planned.clone();
        self.store(move |tx| {
            for step in &rows {
                tx.generation_steps().put(step)?;
            }
            Ok(())
        })
        .await?;
        self.known().steps.extend(planned);
        Ok(())
    }

    /// The generation.
    pub const fn generation(&self) -> GenerationId {
        self.generation
    }

    /// Which attempt of the job this is.
    pub fn attempt(&self) -> u32 {
        self.job.attempt
    }

    /// What came of a step: what is kept of it, or of its like in a generation that came to nothing, or else what AI
    /// answers now. `task` is everything that `call` tells it.
    pub async fn ask<T: Outcome + Clone + Send + Sync + 'static>(
        &self,
        key: StepKey,
        task: Value,
        call: impl AsyncFnOnce(&Meter) -> Result<Answered<T>, AiError>,
    ) -> Result<Drafted<T>, Stop> {
        let asked = self.ask_for(key.clone(), task, call, true).await?;
        asked.map_err(|error| Stop::Failed(key, error))
    }

    /// The same for what the generation can do without: where no more waiting helps, the error is what came of it, and
    /// everything else goes on.
    pub async fn ask_optional<T: Outcome + Clone + Send + Sync + 'static>(
        &self,
        key: StepKey,
        task: Value,
        call: impl AsyncFnOnce(&Meter) -> Result<Answered<T>, AiError>,
    ) -> Result<Result<Drafted<T>, AiError>, Stop> {
        self.ask_for(key, task, call, false).await
    }

    async fn ask_for<T: Outcome + Clone + Send + Sync + 'static>(
        &self,
        key: StepKey,
        task: Value,
        call: impl AsyncFnOnce(&Meter) -> Result<Answered<T>, AiError>,
        is_needed: bool,
    ) -> Result<Result<Drafted<T>, AiError>, Stop> {
        if let Some(kept) = self.kept(&key) {
            return Ok(Ok(kept));
        }
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Stop::Over);
        }
        let mut step = self.step(&key);
        step.task_hash = task_hash(&key, self.model_name(), &task);
        if let Some(taken) = self.take_over(&step).await? {
            return Ok(Ok(taken));
        }
        let meter = self.meter();
        let answered = call(&meter).await;
        // Everything that left the service on behalf of this step, answered or not.
        let calls = meter.take();
        for call in &calls {
            self.job.meter.take_over(call.clone());
        }
        let error = match answered {
            Ok(answered) => return self.keep(step, answered).await.map(Ok),
            Err(error) => error,
        };
        let for_good = !self.job.will_retry(&error, self.app.clock.now());
        let goes_on = for_good && !is_needed;
        if !goes_on {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.note_failure(step, &calls, for_good).await?;
        if goes_on {
            Ok(Err(error))
        } else {
            Err(Stop::Failed(key, error))
        }
    }

    /// A meter that admits what is left of the budget. Steps go one by one where there is one, so that each sees what
    /// those before it left.
    fn meter(&self) -> Meter {
        let left = self.budget.minus(spent(&self.known().steps));
        let left = Allowance {
            tokens: left.tokens,
            cost: left.cost,
        };
        let meter = Meter::new(left.at_most(self.job.meter.left()))
            .on_behalf_of(self.job.workspace_id)
            .sharing(self.job.meter.shared());
        meter.watched(self.job.meter.watcher())
    }

    /// An answer that says that there is none: asking again would change nothing.
    pub fn no_answer<T>(&self, value: T, meter: &Meter) -> Answered<T> {
        let (usage, cost) = meter.spent();
        Answered {
            value,
            model_asked: self.model_name().to_owned(),
            model: self.model_name().to_owned(),
            prompt_version: String::new(),
            raw: String::new(),
            usage,
            cost: Some(cost),
            latency: Duration::ZERO,
        }
    }

    /// Runs what does not need each other, a few at once; the results are in order. Where something fails, what is
    /// under way is waited for, because it is paid for, and nothing more is asked.
    pub async fn side_by_side<T>(
        &self,
        all: impl IntoIterator<Item = impl Future<Output = Result<T, Stop>>>,
    ) -> Result<Vec<T>, Stop> {
        let one_by_one = self.is_built_in() || !self.budget.is_unlimited();
        let width = if one_by_one { 1 } else { SIDE_BY_SIDE };
        let ended: Vec<Result<T, Stop>> = stream::iter(all).buffered(width).collect().await;
        let (mut made, mut over, mut failed) = (Vec::new(), false, None);
        for one in ended {
            match one {
                Ok(value) => made.push(value),
                Err(Stop::Over) => over = true,
                Err(stop) => failed = failed.or(Some(stop)),
            }
        }
        match failed {
            Some(stop) => Err(stop),
            None if over => Err(Stop::Over),
            None => Ok(made),
        }
    }

    /// Ends the attempt without a result: to be taken up again, given up, forgotten, or gone on with by the built-in
    /// engine.
    pub async fn end(&self, stop: Stop) -> Result<Ended, Error> {
        match stop {
            Stop::Over => drop_lost(self.app, self.job, self.generation).await?,
            Stop::Failed(_, error) if self.job.stands_in_after(&error, self.app.clock.now()) => {
                return Ok(Ended::StandIn);
            }
            Stop::Failed(key, error) => {
                let error = naming(&key, error);
                let (code, sentence) = (error.code(), error.to_string());
                let failing =
                    generation::fail(self.app, self.job, self.generation, code, &sentence);
                claimed::retry_or(self.app, self.job, &error, failing).await?;
            }
            Stop::Store(error) => return Err(error),
        }
        Ok(Ended::Over)
    }

    fn known(&self) -> MutexGuard<'_, KnownSteps> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept<T: Outcome>(&self, key: &StepKey) -> Option<Drafted<T>> {
        let known = self.known();
        let step = known.steps.iter().find(|step| step.key == *key)?;
        let result = known.results.get(key)?.clone();
        Some(Drafted {
            value: T::from_result(result)?,
            model: step.model.clone().unwrap_or_default(),
            prompt_version: step.prompt_version.clone().unwrap_or_default(),
        })
    }

    fn step(&self, key: &StepKey) -> GenerationStep {
        let known = self
            .known()
            .steps
            .iter()
            .find(|step| step.key == *key)
            .cloned();
        known.unwrap_or_else(|| {
            self.new_step(key.clone(), self.next_position(), self.app.clock.now())
        })
    }

    /// Behind all that are known.
    fn next_position(&self) -> u32 {
        let last = self.known().steps.iter().map(|step| step.position).max();
        last.map_or(0, |last| last.saturating_add(1))
    }

    fn new_step(&self, key: StepKey, position: u32, now: Timestamp) -> GenerationStep {
        let workspace = self.job.workspace_id;
        GenerationStep::planned(workspace, self.generation, key, position, now)
    }

    async fn take_over<T: Outcome>(
        &self,
        step: &GenerationStep,
    ) -> Result<Option<Drafted<T>>, Stop> {
        let (wanted, target) = (step.clone(), self.target_id.clone());
        let left = self.app.store.read(move |tx| {
            let workspace = wanted.workspace_id;
            let (key, hash) = (&wanted.key, &wanted.task_hash);
            Ok::<_, Error>(
                tx.generation_steps()
                    .left_behind(workspace, &target, key, hash)?,
            )
        });
        let Some((other, result)) = left.await? else {
            return Ok(None);
        };
        let mut step = step.clone();
        step.take_over(&other, self.app.clock.now());
        let key = step.key.clone();
        self.keep_result(step, result).await?;
        Ok(self.kept(&key))
    }

    async fn keep<T: Outcome + Clone>(
        &self,
        mut step: GenerationStep,
        answered: Answered<T>,
    ) -> Result<Drafted<T>, Stop> {
        let Answered {
            value,
            model,
            prompt_version,
            usage,
            cost,
            latency,
            ..
        } = answered;
        let took = StepCost {
            tokens_in: usage.tokens_in,
            tokens_out: usage.tokens_out,
            cost,
            latency_ms: millis(latency),
        };
        step.answer(&model, &prompt_version, took, self.app.clock.now());
        self.keep_result(step, value.clone().into_result()).await?;
        Ok(Drafted {
            value,
            model,
            prompt_version,
        })
    }

    async fn keep_result(&self, step: GenerationStep, result: StepResult) -> Result<(), Stop> {
        let (row, document) = (step.clone(), result.clone());
        self.store(move |tx| Ok(tx.generation_steps().keep(&row, &document)?))
            .await?;
        let mut known = self.known();
        known.results.insert(step.key.clone(), result);
        known.note(step);
        Ok(())
    }

    /// Notes what a step took that AI did not do.
    async fn note_failure(
        &self,
        mut step: GenerationStep,
        calls: &[AiCall],
        for_good: bool,
    ) -> Result<(), Stop> {
        step.fail(for_good, cost_of(calls), self.app.clock.now());
        let row = step.clone();
        self.store(move |tx| Ok(tx.generation_steps().put(&row)?))
            .await?;
        self.known().note(step);
        Ok(())
    }

    /// Stores something about the steps and counts them, if this attempt still holds the job. [`Stop::Over`] if it
    /// does not, or if nobody waits for the generation any more: then it is stored all the same, because it is paid for.
    async fn store(
        &self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Stop> {
        let (job, id, now) = (self.job.clone(), self.generation, self.app.clock.now());
        let goes_on = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&goes_on);
        let stored = claimed::booking(self.app, self.job, move |tx, _| {
            // Whatever an earlier run of this transaction said does not count.
            told.store(false, Ordering::Relaxed);
            if !tx.jobs().extend(&job, now.plus(QueuedJob::LEASE))? {
                tracing::warn!(job = %job.id, attempt = job.attempt, "another attempt has taken this job");
                return Ok(());
            }
            let Some(mut generation) = tx.generations().find(job.workspace_id, id)? else {
                return Ok(());
            };
            work(tx)?;
            let steps = tx.generation_steps().of(job.workspace_id, &[id])?;
            generation.count_steps(&steps, now);
            tx.generations().update(&generation)?;
            let waits = matches!(generation.state, GenerationState::Pending { .. });
            told.store(
                waits && target_is_there(tx, &generation)?,
                Ordering::Relaxed,
            );
            Ok(())
        });
        stored.await?;
        if goes_on.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.stopped.store(true, Ordering::Relaxed);
        Err(Stop::Over)
    }
}

impl KnownSteps {
    /// Puts a step in the place of what was known of it.
    fn note(&mut self, step: GenerationStep) {
        match self.steps.iter_mut().find(|known| known.key == step.key) {
            Some(known) => *known = step,
            None => self.steps.push(step),
        }
    }
}

/// What calls took together; whatever has no price makes the cost unknown.
fn cost_of(calls: &[AiCall]) -> StepCost {
    calls.iter().fold(StepCost::NONE, |sum, call| {
        sum.plus(StepCost {
            tokens_in: call.usage.tokens_in,
            tokens_out: call.usage.tokens_out,
            cost: call.cost,
            latency_ms: millis(call.latency),
        })
    })
}

fn millis(latency: Duration) -> u64 {
    u64::try_from(latency.as_millis()).unwrap_or(u64::MAX)
}

fn target_is_there(tx: &mut dyn Tx, generation: &Generation) -> Result<bool, Error> {
    let (workspace, target) = (generation.workspace_id, &generation.target_id);
    Ok(match generation.kind {
        GenerationKind::Syllabus => match target.parse() {
            Ok(id) => tx.courses().find(workspace, id)?.is_some(),
            Err(_) => false,
        },
        GenerationKind::Unit => match target.parse() {
            Ok(id) => tx.units().find(workspace, id)?.is_some(),
            Err(_) => false,
        },
        GenerationKind::Lesson | GenerationKind::Activities => match target.parse() {
            Ok(id) => tx.lessons().find(workspace, id)?.is_some(),
            Err(_) => false,
        },
        GenerationKind::Activity => match target.parse() {
            Ok(id) => tx.activities().find(workspace, id)?.is_some(),
            Err(_) => false,
        },
    })
}

/// The same error, saying at which step.
fn naming(key: &StepKey, error: AiError) -> AiError {
    let at = |sentence: String| format!("step {key}: {sentence}");
    match error {
        AiError::Unavailable {
            reason,
            retry_after,
        } => AiError::Unavailable {
            reason: at(reason),
            retry_after,
        },
        AiError::LeftAlone { retry_after } => AiError::LeftAlone { retry_after },
        AiError::Refused(sentence) => AiError::Refused(at(sentence)),
        AiError::InvalidOutput(sentence) => AiError::InvalidOutput(at(sentence)),
        // It is the caller's to mend, who knows no steps.
        AiError::InputTooThin(sentence) => AiError::InputTooThin(sentence),
        AiError::BudgetExceeded(sentence) => AiError::BudgetExceeded(at(sentence)),
    }
}
