//! For a shell: `curl`, with what the handbook's examples call it.

use super::literals::{JSON, written};
use super::{Request, Sent};
use crate::schemas::plain;

pub const SETUP: &str = "BASE=http://127.0.0.1:8080\nKEY=lyc_k…\nPLATFORM=main\n";

pub fn sample(request: &Request<'_>) -> String {
    let method = request.operation.method;
    let mut lines = vec![format!(
        "curl -sS --fail-with-body{} \"$BASE{}\"",
        verb(method),
        target(request)
    )];
    let [with_key, with_platform] = request.says_who();
    if with_key {
        lines.push("-H \"x-api-key: $KEY\"".to_owned());
    }
    if with_platform {
        lines.push("-H \"X-Learning-Platform-Code: $PLATFORM\"".to_owned());
    }
    for (name, value) in &request.headers {
        lines.push(format!(
            "-H {}",
            shell(&format!("{name}: {}", plain(value)))
        ));
    }
    match &request.body {
        Some(Sent::Json { kind, value, .. }) => {
            lines.push(format!("-H 'Content-Type: {kind}'"));
            lines.push(format!("-d {}", shell(&written(value, &JSON, 0))));
        }
        Some(Sent::Form) => lines.push("-F file=@picture.png".to_owned()),
        Some(Sent::Bytes { kind }) => {
            lines.push(format!("-H 'Content-Type: {kind}'"));
            lines.push("--data-binary @film.mp4".to_owned());
        }
        None => {}
    }
    if request.is_followed() {
        lines.push("-N".to_owned());
    } else if request.answered.is_some() && !request.answers_json() {
        lines.push("-o answer".to_owned());
    }
    lines.join(" \\\n  ") + "\n"
}

/// What curl does not do of itself.
fn verb(method: &str) -> String {
    match method {
        "GET" => String::new(),
        other => format!(" -X {other}"),
    }
}

/// Path and query, within double quotes.
fn target(request: &Request<'_>) -> String {
    let pairs: Vec<String> = request
        .query
        .iter()
        .map(|(name, value)| format!("{name}={}", plain(value)))
        .collect();
    if pairs.is_empty() {
        request.path()
    } else {
        format!("{}?{}", request.path(), pairs.join("&"))
    }
}

/// Between single quotes.
fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
