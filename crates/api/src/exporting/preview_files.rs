//! How files are answered that a browser plays a course from: what they are, and how little they may do.

use std::path::Path;

use actix_web::HttpResponseBuilder;
use actix_web::http::header;

/// The package has what is in it, and no way to anywhere else.
pub const PACKAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                              img-src 'self' data:; media-src 'self' data:; font-src 'self' data:; \
                              base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// A text within a page.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// An answer with what every file here carries.
pub fn answer(mut builder: HttpResponseBuilder, name: &str, policy: &str) -> HttpResponseBuilder {
    builder
        .content_type(content_type(name))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        // The address opens the package: it goes nowhere else.
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header(("x-robots-tag", "noindex"));
    builder
}

/// Of the kinds of files that packages are made of; a browser shows none of the others.
fn content_type(name: &str) -> &'static str {
    let extension = Path::new(name).extension().and_then(|one| one.to_str());
    match extension.unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "xml" | "xsd" => "application/xml",
        "vtt" => "text/vtt; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "mp3" => "audio/mpeg",
        "m4a" => "audio/mp4",
        "ogg" | "oga" | "opus" => "audio/ogg",
        "wav" => "audio/wav",
        "aac" => "audio/aac",
        "flac" => "audio/flac",
        "mp4" | "m4v" => "video/mp4",
        "webm" => "video/webm",
        "ogv" => "video/ogg",
        "mov" => "video/quicktime",
        "woff2" => "font/woff2",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}
