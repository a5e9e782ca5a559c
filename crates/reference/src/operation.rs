//! The page of an operation, of a message that the service sends, and of a schema.

use std::fmt::Write as _;

use lyceum_pages::escaped;
use serde_json::Value;

use crate::MESSAGES;
use crate::document::{Answer, Document, Operation, Parameter, Within};
use crate::frame::{Beside, Current, within};
use crate::samples::{LANGUAGES, Request};
use crate::schemas::{Drawing, kind, limits};
use crate::shapes::Shape;
use crate::trying;
use crate::words::{headline, link, method, paragraphs, prose};

/// An example with more lines is to be opened.
const MOST_LINES: usize = 60;

pub fn operation(document: &Document, beside: Beside, operation: Operation<'_>) -> String {
    let head = head(operation);
    let samples = samples(document, operation);
    let mut drawing = Drawing::of(document);
    let mut rest = parameters(document, operation);
    rest.push_str(&body(&mut drawing, operation));
    rest.push_str(&answers(&mut drawing, &document.answers(operation)));
    rest.push_str(&errors(&document.answers(operation)));
    let trying = trying::form(document, operation);
    let main = format!(
        "<article class=\"operation\">\n<div class=\"opening\">\n{head}</div>\n{samples}<div class=\"rest\">\n{rest}</div>\n</article>\n{trying}"
    );
    let current = Current {
        group: operation.group(),
        page: operation.id,
    };
    within(document, beside, current, operation.summary(), &main)
}

/// A message that the service sends.
pub fn message(document: &Document, beside: Beside, message: Operation<'_>) -> String {
    let mut drawing = Drawing::of(document);
    let mut main = format!(
        "<h1>{}</h1>\n<p class=\"call\"><code>{}</code></p>\n{}<p>The service sends it to every endpoint of yours that takes it, signed.</p>\n",
        prose(message.summary()),
        escaped(message.path),
        paragraphs(message.description())
    );
    main.push_str(&parameters(document, message));
    main.push_str(&body(&mut drawing, message));
    let answers = document.answers(message);
    let row = |answer: &Answer<'_>| {
        let (status, said) = (escaped(answer.status), prose(answer.description));
        format!("<li><b>{status}</b> {said}</li>\n")
    };
    let rows: String = answers.iter().map(row).collect();
    let _ = write!(
        main,
        "<h2>What your endpoint answers</h2>\n<ul>\n{rows}</ul>\n"
    );
    let current = Current {
        group: MESSAGES,
        page: message.id,
    };
    within(document, beside, current, message.summary(), &main)
}

/// A schema by its name, with what is inside of it.
pub fn schema(document: &Document, beside: Beside, name: &str, schema: &Value) -> String {
    let shape = Shape {
        name: Some(name),
        ..Shape::of(document, schema)
    };
    let mut drawing = Drawing::of(document);
    let said = paragraphs(shape.description);
    let limits = limits(document, &shape);
    let inside = drawing.inside(shape, 0);
    let inside = match inside.as_str() {
        "" => format!("<p class=\"kind\">{}</p>\n", kind(document, &shape)),
        _ => inside,
    };
    let title = escaped(name);
    let main = format!("<h1>{title}</h1>\n<p class=\"lede\">A schema.</p>\n{said}{limits}{inside}");
    within(document, beside, Current::group(""), name, &main)
}

fn head(operation: Operation<'_>) -> String {
    let mut html = format!(
        "<h1>{}</h1>\n<p class=\"call\">{} <code>{}</code></p>\n{}",
        prose(operation.summary()),
        method(operation.method),
        escaped(operation.path),
        paragraphs(said(operation))
    );
    let needs = needs(operation);
    let _ = writeln!(html, "<p class=\"needs\">{needs} In {}.</p>", {
        let group = operation.group();
        link(group, &escaped(&headline(group)))
    });
    html
}

