//! Courses drafted from the texts of `tests/data/drafting` by the built-in engine: what of their checklist a program can see.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed"
)]

use std::path::Path;

use lyceum_ai::Builtin;
use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::syllabus::{SyllabusBrief, SyllabusDraft, UnitDraft};
use lyceum_domain::text::LanguageTag;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::Meter;
use rstest::rstest;
use serde_json::Value;

/// Words of marks, prompts, open points and headings of ours that none of the texts has.
const LABELS: &[&str] = &[
    "built-in engine",
    "language model",
    "to be added by the teacher",
    "in your own words",
    "key points",
    "think about",
    "eingebauten funktion",
    "sprachmodell",
    "von der lehrkraft",
    "in eigenen worten",
    "kernpunkte",
    "lernziel",
    "zum nachdenken",
    "{topic}",
    "____{",
];

fn source(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/drafting");
    std::fs::read_to_string(folder.join(file)).unwrap()
}

async fn drafted(file: &str, hours: i64) -> SyllabusDraft {
    let (language, name) = file.split_once('-').unwrap();
    let brief = SyllabusBrief {
        course_name: name.trim_end_matches(".md").replace('-', " "),
        language: LanguageTag::parse(language).unwrap(),
        brief: String::new(),
        hours: Hours::parse(hours).unwrap(),
        instructions: String::new(),
        source_text: source(file),
        model: String::new(),
    };
    Builtin
        .draft_syllabus(brief, &Meter::default())
        .await
        .unwrap()
        .value
}

fn questions(unit: &UnitDraft) -> Vec<&Value> {
    let activities = unit.lessons.iter().flat_map(|lesson| &lesson.activities);
    let lists = activities.filter_map(|activity| activity.content.as_map().get("questions"));
    lists.filter_map(Value::as_array).flatten().collect()
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// Without the first letter's case: a term that began its sentence may stand inside another.
fn lower(text: &str) -> String {
    text.to_lowercase()
}

fn options(question: &Value) -> Vec<(&str, bool)> {
    let options = question["options"].as_array().into_iter().flatten();
    options
        .map(|option| (text(option, "text"), option["correct"] == true))
        .collect()
}

fn is_whole(before: Option<char>, behind: Option<char>) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    edge(before) && edge(behind)
}

