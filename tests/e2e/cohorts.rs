//! A cohort in Studio, in a real browser: what is known of its lessons, who is taken out of it, how people come into it,
//! and how it ends.

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
        people_are_enrolled(&report[look]);
        it_is_changed_archived_and_deleted(&report[look]);
    }
    let desk = &report["desk"];
    let asked = desk["asked"].as_str().unwrap_or_default();
    assert!(asked.starts_with("Ada\n"), "{desk:#}");
    assert!(asked.contains("their grades"), "{desk:#}");
    assert_eq!(desk["said"], "Removed from the cohort: 1.", "{desk:#}");
    let said = "Removed from the cohort: 59. Not in it any more: 1.";
    let many = json!({"selected": "Selected: 60", "said": said, "left": 0});
    assert_eq!(desk["many"], many, "{desk:#}");
    what_came_of_each_is_said(desk);
    let places = "Places are a whole number from 1 to 1,000,000, or nothing.";
    let changed = &desk["changed"];
    assert_eq!(changed["wrong"]["said"], places, "{desk:#}");
    assert_eq!(changed["facts"], "67 of 90 places", "{desk:#}");
    let used = desk["deleted"]["used"].as_str().unwrap_or_default();
    assert!(used.contains("3 completions"), "{desk:#}");
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

/// However a list is written, nobody is in before what was understood was seen, and nobody twice.
fn people_are_enrolled(told: &Value) {
    let pasted = &told["pasted"];
    assert_eq!(pasted["tried"], 0, "{told:#}");
    assert_eq!(pasted["rest"]["field"], "nonsense", "{told:#}");
    let names = json!(["Emil", "Fay Lee", "Gil, <b>x</b>"]);
    assert_eq!(pasted["names"], names, "{told:#}");
    assert_eq!(told["file"]["enrolled"], 60, "{told:#}");
    assert_eq!(told["file"]["name"], "Zoë Müller 0", "{told:#}");
    let field = told["full"]["field"].as_str().unwrap_or_default();
    assert!(field.starts_with("second-"), "{told:#}");
    // The answer that got lost was asked for again.
    assert_eq!(told["full"]["sent"], 2, "{told:#}");
}

fn what_came_of_each_is_said(desk: &Value) {
    let pasted = &desk["pasted"];
    let shown = "Understood: 4. There more than once, taken once: 1.";
    assert_eq!(pasted["shown"], shown, "{desk:#}");
    let asked = "Can be enrolled: 3. Press again to enrol them without the others.";
    assert_eq!(pasted["asked"], asked, "{desk:#}");
    let rest = "Enrolled: 3. In it already: 1. The others are still in the field, with why.";
    assert_eq!(pasted["rest"]["said"], rest, "{desk:#}");
    assert_eq!(desk["file"]["said"], "Enrolled: 60.", "{desk:#}");
    let no_text = "This is no text. Save the table as CSV first.";
    assert_eq!(desk["no_text"], no_text, "{desk:#}");
    let full = &desk["full"];
    let notice = "Places left: 1. Whoever comes after that in the list gets none.";
    assert_eq!(full["notice"], notice, "{desk:#}");
    let said = "Enrolled: 1. The others are still in the field, with why.";
    assert_eq!(full["said"], said, "{desk:#}");
    let why = "second-desk@school.example – no place is left";
    assert_eq!(full["why"], why, "{desk:#}");
}

/// What cannot be taken back, and what learners have used, is asked about first.
fn it_is_changed_archived_and_deleted(told: &Value) {
    let changed = &told["changed"];
    assert_eq!(changed["wrong"]["focused"], "true", "{told:#}");
    assert_eq!(changed["capacity"], 90, "{told:#}");
    assert_eq!(changed["timezone"], "Europe/Madrid", "{told:#}");
    let states = ["before", "after"].map(|when| &told["archived"][when]);
    assert_eq!(json!(states), json!(["completed", "archived"]), "{told:#}");
    let states = ["before", "after", "back"].map(|when| &told["deleted"][when]);
    let expected = json!(["archived", "gone", "archived"]);
    assert_eq!(json!(states), expected, "{told:#}");
}
