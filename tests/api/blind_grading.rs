//! Grading without knowing what AI says: what is hidden, from whom, and until when.

use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, assert_refused, done, list};

const TEXT: &str = "Cool the rice within two hours. Then store it below 5 °C.";
const QUOTE: &str = "store it below";
/// What AI says of the text, as it stands in every view of it.
const SAID: &str = "Because of store it below";

async fn school(database: Database, review: &str) -> (TestApp, School, String) {
    let answers = [
        proposal(&[("overall", 73, QUOTE)]),
        proposal(&[("overall", 74, QUOTE)]),
    ];
    let provider: Arc<dyn AiProvider> = ScriptedAi::new(answers);
    let app = TestApp::on(database, provider).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": review}))
        .await;
    let id = school.hand_in(&app, TEXT).await;
    (app, school, id)
}

async fn ask_ai(app: &TestApp, id: &str) {
    let asked = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
}

async fn act(app: &TestApp, id: &str, action: &str) -> Value {
    done(app, &format!("submissions/{id}/{action}")).await.body
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

/// Everything by which the owner could come to know what AI says.
async fn roads(app: &TestApp, id: &str) -> Vec<(String, String)> {
    let roads = [
        format!("submissions/{id}"),
        format!("submissions/{id}?expand=assignment"),
        "submissions?limit=100".to_owned(),
        "submissions?status=in_review".to_owned(),
        format!("submissions/{id}/grades"),
        format!("submissions/{id}/grades?verify=true"),
        "events?limit=100".to_owned(),
        "audit?limit=100".to_owned(),
        "ai/calls?limit=100".to_owned(),
    ];
    let mut seen = Vec::new();
    for road in roads {
        let answer = app.get(&format!("/v1/{road}")).await;
        assert_eq!(answer.status, 200, "{road} {}", answer.body);
        seen.push((road, answer.body.to_string()));
    }
    seen
}

#[actix_web::test]
async fn nobody_learns_by_any_road_what_ai_says_until_a_person_has_graded() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _, id) = school(database, "off").await;
        let hidden = act(&app, &id, "blind").await;
        assert_eq!(
            (&hidden["blind"], &hidden["status"]),
            (&json!(true), &json!("submitted"))
        );
        // Also where the assignment asks for no review, nothing goes out.
        ask_ai(&app, &id).await;
        let landed = read(&app, &id).await;
        assert_eq!(
            (&landed["status"], &landed["ai_status"], &landed["score"]),
            (&json!("in_review"), &json!("ready"), &Value::Null)
        );
        for (road, seen) in roads(&app, &id).await {
            for told in [SAID, "\"score\":73", "_score\":73", "Well done"] {
                assert!(!seen.contains(told), "{road} {told} {seen}");
            }
        }
        let path = format!("/v1/submissions/{id}/grade");
        let graded = app.post(&path, json!({"score": 40})).await;
        assert_eq!((graded.status, &graded.body["blind"]), (200, &json!(false)));
        assert_eq!(graded.body["ai_score"], 73, "now it may be known");
        let grades = app
            .get(&format!("/v1/submissions/{id}/grades?verify=true"))
            .await;
        assert_eq!(
            grades.body["verification"]["holds"], true,
            "{}",
            grades.body
        );
        let kinds: Vec<(&Value, &Value)> = grades.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|record| (&record["source"], &record["grader"]["blind"]))
            .collect();
        let (yes, no) = (json!(true), json!(false));
        assert_eq!(kinds, [(&json!("human"), &yes), (&json!("ai"), &no)]);
    }
}

#[actix_web::test]
async fn what_was_said_before_is_hidden_too_and_nothing_is_let_stand_or_explained_unseen() {
    let (app, _, id) = school(Database::Sqlite, "required").await;
    ask_ai(&app, &id).await;
    assert_eq!(read(&app, &id).await["score"], 73);
    act(&app, &id, "blind").await;
    let again = act(&app, &id, "blind").await;
    assert_eq!(
        (&again["score"], &again["criteria"]),
        (&Value::Null, &json!([]))
    );
    assert!(
        list(&app, &format!("submissions/{id}/grades"))
            .await
            .is_empty()
    );
    let refused = async |action: &str| {
        let path = format!("/v1/submissions/{id}/{action}");
        app.post(&path, json!({})).await
    };
    assert_refused(
        &refused("approve").await,
        409,
        "invalid_state_transition",
        "",
    );
    assert_refused(&refused("explain").await, 409, "not_graded", "");
}

#[actix_web::test]
async fn what_was_shown_is_not_hidden_again_and_its_grade_is_not_blind() {
    let (app, _, id) = school(Database::Sqlite, "required").await;
    act(&app, &id, "blind").await;
    ask_ai(&app, &id).await;
    let shown = act(&app, &id, "reveal").await;
    assert_eq!(
        (&shown["blind"], &shown["score"]),
        (&json!(false), &json!(73))
    );
    let again = app
        .post(&format!("/v1/submissions/{id}/blind"), json!({}))
        .await;
    assert_refused(&again, 409, "invalid_state_transition", "");
    app.post(&format!("/v1/submissions/{id}/grade"), json!({"score": 40}))
        .await;
    let newest = &list(&app, &format!("submissions/{id}/grades")).await[0];
    assert_eq!(newest["grader"]["blind"], false);
    // Nor what a person has graded and taken back.
    act(&app, &id, "reopen").await;
    let again = app
        .post(&format!("/v1/submissions/{id}/blind"), json!({}))
        .await;
    assert_refused(&again, 409, "invalid_state_transition", "");
}

#[actix_web::test]
async fn only_what_is_handed_in_and_not_out_can_be_graded_blind() {
    let (app, school, id) = school(Database::Sqlite, "off").await;
    ask_ai(&app, &id).await;
    assert_eq!(read(&app, &id).await["status"], "graded");
    let out = app
        .post(&format!("/v1/submissions/{id}/blind"), json!({}))
        .await;
    assert_refused(&out, 409, "invalid_state_transition", "");
    let draft = json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "content": {"type": "text", "text": TEXT}, "draft": true,
    });
    let draft = app.post("/v1/submissions", draft).await.id();
    let refused = app
        .post(&format!("/v1/submissions/{draft}/blind"), json!({}))
        .await;
    assert_refused(&refused, 409, "invalid_state_transition", "");
}
