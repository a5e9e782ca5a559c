//! `lyceum-client`, whose methods `calls.txt` has by the operation that they ask for; a test calls them all.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::literals::{JSON, quoted, written};
use super::{Request, Sent};

pub const SETUP: &str = "\
use lyceum_client::{Client, ClientSettings, Platform};

let mut settings = ClientSettings::new(\"http://127.0.0.1:8080\", \"lyc_k…\");
settings.platform = Platform::Code(\"main\".into());
let client = Client::new(settings)?;
";

/// An operation and a call of the client, a line each; `{}` is what stands in braces in the path.
const CALLS: &str = include_str!("calls.txt");

/// What comes after each change.
const FOLLOWED: &str =
    "while let Some(now) = changes.try_next().await? {\n    println!(\"{now:?}\");\n}";

/// None where the client has no method: those are for browsers.
pub fn sample(request: &Request<'_>) -> Option<String> {
    let mut call = call(request.operation.id)?.to_owned();
    for (_, value) in &request.places {
        call = call.replacen("{}", &quoted(value), 1);
    }
    let imports = [
        (call.contains("Path::"), "std::path::Path"),
        (request.is_followed(), "futures_util::TryStreamExt"),
    ];
    let mut code = String::new();
    for (_, import) in imports.iter().filter(|(is_used, _)| *is_used) {
        let _ = write!(code, "use {import};\n\n");
    }
    if call.contains("&body") {
        let value = match &request.body {
            Some(Sent::Json { value, .. }) => value.clone(),
            Some(Sent::Form | Sent::Bytes { .. }) | None => Value::Object(Map::new()),
        };
        let text = raw(&written(&value, &JSON, 0));
        let _ = writeln!(code, "let body = serde_json::from_str({text})?;");
    }
    let _ = if request.is_followed() {
        writeln!(code, "let mut changes = client.{call};\n{FOLLOWED}")
    } else {
        writeln!(code, "let answer = client.{call}.await?;")
    };
    Some(code)
}

/// The client's call for an operation.
pub fn call(operation: &str) -> Option<&'static str> {
    let mut pairs = CALLS.lines().filter_map(|line| line.split_once(' '));
    pairs.find(|(id, _)| *id == operation).map(|(_, call)| call)
}

/// A text as it is, with so many signs around it that nothing in it ends it.
fn raw(text: &str) -> String {
    let mut signs = "#".to_owned();
    while text.contains(&format!("\"{signs}")) {
        signs.push('#');
    }
    format!("r{signs}\"{text}\"{signs}")
}
