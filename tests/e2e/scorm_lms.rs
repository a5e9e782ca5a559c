//! A packed course against LMSs of all sorts, in a browser: whatever they are like, nothing is lost and nothing
//! that is wrong is told.

use std::process::Command;

use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::scorm_courses;
use crate::traces::NoTraces;

/// Runs a program that prints one JSON line per scenario, and says which of them went wrong.
fn judge(command: &mut Command) {
    let played = node::output(command);
    let complaint = String::from_utf8_lossy(&played.stderr);
    let lines = String::from_utf8(played.stdout).unwrap();
    let scenarios: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} {complaint}")))
        .collect();
    let faults: Vec<String> = scenarios
        .iter()
        .filter(|scenario| !scenario["fault"].is_null())
        .map(|scenario| format!("{}: {}", scenario["scenario"], scenario["fault"]))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(!scenarios.is_empty(), "no scenario was played: {complaint}");
    assert!(played.status.success(), "{lines} {complaint}");
}

/// The scenarios of one theme, against LMSs of one edition.
fn play(theme: &str, edition: &str, courses: &[&str]) {
    let folder = TempDir::new().unwrap();
    scorm_courses::pack(courses, folder.path());
    let programs = Programs::of("scorm_player");
    let traces = NoTraces::expected();
    judge(
        programs
            .command("lms/run.mjs", &traces)
            .args([theme, edition])
            .arg(folder.path()),
    );
}

#[rstest]
fn the_player_gets_on_with_every_lms(
    #[values("outcomes", "visits", "finding", "records")] theme: &str,
    #[values("1.2", "2004")] edition: &str,
) {
    let courses = ["short", "reading", "large", "questions", "arabic"];
    let needed = if theme == "records" { 5 } else { 2 };
    play(theme, edition, &courses[..needed]);
}

/// The other edition has room for more than anybody writes.
#[test]
fn a_large_course_fits_into_what_the_older_edition_keeps() {
    play("large", "1.2", &["large"]);
}

/// A second opinion: the same of an LMS that others wrote.
#[rstest]
fn scorm_again_resumes_where_a_tab_was_closed(#[values("1.2", "2004")] edition: &str) {
    let folder = TempDir::new().unwrap();
    scorm_courses::pack(&["short"], folder.path());
    let programs = Programs::of("scorm_player");
    let traces = NoTraces::expected();
    let played = node::output(
        programs
            .command("play.mjs", &traces)
            .arg(folder.path().join(format!("short-{edition}.zip")))
            .args([edition, "resume"]),
    );
    let report = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{report}");
}

#[test]
fn state_outlives_changed_courses_and_broken_strings() {
    let programs = Programs::of("scorm_player");
    let traces = NoTraces::expected();
    judge(&mut programs.command("lms/state.mjs", &traces));
}

#[test]
fn an_lms_is_told_in_words_and_never_for_nothing() {
    let programs = Programs::of("scorm_player");
    let traces = NoTraces::expected();
    judge(&mut programs.command("lms/telling.mjs", &traces));
}

#[rstest]
fn every_deliberate_breakage_of_the_player_is_noticed(
    #[values("1/4", "2/4", "3/4", "4/4")] share: &str,
) {
    let folder = TempDir::new().unwrap();
    let courses = ["short", "reading", "large", "questions"];
    scorm_courses::pack(&courses, folder.path());
    let programs = Programs::of("scorm_player");
    let traces = NoTraces::expected();
    judge(
        programs
            .command("lms/mutations.mjs", &traces)
            .arg(folder.path())
            .arg(share),
    );
}
