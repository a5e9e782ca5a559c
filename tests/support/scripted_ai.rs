//! An AI that says what a test wrote for it, and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_ai::Builtin;
use lyceum_domain::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grades::{CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::json::JsonObject;
use lyceum_domain::points::Points;
use lyceum_domain::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::tutor::{TutorProposal, TutorTask};
use lyceum_ports::ai::{
    AiError, AiProvider, Answered, QuizTask, ResolvedModel, Speech, SpeechTask, Usage,
};
use lyceum_ports::ai_calls::Meter;

/// What the AI does on one call.
#[derive(Debug, Clone)]
pub enum Scripted {
    /// Nobody answers; when to come back, if the provider says so.
    Unavailable(Option<Duration>),
    /// It will not do it.
    Refused,
    /// It answers with something that cannot be used.
    InvalidOutput,
    /// It proposes these grades.
    Grade(GradeProposal),
    /// It says this to a learner.
    Tutor(TutorProposal),
}

/// A model that a remote one may not be asked for.
pub const UNKNOWN_MODEL: &str = "unknown-model";

/// Follows its script; once that is over, it is the built-in engine.
#[derive(Default)]
pub struct ScriptedAi {
    remote: bool,
    script: Mutex<VecDeque<Scripted>>,
    graded: Mutex<Vec<GradingTask>>,
    drafted: Mutex<Vec<SyllabusBrief>>,
    units: Mutex<Vec<UnitTask>>,
    lessons: Mutex<Vec<LessonTask>>,
    activities: Mutex<Vec<ActivitiesTask>>,
    explained: Mutex<Vec<ExplanationTask>>,
    tutored: Mutex<Vec<TutorTask>>,
}

impl ScriptedAi {
    /// An AI with this script.
    pub fn new(script: impl IntoIterator<Item = Scripted>) -> Arc<Self> {
        Arc::new(Self {
            script: Mutex::new(script.into_iter().collect()),
            ..Self::default()
        })
    }

    /// The same, as a provider far away: it may be asked for any model but [`UNKNOWN_MODEL`].
    pub fn remote(script: impl IntoIterator<Item = Scripted>) -> Arc<Self> {
        Arc::new(Self {
            remote: true,
            script: Mutex::new(script.into_iter().collect()),
            ..Self::default()
        })
    }

    /// What it was asked to grade so far.
    pub fn graded(&self) -> Vec<GradingTask> {
        locked(&self.graded).clone()
    }

    /// What it was asked to draft so far.
    pub fn drafted(&self) -> Vec<SyllabusBrief> {
        locked(&self.drafted).clone()
    }

    /// The units it was asked to draft lessons for so far.
    pub fn units(&self) -> Vec<UnitTask> {
        locked(&self.units).clone()
    }

    /// The lessons it was asked to write so far.
    pub fn lessons(&self) -> Vec<LessonTask> {
        locked(&self.lessons).clone()
    }

    /// The activities it was asked for so far.
    pub fn activities(&self) -> Vec<ActivitiesTask> {
        locked(&self.activities).clone()
    }

    /// The grades it was asked to explain so far.
    pub fn explained(&self) -> Vec<ExplanationTask> {
        locked(&self.explained).clone()
    }

    /// What it was asked as a tutor so far.
    pub fn tutored(&self) -> Vec<TutorTask> {
        locked(&self.tutored).clone()
    }

    fn next(&self) -> Option<Scripted> {
        locked(&self.script).pop_front()
    }
}

#[async_trait]
impl AiProvider for ScriptedAi {
    fn default_model(&self) -> String {
        Builtin.default_model()
    }

    fn resolve(&self, model: &str) -> Option<ResolvedModel> {
        if !self.remote {
            return Builtin.resolve(model);
        }
        let model = if model.is_empty() { "scripted" } else { model };
        (model != UNKNOWN_MODEL).then(|| ResolvedModel {
            model: model.to_owned(),
            built_in: false,
            grading_version: "script-1".to_owned(),
        })
    }

    fn speaks(&self) -> bool {
        false
    }

    async fn answer_quiz(
        &self,
        task: QuizTask,
        meter: &Meter,
    ) -> Result<Answered<JsonObject>, AiError> {
        Builtin.answer_quiz(task, meter).await
    }

    async fn speak(&self, task: SpeechTask, meter: &Meter) -> Result<Answered<Speech>, AiError> {
        Builtin.speak(task, meter).await
    }

    async fn draft_syllabus(
        &self,
        brief: SyllabusBrief,
        meter: &Meter,
    ) -> Result<Answered<SyllabusDraft>, AiError> {
        locked(&self.drafted).push(brief.clone());
        match self.next() {
            None => Builtin.draft_syllabus(brief, meter).await,
            Some(Scripted::Grade(_) | Scripted::Tutor(_)) => {
                panic!("the script has something else where a syllabus is asked")
            }
            Some(failure) => Err(error(&failure)),
        }
    }

    async fn draft_unit(
        &self,
        task: UnitTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<LessonDraft>>, AiError> {
        locked(&self.units).push(task.clone());
        match self.next() {
            None => Builtin.draft_unit(task, meter).await,
            Some(failure) => Err(error(&failure)),
        }
    }

    async fn draft_lesson(
        &self,
        task: LessonTask,
        meter: &Meter,
    ) -> Result<Answered<LessonDraft>, AiError> {
        locked(&self.lessons).push(task.clone());
        match self.next() {
            None => Builtin.draft_lesson(task, meter).await,
            Some(failure) => Err(error(&failure)),
        }
    }

    async fn draft_activities(
        &self,
        task: ActivitiesTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError> {
        locked(&self.activities).push(task.clone());
        match self.next() {
            None => Builtin.draft_activities(task, meter).await,
            Some(failure) => Err(error(&failure)),
        }
    }

    async fn grade(
        &self,
        task: GradingTask,
        meter: &Meter,
    ) -> Result<Answered<GradeProposal>, AiError> {
        locked(&self.graded).push(task.clone());
        match self.next() {
            None => Builtin.grade(task, meter).await,
            Some(Scripted::Grade(value)) => Ok(scripted(value)),
            Some(failure) => Err(error(&failure)),
        }
    }

    async fn explain_grade(
        &self,
        task: ExplanationTask,
        meter: &Meter,
    ) -> Result<Answered<ExplanationProposal>, AiError> {
        locked(&self.explained).push(task.clone());
        match self.next() {
            None => Builtin.explain_grade(task, meter).await,
            Some(failure) => Err(error(&failure)),
        }
    }

    async fn tutor(
        &self,
        task: TutorTask,
        meter: &Meter,
    ) -> Result<Answered<TutorProposal>, AiError> {
        locked(&self.tutored).push(task.clone());
        match self.next() {
            None => Builtin.tutor(task, meter).await,
            Some(Scripted::Tutor(value)) => Ok(scripted(value)),
            Some(failure) => Err(error(&failure)),
        }
    }
}

fn scripted<T>(value: T) -> Answered<T> {
    Answered {
        value,
        model_asked: "scripted".to_owned(),
        model: "scripted".to_owned(),
        prompt_version: "script-1".to_owned(),
        raw: "{}".to_owned(),
        usage: Usage {
            tokens_in: 11,
            tokens_out: 7,
            tokens_cached: 0,
        },
        cost: None,
        latency: Duration::from_millis(1),
    }
}

fn error(failure: &Scripted) -> AiError {
    match failure {
        Scripted::Unavailable(retry_after) => AiError::Unavailable {
            reason: "the line is busy".to_owned(),
            retry_after: *retry_after,
        },
        Scripted::Refused => AiError::Refused("not this".to_owned()),
        Scripted::InvalidOutput | Scripted::Grade(_) | Scripted::Tutor(_) => {
            AiError::InvalidOutput("nothing of use in it".to_owned())
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A grade to propose: per criterion its id, its points and a passage of the submission.
pub fn proposal(criteria: &[(&str, u16, &str)]) -> Scripted {
    let criterion = |&(id, points, quote): &(&str, u16, &str)| CriterionProposal {
        criterion_id: id.to_owned(),
        level_id: None,
        points: Points::whole(points),
        rationale: format!("Because of {quote}"),
        quotes: vec![(quote.to_owned(), 1)],
        confidence: Some(80),
        missing: Vec::new(),
        not_judged: None,
    };
    Scripted::Grade(GradeProposal {
        criteria: criteria.iter().map(criterion).collect(),
        feedback: "Well done".to_owned(),
        flags: Vec::new(),
    })
}
