//! Steps of a generation: what AI is asked for one by one, each kept as soon as it is there.
//!
//! A step that is finished is never asked for again: not after a crash, not by a retry, and not by the next
//! generation of the same target, as long as nobody has what came of it. What it took stays on record.

use std::fmt;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::authoring::quiz_checks::TakenQuiz;
use crate::authoring::rubric::canonical;
use crate::drafting::speech::SpokenPiece;
use crate::drafting::support::ReadSentence;
use crate::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusDraft};
use crate::hex;
use crate::ids::{GenerationId, WorkspaceId};
use crate::money::MicroUsd;
use crate::words::words;
use crate::{InvalidValue, Timestamp};

/// Names a step within its generation: `outline`, `unit/2`, `lesson/1.3`, `support/1.3`, `activity/1.3.1`,
/// `check/1.3.1`, `speech/1.3.1/4`; counted from 1, as people count. A second go at the same thing ends in `#2`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepKey(String);

/// What marks a second go.
const AGAIN: &str = "#2";

impl StepKey {
    /// The plan of a course.
    pub fn outline() -> Self {
        Self("outline".to_owned())
    }

    /// The lessons of one unit of a long course; the index counts from 0.
    pub fn unit(unit: usize) -> Self {
        Self(format!("unit/{}", unit + 1))
    }

    /// The text of a lesson; indexes count from 0.
    pub fn lesson(unit: usize, lesson: usize) -> Self {
        Self(format!("lesson/{}.{}", unit + 1, lesson + 1))
    }

    /// The content of an activity; indexes count from 0.
    pub fn activity(unit: usize, lesson: usize, activity: usize) -> Self {
        Self(format!(
            "activity/{}.{}.{}",
            unit + 1,
            lesson + 1,
            activity + 1
        ))
    }

    /// The lessons of a unit, where nothing else is asked for.
    pub fn lessons() -> Self {
        Self("lessons".to_owned())
    }

    /// The text of a lesson, where nothing else is asked for.
    pub fn only_lesson() -> Self {
        Self("lesson".to_owned())
    }

    /// Activities of a lesson, where nothing else is asked for.
    pub fn activities() -> Self {
        Self("activities".to_owned())
    }

    /// One of several activities; the index counts from 0.
    pub fn one_activity(index: usize) -> Self {
        Self(format!("activity/{}", index + 1))
    }

    /// The check of the quiz that this step drafted.
    #[must_use]
    pub fn check(&self) -> Self {
        Self(format!("check/{}", self.place()))
    }

    /// The look for support in the source of the lesson that this step wrote.
    #[must_use]
    pub fn support(&self) -> Self {
        Self(format!("support/{}", self.place()))
    }

    /// A piece of the script that this step drafted, spoken; the index counts from 0.
    #[must_use]
    pub fn speech(&self, piece: usize) -> Self {
        Self(format!("speech/{}/{}", self.place(), piece + 1))
    }

    /// What stands behind the first `/`; the whole key where there is none.
    pub fn place(&self) -> &str {
        let parts = self.0.split_once('/');
        parts.map_or(self.as_str(), |(_, place)| place)
    }

    /// A second go at the same thing.
    #[must_use]
    pub fn again(&self) -> Self {
        Self(format!("{}{AGAIN}", self.0))
    }

    /// Whether it is a second go. Nobody plans for those, so progress does not count them.
    pub fn is_second(&self) -> bool {
        self.0.ends_with(AGAIN)
    }

    /// Reads a key as it is stored.
    ///
    /// # Errors
    /// [`InvalidValue`] if it is blank.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        if text.trim().is_empty() {
            return Err(InvalidValue::new("must not be blank"));
        }
        Ok(Self(text.to_owned()))
    }

    /// The key.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StepKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

words!(
    /// Where a step is.
    StepStatus {
        /// To be asked for, or asked for and to be asked again.
        Pending = "pending",
        /// Done.
        Ready = "ready",
        /// Failed; it is asked for again when the generation is retried.
        Error = "error",
    }
);

/// What a call took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepCost {
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Money, where prices are known.
    pub cost: Option<MicroUsd>,
    /// Milliseconds, over all tries.
    pub latency_ms: u64,
}

impl StepCost {
    /// Nothing.
    pub const NONE: Self = Self {
        tokens_in: 0,
        tokens_out: 0,
        cost: Some(MicroUsd::ZERO),
        latency_ms: 0,
    };

