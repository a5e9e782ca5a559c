//! Regrades: previewed, committed, undone; what is left alone, and that nothing happens twice.

use futures_util::future::join_all;
use lyceum_domain::running::jobs::JobLane;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, assert_refused, events, key};

/// What AI gives first, and what it gives anew.
const FIRST: u16 = 80;
const ANEW: u16 = 30;
const TEXT: &str = "Cool the rice fast.";

/// A school with so many answers that AI graded, and that went out; what it gives from now on is another grade.
pub async fn graded(database: Database, answers: usize) -> (TestApp, School, Vec<String>) {
    let says = |points: u16| proposal(&[("a", points, "rice")]);
    let mut script: Vec<Scripted> = vec![says(FIRST)];
    script.extend(vec![says(ANEW); 3 * answers + 100]);
    let app = TestApp::on(database, ScriptedAi::remote(script)).await;
    let school = School::open(&app).await;
    let wanted = json!({"ai_evaluator": {"enabled": true}, "human_review": "off", "rubric": rubric("Cooling")});
    school.configure(&app, wanted).await;
    let mut ids = Vec::new();
    for _ in 0..answers {
        ids.push(school.hand_in(&app, TEXT).await);
        // The same text by the same rubric: it is judged once, and taken over.
        app.work().await;
        app.clock.advance(1);
    }
    (app, school, ids)
}

fn rubric(name: &str) -> Value {
    json!({"criteria": [{"id": "a", "name": name, "max_points": 100}]})
}

fn place(school: &School) -> String {
    format!("/v1/assignments/{}/regrades", school.assignment)
}

/// Changes the rubric, so that what was graded by the one before is stale.
async fn change_rubric(app: &TestApp, school: &School) {
    app.clock.advance(1);
    school
        .configure(app, json!({"rubric": rubric("Cooling rice")}))
        .await;
    app.clock.advance(1);
}

/// Previews a regrade of these words, until it is ready.
async fn previewed(app: &TestApp, school: &School, asked: Value) -> Value {
    let told = app.post(&place(school), asked).await;
    assert_eq!((told.status, &told.body["state"]), (202, &json!("running")));
    settled(app, &told.body).await
}

/// Works until nothing tends the batch any more; as it is then.
async fn settled(app: &TestApp, batch: &Value) -> Value {
    let path = format!("/v1/batches/{}", batch["id"].as_str().unwrap());
    for tries in 0.. {
        assert!(tries < 20, "it never came to its end");
        app.work().await;
        app.clock.advance(2);
        let told = app.get(&path).await.body;
        let state = told["state"].as_str().unwrap().to_owned();
        if !["running", "committing", "undoing"].contains(&state.as_str()) {
            return told;
        }
    }
    Value::Null
}

async fn ask(app: &TestApp, batch: &Value, what: &str, body: Value) -> Value {
    let path = format!("/v1/batches/{}/{what}", batch["id"].as_str().unwrap());
    let told = app.post(&path, body).await;
    assert!([200, 202].contains(&told.status), "{what} {}", told.body);
    told.body
}

async fn committed(app: &TestApp, batch: &Value, replace: &[&String]) -> Value {
    ask(app, batch, "commit", json!({"replace": replace})).await;
    settled(app, batch).await
}

async fn items(app: &TestApp, batch: &Value) -> Vec<Value> {
    let path = format!(
        "/v1/batches/{}/items?limit=100",
        batch["id"].as_str().unwrap()
    );
    let told = app.get(&path).await;
    assert_eq!(told.status, 200, "{}", told.body);
    told.body["data"].as_array().unwrap().clone()
}

async fn item(app: &TestApp, batch: &Value, id: &str) -> Value {
    let all = items(app, batch).await;
    all.into_iter()
        .find(|one| one["submission_id"] == id)
        .unwrap()
}

