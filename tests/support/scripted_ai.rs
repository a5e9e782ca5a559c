//! An AI that says what a test wrote for it, and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_ai::Builtin;
use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::drafting::support::SourceStanding;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::drafting::tutor::{TutorProposal, TutorTask};
use lyceum_domain::grading::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grading::grades::{CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::json::JsonObject;
use lyceum_domain::learning::attempts;
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::{
    AiError, AiProvider, Answered, QuizTask, ResolvedModel, Speech, SpeechTask, SupportTask, Usage,
};
use lyceum_ports::drafting::ai_calls::{AiCall, AiFeature, CallOutcome, Meter};
use lyceum_wire::authoring::activities::as_learners_see;
use serde_json::json;
use tokio::sync::Notify;

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
    /// It does what it does when the script is over.
    Itself,
    /// It answers so many questions of a quiz otherwise than the key says, from the first on.
    WrongAnswers(usize),
    /// It takes the option `b` of a quiz for one that gives itself away.
    Implausible,
    /// It finds so many sentences of a lesson in no passage of its source, from the first on; the first of them is
    /// contradicted.
    Doubts(usize),
}

/// A model that a remote one may not be asked for.
pub const UNKNOWN_MODEL: &str = "unknown-model";

/// Follows its script; once that is over, it is the built-in engine.
#[derive(Default)]
pub struct ScriptedAi {
    remote: bool,
    /// What it passes for, if not for the built-in engine: something that costs and answers quizzes.
    model: Option<&'static str>,
    speaks: bool,
    /// What it writes as the text of every lesson, if not what the built-in engine does.
    lesson_text: Mutex<Option<&'static str>>,
    /// After how many drafts it says nothing any more.
    silent_after: Mutex<Option<usize>>,
    fell_silent: Notify,
    wakes_up: Notify,
    /// Everything that it was asked to draft or to answer, word for word.
    asked: Mutex<Vec<String>>,
    made: Mutex<Vec<ActivityDraft>>,
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

    /// One that passes for a model of that name, takes [`TOKENS`] and [`PRICE`] per call, and answers quizzes right.
    pub fn model(script: impl IntoIterator<Item = Scripted>) -> Arc<Self> {
        Arc::new(Self {
            model: Some("scripted"),
            script: Mutex::new(script.into_iter().collect()),
            ..Self::default()
        })
    }

    /// The same with a voice, see [`tone`]; it plans podcasts for every lesson of a course's first unit.
    pub fn speaking(script: impl IntoIterator<Item = Scripted>) -> Arc<Self> {
        Arc::new(Self {
            model: Some("scripted"),
            speaks: true,
            script: Mutex::new(script.into_iter().collect()),
            ..Self::default()
        })
    }

    /// Has it write this as the text of every lesson.
    pub fn writes(&self, text: &'static str) {
        *locked(&self.lesson_text) = Some(text);
    }

    /// Everything that it was asked to draft or to answer so far, word for word.
    pub fn asked(&self) -> Vec<String> {
        locked(&self.asked).clone()
    }

    /// After this many drafts and answers, or grades, it says nothing: whoever asks waits. `None` ends that for whoever asks next.
    pub fn fall_silent_after(&self, calls: Option<usize>) {
        *locked(&self.silent_after) = calls;
    }

    /// Answers those who wait.
    pub fn wake_up(&self) {
        self.wakes_up.notify_waiters();
    }

    /// Waits until somebody waits.
    pub async fn fell_silent(&self) {
        self.fell_silent.notified().await;
    }

    /// Before a draft: whether it is made at all.
    async fn called(&self, task: String, meter: &Meter) -> Result<(), AiError> {
        let called = self.called_for(AiFeature::Drafting, task, meter);
        called.await.map(drop)
    }

    /// Before a draft or an answer: whether it is made at all, and how.
    async fn called_for(
        &self,
        feature: AiFeature,
        task: String,
        meter: &Meter,
    ) -> Result<Scripted, AiError> {
        if self.model.is_some() {
            meter.admit(TOKENS, Some(PRICE))?;
        }
        let before = {
            let mut asked = locked(&self.asked);
            asked.push(task);
            asked.len() - 1
        };
        self.answers_after(before).await;
        let next = self.next().unwrap_or(Scripted::Itself);
        if self.model.is_some() {
            meter.record(call(feature, &next));
        }
        match next {
            Scripted::Itself
            | Scripted::WrongAnswers(_)
            | Scripted::Implausible
            | Scripted::Doubts(_) => Ok(next),
            failure @ (Scripted::Unavailable(_)
            | Scripted::Refused
            | Scripted::InvalidOutput
            | Scripted::Grade(_)
            | Scripted::Tutor(_)) => Err(error(&failure)),
        }
    }

    /// Waits where it says nothing after so many calls of this sort.
    async fn answers_after(&self, before: usize) {
        let silent = *locked(&self.silent_after);
        if silent.is_some_and(|calls| before >= calls) {
            self.fell_silent.notify_one();
            self.wakes_up.notified().await;
        }
    }