fn assert_blank(question: &Value, said: &str) {
    let gapped = text(question, "text");
    let (before, behind) = gapped.split_once("{{1}}").unwrap();
    let whole = is_whole(before.chars().next_back(), behind.chars().next());
    assert!(whole, "{gapped}");
    let number_goes_on = behind
        .trim_start_matches(['.', ','])
        .starts_with(|c: char| c.is_ascii_digit());
    assert!(!number_goes_on, "{gapped}");
    let accepted: Vec<&str> = question["blanks"][0]["accepted_answers"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let before = before.replace("a(n) ", "");
    let fits = accepted.iter().any(|answer| {
        said.contains(answer) && said.starts_with(before.trim_end()) && said.ends_with(behind)
    });
    assert!(fits, "{gapped} {accepted:?}");
    for (at, answer) in accepted.iter().enumerate() {
        assert!(
            !answer.trim().is_empty() && !accepted[..at].contains(answer),
            "{accepted:?}"
        );
    }
}

/// The unit of a number, which all options of a choice share.
fn unit_of(option: &str) -> Option<String> {
    let digits = option.chars().any(|c| c.is_ascii_digit());
    digits.then(|| {
        option
            .chars()
            .filter(|c| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-' | '−' | ' '))
            .collect()
    })
}

fn assert_options(question: &Value, lessons: &str, source: &str) {
    let options = options(question);
    let right: Vec<&str> = options
        .iter()
        .filter(|(_, correct)| *correct)
        .map(|(text, _)| *text)
        .collect();
    let [right] = right.as_slice() else {
        panic!("{question}")
    };
    assert_eq!(options.len(), 4, "{question}");
    assert!(lower(lessons).contains(&lower(right)), "{right}");
    for (at, (option, _)) in options.iter().enumerate() {
        assert!(lower(source).contains(&lower(option)), "{option}");
        let others = options.iter().enumerate().filter(|(other, _)| *other != at);
        for (_, (other, _)) in others {
            assert!(!lower(other).contains(&lower(option)), "{question}");
        }
        // Numbers stand among numbers of their unit; a meaning may have a number in it.
        let is_number = right.split(' ').count() <= 3;
        let sign = |text: &str| unit_of(text).map(|unit| unit.chars().next());
        assert!(!is_number || sign(option) == sign(right), "{question}");
    }
}

fn assert_question(question: &Value, lessons: &str, source: &str) {
    let said = text(question, "source_quote");
    assert!(lessons.contains(said), "{said}");
    assert!(["easy", "medium", "hard"].contains(&text(question, "difficulty")));
    let all = lower(&question.to_string());
    for label in LABELS {
        assert!(!all.contains(label), "{label} in {all}");
    }
    match text(question, "type") {
        "cloze" => assert_blank(question, said),
        "single_choice" => assert_options(question, lessons, source),
        "true_false" => {
            let statement = text(question, "prompt").split_once("? ").unwrap().1;
            assert_eq!(statement == said, question["answer"] == true, "{question}");
        }
        other => panic!("{other}"),
    }
}

/// Every lesson is asked about, or the draft says that it is not.
fn assert_asked_or_said(unit: &UnitDraft, assumptions: &[String]) {
    for lesson in &unit.lessons {
        let is_asked = questions(unit)
            .iter()
            .any(|one| lesson.content.contains(text(one, "source_quote")));
        let is_said = assumptions.iter().any(|one| one.contains(&lesson.name));
        assert!(is_asked || is_said, "{}", lesson.name);
    }
}

#[rstest]
#[case("en-food-hygiene.md")]
#[case("en-photosynthesis.md")]
#[case("en-fire-safety.md")]
#[case("en-bookkeeping.md")]
#[case("en-first-aid.md")]
#[case("de-lebensmittelhygiene.md")]
#[case("de-photosynthese.md")]
#[case("de-brandschutz.md")]
#[case("de-buchfuehrung.md")]
#[case("de-elektrizitaet.md")]
#[tokio::test]
async fn a_course_of_a_text_asks_what_the_text_says(
    #[case] file: &str,
    #[values(2, 4, 12)] hours: i64,
) {
    let draft = drafted(file, hours).await;
    assert_eq!(draft, drafted(file, hours).await);
    let text_of_file: String = source(file)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for unit in &draft.units {
        assert!(
            !unit.name.chars().any(|c| c.is_ascii_digit()),
            "{}",
            unit.name
        );
        let texts: Vec<&str> = unit
            .lessons
            .iter()
            .map(|lesson| lesson.content.as_str())
            .collect();
        let lessons = texts.join("\n");
        let asked = questions(unit);
        for question in &asked {
            assert_question(question, &lessons, &text_of_file);
        }
        let ids: std::collections::BTreeSet<String> =
            asked.iter().map(|one| one["id"].to_string()).collect();
        assert_eq!(ids.len(), asked.len());
        assert_asked_or_said(unit, &draft.assumptions);
    }
    let count: usize = draft.units.iter().map(|unit| questions(unit).len()).sum();
    assert!(count >= 8, "{count} questions of {file}");
}

#[tokio::test]
async fn a_long_text_is_drafted_as_a_short_one_is() {
    let files = [
        "en-food-hygiene.md",
        "en-photosynthesis.md",
        "en-fire-safety.md",
        "en-bookkeeping.md",
        "en-first-aid.md",
    ];
    let once: String = files.map(source).join("\n\n");
    // No sentence twice, or most of the work would be saved.
    let pages: Vec<String> = (0..3)
        .map(|at| once.replace(". ", &format!(" in part {at}. ")))
        .collect();
    let brief = SyllabusBrief {
        course_name: "Everything".to_owned(),
        language: LanguageTag::english(),
        brief: String::new(),
        hours: Hours::parse(40).unwrap(),
        instructions: String::new(),
        source_text: pages.join("\n\n"),
        model: String::new(),
    };
    let answered = Builtin.draft_syllabus(brief, &Meter::default()).await;
    let draft = answered.unwrap().value;
    assert_eq!(draft.units.len(), 8);
    let mut count = 0;
    for unit in &draft.units {
        assert_asked_or_said(unit, &draft.assumptions);
        assert!(!questions(unit).is_empty(), "{}", unit.name);
        count += questions(unit).len();
    }
    // Of what the parts say nearly alike most would have two right answers, and is not asked.
    assert!(count >= 4 * draft.units.len(), "{count} questions");
}
