//! What was deleted and what was done by whom, in a real browser: who may bring back or destroy what, and the ways through the audit trail.

use serde_json::{Value, json};

use crate::node;

#[test]
fn what_was_deleted_comes_back_or_goes_for_good_and_the_trail_is_looked_through() {
    let report = node::walked("trail.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for (look, faster) in [
        ("desk", "It is not there, or no longer."),
        ("arabic", "غير موجود، أو لم يعد موجودًا."),
    ] {
        let told = &report[look];
        each_kind_takes_its_own_right(told);
        it_is_narrowed(told, look);
        it_goes_for_good_or_comes_back(told);
        assert_eq!(told["faster"], faster, "{told:#}");
        the_trail_is_looked_through(told);
        ways_lead_there(told);
    }
}

/// As the service has it: members by the right to students, submissions by the right to grade, and work within a course by both.
fn each_kind_takes_its_own_right(told: &Value) {
    let may = json!({
        "write:students": {"Cleo": 2, "Empty": 0, "Gone": 0, "Loaf in Kept": 0},
        "write:grades": {"Cleo": 0, "Empty": 0, "Gone": 0, "Loaf in Kept": 2},
        "write:courses": {"Cleo": 0, "Empty": 2, "Gone": 0, "Loaf in Kept": 0},
    });
    assert_eq!(told["may"], may, "{told:#}");
}

fn it_is_narrowed(told: &Value, look: &str) {
    let cleo = format!("Cleo of {look}");
    assert_eq!(told["members"], json!([[cleo], "object=user"]), "{told:#}");
    assert_eq!(told["by_program"], json!([[cleo], true]), "{told:#}");
    // Whom an address names is chosen, though they are no member any more.
    let nobody = json!([1, "usr_00000000000000000000000000"]);
    assert_eq!(told["by_nobody"], nobody, "{told:#}");
    assert_eq!(told["all"], 4, "{told:#}");
}

fn it_goes_for_good_or_comes_back(told: &Value) {
    // What it is and what went along is said before anything is asked of the service.
    assert_eq!(told["asked"], json!([true, true, 0]), "{told:#}");
    assert_eq!(told["not_yet"], true, "{told:#}");
    assert_eq!(told["destroyed"], true, "{told:#}");
    assert_eq!(told["requests"], 1, "{told:#}");
    assert_eq!(told["is_gone"], json!([null, null]), "{told:#}");
    assert_eq!(told["shown_anew"], 0, "{told:#}");
    assert_eq!(told["back"], json!([0, true]), "{told:#}");
}

fn the_trail_is_looked_through(told: &Value) {
    assert_eq!(told["field"], true, "{told:#}");
    assert_eq!(told["both"], json!([true, 1]), "{told:#}");
    // The file has what is shown.
    assert_eq!(told["rows"], json!([true, true]), "{told:#}");
    assert_eq!(told["unlisted"], "thing=thread&id=usr_x", "{told:#}");
    assert_eq!(told["groups"], 4, "{told:#}");
    assert_eq!(told["learner"], 1, "{told:#}");
    assert_eq!(told["learner_did"], 1, "{told:#}");
    assert_eq!(told["key"], json!([true, true, true]), "{told:#}");
    assert_eq!(told["both_kept"], true, "{told:#}");
}

fn ways_lead_there(told: &Value) {
    for way in ["of_course", "of_assignment", "receipt"] {
        assert_eq!(told[way], 1, "{way}: {told:#}");
    }
}
