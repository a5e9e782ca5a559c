//! The one dialect: Markdown from people and models, turned into HTML that cannot do anything.
//!
//! Two walls: raw size and nesting are bounded before any tree is built, and what is left passes a narrow
//! allow-list. Nothing an author wrote may become HTML without passing through [`render`], and nothing vanishes in it
//! without a [`Warning`]. No I/O, and no other crate of ours: pictures are the caller's business.
//!
#![doc = include_str!("../README.md")]

mod allowed;
mod braces;
mod chemistry;
mod code;
mod commands;
mod depth;
mod direction;
mod drafting;
mod elements;
mod finishing;
mod forms;
mod formulas;
mod fragments;
mod headings;
mod labels;
mod lines;
mod mathml;
mod media;
mod notes;
mod pictures;
mod quantities;
mod raw;
mod sanitising;
mod settings;
mod shapes;
mod tags;
mod text;
mod warnings;
mod words;

pub use elements::Element;
pub use forms::Form;
pub use labels::{Labels, may_be_labelled};
pub use media::{Media, Reference, is_medium};
pub use pictures::Picture;
pub use settings::{Scope, Settings};
pub use shapes::{Placed, Shape, raw_text, shape_of_content, texts_of};
pub use text::{clean, escape_html, escape_text, unprintable};
pub use warnings::{Kind, Warning, shortened};
pub use words::in_words;

use crate::code::Highlighter;
use crate::drafting::Draft;
use crate::media::{Looking, PicturesAlone};

/// The longest text.
pub const TEXT_BYTES: usize = 256 * 1024;
/// Deeper than any text a person wrote.
pub const LEVELS: usize = 200;
/// The style sheet of everything that has a class here. Its colours are custom properties with values in their stead.
pub const STYLE: &str = include_str!("markdown.css");

/// Why a text cannot be rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It has more than [`TEXT_BYTES`].
    TooLong,
    /// It nests more than [`LEVELS`] deep.
    TooDeep,
}

/// A text for a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// HTML that cannot do anything.
    pub html: String,
    /// The same without markup, on one line: pictures by their descriptions, formulas by their TeX.
    pub words: String,
    /// What its author should know, by line.
    pub warnings: Vec<Warning>,
}

/// Renders `raw` for display; `picture` says in HTML what stands in the place of each picture. Links to media of the library
/// lead nowhere and keep their words.
///
/// # Errors
/// [`Refused`] for a text that is too long or nests too deep.
pub fn render(
    raw: &str,
    settings: &Settings<'_>,
    picture: &mut dyn FnMut(&Picture) -> String,
) -> Result<Rendered, Refused> {
    render_with(raw, settings, &mut PicturesAlone(picture))
}

/// The same with links to media of the library.
///
/// # Errors
/// [`Refused`] for a text that is too long or nests too deep.
pub fn render_with(
    raw: &str,
    settings: &Settings<'_>,
    media: &mut dyn Media,
) -> Result<Rendered, Refused> {
    let draft = drafted(raw, settings, true)?;
    let safe = sanitising::sanitise(&draft.markup, settings.scope);
    let finished = finishing::finished(
        &safe,
        draft.fragments,
        &mut Highlighter::new(settings.gap),
        media,
    );
    Ok(Rendered {
        html: finished.html,
        words: finished.words,
        warnings: draft.found.into_list(),
    })
}

/// What `raw` refers to with these settings, in order, repeats included; nothing of a text that [`render`] refuses.
pub fn references(raw: &str, settings: &Settings<'_>) -> Vec<Reference> {
    // Most texts refer to nothing, and finding that out is cheap.
    if !raw.contains("![") && !raw.contains("media:") && !raw.to_ascii_lowercase().contains("<img")
    {
        return Vec::new();
    }
    let Ok(draft) = drafted(raw, settings, false) else {
        return Vec::new();
    };
    let mut found = Looking::default();
    let safe = sanitising::sanitise(&draft.markup, settings.scope);
    finishing::finished(&safe, draft.fragments, &mut Highlighter::idle(), &mut found);
    found.0
}

/// The addresses of the pictures among them.
pub fn pictures(raw: &str, settings: &Settings<'_>) -> Vec<String> {
    let found = references(raw, settings).into_iter();
    found
        .filter_map(|reference| match reference {
            Reference::Picture(address) => Some(address),
            Reference::Link(_) => None,
        })
        .collect()
}

fn drafted(raw: &str, settings: &Settings<'_>, converts: bool) -> Result<Draft, Refused> {
    if raw.len() > TEXT_BYTES {
        return Err(Refused::TooLong);
    }
    let cleaned = if settings.scope.is_line {
        lines::begun(&clean(raw))
    } else {
        clean(raw)
    };
    let draft = drafting::draft(&cleaned, settings, converts);
    if depth::exceeds(&draft.markup, LEVELS) {
        return Err(Refused::TooDeep);
    }
    Ok(draft)
}
