//! Answers to browsers: what they may do with a page, and whether it is still the one they have.

use std::fmt::Write as _;

use actix_web::http::header::{self, HeaderMap};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use sha2::{Digest, Sha256};

/// What every answer says to browsers. They may keep a page, and ask each time whether it is still the one.
pub fn guarded(mut answer: HttpResponseBuilder, policy: &str) -> HttpResponseBuilder {
    answer
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CACHE_CONTROL, "no-cache"));
    answer
}

/// A page that is there, made when it is asked for.
pub fn found(
    request: &HttpRequest,
    policy: &str,
    kind: &'static str,
    body: String,
) -> HttpResponse {
    let tag = tag(body.as_bytes());
    if has(request.headers(), &tag) {
        return guarded(HttpResponse::NotModified(), policy)
            .insert_header((header::ETAG, tag))
            .finish();
    }
    guarded(HttpResponse::Ok(), policy)
        .insert_header((header::ETAG, tag))
        .content_type(kind)
        .body(body)
}

/// Weak, because what is sent may be packed and is the same page.
pub fn tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let mut tag = String::from("W/\"");
    for byte in digest.iter().take(12) {
        // Writing into a string cannot fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    tag
}

/// Whether who asks has the page of this tag.
pub fn has(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let lists = headers.get_all(header::IF_NONE_MATCH);
    lists
        .filter_map(|list| list.to_str().ok())
        .flat_map(|list| list.split(','))
        .any(|one| one.trim() == "*" || opaque(one) == opaque(tag))
}
