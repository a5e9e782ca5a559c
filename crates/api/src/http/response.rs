//! The way out: bodies, and the headers that every answer carries.

use std::time::Duration;

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, HttpResponseBuilder};
use lyceum_application::Error;
use lyceum_application::running::idempotency::Answer;
use lyceum_application::running::signed_files::PresignedUrl;
use lyceum_domain::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::http::error::{ErrorRow, Failure, cause};
use crate::http::speech;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An answer as the application gave it, whose body has this tag.
pub fn answer(answer: Answer, tag: &str, ignored: &[String], polled: bool) -> HttpResponse {
    begun(&answer, ignored, polled, tag)
        .insert_header((header::CONTENT_TYPE, JSON))
        .body(answer.reply.body)
}

/// The answer with what is shown beside the thing as its last member, where there is something.
pub fn with_beside(mut answer: Answer, beside: Option<&(&'static str, Value)>) -> Answer {
    let body = &mut answer.reply.body;
    if let Some((name, value)) = beside.filter(|_| body.ends_with('}')) {
        body.truncate(body.len().saturating_sub(1));
        body.push_str(",\"");
        body.push_str(name);
        body.push_str("\":");
        body.push_str(&value.to_string());
        body.push('}');
    }
    answer
}

/// The same as a stream of events.
pub fn spoken(answer: &Answer, ignored: &[String]) -> HttpResponse {
    let body = speech::events(&answer.reply.body);
    begun(answer, ignored, false, &etag(&body))
        .content_type(speech::MEDIA_TYPE)
        .body(body)
}

/// What a caller is told who has the body of this tag already.
pub fn unchanged(tag: &str) -> HttpResponse {
    HttpResponse::NotModified()
        .insert_header((header::ETAG, tag))
        .finish()
}

/// What a browser that keeps the answer needs to get there in time after all.
const ON_THE_WAY: Duration = Duration::from_secs(30);

/// Where the file is that a caller may have: 307, because what was found here is here still and the method is to stay. It is
/// kept by the caller alone, and not for longer than it leads somewhere.
pub fn sent_on(elsewhere: &PresignedUrl) -> HttpResponse {
    let kept_for = elsewhere.valid_for.saturating_sub(ON_THE_WAY).as_secs();
    HttpResponse::TemporaryRedirect()
        .insert_header((header::LOCATION, elsewhere.url.as_str()))
        .insert_header((
            header::CACHE_CONTROL,
            format!("private, max-age={kept_for}"),
        ))
        .finish()
}

/// Adds what there is to know of what was asked for.
pub fn notice(response: &mut HttpResponse, notice: &'static str) {
    let name = HeaderName::from_static("x-notice");
    let headers = response.headers_mut();
    headers.insert(name, HeaderValue::from_static(notice));
}

/// Has the browser keep this cookie.
pub fn keep(response: &mut HttpResponse, cookie: &str) {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
}

fn begun(answer: &Answer, ignored: &[String], polled: bool, tag: &str) -> HttpResponseBuilder {
    let reply = &answer.reply;
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let mut response = HttpResponse::build(status);
    if let Some(location) = &reply.location {
        response.insert_header((header::LOCATION, location.as_str()));
    }
    if polled {
        response.insert_header((header::RETRY_AFTER, "2"));
    }
    if answer.replayed {
        response.insert_header(("Idempotent-Replayed", "true"));
    }
    if !ignored.is_empty() {
        name_ignored(&mut response, ignored);
    }
    response.insert_header((header::ETAG, tag));
    response
}

/// Member names may hold anything; a header may not.
fn name_ignored(response: &mut HttpResponseBuilder, ignored: &[String]) {
    let plain = |c: char| {
        if c.is_ascii_graphic() && c != ',' {
            c
        } else {
            '?'
        }
    };
    let names: Vec<String> = ignored
        .iter()
        .take(50)
        .map(|name| name.chars().take(100).map(plain).collect())
        .collect();
    response.insert_header(("X-Ignored-Fields", names.join(", ")));
}

/// A strong entity tag: equal bodies and only these have equal tags.
pub fn etag(body: &str) -> String {
    let digest = Sha256::digest(body.as_bytes());
    let half = digest.get(..16).unwrap_or_default();
    format!("\"{}\"", hex::lower(half))
}

/// Whether an `If-Match` or `If-None-Match` list names the tag.
pub fn names_tag(list: &str, tag: &str) -> bool {
    list.split(',')
        .map(str::trim)
        .any(|one| one == "*" || one == tag)
}

/// An error as its row in the table says.
pub fn failure(failure: &Failure, request_id: &str) -> HttpResponse {
    let status = failure.row().status;
    let body = failure_body(failure, request_id);
    let mut response = HttpResponse::build(status);
    if status == StatusCode::UNAUTHORIZED {
        response.insert_header((header::WWW_AUTHENTICATE, "ApiKey header=\"x-api-key\""));
    }
    if let Failure::MethodNotAllowed(methods) = failure {
        response.insert_header((header::ALLOW, methods.join(", ")));
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        // Room is made by people, not by waiting a second.
        let is_full = matches!(failure, Failure::App(Error::DiskFull));
        let patience = if is_full { "10" } else { "1" };
        response.insert_header((header::RETRY_AFTER, patience));
    }
    if let Failure::RateLimited { retry_after, .. } = failure {
        response.insert_header((header::RETRY_AFTER, retry_after.to_string()));
    }
    if matches!(failure, Failure::PayloadTooLarge | Failure::SlowBody) {
        // The rest of the body is not read.
        response.force_close();
    }
    response
        .content_type("application/json")
        .body(body.to_string())
}

/// What the body of an error says; its cause goes to the log, once, and nowhere else.
pub fn failure_body(failure: &Failure, request_id: &str) -> Value {
    if let Some(cause) = cause(failure) {
        tracing::error!(request_id, cause, "a request failed");
    }
    let ErrorRow {
        kind,
        code,
        message,
        fields,
        last,
        ..
    } = failure.row();
    let mut error = json!({
        "type": kind, "code": code, "message": message, "fields": fields, "request_id": request_id,
    });
    if let (Some(last), Some(members)) = (last, error.as_object_mut()) {
        members.insert("actor".to_owned(), json!(last.actor));
        members.insert("at".to_owned(), json!(last.at.to_string()));
    }
    json!({ "error": error })
}

/// What a browser of another origin may see of an answer.
const EXPOSED: &str = "Request-Id, Location, ETag, Retry-After, RateLimit, RateLimit-Policy, \
                       Idempotent-Replayed, X-Ignored-Fields, X-Notice, Content-Location, \
                       Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Upload-Offset, \
                       Upload-Length, Upload-Expires";

/// What a browser of another origin may send.
const ALLOWED: &str = "content-type, x-api-key, x-learning-platform-code, x-learning-platform-uuid, \
                       idempotency-key, if-match, if-none-match, prefer, accept, tus-resumable, \
                       upload-length, upload-metadata, upload-offset";

/// Which origins may read answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origins {
    /// Every origin: keys travel in headers, so a page can do nothing that its own key does not allow.
    All,
    /// These.
    Only(Vec<String>),
}

