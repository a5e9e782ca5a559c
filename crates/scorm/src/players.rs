//! Recordings and films of the library in the midst of a text, where they are written as pictures.

use lyceum_markdown::Element;

use crate::media::{Item, Known, Role};

/// The element that plays a medium; none for what cannot be played. `alt` names it.
pub fn element(item: &Item, known: Option<&Known>, alt: &str) -> Option<String> {
    let is_sound = known.is_some_and(|known| known.is_sound);
    let role = if item.kind.serves(Role::Video) && !is_sound {
        Role::Video
    } else if item.kind.serves(Role::Audio) {
        Role::Audio
    } else {
        return None;
    };
    let element = Element {
        address: &item.name,
        alt,
        size: known.and_then(|known| known.dimensions),
    };
    Some(if role == Role::Audio {
        element.audio()
    } else {
        element.video()
    })
}
