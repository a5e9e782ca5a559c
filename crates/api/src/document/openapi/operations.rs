//! One operation: who may, what is read, what is answered.

use lyceum_application::expand::Expansion;
use serde_json::{Map, Value, json};

use super::examples::{Example, Examples};
use super::{headers, links, media, responses, unions};
use crate::document::expandable::{READ_AS, expandable, is_read_as};
use crate::edge::tus;
use crate::edge::upload::FILE;
use crate::http::input::Intake;
use crate::http::narrowing::MAX_METADATA;
use crate::http::query::Parameter;
use crate::http::route::{Body, IdentityDoc, Route, RouteDoc};
use crate::http::speech;

/// What is heard of an answer that is written piece by piece.
const DELTAS: &str = "event: delta\ndata: {\"text\":\"…\"}\n\nevent: done\ndata: {…}\n\n";

/// The operation of a route.
pub fn operation(route: &Route, doc: &RouteDoc, routes: &[Route], examples: &Examples) -> Value {
    let example = examples.get(route.operation);
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [tag(route.path)],
        "security": security(route, doc),
        "parameters": parameters(route, doc, example),
        "responses": responses(route, doc, success(route, doc, routes, example)),
    });
    if let Some(members) = operation.as_object_mut() {
        if let Some(scopes) = scopes(route) {
            members.insert("description".to_owned(), scopes.into());
        }
        if let Some(body) = request_body(route, doc, example) {
            members.insert("requestBody".to_owned(), body);
        }
    }
    operation
}

/// The group that a path belongs to.
pub fn tag(path: &str) -> &str {
    path.strip_prefix("/v1/")
        .and_then(|rest| rest.split('/').next())
        .filter(|name| !name.contains('.'))
        .unwrap_or("service")
}

fn scopes(route: &Route) -> Option<String> {
    let named = |scopes: &[lyceum_domain::identity::scopes::Scope], between: &str| {
        let names: Vec<String> = scopes
            .iter()
            .map(|scope| format!("`{}`", scope.as_str()))
            .collect();
        names.join(between)
    };
    let requirement = &route.policy.requirement;
    match (requirement.all, requirement.any) {
        ([], []) => None,
        (all, []) => Some(format!("Needs {}.", named(all, " and "))),
        ([], any) => Some(format!("Needs {}.", named(any, " or "))),
        (all, any) => Some(format!(
            "Needs {}, and {}.",
            named(all, " and "),
            named(any, " or ")
        )),
    }
}

/// Every way in: a set of scopes that would do, on the platform by each of its names.
fn security(route: &Route, doc: &RouteDoc) -> Value {
    let platforms: &[&str] = match doc.identity {
        IdentityDoc::Nobody => return json!([]),
        IdentityDoc::Key => &[],
        IdentityDoc::MayHaveKey | IdentityDoc::KeyAndPlatform => &["platformCode", "platformUuid"],
    };
    let mut ways = Vec::new();
    if matches!(doc.identity, IdentityDoc::MayHaveKey) {
        ways.push(json!({}));
    }
    for scopes in scope_sets(route) {
        if platforms.is_empty() {
            ways.push(json!({ "apiKey": scopes }));
        }
        for platform in platforms {
            let platform = (*platform).to_owned();
            ways.push(json!({ "apiKey": scopes, platform: [] }));
        }
    }
    Value::Array(ways)
}

/// The scopes that a route needs: all of these, and one of those.
fn scope_sets(route: &Route) -> Vec<Vec<&'static str>> {
    let requirement = &route.policy.requirement;
    let all: Vec<&str> = requirement.all.iter().map(|scope| scope.as_str()).collect();
    if requirement.any.is_empty() {
        return vec![all];
    }
    let with = |one: &lyceum_domain::identity::scopes::Scope| {
        let mut set = all.clone();
        set.push(one.as_str());
        set
    };
    requirement.any.iter().map(with).collect()
}

fn parameters(route: &Route, doc: &RouteDoc, example: Option<&Example>) -> Vec<Value> {
    let places = route
        .path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = places.map(|name| in_path(name, example));
    let in_query = doc
        .input
        .parameters
        .iter()
        .map(|parameter| in_query(parameter, example));
    in_path
        .chain(in_query)
        .chain(expand(route))
        .chain(read_as(route))
        .chain(in_headers(route, doc))
        .collect()
}

