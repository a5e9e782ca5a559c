//! Grading with AI and by people: what lands, what counts, what is told.

use insta::assert_json_snapshot;
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use std::sync::Arc;
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, events, list};

/// With characters of more than one byte before every passage.
const TEXT: &str =
    "Überall gilt: „Cool the rice 🍚 within two hours.“ Then store it below 5 °C. Reheat once.";

fn rubric() -> Value {
    json!({"criteria": [
        {"id": "time", "name": "Time", "weight": 3, "max_points": 4,
         "key_points": ["Cool the rice within two hours"]},
        {"id": "cold", "name": "Cold", "max_points": 10, "key_points": ["store it below 5 °C"]},
    ]})
}

async fn scripted(script: impl IntoIterator<Item = Scripted>) -> (TestApp, Arc<ScriptedAi>) {
    let ai = ScriptedAi::new(script);
    let provider: Arc<dyn AiProvider> = ai.clone();
    (TestApp::on(Database::Sqlite, provider).await, ai)
}

async fn ask_ai(app: &TestApp, id: &str, body: Value) {
    let asked = app.post(&format!("/v1/submissions/{id}/ai"), body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

/// Source and status of every record, newest first.
async fn history(app: &TestApp, id: &str) -> Vec<(String, String)> {
    let text = |grade: &Value, member: &str| grade[member].as_str().unwrap().to_owned();
    let grades = list(app, &format!("submissions/{id}/grades")).await;
    let pair = |grade: &Value| (text(grade, "source"), text(grade, "status"));
    grades.iter().map(pair).collect()
}

fn words(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let pair = |&(source, status): &(&str, &str)| (source.to_owned(), status.to_owned());
    pairs.iter().map(pair).collect()
}

#[actix_web::test]
async fn an_ai_grade_is_accepted_lands_once_and_quotes_exactly() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        school.configure(&app, json!({"rubric": rubric()})).await;
        let id = school.hand_in(&app, TEXT).await;
        let path = format!("/v1/submissions/{id}");
        let asked = app.post(&format!("{path}/ai"), json!({})).await;
        assert_eq!(
            (asked.status, &asked.body["ai_status"]),
            (202, &json!("pending"))
        );
        assert_eq!(asked.header("location"), Some(path.as_str()));
        assert_eq!(asked.header("retry-after"), Some("2"));
        assert!(asked.body["estimated_ready_at"].is_string());
        assert_eq!(asked.id(), id);
        assert!(events(&app, "submission.graded").await.is_empty());
        app.work().await;
        let graded = read(&app, &id).await;
        assert_eq!(graded["ai_status"], "ready", "{graded}");
        assert_eq!(
            (&graded["graded_by"], &graded["ai_model"]),
            (&json!("ai"), &json!("builtin"))
        );
        assert!(graded["score"].as_f64().unwrap() > 0.0, "{graded}");
        let mut quotes = 0;
        for criterion in graded["criteria"].as_array().unwrap() {
            for passage in criterion["evidence"].as_array().unwrap() {
                let at = |member: &str| usize::try_from(passage[member].as_u64().unwrap()).unwrap();
                let (start, end) = (at("start"), at("end"));
                let cut: String = TEXT.chars().skip(start).take(end - start).collect();
                assert_eq!(passage["quote"], json!(cut), "{database:?}");
                quotes += 1;
            }
        }
        assert!(quotes > 0, "{graded}");
        let told = events(&app, "submission.graded").await;
        assert_eq!(told.len(), 1, "{database:?}");
        // What can change without the submission is no part of what happened to it.
        let mut happened = graded.clone();
        happened.as_object_mut().unwrap().remove("stale");
        assert_eq!(told[0]["data"]["object"], happened);
        let grades = list(&app, &format!("submissions/{id}/grades")).await;
        assert_eq!(grades.len(), 1);
        assert_eq!(grades[0]["score"], graded["score"]);
    }
}

#[actix_web::test]
async fn the_service_sums_up_by_weight_and_shows_every_member() {
    let judged = proposal(&[("time", 2, "Cool the rice 🍚"), ("cold", 99, "below 5 °C")]);
    let (app, _) = scripted([judged]).await;
    let school = School::open(&app).await;
    school.configure(&app, json!({"rubric": rubric()})).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let graded = read(&app, &id).await;
    // 3 · 2/4 + 1 · 10/10 of a weight of 4, out of 100.
    assert_eq!(graded["score"], json!(62.5));
    assert_json_snapshot!("graded_submission", graded);
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    assert_json_snapshot!("grade", grades[0]);
}

