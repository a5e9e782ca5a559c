//! Who is called: an AI provider and webhook receivers, good and bad, and the adapters that call them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::drafting::support::SourceStanding;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::drafting::tutor::{TutorProposal, TutorTask};
use lyceum_domain::grading::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grading::grades::{CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::notifying::deliveries::{Answer, DeliveryOutcome};
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::{
    AiError, AiProvider, Answered, QuizTask, ResolvedModel, Speech, SpeechTask, SupportTask, Usage,
};
use lyceum_ports::drafting::ai_calls::Meter;
use lyceum_ports::notifying::webhook_sink::{AddressRefused, WebhookMessage, WebhookSink};

use crate::faults::Faults;
use crate::machine::Machine;
use crate::trace::Trace;
use crate::wire;

/// How long the adapters wait for an answer, well under a lease or well over.
const AI_PATIENCE: Duration = Duration::from_secs(75);
const SINK_PATIENCE: Duration = Duration::from_secs(15);

const MODEL: &str = "simulated";

/// The provider's side of a call.
pub async fn provide(
    random: Arc<Mutex<fastrand::Rng>>,
    faults: Arc<Faults>,
    asked: String,
    trace: Trace,
) -> Option<String> {
    let mood = if faults.is_calm() {
        0
    } else {
        draw(&random, 0..100)
    };
    trace.note("ai", format!("{asked} (mood {mood})"));
    let points = draw(&random, 0..101);
    match mood {
        0..55 => Some(format!("points {points}")),
        55..70 => {
            // Slow, some of it beyond the caller's patience.
            let seconds = draw(&random, 1..90);
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Some(format!("points {points}"))
        }
        70..80 => Some(format!("busy {}", draw(&random, 1..40))),
        80..84 => Some("refused".to_owned()),
        84..88 => Some("nonsense".to_owned()),
        88..94 => std::future::pending().await,
        _ => None,
    }
}

fn draw(random: &Mutex<fastrand::Rng>, range: std::ops::Range<u64>) -> u64 {
    random
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .u64(range)
}

/// What receivers saw: who, `webhook-id`, body.
#[derive(Default)]
pub struct Seen(Mutex<Vec<(usize, String, String)>>);

impl Seen {
    /// Everything so far.
    pub fn all(&self) -> Vec<(usize, String, String)> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// A receiver's side of a delivery.
pub async fn receive(
    n: usize,
    seen: Arc<Seen>,
    random: Arc<Mutex<fastrand::Rng>>,
    faults: Arc<Faults>,
    said: String,
) -> Option<String> {
    let (id, body) = said.split_once(' ').unwrap();
    seen.0
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push((n, id.to_owned(), body.to_owned()));
    let mood = if faults.is_calm() {
        0
    } else {
        draw(&random, 0..1000)
    };
    match mood {
        0..700 => Some("200".to_owned()),
        700..780 => Some("500".to_owned()),
        780..840 => Some(format!("429 {}", draw(&random, 0..60))),
        840..900 => {
            tokio::time::sleep(Duration::from_secs(draw(&random, 1..40))).await;
            Some("200".to_owned())
        }
        // The second receiver may say "never again".
        900..904 if n == 1 => Some("410".to_owned()),
        900..960 => std::future::pending().await,
        _ => None,
    }
}

/// The adapter that asks the provider.
pub struct RemoteAi(Option<(Arc<Machine>, Trace)>);

impl RemoteAi {
    /// On a node.
    pub fn on(machine: Arc<Machine>, trace: Trace) -> Self {
        Self(Some((machine, trace)))
    }

    /// Where nobody asks.
    pub fn nowhere() -> Self {
        Self(None)
    }
}

fn unavailable(reason: &str, retry_after: Option<Duration>) -> AiError {
    AiError::Unavailable {
        reason: reason.to_owned(),
        retry_after,
    }
}

fn never<T>() -> Result<T, AiError> {
    Err(AiError::Refused("only grading is simulated".to_owned()))
}

fn proposal(points: u16) -> GradeProposal {
    GradeProposal {
        criteria: vec![CriterionProposal {
            criterion_id: "overall".to_owned(),
            level_id: None,
            points: Points::whole(points),
            rationale: "as the seed says".to_owned(),
            quotes: Vec::new(),
            confidence: None,
            missing: Vec::new(),
            not_judged: None,
        }],
        feedback: "Well done.".to_owned(),
        flags: Vec::new(),
    }
}

fn answered(value: GradeProposal) -> Answered<GradeProposal> {
    Answered {
        value,
        model_asked: MODEL.to_owned(),
        model: MODEL.to_owned(),
        prompt_version: "1".to_owned(),
        raw: "{}".to_owned(),
        usage: Usage::default(),
        cost: None,
        latency: Duration::ZERO,
    }
}

#[async_trait]
impl AiProvider for RemoteAi {
    fn default_model(&self) -> String {
        MODEL.to_owned()
    }

    fn resolve(&self, _: &str) -> Option<ResolvedModel> {
        Some(ResolvedModel {
            model: MODEL.to_owned(),
            built_in: false,
            grading_version: "1".to_owned(),
        })
    }

    fn speaks(&self) -> bool {
        false
    }

    async fn grade(
        &self,
        task: GradingTask,
        _: &Meter,
    ) -> Result<Answered<GradeProposal>, AiError> {
        let Some((machine, trace)) = &self.0 else {
            return never();
        };
        let said = wire::ask("ai", &task.submission, AI_PATIENCE).await;
        machine.goes_on().await;
        let said = said.map_err(|error| unavailable(&error.kind().to_string(), None))?;
        trace.note("ai answered", &said);
        match said.split_once(' ') {
            Some(("points", points)) => Ok(answered(proposal(points.parse().unwrap()))),
            Some(("busy", seconds)) => {
                let wait = Duration::from_secs(seconds.parse().unwrap());
                Err(unavailable("busy", Some(wait)))
            }
            _ if said == "refused" => Err(AiError::Refused("no".to_owned())),
            _ => Err(AiError::InvalidOutput("nonsense".to_owned())),
        }
    }

    async fn draft_syllabus(
        &self,
        _: SyllabusBrief,
        _: &Meter,
    ) -> Result<Answered<SyllabusDraft>, AiError> {
        never()
    }

    async fn draft_unit(
        &self,
        _: UnitTask,
        _: &Meter,
    ) -> Result<Answered<Vec<LessonDraft>>, AiError> {
        never()
    }

    async fn draft_lesson(
        &self,
        _: LessonTask,
        _: &Meter,
    ) -> Result<Answered<LessonDraft>, AiError> {
        never()
    }

    async fn draft_activities(
        &self,
        _: ActivitiesTask,
        _: &Meter,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError> {
        never()
    }

    async fn explain_grade(
        &self,
        _: ExplanationTask,
        _: &Meter,
    ) -> Result<Answered<ExplanationProposal>, AiError> {
        never()
    }

    async fn tutor(&self, _: TutorTask, _: &Meter) -> Result<Answered<TutorProposal>, AiError> {
        never()
    }

    async fn answer_quiz(&self, _: QuizTask, _: &Meter) -> Result<Answered<TakenQuiz>, AiError> {
        never()
    }

    async fn check_support(
        &self,
        _: SupportTask,
        _: &Meter,
    ) -> Result<Answered<Vec<SourceStanding>>, AiError> {
        never()
    }

    async fn speak(&self, _: SpeechTask, _: &Meter) -> Result<Answered<Speech>, AiError> {
        never()
    }
}

/// The adapter that tells receivers.
pub struct RemoteSink {
    /// The node's machine.
    pub machine: Arc<Machine>,
    /// What happened.
    pub trace: Trace,
}

#[async_trait]
impl WebhookSink for RemoteSink {
    fn vet(&self, _: &str) -> Result<(), AddressRefused> {
        Ok(())
    }

    async fn deliver(&self, message: WebhookMessage) -> DeliveryOutcome {
        self.machine.goes_on().await;
        let host = message.url.split('/').nth(2).unwrap().to_owned();
        let body = String::from_utf8(message.body).unwrap();
        let said = wire::ask(&host, &format!("{} {body}", message.id), SINK_PATIENCE).await;
        self.machine.goes_on().await;
        let told = said.as_deref().unwrap_or("nothing");
        self.trace.note(&host, format!("{} {told}", message.id));
        let Ok(said) = said else {
            return DeliveryOutcome::Failed {
                reason: "no answer".to_owned(),
            };
        };
        let (status, wait) = said.split_once(' ').unwrap_or((&said, ""));
        let answer = Answer {
            headers: Vec::new(),
            body: said.clone(),
        };
        match status.parse().unwrap() {
            200 => DeliveryOutcome::Delivered {
                status: 200,
                duration_ms: 1,
                answer: answer.clone(),
            },
            status => DeliveryOutcome::Refused {
                status,
                retry_after_seconds: wait.parse().ok(),
                duration_ms: 1,
                answer: answer.clone(),
            },
        }
    }
}
