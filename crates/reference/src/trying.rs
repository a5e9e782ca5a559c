//! The form that tries an operation. It sends nothing by itself: the script shows it and does that.

use std::fmt::Write as _;

use lyceum_pages::escaped;

use crate::document::{Document, Operation, Parameter, Within};
use crate::schemas::plain;
use crate::shapes::Shape;

pub fn form(document: &Document, operation: Operation<'_>) -> String {
    let all = document.parameters(operation);
    let (must, may): (Vec<&Parameter<'_>>, Vec<&Parameter<'_>>) =
        all.iter().partition(|it| it.is_required);
    let field = |parameter: &&Parameter<'_>| field(document, parameter);
    let must: String = must.iter().map(field).collect();
    let more: String = may.iter().map(field).collect();
    let more = match more.as_str() {
        "" => more,
        more => format!(
            "<details><summary>{} more parameters</summary>\n{more}</details>\n",
            may.len()
        ),
    };
    let body = body(operation);
    let who = if operation.is_open() { OPEN } else { WHO };
    let (method, path) = (escaped(operation.method), escaped(operation.path));
    let needs = if operation.is_open() { "" } else { " data-key" };
    let platform = if operation.is_on_a_platform() {
        " data-platform"
    } else {
        ""
    };
    let [write, send] = if operation.is_a_write() {
        [" data-write", "Send …"]
    } else {
        ["", "Send"]
    };
    format!(
        "<section class=\"try\" id=\"try\" hidden>\n<h2>Try it</h2>\n\
         <form data-method=\"{method}\" data-path=\"{path}\"{needs}{platform}{write}>\n{who}{must}{more}{body}\
         <p class=\"doing\"><button class=\"main\">{send}</button> <button type=\"button\" class=\"stop\" hidden>Stop</button></p>\n\
         <div class=\"sure\" role=\"group\" aria-label=\"Sure?\" tabindex=\"-1\" hidden><p></p>\
         <button type=\"button\" class=\"main yes\">Send it</button> <button type=\"button\" class=\"no\">Do not</button></div>\n</form>\n\
         <p class=\"told\" role=\"status\"></p>\n<div class=\"outcome\" hidden>\
         <p class=\"line\"></p>\n<details><summary>Headers</summary><pre tabindex=\"0\" role=\"group\" aria-label=\"Headers of the answer\"></pre></details>\n\
         <pre class=\"answer\" tabindex=\"0\" role=\"group\" aria-label=\"Body of the answer\"></pre>\n\
         <p class=\"saving\" hidden><a download=\"answer\">Save the answer</a></p></div>\n</section>\n"
    )
}

const OPEN: &str = "<p class=\"who\">No key is needed, and none is sent.</p>\n";

/// Who asks: whoever is signed in to Studio here, else a key.
const WHO: &str = "<fieldset class=\"who\"><legend>Who asks</legend>\n<p class=\"said\"></p>\n\
    <div class=\"key\" hidden><label for=\"try-key\">Key</label>\
    <input id=\"try-key\" type=\"password\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"lyc_k…\">\
    <label class=\"keep\"><input id=\"try-keep\" type=\"checkbox\"> Keep it until this tab is closed</label></div>\n\
    <div class=\"platform\" hidden><label for=\"try-platform\">Platform</label>\
    <input id=\"try-platform\" list=\"try-platforms\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"main\"><datalist id=\"try-platforms\"></datalist></div>\n\
    <button type=\"button\" class=\"other\" hidden>Ask with a key</button></fieldset>\n";

fn field(document: &Document, parameter: &Parameter<'_>) -> String {
    let shape = Shape::of(document, parameter.schema);
    let place = match parameter.within {
        Within::Path => "path",
        Within::Query => "query",
        Within::Header => "header",
    };
    let (name, id) = (
        escaped(parameter.name),
        escaped(&format!("try-{place}-{}", parameter.name)),
    );
    let mut marks = format!("id=\"{id}\" data-in=\"{place}\" data-name=\"{name}\"");
    if parameter.is_required {
        marks.push_str(" required");
    }
    if parameter.is_deep {
        marks.push_str(" data-deep");
    }
    let input = match shape.schema["enum"].as_array() {
        Some(words) => {
            let option =
                |word: &serde_json::Value| format!("<option>{}</option>", escaped(&plain(word)));
            let options: String = words.iter().map(option).collect();
            format!("<select {marks}><option value=\"\"></option>{options}</select>")
        }
        None => format!(
            "<input {marks} placeholder=\"{}\" autocomplete=\"off\" spellcheck=\"false\">",
            escaped(&hint(parameter))
        ),
    };
    let must = if parameter.is_required {
        " (required)"
    } else {
        ""
    };
    format!(
        "<div class=\"field\"><label for=\"{id}\"><code>{name}</code>{must}</label>{input}</div>\n"
    )
}

/// How a value looks; it is one of somebody else's, and so none to send.
fn hint(parameter: &Parameter<'_>) -> String {
    if parameter.is_deep {
        return "key=value".to_owned();
    }
    parameter.example.map(plain).unwrap_or_default()
}

fn body(operation: Operation<'_>) -> String {
    let bodies = operation.bodies();
    let Some(first) = bodies.first() else {
        return String::new();
    };
    let kind = escaped(first.kind);
    if !first.is_json() {
        return format!(
            "<div class=\"field\"><label for=\"try-file\">File, sent as <code>{kind}</code></label>\
             <input id=\"try-file\" type=\"file\" data-kind=\"{kind}\"></div>\n"
        );
    }
    let example = first
        .example
        .and_then(|it| serde_json::to_string_pretty(it).ok());
    let text = example.unwrap_or_default();
    let rows = text.lines().count().clamp(4, 18);
    let must = if operation.is_body_required() {
        " required"
    } else {
        ""
    };
    let mut html = String::new();
    let _ = writeln!(
        html,
        "<div class=\"field\"><label for=\"try-body\">Body, JSON</label>\
         <textarea id=\"try-body\" rows=\"{rows}\" spellcheck=\"false\" data-kind=\"{kind}\"{must}>{}</textarea></div>",
        escaped(&text)
    );
    html
}
