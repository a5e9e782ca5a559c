//! Generations: content that AI is making.

use serde_json::{Value, json};

use crate::drafting::generation_steps::{GenerationStep, StepCost, StepStatus, spent};
use crate::ids::{GenerationId, WorkspaceId};
use crate::money::MicroUsd;
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{Stamp, Timestamp, Words};

words!(
    /// What is being made.
    GenerationKind {
        /// Units, lessons, activities and assignments of a course.
        Syllabus = "syllabus",
        /// Lessons of a unit.
        Unit = "unit",
        /// The text of a lesson.
        Lesson = "lesson",
        /// Activities of a lesson.
        Activities = "activities",
        /// The content of an activity.
        Activity = "activity",
    }
);

words!(
    /// How much of a course a syllabus is.
    SyllabusContent {
        /// The plan: lessons as outlines.
        Outline = "outline",
        /// The whole course: texts of all lessons, contents of all activities.
        Full = "full",
    }
);

words!(
    /// What happens to content that is already there.
    SyllabusMode {
        /// It stays, the new comes after it.
        Append = "append",
        /// It goes.
        Replace = "replace",
    }
);

/// What a generation may spend, over all steps and attempts; a member that is absent sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GenerationBudget {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: Option<MicroUsd>,
}

impl GenerationBudget {
    /// Whether nothing is limited.
    pub const fn is_unlimited(self) -> bool {
        self.tokens.is_none() && self.cost.is_none()
    }

    /// What is left after this was spent. Calls whose price nobody knows cannot be counted in money.
    #[must_use]
    pub fn minus(self, spent: StepCost) -> Self {
        let money = spent.cost.unwrap_or_default();
        Self {
            tokens: self
                .tokens
                .map(|limit| limit.saturating_sub(spent.tokens())),
            cost: self.cost.map(|limit| limit.minus(money)),
        }
    }

    /// As a member of a generation's request; dollars in whole millionths.
    pub fn to_json(self) -> Value {
        let micro_usd = self.cost.map(MicroUsd::millionths);
        json!({"tokens": self.tokens, "micro_usd": micro_usd})
    }

    /// Of a generation's request; no limit where none was written.
    pub fn of_request(request: &Value) -> Self {
        let number = |member: &str| request.get("budget")?.get(member)?.as_u64();
        Self {
            tokens: number("tokens"),
            cost: number("micro_usd").map(MicroUsd::new),
        }
    }
}

/// Where a generation is: pending → ready | error | canceled; error → pending.
#[derive(Debug, Clone, PartialEq)]
pub enum GenerationState {
    /// Under way.
    Pending {
        /// When it will probably be done.
        estimated_ready_at: Timestamp,
    },
    /// Done; the document says what was made.
    Ready(Value),
    /// Failed for good.
    Error {
        /// Such as `ai_provider_error`.
        code: String,
        /// For a person.
        message: String,
    },
    /// Called off.
    Canceled,
}

impl GenerationState {
    /// The state in a word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Pending { .. } => "pending",
            Self::Ready(_) => "ready",
            Self::Error { .. } => "error",
            Self::Canceled => "canceled",
        }
    }
}

impl Words for GenerationState {
    fn words() -> Vec<&'static str> {
        vec!["pending", "ready", "error", "canceled"]
    }
}