#[actix_web::test]
async fn overrides_are_for_one_run_alone() {
    let (app, ai) = scripted([]).await;
    let school = School::open(&app).await;
    let own = json!({"rubric": rubric(), "ai_evaluator": {"model": "house"}});
    school.configure(&app, own).await;
    let id = school.hand_in(&app, TEXT).await;
    let once =
        json!({"rubric": {"criteria": [{"id": "style", "name": "Style"}]}, "model": "guest"});
    ask_ai(&app, &id, once).await;
    app.work().await;
    assert_eq!(
        read(&app, &id).await["criteria"][0]["criterion_id"],
        "style"
    );
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    assert_eq!(read(&app, &id).await["criteria"][0]["criterion_id"], "time");
    let graded = ai.graded();
    let asked: Vec<(&str, &str)> = graded
        .iter()
        .map(|task| (task.model.as_str(), task.rubric.criteria[0].id.as_str()))
        .collect();
    assert_eq!(asked, [("guest", "style"), ("house", "time")]);
    let assignment = app
        .get(&format!("/v1/assignments/{}", school.assignment))
        .await;
    assert_eq!(assignment.body["rubric"]["criteria"][0]["id"], "time");
    assert_eq!(assignment.body["ai_evaluator"]["model"], "house");
    let hashes: Vec<Value> = list(&app, &format!("submissions/{id}/grades")).await;
    assert_ne!(hashes[0]["rubric_hash"], hashes[1]["rubric_hash"]);
}

