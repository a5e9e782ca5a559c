//! Writes a sample package with every kind of step and question, for a look or for the browser test:
//! `cargo run -p lyceum-scorm --example sample_package -- <1.2|2004|2004-4> <target.zip> [en|ar]`.

use std::error::Error;
use std::path::Path;

use lyceum_ports::scorm::{
    CourseSnapshot, LiveService, PackageWriter, Reporting, ScormEdition, SnapshotActivity,
    SnapshotAssignment, SnapshotLesson, SnapshotUnit,
};
use lyceum_scorm::ScormWriter;
use serde_json::Value;

const ENGLISH: &str = include_str!("sample_en.json");
const ARABIC: &str = include_str!("sample_ar.json");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let edition = match arguments.next().as_deref() {
        Some("1.2") => ScormEdition::V1_2,
        Some("2004") => ScormEdition::V2004,
        Some("2004-4") => ScormEdition::V2004Fourth,
        _ => return Err("first argument: 1.2, 2004 or 2004-4".into()),
    };
    let target = arguments
        .next()
        .ok_or("second argument: where to write the package")?;
    let source = if arguments.next().as_deref() == Some("ar") {
        ARABIC
    } else {
        ENGLISH
    };
    let snapshot = snapshot(&serde_json::from_str(source)?, edition);
    let written = ScormWriter.write(&snapshot, Path::new(&target))?;
    eprintln!(
        "{target}: {} bytes, content {}",
        written.size_bytes, written.content_hash
    );
    for warning in written.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(())
}

fn snapshot(sample: &Value, edition: ScormEdition) -> CourseSnapshot {
    CourseSnapshot {
        cohort_id: "coh_sample".to_owned(),
        edition,
        service: Some(LiveService {
            runtime_base_url: "https://lyceum.example".to_owned(),
            package_id: "scp_sample".to_owned(),
            launch_key: "lk_sample".to_owned(),
        }),
        accent_color: None,
        tutor: true,
        reporting: Reporting::default(),
        course_name: text(sample, "name"),
        cohort_name: text(sample, "cohort"),
        language: text(sample, "language"),
        description: text(sample, "description"),
        units: each(sample, "units").map(unit).collect(),
        assignments: each(sample, "assignments").map(assignment).collect(),
        media: Vec::new(),
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
        activities: each(lesson, "activities").map(activity).collect(),
    }
}

fn activity(activity: &Value) -> SnapshotActivity {
    SnapshotActivity {
        id: text(activity, "id"),
        kind: text(activity, "kind"),
        name: text(activity, "name"),
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