    /// Both together; a cost is known if both are.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens_in: self.tokens_in.saturating_add(other.tokens_in),
            tokens_out: self.tokens_out.saturating_add(other.tokens_out),
            cost: self.cost.zip(other.cost).map(|(one, two)| one + two),
            latency_ms: self.latency_ms.saturating_add(other.latency_ms),
        }
    }

    /// Tokens read and written.
    pub const fn tokens(self) -> u64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum StepResult {
    /// A plan of a course.
    Syllabus(SyllabusDraft),
    /// Lessons of a unit.
    Lessons(Vec<LessonDraft>),
    /// The text of a lesson.
    Lesson(LessonDraft),
    /// Activities of a lesson.
    Activities(Vec<ActivityDraft>),
    /// Answers to a quiz; none where nobody would give any.
    Answers(Option<TakenQuiz>),
    /// How the sentences of a lesson stand to its source; none where nobody would say.
    Support(Option<Vec<ReadSentence>>),
    /// A piece of a script, spoken.
    Speech(SpokenPiece),
}

/// Something that a step can result in.
pub trait Outcome: Sized {
    /// Wraps it up.
    fn into_result(self) -> StepResult;
    /// Unwraps it, if it is of this kind.
    fn from_result(result: StepResult) -> Option<Self>;
}

macro_rules! outcome {
    ($variant:ident, $type:ty) => {
        impl Outcome for $type {
            fn into_result(self) -> StepResult {
                StepResult::$variant(self)
            }

            fn from_result(result: StepResult) -> Option<Self> {
                match result {
                    StepResult::$variant(value) => Some(value),
                    _ => None,
                }
            }
        }
    };
}

outcome!(Syllabus, SyllabusDraft);
outcome!(Lessons, Vec<LessonDraft>);
outcome!(Lesson, LessonDraft);
outcome!(Activities, Vec<ActivityDraft>);
outcome!(Answers, Option<TakenQuiz>);
outcome!(Support, Option<Vec<ReadSentence>>);
outcome!(Speech, SpokenPiece);

/// A step and what it took so far; what came of it is kept beside it until it has landed.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerationStep {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// The generation.
    pub generation_id: GenerationId,
    /// Which step.
    pub key: StepKey,
    /// Its place among the steps.
    pub position: u32,
    /// Where it is.
    pub status: StepStatus,
    /// What it was asked with, see [`task_hash`]; empty before.
    pub task_hash: String,
    /// The model that answered.
    pub model: Option<String>,
    /// Version of the prompt or algorithm.
    pub prompt_version: Option<String>,
    /// What it took, over all attempts.
    pub cost: StepCost,
    /// How often AI was asked; 0 where the result was taken over from a generation that came to nothing.
    pub attempts: u32,
    /// When it was planned.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl GenerationStep {
    /// One that is still to be asked for.
    pub const fn planned(
        workspace_id: WorkspaceId,
        generation_id: GenerationId,
        key: StepKey,
        position: u32,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            generation_id,
            key,
            position,
            status: StepStatus::Pending,
            task_hash: String::new(),
            model: None,
            prompt_version: None,
            cost: StepCost::NONE,
            attempts: 0,
            created_at: now,
            updated_at: now,
        }
    }

    /// Notes that AI was asked and answered.
    pub fn answer(&mut self, model: &str, prompt_version: &str, cost: StepCost, now: Timestamp) {
        self.status = StepStatus::Ready;
        self.model = Some(model.to_owned());
        self.prompt_version = Some(prompt_version.to_owned());
        self.spend(cost, now);
    }

    /// Notes that AI was asked in vain; for good, or to be asked once more.
    pub fn fail(&mut self, for_good: bool, cost: StepCost, now: Timestamp) {
        self.status = if for_good {
            StepStatus::Error
        } else {
            StepStatus::Pending
        };
        self.spend(cost, now);
    }

    /// Takes over what the same step of another generation came to, for nothing.
    pub fn take_over(&mut self, other: &Self, now: Timestamp) {
        self.status = StepStatus::Ready;
        self.task_hash.clone_from(&other.task_hash);
        self.model.clone_from(&other.model);
        self.prompt_version.clone_from(&other.prompt_version);
        self.updated_at = now;
    }

    /// A failed one is to be asked for again; whether it was one.
    pub fn reopen(&mut self, now: Timestamp) -> bool {
        let failed = self.status == StepStatus::Error;
        if failed {
            self.status = StepStatus::Pending;
            self.updated_at = now;
        }
        failed
    }

    fn spend(&mut self, cost: StepCost, now: Timestamp) {
        self.cost = self.cost.plus(cost);
        self.attempts = self.attempts.saturating_add(1);
        self.updated_at = now;
    }
}

