//! Many writes by one request: each row goes the way of a single request, and fails alone.

use std::num::NonZeroU32;
use std::sync::Arc;

use futures_util::future::join_all;
use lyceum_api::state::{Api, ApiSettings};
use lyceum_application::running::retention;
use lyceum_application::work;
use lyceum_domain::running::bulk_writes::BulkOperation;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::QueuedJob;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::rate_limits::{few, started};
use crate::school::{School, app_on, assert_refused, done, key, list, made, session};
use crate::world::many_rows;

async fn batch_as(app: &TestApp, caller: &Caller, body: Value) -> Answer {
    app.call(caller, "POST", "/v1/batch", Some(body)).await
}

async fn batch(app: &TestApp, operation: &str, rows: Value) -> Answer {
    let body = json!({"operation": operation, "rows": rows});
    batch_as(app, &app.owner, body).await
}

async fn keyed(app: &TestApp, idempotency_key: &str, body: &Value) -> Answer {
    let asked = request(&app.owner, "POST", "/v1/batch");
    let asked = asked.insert_header(("Idempotency-Key", idempotency_key));
    app.send(asked.set_json(body)).await
}

/// A member of each result.
fn each(answer: &Answer, member: &str) -> Vec<Value> {
    let results = answer.body["results"].as_array().unwrap();
    results.iter().map(|row| row[member].clone()).collect()
}

fn codes(answer: &Answer) -> Vec<Value> {
    let results = answer.body["results"].as_array().unwrap();
    let code = |row: &Value| row["error"]["code"].clone();
    results.iter().map(code).collect()
}

fn counts(answer: &Answer) -> Value {
    answer.body["counts"].clone()
}

pub fn courses(count: usize) -> Value {
    let row = |n: usize| json!({"body": {"name": format!("Course {n}"), "language": "en"}});
    json!((0..count).map(row).collect::<Vec<_>>())
}

pub async fn course_count(app: &TestApp) -> usize {
    let (mut count, mut after) = (0, String::new());
    loop {
        let page = app.get(&format!("/v1/courses?limit=100{after}")).await.body;
        count += page["data"].as_array().unwrap().len();
        if page["has_more"] == false {
            return count;
        }
        after = format!("&startingAfter={}", page["next_cursor"].as_str().unwrap());
    }
}

async fn newest_event(app: &TestApp) -> Value {
    list(app, "events?limit=1")
        .await
        .first()
        .cloned()
        .unwrap_or_default()
}

/// Asks for more rows than are written at once; the path where to look.
async fn asked_for(app: &TestApp, caller: &Caller, body: Value) -> String {
    let asked = batch_as(app, caller, body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    assert_eq!(
        (
            asked.body["status"].as_str(),
            counts(&asked)["succeeded"].as_u64()
        ),
        (Some("pending"), Some(0))
    );
    assert_eq!(asked.header("retry-after"), Some("2"));
    let place = format!("/v1/batch/{}", asked.id());
    assert_eq!(asked.header("location"), Some(place.as_str()));
    place
}

#[actix_web::test]
async fn a_row_that_fails_fails_alone() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let rows = json!([
            {"body": {"unit_id": school.unit, "name": "One", "surprise": 1}},
            {"body": {"unit_id": "unt_nothing", "name": "Two"}},
            {"body": {"unit_id": school.unit}},
            {"body": {"unit_id": school.unit, "name": "Four"}},
            {"id": school.lesson, "body": {"unit_id": school.unit, "name": "Five"}},
        ]);
        let answer = batch(&app, "createLesson", rows).await;
        assert_eq!(
            (answer.status, answer.body["status"].as_str()),
            (200, Some("done"))
        );
        assert_eq!(
            each(&answer, "status"),
            [201, 404, 400, 201, 400],
            "{}",
            answer.body
        );
        assert_eq!(each(&answer, "index"), [0, 1, 2, 3, 4]);
        let told = codes(&answer);
        assert_eq!(
            told[1..3],
            [json!("resource_missing"), json!("missing_field")]
        );
        assert_eq!(
            counts(&answer),
            json!({"total": 5, "succeeded": 2, "failed": 3})
        );
        assert_eq!(each(&answer, "ignored_fields")[0], json!(["surprise"]));
        assert_eq!(answer.body["id"], Value::Null, "nothing is kept of it");
        let request_id = answer.header("request-id").unwrap();
        assert_eq!(answer.body["results"][1]["error"]["request_id"], request_id);
        let first = &answer.body["results"][0];
        let path = format!("/v1/lessons/{}", first["id"].as_str().unwrap());
        let lesson = app.get(&path).await;
        assert_eq!(lesson.body, first["object"]);
        assert_eq!(lesson.header("etag"), first["etag"].as_str());
        let lessons = list(&app, &format!("lessons?unit_id={}", school.unit)).await;
        let names: Vec<&Value> = lessons.iter().map(|lesson| &lesson["name"]).collect();
        assert_eq!(names, ["The danger zone", "One", "Four"]);
    }
}

