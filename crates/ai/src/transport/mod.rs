//! One request to a server: a turn, tries, pauses, deadlines and limits.
//!
//! Knows HTTP, and nothing of models, grading or syllabi. The key is sent and never written anywhere.

mod breaker;
mod failures;
mod retry_after;

use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable};
use lyceum_ports::drafting::ai::{AiError, Usage};
use lyceum_ports::drafting::ai_calls::CallOutcome;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use tokio::sync::Semaphore;
use url::Url;

use crate::account::{Account, Entry};
use crate::profiles::Auth;
use crate::settings::{BreakerSettings, SetupError};
use breaker::{Asker, Breakers};
use failures::{judge, too_late, transient, unreachable_server};

pub(crate) use failures::{Complaint, Failure, told_in_a_success};

/// Longest pause of our own between two tries.
const LONGEST_OWN_PAUSE: Duration = Duration::from_secs(8);
/// Shortest key that is looked for in answers; local servers are often given words such as `ollama`, which an answer may well contain.
const SECRET_CHARS: usize = 16;

/// How to reach a server, and how patiently.
#[derive(Clone)]
pub(crate) struct Connection {
    pub key: Option<String>,
    pub auth: Auth,
    pub headers: &'static [(&'static str, &'static str)],
    pub connect_timeout: Duration,
    pub max_attempts: usize,
    pub first_pause: Duration,
    /// Longest pause a server may ask for while a caller waits.
    pub longest_pause: Duration,
    pub concurrency: usize,
    pub breaker: BreakerSettings,
}

/// A connection to one server.
pub(crate) struct Transport {
    client: Client,
    key: Option<String>,
    max_attempts: usize,
    first_pause: Duration,
    longest_pause: Duration,
    turns: Semaphore,
    breakers: Breakers,
}

/// One request.
#[derive(Debug)]
pub(crate) struct Request {
    pub url: Url,
    /// JSON.
    pub body: String,
    /// Longest wait for the whole answer of one try.
    pub timeout: Duration,
    /// What it will probably take.
    pub estimate: Usage,
    /// Largest answer read, in bytes.
    pub most_bytes: usize,
}

/// What came back with a status that means success.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Makes something of an answer.
pub(crate) type Reader<'r, R> = &'r (dyn Fn(&HttpResponse) -> Result<R, Failure> + Sync);

impl Transport {
    /// Prepares a client; nothing is sent.
    pub(crate) fn new(connection: &Connection) -> Result<Self, SetupError> {
        // Another part of the process may have installed one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .default_headers(headers(connection)?)
            .connect_timeout(connection.connect_timeout)
            // A redirect could carry the key and the submission somewhere else.
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .map_err(SetupError::Client)?;
        Ok(Self {
            client,
            key: connection.key.as_ref().map(|key| key.trim().to_owned()),
            max_attempts: connection.max_attempts.max(1),
            first_pause: connection.first_pause,
            longest_pause: connection.longest_pause,
            turns: Semaphore::new(connection.concurrency.max(1)),
            breakers: Breakers::new(connection.breaker),
        })
    }

