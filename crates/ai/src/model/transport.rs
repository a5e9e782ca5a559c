//! One question to the server: tries, pauses, deadlines and limits.
//!
//! Knows HTTP and nothing of grading or syllabi. The key is sent and never written anywhere.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use lyceum_ports::ai::AiError;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use url::Url;

use super::retry_after::retry_after;
use super::settings::{OpenAiSettings, SetupError};
use super::wire::{Chat, Complaint, Completion, complaint, read};

/// Largest answer read, in bytes.
const MAX_BODY: usize = 1024 * 1024;
/// Longest pause a server may ask for while a caller waits.
const LONGEST_PAUSE: Duration = Duration::from_mins(2);
/// Longest pause of our own.
const LONGEST_OWN_PAUSE: Duration = Duration::from_secs(8);

/// A connection to one server.
pub(super) struct Transport {
    client: Client,
    url: Url,
    key: Option<String>,
    max_attempts: usize,
    first_pause: Duration,
}

/// Why one try failed.
struct Failure {
    error: AiError,
    /// Whether the same question may be asked again now.
    again: bool,
}

impl Transport {
    /// Prepares a client; nothing is sent.
    pub(super) fn new(settings: &OpenAiSettings) -> Result<Self, SetupError> {
        // Another part of the process may have installed one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .default_headers(headers(settings.api_key.as_deref())?)
            .connect_timeout(settings.connect_timeout)
            // A redirect could carry the key and the submission somewhere else.
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .map_err(SetupError::Client)?;
        Ok(Self {
            client,
            url: endpoint(&settings.base_url)?,
            key: settings.api_key.clone(),
            max_attempts: settings.max_attempts.max(1),
            first_pause: settings.first_pause,
        })
    }

    /// Asks until there is an answer, a final no, or no try left; an answer that ran out of its budget is asked
    /// for once more with twice as much.
    pub(super) async fn ask(&self, chat: &Chat, timeout: Duration) -> Result<Completion, AiError> {
        let first = self.try_often(chat.body(chat.max_tokens)?, timeout).await?;
        if !first.cut_off {
            return Ok(first);
        }
        let budget = chat.max_tokens.saturating_mul(2);
        let mut second = self.try_often(chat.body(budget)?, timeout).await?;
        if second.cut_off {
            return Err(AiError::InvalidOutput(format!(
                "the model did not finish its answer within {budget} tokens"
            )));
        }
        second.usage.tokens_in += first.usage.tokens_in;
        second.usage.tokens_out += first.usage.tokens_out;
        Ok(second)
    }

    async fn try_often(&self, body: Vec<u8>, timeout: Duration) -> Result<Completion, AiError> {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(self.first_pause)
            .with_max_delay(LONGEST_OWN_PAUSE)
            .with_max_times(self.max_attempts - 1)
            .with_jitter();
        (|| self.try_once(body.clone(), timeout))
            .retry(pauses)
            .when(|failure: &Failure| failure.again)
            .adjust(|failure, planned| match &failure.error {
                // `planned` is empty when no try is left.
                AiError::Unavailable {
                    retry_after: Some(wanted),
                    ..
                } => planned.and((*wanted <= LONGEST_PAUSE).then_some(*wanted)),
                AiError::Unavailable { .. }
                | AiError::Refused(_)
                | AiError::InvalidOutput(_)
                | AiError::BudgetExceeded(_) => planned,
            })
            .await
            .map_err(|failure| failure.error)
    }

    async fn try_once(&self, body: Vec<u8>, timeout: Duration) -> Result<Completion, Failure> {
        let whole = async {
            let response = self
                .client
                .post(self.url.clone())
                .header(CONTENT_TYPE, "application/json")
                .body(body)
                .send()
                .await
                .map_err(|error| unreachable_server(&error))?;
            self.take(response).await
        };
        tokio::time::timeout(timeout, whole)
            .await
            .unwrap_or_else(|_| {
                Err(transient(
                    format!("no answer within {} s", timeout.as_secs_f32()),
                    None,
                ))
            })
    }

    async fn take(&self, response: Response) -> Result<Completion, Failure> {
        let status = response.status();
        let headers = response.headers().clone();
        if status.is_success() {
            let body = limited(response).await?;
            return read(&body).map_err(Failure::last);
        }
        let complaint = self.without_key(complaint(&limited(response).await.unwrap_or_default()));
        Err(judge(status, &headers, &complaint))
    }

    /// Some servers quote the key they did not like.
    fn without_key(&self, mut complaint: Complaint) -> Complaint {
        if let Some(key) = &self.key {
            complaint.message = complaint.message.replace(key.as_str(), "…");
        }
        complaint
    }
}

impl Failure {
    const fn last(error: AiError) -> Self {
        Self {
            error,
            again: false,
        }
    }
}

fn transient(reason: String, retry_after: Option<Duration>) -> Failure {
    Failure {
        error: AiError::Unavailable {
            reason,
            retry_after,
        },
        again: true,
    }
}

fn headers(key: Option<&str>) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim()))
            .map_err(|_| SetupError::ApiKey)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

fn endpoint(base: &Url) -> Result<Url, SetupError> {
    let mut url = base.clone();
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(SetupError::BaseUrl);
    }
    url.path_segments_mut()
        .map_err(|()| SetupError::BaseUrl)?
        .pop_if_empty()
        .extend(["chat", "completions"]);
    Ok(url)
}

fn unreachable_server(error: &reqwest::Error) -> Failure {
    let reason = if error.is_connect() {
        "no connection to the server"
    } else if error.is_timeout() {
        "the server took too long"
    } else {
        "the connection broke"
    };
    transient(reason.to_owned(), None)
}

async fn limited(mut response: Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| unreachable_server(&error))?
    {
        if body.len() + chunk.len() > MAX_BODY {
            let error = AiError::InvalidOutput("the answer is longer than 1 MiB".to_owned());
            return Err(Failure::last(error));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// What a status that is no success means for the next try and for the operator.
fn judge(status: StatusCode, headers: &HeaderMap, complaint: &Complaint) -> Failure {
    let code = status.as_u16();
    if code == 429 && complaint.is_about_money() {
        return Failure::last(AiError::Refused(
            "the account has no quota or credit left; check the provider's billing page".to_owned(),
        ));
    }
    let said_no = headers
        .get("x-should-retry")
        .is_some_and(|value| value == "false");
    if matches!(code, 408 | 409 | 429) || code >= 500 {
        let mut failure = transient(format!("status {code}"), retry_after(headers));
        failure.again = !said_no;
        return failure;
    }
    Failure::last(AiError::Refused(advice(status, complaint)))
}

/// Names what to check, with what the server said about it.
fn advice(status: StatusCode, complaint: &Complaint) -> String {
    let check = match status.as_u16() {
        300..=399 => "it redirects elsewhere; check that the base URL is the final address",
        400 | 422 => {
            "it does not accept the request; check that the model exists and supports JSON schema answers"
        }
        // What is said about a key may quote parts of it.
        401 => return "status 401: check the API key".to_owned(),
        403 => "access is denied; check what the API key may use",
        404 => "nothing is there; check the base URL and the name of the model",
        413 => "the request is too large for it; check the model's context size",
        _ => "check the base URL and the provider's documentation",
    };
    let said = if complaint.message.is_empty() {
        String::new()
    } else {
        format!(" (it said: {})", complaint.message)
    };
    format!("status {}: {check}{said}", status.as_u16())
}
