//! Answers that go on: a thing as it is, and then as it is after every change, until it is done.
//!
//! Each look at it comes in by the same way as the first request did, key and limits included: whoever loses the right to
//! see it is told nothing more.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::unfold;
use futures_util::{FutureExt, Stream};
use serde_json::Value;
use tokio::time::Instant;

use crate::answer::Done;
use crate::dispatch::{Entrance, handle};
use crate::error::Failure;
use crate::response;
use crate::scene::Scene;
use crate::service::Api;
use crate::speech::{self, event};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);
/// After so much silence something is said, so that nobody in between takes the connection for dead.
const SILENCE: Duration = Duration::from_secs(15);
/// How long one stream goes on. Whoever wants to hear more asks again.
const LONGEST: Duration = Duration::from_mins(15);
/// A comment, which clients pass over.
const STILL_THERE: &str = ": still there\n\n";

/// A request that is answered again and again.
pub struct Following<S: Scene> {
    /// The request.
    pub request: HttpRequest,
    /// Where it came.
    pub api: Arc<Api>,
    /// Its route.
    pub entrance: Arc<Entrance<S>>,
    /// Its id.
    pub request_id: String,
}

/// The stream, which begins with what was found first.
pub fn answer<S: Scene>(first: Done<()>, following: Following<S>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(speech::MEDIA_TYPE)
        // nginx would keep events back until it has a page full of them.
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(events(first.answer.reply.body, following))
}

/// What has been said so far.
struct Told<S: Scene> {
    following: Following<S>,
    first: Option<String>,
    last: String,
    since: Instant,
    spoke_at: Instant,
    is_over: bool,
}

type Said = Result<Bytes, std::io::Error>;

fn events<S: Scene>(first: String, following: Following<S>) -> impl Stream<Item = Said> {
    let now = Instant::now();
    let told = Told {
        following,
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

impl<S: Scene> Told<S> {
    /// What is said next; nothing after the end.
    async fn next(&mut self) -> Option<String> {
        while !self.is_over {
            let found = match self.first.take() {
                Some(first) => Ok(first),
                None => self.look().await?,
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
                    let body = response::failure_body(&failure, &self.following.request_id);
                    return Some(event("error", &body.to_string()));
                }
            }
        }
        None
    }

    /// The thing after a pause; nothing if the stream must end.
    async fn look(&self) -> Option<Result<String, Failure>> {
        tokio::time::sleep(PAUSE).await;
        let Following {
            request,
            api,
            entrance,
            request_id,
        } = &self.following;
        if api.app.node.is_draining() || self.since.elapsed() >= LONGEST {
            return None;
        }
        let looking = handle(request, None, api, entrance, request_id);
        let looking = AssertUnwindSafe(looking).catch_unwind();
        // No look takes longer than a request may, and none breaks the stream without a word.
        let found = match tokio::time::timeout(entrance.access.deadline, looking).await {
            Ok(Ok(done)) => done.map(|done| done.answer.reply.body),
            Ok(Err(_)) => Err(Failure::Panicked),
            Err(_) => Err(Failure::Timeout),
        };
        Some(found)
    }
}

/// Whether nothing will change any more.
fn is_done(body: &str) -> bool {
    let thing: Value = serde_json::from_str(body).unwrap_or_default();
    thing.get("status").and_then(Value::as_str) != Some("pending")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pending_is_not_done() {
        assert!(!is_done(r#"{"status":"pending"}"#));
        assert!(is_done(r#"{"status":"ready"}"#));
        assert!(is_done(r#"{"status":"error"}"#));
        assert!(is_done("nonsense"), "nothing is followed for ever");
    }
}
