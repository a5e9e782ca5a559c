//! Carrying out what a call wants, in a transaction or on a snapshot. What is here is compiled once, and what only a route
//! knows stands in its [`UseCase`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lyceum_application::app::OpenView;
use lyceum_application::error::Conflict;
use lyceum_application::expand::Expansion;
use lyceum_application::running::idempotency::{Answer, IdempotencyKey, Reply};
use lyceum_application::{App, Error, Tx};
use lyceum_domain::Timestamp;

use crate::edge::concurrency::Permit;
use crate::http::answer::{Done, Outcome};
use crate::http::auth_scope::AuthScope;
use crate::http::call::path::Path;
use crate::http::error::Failure;
use crate::http::response::{etag, names_tag};

/// Shows a thing as it is, so that its tag can be compared.
pub type Guard<C> = Box<dyn FnMut(&mut dyn Tx, &C, &Path) -> Result<String, Error> + Send>;

/// What a request wants done in a transaction, and the members of its body that nobody knew.
pub type ReadUseCase = Result<(UseCase, Vec<String>), Failure>;
/// A use case with all it needs; may be run again from the start if the database asks for it.
pub type UseCase = Box<dyn FnMut(&mut dyn Tx) -> Result<Reply, Error> + Send>;

/// A change that a request asks for.
pub struct Change {
    pub app: App,
    pub queued: Arc<AtomicBool>,
    pub now: Timestamp,
    pub key: Option<IdempotencyKey>,
    pub frees: bool,
    /// Held until the answer is made.
    pub _place: Permit,
}

impl Change {
    /// Carries it out, once per idempotency key.
    pub async fn perform(self, wanted: ReadUseCase) -> Outcome<()> {
        let Self {
            app,
            queued,
            now,
            key,
            frees,
            _place,
        } = self;
        let (work, ignored) = match wanted {
            Ok(wanted) => wanted,
            Err(failure) => return remembered(&app, key, now, failure).await,
        };
        let answer = if frees {
            app.write_freeing(queued, now, key, work).await?
        } else {
            app.write(queued, now, key, work).await?
        };
        Ok(Done::new(answer, ignored))
    }
}

/// How much a use case looks at.
#[derive(Debug, Clone, Copy)]
pub enum Reading {
    /// One thing.
    One,
    /// Several things, which belong together.
    Snapshot,
    /// Perhaps very much: nobody else waits for it.
    Lengthy,
}

/// The same for what only reads; the place is held until the answer is made.
pub async fn read(
    app: App,
    _place: Permit,
    view: OpenView,
    reading: Reading,
    wanted: ReadUseCase,
) -> Outcome<()> {
    let (work, ignored) = wanted?;
    let reply = match reading {
        Reading::One => app.read_one_in(view, work).await?,
        Reading::Snapshot => app.read_in(view, work).await?,
        Reading::Lengthy => {
            drop(view);
            app.read_at_length(work).await?
        }
    };
    let answer = Answer {
        reply,
        replayed: false,
    };
    Ok(Done::new(answer, ignored))
}

/// Checks that the thing is still what the caller took it for, where both say so.
pub fn unchanged<S: AuthScope>(
    tx: &mut dyn Tx,
    context: &S::Context,
    path: &Path,
    tags: Option<&str>,
    guard: &mut Option<Guard<S::Context>>,
) -> Result<(), Error> {
    if let (Some(tags), Some(guard)) = (tags, guard) {
        let body = guard(tx, context, path)?;
        if !names_tag(tags, &etag(&body)) {
            return Err(Error::PreconditionFailed);
        }
    }
    Ok(())
}

/// What was refused because the thing is not as the caller took it to be, with who changed it last.
pub fn by_whom<S: AuthScope>(
    tx: &mut dyn Tx,
    context: &S::Context,
    (path, of_draft): (&Path, bool),
    refused: Error,
) -> Error {
    let was_changed = matches!(
        refused,
        Error::PreconditionFailed | Error::Conflict(Conflict::Transition(_))
    );
    if !was_changed {
        return refused;
    }
    match S::last_change(tx, context, path.text("id"), of_draft) {
        Ok(Some(last)) => Error::Overtaken {
            refused: Box::new(refused),
            last: Box::new(last),
        },
        Ok(None) => refused,
        Err(failed) => failed,
    }
}

/// The reply with what was to be expanded put in.
pub fn expanded<S: AuthScope>(
    tx: &mut dyn Tx,
    context: &S::Context,
    mut reply: Reply,
    wanted: &Expansion,
) -> Result<Reply, Error> {
    if wanted.is_empty() {
        return Ok(reply);
    }
    let failed = |error: serde_json::Error| Error::Internal(error.into());
    let mut answer = serde_json::from_str(&reply.body).map_err(failed)?;
    S::expand(tx, context, &mut answer, wanted)?;
    reply.body = answer.to_string();
    Ok(reply)
}

/// A request that is not valid may still carry a key that was used: then that is the answer.
async fn remembered(
    app: &App,
    key: Option<IdempotencyKey>,
    now: Timestamp,
    failure: Failure,
) -> Outcome<()> {
    match key {
        Some(key) => match app.recall(key, now).await? {
            Some(answer) => Ok(Done::new(answer, Vec::new())),
            None => Err(failure),
        },
        None => Err(failure),
    }
}
