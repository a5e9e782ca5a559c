//! A call: what a handler is given, and the ways to answer it.

mod path;
mod performing;

use actix_web::HttpRequest;
use actix_web::http::Method;
use lyceum_application::app::{self, OpenView};
use lyceum_application::authoring::texts::{self, Shown};
use lyceum_application::expand::Expansion;
use lyceum_application::running::idempotency::{Answer, IdempotencyKey};
use lyceum_application::{App, Context, Error, Tx};
use lyceum_wire::authoring::texts::TextWarningView;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::edge::concurrency::Permit;
use crate::edge::rate_limit::Limiter;
use crate::edge::tus::Incoming;
use crate::http::answer::{AnswerKind, Done, Outcome};
use crate::http::auth_scope::{AuthScope, Tenant};
use crate::http::call::performing::{
    Change, Guard, Reading, UseCase, by_whom, expanded, read, unchanged,
};
use crate::http::error::Failure;
use crate::http::input::{Input, Read};
use crate::http::query;

pub use path::Path;

/// A request that got in, whatever its route reads.
pub struct AdmittedRequest<S: AuthScope> {
    pub(crate) app: App,
    pub(crate) context: S::Context,
    pub(crate) view: OpenView,
    pub(crate) path: Path,
    pub(crate) origin: Option<String>,
    pub(crate) method: Method,
    pub(crate) counted: (Option<HttpRequest>, Limiter),
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) list: String,
    pub(crate) if_match: Option<String>,
    pub(crate) expansion: Expansion,
    pub(crate) incoming: Option<Incoming>,
    pub(crate) file_place: Option<Permit>,
    pub(crate) place: Permit,
}

/// A request that got in.
pub struct Call<I: Input, S: AuthScope = Tenant> {
    /// The application.
    pub app: App,
    /// Who, where, when.
    pub context: S::Context,
    /// The view in which that was found, for who only reads.
    pub(crate) view: OpenView,
    /// The variable parts of the path.
    pub path: Path,
    /// Where the page is that asks, as its browser says.
    pub origin: Option<String>,
    /// How it is asked for.
    pub(crate) method: Method,
    /// The request itself, which a row of a bulk write has none of, and what it is counted by.
    pub(crate) counted: (Option<HttpRequest>, Limiter),
    pub(crate) input: Read<I::Of>,
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) list: String,
    pub(crate) if_match: Option<String>,
    pub(crate) expansion: Expansion,
    pub(crate) guard: Option<Guard<S::Context>>,
    /// Whether what is guarded is what waits for the thing.
    pub(crate) guards_draft: bool,
    /// Bytes that the handler takes in itself.
    pub(crate) incoming: Option<Incoming>,
    /// One of those where files are taken in, for a handler that works on one.
    pub(crate) file_place: Option<Permit>,
    /// Held until the answer is made.
    pub(crate) place: Permit,
}

impl<I: Input, S: AuthScope> Call<I, S> {
    /// Of a request, and what was read from it.
    pub(crate) fn new(entry: AdmittedRequest<S>, input: Read<I::Of>) -> Self {
        let AdmittedRequest {
            app,
            context,
            view,
            path,
            origin,
            method,
            counted,
            key,
            list,
            if_match,
            expansion,
            incoming,
            file_place,
            place,
        } = entry;
        Self {
            app,
            context,
            view,
            path,
            origin,
            method,
            counted,
            input,
            key,
            list,
            if_match,
            expansion,
            guard: None,
            guards_draft: false,
            incoming,
            file_place,
            place,
        }
    }

    /// Names the use case that shows the thing as it is, so that `If-Match` can be checked before it changes.
    #[must_use]
    pub fn unless_changed<V: Serialize>(
        mut self,
        mut show: impl FnMut(&mut dyn Tx, &S::Context, &Path) -> Result<V, Error> + Send + 'static,
    ) -> Self {
        self.guard = Some(Box::new(move |tx, context, path| {
            let view = show(tx, context, path)?;
            serde_json::to_string(&view).map_err(|error| Error::Internal(error.into()))
        }));
        self
    }

