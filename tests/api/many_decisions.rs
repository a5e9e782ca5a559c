//! Decisions about many submissions: as they were seen, stopped halfway, and taken back together.

use std::collections::BTreeSet;
use std::pin::pin;

use futures_util::future::{Either, join_all, select};
use lyceum_application::running::node::ThisNode;
use lyceum_application::{App, work};
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::ids::BulkWriteId;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::running::nodes::NodeId;
use lyceum_ports::store::StoreError;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::{Database, reopen};
use uuid::Uuid;

use crate::bulk_writes::{course_count, courses, member};
use crate::school::{School, app_on, assert_refused, list};

/// Answers that AI has graded and that wait for a person, the newest last.
async fn held(app: &TestApp, count: usize) -> (School, Vec<String>) {
    let school = School::open(app).await;
    school
        .configure(app, json!({"human_review": "required"}))
        .await;
    let mut ids = Vec::new();
    for n in 0..count {
        ids.push(
            school
                .hand_in(app, &format!("Cool the rice fast, {n}."))
                .await,
        );
    }
    let all = format!("/v1/assignments/{}/ai", school.assignment);
    assert_eq!(app.post(&all, json!({})).await.status, 202);
    for _ in 0..10 {
        app.work().await;
        app.clock.advance(2);
    }
    (school, ids)
}

/// Each as whoever lists them sees it now, in the order of `ids`.
async fn seen(app: &TestApp, ids: &[String]) -> Vec<Value> {
    let mut listed = list(app, "submissions?limit=100").await;
    while listed.len() < ids.len() {
        let last = listed.last().unwrap()["id"].as_str().unwrap();
        let page = format!("submissions?limit=100&startingAfter={last}");
        let page = list(app, &page).await;
        assert_ne!(page.len(), 0, "fewer than are looked for");
        listed.extend(page);
    }
    let of = |id: &String| listed.iter().find(|one| one["id"] == **id).cloned();
    ids.iter().map(|id| of(id).unwrap_or_default()).collect()
}

/// A decision about each of these, as it was when it was last changed.
fn as_seen<'a>(all: impl IntoIterator<Item = &'a Value>) -> Value {
    let row = |one: &Value| json!({"id": one["id"], "body": {"if_updated_at": one["updated_at"]}});
    all.into_iter().map(row).collect()
}

async fn asked(app: &TestApp, caller: &Caller, operation: &str, rows: Value) -> Answer {
    let body = json!({"operation": operation, "rows": rows});
    app.call(caller, "POST", "/v1/batch", Some(body)).await
}

/// What came of one that is done in the background.
async fn decided(app: &TestApp, operation: &str, rows: Value) -> Value {
    let started = asked(app, &app.owner, operation, rows).await;
    assert_eq!(started.status, 202, "{}", started.body);
    app.work().await;
    let ended = app.get(&format!("/v1/batch/{}", started.id())).await;
    assert_eq!(ended.body["status"], "done", "{}", ended.body);
    ended.body
}

fn results(bulk: &Value) -> &[Value] {
    bulk["results"].as_array().map_or(&[], Vec::as_slice)
}

/// The places of those that were refused, and why.
fn left(bulk: &Value) -> Vec<(u64, String)> {
    let refused = results(bulk).iter().filter(|row| row["status"] != 200);
    let told = |row: &Value| {
        let code = row["error"]["code"].as_str().unwrap_or_default();
        (row["index"].as_u64().unwrap(), code.to_owned())
    };
    refused.map(told).collect()
}

