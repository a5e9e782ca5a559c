//! The client: whom it talks to, and how one request gets there and back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use lyceum_wire::authoring::media_uploads::PutAddressView;
use lyceum_wire::errors::{ErrorBody, ErrorDetail};
use reqwest::header::{
    CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_MATCH, LOCATION,
};
use reqwest::multipart::Form;
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Body, Method, Response};
use tokio::fs::File;
use url::Url;

use crate::error::ClientError;
use crate::request::Outgoing;
use crate::retry::{read_retry_after, wait_before};
use crate::settings::{ClientSettings, Platform};

/// How many characters of an answer that is not ours are shown in an error.
const EXCERPT: usize = 200;
/// Somebody who sends a request about in circles is not followed for ever.
const MOST_REDIRECTIONS: usize = 5;
/// For how long an answer that is read piece by piece may say nothing; a stream speaks every 15 seconds.
const SILENCE: Duration = Duration::from_mins(1);
/// For how long a connection is kept for the next request: shorter than the service keeps it, so that no request goes out
/// on one that it is just closing.
const REST: Duration = Duration::from_mins(1);

/// A client; cheap to clone, clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    service: Arc<Service>,
    platform: Platform,
}

/// What all clones share.
#[derive(Debug)]
struct Service {
    http: reqwest::Client,
    base: String,
    api_key: HeaderValue,
    timeout: Duration,
    max_retries: u32,
}