    /// The same, where `draft` says that it is what waits for the thing that must not have changed.
    #[must_use]
    pub fn of_draft(self, draft: bool) -> Self {
        Self {
            guards_draft: draft,
            ..self
        }
    }

    /// The request itself, for what a browser says of itself.
    ///
    /// # Errors
    /// [`Error::Internal`] of a row of a bulk write: of none that asks for this there is one.
    pub(crate) fn request(&self) -> Result<&HttpRequest, Failure> {
        let request = self.counted.0.as_ref();
        request.ok_or_else(|| Error::Internal("a row is no request".into()).into())
    }

    /// What there is to know of what the call asks for, whatever comes of it.
    pub fn notice(&self, of: impl FnOnce(&I::Of) -> Option<&'static str>) -> Option<&'static str> {
        self.input.as_ref().ok().and_then(|(input, _)| of(input))
    }

    /// Whether what the call asks for is so; not where nothing could be read.
    pub fn holds(&self, is_so: impl FnOnce(&I::Of) -> bool) -> bool {
        self.input.as_ref().is_ok_and(|(input, _)| is_so(input))
    }

    /// Counts the call by what it asks for, which is known only now.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub fn count(
        &self,
        by: impl FnOnce(&Limiter, Option<&HttpRequest>, &I::Of) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (request, limiter) = &self.counted;
        match &self.input {
            Ok((input, _)) => by(limiter, request.as_ref(), input),
            Err(_) => Ok(()),
        }
    }

    /// Answers with what a use case that writes returns; once per idempotency key.
    pub async fn write<A, F>(self, mut use_case: F) -> Outcome<A>
    where
        A: AnswerKind,
        F: FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<A::Of, Error> + Send + 'static,
    {
        let Self {
            app,
            context,
            path,
            input,
            key,
            list,
            if_match,
            expansion,
            mut guard,
            guards_draft,
            method,
            counted: _,
            place,
            origin: _,
            incoming: _,
            file_place: _,
            view,
        } = self;
        app::certain(&view).await?;
        drop(view);
        let writing = Change {
            app,
            queued: S::queued(&context),
            now: S::now(&context),
            key,
            frees: method == Method::DELETE,
            _place: place,
        };
        let wanted = input.map(|(input, ignored)| -> (UseCase, Vec<String>) {
            let work = move |tx: &mut dyn Tx| {
                let done = unchanged::<S>(tx, &context, &path, if_match.as_deref(), &mut guard)
                    .and_then(|()| use_case(tx, &context, &path, input.clone()));
                let of = done.map_err(|refused| {
                    by_whom::<S>(tx, &context, (&path, guards_draft), refused)
                })?;
                let reply = A::reply(&of, &list)?;
                expanded::<S>(tx, &context, reply, &expansion)
            };
            (Box::new(work), ignored)
        });
        Ok(writing.perform(wanted).await?.of_kind())
    }

    /// Answers with what a use case that only reads returns.
    pub async fn read<A, F>(self, use_case: F) -> Outcome<A>
    where
        A: AnswerKind,
        F: FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<A::Of, Error> + Send + 'static,
    {
        self.read_by(use_case, Reading::Snapshot).await
    }

    /// The same for a use case that may look at very much: nobody else waits for it.
    pub async fn read_at_length<A, F>(self, use_case: F) -> Outcome<A>
    where
        A: AnswerKind,
        F: FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<A::Of, Error> + Send + 'static,
    {
        self.read_by(use_case, Reading::Lengthy).await
    }

    /// The same for a use case that asks storage for one thing only.
    pub async fn read_one<A, F>(self, use_case: F) -> Outcome<A>
    where
        A: AnswerKind,
        F: FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<A::Of, Error> + Send + 'static,
    {
        let reading = if self.expansion.is_empty() {
            Reading::One
        } else {
            Reading::Snapshot
        };
        self.read_by(use_case, reading).await
    }

