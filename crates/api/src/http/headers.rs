//! What stands in the headers of a request, and in the member `options` that says the same.

use actix_web::HttpRequest;
use actix_web::http::{Method, header};
use lyceum_domain::Invalid;
use lyceum_domain::hex;
use lyceum_domain::json::JsonObject;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::http::error::Failure;
use crate::http::response;

/// A header that must not stand twice counts as unreadable when it does.
pub fn header_text(request: &HttpRequest, name: &str) -> Option<String> {
    let mut values = request.headers().get_all(name);
    let value = values.next()?.to_str().ok().map(str::to_owned);
    if values.next().is_some() {
        Some(String::new())
    } else {
        value.or(Some(String::new()))
    }
}

/// Whether this is a GET whose caller already has the body of this tag.
pub fn has_already(request: &HttpRequest, tag: &str) -> bool {
    request.method() == Method::GET
        && header_text(request, "if-none-match").is_some_and(|tags| response::names_tag(&tags, tag))
}

/// Whether members that nobody knows are to be refused.
pub fn is_strict(request: &HttpRequest) -> bool {
    header_text(request, "prefer").is_some_and(|prefer| prefer.contains("handling=strict"))
}

pub fn check_media_type(request: &HttpRequest) -> Result<(), Failure> {
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Failure::UnsupportedMediaType);
    }
    let Some(given) = header_text(request, "content-type") else {
        return Ok(());
    };
    let mut parts = given
        .split(';')
        .map(|part| part.trim().to_ascii_lowercase());
    let kind = parts.next().unwrap_or_default();
    let merge_patch = kind == "application/merge-patch+json" && request.method() == Method::PATCH;
    let utf8 = |part: String| match part.split_once('=') {
        Some((name, charset)) if name.trim() == "charset" => {
            ["utf-8", "utf8"].contains(&charset.trim().trim_matches('"'))
        }
        _ => true,
    };
    if (kind == "application/json" || merge_patch) && parts.all(utf8) {
        Ok(())
    } else {
        Err(Failure::UnsupportedMediaType)
    }
}

/// The key in the body's `options`, a member that clients may use instead of the header.
pub fn options_key(method: &Method, body: &mut JsonObject) -> Result<Option<String>, Failure> {
    if *method == Method::DELETE {
        return Ok(None);
    }
    let options = match body.remove("options") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(options)) => options,
        Some(_) => return Err(Invalid::new("options", "must be of type object").into()),
    };
    // It is for the client itself; said wrongly it would be a mistake that nobody tells them of.
    match options.get("maxRetries") {
        None | Some(Value::Null) => {}
        Some(number) if number.as_u64().is_some() => {}
        Some(_) => {
            let problem = "must be an integer of at least 0";
            return Err(Invalid::new("options.maxRetries", problem).into());
        }
    }
    match options.get("idempotencyKey") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(key)) => Ok(Some(key.clone())),
        Some(_) => Err(Failure::InvalidIdempotencyKey),
    }
}

pub fn idempotency_key(
    request: &HttpRequest,
    option: Option<String>,
) -> Result<Option<String>, Failure> {
    if request.method() == Method::GET {
        return Ok(None);
    }
    one_key(header_text(request, "idempotency-key"), option)
}

/// The key of a request that says it in one place or in both.
pub fn one_key(header: Option<String>, option: Option<String>) -> Result<Option<String>, Failure> {
    let key = match (header, option) {
        (Some(header), Some(option)) if header != option => {
            return Err(Failure::InvalidIdempotencyKey);
        }
        (header, option) => header.or(option),
    };
    let valid =
        |key: &String| (1..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic());
    match key {
        Some(key) if !valid(&key) => Err(Failure::InvalidIdempotencyKey),
        key => Ok(key),
    }
}

/// What tells a request from another with the same idempotency key; `is_bound` binds it to the API key as well.
pub fn fingerprint(request: &HttpRequest, body: &JsonObject, is_bound: bool) -> String {
    let held = || header_text(request, "x-api-key").or_else(|| header_text(request, "cookie"));
    let asked_with = is_bound.then(held).flatten();
    let place = (request.path(), request.query_string());
    fingerprint_of(request.method(), place, body, asked_with.as_deref())
}

/// The same of what is asked for at this path and with this query.
pub fn fingerprint_of(
    method: &Method,
    (path, query): (&str, &str),
    body: &JsonObject,
    asked_with: Option<&str>,
) -> String {
    let canonical = lyceum_domain::authoring::rubric::canonical(&Value::Object(body.clone()));
    let asked_with = asked_with.unwrap_or_default();
    let text = format!("{method}\n{path}\n{query}\n{canonical}{asked_with}");
    hex::lower(&Sha256::digest(text.as_bytes()))
}
