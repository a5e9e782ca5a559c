//! Lessons and activities written in a real browser: what is typed and pasted, two tabs, a lost network, a session that ends, and
//! what they were before.

use serde_json::{Value, json};
use support::binary::binary;

use crate::node::{self, Programs};
use crate::traces::NoTraces;

#[test]
fn authors_write_lessons_and_activities() {
    let report = node::walked("writing.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    what_is_typed_and_pasted_is_markdown(&report);
    nothing_is_merged(&report["tabs"]);
    nothing_is_lost(&report);
    answers_are_seen_and_changed(&report["quiz"]);
    what_it_was_is_seen_and_comes_back(&report["history"]);
    what_waits_is_seen_and_published(&report["waiting"]);
    // How long it takes is told and judged by nobody: other work may be under way.
    assert_eq!(report["keystroke_ms"]["count"], 195, "{report:#}");
}

fn what_is_typed_and_pasted_is_markdown(report: &Value) {
    let text = "Where it is **cold**.\n\n| Food | Column 2 |\n| --- | --- |\n|  |  |\n\n$$\nE = mc^2\n$$\n\n![a dot](media:…)";
    assert_eq!(report["written"], text, "{report:#}");
    // A table, a formula, a picture, and bold letters.
    assert_eq!(report["seen"], json!([1, 1, 1, 1]), "{report:#}");
    assert_eq!(report["tab_leaves"], true, "{report:#}");
    for from in ["word", "docs"] {
        assert_eq!(report["pasted"][from], "as it should be", "{report:#}");
    }
    let left = report["pasted"]["left"].as_str().unwrap_or_default();
    assert!(left.starts_with("Pictures that did not come along: 1."));
    assert_eq!(report["dropped"], "![](media:…)![](media:…)");
}

fn nothing_is_merged(tabs: &Value) {
    let said = "This is open in another tab of this browser. Type in one of them.";
    assert_eq!(tabs["told"], json!([said, said]), "{tabs:#}");
    assert_eq!(tabs["by"], true, "{tabs:#}");
    assert_eq!(tabs["marked"], json!(["Mine", "Theirs"]), "{tabs:#}");
    assert_eq!(tabs["unsaved"], "One.\nTheirs.", "{tabs:#}");
    assert_eq!(tabs["still_unsaved"], true, "{tabs:#}");
    assert_eq!(tabs["kept"], "One.\nMine. More.", "{tabs:#}");
    assert_eq!(tabs["taken"], true, "{tabs:#}");
    assert_eq!(tabs["drafts"], 0, "{tabs:#}");
}

/// What the service does not have yet stands in the browser, and no longer than that.
fn nothing_is_lost(report: &Value) {
    let away = "Not saved: no connection. It is kept in this browser.";
    assert_eq!(
        report["network"],
        json!({"said": away, "kept": 1, "saved": true, "left": 0})
    );
    let back = "What you had typed and was not saved yet is back.";
    assert_eq!(
        report["reload"],
        json!({"before": false, "said": back, "saved": true, "left": 0})
    );
    let heading = "Something of yours was not saved";
    let session = json!({
        "kept": 1, "before": false, "heading": heading, "untouched": true, "saved": true, "left": 0,
    });
    assert_eq!(report["session"], session, "{report:#}");
}

fn answers_are_seen_and_changed(quiz: &Value) {
    let answers = json!({
        "single_choice": ["At 63 °C"],
        "multiple_choice": ["Cod", "Trout"],
        "true_false": true,
        "short_text": ["cod", "trout"],
        "numeric": [63, 0.5],
        "cloze": ["{{2}} it within {{1}} hours.", [["Cool"], ["2", "two"]]],
        "ordering": ["i2 Wash", "i1 Cook"],
        "matching": ["Chicken: 74 °C", "Fish: 63 °C"],
        "open": "Because of *bacteria*.",
    });
    assert_eq!(quiz["answers"], answers, "{quiz:#}");
    // What nobody touched stays, ids above all: answers of learners refer to them.
    let kept = json!([60, "Above it they stop.", "q1 q2 q3 q4 q5 q6 q7 q8 q9"]);
    assert_eq!(quiz["kept"], kept, "{quiz:#}");
    assert_eq!(quiz["reordered"], "q2 q3 q4 q5 q6 q7 q9 q8", "{quiz:#}");
    assert_eq!(quiz["undone"], "q1 q2 q3 q4 q5 q6 q7 q9 q8", "{quiz:#}");
    // The question, both choices, and that none of them is right.
    assert_eq!(quiz["missing"], 4, "{quiz:#}");
    assert_eq!(quiz["added"], "What is new?", "{quiz:#}");
    let cards = json!([{"id": "c1", "front": "63 °C", "back": "the end"}]);
    assert_eq!(quiz["cards"], cards, "{quiz:#}");
}

/// Each version says by whom; a restoring keeps what was there, and can be taken back.
fn what_it_was_is_seen_and_comes_back(history: &Value) {
    assert_eq!(history["none"], "Nothing was changed yet", "{history:#}");
    let typed = json!([["What is there now · You", "Version 1"], ["ins: Mine."]]);
    assert_eq!(history["typed"], typed, "{history:#}");
    let listed = json!(["What is there now · Ines", "Version 2 · You", "Version 1"]);
    assert_eq!(history["listed"], listed, "{history:#}");
    assert_eq!(history["chosen"], json!(["Version 1", "true"]));
    assert_eq!(history["marked"], json!(["ins: Theirs."]), "{history:#}");
    assert_eq!(history["minutes"], json!(["0", "25"]), "{history:#}");
    assert_eq!(history["said"], "Version 1 is back.", "{history:#}");
    assert_eq!(history["restored"], "One.\n", "{history:#}");
    let kept = json!([
        "What is there now · You",
        "Version 3 · Ines",
        "Version 2 · You",
        "Version 1"
    ]);
    assert_eq!(history["kept"], kept, "{history:#}");
    assert_eq!(history["focused"], true, "{history:#}");
    assert_eq!(history["undone"], "One.\nTheirs.", "{history:#}");
    assert_eq!(history["edited"], "One.", "{history:#}");
}

/// What is said of a save that did not come through.
const AWAY: &str = "Not saved: no connection. It is kept in this browser.";

#[test]
fn no_word_is_lost_when_the_service_is_killed_while_it_saves() {
    let traces = NoTraces::expected();
    let mut command = Programs::of("console").command("killed.mjs", &traces);
    let looked = node::output(command.env("LYCEUM", binary()));
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report: Value = serde_json::from_slice(&looked.stdout)
        .unwrap_or_else(|error| panic!("{error}: {complaint}"));
    for empty in ["faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    let rounds = report["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 12, "{report:#}");
    for round in rounds {
        what_the_page_said_was_true(round);
    }
    assert_eq!(rounds[0]["was_saved"], false, "{report:#}");
    assert_eq!(rounds[11]["was_saved"], true, "{report:#}");
    // Every word once, in the order in which it was typed.
    assert_eq!(report["content"], report["wanted"], "{report:#}");
    assert_eq!(report["shown"], report["wanted"], "{report:#}");
    assert_eq!(report["drafts"], 0, "{report:#}");
    let back = "What you had typed and was not saved yet is back.";
    assert_eq!(report["left"], json!({"said": back, "drafts": 0}));
}

/// It says that a text is saved where it is, and keeps what it says is not.
fn what_the_page_said_was_true(round: &Value) {
    if round["said"] == "Saved" {
        assert_eq!(round["was_saved"], true, "{round:#}");
    } else {
        assert_eq!(round["said"], AWAY, "{round:#}");
        assert_eq!(round["kept"], true, "{round:#}");
    }
    assert_eq!(round["in_the_end"], "Saved", "{round:#}");
}

/// Learners see nothing of it before; what came after one looked is looked at first.
fn what_waits_is_seen_and_published(waiting: &Value) {
    assert_eq!(waiting["none"], "Nothing waits", "{waiting:#}");
    let switched = "From now on changes made here wait.";
    assert_eq!(waiting["switched"], switched, "{waiting:#}");
    assert_eq!(waiting["live"], "Curl your fingers.", "{waiting:#}");
    assert_eq!(waiting["called"], "Grips and cuts", "{waiting:#}");
    let marked = json!(["del: Holds", "ins: Grips and cuts", "ins: Slowly."]);
    assert_eq!(waiting["marked"], marked, "{waiting:#}");
    let notices = json!(["Cohorts under way that get it at once: 1, with learners: 0."]);
    assert_eq!(waiting["notices"], notices, "{waiting:#}");
    let thrown = json!(["What waited for “The claw” is thrown away.", ["unit: name"]]);
    assert_eq!(waiting["thrown"], thrown, "{waiting:#}");
    let back = json!(["unit: name", "lesson: content"]);
    assert_eq!(waiting["back"], back, "{waiting:#}");
    let asked = "Meanwhile somebody has changed the same at once: “Grips and cuts”. What waits goes over it.";
    assert_eq!(waiting["asked"], asked, "{waiting:#}");
    let refused = json!([
        "Something else waits by now. Look at it first.",
        "Curl your fingers."
    ]);
    assert_eq!(waiting["refused"], refused, "{waiting:#}");
    let published = json!([
        "It is published: learners see it now.",
        "Curl your fingers. Slowly.",
        "Grips and cuts",
        []
    ]);
    assert_eq!(waiting["published"], published, "{waiting:#}");
}