/// What is said of it, but which scopes it needs where that is all of a sentence: that stands below.
fn said(operation: Operation<'_>) -> &str {
    let all = operation.description();
    let (first, rest) = all
        .split_once(". ")
        .unwrap_or((all.trim_end_matches('.'), ""));
    let scopes = operation.scopes().concat();
    let are_scopes = first.strip_prefix("Needs ").is_some_and(|names| {
        names
            .split(" or ")
            .all(|name| scopes.contains(&name.trim_matches('`')))
    });
    if are_scopes { rest } else { all }
}

/// Who may ask.
fn needs(operation: Operation<'_>) -> String {
    if operation.is_open() {
        return "Nobody has to say who they are.".to_owned();
    }
    let set = |scopes: &Vec<&str>| {
        let scopes = scopes
            .iter()
            .map(|scope| format!("<code class=\"scope\">{}</code>", escaped(scope)));
        scopes.collect::<Vec<_>>().join(" and ")
    };
    let sets: Vec<String> = operation.scopes().iter().map(set).collect();
    let key = match sets.as_slice() {
        [] => "Any key or session".to_owned(),
        sets => format!("A key or session with {}", sets.join(" or ")),
    };
    let platform = if operation.is_on_a_platform() {
        ", on a platform"
    } else {
        ""
    };
    format!("{key}{platform}.")
}

fn samples(document: &Document, operation: Operation<'_>) -> String {
    let request = Request::of(document, operation);
    let mut choices = String::new();
    let mut samples = String::new();
    for (at, language) in LANGUAGES.iter().enumerate() {
        let (word, name) = (language.word, language.name);
        let checked = if at == 0 { " checked" } else { "" };
        let _ = writeln!(
            choices,
            "<label><input type=\"radio\" name=\"language\" value=\"{word}\"{checked}> {name}</label>"
        );
        let inside = match (language.write)(&request) {
            Some(code) => format!(
                "{}<details><summary>Once, before the first</summary>\n{}</details>\n",
                listing(&format!("Sample in {name}"), &code),
                listing(&format!("Once, in {name}"), language.setup)
            ),
            None => {
                "<p>The client for this language has no method for it: it is for browsers.</p>\n"
                    .to_owned()
            }
        };
        let _ = write!(
            samples,
            "<div class=\"sample\" data-language=\"{word}\">\n{inside}</div>\n"
        );
    }
    let example = example(document, operation);
    format!(
        "<section class=\"samples\" aria-label=\"Samples\">\n<fieldset class=\"languages\"><legend>Samples</legend>\n{choices}</fieldset>\n\
         {samples}{example}</section>\n"
    )
}

/// Code with a button that copies it, which the script shows.
fn listing(name: &str, code: &str) -> String {
    format!(
        "<div class=\"listing\"><pre tabindex=\"0\" role=\"group\" aria-label=\"{}\"><code>{}</code></pre>\
         <button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n",
        escaped(name),
        escaped(code)
    )
}

/// What a good answer looks like.
fn example(document: &Document, operation: Operation<'_>) -> String {
    let answers = document.answers(operation);
    let mut good = answers
        .iter()
        .filter(|answer| answer.status.starts_with('2'));
    let found = good.find_map(|answer| {
        let content = answer.contents.iter().find(|content| content.is_json())?;
        Some((answer.status, content.example?))
    });
    let Some((status, example)) = found else {
        return String::new();
    };
    let text = serde_json::to_string_pretty(example).unwrap_or_default();
    let open = if text.lines().count() > MOST_LINES {
        ""
    } else {
        " open"
    };
    let listing = listing("Example of an answer", &text);
    format!(
        "<details class=\"example\"{open}><summary>Answer {}</summary>\n{listing}</details>\n",
        escaped(status)
    )
}

fn parameters(document: &Document, operation: Operation<'_>) -> String {
    let all = document.parameters(operation);
    let parts = [
        (Within::Path, "In the path"),
        (Within::Query, "In the query"),
        (Within::Header, "Headers"),
    ];
    let mut html = String::new();
    for (place, title) in parts {
        let rows: String = all
            .iter()
            .filter(|parameter| parameter.within == place)
            .map(|parameter| row(document, parameter))
            .collect();
        if !rows.is_empty() {
            let _ = write!(
                html,
                "<h3>{title}</h3>\n<ul class=\"members\">\n{rows}</ul>\n"
            );
        }
    }
    match html.as_str() {
        "" => html,
        _ => format!("<h2>Parameters</h2>\n{html}"),
    }
}

