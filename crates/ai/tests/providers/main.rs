//! The provider against servers on their good and their bad days, over both protocols.
//!
//! All of it asks for one small document, a quiz's answers; what the other features ask for has its own tests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed"
)]

mod accounting;
mod bad_days;
mod good_days;
mod probing;
#[path = "../../../../tests/support/scripted_provider.rs"]
mod scripted_provider;
mod speaking;
mod supporting;

use std::time::Duration;

use lyceum_ai::{LanguageModel, Profile, ServerSettings, Structured};
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_ports::drafting::ai::{AiError, AiProvider, Answered, QuizTask};
use lyceum_ports::drafting::ai_calls::{AiCall, CallOutcome, Meter};
use scripted_provider::{
    Answer, Play, ScriptedProvider, chat, chat_ending, message, message_ending,
};
use serde_json::{Value, json};
use url::Url;

const KEY: &str = "sk-secret-0123456789-abcdefghijk";

/// The protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    OpenAi,
    Anthropic,
}

impl Kind {
    fn says(self, content: &str) -> Play {
        match self {
            Self::OpenAi => chat(content).play(),
            Self::Anthropic => message(content).play(),
        }
    }

    /// The same, having run out of its budget.
    fn cut_off(self, content: &str) -> Play {
        match self {
            Self::OpenAi => chat_ending(content, "length").play(),
            Self::Anthropic => message_ending(content, "max_tokens").play(),
        }
    }

    const fn profile(self) -> Profile {
        match self {
            Self::OpenAi => Profile::OpenAi,
            Self::Anthropic => Profile::Anthropic,
        }
    }
}

/// Settings for a server with nothing left to find out.
fn settings(kind: Kind, server: &ScriptedProvider) -> ServerSettings {
    let url = Url::parse(&server.base_url()).unwrap();
    let mut settings = ServerSettings::new(kind.profile(), url, Some(KEY.to_owned()), "asked-1");
    settings.structured = Some(Structured::JsonSchema);
    settings.first_pause = Duration::from_millis(1);
    settings
}

fn model(settings: ServerSettings) -> LanguageModel {
    LanguageModel::new(settings).unwrap()
}

fn task() -> QuizTask {
    let quiz = json!({"questions": [
        {"id": "q1", "type": "single_choice", "prompt": "How fast?",
         "options": [{"id": "a", "text": "in two hours"}, {"id": "b", "text": "in ten"}]},
    ]});
    QuizTask {
        language: "en".to_owned(),
        lesson: "Cool rice within two hours.".to_owned(),
        quiz: quiz.as_object().unwrap().clone(),
        model: String::new(),
    }
}

fn answer_to(question: &str) -> Value {
    json!({
        "question_id": question, "passage": "Cool rice within two hours.", "lesson_tells": true,
        "options": ["a"], "implausible": [], "truth": null, "text": null, "parts": [], "order": [],
    })
}

/// A document that holds.
fn right() -> String {
    json!({"answers": [answer_to("q1")]}).to_string()
}

/// A document of the right shape that breaks a rule.
fn wrong() -> String {
    json!({"answers": [answer_to("q9")]}).to_string()
}

/// How a day went.
struct Day {
    result: Result<Answered<TakenQuiz>, AiError>,
    requests: Vec<Value>,
    calls: Vec<AiCall>,
}

impl Day {
    fn outcomes(&self) -> Vec<CallOutcome> {
        self.calls.iter().map(|call| call.outcome).collect()
    }

    /// The error, after seeing that every request is in the books and that the key is nowhere.
    fn error(&self) -> &AiError {
        assert_eq!(self.calls.len(), self.requests.len(), "{:?}", self.calls);
        let error = self.result.as_ref().unwrap_err();
        let shown = format!("{error} {error:?} {:?}", self.calls);
        assert!(!shown.contains(KEY), "{shown}");
        error
    }

    /// The answer, after seeing that every request is in the books.
    fn answer(&self) -> &Answered<TakenQuiz> {
        assert_eq!(self.calls.len(), self.requests.len(), "{:?}", self.calls);
        self.result.as_ref().unwrap()
    }
}

async fn day(kind: Kind, script: impl IntoIterator<Item = Play>) -> Day {
    day_with(kind, script, |_| ()).await
}

async fn day_with(
    kind: Kind,
    script: impl IntoIterator<Item = Play>,
    change: impl FnOnce(&mut ServerSettings),
) -> Day {
    let server = ScriptedProvider::playing(script).await;
    let mut settings = settings(kind, &server);
    change(&mut settings);
    let meter = Meter::default();
    let result = model(settings).answer_quiz(task(), &meter).await;
    Day {
        result,
        requests: server.bodies(),
        calls: meter.take(),
    }
}

/// An error body in the form of both protocols.
fn complaint(kind: &str, words: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "code": kind, "message": words}})
}

fn status(code: u16) -> Answer {
    Answer::json(code, &complaint("some_error", "Something is wrong."))
}