#[actix_web::test]
async fn a_dry_run_checks_everything_and_leaves_nothing_behind() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        app.work().await;
        let before = newest_event(&app).await;
        let rows = json!([
            {"body": {"email": "new@school.example"}},
            {"body": {"email": "ada@school.example"}},
            {"body": {"email": "nonsense"}},
            {"body": {"email": "new@school.example"}},
        ]);
        let mut asked = json!({"operation": "createUser", "rows": rows, "dry_run": true});
        let tried = keyed(&app, "k", &asked).await;
        // That the last row meets the first, nobody knows: none is kept.
        assert_eq!(
            each(&tried, "status"),
            [201, 409, 400, 201],
            "{}",
            tried.body
        );
        assert_eq!(
            each(&tried, "id"),
            [Value::Null, Value::Null, Value::Null, Value::Null]
        );
        assert_eq!(newest_event(&app).await, before);
        assert_eq!(app.work().await, 0);
        let deleted = json!({
            "operation": "deleteCourse", "rows": [{"id": school.course}], "dry_run": true,
        });
        let deleted = batch_as(&app, &app.owner, deleted).await;
        assert_eq!(each(&deleted, "status"), [200], "{}", deleted.body);
        let renamed = json!({
            "operation": "updateCourse", "rows": [{"id": school.course, "body": {"name": "X"}}],
            "dry_run": true,
        });
        let renamed = batch_as(&app, &app.owner, renamed).await;
        assert_eq!(renamed.body["results"][0]["object"]["name"], "X");
        assert_eq!(each(&renamed, "etag"), [Value::Null], "nothing has it");
        let there = app.get(&format!("/v1/courses/{}", school.course)).await;
        assert_eq!((there.status, &there.body["name"]), (200, &json!("Food")));
        // Nor is anything remembered under the key.
        asked["dry_run"] = json!(false);
        let made = keyed(&app, "k", &asked).await;
        assert_eq!(each(&made, "status"), [201, 409, 400, 409], "{}", made.body);
        assert_eq!(each(&made, "replayed")[0], false);
    }
}

#[actix_web::test]
async fn a_request_that_is_repeated_writes_nothing_twice() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let asked = json!({"operation": "createCourse", "rows": courses(3)});
        let first = keyed(&app, "k", &asked).await;
        let again = keyed(&app, "k", &asked).await;
        assert_eq!(each(&again, "id"), each(&first, "id"));
        assert_eq!(each(&again, "object"), each(&first, "object"));
        assert_eq!(each(&again, "replayed"), [true, true, true]);
        assert_eq!(course_count(&app).await, 3);
        let mut other = asked.clone();
        other["rows"][1]["body"]["name"] = json!("Another");
        let other = keyed(&app, "k", &other).await;
        assert_eq!(each(&other, "status"), [201, 400, 201]);
        assert_eq!(codes(&other)[1], "idempotency_key_reused");
        let at_once = join_all((0..8).map(|_| keyed(&app, "at-once", &asked))).await;
        for answer in &at_once {
            assert_eq!(each(answer, "id"), each(&at_once[0], "id"));
        }
        assert_eq!(course_count(&app).await, 6);
    }
}

#[actix_web::test]
async fn the_key_of_a_row_is_the_key_of_its_single_request() {
    let app = TestApp::start().await;
    let body = json!({"name": "A", "language": "en"});
    let row = json!([{"idempotency_key": "row-1", "body": body}]);
    let first = batch(&app, "createCourse", row.clone()).await;
    let single = request(&app.owner, "POST", "/v1/courses");
    let single = single.insert_header(("Idempotency-Key", "row-1"));
    let single = app.send(single.set_json(&body)).await;
    assert_eq!(single.header("idempotent-replayed"), Some("true"));
    assert_eq!(json!(single.id()), each(&first, "id")[0]);
    let again = batch(&app, "createCourse", row).await;
    assert_eq!(each(&again, "replayed"), [true]);
    let wrong = json!([{"idempotency_key": "a b", "body": body}]);
    let wrong = batch(&app, "createCourse", wrong).await;
    assert_eq!(codes(&wrong), ["invalid_idempotency_key"]);
    assert_eq!(course_count(&app).await, 1);
}