/// What all steps took together.
pub fn spent(steps: &[GenerationStep]) -> StepCost {
    steps
        .iter()
        .fold(StepCost::NONE, |sum, step| sum.plus(step.cost))
}

/// SHA-256 of everything a step is asked with, as canonical JSON, in lower-case hex: equal hashes mean that the same
/// answer would do.
pub fn task_hash(key: &StepKey, model: &str, task: &Value) -> String {
    let all = serde_json::json!({"key": key.as_str(), "model": model, "task": task});
    hex::lower(&Sha256::digest(canonical(&all).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use serde_json::json;
    use uuid::Uuid;

    fn step() -> GenerationStep {
        let (nil, now) = (Uuid::nil(), Timestamp::from_unix_millis(0));
        GenerationStep::planned(
            Id::from_uuid(nil),
            Id::from_uuid(nil),
            StepKey::outline(),
            0,
            now,
        )
    }

    fn cost(tokens: u64, cost: Option<u64>) -> StepCost {
        StepCost {
            tokens_in: tokens,
            tokens_out: 1,
            cost: cost.map(MicroUsd::new),
            latency_ms: 5,
        }
    }

    #[test]
    fn keys_count_from_one() {
        let activity = StepKey::activity(0, 2, 1);
        assert_eq!(StepKey::unit(1).as_str(), "unit/2");
        assert_eq!(StepKey::lesson(0, 2).as_str(), "lesson/1.3");
        assert_eq!(activity.as_str(), "activity/1.3.2");
        assert_eq!(activity.check().as_str(), "check/1.3.2");
        assert_eq!(activity.again().check().as_str(), "check/1.3.2#2");
        assert_eq!(
            StepKey::one_activity(0).again().check().as_str(),
            "check/1#2"
        );
        assert_eq!(StepKey::lesson(0, 2).support().as_str(), "support/1.3");
        assert_eq!(StepKey::only_lesson().support().as_str(), "support/lesson");
        assert!(activity.again().is_second() && !activity.is_second());
        assert_eq!(activity.speech(0).as_str(), "speech/1.3.2/1");
        assert!(StepKey::parse(" ").is_err());
    }

    #[test]
    fn what_attempts_took_adds_up_over_failures() {
        let now = Timestamp::from_unix_millis(9);
        let mut step = step();
        step.fail(true, cost(10, Some(3)), now);
        assert_eq!(step.status, StepStatus::Error);
        assert!(step.reopen(now) && !step.reopen(now));
        step.fail(false, cost(10, Some(3)), now);
        assert_eq!(step.status, StepStatus::Pending);
        step.answer("m", "p-1", cost(20, Some(4)), now);
        assert_eq!((step.status, step.attempts), (StepStatus::Ready, 3));
        let all = spent(&[step.clone(), step]);
        assert_eq!(
            (all.tokens(), all.cost, all.latency_ms),
            (86, Some(MicroUsd::new(20)), 30)
        );
    }

    #[test]
    fn a_cost_is_unknown_as_soon_as_one_part_is() {
        assert_eq!(StepCost::NONE.plus(cost(1, None)).cost, None);
    }

    #[test]
    fn what_is_taken_over_costs_nothing() {
        let now = Timestamp::from_unix_millis(9);
        let mut paid = step();
        paid.task_hash = "h".to_owned();
        paid.answer("m", "p-1", cost(20, Some(4)), now);
        let mut taken = step();
        taken.take_over(&paid, now);
        assert_eq!((taken.status, taken.attempts), (StepStatus::Ready, 0));
        assert_eq!((taken.cost, taken.model), (StepCost::NONE, paid.model));
        assert_eq!(taken.task_hash, "h");
    }

    #[test]
    fn a_task_has_one_hash_however_its_members_are_ordered() {
        let key = StepKey::outline();
        let hash = task_hash(&key, "m", &json!({"a": 1, "b": 2}));
        assert_eq!(hash, task_hash(&key, "m", &json!({"b": 2, "a": 1})));
        assert_ne!(hash, task_hash(&key, "other", &json!({"a": 1, "b": 2})));
        assert_ne!(
            hash,
            task_hash(&StepKey::lessons(), "m", &json!({"a": 1, "b": 2}))
        );
        assert_ne!(hash, task_hash(&key, "m", &json!({"a": 2, "b": 1})));
    }

    #[test]
    fn a_result_is_read_as_what_it_is_only() {
        let lessons: Vec<LessonDraft> = Vec::new();
        let kept = lessons.clone().into_result();
        assert_eq!(Vec::<LessonDraft>::from_result(kept.clone()), Some(lessons));
        assert_eq!(Vec::<ActivityDraft>::from_result(kept), None);
    }
}