fn row(document: &Document, parameter: &Parameter<'_>) -> String {
    let shape = Shape::of(document, parameter.schema);
    let name = if parameter.is_deep {
        format!("{}[key]", parameter.name)
    } else {
        parameter.name.to_owned()
    };
    let must = if parameter.is_required {
        " <span class=\"must\">required</span>"
    } else {
        ""
    };
    let said = match parameter.description {
        "" => String::new(),
        said => format!("<p>{}</p>\n", prose(said)),
    };
    format!(
        "<li><code class=\"name\">{}</code> <span class=\"kind\">{}</span>{must}\n{said}{}</li>\n",
        escaped(&name),
        kind(document, &shape),
        limits(document, &shape)
    )
}

fn body<'d>(drawing: &mut Drawing<'d>, operation: Operation<'d>) -> String {
    let bodies = operation.bodies();
    let Some(first) = bodies.first() else {
        return String::new();
    };
    let kinds: Vec<String> = bodies
        .iter()
        .map(|it| format!("<code>{}</code>", escaped(it.kind)))
        .collect();
    let must = if operation.is_body_required() {
        "required"
    } else {
        "may be left out"
    };
    format!(
        "<h2>Body</h2>\n<p class=\"limits\">{} · {must}</p>\n{}",
        kinds.join(" or "),
        drawing.whole(first.schema)
    )
}

/// What is answered when all is well.
fn answers<'d>(drawing: &mut Drawing<'d>, answers: &[Answer<'d>]) -> String {
    let good = answers.iter().filter(|answer| !is_error(answer));
    let mut html = String::new();
    for answer in good {
        let _ = writeln!(
            html,
            "<h3><b class=\"status\">{}</b> {}</h3>",
            escaped(answer.status),
            prose(answer.description)
        );
        html.push_str(&headers(answer));
        for content in &answer.contents {
            if !content.is_json() {
                let _ = writeln!(
                    html,
                    "<p class=\"limits\"><code>{}</code></p>",
                    escaped(content.kind)
                );
            }
            if content.is_json() {
                html.push_str(&drawing.whole(content.schema));
            }
        }
    }
    format!("<h2>Answers</h2>\n{html}")
}

fn headers(answer: &Answer<'_>) -> String {
    let row = |(name, said): &(&str, &str)| {
        let (name, said) = (escaped(name), prose(said));
        format!("<li><code class=\"name\">{name}</code>\n<p>{said}</p></li>\n")
    };
    let rows: String = answer.headers.iter().map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    let many = answer.headers.len();
    format!(
        "<details><summary>{many} headers</summary>\n<ul class=\"members\">\n{rows}</ul></details>\n"
    )
}

fn is_error(answer: &Answer<'_>) -> bool {
    answer.status.starts_with(['4', '5'])
}

/// What goes wrong, by status, with the codes and what they say.
fn errors(answers: &[Answer<'_>]) -> String {
    let rows: String = answers
        .iter()
        .filter(|answer| is_error(answer))
        .map(error)
        .collect();
    match rows.as_str() {
        "" => rows,
        rows => format!("<h2>Errors</h2>\n<ul class=\"members\">\n{rows}</ul>\n"),
    }
}

fn error(answer: &Answer<'_>) -> String {
    let code = |(code, example): &(&str, &Value)| {
        let message = example["error"]["message"].as_str().unwrap_or_default();
        format!(
            "<li><code>{}</code> {}</li>\n",
            escaped(code),
            prose(message)
        )
    };
    let codes: String = answer.codes.iter().map(code).collect();
    let codes = match answer.codes.len() {
        0 => String::new(),
        many => format!(
            "<details><summary>{many} {}</summary>\n<ul>\n{codes}</ul></details>\n",
            if many == 1 { "code" } else { "codes" }
        ),
    };
    format!(
        "<li><b class=\"status\">{}</b> {}\n{codes}</li>\n",
        escaped(answer.status),
        prose(answer.description)
    )
}
