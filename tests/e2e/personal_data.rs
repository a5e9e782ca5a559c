//! What is kept of a person, in a real browser: a file of it, their erasure with its receipt, another name, who is suspended.

use serde_json::{Value, json};

use crate::node;

#[test]
fn whoever_runs_a_place_hands_out_and_erases_what_is_kept_of_a_person() {
    let report = node::walked("personal_data.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        let told = &report[look];
        a_row_says_who_it_is(told);
        all_of_it_is_a_file(told, look);
        nobody_is_erased_by_mistake(told);
        there_is_a_receipt(told);
    }
    assert_eq!(report["desk"]["refused"], json!(refusals()), "{report:#}");
    let teacher = json!({"menu": ["Change name"], "unoffered": 0, "stays": "Dora"});
    assert_eq!(report["teacher"], teacher, "{report:#}");
}

fn refusals() -> [&'static str; 2] {
    [
        "For this it has to be surely you. Sign out and in again.",
        "The service cannot be reached. Is it running, and are you online?",
    ]
}

fn a_row_says_who_it_is(told: &Value) {
    // One role in all that is shown, who has not come among them, and nobody of another.
    assert_eq!(told["roles"], json!([1, 1, 0]), "{told:#}");
    assert_eq!(told["suspended"], 1, "{told:#}");
    assert_eq!(told["renamed"], true, "{told:#}");
    assert_eq!(told["named"], json!([true, true]), "{told:#}");
}

fn all_of_it_is_a_file(told: &Value, look: &str) {
    let name = format!("person-b-Bea-b-of-{look}.json");
    assert_eq!(told["file"], json!([name, true, true]), "{told:#}");
}

fn nobody_is_erased_by_mistake(told: &Value) {
    assert_eq!(told["listed"], 8, "{told:#}");
    // Nothing was asked of the service, and the field has the focus.
    assert_eq!(told["unmeant"], json!([0, true]), "{told:#}");
    assert_eq!(told["still_there"], true, "{told:#}");
    // Pressed twice it is done once; the second request is for the receipt.
    assert_eq!(told["asked"], 2, "{told:#}");
    assert_eq!(told["stays"], json!([1, "Stays"]), "{told:#}");
}

fn there_is_a_receipt(told: &Value) {
    let receipt = json!([true, true, true, true, []]);
    assert_eq!(told["receipt"], receipt, "{told:#}");
    // Nothing to press is printed, and all of the table is.
    assert_eq!(told["paper"], json!([true, 0, true]), "{told:#}");
    // What is left says that it was erased, and can be taken out.
    assert_eq!(told["left"], json!([1, 1, 0]), "{told:#}");
    assert_eq!(told["again"], true, "{told:#}");
}