#[actix_web::test]
async fn more_than_fifty_are_written_in_the_background() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let mut rows = courses(120);
        rows[7]["body"]["language"] = json!("nonsense!");
        let asked = json!({"operation": "createCourse", "rows": rows});
        let first = keyed(&app, "k", &asked).await;
        assert_eq!(first.status, 202, "{}", first.body);
        let again = keyed(&app, "k", &asked).await;
        assert_eq!((again.id(), again.status), (first.id(), 202));
        let place = format!("/v1/batch/{}", first.id());
        assert_eq!(app.get(&place).await.body["status"], "pending");
        assert_eq!(app.work().await, 2, "a hundred, and the rest");
        let done = app.get(&place).await;
        assert_eq!(done.body["status"], "done");
        assert_eq!(
            counts(&done),
            json!({"total": 120, "succeeded": 119, "failed": 1})
        );
        assert_eq!(codes(&done)[7], "invalid_field");
        assert_eq!(each(&done, "index").last(), Some(&json!(119)));
        let last = each(&done, "id")[119].clone();
        let last = app
            .get(&format!("/v1/courses/{}", last.as_str().unwrap()))
            .await;
        assert_eq!(last.body["name"], "Course 119");
        // Whoever did it is told as of a single request.
        let event = &list(&app, "events?type=course.created&limit=1").await[0];
        assert_eq!(event["request_id"].as_str(), first.header("request-id"));
    }
}

/// The next job, taken up.
async fn claimed(app: &TestApp) -> QueuedJob {
    let mut jobs = work::claim(&app.app, JobLane::Work, 1).await.unwrap();
    assert_eq!(jobs.len(), 1);
    jobs.remove(0)
}

#[actix_web::test]
async fn a_job_that_is_done_twice_writes_every_row_once() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let mut rows = courses(60);
        rows[3]["idempotency_key"] = json!("own");
        let asked = json!({"operation": "createCourse", "rows": rows});
        let place = asked_for(&app, &app.owner, asked).await;
        let first = claimed(&app).await;
        // Its process was taken to be dead, and was not.
        app.clock.advance(61);
        let second = claimed(&app).await;
        let both = [&first, &second].map(|job| work::perform(&app.app, job));
        for performed in join_all(both).await {
            performed.unwrap();
        }
        app.work().await;
        let done = app.get(&place).await;
        assert_eq!(counts(&done)["succeeded"], 60, "{}", done.body);
        let replayed = each(&done, "replayed");
        let told = replayed.iter().enumerate().filter(|(_, it)| **it == true);
        assert!(
            told.clone().all(|(place, _)| place == 3),
            "under a key of the caller's alone: {replayed:?}"
        );
        assert_eq!(course_count(&app).await, 60);
        assert_eq!(app.work().await, 0);
    }
}

#[actix_web::test]
async fn a_job_that_is_lost_again_and_again_ends_and_says_so() {
    let app = TestApp::start().await;
    let place = asked_for(&app, &app.owner, many_rows(51)).await;
    let mut job = claimed(&app).await;
    for _ in 0..QueuedJob::LOST_ATTEMPTS {
        app.clock.advance(61);
        job = claimed(&app).await;
    }
    work::perform(&app.app, &job).await.unwrap();
    let ended = app.get(&place).await;
    assert_eq!(ended.body["status"], "done");
    assert_eq!(
        counts(&ended),
        json!({"total": 51, "succeeded": 0, "failed": 51})
    );
    assert_eq!(codes(&ended), vec![json!("unavailable"); 51]);
    assert_eq!(app.work().await, 0);
}

