//! `openapi-fetch` over types that are made of the document.

use std::fmt::Write as _;

use serde_json::Value;

use super::literals::{Spelling, in_one_line, named, quoted, written};
use super::{Request, Sent};

pub const SETUP: &str = "\
// npx openapi-typescript http://127.0.0.1:8080/v1/openapi.json --output lyceum.d.ts
import createClient from \"openapi-fetch\";
import type { paths } from \"./lyceum.js\";

const lyceum = createClient<paths>({
  baseUrl: \"http://127.0.0.1:8080\",
  headers: { \"x-api-key\": \"lyc_k…\", \"X-Learning-Platform-Code\": \"main\" },
});
";

const SPELLING: Spelling = Spelling {
    null: "null",
    yes: "true",
    no: "false",
    has_bare_names: true,
};

pub fn sample(request: &Request<'_>) -> String {
    let mut options = String::new();
    let before = before(request);
    if let Some(params) = params(request) {
        let _ = writeln!(options, "  params: {params},");
    }
    match &request.body {
        Some(Sent::Json { whole, .. }) => {
            let _ = writeln!(options, "  body: {},", written(whole, &SPELLING, 2));
        }
        Some(Sent::Form | Sent::Bytes { .. }) => options.push_str(OTHER_BODY),
        None => {}
    }
    if let Some(parsed) = parsed(request) {
        let _ = writeln!(options, "  parseAs: {},", quoted(parsed));
    }
    let operation = &request.operation;
    let options = match options.as_str() {
        "" => options,
        _ => format!(", {{\n{options}}}"),
    };
    format!(
        "{before}const {{ data, error }} = await lyceum.{}({}{options});\nif (error) throw error;\nconsole.log(data);\n",
        operation.method,
        quoted(operation.path)
    )
}

/// The types know JSON alone; the bytes go as they are.
const OTHER_BODY: &str = "  body: bytes as never,\n  bodySerializer: () => bytes,\n";

fn before(request: &Request<'_>) -> String {
    match &request.body {
        Some(Sent::Form) => "const bytes = new FormData();\nbytes.append(\"file\", new Blob([\"…\"]), \"picture.png\");\n".to_owned(),
        Some(Sent::Bytes { .. }) => "const bytes = new Blob([\"…\"]);\n".to_owned(),
        Some(Sent::Json { .. }) | None => String::new(),
    }
}

fn params(request: &Request<'_>) -> Option<String> {
    let places: Vec<(&str, Value)> = request
        .places
        .iter()
        .map(|(name, value)| (*name, Value::from(value.as_str())))
        .collect();
    let parts = [
        ("path", &places),
        ("query", &request.query),
        ("header", &request.headers),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, pairs)| !pairs.is_empty())
        .map(|(part, pairs)| format!("{part}: {}", object(pairs)))
        .collect();
    (!parts.is_empty()).then(|| format!("{{ {} }}", parts.join(", ")))
}

fn object(pairs: &[(&str, Value)]) -> String {
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(name, value)| {
            format!(
                "{}: {}",
                named(name, &SPELLING),
                in_one_line(value, &SPELLING)
            )
        })
        .collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// How an answer is read that is no JSON.
fn parsed(request: &Request<'_>) -> Option<&'static str> {
    let kind = request.answered?;
    match kind {
        kind if kind.ends_with("json") => None,
        "text/event-stream" => Some("stream"),
        kind if kind.starts_with("text/") => Some("text"),
        _ => Some("blob"),
    }
}