    /// An answer of the built-in engine, as that of the model it passes for.
    fn passed_for<T>(&self, answered: Answered<T>) -> Answered<T> {
        let Some(model) = self.model else {
            return answered;
        };
        Answered {
            model_asked: model.to_owned(),
            model: format!("{model}-1"),
            prompt_version: "script-1".to_owned(),
            usage: TOKENS,
            cost: Some(PRICE),
            latency: Duration::from_millis(3),
            ..answered
        }
    }

    /// Right answers to a quiz of its own, but for what the script says.
    fn answers(&self, task: &QuizTask, script: &Scripted) -> TakenQuiz {
        let wrong = if let Scripted::WrongAnswers(wrong) = script {
            *wrong
        } else {
            0
        };
        let made = locked(&self.made).clone();
        let seen = |one: &ActivityDraft| as_learners_see(one.kind, one.content.as_map());
        let quiz = made.into_iter().find(|one| seen(one) == task.quiz).unwrap();
        let none = JsonObject::new();
        let marked = attempts::score(quiz.kind, &quiz.content, Some(&none), None).unwrap();
        let given_away = marked
            .questions
            .iter()
            .filter(|_| matches!(script, Scripted::Implausible))
            .map(|question| (question.question_id.clone(), vec!["b".to_owned()]));
        TakenQuiz {
            implausible: given_away.collect(),
            answers: marked
                .questions
                .into_iter()
                .skip(wrong)
                .map(|question| (question.question_id, question.right_answer))
                .collect(),
        }
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
        self.model
            .map_or_else(|| Builtin.default_model(), str::to_owned)
    }

    fn resolve(&self, model: &str) -> Option<ResolvedModel> {
        let own = if self.remote {
            if model.is_empty() { "scripted" } else { model }
        } else {
            let Some(own) = self.model else {
                // Its script may have been written for any model.
                return Builtin.resolve("").filter(|_| model != UNKNOWN_MODEL);
            };
            own
        };
        let may_be_asked = if self.remote {
            model != UNKNOWN_MODEL
        } else {
            model.is_empty() || model == own
        };
        may_be_asked.then(|| ResolvedModel {
            model: own.to_owned(),
            built_in: false,
            grading_version: "script-1".to_owned(),
        })
    }

    fn speaks(&self) -> bool {
        self.speaks
    }

    async fn answer_quiz(
        &self,
        task: QuizTask,
        meter: &Meter,
    ) -> Result<Answered<TakenQuiz>, AiError> {
        if self.model.is_none() {
            return Builtin.answer_quiz(task, meter).await;
        }
        let script = self.called_for(AiFeature::Checking, format!("{task:?}"), meter);
        let script = script.await?;
        Ok(self.passed_for(scripted(self.answers(&task, &script))))
    }

