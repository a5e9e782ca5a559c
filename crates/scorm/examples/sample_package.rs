//! Writes a sample package with every kind of step and question, for a look or for the browser test:
//! `cargo run -p lyceum-scorm --example sample_package -- <1.2|2004|2004-4> <target.zip> [en|ar] [#rrggbb]`.
//! A picture and a recording are made on the spot and travel in the package.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use lyceum_ports::scorm::{
    CourseSnapshot, LiveService, PackageWriter, Reporting, ScormEdition, SnapshotActivity,
    SnapshotAssignment, SnapshotLesson, SnapshotMedia, SnapshotUnit,
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
    let folder = tempfile::tempdir()?;
    let mut snapshot = snapshot(&serde_json::from_str(source)?, edition);
    snapshot.accent_color = arguments.next();
    snapshot.media = vec![
        media(folder.path(), "https://example.org/plough.png", &drawing()?)?,
        media(folder.path(), "https://example.org/audio.mp3", &tone())?,
    ];
    let written = ScormWriter.write(&snapshot, Path::new(&target))?;
    eprintln!(
        "{target}: {} bytes, content {}",
        written.size_bytes, written.content_hash
    );
    eprintln!("{} files", written.files);
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

fn media(folder: &Path, address: &str, bytes: &[u8]) -> io::Result<SnapshotMedia> {
    let name = address.rsplit('/').next().unwrap_or_default();
    let file = folder.join(name);
    fs::write(&file, bytes)?;
    Ok(SnapshotMedia {
        address: address.to_owned(),
        file,
        media_type: "application/octet-stream".to_owned(),
    })
}

/// Seven stars on a dark ground, as a PNG of one byte per pixel.
fn drawing() -> io::Result<Vec<u8>> {
    const STARS: [(u32, u32); 7] = [
        (40, 60),
        (110, 50),
        (160, 80),
        (205, 105),
        (215, 160),
        (310, 165),
        (320, 95),
    ];
    const SIZE: (u32, u32) = (360, 200);
    let near = |x: u32, y: u32| {
        STARS
            .iter()
            .any(|(a, b)| x.abs_diff(*a).pow(2) + y.abs_diff(*b).pow(2) < 17)
    };
    let mut pixels = Vec::new();
    for y in 0..SIZE.1 {
        pixels.push(0);
        pixels.extend((0..SIZE.0).map(|x| if near(x, y) { 0xff } else { 0x20 }));
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&pixels)?;
    let mut header = [SIZE.0.to_be_bytes(), SIZE.1.to_be_bytes()].concat();
    header.extend([8, 0, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [
        (b"IHDR", header),
        (b"IDAT", packed.finish()?),
        (b"IEND", Vec::new()),
    ] {
        let mut check = Crc::new();
        check.update(kind);
        check.update(&data);
        png.extend(u32::try_from(data.len()).unwrap_or_default().to_be_bytes());
        png.extend(kind);
        png.extend(data);
        png.extend(check.sum().to_be_bytes());
    }
    Ok(png)
}

/// Three seconds of a quiet tone, as a WAV of 8000 bytes per second.
fn tone() -> Vec<u8> {
    const BYTES: u32 = 24_000;
    let mut wav = b"RIFF".to_vec();
    wav.extend((BYTES + 36).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data");
    wav.extend(BYTES.to_le_bytes());
    wav.extend([120, 128, 136, 144, 136, 128, 120, 112].repeat(3000));
    wav
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
