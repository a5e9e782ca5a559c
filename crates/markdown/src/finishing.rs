//! What is done to markup that is safe already: pictures, fragments and directions are put in.

use std::borrow::Cow;

use crate::allowed::{self, PLACE};
use crate::code::Highlighter;
use crate::fragments::Fragments;
use crate::media::{self, Media};
use crate::pictures::Picture;
use crate::quantities::Exponent;
use crate::tags::{self, Piece};
use crate::{direction, quantities, text};

/// A text for a page, and its words.
#[derive(Debug, Default)]
pub struct Finished {
    pub html: String,
    /// On one line, pictures by their descriptions and formulas by their TeX.
    pub words: String,
}

/// The whole text for a page.
pub fn finished(
    safe: &str,
    mut fragments: Fragments,
    code: &mut Highlighter<'_>,
    media: &mut dyn Media,
) -> Finished {
    let pieces = tags::pieces(safe);
    let directions = direction::directions(&pieces);
    let among_rtl = direction::among_rtl(&pieces);
    let mut out = String::with_capacity(safe.len());
    let mut words = String::new();
    let mut leads_nowhere = false;
    let mut exponent = Exponent::default();
    let told = pieces.iter().zip(directions).zip(among_rtl).enumerate();
    for (at, ((piece, direction), among_rtl)) in told {
        tell(piece, media, &mut words);
        match piece {
            Piece::Text(text) if among_rtl => {
                let next = pieces.get(at.saturating_add(1));
                out.push_str(&exponent.awaited(quantities::kept_together(text), next));
            }
            Piece::Text(text) => match highlighted(&pieces, at, text, code) {
                Some(code) => out.push_str(&code),
                None => out.push_str(text),
            },
            Piece::Tag(tag) => match (tags::name(tag), tag.starts_with('/')) {
                (PLACE, true) => {}
                (PLACE, false) => {
                    let fragment = fragments.take(tag);
                    out.push_str(&fragment.markup);
                    words.push_str(&fragment.words);
                }
                ("img", _) => {
                    // Without a word of where it is there is no picture.
                    if tags::attributes(tag)
                        .iter()
                        .any(|(name, _)| *name == "src" || *name == "alt")
                    {
                        out.push_str(&media.picture(&Picture::of(tag)));
                    }
                }
                ("a", false) => {
                    let leading = led(tag, media);
                    leads_nowhere = leading.is_none();
                    if let Some(tag) = leading {
                        push(&mut out, &tag, direction);
                    }
                }
                ("a", true) if leads_nowhere => leads_nowhere = false,
                _ => {
                    push(&mut out, tag, direction);
                    out.push_str(exponent.passed(tag));
                }
            },
        }
    }
    let words: Vec<&str> = words.split_whitespace().collect();
    Finished {
        html: out,
        words: words.join(" "),
    }
}

/// A text that is all of a block of code in a language we know, with its kinds of words.
fn highlighted(
    pieces: &[Piece<'_>],
    at: usize,
    text: &str,
    code: &mut Highlighter<'_>,
) -> Option<String> {
    let Some(Piece::Tag(tag)) = at.checked_sub(1).and_then(|before| pieces.get(before)) else {
        return None;
    };
    if tags::name(tag) != "code" || pieces.get(at.saturating_add(1)) != Some(&Piece::Tag("/code")) {
        return None;
    }
    let attributes = tags::attributes(tag);
    let (_, class) = attributes.iter().find(|(name, _)| *name == "class")?;
    code.highlighted(class.strip_prefix("language-")?, &text::unescape(text))
}

/// The tag of a link as it is shown; none where it is to a medium of the library that cannot be led to.
fn led<'a>(tag: &'a str, media: &mut dyn Media) -> Option<Cow<'a, str>> {
    let attributes = tags::attributes(tag);
    let address = attributes.iter().find(|(name, _)| *name == "href");
    let Some((_, address)) = address.filter(|(_, address)| media::is_medium(address)) else {
        return Some(Cow::Borrowed(tag));
    };
    let place = text::escape_html(&media.link(address)?);
    let (before, after) = (format!("href=\"{address}\""), format!("href=\"{place}\""));
    Some(Cow::Owned(tag.replacen(&before, &after, 1)))
}

fn tell(piece: &Piece<'_>, media: &dyn Media, words: &mut String) {
    match piece {
        Piece::Text(text) => words.push_str(&text::unescape(text)),
        Piece::Tag(tag) => match tags::name(tag) {
            "img" => words.push_str(&media.words(&Picture::of(tag))),
            name if name == "br" || allowed::is_block(name) => words.push(' '),
            _ => {}
        },
    }
}

fn push(out: &mut String, tag: &str, direction: Option<&str>) {
    out.push('<');
    out.push_str(tag);
    if let Some(direction) = direction {
        out.push_str(" dir=\"");
        out.push_str(direction);
        out.push('"');
    }
    out.push('>');
}
