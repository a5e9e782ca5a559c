//! Anthropic's messages: the system's text apart, the budget required, an answer in blocks.
//!
//! Only members that we use; everything else is ignored.

use lyceum_ports::drafting::ai::Usage;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use url::Url;

use super::{Chat, End, Reply, below, content_of, raw, told};
use crate::profiles::{Capabilities, Structured};
use crate::settings::SetupError;
use crate::transport::{Complaint, Failure, HttpResponse, told_in_a_success};

/// Version of the API.
pub(super) const VERSION: &str = "2023-06-01";
/// What is expected to take longer than ten minutes has to be streamed: an hour for 128 000 tokens, by their own
/// clients.
pub(super) const MOST_TOKENS: u32 = 21_000;

pub(super) fn endpoint(base: &Url) -> Result<Url, SetupError> {
    if base.path().trim_end_matches('/').is_empty() {
        return below(base, &["v1", "messages"]);
    }
    below(base, &["messages"])
}

#[derive(Serialize)]
struct MessagesRequest<'a> {
    model: &'a str,
    max_tokens: u32,
    system: String,
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[ToolDefinition<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    format: OutputFormat<'a>,
}

#[derive(Serialize)]
struct OutputFormat<'a> {
    r#type: &'static str,
    schema: &'a RawValue,
}

#[derive(Serialize)]
struct ToolDefinition<'a> {
    name: &'a str,
    description: &'static str,
    input_schema: &'a RawValue,
}

pub(super) fn body(
    chat: &Chat,
    budget: u32,
    capabilities: &Capabilities,
) -> Result<String, serde_json::Error> {
    let schema = raw(chat.schema)?;
    let by_schema = capabilities.structured == Structured::JsonSchema;
    let by_tool = capabilities.structured == Structured::Tool;
    let (system, messages) = apart(&told(chat, capabilities));
    serde_json::to_string(&MessagesRequest {
        model: &chat.model,
        max_tokens: budget.min(MOST_TOKENS),
        system,
        messages,
        output_config: by_schema.then_some(OutputConfig {
            format: OutputFormat {
                r#type: "json_schema",
                schema,
            },
        }),
        tools: by_tool.then_some([ToolDefinition {
            name: chat.schema_name,
            description: "Takes the answer.",
            input_schema: schema,
        }]),
        tool_choice: by_tool.then(|| json!({"type": "tool", "name": chat.schema_name})),
    })
}

/// The system's text, and the messages of the others.
fn apart(messages: &[Value]) -> (String, Vec<Value>) {
    let (mut system, mut others) = (Vec::new(), Vec::new());
    for message in messages {
        match content_of(message) {
            ("system", content) => system.push(content),
            // A message without a text is refused, also where a model has said nothing.
            (role, "") => others.push(json!({"role": role, "content": "…"})),
            (role, content) => others.push(json!({"role": role, "content": content})),
        }
    }
    (system.join("\n\n"), others)
}

#[derive(Deserialize)]
struct MessagesResponse {
    #[serde(default)]
    model: Option<String>,
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<MessagesUsage>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    input: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct MessagesUsage {
    #[serde(default, rename = "input_tokens")]
    input: u64,
    #[serde(default, rename = "output_tokens")]
    output: u64,
    #[serde(default, rename = "cache_read_input_tokens")]
    cached: Option<u64>,
    #[serde(default, rename = "cache_creation_input_tokens")]
    stored: Option<u64>,
}

pub(super) fn read(answer: &HttpResponse) -> Result<Reply, Failure> {
    let no_message = || Failure::unusable("the server's answer is no message; check the base URL");
    let value: Value = serde_json::from_slice(&answer.body).map_err(|_| no_message())?;
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Err(told_in_a_success(&answer.headers, Complaint::of(&value)));
    }
    // Read from the bytes: the input of a tool is kept as it was written.
    let message: MessagesResponse =
        serde_json::from_slice(&answer.body).map_err(|_| no_message())?;
    let end = match message.stop_reason.as_deref() {
        Some("refusal") => End::Refused("the model declined to answer"),
        Some("model_context_window_exceeded") => {
            End::Refused("the request fills the model's context; use a model with a larger one")
        }
        Some("max_tokens") => End::CutOff,
        Some(_) | None => End::Finished,
    };
    let called = message
        .content
        .iter()
        .find_map(|block| block.input.as_ref());
    let content = called.map_or_else(
        || {
            let texts = message.content.iter();
            texts.filter_map(|block| block.text.as_deref()).collect()
        },
        |input| input.get().to_owned(),
    );
    Ok(Reply {
        content,
        model: message.model.filter(|model| !model.is_empty()),
        usage: message.usage.map(MessagesUsage::usage),
        end,
    })
}

impl MessagesUsage {
    /// They count what was cached apart; we count it among what was read.
    fn usage(self) -> Usage {
        let cached = self.cached.unwrap_or_default();
        let stored = self.stored.unwrap_or_default();
        Usage {
            tokens_in: self.input + cached + stored,
            tokens_out: self.output,
            tokens_cached: cached,
        }
    }
}