#[actix_web::test]
async fn without_a_rubric_of_its_own_the_courses_decides_and_then_one_criterion() {
    let (app, ai) = scripted([]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let course = json!({"ai": {"evaluator": {"model": "m", "rubric": rubric()}}});
    let path = format!("/v1/courses/{}", school.course);
    assert_eq!(app.patch(&path, course).await.status, 200);
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let graded = ai.graded();
    let first = |n: usize| graded[n].rubric.criteria[0].id.as_str();
    assert_eq!((first(0), first(1)), ("overall", "time"));
    assert_eq!(graded[1].model, "m");
}

#[actix_web::test]
async fn of_two_calls_the_newest_run_lands_and_one_event_is_told() {
    let (app, ai) = scripted([]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({"model": "first"})).await;
    ask_ai(&app, &id, json!({"model": "second"})).await;
    app.work().await;
    assert_eq!(read(&app, &id).await["ai_status"], "ready");
    let models: Vec<String> = ai.graded().into_iter().map(|task| task.model).collect();
    assert_eq!(models, ["second"]);
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
    assert_eq!(history(&app, &id).await.len(), 1);
}

#[actix_web::test]
async fn asking_in_the_same_words_joins_the_run_unless_the_task_was_changed() {
    let judged = |points| proposal(&[("overall", points, "Reheat once")]);
    let (app, ai) = scripted([judged(40), judged(70)]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let asked_again = async || {
        app.clock.advance(1);
        ask_ai(&app, &id, json!({})).await;
        read(&app, &id).await["updated_at"].clone()
    };
    let first = asked_again().await;
    assert_eq!(asked_again().await, first);
    app.clock.advance(1);
    school.configure(&app, json!({"human_review": "off"})).await;
    assert_ne!(asked_again().await, first);
    app.work().await;
    assert_eq!(ai.graded().len(), 1);
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
}

#[actix_web::test]
async fn the_old_score_stands_until_the_new_one_lands() {
    let judged = |points| proposal(&[("overall", points, "Reheat once")]);
    let (app, _) = scripted([judged(40), judged(70)]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    ask_ai(&app, &id, json!({})).await;
    let waiting = read(&app, &id).await;
    assert_eq!(
        (&waiting["score"], &waiting["ai_status"]),
        (&json!(40), &json!("pending"))
    );
    app.work().await;
    assert_eq!(read(&app, &id).await["score"], json!(70));
    let expected = words(&[("ai", "final"), ("ai", "superseded")]);
    assert_eq!(history(&app, &id).await, expected);
    assert_eq!(events(&app, "submission.graded").await.len(), 2);
}

#[actix_web::test]
async fn a_persons_grade_wins_over_every_later_run() {
    let judged = |points| proposal(&[("overall", points, "Reheat once")]);
    let (app, _) = scripted([judged(40), judged(90)]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let path = format!("/v1/submissions/{id}");
    let given = json!({"score": 55, "feedback": "Fine", "reason": "Too strict"});
    let graded = app.post(&format!("{path}/grade"), given).await;
    assert_eq!(graded.status, 200, "{}", graded.body);
    assert_eq!(graded.body["review_status"], "done");
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let after = read(&app, &id).await;
    assert_eq!(
        (&after["score"], &after["graded_by"]),
        (&json!(55), &json!("human"))
    );
    assert_eq!(
        (&after["ai_score"], &after["feedback"]),
        (&json!(90), &json!("Fine"))
    );
    assert_eq!(after["ai_status"], "ready");
    let expected = words(&[
        ("ai", "suggested"),
        ("human", "final"),
        ("ai", "superseded"),
    ]);
    assert_eq!(history(&app, &id).await, expected);
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    assert_eq!(grades[1]["reason"], "Too strict");
    assert_eq!(grades[1]["grader"]["kind"], "person");
    assert_eq!(events(&app, "submission.reviewed").await.len(), 1);
    // One for each run that landed, none for the person.
    assert_eq!(events(&app, "submission.graded").await.len(), 2);
}

#[actix_web::test]
async fn a_person_judges_by_criteria_and_the_service_sums_up() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school.configure(&app, json!({"rubric": rubric()})).await;
    let id = school.hand_in(&app, TEXT).await;
    let path = format!("/v1/submissions/{id}/grade");
    let given = |criteria: Value| json!({"criteria": criteria});
    let cases = [
        (json!({}), 400, "missing_field", "score"),
        (json!({"score": 101}), 400, "invalid_field", "score"),
        (json!({"score": "5"}), 400, "invalid_field", "score"),
        (
            given(json!([{"criterion_id": "nope", "score": 1}])),
            400,
            "invalid_field",
            "criteria[0].criterion_id",
        ),
        (
            given(json!([{"criterion_id": "time", "score": 5}])),
            400,
            "invalid_field",
            "criteria[0].score",
        ),
        (
            given(json!([{"criterion_id": "time"}])),
            400,
            "missing_field",
            "criteria[0].score",
        ),
        (
            given(
                json!([{"criterion_id": "time", "score": 1}, {"criterion_id": "time", "score": 2}]),
            ),
            400,
            "invalid_field",
            "criteria[1].criterion_id",
        ),
    ];
    for (body, status, code, field) in cases {
        assert_refused(&app.post(&path, body).await, status, code, field);
    }
    let both = json!([{"criterion_id": "time", "score": 4}, {"criterion_id": "cold", "score": 5}]);
    let graded = app.post(&path, given(both)).await;
    assert_eq!(graded.body["score"], json!(87.5), "{}", graded.body);
    assert_eq!(history(&app, &id).await, words(&[("human", "final")]));
    assert!(events(&app, "submission.graded").await.is_empty());
}

#[actix_web::test]
async fn to_approve_a_grade_that_is_out_keeps_what_it_rests_on() {
    let judged = proposal(&[("time", 4, "Cool the rice 🍚"), ("cold", 10, "below 5 °C")]);
    let (app, _) = scripted([judged]).await;
    let school = School::open(&app).await;
    school.configure(&app, json!({"rubric": rubric()})).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let out = read(&app, &id).await;
    assert_eq!(
        (&out["status"], &out["review_status"]),
        (&json!("graded"), &json!("open")),
        "{out}"
    );
    let approved = done(&app, &format!("submissions/{id}/approve")).await.body;
    assert_eq!(approved["review_status"], "done");
    assert_eq!(
        (&approved["score"], &approved["criteria"]),
        (&out["score"], &out["criteria"])
    );
    assert!(
        !approved["criteria"][0]["evidence"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let newest = &list(&app, &format!("submissions/{id}/grades")).await[0];
    assert_eq!(
        (&newest["source"], &newest["criteria"][0]["evidence"]),
        (&json!("human"), &out["criteria"][0]["evidence"])
    );
    let again = app
        .post(&format!("/v1/submissions/{id}/approve"), json!({}))
        .await;
    assert_refused(&again, 409, "invalid_state_transition", "");
}

#[actix_web::test]
async fn a_held_grade_is_hidden_from_the_learner_until_approved() {
    let judged = proposal(&[("overall", 80, "Reheat once")]);
    let (app, _) = scripted([judged]).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    let student = school.student_session(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let path = format!("/v1/submissions/{id}");
    let as_student = async |path: &str| app.call(&student, "GET", path, None).await.body;
    let teacher = read(&app, &id).await;
    assert_eq!(
        (&teacher["status"], &teacher["score"]),
        (&json!("in_review"), &json!(80))
    );
    assert_eq!(teacher["review_status"], "open");
    let held = as_student(&path).await;
    for member in [
        "score",
        "feedback",
        "graded_by",
        "graded_at",
        "ai_score",
        "ai_rationale",
    ] {
        assert_eq!(held[member], Value::Null, "{member}");
    }
    assert_eq!(
        (&held["criteria"], &held["ai_status"]),
        (&json!([]), &json!("ready"))
    );
    let grades = format!("{path}/grades");
    assert_eq!(as_student(&grades).await["data"], json!([]));
    let listed = as_student("/v1/submissions").await;
    assert_eq!(listed["data"][0], held);
    let approved = done(&app, &format!("submissions/{id}/approve")).await.body;
    assert_eq!(
        (&approved["status"], &approved["review_status"]),
        (&json!("graded"), &json!("done"))
    );
    let shown = as_student(&path).await;
    assert_eq!(
        (&shown["score"], &shown["feedback"]),
        (&json!(80), &json!("Well done"))
    );
    assert_eq!(shown["ai_rationale"], Value::Null);
    // What AI says of its judgement may name what was expected; it is for teachers.
    let told = as_student(&grades).await["data"][0]["criteria"].clone();
    let by_teacher = read(&app, &id).await["criteria"].clone();
    for criteria in [&shown["criteria"], &told] {
        for (criterion, whole) in criteria
            .as_array()
            .unwrap()
            .iter()
            .zip(by_teacher.as_array().unwrap())
        {
            assert_ne!(whole["rationale"], "");
            assert_eq!(criterion["rationale"], "");
            assert_eq!(criterion["evidence"], whole["evidence"]);
        }
    }
    assert_ne!(shown["criteria"], json!([]));
    let again = app.post(&format!("{path}/approve"), json!({})).await;
    assert_refused(&again, 409, "invalid_state_transition", "");
    assert_eq!(
        history(&app, &id).await,
        words(&[("human", "final"), ("ai", "superseded")])
    );
    assert_eq!(events(&app, "submission.reviewed").await.len(), 1);
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
}

#[actix_web::test]
async fn doubtful_evidence_holds_a_grade_back_unless_review_is_off() {
    for (review, status) in [("optional", "in_review"), ("off", "graded")] {
        let judged = proposal(&[("overall", 80, "These words are nowhere in it")]);
        let (app, _) = scripted([judged]).await;
        let school = School::open(&app).await;
        school
            .configure(&app, json!({"human_review": review}))
            .await;
        let id = school.hand_in(&app, TEXT).await;
        ask_ai(&app, &id, json!({})).await;
        app.work().await;
        let graded = read(&app, &id).await;
        assert_eq!(graded["status"], status, "{review}");
        assert_eq!(graded["criteria"][0]["evidence"], json!([]));
    }
}

#[actix_web::test]
async fn a_graded_submission_is_given_back_once() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let path = format!("/v1/submissions/{id}");
    let too_early = app.post(&format!("{path}/return"), json!({})).await;
    assert_refused(&too_early, 409, "invalid_state_transition", "");
    app.post(&format!("{path}/grade"), json!({"score": 5}))
        .await;
    let returned = done(&app, &format!("submissions/{id}/return")).await;
    assert_eq!(returned.body["status"], "returned");
    for (action, body) in [("grade", json!({"score": 6})), ("return", json!({}))] {
        let refused = app.post(&format!("{path}/{action}"), body).await;
        assert_refused(&refused, 409, "invalid_state_transition", "");
    }
    assert_eq!(events(&app, "submission.returned").await.len(), 1);
}

#[actix_web::test]
async fn ai_may_be_asked_about_what_was_given_back_and_only_suggests() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "off", "rubric": rubric()}))
        .await;
    let id = school.hand_in(&app, TEXT).await;
    let path = format!("/v1/submissions/{id}");
    app.post(&format!("{path}/ai"), json!({})).await;
    app.work().await;
    let returned = done(&app, &format!("submissions/{id}/return")).await.body;
    let asked = app.post(&format!("{path}/ai"), json!({})).await;
    assert_eq!(
        (asked.status, &asked.body["ai_status"]),
        (202, &json!("pending"))
    );
    app.work().await;
    let after = read(&app, &id).await;
    assert_eq!(
        (&after["ai_status"], &after["status"], &after["score"]),
        (&json!("ready"), &json!("returned"), &returned["score"])
    );
    assert_eq!(events(&app, "submission.graded").await.len(), 2);
}

#[actix_web::test]
async fn with_the_evaluator_enabled_submitting_starts_grading() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"ai_evaluator": {"enabled": true}}))
        .await;
    let body = json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "content": {"type": "text", "text": TEXT},
    });
    let draft = app.post("/v1/submissions", body).await;
    assert_eq!(draft.body["ai_status"], Value::Null);
    let submitted = done(&app, &format!("submissions/{}/submit", draft.id())).await;
    assert_eq!(submitted.body["ai_status"], "pending");
    let at_once = school.hand_in(&app, TEXT).await;
    assert_eq!(read(&app, &at_once).await["ai_status"], "pending");
    app.work().await;
    for id in [draft.id(), at_once] {
        assert_eq!(read(&app, &id).await["ai_status"], "ready");
    }
}

