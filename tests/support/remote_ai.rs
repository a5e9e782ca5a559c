//! An AI that is somebody else's: it costs, can be away, can refuse and can hang. What it answers is what the built-in
//! engine would; what it is asked for under the built-in engine's name, that engine answers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_ai::Builtin;
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::drafting::support::SourceStanding;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::drafting::tutor::{TutorProposal, TutorTask};
use lyceum_domain::grading::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grading::grades::{GradeProposal, GradingTask};
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::{
    AiError, AiProvider, Answered, BUILT_IN, QuizTask, ResolvedModel, Speech, SpeechTask,
    SupportTask, Usage,
};
use lyceum_ports::drafting::ai_calls::{AiCall, AiFeature, CallOutcome, Meter};
use tokio::sync::Semaphore;

use crate::scripted_ai::graded_by_built_in;

/// Name of the model.
pub const MODEL: &str = "remote-1";
/// Tokens that each call takes: 90 read, 10 written.
pub const TOKENS: u64 = 100;
/// What each call costs, in millionths of a dollar.
pub const COST: u64 = 2_000;

/// How the provider is today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    /// It answers.
    Fine,
    /// Nobody answers; when to come back, if it says so.
    Away(Option<Duration>),
    /// It will not do it.
    Refusing,
    /// It answers with something that cannot be used.
    Babbling,
    /// It says nothing until it is let go.
    Hanging,
}

/// A provider of whom a test says how it is.
pub struct RemoteAi {
    weather: Mutex<Weather>,
    /// How many calls came in.
    calls: AtomicUsize,
    /// How many hang now.
    hanging: AtomicUsize,
    gate: Semaphore,
}

impl RemoteAi {
    /// A provider that is like this.
    pub fn new(weather: Weather) -> Arc<Self> {
        Arc::new(Self {
            weather: Mutex::new(weather),
            calls: AtomicUsize::new(0),
            hanging: AtomicUsize::new(0),
            gate: Semaphore::new(0),
        })
    }

    /// Changes how it is.
    pub fn turn(&self, weather: Weather) {
        *self.weather.lock().unwrap_or_else(PoisonError::into_inner) = weather;
    }

    /// How many calls came in.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// How many calls hang now.
    pub fn hanging(&self) -> usize {
        self.hanging.load(Ordering::SeqCst)
    }

    /// Lets go of everything that hangs or will.
    pub fn let_go(&self) {
        self.turn(Weather::Fine);
        self.gate.add_permits(1_000);
    }

    async fn ask<T, F>(
        &self,
        feature: AiFeature,
        model: &str,
        meter: &Meter,
        answer: F,
    ) -> Result<Answered<T>, AiError>
    where
        F: Future<Output = Result<Answered<T>, AiError>> + Send,
        T: Send,
    {
        if model == BUILT_IN {
            return answer.await;
        }
        let usage = Usage {
            tokens_in: TOKENS - 10,
            tokens_out: 10,
            tokens_cached: 0,
        };
        meter.admit(usage, Some(MicroUsd::new(COST)))?;
        self.calls.fetch_add(1, Ordering::SeqCst);
        let mut weather = *self.weather.lock().unwrap_or_else(PoisonError::into_inner);
        if weather == Weather::Hanging {
            self.hanging.fetch_add(1, Ordering::SeqCst);
            drop(self.gate.acquire().await);
            self.hanging.fetch_sub(1, Ordering::SeqCst);
            weather = Weather::Fine;
        }
        let (outcome, failure) = match weather {
            Weather::Fine | Weather::Hanging => (CallOutcome::Answered, None),
            Weather::Away(retry_after) => {
                let reason = "the line is dead".to_owned();
                let error = AiError::Unavailable {
                    reason,
                    retry_after,
                };
                (CallOutcome::Unavailable, Some(error))
            }
            Weather::Refusing => {
                let error = AiError::Refused("not this".to_owned());
                (CallOutcome::Refused, Some(error))
            }
            Weather::Babbling => {
                let error = AiError::InvalidOutput("nothing of use in it".to_owned());
                (CallOutcome::Invalid, Some(error))
            }
        };
        let answered = outcome != CallOutcome::Unavailable;
        let cost = answered.then_some(MicroUsd::new(COST));
        let usage = if answered { usage } else { Usage::default() };
        meter.record(AiCall {
            reservation: None,
            feature,
            host: "ai.example".to_owned(),
            model_asked: MODEL.to_owned(),
            model: answered.then(|| MODEL.to_owned()),
            request_id: answered.then(|| "req_1".to_owned()),
            usage,
            estimated: false,
            cost,
            latency: Duration::from_millis(5),
            outcome,
            sent: vec!["rubric", "submission_text"],
        });
        match failure {
            Some(error) => Err(error),
            None => answer.await.map(|answered| Answered {
                model_asked: MODEL.to_owned(),
                model: MODEL.to_owned(),
                usage,
                cost,
                ..answered
            }),
        }
    }
}

