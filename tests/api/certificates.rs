//! Certificates: what a teacher shows before AI's grades go out unseen, and what stops them.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use lyceum_application::grading::certificates::verifying;
use lyceum_application::running::queue;
use lyceum_domain::running::jobs::Job;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi, proposal};
use support::stores::Database;
use support::tampering::tamper;

use crate::school::{School, assert_refused, done, events, key, list};

/// Enough answers for a promise of one in five, with some left to go out.
pub const CLASS: usize = 45;
/// What AI gives everybody.
pub const BY_AI: u16 = 90;

/// A school whose assignment asks for a certificate, with so many answers that AI has graded.
pub async fn school(database: Database, answers: usize) -> (TestApp, School, Vec<String>) {
    school_asking(database, answers, json!({})).await
}

async fn school_asking(
    database: Database,
    answers: usize,
    release: Value,
) -> (TestApp, School, Vec<String>) {
    let says = proposal(&[("a", BY_AI / 2, "rice"), ("b", BY_AI / 2, "rice")]);
    let script: Vec<Scripted> = vec![says; 1_000];
    let app = TestApp::on(database, ScriptedAi::remote(script)).await;
    let school = School::open(&app).await;
    // A score alone says nothing of two criteria: what people give here is no example, and the grader stays the same.
    let rubric = json!({"criteria": [
        {"id": "a", "name": "A", "max_points": 50}, {"id": "b", "name": "B", "max_points": 50}]});
    let enabled = json!({"enabled": true});
    let wanted = json!({"ai_evaluator": enabled, "release": release, "rubric": rubric});
    school.configure(&app, wanted).await;
    let ids = hand_in(&app, &school, answers).await;
    (app, school, ids)
}

pub async fn hand_in(app: &TestApp, school: &School, answers: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..answers {
        app.clock.advance(1);
        ids.push(school.hand_in(app, "Cool the rice fast.").await);
        app.work().await;
    }
    ids
}

pub fn path(school: &School) -> String {
    format!("/v1/assignments/{}/certificate", school.assignment)
}

