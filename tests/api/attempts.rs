//! Answering activities over HTTP: what answers are worth, and who sees what.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};

use crate::school::{School, app_on, assert_refused, done, key, made};
use support::stores::Database;

/// One question of every type, worth 10 points each; the open one counts nothing.
fn quiz(show_answers: &str) -> Value {
    let choices = |right: &[&str]| -> Vec<Value> {
        let options = ["a", "b", "c"].iter();
        options
            .map(|id| json!({"id": id, "text": id, "correct": right.contains(id), "feedback": format!("SECRET {id}")}))
            .collect()
    };
    let accepted = |text: &str| json!([text, "SECRET"]);
    json!({
        "passing_percent": 60, "show_answers": show_answers, "questions": [
            {"id": "q1", "type": "single_choice", "prompt": "?", "points": 10, "options": choices(&["a"]), "explanation": "SECRET"},
            {"id": "q2", "type": "multiple_choice", "prompt": "?", "points": 10, "options": choices(&["a", "b"])},
            {"id": "q3", "type": "true_false", "prompt": "?", "points": 10, "answer": true},
            {"id": "q4", "type": "short_text", "prompt": "?", "points": 10, "accepted_answers": accepted("Wash")},
            {"id": "q5", "type": "numeric", "prompt": "?", "points": 10, "answer": 63, "tolerance": 2},
            {"id": "q6", "type": "cloze", "prompt": "?", "points": 10, "text": "{{1}} {{2}}", "blanks": [
                {"id": "1", "accepted_answers": accepted("cold")}, {"id": "2", "accepted_answers": accepted("hot")}]},
            {"id": "q7", "type": "ordering", "prompt": "?", "points": 10, "items": ["wash", "cut", "heat", "eat"]},
            {"id": "q8", "type": "matching", "prompt": "?", "points": 10, "pairs": [
                {"id": "p1", "left": "fridge", "right": "5"}, {"id": "p2", "left": "freezer", "right": "-18"}]},
            {"id": "q9", "type": "open", "prompt": "?", "points": 10, "sample_answer": "SECRET"},
        ],
    })
}

fn right() -> Value {
    json!({
        "q1": "a", "q2": ["a", "b"], "q3": true, "q4": " WASH ", "q5": 64.5, "q6": {"1": "Cold", "2": "hot"},
        "q7": ["wash", "cut", "heat", "eat"], "q8": {"p1": "5", "p2": "-18"}, "q9": "Because.",
    })
}

/// Where the attempts at the school's activity are, once it has this content.
async fn written(app: &TestApp, school: &School, content: Value) -> String {
    let path = format!("/v1/activities/{}", school.activity);
    let changed = app.patch(&path, json!({"content": content})).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    format!("{path}/attempts")
}

async fn answer(app: &TestApp, caller: &Caller, path: &str, answers: Value) -> Answer {
    let body = json!({"answers": answers});
    app.call(caller, "POST", path, Some(body)).await
}

#[actix_web::test]
async fn an_attempt_shows_every_member() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = written(&app, &school, quiz("after_submit")).await;
    let learner = school.student_session(&app).await;
    let made = answer(
        &app,
        &learner,
        &path,
        json!({"q1": "b", "q2": ["a", "c"], "q9": "Hm."}),
    )
    .await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_json_snapshot!("created_attempt", made.body);
    let listed = app.call(&learner, "GET", &path, None).await.body;
    assert_eq!(listed["data"], json!([made.body]));
}

#[actix_web::test]
async fn every_type_of_question_is_scored_also_in_part() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = written(&app, &school, quiz("after_submit")).await;
    let learner = school.student_session(&app).await;
    let all = answer(&app, &learner, &path, right()).await.body;
    assert_eq!(
        (
            &all["score"],
            &all["max_score"],
            &all["percent"],
            &all["passed"]
        ),
        (&json!(80), &json!(80), &json!(100), &json!(true)),
        "{all}"
    );
    let partly = json!({
        "q1": "b", "q2": ["b"], "q3": false, "q4": "rinse", "q5": "60,9", "q6": {"2": "HOT"},
        "q7": ["cut", "wash", "heat", "eat"], "q8": {"p1": "5", "p2": "5"},
    });
    let partly = answer(&app, &learner, &path, partly).await.body;
    let results = partly["results"].as_array().unwrap();
    let scores: Vec<&Value> = results.iter().map(|result| &result["score"]).collect();
    assert_eq!(json!(scores), json!([0, 5, 0, 0, 0, 5, 5, 5, 0]));
    assert_eq!(
        (
            &partly["score"],
            &partly["percent"],
            &partly["passed"],
            &partly["number"]
        ),
        (&json!(20), &json!(25), &json!(false), &json!(2))
    );
    assert_eq!(results[8]["correct"], Value::Null);
}

