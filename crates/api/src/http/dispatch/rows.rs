//! The way in for a row of a bulk write: that of its single request, behind what only a connection has.
//!
//! key, still → rate limit → scope and role → size → room → idempotency → validation → handler. Who the caller is was found out
//! when they asked; here it is found out whether they still are.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use actix_web::http::Method;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use lyceum_application::app::Admission;
use lyceum_application::context::RequestTrace;
use lyceum_application::error::PlatformProblem;
use lyceum_application::expand::Expansion;
use lyceum_application::running::bulk_writes::RowRequest;
use lyceum_application::running::idempotency::{IdempotencyKey, ReplyKey};
use lyceum_application::{App, Context, Error};
use lyceum_domain::Invalid;
use lyceum_domain::json::JsonObject;
use lyceum_domain::running::bulk_writes::BulkRow;
use serde_json::Value;

use super::{Entrance, Unread, is_change};
use crate::document::schemas::Schemas;
use crate::edge::concurrency::ConcurrencyLimit;
use crate::edge::policy::{Policy, SignedInWhen};
use crate::edge::rate_limit::Limiter;
use crate::http::answer::Done;
use crate::http::auth_scope::{AuthScope, Tenant};
use crate::http::call::{AdmittedRequest, Path};
use crate::http::error::Failure;
use crate::http::headers::{fingerprint_of, one_key, options_key};
use crate::http::query::Query;

/// What the edge has at hand for rows: the same that it has for requests.
pub struct RowDoor {
    /// Validators of bodies.
    pub schemas: Arc<Schemas>,
    /// Who has asked for how much.
    pub limiter: Limiter,
    /// Where requests are worked on.
    pub concurrency: ConcurrencyLimit,
}

/// What the route of a row is.
#[derive(Debug, Clone, Copy)]
pub struct RowRoute {
    /// Its method.
    pub method: &'static str,
    /// Its path, with places.
    pub path: &'static str,
    /// What it asks of its callers.
    pub policy: Policy,
    /// Whether it heeds `If-Match`.
    pub is_conditional: bool,
}

/// A row at the door.
pub struct RowEntry {
    /// The door.
    pub door: Arc<RowDoor>,
    /// The application; one that rehearses, where nothing is to be kept.
    pub app: App,
    /// The route.
    pub route: RowRoute,
    /// What is asked.
    pub asked: RowRequest,
}

/// What a row will have been answered.
pub type RowHandled = LocalBoxFuture<'static, Result<Done<()>, Failure>>;

/// Answers a row: like a request, whatever happens on the way, and in time.
pub async fn dispatch_row<S: AuthScope>(
    entry: RowEntry,
    entrance: Arc<Entrance<S>>,
) -> Result<Done<()>, Failure> {
    let deadline = entry.route.policy.deadline;
    let answering = AssertUnwindSafe(let_row_in(entry, &entrance)).catch_unwind();
    match tokio::time::timeout(deadline, answering).await {
        Ok(Ok(answered)) => answered,
        Ok(Err(_)) => Err(Failure::Panicked),
        Err(_) => Err(Failure::Timeout),
    }
}

async fn let_row_in<S: AuthScope>(
    entry: RowEntry,
    entrance: &Entrance<S>,
) -> Result<Done<()>, Failure> {
    let context = admitted(&entry).await?;
    let RowEntry {
        door,
        app,
        route,
        asked,
    } = entry;
    let method = method_of(route.method);
    let place = door.concurrency.enter()?;
    let mut request = SingleRequest::of(&route, &method, asked.row)?;
    let option = options_key(&method, &mut request.body)?;
    let key = one_key(request.key.take(), option)?.or(asked.derived_key);
    let key = remembered_by(&context, key, request.fingerprint(&method));
    let unread = Unread {
        is_patch: method == Method::PATCH,
        is_strict: asked.is_strict,
        body: request.body,
        file: None,
        query: Query::parse(&request.query),
        schemas: &door.schemas,
    };
    let entry = AdmittedRequest {
        app,
        context: S::of_row(context).ok_or(Failure::UnknownRoute(None))?,
        view: None,
        path: Path(request.places),
        origin: None,
        method,
        counted: (None, door.limiter.clone()),
        key,
        list: String::new(),
        if_match: request.if_match,
        expansion: Expansion::default(),
        incoming: None,
        file_place: None,
        place,
    };
    (entrance.handler)(entry, Ok(unread)).await
}

