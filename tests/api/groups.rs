//! Answers that say nearly the same, and one judgement for several of them.

use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, events, key, made};

const RICE: &str = "Cool the rice within two hours and store it below five degrees.";
const RICE_AGAIN: &str = "Cool the rice within two hours, and store it below five degrees!";
const SOUP: &str = "I would rather have soup, and I have no idea what to do with that.";

async fn handed_in(database: Database, texts: &[&str]) -> (TestApp, School, Vec<String>) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let rubric = json!({"criteria": [{"id": "a", "name": "Cooling", "max_points": 10}]});
    school.configure(&app, json!({"rubric": rubric})).await;
    let mut ids = Vec::new();
    for text in texts {
        ids.push(school.hand_in(&app, text).await);
    }
    (app, school, ids)
}

async fn judged(app: &TestApp, id: &str, points: u16) {
    let given = json!({"criteria": [{"criterion_id": "a", "score": points, "rationale": "both"}], "feedback": "Well done, Ada"});
    let path = format!("/v1/submissions/{id}/grade");
    assert_eq!(app.post(&path, given).await.status, 200);
}

async fn alike(app: &TestApp, id: &str, body: Value) -> Value {
    let path = format!("/v1/submissions/{id}/alike");
    let told = app.post(&path, body).await;
    assert_eq!(told.status, 200, "{}", told.body);
    told.body
}

#[actix_web::test]
async fn answers_of_nearly_the_same_words_are_one_group() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, school, ids) = handed_in(database, &[RICE, SOUP, RICE_AGAIN]).await;
        let path = format!("/v1/assignments/{}/groups", school.assignment);
        let told = app.get(&path).await.body;
        assert_eq!(
            (&told["answers"], &told["compared"], &told["spared"]),
            (&json!(3), &json!(3), &json!(1))
        );
        let groups = told["groups"].as_array().unwrap();
        assert_eq!(groups.len(), 1, "{told}");
        assert_eq!(groups[0]["level"], "grade_together");
        let members = groups[0]["members"].as_array().unwrap();
        let members: Vec<&Value> = members.iter().map(|one| &one["submission_id"]).collect();
        assert_eq!(members, [&json!(ids[2]), &json!(ids[0])]);
    }
}

