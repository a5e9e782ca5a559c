//! Who drafts and judges, how it is reached, and what it may cost.

use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lyceum_ai::{Price, Profile, ProviderSettings, ServerSettings, SpeechSettings, Structured};
use lyceum_domain::money::MicroUsd;
use url::Url;

/// Who drafts and judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AiChoice {
    /// The built-in engine: no network, no key, always the same answer.
    Builtin,
    /// Any endpoint that speaks OpenAI's chat completions.
    Openai,
    /// Anthropic's messages.
    Anthropic,
}

/// What kind of endpoint speaks OpenAI's chat completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum AiProfile {
    /// OpenAI itself.
    Openai,
    /// Azure OpenAI.
    Azure,
    /// Ollama.
    Ollama,
    /// vLLM.
    Vllm,
    /// The server of llama.cpp.
    LlamaCpp,
    /// LM Studio.
    LmStudio,
    /// Anything else.
    Generic,
}

/// How a model is made to answer with a document of a given shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum AiStructured {
    /// Found out by a small question when a model is first used.
    Auto,
    /// The server holds the answer to the schema.
    JsonSchema,
    /// By the arguments of a tool.
    Tool,
    /// The server promises JSON, the prompt tells which.
    JsonObject,
    /// The prompt tells.
    PromptOnly,
}

/// Settings of the AI provider. It holds keys, so nothing shows it: it has no `Debug`.
#[derive(Clone, Args)]
pub struct AiSettings {
    /// Who drafts and judges.
    #[arg(
        id = "ai_provider",
        long = "ai-provider",
        env = "LYCEUM_AI_PROVIDER",
        value_enum,
        default_value = "builtin",
        global = true
    )]
    pub choice: AiChoice,

    /// What kind of endpoint it is; told from the address when absent.
    #[arg(
        id = "ai_profile",
        long = "ai-profile",
        env = "LYCEUM_AI_PROFILE",
        value_enum,
        global = true
    )]
    pub profile: Option<AiProfile>,

    /// Base address of the AI endpoint, such as `https://api.openai.com/v1`.
    #[arg(
        id = "ai_base_url",
        long = "ai-base-url",
        env = "LYCEUM_AI_BASE_URL",
        global = true
    )]
    pub base_url: Option<String>,

    /// Key of the AI endpoint.
    #[arg(
        id = "ai_api_key",
        long = "ai-api-key",
        env = "LYCEUM_AI_API_KEY",
        hide_env_values = true,
        global = true
    )]
    pub api_key: Option<String>,

    /// Model used when a request, assignment or course names none.
    #[arg(
        id = "ai_model",
        long = "ai-model",
        env = "LYCEUM_AI_MODEL",
        global = true
    )]
    pub model: Option<String>,

    /// Models that requests, assignments and courses may name besides it, separated by commas; any when absent.
    #[arg(
        id = "ai_models",
        long = "ai-models",
        env = "LYCEUM_AI_MODELS",
        value_delimiter = ',',
        global = true
    )]
    pub models: Vec<String>,

    /// How the model is made to answer with a document of a given shape.
    #[arg(
        id = "ai_structured",
        long = "ai-structured",
        env = "LYCEUM_AI_STRUCTURED",
        value_enum,
        default_value = "auto",
        global = true
    )]
    pub structured: AiStructured,

    /// USD per million tokens read: of the model, or `MODEL=PRICE,…` for several.
    #[arg(
        id = "ai_price_input",
        long = "ai-price-input",
        env = "LYCEUM_AI_PRICE_INPUT",
        global = true
    )]
    pub price_input: Option<String>,

    /// USD per million tokens written, in the same form.
    #[arg(
        id = "ai_price_output",
        long = "ai-price-output",
        env = "LYCEUM_AI_PRICE_OUTPUT",
        global = true
    )]
    pub price_output: Option<String>,

    /// USD per million tokens read from the provider's cache; as others when absent.
    #[arg(
        id = "ai_price_cached",
        long = "ai-price-cached",
        env = "LYCEUM_AI_PRICE_CACHED",
        global = true
    )]
    pub price_cached: Option<String>,

    /// Most tokens of a request and its answer; what would be more is not sent.
    #[arg(
        id = "ai_context_tokens",
        long = "ai-context-tokens",
        env = "LYCEUM_AI_CONTEXT_TOKENS",
        global = true
    )]
    pub context_tokens: Option<NonZeroU64>,

    /// Requests to the AI endpoint at once; 4 when absent, 2 for servers on a desk.
    #[arg(
        id = "ai_concurrency",
        long = "ai-concurrency",
        env = "LYCEUM_AI_CONCURRENCY",
        global = true
    )]
    pub concurrency: Option<NonZeroUsize>,

    /// Longest wait for one answer, in seconds; 120 for grading and 300 for drafting when absent.
    #[arg(
        id = "ai_timeout",
        long = "ai-timeout",
        env = "LYCEUM_AI_TIMEOUT",
        global = true
    )]
    pub timeout: Option<NonZeroU64>,

    /// Model that speaks podcast scripts, such as `gpt-4o-mini-tts`; none are spoken when absent.
    #[arg(
        id = "ai_speech_model",
        long = "ai-speech-model",
        env = "LYCEUM_AI_SPEECH_MODEL",
        global = true
    )]
    pub speech_model: Option<String>,

    /// Voices of the speakers, separated by commas; `alloy,onyx` when absent.
    #[arg(
        id = "ai_speech_voices",
        long = "ai-speech-voices",
        env = "LYCEUM_AI_SPEECH_VOICES",
        value_delimiter = ',',
        global = true
    )]
    pub speech_voices: Vec<String>,

    /// Base address of the speech endpoint; the AI endpoint when absent.
    #[arg(
        id = "ai_speech_base_url",
        long = "ai-speech-base-url",
        env = "LYCEUM_AI_SPEECH_BASE_URL",
        global = true
    )]
    pub speech_base_url: Option<String>,

    /// Key of the speech endpoint, where that has an address of its own.
    #[arg(
        id = "ai_speech_api_key",
        long = "ai-speech-api-key",
        env = "LYCEUM_AI_SPEECH_API_KEY",
        hide_env_values = true,
        global = true
    )]
    pub speech_api_key: Option<String>,

    /// USD per million characters spoken.
    #[arg(
        id = "ai_speech_price",
        long = "ai-speech-price",
        env = "LYCEUM_AI_SPEECH_PRICE",
        global = true
    )]
    pub speech_price: Option<String>,
}

