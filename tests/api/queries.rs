//! How many queries an answer takes: as many for a page of twenty as for a page of one.

use lyceum_api::routes;
use lyceum_domain::grading::batches::BatchKind;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::queries;
use support::stores::Database;

use crate::media;
use crate::school::{School, app_on, made};
use crate::world::{
    Ids, book_call, launch, member_session, passkey, put_batch, put_item, session, sso_connection,
    world,
};

/// Queries that go before every answer: who is asking, and where.
const ENTERING: usize = 4;

/// What a path answers, and the queries that it takes.
async fn asked(app: &TestApp, caller: &Caller, path: &str) -> (Value, Vec<String>) {
    queries::taken(app.database_url());
    let answer = app.call(caller, "GET", path, None).await;
    assert_eq!(answer.status, 200, "{path} {}", answer.body);
    let mut taken = queries::taken(app.database_url());
    // The use of a key is noted beside the request, at most once a minute; on a busy machine two such notes may meet, and
    // one stands in line then.
    taken.retain(|query| query.starts_with("SELECT ") && !query.contains("pg_advisory"));
    // What is the same for everybody is not stored, and a known caller is not always asked after.
    let is_stored = path != "/v1/event_types" && !path.starts_with("/v1/event_types?");
    assert!(
        !is_stored || !taken.is_empty(),
        "nobody heard the queries of {path}"
    );
    (answer.body, taken)
}

/// Another course with two of everything in it.
async fn fill_course(app: &TestApp) {
    let make = async |collection: &str, body: Value| made(app, &app.owner, collection, body).await;
    let course = make("courses", json!({"name": "C", "language": "en"})).await;
    for n in 0..2 {
        make(
            "cohorts",
            json!({"course_id": course, "name": format!("H{n}")}),
        )
        .await;
        let unit = make(
            "units",
            json!({"course_id": course, "name": format!("U{n}")}),
        )
        .await;
        for m in 0..2 {
            let lesson = make("lessons", json!({"unit_id": unit, "name": format!("L{m}")})).await;
            let video = json!({"url": "https://v.example/1"});
            let activity =
                json!({"lesson_id": lesson, "kind": "video", "name": "V", "content": video});
            make("activities", activity).await;
        }
    }
}

#[actix_web::test]
async fn an_expanded_page_of_twenty_takes_as_many_queries_as_one_of_one() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        fill_course(&app).await;
        let plain = "/v1/courses?limit=20";
        let expanded = "/v1/courses?limit=20&expand=units.lessons.activities,cohorts";
        let (_, plain_of_one) = asked(&app, &app.owner, plain).await;
        let (_, of_one) = asked(&app, &app.owner, expanded).await;
        for _ in 1..20 {
            fill_course(&app).await;
        }
        let (_, plain_of_twenty) = asked(&app, &app.owner, plain).await;
        let (page, of_twenty) = asked(&app, &app.owner, expanded).await;
        assert_eq!(page["data"].as_array().unwrap().len(), 20);
        let last = &page["data"][19]["units"][1]["lessons"][1]["activities"][0];
        assert_eq!(last["kind"], "video");
        assert_eq!(page["data"][0]["cohorts"][1]["name"], "H0");
        assert_eq!(of_one.len(), of_twenty.len(), "{of_twenty:#?}");
        assert_eq!(
            plain_of_one.len(),
            plain_of_twenty.len(),
            "{plain_of_twenty:#?}"
        );
        // The page with what it names of others; for the expansion one per relation, units count lessons, cohorts
        // count students, what can be large is weighed before it is read, and a view of its own is asked whether what was remembered of the caller is still so.
        assert!(
            plain_of_twenty.len() <= ENTERING + 1,
            "{plain_of_twenty:#?}"
        );
        assert!(
            of_twenty.len() <= plain_of_twenty.len() + 4 + 2 + 3 + 1,
            "{of_twenty:#?}"
        );
    }
}

/// Whether a caller was looked for, and not remembered.
fn is_entering(query: &str) -> bool {
    query.contains("api_keys") && query.contains("people")
}

