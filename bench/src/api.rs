//! A few requests to a server under measurement, one after the other: what wrk is not for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail};
use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use tokio::runtime::Runtime;

/// The header that names the platform, which every measured database has.
pub const PLATFORM: (&str, &str) = ("x-learning-platform-code", "main");

/// Who asks.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `http://127.0.0.1:port`, without a slash at the end.
    pub origin: String,
    /// The API key.
    pub key: String,
    client: Client,
    asked: Arc<AtomicU64>,
}

impl Caller {
    /// Asks there, with this key, on the platform that every measured database has.
    ///
    /// # Errors
    /// If the HTTP client cannot be made.
    pub fn new(origin: String, key: String) -> anyhow::Result<Self> {
        // Somebody before us may have chosen the same; there is one per process.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder().no_proxy().build()?;
        Ok(Self {
            origin,
            key,
            client,
            asked: Arc::default(),
        })
    }

    /// The headers of every request.
    pub fn headers(&self) -> Vec<(String, String)> {
        vec![
            ("x-api-key".to_owned(), self.key.clone()),
            (PLATFORM.0.to_owned(), PLATFORM.1.to_owned()),
        ]
    }

    /// Asks, and takes the body of an answer that is no refusal.
    ///
    /// # Errors
    /// If nobody answers, or with a refusal.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> anyhow::Result<String> {
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.origin));
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        if let Some(body) = body {
            let number = self.asked.fetch_add(1, Ordering::Relaxed);
            // As long as the keys of the load, and none of them.
            request = request
                .header("idempotency-key", format!("{number:016}-asked"))
                .json(&body);
        }
        let answer = request.send().await.context("the server did not answer")?;
        let status = answer.status();
        let text = answer
            .text()
            .await
            .context("the server broke its answer off")?;
        if !status.is_success() {
            bail!("{path} was answered with {status}: {text}");
        }
        Ok(text)
    }

    /// Asks without a body, and reads the answer to its end, whatever it is.
    ///
    /// # Errors
    /// If nobody answers.
    pub async fn answer(&self, method: Method, path: &str) -> anyhow::Result<StatusCode> {
        let address = format!("{}{path}", self.origin);
        let mut request = self.client.request(method, address);
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        let answer = request.send().await.context("the server did not answer")?;
        let status = answer.status();
        answer.bytes().await?;
        Ok(status)
    }

    /// Makes something, and takes its id.
    ///
    /// # Errors
    /// As for [`Caller::ask`].
    pub async fn make(&self, path: &str, body: Value) -> anyhow::Result<String> {
        let text = self.ask(Method::POST, path, Some(body)).await?;
        let made: Value = serde_json::from_str(&text)?;
        let id = made.get("id").and_then(Value::as_str);
        Ok(id.context("what was made has no id")?.to_owned())
    }

    /// Reads, waiting for the answer.
    ///
    /// # Errors
    /// As for [`Caller::ask`].
    pub fn read(&self, runtime: &Runtime, path: &str) -> anyhow::Result<String> {
        runtime.block_on(self.ask(Method::GET, path, None))
    }
}