/// An answer as it came.
pub struct Arrived {
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Arrived {
    /// A header, if it is there and can be read.
    pub fn header(&self, name: &str) -> Option<String> {
        Some(self.headers.get(name)?.to_str().ok()?.to_owned())
    }

    /// The version of what was answered.
    pub fn etag(&self) -> Option<String> {
        self.header(ETAG.as_str())
    }
}

/// Why an attempt failed, and when the service wants to see us again.
struct Failed {
    error: ClientError,
    retry_after: Option<Duration>,
}

impl From<ClientError> for Failed {
    fn from(error: ClientError) -> Self {
        Self {
            error,
            retry_after: None,
        }
    }
}

impl Client {
    /// Sets a client up. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ClientError::Settings`] if the address is none, or the key cannot stand in a header.
    pub fn new(settings: ClientSettings) -> Result<Self, ClientError> {
        let base = settings.base_url.trim_end_matches('/').to_owned();
        let url = Url::parse(&base).map_err(|error| ClientError::Settings(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ClientError::Settings(
                "the address must be http or https".to_owned(),
            ));
        }
        let mut api_key = HeaderValue::from_str(&settings.api_key)
            .map_err(|_| ClientError::Settings("the key cannot stand in a header".to_owned()))?;
        api_key.set_sensitive(true);
        // Whoever installed a provider before us has decided; that is no error.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder()
            .connect_timeout(settings.timeout)
            .pool_idle_timeout(REST)
            .read_timeout(settings.timeout.max(SILENCE))
            .redirect(Policy::custom(stay))
            .user_agent(concat!("lyceum-client/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(ClientError::Transport)?;
        Ok(Self {
            service: Arc::new(Service {
                http,
                base,
                api_key,
                timeout: settings.timeout,
                max_retries: settings.max_retries,
            }),
            platform: settings.platform,
        })
    }

    /// The same client, acting on another workspace.
    #[must_use]
    pub fn on(&self, platform: Platform) -> Self {
        Self {
            platform,
            ..self.clone()
        }
    }

    /// The address of a path of the service.
    pub(crate) fn url(&self, path: &str) -> Result<Url, ClientError> {
        let text = format!("{}{path}", self.service.base);
        Url::parse(&text).map_err(|error| ClientError::Settings(format!("{text}: {error}")))
    }

    /// A request whose answer is read piece by piece, tried once.
    pub(crate) async fn open(&self, url: Url, with_key: bool) -> Result<Response, ClientError> {
        let request = self.service.http.get(url);
        let request = if with_key {
            self.identified(request, &self.platform)
        } else {
            request
        };
        let mut answer = request.send().await.map_err(ClientError::Transport)?;
        if !with_key && let Some(elsewhere) = led_to(&answer) {
            let sent = self.service.http.get(elsewhere).send().await;
            answer = sent.map_err(ClientError::Transport)?;
        }
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let body = answer.bytes().await.map_err(ClientError::Transport)?;
        Err(refusal(&body, status.as_u16()))
    }

    /// Sends a form, once, for as long as it takes.
    pub(crate) async fn post_form(&self, path: &str, form: Form) -> Result<Vec<u8>, ClientError> {
        let request = self.begin(Method::POST, path)?.multipart(form);
        self.send_once(request).await
    }

    /// How often a failed request is sent again.
    pub(crate) fn retries(&self) -> u32 {
        self.service.max_retries
    }

    /// A request that is sent as it is, with the key.
    pub(crate) fn begin(
        &self,
        method: Method,
        path: &str,
    ) -> Result<reqwest::RequestBuilder, ClientError> {
        let request = self.service.http.request(method, self.url(path)?);
        Ok(self.identified(request, &self.platform))
    }

    /// Sends a request, tried once; the body of the answer.
    pub(crate) async fn send_once(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<Vec<u8>, ClientError> {
        let answer = request.send().await.map_err(ClientError::Transport)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(ClientError::Transport)?;
        if status.is_success() {
            return Ok(body.to_vec());
        }
        Err(refusal(&body, status.as_u16()))
    }

    /// Puts a file where the service does not look on, once, and without the key.
    pub(crate) async fn put_elsewhere(
        &self,
        put: &PutAddressView,
        file: File,
        size_bytes: u64,
    ) -> Result<(), ClientError> {
        let request = self.service.http.put(&put.url);
        let request = request.header(CONTENT_LENGTH, size_bytes);
        let headers = put.headers.iter();
        let request = headers.fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        let sent = request.body(Body::from(file)).send().await;
        let status = sent.map_err(ClientError::Transport)?.status();
        if status.is_success() {
            return Ok(());
        }
        Err(ClientError::NotTaken(Some(status.as_u16())))
    }

    fn identified(
        &self,
        request: reqwest::RequestBuilder,
        platform: &Platform,
    ) -> reqwest::RequestBuilder {
        let request = request.header("x-api-key", self.service.api_key.clone());
        match platform.header() {
            Some((name, value)) => request.header(name, value),
            None => request,
        }
    }

    /// Sends until it is answered for good.
    pub(crate) async fn send(&self, mut outgoing: Outgoing) -> Result<Arrived, ClientError> {
        if outgoing.method != Method::GET && outgoing.options.idempotency_key.is_none() {
            // One key for all attempts: however often it arrives, it happens once.
            outgoing.options.idempotency_key = Some(fresh_key()?);
        }
        let mut url = self.url(&outgoing.path)?;
        if !outgoing.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&outgoing.query);
        }
        let retries = outgoing.options.max_retries;
        let retries = retries.unwrap_or(self.service.max_retries);
        let mut retry = 0;
        loop {
            let failed = match self.attempt(&outgoing, url.clone()).await {
                Ok(arrived) => return Ok(arrived),
                Err(failed) => failed,
            };
            let wait = wait_before(retry, failed.retry_after);
            let Some(wait) = wait.filter(|_| retry < retries && failed.error.is_passing()) else {
                return Err(failed.error);
            };
            tokio::time::sleep(wait).await;
            retry += 1;
        }
    }

    async fn attempt(&self, outgoing: &Outgoing, url: Url) -> Result<Arrived, Failed> {
        let request = self.service.http.request(outgoing.method.clone(), url);
        let request = request.timeout(outgoing.within.unwrap_or(self.service.timeout));
        let platform = outgoing.options.platform.as_ref().unwrap_or(&self.platform);
        let mut request = self.identified(request, platform);
        if let Some(key) = &outgoing.options.idempotency_key {
            request = request.header("idempotency-key", key);
        }
        if let Some(version) = &outgoing.if_match {
            request = request.header(IF_MATCH, version);
        }
        if let Some(body) = &outgoing.body {
            request = request
                .header(CONTENT_TYPE, "application/json")
                .body(body.clone());
        }
        let answer = request.send().await.map_err(ClientError::Transport)?;
        let status = answer.status();
        let headers = answer.headers().clone();
        let body = answer.bytes().await.map_err(ClientError::Transport)?;
        if status.is_success() {
            let body = body.to_vec();
            Ok(Arrived { headers, body })
        } else {
            Err(Failed {
                error: refusal(&body, status.as_u16()),
                retry_after: read_retry_after(&headers),
            })
        }
    }
}

/// Follows within one origin only: a redirection elsewhere would take the key along.
fn stay(attempt: Attempt<'_>) -> Action {
    let from = attempt.previous().last().map(Url::origin);
    if from == Some(attempt.url().origin()) && attempt.previous().len() < MOST_REDIRECTIONS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// Where a file is that somebody else hands out, such as the bucket that the service keeps it in. Who asked without a key may
/// go there: nothing is taken along.
fn led_to(answer: &Response) -> Option<Url> {
    let location = answer.headers().get(LOCATION)?.to_str().ok()?;
    let is_led = answer.status().is_redirection();
    is_led.then(|| answer.url().join(location).ok()).flatten()
}

/// The path of one thing, or of something below it. An id is data: whatever it holds, it stays one segment.
pub fn path(collection: &str, id: &str, below: &str) -> String {
    format!("/v1/{collection}/{}{below}", segment(id))
}

/// A piece of data as one segment of a path.
pub fn segment(data: &str) -> String {
    let data: String = url::form_urlencoded::byte_serialize(data.as_bytes()).collect();
    // As a whole segment these would be taken as steps up, and nothing as no segment at all.
    if matches!(data.as_str(), "" | "." | "..") {
        "-".to_owned()
    } else {
        // A form writes a space as a plus; a path takes a plus for itself.
        data.replace('+', "%20")
    }
}

/// What a refusal says. What is not ours, a proxy's page for example, becomes an error of the same form.
fn refusal(body: &[u8], status: u16) -> ClientError {
    let detail = match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => body.error,
        Err(_) => ErrorDetail {
            kind: "api_error".to_owned(),
            code: "unexpected_answer".to_owned(),
            message: excerpt(body),
            fields: BTreeMap::new(),
            request_id: String::new(),
            actor: None,
            at: None,
        },
    };
    ClientError::Api(Box::new(detail), status)
}

fn excerpt(body: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(body)
        .chars()
        .take(EXCERPT)
        .collect();
    if text.trim().is_empty() {
        "an answer without a body".to_owned()
    } else {
        text
    }
}

fn fresh_key() -> Result<String, ClientError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(ClientError::Randomness)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_cannot_become_a_path() {
        assert_eq!(
            path("courses", "crs_1", "/publish"),
            "/v1/courses/crs_1/publish"
        );
        assert_eq!(
            path("courses", "../users?x", ""),
            "/v1/courses/..%2Fusers%3Fx"
        );
        assert_eq!(path("courses", "..", ""), "/v1/courses/-");
        assert_eq!(path("courses", "", ""), "/v1/courses/-");
        assert_eq!(path("platforms", "a b", ""), "/v1/platforms/a%20b");
    }
}
