//! Pages that lead to others: the contents, a group, the messages, what was found.

use lyceum_pages::escaped;

use crate::document::{Document, Operation};
use crate::frame::{Beside, Current, alone, form, within};
use crate::searching::{Findings, MOST_CHARACTERS, MOST_SHOWN};
use crate::shapes::Shape;
use crate::words::{headline, link, method, paragraphs, prose};
use crate::{MESSAGES, PLACE};

/// All groups with what can be asked for in them.
pub fn start(document: &Document, beside: Beside) -> String {
    let groups: String = document
        .groups()
        .map(|it| group_in_short(document, it))
        .collect();
    let messages = document.messages().len();
    let messages = format!(
        "<section><h2 class=\"part\">{}</h2>\n<ul><li>{} that the service sends to endpoints of yours</li></ul></section>\n",
        link(MESSAGES, "Webhooks"),
        link(MESSAGES, &format!("{messages} messages"))
    );
    let form = form("");
    let (title, version) = (escaped(document.title()), escaped(document.version()));
    let said = paragraphs(document.description());
    let main = format!(
        "<h1>The {title} API</h1>\n<p class=\"lede\">Version {version}. Every operation with its parameters, answers and errors, samples in \
         four languages, and a way to try it. It is made of <a href=\"/v1/openapi.json\">the OpenAPI document</a> that this service checks \
         requests with.</p>\n{form}<div class=\"text\">{said}</div>\n\
         <nav class=\"all\" aria-label=\"All operations\">{groups}{messages}</nav>\n"
    );
    alone(beside, "Contents", &main)
}

fn group_in_short(document: &Document, group: &str) -> String {
    let entry = |operation: &Operation<'_>| {
        format!(
            "<li>{}</li>\n",
            link(operation.id, &prose(operation.summary()))
        )
    };
    let operations = document.of_group(group);
    let list: String = operations.iter().map(entry).collect();
    let title = link(group, &escaped(&headline(group)));
    format!("<section><h2 class=\"part\">{title}</h2>\n<ul>\n{list}</ul></section>\n")
}

/// What can be asked for in a group.
pub fn group(document: &Document, beside: Beside, group: &str) -> String {
    let title = headline(group);
    let operations = document.of_group(group);
    let rows: String = operations.iter().map(row).collect();
    let main = format!(
        "<h1>{}</h1>\n<ul class=\"operations\">\n{rows}</ul>\n",
        escaped(&title)
    );
    within(document, beside, Current::group(group), &title, &main)
}

/// What the service sends.
pub fn messages(document: &Document, beside: Beside) -> String {
    let messages = document.messages();
    let rows: String = messages.iter().map(row).collect();
    let main = format!(
        "<h1>Webhooks</h1>\n<p class=\"lede\">What the service sends to the endpoints that {} registers, by the type of the event. \
         Each is signed.</p>\n<ul class=\"operations\">\n{rows}</ul>\n",
        link("createWebhookEndpoint", "a request")
    );
    within(
        document,
        beside,
        Current::group(MESSAGES),
        "Webhooks",
        &main,
    )
}

/// An operation or a message in a list.
fn row(operation: &Operation<'_>) -> String {
    let mark = if operation.is_message {
        String::new()
    } else {
        method(operation.method)
    };
    let name = link(operation.id, &prose(operation.summary()));
    let path = escaped(operation.path);
    format!("<li>{name}\n<span class=\"call\">{mark} <code>{path}</code></span></li>\n")
}

/// What was found.
pub fn findings(
    document: &Document,
    beside: Beside,
    question: &str,
    found: &Findings<'_>,
) -> String {
    let asked = escaped(question);
    let said = match found.total {
        0 => format!(
            "Nothing in the reference has all of “{asked}”. Fewer words, or only their beginnings, find more; and \
             <a href=\"{PLACE}\">the contents</a> list every operation."
        ),
        1 => format!("1 page has all of “{asked}”."),
        total if total > MOST_SHOWN => {
            format!(
                "{total} pages have all of “{asked}”. These are the {MOST_SHOWN} that suit best."
            )
        }
        total => format!("{total} pages have all of “{asked}”."),
    };
    let rows: String = found
        .shown
        .iter()
        .map(|name| finding(document, name))
        .collect();
    let list = match rows.as_str() {
        "" => rows,
        rows => format!("<ol class=\"operations found\">\n{rows}</ol>\n"),
    };
    let form = form(question);
    let main = format!("<h1>Search</h1>\n{form}<p>{said}</p>\n{list}");
    alone(beside, "Search", &main)
}

fn finding(document: &Document, name: &str) -> String {
    if let Some(operation) = document.operation(name) {
        return row(&operation);
    }
    let said = document
        .schema(name)
        .map(|schema| prose(Shape::of(document, schema).description));
    let said = said.unwrap_or_default();
    let name = link(name, &escaped(name));
    format!("<li>{name}\n<span class=\"call\">Schema. {said}</span></li>\n")
}

/// What is answered to a question that is too long to be one.
pub fn too_long(beside: Beside) -> String {
    let form = form("");
    let main = format!(
        "<h1>Search</h1>\n{form}<p>A search takes {MOST_CHARACTERS} characters at most.</p>\n"
    );
    alone(beside, "Search", &main)
}
