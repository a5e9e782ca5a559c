//! Between two looks of one try for a certificate: what happens to answers that were not drawn yet, and may be.

use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::certificate_records::{broken, exported};
use crate::certificates::{BY_AI, certificate, grade, grade_drawn, ids, school, tried};
use crate::school::{School, done, made};

/// Enough answers for a second look.
const ENOUGH: usize = 90;

/// A try whose first look earned nothing; the answers that it did not draw.
async fn refused_once(database: Database) -> (TestApp, School, Vec<String>) {
    let (app, school, mut all) = school(database, ENOUGH).await;
    let first = tried(&app, &school, json!({"tests": 1})).await;
    let drawn = ids(&first["tests"]["waiting"]);
    grade(&app, &drawn[0], 0).await;
    grade_drawn(&app, &school, BY_AI).await;
    assert_eq!(certificate(&app, &school).await["state"], "refused");
    all.retain(|id| !drawn.contains(id));
    (app, school, all)
}

async fn gone(app: &TestApp, id: &str) {
    let path = format!("/v1/submissions/{id}?force=true");
    let deleted = app.delete(&path).await;
    assert_eq!(deleted.status, 200, "{}", deleted.body);
}

/// The kinds of records, in their order.
fn kinds(shown: &Value) -> Vec<String> {
    let records = shown["records"].as_array().unwrap().iter();
    let kind = |record: &Value| {
        let content: Value = serde_json::from_str(record["content"].as_str().unwrap()).unwrap();
        content["kind"].as_str().unwrap().to_owned()
    };
    records.map(kind).collect()
}

#[rstest]
#[case::graded_openly("grade")]
#[case::deleted("delete")]
#[actix_web::test]
async fn what_cannot_be_graded_blind_any_more_counts_as_disagreement_once_it_is_drawn(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[case] how: &str,
) {
    let (app, school, undrawn) = refused_once(database).await;
    for id in &undrawn {
        match how {
            "grade" => grade(&app, id, BY_AI).await,
            _ => gone(&app, id).await,
        }
    }
    let second = tried(&app, &school, json!({})).await;
    assert_eq!(
        (&second["state"], &second["looks_spent"]),
        (&json!("refused"), &json!(2)),
        "nobody is waited for, and nothing is proved: {second}"
    );
    let (shown, found) = exported(&app, &school).await;
    assert_eq!(found.0, None);
    let kinds = kinds(&shown);
    assert_eq!(
        kinds,
        ["declared", "drawn", "looked", "drawn", "looked"],
        "none of them leaves the draw"
    );
    assert_eq!(broken(&app), Vec::<String>::new());
}

#[rstest]
#[actix_web::test]
async fn one_that_is_graded_openly_leaves_the_others_to_be_graded_blind(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, undrawn) = refused_once(database).await;
    for id in &undrawn[1..] {
        grade(&app, id, BY_AI).await;
    }
    gone(&app, &undrawn[0]).await;
    let item = crate::school::list(&app, "trash").await[0]["id"].clone();
    done(&app, &format!("trash/{}/restore", item.as_str().unwrap())).await;
    let second = tried(&app, &school, json!({})).await;
    let waiting = ids(&second["tests"]["waiting"]);
    assert!(
        waiting.iter().all(|id| *id == undrawn[0]),
        "what came back may be graded blind: {second}"
    );
}

#[rstest]
#[actix_web::test]
async fn who_is_erased_between_two_looks_leaves_draw_and_population(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, _) = school(database, 60).await;
    let person = json!({"name": "Noor", "email": "noor@example.com", "role": "student"});
    let user = made(&app, &app.owner, "users", person).await;
    let mut theirs = Vec::new();
    for _ in 0..30 {
        let body = json!({
            "assignment_id": school.assignment, "user_id": user,
            "content": {"type": "text", "text": "Cool the rice fast."}, "draft": false,
        });
        theirs.push(made(&app, &app.owner, "submissions", body).await);
        app.work().await;
    }
    let first = tried(&app, &school, json!({"tests": 1})).await;
    let drawn = ids(&first["tests"]["waiting"]);
    grade(&app, &drawn[0], 0).await;
    grade_drawn(&app, &school, BY_AI).await;
    theirs.retain(|id| !drawn.contains(id));
    let erased = app
        .post(&format!("/v1/users/{user}/erase"), json!({"confirm": user}))
        .await;
    assert_eq!(erased.status, 200, "{}", erased.body);
    let second = tried(&app, &school, json!({})).await;
    assert_eq!(second["state"], "testing", "{second}");
    let waiting = ids(&second["tests"]["waiting"]);
    assert!(waiting.iter().all(|id| !theirs.contains(id)), "{second}");
    grade_drawn(&app, &school, BY_AI).await;
    assert_eq!(certificate(&app, &school).await["state"], "valid");
    let (shown, found) = exported(&app, &school).await;
    assert_eq!(found.0, None);
    let left = kinds(&shown)
        .into_iter()
        .filter(|kind| kind == "left")
        .count();
    assert_eq!(left, theirs.len());
    assert_eq!(broken(&app), Vec::<String>::new());
}
