//! Which addresses a course's texts and activities refer to, and what for.

use std::collections::HashSet;

use lyceum_markdown::is_medium;
use lyceum_ports::exporting::scorm::{CourseSnapshot, SnapshotActivity};
use serde_json::Value;

use crate::media::{Reference, Role, direct_video, is_data, visual_address};
use crate::{quiz, text, texts};

/// All of them in the order of the texts, repeats included.
pub fn of(snapshot: &CourseSnapshot) -> Vec<Reference> {
    let mut found = of_text(&snapshot.description);
    for lesson in snapshot.units.iter().flat_map(|unit| &unit.lessons) {
        found.extend(of_text(&lesson.content));
        found.extend(lesson.activities.iter().flat_map(of_activity));
    }
    for assignment in &snapshot.assignments {
        found.extend(of_text(&assignment.instructions));
    }
    found
}

/// What the texts refer to and do not carry themselves: each address once, in the order of the texts.
pub fn addresses(snapshot: &CourseSnapshot) -> Vec<String> {
    let mut seen = HashSet::new();
    of(snapshot)
        .into_iter()
        .map(|reference| reference.address)
        .filter(|address| !is_data(address) && seen.insert(address.clone()))
        .collect()
}

fn of_text(raw: &str) -> Vec<Reference> {
    let found = lyceum_markdown::references(raw, &lyceum_markdown::Settings::default());
    found.into_iter().map(of_markdown).collect()
}

/// Whoever writes an image or a link to a medium of the library need not know what it is.
fn of_markdown(reference: lyceum_markdown::Reference) -> Reference {
    match reference {
        lyceum_markdown::Reference::Picture(address) if !is_medium(&address) => {
            wanted(&address, Role::Picture)
        }
        lyceum_markdown::Reference::Picture(address)
        | lyceum_markdown::Reference::Link(address) => wanted(&address, Role::Any),
    }
}

fn of_activity(activity: &SnapshotActivity) -> Vec<Reference> {
    let shown = texts::references(&activity.kind, &activity.content).into_iter();
    shown.map(of_markdown).chain(of_media(activity)).collect()
}

fn of_media(activity: &SnapshotActivity) -> Vec<Reference> {
    let content = &activity.content;
    match activity.kind.as_str() {
        "explainer" => quiz::items(content, "sections")
            .iter()
            .filter_map(of_section)
            .collect(),
        "podcast" => content
            .get("audio")
            .and_then(|audio| address(audio, Role::Audio))
            .into_iter()
            .collect(),
        "video" => of_video(content),
        _ => Vec::new(),
    }
}

fn of_section(section: &Value) -> Option<Reference> {
    let visual = section.get("visual").and_then(visual_address);
    visual.map(|address| wanted(address, Role::Picture))
}

/// Captions go with the film: without it in the package nothing could show them.
fn of_video(content: &Value) -> Vec<Reference> {
    let film = address(content, Role::Video).filter(|film| direct_video(&film.address));
    let mut found: Vec<Reference> = film.into_iter().collect();
    if !found.is_empty() {
        let captions = quiz::items(content, "captions").iter();
        found.extend(captions.filter_map(|caption| address(caption, Role::Captions)));
    }
    found
}

fn address(holder: &Value, role: Role) -> Option<Reference> {
    let address = holder.get("url")?.as_str()?;
    (!address.is_empty()).then(|| wanted(address, role))
}

fn wanted(address: &str, role: Role) -> Reference {
    // Documents are cleaned on their way into the package, so addresses are compared in that form.
    Reference {
        address: text::clean(address),
        role,
    }
}
