//! A cohort that is updated by choice, in a real browser: what it sees as it was, what would change for it, and updating it.

use serde_json::{Value, json};

use crate::node;

#[test]
fn a_cohort_is_updated_when_somebody_says_so() {
    let report = node::walked("updating.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        what_it_sees_changes_when_it_is_updated(&report[look]);
    }
    what_is_said_is_so(&report["desk"]);
    let arabic = &report["arabic"];
    assert_eq!(arabic["made"][2], "ترى المقرر كما هو", "{arabic:#}");
    assert_eq!(arabic["updated"][0], "حُدّثت: ترى المقرر كما هو.");
}

/// However it is looked at.
fn what_it_sees_changes_when_it_is_updated(run: &Value) {
    assert_eq!(run["made"][0], "active", "{run:#}");
    assert_eq!(run["made"][1], "manual", "{run:#}");
    assert_eq!(run["leads"], true, "{run:#}");
    let was = json!(["Curl your fingers.", "Grips"]);
    assert_eq!(run["behind"][1], was, "{run:#}");
    assert_eq!(run["marked"], json!(["ins: Slowly."]), "{run:#}");
    // What came after one looked is looked at first.
    assert_eq!(run["refused"][1], 2, "{run:#}");
    assert_eq!(run["refused"][2], was, "{run:#}");
    let is = json!(["Curl your fingers. Slowly.", "Holds"]);
    assert_eq!(run["updated"][2], is, "{run:#}");
    let follows = &run["follows"];
    assert_eq!(follows["before"], "Curl your fingers. Slowly.", "{run:#}");
    assert_eq!(follows["after"], "Curl them.", "{run:#}");
    assert_eq!(follows["chosen"], "automatic", "{run:#}");
    assert_eq!(follows["name"], "Autumn", "{run:#}");
}

fn what_is_said_is_so(desk: &Value) {
    let as_it_is = "It sees the course as it is";
    assert_eq!(desk["made"][2], as_it_is, "{desk:#}");
    let by_choice = "Cohorts under way that are updated by choice: 1, with learners: 1. Until they are updated they see units, lessons, activities and assignments as they are.";
    assert_eq!(desk["notices"], json!([by_choice]), "{desk:#}");
    let published =
        "It is published. Cohorts that are updated by choice see it once they are updated.";
    assert_eq!(desk["published"], published, "{desk:#}");
    let behind = "Things it sees as they were: 1";
    assert_eq!(desk["behind"][0], behind, "{desk:#}");
    let asked = "Things that change: 1, for learners: 1. It cannot be taken back.";
    assert_eq!(desk["asked"], asked, "{desk:#}");
    let refused = "Something else would change by now. Look at it first.";
    assert_eq!(desk["refused"][0], refused, "{desk:#}");
    let updated = "It is updated: it sees the course as it is.";
    assert_eq!(desk["updated"][0], updated, "{desk:#}");
    assert_eq!(desk["updated"][1], as_it_is, "{desk:#}");
    assert_eq!(desk["up_to_date"], as_it_is, "{desk:#}");
    let follows = &desk["follows"];
    let note = "Things that it sees as they were: 1. With this change it is updated at once: it sees them as they are now. That cannot be taken back.";
    assert_eq!(follows["note"], note, "{desk:#}");
    assert_eq!(follows["said"], "It is saved.", "{desk:#}");
    assert_eq!(follows["page"], "reach it at once", "{desk:#}");
}
