//! What is done to markup that is safe already: pictures, fragments and directions are put in.

use crate::allowed::PLACE;
use crate::fragments::Fragments;
use crate::pictures::Picture;
use crate::tags::{self, Piece};
use crate::{direction, quantities};

/// The whole text for a page.
pub fn finished(
    safe: &str,
    mut fragments: Fragments,
    picture: &mut dyn FnMut(&Picture) -> String,
) -> String {
    let pieces = tags::pieces(safe);
    let directions = direction::directions(&pieces);
    let among_rtl = direction::among_rtl(&pieces);
    let mut out = String::with_capacity(safe.len());
    for ((piece, direction), among_rtl) in pieces.iter().zip(directions).zip(among_rtl) {
        match piece {
            Piece::Text(text) if among_rtl => out.push_str(&quantities::kept_together(text)),
            Piece::Text(text) => out.push_str(text),
            Piece::Tag(tag) => match (tags::name(tag), tag.starts_with('/')) {
                (PLACE, true) => {}
                (PLACE, false) => out.push_str(&fragments.take(tag)),
                ("img", _) => {
                    // Without a word of where it is there is no picture.
                    if tags::attributes(tag)
                        .iter()
                        .any(|(name, _)| *name == "src" || *name == "alt")
                    {
                        out.push_str(&picture(&Picture::of(tag)));
                    }
                }
                _ => push(&mut out, tag, direction),
            },
        }
    }
    out
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
