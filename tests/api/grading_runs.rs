//! What a grading run is asked with: its own settings, examples that people confirmed, names that must not leave.

use serde_json::{Value, json};
use std::sync::Arc;
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi, UNKNOWN_MODEL, proposal};
use support::stores::Database;

use crate::school::{School, assert_refused, done, events, list, made};

const TEXT: &str = "Cool the rice. Reheat once.";

fn judged(points: u16) -> Scripted {
    proposal(&[("overall", points, "Reheat once")])
}

async fn remote(script: impl IntoIterator<Item = Scripted>) -> (TestApp, Arc<ScriptedAi>) {
    let ai = ScriptedAi::remote(script);
    (TestApp::on(Database::Sqlite, ai.clone()).await, ai)
}

async fn ask_ai(app: &TestApp, id: &str, body: Value) {
    let asked = app.post(&format!("/v1/submissions/{id}/ai"), body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

#[actix_web::test]
async fn style_and_review_may_be_the_runs_own_and_stay_with_it() {
    let (app, ai) = remote([judged(40), judged(40)]).await;
    let school = School::open(&app).await;
    let usual = json!({"human_review": "required", "feedback": {"tone": "encouraging", "verbosity": "brief"}});
    school.configure(&app, usual).await;
    let id = school.hand_in(&app, TEXT).await;
    let own = json!({
        "feedback": {"tone": "demanding", "language": "pt-br", "verbosity": null}, "human_review": "off",
        "budget": {"tokens": 100_000, "usd": 1.5},
    });
    ask_ai(&app, &id, own).await;
    assert_eq!(read(&app, &id).await["status"], "graded");
    ask_ai(&app, &id, json!({})).await;
    assert_eq!(read(&app, &id).await["status"], "in_review");
    let styles: Vec<String> = ai
        .graded()
        .iter()
        .map(|task| {
            let style = &task.feedback;
            format!("{} {} {}", style.tone, style.verbosity, style.language)
        })
        .collect();
    assert_eq!(styles, ["demanding brief pt-BR", "encouraging brief en"]);
}

#[actix_web::test]
async fn what_a_run_asks_for_is_checked_before_any_job() {
    let (app, ai) = remote([]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let path = format!("/v1/submissions/{id}/ai");
    let cases = [
        (json!({"model": UNKNOWN_MODEL}), "model"),
        (json!({"model": "../../x"}), "model"),
        (json!({"model": "m\nx"}), "model"),
        (json!({"samples": 2}), "samples"),
        (json!({"budget": {"usd": -1}}), "budget.usd"),
        (json!({"budget": {"tokens": 0}}), "budget.tokens"),
        (json!({"feedback": {"tone": "rude"}}), "feedback.tone"),
        (json!({"human_review": "never"}), "human_review"),
    ];
    for (body, field) in cases {
        assert_refused(&app.post(&path, body).await, 400, "invalid_field", field);
    }
    assert_eq!(read(&app, &id).await["ai_status"], Value::Null);
    let evaluator = json!({"ai_evaluator": {"model": UNKNOWN_MODEL}});
    let path = format!("/v1/assignments/{}/configure", school.assignment);
    let refused = app.patch(&path, evaluator).await;
    assert_refused(&refused, 400, "invalid_field", "ai_evaluator.model");
    let course = json!({"ai": {"evaluator": {"model": UNKNOWN_MODEL}}});
    let path = format!("/v1/courses/{}", school.course);
    let refused = app.patch(&path, course).await;
    assert_refused(&refused, 400, "invalid_field", "ai.evaluator.model");
    assert_eq!(app.work().await, 0);
    assert!(ai.graded().is_empty());
}

#[actix_web::test]
async fn the_built_in_engine_has_one_model_and_says_which_was_asked() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let grading = format!("/v1/submissions/{id}/ai");
    let assignment = format!("/v1/assignments/{}", school.assignment);
    let course = format!("/v1/courses/{}", school.course);
    let lesson = format!("/v1/lessons/{}/activities/generate", school.lesson);
    let unit = format!("/v1/units/{}/generate", school.unit);
    let evaluator = |model: &str| json!({"ai": {"evaluator": {"model": model}}});
    for (method, path, body, field) in [
        ("POST", &grading, json!({"model": "gpt-5"}), "model"),
        (
            "PATCH",
            &assignment,
            json!({"ai_evaluator": {"model": "gpt-5"}}),
            "ai_evaluator.model",
        ),
        ("PATCH", &course, evaluator("gpt-5"), "ai.evaluator.model"),
        (
            "PATCH",
            &course,
            json!({"tutor": {"model": "gpt-5"}}),
            "tutor.model",
        ),
        (
            "POST",
            &format!("{course}/syllabus"),
            json!({"brief": "x", "model": "gpt-5"}),
            "model",
        ),
        ("POST", &unit, json!({"model": "gpt-5"}), "model"),
        (
            "POST",
            &lesson,
            json!({"kind": "quiz", "model": "gpt-5"}),
            "model",
        ),
    ] {
        let refused = app.call(&app.owner, method, path, Some(body)).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
    assert_eq!(app.work().await, 0);
    assert_eq!(app.patch(&course, evaluator("builtin")).await.status, 200);
    ask_ai(&app, &id, json!({"model": "builtin"})).await;
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    let grader = &grades[0]["grader"];
    assert_eq!(
        (&grader["model_asked"], &grader["model"]),
        (&json!("builtin"), &json!("builtin"))
    );
}

#[actix_web::test]
async fn a_rubric_of_bare_names_is_never_a_released_nought() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let bare = json!({"criteria": [{"name": "Method"}, {"name": "Reason"}]});
    for (rubric, review) in [
        (json!(null), "optional"),
        (bare.clone(), "optional"),
        (bare, "off"),
    ] {
        school
            .configure(&app, json!({"rubric": rubric, "human_review": review}))
            .await;
        let id = school.hand_in(&app, TEXT).await;
        ask_ai(&app, &id, json!({})).await;
        let held = read(&app, &id).await;
        assert_eq!(held["status"], "in_review", "{review} {held}");
        let reasons = held["review_reasons"].as_array().unwrap();
        assert!(reasons.contains(&json!("cannot_judge")), "{held}");
        let criteria = held["criteria"].as_array().unwrap();
        assert!(
            criteria
                .iter()
                .all(|one| one["not_judged"] == "cannot_judge"),
            "{held}"
        );
    }
}

#[actix_web::test]
async fn what_is_uncalibrated_waits_unless_review_is_off() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let rubric = json!({"criteria": [{"id": "a", "name": "A", "max_points": 10, "key_points": ["Wash your hands"]}]});
    for (review, status) in [
        ("optional", "in_review"),
        ("off", "graded"),
        ("required", "in_review"),
    ] {
        school
            .configure(&app, json!({"rubric": rubric, "human_review": review}))
            .await;
        let id = school
            .hand_in(&app, "Wash your hands before you cook anything.")
            .await;
        ask_ai(&app, &id, json!({})).await;
        let seen = read(&app, &id).await;
        assert_eq!(
            (&seen["status"], &seen["review_reasons"]),
            (&json!(status), &json!(["uncalibrated"])),
            "{review}"
        );
        // Nobody has measured how much its confidence is worth; also where a person lets the grade stand.
        assert_eq!(seen["criteria"][0]["confidence"], Value::Null, "{review}");
        if review == "required" {
            done(&app, &format!("submissions/{id}/approve")).await;
            let approved = read(&app, &id).await;
            assert_eq!(approved["criteria"][0]["confidence"], Value::Null);
        }
        for record in list(&app, &format!("submissions/{id}/grades")).await {
            assert_eq!(record["criteria"][0]["confidence"], Value::Null, "{review}");
        }
    }
}

#[actix_web::test]
async fn of_several_answers_the_middle_one_counts_and_agreement_says_how_sure_it_is() {
    let (app, ai) = remote([judged(90), judged(40), judged(60)]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({"samples": 3})).await;
    assert_eq!(ai.graded().len(), 3);
    let graded = read(&app, &id).await;
    assert_eq!(graded["score"], 60);
    assert_eq!(graded["criteria"][0]["confidence"], 0.33);
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    assert_eq!(grades[0]["grader"]["tokens_in"], 33);
}

#[actix_web::test]
async fn grades_that_people_gave_for_the_same_assignment_are_passed_on_and_named() {
    let (app, ai) = remote([judged(40), judged(50)]).await;
    let school = School::open(&app).await;
    let earlier = school.hand_in(&app, "Wash your hands.").await;
    let path = format!("/v1/submissions/{earlier}/grade");
    let given = json!({"score": 70, "reason": "Says too little"});
    app.post(&path, given).await;
    let approved = school.hand_in(&app, "Cool it. Reheat once.").await;
    ask_ai(&app, &approved, json!({"human_review": "required"})).await;
    app.post(&format!("/v1/submissions/{approved}/approve"), json!({}))
        .await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    let task = ai.graded().pop().unwrap();
    let texts: Vec<(&str, &str, i32)> = task
        .anchors
        .iter()
        .map(|anchor| {
            let points = anchor.points[0].1.hundredths();
            (anchor.text.as_str(), anchor.reason.as_str(), points)
        })
        .collect();
    // What was only let stand is what AI said itself.
    let expected = [("Wash your hands.", "Says too little", 7_000)];
    assert_eq!(texts, expected);
    let passed: Vec<&str> = task
        .anchors
        .iter()
        .map(|one| one.grade_id.as_str())
        .collect();
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    assert_eq!(grades[0]["grader"]["anchors"], json!(passed));
}

#[actix_web::test]
async fn names_and_ids_of_everybody_concerned_are_told_to_be_masked() {
    let (app, ai) = remote([judged(40)]).await;
    let school = School::open(&app).await;
    let author = json!({"email": "bob@school.example", "name": "Bob Stone", "external_id": "s-77"});
    let author = made(&app, &app.owner, "users", author).await;
    let body = json!({
        "assignment_id": school.assignment, "user_id": author,
        "content": {"type": "text", "text": "Wash."}, "draft": false,
    });
    let other = made(&app, &app.owner, "submissions", body).await;
    app.post(
        &format!("/v1/submissions/{other}/grade"),
        json!({"score": 70}),
    )
    .await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    let private = ai.graded().pop().unwrap().private;
    let known = [
        school.student.as_str(),
        "ada@school.example",
        "Ada",
        id.as_str(),
        author.as_str(),
        "bob@school.example",
        "Bob Stone",
        "s-77",
    ];
    for text in known {
        assert!(private.iter().any(|one| one == text), "{text} {private:?}");
    }
}

#[actix_web::test]
async fn an_address_is_not_judged_and_nothing_is_fetched() {
    let (app, ai) = remote([]).await;
    let school = School::open(&app).await;
    let body = json!({
        "assignment_id": school.assignment, "user_id": school.student, "draft": false,
        "content": {"type": "url", "url": "https://work.example/1"},
    });
    let id = made(&app, &app.owner, "submissions", body).await;
    ask_ai(&app, &id, json!({})).await;
    let failed = read(&app, &id).await;
    assert_eq!(
        (&failed["ai_status"], &failed["ai_error"]["code"]),
        (&json!("error"), &json!("content_not_readable"))
    );
    assert_eq!(failed["status"], "submitted");
    assert!(ai.graded().is_empty());
    assert_eq!(events(&app, "submission.grading_failed").await.len(), 1);
}

#[actix_web::test]
async fn people_judge_by_the_courses_rubric_where_the_assignment_has_none() {
    let (app, _) = remote([]).await;
    let school = School::open(&app).await;
    let rubric = json!({"criteria": [{"id": "time", "name": "Time", "max_points": 4}]});
    let path = format!("/v1/courses/{}", school.course);
    let course = json!({"ai": {"evaluator": {"rubric": rubric}}});
    assert_eq!(app.patch(&path, course).await.status, 200);
    let id = school.hand_in(&app, TEXT).await;
    let given = json!({"criteria": [{"criterion_id": "time", "score": 3}]});
    let graded = app
        .post(&format!("/v1/submissions/{id}/grade"), given)
        .await;
    assert_eq!(
        (graded.status, &graded.body["score"]),
        (200, &json!(75)),
        "{}",
        graded.body
    );
}