impl AiSettings {
    /// Who drafts and judges.
    ///
    /// # Errors
    /// If something is missing or contradicts itself, naming the variable.
    pub fn provider(&self) -> anyhow::Result<ProviderSettings> {
        if self.choice == AiChoice::Builtin {
            if self.speech_model.is_some() {
                bail!("LYCEUM_AI_SPEECH_MODEL needs LYCEUM_AI_PROVIDER=openai or anthropic");
            }
            return Ok(ProviderSettings::Builtin);
        }
        let profile = self.profile()?;
        let Some(model) = self.model.as_deref().map(str::trim) else {
            bail!("LYCEUM_AI_PROVIDER={} needs LYCEUM_AI_MODEL", self.name());
        };
        let url = self.base_url(profile)?;
        let mut server = ServerSettings::new(profile, url, self.api_key.clone(), model);
        server.models = named(&self.models);
        server.structured = self.structured.chosen();
        server.prices = self.prices(model)?;
        server.context_tokens = self.context_tokens.map(NonZeroU64::get);
        if let Some(concurrency) = self.concurrency {
            server.concurrency = concurrency.get();
        }
        if let Some(seconds) = self.timeout {
            let timeout = Duration::from_secs(seconds.get());
            server.grading_timeout = timeout;
            server.drafting_timeout = timeout;
        }
        server.speech = self.speech(&server)?;
        Ok(ProviderSettings::Server(server))
    }

