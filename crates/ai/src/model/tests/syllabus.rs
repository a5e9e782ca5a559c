//! Plans of courses from a model.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::Meter;
use rstest::rstest;
use serde_json::{Value, json};

use super::authoring::{changed, sample};
use super::{adapter, answering, brief, requests, says};
use crate::model::syllabus::read;

#[tokio::test]
async fn a_plan_becomes_lessons_with_content() {
    let server = answering(vec![says(&sample("syllabus").to_string(), "stop")]).await;
    let answered = adapter(&server)
        .draft_syllabus(brief(), &Meter::default())
        .await
        .unwrap();
    assert_eq!(answered.prompt_version, "syllabus-2");
    let draft = answered.value;
    let [cooling, decisions] = draft.units.as_slice() else {
        panic!("{draft:?}")
    };
    assert_eq!(cooling.objectives[1], "Cool a pot within 90 minutes");
    let lesson = &cooling.lessons[1];
    assert!(
        lesson
            .content
            .contains("- An ice bath is a sink full of ice and cold water.")
    );
    assert!(!lesson.content.contains("built-in"));
    let kinds = |at: usize| -> Vec<ActivityKind> {
        let activities = cooling.lessons[at].activities.iter();
        activities.map(|activity| activity.kind).collect()
    };
    assert_eq!(kinds(0), [ActivityKind::Reflection, ActivityKind::Podcast]);
    assert_eq!(
        kinds(1),
        [
            ActivityKind::Quiz,
            ActivityKind::Flashcards,
            ActivityKind::Explainer
        ]
    );
    let criteria = &decisions.assignments[0].rubric.criteria;
    assert_eq!(criteria[0].max_points, Points::HUNDRED);
    assert_eq!((criteria[0].weight, criteria[1].weight), (6_000, 4_000));
    let mut fitted = draft.clone();
    fitted.fit_to(brief().hours).unwrap();
    let minutes: Vec<u32> = fitted.lessons().map(|lesson| lesson.minutes).collect();
    assert_eq!(minutes, [30, 40, 50]);
}

#[rstest]
#[case("/language", json!("de"), "language en")]
#[case("/units", json!([]), "2 to 12 units")]
#[case("/units/1/title", json!("cooling"), "of units must differ")]
#[case("/units/0/title", json!(" "), "every unit needs a title")]
#[case("/units/1/lessons", json!([]), "1 to 8 lessons")]
#[case("/units/1/lessons/0/title", json!("Trays and ice"), "of lessons must differ")]
#[case("/units/1/lessons/0/minutes", json!(91), "10 to 90 minutes")]
#[case("/units/1/lessons/0/minutes", json!(51), "add up to 120, not 141")]
#[case("/units/1/lessons/0/minutes", json!(11), "add up to 120, not 101")]
#[case("/units/1/lessons/0/minutes", json!(48), "")]
#[case("/units/1/lessons/0/minutes", json!(12), "")]
#[case("/units/1/lessons/0/objective", json!("Learn about limits"), "can be observed")]
#[case("/units/1/lessons/0/key_points", json!([" "]), "needs key points")]
#[case("/units/1/lessons/0/outcome_ids", json!(["o2"]), "\"o3\" must be taught")]
#[case("/units/1/lessons/0/outcome_ids", json!(["o3", "o9"]), "no outcome \"o9\"")]
#[case("/units/1/outcome_ids", json!(["o9"]), "no outcome \"o9\"")]
#[case("/units/1/assignments", json!([]), "\"o3\" must be shown")]
#[case("/units/0/activities/0/lesson_index", json!(0), "")]
#[case("/units/0/activities/0/kind", json!("podcast"), "\"o1\" must be shown")]
#[case("/units/0/activities/0/lesson_index", json!(2), "lesson_index")]
#[case("/units/0/activities/0/lesson_index", json!(-1), "lesson_index")]
#[case("/outcomes/0/id", json!("o2"), "ids of outcomes must differ")]
#[case("/outcomes/0/statement", json!("Understand slow cooling"), "can be observed")]
#[case("/outcomes", json!([]), "3 to 8 outcomes")]
#[case("/units/1/assignments/0/brief", json!(""), "a title, a brief and minutes")]
#[case("/units/1/assignments/0/rubric/0/weight", json!(50), "add up to 100, not 90")]
#[case("/units/1/assignments/0/rubric", json!([]), "add up to 100, not 0")]
#[case("/units/1/assignments/0/rubric/0/levels/0/points_percent", json!(90), "3 to 5 levels")]
#[case("/units/1/assignments/0/rubric/0/levels/2/points_percent", json!(10), "3 to 5 levels")]
#[case("/units/1/assignments/0/rubric/0/levels/1/points_percent", json!(100), "3 to 5 levels")]
#[case("/units/1/assignments/0/rubric/0/levels", json!([]), "3 to 5 levels")]
fn a_rule_of_plans_is_kept_or_told(#[case] at: &str, #[case] value: Value, #[case] rule: &str) {
    let told = read(&changed(sample("syllabus"), at, value), &brief());
    let told = told.err().unwrap_or_default().join("; ");
    assert!(
        told.contains(rule) && rule.is_empty() == told.is_empty(),
        "{told}"
    );
}

#[test]
fn at_least_a_third_of_the_outcomes_asks_for_more_than_to_understand() {
    let low = changed(sample("syllabus"), "/outcomes/1/bloom", json!("remember"));
    assert!(read(&low, &brief()).is_ok());
    let lower = changed(low, "/outcomes/2/bloom", json!("understand"));
    let told = read(&lower, &brief()).unwrap_err().join("; ");
    assert!(told.contains("at least a third"), "{told}");
}

#[test]
fn a_plan_in_another_language_than_it_says_is_found() {
    let mut german = sample("syllabus");
    for unit in german["units"].as_array_mut().unwrap() {
        for lesson in unit["lessons"].as_array_mut().unwrap() {
            let points = "Die Sporen überleben das Kochen und wachen in der Mitte des Topfes wieder auf, weil er nicht schnell genug kalt ist. ";
            lesson["key_points"] = json!([points.repeat(4)]);
        }
    }
    let told = read(&german, &brief()).unwrap_err().join("; ");
    assert!(told.contains("language en"), "{told}");
}

#[tokio::test]
async fn a_repair_is_asked_with_all_broken_rules() {
    let wrong = changed(sample("syllabus"), "/language", json!("de"));
    let wrong = changed(wrong, "/units/1/assignments/0/rubric/0/weight", json!(50));
    let server = answering(vec![
        says(&wrong.to_string(), "stop"),
        says(&sample("syllabus").to_string(), "stop"),
    ])
    .await;
    let drafted = adapter(&server)
        .draft_syllabus(brief(), &Meter::default())
        .await;
    assert!(drafted.is_ok());
    let requests = requests(&server).await;
    let asked = requests[1]["messages"].as_array().unwrap().last().unwrap();
    let asked = asked["content"].as_str().unwrap();
    assert!(
        asked.contains("language en") && asked.contains("add up to 100, not 90"),
        "{asked}"
    );
}