/// As whom and where a row is written, if its caller still may and has room for it.
async fn admitted(entry: &RowEntry) -> Result<Context, Failure> {
    let RowEntry {
        door,
        app,
        route,
        asked,
    } = entry;
    let policy = route.policy;
    let admission = app.admit_again(asked.key, asked.workspace).await?;
    door.limiter.count_key(None, asked.key)?;
    admission.require(policy.requirement)?;
    if policy.signed_in == SignedInWhen::Recently {
        let recent = admission.identity.require_recent(admission.now);
        recent.map_err(Error::from)?;
    }
    let context = context_of(app, admission, asked)?;
    let sent = Value::Object(asked.row.body.clone()).to_string().len();
    if sent > policy.body_limit {
        return Err(Failure::PayloadTooLarge);
    }
    let is_kept = policy.is_kept && is_change(&method_of(route.method)) && !asked.is_dry_run;
    if let Some(payer) = Tenant::payer(&context).filter(|_| is_kept) {
        door.limiter.count_written(app, None, payer, sent).await?;
        let limit = app.settings.spending.workspace_bytes;
        app.room.take(payer.workspace, limit, sent)?;
    }
    Ok(context)
}

fn context_of(app: &App, admission: Admission, asked: &RowRequest) -> Result<Context, Failure> {
    let missing = || Error::from(PlatformProblem::Missing);
    let (workspace, member) = admission.membership.ok_or_else(missing)?;
    let trace = RequestTrace {
        request_id: asked.request_id.clone(),
        trace: asked.trace,
    };
    Ok(app.context(workspace, member, admission.now, trace))
}

fn remembered_by(
    context: &Context,
    key: Option<String>,
    fingerprint: String,
) -> Option<IdempotencyKey> {
    let (person_id, workspace_id) = Tenant::owner(context)?;
    let key = ReplyKey {
        person_id,
        workspace_id,
        key: key?,
    };
    Some(IdempotencyKey { key, fingerprint })
}

fn method_of(name: &str) -> Method {
    Method::from_bytes(name.as_bytes()).unwrap_or(Method::POST)
}

/// A row as the request that it stands for.
struct SingleRequest {
    path: String,
    places: Vec<(String, String)>,
    query: String,
    key: Option<String>,
    if_match: Option<String>,
    body: JsonObject,
}

impl SingleRequest {
    /// A deletion has no body: what stands there is named in its path, or asked in its query.
    fn of(route: &RowRoute, method: &Method, row: BulkRow) -> Result<Self, Failure> {
        let BulkRow {
            idempotency_key,
            id,
            if_match,
            mut body,
        } = row;
        if if_match.is_some() && !route.is_conditional {
            let problem = "is not heeded by this operation";
            return Err(Invalid::new("if_match", problem).into());
        }
        let (path, places) = filled(route.path, id, &mut body)?;
        let query = if *method == Method::DELETE {
            query_of(std::mem::take(&mut body))?
        } else {
            String::new()
        };
        Ok(Self {
            path,
            places,
            query,
            key: idempotency_key,
            if_match,
            body,
        })
    }

    /// The same as that of the request which says the same: who sends it again by itself is told what came of it.
    fn fingerprint(&self, method: &Method) -> String {
        fingerprint_of(method, (&self.path, &self.query), &self.body, None)
    }
}

/// A path with its places, which the row names: `id`, and others as members of the body.
type FilledPath = (String, Vec<(String, String)>);