#[actix_web::test]
async fn a_key_that_is_revoked_writes_no_more_rows() {
    let app = TestApp::start().await;
    let narrow = json!({"scopes": ["write:courses"]});
    let narrow = app.post("/v1/api_keys", narrow).await;
    let caller = crate::school::caller(&narrow.body["api_key"]);
    let asked = json!({"operation": "createCourse", "rows": courses(120)});
    let place = asked_for(&app, &caller, asked).await;
    let first = claimed(&app).await;
    work::perform(&app.app, &first).await.unwrap();
    assert_eq!(counts(&app.get(&place).await)["succeeded"], 100);
    done(&app, &format!("api_keys/{}/revoke", narrow.id())).await;
    app.work().await;
    let ended = app.get(&place).await;
    assert_eq!(
        counts(&ended),
        json!({"total": 120, "succeeded": 100, "failed": 20})
    );
    assert_eq!(each(&ended, "status")[99..101], [json!(201), json!(401)]);
    assert_eq!(codes(&ended)[100..], vec![json!("api_key_revoked"); 20]);
    assert_eq!(course_count(&app).await, 100);
}

#[actix_web::test]
async fn what_came_of_it_is_for_whoever_asked_and_for_admins() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let teacher = member(&app, "ines", "teacher").await;
    let other = member(&app, "ben", "teacher").await;
    let place = asked_for(&app, &teacher, many_rows(51)).await;
    assert_eq!(app.call(&teacher, "GET", &place, None).await.status, 200);
    assert_eq!(app.get(&place).await.status, 200, "an owner");
    let admin = member(&app, "eva", "admin").await;
    assert_eq!(app.call(&admin, "GET", &place, None).await.status, 200);
    for caller in [&learner, &other, &key(&app, &["write:courses"]).await] {
        let hidden = app.call(caller, "GET", &place, None).await;
        assert_refused(&hidden, 404, "resource_missing", "");
    }
    let stranger = app.another_workspace("other").await;
    let hidden = app.call(&stranger, "GET", &place, None).await;
    assert_refused(&hidden, 404, "resource_missing", "");
}

/// Somebody of this role who works elsewhere too, with a key of their own.
pub async fn member(app: &TestApp, name: &str, role: &str) -> Caller {
    let caller = app.another_workspace(name).await;
    let member = json!({"email": format!("owner@{name}.example"), "role": role});
    made(app, &app.owner, "users", member).await;
    app.accept_everything(&caller.key).await;
    Caller {
        platform: "main".to_owned(),
        ..caller
    }
}

#[actix_web::test]
async fn a_row_does_not_reach_into_another_workspace() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let stranger = app.another_workspace("other").await;
    let rows = json!([{"id": school.lesson, "body": {"name": "Mine"}}]);
    let body = json!({"operation": "updateLesson", "rows": rows});
    let answer = batch_as(&app, &stranger, body).await;
    assert_eq!(codes(&answer), ["resource_missing"]);
    let rows = json!([{"body": {"unit_id": school.unit, "name": "Mine"}}]);
    let body = json!({"operation": "createLesson", "rows": rows});
    let answer = batch_as(&app, &stranger, body).await;
    assert_eq!(codes(&answer), ["resource_missing"]);
}

#[actix_web::test]
async fn too_many_rows_none_and_unknown_operations_are_refused() {
    let app = TestApp::start().await;
    let refused = batch(&app, "createCourse", courses(1_001)).await;
    assert_refused(&refused, 400, "invalid_field", "rows");
    let refused = batch(&app, "createCourse", json!([])).await;
    assert_refused(&refused, 400, "invalid_field", "rows");
    for operation in ["createApiKey", "listCourses", "generateLesson", "nonsense"] {
        let refused = batch(&app, operation, courses(1)).await;
        assert_refused(&refused, 400, "invalid_field", "operation");
        let told = refused.body["error"]["fields"]["operation"]
            .as_str()
            .unwrap();
        for operation in BulkOperation::ALL {
            assert!(told.contains(operation.as_str()), "{told}");
        }
    }
    let large = json!([{"body": {"name": "x".repeat(5 << 20), "language": "en"}}]);
    assert_eq!(batch(&app, "createCourse", large).await.status, 413);
    let large = json!([{"body": {"name": "x".repeat(2 << 20), "language": "en"}}, {"body": {"name": "A", "language": "en"}}]);
    let large = batch(&app, "createCourse", large).await;
    assert_eq!(each(&large, "status"), [413, 201]);
}

