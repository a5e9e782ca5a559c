//! A job that is being done: how long it may wait for a provider, what happens when that fails for good, and how an attempt
//! ends.

mod settle;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::identity::ai_settings::OnProviderFailure;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::drafting::ai::{AiError, BUILT_IN};
use lyceum_ports::drafting::ai_calls::{Allowance, Meter};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::traces::TraceParent;
use serde_json::{Value, json};

pub use settle::{WORKER_LOST, booking, finish, retry_or, settle};

use crate::app::App;
use crate::drafting::ai_calls::meter_for;
use crate::drafting::ai_reservations::BudgetReservation;
use crate::error::Error;

/// The first wait after a failed attempt; it doubles with every further one.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// The longest wait, unless a provider asks for a longer one.
const LONGEST_WAIT: Duration = Duration::from_mins(2);
/// How much later, for each try that it made, a job comes back to a model that is left alone.
const BEHIND_EACH_TRY: Duration = Duration::from_millis(250);
/// For so many tries at most.
const MOST_BEHIND: u32 = 40;

/// A job that is being done; clones are the same.
#[derive(Debug, Clone)]
pub struct Claimed {
    job: QueuedJob,
    /// Counts and limits what is called for it. What it holds is written down when the job settles.
    pub meter: Arc<Meter>,
    on_failure: OnProviderFailure,
    /// Why the built-in engine does the work, if it does it in a provider's place.
    failure: Arc<OnceLock<&'static str>>,
    /// Where in a trace the attempt is; where the job itself is stands in the job.
    pub place: Option<TraceParent>,
    end: Arc<OnceLock<AttemptEnd>>,
}

/// How an attempt at a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The job is done.
    Done,
    /// The job will be tried again.
    Retried,
    /// The job ended in an error.
    GivenUp,
    /// Another attempt had taken the job.
    TakenOver,
    /// It was broken off, and the job is taken up again.
    BrokenOff,
    /// Storage failed, and the job is taken up again.
    Failed,
}

impl AttemptEnd {
    /// The end in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Retried => "retried",
            Self::GivenUp => "given_up",
            Self::TakenOver => "taken_over",
            Self::BrokenOff => "broken_off",
            Self::Failed => "failed",
        }
    }

    /// Whether somebody might want to look.
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Done | Self::TakenOver => false,
            Self::Retried | Self::GivenUp | Self::BrokenOff | Self::Failed => true,
        }
    }
}

impl Deref for Claimed {
    type Target = QueuedJob;

    fn deref(&self) -> &QueuedJob {
        &self.job
    }
}

impl Claimed {
    /// A job, with what its workspace may still spend and wants; and where in a trace this attempt at it is.
    pub async fn of(app: &App, job: &QueuedJob, place: Option<TraceParent>) -> Result<Self, Error> {
        let spender = job.task.spender();
        let mut settings = (Allowance::default(), OnProviderFailure::Error, None);
        if job.task.kind().lane() == JobLane::Ai {
            let (id, now, spending) = (job.workspace_id, app.clock.now(), app.settings.spending);
            let read = app.store.read(move |tx| {
                let Some(workspace) = tx.workspaces().find(id)? else {
                    return Ok::<_, Error>(None);
                };
                let allowance = meter_for(tx, &workspace, &spending, (spender, now))?;
                Ok(Some((allowance, workspace)))
            });
            if let Some((allowance, workspace)) = read.await? {
                let shared = BudgetReservation::of(app, &workspace, spender);
                settings = (allowance, workspace.ai.on_provider_failure, shared);
            }
        }
        let (allowance, on_failure, shared) = settings;
        let meter = Meter::new(allowance)
            .on_behalf_of(job.workspace_id)
            .sharing(shared)
            .watched(app.tracing.calls(place));
        Ok(Self {
            job: job.clone(),
            meter: Arc::new(meter),
            on_failure,
            failure: Arc::default(),
            place,
            end: Arc::default(),
        })
    }

    /// Whether all attempts were lost with the processes that made them: it must not go on so for ever.
    pub fn is_lost(&self) -> bool {
        self.attempt > self.max_attempts
    }

    /// Notes how the attempt ends; what was noted first stays.
    pub fn note_end(&self, end: AttemptEnd) {
        let _ = self.end.set(end);
    }

    /// How the attempt ended, if that was noted.
    pub fn end(&self) -> Option<AttemptEnd> {
        self.end.get().copied()
    }

