//! Pictures of texts: no author's `<img>` survives, each is replaced by an element with a file of the package, or by its
//! description.

use lyceum_markdown::{Element, Picture, is_medium};

use crate::addresses::shown;
use crate::media::{Found, Item, Known, Role};
use crate::rendering::Rendering;
use crate::{links, players, text};

/// The element for a picture of the package, or its description in brackets; warns of what is missing. A medium of the library
/// may be a recording, a film or a document as well.
pub fn embed(picture: &Picture, place: &str, rendering: &mut Rendering<'_>) -> String {
    embedded(picture, true, place, rendering)
}

/// The same where nothing can be pressed, as it is itself pressed.
pub fn still(picture: &Picture, place: &str, rendering: &mut Rendering<'_>) -> String {
    embedded(picture, false, place, rendering)
}

fn embedded(
    picture: &Picture,
    may_act: bool,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> String {
    let media = rendering.media;
    match media.find(&picture.address, Role::Picture) {
        Found::Item(item) => {
            let known = media.known(&picture.address);
            let alt = description(picture, known);
            if alt.is_none() {
                rendering.warn(format!(
                    "A picture in {place} has no description ({}): people who cannot see it learn nothing of it.",
                    shown(&picture.address)
                ));
            }
            element(item, known, alt.unwrap_or_default())
        }
        Found::Unsupported if is_medium(&picture.address) => {
            another(picture, may_act, place, rendering)
        }
        Found::Unsupported => left_out(
            picture,
            place,
            "it is not a PNG, JPEG, GIF, WebP or AVIF file",
            rendering,
        ),
        Found::Missing => {
            let reason = media.absence(&picture.address);
            left_out(picture, place, &reason, rendering)
        }
    }
}

/// What is said of it where it stands, else where it is kept; none where nobody said anything.
pub fn description<'a>(picture: &'a Picture, known: Option<&'a Known>) -> Option<&'a str> {
    let here = picture.alt.trim();
    if here.is_empty() {
        known.and_then(|known| known.alt_text.as_deref().map(str::trim))
    } else {
        Some(here)
    }
}

fn element(item: &Item, known: Option<&Known>, alt: &str) -> String {
    let element = Element {
        address: &item.name,
        alt,
        size: item.dimensions.or(known.and_then(|known| known.dimensions)),
    };
    let smaller = known.filter(|_| item.dimensions.is_some());
    element.image(smaller.map_or(&[][..], |known| &known.smaller))
}

/// A medium that is no picture.
fn another(picture: &Picture, may_act: bool, place: &str, rendering: &mut Rendering<'_>) -> String {
    let media = rendering.media;
    let Found::Item(item) = media.find(&picture.address, Role::Any) else {
        let reason = "its file is of a kind that packages do not carry";
        return left_out(picture, place, reason, rendering);
    };
    if !may_act {
        let reason = "only pictures can stand where something is chosen or filled in";
        return left_out(picture, place, reason, rendering);
    }
    let known = media.known(&picture.address);
    let alt = description(picture, known).unwrap_or_default();
    if alt.is_empty() {
        rendering.warn(format!(
            "A recording, film or document in {place} has no name ({}): write what it is between the brackets of ![…].",
            shown(&picture.address)
        ));
    }
    let played = players::element(item, known, alt);
    played.unwrap_or_else(|| links::instead(picture, &item.name, alt))
}

/// The same where only words can stand.
pub fn told(picture: &Picture, place: &str, rendering: &mut Rendering<'_>) -> String {
    left_out(
        picture,
        place,
        "what is chosen from a list has words alone",
        rendering,
    )
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
    format!("[{}]", text::escape_text(alt))
}
