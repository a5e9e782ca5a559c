//! The book of grades in a real browser: what stands in it, moving through it, how a course is weighed, and taking it away.

use serde_json::{Value, json};

use crate::node;

#[test]
fn teachers_see_where_everybody_stands_and_say_how_it_is_weighed() {
    let report = node::walked("gradebook.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        one_moves_through_it(&report[look], look);
        what_is_weighed_is_kept(&report[look], look);
    }
    what_stands_there_is_so(&report["desk"]);
    let arabic = &report["arabic"];
    assert_eq!(arabic["saved"], "هكذا تُوزن من الآن.", "{arabic:#}");
}

/// Rows and columns are counted with their heads; what is off the screen is not there.
fn one_moves_through_it(run: &Value, look: &str) {
    assert_eq!(run["size"], json!(["31", "6", true]), "{run:#}");
    let student = match look {
        "arabic" => "المتعلم",
        _ => "Student",
    };
    let moved = json!([
        ["Learner 02", 3, 3],
        ["Learner 02", 3, 6],
        ["Learner 02", 3, 1],
        ["Learner 02", 3, 1],
        ["Learner 30", 31, 6],
        [student, 1, 1],
        ["Learner 01", 2, 2],
    ]);
    assert_eq!(run["moved"], moved, "{run:#}");
    assert_eq!(run["reckoned"], json!(["86 / 112"]), "{run:#}");
    assert_eq!(run["is_back"], json!(["Learner 01", 2, 2]), "{run:#}");
    assert_eq!(run["opened"], true, "{run:#}");
    // Whoever comes back from the desk is where they were.
    assert_eq!(run["came_back"], true, "{run:#}");
}

/// What is refused changes nothing, and neither does what came too late.
fn what_is_weighed_is_kept(run: &Value, look: &str) {
    // The name of the second group: each group has a name and two numbers.
    assert_eq!(run["wrong_at"], 3, "{run:#}");
    let weighed = json!([["Homework", 40, 2], ["Exams", 60, 1]]);
    assert_eq!(run["weighed"], weighed, "{run:#}");
    assert_eq!(run["stands"], json!([40, "Of knives."]), "{run:#}");
    assert_eq!(
        run["found"],
        json!(["Learner 30", "q=Learner+30"]),
        "{run:#}"
    );
    let files = &run["files"];
    let names = ["csv", "xlsx"].map(|kind| format!("grades-Autumn-of-{look}.{kind}"));
    assert_eq!(files["names"], json!(names), "{run:#}");
    assert_eq!(files["workbook"], "PK", "{run:#}");
    assert_eq!(files["lines"], 30, "{run:#}");
}

fn what_stands_there_is_so(desk: &Value) {
    let not_yet = "not handed in";
    let row = |total: &str, essay: &str| json!({"Total": total, "Quiz": not_yet, "Essay": essay, "Sheet": not_yet, "Project": not_yet});
    let first =
        json!({"Total": "76.79%", "Quiz": "2", "Essay": "18", "Sheet": "6", "Project": "60"});
    let rows = json!([
        first,
        row("– no total yet", "waits"),
        row("– no total yet", not_yet),
        row("50%", "10"),
    ]);
    assert_eq!(desk["rows"], rows, "{desk:#}");
    let sum = "Together: 130%. That is more than 100%.";
    assert_eq!(desk["sum"], sum, "{desk:#}");
    let saved = "It is weighed so from now on.";
    assert_eq!(desk["saved"], saved, "{desk:#}");
    // Two groups, of 80 and 75 per cent, and a quiz that weighs nothing.
    assert_eq!(desk["total"], "77%", "{desk:#}");
    let overtaken = "Somebody else has changed the course meanwhile. Close this and open it again to see how it stands.";
    assert_eq!(desk["overtaken"], overtaken, "{desk:#}");
}
