//! One row of the route table: method, path, what it asks of whom, what is read, what is answered, by which handler.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::identity::access::Requirement;
use serde_json::Value;

use crate::document::schemas::Components;
use crate::edge::policy::{Counted, Policy, SignedInWhen};
use crate::http::answer::{AnswerKind, Manner, Outcome};
use crate::http::auth_scope::AuthScope;
use crate::http::call::Call;
use crate::http::dispatch::rows::{RowEntry, RowHandled, RowRoute, dispatch_row};
use crate::http::dispatch::{Asking, Entrance, dispatch, guarded};
use crate::http::error::Failure;
use crate::http::input::{Input, InputDoc};
use crate::http::query::Parameter;
use crate::http::response;
use crate::http::speech;
use crate::state::Api;

/// A pending answer; it stays on the worker that took the request.
pub type Answering = Pin<Box<dyn Future<Output = HttpResponse>>>;
/// How a route answers.
pub type Handle = dyn Fn(Asking, Payload) -> Answering + Send + Sync;
/// How a route answers a row of a bulk write.
pub type RowHandle = dyn Fn(RowEntry) -> RowHandled + Send + Sync;

/// The body of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// JSON of a component schema.
    Component(String),
    /// JSON of this schema.
    Inline(Value),
    /// A file of this media type.
    File(&'static str),
    /// There is none.
    Nothing,
}

/// How a route is documented.
#[derive(Debug)]
pub struct RouteDoc {
    /// What is read.
    pub input: InputDoc,
    /// What is answered.
    pub answer: Body,
    /// The collection that the answer is a member of, such as `courses`.
    pub resource: Option<&'static str>,
    /// Status of the answer.
    pub status: u16,
    /// Whether it also comes as a stream of events.
    pub spoken: bool,
    /// Whether it may also be 202, where there is much to do.
    pub perhaps_later: bool,
    /// Who has to say what about themselves.
    pub identity: IdentityDoc,
}

impl RouteDoc {
    /// Whether the answer has a tag by which a caller can tell whether it is still the same: what goes on has none.
    pub fn has_tag(&self) -> bool {
        let is_whole = !matches!(self.answer, Body::File(speech::MEDIA_TYPE) | Body::Nothing);
        self.identity.needs_key() && is_whole
    }
}

/// Who has to say what about themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityDoc {
    /// Nobody anything.
    Nobody,
    /// A key, or something else that opens the way.
    MayHaveKey,
    /// A key.
    Key,
    /// A key, and the platform that it is used on.
    KeyAndPlatform,
}

impl IdentityDoc {
    const fn of(needs_key: bool, needs_platform: bool) -> Self {
        match (needs_key, needs_platform) {
            (false, _) => Self::Nobody,
            (true, false) => Self::Key,
            (true, true) => Self::KeyAndPlatform,
        }
    }

    /// Whether there is no way without a key.
    pub const fn needs_key(self) -> bool {
        matches!(self, Self::Key | Self::KeyAndPlatform)
    }
}

/// A route outside the common way: what it reads and answers is said here.
#[derive(Debug, Clone)]
pub struct RawDoc {
    /// Parameters of the query.
    pub parameters: &'static [Parameter],
    /// What is answered.
    pub answer: Body,
    /// Whether a key may open it.
    pub identity: IdentityDoc,
    /// Statuses beside success and those of every route.
    pub also: &'static [u16],
}

/// One row of the route table.
pub struct Route {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    pub method: &'static str,
    /// The path, with `{places}`.
    pub path: &'static str,
    /// Unique name, lower camel case.
    pub operation: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// What it asks of its callers.
    pub policy: Policy,
    /// Whether it heeds `If-Match`: it changes one thing, whose entity tag the caller may know.
    pub is_conditional: bool,
    /// Answers.
    pub handle: Box<Handle>,
    /// Answers a row of a bulk write that names this operation.
    pub row: Box<RowHandle>,
    /// Statuses that its answers may have beside those that its method, path and scope imply.
    pub also: &'static [u16],
    /// Whether the last place of its path takes all the rest, slashes included.
    pub is_deep: bool,
    /// Whether it speaks tus: of an upload in pieces.
    pub is_tus: bool,
    /// Documents.
    pub describe: Box<dyn Fn(&mut Components) -> RouteDoc + Send + Sync>,
}

/// Largest body with a submission in it: 5 MiB.
pub const SUBMISSION_LIMIT: usize = 5 * 1024 * 1024;
/// Largest body with many writes in it: 5 MiB.
pub const BULK_LIMIT: usize = 5 * 1024 * 1024;
/// How long a request may take whose caller waits for an AI provider.
pub const TUTOR_DEADLINE: Duration = Duration::from_mins(1);

impl Route {
    /// A row.
    pub fn new<I, S, A, F>(
        method: &'static str,
        path: &'static str,
        operation: &'static str,
        summary: &'static str,
        requirement: Requirement,
        handler: fn(Call<I, S>) -> F,
    ) -> Self
    where
        I: Input,
        S: AuthScope,
        A: AnswerKind,
        F: Future<Output = Outcome<A>> + 'static,
    {
        let entrance = Arc::new(Entrance::new(handler));
        Self {
            method,
            path,
            operation,
            summary,
            policy: Policy::new(S::NEEDS_KEY, requirement),
            is_conditional: false,
            row: enter_row(Arc::clone(&entrance)),
            handle: enter(entrance),
            also: &[],
            is_deep: false,
            is_tus: false,
            describe: Box::new(|components| RouteDoc {
                input: I::describe(components),
                answer: body_of::<A>(components),
                resource: A::resource(),
                status: A::STATUS,
                spoken: A::MANNER == Manner::Spoken,
                perhaps_later: A::MANNER == Manner::PerhapsPolled,
                identity: IdentityDoc::of(S::NEEDS_KEY, S::NEEDS_PLATFORM),
            }),
        }
    }

