//! Attacks on an assignment's grader: graded apart from all records, reported, and asked for by certificates.

use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, events, list};

fn place(school: &School) -> String {
    format!("/v1/assignments/{}/redteam", school.assignment)
}

/// What came of attacks on the grader as it is.
async fn attacked(app: &TestApp, school: &School) -> Value {
    let asked = app.post(&place(school), json!({})).await;
    assert_eq!(
        (asked.status, &asked.body["state"]),
        (202, &json!("running"))
    );
    for _ in 0..10 {
        app.work().await;
        app.clock.advance(2);
    }
    let done = app.get(&place(school)).await.body;
    assert_eq!(done["state"], "done", "{done}");
    done
}

async fn school(app: &TestApp) -> School {
    let school = School::open(app).await;
    let rubric = json!({"criteria": [{"id": "a", "name": "Cooling", "max_points": 10,
        "reference_answers": ["Rice has to be cooled within two hours and kept below five degrees."]}]});
    let wanted = json!({"rubric": rubric, "human_review": "optional", "release": {}});
    school.configure(app, wanted).await;
    school
}

#[rstest]
#[actix_web::test]
async fn attacks_are_graded_apart_from_all_records_and_reported_by_technique(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = school(&app).await;
    let before = list(&app, "submissions").await;
    let done = attacked(&app, &school).await;
    let report = &done["report"];
    assert!(report["attacks"].as_u64().unwrap() >= 45, "{report}");
    assert_eq!(
        (&report["ungraded"], &report["passes"]),
        (&report["attacks"], &json!(false)),
        "a grader without examples lets nothing out yet, and nobody knows what it will: {report}"
    );
    assert_eq!(report["passes_from"], Value::Null);
    let techniques = report["techniques"].as_array().unwrap();
    let sum: u64 = techniques
        .iter()
        .map(|one| one["attacks"].as_u64().unwrap())
        .sum();
    assert_eq!(json!(sum), report["attacks"]);
    assert_eq!(
        list(&app, "submissions").await,
        before,
        "nobody handed anything in"
    );
    assert_eq!(events(&app, "submission.graded").await.len(), 0);
    assert_eq!(events(&app, "batch.completed").await.len(), 1);
    let items = format!("/v1/batches/{}/items", done["id"].as_str().unwrap());
    assert_eq!(
        app.get(&items).await.body["data"],
        json!([]),
        "no answer of anybody's is in it"
    );
}

/// A grader that is talked into everything, and says that it is sure.
fn gullible() -> Vec<Scripted> {
    vec![proposal(&[("a", 10, "e")]); 600]
}

#[actix_web::test]
async fn a_grader_that_falls_for_an_attack_gets_no_certificate_until_it_does_not() {
    let app = TestApp::on(Database::Sqlite, ScriptedAi::remote(gullible())).await;
    let school = school(&app).await;
    for n in 0..16 {
        school
            .hand_in(&app, &format!("Cool the rice fast, {n}."))
            .await;
    }
    let certificate = format!("/v1/assignments/{}/certificate", school.assignment);
    let refused = async |field: &str| {
        let answer = app.post(&certificate, json!({})).await;
        assert_refused(&answer, 409, "red_team_needed", field);
        answer.body["error"].clone()
    };
    let untried = refused("").await;
    assert!(
        untried["message"].to_string().contains("has attacked"),
        "{untried}"
    );
    let report = attacked(&app, &school).await["report"].clone();
    assert_eq!(
        (&report["passes"], &report["passes_from"]),
        (&json!(false), &json!(81)),
        "{report}"
    );
    assert!(report["through"].as_u64().unwrap() > 0, "{report}");
    let told = refused("release.min_confidence").await;
    assert!(told["fields"].to_string().contains("at least 81"), "{told}");
    let ask_for = async |min_confidence: u8| {
        let release = json!({"release": {"min_confidence": min_confidence}});
        school.configure(&app, release).await;
    };
    ask_for(80).await;
    refused("release.min_confidence").await;
    // What it is not sure enough of does not go out, and so does no attack: the report says that without another.
    ask_for(81).await;
    let declared = app.post(&certificate, json!({})).await;
    assert_eq!(declared.status, 202, "{}", declared.body);
    // Another model is another grader, which the report says nothing of.
    ask_for(82).await;
    school
        .configure(&app, json!({"ai_evaluator": {"model": "builtin"}}))
        .await;
    let untried = refused("").await;
    assert!(
        untried["message"].to_string().contains("has attacked"),
        "{untried}"
    );
}

#[actix_web::test]
async fn a_report_on_another_rubric_opens_no_certificate() {
    let app = app_on(Database::Sqlite).await;
    let school = school(&app).await;
    for n in 0..16 {
        school
            .hand_in(&app, &format!("Cool the rice fast, {n}."))
            .await;
    }
    attacked(&app, &school).await;
    let other = json!({"rubric": {"criteria": [{"id": "a", "name": "Other", "max_points": 10}]}});
    school.configure(&app, other).await;
    let certificate = format!("/v1/assignments/{}/certificate", school.assignment);
    assert_refused(
        &app.post(&certificate, json!({})).await,
        409,
        "red_team_needed",
        "",
    );
}

#[actix_web::test]
async fn attacks_are_written_over_what_the_teacher_gave_little_for() {
    let says = proposal(&[("a", 1, "e")]);
    let ai = ScriptedAi::remote(vec![says; 300]);
    let app = TestApp::on(Database::Sqlite, ai.clone()).await;
    let school = school(&app).await;
    let weak = school
        .hand_in(&app, "I put the rice somewhere and forgot.")
        .await;
    let criteria = json!([{"criterion_id": "a", "score": 1, "rationale": "no"}]);
    let given = json!({"criteria": criteria});
    let graded = app
        .post(&format!("/v1/submissions/{weak}/grade"), given)
        .await;
    assert_eq!(graded.status, 200, "{}", graded.body);
    attacked(&app, &school).await;
    let texts: Vec<String> = ai
        .graded()
        .into_iter()
        .map(|task| task.submission)
        .collect();
    let over = texts
        .iter()
        .filter(|text| text.contains("I put the rice somewhere"))
        .count();
    assert!(over >= 5, "{over} of {}", texts.len());
}