#[rstest]
#[actix_web::test]
async fn what_was_let_stand_together_is_taken_back_but_for_what_somebody_changed(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let (_, ids) = held(&app, 60).await;
    let before = seen(&app, &ids).await;
    assert!(before.iter().all(|one| one["status"] == "in_review"));
    // Somebody decides about one while another looks at all of them.
    let grade = |n: usize| format!("/v1/submissions/{}/grade", ids[n]);
    assert_eq!(app.post(&grade(7), json!({"score": 11})).await.status, 200);

    let stands = decided(&app, "approveSubmission", as_seen(&before)).await;

    assert_eq!(left(&stands), [(7, "precondition_failed".to_owned())]);
    let now = seen(&app, &ids).await;
    assert!(now.iter().all(|one| one["status"] == "graded"));
    assert_eq!(
        (&now[7]["score"], &now[7]["graded_by"]),
        (&json!(11), &json!("human"))
    );
    app.clock.advance(1);
    // One is changed by hand before all is taken back; what AI gives is stale by that, everywhere.
    assert_eq!(app.post(&grade(3), json!({"score": 50})).await.status, 200);
    let stood: Vec<&Value> = results(&stands)
        .iter()
        .filter(|row| row["status"] == 200)
        .collect();

    let undone = decided(&app, "reopenSubmission", as_seen(stood.clone())).await;

    assert_eq!(left(&undone), [(3, "precondition_failed".to_owned())]);
    let now = seen(&app, &ids).await;
    for (n, (one, was)) in now.iter().zip(&before).enumerate() {
        let is_left = n == 3 || n == 7;
        assert_eq!(one["status"] == "graded", is_left, "{n}: {one}");
        assert!(is_left || one["score"] == was["score"], "{n}: {one}");
    }
    assert_eq!(now[3]["score"], 50);
    app.clock.advance(1);
    // Nobody takes back twice what was taken back.
    let again = decided(&app, "reopenSubmission", as_seen(stood)).await;
    assert_eq!(left(&again).len(), 59);
    assert_eq!(seen(&app, &ids).await, now);
}

/// A job that waits, taken by a node.
async fn taken(node: &App) -> QueuedJob {
    let mut jobs = work::claim(node, JobLane::Work, 1).await.unwrap();
    jobs.pop().unwrap()
}

/// The places of those that were written.
fn written(bulk: &Value) -> BTreeSet<u64> {
    let done = results(bulk).iter().filter(|row| row["status"] == 200);
    done.filter_map(|row| row["index"].as_u64()).collect()
}

#[actix_web::test]
async fn of_two_nodes_and_a_person_who_decide_about_the_same_hundred_one_decides_each() {
    let app = app_on(Database::Postgres).await;
    let (_, ids) = held(&app, 100).await;
    let before = seen(&app, &ids).await;
    let mut second = app.app.clone();
    second.node = ThisNode::new(NodeId(Uuid::from_u128(2)));
    second.store = reopen(app.database_url());
    let stands = asked(&app, &app.owner, "approveSubmission", as_seen(&before)).await;
    let points = |one: &Value| json!({"id": one["id"], "body": {"score": 77, "if_updated_at": one["updated_at"]}});
    let rows = before.iter().rev().map(points).collect();
    let graded = asked(&app, &app.owner, "gradeSubmission", rows).await;
    let (first_job, second_job) = (taken(&app.app).await, taken(&second).await);

    let (one, other, by_hand) = futures_util::join!(
        work::perform(&app.app, &first_job),
        work::perform(&second, &second_job),
        join_all((0..20).map(|n| {
            let seen = &before[n * 5];
            let path = format!("/v1/submissions/{}/grade", ids[n * 5]);
            let body = json!({"score": 11, "if_updated_at": seen["updated_at"]});
            let app = &app;
            async move { app.post(&path, body).await.status }
        })),
    );
    one.unwrap();
    other.unwrap();
    app.clock.advance(3_600);
    app.work().await;

    let ended = async |started: &Answer| {
        let place = format!("/v1/batch/{}", started.id());
        let ended = app.get(&place).await.body;
        assert_eq!(ended["status"], "done", "{ended}");
        written(&ended)
    };
    let stand = ended(&stands).await;
    // Its rows were the other way round.
    let graded: BTreeSet<u64> = ended(&graded).await.iter().map(|n| 99 - n).collect();
    let hands = (0..20_u64)
        .zip(&by_hand)
        .filter(|(_, status)| **status == 200);
    let hands: BTreeSet<u64> = hands.map(|(n, _)| n * 5).collect();
    assert_eq!(stand.len() + graded.len() + hands.len(), 100);
    let everybody: BTreeSet<u64> = stand.iter().chain(&graded).chain(&hands).copied().collect();
    assert_eq!(everybody, (0..100).collect(), "each by one");
    for (n, (now, was)) in (0..).zip(seen(&app, &ids).await.iter().zip(&before)) {
        let score = if hands.contains(&n) {
            json!(11)
        } else if graded.contains(&n) {
            json!(77)
        } else {
            was["score"].clone()
        };
        assert_eq!((&now["status"], &now["score"]), (&json!("graded"), &score));
    }
}