    const fn name(&self) -> &'static str {
        match self.choice {
            AiChoice::Builtin => "builtin",
            AiChoice::Openai => "openai",
            AiChoice::Anthropic => "anthropic",
        }
    }

    fn profile(&self) -> anyhow::Result<Profile> {
        match (self.choice, self.profile) {
            (AiChoice::Anthropic, Some(_)) => {
                bail!("LYCEUM_AI_PROFILE is for LYCEUM_AI_PROVIDER=openai");
            }
            (AiChoice::Anthropic, None) => Ok(Profile::Anthropic),
            (AiChoice::Builtin | AiChoice::Openai, Some(profile)) => Ok(profile.into()),
            (AiChoice::Builtin | AiChoice::Openai, None) => self.profile_by_address(),
        }
    }

    fn profile_by_address(&self) -> anyhow::Result<Profile> {
        let Some(text) = &self.base_url else {
            return Ok(Profile::OpenAi);
        };
        let url = Url::parse(text).context("LYCEUM_AI_BASE_URL")?;
        let host = url.host_str().unwrap_or_default();
        Ok(if host == "api.openai.com" {
            Profile::OpenAi
        } else if host.ends_with(".azure.com") {
            Profile::Azure
        } else {
            Profile::Generic
        })
    }

    fn base_url(&self, profile: Profile) -> anyhow::Result<Url> {
        let usual = match profile {
            Profile::OpenAi => Some("https://api.openai.com/v1"),
            Profile::Anthropic => Some("https://api.anthropic.com"),
            Profile::Ollama => Some("http://localhost:11434/v1"),
            Profile::LmStudio => Some("http://localhost:1234/v1"),
            Profile::Azure | Profile::Vllm | Profile::LlamaCpp | Profile::Generic => None,
        };
        let Some(url) = self.base_url.as_deref().or(usual) else {
            bail!("this LYCEUM_AI_PROFILE needs LYCEUM_AI_BASE_URL");
        };
        Url::parse(url).context("LYCEUM_AI_BASE_URL")
    }

    /// What models cost; a price without a name is that of `model`.
    fn prices(&self, model: &str) -> anyhow::Result<BTreeMap<String, Price>> {
        let read = |setting: &Option<String>, name: &'static str| match setting {
            Some(text) => amounts(text, model).context(name),
            None => Ok(BTreeMap::new()),
        };
        let input = read(&self.price_input, "LYCEUM_AI_PRICE_INPUT")?;
        let output = read(&self.price_output, "LYCEUM_AI_PRICE_OUTPUT")?;
        let cached = read(&self.price_cached, "LYCEUM_AI_PRICE_CACHED")?;
        if !input.keys().eq(output.keys()) || cached.keys().any(|name| !input.contains_key(name)) {
            bail!(
                "LYCEUM_AI_PRICE_INPUT and LYCEUM_AI_PRICE_OUTPUT must name the same models, and \
                 LYCEUM_AI_PRICE_CACHED no other"
            );
        }
        let both = input.into_iter().zip(output.into_values());
        let prices = both.map(|((name, input), output)| {
            let cached = cached.get(&name).copied();
            let price = Price {
                input,
                output,
                cached,
            };
            (name, price)
        });
        Ok(prices.collect())
    }

    fn speech(&self, server: &ServerSettings) -> anyhow::Result<Option<SpeechSettings>> {
        let Some(model) = &self.speech_model else {
            return Ok(None);
        };
        let (url, key) = match &self.speech_base_url {
            // The key of one endpoint is no business of another.
            Some(url) => (
                Url::parse(url).context("LYCEUM_AI_SPEECH_BASE_URL")?,
                self.speech_api_key.clone(),
            ),
            None if self.choice == AiChoice::Anthropic => {
                bail!("LYCEUM_AI_SPEECH_MODEL needs LYCEUM_AI_SPEECH_BASE_URL with anthropic")
            }
            None => (
                server.base_url.clone(),
                self.speech_api_key.clone().or_else(|| self.api_key.clone()),
            ),
        };
        let mut speech = SpeechSettings::new(url, key, model.trim());
        let voices = named(&self.speech_voices);
        if !voices.is_empty() {
            speech.voices = voices;
        }
        let price = self.speech_price.as_deref().map(amount).transpose();
        speech.price = price.context("LYCEUM_AI_SPEECH_PRICE")?;
        Ok(Some(speech))
    }
}

