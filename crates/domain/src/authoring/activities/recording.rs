//! The recording of a podcast that the service made itself.
//!
//! What it says of it in `content.audio` is the service's alone: whatever a person sends there is taken as sent back,
//! and the recording stays as long as the script does. A person's own `audio.url` takes its place.

use serde_json::{Value, json};

use super::{ActivityContent, ActivityKind};
use crate::Invalid;
use crate::json::JsonObject;

/// Members of `audio` that only the service writes.
const OURS: [&str; 3] = ["recording", "sha256", "size_bytes"];
/// What of a podcast is spoken.
const SCRIPT: [&str; 3] = ["language", "speakers", "segments"];

/// A WAV file that the service keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// What it is kept under; copies of the activity have it too.
    pub name: String,
    /// SHA-256 of the file, lower-case hex.
    pub sha256: String,
    /// Bytes of the file.
    pub size_bytes: u64,
    /// How long it is, in milliseconds.
    pub duration_ms: u64,
}

impl ActivityContent {
    /// The recording, if the service made one.
    pub fn recording(&self) -> Option<Recording> {
        let audio = self.as_map().get("audio")?;
        let text = |member: &str| audio.get(member)?.as_str().map(str::to_owned);
        let number = |member: &str| audio.get(member)?.as_u64();
        Some(Recording {
            name: text("recording")?,
            sha256: text("sha256")?,
            size_bytes: number("size_bytes")?,
            duration_ms: number("duration_ms")?,
        })
    }

    /// Notes a recording of it.
    pub fn record(&mut self, recording: &Recording) {
        let audio = json!({
            "status": "ready",
            "duration_ms": recording.duration_ms,
            "sha256": recording.sha256,
            "size_bytes": recording.size_bytes,
            "recording": recording.name,
        });
        self.0.insert("audio".to_owned(), audio);
    }

    /// Notes that there was to be a recording of it, and none came of it.
    pub fn fail_to_record(&mut self) {
        let audio = json!({"status": "error"});
        self.0.insert("audio".to_owned(), audio);
    }

    /// What a person puts in its place, with the recording if they sent that back and left the script as it was.
    ///
    /// # Errors
    /// Those of [`ActivityContent::parse`].
    pub fn replaced_by(
        &self,
        kind: ActivityKind,
        content: JsonObject,
    ) -> Result<Self, Vec<Invalid>> {
        let is_back = content.get("audio").is_some_and(is_sent_back);
        let mut new = Self::parse(kind, content)?;
        let is_same = |member: &&str| self.as_map().get(*member) == new.as_map().get(*member);
        let stays = is_back && SCRIPT.iter().all(is_same);
        if let Some(recording) = self.recording().filter(|_| stays) {
            new.record(&recording);
        }
        Ok(new)
    }
}

/// Takes out what only the service may say.
pub(super) fn forget(content: &mut JsonObject) {
    let Some(audio) = content.get_mut("audio").and_then(Value::as_object_mut) else {
        return;
    };
    let whole = Value::Object(audio.clone());
    for member in OURS {
        audio.remove(member);
    }
    if is_sent_back(&whole) {
        audio.remove("url");
        audio.remove("duration_ms");
        audio.insert("status".to_owned(), json!("none"));
    }
}

/// Whether this is what the service showed of a recording of its own.
fn is_sent_back(audio: &Value) -> bool {
    match audio.get("url").and_then(Value::as_str) {
        Some(url) if !url.is_empty() => is_ours(url),
        _ => audio.get("status") == Some(&json!("ready")) && audio.get("sha256").is_some(),
    }
}

/// Whether it is one of the addresses by which services like this one hand out recordings. Whichever host it names, it
/// ends within hours, so it is nobody's own.
fn is_ours(url: &str) -> bool {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    path.contains("/activities/act_") && path.ends_with("/audio") && query.contains("signature=")
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str =
        "https://l.example/v1/activities/act_1/audio?workspace=w&expires=1&signature=a";

    fn podcast(audio: &Value) -> JsonObject {
        let content = json!({
            "speakers": [{"id": "a", "name": "Ann"}],
            "segments": [{"turns": [{"speaker_id": "a", "text": "Hello."}]}],
            "audio": audio,
        });
        content.as_object().cloned().unwrap()
    }

    fn recording() -> Recording {
        Recording {
            name: "gen_1-1".to_owned(),
            sha256: "ab".to_owned(),
            size_bytes: 48_044,
            duration_ms: 1_000,
        }
    }

    fn recorded() -> ActivityContent {
        let none = podcast(&json!({"status": "none"}));
        let mut content = ActivityContent::parse(ActivityKind::Podcast, none).unwrap();
        content.record(&recording());
        content
    }

    fn replaced(content: JsonObject) -> ActivityContent {
        recorded()
            .replaced_by(ActivityKind::Podcast, content)
            .unwrap()
    }

    fn shown(url: &str) -> Value {
        json!({"status": "ready", "duration_ms": 1_000, "sha256": "ab", "size_bytes": 48_044, "url": url})
    }

    #[test]
    fn what_is_sent_back_changes_nothing() {
        assert_eq!(recorded().recording(), Some(recording()));
        assert_eq!(replaced(podcast(&shown(URL))), recorded());
        let without = json!({"status": "ready", "sha256": "forged", "recording": "another"});
        assert_eq!(replaced(podcast(&without)), recorded());
    }

    #[test]
    fn a_changed_script_a_removal_and_an_own_address_end_it() {
        let mut changed = podcast(&shown(URL));
        changed["segments"][0]["turns"][0]["text"] = json!("Good-bye.");
        assert_eq!(
            replaced(changed).as_map()["audio"],
            json!({"status": "none"})
        );
        let none = json!({"status": "none"});
        assert_eq!(replaced(podcast(&none)).as_map()["audio"], none);
        let own = replaced(podcast(&shown("https://a.example/1.mp3")));
        let expected =
            json!({"status": "ready", "duration_ms": 1_000, "url": "https://a.example/1.mp3"});
        assert_eq!(own.as_map()["audio"], expected);
    }

    #[test]
    fn nobody_but_the_service_says_that_there_is_one() {
        for audio in [
            shown(URL),
            json!({"status": "ready", "sha256": "ab", "size_bytes": 1, "duration_ms": 1, "recording": "gen_1-1"}),
        ] {
            let parsed = ActivityContent::parse(ActivityKind::Podcast, podcast(&audio)).unwrap();
            assert_eq!(parsed.recording(), None);
            assert_eq!(parsed.as_map()["audio"], json!({"status": "none"}));
        }
        let bare =
            ActivityContent::parse(ActivityKind::Podcast, podcast(&json!({"status": "ready"})));
        assert_eq!(bare.unwrap_err()[0].field, "content.audio.url");
    }

    #[test]
    fn a_failure_is_told_without_a_recording() {
        let mut content = recorded();
        content.fail_to_record();
        assert_eq!(content.as_map()["audio"], json!({"status": "error"}));
        assert_eq!(content.recording(), None);
    }
}