#[async_trait]
impl AiProvider for RemoteAi {
    fn default_model(&self) -> String {
        MODEL.to_owned()
    }

    fn resolve(&self, model: &str) -> Option<ResolvedModel> {
        if model == BUILT_IN {
            return Builtin.resolve(model);
        }
        Some(ResolvedModel {
            model: MODEL.to_owned(),
            built_in: false,
            grading_version: "remote-grading-1".to_owned(),
        })
    }

    fn speaks(&self) -> bool {
        false
    }

    async fn draft_syllabus(
        &self,
        brief: SyllabusBrief,
        meter: &Meter,
    ) -> Result<Answered<SyllabusDraft>, AiError> {
        let model = brief.model.clone();
        let answer = Builtin.draft_syllabus(brief, meter);
        self.ask(AiFeature::Drafting, &model, meter, answer).await
    }

    async fn draft_unit(
        &self,
        task: UnitTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<LessonDraft>>, AiError> {
        let model = task.frame.model.clone();
        let answer = Builtin.draft_unit(task, meter);
        self.ask(AiFeature::Drafting, &model, meter, answer).await
    }

    async fn draft_lesson(
        &self,
        task: LessonTask,
        meter: &Meter,
    ) -> Result<Answered<LessonDraft>, AiError> {
        let model = task.frame.model.clone();
        let answer = Builtin.draft_lesson(task, meter);
        self.ask(AiFeature::Drafting, &model, meter, answer).await
    }

    async fn draft_activities(
        &self,
        task: ActivitiesTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError> {
        let model = task.frame.model.clone();
        let answer = Builtin.draft_activities(task, meter);
        self.ask(AiFeature::Drafting, &model, meter, answer).await
    }

    async fn grade(
        &self,
        task: GradingTask,
        meter: &Meter,
    ) -> Result<Answered<GradeProposal>, AiError> {
        let model = task.model.clone();
        let answer = graded_by_built_in(task, meter);
        self.ask(AiFeature::Grading, &model, meter, answer).await
    }

    async fn explain_grade(
        &self,
        task: ExplanationTask,
        meter: &Meter,
    ) -> Result<Answered<ExplanationProposal>, AiError> {
        let model = task.model.clone();
        let answer = Builtin.explain_grade(task, meter);
        self.ask(AiFeature::Explaining, &model, meter, answer).await
    }

    async fn tutor(
        &self,
        task: TutorTask,
        meter: &Meter,
    ) -> Result<Answered<TutorProposal>, AiError> {
        let model = task.model.clone();
        let answer = Builtin.tutor(task, meter);
        self.ask(AiFeature::Tutoring, &model, meter, answer).await
    }

    async fn answer_quiz(
        &self,
        task: QuizTask,
        meter: &Meter,
    ) -> Result<Answered<TakenQuiz>, AiError> {
        let model = task.model.clone();
        let answer = Builtin.answer_quiz(task, meter);
        self.ask(AiFeature::Checking, &model, meter, answer).await
    }

    async fn check_support(
        &self,
        task: SupportTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<SourceStanding>>, AiError> {
        let model = task.model.clone();
        let answer = Builtin.check_support(task, meter);
        self.ask(AiFeature::Checking, &model, meter, answer).await
    }

    async fn speak(&self, task: SpeechTask, meter: &Meter) -> Result<Answered<Speech>, AiError> {
        Builtin.speak(task, meter).await
    }
}
