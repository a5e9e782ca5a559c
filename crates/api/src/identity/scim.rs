//! SCIM 2.0 over HTTP: users are members, groups are roles. It has paths, bodies and errors of its own, and describes itself.

use std::sync::Arc;

use actix_web::http::{Method, StatusCode, header};
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::context::{Account, Actor, Context, Member};
use lyceum_application::error::{Forbidden, Unauthenticated};
use lyceum_application::identity::provisioning;
use lyceum_application::running::idempotency::Reply;
use lyceum_application::{Error, Tx};
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::ids::UserId;
use lyceum_wire::scim::attributes::Selection;
use lyceum_wire::scim::errors::{ScimError, ScimType};
use lyceum_wire::scim::filters::Filter;
use lyceum_wire::scim::lists::Part;
use lyceum_wire::scim::{catalog, groups, patches, users};
use serde_json::{Map, Value};

use crate::edge::bearers;
use crate::edge::policy::BODY_LIMIT;
use crate::http::dispatch::{collect, guarded};
use crate::http::error::Failure;
use crate::http::headers::header_text;
use crate::http::json;
use crate::state::Api;

/// Where SCIM is reached.
pub const BASE: &str = "/scim/v2";
/// What there is, by method and path; in the path `{id}` is one of a kind.
pub const ROUTES: &[(&str, &str)] = &[
    ("GET", "/scim/v2/ServiceProviderConfig"),
    ("GET", "/scim/v2/ResourceTypes"),
    ("GET", "/scim/v2/ResourceTypes/{id}"),
    ("GET", "/scim/v2/Schemas"),
    ("GET", "/scim/v2/Schemas/{id}"),
    ("GET", "/scim/v2/Users"),
    ("POST", "/scim/v2/Users"),
    ("GET", "/scim/v2/Users/{id}"),
    ("PUT", "/scim/v2/Users/{id}"),
    ("PATCH", "/scim/v2/Users/{id}"),
    ("DELETE", "/scim/v2/Users/{id}"),
    ("GET", "/scim/v2/Groups"),
    ("GET", "/scim/v2/Groups/{id}"),
    ("PUT", "/scim/v2/Groups/{id}"),
    ("PATCH", "/scim/v2/Groups/{id}"),
];
/// Where the handbook says how.
const HANDBOOK: &str = "/docs";
const MEDIA_TYPE: &str = "application/scim+json";

/// What is asked for, as far as its address and its body say.
#[derive(Debug, Clone)]
struct ScimRequest {
    method: Method,
    kind: String,
    id: Option<String>,
    body: Map<String, Value>,
    filter: Option<Filter>,
    part: Part,
    selection: Selection,
    base: String,
}

/// Answers a request below [`BASE`].
pub async fn serve(
    request: HttpRequest,
    payload: Payload,
    api: Arc<Api>,
    request_id: String,
) -> HttpResponse {
    let answering = async {
        match answer(&request, payload, &api, &request_id).await {
            Ok(reply) => told(reply),
            Err(failure) => refused(&failure, &request_id),
        }
    };
    guarded(answering, &request_id).await
}

async fn answer(
    request: &HttpRequest,
    payload: Payload,
    api: &Arc<Api>,
    request_id: &str,
) -> Result<Reply, Failure> {
    let account = bearers::enter(api, request, request_id).await?;
    let (kind, id) = match place(request) {
        Ok(place) => place,
        Err(refused) => return Ok(reply(&refused)),
    };
    let body = match body(request, payload, api).await {
        Ok(body) => body,
        Err(Failure::InvalidJson(_) | Failure::NotAnObject) => {
            let detail = "The body is a JSON object.";
            return Ok(reply(&ScimError::bad(ScimType::InvalidSyntax, detail)));
        }
        Err(failure) => return Err(failure),
    };
    let turn = api
        .shared
        .turn(request, Some(account.identity.key_id))
        .await?;
    let _place = api.concurrency.enter()?.in_turn(turn);
    let base = format!("{}{BASE}", api.app.settings.public_url.as_str());
    let asked = match asked(request, (kind, id), body, base) {
        Ok(asked) => asked,
        Err(refused) => return Ok(reply(&refused)),
    };
    let is_read = asked.method == Method::GET;
    let frees = asked.method == Method::DELETE;
    let queued = Arc::clone(&account.visit.queued);
    let now = account.visit.now;
    let work = move |tx: &mut dyn Tx| {
        let ctx = inside(tx, &account)?;
        carried_out(tx, &ctx, &asked)
    };
    if is_read {
        return Ok(api.app.read_at_length(work).await?);
    }
    let answer = if frees {
        api.app.write_freeing(queued, now, None, work).await?
    } else {
        api.app.write(queued, now, None, work).await?
    };
    Ok(answer.reply)
}