async fn submission(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

async fn history(app: &TestApp, id: &str) -> Vec<Value> {
    let path = format!("/v1/submissions/{id}/grades?verify=true&limit=100");
    let told = app.get(&path).await.body;
    assert_eq!(told["verification"]["holds"], true, "{told}");
    told["data"].as_array().unwrap().clone()
}

/// What of a submission a learner and a teacher see of its grade.
fn standing(submission: &Value) -> Value {
    let members = [
        "status",
        "score",
        "graded_by",
        "feedback",
        "criteria",
        "ai_status",
        "ai_score",
        "review_status",
        "review_reasons",
    ];
    members
        .iter()
        .map(|member| submission[*member].clone())
        .collect()
}

async fn grade(app: &TestApp, id: &str, score: u16) {
    let given = json!({"score": score, "feedback": "mine"});
    let graded = app
        .post(&format!("/v1/submissions/{id}/grade"), given)
        .await;
    assert_eq!(graded.status, 200, "{}", graded.body);
}

#[rstest]
#[actix_web::test]
async fn a_preview_lands_nothing_a_commit_lands_it_once_and_an_undo_puts_back_what_stood(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, ids) = graded(database, 3).await;
    change_rubric(&app, &school).await;
    let mut before = Vec::new();
    for id in &ids {
        before.push(submission(&app, id).await);
    }
    assert_eq!(before[0]["score"], json!(FIRST));
    assert_eq!(before[0]["stale"], true);
    let told = events(&app, "submission.graded").await.len();

    let ready = previewed(&app, &school, json!({})).await;
    assert_eq!(ready["state"], "ready");
    assert_eq!(ready["items"]["graded"], 3, "{ready}");
    let summary = &ready["summary"];
    assert_eq!(
        (
            &summary["changed"],
            &summary["crossing_down"],
            &summary["mean_change"]
        ),
        (&json!(3), &json!(3), &json!(-0.5))
    );
    assert_eq!(summary["histogram"][5], 3, "{summary}");
    let shown = item(&app, &ready, &ids[0]).await;
    assert_eq!(
        (
            &shown["old"]["score"],
            &shown["new_score"],
            &shown["crossing"]
        ),
        (&json!(FIRST), &json!(ANEW), &json!("down"))
    );
    for (id, before) in ids.iter().zip(&before) {
        assert_eq!(&submission(&app, id).await, before, "nothing landed");
        assert_eq!(history(&app, id).await.len(), 1);
    }
    assert_eq!(events(&app, "submission.graded").await.len(), told);
    assert_eq!(events(&app, "batch.ready").await.len(), 1);

    let done = committed(&app, &ready, &[]).await;
    assert_eq!(
        (&done["state"], &done["items"]["landed"]),
        (&json!("committed"), &json!(3))
    );
    let again = committed(&app, &ready, &[]).await;
    assert_eq!(
        again["state"], "committed",
        "twice committed has one effect"
    );
    for id in &ids {
        let landed = submission(&app, id).await;
        assert_eq!(
            (&landed["score"], &landed["stale"]),
            (&json!(ANEW), &json!(false))
        );
        assert_eq!(history(&app, id).await.len(), 2);
    }
    assert_eq!(events(&app, "submission.graded").await.len(), told + 3);
    assert_eq!(events(&app, "batch.committed").await.len(), 1);

    ask(&app, &ready, "undo", json!({})).await;
    let undone = settled(&app, &ready).await;
    ask(&app, &ready, "undo", json!({})).await;
    assert_eq!(
        (&undone["state"], &undone["items"]["undone"]),
        (&json!("undone"), &json!(3))
    );
    for (id, before) in ids.iter().zip(&before) {
        let back = submission(&app, id).await;
        assert_eq!(standing(&back), standing(before));
        assert_eq!(back["stale"], true, "what stands is as old as it was");
        let all = history(&app, id).await;
        assert_eq!(all.len(), 3, "history only grows");
        assert_eq!(
            (&all[0]["score"], &all[0]["status"]),
            (&json!(FIRST), &json!("final"))
        );
        assert_eq!(all[0]["criteria"], all[2]["criteria"], "the same quotes");
        let superseded = all[1..].iter().all(|one| one["status"] == "superseded");
        assert!(superseded, "{all:?}");
    }
    assert_eq!(events(&app, "submission.reopened").await.len(), 3);
    assert_eq!(events(&app, "batch.undone").await.len(), 1);
}