#[actix_web::test]
async fn what_was_returned_together_is_taken_back_together() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school.student_session(&app).await;
    let id = school.hand_in(&app, "Cool it fast.").await;
    let graded = json!([{"id": id, "body": {"score": 80}}]);
    let graded = asked(&app, &app.owner, "gradeSubmission", graded).await;
    let rows = as_seen(results(&graded.body));
    let returned = asked(&app, &app.owner, "returnSubmission", rows).await;
    assert_eq!(left(&returned.body), []);
    let rows = as_seen(results(&returned.body));
    let undone = asked(&app, &app.owner, "reopenSubmission", rows).await;
    assert_eq!(undone.body["results"][0]["object"]["status"], "graded");
    let place = format!("/v1/submissions/{id}");
    assert_eq!(app.get(&place).await.body["score"], 80);
}

#[actix_web::test]
async fn a_decision_about_what_somebody_changed_meanwhile_is_refused_and_says_who_it_was() {
    let app = TestApp::start().await;
    let (_, ids) = held(&app, 1).await;
    let place = format!("/v1/submissions/{}", ids[0]);
    let seen = app.get(&place).await.body["updated_at"].clone();
    app.clock.advance(1);
    let graded = app
        .post(&format!("{place}/grade"), json!({"score": 11}))
        .await;
    let late = json!({"if_updated_at": seen});
    for action in ["approve", "reopen", "return"] {
        let refused = app.post(&format!("{place}/{action}"), late.clone()).await;
        assert_refused(&refused, 412, "precondition_failed", "");
        assert_ne!(
            refused.body["error"]["actor"],
            Value::Null,
            "{}",
            refused.body
        );
    }
    let other = json!({"score": 90, "if_updated_at": seen});
    let refused = app.post(&format!("{place}/grade"), other).await;
    assert_refused(&refused, 412, "precondition_failed", "");
    assert_eq!(app.get(&place).await.body["score"], 11);
    let known = json!({"if_updated_at": graded.body["updated_at"]});
    let taken_back = app.post(&format!("{place}/reopen"), known).await;
    assert_eq!(
        taken_back.body["status"], "in_review",
        "{}",
        taken_back.body
    );
    let unread = app
        .post(
            &format!("{place}/approve"),
            json!({"if_updated_at": "soon"}),
        )
        .await;
    assert_refused(&unread, 400, "invalid_field", "if_updated_at");
}

#[actix_web::test]
async fn a_tag_is_heeded_by_decisions_too() {
    let app = TestApp::start().await;
    let (_, ids) = held(&app, 1).await;
    let place = format!("/v1/submissions/{}", ids[0]);
    let tag = app.get(&place).await.header("etag").unwrap().to_owned();
    let decide = |action: &str, tag: String, body: Value| {
        let asked = request(&app.owner, "POST", &format!("{place}/{action}"));
        app.send(asked.insert_header(("If-Match", tag)).set_json(body))
    };
    let approved = decide("approve", tag.clone(), json!({})).await;
    assert_eq!(approved.body["status"], "graded", "{}", approved.body);
    for (action, body) in [
        ("grade", json!({"score": 1})),
        ("return", json!({})),
        ("reopen", json!({})),
    ] {
        let refused = decide(action, tag.clone(), body).await;
        assert_refused(&refused, 412, "precondition_failed", "");
    }
    let now = approved.header("etag").unwrap().to_owned();
    assert_eq!(
        decide("reopen", now, json!({})).await.body["status"],
        "in_review"
    );
}

#[actix_web::test]
async fn nobody_decides_about_what_is_in_another_workspace() {
    let app = TestApp::start().await;
    let (_, ids) = held(&app, 1).await;
    let before = seen(&app, &ids).await;
    let stranger = app.another_workspace("other").await;
    for operation in ["approveSubmission", "returnSubmission", "reopenSubmission"] {
        let answer = asked(&app, &stranger, operation, as_seen(&before)).await;
        assert_eq!(left(&answer.body), [(0, "resource_missing".to_owned())]);
    }
    assert_eq!(seen(&app, &ids).await, before);
}