    /// Asks for an answer from this model. Where the provider fails for good and the workspace wants it so, the
    /// built-in engine answers instead; otherwise it is as the provider says.
    ///
    /// # Errors
    /// What `ask` returned.
    pub async fn ask<T, F>(
        &self,
        app: &App,
        model: &str,
        ask: impl Fn(String) -> F,
    ) -> Result<T, AiError>
    where
        F: Future<Output = Result<T, AiError>>,
    {
        let error = match ask(model.to_owned()).await {
            Ok(answered) => return Ok(answered),
            Err(error) => error,
        };
        if !self.stands_in_after(&error, app.clock.now()) {
            return Err(error);
        }
        ask(BUILT_IN.to_owned()).await
    }

    /// Whether the built-in engine does the work from now on, because the provider failed for good and the workspace
    /// wants it so.
    pub fn stands_in_after(&self, error: &AiError, now: Timestamp) -> bool {
        let begins = self.failure().is_none() && self.falls_back_after(error, now);
        if begins {
            tracing::warn!(job = %self.id, %error, "the built-in engine stands in for an AI provider");
            // The first failure is the one that is told.
            let _ = self.failure.set(error.code());
        }
        begins
    }

    /// The model to ask instead of any other, once the provider has failed for good.
    pub fn stand_in(&self) -> Option<&'static str> {
        self.failure().map(|_| BUILT_IN)
    }

    fn falls_back_after(&self, error: &AiError, now: Timestamp) -> bool {
        // A budget is a decision, and a text that says too little is nobody's failure.
        self.on_failure == OnProviderFailure::BuiltIn
            && !matches!(error, AiError::BudgetExceeded(_) | AiError::InputTooThin(_))
            && !self.will_retry(error, now)
    }

    /// The code of the failure after which the built-in engine did the work, if it did.
    pub fn failure(&self) -> Option<&'static str> {
        self.failure.get().copied()
    }

    /// What came of a generation, saying so if the built-in engine made it in a provider's place.
    pub fn labelled(&self, mut result: Value) -> Value {
        if let (Some(code), Some(members)) = (self.failure(), result.as_object_mut()) {
            members.insert("provider_failed".to_owned(), json!(code));
        }
        result
    }

    /// Whether another try may help and there is still time for it.
    pub fn will_retry(&self, error: &AiError, now: Timestamp) -> bool {
        error.is_transient() && now < self.deadline(self.tries_after(error))
    }

    /// How often somebody was asked in vain, this time included.
    pub fn tries_after(&self, error: &AiError) -> u32 {
        self.tries.saturating_add(error.was_asked().into())
    }

    /// When to try again: later each time, as late as the provider asked, and once more when patience ends. Of those who wait
    /// for a model that is left alone, who has tried least comes first.
    pub fn next_try(&self, error: &AiError, now: Timestamp) -> Timestamp {
        let deadline = self.deadline(self.tries_after(error));
        let asked = match error {
            AiError::LeftAlone { retry_after } => {
                let behind = BEHIND_EACH_TRY.saturating_mul(self.tries.min(MOST_BEHIND));
                return now.plus(retry_after.saturating_add(behind)).min(deadline);
            }
            AiError::Unavailable { retry_after, .. } => retry_after.unwrap_or_default(),
            AiError::Refused(_)
            | AiError::InvalidOutput(_)
            | AiError::InputTooThin(_)
            | AiError::BudgetExceeded(_) => Duration::ZERO,
        };
        let doubled = FIRST_WAIT.saturating_mul(1 << self.attempt.saturating_sub(1).min(6));
        let wait = doubled.min(LONGEST_WAIT).max(asked);
        now.plus(wait).min(deadline)
    }
}

#[cfg(test)]
mod tests {

    use lyceum_domain::running::jobs::Job;

    use super::*;
    use crate::identity::visibility::tests::{id, now};

    fn claimed(attempt: u32, on_failure: OnProviderFailure) -> Claimed {
        having_tried(attempt, attempt, on_failure)
    }

