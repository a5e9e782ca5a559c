//! Pictures of texts: found in sanitised markup, and made anew by us.
//!
//! No author's `<img>` survives: each is replaced by an element with a file of the package, or by its description.

use crate::media::{Found, Role};
use crate::rendering::Rendering;
use crate::text;

/// How much of an address a warning shows.
const SHOWN_CHARS: usize = 120;

/// What an author said of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// Where it is.
    pub address: String,
    /// What it shows; empty if nobody said.
    pub alt: String,
}

impl Picture {
    /// An element for the sanitiser, which is the only one to read it.
    pub fn draft(&self) -> String {
        format!(
            "<img src=\"{}\" alt=\"{}\">",
            text::escape_html(&self.address),
            text::escape_html(&self.alt)
        )
    }
}

/// Replaces every `<img>` of markup that the sanitiser has written: there, values stand in double quotes and no `<`
/// stands for anything but a tag or inside a value.
pub fn replace(safe: &str, mut made: impl FnMut(&Picture) -> String) -> String {
    let mut out = String::with_capacity(safe.len());
    let mut rest = safe;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let (tag, tail) = split_tag(after);
        if let Some(attributes) = tag.strip_prefix("img ") {
            out.push_str(&made(&picture(attributes)));
        } else if tag != "img" {
            out.push('<');
            out.push_str(tag);
            out.push('>');
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// The element for a picture of the package, or its description in brackets; warns of what is missing.
pub fn embed(picture: &Picture, place: &str, rendering: &mut Rendering<'_>) -> String {
    let alt = picture.alt.trim();
    match rendering.media.find(&picture.address, Role::Picture) {
        Found::Item(item) => {
            let size = item
                .dimensions
                .map(|(width, height)| format!(" width=\"{width}\" height=\"{height}\""))
                .unwrap_or_default();
            let element = format!(
                "<img src=\"{}\" alt=\"{}\"{size} loading=\"lazy\" decoding=\"async\">",
                item.name,
                text::escape_html(alt)
            );
            if alt.is_empty() {
                rendering.warn(format!(
                    "A picture in {place} has no description ({}): people who cannot see it learn nothing of it.",
                    shown(&picture.address)
                ));
            }
            element
        }
        Found::Unsupported => left_out(
            picture,
            place,
            "it is not a PNG, JPEG, GIF, WebP or AVIF file",
            rendering,
        ),
        Found::Missing => {
            let reason = rendering.media.absence(&picture.address);
            left_out(picture, place, &reason, rendering)
        }
    }
}

fn left_out(picture: &Picture, place: &str, reason: &str, rendering: &mut Rendering<'_>) -> String {
    let (alt, address) = (picture.alt.trim(), shown(&picture.address));
    if alt.is_empty() {
        rendering.warn(format!(
            "A picture without a description in {place} was left out ({address}): {reason}."
        ));
        return String::new();
    }
    rendering.warn(format!(
        "The picture \"{}\" in {place} was left out ({address}): {reason}.",
        text::title(alt, "")
    ));
    format!("[{}]", text::escape_html(alt))
}

/// An address as a sentence can hold it.
pub fn shown(address: &str) -> String {
    // Behind the path may stand somebody's pass.
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let address = text::title(path, "no address");
    if address.to_ascii_lowercase().starts_with("data:") {
        "within the text".to_owned()
    } else if address.chars().count() > SHOWN_CHARS {
        let start: String = address.chars().take(SHOWN_CHARS).collect();
        format!("{start}…")
    } else {
        address
    }
}

/// What stands before the closing `>`, and what comes after it.
fn split_tag(after: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, c) in after.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => {
                let (tag, tail) = after.split_at_checked(at).unwrap_or((after, ""));
                return (tag, tail.strip_prefix('>').unwrap_or(tail));
            }
            _ => {}
        }
    }
    (after, "")
}

fn picture(attributes: &str) -> Picture {
    let mut found = Picture::default();
    let mut pieces = attributes.split('"');
    while let (Some(name), Some(value)) = (pieces.next(), pieces.next()) {
        match name.trim() {
            "src=" => unescape(value).trim().clone_into(&mut found.address),
            "alt=" => found.alt = unescape(value),
            _ => {}
        }
    }
    found
}

/// The inverse of what the sanitiser's writer does to values.
fn unescape(value: &str) -> String {
    value
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_elements_are_replaced() {
        let safe = "a<b title=\"<img src=&quot;x&quot;>\">c</b><img src=\" a?b&amp;c \" alt=\"&quot;>&lt;\">&lt;img&gt;<img>";
        let mut seen = Vec::new();
        let out = replace(safe, |picture| {
            seen.push(picture.clone());
            "P".to_owned()
        });
        assert_eq!(
            out,
            "a<b title=\"<img src=&quot;x&quot;>\">c</b>P&lt;img&gt;"
        );
        assert_eq!(
            seen,
            [Picture {
                address: "a?b&c".to_owned(),
                alt: "\"><".to_owned()
            }]
        );
    }

    #[test]
    fn a_long_address_is_shortened_and_an_embedded_one_not_shown() {
        assert_eq!(shown(&"x".repeat(500)).chars().count(), SHOWN_CHARS + 1);
        assert_eq!(shown("data:image/png;base64,aaaa"), "within the text");
    }
}