#[rstest]
#[actix_web::test]
async fn a_persons_grade_is_replaced_only_where_the_commit_names_it_and_comes_back_by_the_undo(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, ids) = graded(database, 3).await;
    grade(&app, &ids[0], 70).await;
    grade(&app, &ids[1], 60).await;
    let before = submission(&app, &ids[1]).await;
    change_rubric(&app, &school).await;
    let ready = previewed(&app, &school, json!({})).await;
    assert_eq!(ready["summary"]["decided_by_person"], 2, "{ready}");
    let done = committed(&app, &ready, &[&ids[1]]).await;
    assert_eq!(
        (&done["items"]["landed"], &done["items"]["left"]),
        (&json!(2), &json!(1))
    );
    let left = item(&app, &ready, &ids[0]).await;
    assert_eq!(
        (&left["state"], &left["left_because"]),
        (&json!("left"), &json!("decided_by_person"))
    );
    assert_eq!(submission(&app, &ids[0]).await["score"], 70);
    let replaced = submission(&app, &ids[1]).await;
    assert_eq!(
        (&replaced["score"], &replaced["graded_by"]),
        (&json!(ANEW), &json!("ai"))
    );
    ask(&app, &ready, "undo", json!({})).await;
    settled(&app, &ready).await;
    let back = submission(&app, &ids[1]).await;
    assert_eq!(standing(&back), standing(&before));
    let all = history(&app, &ids[1]).await;
    assert_eq!(
        (&all[0]["source"], &all[0]["score"]),
        (&json!("human"), &json!(60))
    );
}

#[actix_web::test]
async fn what_moved_on_since_it_was_previewed_is_left_as_it_is_and_named() {
    let (app, school, ids) = graded(Database::Sqlite, 4).await;
    change_rubric(&app, &school).await;
    let ready = previewed(&app, &school, json!({})).await;
    grade(&app, &ids[0], 55).await;
    grade(&app, &ids[1], 55).await;
    let back = app
        .post(&format!("/v1/submissions/{}/return", ids[1]), json!({}))
        .await;
    assert_eq!(back.status, 200);
    let asked = app
        .post(&format!("/v1/submissions/{}/ai", ids[2]), json!({}))
        .await;
    assert_eq!(asked.status, 202);
    let path = format!("/v1/batches/{}/commit", ready["id"].as_str().unwrap());
    assert_eq!(app.post(&path, json!({"replace": ids})).await.status, 202);
    let jobs = lyceum_application::work::claim(&app.app, JobLane::Work, 10)
        .await
        .unwrap();
    for job in jobs {
        lyceum_application::work::perform(&app.app, &job)
            .await
            .unwrap();
    }
    let mut left = Vec::new();
    for id in &ids {
        left.push(item(&app, &ready, id).await["left_because"].clone());
    }
    assert_eq!(
        left,
        [
            json!("changed"),
            json!("returned"),
            json!("ai_pending"),
            Value::Null
        ],
        "also where the commit names them"
    );
    assert_eq!(submission(&app, &ids[0]).await["score"], 55);
}

