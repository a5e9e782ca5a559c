//! The built-in engine on whole briefs.

use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::syllabus::{SyllabusBrief, SyllabusDraft};
use lyceum_domain::text::LanguageTag;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;

use super::drafting::draft;

const BRIEF: &str = include_str!("../../../../examples/brief.md");

fn brief(text: &str, name: &str, language: &str, hours: i64) -> SyllabusBrief {
    SyllabusBrief {
        course_name: name.to_owned(),
        language: LanguageTag::parse(language).unwrap(),
        brief: text.to_owned(),
        hours: Hours::parse(hours).unwrap(),
        instructions: String::new(),
        source_text: String::new(),
        model: String::new(),
    }
}

fn unit_names(draft: &SyllabusDraft) -> Vec<&str> {
    draft.units.iter().map(|unit| unit.name.as_str()).collect()
}

/// What every draft is to be, whatever it was made from.
fn assert_sound(draft: &SyllabusDraft, hours: i64) {
    let hours = Hours::parse(hours).unwrap();
    assert!(
        (2..=8).contains(&draft.units.len()),
        "{:?}",
        unit_names(draft)
    );
    assert!(draft.units.iter().any(|unit| !unit.assignments.is_empty()));
    for unit in &draft.units {
        assert!(!unit.name.trim().is_empty() && unit.name.chars().count() <= 255);
        assert!(unit.lessons.len() >= 2, "{}", unit.name);
        // Where nothing is worth asking, a unit ends with a prompt to think about it.
        let ends = unit
            .lessons
            .last()
            .and_then(|lesson| lesson.activities.last());
        assert!(ends.is_some_and(|last| ["quiz", "reflection"].contains(&last.kind.as_str())));
        for lesson in &unit.lessons {
            assert!((10..=90).contains(&lesson.minutes));
            assert!(!lesson.name.trim().is_empty() && !lesson.objectives.is_empty());
        }
    }
    assert!(draft.clone().fit_to(hours).is_ok());
}

#[test]
fn a_long_brief_gives_units_of_its_topics() {
    let draft = draft(&brief(
        BRIEF,
        "Food safety for restaurant kitchens",
        "en",
        8,
    ));
    assert_sound(&draft, 8);
    assert_eq!(
        unit_names(&draft),
        [
            "How food makes people ill · Personal hygiene",
            "Temperature control · Cross-contamination",
            "Deliveries and storage · Allergens",
            "HACCP without the jargon · When it has gone wrong"
        ]
    );
    let minutes: u32 = draft.lessons().map(|lesson| lesson.minutes).sum();
    assert!((300..=480).contains(&minutes), "{minutes}");
    let kinds: Vec<&str> = draft
        .lessons()
        .flat_map(|lesson| &lesson.activities)
        .map(|activity| activity.kind.as_str())
        .collect();
    assert!(kinds.contains(&"flashcards"), "{kinds:?}");
    let rubric = &draft.units[3].assignments[0].rubric;
    assert_eq!(rubric.criteria.len(), 3);
    assert!(!rubric.criteria[0].texts("key_points").is_empty());
}

#[test]
fn key_points_are_the_words_of_the_brief() {
    let draft = draft(&brief(
        BRIEF,
        "Food safety for restaurant kitchens",
        "en",
        8,
    ));
    let squeeze = |text: &str| {
        let kept = text.replace(['*', '`'], "");
        kept.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let source = squeeze(BRIEF);
    for lesson in draft.lessons() {
        assert!(lesson.content.contains("not by a language model"));
        let (_, points) = lesson.content.split_once("## Key points").unwrap();
        let (points, _) = points.split_once("## Think about").unwrap();
        for point in points.lines().filter_map(|line| line.strip_prefix("- ")) {
            let own = point.contains("to be added by the teacher")
                || point.starts_with("What “")
                || point.starts_with("How “");
            assert!(own || source.contains(point), "{point}");
        }
    }
}

#[rstest]
#[case(
    "Teach new baristas to make espresso, steam milk and clean the machine safely.",
    "Barista basics",
    "en",
    4,
    "Espresso · Steam milk"
)]
#[case("", "Chess", "en", 8, "Chess: the basics · Chess: step by step")]
#[case(
    "Un curso de huerto.\n\n- Preparar el suelo\n- Sembrar y trasplantar\n- Riego por goteo",
    "Huerto",
    "es",
    20,
    "Preparar el suelo"
)]
#[case(
    "Inhalte:\n1. Mitgliederlisten: wer sie sehen darf\n2. Fotos\n3. Newsletter",
    "Datenschutz",
    "de",
    6,
    "Mitgliederlisten"
)]
#[case(
    "# Cours de jazz\n\n## Histoire\nLe jazz naît à La Nouvelle-Orléans.\n\n## Harmonie\nLes accords de septième.",
    "Jazz",
    "fr",
    3,
    "Histoire"
)]
fn short_briefs_work_too(
    #[case] text: &str,
    #[case] name: &str,
    #[case] language: &str,
    #[case] hours: i64,
    #[case] first: &str,
) {
    let draft = draft(&brief(text, name, language, hours));
    assert_sound(&draft, hours);
    assert_eq!(unit_names(&draft)[0], first, "{:?}", unit_names(&draft));
}

#[test]
fn quiz_questions_have_the_members_players_need() {
    let draft = draft(&brief(
        BRIEF,
        "Food safety for restaurant kitchens",
        "en",
        8,
    ));
    let mut seen: Vec<String> = Vec::new();
    for activity in draft.lessons().flat_map(|lesson| &lesson.activities) {
        let content = activity.content.as_map();
        for question in content
            .get("questions")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let kind = question["type"].as_str().unwrap();
            seen.push(kind.to_owned());
            match kind {
                "cloze" => assert!(question["text"].as_str().unwrap().contains("{{1}}")),
                "true_false" => assert!(question["answer"].is_boolean()),
                _ => {
                    let options = question["options"].as_array().unwrap();
                    let right = options.iter().filter(|option| option["correct"] == true);
                    assert_eq!(right.count(), 1, "{question}");
                }
            }
        }
    }
    for kind in ["cloze", "true_false", "single_choice"] {
        assert!(seen.iter().any(|found| found == kind), "{kind} in {seen:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_is_a_brief(text in "\\PC{0,120}|[-#*:.a-z0-9 \n{}“”<>]{0,300}", name in "\\PC{1,30}", hours in 1..1000_i64) {
        let draft = draft(&brief(&text, &name, "en", hours));
        assert_sound(&draft, hours);
    }
}
