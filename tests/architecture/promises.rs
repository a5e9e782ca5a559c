//! A page that says which test proves a promise names tests that are there.

use std::collections::BTreeSet;
use std::path::Path;

use lyceum_domain::authoring::rubric::canonical;
use lyceum_domain::grading::receipts::hash_of;
use lyceum_domain::notifying::events::EventType;
use lyceum_domain::running::audit::AuditAction;
use serde_json::Value;

use crate::root;

/// What the tests of the project are called: functions of Rust, faults that a checker names, and scenarios of the
/// programs beside them.
fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for folder in ["crates", "tests"] {
        collect(&root().join(folder), &mut names);
    }
    names
}

fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "node_modules" && name != "target" {
                collect(&path, names);
            }
            continue;
        }
        let read = || std::fs::read_to_string(&path).unwrap();
        match path.extension().and_then(|end| end.to_str()) {
            Some("rs") => {
                names.extend(functions(&read()).map(str::to_owned));
                names.extend(faults(&read()).map(str::to_owned));
            }
            Some("mjs") => names.extend(quoted(&read()).map(str::to_owned)),
            _ => {}
        }
    }
}

fn functions(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split("fn ").skip(1);
    behind.filter_map(|rest| rest.split(['(', '<']).next())
}

/// Faults that a checker knows by name: `Name: "What is wrong.",`.
fn faults(text: &str) -> impl Iterator<Item = &str> {
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| line.ends_with("\","));
    lines.filter_map(|line| Some(line.split_once(": \"")?.0))
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// The rows of the table under a heading, as cells.
fn rows<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, section) = page.split_once(heading).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let cells = rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect());
    // The first row names the columns.
    cells.skip(1).collect()
}

/// What stands between backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_point_of_the_package_checklist_names_tests_that_are_there() {
    let page = std::fs::read_to_string(root().join("docs/scorm.md")).unwrap();
    let known = names();
    let points = rows(&page, "\n## Checklist\n");
    assert_eq!(points.len(), 78);
    for (number, cells) in (1..).zip(&points) {
        let [point, _promise, proof] = cells.as_slice() else {
            panic!("point {number} is no row of three cells: {cells:?}");
        };
        assert_eq!(*point, number.to_string());
        let missing: Vec<&str> = code(proof).filter(|name| !known.contains(*name)).collect();
        assert!(missing.is_empty(), "point {number} names {missing:?}");
        // What no test can prove is met by hand or not at all, and says so.
        let proven = code(proof).next().is_some();
        let told = proof.starts_with("by hand: ") || proof.starts_with("not met: ");
        assert!(proven || told, "point {number} has no proof: {proof}");
    }
}

/// Threats whose controls stop a release when they do not hold.
const BLOCKING: [u32; 22] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 18, 28, 29, 30, 31, 32, 33, 41, 53, 61, 62, 63, 64,
];

#[test]
fn every_threat_names_tests_that_are_there() {
    let page = std::fs::read_to_string(root().join("docs/security.md")).unwrap();
    let numbered = |line: &&str| {
        let number = line
            .strip_prefix("| ")
            .and_then(|rest| rest.split(' ').next());
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let rows: Vec<&str> = page.lines().filter(numbered).collect();
    assert_eq!(rows.len(), 115);
    for (number, row) in (1_u32..).zip(&rows) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [told, threat, control, _default, tests] = cells.as_slice() else {
            panic!("row {number} has not five cells: {row}");
        };
        assert_eq!(*told, number.to_string());
        assert!(!threat.is_empty() && !control.is_empty(), "row {number}");
        let proven = code(tests).next().is_some();
        assert!(proven, "row {number} has no test");
        code(tests).for_each(|test| assert_is_there(test, &format!("row {number}")));
        let is_whole = !control.contains("Not done:");
        let is_listed = page.contains(&format!("\n- Row {number}: "));
        assert_ne!(is_whole, is_listed, "row {number} and what is not done");
        assert!(
            is_whole || !BLOCKING.contains(&number),
            "row {number} stops a release"
        );
    }
}