/// The kind and the id that a path names, if the method is one of it.
fn place(request: &HttpRequest) -> Result<(String, Option<String>), ScimError> {
    let path = request.path().strip_prefix(BASE).unwrap_or_default();
    let mut segments = path.trim_matches('/').splitn(2, '/');
    let kind = segments.next().unwrap_or_default().to_owned();
    let id = segments.next().map(str::to_owned);
    let pattern = match &id {
        Some(_) => format!("{BASE}/{kind}/{{id}}"),
        None => format!("{BASE}/{kind}"),
    };
    let mut here = ROUTES
        .iter()
        .filter(|(_, path)| *path == pattern)
        .peekable();
    if kind == ".search" || id.as_deref() == Some(".search") {
        return Err(ScimError::of(501, "Filters are parameters of GET here."));
    }
    if here.peek().is_none() {
        return Err(ScimError::of(404, "There is nothing at this path."));
    }
    if here.any(|(method, _)| *method == request.method().as_str()) {
        return Ok((kind, id));
    }
    if kind == "Groups" {
        let detail = "Groups are the roles there are: none is made, and none goes.";
        return Err(ScimError::of(403, detail));
    }
    Err(ScimError::of(405, "This path does not take the method."))
}

async fn body(
    request: &HttpRequest,
    payload: Payload,
    api: &Api,
) -> Result<Map<String, Value>, Failure> {
    if [Method::GET, Method::DELETE].contains(request.method()) {
        return Ok(Map::new());
    }
    let kind = header_text(request, "content-type").unwrap_or_default();
    let kind = kind
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    if ![MEDIA_TYPE, "application/json", ""].contains(&kind.as_str()) {
        return Err(Failure::UnsupportedMediaType);
    }
    let patience = api.settings.body_patience;
    let reading = collect(payload, BODY_LIMIT, patience.idle);
    let bytes = tokio::time::timeout(patience.whole, reading).await;
    json::object(&bytes.map_err(|_| Failure::SlowBody)??)
}

fn asked(
    request: &HttpRequest,
    (kind, id): (String, Option<String>),
    body: Map<String, Value>,
    base: String,
) -> Result<ScimRequest, ScimError> {
    let query: Vec<(String, String)> = form_urlencoded::parse(request.query_string().as_bytes())
        .into_owned()
        .collect();
    let said = |name: &str| {
        let found = query
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    };
    let number = |name: &str| -> Result<Option<i64>, ScimError> {
        let wrong = |_| ScimError::bad(ScimType::InvalidValue, format!("{name} is a number."));
        said(name)
            .map(|text| text.parse().map_err(wrong))
            .transpose()
    };
    Ok(ScimRequest {
        method: request.method().clone(),
        filter: said("filter").map(Filter::parse).transpose()?,
        part: Part::of(number("startIndex")?, number("count")?),
        selection: Selection::parse(said("attributes"), said("excludedAttributes")),
        kind,
        id,
        body,
        base,
    })
}

/// The caller in the one workspace that their key opens.
fn inside(tx: &mut dyn Tx, account: &Account) -> Result<Context, Error> {
    let identity = &account.identity;
    let bound = identity.bound_to.ok_or(Unauthenticated::InvalidKey)?;
    let place = tx.users().membership(bound, identity.person_id)?;
    let place =
        place.filter(|(user, _)| identity.opens(user) && user.role.permits(Scope::Provision));
    let (user, workspace) = place.ok_or(Forbidden::Role)?;
    let member = Member {
        identity: Arc::clone(identity),
        user: Arc::new(user),
    };
    Ok(account.visit.within(workspace, Actor::Member(member)))
}

/// What was refused by the protocol's own rules changes nothing, and is an answer like any other.
fn carried_out(tx: &mut dyn Tx, ctx: &Context, asked: &ScimRequest) -> Result<Reply, Error> {
    let outcome = match asked.kind.as_str() {
        "Users" => on_users(tx, ctx, asked)?,
        "Groups" => on_groups(tx, ctx, asked)?,
        _ => on_catalog(asked),
    };
    Ok(outcome.unwrap_or_else(|refused| reply(&refused)))
}

/// An answer, or a refusal in words of the protocol.
type Carried = Result<Reply, ScimError>;