fn filled(
    path: &str,
    mut id: Option<String>,
    body: &mut JsonObject,
) -> Result<FilledPath, Failure> {
    let (mut segments, mut places) = (Vec::new(), Vec::new());
    for segment in path.split('/') {
        let name = segment.strip_prefix('{');
        let Some(name) = name.and_then(|name| name.strip_suffix('}')) else {
            segments.push(segment.to_owned());
            continue;
        };
        let (field, value) = match name {
            "id" => (name.to_owned(), id.take()),
            other => (format!("body.{other}"), text_of(other, body)?),
        };
        let value = value.ok_or_else(|| Invalid::missing(field))?;
        segments.push(value.clone());
        places.push((name.to_owned(), value));
    }
    if id.is_some() {
        return Err(Invalid::new("id", "is not taken by this operation").into());
    }
    Ok((segments.join("/"), places))
}

/// A member that the path names.
fn text_of(name: &str, body: &mut JsonObject) -> Result<Option<String>, Failure> {
    match body.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Err(Invalid::new(format!("body.{name}"), "must be of type string").into())
        }
    }
}

/// Parameters as they would stand in a query.
fn query_of(parameters: JsonObject) -> Result<String, Failure> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in parameters {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text,
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            Value::Array(_) | Value::Object(_) => {
                let problem = "must be a text, a number or a boolean";
                return Err(Invalid::new(format!("body.{name}"), problem).into());
            }
        };
        query.append_pair(&name, &text);
    }
    Ok(query.finish())
}

#[cfg(test)]
mod tests {
    use lyceum_application::identity::access::Requirement;
    use serde_json::json;

    use super::*;

    fn route(method: &'static str, path: &'static str) -> RowRoute {
        RowRoute {
            method,
            path,
            policy: Policy::new(true, Requirement::NOTHING),
            is_conditional: method != "POST",
        }
    }

    fn row(id: Option<&str>, body: &Value) -> BulkRow {
        BulkRow {
            id: id.map(str::to_owned),
            body: body.as_object().cloned().unwrap_or_default(),
            ..BulkRow::default()
        }
    }

    fn single(route: &RowRoute, row: BulkRow) -> Result<SingleRequest, String> {
        let request = SingleRequest::of(route, &method_of(route.method), row);
        request.map_err(|failure| failure.row().message)
    }

    #[test]
    fn a_row_becomes_its_single_request() {
        let update = route("PATCH", "/v1/lessons/{id}");
        let asked = single(&update, row(Some("les_1"), &json!({"title": "X"}))).unwrap();
        assert_eq!(asked.path, "/v1/lessons/les_1");
        assert_eq!(asked.places, [("id".to_owned(), "les_1".to_owned())]);
        assert_eq!((asked.query.as_str(), asked.body.len()), ("", 1));
        let withdraw = route("DELETE", "/v1/cohorts/{id}/students/{user_id}");
        let body = json!({"user_id": "usr_2", "force": true});
        let asked = single(&withdraw, row(Some("coh_1"), &body)).unwrap();
        assert_eq!(asked.path, "/v1/cohorts/coh_1/students/usr_2");
        assert_eq!((asked.query.as_str(), asked.body.len()), ("force=true", 0));
    }

    #[test]
    fn what_its_single_request_could_not_say_is_refused() {
        let create = route("POST", "/v1/lessons");
        let refused = |route: &RowRoute, row| single(route, row).err().unwrap_or_default();
        assert_eq!(
            refused(&create, row(Some("les_1"), &json!({}))),
            "The field id is not taken by this operation."
        );
        let tagged = BulkRow {
            if_match: Some("\"a\"".to_owned()),
            ..BulkRow::default()
        };
        assert!(refused(&create, tagged).contains("if_match"));
        let update = route("PATCH", "/v1/lessons/{id}");
        assert_eq!(
            refused(&update, row(None, &json!({}))),
            "The field id is required."
        );
        let delete = route("DELETE", "/v1/lessons/{id}");
        let listed = row(Some("les_1"), &json!({"force": []}));
        assert!(refused(&delete, listed).contains("body.force"));
    }
}