    async fn check_support(
        &self,
        task: SupportTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<SourceStanding>>, AiError> {
        if self.model.is_none() {
            return Builtin.check_support(task, meter).await;
        }
        let script = self.called_for(AiFeature::Checking, format!("{task:?}"), meter);
        let doubts = if let Scripted::Doubts(doubts) = script.await? {
            doubts
        } else {
            0
        };
        let standing = |at: usize| match at {
            0 if doubts > 0 => SourceStanding::Contradicted,
            at if at < doubts => SourceStanding::Unsupported,
            _ => SourceStanding::Supported,
        };
        let standings = (0..task.sentences.len()).map(standing);
        Ok(self.passed_for(scripted(standings.collect())))
    }

    async fn speak(&self, task: SpeechTask, meter: &Meter) -> Result<Answered<Speech>, AiError> {
        if !self.speaks {
            return Builtin.speak(task, meter).await;
        }
        self.called_for(AiFeature::Speaking, format!("{task:?}"), meter)
            .await?;
        let speech = Speech {
            pcm: tone(&task.text, task.speaker),
            sample_rate: SAMPLE_RATE,
        };
        Ok(self.passed_for(scripted(speech)))
    }

    async fn draft_syllabus(
        &self,
        brief: SyllabusBrief,
        meter: &Meter,
    ) -> Result<Answered<SyllabusDraft>, AiError> {
        locked(&self.drafted).push(brief.clone());
        self.called(format!("{brief:?}"), meter).await?;
        let mut answered = Builtin.draft_syllabus(brief, meter).await?;
        let first = answered.value.units.first_mut();
        let lessons = first.filter(|_| self.speaks).map(|unit| &mut unit.lessons);
        for lesson in lessons.into_iter().flatten() {
            lesson.activities.push(planned_podcast());
        }
        Ok(self.passed_for(answered))
    }

    async fn draft_unit(
        &self,
        task: UnitTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<LessonDraft>>, AiError> {
        locked(&self.units).push(task.clone());
        self.called(format!("{task:?}"), meter).await?;
        let answered = Builtin.draft_unit(task, meter).await?;
        Ok(self.passed_for(answered))
    }

    async fn draft_lesson(
        &self,
        task: LessonTask,
        meter: &Meter,
    ) -> Result<Answered<LessonDraft>, AiError> {
        locked(&self.lessons).push(task.clone());
        self.called(format!("{task:?}"), meter).await?;
        let mut answered = Builtin.draft_lesson(task, meter).await?;
        if let Some(text) = *locked(&self.lesson_text) {
            text.clone_into(&mut answered.value.content);
        }
        Ok(self.passed_for(answered))
    }

    async fn draft_activities(
        &self,
        task: ActivitiesTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError> {
        locked(&self.activities).push(task.clone());
        self.called(format!("{task:?}"), meter).await?;
        let answered = if self.model.is_some() && task.kind == ActivityKind::Quiz {
            scripted(vec![quiz(&task.lesson_name)])
        } else {
            Builtin.draft_activities(task, meter).await?
        };
        locked(&self.made).extend(answered.value.clone());
        Ok(self.passed_for(answered))
    }

    async fn grade(
        &self,
        task: GradingTask,
        meter: &Meter,
    ) -> Result<Answered<GradeProposal>, AiError> {
        let before = {
            let mut graded = locked(&self.graded);
            graded.push(task.clone());
            graded.len() - 1
        };
        self.answers_after(before).await;
        match self.next() {
            None => graded_by_built_in(task, meter).await,
            Some(Scripted::Grade(value)) => Ok(self.passed_for(scripted(value))),
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

/// What the built-in engine says in the place of another grader, whose name stays.
pub async fn graded_by_built_in(
    task: GradingTask,
    meter: &Meter,
) -> Result<Answered<GradeProposal>, AiError> {
    let asked = task.model.clone();
    let own = GradingTask {
        model: String::new(),
        ..task
    };
    let mut answered = Builtin.grade(own, meter).await?;
    if !asked.is_empty() {
        answered.model_asked = asked;
    }
    Ok(answered)
}

/// Something to listen to, still to be written.
fn planned_podcast() -> ActivityDraft {
    ActivityDraft {
        kind: ActivityKind::Podcast,
        name: "Listen".to_owned(),
        content: ActivityContent::stored(JsonObject::new()),
        minutes: 5,
    }
}

/// How high the first speaker's samples are.
pub const TONE: i16 = 1_000;
/// Samples per second of its voice.
pub const SAMPLE_RATE: u32 = 24_000;

/// What it says to a text: ten milliseconds per character.
pub fn tone(text: &str, speaker: usize) -> Vec<u8> {
    let height = TONE * i16::try_from(speaker + 1).unwrap();
    let samples = text.chars().count() * 240;
    height.to_le_bytes().repeat(samples)
}

/// A quiz of four questions, the last of them a choice.
fn quiz(lesson: &str) -> ActivityDraft {
    let question = |n: usize| json!({"id": format!("q{n}"), "type": "true_false", "prompt": format!("{lesson} {n}?"), "answer": true});
    let mut questions: Vec<_> = (1..=3).map(question).collect();
    questions.push(json!({"id": "q4", "type": "single_choice", "prompt": format!("{lesson} 4?"), "options": [
        {"id": "a", "text": "Ice", "correct": true}, {"id": "b", "text": "Lava"}, {"id": "c", "text": "Air"},
    ]}));
    let content = json!({"questions": questions});
    let content = content.as_object().cloned().unwrap_or_default();
    ActivityDraft {
        kind: ActivityKind::Quiz,
        name: format!("Quiz: {lesson}"),
        content: ActivityContent::parse(ActivityKind::Quiz, content).unwrap(),
        minutes: 10,
    }
}

/// What a call to what passes for a model takes.
pub const TOKENS: Usage = Usage {
    tokens_in: 11,
    tokens_out: 7,
    tokens_cached: 0,
};

/// What it costs.
pub const PRICE: MicroUsd = MicroUsd::new(250);

fn call(feature: AiFeature, scripted: &Scripted) -> AiCall {
    let outcome = match scripted {
        Scripted::Unavailable(_) => CallOutcome::Unavailable,
        Scripted::Refused => CallOutcome::Refused,
        Scripted::InvalidOutput | Scripted::Grade(_) | Scripted::Tutor(_) => CallOutcome::Invalid,
        Scripted::Itself
        | Scripted::WrongAnswers(_)
        | Scripted::Implausible
        | Scripted::Doubts(_) => CallOutcome::Answered,
    };
    AiCall {
        reservation: None,
        feature,
        host: "ai.test".to_owned(),
        model_asked: "scripted".to_owned(),
        model: None,
        request_id: None,
        usage: TOKENS,
        estimated: false,
        cost: Some(PRICE),
        latency: Duration::from_millis(3),
        outcome,
        sent: vec!["brief"],
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
        Scripted::InvalidOutput
        | Scripted::Grade(_)
        | Scripted::Tutor(_)
        | Scripted::Itself
        | Scripted::WrongAnswers(_)
        | Scripted::Implausible
        | Scripted::Doubts(_) => AiError::InvalidOutput("nothing of use in it".to_owned()),
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
