//! Requests: who is calling, how often to try, what came back.

use std::collections::BTreeMap;
use std::time::Duration;

use lyceum_wire::errors::{ErrorBody, ErrorDetail};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use crate::error::ClientError;
use crate::retry::{read_retry_after, wait_before};
use crate::settings::{ClientSettings, Platform};

/// How many characters of an answer that is not ours are shown in an error.
const EXCERPT: usize = 200;

/// A client; cheap to clone, clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    api_key: HeaderValue,
    platform: Platform,
    max_retries: u32,
}

/// What one call wants otherwise than the client's settings say.
#[derive(Debug, Clone, Default)]
pub struct RequestOptions {
    /// The key that makes repeating this write harmless; made up when absent.
    pub idempotency_key: Option<String>,
    /// How often it is sent again.
    pub max_retries: Option<u32>,
    /// The workspace it acts on.
    pub platform: Option<Platform>,
}

/// A request, ready to be sent more than once.
pub(crate) struct Outgoing {
    pub method: Method,
    pub url: Url,
    pub body: Option<Vec<u8>>,
    pub options: RequestOptions,
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
            .timeout(settings.timeout)
            .user_agent(concat!("lyceum-client/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(ClientError::Transport)?;
        let (platform, max_retries) = (settings.platform, settings.max_retries);
        Ok(Self {
            http,
            base,
            api_key,
            platform,
            max_retries,
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

    /// Reads what is at a path such as `/v1/me`.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.get_with(path, &[]).await
    }

    /// Reads what is at a path, with a query.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn get_with<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(String, String)],
    ) -> Result<T, ClientError> {
        let mut url = self.url(path)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let options = RequestOptions::default();
        self.send(Outgoing {
            method: Method::GET,
            url,
            body: None,
            options,
        })
        .await
    }

    /// Posts a body to a path.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn post<B, T>(&self, path: &str, body: &B) -> Result<T, ClientError>
    where
        B: Serialize + ?Sized,
        T: DeserializeOwned,
    {
        self.write(Method::POST, path, body, RequestOptions::default())
            .await
    }

    /// Patches what is at a path.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn patch<B, T>(&self, path: &str, body: &B) -> Result<T, ClientError>
    where
        B: Serialize + ?Sized,
        T: DeserializeOwned,
    {
        self.write(Method::PATCH, path, body, RequestOptions::default())
            .await
    }

    /// Deletes what is at a path.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        let (url, options) = (self.url(path)?, RequestOptions::default());
        self.send(Outgoing {
            method: Method::DELETE,
            url,
            body: None,
            options,
        })
        .await
    }

    /// Sends a body, with options of its own.
    pub(crate) async fn write<B, T>(
        &self,
        method: Method,
        path: &str,
        body: &B,
        options: RequestOptions,
    ) -> Result<T, ClientError>
    where
        B: Serialize + ?Sized,
        T: DeserializeOwned,
    {
        let body = serde_json::to_vec(body).map_err(ClientError::Decode)?;
        let url = self.url(path)?;
        self.send(Outgoing {
            method,
            url,
            body: Some(body),
            options,
        })
        .await
    }

    /// The address of a path of the service.
    pub(crate) fn url(&self, path: &str) -> Result<Url, ClientError> {
        let text = format!("{}{path}", self.base);
        Url::parse(&text).map_err(|error| ClientError::Settings(format!("{text}: {error}")))
    }

    /// An attempt that may say more than an answer: used where the body is read piece by piece.
    pub(crate) fn bare(&self, url: Url, with_key: bool) -> reqwest::RequestBuilder {
        let request = self.http.get(url);
        if with_key {
            self.identified(request, &self.platform)
        } else {
            request
        }
    }

    fn identified(
        &self,
        request: reqwest::RequestBuilder,
        platform: &Platform,
    ) -> reqwest::RequestBuilder {
        let request = request.header("x-api-key", self.api_key.clone());
        match platform.header() {
            Some((name, value)) => request.header(name, value),
            None => request,
        }
    }

    /// Sends until it is answered for good.
    async fn send<T: DeserializeOwned>(&self, mut outgoing: Outgoing) -> Result<T, ClientError> {
        if outgoing.method != Method::GET && outgoing.options.idempotency_key.is_none() {
            // One key for all attempts: however often it arrives, it happens once.
            outgoing.options.idempotency_key = Some(fresh_key()?);
        }
        let retries = outgoing.options.max_retries.unwrap_or(self.max_retries);
        let mut retry = 0;
        loop {
            let failed = match self.attempt(&outgoing).await {
                Ok(bytes) => return serde_json::from_slice(&bytes).map_err(ClientError::Decode),
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

    async fn attempt(&self, outgoing: &Outgoing) -> Result<Vec<u8>, Failed> {
        let request = self
            .http
            .request(outgoing.method.clone(), outgoing.url.clone());
        let platform = outgoing.options.platform.as_ref().unwrap_or(&self.platform);
        let mut request = self.identified(request, platform);
        if let Some(key) = &outgoing.options.idempotency_key {
            request = request.header("idempotency-key", key);
        }
        if let Some(body) = &outgoing.body {
            request = request
                .header(CONTENT_TYPE, "application/json")
                .body(body.clone());
        }
        let answer = request.send().await.map_err(ClientError::Transport)?;
        let status = answer.status();
        let retry_after = read_retry_after(answer.headers());
        let bytes = answer.bytes().await.map_err(ClientError::Transport)?;
        if status.is_success() {
            Ok(bytes.to_vec())
        } else {
            Err(Failed {
                error: refusal(&bytes, status.as_u16()),
                retry_after,
            })
        }
    }
}

/// What a refusal says. What is not ours, a proxy's page for example, becomes an error of the same form.
pub(crate) fn refusal(body: &[u8], status: u16) -> ClientError {
    let detail = match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => body.error,
        Err(_) => ErrorDetail {
            kind: "api_error".to_owned(),
            code: "unexpected_answer".to_owned(),
            message: excerpt(body),
            fields: BTreeMap::new(),
            request_id: String::new(),
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
