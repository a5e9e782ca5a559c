//! A teacher's day in a real browser: found, reviewed, accepted at once and taken back, graded by AI, read in the book of grades; with every action
//! counted. How long it takes is told and not judged.

use serde_json::{Value, json};

use crate::node;

/// Most actions of all that is no decision about one submission.
const MOST_ACTIONS: u64 = 40;
/// Most until a submission is found, from the overview.
const MOST_TO_FIND: u64 = 3;

#[test]
fn a_teachers_day_takes_few_actions() {
    let report = node::walked("day.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    let (mouse, keyboard) = (&report["mouse"], &report["keyboard"]);
    for day in [mouse, keyboard] {
        few_are_needed(day);
    }
    each_is_decided_about(mouse);
    many_are_accepted_and_taken_back(mouse, 60, "Learner 0008");
    // One of them had been decided about by somebody else before.
    many_are_accepted_and_taken_back(keyboard, 59, "Learner 0018");
    assert_eq!(keyboard["pointed"], 0, "{keyboard:#}");
    ai_does_the_rest(mouse);
    the_book_is_read(mouse);
    it_goes_on_a_telephone(&report["phone"]);
}

fn few_are_needed(day: &Value) {
    assert!(day["rest"].as_u64().unwrap() <= MOST_ACTIONS, "{day:#}");
    let found = day["actions"]["find"].as_u64().unwrap();
    assert!(found <= MOST_TO_FIND, "{day:#}");
    assert_eq!(day["found"][0], 1, "{day:#}");
}

/// Twelve, of which three got other points, and the last lies on the desk again.
fn each_is_decided_about(day: &Value) {
    let reviewed = json!({"accepted": 8, "changed": 3, "undone": "in_review"});
    assert_eq!(day["reviewed"], reviewed, "{day:#}");
    // One key for each that is accepted, four actions where points are changed, and the undo.
    assert_eq!(day["decisions"], 9 + 3 * 4 + 1, "{day:#}");
    // More than the desk fetches at first.
    assert_eq!(day["walked"], 51, "{day:#}");
}

/// All wait again but the one that was graded otherwise meanwhile, which is named.
fn many_are_accepted_and_taken_back(day: &Value, many: u64, name: &str) {
    let accepted = format!("Accepted: {many} of {many}.");
    assert_eq!(day["accepted"], json!([many, accepted, 60]), "{day:#}");
    let left = many - 1;
    let undone =
        format!("They stand again as they stood before: {left} of {many}. Left as they are: 1.");
    assert_eq!(day["undone"], json!([undone, left, 3]), "{day:#}");
    assert_eq!(day["named"], json!([name]), "{day:#}");
}

/// However far AI came before it was stopped.
fn ai_does_the_rest(day: &Value) {
    assert_eq!(day["ai_stopped"][0], 40, "{day:#}");
    assert_eq!(day["ai_left"], 0, "{day:#}");
}

fn the_book_is_read(day: &Value) {
    assert_eq!(day["weights"], json!([40, 50]), "{day:#}");
    assert_eq!(day["files"]["lines"], 70, "{day:#}");
    assert_eq!(day["files"]["workbook"], "PK", "{day:#}");
    assert!(day["pictures"].as_u64().unwrap() > 0, "{day:#}");
}

fn it_goes_on_a_telephone(day: &Value) {
    assert_eq!(
        day["accepted"],
        json!(["graded", "Learner 0003"]),
        "{day:#}"
    );
}
