//! The way to the collector.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use reqwest::redirect::Policy;
use tokio::runtime::Handle;

/// Sends what a thread outside any runtime wants sent.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    runtime: Handle,
    /// Whether the last batch did not arrive: said once, and once more when one arrives again.
    is_away: AtomicBool,
}

impl Client {
    pub fn new(patience: Duration) -> Result<Self, reqwest::Error> {
        // Somebody else may have installed one.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder()
            .timeout(patience)
            .redirect(Policy::none())
            .user_agent(concat!("Lyceum/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self {
            http,
            runtime: Handle::current(),
            is_away: AtomicBool::new(false),
        })
    }

    fn note(&self, sent: &Result<Response<Bytes>, HttpError>) {
        let problem = match sent {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answered {}", answer.status())),
            Err(error) => Some(error.to_string()),
        };
        let was_away = self.is_away.swap(problem.is_some(), Ordering::Relaxed);
        match problem {
            Some(problem) if !was_away => {
                tracing::warn!(problem, "the collector takes no spans; they are dropped");
            }
            None if was_away => tracing::info!("the collector takes spans again"),
            Some(_) | None => {}
        }
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sending = send(self.http.clone(), request);
        let sent = self.runtime.spawn(sending).await;
        let sent = sent.map_err(HttpError::from).and_then(|sent| sent);
        self.note(&sent);
        sent
    }
}

async fn send(
    http: reqwest::Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let request = request.try_into()?;
    // The address may carry the operator's token.
    let mut answer = http
        .execute(request)
        .await
        .map_err(reqwest::Error::without_url)?;
    let mut response = Response::builder().status(answer.status());
    if let Some(headers) = response.headers_mut() {
        *headers = std::mem::take(answer.headers_mut());
    }
    let body = answer.bytes().await.map_err(reqwest::Error::without_url)?;
    Ok(response.body(body)?)
}
