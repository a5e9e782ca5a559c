//! When a course is done and passed, as a package says it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod support;

use lyceum_ports::exporting::scorm::{Completion, CourseSnapshot, Done, ScormEdition};
use serde_json::{Value, json};
use support::{course, document_of, write};

fn by(done: Done, passing_percent: Option<u8>) -> CourseSnapshot {
    CourseSnapshot {
        completion: Completion {
            done,
            passing_percent,
        },
        ..course(ScormEdition::V1_2)
    }
}

fn outline(snapshot: &CourseSnapshot) -> (Value, Vec<String>) {
    let package = write(snapshot);
    let outline = document_of(&package.files["content/course.js"]);
    (outline, package.written.warnings)
}

#[test]
fn the_player_is_told_what_the_course_is_done_by() {
    let (outline_of_all, _) = outline(&by(Done::Everything, None));
    assert!(
        outline_of_all.get("completion").is_none(),
        "{outline_of_all}"
    );
    for (done, told) in [
        (Done::Share(80), json!({"rule": "share", "percent": 80})),
        (Done::Quizzes, json!({"rule": "quizzes", "percent": null})),
        (
            Done::Assignments,
            json!({"rule": "assignments", "percent": null}),
        ),
    ] {
        let (outline, warnings) = outline(&by(done, None));
        assert_eq!(outline["completion"], told);
        assert!(
            warnings.iter().all(|one| !one.contains("is done by")),
            "{warnings:?}"
        );
    }
    let steps = &outline_of_all["units"][0]["steps"];
    assert_eq!(
        (&steps[1]["graded"], &steps[1]["passMark"]),
        (&json!(true), &json!(80))
    );
}

#[test]
fn a_rule_by_what_the_course_has_not_is_told_and_left() {
    let mut without = by(Done::Quizzes, None);
    for lesson in &mut without.units[0].lessons {
        lesson.activities.clear();
    }
    let (shown, warnings) = outline(&without);
    assert!(shown.get("completion").is_none(), "{shown}");
    assert!(
        warnings
            .iter()
            .any(|one| one.contains("has no quiz that is scored")),
        "{warnings:?}"
    );
    let mut without = by(Done::Assignments, None);
    without.assignments.clear();
    let (_, warnings) = outline(&without);
    assert!(
        warnings.iter().any(|one| one.contains("has no assignment")),
        "{warnings:?}"
    );
}

#[test]
fn a_stated_pass_mark_goes_before_the_quizzes_own() {
    let stated = by(Done::Everything, Some(55));
    assert!(
        write(&stated)
            .manifest()
            .contains("<adlcp:masteryscore>55<")
    );
    assert_eq!(outline(&stated).0["passMark"], json!(55));
    // Nothing that is scored: a mark would fail everybody.
    let mut unscored = by(Done::Everything, Some(55));
    for lesson in &mut unscored.units[0].lessons {
        lesson.activities.clear();
    }
    assert!(!write(&unscored).manifest().contains("masteryscore"));
    unscored.reporting.waits_for_grades = true;
    assert!(
        write(&unscored)
            .manifest()
            .contains("<adlcp:masteryscore>55<")
    );
}