/// Content that AI is making.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: GenerationId,
    /// What is being made.
    pub kind: GenerationKind,
    /// Kind of the thing it is made for, such as `course`.
    pub target_object: String,
    /// Id of the thing it is made for.
    pub target_id: String,
    /// What was asked: brief, hours, mode.
    pub request: Value,
    /// Where it is.
    pub state: GenerationState,
    /// Steps done.
    pub completed: u32,
    /// Steps there are.
    pub total: u32,
    /// Tokens read so far.
    pub tokens_in: u64,
    /// Tokens written so far.
    pub tokens_out: u64,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Generation {
    /// Whether what comes of it waits for a person, piece by piece, and changes nothing by itself.
    pub fn is_reviewed(&self) -> bool {
        let review = self.request.get("review").and_then(Value::as_bool);
        review.unwrap_or(false)
    }

    /// pending → ready
    pub fn finish(&mut self, result: Value, now: Timestamp) -> Result<(), InvalidTransition> {
        self.leave_pending("be finished")?;
        self.state = GenerationState::Ready(result);
        self.completed = self.total;
        self.stamp.touch(now);
        Ok(())
    }

    /// pending → error
    pub fn fail(
        &mut self,
        code: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        self.leave_pending("fail")?;
        self.state = GenerationState::Error {
            code: code.to_owned(),
            message: message.to_owned(),
        };
        self.stamp.touch(now);
        Ok(())
    }

    /// pending → canceled
    pub fn cancel(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        self.leave_pending("be canceled")?;
        self.state = GenerationState::Canceled;
        self.stamp.touch(now);
        Ok(())
    }

    /// error → pending
    pub fn retry(
        &mut self,
        estimated_ready_at: Timestamp,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        match self.state {
            GenerationState::Error { .. } => {
                self.state = GenerationState::Pending { estimated_ready_at };
            }
            GenerationState::Pending { .. }
            | GenerationState::Ready(_)
            | GenerationState::Canceled => return Err(self.cannot("be retried")),
        }
        self.stamp.touch(now);
        Ok(())
    }

    /// Counts its steps: those done never become fewer, and those there are only become more.
    pub fn count_steps(&mut self, steps: &[GenerationStep], now: Timestamp) {
        let planned = steps.iter().filter(|step| !step.key.is_second());
        let (mut done, mut all) = (0, 0);
        for step in planned {
            all += 1;
            done += u32::from(step.status == StepStatus::Ready);
        }
        self.total = self.total.max(all);
        self.completed = self.completed.max(done);
        let spent = spent(steps);
        self.tokens_in = spent.tokens_in;
        self.tokens_out = spent.tokens_out;
        self.stamp.touch(now);
    }

    fn leave_pending(&self, action: &'static str) -> Result<(), InvalidTransition> {
        match self.state {
            GenerationState::Pending { .. } => Ok(()),
            GenerationState::Ready(_)
            | GenerationState::Error { .. }
            | GenerationState::Canceled => Err(self.cannot(action)),
        }
    }

    const fn cannot(&self, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "generation",
            from: self.state.as_str(),
            action,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use crate::drafting::generation_steps::StepKey;
    use uuid::Uuid;

    fn pending() -> Generation {
        let now = Timestamp::from_unix_millis(0);
        Generation {
            workspace_id: Id::from_uuid(Uuid::nil()),
            id: Id::from_uuid(Uuid::nil()),
            kind: GenerationKind::Syllabus,
            target_object: "course".into(),
            target_id: String::new(),
            request: Value::Null,
            state: GenerationState::Pending {
                estimated_ready_at: now,
            },
            completed: 0,
            total: 1,
            tokens_in: 0,
            tokens_out: 0,
            stamp: Stamp::new(now),
        }
    }

    #[test]
    fn steps_done_never_become_fewer_and_second_goes_do_not_count() {
        let now = Timestamp::from_unix_millis(1);
        let mut generation = pending();
        let (workspace, id) = (generation.workspace_id, generation.id);
        let step = |key: StepKey| GenerationStep::planned(workspace, id, key, 0, now);
        let mut done = step(StepKey::outline());
        let cost = StepCost {
            tokens_in: 7,
            tokens_out: 2,
            ..StepCost::NONE
        };
        done.answer("m", "p", cost, now);
        let mut second = step(StepKey::activity(0, 0, 0).again());
        second.answer("m", "p", cost, now);
        let steps = [done, step(StepKey::lesson(0, 0)), second];
        generation.count_steps(&steps, now);
        assert_eq!((generation.completed, generation.total), (1, 2));
        assert_eq!((generation.tokens_in, generation.tokens_out), (14, 4));
        generation.count_steps(&[], now);
        assert_eq!((generation.completed, generation.total), (1, 2));
    }

    #[test]
    fn a_budget_shrinks_by_what_was_spent() {
        let budget = GenerationBudget {
            tokens: Some(100),
            cost: Some(MicroUsd::new(5)),
        };
        let request = json!({"budget": budget.to_json()});
        assert_eq!(GenerationBudget::of_request(&request), budget);
        let unlimited = GenerationBudget::of_request(&json!({"brief": "x"}));
        assert!(unlimited.is_unlimited() && !budget.is_unlimited());
        let spent = StepCost {
            tokens_in: 60,
            tokens_out: 30,
            cost: Some(MicroUsd::new(9)),
            latency_ms: 1,
        };
        let left = budget.minus(spent);
        assert_eq!((left.tokens, left.cost), (Some(10), Some(MicroUsd::ZERO)));
        assert_eq!(unlimited.minus(spent), unlimited);
    }

    #[test]
    fn every_move_is_legal_from_its_state_only() {
        let now = Timestamp::from_unix_millis(0);
        let states = [
            GenerationState::Pending {
                estimated_ready_at: now,
            },
            GenerationState::Ready(Value::Null),
            GenerationState::Error {
                code: String::new(),
                message: String::new(),
            },
            GenerationState::Canceled,
        ];
        for state in states {
            let name = state.as_str();
            let generation = Generation { state, ..pending() };
            assert_eq!(
                generation.clone().finish(Value::Null, now).is_ok(),
                name == "pending"
            );
            assert_eq!(
                generation.clone().fail("c", "m", now).is_ok(),
                name == "pending"
            );
            assert_eq!(generation.clone().cancel(now).is_ok(), name == "pending");
            assert_eq!(generation.clone().retry(now, now).is_ok(), name == "error");
        }
    }
}
