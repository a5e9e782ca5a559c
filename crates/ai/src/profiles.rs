//! Kinds of servers, and what each is known to do. What is not certain, a probe finds out.
//!
//! Facts about servers only; nothing is sent from here.

/// A kind of server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// `OpenAI` itself.
    OpenAi,
    /// Azure `OpenAI`: a deployment's address, or the resource's `/openai/v1`.
    Azure,
    /// Ollama's `/v1`.
    Ollama,
    /// vLLM's server.
    Vllm,
    /// The server of llama.cpp.
    LlamaCpp,
    /// LM Studio.
    LmStudio,
    /// Anything else with chat completions, such as a gateway.
    Generic,
    /// Anthropic's messages.
    Anthropic,
}

/// How a model is made to answer with a document of a schema, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Structured {
    /// The server holds the answer to the schema.
    JsonSchema,
    /// The model has to call a tool whose arguments have the schema.
    Tool,
    /// The server promises some JSON object; the prompt tells which.
    JsonObject,
    /// The prompt tells, and nobody promises anything.
    PromptOnly,
}

impl Structured {
    /// The way in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
            Self::Tool => "tool",
            Self::JsonObject => "json_object",
            Self::PromptOnly => "prompt_only",
        }
    }
}

/// Where a key is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Auth {
    /// `Authorization: Bearer …`.
    Bearer,
    /// `api-key: …`.
    ApiKey,
    /// `x-api-key: …`.
    XApiKey,
}

/// A member of a request that not every server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extra {
    /// `seed`.
    Seed,
    /// `temperature`.
    Temperature,
    /// `store`, by which we ask that nothing is kept.
    Store,
}

impl Extra {
    /// The member's name.
    const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Temperature => "temperature",
            Self::Store => "store",
        }
    }
}

/// What a server takes for one model: assumed from the profile, corrected by what the server says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Capabilities {
    /// How answers are given a shape.
    pub structured: Structured,
    /// Whether the prompt repeats the schema also where the server holds answers to it.
    pub schema_in_prompt: bool,
    /// Whether the budget of an answer is called `max_completion_tokens`, not `max_tokens`.
    pub max_completion_tokens: bool,
    /// What else it takes.
    pub extras: Vec<Extra>,
}

impl Profile {
    /// The ways to structured answers that such a server may know, best first.
    pub(crate) const fn ways(self) -> &'static [Structured] {
        use Structured::{JsonObject, JsonSchema, PromptOnly, Tool};
        match self {
            Self::OpenAi | Self::Azure | Self::Vllm | Self::LlamaCpp | Self::Generic => {
                &[JsonSchema, Tool, JsonObject, PromptOnly]
            }
            // It reads no tool_choice.
            Self::Ollama => &[JsonSchema, JsonObject, PromptOnly],
            // They have no `json_object`.
            Self::LmStudio | Self::Anthropic => &[JsonSchema, Tool, PromptOnly],
        }
    }

    /// Where such a server wants its key.
    pub(crate) const fn auth(self) -> Auth {
        match self {
            Self::Azure => Auth::ApiKey,
            Self::Anthropic => Auth::XApiKey,
            Self::OpenAi
            | Self::Ollama
            | Self::Vllm
            | Self::LlamaCpp
            | Self::LmStudio
            | Self::Generic => Auth::Bearer,
        }
    }

    /// What such a server is taken to accept until it says otherwise.
    pub(crate) fn assumed(self, structured: Structured) -> Capabilities {
        let is_openai = matches!(self, Self::OpenAi | Self::Azure);
        let is_local = matches!(
            self,
            Self::Ollama | Self::Vllm | Self::LlamaCpp | Self::LmStudio
        );
        Capabilities {
            structured,
            // vLLM's handbook advises it, and servers that cut the schema short are no rarity.
            schema_in_prompt: is_local || matches!(self, Self::Generic),
            max_completion_tokens: is_openai || matches!(self, Self::Vllm),
            extras: self.extras().to_vec(),
        }
    }

    const fn extras(self) -> &'static [Extra] {
        match self {
            Self::OpenAi => &[Extra::Seed, Extra::Store],
            Self::Azure => &[Extra::Seed],
            // Models that think refuse a temperature, and those are what people run elsewhere.
            Self::Ollama | Self::Vllm | Self::LlamaCpp | Self::LmStudio => {
                &[Extra::Seed, Extra::Temperature]
            }
            Self::Generic | Self::Anthropic => &[],
        }
    }

    /// How many requests such a server is sent at once, unless the operator says otherwise.
    pub const fn usual_concurrency(self) -> usize {
        match self {
            Self::Ollama | Self::LlamaCpp | Self::LmStudio => 2,
            Self::OpenAi | Self::Azure | Self::Vllm | Self::Generic | Self::Anthropic => 4,
        }
    }
}

impl Capabilities {
    /// Whether it takes a member.
    pub(crate) fn takes(&self, extra: Extra) -> bool {
        self.extras.contains(&extra)
    }

    /// What is left after the server said that it does not take `said`; nothing where that is about none of these.
    pub(crate) fn without(&self, said: &str, ways: &[Structured]) -> Option<Self> {
        let said = said.to_lowercase();
        // It names the one it wants, or the one it does not know.
        if said.contains("max_completion_tokens") {
            return Some(Self {
                max_completion_tokens: !self.max_completion_tokens,
                ..self.clone()
            });
        }
        let named = |extra: &&Extra| said.contains(extra.name());
        if let Some(refused) = self.extras.iter().find(named) {
            let others = self.extras.iter().filter(|extra| *extra != refused);
            return Some(Self {
                extras: others.copied().collect(),
                ..self.clone()
            });
        }
        let signs = [
            "response_format",
            "json_schema",
            "json_object",
            "output_config",
            "output_format",
            "tool",
            "schema",
            "grammar",
            "structured",
        ];
        if !signs.iter().any(|sign| said.contains(sign)) {
            return None;
        }
        let next = ways.iter().copied().find(|way| *way > self.structured)?;
        Some(Self {
            structured: next,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("'temperature' does not support 0 with this model")]
    #[case("unknown field seed")]
    fn a_server_is_not_sent_again_what_it_does_not_take(#[case] said: &str) {
        let ways = Profile::Ollama.ways();
        let all = Profile::Ollama.assumed(Structured::JsonSchema);
        let less = all.without(said, ways).unwrap();
        assert_ne!(less, all);
        assert_eq!(less.structured, Structured::JsonSchema);
        assert_eq!(less.without(said, ways), None);
    }

    #[test]
    fn the_budget_is_called_as_the_server_wants_it() {
        let said =
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        let old = Profile::Generic.assumed(Structured::JsonSchema);
        assert!(!old.max_completion_tokens);
        let new = old.without(said, Profile::Generic.ways()).unwrap();
        assert!(new.max_completion_tokens);
        let said = "Unrecognized request argument supplied: max_completion_tokens";
        assert_eq!(new.without(said, Profile::Generic.ways()), Some(old));
    }

    #[test]
    fn ways_get_worse_until_none_is_left() {
        let mut now = Profile::LmStudio.assumed(Structured::JsonSchema);
        let mut seen = Vec::new();
        while let Some(less) =
            now.without("response_format is not supported", Profile::LmStudio.ways())
        {
            seen.push(less.structured);
            now = less;
        }
        assert_eq!(seen, [Structured::Tool, Structured::PromptOnly]);
        assert_eq!(
            now.without("the prompt is too long", Profile::LmStudio.ways()),
            None
        );
    }
}
