//! What an author should know: everything that a text loses, and where it stood.

use std::fmt;

/// Beyond this nobody reads on.
const LISTED: usize = 100;
/// How much of an address or a formula a sentence shows.
const SHOWN_CHARS: usize = 60;

/// What became of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An element of HTML that is not taken; the detail is its name. What it holds stays, unless it is a script or a style.
    Element,
    /// An attribute that is not taken; the detail names it and its element.
    Attribute,
    /// An address that is not linked to; the detail is the address.
    Address,
    /// A link to a page that is not encrypted; the detail is the address.
    PlainHttp,
    /// A link where nothing may be followed; the detail is its address. Its words stay.
    Link,
    /// A formula that is shown as it was written; the detail says why.
    Formula,
}

/// Something that was left out or shown otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line of the text, counted from 1.
    pub line: usize,
    /// What became of it.
    pub kind: Kind,
    /// What it was.
    pub detail: String,
}

impl Warning {
    /// The sentence without the line, and without a capital letter at its beginning.
    pub fn told(&self) -> String {
        let detail = &self.detail;
        match self.kind {
            Kind::Element => format!("the element <{detail}> is not taken and was left out"),
            Kind::Attribute => format!("{detail} is not taken and was left out"),
            Kind::Address => format!(
                "the address {detail} is not linked to: links lead to https:, http:, mailto: and media of the library alone"
            ),
            Kind::PlainHttp => format!("the address {detail} is not encrypted (http:)"),
            Kind::Link => format!("the link to {detail} is not taken here and was left out"),
            Kind::Formula => format!("a formula is shown as it was written, because {detail}"),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {}: {}.", self.line, self.told())
    }
}

/// A detail as a sentence can hold it: one line, and not a long one.
pub fn shortened(detail: &str) -> String {
    let line = detail.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN_CHARS {
        return line;
    }
    let start: String = line.chars().take(SHOWN_CHARS).collect();
    format!("{start}…")
}

/// Warnings as they come up: the same thing once, where it stood first.
#[derive(Debug, Default)]
pub(crate) struct Found(Vec<Warning>);

impl Found {
    /// Notes one.
    pub fn add(&mut self, line: usize, kind: Kind, detail: String) {
        let same = |other: &Warning| other.kind == kind && other.detail == detail;
        if self.0.len() < LISTED && !self.0.iter().any(same) {
            self.0.push(Warning { line, kind, detail });
        }
    }

    /// All of them, by line.
    pub fn into_list(mut self) -> Vec<Warning> {
        self.0.sort_by_key(|warning| warning.line);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_a_sentence_with_its_line() {
        let mut found = Found::default();
        found.add(7, Kind::Element, "iframe".to_owned());
        found.add(9, Kind::Element, "iframe".to_owned());
        found.add(2, Kind::Address, shortened(&"x".repeat(100)));
        let told: Vec<String> = found.into_list().iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("Line 2: the address xxx") && told[0].contains("x… is not"));
        assert_eq!(
            told[1],
            "Line 7: the element <iframe> is not taken and was left out."
        );
    }
}