fn in_path(name: &str, example: Option<&Example>) -> Value {
    let schema = if name.ends_with("id") {
        json!({ "type": "string", "pattern": "^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$" })
    } else {
        json!({ "type": "string", "minLength": 1, "maxLength": 255 })
    };
    let mut parameter = json!({ "name": name, "in": "path", "required": true, "schema": schema });
    illustrate(
        &mut parameter,
        example.and_then(|example| example.path.get(name)),
    );
    parameter
}

fn in_query(documented: &Parameter, example: Option<&Example>) -> Value {
    if let Some(name) = documented.name.strip_suffix("[key]") {
        return with_any_key(name, documented);
    }
    let mut parameter = json!({
        "name": documented.name, "in": "query", "required": false,
        "description": documented.description, "schema": documented.schema(),
    });
    illustrate(
        &mut parameter,
        example.and_then(|example| example.query.get(documented.name)),
    );
    parameter
}

/// A parameter whose brackets may hold anything: an object, spelt `name[key]=value`.
fn with_any_key(name: &str, documented: &Parameter) -> Value {
    json!({
        "name": name, "in": "query", "required": false, "style": "deepObject", "explode": true,
        "description": documented.description,
        "schema": { "type": "object", "additionalProperties": documented.schema(), "maxProperties": MAX_METADATA },
    })
}

fn illustrate(parameter: &mut Value, example: Option<&Value>) {
    if let (Some(example), Some(members)) = (example, parameter.as_object_mut()) {
        members.insert("example".to_owned(), example.clone());
    }
}

fn expand(route: &Route) -> Option<Value> {
    let kind = expandable(route.path).filter(|_| route.method != "DELETE")?;
    // Texts are shown to whoever reads.
    let is_there = |path: &str| route.method == "GET" || !path.ends_with("html");
    let (mut names, mut paths) = (Expansion::names(kind), Expansion::paths(kind));
    names.retain(|name| is_there(name));
    paths.retain(|path| is_there(path));
    if names.is_empty() {
        return None;
    }
    Some(json!({
        "name": "expand", "in": "query", "required": false, "style": "form", "explode": false,
        "description": format!(
            "Related objects to put in, as paths of at most four names such as `{}`: {}.",
            names.first().unwrap_or(&""), names.join(", ")
        ),
        "schema": { "type": "array", "items": { "type": "string", "enum": paths }, "maxItems": 20 },
    }))
}

fn read_as(route: &Route) -> Option<Value> {
    is_read_as(route.method, route.path).then(|| {
        json!({
            "name": READ_AS, "in": "query", "required": false,
            "description": "Things of the course as this cohort sees them, where it is updated by choice: `coh_…`. Learners may name \
                            cohorts that they are in; without it they see what their cohort does.",
            "schema": { "type": "string", "minLength": 1 },
        })
    })
}

fn in_headers(route: &Route, doc: &RouteDoc) -> Vec<Value> {
    let needs_key = doc.identity.needs_key();
    let named = [
        ("TusResumable", route.is_tus),
        ("UploadLength", doc.input.intake == Intake::Announced),
        ("UploadMetadata", doc.input.intake == Intake::Announced),
        ("UploadOffset", doc.input.intake == Intake::Bytes),
        (
            "IdempotencyKey",
            route.method != "GET" && needs_key && doc.input.intake != Intake::Bytes,
        ),
        ("IfMatch", route.is_conditional),
        ("IfNoneMatch", route.method == "GET" && doc.has_tag()),
        ("Prefer", doc.input.body.is_some()),
    ];
    named
        .iter()
        .filter(|(_, applies)| *applies)
        .map(|(name, _)| headers::of_request(name))
        .collect()
}

fn request_body(route: &Route, doc: &RouteDoc, example: Option<&Example>) -> Option<Value> {
    if doc.input.intake == Intake::Bytes {
        let content =
            json!({ tus::MEDIA_TYPE: { "schema": { "type": "string", "format": "binary" } } });
        return Some(json!({ "required": true, "content": content }));
    }
    let (name, required) = doc.input.body.as_ref()?;
    if doc.input.intake == Intake::Form {
        return Some(form(name));
    }
    let mut media = json!({ "schema": { "$ref": format!("#/components/schemas/{name}") } });
    illustrate(
        &mut media,
        example.and_then(|example| example.body.as_ref()),
    );
    let mut content = Map::new();
    if route.method == "PATCH" {
        content.insert("application/merge-patch+json".to_owned(), media.clone());
    }
    if doc.input.intake == Intake::Fields {
        content.insert(
            "application/x-www-form-urlencoded".to_owned(),
            media.clone(),
        );
    }
    content.insert("application/json".to_owned(), media);
    let is_said = matches!(doc.input.intake, Intake::Json | Intake::Fields);
    let required = is_said && (*required || unions::needs_a_member(name));
    Some(json!({ "required": required, "content": content }))
}

