//! What came out, and the files it is written to.

use std::path::Path;

use anyhow::Context;
use lyceum_wire::authoring::assignments::AssignmentView;
use lyceum_wire::authoring::courses::CourseView;
use lyceum_wire::learning::cohorts::CohortView;

use super::authoring::UnitOutline;
use super::grading::{Graded, Quotes};
use super::packages::EDITIONS;
use super::progress::Done;
use super::review::{Explained, Review};
use super::tutoring::Talk;
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

/// Everything the story made.
pub struct Outcome {
    pub course: CourseView,
    pub outline: Vec<UnitOutline>,
    pub cohort: CohortView,
    pub assignment: AssignmentView,
    pub graded: Vec<Graded>,
    pub quotes: Quotes,
    pub review: Review,
    pub explained: Explained,
    pub talks: Vec<Talk>,
    /// Grade records in chains that hold.
    pub records: u64,
}

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
