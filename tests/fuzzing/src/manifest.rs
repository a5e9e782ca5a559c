//! Packages: whatever a course is called, its manifest is well-formed, says what it says everywhere, and every file
//! has a name that no system stumbles over.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;

use lyceum_ports::exporting::scorm::{
    Completion, CourseSnapshot, PackageWriter, Reporting, ScormEdition, SnapshotAssignment,
    SnapshotLesson, SnapshotUnit,
};
use lyceum_scorm::ScormWriter;
use quick_xml::events::Event;
use zip::ZipArchive;

const ELEMENTS: [&str; 31] = [
    "manifest",
    "metadata",
    "schema",
    "schemaversion",
    "imsmd:lom",
    "imsmd:general",
    "imsmd:title",
    "imsmd:langstring",
    "imsmd:language",
    "organizations",
    "organization",
    "title",
    "item",
    "adlcp:masteryscore",
    "resources",
    "resource",
    "file",
    "imsss:sequencing",
    "imsss:deliveryControls",
    "imsss:objectives",
    "imsss:primaryObjective",
    "imsss:minNormalizedMeasure",
    "adlcp:timeLimitAction",
    "adlcp:dataFromLMS",
    "adlcp:completionThreshold",
    "imsss:controlMode",
    "imsss:rollupRules",
    "imsss:sequencingRules",
    "imsss:limitConditions",
    "imsss:randomizationControls",
    "adlseq:objectives",
];

/// Lines: names of course, cohort, unit, lesson, assignment; the rest is the lesson's text.
fn snapshot(data: &[u8]) -> CourseSnapshot {
    let text = String::from_utf8_lossy(data.get(1..).unwrap_or_default());
    let mut lines = text.splitn(6, '\n');
    let mut line = || lines.next().unwrap_or("name").to_owned();
    CourseSnapshot {
        cohort_id: "coh_one".to_owned(),
        edition: match data.first().copied().unwrap_or_default() % 3 {
            0 => ScormEdition::V1_2,
            1 => ScormEdition::V2004,
            _ => ScormEdition::V2004Fourth,
        },
        service: None,
        accent_color: None,
        tutor: false,
        reporting: Reporting::default(),
        completion: Completion::default(),
        course_name: line(),
        cohort_name: line(),
        language: "en".to_owned(),
        description: String::new(),
        units: vec![SnapshotUnit {
            id: "unt_one".to_owned(),
            name: line(),
            description: String::new(),
            lessons: vec![SnapshotLesson {
                id: "les_one".to_owned(),
                name: line(),
                summary: String::new(),
                objectives: Vec::new(),
                content: line(),
                duration_minutes: 5,
                language: None,
                activities: Vec::new(),
            }],
        }],
        assignments: vec![SnapshotAssignment {
            id: "asg_one".to_owned(),
            unit_id: None,
            name: line(),
            instructions: String::new(),
            max_attempts: None,
        }],
        media: Vec::new(),
        unavailable: Vec::new(),
    }
}

pub fn fuzz(data: &[u8]) -> bool {
    let snapshot = snapshot(data);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("package.zip");
    if ScormWriter.write(&snapshot, &target).is_err() {
        return false;
    }
    let mut archive = ZipArchive::new(File::open(&target).unwrap()).unwrap();
    let names: Vec<String> = archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    check_names(&names);
    let mut manifest = String::new();
    let mut entry = archive.by_name("imsmanifest.xml").unwrap();
    entry.read_to_string(&mut manifest).unwrap();
    check_manifest(&manifest, &snapshot.course_name);
    true
}

fn check_names(names: &[String]) {
    let each: BTreeSet<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    assert_eq!(
        each.len(),
        names.len(),
        "a name stands for two files: {names:?}"
    );
    for name in names {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
        assert!(name.chars().all(plain) && name.len() <= 120, "{name}");
        assert!(!name.contains("..") && !name.starts_with('/'), "{name}");
    }
}

/// Well-formed, of known elements only, and with the same title wherever one stands.
fn check_manifest(manifest: &str, name: &str) {
    let mut reader = quick_xml::Reader::from_str(manifest);
    reader.config_mut().check_end_names = true;
    let (mut titles, mut within) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                let element = start.name().as_ref().to_owned();
                assert!(
                    ELEMENTS.contains(&element.as_str()),
                    "<{element}> in {manifest}"
                );
                if element == "title" {
                    titles.push(String::new());
                }
                within.push(element);
            }
            Event::Empty(start) => {
                let element = start.name().as_ref().to_owned();
                assert!(
                    ELEMENTS.contains(&element.as_str()),
                    "<{element}/> in {manifest}"
                );
            }
            Event::End(_) => drop(within.pop()),
            Event::Text(text) if within.last().is_some_and(|element| element == "title") => {
                titles.last_mut().unwrap().push_str(&text);
            }
            Event::Eof => break,
            Event::CData(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {
                panic!("nothing of this kind is written: {manifest}")
            }
            Event::Text(_) | Event::Decl(_) | Event::GeneralRef(_) => {}
        }
    }
    assert!(within.is_empty() && !titles.is_empty(), "{manifest}");
    assert!(titles.iter().all(|title| *title == titles[0]), "{titles:?}");
    let letters =
        |text: &str| -> String { text.chars().filter(char::is_ascii_alphanumeric).collect() };
    let (said, wanted) = (letters(&titles[0]), letters(name));
    assert!(
        wanted.starts_with(&said) || said == "Course",
        "{titles:?} of {name:?}"
    );
}