/// The chapters of OWASP ASVS 5.0.0 that are judged, and how many requirements each has.
const JUDGED: [(&str, usize); 4] = [
    ("\n## V6 Authentication\n", 47),
    ("\n## V7 Session management\n", 19),
    ("\n## V9 Self-contained tokens\n", 7),
    ("\n## V10 OAuth and OIDC\n", 36),
];

#[test]
fn every_requirement_is_judged_and_what_is_met_names_tests_that_are_there() {
    let page = std::fs::read_to_string(root().join("docs/asvs.md")).unwrap();
    for (chapter, count) in JUDGED {
        let requirements = rows(&page, chapter);
        assert_eq!(requirements.len(), count, "{chapter}");
        for cells in &requirements {
            let [requirement, verdict, how, tests] = cells.as_slice() else {
                panic!("no row of four cells: {cells:?}");
            };
            code(tests).for_each(|test| assert_is_there(test, requirement));
            // What no test can prove says so; what is lacking says what is needed.
            let is_proven = code(tests).next().is_some() || tests.starts_with("none: ");
            let is_told = match *verdict {
                "Met" => is_proven && !how.contains("Needed: "),
                "Partly" | "Not met" => how.contains("Needed: "),
                "Does not apply" => !how.is_empty(),
                _ => false,
            };
            assert!(is_told, "{requirement} is {verdict:?}: {how}");
        }
    }
}

/// A test is named by its file and its function.
fn assert_is_there(test: &str, place: &str) {
    let (file, function) = test.rsplit_once("::").unwrap_or_default();
    let source = std::fs::read_to_string(root().join(file)).unwrap_or_default();
    let found = functions(&source).any(|name| name == function);
    assert!(found, "{place}: {test} is not there");
}

#[test]
fn every_half_sentence_of_the_promise_names_tests_that_are_there() {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    let promises = rows(&page, "\n## What it promises\n");
    assert_eq!(promises.len(), 5);
    for cells in &promises {
        let [promise, how, tests] = cells.as_slice() else {
            panic!("no row of three cells: {cells:?}");
        };
        assert!(!how.is_empty(), "{promise}");
        assert!(code(tests).next().is_some(), "{promise} has no test");
        code(tests).for_each(|test| assert_is_there(test, promise));
    }
}

#[test]
fn the_receipt_that_the_page_shows_is_the_one_that_is_recomputed() {
    let page = std::fs::read_to_string(root().join("docs/ai-internals.md")).unwrap();
    let (_, block) = page.split_once("```json\n{\n  \"format\"").unwrap();
    let (rest, after) = block.split_once("```").unwrap();
    let shown: Value = serde_json::from_str(&format!("{{\"format\"{rest}")).unwrap();
    let file = root().join("crates/domain/src/grading/receipts/example.json");
    let recomputed: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(shown, recomputed);
    let hash = hash_of(&canonical(&shown));
    assert!(after.contains(&format!("Its hash is `{hash}`")), "{hash}");
}

#[test]
fn the_console_has_words_for_every_event() {
    let words = std::fs::read_to_string(root().join("crates/console/assets/en.js")).unwrap();
    let nameless: Vec<&str> = EventType::ALL
        .iter()
        .map(|kind| kind.as_str())
        .filter(|kind| !words.contains(&format!(" {}: \"", kind.replace('.', "_"))))
        .collect();
    assert!(nameless.is_empty(), "{nameless:?}");
}

#[test]
fn every_action_of_the_trail_is_in_the_handbook_and_sifted_by_in_the_console() {
    let page = std::fs::read_to_string(root().join("crates/console/assets/audit.js")).unwrap();
    let (_, rest) = page.split_once("const ACTIONS = [").unwrap();
    let (list, _) = rest.split_once("];").unwrap();
    let listed: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let all: BTreeSet<&str> = AuditAction::ALL.iter().map(|one| one.as_str()).collect();
    assert_eq!(listed, all);
    let handbook = std::fs::read_to_string(root().join("docs/api.md")).unwrap();
    for action in all {
        assert!(handbook.contains(&format!("`{action}`")), "{action}");
    }
}
