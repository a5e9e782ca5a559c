//! A course in six languages and four scripts, from right to left as well, made over HTTP: nothing is lost on its way into
//! a package, and everybody can use it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;
use serde_json::{Value, json};
use support::stores::Database;
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::scorm::play;
use crate::scorm_accessibility::examined_package;
use crate::scorm_schemas::judged;
use crate::service::Service;
use crate::traces::NoTraces;

const TEXTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/languages");
const LANGUAGES: [&str; 6] = ["en", "de", "ru", "ar", "he", "ja"];
/// What every lesson has of each construct that we take.
const CONSTRUCTS: [&str; 32] = [
    "<h2",
    "<p dir=\"auto\">",
    "<ul",
    "<ol",
    "<strong>",
    "<del>",
    "<code",
    "<pre",
    "<a href=\"https://example.org/",
    "<img ",
    "<table",
    "class=\"at-start\"",
    "class=\"at-middle\"",
    "class=\"at-end\"",
    "<dl",
    "class=\"footnotes\"",
    "class=\"callout note\"",
    "class=\"callout tip\"",
    "class=\"callout important\"",
    "class=\"callout warning\"",
    "class=\"callout caution\"",
    "class=\"task done\"",
    "class=\"task\"",
    "<details",
    "<abbr title=",
    "<kbd",
    "<mark>",
    "<sub>",
    "<small>",
    "<ruby>",
    "<span class=\"formula\"",
    "display=\"block\"",
];
const KINDS: [&str; 6] = [
    "explainer",
    "flashcards",
    "podcast",
    "quiz",
    "reflection",
    "video",
];
const TYPES: [&str; 9] = [
    "cloze",
    "matching",
    "multiple_choice",
    "numeric",
    "open",
    "ordering",
    "short_text",
    "single_choice",
    "true_false",
];
/// Of the course; of each language there is a lesson at least, a quiz and something to turn over or to read.
const STEPS: u64 = 24;

/// The course, made and packed by a service of its own in these editions.
fn made(folder: &TempDir, editions: &[&str]) -> Value {
    let service = Service::on(Database::Sqlite);
    let mut command = Programs::of("scorm_player").command("languages.mjs", &service.traces);
    command.args([&service.process.url(), &service.key]);
    let made = node::output(command.arg(folder.path()).args(editions));
    let complaint = String::from_utf8_lossy(&made.stderr);
    let report = serde_json::from_slice(&made.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

fn packages(made: &Value) -> Vec<PathBuf> {
    let packages = made["packages"].as_array().unwrap().iter();
    let paths = packages.map(|package| PathBuf::from(package["path"].as_str().unwrap()));
    paths.collect()
}

/// The activities of all languages, as they are written.
fn activities() -> Vec<Value> {
    let texts = LANGUAGES.map(|language| {
        let file = Path::new(TEXTS).join(format!("{language}.json"));
        let unit: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        unit["activities"].as_array().unwrap().clone()
    });
    texts.concat()
}

fn words<'a>(things: &'a [Value], member: &str) -> BTreeSet<&'a str> {
    let words = things.iter().map(|thing| thing[member].as_str().unwrap());
    words.collect()
}

#[test]
fn every_language_has_every_construct_and_the_course_every_activity() {
    let folder = TempDir::new().unwrap();
    let made = made(&folder, &["2004"]);
    let lessons = made["lessons"].as_array().unwrap();
    assert_eq!(words(lessons, "language"), BTreeSet::from(LANGUAGES));
    let mut formulas = 0;
    for lesson in lessons {
        let html = lesson["html"]["content"].as_str().unwrap();
        for construct in CONSTRUCTS {
            let language = &lesson["language"];
            assert!(html.contains(construct), "{language}: no {construct}");
        }
        formulas += html.matches("<math").count();
    }
    assert!(formulas >= 90, "{formulas} formulas");
    let arabic = lessons.iter().find(|lesson| lesson["language"] == "ar");
    let arabic = arabic.unwrap()["html"]["content"].as_str().unwrap();
    assert!(arabic.contains("<bdi dir=\"ltr\">74 °C</bdi>"), "{arabic}");

    let activities = activities();
    assert_eq!(words(&activities, "kind"), BTreeSet::from(KINDS));
    let questions = activities.iter().filter(|one| one["kind"] == "quiz");
    let questions: Vec<Value> = questions
        .flat_map(|quiz| quiz["content"]["questions"].as_array().unwrap().clone())
        .collect();
    assert_eq!(words(&questions, "type"), BTreeSet::from(TYPES));
}

#[rstest]
#[case::v1_2("1.2", "lesson_status", "passed")]
#[case::v2004("2004", "completion_status", "completed")]
fn nothing_is_lost_of_a_course_in_six_languages(
    #[case] edition: &str,
    #[case] state: &str,
    #[case] completed: &str,
) {
    let folder = TempDir::new().unwrap();
    let made = made(&folder, &[edition]);
    assert_eq!(made["told"], json!([]));
    assert_eq!(made["packages"][0]["warnings"], json!([]));
    let packages = packages(&made);
    let (good, verdicts) = judged(&packages);
    assert!(good, "{verdicts:#?}");

    let traces = NoTraces::expected();
    let report = play(&packages[0], edition, &traces);
    assert_eq!(report[state], completed, "{report:#}");
    assert_eq!(report["steps"], STEPS, "{report:#}");
    let score = &report["score_raw"];
    let score = score.as_f64().or_else(|| score.as_str()?.parse().ok());
    assert_eq!(score, Some(100.0), "{report:#}");
    for empty in ["console_errors", "requests_outside", "refused_calls"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
}

/// The dark and paper are looked at on the same walk as the screen: what is there and what it does is the same.
#[rstest]
#[case::on_a_screen("light+dark+print", STEPS)]
#[case::on_a_phone("phone", 0)]
fn nobody_is_kept_out_whatever_they_read(#[case] look: &str, #[case] sheets: u64) {
    let folder = TempDir::new().unwrap();
    let made = made(&folder, &["2004"]);
    let report = examined_package(&packages(&made)[0], &[look]);
    assert_eq!(report["findings"], json!([]), "{report:#}");
    let states = report["states"].as_u64().unwrap();
    assert!(states >= 60, "{report:#}");
    assert_eq!(report["sheets"], sheets, "{report:#}");
}