#[actix_web::test]
async fn a_caller_stays_known_while_uses_of_keys_are_noted_and_others_come_and_go() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let other = app.another_workspace("other").await;
        let first = asked(&app, &app.owner, "/v1/courses").await.1;
        assert!(first.iter().any(|query| is_entering(query)), "{first:#?}");
        for _ in 0..3 {
            app.clock.advance(61);
            let made = json!({"name": "Passing", "scopes": ["read:courses"]});
            let key = app.call(&other, "POST", "/v1/api_keys", Some(made)).await;
            let path = format!("/v1/api_keys/{}", key.id());
            let gone = app.call(&other, "DELETE", &path, None).await;
            assert_eq!(gone.status, 200, "{}", gone.body);
            let again = asked(&app, &app.owner, "/v1/courses").await.1;
            assert!(!again.iter().any(|query| is_entering(query)), "{again:#?}");
        }
        let keys = app.get("/v1/api_keys?limit=100").await.body;
        let mut used = keys["data"].as_array().unwrap().iter();
        assert!(
            used.any(|key| !key["last_used_at"].is_null()),
            "uses were noted: {keys}"
        );
    }
}

/// Whether it was asked if what is remembered of a caller is still so.
fn is_proof(query: &str) -> bool {
    query.contains("access_stamps")
}

#[actix_web::test]
async fn on_sqlite_a_known_caller_is_not_asked_after_while_nothing_is_written() {
    queries::listen();
    let app = app_on(Database::Sqlite).await;
    let course = made(
        &app,
        &app.owner,
        "courses",
        json!({"name": "A", "language": "en"}),
    )
    .await;
    let path = format!("/v1/courses/{course}");
    for n in 0..3 {
        let (_, mut taken) = asked(&app, &app.owner, &path).await;
        // That the key was used is noted once, beside the requests.
        for _ in 0..50 {
            taken = asked(&app, &app.owner, &path).await.1;
        }
        assert_eq!(taken.len(), 1, "{taken:#?}");
        let written = json!({"description": format!("Something else {n}")});
        app.call(&app.owner, "PATCH", &path, Some(written)).await;
        let (body, taken) = asked(&app, &app.owner, &path).await;
        assert_eq!(body["description"], format!("Something else {n}"));
        assert_eq!(taken.len(), 2, "{taken:#?}");
        assert_eq!(taken.iter().filter(|query| is_proof(query)).count(), 1);
    }
}

