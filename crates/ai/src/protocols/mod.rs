//! The forms in which servers are asked for a document: what is sent, what comes back.
//!
//! Bytes and shapes only; who sends them, and what the documents are about, is not known here.

mod anthropic;
mod openai;

use std::time::Duration;

use lyceum_ports::drafting::ai::{AiError, Usage};
use lyceum_ports::drafting::ai_calls::AiFeature;
use serde_json::Value;
use serde_json::value::RawValue;
use url::Url;

use crate::profiles::{Capabilities, Profile, Structured};
use crate::settings::SetupError;
use crate::transport::{Failure, HttpResponse};

/// One question, before it is tied to a token budget.
#[derive(Debug, Clone)]
pub(crate) struct Chat {
    /// What it is for.
    pub feature: AiFeature,
    pub model: String,
    /// Objects with `role` and `content`, the system's first.
    pub messages: Vec<Value>,
    pub schema_name: &'static str,
    /// The text of a JSON schema.
    pub schema: &'static str,
    pub max_tokens: u32,
    /// Classes of the fields that the messages carry, such as `submission_text`.
    pub sent: Vec<&'static str>,
}

/// What came back, as far as it is of use.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub content: String,
    pub model: Option<String>,
    pub usage: Option<Usage>,
    pub end: End,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It was done.
    Finished,
    /// Its budget was used up.
    CutOff,
    /// It or its filter did not want to; why, in words.
    Refused(&'static str),
}

/// A protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// `OpenAI`'s chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

impl Protocol {
    /// What a server of this kind speaks.
    pub(crate) const fn of(profile: Profile) -> Self {
        match profile {
            Profile::Anthropic => Self::Anthropic,
            Profile::OpenAi
            | Profile::Azure
            | Profile::Ollama
            | Profile::Vllm
            | Profile::LlamaCpp
            | Profile::LmStudio
            | Profile::Generic => Self::OpenAi,
        }
    }

    /// Where questions go.
    pub(crate) fn endpoint(self, profile: Profile, base: &Url) -> Result<Url, SetupError> {
        match self {
            Self::OpenAi => openai::endpoint(profile, base),
            Self::Anthropic => anthropic::endpoint(base),
        }
    }

    /// Headers of every request.
    pub(crate) const fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::OpenAi => &[],
            Self::Anthropic => &[("anthropic-version", anthropic::VERSION)],
        }
    }

    /// Longest pause a server may ask for while a caller waits: as the vendors' own clients have it.
    pub(crate) const fn longest_pause(self) -> Duration {
        match self {
            Self::OpenAi => Duration::from_mins(2),
            Self::Anthropic => Duration::from_mins(1),
        }
    }

    /// Most tokens of an answer that is not streamed.
    pub(crate) const fn most_tokens(self) -> u32 {
        match self {
            Self::OpenAi => u32::MAX,
            Self::Anthropic => anthropic::MOST_TOKENS,
        }
    }

    /// The body of a question; `budget` is the most tokens the model may write.
    pub(crate) fn body(
        self,
        chat: &Chat,
        budget: u32,
        capabilities: &Capabilities,
    ) -> Result<String, AiError> {
        let body = match self {
            Self::OpenAi => openai::body(chat, budget, capabilities),
            Self::Anthropic => anthropic::body(chat, budget, capabilities),
        };
        body.map_err(|error| {
            AiError::InvalidOutput(format!("the request could not be written: {error}"))
        })
    }

    /// Reads the body of a successful response.
    pub(crate) fn read(self, answer: &HttpResponse) -> Result<Reply, Failure> {
        match self {
            Self::OpenAi => openai::read(answer),
            Self::Anthropic => anthropic::read(answer),
        }
    }
}

/// A schema as it is sent. Models write members in its order, and evidence is to come before points; a parsed
/// document would forget that order.
fn raw(schema: &str) -> Result<&RawValue, serde_json::Error> {
    serde_json::from_str(schema)
}

/// The messages, with the schema in the first of them where it has to be told in words.
fn told(chat: &Chat, capabilities: &Capabilities) -> Vec<Value> {
    let mut messages = chat.messages.clone();
    let in_words = match capabilities.structured {
        Structured::JsonSchema | Structured::Tool => capabilities.schema_in_prompt,
        Structured::JsonObject | Structured::PromptOnly => true,
    };
    let system = messages
        .first_mut()
        .and_then(|first| first.get_mut("content"))
        .filter(|_| in_words);
    if let Some(system) = system {
        let schema: String = chat.schema.lines().map(str::trim).collect();
        let before = system.as_str().unwrap_or_default();
        *system = Value::String(format!(
            "{before}\n\nThe answer is one JSON object, without a fence and without a word around it. Its JSON schema:\n{schema}"
        ));
    }
    messages
}

/// The content of messages with this role.
fn content_of(message: &Value) -> (&str, &str) {
    let text = |member: &str| message.get(member).and_then(Value::as_str);
    (
        text("role").unwrap_or_default(),
        text("content").unwrap_or_default(),
    )
}

/// An address below a base, whose query is kept.
fn below(base: &Url, steps: &[&str]) -> Result<Url, SetupError> {
    let mut url = base.clone();
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(SetupError::BaseUrl);
    }
    let whole = format!("/{}", steps.join("/"));
    // Some handbooks print the whole address, and people copy it.
    if url.path().trim_end_matches('/').ends_with(&whole) {
        return Ok(url);
    }
    url.path_segments_mut()
        .map_err(|()| SetupError::BaseUrl)?
        .pop_if_empty()
        .extend(steps);
    Ok(url)
}

/// Where texts are sent to be spoken.
pub(crate) fn speech_endpoint(base: &Url) -> Result<Url, SetupError> {
    below(base, &["audio", "speech"])
}