    /// Asks until there is an answer, a final no, or no try left.
    pub(crate) async fn ask<'a, R>(
        &self,
        request: &Request,
        account: &'a Account<'_>,
        read: Reader<'_, R>,
    ) -> Result<(R, Entry<'a>), Failure> {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.first_pause)
            .with_max_delay(LONGEST_OWN_PAUSE)
            .with_max_times(self.max_attempts - 1)
            .with_jitter();
        (|| self.try_once(request, account, read))
            .retry(pauses)
            .when(|failure: &Failure| failure.again)
            .adjust(|failure, planned| match failure.wait() {
                // `planned` is empty when no try is left.
                Some(wanted) => planned.and((wanted <= self.longest_pause).then_some(wanted)),
                None => planned,
            })
            .await
    }

    async fn try_once<'a, R>(
        &self,
        request: &Request,
        account: &'a Account<'_>,
        read: Reader<'_, R>,
    ) -> Result<(R, Entry<'a>), Failure> {
        // Waiting for a turn is nobody's delay but ours, so no clock runs yet.
        let _turn = self.turns.acquire().await;
        let admitted = account.admit(request.estimate).await;
        let reservation = admitted.map_err(Failure::last)?;
        let asker = Asker {
            model: &account.model,
            workspace: account.meter.workspace(),
        };
        if let Err(wait) = self.breakers.enter(asker, Instant::now()) {
            account.take_back(reservation).await;
            let left_alone = AiError::LeftAlone { retry_after: wait };
            return Err(Failure::last(left_alone));
        }
        let mut entry = account.open(request.estimate, reservation);
        let outcome = tokio::time::timeout(request.timeout, self.exchange(request, &mut entry));
        let outcome = outcome
            .await
            .unwrap_or_else(|_| Err(too_late(request.timeout)));
        entry.stop_clock();
        match outcome.and_then(|answer| read(&answer)) {
            Ok(value) => {
                self.breakers.succeeded(asker);
                Ok((value, entry))
            }
            Err(mut failure) => {
                self.note(&failure, &mut entry, asker);
                if let AiError::Refused(sentence) = &mut failure.error {
                    *sentence = self.without_key(std::mem::take(sentence), 1);
                }
                Err(failure)
            }
        }
    }

    fn note(&self, failure: &Failure, entry: &mut Entry<'_>, asker: Asker<'_>) {
        entry.end(match &failure.error {
            AiError::Unavailable { .. } | AiError::LeftAlone { .. } => CallOutcome::Unavailable,
            AiError::Refused(_) | AiError::InputTooThin(_) | AiError::BudgetExceeded(_) => {
                CallOutcome::Refused
            }
            AiError::InvalidOutput(_) => CallOutcome::Invalid,
        });
        if !failure.was_worked_on {
            entry.took_nothing();
        }
        if failure.is_outage {
            self.breakers.failed(asker, Instant::now());
        } else if !failure.again {
            // It answers, if only to say no.
            self.breakers.succeeded(asker);
        }
    }

    async fn exchange(
        &self,
        request: &Request,
        entry: &mut Entry<'_>,
    ) -> Result<HttpResponse, Failure> {
        let response = self
            .client
            .post(request.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(request.body.clone())
            .send()
            .await
            .map_err(|error| unreachable_server(&error))?;
        let status = response.status();
        let headers = response.headers().clone();
        entry.request_id = request_id(&headers).map(|id| self.without_key(id, 1));
        if status.is_success() {
            let body = limited(response, request.most_bytes).await?;
            return Ok(HttpResponse {
                headers,
                body: self.scrubbed(body),
            });
        }
        let body = limited(response, request.most_bytes).await;
        let text = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
        // Before it is shortened: half a key is a secret, too.
        let complaint = Complaint::read(self.without_key(text, 1).as_bytes());
        Err(judge(status, &headers, complaint))
    }

    /// An answer without the key; bytes that are no text, such as sound, stay as they are.
    fn scrubbed(&self, body: Vec<u8>) -> Vec<u8> {
        match String::from_utf8(body) {
            Ok(text) => self.without_key(text, SECRET_CHARS).into_bytes(),
            Err(error) => error.into_bytes(),
        }
    }

    /// Some servers quote the key they did not like, or the whole request.
    fn without_key(&self, text: String, least: usize) -> String {
        match &self.key {
            Some(key) if key.len() >= least && text.contains(key.as_str()) => {
                text.replace(key.as_str(), "…")
            }
            Some(_) | None => text,
        }
    }
}

fn headers(connection: &Connection) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::new();
    for (name, value) in connection.headers {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if let Some(key) = &connection.key {
        let key = key.trim();
        let (name, value) = match connection.auth {
            Auth::Bearer => (AUTHORIZATION, format!("Bearer {key}")),
            Auth::ApiKey => (HeaderName::from_static("api-key"), key.to_owned()),
            Auth::XApiKey => (HeaderName::from_static("x-api-key"), key.to_owned()),
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| SetupError::ApiKey)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// The provider's own name of a request, for questions to its support.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let names = ["x-request-id", "request-id", "apim-request-id"];
    let value = names.iter().find_map(|name| headers.get(*name))?;
    let id: String = value.to_str().ok()?.chars().take(200).collect();
    Some(id).filter(|id| !id.is_empty())
}

async fn limited(mut response: Response, most: usize) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|_| transient("the connection broke".to_owned(), None))?
    {
        if body.len() + chunk.len() > most {
            let limit = most / (1024 * 1024);
            return Err(Failure::unusable(&format!(
                "the answer is longer than {limit} MiB"
            )));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