    fn having_tried(attempt: u32, tries: u32, on_failure: OnProviderFailure) -> Claimed {
        Claimed {
            job: QueuedJob {
                id: id::<lyceum_domain::ids::Workspace>(7).uuid(),
                workspace_id: id(1),
                task: Job::GenerateSyllabus { generation: id(2) },
                attempt,
                tries,
                max_attempts: 5,
                run_at: now(),
                begun_at: Some(now()),
                trace: None,
            },
            meter: Arc::default(),
            on_failure,
            failure: Arc::default(),
            place: None,
            end: Arc::default(),
        }
    }

    fn unavailable(seconds: Option<u64>) -> AiError {
        AiError::Unavailable {
            reason: "busy".to_owned(),
            retry_after: seconds.map(Duration::from_secs),
        }
    }

    fn at(seconds: u64) -> Timestamp {
        now().plus(Duration::from_secs(seconds))
    }

    #[test]
    fn the_next_try_comes_later_each_time_and_a_last_one_when_patience_ends() {
        let next = |attempt, asked, seconds| {
            let job = claimed(attempt, OnProviderFailure::Error);
            job.next_try(&unavailable(asked), at(seconds))
        };
        assert_eq!(next(1, None, 0), at(2));
        assert_eq!(next(4, None, 20), at(36));
        assert_eq!(next(60, None, 300), at(420), "no longer than two minutes");
        assert_eq!(next(1, Some(300), 10), at(310), "as long as asked");
        assert_eq!(next(60, Some(3_600), 800), at(900), "never beyond patience");
    }

    #[test]
    fn only_what_may_pass_is_tried_again_and_only_until_patience_ends() {
        let job = claimed(40, OnProviderFailure::Error);
        assert!(job.will_retry(&unavailable(None), at(899)));
        assert!(!job.will_retry(&unavailable(None), at(900)));
        assert!(!job.will_retry(&AiError::Refused("no".to_owned()), at(0)));
        assert!(!job.will_retry(&AiError::BudgetExceeded("no".to_owned()), at(0)));
    }

    #[test]
    fn patience_counts_tries_and_not_the_times_that_nobody_was_asked() {
        let left_alone = AiError::LeftAlone {
            retry_after: Duration::from_mins(1),
        };
        let untried = having_tried(40, 0, OnProviderFailure::Error);
        assert!(
            untried.will_retry(&left_alone, at(901)),
            "nobody was ever asked"
        );
        assert!(
            untried.will_retry(&unavailable(None), at(901)),
            "this was the first try"
        );
        assert!(
            !untried.will_retry(&left_alone, at(3_600)),
            "and not for ever"
        );
        let tried = having_tried(40, 3, OnProviderFailure::Error);
        assert!(!tried.will_retry(&left_alone, at(901)));
        assert!(
            !having_tried(40, 2, OnProviderFailure::Error).will_retry(&unavailable(None), at(901))
        );
    }

    #[test]
    fn who_has_tried_least_comes_back_first_to_a_model_that_is_left_alone() {
        let left_alone = AiError::LeftAlone {
            retry_after: Duration::from_mins(1),
        };
        let next = |tries| {
            let job = having_tried(9, tries, OnProviderFailure::Error);
            job.next_try(&left_alone, at(0))
        };
        assert_eq!(next(0), at(60));
        assert!(next(0) < next(1) && next(1) < next(2));
        assert_eq!(next(1_000), at(70), "no more than ten seconds behind");
    }

    #[test]
    fn the_built_in_engine_stands_in_where_wanted_after_the_last_try_and_never_for_a_budget() {
        let wanted = having_tried(1, 3, OnProviderFailure::BuiltIn);
        let refused = AiError::Refused("no".to_owned());
        assert!(wanted.falls_back_after(&refused, at(0)));
        assert!(!wanted.falls_back_after(&unavailable(None), at(0)));
        assert!(wanted.falls_back_after(&unavailable(None), at(900)));
        assert!(!wanted.falls_back_after(&AiError::BudgetExceeded("no".to_owned()), at(0)));
        let unwanted = claimed(1, OnProviderFailure::Error);
        assert!(!unwanted.falls_back_after(&refused, at(0)));
    }

    #[test]
    fn a_result_says_that_the_built_in_engine_stood_in() {
        let job = claimed(1, OnProviderFailure::BuiltIn);
        assert_eq!(job.labelled(json!({"units": 1})), json!({"units": 1}));
        job.failure.set("provider_refused").unwrap();
        assert_eq!(
            job.labelled(json!({"units": 1})),
            json!({"units": 1, "provider_failed": "provider_refused"})
        );
    }
}