    /// The same row with more statuses that its answers may have.
    #[must_use]
    pub const fn also(mut self, statuses: &'static [u16]) -> Self {
        self.also = statuses;
        self
    }

    /// The same row, with a last place that takes all the rest of the path.
    #[must_use]
    pub const fn deep(mut self) -> Self {
        self.is_deep = true;
        self
    }

    /// The same row, which speaks tus.
    #[must_use]
    pub const fn speaking_tus(mut self) -> Self {
        self.is_tus = true;
        self
    }

    /// What a row of a bulk write needs to know of it.
    pub const fn as_row(&self) -> RowRoute {
        RowRoute {
            method: self.method,
            path: self.path,
            policy: self.policy,
            is_conditional: self.is_conditional,
        }
    }

    /// Whether its callers can ask too often.
    pub fn is_limited(&self) -> bool {
        self.policy.counted != Counted::Never
    }

    /// The same row, which heeds `If-Match`.
    #[must_use]
    pub const fn conditional(mut self) -> Self {
        self.is_conditional = true;
        self
    }

    /// The same row, counted against a quota of its own.
    #[must_use]
    pub const fn counted_as(mut self, counted: Counted) -> Self {
        self.policy.counted = counted;
        self
    }

    /// The same row, which whoever watches over the service may always ask.
    #[must_use]
    pub const fn uncounted(self) -> Self {
        self.counted_as(Counted::Never)
    }

    /// The same row, of which nothing stays for long: nobody is to be shut out of it because there is no room for more.
    #[must_use]
    pub const fn keeping_nothing(mut self) -> Self {
        self.policy.is_kept = false;
        self
    }

    /// The same row, whose answer holds an API key.
    #[must_use]
    pub const fn reveals_key(mut self) -> Self {
        self.policy.reveals_key = true;
        self
    }

    /// The same row, which opens doors to others or cannot be undone.
    #[must_use]
    pub const fn recent_sign_in(mut self) -> Self {
        self.policy.signed_in = SignedInWhen::Recently;
        self
    }

    /// The same row, whose handler lets in who has a key of these scopes and nobody else.
    #[must_use]
    pub const fn asking(mut self, requirement: Requirement) -> Self {
        self.policy.needs_key = true;
        self.policy.requirement = requirement;
        self
    }

    /// The same row for larger bodies.
    #[must_use]
    pub const fn taking(mut self, body_limit: usize) -> Self {
        self.policy.body_limit = body_limit;
        self
    }

    /// The same row for requests that take longer.
    #[must_use]
    pub const fn within(mut self, deadline: Duration) -> Self {
        self.policy.deadline = deadline;
        self
    }

    /// A row whose answer is not JSON and whose caller is known by other means than a key.
    pub fn raw<F>(
        path: &'static str,
        operation: &'static str,
        summary: &'static str,
        doc: RawDoc,
        handler: fn(HttpRequest, Arc<Api>, String) -> F,
    ) -> Self
    where
        F: Future<Output = HttpResponse> + 'static,
    {
        Self {
            method: "GET",
            path,
            operation,
            summary,
            policy: Policy {
                body_limit: 0,
                ..Policy::new(false, Requirement::NOTHING)
            },
            is_conditional: false,
            handle: Box::new(move |asking, _| Box::pin(raw(asking, handler))),
            // It answers a connection, and a row has none.
            row: Box::new(|_| Box::pin(ready(Err(Failure::UnknownRoute(None))))),
            also: doc.also,
            is_deep: false,
            is_tus: false,
            describe: Box::new(move |_| RouteDoc {
                input: InputDoc {
                    parameters: doc.parameters.to_vec(),
                    ..InputDoc::default()
                },
                answer: doc.answer.clone(),
                resource: None,
                status: 200,
                spoken: false,
                perhaps_later: false,
                identity: doc.identity,
            }),
        }
    }
}

fn body_of<A: AnswerKind>(components: &mut Components) -> Body {
    let component = A::describe(components);
    match (A::MANNER, A::STATUS) {
        (Manner::Followed, _) => Body::File(speech::MEDIA_TYPE),
        (_, 204) => Body::Nothing,
        _ => Body::Component(component),
    }
}

fn enter_row<S: AuthScope>(entrance: Arc<Entrance<S>>) -> Box<RowHandle> {
    Box::new(move |entry| Box::pin(dispatch_row(entry, Arc::clone(&entrance))))
}

fn enter<S: AuthScope>(entrance: Arc<Entrance<S>>) -> Box<Handle> {
    Box::new(move |asking, payload| Box::pin(dispatch(asking, payload, Arc::clone(&entrance))))
}

async fn raw<F>(asking: Asking, handler: fn(HttpRequest, Arc<Api>, String) -> F) -> HttpResponse
where
    F: Future<Output = HttpResponse>,
{
    let Asking {
        request,
        api,
        request_id,
        policy,
    } = asking;
    if let Err(failure) = api.limiter.visit(&request, policy.counted) {
        return response::failure(&failure, &request_id);
    }
    let place = (policy.counted != Counted::Never).then(|| api.concurrency.enter());
    let _place = match place.transpose() {
        Ok(place) => place,
        Err(failure) => return response::failure(&failure, &request_id),
    };
    guarded(handler(request, api, request_id.clone()), &request_id).await
}