impl AiStructured {
    const fn chosen(self) -> Option<Structured> {
        match self {
            Self::Auto => None,
            Self::JsonSchema => Some(Structured::JsonSchema),
            Self::Tool => Some(Structured::Tool),
            Self::JsonObject => Some(Structured::JsonObject),
            Self::PromptOnly => Some(Structured::PromptOnly),
        }
    }
}

impl From<AiProfile> for Profile {
    fn from(profile: AiProfile) -> Self {
        match profile {
            AiProfile::Openai => Self::OpenAi,
            AiProfile::Azure => Self::Azure,
            AiProfile::Ollama => Self::Ollama,
            AiProfile::Vllm => Self::Vllm,
            AiProfile::LlamaCpp => Self::LlamaCpp,
            AiProfile::LmStudio => Self::LmStudio,
            AiProfile::Generic => Self::Generic,
        }
    }
}

/// The names of a list that say something.
fn named(list: &[String]) -> Vec<String> {
    let names = list.iter().map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// Amounts by model: `2.50` of `model`, or `a=2.50,b=0.15`.
fn amounts(text: &str, model: &str) -> anyhow::Result<BTreeMap<String, MicroUsd>> {
    let parts = text.split(',').map(|part| {
        let (name, price) = part.rsplit_once('=').unwrap_or((model, part));
        Ok((name.trim().to_owned(), amount(price)?))
    });
    parts.collect()
}

/// Dollars with up to six places.
fn amount(text: &str) -> anyhow::Result<MicroUsd> {
    let wrong = || format!("{:?} is not an amount such as 2.50", text.trim());
    let (whole, places) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let are_digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || !are_digits(whole) || !are_digits(places) || places.len() > 6 {
        bail!(wrong());
    }
    let millionths = format!("{whole}{places:0<6}").parse();
    Ok(MicroUsd::new(millionths.with_context(wrong)?))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        ai: AiSettings,
    }

    fn settings(flags: &[&str]) -> anyhow::Result<ProviderSettings> {
        let arguments = ["lyceum"].iter().chain(flags);
        Only::try_parse_from(arguments)?.ai.provider()
    }

    fn server(flags: &[&str]) -> ServerSettings {
        match settings(flags).unwrap() {
            ProviderSettings::Server(server) => server,
            ProviderSettings::Builtin => unreachable!("a server was set"),
        }
    }

    fn refused(flags: &[&str]) -> String {
        format!("{:#}", settings(flags).unwrap_err())
    }

    const OPENAI: [&str; 4] = ["--ai-provider", "openai", "--ai-model", "m"];

    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        OPENAI.iter().chain(more).copied().collect()
    }

    #[test]
    fn nothing_set_is_the_builtin_engine() {
        assert_eq!(settings(&[]).unwrap(), ProviderSettings::Builtin);
        assert!(refused(&["--ai-speech-model", "tts-1"]).contains("LYCEUM_AI_PROVIDER"));
        assert!(refused(&["--ai-provider", "openai"]).contains("LYCEUM_AI_MODEL"));
    }

    #[test]
    fn kinds_of_servers_are_told_by_name_or_by_address() {
        let openai = server(&OPENAI);
        assert_eq!(openai.profile, Profile::OpenAi);
        assert_eq!(openai.base_url.as_str(), "https://api.openai.com/v1");
        assert_eq!(openai.structured, None);
        let by = |url: &str| server(&with(&["--ai-base-url", url])).profile;
        assert_eq!(by("https://x.openai.azure.com/openai/v1"), Profile::Azure);
        assert_eq!(by("http://127.0.0.1:9/v1"), Profile::Generic);
        let ollama = server(&with(&[
            "--ai-profile",
            "ollama",
            "--ai-structured",
            "json_object",
        ]));
        assert_eq!(ollama.profile, Profile::Ollama);
        assert_eq!(ollama.base_url.port(), Some(11434));
        assert_eq!(ollama.structured, Some(Structured::JsonObject));
        assert_eq!(ollama.concurrency, 2);
        assert!(refused(&with(&["--ai-profile", "llama_cpp"])).contains("LYCEUM_AI_BASE_URL"));
        let claude = ["--ai-provider", "anthropic", "--ai-model", "m"];
        assert_eq!(server(&claude).profile, Profile::Anthropic);
        let both: Vec<&str> = claude
            .into_iter()
            .chain(["--ai-profile", "azure"])
            .collect();
        assert!(refused(&both).contains("LYCEUM_AI_PROFILE"));
    }

    #[test]
    fn prices_are_of_the_model_or_of_those_named() {
        let one = server(&with(&[
            "--ai-price-input",
            "2.5",
            "--ai-price-output",
            "10",
        ]));
        let price = Price {
            input: MicroUsd::new(2_500_000),
            output: MicroUsd::new(10_000_000),
            cached: None,
        };
        assert_eq!(one.prices, BTreeMap::from([("m".to_owned(), price)]));
        let flags = [
            "--ai-price-input",
            "m=1,n:7b=0.15",
            "--ai-price-output",
            "n:7b=0.6,m=2",
            "--ai-price-cached",
            "0.1",
        ];
        let two = server(&with(&flags)).prices;
        assert_eq!(two["m"].cached, Some(MicroUsd::new(100_000)));
        assert_eq!(two["n:7b"].output, MicroUsd::new(600_000));
        for wrong in [
            "",
            "-1",
            "1e3",
            "1.1234567",
            "a",
            "1.2.3",
            "99999999999999999999",
        ] {
            let input = format!("--ai-price-input={wrong}");
            let flags = with(&[&input, "--ai-price-output", "1"]);
            assert!(refused(&flags).contains("LYCEUM_AI_PRICE_INPUT"), "{wrong}");
        }
        assert!(refused(&with(&["--ai-price-input", "1"])).contains("LYCEUM_AI_PRICE_OUTPUT"));
    }

    #[test]
    fn limits_are_taken_over() {
        let flags = [
            "--ai-models",
            "a, b,",
            "--ai-concurrency",
            "9",
            "--ai-timeout",
            "30",
            "--ai-context-tokens",
            "8192",
        ];
        let set = server(&with(&flags));
        assert_eq!(set.models, ["a", "b"]);
        assert_eq!((set.concurrency, set.context_tokens), (9, Some(8192)));
        assert_eq!(set.grading_timeout, Duration::from_secs(30));
        assert_eq!(set.drafting_timeout, Duration::from_secs(30));
    }

    #[test]
    fn a_key_goes_to_its_own_endpoint_only() {
        let flags = [
            "--ai-api-key",
            "secret",
            "--ai-speech-model",
            "tts-1",
            "--ai-speech-price",
            "15",
        ];
        let same = server(&with(&flags)).speech.unwrap();
        assert_eq!(same.api_key.as_deref(), Some("secret"));
        assert_eq!(same.voices, ["alloy", "onyx"]);
        assert_eq!(same.price, Some(MicroUsd::new(15_000_000)));
        let mut flags = flags.to_vec();
        flags.extend([
            "--ai-speech-base-url",
            "http://tts.example/v1",
            "--ai-speech-voices",
            "ann,bo",
        ]);
        let other = server(&with(&flags)).speech.unwrap();
        assert_eq!(other.api_key, None);
        assert_eq!(other.voices, ["ann", "bo"]);
        let claude = [
            "--ai-provider",
            "anthropic",
            "--ai-model",
            "m",
            "--ai-speech-model",
            "t",
        ];
        assert!(refused(&claude).contains("LYCEUM_AI_SPEECH_BASE_URL"));
    }
}