#[actix_web::test]
async fn each_row_may_say_what_it_rests_on() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let place = format!("/v1/lessons/{}", school.lesson);
    let tag = app.get(&place).await.header("etag").unwrap().to_owned();
    let row = |tag: &str, name: &str| json!({"id": school.lesson, "if_match": tag, "body": {"name": name}});
    let answer = batch(
        &app,
        "updateLesson",
        json!([row(&tag, "One"), row(&tag, "Two")]),
    )
    .await;
    assert_eq!(each(&answer, "status"), [200, 412], "{}", answer.body);
    assert_eq!(codes(&answer)[1], "precondition_failed");
    let next = each(&answer, "etag")[0].as_str().unwrap().to_owned();
    let answer = batch(&app, "updateLesson", json!([row(&next, "Three")])).await;
    assert_eq!(each(&answer, "status"), [200]);
    assert_eq!(app.get(&place).await.body["name"], "Three");
    let unheeded = json!([{"if_match": tag, "body": {"name": "A", "language": "en"}}]);
    let unheeded = batch(&app, "createCourse", unheeded).await;
    assert!(unheeded.body["results"][0]["error"]["fields"]["if_match"].is_string());
}

#[actix_web::test]
async fn deletions_take_what_stands_in_their_path_and_query() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school.student_session(&app).await;
    school.hand_in(&app, "Cool it fast.").await;
    let plain = json!([{"id": school.assignment}]);
    let refused = batch(&app, "deleteAssignment", plain).await;
    assert_eq!(codes(&refused), ["in_use"]);
    let forced = json!([{"id": school.assignment, "body": {"force": true}}]);
    let forced = batch(&app, "deleteAssignment", forced).await;
    assert_eq!(each(&forced, "status"), [200], "{}", forced.body);
    assert_eq!(each(&forced, "id"), [json!(school.assignment)]);
    assert_eq!(each(&forced, "etag"), [Value::Null]);
    let row = json!([
        {"id": school.cohort, "body": {"user_id": school.student}},
        {"id": school.cohort},
        {"body": {"user_id": school.student}},
        {"id": school.cohort, "body": {"user_id": school.student, "surprise": 1}},
    ]);
    let withdrawn = batch(&app, "withdrawStudent", row).await;
    assert_eq!(
        each(&withdrawn, "status"),
        [200, 400, 400, 400],
        "{}",
        withdrawn.body
    );
    assert_eq!(
        list(&app, &format!("cohorts/{}/students", school.cohort))
            .await
            .len(),
        0
    );
}

#[actix_web::test]
async fn a_learner_does_by_rows_what_they_may_do_singly() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let ask = |operation: &str, rows: Value| json!({"operation": operation, "rows": rows});
    let own = ask("completeLesson", json!([{"id": school.lesson}]));
    let own = batch_as(&app, &learner, own).await;
    assert_eq!(each(&own, "status"), [200], "{}", own.body);
    for operation in ["createCourse", "gradeSubmission", "createUser"] {
        let refused = batch_as(&app, &learner, ask(operation, courses(1))).await;
        assert_eq!(
            each(&refused, "status"),
            [403],
            "{operation} {}",
            refused.body
        );
    }
    // A class would keep its teachers waiting.
    let many = vec![json!({"id": school.lesson}); 51];
    let many = batch_as(&app, &learner, ask("completeLesson", json!(many))).await;
    assert_refused(&many, 403, "insufficient_role", "");
    let narrow = key(&app, &["write:courses"]).await;
    let beyond = ask(
        "createUser",
        json!([{"body": {"email": "x@school.example"}}]),
    );
    let beyond = batch_as(&app, &narrow, beyond).await;
    assert_eq!(codes(&beyond), ["insufficient_scope"]);
}

#[actix_web::test]
async fn grades_of_people_are_given_and_returned_by_rows() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school.student_session(&app).await;
    let submission = school.hand_in(&app, "Cool it fast.").await;
    let graded = json!([{"id": submission, "body": {"score": 80}}, {"id": "sub_nothing", "body": {"score": 1}}]);
    let graded = batch(&app, "gradeSubmission", graded).await;
    assert_eq!(each(&graded, "status"), [200, 404], "{}", graded.body);
    assert_eq!(graded.body["results"][0]["object"]["score"], json!(80));
    let returned = batch(&app, "returnSubmission", json!([{"id": submission}])).await;
    assert_eq!(returned.body["results"][0]["object"]["status"], "returned");
}

