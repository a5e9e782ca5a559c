//! The player for everybody: each step in each look, by keyboard alone, in Arabic, and in a long course; and
//! what its views promise.

#[path = "../../crates/scorm/examples/sample/mod.rs"]
mod sample;

use std::path::{Path, PathBuf};

use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageWriter, ScormEdition};
use lyceum_scorm::ScormWriter;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::traces::NoTraces;

const SAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/scorm/examples/sample"
);

/// Of the sample.
const STEPS: u64 = 12;

fn sample(language: &str) -> CourseSnapshot {
    sample::course(language, ScormEdition::V2004, Path::new(SAMPLE)).unwrap()
}

/// The sample's units twice, so that its menu is long enough to be searched.
fn long() -> CourseSnapshot {
    let mut course = sample("en");
    let mut again = course.units.clone();
    for unit in &mut again {
        unit.id.push_str("_again");
        for lesson in &mut unit.lessons {
            lesson.id.push_str("_again");
            for activity in &mut lesson.activities {
                activity.id.push_str("_again");
            }
        }
    }
    course.units.extend(again);
    course
}

/// A package of `course` in a folder of its own.
fn written(course: &CourseSnapshot) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let package = folder.path().join("sample.zip");
    ScormWriter.write(course, &package).unwrap();
    (folder, package)
}

/// What the program found out about a package of `course` in `looks`.
fn examined(course: &CourseSnapshot, looks: &[&str]) -> Value {
    let (_folder, package) = written(course);
    examined_package(&package, looks)
}

/// The same of a package that is there already.
pub fn examined_package(package: &Path, looks: &[&str]) -> Value {
    let traces = NoTraces::expected();
    let mut command = Programs::of("scorm_player").command("accessibility.mjs", &traces);
    let examined = node::output(command.arg(package).args(looks));
    let complaint = String::from_utf8_lossy(&examined.stderr);
    let report = serde_json::from_slice(&examined.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

/// Other colours and paper are looked at on the same walk as the screen: what is there and what it does is the same.
#[rstest]
#[case::on_a_screen("en", "light+dark+contrast+print", STEPS)]
#[case::on_a_phone("en", "phone", 0)]
#[case::enlarged("en", "large", 0)]
#[case::in_arabic("ar", "light", 0)]
#[case::in_arabic_on_a_phone("ar", "phone", 0)]
fn nobody_is_kept_out_of_a_course(#[case] language: &str, #[case] look: &str, #[case] sheets: u64) {
    let report = examined(&sample(language), &[look]);
    assert_eq!(report["findings"], json!([]), "{report:#}");
    let states = report["states"].as_u64().unwrap();
    assert!(states > 25, "{report:#}");
    assert_eq!(report["sheets"], sheets, "{report:#}");
}

#[rstest]
#[case::in_english("en")]
#[case::in_arabic("ar")]
fn the_keyboard_is_enough(#[case] language: &str) {
    let report = examined(&sample(language), &["keyboard"]);
    assert_eq!(report["findings"], json!([]), "{report:#}");
    assert_eq!(report["keyboard"]["completion"], "completed", "{report:#}");
    assert_eq!(report["keyboard"]["success"], "passed", "{report:#}");
}

#[test]
fn a_long_course_can_be_searched() {
    let report = examined(&long(), &["phone"]);
    assert_eq!(report["findings"], json!([]), "{report:#}");
    assert_eq!(report["searched"], true, "{report:#}");
}

#[rstest]
#[case::in_english("en")]
#[case::in_arabic("ar")]
fn the_views_keep_what_they_promise(#[case] language: &str) {
    let (_folder, package) = written(&sample(language));
    let traces = NoTraces::expected();
    let mut command = Programs::of("scorm_player").command("views.mjs", &traces);
    let played = node::output(command.arg(&package).arg(SAMPLE));
    let lines = String::from_utf8_lossy(&played.stdout);
    let complaint = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{lines}{complaint}");
}
