//! What a server turned out to be able to do, per model: asked once, kept as long as the process lives.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use lyceum_ports::drafting::ai_calls::AiFeature;
use serde_json::{Value, json};

use crate::profiles::{Capabilities, Profile, Structured};
use crate::protocols::{Chat, End, Reply};
use crate::transport::Failure;

/// Schema of the answer to a probe.
const SCHEMA: &str = include_str!("../schemas/probe.json");
/// Enough also for a model that thinks before it says a word.
const TOKENS: u32 = 1_000;

/// What is known of a server's models.
#[derive(Debug)]
pub(crate) struct Abilities {
    pub profile: Profile,
    /// The operator's choice, which is never probed nor changed.
    chosen: Option<Structured>,
    known: Mutex<HashMap<String, Capabilities>>,
    /// Held while probing, so that a model is not probed twice at once.
    pub probing: tokio::sync::Mutex<()>,
    /// How many probes nobody answered: who waited for one of those does not ask in vain, too.
    pub unanswered: AtomicU64,
}

impl Abilities {
    pub(crate) fn new(profile: Profile, chosen: Option<Structured>) -> Self {
        Self {
            profile,
            chosen,
            known: Mutex::default(),
            probing: tokio::sync::Mutex::default(),
            unanswered: AtomicU64::default(),
        }
    }

    /// What is known of a model.
    pub(crate) fn of(&self, model: &str) -> Option<Capabilities> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let chosen = || self.chosen.map(|way| self.profile.assumed(way));
        known.get(model).cloned().or_else(chosen)
    }

    /// Keeps what was found out.
    pub(crate) fn keep(&self, model: &str, capabilities: Capabilities) {
        let way = capabilities.structured.as_str();
        tracing::info!(
            model,
            structured = way,
            "how this model gives its answers a shape"
        );
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(model.to_owned(), capabilities);
    }

    /// What to ask with after a request was not taken as it was; nothing where that is not the reason.
    pub(crate) fn after(&self, now: &Capabilities, failure: &Failure) -> Option<Capabilities> {
        let said = failure.rejected.as_deref()?;
        let less = now.without(said, self.profile.ways())?;
        let kept = self.chosen.is_none() || less.structured == now.structured;
        kept.then_some(less)
    }
}

/// The question that finds out. It says nothing of JSON: what comes back in the schema's shape does so because the
/// server saw to it.
pub(crate) fn question(model: &str, feature: AiFeature) -> Chat {
    let message =
        |role: &str, content: &str| -> Value { json!({"role": role, "content": content}) };
    Chat {
        feature,
        model: model.to_owned(),
        messages: vec![
            message("system", "You repeat a word."),
            message("user", "Say the word lyceum."),
        ],
        schema_name: "probe",
        schema: SCHEMA,
        max_tokens: TOKENS,
        sent: Vec::new(),
    }
}

/// Whether an answer to the question has the shape.
pub(crate) fn holds(reply: &Reply) -> bool {
    let content = reply.content.trim();
    if reply.end == End::CutOff {
        // It thought for too long; the format was taken, and nothing speaks against it.
        return content.is_empty() || content.starts_with('{');
    }
    let document: Option<Value> = serde_json::from_str(content).ok();
    document.is_some_and(|document| document.get("probe_word").is_some_and(Value::is_string))
}
