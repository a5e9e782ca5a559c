//! A cohort in Studio, in a real browser: what is known of its lessons.

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
    }
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
