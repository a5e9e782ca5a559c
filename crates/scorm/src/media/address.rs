//! Addresses of media, as texts and activities have them.

use serde_json::Value;

use super::kind::Role;

/// An address in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// As the text has it.
    pub address: String,
    /// What it is wanted for.
    pub role: Role,
}

/// Whether an address is that of a film itself rather than of a page that shows one.
pub fn direct_video(address: &str) -> bool {
    if lyceum_markdown::is_medium(address) {
        return true;
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|e| {
        ["mp4", "m4v", "webm"]
            .iter()
            .any(|known| e.eq_ignore_ascii_case(known))
    }) || address
        .get(..11)
        .is_some_and(|start| start.eq_ignore_ascii_case("data:video/"))
}

/// The address of an explainer's picture, if somebody drew one.
pub fn visual_address(visual: &Value) -> Option<&str> {
    ["url", "src"]
        .iter()
        .find_map(|key| visual.get(key)?.as_str())
        .filter(|address| !address.is_empty())
}
