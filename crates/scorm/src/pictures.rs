//! Pictures of texts: no author's `<img>` survives, each is replaced by an element with a file of the package, or by its
//! description.

use lyceum_markdown::Picture;

use crate::media::{Found, Role};
use crate::rendering::Rendering;
use crate::text;

/// How much of an address a warning shows.
const SHOWN_CHARS: usize = 120;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_address_is_shortened_and_an_embedded_one_not_shown() {
        assert_eq!(shown(&"x".repeat(500)).chars().count(), SHOWN_CHARS + 1);
        assert_eq!(shown("data:image/png;base64,aaaa"), "within the text");
    }
}
