//! Plans of courses from a model.

use lyceum_domain::activities::ActivityKind;
use lyceum_domain::points::Points;
use lyceum_ports::ai::AiProvider;
use lyceum_ports::ai_calls::Meter;
use serde_json::{Value, json};

use super::{adapter, answering, brief, requests, says};

fn planned() -> Value {
    json!({
        "language": "en", "title": "Kitchen", "summary": "About cooling.",
        "outcomes": [{"id": "o1", "statement": "Cool a pot within 90 minutes", "bloom": "apply"}],
        "units": [{
            "title": "Cooling", "outcome_ids": ["o1"], "minutes": 120,
            "lessons": [{"title": "Trays", "objective": "Divide a pot into trays", "minutes": 60, "outcome_ids": ["o1"],
                "key_points": ["An ice bath is a sink full of ice and cold water.", "Food is cooled from 63 °C to below 8 °C within 90 minutes."]}],
            "activities": [
                {"title": "Check", "kind": "quiz", "minutes": 10, "lesson_index": 0},
                {"title": "Cards", "kind": "flashcards", "minutes": 10, "lesson_index": 7},
                {"title": "Talk", "kind": "discussion", "minutes": 10, "lesson_index": 0},
                {"title": "Listen", "kind": "podcast", "minutes": 10, "lesson_index": 0},
                {"title": "Read", "kind": "explainer", "minutes": 10, "lesson_index": 0}],
            "assignments": [{"title": "A pot", "brief": "Cool it.", "minutes": 20, "outcome_ids": ["o1"], "rubric": [
                {"title": "Method", "weight": 100, "levels": [
                    {"label": "good", "points_percent": 100, "descriptor": "d"}, {"label": "no", "points_percent": 0, "descriptor": "d"}]}]}],
        }],
        "assumptions": ["No blast chiller."],
    })
}

#[tokio::test]
async fn a_plan_becomes_lessons_with_content() {
    let server = answering(vec![says(&planned().to_string(), "stop")]).await;
    let answered = adapter(&server)
        .draft_syllabus(brief(), &Meter::default())
        .await
        .unwrap();
    assert_eq!(answered.prompt_version, "syllabus-1");
    let draft = answered.value;
    let unit = &draft.units[0];
    assert_eq!(unit.objectives, ["Cool a pot within 90 minutes"]);
    let lesson = &unit.lessons[0];
    assert!(
        lesson
            .content
            .contains("- An ice bath is a sink full of ice and cold water.")
    );
    assert!(!lesson.content.contains("built-in"));
    let kinds: Vec<ActivityKind> = lesson
        .activities
        .iter()
        .map(|activity| activity.kind)
        .collect();
    assert_eq!(
        kinds,
        [
            ActivityKind::Quiz,
            ActivityKind::Flashcards,
            ActivityKind::Reflection,
            ActivityKind::Podcast,
            ActivityKind::Explainer
        ]
    );
    assert!(
        lesson
            .activities
            .iter()
            .all(|activity| !activity.content.as_map().is_empty())
    );
    assert_eq!(
        unit.assignments[0].rubric.criteria[0].max_points,
        Points::HUNDRED
    );
    let mut fitted = draft.clone();
    assert!(fitted.fit_to(brief().hours).is_ok());
}

#[tokio::test]
async fn a_plan_in_another_language_or_without_lessons_is_repaired() {
    let mut german = planned();
    german["language"] = json!("de");
    let mut empty = planned();
    empty["units"][0]["lessons"] = json!([]);
    for wrong in [german, empty] {
        let server = answering(vec![
            says(&wrong.to_string(), "stop"),
            says(&planned().to_string(), "stop"),
        ])
        .await;
        assert!(
            adapter(&server)
                .draft_syllabus(brief(), &Meter::default())
                .await
                .is_ok()
        );
        assert_eq!(requests(&server).await.len(), 2);
    }
}
