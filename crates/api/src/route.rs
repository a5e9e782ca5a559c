//! One row of the route table: method, path, who may, what is read, what is answered, by which handler.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::access::Requirement;

use crate::answer::{AnswerKind, Outcome};
use crate::call::Call;
use crate::dispatch::{dispatch, guarded};
use crate::input::{Input, InputDoc};
use crate::scene::Scene;
use crate::schemas::Components;
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
}

/// A pending answer; it stays on the worker that took the request.
pub type Answering = Pin<Box<dyn Future<Output = HttpResponse>>>;
/// How a route answers.
pub type Handle = dyn Fn(HttpRequest, Payload, Arc<Api>, String) -> Answering + Send + Sync;

/// How a route is documented.
#[derive(Debug)]
pub struct RouteDoc {
    /// What is read.
    pub input: InputDoc,
    /// Component of the answer; `None` for answers that are not JSON.
    pub answer: Option<String>,
    /// Status of the answer.
    pub status: u16,
    /// Whether a key is needed.
    pub needs_key: bool,
    /// Whether a platform must be chosen.
    pub needs_platform: bool,
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
    /// Documents.
    pub describe: Box<dyn Fn(&mut Components) -> RouteDoc + Send + Sync>,
}

/// Largest body where nothing else is said: 1 MiB.
pub const BODY_LIMIT: usize = 1024 * 1024;
/// Largest body with a submission in it: 5 MiB.
pub const SUBMISSION_LIMIT: usize = 5 * 1024 * 1024;

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
        };
        Self {
            method,
            path,
            operation,
            summary,
            access,
            handle: handle(access, handler),
            describe: Box::new(|components| RouteDoc {
                input: I::describe(components),
                answer: Some(A::describe(components)),
                status: A::STATUS,
                needs_key: S::NEEDS_KEY,
                needs_platform: S::NEEDS_PLATFORM,
            }),
        }
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

    /// A row whose answer is not JSON and whose caller is known by other means than a key.
    pub fn raw<F>(
        path: &'static str,
        operation: &'static str,
        summary: &'static str,
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
            },
            handle: Box::new(move |request, _, api, request_id| {
                Box::pin(async move {
                    guarded(handler(request, api, request_id.clone()), &request_id).await
                })
            }),
            describe: Box::new(|_| RouteDoc {
                input: InputDoc::default(),
                answer: None,
                status: 200,
                needs_key: false,
                needs_platform: false,
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
    Box::new(move |request, payload, api, request_id| {
        Box::pin(dispatch(request, payload, api, access, request_id, handler))
    })
}