/// More of everything that there is a list of.
async fn crowd(app: &TestApp, ids: &Ids) {
    let make = async |path: &str, body: Value| {
        let answer = app.post(path, body).await;
        assert!(
            (200..300).contains(&answer.status),
            "{path} {}",
            answer.body
        );
        answer.id()
    };
    let (lesson, cohort) = (ids.of("lessons"), ids.of("cohorts"));
    for n in 0..3_u64 {
        fill_course(app).await;
        let course = make("/v1/courses", json!({"name": "D", "language": "en"})).await;
        let quiz = json!({"lesson_id": lesson, "kind": "quiz", "name": "Q"});
        make("/v1/activities", quiz).await;
        let assignment = json!({"course_id": course, "name": "A"});
        make("/v1/assignments", assignment).await;
        let user = make(
            "/v1/users",
            json!({"email": format!("u{n}@school.example")}),
        )
        .await;
        make(&format!("/v1/users/{user}/invitation"), json!({})).await;
        make(
            &format!("/v1/cohorts/{cohort}/students"),
            json!({"user_id": user}),
        )
        .await;
        let submission = json!({
            "assignment_id": ids.of("assignments"), "user_id": user, "cohort_id": cohort,
            "content": {"type": "text", "text": "T"},
        });
        let submission = make("/v1/submissions", submission).await;
        let place = u32::try_from(n).unwrap() + 1;
        put_item(app, &app.owner, ids.of("batches"), (place, &submission)).await;
        let regrade = submission.replace("sub_", "bat_");
        let assignment = ids.of("assignments");
        put_batch(app, &app.owner, assignment, BatchKind::Regrade, &regrade).await;
        let again = json!({"user_id": ids.of("users"), "answers": {}});
        make(
            &format!("/v1/activities/{}/attempts", ids.of("activities")),
            again,
        )
        .await;
        let other = json!({"course_id": ids.of("courses"), "name": "C"});
        let other = make("/v1/cohorts", other).await;
        make(
            &format!("/v1/cohorts/{other}/students"),
            json!({"user_id": ids.of("users")}),
        )
        .await;
        let grade = format!("/v1/submissions/{}/grade", ids.of("submissions"));
        make(&grade, json!({"score": n})).await;
        let syllabus = format!("/v1/courses/{course}/syllabus");
        make(&syllabus, json!({"brief": "Cooling", "hours": 1})).await;
        make("/v1/scorm", json!({"cohort_id": cohort})).await;
        launch(app, ids.of("scorm"), &format!("learner {n}")).await;
        make("/v1/api_keys", json!({"name": format!("K{n}")})).await;
        session(app, &json!("owner@main.example")).await;
        member_session(app, &app.owner, ids.of("users"), n + 2).await;
        passkey(app, &json!("owner@main.example")).await;
        let picture = media::picture(&n.to_string());
        media::upload(app, &app.owner, &picture, &[]).await;
        make("/v1/workspaces", json!({"name": format!("W{n}")})).await;
        let friends = app.another_workspace(&format!("friends-{n}")).await;
        let invited = json!({"email": "owner@main.example"});
        made(app, &friends, "users", invited).await;
        app.clock.advance(900);
        for thing in ["lessons", "activities", "assignments"] {
            let path = format!("/v1/{thing}/{}", ids.of(thing));
            let renamed = app.patch(&path, json!({"name": format!("Name {n}")})).await;
            assert_eq!(renamed.status, 200, "{}", renamed.body);
        }
        let dates = format!("/v1/assignments/{}/overrides", ids.of("assignments"));
        make(&dates, json!({"user_id": user, "due_at": null})).await;
        make("/v1/sso_connections", sso_connection()).await;
        let hook = json!({"url": format!("http://127.0.0.1:9/{n}"), "enabled_events": ["*"]});
        make("/v1/webhook_endpoints", hook).await;
        book_call(app, &app.owner, ids.of("submissions"), n + 2).await;
        let talk = format!("/v1/lessons/{}/tutor", ids.of("lessons"));
        let told = app.post(&talk, json!({"message": "How cold?"})).await;
        assert_eq!(told.status, 200, "{}", told.body);
    }
}

#[actix_web::test]
async fn every_list_takes_as_many_queries_for_many_as_for_one() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let ids = world(&app, &app.owner).await;
        crowd(&app, &ids).await;
        let mut counted = 0;
        for route in routes::all().iter().filter(|route| route.method == "GET") {
            let path = ids.path(route.path);
            let answer = app.get(&path).await.body;
            if answer["object"] != "list" {
                continue;
            }
            let many = answer["data"].as_array().unwrap().len();
            assert!(many > 1, "make more to list at {path}: {answer}");
            let (_, of_one) = asked(&app, &app.owner, &format!("{path}?limit=1")).await;
            let (_, of_many) = asked(&app, &app.owner, &format!("{path}?limit=100")).await;
            assert_eq!(of_one.len(), of_many.len(), "{path} {of_many:#?}");
            let most = match path.rsplit('/').next() {
                // A book is made of nine tables, and how far somebody has come of four more.
                Some("gradebook") => 9,
                Some("standing") => 13,
                _ => 6,
            };
            assert!(of_many.len() <= ENTERING + most, "{path} {of_many:#?}");
            counted += 1;
        }
        assert!(counted >= 18, "{counted}");
    }
}

#[actix_web::test]
async fn what_a_learner_sees_is_found_in_as_many_queries_in_ten_cohorts_as_in_one() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let learner = school.student_session(&app).await;
        let path = "/v1/lessons?limit=100";
        // Whoever comes first is not known yet.
        asked(&app, &learner, path).await;
        let (_, in_one) = asked(&app, &learner, path).await;
        for n in 0..9 {
            let cohort = json!({"course_id": school.course, "name": format!("H{n}")});
            let cohort = made(&app, &app.owner, "cohorts", cohort).await;
            let students = format!("cohorts/{cohort}/students");
            made(
                &app,
                &app.owner,
                &students,
                json!({"user_id": school.student}),
            )
            .await;
        }
        let (page, in_ten) = asked(&app, &learner, path).await;
        assert_eq!(page["data"].as_array().unwrap().len(), 1);
        assert_eq!(in_one.len(), in_ten.len(), "{in_one:#?} {in_ten:#?}");
    }
}
