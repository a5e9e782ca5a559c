//! `httpx`, which says what it does.

use super::literals::{Spelling, in_one_line, quoted, written};
use super::{Request, Sent};

pub const SETUP: &str = "\
import httpx

lyceum = httpx.Client(
    base_url=\"http://127.0.0.1:8080\",
    headers={\"x-api-key\": \"lyc_k…\", \"X-Learning-Platform-Code\": \"main\"},
)
";

const SPELLING: Spelling = Spelling {
    null: "None",
    yes: "True",
    no: "False",
    has_bare_names: false,
};

pub fn sample(request: &Request<'_>) -> String {
    let operation = &request.operation;
    let mut arguments = vec![quoted(&request.path())];
    arguments.extend(pairs("params", &request.query));
    let mut headers = request.headers.clone();
    match &request.body {
        Some(Sent::Json { value, .. }) => {
            arguments.push(format!("json={}", written(value, &SPELLING, 0)));
        }
        Some(Sent::Form) => {
            arguments.push("files={\"file\": open(\"picture.png\", \"rb\")}".to_owned());
        }
        Some(Sent::Bytes { kind }) => {
            arguments.push("content=open(\"film.mp4\", \"rb\")".to_owned());
            headers.push(("Content-Type", kind.as_str().into()));
        }
        None => {}
    }
    arguments.extend(pairs("headers", &headers));
    let method = operation.method.to_ascii_lowercase();
    let arguments = arguments.join(", ");
    if request.is_followed() {
        return format!(
            "with lyceum.stream(\"{}\", {arguments}, timeout=None) as answer:\n    for line in answer.iter_lines():\n        print(line)\n",
            operation.method
        );
    }
    let shown = match request.answered {
        Some(_) if request.answers_json() => "print(answer.json())\n",
        Some(kind) if kind.starts_with("text/") => "print(answer.text)\n",
        Some(_) => "open(\"answer\", \"wb\").write(answer.content)\n",
        None => "print(answer.status_code)\n",
    };
    format!("answer = lyceum.{method}({arguments})\nanswer.raise_for_status()\n{shown}")
}

fn pairs(name: &str, pairs: &[(&str, serde_json::Value)]) -> Option<String> {
    let text = |value: &serde_json::Value| match name {
        // Headers are texts.
        "headers" => quoted(&crate::schemas::plain(value)),
        _ => in_one_line(value, &SPELLING),
    };
    let list: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{}: {}", quoted(name), text(value)))
        .collect();
    (!list.is_empty()).then(|| format!("{name}={{{}}}", list.join(", ")))
}
