//! Asking a server for a document: ask, parse, hold against schema and rules, ask for at most one repair.
//!
//! The same over every protocol. What a document is about is not known here.

use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use lyceum_ports::drafting::ai::{AiError, Answered, Usage};
use lyceum_ports::drafting::ai_calls::{CallOutcome, Meter};
use serde_json::Value;
use url::Url;

use super::{answers, prompts};
use crate::abilities::{self, Abilities};
use crate::account::{Account, Entry, Tariff, about_tokens};
use crate::profiles::{Capabilities, Profile, Structured};
use crate::protocols::{Chat, End, Protocol, Reply};
use crate::settings::{ServerSettings, SetupError};
use crate::transport::{Connection, Failure, Request, Transport};

/// Largest answer read, in bytes.
const MAX_BODY: usize = 1024 * 1024;
/// Longest wait for the answer to a probe; long enough for a model that has to be loaded first.
const PROBE_PATIENCE: Duration = Duration::from_mins(1);
/// How often a question is put differently because the server does not take it as it is.
const MOST_CORRECTIONS: usize = 6;

/// A line to one server, over which documents are asked for.
pub(super) struct Line {
    settings: ServerSettings,
    protocol: Protocol,
    url: Url,
    transport: Transport,
    abilities: Abilities,
}

impl Line {
    /// Prepares it; nothing is sent.
    pub(super) fn new(settings: ServerSettings) -> Result<Self, SetupError> {
        let profile = settings.profile;
        let protocol = Protocol::of(profile);
        let transport = Transport::new(&Connection {
            key: settings.api_key.clone(),
            auth: profile.auth(),
            headers: protocol.headers(),
            connect_timeout: settings.connect_timeout,
            max_attempts: settings.max_attempts,
            first_pause: settings.first_pause,
            longest_pause: protocol.longest_pause(),
            concurrency: settings.concurrency,
            breaker: settings.breaker,
        })?;
        Ok(Self {
            protocol,
            url: protocol.endpoint(profile, &settings.base_url)?,
            transport,
            abilities: Abilities::new(profile, settings.structured),
            settings,
        })
    }

    /// How a model gives its answers a shape, once that is known.
    pub(super) fn structured(&self, model: &str) -> Option<Structured> {
        self.abilities.of(model).map(|known| known.structured)
    }

    /// Asks, checks, and asks for one repair if the answer breaks rules.
    pub(super) async fn converse<T>(
        &self,
        mut chat: Chat,
        version: &str,
        timeout: Duration,
        meter: &Meter,
        read: impl Fn(&Value) -> Result<T, Vec<String>> + Send,
    ) -> Result<Answered<T>, AiError> {
        if !self.settings.allows(&chat.model) {
            let sentence = format!("the operator does not allow the model {:?}", chat.model);
            return Err(AiError::Refused(sentence));
        }
        let account = self.account(&chat, meter);
        let (first, mut entry) = self.ask(&chat, &account, timeout).await?;
        let broken = match check(chat.schema, &first.content, &read) {
            Ok(value) => {
                entry.end(CallOutcome::Answered);
                drop(entry);
                return Ok(answered(value, first, &account, version));
            }
            Err(broken) => broken,
        };
        entry.end(CallOutcome::Invalid);
        drop(entry);
        tracing::info!(model = %chat.model, rules = broken.len(), "asking the model to repair its answer");
        chat.messages = prompts::repair(&chat.messages, &first.content, &broken);
        let (second, mut entry) = self.ask(&chat, &account, timeout).await?;
        let checked = check(chat.schema, &second.content, &read);
        entry.end(match checked {
            Ok(_) => CallOutcome::Answered,
            Err(_) => CallOutcome::Invalid,
        });
        drop(entry);
        match checked {
            Ok(value) => Ok(answered(value, second, &account, version)),
            Err(broken) => Err(AiError::InvalidOutput(broken.join("; "))),
        }
    }

