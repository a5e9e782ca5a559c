//! Writing the rows of bulk writes: each by the route that its operation names, which answers it as it answers a single request.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use lyceum_application::running::bulk_writes::{RowRequest, RowWriter, WrittenRow};
use lyceum_application::{App, Error};
use lyceum_domain::json::JsonObject;
use lyceum_domain::running::bulk_writes::{BulkOperation, BulkRowResult};
use serde_json::Value;

use crate::http::answer::Done;
use crate::http::dispatch::rows::{RowDoor, RowEntry};
use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::Route;

/// An error is told with what is wrong with its fields up to this many bytes; a thousand of them are an answer that somebody reads.
const MOST_TOLD: usize = 4 << 10;
/// So many members that nobody knows are named of a row.
const MOST_IGNORED: usize = 50;
/// How long a row is left alone that the service could not write just now.
const SOON: Duration = Duration::from_secs(1);

/// The routes that rows are written by.
pub struct RowDispatcher {
    door: Arc<RowDoor>,
    routes: HashMap<BulkOperation, Route>,
}

impl RowDispatcher {
    /// Of those in the table that may be asked for in bulk.
    ///
    /// # Errors
    /// A sentence about an operation that has no route.
    pub fn new(door: RowDoor, table: Vec<Route>) -> Result<Self, String> {
        let mut routes = HashMap::new();
        for route in table {
            if let Ok(operation) = BulkOperation::parse(route.operation) {
                routes.insert(operation, route);
            }
        }
        let missing = BulkOperation::ALL
            .iter()
            .find(|operation| !routes.contains_key(operation));
        match missing {
            Some(operation) => Err(format!("no route is called {operation}")),
            None => Ok(Self {
                door: Arc::new(door),
                routes,
            }),
        }
    }

    async fn answered(&self, app: &App, asked: RowRequest) -> Result<Done<()>, Failure> {
        let route = self.routes.get(&asked.operation);
        let route = route.ok_or(Failure::UnknownRoute(None))?;
        let app = if asked.is_dry_run {
            app.rehearsing(asked.key)
        } else {
            app.clone()
        };
        let entry = RowEntry {
            door: Arc::clone(&self.door),
            app,
            route: route.as_row(),
            asked,
        };
        (route.row)(entry).await
    }
}

impl RowWriter for RowDispatcher {
    fn write<'a>(&'a self, app: &'a App, asked: RowRequest) -> LocalBoxFuture<'a, WrittenRow> {
        async move {
            let (request, is_dry_run) = (asked.request_id.clone(), asked.is_dry_run);
            match self.answered(app, asked).await {
                Ok(done) => written(done, is_dry_run),
                Err(failure) => WrittenRow {
                    retry_after: retry_after(&failure),
                    result: refused(&failure, &request),
                    object: None,
                },
            }
        }
        .boxed_local()
    }

    fn refused(&self, error: Error, request_id: &str) -> BulkRowResult {
        refused(&Failure::App(error), request_id)
    }
}

/// What is told of a row that was written. An id that was made in a dry run is nobody's, and is not told.
fn written(done: Done<()>, is_dry_run: bool) -> WrittenRow {
    let Done {
        answer,
        ignored,
        beside,
        ..
    } = done;
    let is_made_up = is_dry_run && answer.reply.status == 201 && !answer.replayed;
    let tag = response::etag(&answer.reply.body);
    let answer = response::with_beside(answer, beside.as_ref());
    let object: Option<Value> = serde_json::from_str(&answer.reply.body).ok();
    let member = |name: &str| object.as_ref().and_then(|object| object.get(name));
    let is_gone = member("deleted").is_some();
    let text = |name: &str| member(name).and_then(Value::as_str).map(str::to_owned);
    let (id, updated_at) = (text("id"), text("updated_at"));
    WrittenRow {
        result: BulkRowResult {
            status: answer.reply.status,
            id: id.filter(|_| !is_made_up),
            tag: (!is_gone && !is_dry_run).then_some(tag),
            updated_at: updated_at.filter(|_| !is_dry_run),
            error: None,
            ignored: ignored.into_iter().take(MOST_IGNORED).collect(),
            replayed: answer.replayed,
        },
        object: object.filter(|_| !is_gone),
        retry_after: None,
    }
}