    async fn read_by<A, F>(self, mut use_case: F, reading: Reading) -> Outcome<A>
    where
        A: AnswerKind,
        F: FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<A::Of, Error> + Send + 'static,
    {
        let Self {
            app,
            context,
            view,
            path,
            input,
            list,
            expansion,
            place,
            counted: (request, _),
            ..
        } = self;
        let query = request.as_ref().map(HttpRequest::query_string);
        let reading = if query.is_some_and(query::narrows) {
            Reading::Lengthy
        } else {
            reading
        };
        let wanted = input.map(|(input, ignored)| -> (UseCase, Vec<String>) {
            let work = move |tx: &mut dyn Tx| {
                let of = use_case(tx, &context, &path, input.clone())?;
                let reply = A::reply(&of, &list)?;
                expanded::<S>(tx, &context, reply, &expansion)
            };
            (Box::new(work), ignored)
        });
        Ok(read(app, place, view, reading, wanted).await?.of_kind())
    }

    /// Answers with what a use case in three steps returns, whose caller waits for somebody remote: `prepare` reads,
    /// `ask` waits outside any transaction, `settle` writes. Once per idempotency key; of requests that race under
    /// one key each may ask, and one settles.
    ///
    /// # Errors
    /// Those of the input, then those of the steps.
    pub async fn ask<A, Q, T, F>(
        self,
        prepare: impl FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<Q, Error> + Send + 'static,
        ask: impl FnOnce(App, Q) -> F,
        settle: impl FnMut(&mut dyn Tx, &S::Context, &T) -> Result<A::Of, Error> + Send + 'static,
    ) -> Outcome<A>
    where
        A: AnswerKind,
        Q: Send + 'static,
        T: Send + 'static,
        F: Future<Output = Result<T, Error>>,
    {
        self.ask_by(Reading::Snapshot, prepare, ask, settle).await
    }

    /// Answers with what is made of what `look` reads, outside any transaction; nothing is written.
    ///
    /// # Errors
    /// Those of the input, then those of the steps.
    pub async fn consult<A, Q, F>(
        self,
        mut look: impl FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<Q, Error>
        + Send
        + 'static,
        make: impl FnOnce(App, Q) -> F,
    ) -> Outcome<A>
    where
        A: AnswerKind,
        Q: Send + 'static,
        F: Future<Output = Result<A::Of, Error>>,
    {
        let Self {
            app,
            context,
            view,
            path,
            input,
            list,
            place: _place,
            ..
        } = self;
        let (input, ignored) = input?;
        drop(view);
        let reads = move |tx: &mut dyn Tx| look(tx, &context, &path, input.clone());
        let found = app.read_at_length(reads).await?;
        let reply = A::reply(&make(app, found).await?, &list)?;
        let answer = Answer {
            reply,
            replayed: false,
        };
        Ok(Done::new(answer, ignored))
    }

    /// Answers with what a use case in two steps returns, of which the first looks at much and changes nothing: `look`
    /// reads for as long as it takes, and nobody else waits; `settle` writes. Once per idempotency key.
    ///
    /// # Errors
    /// Those of the input, then those of the steps.
    pub async fn seek<A, T>(
        self,
        look: impl FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<T, Error> + Send + 'static,
        settle: impl FnMut(&mut dyn Tx, &S::Context, &T) -> Result<A::Of, Error> + Send + 'static,
    ) -> Outcome<A>
    where
        A: AnswerKind,
        T: Send + 'static,
    {
        let found = |_: App, found| std::future::ready(Ok(found));
        self.ask_by(Reading::Lengthy, look, found, settle).await
    }

    /// Answers with what is done outside any transaction of the call's own: each part of it is carried out, and remembered, by
    /// itself. It is told the idempotency key that the call came with.
    ///
    /// # Errors
    /// Those of the input, then those of the work.
    pub async fn perform<A, F>(
        self,
        work: impl FnOnce(App, S::Context, I::Of, Option<String>) -> F,
    ) -> Outcome<A>
    where
        A: AnswerKind,
        F: Future<Output = Result<A::Of, Error>>,
    {
        let Self {
            app,
            context,
            view,
            input,
            key,
            list,
            mut place,
            ..
        } = self;
        app::certain(&view).await?;
        drop(view);
        let (input, ignored) = input?;
        // Each part takes a place of its own: as many who held one meanwhile as there are would wait for one another in vain.
        place.leave();
        let key = key.map(|key| key.key.key);
        let done = work(app, context, input, key).await?;
        let answer = Answer {
            reply: A::reply(&done, &list)?,
            replayed: false,
        };
        Ok(Done::new(answer, ignored))
    }