#[actix_web::test]
async fn what_a_person_did_since_a_commit_stays_at_the_undo() {
    let (app, school, ids) = graded(Database::Sqlite, 2).await;
    change_rubric(&app, &school).await;
    let ready = previewed(&app, &school, json!({})).await;
    committed(&app, &ready, &[]).await;
    grade(&app, &ids[0], 95).await;
    ask(&app, &ready, "undo", json!({})).await;
    let undone = settled(&app, &ready).await;
    assert_eq!(
        (&undone["items"]["undone"], &undone["items"]["kept"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(submission(&app, &ids[0]).await["score"], 95);
    assert_eq!(item(&app, &ready, &ids[0]).await["left_because"], "changed");
    assert_eq!(submission(&app, &ids[1]).await["score"], json!(FIRST));
}

#[actix_web::test]
async fn a_preview_by_a_rubric_that_grades_no_more_cannot_be_committed() {
    let (app, school, ids) = graded(Database::Sqlite, 1).await;
    let own = json!({"rubric": rubric("Mine alone")});
    let of_its_own = previewed(&app, &school, own).await;
    let usual = previewed(&app, &school, json!({})).await;
    change_rubric(&app, &school).await;
    let path = |batch: &Value| format!("/v1/batches/{}/commit", batch["id"].as_str().unwrap());
    let refused = app.post(&path(&usual), json!({})).await;
    assert_eq!(
        (refused.status, refused.code()),
        (409, "invalid_state_transition"),
        "{}",
        refused.body
    );
    let done = committed(&app, &of_its_own, &[]).await;
    assert_eq!(done["items"]["landed"], 1, "it names its rubric itself");
    let newest = &history(&app, &ids[0]).await[0];
    assert_eq!(newest["criteria"][0]["name"], "Mine alone");
}

#[actix_web::test]
async fn only_what_is_stale_is_graded_anew_where_that_is_asked() {
    let (app, school, ids) = graded(Database::Sqlite, 2).await;
    change_rubric(&app, &school).await;
    let anew = app
        .post(&format!("/v1/submissions/{}/ai", ids[0]), json!({}))
        .await;
    assert_eq!(anew.status, 202);
    app.work().await;
    let ready = previewed(&app, &school, json!({"only_stale": true})).await;
    let about: Vec<Value> = items(&app, &ready)
        .await
        .iter()
        .map(|one| one["submission_id"].clone())
        .collect();
    assert_eq!(about, [json!(ids[1])]);
}

#[rstest]
#[case::in_a_state(json!({"status": "in_review"}), 0)]
#[case::by_name(json!({"submission_ids": ["x"]}), 0)]
#[case::nobody_left_out(json!({}), 2)]
#[actix_web::test]
async fn a_filter_says_who_is_in_it(#[case] filter: Value, #[case] count: usize) {
    let (app, school, _) = graded(Database::Sqlite, 2).await;
    let ready = previewed(&app, &school, json!({"filter": filter})).await;
    assert_eq!(
        (&ready["state"], items(&app, &ready).await.len()),
        (&json!("ready"), count)
    );
}

#[actix_web::test]
async fn what_waits_for_a_blind_grade_is_in_no_preview_and_shows_nothing_in_one_of_before() {
    let (app, school, ids) = graded(Database::Sqlite, 2).await;
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    for id in &ids {
        let path = format!("/v1/submissions/{id}/ai");
        assert_eq!(app.post(&path, json!({})).await.status, 202);
    }
    app.work().await;
    let ready = previewed(&app, &school, json!({})).await;
    let blind = format!("/v1/submissions/{}/blind", ids[0]);
    assert_eq!(app.post(&blind, json!({})).await.status, 200);
    let hidden = item(&app, &ready, &ids[0]).await;
    assert_eq!(
        (&hidden["old"], &hidden["new_score"], &hidden["criteria"]),
        (&Value::Null, &Value::Null, &json!([]))
    );
    let later = previewed(&app, &school, json!({})).await;
    assert_eq!(items(&app, &later).await.len(), 1);
    let done = committed(&app, &ready, &[]).await;
    assert_eq!(done["items"]["left"], 1);
    assert_eq!(
        item(&app, &ready, &ids[0]).await["left_because"],
        "awaits_blind_grade"
    );
}

/// A worker that dies with its claim, at every step of the way.
async fn dies(app: &TestApp) {
    for lane in [JobLane::Ai, JobLane::Work] {
        lyceum_application::work::claim(&app.app, lane, 100)
            .await
            .unwrap();
    }
    app.start_again().await;
}

#[rstest]
#[actix_web::test]
async fn a_crash_anywhere_leaves_what_was_asked_to_be_done_and_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, ids) = graded(database, 3).await;
    change_rubric(&app, &school).await;
    let started = app.post(&place(&school), json!({})).await.body;
    dies(&app).await;
    // Its items are collected and asked about, and nobody has answered.
    let jobs = lyceum_application::work::claim(&app.app, JobLane::Work, 10)
        .await
        .unwrap();
    for job in jobs {
        lyceum_application::work::perform(&app.app, &job)
            .await
            .unwrap();
    }
    dies(&app).await;
    let ready = settled(&app, &started).await;
    assert_eq!(ready["items"]["graded"], 3, "{ready}");
    ask(&app, &ready, "commit", json!({})).await;
    dies(&app).await;
    assert_eq!(settled(&app, &ready).await["items"]["landed"], 3);
    ask(&app, &ready, "undo", json!({})).await;
    dies(&app).await;
    assert_eq!(settled(&app, &ready).await["items"]["undone"], 3);
    for id in &ids {
        assert_eq!(history(&app, id).await.len(), 3);
    }
    assert_eq!(events(&app, "batch.committed").await.len(), 1);
    assert_eq!(events(&app, "batch.undone").await.len(), 1);
}

#[actix_web::test]
async fn a_hundred_who_start_commit_and_undo_at_once_have_one_effect() {
    let (app, school, ids) = graded(Database::Postgres, 4).await;
    change_rubric(&app, &school).await;
    let start = place(&school);
    let starts = join_all((0..100).map(|_| app.post(&start, json!({})))).await;
    let first = &starts[0].body["id"];
    for start in &starts {
        assert_eq!(
            (start.status, &start.body["id"]),
            (202, first),
            "{}",
            start.body
        );
    }
    let ready = settled(&app, &starts[0].body).await;
    for (what, state, length) in [("commit", "committed", 2), ("undo", "undone", 3)] {
        let path = format!("/v1/batches/{}/{what}", ready["id"].as_str().unwrap());
        let told = join_all((0..100).map(|_| app.post(&path, json!({})))).await;
        assert!(told.iter().all(|one| one.status == 202), "{what}");
        assert_eq!(settled(&app, &ready).await["state"], state);
        for id in &ids {
            assert_eq!(history(&app, id).await.len(), length, "{what}");
        }
    }
}

#[actix_web::test]
async fn who_asks_for_something_else_meanwhile_is_told_that_one_is_busy() {
    let (app, school, _) = graded(Database::Sqlite, 1).await;
    app.post(&place(&school), json!({})).await;
    let other = app
        .post(&place(&school), json!({"rubric": rubric("Other")}))
        .await;
    assert_eq!(
        (other.status, other.code()),
        (409, "invalid_state_transition")
    );
    let early = app.get(&place(&school)).await.body["data"][0].clone();
    let path = format!("/v1/batches/{}/commit", early["id"].as_str().unwrap());
    assert_eq!(
        app.post(&path, json!({})).await.status,
        409,
        "nothing was previewed yet"
    );
    let stopped = ask(&app, &early, "stop", json!({})).await;
    assert_eq!(stopped["state"], "stopped");
    app.work().await;
    assert_eq!(app.post(&path, json!({})).await.status, 409);
    assert_eq!(events(&app, "batch.stopped").await.len(), 1);
}

/// One of each event about batches.
pub async fn told_of_everything() -> TestApp {
    // More than wait for a model at a time: how far it is is told before it is done.
    let (app, school, _) = graded(Database::Sqlite, 60).await;
    change_rubric(&app, &school).await;
    let ready = previewed(&app, &school, json!({})).await;
    committed(&app, &ready, &[]).await;
    ask(&app, &ready, "undo", json!({})).await;
    settled(&app, &ready).await;
    let place = format!("/v1/assignments/{}", school.assignment);
    let started = app.post(&format!("{place}/ai"), json!({})).await.body;
    settled(&app, &started["newest"]).await;
    let again = app.post(&format!("{place}/regrades"), json!({})).await.body;
    ask(&app, &again, "stop", json!({})).await;
    app
}

#[actix_web::test]
async fn a_model_that_may_not_be_asked_is_refused_before_anybody_is() {
    let app = crate::school::app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    let told = app.post(&place(&school), json!({"model": "gpt-x"})).await;
    assert_refused(&told, 400, "invalid_field", "model");
}

#[actix_web::test]
async fn regrades_are_nobodys_who_may_not_grade_and_no_other_workspaces() {
    let (app, school, _) = graded(Database::Sqlite, 1).await;
    let ready = previewed(&app, &school, json!({})).await;
    let batch = format!("/v1/batches/{}", ready["id"].as_str().unwrap());
    let asked = |path: &str| (path.to_owned(), Some(json!({})));
    let writes = [
        asked(&place(&school)),
        asked(&format!("{batch}/commit")),
        asked(&format!("{batch}/undo")),
        asked(&format!("{batch}/stop")),
    ];
    let reads = [place(&school), batch.clone(), format!("{batch}/items")];
    let student = school.student_session(&app).await;
    let reader = key(&app, &["read:submissions"]).await;
    let others = app.another_workspace("others").await;
    for (path, body) in writes {
        for (caller, status) in [(&student, 403), (&reader, 403), (&others, 404)] {
            let told = app.call(caller, "POST", &path, body.clone()).await;
            assert_eq!(told.status, status, "{path}");
        }
    }
    for path in reads {
        for (caller, status) in [(&student, 403), (&others, 404), (&reader, 200)] {
            let told = app.call(caller, "GET", &path, None).await;
            assert_eq!(told.status, status, "{path}");
        }
    }
    assert_eq!(
        app.get(&batch).await.body["state"],
        "ready",
        "nobody did anything"
    );
}

#[actix_web::test]
async fn who_committed_and_who_undid_is_in_the_audit_trail() {
    let (app, school, _) = graded(Database::Sqlite, 1).await;
    let ready = previewed(&app, &school, json!({})).await;
    committed(&app, &ready, &[]).await;
    ask(&app, &ready, "undo", json!({})).await;
    let path = format!("/v1/audit?subject_id={}", ready["id"].as_str().unwrap());
    let told = app.get(&path).await;
    let entries = told.body["data"].as_array().cloned().unwrap_or_default();
    let actions: Vec<&Value> = entries.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(
        actions,
        [&json!("batch.undone"), &json!("batch.committed")],
        "{}",
        told.body
    );
    assert_eq!(entries[0]["actor"]["kind"], "user", "{}", entries[0]);
}

#[rstest]
#[actix_web::test]
async fn a_regrade_goes_into_the_trash_with_its_assignment_and_comes_back(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, ids) = graded(database, 2).await;
    change_rubric(&app, &school).await;
    let ready = previewed(&app, &school, json!({})).await;
    let path = format!("/v1/assignments/{}?force=true", school.assignment);
    assert_eq!(app.delete(&path).await.status, 200);
    let batch = format!("/v1/batches/{}", ready["id"].as_str().unwrap());
    assert_eq!(app.get(&batch).await.status, 404);
    let trash = app.get("/v1/trash").await.body["data"][0]["id"].clone();
    let back = app
        .post(
            &format!("/v1/trash/{}/restore", trash.as_str().unwrap()),
            json!({}),
        )
        .await;
    assert_eq!(back.status, 200, "{}", back.body);
    assert_eq!(app.get(&batch).await.body, ready);
    assert_eq!(committed(&app, &ready, &[]).await["items"]["landed"], 2);
    assert_eq!(submission(&app, &ids[0]).await["score"], json!(ANEW));
}