impl Origins {
    fn allowed(&self, origin: Option<&str>) -> Option<HeaderValue> {
        match self {
            Self::All => Some(HeaderValue::from_static("*")),
            Self::Only(origins) => origin
                .filter(|origin| origins.iter().any(|one| one == origin))
                .and_then(|origin| HeaderValue::from_str(origin).ok()),
        }
    }
}

/// What a browser may do with an answer that it shows by itself: nothing. Pages bring policies of their own.
const NOTHING_IN_A_BROWSER: &str = "default-src 'none'; frame-ancestors 'none'";
/// A year, as preload lists and scanners ask for at least.
const ONLY_BY_HTTPS: &str = "max-age=31536000";

/// Adds what keeps browsers from doing more with an answer than they should.
pub fn browser_headers(headers: &mut HeaderMap, is_secure: bool) {
    let mut unless_there = |name: HeaderName, value: &'static str| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    unless_there(header::CONTENT_SECURITY_POLICY, NOTHING_IN_A_BROWSER);
    unless_there(header::REFERRER_POLICY, "no-referrer");
    if is_secure {
        unless_there(header::STRICT_TRANSPORT_SECURITY, ONLY_BY_HTTPS);
    }
}

/// Adds what every answer carries.
pub fn common_headers(
    headers: &mut HeaderMap,
    method: &Method,
    request_id: &str,
    origin: Option<&str>,
    origins: &Origins,
) {
    let is_kept = headers.contains_key(header::CACHE_CONTROL);
    let mut set = |name: &'static str, value: HeaderValue| {
        headers.insert(HeaderName::from_static(name), value);
    };
    if let Ok(id) = HeaderValue::from_str(request_id) {
        set("request-id", id);
    }
    // How far an upload has come is nothing to be kept.
    let reading = method == Method::GET;
    let caching = if reading {
        "private, no-cache"
    } else {
        "no-store"
    };
    if !is_kept {
        set("cache-control", HeaderValue::from_static(caching));
    }
    set(
        "x-content-type-options",
        HeaderValue::from_static("nosniff"),
    );
    set("vary", HeaderValue::from_static("Origin, Accept-Encoding"));
    if let Some(allowed) = origins.allowed(origin) {
        set("access-control-allow-origin", allowed);
        set(
            "access-control-expose-headers",
            HeaderValue::from_static(EXPOSED),
        );
    }
}

/// The answer to OPTIONS.
pub fn preflight(methods: &[&'static str]) -> HttpResponse {
    let mut methods = methods.to_vec();
    methods.push("OPTIONS");
    HttpResponse::NoContent()
        .insert_header((header::ALLOW, methods.join(", ")))
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, methods.join(", ")))
        .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "7200"))
        .finish()
}
