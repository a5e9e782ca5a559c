//! Words of the document as they are read.

use std::fmt::Write as _;

use lyceum_pages::escaped;

use crate::PLACE;

/// What stands in capital letters wherever it stands.
const CAPITALS: [&str; 5] = ["ai", "api", "sso", "scorm", "scim"];

/// A name as a headline: `api_keys` is “API keys”.
pub fn headline(name: &str) -> String {
    let words: Vec<String> = name.split('_').map(spelled).collect();
    let words = words.join(" ");
    let mut characters = words.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

fn spelled(word: &str) -> String {
    if CAPITALS.contains(&word) {
        word.to_uppercase()
    } else {
        word.to_owned()
    }
}

/// A sentence of the document: what stands between backticks is code, and nothing else is markup.
pub fn prose(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    let pieces: Vec<&str> = text.split('`').collect();
    let last = pieces.len().saturating_sub(1);
    for (at, piece) in pieces.iter().enumerate() {
        let piece = escaped(piece);
        let _ = match (at % 2 == 1, at < last) {
            (true, true) => write!(html, "<code>{piece}</code>"),
            // A backtick that nothing closes is one.
            (true, false) => write!(html, "`{piece}"),
            (false, _) => write!(html, "{piece}"),
        };
    }
    html
}

/// Its paragraphs.
pub fn paragraphs(text: &str) -> String {
    let paragraph = |text: &str| format!("<p>{}</p>\n", prose(text));
    let all = text.split("\n\n").map(str::trim);
    all.filter(|it| !it.is_empty()).map(paragraph).collect()
}

/// Where a page of the reference is.
pub fn address(name: &str) -> String {
    format!("{PLACE}/{name}")
}

/// A link to one.
pub fn link(name: &str, html: &str) -> String {
    format!("<a href=\"{}\">{html}</a>", escaped(&address(name)))
}

/// The method of an operation, as a mark.
pub fn method(method: &str) -> String {
    let kind = method.to_ascii_lowercase();
    format!("<b class=\"method {kind}\">{}</b>", escaped(method))
}
