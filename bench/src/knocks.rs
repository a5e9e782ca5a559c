//! Tries to sign in with links that nobody made, so many a second, whether the one before was answered or not.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use reqwest::{Client, Method, StatusCode};
use serde_json::json;
use tokio::runtime::Handle;

use crate::figures::{millis, number, percentile};

/// Tries in a second.
pub const A_SECOND: u32 = 1_000;

/// By whom, as far as the network can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knocking {
    /// All from one address.
    One,
    /// Each from an address of its own.
    Many,
}

impl Knocking {
    /// The address of the n-th try, for whoever stands behind a proxy.
    fn address(self, n: u32) -> String {
        match self {
            Self::One => "203.0.113.7".to_owned(),
            Self::Many => {
                let [_, upper, middle, lower] = n.to_be_bytes();
                format!("10.{upper}.{middle}.{lower}")
            }
        }
    }
}

/// What became of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knocked {
    /// How many a second were answered.
    pub rate: f64,
    /// Of a hundred, how many were turned away unread, because the address had tried too often.
    pub turned_away: f64,
    /// Milliseconds from when it was due that 99 of 100 answers took.
    pub p99: f64,
}

/// Tries for so long, and waits for the last answer.
///
/// # Errors
/// If one is answered otherwise than by a refusal.
pub fn knock(
    runtime: &Handle,
    origin: &str,
    by: Knocking,
    during: Duration,
) -> anyhow::Result<Knocked> {
    let client = Client::builder().no_proxy().build()?;
    let first = Instant::now();
    let count = u32::try_from(during.as_secs()).unwrap_or(u32::MAX) * A_SECOND;
    let mut asked = Vec::new();
    for n in 0..count {
        let due = first + Duration::from_secs(1) * n / A_SECOND;
        // Not tokio's timer, which counts in milliseconds.
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let request = client
            .request(Method::POST, format!("{origin}/v1/sign_in"))
            .header("x-forwarded-for", by.address(n))
            .header("sec-fetch-site", "same-origin")
            .json(&json!({ "token": format!("sgn_{n:064x}") }));
        asked.push(runtime.spawn(async move {
            let answer = request.send().await.context("the server did not answer")?;
            let status = answer.status();
            answer.bytes().await?;
            Ok::<_, anyhow::Error>((status, millis(due.elapsed())))
        }));
    }
    let answers = asked.into_iter().map(|answer| runtime.block_on(answer)?);
    let answers: Vec<(StatusCode, f64)> = answers.collect::<anyhow::Result<_>>()?;
    told(&answers, first.elapsed())
}

fn told(answers: &[(StatusCode, f64)], took: Duration) -> anyhow::Result<Knocked> {
    let mut turned_away = 0_u32;
    for (status, _) in answers {
        match *status {
            StatusCode::UNAUTHORIZED => {}
            StatusCode::TOO_MANY_REQUESTS => turned_away += 1,
            other => bail!("a link that nobody made was answered with {other}"),
        }
    }
    let times: Vec<f64> = answers.iter().map(|(_, took)| *took).collect();
    Ok(Knocked {
        rate: number(answers.len()) / took.as_secs_f64(),
        turned_away: number(turned_away) * 100.0 / number(answers.len()),
        p99: percentile(&times, 0.99).context("nobody tried")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_each_has_an_address_of_its_own() {
        assert_eq!(Knocking::Many.address(258), "10.0.1.2");
        assert_ne!(Knocking::Many.address(1), Knocking::Many.address(2));
        assert_eq!(Knocking::One.address(1), Knocking::One.address(2));
    }

    #[test]
    fn whoever_is_let_in_by_nothing_ends_it() {
        let refused = (StatusCode::UNAUTHORIZED, 2.0);
        let unread = (StatusCode::TOO_MANY_REQUESTS, 1.0);
        let second = Duration::from_secs(1);
        let told_of = told(&[refused, unread, unread, unread], second).unwrap();
        assert!((told_of.turned_away - 75.0).abs() < 1e-9);
        assert!((told_of.rate - 4.0).abs() < 1e-9 && (told_of.p99 - 2.0).abs() < 1e-9);
        assert!(told(&[(StatusCode::OK, 1.0)], second).is_err());
    }
}