fn ok(status: u16, body: &Value) -> Reply {
    let location = body.pointer("/meta/location").and_then(Value::as_str);
    Reply {
        status,
        location: location.filter(|_| status == 201).map(str::to_owned),
        body: body.to_string(),
    }
}

fn reply(refused: &ScimError) -> Reply {
    Reply {
        status: refused.status,
        location: None,
        body: refused.body().to_string(),
    }
}

fn on_catalog(asked: &ScimRequest) -> Carried {
    if asked.filter.is_some() {
        return Err(ScimError::of(403, "What is offered is not filtered."));
    }
    let all = match asked.kind.as_str() {
        "ServiceProviderConfig" => return Ok(ok(200, &catalog::service(&asked.base, HANDBOOK))),
        "ResourceTypes" => catalog::resource_types(&asked.base),
        _ => catalog::schemas(&asked.base),
    };
    match &asked.id {
        None => Ok(ok(200, &asked.part.list(&all, Value::clone))),
        Some(id) => {
            let is_it = |one: &&Value| one.get("id").and_then(Value::as_str) == Some(id);
            let one = all.iter().find(is_it);
            one.map(|one| ok(200, one)).ok_or_else(missing)
        }
    }
}

fn missing() -> ScimError {
    ScimError::of(404, "There is no such resource.")
}

fn on_users(tx: &mut dyn Tx, ctx: &Context, asked: &ScimRequest) -> Result<Carried, Error> {
    let show = |user: &User| asked.selection.of(users::show(user, &asked.base));
    let Some(id) = &asked.id else {
        if asked.method == Method::POST {
            return Ok(match users::read(&asked.body, None) {
                Ok(new) => Ok(ok(201, &show(&provisioning::create(tx, ctx, new)?))),
                Err(refused) => Err(refused),
            });
        }
        let found = found_users(tx, ctx, asked)?;
        return Ok(Ok(ok(200, &asked.part.list(&found, show))));
    };
    let Ok(id) = id.parse::<UserId>() else {
        return Ok(Err(missing()));
    };
    if asked.method == Method::DELETE {
        provisioning::remove(tx, ctx, id)?;
        return Ok(Ok(nothing()));
    }
    let user = provisioning::find(tx, ctx, id)?;
    if asked.method == Method::GET {
        return Ok(Ok(ok(200, &show(&user))));
    }
    Ok(match wanted(asked, &user) {
        Ok(to) => Ok(ok(200, &show(&provisioning::change(tx, ctx, id, to)?))),
        Err(refused) => Err(refused),
    })
}

fn nothing() -> Reply {
    Reply {
        status: 204,
        location: None,
        body: String::new(),
    }
}

/// Who fits the filter; by their name alone they are looked up.
fn found_users(tx: &mut dyn Tx, ctx: &Context, asked: &ScimRequest) -> Result<Vec<User>, Error> {
    let Some(filter) = &asked.filter else {
        return provisioning::all(tx, ctx);
    };
    if let Some(name) = filter.equals("userName") {
        return provisioning::named(tx, ctx, name);
    }
    let mut all = provisioning::all(tx, ctx)?;
    all.retain(|user| {
        let shown = users::show(user, &asked.base);
        shown.as_object().is_some_and(|shown| filter.fits(shown))
    });
    Ok(all)
}

/// What a user is to be after PUT or PATCH.
fn wanted(asked: &ScimRequest, user: &User) -> Result<users::ProvisionedUser, ScimError> {
    let shown = users::show(user, &asked.base);
    let before = shown.as_object().cloned().unwrap_or_default();
    if asked.method == Method::PUT {
        return users::read(&asked.body, Some(&before));
    }
    let mut after = before.clone();
    patches::apply(&asked.body, &mut after)?;
    users::read(&after, Some(&before))
}

fn on_groups(tx: &mut dyn Tx, ctx: &Context, asked: &ScimRequest) -> Result<Carried, Error> {
    let Some(id) = &asked.id else {
        return list_groups(tx, ctx, asked).map(Ok);
    };
    let Some(role) = groups::role(id) else {
        return Ok(Err(missing()));
    };
    if asked.method != Method::GET {
        let members = match members_wanted(tx, ctx, asked, role)? {
            Ok(members) => members,
            Err(refused) => return Ok(Err(refused)),
        };
        provisioning::set_members(tx, ctx, role, &members)?;
    }
    let users = if asked.selection.wants("members") {
        provisioning::all(tx, ctx)?
    } else {
        Vec::new()
    };
    Ok(Ok(ok(200, &shown_group(role, &users, asked))))
}

