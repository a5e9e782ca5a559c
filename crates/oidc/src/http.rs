//! Requests to providers: to where they may go, for as long and as much as is reasonable.

use std::time::Duration;

use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use lyceum_outbound::Guard;
use openidconnect::{HttpRequest, HttpResponse, http};
use reqwest::Response;
use thiserror::Error;

/// The longest answer: documents of providers have some ten kilobytes.
const MOST_BYTES: usize = 1024 * 1024;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Failure {
    /// The address may not be called.
    #[error(transparent)]
    Address(#[from] lyceum_outbound::AddressRefused),
    /// TLS cannot be set up.
    #[error(transparent)]
    Setup(#[from] lyceum_outbound::SetupError),
    /// Nobody answers, or the certificate is not theirs.
    #[error("{0}")]
    Wire(String),
    /// It takes too long.
    #[error("the provider did not finish its answer within {0:?}")]
    TooSlow(Duration),
    /// It is too much.
    #[error("the answer is longer than 1 MiB")]
    TooLong,
    /// It is no answer of HTTP.
    #[error(transparent)]
    Form(#[from] http::Error),
}

impl Failure {
    /// As a problem of whoever set the connection up.
    pub fn problem(self) -> SsoProblem {
        SsoProblem::new(SsoFault::IssuerUnreachable, self)
    }
}

/// Sends a request and reads its answer.
pub async fn send(
    guard: &Guard,
    patience: Duration,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    let exchange = exchange(guard, request);
    let answer = tokio::time::timeout(patience, exchange).await;
    answer.map_err(|_| Failure::TooSlow(patience))?
}

async fn exchange(guard: &Guard, request: HttpRequest) -> Result<HttpResponse, Failure> {
    let target = guard.check(&request.uri().to_string())?;
    let client = guard.client(&target)?;
    let (parts, body) = request.into_parts();
    let asking = client
        .request(parts.method, target.url)
        .headers(parts.headers)
        .body(body);
    let answer = asking.send().await.map_err(wire)?;
    let mut built = http::Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        built = built.header(name, value);
    }
    Ok(built.body(read(answer).await?)?)
}

async fn read(mut answer: Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(wire)? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(Failure::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The chain of causes, without the address, which may hold a code.
fn wire(error: reqwest::Error) -> Failure {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    Failure::Wire(text)
}

/// A request for a document.
///
/// # Errors
/// [`Failure::Form`]
pub fn get(address: &str, bearer: Option<&str>) -> Result<HttpRequest, Failure> {
    let mut request = http::Request::get(address).header(http::header::ACCEPT, "application/json");
    if let Some(token) = bearer {
        request = request.header(http::header::AUTHORIZATION, format!("Bearer {token}"));
    }
    Ok(request.body(Vec::new())?)
}