/// Tries for a certificate, until AI has graded what waits.
pub async fn tried(app: &TestApp, school: &School, body: Value) -> Value {
    let attacks = format!("/v1/assignments/{}/redteam", school.assignment);
    if app.get(&attacks).await.status == 404 {
        attacked(app, school).await;
    }
    let asked = app.post(&path(school), body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    for _ in 0..5 {
        app.work().await;
        app.clock.advance(2);
    }
    certificate(app, school).await
}

/// Has the grader attacked, which a certificate asks for; what came of it.
pub async fn attacked(app: &TestApp, school: &School) -> Value {
    let place = format!("/v1/assignments/{}/redteam", school.assignment);
    let asked = app.post(&place, json!({})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    for _ in 0..10 {
        app.work().await;
        app.clock.advance(2);
    }
    app.get(&place).await.body
}

pub async fn certificate(app: &TestApp, school: &School) -> Value {
    let answer = app.get(&path(school)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

pub fn ids(list: &Value) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    list.map(|id| id.as_str().unwrap().to_owned()).collect()
}

async fn submission(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

pub async fn grade(app: &TestApp, id: &str, score: u16) {
    let given = json!({"score": score});
    let graded = app
        .post(&format!("/v1/submissions/{id}/grade"), given)
        .await;
    assert_eq!(graded.status, 200, "{}", graded.body);
}

/// Grades what was drawn, each as AI did.
pub async fn grade_drawn(app: &TestApp, school: &School, score: u16) {
    for id in ids(&certificate(app, school).await["tests"]["waiting"]) {
        grade(app, &id, score).await;
    }
    app.work().await;
}

/// A school with a certificate.
pub async fn certified(database: Database) -> (TestApp, School, Vec<String>) {
    let (app, school, all) = school(database, CLASS).await;
    tried(&app, &school, json!({"tests": 1})).await;
    grade_drawn(&app, &school, BY_AI).await;
    assert_eq!(certificate(&app, &school).await["state"], "valid");
    (app, school, all)
}

/// Later answers, until so many of them wait for an audit.
pub async fn until_audited(app: &TestApp, school: &School, audits: usize) -> Vec<String> {
    for tries in 0.. {
        let waiting = ids(&certificate(app, school).await["audits"]["waiting"]);
        if waiting.len() >= audits {
            return waiting;
        }
        assert!(tries < 200, "nothing was audited");
        hand_in(app, school, 1).await;
    }
    Vec::new()
}

#[rstest]
#[actix_web::test]
async fn nothing_goes_out_before_a_certificate_and_then_what_it_covers(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, all) = school(database, CLASS).await;
    for id in &all {
        let held = submission(&app, id).await;
        assert_eq!(held["status"], "in_review", "{held}");
        let reasons = held["review_reasons"].to_string();
        assert!(reasons.contains("not_certified"), "{held}");
    }
    let drawn = tried(&app, &school, json!({"tests": 1})).await;
    assert_eq!(
        (&drawn["state"], &drawn["at_hand"]),
        (&json!("testing"), &json!(CLASS))
    );
    let waiting = ids(&drawn["tests"]["waiting"]);
    assert!(
        (18..30).contains(&waiting.len()),
        "never fewer than prove it: {drawn}"
    );
    for id in &waiting {
        let hidden = submission(&app, id).await;
        assert_eq!(
            (&hidden["blind"], &hidden["ai_score"], &hidden["score"]),
            (&json!(true), &Value::Null, &Value::Null)
        );
    }
    assert_eq!(events(&app, "certificate.drawn").await.len(), 1);
    assert_eq!(drawn["certified"], Value::Null);

    grade_drawn(&app, &school, BY_AI).await;
    let told = certificate(&app, &school).await;
    assert_eq!(
        (&told["state"], &told["looks_spent"]),
        (&json!("valid"), &json!(1))
    );
    assert_eq!(told["certified"]["threshold"], 80);
    assert_eq!(told["certified"]["disagreements"], 0);
    assert!(
        told["certified"]["bound_of_later"].as_f64().unwrap() <= 0.2,
        "{told}"
    );
    let statement = told["statement"].as_str().unwrap();
    assert!(
        statement.contains("you and AI disagreed on none of them"),
        "{statement}"
    );
    assert_eq!(events(&app, "certificate.issued").await.len(), 1);

    let rest: BTreeSet<&String> = all.iter().filter(|id| !waiting.contains(id)).collect();
    assert_eq!(told["released"]["count"], rest.len());
    assert_eq!(events(&app, "submission.released").await.len(), rest.len());
    for id in rest {
        let out = submission(&app, id).await;
        assert_eq!(
            (&out["status"], &out["graded_by"]),
            (&json!("graded"), &json!("ai"))
        );
        let history = app
            .get(&format!("/v1/submissions/{id}/grades?verify=true"))
            .await;
        assert_eq!(
            history.body["verification"]["holds"], true,
            "{}",
            history.body
        );
        let newest = &history.body["data"][0];
        assert_eq!(newest["status"], "final");
        let reason = newest["reason"].as_str().unwrap();
        assert_eq!(
            reason,
            format!("released by {}", told["id"].as_str().unwrap())
        );
    }
}

#[rstest]
#[actix_web::test]
async fn later_answers_go_out_but_for_some_that_are_audited_and_one_disagreement_stops_all(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, _) = certified(database).await;
    let later = hand_in(&app, &school, 30).await;
    let told = certificate(&app, &school).await;
    let audits = ids(&told["audits"]["waiting"]);
    assert_eq!(told["audits"]["arrived"], 30);
    assert!((1..15).contains(&audits.len()), "one in five: {told}");
    for id in &later {
        let landed = submission(&app, id).await;
        let is_audited = audits.contains(id);
        let expected = if is_audited { "in_review" } else { "graded" };
        assert_eq!(
            (&landed["status"], &landed["blind"]),
            (&json!(expected), &json!(is_audited))
        );
    }
    // As AI did: release goes on.
    grade(&app, &audits[0], BY_AI).await;
    assert_eq!(certificate(&app, &school).await["state"], "valid");

    let waiting = until_audited(&app, &school, 1).await;
    grade(&app, &waiting[0], 0).await;
    let told = certificate(&app, &school).await;
    assert_eq!(
        (&told["state"], &told["audits"]["disagreements"]),
        (&json!("paused"), &json!(1))
    );
    assert_eq!(events(&app, "certificate.paused").await.len(), 1);
    let after = hand_in(&app, &school, 3).await;
    for id in &after {
        assert_eq!(submission(&app, id).await["status"], "in_review");
    }
    assert!(
        told["released"]["count"].as_u64() > Some(20),
        "what to look at again: {told}"
    );
}

#[actix_web::test]
async fn an_audit_that_nobody_does_for_a_fortnight_counts_as_disagreement() {
    let (app, school, _) = certified(Database::Sqlite).await;
    until_audited(&app, &school, 1).await;
    app.clock.advance(15 * 24 * 3_600);
    let next = hand_in(&app, &school, 1).await;
    let told = certificate(&app, &school).await;
    assert_eq!(
        (&told["state"], &told["audits"]["graded"]),
        (&json!("paused"), &json!(1))
    );
    assert_eq!(submission(&app, &next[0]).await["status"], "in_review");
}

#[actix_web::test]
async fn a_try_may_be_tended_twice_and_half() {
    let (app, school, all) = school(Database::Postgres, CLASS).await;
    tried(&app, &school, json!({"tests": 1})).await;
    grade_drawn(&app, &school, BY_AI).await;
    let told = certificate(&app, &school).await;
    // Somebody else takes the same work up once more.
    let id = told["id"].as_str().unwrap().parse().unwrap();
    let again = Job::TendCertificate { certificate: id };
    let mine = app.get("/v1/workspaces").await.body;
    let workspace = mine["data"][0]["id"].as_str().unwrap().parse().unwrap();
    queue::enqueue_alone(&app.app, workspace, again)
        .await
        .unwrap();
    app.work().await;
    assert_eq!(certificate(&app, &school).await, told);
    let released = events(&app, "submission.released").await.len();
    assert_eq!(told["released"]["count"], released);
    assert!((1..all.len()).contains(&released), "{told}");
}

/// A certificate that its audits revoke: each event of its life but a refusal has happened.
pub async fn revoked() -> (TestApp, School) {
    let (app, school, _) = certified(Database::Sqlite).await;
    while certificate(&app, &school).await["state"] != "revoked" {
        let waiting = until_audited(&app, &school, 1).await;
        grade(&app, &waiting[0], 0).await;
    }
    (app, school)
}

/// A try that earned nothing.
pub async fn refused() -> TestApp {
    let (app, school, _) = school(Database::Sqlite, CLASS).await;
    tried(&app, &school, json!({"tests": 1})).await;
    grade_drawn(&app, &school, 10).await;
    app
}

#[actix_web::test]
async fn disagreement_that_is_shown_to_be_more_than_promised_ends_it_for_this_grader() {
    let (app, school) = revoked().await;
    assert_eq!(events(&app, "certificate.revoked").await.len(), 1);
    hand_in(&app, &school, CLASS).await;
    let again = tried(&app, &school, json!({})).await;
    assert_eq!(
        (&again["state"], &again["ended_because"]),
        (&json!("ended"), &json!("grader_revoked"))
    );
}

#[actix_web::test]
async fn who_disagrees_with_ai_gets_none_and_each_further_look_costs_more() {
    let (app, school, _) = school(Database::Sqlite, 90).await;
    let first = tried(&app, &school, json!({"tests": 1})).await;
    let drawn = first["tests"]["drawn"].as_u64().unwrap();
    grade_drawn(&app, &school, 10).await;
    let refused = certificate(&app, &school).await;
    assert_eq!(
        (&refused["state"], &refused["looks_spent"]),
        (&json!("refused"), &json!(1))
    );
    assert_eq!(refused["released"]["count"], 0);
    assert_eq!(events(&app, "certificate.refused").await.len(), 1);

    let second = tried(&app, &school, json!({})).await;
    assert_eq!(
        (&second["id"], &second["state"]),
        (&first["id"], &json!("testing"))
    );
    assert!(second["tests"]["drawn"].as_u64() > Some(drawn), "{second}");
    assert_eq!(second["tests"]["graded"], drawn);
    grade_drawn(&app, &school, BY_AI).await;
    let told = certificate(&app, &school).await;
    assert_eq!(
        (&told["state"], &told["looks_spent"]),
        (&json!("refused"), &json!(2))
    );
}

#[rstest]
#[actix_web::test]
async fn too_few_answers_are_refused_before_anybody_grades_one(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, school, ids) = school(database, 8).await;
    let graded = events(&app, "submission.graded").await.len();
    let refused = app.post(&path(&school), json!({})).await;
    assert_refused(&refused, 409, "too_few_answers", "");
    let fields = &refused.body["error"]["fields"];
    assert_eq!(fields, &json!({"at_hand": "8", "needed": "16"}));
    app.work().await;
    assert_eq!(app.get(&path(&school)).await.status, 404, "no try was made");
    let after = events(&app, "submission.graded").await.len();
    assert_eq!(after, graded, "AI was not asked either");
    for id in ids {
        assert_eq!(submission(&app, &id).await["blind"], false);
    }
}

#[actix_web::test]
async fn a_try_that_is_refused_leaves_what_there_is_as_it_was() {
    let (app, school, _) = certified(Database::Sqlite).await;
    // All that waited is out: for another promise nothing is left to draw from.
    school
        .configure(&app, json!({"release": {"max_disagreement": 30}}))
        .await;
    let before = certificate(&app, &school).await;
    let refused = app.post(&path(&school), json!({})).await;
    assert_refused(&refused, 409, "too_few_answers", "");
    assert_eq!(certificate(&app, &school).await, before);
}

#[actix_web::test]
async fn where_too_few_may_go_out_nobody_grades_one() {
    let sure = json!({"min_confidence": 99});
    let (app, school, ids) = school_asking(Database::Sqlite, CLASS, sure).await;
    let told = tried(&app, &school, json!({})).await;
    assert_eq!(
        (&told["state"], &told["ended_because"], &told["looks_spent"]),
        (&json!("ended"), &json!("too_few"), &json!(0))
    );
    for id in ids {
        assert_eq!(submission(&app, &id).await["blind"], false);
    }
}

#[rstest]
#[case::shown("show")]
#[case::deleted("delete")]
#[actix_web::test]
async fn what_nobody_grades_counts_as_disagreement(#[case] how: &str) {
    let (app, school, _) = school(Database::Sqlite, CLASS).await;
    let drawn = tried(&app, &school, json!({"tests": 1})).await;
    let hard = ids(&drawn["tests"]["waiting"])[0].clone();
    if how == "show" {
        done(&app, &format!("submissions/{hard}/reveal")).await;
    } else {
        let gone = app
            .delete(&format!("/v1/submissions/{hard}?force=true"))
            .await;
        assert_eq!(gone.status, 200, "{}", gone.body);
    }
    grade_drawn(&app, &school, BY_AI).await;
    assert_eq!(certificate(&app, &school).await["state"], "refused");
}

#[rstest]
#[case::rubric(json!({"rubric": {"criteria": [{"id": "overall", "name": "Another", "max_points": 50}]}}))]
#[case::terms(json!({"release": {"max_disagreement": 10}}))]
#[actix_web::test]
async fn another_grader_or_another_promise_ends_it(#[case] change: Value) {
    let (app, school, _) = certified(Database::Sqlite).await;
    school.configure(&app, change).await;
    let after = hand_in(&app, &school, 2).await;
    assert_eq!(certificate(&app, &school).await["state"], "lapsed");
    assert_eq!(events(&app, "certificate.ended").await.len(), 1);
    for id in after {
        assert_eq!(submission(&app, &id).await["status"], "in_review");
    }
}

#[actix_web::test]
async fn what_people_grade_meanwhile_teaches_the_grader_nothing() {
    let (app, school, ids_before) = school(Database::Sqlite, CLASS).await;
    tried(&app, &school, json!({"tests": 1})).await;
    let waiting = ids(&certificate(&app, &school).await["tests"]["waiting"]);
    let other = ids_before.iter().find(|id| !waiting.contains(id)).unwrap();
    let given = json!({"criteria": [{"criterion_id": "a", "score": 20}, {"criterion_id": "b", "score": 20}]});
    let graded = app
        .post(&format!("/v1/submissions/{other}/grade"), given)
        .await;
    assert_eq!(graded.status, 200, "{}", graded.body);
    grade_drawn(&app, &school, BY_AI).await;
    hand_in(&app, &school, 1).await;
    assert_eq!(
        certificate(&app, &school).await["state"],
        "valid",
        "still the same grader"
    );
    assert_eq!(
        submission(&app, other).await["score"],
        40,
        "a person's grade stands"
    );
}

#[actix_web::test]
async fn a_run_of_its_own_neither_goes_out_nor_ends_it() {
    let (app, school, all) = certified(Database::Sqlite).await;
    let later = hand_in(&app, &school, 1).await;
    app.post(
        &format!("/v1/submissions/{}/ai", later[0]),
        json!({"model": "another"}),
    )
    .await;
    app.work().await;
    assert_eq!(certificate(&app, &school).await["state"], "valid");
    assert_eq!(all.len(), CLASS);
}

#[actix_web::test]
async fn given_up_nothing_goes_out_any_more_and_what_was_drawn_is_shown() {
    let (app, school, all) = school(Database::Sqlite, CLASS).await;
    tried(&app, &school, json!({})).await;
    let ended = app.post(&format!("{}/end", path(&school)), json!({})).await;
    assert_eq!((ended.status, &ended.body["state"]), (200, &json!("ended")));
    assert_eq!(ended.body["ended_because"], "given_up");
    assert_eq!(ended.body["looks_spent"], 0, "nobody graded one");
    for id in &all {
        let shown = submission(&app, id).await;
        assert_eq!(
            (&shown["blind"], &shown["status"]),
            (&json!(false), &json!("in_review"))
        );
    }
    let again = app.post(&format!("{}/end", path(&school)), json!({})).await;
    assert_refused(&again, 409, "invalid_state_transition", "");
}

#[actix_web::test]
async fn grades_given_at_once_take_one_look() {
    let (app, school, _) = school(Database::Postgres, CLASS).await;
    let drawn = tried(&app, &school, json!({"tests": 1})).await;
    let waiting = ids(&drawn["tests"]["waiting"]);
    join_all(waiting.iter().map(|id| grade(&app, id, BY_AI))).await;
    app.work().await;
    let told = certificate(&app, &school).await;
    assert_eq!(
        (&told["state"], &told["tests"]["graded"]),
        (&json!("valid"), &json!(waiting.len()))
    );
    assert_eq!(events(&app, "certificate.issued").await.len(), 1);
    assert_eq!(told["released"]["count"], CLASS - waiting.len());
}

#[actix_web::test]
async fn what_comes_back_from_the_trash_stands_where_it_stood() {
    let (app, school, _) = certified(Database::Sqlite).await;
    let before = certificate(&app, &school).await;
    let gone = app
        .delete(&format!("/v1/assignments/{}?force=true", school.assignment))
        .await;
    assert_eq!(gone.status, 200, "{}", gone.body);
    assert_eq!(app.get(&path(&school)).await.status, 404);
    let item = list(&app, "trash").await[0]["id"].clone();
    done(&app, &format!("trash/{}/restore", item.as_str().unwrap())).await;
    assert_eq!(certificate(&app, &school).await, before);
}

#[actix_web::test]
async fn it_is_asked_for_where_it_can_be_and_by_whoever_may() {
    let (app, school, _) = school(Database::Sqlite, 1).await;
    let student = school.student_session(&app).await;
    let place = format!("/v1/assignments/{}", school.assignment);
    let seen = app.call(&student, "GET", &place, None).await;
    assert_eq!((seen.status, &seen.body["release"]), (200, &Value::Null));
    assert_eq!(
        app.get(&place).await.body["release"]["max_disagreement"],
        20
    );
    let wrong = app.post(&path(&school), json!({"tests": 0})).await;
    assert_refused(&wrong, 400, "invalid_field", "tests");
    school.configure(&app, json!({"human_review": "off"})).await;
    let wrong = app.post(&path(&school), json!({})).await;
    assert_refused(&wrong, 409, "invalid_state_transition", "");
    school
        .configure(&app, json!({"human_review": "optional", "release": null}))
        .await;
    let wrong = app.post(&path(&school), json!({})).await;
    assert_refused(&wrong, 409, "invalid_state_transition", "");
    let wrong = json!({"release": {"max_disagreement": 40}});
    let place = format!("/v1/assignments/{}/configure", school.assignment);
    assert_refused(
        &app.patch(&place, wrong).await,
        400,
        "invalid_field",
        "release.max_disagreement",
    );

    let half = key(&app, &["ai:grade"]).await;
    let others = app.another_workspace("others").await;
    for (caller, status) in [(&student, 403), (&half, 403), (&others, 404)] {
        let asked = app
            .call(caller, "POST", &path(&school), Some(json!({})))
            .await;
        assert_eq!(asked.status, status, "{}", asked.body);
    }
    assert_eq!(app.get(&path(&school)).await.status, 404, "nobody tried");
}

#[actix_web::test]
async fn a_second_try_beside_an_open_one_is_refused() {
    let (app, school, _) = school(Database::Sqlite, CLASS).await;
    tried(&app, &school, json!({})).await;
    let again = app.post(&path(&school), json!({})).await;
    assert_refused(&again, 409, "invalid_state_transition", "");
}

/// Whether the chain of the school's assignment holds, and how many of its draws are still a secret.
async fn verified(app: &TestApp, school: &School) -> (Option<String>, usize, usize) {
    let assignment = school.assignment.parse().unwrap();
    let mine = app.get("/v1/workspaces").await.body;
    let workspace = mine["data"][0]["id"].as_str().unwrap().parse().unwrap();
    let found = app
        .app
        .read(move |tx| verifying::verify(tx, workspace, assignment))
        .await
        .unwrap();
    let broken = found.first_broken.map(|(_, why)| why.to_string());
    (broken, found.records, found.sealed_draws)
}

#[actix_web::test]
async fn a_whole_life_is_made_again_from_what_was_kept() {
    let (app, school, _) = certified(Database::Sqlite).await;
    let (broken, records, sealed) = verified(&app, &school).await;
    assert_eq!((broken, sealed), (None, 1), "the seed is a secret yet");
    assert_eq!(records, 4, "declared, drawn, looked, issued");
    hand_in(&app, &school, 12).await;
    let waiting = until_audited(&app, &school, 2).await;
    grade(&app, &waiting[0], BY_AI).await;
    grade(&app, &waiting[1], 0).await;
    hand_in(&app, &school, CLASS).await;
    // Paused; a new try ends it, and its own look is the second of the assignment.
    let again = tried(&app, &school, json!({"tests": 1})).await;
    let (broken, records, sealed) = verified(&app, &school).await;
    assert_eq!(broken, None, "{again}");
    assert!(records >= 8 && sealed <= 1, "{records} {sealed}");
}

#[rstest]
#[case::an_error_hidden(
    "UPDATE certificate_answers SET test = replace(test, '\"points\":0,', '\"points\":9000,')",
    "look_changed"
)]
#[case::another_confidence(
    "UPDATE certificate_answers SET confidence = 99 WHERE place = 0",
    "declaration_changed"
)]
#[case::an_answer_less(
    "DELETE FROM certificate_answers WHERE place IS NULL AND id = (SELECT max(id) FROM certificate_answers WHERE place IS NULL)",
    "declaration_changed"
)]
#[case::a_record(
    "UPDATE certificate_records SET content = replace(content, '\"errors\":1', '\"errors\":0') WHERE sequence = 3",
    "record_changed"
)]
#[case::the_end("DELETE FROM certificate_records WHERE sequence = 4", "link_broken")]
#[actix_web::test]
async fn whatever_is_changed_behind_the_services_back_is_named(
    #[case] change: &str,
    #[case] reason: &str,
) {
    let (app, school, _) = school(Database::Sqlite, 110).await;
    tried(&app, &school, json!({})).await;
    let waiting = ids(&certificate(&app, &school).await["tests"]["waiting"]);
    grade(&app, &waiting[0], 0).await;
    grade_drawn(&app, &school, BY_AI).await;
    assert_eq!(
        certificate(&app, &school).await["state"],
        "valid",
        "one error is borne"
    );
    assert_eq!(verified(&app, &school).await.0, None);
    tamper(app.database_url(), change);
    assert_eq!(verified(&app, &school).await.0.as_deref(), Some(reason));
}
