//! Recordings and films of the library in the midst of a text, where they are written as pictures.

use crate::media::{Item, Known, Role};
use crate::text;

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
    let label = match alt {
        "" => String::new(),
        alt => format!(" aria-label=\"{}\"", text::escape_html(alt)),
    };
    let size = known.and_then(|known| known.dimensions);
    let size = size.map(|(width, height)| format!(" width=\"{width}\" height=\"{height}\""));
    let name = &item.name;
    Some(if role == Role::Audio {
        format!("<audio controls preload=\"metadata\" src=\"{name}\"{label}></audio>")
    } else {
        format!(
            "<video controls playsinline preload=\"metadata\" src=\"{name}\"{label}{}></video>",
            size.unwrap_or_default()
        )
    })
}
