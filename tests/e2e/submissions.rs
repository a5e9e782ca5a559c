//! Many submissions in a real browser: found, selected, accepted at once and taken back, by mouse, by keys and on a telephone.

use serde_json::{Value, json};

use crate::node;

#[test]
fn any_submission_is_found_and_many_are_decided_about_at_once() {
    let report = node::walked("submissions.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        many_are_accepted_and_taken_back(&report[look]);
    }
    let desk = &report["desk"];
    one_is_found(desk);
    what_is_selected_stays(desk);
    what_was_left_is_named(desk);
    keys_do_the_same(desk);
    assert_eq!(desk["grader"], json!([true, true]), "{desk:#}");
    some_are_graded_again(desk);
}

fn one_is_found(desk: &Value) {
    let found = json!([["Learner 07"], "#/submissions?q=Learner+07"]);
    assert_eq!(desk["found"], found, "{desk:#}");
    assert_eq!(desk["cleared"], json!(["#/submissions", true]), "{desk:#}");
    // An assignment brings its course along, and can be asked for stale grades.
    assert_eq!(desk["narrowed"], json!([true, true]), "{desk:#}");
    // What has no grade is in no order of grades; what belongs to a course goes with it.
    assert_eq!(desk["lately"], json!([true, true]), "{desk:#}");
    assert_eq!(desk["sorts"], 2, "{desk:#}");
    assert_eq!(desk["elsewhere"], "", "{desk:#}");
}

fn what_is_selected_stays(desk: &Value) {
    assert_eq!(desk["range"], json!([5, "Selected: 5"]), "{desk:#}");
    // Whoever comes back from the desk is where they were.
    assert_eq!(desk["came_back"], json!([5, 2]), "{desk:#}");
}

fn some_are_graded_again(desk: &Value) {
    let chosen = "Only those that you selected: 2";
    let again = json!(["chosen", chosen, 2, 2, true]);
    assert_eq!(desk["again"], again, "{desk:#}");
    let several = desk["of_several"].as_str().unwrap_or_default();
    assert!(
        several.starts_with("What you selected is of 2 assignments."),
        "{desk:#}"
    );
}

fn many_are_accepted_and_taken_back(run: &Value) {
    assert_eq!(run["all"], 60, "{run:#}");
    assert_eq!(run["graded"], 60, "{run:#}");
    assert_eq!(run["left_selected"], 0, "{run:#}");
    assert_eq!(run["focus"], true, "{run:#}");
    // All wait again but the one that a person graded meanwhile, whose grade stands.
    assert_eq!(run["waits"], json!([59, 3]), "{run:#}");
    assert_eq!(run["named"], true, "{run:#}");
    assert_eq!(run["closed"], 0, "{run:#}");
}

fn what_was_left_is_named(desk: &Value) {
    assert_eq!(desk["question"], "Accept these grades (60)?", "{desk:#}");
    assert_eq!(desk["accepted"], "Accepted: 60 of 60.", "{desk:#}");
    let undone = "They stand again as they stood before: 59 of 60. Left as they are: 1.";
    assert_eq!(desk["undone"], undone, "{desk:#}");
    let why = json!(["Changed since by somebody"]);
    assert_eq!(desk["why"], why, "{desk:#}");
}

/// Three are selected from the third on, one is taken out again, and one of those that are left has been decided already.
fn keys_do_the_same(desk: &Value) {
    assert_eq!(desk["by_keys"], json!([3, "Learner 05"]), "{desk:#}");
    assert_eq!(desk["given_up"], json!([2, 1]), "{desk:#}");
    let mixed = "Accepted: 2 of 3. Left as they are: 1.";
    assert_eq!(desk["mixed"], mixed, "{desk:#}");
    let refused = json!(["Not graded yet, accepted already, or to be graded blind"]);
    assert_eq!(desk["refused"], refused, "{desk:#}");
    assert_eq!(desk["kept_focus"], true, "{desk:#}");
    assert_eq!(desk["cleared_by_key"], 0, "{desk:#}");
}
