//! The files that what came out is written to.

use std::path::Path;

use anyhow::Context;

use super::outcome::Outcome;
use super::packages::EDITIONS;
use super::progress::Done;
use super::{course_text, grades_csv, report};

const REPORT: &str = "report.html";
const GRADES: &str = "grades.csv";
const COURSE: &str = "course.md";

/// Every file, and what it is.
pub const FILES: [(&str, &str); 5] = [
    (
        REPORT,
        "answers with the evidence for each grade; open it in a browser",
    ),
    (GRADES, "the grades as a table"),
    (COURSE, "the generated course"),
    (EDITIONS[0].file, "the cohort as a SCORM 1.2 package"),
    (EDITIONS[1].file, "the cohort as a SCORM 2004 package"),
];

/// Writes what people read. The packages are there already.
pub fn write(outcome: &Outcome, folder: &Path) -> anyhow::Result<Done<()>> {
    save(
        &folder.join(COURSE),
        course_text::course(&outcome.course, &outcome.outline).as_bytes(),
    )?;
    save(&folder.join(GRADES), &grades_csv::table(outcome)?)?;
    save(&folder.join(REPORT), report::page(outcome).as_bytes())?;
    Ok(Done::new(
        (),
        "",
        format!("{} files in {}", FILES.len(), folder.display()),
    ))
}

fn save(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| path.display().to_string())
}
