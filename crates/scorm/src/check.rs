//! Whether a snapshot can become a package at all, asked before the first byte is written.
//!
//! Only refusals live here; what can be repaired is repaired, with a warning, where it is written.

use std::collections::BTreeSet;

use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageError};

/// Ids become file names, so they are kept well under what old unzip tools take.
const ID_CHARS: usize = 80;

/// Refuses a course without lessons and ids that could not be file names or identifiers.
pub fn exportable(snapshot: &CourseSnapshot) -> Result<(), PackageError> {
    if snapshot.units.iter().all(|unit| unit.lessons.is_empty()) {
        return Err(PackageError::NothingToExport(
            "this cohort's course has no lessons yet: add a unit and a lesson, or generate a \
             syllabus, then export again"
                .to_owned(),
        ));
    }
    well_formed("cohort", &snapshot.cohort_id)?;
    let mut seen = BTreeSet::new();
    for (what, id) in ids(snapshot) {
        well_formed(what, id)?;
        // Half of the world's file systems cannot tell `A` from `a`.
        if !seen.insert(id.to_ascii_lowercase()) {
            return Err(PackageError::Invalid(format!(
                "the {what} id {id} occurs twice"
            )));
        }
    }
    Ok(())
}

fn ids(snapshot: &CourseSnapshot) -> Vec<(&'static str, &str)> {
    let mut ids = Vec::new();
    for unit in &snapshot.units {
        ids.push(("unit", unit.id.as_str()));
        for lesson in &unit.lessons {
            ids.push(("lesson", lesson.id.as_str()));
            ids.extend(
                lesson
                    .activities
                    .iter()
                    .map(|a| ("activity", a.id.as_str())),
            );
        }
    }
    ids.extend(
        snapshot
            .assignments
            .iter()
            .map(|a| ("assignment", a.id.as_str())),
    );
    ids
}

fn well_formed(what: &str, id: &str) -> Result<(), PackageError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !id.is_empty() && id.len() <= ID_CHARS && id.chars().all(plain) {
        return Ok(());
    }
    let shown: String = id
        .chars()
        .filter(|c| !c.is_control())
        .take(ID_CHARS)
        .collect();
    Err(PackageError::Invalid(format!(
        "the {what} id {shown:?} cannot be used in a package"
    )))
}