/// A form with a file beside the texts of a component.
fn form(texts: &str) -> Value {
    let file = json!({ "type": "string", "format": "binary", "description": "The file." });
    let schema = json!({ "allOf": [
        { "$ref": format!("#/components/schemas/{texts}") },
        { "type": "object", "required": [FILE], "properties": { FILE: file } },
    ] });
    json!({ "required": true, "content": { "multipart/form-data": { "schema": schema } } })
}

/// The responses by status; where an answer may come later, also how it is told of.
fn responses(route: &Route, doc: &RouteDoc, good: Value) -> Value {
    let later = doc.perhaps_later.then(|| accepted(good.clone()));
    let mut responses = responses::of_route(route, doc, good);
    if let (Some(later), Some(all)) = (later, responses.as_object_mut()) {
        all.insert("202".to_owned(), later);
    }
    responses
}

/// The same answer while it is being worked on: what it is an example of is not yet so.
fn accepted(mut good: Value) -> Value {
    let headers = good.get_mut("headers").and_then(Value::as_object_mut);
    if let Some(headers) = headers {
        let named = ["Location", "Retry-After"];
        headers.extend(named.map(|name| (name.to_owned(), headers::of_answer(name))));
    }
    let media = good.pointer_mut("/content/application~1json");
    if let Some(media) = media.and_then(Value::as_object_mut) {
        media.retain(|member, _| member == "schema");
    }
    if let Some(members) = good.as_object_mut() {
        members.insert("description".to_owned(), description(202).into());
    }
    good
}

fn success(route: &Route, doc: &RouteDoc, routes: &[Route], example: Option<&Example>) -> Value {
    let content = match &doc.answer {
        Body::Component(name) => {
            let mut media = json!({ "schema": { "$ref": format!("#/components/schemas/{name}") } });
            illustrate(&mut media, example.map(|example| &example.answer));
            let mut content = json!({ "application/json": media });
            if let (true, Some(kinds)) = (doc.spoken, content.as_object_mut()) {
                kinds.insert(speech::MEDIA_TYPE.to_owned(), speech::media(DELTAS));
            }
            content
        }
        Body::Nothing => Value::Null,
        Body::Inline(schema) => json!({ "application/json": { "schema": schema } }),
        Body::File(media_type) => Value::Object(Map::from_iter([(
            (*media_type).to_owned(),
            media::of_file(media_type),
        )])),
    };
    let mut success = json!({
        "description": description(doc.status),
        "headers": answer_headers(route, doc),
    });
    if let (Value::Object(_), Some(members)) = (&content, success.as_object_mut()) {
        members.insert("content".to_owned(), content);
    }
    let links = links::of_route(route, doc, routes);
    if let (false, Some(members)) = (links.is_empty(), success.as_object_mut()) {
        members.insert("links".to_owned(), Value::Object(links));
    }
    success
}

const fn description(status: u16) -> &'static str {
    match status {
        201 => "Made; `Location` says where it is.",
        202 => "Accepted; `Location` says where to poll.",
        _ => "Done.",
    }
}

fn answer_headers(route: &Route, doc: &RouteDoc) -> Value {
    let writes = route.method != "GET";
    let named = [
        ("Request-Id", true),
        ("ETag", doc.has_tag()),
        ("Location", matches!(doc.status, 201 | 202)),
        ("Retry-After", doc.status == 202),
        ("Tus-Resumable", route.is_tus),
        ("Upload-Offset", route.is_tus),
        ("Upload-Length", route.is_tus),
        ("Upload-Expires", route.is_tus),
        ("Content-Location", route.is_tus && route.method != "POST"),
        ("Idempotent-Replayed", writes && doc.identity.needs_key()),
        ("X-Ignored-Fields", writes),
        (
            "X-Notice",
            writes && route.path.starts_with("/v1/assignments"),
        ),
        ("RateLimit", route.is_limited()),
        ("RateLimit-Policy", route.is_limited()),
    ];
    let headers = named
        .iter()
        .filter(|(_, applies)| *applies)
        .map(|(name, _)| ((*name).to_owned(), headers::of_answer(name)));
    Value::Object(headers.collect())
}