fn shown_group(role: Role, users: &[User], asked: &ScimRequest) -> Value {
    let members = users.iter().filter(|user| user.role == role);
    asked.selection.of(groups::show(role, members, &asked.base))
}

fn list_groups(tx: &mut dyn Tx, ctx: &Context, asked: &ScimRequest) -> Result<Reply, Error> {
    // A list with everybody in it is made where it is wanted.
    let users = if asked.selection.wants("members") || asked.filter.is_some() {
        provisioning::all(tx, ctx)?
    } else {
        Vec::new()
    };
    let whole = |role: Role| {
        let members = users.iter().filter(|user| user.role == role);
        groups::show(role, members, &asked.base)
    };
    let mut found: Vec<Value> = groups::ROLES.into_iter().map(whole).collect();
    if let Some(filter) = &asked.filter {
        found.retain(|group| group.as_object().is_some_and(|group| filter.fits(group)));
    }
    let show = |group: &Value| asked.selection.of(group.clone());
    Ok(ok(200, &asked.part.list(&found, show)))
}

fn members_wanted(
    tx: &mut dyn Tx,
    ctx: &Context,
    asked: &ScimRequest,
    role: Role,
) -> Result<Result<Vec<UserId>, ScimError>, Error> {
    let users = provisioning::all(tx, ctx)?;
    let members = users.iter().filter(|user| user.role == role);
    let mut group = groups::show(role, members, &asked.base);
    let Some(resource) = group.as_object_mut() else {
        return Ok(Ok(Vec::new()));
    };
    if asked.method == Method::PUT {
        return Ok(groups::members(&asked.body));
    }
    let applied = patches::apply(&asked.body, resource);
    Ok(applied.and_then(|()| groups::members(resource)))
}

fn told(reply: Reply) -> HttpResponse {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = HttpResponse::build(status);
    if let Some(location) = reply.location {
        answer.insert_header((header::LOCATION, location));
    }
    if reply.body.is_empty() {
        return answer.finish();
    }
    answer.content_type(MEDIA_TYPE).body(reply.body)
}

/// What the application refuses, in words of the protocol.
fn refused(failure: &Failure, request_id: &str) -> HttpResponse {
    // For its headers, and so that its cause is in the log.
    let usual = crate::http::response::failure(failure, request_id);
    let row = failure.row();
    let bad = |scim_type| ScimError::bad(scim_type, row.message.clone());
    let error = match row.code {
        "already_exists" => ScimError {
            status: 409,
            ..bad(ScimType::Uniqueness)
        },
        "not_editable" => bad(ScimType::Mutability),
        "limit_reached" => bad(ScimType::TooMany),
        "invalid_field" | "missing_field" => bad(ScimType::InvalidValue),
        "missing_api_key" => ScimError::of(401, "Send the key as Authorization: Bearer."),
        "insufficient_role" => ScimError::of(403, "Owners are made and unmade by owners alone."),
        _ => ScimError::of(row.status.as_u16(), row.message.clone()),
    };
    let mut answer = told(reply(&error));
    for name in [header::RETRY_AFTER, header::CONNECTION] {
        if let Some(value) = usual.headers().get(&name) {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    if error.status == 401 {
        let bearer = header::HeaderValue::from_static("Bearer");
        answer
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, bearer);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn at(method: Method, path: &str) -> Result<(String, Option<String>), u16> {
        let request = TestRequest::default()
            .method(method)
            .uri(path)
            .to_http_request();
        place(&request).map_err(|refused| refused.status)
    }

    #[test]
    fn every_route_is_found_and_nothing_else() {
        for (method, path) in ROUTES {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            assert!(at(method, path).is_ok(), "{path}");
        }
        assert_eq!(at(Method::GET, "/scim/v2/Bulk"), Err(404));
        assert_eq!(at(Method::GET, "/scim/v2"), Err(404));
        assert_eq!(at(Method::DELETE, "/scim/v2/Users"), Err(405));
        assert_eq!(at(Method::DELETE, "/scim/v2/Groups/admin"), Err(403));
        assert_eq!(at(Method::POST, "/scim/v2/Groups"), Err(403));
        let urn = "/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User";
        let (kind, id) = at(Method::GET, urn).unwrap();
        assert_eq!(
            (kind.as_str(), id.as_deref()),
            ("Schemas", urn.rsplit('/').next())
        );
    }
}
