//! Packs a folder of lessons and recordings once and says what it took; `make bench-scorm` runs it many times:
//! `bench <folder with lessons/*.md and media/*.mp3> <target.zip>`.

use std::error::Error;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use lyceum_ports::exporting::scorm::{
    Completion, CourseSnapshot, PackageWriter, Reporting, ScormEdition, SnapshotActivity,
    SnapshotLesson, SnapshotMedia, SnapshotUnit,
};
use lyceum_scorm::ScormWriter;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(target)) = (arguments.next(), arguments.next()) else {
        return Err("arguments: a folder, and where to write the package".into());
    };
    let snapshot = snapshot(&folder)?;
    let before = peak_memory();
    let start = Instant::now();
    let written = ScormWriter.write(&snapshot, &target)?;
    let report = json!({
        "milliseconds": start.elapsed().as_secs_f64() * 1000.0,
        "bytes": written.size_bytes,
        "files": written.files,
        "warnings": written.warnings,
        "memory_growth_kb": peak_memory().saturating_sub(before),
    });
    writeln!(stdout(), "{report}")?;
    Ok(())
}

/// Most memory the process ever had, in KiB, as Linux counts it; 0 elsewhere.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    Ok(files)
}

fn snapshot(folder: &Path) -> Result<CourseSnapshot, Box<dyn Error>> {
    let mut lessons = Vec::new();
    for (number, file) in sorted(&folder.join("lessons"))?.iter().enumerate() {
        lessons.push(SnapshotLesson {
            id: format!("les_{number:03}"),
            name: format!("Lesson {number}"),
            summary: String::new(),
            objectives: Vec::new(),
            content: fs::read_to_string(file)?,
            duration_minutes: 10,
            language: None,
            activities: Vec::new(),
        });
    }
    let mut media = Vec::new();
    for (file, lesson) in sorted(&folder.join("media"))?.into_iter().zip(&mut lessons) {
        let address = format!("https://media.example/{}", lesson.id);
        lesson.activities.push(SnapshotActivity {
            id: lesson.id.replace("les", "act"),
            kind: "podcast".to_owned(),
            name: "Listen".to_owned(),
            language: None,
            content: json!({"audio": {"status": "ready", "url": address}}),
        });
        media.push(SnapshotMedia {
            address,
            file,
            media_type: "audio/mpeg".to_owned(),
            ..SnapshotMedia::default()
        });
    }
    Ok(CourseSnapshot {
        cohort_id: "coh_bench".to_owned(),
        edition: ScormEdition::V2004,
        service: None,
        accent_color: None,
        tutor: false,
        reporting: Reporting::default(),
        completion: Completion::default(),
        course_name: "A hundred lessons".to_owned(),
        cohort_name: "Spring".to_owned(),
        language: "en".to_owned(),
        description: String::new(),
        units: vec![SnapshotUnit {
            id: "unt_all".to_owned(),
            name: "All".to_owned(),
            description: String::new(),
            lessons,
        }],
        assignments: Vec::new(),
        media,
        unavailable: Vec::new(),
    })
}