#[actix_web::test]
async fn what_is_right_is_shown_to_learners_only_where_the_quiz_says_so() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = written(&app, &school, quiz("never")).await;
    let learner = school.student_session(&app).await;
    let wrong = json!({"q1": "b", "q7": ["eat", "heat", "cut", "wash"]});
    let made = answer(&app, &learner, &path, wrong).await.body;
    let listed = app.call(&learner, "GET", &path, None).await.body;
    for shown in [&made, &listed["data"][0]] {
        let result = &shown["results"][0];
        assert_eq!(
            (
                &result["correct"],
                &result["right_answer"],
                &result["explanation"]
            ),
            (&json!(false), &Value::Null, &json!(""))
        );
        let results = shown["results"].to_string();
        for secret in ["SECRET", "wash", "63", "-18", "cold"] {
            assert!(!results.contains(secret), "{secret} {results}");
        }
    }
    // The teacher reads the quiz with its answers anyway.
    let teachers = app.get(&path).await.body;
    assert_eq!(teachers["data"][0]["results"][0]["right_answer"], "a");
    // A key that may hand in, but not read courses, learns no more than a learner.
    let narrow = key(&app, &["write:submissions", "read:submissions"]).await;
    let narrow = app.call(&narrow, "GET", &path, None).await.body;
    assert_eq!(narrow["data"][0]["results"], made["results"]);
    written(&app, &school, quiz("after_submit")).await;
    let open = answer(&app, &learner, &path, json!({"q1": "b"})).await.body;
    let result = &open["results"][0];
    assert_eq!(
        (
            &result["right_answer"],
            &result["feedback"],
            &result["explanation"]
        ),
        (&json!("a"), &json!("SECRET b"), &json!("SECRET"))
    );
    let earlier = app.call(&learner, "GET", &path, None).await.body;
    assert_eq!(earlier["data"][1], made, "an attempt never changes");
}

#[actix_web::test]
async fn malformed_answers_are_named_by_question() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = written(&app, &school, quiz("never")).await;
    let learner = school.student_session(&app).await;
    let wrong = json!({
        "q1": 1, "q2": ["z"], "q3": "yes", "q4": [], "q5": "many", "q6": {"9": "x"}, "q7": ["wash"], "q8": {"p1": "7"},
        "q9": 9, "q10": 1,
    });
    let refused = answer(&app, &learner, &path, wrong).await;
    assert_refused(&refused, 400, "invalid_field", "answers.q1");
    let fields = refused.body["error"]["fields"].as_object().unwrap();
    let named: Vec<&str> = fields.keys().map(String::as_str).collect();
    assert_eq!(
        named,
        [
            "answers.q1",
            "answers.q10",
            "answers.q2[0]",
            "answers.q3",
            "answers.q4",
            "answers.q5",
            "answers.q6.9",
            "answers.q7",
            "answers.q8.p1",
            "answers.q9",
        ]
    );
    let none = app.call(&learner, "POST", &path, Some(json!({}))).await;
    assert_refused(&none, 400, "missing_field", "answers");
    let list = answer(&app, &learner, &path, json!([])).await;
    assert_refused(&list, 400, "invalid_field", "answers");
    assert_eq!(
        app.get(&path).await.body["data"],
        json!([]),
        "nothing was kept"
    );
}

#[actix_web::test]
async fn what_is_not_scored_is_done_when_it_is_done() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let make = async |kind: &str, content: Value| {
        let new =
            json!({"lesson_id": school.lesson, "kind": kind, "name": kind, "content": content});
        let id = made(&app, &app.owner, "activities", new).await;
        format!("/v1/activities/{id}/attempts")
    };
    let reflection = make("reflection", json!({"prompt": "Why?", "min_words": 3})).await;
    let short = answer(&app, &learner, &reflection, json!({"text": "Because."})).await;
    assert_refused(&short, 400, "invalid_field", "answers.text");
    let text = json!({"text": "It stays cold."});
    let reflected = answer(&app, &learner, &reflection, text.clone()).await;
    assert_eq!((reflected.status, &reflected.body["answers"]), (201, &text));
    let cards = make(
        "flashcards",
        json!({"cards": [{"front": "a", "back": "b"}]}),
    )
    .await;
    let turned = app.call(&learner, "POST", &cards, Some(json!({}))).await;
    for one in [&reflected.body, &turned.body] {
        assert_eq!(
            (
                &one["score"],
                &one["max_score"],
                &one["percent"],
                &one["passed"]
            ),
            (&json!(0), &json!(0), &Value::Null, &Value::Null),
            "{one}"
        );
    }
    let unwritten = make("quiz", json!({})).await;
    let refused = answer(&app, &learner, &unwritten, json!({})).await;
    assert_refused(&refused, 409, "not_editable", "");
}