fn refused(failure: &Failure, request_id: &str) -> BulkRowResult {
    let mut body = response::failure_body(failure, request_id);
    let error = body.get_mut("error").map(Value::take);
    let error = error.and_then(|error| match error {
        Value::Object(members) => Some(short(members)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    });
    BulkRowResult {
        status: failure.row().status.as_u16(),
        id: None,
        tag: None,
        updated_at: None,
        error,
        ignored: Vec::new(),
        replayed: false,
    }
}

/// Without what is wrong with its fields, where that is much.
fn short(mut error: JsonObject) -> JsonObject {
    let size = |value: &Value| value.to_string().len();
    if error.values().map(size).sum::<usize>() > MOST_TOLD {
        error.insert("fields".to_owned(), Value::Object(JsonObject::new()));
    }
    error
}

/// Whether it is worth another try, and when. What is refused for good is refused again.
fn retry_after(failure: &Failure) -> Option<Duration> {
    match failure {
        Failure::RateLimited { retry_after, .. } => Some(Duration::from_secs(*retry_after)),
        Failure::Timeout
        | Failure::Overloaded
        | Failure::App(Error::Unavailable(_) | Error::DiskFull | Error::OutcomeUnknown(_)) => {
            Some(SOON)
        }
        Failure::UnknownRoute(_)
        | Failure::MethodNotAllowed(_)
        | Failure::UnsupportedMediaType
        | Failure::NoForm
        | Failure::NoBytes
        | Failure::UnsupportedTusVersion
        | Failure::PayloadTooLarge
        | Failure::InvalidJson(_)
        | Failure::NotAnObject
        | Failure::UnknownFields(_)
        | Failure::InvalidParameter(..)
        | Failure::UnknownParameter(..)
        | Failure::InvalidExpand(_)
        | Failure::InvalidIdempotencyKey
        | Failure::SlowBody
        | Failure::Panicked
        | Failure::App(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::schemas::Components;
    use crate::edge::policy::{Counted, SignedInWhen};
    use crate::http::input::Intake;
    use crate::routes;
    use lyceum_domain::identity::scopes::Scope;

    #[test]
    fn what_may_be_written_in_bulk_is_plain_json_that_reveals_starts_and_risks_nothing() {
        let table = routes::all();
        for operation in BulkOperation::ALL {
            let route = table.iter().find(|it| it.operation == operation.as_str());
            let route = route.unwrap_or_else(|| panic!("no route is called {operation}"));
            assert_ne!(route.method, "GET", "{operation}");
            let policy = route.policy;
            assert!(policy.needs_key && !policy.reveals_key, "{operation}");
            assert_eq!(policy.signed_in, SignedInWhen::Ever, "{operation}");
            assert_eq!(policy.counted, Counted::Usually, "{operation}");
            let mut scopes = policy.requirement.all.iter().chain(policy.requirement.any);
            assert!(
                !scopes.any(|scope| matches!(
                    scope,
                    Scope::AiGenerate | Scope::AiGrade | Scope::AiTutor | Scope::WriteKeys
                )),
                "{operation}"
            );
            let doc = (route.describe)(&mut Components::new());
            assert_eq!(doc.input.intake, Intake::Json, "{operation}");
            assert!(doc.status < 202, "{operation}");
        }
    }

    #[test]
    fn a_row_is_not_told_more_than_somebody_reads() {
        let long = lyceum_domain::Invalid::new("title", "x".repeat(MOST_TOLD));
        let result = refused(&long.into(), "req_1");
        let error = result.error.unwrap();
        assert_eq!(error["fields"], serde_json::json!({}));
        assert_eq!(
            (result.status, error["code"].as_str()),
            (400, Some("invalid_field"))
        );
        let brief = lyceum_domain::Invalid::missing("title");
        let error = refused(&brief.into(), "req_1").error.unwrap();
        assert_eq!(error["fields"]["title"], "is required");
    }
}