#[actix_web::test]
async fn a_run_that_finds_nobody_is_tried_again_later() {
    let busy = Scripted::Unavailable(None);
    let patient = Scripted::Unavailable(Some(std::time::Duration::from_mins(1)));
    let (app, ai) = scripted([busy, patient]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    assert_eq!(ai.graded().len(), 1, "it must wait before it tries again");
    app.clock.advance(2);
    app.work().await;
    app.clock.advance(59);
    app.work().await;
    assert_eq!(
        ai.graded().len(),
        2,
        "it must wait as long as the provider asked"
    );
    assert_eq!(read(&app, &id).await["ai_status"], "pending");
    app.clock.advance(1);
    app.work().await;
    assert_eq!(read(&app, &id).await["ai_status"], "ready");
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
    assert!(events(&app, "submission.grading_failed").await.is_empty());
}

#[actix_web::test]
async fn failures_end_in_an_error_that_says_why() {
    let busy = vec![Scripted::Unavailable(None); 6];
    for (script, calls, code) in [
        (busy, 6, "ai_provider_error"),
        (vec![Scripted::Refused], 1, "provider_refused"),
        (vec![Scripted::InvalidOutput], 1, "ai_output_invalid"),
    ] {
        let (app, ai) = scripted(script).await;
        let school = School::open(&app).await;
        let id = school.hand_in(&app, TEXT).await;
        ask_ai(&app, &id, json!({})).await;
        for _ in 0..calls {
            assert_eq!(read(&app, &id).await["ai_status"], "pending", "{code}");
            app.work().await;
            app.clock.advance(200);
        }
        let failed = read(&app, &id).await;
        assert_eq!(
            (&failed["ai_status"], &failed["ai_error"]["code"]),
            (&json!("error"), &json!(code))
        );
        assert!(failed["ai_error"]["message"].is_string());
        assert_eq!(
            (&failed["score"], &failed["status"]),
            (&Value::Null, &json!("submitted"))
        );
        app.work().await;
        assert_eq!(ai.graded().len(), calls, "{code}");
        assert_eq!(events(&app, "submission.grading_failed").await.len(), 1);
        assert!(events(&app, "submission.graded").await.is_empty());
        ask_ai(&app, &id, json!({})).await;
        app.work().await;
        let ready = read(&app, &id).await;
        assert_eq!(
            (&ready["ai_status"], &ready["ai_error"]),
            (&json!("ready"), &Value::Null)
        );
    }
}

#[actix_web::test]
async fn an_override_rubric_is_checked() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let path = format!("/v1/submissions/{id}/ai");
    let cases = [
        (json!({"rubric": {}}), "missing_field", "rubric.criteria"),
        (
            json!({"rubric": {"criteria": [{}]}}),
            "missing_field",
            "rubric.criteria[0].name",
        ),
        (json!({"rubric": []}), "invalid_field", "rubric"),
        (json!({"model": 5}), "invalid_field", "model"),
    ];
    for (body, code, field) in cases {
        assert_refused(&app.post(&path, body).await, 400, code, field);
    }
    assert_eq!(read(&app, &id).await["ai_status"], Value::Null);
}