#[actix_web::test]
async fn one_person_and_one_workspace_have_so_many_under_way() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let asking = || batch_as(&app, &app.owner, many_rows(51));
        let answers = join_all((0..6).map(|_| asking())).await;
        let taken = answers.iter().filter(|answer| answer.status == 202);
        assert_eq!(taken.count(), 2);
        let refused = asking().await;
        assert_refused(&refused, 409, "limit_reached", "");
        let teacher = member(&app, "ines", "teacher").await;
        for _ in 0..2 {
            asked_for(&app, &teacher, many_rows(51)).await;
        }
        let other = member(&app, "ben", "teacher").await;
        let refused = batch_as(&app, &other, many_rows(51)).await;
        assert_refused(&refused, 409, "limit_reached", "");
        // What is done at once takes no place.
        assert_eq!(batch_as(&app, &other, many_rows(1)).await.status, 200);
        app.work().await;
        asked_for(&app, &other, many_rows(51)).await;
    }
}

#[actix_web::test]
async fn a_dry_run_of_many_rows_leaves_nothing_behind_either() {
    let app = TestApp::start().await;
    let before = newest_event(&app).await;
    let place = asked_for(&app, &app.owner, many_rows(51)).await;
    app.work().await;
    let done = app.get(&place).await;
    assert_eq!(counts(&done)["succeeded"], 51, "{}", done.body);
    assert_eq!(done.body["dry_run"], true);
    assert_eq!(newest_event(&app).await, before);
    assert_eq!(course_count(&app).await, 0);
}

#[actix_web::test]
async fn each_row_counts_as_a_request() {
    let (app, clock) = started(|limits| limits.per_key = few(10)).await;
    let answer = batch(&app, "createCourse", courses(12)).await;
    let refused = each(&answer, "status")
        .iter()
        .filter(|it| **it == 429)
        .count();
    assert_eq!(refused, 3, "{}", answer.body);
    assert_eq!(codes(&answer)[11], "rate_limited");
    clock.advance(std::time::Duration::from_mins(1));
    let asked = json!({"operation": "createCourse", "rows": courses(51)});
    let place = asked_for(&app, &app.owner, asked).await;
    for _ in 0..6 {
        app.work().await;
        clock.advance(std::time::Duration::from_mins(1));
        app.clock.advance(60);
    }
    clock.advance(std::time::Duration::from_mins(1));
    let done = app.get(&place).await;
    assert_eq!(
        counts(&done)["succeeded"],
        51,
        "who asks for much waits for it: {}",
        done.body
    );
}

#[actix_web::test]
async fn members_that_nobody_knows_are_refused_where_that_is_asked() {
    let app = TestApp::start().await;
    let rows = json!([{"body": {"name": "A", "language": "en", "surprise": 1}}]);
    let body = json!({"operation": "createCourse", "rows": rows});
    let asked = request(&app.owner, "POST", "/v1/batch");
    let asked = asked.insert_header(("Prefer", "handling=strict"));
    let refused = app.send(asked.set_json(body)).await;
    assert_eq!(codes(&refused), ["unknown_field"]);
    assert_eq!(course_count(&app).await, 0);
}

#[actix_web::test]
async fn what_came_of_it_is_forgotten_after_a_week() {
    let app = TestApp::start().await;
    let place = asked_for(&app, &app.owner, many_rows(51)).await;
    app.work().await;
    app.clock.advance(7 * 24 * 3_600 - 60);
    retention::sweep(&app.app).await.unwrap();
    assert_eq!(app.get(&place).await.status, 200);
    app.clock.advance(120);
    retention::sweep(&app.app).await.unwrap();
    assert_eq!(app.get(&place).await.status, 404);
}

#[actix_web::test]
async fn a_session_that_was_opened_for_somebody_sees_nothing_that_their_keys_asked_for() {
    let app = TestApp::start().await;
    let place = asked_for(&app, &app.owner, many_rows(51)).await;
    let opened = session(&app, "owner@main.example").await;
    let hidden = app.call(&opened, "GET", &place, None).await;
    assert_refused(&hidden, 404, "resource_missing", "");
}

#[actix_web::test]
async fn whoever_writes_many_takes_no_place_beside_those_of_the_rows() {
    let mut app = TestApp::start().await;
    let settings = ApiSettings {
        max_requests: NonZeroU32::MIN,
        ..ApiSettings::default()
    };
    app.api = Arc::new(Api::new(app.app.clone(), settings).unwrap());
    let made = batch(&app, "createCourse", courses(2)).await;
    assert_eq!(each(&made, "status"), [201, 201]);
}