    async fn ask_by<A, Q, T, F>(
        self,
        reading: Reading,
        mut prepare: impl FnMut(&mut dyn Tx, &S::Context, &Path, I::Of) -> Result<Q, Error>
        + Send
        + 'static,
        ask: impl FnOnce(App, Q) -> F,
        mut settle: impl FnMut(&mut dyn Tx, &S::Context, &T) -> Result<A::Of, Error> + Send + 'static,
    ) -> Outcome<A>
    where
        A: AnswerKind,
        Q: Send + 'static,
        T: Send + 'static,
        F: Future<Output = Result<T, Error>>,
    {
        let Self {
            app,
            context,
            path,
            input,
            key,
            list,
            place,
            view,
            ..
        } = self;
        app::certain(&view).await?;
        drop(view);
        let now = S::now(&context);
        if let Some(key) = key.clone()
            && let Some(answer) = app.recall(key, now).await?
        {
            let ignored = input.map(|(_, ignored)| ignored);
            return Ok(Done::new(answer, ignored.unwrap_or_default()));
        }
        let (input, ignored) = input?;
        let asking = context.clone();
        let reads = move |tx: &mut dyn Tx| prepare(tx, &asking, &path, input.clone());
        let question = match reading {
            Reading::Lengthy => app.read_at_length(reads).await?,
            Reading::One | Reading::Snapshot => app.read(reads).await?,
        };
        // Waiting for somebody else is no work of ours.
        drop(place);
        let told = ask(app.clone(), question).await?;
        let queued = S::queued(&context);
        let work = move |tx: &mut dyn Tx| A::reply(&settle(tx, &context, &told)?, &list);
        let answer = app.write(queued, now, key, work).await?;
        Ok(Done::new(answer, ignored))
    }
}

impl<I: Input> Call<I> {
    /// The same as [`Call::write`] for what has texts; what they lose when they are shown is told beside it.
    pub async fn write_texts<A, F>(self, use_case: F) -> Outcome<A>
    where
        A: AnswerKind,
        F: FnMut(&mut dyn Tx, &Context, &Path, I::Of) -> Result<A::Of, Error> + Send + 'static,
    {
        let (app, context) = (self.app.clone(), self.context.clone());
        let mut done = self.write(use_case).await?;
        let warnings = warnings(&app, context, &done.answer.reply.body).await;
        done.beside = (!warnings.is_empty()).then(|| ("warnings", json!(warnings)));
        Ok(done)
    }

    /// Counts the call if it lets somebody in by their address.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub fn count_invitation(&self, invites: impl FnOnce(&I::Of) -> bool) -> Result<(), Failure> {
        let Some((host, Some(workspace))) = Tenant::owner(&self.context) else {
            return Ok(());
        };
        self.count(|limiter, request, input| {
            if invites(input) {
                return limiter.count_invitation(request, workspace, host);
            }
            Ok(())
        })
    }
}

/// What the texts of an answer lose. What was written is written: where nobody can tell, nothing is told.
async fn warnings(app: &App, context: Context, body: &str) -> Vec<TextWarningView> {
    if !texts::may_warn(body) {
        return Vec::new();
    }
    let looked = async {
        let failed = |error: serde_json::Error| Error::Internal(error.into());
        let answer: Map<String, Value> = serde_json::from_str(body).map_err(failed)?;
        let media = texts::media_of(&answer);
        let load = move |tx: &mut dyn Tx| Shown::load(tx, &context, &media);
        let shown = app.read(load).await?;
        let told = tokio::task::spawn_blocking(move || texts::warnings(&answer, shown));
        told.await.map_err(|error| Error::Internal(error.into()))
    };
    looked.await.unwrap_or_else(|error| {
        tracing::warn!(%error, "could not look at what texts lose");
        Vec::new()
    })
}
