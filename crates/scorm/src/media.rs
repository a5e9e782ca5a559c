//! Pictures, recordings and captions that travel in a package.

use lyceum_ports::scorm::CourseSnapshot;
use serde_json::Value;

/// What the texts refer to: each address once, in the order of the texts.
pub fn addresses(snapshot: &CourseSnapshot) -> Vec<String> {
    let lessons = snapshot.units.iter().flat_map(|unit| &unit.lessons);
    let mut found: Vec<String> = Vec::new();
    for activity in lessons.flat_map(|lesson| &lesson.activities) {
        let audio = activity
            .content
            .get("audio")
            .and_then(|audio| audio.get("url"));
        if let Some(address) = audio.and_then(Value::as_str).filter(|a| !a.is_empty())
            && !found.iter().any(|known| known == address)
        {
            found.push(address.to_owned());
        }
    }
    found
}
