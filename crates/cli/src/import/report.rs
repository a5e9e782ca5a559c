//! What an import tells: what was made, what was there, and what is wrong with the file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;

use lyceum_terminal::{say, say_beside};

/// Something wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// From 1.
    pub line: usize,
    /// In a sentence without a period.
    pub says: String,
}

impl Problem {
    pub fn at(line: usize, says: impl Into<String>) -> Self {
        let says = says.into();
        Self { line, says }
    }
}

/// What was done with what a file holds, or what would be.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The course, where it is one and it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course_id: Option<String>,
    /// How many of each kind were made.
    pub made: BTreeMap<&'static str, u64>,
    /// How many of each kind were there.
    pub there: BTreeMap<&'static str, u64>,
    /// What is there and is otherwise than the file says; it was left alone.
    pub differs: Vec<Problem>,
}

impl Report {
    pub fn made(&mut self, kind: &'static str) {
        *self.made.entry(kind).or_default() += 1;
    }

    pub fn there(&mut self, kind: &'static str) {
        *self.there.entry(kind).or_default() += 1;
    }

    pub fn differs(&mut self, line: usize, says: impl Into<String>) {
        self.differs.push(Problem::at(line, says));
    }

    /// Tells people or programs.
    pub fn tell(&self, is_dry: bool, as_json: bool) {
        if as_json {
            let mut document = json!(self);
            if let Some(members) = document.as_object_mut() {
                members.insert("dry_run".to_owned(), is_dry.into());
            }
            say!("{document}");
            return;
        }
        if let Some(course) = &self.course_id {
            say!("course {course}");
        }
        let made = if is_dry { "would be made" } else { "made" };
        say!("{made}: {}", listed(&self.made));
        say!("there already: {}", listed(&self.there));
        for Problem { line, says } in &self.differs {
            say!("line {line}: {says}; left as it is");
        }
    }
}

fn listed(counts: &BTreeMap<&'static str, u64>) -> String {
    let listed: Vec<String> = counts
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    if listed.is_empty() {
        "nothing".to_owned()
    } else {
        listed.join(", ")
    }
}

/// Tells what is wrong with the file: nothing was sent.
pub fn refuse(file: &Path, problems: &[Problem], as_json: bool) -> ExitCode {
    if as_json {
        say!("{}", json!({ "problems": problems }));
        return ExitCode::FAILURE;
    }
    let name = file.display();
    for Problem { line, says } in problems {
        say_beside!("{name}:{line}: {says}");
    }
    say_beside!("{} wrong; nothing was imported", problems.len());
    ExitCode::FAILURE
}
