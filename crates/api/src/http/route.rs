//! One row of the route table: method, path, who may, what is read, what is answered, by which handler.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::identity::access::Requirement;
use serde_json::Value;

use crate::document::schemas::Components;
use crate::edge::rate_limit::NEVER_COUNTED;
use crate::http::answer::{AnswerKind, Manner, Outcome};
use crate::http::call::Call;
use crate::http::dispatch::{Entrance, REQUEST_DEADLINE, dispatch, guarded};
use crate::http::input::{Input, InputDoc};
use crate::http::query::Parameter;
use crate::http::response;
use crate::http::scene::Scene;
use crate::http::speech;
use crate::service::Api;

/// What a route asks of its callers and their bodies.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// Whether a key is needed.
    pub needs_key: bool,
    /// Scopes.
    pub requirement: Requirement,
    /// Largest body, in bytes.
    pub body_limit: usize,
    /// How long a request may take in all.
    pub deadline: Duration,
}

/// A pending answer; it stays on the worker that took the request.
pub type Answering = Pin<Box<dyn Future<Output = HttpResponse>>>;
/// How a route answers.
pub type Handle = dyn Fn(HttpRequest, Payload, Arc<Api>, String) -> Answering + Send + Sync;

/// The body of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// JSON of a component schema.
    Component(String),
    /// JSON of this schema.
    Inline(Value),
    /// A file of this media type.
    File(&'static str),
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
    /// Who has to say what about themselves.
    pub identity: IdentityDoc,
}

impl RouteDoc {
    /// Whether the answer has a tag by which a caller can tell whether it is still the same: what goes on has none.
    pub fn has_tag(&self) -> bool {
        self.identity.needs_key() && self.answer != Body::File(speech::MEDIA_TYPE)
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
    pub access: Access,
    /// Answers.
    pub handle: Box<Handle>,
    /// Statuses that its answers may have beside those that its method, path and scene imply.
    pub also: &'static [u16],
    /// Whether the last place of its path takes all the rest, slashes included.
    pub is_deep: bool,
    /// Documents.
    pub describe: Box<dyn Fn(&mut Components) -> RouteDoc + Send + Sync>,
}

/// Largest body where nothing else is said: 1 MiB.
pub const BODY_LIMIT: usize = 1024 * 1024;
/// Largest body with a submission in it: 5 MiB.
pub const SUBMISSION_LIMIT: usize = 5 * 1024 * 1024;
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
        S: Scene,
        A: AnswerKind,
        F: Future<Output = Outcome<A>> + 'static,
    {
        let access = Access {
            needs_key: S::NEEDS_KEY,
            requirement,
            body_limit: BODY_LIMIT,
            deadline: REQUEST_DEADLINE,
        };
        Self {
            method,
            path,
            operation,
            summary,
            access,
            handle: handle(access, handler),
            also: &[],
            is_deep: false,
            describe: Box::new(|components| RouteDoc {
                input: I::describe(components),
                answer: if A::MANNER == Manner::Followed {
                    A::describe(components);
                    Body::File(speech::MEDIA_TYPE)
                } else {
                    Body::Component(A::describe(components))
                },
                resource: A::resource(),
                status: A::STATUS,
                spoken: A::MANNER == Manner::Spoken,
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

    /// Whether its callers can ask too often.
    pub fn is_limited(&self) -> bool {
        !NEVER_COUNTED.contains(&self.path)
    }

    /// Whether it heeds `If-Match`: it changes one thing, whose entity tag the caller may know.
    pub fn is_conditional(&self) -> bool {
        let changes = matches!(self.method, "PATCH" | "DELETE");
        changes && (self.path.ends_with("/{id}") || self.path.contains("/configure"))
    }

    /// The same row for larger bodies.
    #[must_use]
    pub fn taking<I, S, A, F>(mut self, body_limit: usize, handler: fn(Call<I, S>) -> F) -> Self
    where
        I: Input,
        S: Scene,
        A: AnswerKind,
        F: Future<Output = Outcome<A>> + 'static,
    {
        self.access.body_limit = body_limit;
        self.handle = handle(self.access, handler);
        self
    }

    /// The same row for requests that take longer.
    #[must_use]
    pub fn within<I, S, A, F>(mut self, deadline: Duration, handler: fn(Call<I, S>) -> F) -> Self
    where
        I: Input,
        S: Scene,
        A: AnswerKind,
        F: Future<Output = Outcome<A>> + 'static,
    {
        self.access.deadline = deadline;
        self.handle = handle(self.access, handler);
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
            access: Access {
                needs_key: false,
                requirement: Requirement::NOTHING,
                body_limit: 0,
                deadline: REQUEST_DEADLINE,
            },
            handle: Box::new(move |request, _, api, request_id| {
                Box::pin(async move {
                    if let Err(failure) = api.limiter.visit(&request) {
                        return response::failure(&failure, &request_id);
                    }
                    // Whoever watches over the service must always be answered.
                    let place = (!NEVER_COUNTED.contains(&path)).then(|| api.floor.enter());
                    let _place = match place.transpose() {
                        Ok(place) => place,
                        Err(failure) => return response::failure(&failure, &request_id),
                    };
                    guarded(handler(request, api, request_id.clone()), &request_id).await
                })
            }),
            also: doc.also,
            is_deep: false,
            describe: Box::new(move |_| RouteDoc {
                input: InputDoc {
                    parameters: doc.parameters.to_vec(),
                    ..InputDoc::default()
                },
                answer: doc.answer.clone(),
                resource: None,
                status: 200,
                spoken: false,
                identity: doc.identity,
            }),
        }
    }
}

fn handle<I, S, A, F>(access: Access, handler: fn(Call<I, S>) -> F) -> Box<Handle>
where
    I: Input,
    S: Scene,
    A: AnswerKind,
    F: Future<Output = Outcome<A>> + 'static,
{
    enter(Entrance::new(access, handler))
}

fn enter<S: Scene>(entrance: Entrance<S>) -> Box<Handle> {
    let entrance = Arc::new(entrance);
    Box::new(move |request, payload, api, request_id| {
        let entrance = Arc::clone(&entrance);
        Box::pin(dispatch(request, payload, api, entrance, request_id))
    })
}
