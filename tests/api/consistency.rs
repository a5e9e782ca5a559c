//! Answers of nearly the same words that were graded far apart.

use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{School, app_on, done, key};

const RICE: &str = "Cool the rice within two hours and store it below five degrees.";
const RICE_WITH_A_SLIP: &str = "Cool the rice within two hours and store it below five degree";
const SOUP: &str = "I would rather have soup, and I have no idea what to do with rice.";

/// A school whose grades all come from people, for texts and points of a hundred.
async fn graded(database: Database, answers: &[(&str, u16)]) -> (TestApp, School, Vec<String>) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let mut ids = Vec::new();
    for (text, points) in answers {
        let id = school.hand_in(&app, text).await;
        let graded = app
            .post(
                &format!("/v1/submissions/{id}/grade"),
                json!({"score": points}),
            )
            .await;
        assert_eq!(graded.status, 200, "{}", graded.body);
        ids.push(id);
    }
    (app, school, ids)
}

fn path(school: &School) -> String {
    format!("/v1/assignments/{}/consistency", school.assignment)
}

async fn consistency(app: &TestApp, school: &School) -> Value {
    let answer = app.get(&path(school)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[actix_web::test]
async fn who_got_less_for_the_same_words_is_found() {
    for database in [Database::Sqlite, Database::Postgres] {
        let answers = [(RICE, 90), (RICE_WITH_A_SLIP, 40), (SOUP, 0), (RICE, 80)];
        let (app, school, ids) = graded(database, &answers).await;
        let told = consistency(&app, &school).await;
        assert_eq!(
            (&told["object"], &told["compared"]),
            (&json!("consistency"), &json!(4))
        );
        let pairs = told["pairs"].as_array().unwrap();
        let of = |id: &str, score: u16| {
            json!({
                "submission_id": id, "score": f64::from(score), "max_score": 100.0, "source": "human",
            })
        };
        assert_eq!(pairs.len(), 2, "{told}");
        assert_eq!(pairs[0]["better"], of(&ids[0], 90));
        assert_eq!(pairs[0]["worse"], of(&ids[1], 40));
        assert_eq!(pairs[0]["gap"], 0.5);
        assert_eq!(pairs[1]["better"], of(&ids[3], 80));
        let similarity = pairs[0]["similarity"].as_f64().unwrap();
        assert!((0.9..1.0).contains(&similarity), "{told}");
    }
}

#[actix_web::test]
async fn what_ai_gave_is_held_against_what_people_gave_but_for_who_grades_blind() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    let rubric = json!({"criteria": [{
        "id": "a", "name": "Cooling", "max_points": 10,
        "key_points": ["Cool the rice within two hours", "Store it below five degrees"],
    }]});
    let wanted = json!({"rubric": rubric, "ai_evaluator": {"enabled": true}});
    school.configure(&app, wanted).await;
    let by_hand = school.hand_in(&app, RICE_WITH_A_SLIP).await;
    let by_ai = school.hand_in(&app, RICE).await;
    app.work().await;
    let nothing = json!({"criteria": [{"criterion_id": "a", "score": 0}]});
    app.post(&format!("/v1/submissions/{by_hand}/grade"), nothing)
        .await;
    let told = consistency(&app, &school).await;
    assert_eq!(told["pairs"][0]["better"]["submission_id"], by_ai);
    assert_eq!(told["pairs"][0]["better"]["source"], "ai");
    done(&app, &format!("submissions/{by_ai}/blind")).await;
    let told = consistency(&app, &school).await;
    assert_eq!((&told["compared"], &told["pairs"]), (&json!(1), &json!([])));
}

#[actix_web::test]
async fn what_is_in_the_trash_or_a_draft_is_not_compared() {
    let (app, school, ids) = graded(Database::Sqlite, &[(RICE, 90), (RICE, 10)]).await;
    assert_eq!(
        consistency(&app, &school).await["pairs"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let gone = app
        .delete(&format!("/v1/submissions/{}?force=true", ids[1]))
        .await;
    assert_eq!(gone.status, 200, "{}", gone.body);
    let told = consistency(&app, &school).await;
    assert_eq!((&told["compared"], &told["pairs"]), (&json!(1), &json!([])));
}

#[actix_web::test]
async fn it_is_nobodys_who_may_not_read_everybodys_work() {
    let (app, school, _) = graded(Database::Sqlite, &[(RICE, 90)]).await;
    let student = school.student_session(&app).await;
    let asked = app.call(&student, "GET", &path(&school), None).await;
    assert_eq!(asked.status, 403);
    let writer = key(&app, &["write:submissions", "write:courses"]).await;
    let asked = app.call(&writer, "GET", &path(&school), None).await;
    assert_eq!(asked.status, 403);
    let others = app.another_workspace("others").await;
    let asked = app.call(&others, "GET", &path(&school), None).await;
    assert_eq!(asked.status, 404);
}
