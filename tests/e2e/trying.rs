//! What authors try before anybody sees it, in a real browser: a text as it is typed, the player, and a rubric on an answer.

use serde_json::{Value, json};

use crate::node;

#[test]
fn authors_try_what_they_write_before_anybody_sees_it() {
    let report = node::walked("trying.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    what_is_typed_is_seen_before_it_is_saved(&report["typed"]);
    what_plays_is_what_is_saved_and_keeps_nothing(&report);
    a_rubric_is_tried_as_it_stands_on_the_page(&report["rubric"]);
}

fn what_is_typed_is_seen_before_it_is_saved(typed: &Value) {
    let now = "As you type it, saved or not.";
    let before = "This is what was there before: the service cannot be reached.";
    assert_eq!(typed["note"], now, "{typed:#}");
    let warned = typed["warned"].as_str().unwrap_or_default();
    assert!(warned.contains("<marquee>"), "{typed:#}");
    assert_eq!(typed["kept"], "It is **cold**.\n", "{typed:#}");
    assert_eq!(typed["away"], json!([before, false]), "{typed:#}");
    assert_eq!(typed["back"], now, "{typed:#}");
}

fn what_plays_is_what_is_saved_and_keeps_nothing(report: &Value) {
    let lesson = json!({
        "said": "What was not saved yet is saved now.", "kept": true, "origin": "null",
        "storage": "SecurityError", "focus": "Try it",
        "page": "A try of what is saved: nothing is reported to anybody, and nothing is kept.",
    });
    assert_eq!(report["lesson"], lesson, "{report:#}");
    let quiz = json!({"attempts": 0, "name": "Check yourself"});
    assert_eq!(report["quiz"], quiz, "{report:#}");
}

fn a_rubric_is_tried_as_it_stands_on_the_page(rubric: &Value) {
    let expected = json!({
        "empty": "Type or paste an answer first.", "marked": true, "criterion": "How it is done",
        "unsaved": "This rests on what is not saved: Rubric.", "focus": "h3", "lit": true,
        "submissions": 0, "saved": "Method",
    });
    assert_eq!(*rubric, expected, "{rubric:#}");
}
