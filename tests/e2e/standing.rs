//! Who of a cohort falls behind, in a real browser: the ways there, the list, a rule that is changed, one truth in picture, table and file.

use serde_json::{Value, json};

use crate::node;

#[test]
fn teachers_see_who_needs_a_word_and_change_by_which_rule() {
    let report = node::walked("standing.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        all_say_the_same(&report[look]);
    }
    let desk = &report["desk"];
    is_listed(desk);
    is_taken_away(desk);
    a_rule_is_changed(desk);
    assert_eq!(
        report["arabic"]["behind"],
        json!([
            ["Dora", ["واجبات فات موعدها: 1", "30% حتى الآن"]],
            ["Cleo", ["واجبات فات موعدها: 1"]]
        ]),
        "{report:#}"
    );
}

fn all_say_the_same(told: &Value) {
    let bins = json!(["1", "0", "0", "0", "0", "0", "0", "2", "0", "1"]);
    for place in ["service", "picture", "table"] {
        assert_eq!(told["bins"][place], bins, "{place}: {told:#}");
    }
    assert_eq!(told["mark"], true, "{told:#}");
    assert_eq!(told["others"], json!(["=Ada", "Ben"]), "{told:#}");
    assert_eq!(told["way"], told["way_is"], "{told:#}");
    assert_eq!(told["focused_first"], "H1", "{told:#}");
}

/// Most signs first, and who handed in and learns is not among them.
fn usual() -> Value {
    json!([
        ["Dora", ["tasks overdue: 1", "30% so far"]],
        ["Cleo", ["tasks overdue: 1"]]
    ])
}

fn is_listed(desk: &Value) {
    assert_eq!(desk["behind"], usual(), "{desk:#}");
    assert_eq!(desk["said"], "Need a word: 2 of 4.", "{desk:#}");
    let found = json!({"behind": ["Cleo"], "address": "q=cleo"});
    assert_eq!(desk["found"], found, "{desk:#}");
    let cleared = json!({"behind": 2, "focused": "search"});
    assert_eq!(desk["cleared"], cleared, "{desk:#}");
}

fn is_taken_away(desk: &Value) {
    let file = &desk["file"];
    assert_eq!(
        file["name"], "who-falls-behind-Bakers-of-desk.csv",
        "{desk:#}"
    );
    let rows = file["rows"].as_array().unwrap();
    let names: Vec<&Value> = rows.iter().map(|row| &row[0]).collect();
    // What would be a formula is none in the file.
    assert_eq!(json!(names), json!(["Dora", "Cleo", "'=Ada", "Ben"]));
    let said = "tasks overdue: 1; 30% so far";
    assert_eq!(rows[0][3], said, "{desk:#}");
}

fn a_rule_is_changed(desk: &Value) {
    let one = json!([["Dora", ["30% so far"]]]);
    let changed = json!({"behind": one, "address": "overdue=2", "focused": "overdue"});
    assert_eq!(desk["changed"], changed, "{desk:#}");
    let kept = json!({"behind": one, "field": "2"});
    assert_eq!(desk["kept"], kept, "{desk:#}");
    let reset = json!({"behind": usual(), "field": "1"});
    assert_eq!(desk["reset"], reset, "{desk:#}");
}