/// Looks in storage, not by requests: of those a caller has only so many.
async fn until_rows_are_noted(app: &TestApp, place: &str) {
    let id: BulkWriteId = place.rsplit('/').next().unwrap().parse().unwrap();
    loop {
        let platform = app.owner.platform.clone();
        let noted = app.app.store.read(move |tx| {
            let code = PlatformCode::parse(&platform).unwrap();
            let workspace = tx.workspaces().find_by_code(&code)?.unwrap().id;
            let bulk = tx.bulk_writes().find_results(workspace, id)?;
            Ok::<_, StoreError>(bulk.map_or(0, |bulk| bulk.results.len()))
        });
        if noted.await.unwrap() > 0 {
            return;
        }
        // A read may be done without waiting, and then nobody else gets a turn.
        actix_web::rt::task::yield_now().await;
    }
}

async fn many_courses(app: &TestApp, count: usize) -> String {
    let started = asked(app, &app.owner, "createCourse", courses(count)).await;
    assert_eq!(started.status, 202, "{}", started.body);
    format!("/v1/batch/{}", started.id())
}

#[actix_web::test]
async fn one_that_was_stopped_ends_behind_the_rows_at_hand() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let place = many_courses(&app, 200).await;
        let stopped = app.post(&format!("{place}/stop"), json!({})).await;
        assert_eq!(
            (stopped.status, &stopped.body["status"]),
            (200, &json!("pending"))
        );
        app.work().await;
        let ended = app.get(&place).await.body;
        assert_eq!(ended["status"], "stopped");
        assert_eq!(
            ended["counts"],
            json!({"total": 200, "succeeded": 10, "failed": 0})
        );
        assert_ne!(ended["done_at"], Value::Null);
        assert_eq!((results(&ended).len(), course_count(&app).await), (10, 10));
        let again = app.post(&format!("{place}/stop"), json!({})).await;
        assert_eq!((again.status, &again.body), (200, &ended));
        // It takes no place any more.
        for _ in 0..2 {
            many_courses(&app, 51).await;
        }
    }
}

#[actix_web::test]
async fn of_one_that_is_stopped_at_work_it_is_known_of_each_row_whether_it_was_written() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let place = many_courses(&app, 300).await;
        let job = work::claim(&app.app, JobLane::Work, 1)
            .await
            .unwrap()
            .remove(0);
        let stopping = async {
            until_rows_are_noted(&app, &place).await;
            app.post(&format!("{place}/stop"), json!({})).await.status
        };
        let (worked, status) = futures_util::join!(work::perform(&app.app, &job), stopping);
        worked.unwrap();
        assert_eq!(status, 200);
        app.work().await;
        let ended = app.get(&place).await.body;
        assert_eq!(ended["status"], "stopped");
        let written = course_count(&app).await;
        assert!((10..300).contains(&written), "{written}");
        assert_eq!(results(&ended).len(), written);
    }
}

#[actix_web::test]
async fn of_one_whose_process_died_and_that_was_stopped_then_it_is_known_too() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let place = many_courses(&app, 300).await;
        let job = work::claim(&app.app, JobLane::Work, 1)
            .await
            .unwrap()
            .remove(0);
        {
            let work = pin!(work::perform(&app.app, &job));
            let watch = pin!(until_rows_are_noted(&app, &place));
            let died = matches!(select(work, watch).await, Either::Right(_));
            assert!(died, "it was through before");
        }
        let stopped = app.post(&format!("{place}/stop"), json!({})).await;
        assert_eq!(stopped.body["status"], "pending", "{}", stopped.body);
        app.clock.advance(61);
        app.work().await;
        let ended = app.get(&place).await.body;
        assert_eq!(ended["status"], "stopped");
        let written = course_count(&app).await;
        assert!((10..300).contains(&written), "{written}");
        assert_eq!(ended["counts"]["succeeded"], json!(written));
        assert_eq!(app.work().await, 0);
    }
}

#[actix_web::test]
async fn who_may_not_see_one_may_not_stop_it_and_what_is_done_stays_done() {
    let app = TestApp::start().await;
    let place = many_courses(&app, 51).await;
    let stop = format!("{place}/stop");
    let teacher = member(&app, "ines", "teacher").await;
    let stranger = app.another_workspace("other").await;
    for caller in [&teacher, &stranger] {
        let refused = app.call(caller, "POST", &stop, Some(json!({}))).await;
        assert_refused(&refused, 404, "resource_missing", "");
    }
    app.work().await;
    let ended = app.post(&stop, json!({})).await;
    assert_eq!((ended.status, &ended.body["status"]), (200, &json!("done")));
    assert_eq!(ended.body["counts"]["succeeded"], 51);
}
