//! `OpenAI`'s chat completions, as `OpenAI`, Azure and most other servers speak them.
//!
//! Only members that we use; everything else a server adds is ignored.

use lyceum_ports::drafting::ai::Usage;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use url::Url;

use super::{Chat, End, Reply, below, raw, told};
use crate::profiles::{Capabilities, Extra, Profile, Structured};
use crate::settings::SetupError;
use crate::transport::{Complaint, Failure, HttpResponse, told_in_a_success};

/// The same for every call, so that the same question tends to get the same answer.
const SEED: u32 = 1;

pub(super) fn endpoint(profile: Profile, base: &Url) -> Result<Url, SetupError> {
    let is_bare = base.path().trim_end_matches('/').is_empty();
    if profile == Profile::Azure && is_bare {
        return below(base, &["openai", "v1", "chat", "completions"]);
    }
    below(base, &["chat", "completions"])
}

#[derive(Serialize)]
struct ChatCompletionRequest<'a> {
    model: &'a str,
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[FunctionTool<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema { json_schema: Named<'a> },
    JsonObject,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a RawValue,
}

#[derive(Serialize)]
struct FunctionTool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    strict: bool,
    parameters: &'a RawValue,
}

pub(super) fn body(
    chat: &Chat,
    budget: u32,
    capabilities: &Capabilities,
) -> Result<String, serde_json::Error> {
    let (name, schema) = (chat.schema_name, raw(chat.schema)?);
    let format = match capabilities.structured {
        Structured::JsonSchema => Some(ResponseFormat::JsonSchema {
            json_schema: Named {
                name,
                strict: true,
                schema,
            },
        }),
        Structured::JsonObject => Some(ResponseFormat::JsonObject),
        Structured::Tool | Structured::PromptOnly => None,
    };
    let function = Function {
        name,
        strict: true,
        parameters: schema,
    };
    let by_tool = capabilities.structured == Structured::Tool;
    serde_json::to_string(&ChatCompletionRequest {
        model: &chat.model,
        messages: told(chat, capabilities),
        max_completion_tokens: capabilities.max_completion_tokens.then_some(budget),
        max_tokens: (!capabilities.max_completion_tokens).then_some(budget),
        temperature: capabilities.takes(Extra::Temperature).then_some(0),
        seed: capabilities.takes(Extra::Seed).then_some(SEED),
        store: capabilities.takes(Extra::Store).then_some(false),
        response_format: format,
        tools: by_tool.then_some([FunctionTool {
            r#type: "function",
            function,
        }]),
        tool_choice: by_tool.then(|| json!({"type": "function", "function": {"name": name}})),
    })
}

#[derive(Deserialize)]
struct ChatCompletion {
    #[serde(default)]
    model: Option<String>,
    choices: Vec<ChatChoice>,
    #[serde(default)]
    usage: Option<CompletionUsage>,
}

#[derive(Deserialize)]
struct ChatChoice {
    message: ChatMessage,
    #[serde(default)]
    finish_reason: Option<String>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct ChatMessage {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<ToolCall>>,
}

#[derive(Deserialize)]
struct ToolCall {
    function: Called,
}

#[derive(Deserialize)]
struct Called {
    arguments: String,
}

#[derive(Deserialize)]
struct CompletionUsage {
    #[serde(default, rename = "prompt_tokens")]
    prompt: u64,
    #[serde(default, rename = "completion_tokens")]
    completion: u64,
    #[serde(default, rename = "prompt_tokens_details")]
    details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

pub(super) fn read(answer: &HttpResponse) -> Result<Reply, Failure> {
    let no_chat =
        || Failure::unusable("the server's answer is no chat completion; check the base URL");
    let value: Value = serde_json::from_slice(&answer.body).map_err(|_| no_chat())?;
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Err(told_in_a_success(&answer.headers, Complaint::of(&value)));
    }
    let completion = ChatCompletion::deserialize(&value).map_err(|_| no_chat())?;
    let choice = completion.choices.into_iter().next().ok_or_else(no_chat)?;
    if let Some(error) = choice.error.filter(|error| !error.is_null()) {
        return Err(told_in_a_success(&answer.headers, Complaint::of(&error)));
    }
    let message = choice.message;
    let declined = message.refusal.is_some_and(|text| !text.is_empty());
    let end = match choice.finish_reason.as_deref() {
        Some("content_filter") => End::Refused("its content filter stopped the answer"),
        _ if declined => End::Refused("the model declined to answer"),
        Some("length") => End::CutOff,
        Some(_) | None => End::Finished,
    };
    let call = message.tool_calls.unwrap_or_default().into_iter().next();
    let content = call
        .map(|call| call.function.arguments)
        .or(message.content)
        .unwrap_or_default();
    Ok(Reply {
        content,
        model: completion.model.filter(|model| !model.is_empty()),
        usage: completion.usage.and_then(CompletionUsage::usage),
        end,
    })
}

impl CompletionUsage {
    /// Nothing where a server counts nothing.
    fn usage(self) -> Option<Usage> {
        let cached = self.details.and_then(|of| of.cached_tokens);
        let usage = Usage {
            tokens_in: self.prompt,
            tokens_out: self.completion,
            tokens_cached: cached.unwrap_or_default(),
        };
        (usage.tokens() > 0).then_some(usage)
    }
}
