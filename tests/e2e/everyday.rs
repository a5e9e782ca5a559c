//! What is done in Studio besides writing and grading: cohorts, a budget, leaving and signing out.

use serde_json::{Value, json};

use crate::node;

#[test]
fn cohorts_run_and_nobody_leaves_without_knowing_what_is_unsaved() {
    let report = node::walked("everyday.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    // People are told what to do, and not which request does it.
    let none = report["none"].as_str().unwrap_or_default();
    assert!(none.contains("New cohort"), "{report:#}");
    assert!(!none.contains("/v1/"), "{report:#}");
    assert_eq!(report["no_course"], "#/courses", "{report:#}");
    for (look, published) in [
        ("desk", "It does not become a draft again"),
        ("arabic", "لا يعود مسودة"),
    ] {
        let day = &report[look];
        people_learn_together(day);
        let said = day["published"].as_str().unwrap_or_default();
        assert!(said.contains(published), "{day:#}");
        assert_eq!(day["hidden"], "archived", "{day:#}");
        assert_eq!(day["stays"], true, "{day:#}");
        assert_eq!(day["held"], format!("About {look}"), "{day:#}");
        assert_eq!(day["about"], format!("About {look}"), "{day:#}");
        what_is_unsaved_is_asked_about(day);
    }
}

fn people_learn_together(day: &Value) {
    let cohort = json!(["Autumn", "2030-01-07T08:00:00.000Z", "draft"]);
    assert_eq!(day["cohort"], cohort, "{day:#}");
    // Who cannot be enrolled is still in the field, and the others are in.
    assert_eq!(day["left"], "nonsense", "{day:#}");
    let enrolled = json!(["ada@school.example", "ben@school.example"]);
    assert_eq!(day["enrolled"], enrolled, "{day:#}");
    assert_eq!(day["runs"], "active", "{day:#}");
    let budget = json!({"tokens": 20000, "usd": null});
    assert_eq!(day["budget"], budget, "{day:#}");
}

fn what_is_unsaved_is_asked_about(day: &Value) {
    assert_eq!(day["stayed"], 0, "{day:#}");
    assert_eq!(day["at_once"], json!(["Kept. Quick.", 0]), "{day:#}");
    assert_eq!(day["kept"], 1, "{day:#}");
    assert_eq!(day["thrown_away"], json!(["Kept. Quick.", 0]), "{day:#}");
}
