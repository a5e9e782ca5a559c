//! The sample course: every kind of step and question, in English and in Arabic, with a picture and recordings.
//!
//! Shared by the example beside it and by the tests that play packages in a browser.

use std::path::Path;

use lyceum_ports::exporting::scorm::{
    Completion, CourseSnapshot, Reporting, ScormEdition, SnapshotActivity, SnapshotAssignment,
    SnapshotLesson, SnapshotMedia, SnapshotUnit,
};
use serde_json::Value;

const ENGLISH: &str = include_str!("../sample_en.json");
const ARABIC: &str = include_str!("../sample_ar.json");

/// Where the texts say that these files are; nobody ever asks there.
const MEDIA: [(&str, &str, &str); 4] = [
    (
        "https://media.example/plough.png",
        "plough.png",
        "image/png",
    ),
    (
        "https://media.example/chimes.wav",
        "chimes.wav",
        "audio/wav",
    ),
    (
        "https://media.example/jupiter.webm",
        "jupiter.webm",
        "video/webm",
    ),
    (
        "https://media.example/jupiter.vtt",
        "jupiter.vtt",
        "text/vtt",
    ),
];

/// The course in `language`, `ar` or else English; `folder` is the one that this file is in.
///
/// # Errors
/// If the document beside this file is not JSON.
pub fn course(
    language: &str,
    edition: ScormEdition,
    folder: &Path,
) -> Result<CourseSnapshot, serde_json::Error> {
    let source = if language == "ar" { ARABIC } else { ENGLISH };
    Ok(snapshot(&serde_json::from_str(source)?, edition, folder))
}

fn snapshot(sample: &Value, edition: ScormEdition, folder: &Path) -> CourseSnapshot {
    let media = MEDIA.map(|(address, file, media_type)| SnapshotMedia {
        address: address.to_owned(),
        file: folder.join(file),
        media_type: media_type.to_owned(),
        ..SnapshotMedia::default()
    });
    CourseSnapshot {
        cohort_id: "coh_sample".to_owned(),
        edition,
        service: None,
        accent_color: None,
        tutor: true,
        reporting: Reporting::default(),
        completion: Completion::default(),
        course_name: text(sample, "name"),
        cohort_name: text(sample, "cohort"),
        language: text(sample, "language"),
        description: text(sample, "description"),
        units: each(sample, "units").map(unit).collect(),
        assignments: each(sample, "assignments").map(assignment).collect(),
        media: Vec::from(media),
        unavailable: Vec::new(),
    }
}

fn unit(unit: &Value) -> SnapshotUnit {
    SnapshotUnit {
        id: text(unit, "id"),
        name: text(unit, "name"),
        description: text(unit, "description"),
        lessons: each(unit, "lessons").map(lesson).collect(),
    }
}

fn lesson(lesson: &Value) -> SnapshotLesson {
    SnapshotLesson {
        id: text(lesson, "id"),
        name: text(lesson, "name"),
        summary: text(lesson, "summary"),
        objectives: each(lesson, "objectives")
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        content: text(lesson, "content"),
        duration_minutes: lesson
            .get("minutes")
            .and_then(Value::as_u64)
            .map_or(0, |m| u32::try_from(m).unwrap_or(0)),
        language: None,
        activities: each(lesson, "activities").map(activity).collect(),
    }
}

fn activity(activity: &Value) -> SnapshotActivity {
    SnapshotActivity {
        id: text(activity, "id"),
        kind: text(activity, "kind"),
        name: text(activity, "name"),
        language: None,
        content: activity.get("content").cloned().unwrap_or_default(),
    }
}

fn assignment(assignment: &Value) -> SnapshotAssignment {
    SnapshotAssignment {
        id: text(assignment, "id"),
        unit_id: assignment
            .get("unit_id")
            .and_then(Value::as_str)
            .map(str::to_owned),
        name: text(assignment, "name"),
        instructions: text(assignment, "instructions"),
        max_attempts: None,
    }
}

fn text(value: &Value, key: &str) -> String {
    value
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn each<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}
