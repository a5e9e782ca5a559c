//! A small course as the exporter gets it, for tests that look at packages without a service.

use std::fs;
use std::path::{Path, PathBuf};

use lyceum_ports::exporting::scorm::{
    Completion, CourseSnapshot, LiveService, PackageWriter, Reporting, ScormEdition,
    SnapshotActivity, SnapshotLesson, SnapshotMedia, SnapshotUnit,
};
use lyceum_scorm::ScormWriter;
use serde_json::json;

/// One pixel.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const RECORDING: &str = "https://media.example/talk.wav";

/// A course of one lesson with a picture, a recording and a graded quiz.
pub fn course(edition: ScormEdition, title: &str, folder: &Path) -> CourseSnapshot {
    let file = folder.join("talk.wav");
    fs::write(&file, silence()).unwrap();
    let lesson = SnapshotLesson {
        id: "les_one".to_owned(),
        name: title.to_owned(),
        summary: String::new(),
        objectives: Vec::new(),
        content: format!("Look: ![A dot]({PICTURE})"),
        duration_minutes: 5,
        language: None,
        activities: vec![
            activity(
                "podcast",
                json!({"audio": {"status": "ready", "url": RECORDING}, "speakers": [], "segments": []}),
            ),
            activity(
                "quiz",
                json!({"passing_percent": 60, "questions": [
                    {"id": "q1", "type": "true_false", "prompt": "Is it a dot?", "answer": true}]}),
            ),
        ],
    };
    CourseSnapshot {
        cohort_id: "coh_one".to_owned(),
        edition,
        service: Some(LiveService {
            runtime_base_url: "https://lyceum.example".to_owned(),
            package_id: "scp_one".to_owned(),
            launch_key: "lk_one".to_owned(),
        }),
        accent_color: Some("#b3261e".to_owned()),
        tutor: true,
        reporting: Reporting::default(),
        completion: Completion::default(),
        course_name: title.to_owned(),
        cohort_name: "Spring".to_owned(),
        language: "en".to_owned(),
        description: String::new(),
        units: vec![SnapshotUnit {
            id: "unt_one".to_owned(),
            name: title.to_owned(),
            description: String::new(),
            lessons: vec![lesson],
        }],
        assignments: Vec::new(),
        media: vec![SnapshotMedia {
            address: RECORDING.to_owned(),
            file,
            media_type: "audio/wav".to_owned(),
            ..SnapshotMedia::default()
        }],
        unavailable: Vec::new(),
    }
}

/// Writes a package into the folder; nothing about it may be worth a warning.
pub fn package(snapshot: &CourseSnapshot, folder: &Path, name: &str) -> PathBuf {
    let target = folder.join(name);
    let written = ScormWriter.write(snapshot, &target).unwrap();
    assert_eq!(written.warnings, [""; 0]);
    target
}

fn activity(kind: &str, content: serde_json::Value) -> SnapshotActivity {
    SnapshotActivity {
        id: format!("act_{kind}"),
        kind: kind.to_owned(),
        name: "Check".to_owned(),
        language: None,
        content,
    }
}

/// A second of nothing, as a WAV.
fn silence() -> Vec<u8> {
    let mut wav = b"RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0"
        .to_vec();
    wav.resize(wav.len() + 8000, 128);
    wav
}
