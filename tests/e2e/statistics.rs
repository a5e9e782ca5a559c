//! Statistics of a task in a real browser: the ways there, one truth in picture, table and file, a cohort that is chosen.

use serde_json::{Value, json};

use crate::node;

#[test]
fn teachers_see_how_points_are_spread_and_what_tells_nothing() {
    let report = node::walked("statistics.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        let told = &report[look];
        for task in ["assignment", "quiz"] {
            all_say_the_same(&told[task]);
        }
        what_was_graded_is_told(told);
        what_is_chosen_stays(told);
        waits_are_told(told);
        decisions_are_told(told);
    }
    let desk = &report["desk"];
    let said = "Evening of desk: 1 of 2 have points, median 15.";
    assert_eq!(desk["said"], said, "{desk:#}");
    let too_few = "too few to tell";
    assert_eq!(desk["too_few"], json!([too_few, too_few]), "{desk:#}");
    let steps = ["1 hr", "1 day", "2 days", "3 days", "7 days", "14 days"];
    let mut steps = steps.map(|step| format!("up to {step}")).to_vec();
    steps.push("longer than 14 days".to_owned());
    assert_eq!(desk["steps"], json!(steps), "{desk:#}");
    let said = desk["decisions"]["said"].as_str().unwrap();
    assert!(
        said.starts_with("3 grades of AI were decided about: "),
        "{said}"
    );
    let names = ["points", "parts"].map(|part| format!("statistics-Essay-{part}.csv"));
    assert_eq!(desk["assignment"]["names"], json!(names), "{desk:#}");
}

/// Eleven were graded within the hour.
fn waits_are_told(told: &Value) {
    let waits = &told["waits"];
    let service = json!(["11", "0", "0", "0", "0", "0", "0"]);
    for place in ["service", "picture", "table", "file"] {
        assert_eq!(waits[place], service, "{place}: {told:#}");
    }
    assert_eq!(told["figures_of_quiz"], 2, "{told:#}");
}

/// What AI had graded before the teacher did, in the week that it is.
fn decisions_are_told(told: &Value) {
    let decisions = &told["decisions"];
    let weeks = decisions["service"].as_array().unwrap();
    let decided = |week: &Value| week[0].as_str().unwrap().parse::<u32>().unwrap();
    // Two, where Sunday turned to Monday meanwhile.
    assert_eq!(weeks.iter().map(decided).sum::<u32>(), 3, "{told:#}");
    assert_eq!(decisions["file"], decisions["service"], "{told:#}");
    let counts: Vec<&Value> = weeks.iter().map(|week| &week[0]).collect();
    assert_eq!(decisions["table"], json!(counts), "{told:#}");
    assert_eq!(decisions["picture"], weeks.len(), "{told:#}");
}

fn all_say_the_same(task: &Value) {
    for (what, others) in [
        ("bins", &["picture", "table", "file"][..]),
        ("spread", &["table", "file"]),
        ("parts", &["picture", "table", "file"]),
    ] {
        for other in others {
            assert_eq!(task[what][other], task[what]["service"], "{what}: {task:#}");
        }
    }
    let spread = &task["spread"]["service"];
    assert_eq!(task["marks"], json!([spread[2], spread[5]]), "{task:#}");
    assert_eq!(task["label"], true, "{task:#}");
}

/// Eleven of twelve have a grade, and everybody has tried the quiz.
fn what_was_graded_is_told(told: &Value) {
    let bins = json!(["2", "1", "1", "2", "1", "1", "2", "1", "0", "0"]);
    let essay = &told["assignment"];
    assert_eq!(essay["bins"]["service"], bins, "{told:#}");
    // What would be a formula is none in the file.
    assert_eq!(
        essay["named"],
        json!({"table": ["Method", "=Time"], "file": ["Method", "'=Time"]}),
        "{told:#}"
    );
    assert_eq!(essay["advice"], json!([]), "{told:#}");
    let quiz = &told["quiz"];
    let first = "A sharp knife is a safe knife.";
    assert_eq!(quiz["named"]["table"][0], first, "{told:#}");
    let advice = quiz["advice"].as_array().unwrap();
    assert_eq!(advice.len(), 1, "{told:#}");
    let worth = advice[0].as_str().unwrap();
    assert!(worth.starts_with("A knife is caught"), "{told:#}");
    assert_eq!(told["nobody"], 1, "{told:#}");
}

fn what_is_chosen_stays(told: &Value) {
    for is_so in ["chosen", "is_marked"] {
        assert_eq!(told[is_so], true, "{told:#}");
    }
    assert_eq!(told["hardest"], json!(["=Time", "Method"]), "{told:#}");
    assert_eq!(told["focused"], "cohort", "{told:#}");
    assert_eq!(told["address"], told["address_is"], "{told:#}");
    assert_eq!(told["advice"], 0, "{told:#}");
    assert_eq!(told["is_kept"], json!([true, "hardest"]), "{told:#}");
}
