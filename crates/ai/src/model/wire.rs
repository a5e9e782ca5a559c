//! The shapes of the chat completions API: what is sent, what comes back, what failures say.
//!
//! Only members that we use; everything else a server adds is ignored.

use lyceum_ports::ai::{AiError, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// One request, before it is tied to a token budget.
#[derive(Debug, Clone)]
pub(super) struct Chat {
    pub(super) model: String,
    pub(super) messages: Vec<Value>,
    pub(super) schema_name: &'static str,
    /// The text of a JSON schema.
    pub(super) schema: &'static str,
    pub(super) max_tokens: u32,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: &'a [Value],
    max_completion_tokens: u32,
    response_format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    json_schema: Named<'a>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    strict: bool,
    // Models write members in the schema's order, and evidence is to come before points; a parsed document
    // would forget that order.
    schema: &'a RawValue,
}

impl Chat {
    /// The body; `budget` is the most tokens the model may write.
    pub(super) fn body(&self, budget: u32) -> Result<Vec<u8>, AiError> {
        let broken = |error: serde_json::Error| {
            AiError::InvalidOutput(format!("the request could not be written: {error}"))
        };
        let schema: &RawValue = serde_json::from_str(self.schema).map_err(broken)?;
        let body = Body {
            model: &self.model,
            messages: &self.messages,
            max_completion_tokens: budget,
            response_format: Format {
                r#type: "json_schema",
                json_schema: Named {
                    name: self.schema_name,
                    strict: true,
                    schema,
                },
            },
        };
        serde_json::to_vec(&body).map_err(broken)
    }
}

/// What came back, as far as it is of use.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Completion {
    pub(super) content: String,
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    /// The model ran out of its budget.
    pub(super) cut_off: bool,
}

#[derive(Deserialize)]
struct Envelope {
    model: Option<String>,
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize, Default)]
struct Tokens {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

/// Reads the body of a successful response.
pub(super) fn read(body: &[u8]) -> Result<Completion, AiError> {
    let no_chat = || AiError::InvalidOutput("the server's answer is no chat completion".to_owned());
    let envelope: Envelope = serde_json::from_slice(body).map_err(|_| no_chat())?;
    let choice = envelope.choices.into_iter().next().ok_or_else(no_chat)?;
    let reason = choice.finish_reason.unwrap_or_default();
    if reason == "content_filter" {
        return Err(AiError::Refused(
            "its content filter stopped the answer".to_owned(),
        ));
    }
    if choice.message.refusal.is_some_and(|text| !text.is_empty()) {
        return Err(AiError::Refused("the model declined to answer".to_owned()));
    }
    let usage = envelope.usage.unwrap_or_default();
    Ok(Completion {
        content: choice.message.content.unwrap_or_default(),
        model: envelope.model.filter(|model| !model.is_empty()),
        usage: Usage {
            tokens_in: usage.prompt_tokens,
            tokens_out: usage.completion_tokens,
            tokens_cached: 0,
        },
        cut_off: reason == "length",
    })
}

/// What an error body says: its message and its code or type.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Complaint {
    pub(super) message: String,
    pub(super) code: String,
}

/// Reads an error body; servers differ, so nothing in it is certain.
pub(super) fn complaint(body: &[u8]) -> Complaint {
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return Complaint::default();
    };
    let error = value.get("error").unwrap_or(&value);
    let text = |member: &str| error.get(member).and_then(Value::as_str);
    Complaint {
        message: text("message")
            .or_else(|| error.as_str())
            .unwrap_or_default()
            .chars()
            .take(300)
            .collect(),
        code: text("code")
            .or_else(|| text("type"))
            .unwrap_or_default()
            .to_owned(),
    }
}

impl Complaint {
    /// Whether there is no money left, which waiting does not change.
    pub(super) fn is_about_money(&self) -> bool {
        ["insufficient_quota", "billing", "credit", "spend_limit"]
            .iter()
            .any(|sign| self.code.contains(sign))
    }
}
