//! Links to media of the library: they lead to files of the package, in a new tab like every link.

use lyceum_markdown::{Element, Picture};

use crate::addresses::shown;
use crate::media::{Found, Role};
use crate::rendering::Rendering;

/// Where a link to a medium leads; where it leads nowhere its words stay, and a warning says why.
pub fn lead(address: &str, place: &str, rendering: &mut Rendering<'_>) -> Option<String> {
    let reason = match rendering.media.find(address, Role::Any) {
        Found::Item(item) => return Some(item.name.clone()),
        Found::Unsupported => "its file is of a kind that packages do not carry".to_owned(),
        Found::Missing => rendering.media.absence(address),
    };
    let address = shown(address);
    rendering.warn(format!(
        "A link in {place} was left out and its words stay ({address}): {reason}."
    ));
    None
}

/// A link in the place of a picture, for what can neither be seen nor heard where it stands.
pub fn instead(picture: &Picture, name: &str, alt: &str) -> String {
    let words = if alt.is_empty() {
        shown(&picture.address)
    } else {
        alt.to_owned()
    };
    let element = Element {
        address: name,
        alt: &words,
        size: None,
    };
    element.link()
}