#[actix_web::test]
async fn learners_answer_for_themselves_and_see_their_own() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/activities/{}/attempts", school.activity);
    let learner = school.student_session(&app).await;
    let other = made(
        &app,
        &app.owner,
        "users",
        json!({"email": "eve@school.example"}),
    )
    .await;
    let theirs = json!({"answers": {"q1": "a"}, "user_id": other});
    let refused = app
        .call(&learner, "POST", &path, Some(theirs.clone()))
        .await;
    assert_refused(&refused, 403, "not_own_resource", "");
    let own = json!({"answers": {"q1": "a"}, "user_id": school.student});
    assert_eq!(
        app.call(&learner, "POST", &path, Some(own)).await.status,
        201
    );
    assert_eq!(app.post(&path, theirs).await.status, 201);
    let list = app.call(&learner, "GET", &path, None).await.body;
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    assert_eq!(list["data"][0]["user_id"], json!(school.student));
    let asked = format!("{path}?user_id={other}");
    let refused = app.call(&learner, "GET", &asked, None).await;
    assert_refused(&refused, 403, "not_own_resource", "");
    assert_eq!(
        app.get(&path).await.body["data"].as_array().unwrap().len(),
        2
    );
    let filtered = app.get(&asked).await.body;
    assert_eq!(filtered["data"][0]["user_id"], json!(other));
    assert_eq!(filtered["data"].as_array().unwrap().len(), 1);
    let nobody = app.post(&path, json!({"answers": {}})).await;
    assert_refused(&nobody, 400, "missing_field", "user_id");
    let unknown = json!({"answers": {}, "user_id": "usr_00000000000000000000000000"});
    assert_refused(
        &app.post(&path, unknown).await,
        404,
        "resource_missing",
        "user_id",
    );
}

#[actix_web::test]
async fn an_activity_that_a_learner_does_not_see_is_not_there_to_be_answered() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/activities/{}/attempts", school.activity);
    let learner = school.student_session(&app).await;
    done(&app, &format!("courses/{}/archive", school.course)).await;
    for (method, body) in [("POST", Some(json!({"answers": {}}))), ("GET", None)] {
        let refused = app.call(&learner, method, &path, body).await;
        assert_refused(&refused, 404, "resource_missing", "");
    }
    // Whoever acts for others knows what they do, as with submissions.
    let entered = json!({"answers": {"q1": "a"}, "user_id": school.student});
    assert_eq!(app.post(&path, entered).await.status, 201);
    let reader = key(&app, &["read:courses"]).await;
    let refused = app.call(&reader, "POST", &path, Some(json!({}))).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
}

#[actix_web::test]
async fn the_same_request_under_one_key_is_one_attempt() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let path = format!("/v1/activities/{}/attempts", school.activity);
        let learner = school.student_session(&app).await;
        let keyed = async |answers: Value| {
            let request = request(&learner, "POST", &path)
                .insert_header(("Idempotency-Key", "once"))
                .set_json(json!({"answers": answers}));
            app.send(request).await
        };
        let first = keyed(json!({"q1": "a"})).await;
        let again = keyed(json!({"q1": "a"})).await;
        assert_eq!((again.status, &again.body), (201, &first.body));
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        let other = keyed(json!({"q1": "b"})).await;
        assert_eq!(
            (other.status, other.code()),
            (400, "idempotency_key_reused")
        );
        let all = app.get(&path).await.body;
        assert_eq!(all["data"].as_array().unwrap().len(), 1);
        assert_eq!(all["data"][0]["number"], json!(1));
    }
}

#[actix_web::test]
async fn attempts_come_in_pages_newest_first() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/activities/{}/attempts", school.activity);
    let learner = school.student_session(&app).await;
    for _ in 0..3 {
        answer(&app, &learner, &path, json!({})).await;
    }
    let first = app
        .call(&learner, "GET", &format!("{path}?limit=2"), None)
        .await
        .body;
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = format!("{path}?limit=2&startingAfter={cursor}");
    let second = app.call(&learner, "GET", &second, None).await.body;
    let numbers = |page: &Value| -> Vec<Value> {
        let data = page["data"].as_array().unwrap().iter();
        data.map(|one| one["number"].clone()).collect()
    };
    assert_eq!(
        json!([numbers(&first), numbers(&second)]),
        json!([[3, 2], [1]])
    );
    assert_eq!(second["has_more"], json!(false));
}
