//! The page around what is shown: plain HTML, with nothing inline.

use lyceum_pages::escaped;

use crate::document::{Document, Operation};
use crate::searching::MOST_CHARACTERS;
use crate::words::{address, headline, prose};
use crate::{MESSAGES, PLACE};

/// What is mounted beside the reference, so that nothing leads to what is not there.
#[derive(Clone, Copy, Default)]
pub struct Beside {
    pub has_studio: bool,
    pub has_handbook: bool,
}

/// Where one is: a group, and the page in it where it is not the group itself.
#[derive(Clone, Copy)]
pub struct Current<'c> {
    pub group: &'c str,
    pub page: &'c str,
}

impl<'c> Current<'c> {
    pub fn group(group: &'c str) -> Self {
        Self { group, page: group }
    }
}

/// A page of one group, with the others beside it.
pub fn within(
    document: &Document,
    beside: Beside,
    current: Current<'_>,
    title: &str,
    main: &str,
) -> String {
    let groups = groups(document, current);
    let side = format!(
        "<details class=\"above\"><summary>Groups</summary><nav aria-label=\"Groups\">{groups}</nav></details>\n\
         <nav class=\"side\" aria-label=\"Groups\">{groups}</nav>\n"
    );
    framed(beside, title, &form(""), "frame", &side, main)
}

/// A page with its search where one looks first, and not in the head.
pub fn alone(beside: Beside, title: &str, main: &str) -> String {
    framed(beside, title, "", "frame alone", "", main)
}

fn framed(
    beside: Beside,
    title: &str,
    search: &str,
    class: &str,
    side: &str,
    main: &str,
) -> String {
    let title = escaped(title);
    let mut elsewhere = String::new();
    let mut icon = "";
    if beside.has_studio {
        elsewhere.push_str("<a href=\"/studio\">Studio</a> ");
        icon = "<link rel=\"icon\" href=\"/studio/icon.svg\" type=\"image/svg+xml\">\n";
    }
    if beside.has_handbook {
        elsewhere.push_str("<a href=\"/docs/guides\">Handbook</a> ");
    }
    elsewhere.push_str("<a href=\"/v1/openapi.json\">OpenAPI</a>");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · Lyceum API</title>\n{icon}\
         <link rel=\"stylesheet\" href=\"{PLACE}/reference.css\">\n\
         <script src=\"{PLACE}/reference.js\" defer></script>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#text\">To the text</a>\n\
         <header class=\"head\">\n<a class=\"brand\" href=\"{PLACE}\">Lyceum API</a>\n{search}\
         <nav aria-label=\"Elsewhere\">{elsewhere}</nav>\n</header>\n\
         <div class=\"{class}\">\n{side}<main id=\"text\" tabindex=\"-1\">\n{main}</main>\n</div>\n</body>\n</html>\n"
    )
}

pub fn form(question: &str) -> String {
    let question = escaped(question);
    format!(
        "<form class=\"search\" role=\"search\" action=\"{PLACE}\">\
         <label class=\"unseen\" for=\"q\">Search the reference</label>\
         <input id=\"q\" name=\"q\" type=\"search\" maxlength=\"{MOST_CHARACTERS}\" placeholder=\"Search the reference\" \
         value=\"{question}\"><button>Search</button></form>\n"
    )
}

/// The groups, and what the service sends by itself behind them; what is in the current one stands below it.
fn groups(document: &Document, current: Current<'_>) -> String {
    let names = document.groups().chain(std::iter::once(MESSAGES));
    let entry = |name: &str| {
        let below = if name == current.group {
            pages(document, current)
        } else {
            String::new()
        };
        format!(
            "<li>{}{below}</li>\n",
            entry(name, &escaped(&headline(name)), current)
        )
    };
    format!("<ul>\n{}</ul>", names.map(entry).collect::<String>())
}

fn pages(document: &Document, current: Current<'_>) -> String {
    let list = if current.group == MESSAGES {
        document.messages()
    } else {
        document.of_group(current.group)
    };
    let entry = |operation: &Operation<'_>| {
        let words = if operation.is_message {
            escaped(operation.path)
        } else {
            prose(operation.summary())
        };
        format!("<li>{}</li>\n", entry(operation.id, &words, current))
    };
    format!("<ul>\n{}</ul>", list.iter().map(entry).collect::<String>())
}

fn entry(name: &str, html: &str, current: Current<'_>) -> String {
    let here = if name == current.page {
        " aria-current=\"page\""
    } else {
        ""
    };
    format!("<a href=\"{}\"{here}>{html}</a>", escaped(&address(name)))
}
