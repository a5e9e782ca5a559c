//! A cohort in Studio, in a real browser: what is known of its lessons, and who is in it.

use serde_json::{Value, json};

use crate::node;

#[test]
fn teachers_see_to_a_cohort_and_who_is_in_it() {
    let report = node::walked("cohorts.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        what_is_not_known_is_not_open(&report[look]);
        people_are_taken_out(&report[look]);
    }
    let desk = &report["desk"];
    let asked = desk["asked"].as_str().unwrap_or_default();
    assert!(asked.starts_with("Ada\n"), "{desk:#}");
    assert!(asked.contains("their grades"), "{desk:#}");
    assert_eq!(desk["said"], "Removed from the cohort: 1.", "{desk:#}");
    let said = "Removed from the cohort: 59. Not in it any more: 1.";
    let many = json!({"selected": "Selected: 60", "said": said, "left": 0});
    assert_eq!(desk["many"], many, "{desk:#}");
}

/// What was done is found however long ago it was; until then nobody is told that it was not done.
fn what_is_not_known_is_not_open(told: &Value) {
    let first = json!({"Ada": "???", "Ben": "···", "<b>Cleo</b>": "✓··"});
    assert_eq!(told["first"]["heat"], first, "{told:#}");
    let said = told["first"]["said"].as_str().unwrap_or_default();
    assert!(said.contains("10") && said.contains("1."), "{told:#}");
    let then = json!({"Ada": "✓✓·", "Ben": "···", "<b>Cleo</b>": "✓··"});
    let then = json!({"heat": then, "focused": "region"});
    assert_eq!(told["then"], then, "{told:#}");
}

/// Nobody is before somebody was asked, and one who was comes back by one press.
fn people_are_taken_out(told: &Value) {
    let counts = ["still", "out", "back"].map(|when| &told[when]);
    assert_eq!(json!(counts), json!([1, 0, 1]), "{told:#}");
    assert_eq!(told["many"]["left"], 0, "{told:#}");
}
