//! Text to speech over `OpenAI`'s protocol: one text, one voice, raw samples.
//!
//! Which texts are spoken, and how they are put together, is not known here.

use std::sync::Mutex;
use std::time::Duration;

use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::{AiError, Answered, Speech, SpeechTask, Usage};
use lyceum_ports::drafting::ai_calls::{AiFeature, CallOutcome, Meter};
use serde::Serialize;
use url::Url;

use crate::account::{Account, Tariff, about_tokens};
use crate::profiles::Profile;
use crate::protocols::speech_endpoint;
use crate::settings::{ServerSettings, SetupError, SpeechSettings};
use crate::transport::{
    Complaint, Connection, Failure, HttpResponse, Request, Transport, told_in_a_success,
};

/// What `pcm` means: samples per second, mono, 16 bits, little-endian.
const SAMPLE_RATE: u32 = 24_000;
/// Longest text of one request, in characters.
const MAX_CHARS: usize = 4_096;
/// Largest answer read, in bytes: some ten minutes.
const MAX_BODY: usize = 32 * 1024 * 1024;
/// Version of the way texts are sent.
const VERSION: &str = "speech-1";

/// A server that speaks.
pub(crate) struct Voice {
    settings: SpeechSettings,
    url: Url,
    transport: Transport,
}

#[derive(Serialize)]
struct SpeechRequest<'a> {
    model: &'a str,
    input: &'a str,
    voice: &'a str,
    response_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
}

impl Voice {
    /// Prepares it, with the patience of the provider beside it; nothing is sent.
    pub(crate) fn new(
        settings: &SpeechSettings,
        beside: &ServerSettings,
    ) -> Result<Self, SetupError> {
        let named = |text: &str| !text.trim().is_empty();
        if !named(&settings.model) || !settings.voices.iter().any(|voice| named(voice)) {
            return Err(SetupError::Voice);
        }
        let transport = Transport::new(&Connection {
            key: settings.api_key.clone(),
            auth: Profile::Generic.auth(),
            headers: &[],
            connect_timeout: beside.connect_timeout,
            max_attempts: beside.max_attempts,
            first_pause: beside.first_pause,
            longest_pause: Duration::from_mins(2),
            concurrency: beside.concurrency,
            breaker: beside.breaker,
        })?;
        Ok(Self {
            url: speech_endpoint(&settings.base_url)?,
            transport,
            settings: settings.clone(),
        })
    }

    /// Speaks a text.
    pub(crate) async fn speak(
        &self,
        task: &SpeechTask,
        meter: &Meter,
    ) -> Result<Answered<Speech>, AiError> {
        let request = self.request(task)?;
        let account = self.account(task, meter);
        let asked = self.transport.ask(&request, &account, &samples).await;
        let (pcm, mut entry) = asked.map_err(|failure| failure.error)?;
        entry.end(CallOutcome::Answered);
        drop(entry);
        let total = account.total();
        Ok(Answered {
            value: Speech {
                pcm,
                sample_rate: SAMPLE_RATE,
            },
            model_asked: self.settings.model.clone(),
            model: self.settings.model.clone(),
            prompt_version: VERSION.to_owned(),
            // The answer is sound, and kept as such or not at all.
            raw: String::new(),
            usage: total.usage,
            cost: total.cost,
            latency: total.latency,
        })
    }

    fn request(&self, task: &SpeechTask) -> Result<Request, AiError> {
        let chars = task.text.chars().count();
        if chars > MAX_CHARS || task.text.trim().is_empty() {
            return Err(AiError::Refused(format!(
                "a text to be spoken must have 1 to {MAX_CHARS} characters, not {chars}"
            )));
        }
        let instructions = task.instructions.trim();
        // The first models know no instructions and refuse them.
        let takes_any = !self.settings.model.starts_with("tts-1");
        let body = SpeechRequest {
            model: &self.settings.model,
            input: &task.text,
            voice: self.voice_of(task.speaker),
            response_format: "pcm",
            instructions: Some(instructions).filter(|text| takes_any && !text.is_empty()),
        };
        let body = serde_json::to_string(&body).map_err(|error| {
            AiError::InvalidOutput(format!("the request could not be written: {error}"))
        })?;
        Ok(Request {
            url: self.url.clone(),
            body,
            timeout: self.settings.timeout,
            estimate: Usage {
                tokens_in: about_tokens(&task.text),
                ..Usage::default()
            },
            most_bytes: MAX_BODY,
        })
    }

    fn account<'m>(&self, task: &SpeechTask, meter: &'m Meter) -> Account<'m> {
        let chars = u64::try_from(task.text.chars().count()).unwrap_or(u64::MAX);
        let cost = |price: MicroUsd| Tariff::Flat(price.for_tokens(chars));
        Account {
            meter,
            feature: AiFeature::Speaking,
            host: self.url.host_str().unwrap_or_default().to_owned(),
            model: self.settings.model.clone(),
            tariff: self.settings.price.map_or(Tariff::Unknown, cost),
            sent: vec!["podcast_script"],
            total: Mutex::default(),
        }
    }

    fn voice_of(&self, speaker: usize) -> &str {
        let voices = &self.settings.voices;
        let voice = voices.get(speaker % voices.len().max(1));
        voice.map_or("", |voice| voice.trim())
    }
}

/// The samples of an answer; some servers send a file, or an error, whatever they were asked for.
fn samples(answer: &HttpResponse) -> Result<Vec<u8>, Failure> {
    let kind = answer.headers.get("content-type");
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/json") || kind.starts_with("text/") {
        let complaint = Complaint::read(&answer.body);
        if complaint != Complaint::default() {
            return Err(told_in_a_success(&answer.headers, complaint));
        }
        return Err(Failure::unusable(
            "the server's answer is no sound; check the base URL",
        ));
    }
    let files: [&[u8]; 5] = [b"RIFF", b"ID3", b"OggS", b"fLaC", &[0xff, 0xfb]];
    if files.iter().any(|start| answer.body.starts_with(start)) {
        return Err(Failure::unusable(
            "the server sends sound files where raw samples (pcm) were asked for",
        ));
    }
    if answer.body.is_empty() || !answer.body.len().is_multiple_of(2) {
        return Err(Failure::unusable("the server sent half a sample, or none"));
    }
    Ok(answer.body.clone())
}
