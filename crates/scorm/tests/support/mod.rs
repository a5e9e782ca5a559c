//! A small course and an opened package, for the tests of this crate.
#![allow(dead_code, reason = "each test file uses its own part of the support")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

pub mod faults;
pub mod files;
pub mod raw_zip;
pub mod xml;

use std::collections::BTreeMap;
use std::io::Read;

use lyceum_ports::exporting::scorm::{
    Completion, CourseSnapshot, LiveService, PackageError, PackageWriter, Reporting, ScormEdition,
    SnapshotActivity, SnapshotAssignment, SnapshotLesson, SnapshotUnit, WrittenPackage,
};
use lyceum_scorm::ScormWriter;
use serde_json::{Value, json};

/// A course with one graded quiz, one ungraded activity and two assignments.
pub fn course(edition: ScormEdition) -> CourseSnapshot {
    CourseSnapshot {
        cohort_id: "coh_one".to_owned(),
        edition,
        service: Some(LiveService {
            runtime_base_url: "https://lyceum.example".to_owned(),
            package_id: "scp_one".to_owned(),
            launch_key: "lk_one".to_owned(),
        }),
        accent_color: None,
        tutor: true,
        reporting: Reporting::default(),
        completion: Completion::default(),
        course_name: "Night sky".to_owned(),
        cohort_name: "Spring".to_owned(),
        language: "en".to_owned(),
        description: "About *stars*.".to_owned(),
        units: vec![SnapshotUnit {
            id: "unt_one".to_owned(),
            name: "Start".to_owned(),
            description: String::new(),
            lessons: vec![lesson("les_one"), lesson("les_two")],
        }],
        assignments: vec![
            assignment("asg_one", Some("unt_one")),
            assignment("asg_two", None),
        ],
        media: Vec::new(),
        unavailable: Vec::new(),
    }
}

pub fn lesson(id: &str) -> SnapshotLesson {
    SnapshotLesson {
        id: id.to_owned(),
        name: "North".to_owned(),
        summary: "Short.".to_owned(),
        objectives: vec!["Find north".to_owned()],
        content: "# Text\n\nOf *this* lesson.".to_owned(),
        duration_minutes: 5,
        language: None,
        activities: vec![activity(&id.replace("les", "act"), "quiz", quiz(80))],
    }
}

pub fn activity(id: &str, kind: &str, content: Value) -> SnapshotActivity {
    SnapshotActivity {
        id: id.to_owned(),
        kind: kind.to_owned(),
        name: "Check".to_owned(),
        language: None,
        content,
    }
}

pub fn quiz(passing_percent: u64) -> Value {
    json!({"passing_percent": passing_percent, "questions": [
        {"id": "q1", "type": "true_false", "prompt": "Is it dark?", "answer": true},
    ]})
}

pub fn assignment(id: &str, unit: Option<&str>) -> SnapshotAssignment {
    SnapshotAssignment {
        id: id.to_owned(),
        unit_id: unit.map(str::to_owned),
        name: "Diary".to_owned(),
        instructions: "Write **three** pages.".to_owned(),
        max_attempts: None,
    }
}

/// What a file registers.
pub fn document_of(file: &str) -> Value {
    let call = file.trim().strip_prefix("lyceumRegister(").unwrap();
    let list = format!("[{}]", call.strip_suffix(");").unwrap());
    serde_json::from_str::<Value>(&list).unwrap()[2].take()
}

/// Everything that the player makes markup of.
pub fn markup_of(document: &Value) -> Vec<String> {
    match document {
        Value::Object(members) => {
            let own = members.get("html");
            let texts = own.and_then(Value::as_object).into_iter().flatten();
            let texts = texts.map(|(_, html)| html).chain(own);
            let mut found: Vec<String> = texts
                .filter_map(|html| html.as_str().map(str::to_owned))
                .collect();
            let others = members.iter().filter(|(name, _)| *name != "html");
            found.extend(others.flat_map(|(_, member)| markup_of(member)));
            found
        }
        Value::Array(list) => list.iter().flat_map(markup_of).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// A package, written and read back.
pub struct Package {
    pub written: WrittenPackage,
    pub bytes: Vec<u8>,
    /// Entry names in the archive's order.
    pub names: Vec<String>,
    /// What is in each, as text.
    pub files: BTreeMap<String, String>,
}

pub fn try_write(snapshot: &CourseSnapshot) -> Result<Package, PackageError> {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("package.zip");
    let written = ScormWriter.write(snapshot, &target)?;
    let bytes = std::fs::read(&target).unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes.clone())).unwrap();
    let mut names = Vec::new();
    let mut files = BTreeMap::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        let name = entry.name().unwrap().into_owned();
        names.push(name.clone());
        files.insert(name, String::from_utf8_lossy(&content).into_owned());
    }
    Ok(Package {
        written,
        bytes,
        names,
        files,
    })
}

pub fn write(snapshot: &CourseSnapshot) -> Package {
    try_write(snapshot).unwrap()
}

impl Package {
    pub fn manifest(&self) -> &str {
        &self.files["imsmanifest.xml"]
    }
}