#[actix_web::test]
async fn one_judgement_is_given_to_each_that_is_named_with_a_record_of_its_own() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _, ids) = handed_in(database, &[RICE, RICE_AGAIN, SOUP]).await;
        judged(&app, &ids[0], 8).await;
        let wanted = json!({"submission_ids": [ids[1]]});
        let mut preview = wanted.clone();
        preview["preview"] = json!(true);
        let told = alike(&app, &ids[0], preview).await;
        assert_eq!(
            (&told["preview"], &told["members"][0]["graded"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(
            app.get(&format!("/v1/submissions/{}", ids[1])).await.body["score"],
            Value::Null
        );
        let told = alike(&app, &ids[0], wanted.clone()).await;
        assert_eq!(told["members"][0]["graded"], true);
        let graded = app.get(&format!("/v1/submissions/{}", ids[1])).await.body;
        assert_eq!(
            (&graded["score"], &graded["graded_by"]),
            (&json!(80), &json!("human"))
        );
        assert_eq!(
            graded["feedback"], "",
            "what the first was told is not told to others"
        );
        let history = app
            .get(&format!("/v1/submissions/{}/grades?verify=true", ids[1]))
            .await
            .body;
        assert_eq!(history["data"].as_array().unwrap().len(), 1, "{history}");
        assert_eq!(history["data"][0]["reason"], format!("as {}", ids[0]));
        let again = alike(&app, &ids[0], wanted).await;
        assert_eq!(again["members"][0]["left_because"], "decided");
        assert_eq!(events(&app, "submission.reviewed").await.len(), 2);
        let untouched = app.get(&format!("/v1/submissions/{}", ids[2])).await.body;
        assert_eq!(untouched["status"], "submitted");
    }
}

#[actix_web::test]
async fn who_waits_for_a_blind_grade_or_is_not_there_is_left_alone() {
    let (app, _, ids) = handed_in(Database::Sqlite, &[RICE, RICE_AGAIN]).await;
    let early = app
        .post(
            &format!("/v1/submissions/{}/alike", ids[0]),
            json!({"submission_ids": [ids[1]]}),
        )
        .await;
    assert_eq!(early.status, 409, "nobody has judged it yet");
    judged(&app, &ids[0], 8).await;
    let blind = app
        .post(&format!("/v1/submissions/{}/blind", ids[1]), json!({}))
        .await;
    assert_eq!(blind.status, 200);
    let nobody = "sub_00000000000000000000000007";
    let told = alike(
        &app,
        &ids[0],
        json!({"submission_ids": [ids[1], nobody, ids[0]]}),
    )
    .await;
    let members = told["members"].as_array().unwrap();
    let left: Vec<&Value> = members.iter().map(|one| &one["left_because"]).collect();
    assert_eq!(
        left,
        [&json!("blind"), &json!("not_found"), &json!("decided")]
    );
}

#[actix_web::test]
async fn groups_and_judgements_are_nobodys_who_may_not_grade() {
    let (app, school, ids) = handed_in(Database::Sqlite, &[RICE, RICE_AGAIN]).await;
    judged(&app, &ids[0], 8).await;
    let groups = format!("/v1/assignments/{}/groups", school.assignment);
    let give = format!("/v1/submissions/{}/alike", ids[0]);
    let wanted = || Some(json!({"submission_ids": [ids[1]]}));
    let student = school.student_session(&app).await;
    assert_eq!(app.call(&student, "GET", &groups, None).await.status, 403);
    assert_eq!(
        app.call(&student, "POST", &give, wanted()).await.status,
        403
    );
    let reader = key(&app, &["read:submissions"]).await;
    assert_eq!(app.call(&reader, "POST", &give, wanted()).await.status, 403);
    let others = app.another_workspace("others").await;
    assert_eq!(app.call(&others, "GET", &groups, None).await.status, 404);
    assert_eq!(app.call(&others, "POST", &give, wanted()).await.status, 404);
}

/// Why the second answer does not get the judgement of the first, once this was done to it.
async fn left_because(app: &TestApp, ids: &[String]) -> Value {
    let told = alike(app, &ids[0], json!({"submission_ids": [ids[1]]})).await;
    assert_eq!(told["members"][0]["graded"], false);
    told["members"][0]["left_because"].clone()
}

#[actix_web::test]
async fn what_answers_something_else_or_is_out_of_other_points_is_left_alone() {
    let (app, school, ids) = handed_in(Database::Sqlite, &[RICE]).await;
    judged(&app, &ids[0], 8).await;
    let assignment = format!("/v1/assignments/{}", school.assignment);
    let halved = app.patch(&assignment, json!({"max_score": 50})).await;
    assert_eq!(halved.status, 200, "{}", halved.body);
    let other_points = school.hand_in(&app, RICE_AGAIN).await;
    let given = [ids[0].clone(), other_points];
    assert_eq!(left_because(&app, &given).await, "other_maximum");
    let another = json!({"unit_id": school.unit, "name": "Another"});
    let elsewhere = School {
        assignment: made(&app, &app.owner, "assignments", another).await,
        ..school
    };
    let elsewhere = elsewhere.hand_in(&app, RICE_AGAIN).await;
    let given = [ids[0].clone(), elsewhere];
    assert_eq!(left_because(&app, &given).await, "other_assignment");
}

#[rstest]
#[case::still_written(json!({"type": "text", "text": RICE}), true, "not_handed_in")]
#[case::nothing_to_read(json!({"type": "url", "url": "https://school.example/rice"}), false, "no_text")]
#[actix_web::test]
async fn what_nobody_can_read_yet_is_left_alone(
    #[case] content: Value,
    #[case] draft: bool,
    #[case] because: &str,
) {
    let (app, school, ids) = handed_in(Database::Sqlite, &[RICE]).await;
    judged(&app, &ids[0], 8).await;
    let student = app
        .post(
            "/v1/users",
            json!({"email": "new@school.example", "role": "student"}),
        )
        .await
        .id();
    let body = json!({"assignment_id": school.assignment, "user_id": student, "content": content, "draft": draft});
    let made = app.post("/v1/submissions", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let given = [ids[0].clone(), made.id()];
    assert_eq!(left_because(&app, &given).await, because);
}

#[actix_web::test]
async fn what_was_given_back_is_left_alone() {
    let (app, _, ids) = handed_in(Database::Sqlite, &[RICE, RICE_AGAIN]).await;
    judged(&app, &ids[0], 8).await;
    judged(&app, &ids[1], 4).await;
    let path = format!("/v1/submissions/{}/return", ids[1]);
    assert_eq!(app.post(&path, json!({})).await.status, 200);
    assert_eq!(left_because(&app, &ids).await, "returned");
}

#[rstest]
#[case::nobody(json!([]), "invalid_field", "submission_ids")]
#[case::too_many(json!(vec!["sub_00000000000000000000000007"; 51]), "invalid_field", "submission_ids")]
#[case::twice(json!(["sub_00000000000000000000000007", "sub_00000000000000000000000007"]), "invalid_field", "submission_ids[1]")]
#[actix_web::test]
async fn each_is_named_once_and_fifty_at_most(
    #[case] named: Value,
    #[case] code: &str,
    #[case] field: &str,
) {
    let (app, _, ids) = handed_in(Database::Sqlite, &[RICE]).await;
    judged(&app, &ids[0], 8).await;
    let path = format!("/v1/submissions/{}/alike", ids[0]);
    let told = app.post(&path, json!({"submission_ids": named})).await;
    assert_refused(&told, 400, code, field);
}

/// Two teachers confirm the same group at once, one from its end: each answer is judged once, and nobody is sent away.
#[actix_web::test]
async fn those_who_confirm_a_group_at_once_judge_each_answer_once() {
    let texts: Vec<String> = (0..12).map(|n| format!("{RICE} {n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _, ids) = handed_in(database, &texts).await;
        judged(&app, &ids[0], 8).await;
        let mut back = ids[1..].to_vec();
        back.reverse();
        let orders = [ids[1..].to_vec(), back];
        let asked = (0..8).map(|n| alike(&app, &ids[0], json!({"submission_ids": orders[n % 2]})));
        let told = join_all(asked).await;
        let members = |one: &Value| one["members"].as_array().unwrap().clone();
        let all: Vec<Value> = told.iter().flat_map(members).collect();
        let graded = all.iter().filter(|one| one["graded"] == true).count();
        assert_eq!(graded, 11, "each by one of them");
        assert_eq!(events(&app, "submission.reviewed").await.len(), 12);
        for id in &ids {
            let history = app
                .get(&format!("/v1/submissions/{id}/grades?verify=true"))
                .await
                .body;
            assert_eq!(history["data"].as_array().unwrap().len(), 1, "{history}");
            assert_eq!(history["verification"]["holds"], true);
        }
    }
}

#[actix_web::test]
async fn an_answer_judged_as_another_teaches_the_grader_nothing() {
    let (app, school, ids) = handed_in(Database::Sqlite, &[RICE, RICE_AGAIN]).await;
    judged(&app, &ids[0], 8).await;
    alike(&app, &ids[0], json!({"submission_ids": [ids[1]]})).await;
    let path = format!("/v1/assignments/{}/calibration", school.assignment);
    let told = app.get(&path).await.body;
    assert_eq!(told["examples"], 1, "{told}");
}

#[actix_web::test]
async fn what_waits_for_a_blind_grade_shows_nothing_of_ai_in_a_group() {
    let (app, school, ids) = handed_in(Database::Sqlite, &[RICE, RICE_AGAIN]).await;
    for id in &ids {
        let path = format!("/v1/submissions/{id}/ai");
        assert_eq!(app.post(&path, json!({})).await.status, 202);
    }
    app.work().await;
    let blind = format!("/v1/submissions/{}/blind", ids[1]);
    assert_eq!(app.post(&blind, json!({})).await.status, 200);
    let path = format!("/v1/assignments/{}/groups", school.assignment);
    let told = app.get(&path).await.body;
    let hidden = &told["groups"][0]["members"][0];
    assert_eq!(hidden["submission_id"], json!(ids[1]));
    assert_eq!(
        (&hidden["status"], &hidden["score"], &hidden["graded_by"]),
        (&json!("submitted"), &Value::Null, &Value::Null)
    );
}
