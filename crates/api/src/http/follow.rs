//! Answers that go on: a thing as it is, and then as it is after every change, until it is done.
//!
//! Each look at it comes in by the same way as the first request did, key and limits included: whoever loses the right to
//! see it is told nothing more.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use futures_util::stream::unfold;
use futures_util::{FutureExt, Stream};
use serde_json::Value;
use tokio::time::Instant;

use crate::http::answer::Done;
use crate::http::error::Failure;
use crate::http::response;
use crate::http::speech::{self, event};
use crate::state::Api;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);
/// After so much silence something is said, so that nobody in between takes the connection for dead.
const SILENCE: Duration = Duration::from_secs(15);
/// How long one stream goes on. Whoever wants to hear more asks again.
const LONGEST: Duration = Duration::from_mins(15);
/// A comment, which clients pass over.
const STILL_THERE: &str = ": still there\n\n";

/// A request that is answered again and again.
pub struct Following {
    /// Where it came.
    pub api: Arc<Api>,
    /// Its id.
    pub request_id: String,
    /// How long one look may take.
    pub deadline: Duration,
}

/// The stream, which begins with what was found first; `find` looks for it again.
pub fn answer<F>(
    first: Done<()>,
    following: Following,
    find: impl Fn() -> F + 'static,
) -> HttpResponse
where
    F: Future<Output = Result<Done<()>, Failure>> + 'static,
{
    let request_id = following.request_id.clone();
    let look = async move || following.look(find()).await;
    HttpResponse::Ok()
        .content_type(speech::MEDIA_TYPE)
        // nginx would keep events back until it has a page full of them.
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(events(first.answer.reply.body, request_id, look))
}

impl Following {
    /// The thing as it is now; nothing if the stream must end.
    async fn look(
        &self,
        finding: impl Future<Output = Result<Done<()>, Failure>>,
    ) -> Option<Result<String, Failure>> {
        if self.api.app.node.is_draining() {
            return None;
        }
        let looking = AssertUnwindSafe(finding).catch_unwind();
        // No look takes longer than a request may, and none breaks the stream without a word.
        let found = match tokio::time::timeout(self.deadline, looking).await {
            Ok(Ok(done)) => done.map(|done| done.answer.reply.body),
            Ok(Err(_)) => Err(Failure::Panicked),
            Err(_) => Err(Failure::Timeout),
        };
        Some(found)
    }
}

/// What has been said so far, and how to find out more.
struct Told<L> {
    look: L,
    request_id: String,
    first: Option<String>,
    last: String,
    since: Instant,
    spoke_at: Instant,
    is_over: bool,
}

type Said = Result<Bytes, std::io::Error>;

fn events<L>(first: String, request_id: String, look: L) -> impl Stream<Item = Said>
where
    L: AsyncFnMut() -> Option<Result<String, Failure>>,
{
    let now = Instant::now();
    let told = Told {
        look,
        request_id,
        first: Some(first),
        last: String::new(),
        since: now,
        spoke_at: now,
        is_over: false,
    };
    unfold(told, |mut told| async move {
        let said = told.next().await?;
        told.spoke_at = Instant::now();
        Some((Ok(Bytes::from(said)), told))
    })
}

impl<L> Told<L>
where
    L: AsyncFnMut() -> Option<Result<String, Failure>>,
{
    /// What is said next; nothing after the end.
    async fn next(&mut self) -> Option<String> {
        while !self.is_over {
            let found = match self.first.take() {
                Some(first) => Ok(first),
                None => self.found_later().await?,
            };
            match found {
                Ok(body) if body != self.last => {
                    self.is_over = is_done(&body);
                    let name = if self.is_over { "done" } else { "progress" };
                    let said = event(name, &body);
                    self.last = body;
                    return Some(said);
                }
                Ok(_) if self.spoke_at.elapsed() >= SILENCE => return Some(STILL_THERE.to_owned()),
                Ok(_) => {}
                Err(failure) => {
                    self.is_over = true;
                    let body = response::failure_body(&failure, &self.request_id);
                    return Some(event("error", &body.to_string()));
                }
            }
        }
        None
    }

    /// The thing after a pause; nothing if the stream must end.
    async fn found_later(&mut self) -> Option<Result<String, Failure>> {
        tokio::time::sleep(PAUSE).await;
        if self.since.elapsed() >= LONGEST {
            return None;
        }
        (self.look)().await
    }
}

/// Whether nothing will change any more.
fn is_done(body: &str) -> bool {
    let thing: Value = serde_json::from_str(body).unwrap_or_default();
    thing.get("status").and_then(Value::as_str) != Some("pending")
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::*;

    const PENDING: &str = r#"{"status":"pending"}"#;

    /// All that is said of a thing that is found like this, and after how long.
    async fn heard(
        look: impl AsyncFnMut() -> Option<Result<String, Failure>>,
    ) -> Vec<(Duration, String)> {
        let begun = Instant::now();
        let stream = events(PENDING.to_owned(), "req_1".to_owned(), look);
        stream
            .map(|said| {
                let said = String::from_utf8(said.unwrap().to_vec()).unwrap();
                (begun.elapsed(), said)
            })
            .collect()
            .await
    }

    #[tokio::test(start_paused = true)]
    async fn what_changes_nothing_is_told_every_so_often_and_let_go_in_the_end() {
        let begun = Instant::now();
        let heard = heard(async || Some(Ok(PENDING.to_owned()))).await;
        assert_eq!(begun.elapsed(), LONGEST);
        let [(at_once, progress), comments @ ..] = heard.as_slice() else {
            panic!("nothing was said");
        };
        assert_eq!(*at_once, Duration::ZERO);
        assert!(progress.starts_with("event: progress\n"), "{progress}");
        assert!(comments.iter().all(|(_, said)| said == STILL_THERE));
        let times = comments.iter().map(|(at, _)| *at);
        let expected: Vec<Duration> = (1..60).map(|n| SILENCE * n).collect();
        assert_eq!(times.collect::<Vec<_>>(), expected);
    }

    #[tokio::test(start_paused = true)]
    async fn a_change_is_told_and_the_silence_begins_anew() {
        let mut looks = 0;
        let heard = heard(async || {
            looks += 1;
            let step = u8::from(looks >= 20);
            let status = if looks < 60 { "pending" } else { "ready" };
            Some(Ok(format!(r#"{{"status":"{status}","step":{step}}}"#)))
        })
        .await;
        let said: Vec<(u128, &str)> = heard
            .iter()
            .map(|(at, said)| (at.as_millis(), said.lines().next().unwrap()))
            .collect();
        let expected = [
            (0, "event: progress"),
            (500, "event: progress"),
            (10_000, "event: progress"),
            (25_000, ": still there"),
            (30_000, "event: done"),
        ];
        assert_eq!(said, expected);
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_and_a_node_that_stops_end_the_stream() {
        let failed = heard(async || Some(Err(Failure::Timeout))).await;
        assert_eq!(failed.len(), 2);
        assert!(failed[1].1.starts_with("event: error\n"), "{failed:?}");
        let stopped = heard(async || None).await;
        assert_eq!(stopped.len(), 1, "{stopped:?}");
    }

    #[test]
    fn what_is_pending_is_not_done() {
        assert!(!is_done(r#"{"status":"pending"}"#));
        assert!(is_done(r#"{"status":"ready"}"#));
        assert!(is_done(r#"{"status":"error"}"#));
        assert!(is_done("nonsense"), "nothing is followed for ever");
    }
}