    fn account<'m>(&self, chat: &Chat, meter: &'m Meter) -> Account<'m> {
        let price = self.settings.prices.get(&chat.model);
        Account {
            meter,
            feature: chat.feature,
            host: self.url.host_str().unwrap_or_default().to_owned(),
            model: chat.model.clone(),
            tariff: price.map_or(Tariff::Unknown, |price| Tariff::Tokens(*price)),
            sent: chat.sent.clone(),
            total: Mutex::default(),
        }
    }

    /// Asks; an answer that ran out of its budget is asked for once more with twice as much.
    async fn ask<'a>(
        &self,
        chat: &Chat,
        account: &'a Account<'_>,
        timeout: Duration,
    ) -> Result<(Reply, Entry<'a>), AiError> {
        let budget = chat.max_tokens.min(self.protocol.most_tokens());
        let (first, mut entry) = self.ask_within(chat, budget, account, timeout).await?;
        if first.end != End::CutOff {
            return Ok((first, entry));
        }
        entry.end(CallOutcome::Invalid);
        drop(entry);
        let budget = budget.saturating_mul(2).min(self.protocol.most_tokens());
        let (second, mut entry) = self.ask_within(chat, budget, account, timeout).await?;
        if second.end == End::CutOff {
            entry.end(CallOutcome::Invalid);
            return Err(AiError::InvalidOutput(format!(
                "the model did not finish its answer within {budget} tokens"
            )));
        }
        Ok((second, entry))
    }

    /// Asks in the way that the server knows for this model, and in another where it turns out not to.
    async fn ask_within<'a>(
        &self,
        chat: &Chat,
        budget: u32,
        account: &'a Account<'_>,
        timeout: Duration,
    ) -> Result<(Reply, Entry<'a>), AiError> {
        let mut capabilities = self.capabilities(chat, account.meter, timeout).await?;
        let mut corrections = 0;
        loop {
            let asked = self
                .ask_as(chat, budget, &capabilities, account, timeout)
                .await;
            let failure = match asked {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            corrections += 1;
            match self.abilities.after(&capabilities, &failure) {
                Some(less) if corrections <= MOST_CORRECTIONS => capabilities = less,
                Some(_) | None => return Err(failure.error),
            }
            self.abilities.keep(&chat.model, capabilities.clone());
        }
    }

    async fn ask_as<'a>(
        &self,
        chat: &Chat,
        budget: u32,
        capabilities: &Capabilities,
        account: &'a Account<'_>,
        timeout: Duration,
    ) -> Result<(Reply, Entry<'a>), Failure> {
        let body = self
            .protocol
            .body(chat, budget, capabilities)
            .map_err(Failure::last)?;
        let estimate = Usage {
            tokens_in: about_tokens(&body),
            tokens_out: u64::from(budget),
            tokens_cached: 0,
        };
        self.fits(estimate).map_err(Failure::last)?;
        let request = Request {
            url: self.url.clone(),
            body,
            timeout,
            estimate,
            most_bytes: MAX_BODY,
        };
        let read = |answer: &_| self.protocol.read(answer);
        let (reply, mut entry) = self.transport.ask(&request, account, &read).await?;
        self.book(&reply, estimate, &mut entry);
        if let End::Refused(why) = reply.end {
            entry.end(CallOutcome::Refused);
            return Err(Failure::last(AiError::Refused(why.to_owned())));
        }
        Ok((reply, entry))
    }

    fn fits(&self, estimate: Usage) -> Result<(), AiError> {
        let wanted = estimate.tokens();
        match self.settings.context_tokens {
            Some(limit) if wanted > limit => Err(AiError::Refused(format!(
                "the request and its answer need about {wanted} tokens, and the model's context is set to {limit}"
            ))),
            Some(_) | None => Ok(()),
        }
    }

    fn book(&self, reply: &Reply, estimate: Usage, entry: &mut Entry<'_>) {
        entry.model.clone_from(&reply.model);
        match reply.usage {
            Some(usage) => entry.took(usage),
            None => entry.wrote_about(about_tokens(&reply.content)),
        }
        // Ollama cuts what its context does not hold, and does not say so.
        let read = reply.usage.map_or(u64::MAX, |usage| usage.tokens_in);
        if self.settings.profile == Profile::Ollama && read < estimate.tokens_in / 2 {
            tracing::warn!(
                tokens = read,
                expected = estimate.tokens_in,
                "the server seems to have read only a part of the question; raise OLLAMA_CONTEXT_LENGTH"
            );
        }
    }

    /// What the server can do for a model: known, or found out now.
    async fn capabilities(
        &self,
        chat: &Chat,
        meter: &Meter,
        timeout: Duration,
    ) -> Result<Capabilities, AiError> {
        if let Some(known) = self.abilities.of(&chat.model) {
            return Ok(known);
        }
        let unanswered = &self.abilities.unanswered;
        let before = unanswered.load(Ordering::Relaxed);
        let _alone = self.abilities.probing.lock().await;
        if let Some(known) = self.abilities.of(&chat.model) {
            return Ok(known);
        }
        if unanswered.load(Ordering::Relaxed) != before {
            return Err(AiError::Unavailable {
                reason: "it did not answer the question what it can do".to_owned(),
                retry_after: None,
            });
        }
        let probe = abilities::question(&chat.model, chat.feature);
        let account = self.account(&probe, meter);
        let found = self.probe(&probe, &account, timeout.min(PROBE_PATIENCE));
        let found = found.await.inspect_err(|error| {
            if error.is_transient() {
                unanswered.fetch_add(1, Ordering::Relaxed);
            }
        })?;
        self.abilities.keep(&chat.model, found.clone());
        Ok(found)
    }

    /// Tries one way after the other until one holds; the last is taken on trust.
    async fn probe(
        &self,
        probe: &Chat,
        account: &Account<'_>,
        timeout: Duration,
    ) -> Result<Capabilities, AiError> {
        let profile = self.settings.profile;
        let mut ways = profile.ways().iter().copied();
        let mut now = profile.assumed(ways.next().unwrap_or(Structured::PromptOnly));
        let in_prompt = now.schema_in_prompt;
        let mut corrections = 0;
        while now.structured != Structured::PromptOnly && corrections <= MOST_CORRECTIONS {
            corrections += 1;
            now.schema_in_prompt = false;
            let asked = self
                .ask_as(probe, probe.max_tokens, &now, account, timeout)
                .await;
            let other = match asked {
                Ok((reply, mut entry)) if abilities::holds(&reply) => {
                    entry.end(CallOutcome::Answered);
                    break;
                }
                Ok((_, mut entry)) => {
                    entry.end(CallOutcome::Invalid);
                    None
                }
                Err(failure) if failure.rejected.is_none() => return Err(failure.error),
                Err(failure) => self.abilities.after(&now, &failure),
            };
            let mut worse = || ways.find(|way| *way > now.structured);
            now = match other {
                Some(other) => other,
                None => Capabilities {
                    structured: worse().unwrap_or(Structured::PromptOnly),
                    ..now
                },
            };
        }
        Ok(Capabilities {
            schema_in_prompt: in_prompt,
            ..now
        })
    }
}

/// Parses an answer and holds it against its schema and its rules.
fn check<T>(
    schema: &str,
    text: &str,
    read: &impl Fn(&Value) -> Result<T, Vec<String>>,
) -> Result<T, Vec<String>> {
    let document = answers::object_in(text)
        .ok_or_else(|| vec!["the answer must be one JSON object".to_owned()])?;
    let schema: Value = serde_json::from_str(schema).map_err(|error| vec![error.to_string()])?;
    let broken = answers::broken_rules(&schema, &document);
    if broken.is_empty() {
        read(&document)
    } else {
        Err(broken)
    }
}

fn answered<T>(value: T, reply: Reply, account: &Account<'_>, version: &str) -> Answered<T> {
    let total = account.total();
    Answered {
        value,
        model_asked: account.model.clone(),
        model: reply.model.unwrap_or_else(|| account.model.clone()),
        prompt_version: version.to_owned(),
        raw: reply.content,
        usage: total.usage,
        cost: total.cost,
        latency: total.latency,
    }
}
