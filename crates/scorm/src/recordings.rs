//! Recordings of activities: played from the package where their files could be had, links otherwise.
//!
//! The player plays whatever is called `src`, and only this room writes such members.

use lyceum_markdown::is_medium;
use serde_json::{Map, Value, json};

use crate::addresses::shown;
use crate::media::{Found, Role, direct_video};
use crate::rendering::Rendering;

/// Where a podcast's recording is: `{src, type}` in the package, or `{url}` to open elsewhere.
pub fn podcast(content: &mut Map<String, Value>, place: &str, rendering: &mut Rendering<'_>) {
    let Some(audio) = content.get_mut("audio").and_then(Value::as_object_mut) else {
        return;
    };
    forget_sources(audio);
    if !embed(audio, Role::Audio, place, rendering) {
        keep_web_address(audio, place, rendering);
    }
}

/// Where a film is: `{src, type, captions: [{src, …}]}` in the package, or `{url}` to open elsewhere.
pub fn video(content: &mut Map<String, Value>, place: &str, rendering: &mut Rendering<'_>) {
    forget_sources(content);
    let mut captions = match content.remove("captions") {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    captions.retain(Value::is_object);
    for caption in captions.iter_mut().filter_map(Value::as_object_mut) {
        forget_sources(caption);
    }
    let direct = address(content).is_some_and(direct_video);
    if direct && embed(content, Role::Video, place, rendering) {
        captions.retain_mut(|caption| {
            caption
                .as_object_mut()
                .is_some_and(|caption| embed(caption, Role::Captions, place, rendering))
        });
    } else {
        keep_web_address(content, place, rendering);
    }
    content.insert("captions".to_owned(), Value::Array(captions));
}

/// Whatever an author put where the player expects a file of the package.
fn forget_sources(holder: &mut Map<String, Value>) {
    holder.remove("src");
    holder.remove("type");
}

fn address(holder: &Map<String, Value>) -> Option<&str> {
    holder
        .get("url")
        .and_then(Value::as_str)
        .filter(|address| !address.is_empty())
}

/// Exchanges the address for a file of the package; `false` and a warning if there is none.
fn embed(
    holder: &mut Map<String, Value>,
    role: Role,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> bool {
    let Some(address) = address(holder) else {
        return false;
    };
    let (what, formats, otherwise) = match role {
        Role::Captions => (
            "captions",
            "a WebVTT file",
            "the film is shown without them",
        ),
        Role::Audio => (
            "recording",
            "an MP3, MP4, Ogg, WAV or WebM file",
            "it opens in a new tab and needs the network",
        ),
        Role::Video | Role::Picture | Role::Any => (
            "film",
            "an MP4 or WebM file",
            "it opens in a new tab and needs the network",
        ),
    };
    let reason = match rendering.media.find(address, role) {
        Found::Item(item) => {
            holder.remove("url");
            holder.insert("src".to_owned(), json!(item.name));
            holder.insert("type".to_owned(), json!(item.kind.media_type(role)));
            return true;
        }
        Found::Unsupported => format!("it is not {formats}"),
        Found::Missing => rendering.media.absence(address),
    };
    let otherwise = if is_medium(address) && role != Role::Captions {
        "it is left out"
    } else {
        otherwise
    };
    let address = shown(address);
    rendering.warn(format!(
        "The {what} of {place} ({address}) is not in the package, as {reason}: {otherwise}."
    ));
    false
}

/// Keeps `url` only if it is a web address: the player makes a link of it.
fn keep_web_address(members: &mut Map<String, Value>, place: &str, rendering: &mut Rendering<'_>) {
    let Some(url) = members
        .get("url")
        .and_then(Value::as_str)
        .map(str::to_owned)
    else {
        return;
    };
    // Whoever looked for a medium of the library has told already that it is not there.
    if url.is_empty() || is_medium(&url) {
        members.remove("url");
    } else if url.starts_with("http://") {
        rendering.warn(format!(
            "{place} links to an http: address; browsers may block or warn about it."
        ));
    } else if !url.starts_with("https://") {
        members.remove("url");
        rendering.warn(format!(
            "The address in {place} is not a web address and was left out."
        ));
    }
}
