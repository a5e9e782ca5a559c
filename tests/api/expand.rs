//! Related objects, put into an answer.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_of_any_model, app_on, done};
use crate::world::worlds;

/// A course with two units of one lesson each, a cohort, an assignment and a submission.
struct Story {
    course: String,
    cohort: String,
    submission: String,
}

async fn id(app: &TestApp, path: &str, body: Value) -> String {
    let made = app.post(path, body).await;
    assert_eq!(made.status, 201, "{path} {}", made.body);
    made.id()
}

async fn story(app: &TestApp) -> Story {
    let course = id(app, "/v1/courses", json!({"name": "C", "language": "en"})).await;
    for name in ["U1", "U2"] {
        let unit = id(app, "/v1/units", json!({"course_id": course, "name": name})).await;
        id(
            app,
            "/v1/lessons",
            json!({"unit_id": unit, "name": format!("{name} L")}),
        )
        .await;
    }
    let cohort = id(
        app,
        "/v1/cohorts",
        json!({"course_id": course, "name": "Spring"}),
    )
    .await;
    let user = id(app, "/v1/users", json!({"email": "ada@example.org"})).await;
    let assignment = id(
        app,
        "/v1/assignments",
        json!({"course_id": course, "name": "A"}),
    )
    .await;
    let sent = json!({
        "assignment_id": assignment, "user_id": user, "cohort_id": cohort,
        "content": {"type": "text", "text": "x"},
    });
    let submission = id(app, "/v1/submissions", sent).await;
    Story {
        course,
        cohort,
        submission,
    }
}

#[actix_web::test]
async fn related_objects_are_put_in_level_by_level() {
    let app = TestApp::start().await;
    let story = story(&app).await;
    let path = format!(
        "/v1/courses/{}?expand=units.lessons,cohorts.course",
        story.course
    );
    let course = app.get(&path).await.body;
    assert_eq!(course["units"][0]["name"], "U1");
    assert_eq!(course["units"][1]["lessons"][0]["name"], "U2 L");
    assert_eq!(course["cohorts"][0]["id"], json!(story.cohort));
    assert_eq!(course["cohorts"][0]["course"]["id"], json!(story.course));
}

#[actix_web::test]
async fn lists_and_writes_expand_too_in_every_spelling() {
    let app = TestApp::start().await;
    let story = story(&app).await;
    for query in [
        "expand=user,assignment",
        "expand=user&expand=assignment",
        "expand[]=user&expand[1]=assignment",
    ] {
        let list = app.get(&format!("/v1/submissions?{query}")).await.body;
        let submission = &list["data"][0];
        assert_eq!(submission["id"], json!(story.submission), "{query} {list}");
        assert_eq!(submission["user"]["email"], "ada@example.org", "{query}");
        assert_eq!(submission["assignment"]["name"], "A", "{query}");
    }
    let made = app
        .post(
            "/v1/units?expand=course",
            json!({"course_id": story.course, "name": "U3"}),
        )
        .await;
    assert_eq!(
        (made.status, &made.body["course"]["name"]),
        (201, &json!("C"))
    );
}

#[actix_web::test]
async fn what_cannot_be_expanded_is_named() {
    let app = TestApp::start().await;
    story(&app).await;
    for path in [
        "students",
        "units.secrets",
        "units.course.units.course.units",
    ] {
        let refused = app.get(&format!("/v1/courses?expand={path}")).await;
        assert_eq!(
            (refused.status, refused.code()),
            (400, "invalid_expand"),
            "{path}"
        );
    }
    let refused = app.get("/v1/events?expand=course").await;
    assert_eq!(refused.code(), "invalid_expand");
}

#[actix_web::test]
async fn nobody_expands_what_they_could_not_read() {
    let app = TestApp::start().await;
    let story = story(&app).await;
    let made = app
        .post(
            "/v1/api_keys",
            json!({"name": "n", "scopes": ["read:submissions"]}),
        )
        .await;
    let narrow = Caller {
        key: made.body["api_key"].as_str().unwrap().into(),
        platform: "main".into(),
    };
    let path = format!("/v1/submissions/{}", story.submission);
    assert_eq!(app.call(&narrow, "GET", &path, None).await.status, 200);
    let refused = app
        .call(&narrow, "GET", &format!("{path}?expand=user"), None)
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (403, "insufficient_scope")
    );
}

/// What can be expanded on things of a collection.
fn relations(kind: &str) -> &'static [&'static str] {
    match kind {
        "courses" => &["cohorts", "units"],
        "cohorts" => &["course"],
        "units" => &["course", "lessons"],
        "lessons" => &["unit", "activities"],
        "assignments" => &["course", "unit", "lesson"],
        "submissions" => &["assignment", "user", "cohort"],
        _ => &[],
    }
}

fn assert_expanded(object: &Value, kind: &str, place: &str) {
    for relation in relations(kind) {
        let there = &object[relation];
        assert!(!there.is_null(), "{place} lacks {relation}: {object}");
        assert!(there.is_object() || there.is_array(), "{place} {relation}");
    }
}

#[actix_web::test]
async fn every_kind_expands_when_it_is_made_read_listed_and_changed() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let enrol = format!("/v1/cohorts/{}/students", school.cohort);
        app.post(&enrol, json!({"user_id": school.student})).await;
        let new = [
            ("courses", json!({"name": "N", "language": "en"})),
            ("cohorts", json!({"name": "N", "course_id": school.course})),
            ("units", json!({"name": "N", "course_id": school.course})),
            ("lessons", json!({"name": "N", "unit_id": school.unit})),
            (
                "assignments",
                json!({"name": "N", "lesson_id": school.lesson}),
            ),
            (
                "submissions",
                json!({
                    "assignment_id": school.assignment, "user_id": school.student,
                    "cohort_id": school.cohort, "content": {"type": "text", "text": "T"},
                }),
            ),
        ];
        for (kind, body) in new {
            let expand = format!("expand={}", relations(kind).join(","));
            let place = format!("{database:?} {kind}");
            let made = app.post(&format!("/v1/{kind}?{expand}"), body).await;
            assert_eq!(made.status, 201, "{place} {}", made.body);
            assert_expanded(&made.body, kind, &place);
            let one = format!("/v1/{kind}/{}?{expand}", made.id());
            let read = app.get(&one).await;
            assert_eq!(read.body, made.body, "{place}");
            let list = app.get(&format!("/v1/{kind}?limit=1&{expand}")).await;
            assert_eq!(list.body["data"][0], made.body, "{place}");
            let change = json!({"name": "M", "metadata": {"m": 1}});
            let changed = app.patch(&one, change).await;
            assert_eq!(
                (changed.status, &changed.body["metadata"]["m"]),
                (200, &json!(1)),
                "{place}"
            );
            assert_expanded(&changed.body, kind, &place);
        }
    }
}

#[actix_web::test]
async fn more_than_twenty_paths_and_empty_ones_are_refused() {
    let app = TestApp::start().await;
    let ways = [
        ("", ["course", "lessons"]),
        ("units", ["course", "lessons"]),
        ("cohorts", ["course", "course"]),
        ("course", ["units", "cohorts"]),
        ("lessons", ["unit", "activities"]),
        ("unit", ["course", "lessons"]),
    ];
    let mut paths: BTreeSet<String> = BTreeSet::from([String::new()]);
    for _ in 0..4 {
        for path in paths.clone() {
            let last = path.rsplit('.').next().unwrap();
            let on = ways.iter().find(|(from, _)| *from == last);
            for name in on.into_iter().flat_map(|(_, names)| names) {
                let longer = format!("{path}.{name}");
                paths.insert(longer.trim_start_matches('.').to_owned());
            }
        }
    }
    let short = |path: &&String| !path.is_empty() && path.split('.').count() <= 4;
    let paths: Vec<String> = paths.iter().filter(short).cloned().collect();
    assert!(paths.len() > 20, "{}", paths.len());
    let with = async |count: usize| {
        let some = paths.get(..count).unwrap().join(",");
        app.get(&format!("/v1/units?expand={some}")).await
    };
    assert_eq!(with(20).await.status, 200);
    assert_eq!(with(21).await.code(), "invalid_expand");
    for empty in ["expand=", "expand=lessons,", "expand[]=", "expand=lessons."] {
        let refused = app.get(&format!("/v1/units?{empty}")).await;
        assert_eq!(refused.code(), "invalid_expand", "{empty}");
    }
}

#[actix_web::test]
async fn learners_expand_into_their_own_view_and_no_further() {
    let app = app_of_any_model(Database::Sqlite).await;
    let school = School::open(&app).await;
    let secret = json!({"metadata": {"internal": "secret"}});
    for path in [
        format!("/v1/lessons/{}", school.lesson),
        format!("/v1/units/{}", school.unit),
        format!("/v1/activities/{}", school.activity),
        format!("/v1/assignments/{}", school.assignment),
    ] {
        assert_eq!(app.patch(&path, secret.clone()).await.status, 200, "{path}");
    }
    let grading = json!({"ai_evaluator": {"enabled": false, "model": "secret"}});
    school.configure(&app, grading).await;
    let learner = school.student_session(&app).await;
    let submission = school.hand_in(&app, "Cool it.").await;
    let get = async |path: String| app.call(&learner, "GET", &path, None).await;
    let lesson = get(format!(
        "/v1/lessons/{}?expand=activities,unit",
        school.lesson
    ))
    .await;
    assert_eq!(lesson.status, 200, "{}", lesson.body);
    assert_eq!(lesson.body["activities"][0]["id"], json!(school.activity));
    assert_eq!(lesson.body["unit"]["id"], json!(school.unit));
    let units = get("/v1/units?expand=lessons.activities".to_owned()).await;
    assert_eq!(
        units.body["data"][0]["lessons"][0]["activities"][0]["id"],
        json!(school.activity)
    );
    let own = format!("/v1/submissions/{submission}?expand=assignment.lesson,assignment.unit");
    let assignment = get(own.clone()).await;
    assert_eq!(
        assignment.body["assignment"]["id"],
        json!(school.assignment)
    );
    for answer in [&lesson, &units, &assignment] {
        let text = answer.body.to_string();
        for hidden in ["secret", "correct", "The law says so"] {
            assert!(!text.contains(hidden), "{text}");
        }
    }
    // What they could not read by itself.
    for path in [
        format!("/v1/lessons/{}?expand=unit.course", school.lesson),
        format!("/v1/submissions/{submission}?expand=user"),
        format!("/v1/submissions/{submission}?expand=cohort"),
        "/v1/units?expand=course.cohorts".to_owned(),
    ] {
        let refused = get(path.clone()).await;
        assert_eq!(
            (refused.status, refused.code()),
            (403, "insufficient_scope"),
            "{path}"
        );
    }
    // Their submission stays theirs; the assignment of a course that was taken away does not.
    done(&app, &format!("courses/{}/archive", school.course)).await;
    let after = get(own).await;
    assert_eq!(
        (after.status, &after.body["assignment"]),
        (200, &Value::Null)
    );
}

#[actix_web::test]
async fn expanding_shows_nothing_of_another_workspace() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        for kind in [
            "courses",
            "cohorts",
            "units",
            "lessons",
            "assignments",
            "submissions",
        ] {
            let expand = relations(kind).join(",");
            let path = format!("/v1/{kind}?limit=100&expand={expand}");
            let list = worlds.app.call(&worlds.stranger, "GET", &path, None).await;
            assert_eq!(list.status, 200, "{path} {}", list.body);
            assert!(!list.body["data"].as_array().unwrap().is_empty(), "{path}");
            let text = list.body.to_string();
            for (what, id) in &worlds.theirs.0 {
                let id = id.as_str().unwrap();
                assert!(!text.contains(id), "{path} shows {what} {id}");
            }
            let theirs = format!("/v1/{kind}/{}?expand={expand}", worlds.theirs.of(kind));
            let refused = worlds
                .app
                .call(&worlds.stranger, "GET", &theirs, None)
                .await;
            assert_eq!((refused.status, refused.code()), (404, "resource_missing"));
        }
    }
}

#[actix_web::test]
async fn an_expansion_has_a_size_that_it_does_not_pass() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let course = json!({
            "name": "C", "language": "en", "description": "Ü".repeat(90_000),
        });
        let course = id(&app, "/v1/courses", course).await;
        let unit = json!({"course_id": course, "name": "U"});
        let unit = id(&app, "/v1/units", unit).await;
        let write = async |count: usize| {
            for _ in 0..count {
                let content = "x".repeat(100_000);
                let lesson = json!({"unit_id": unit, "name": "L", "content": content});
                id(&app, "/v1/lessons", lesson).await;
            }
        };
        write(20).await;
        let whole = app.get("/v1/units?expand=lessons").await;
        assert_eq!(whole.status, 200);
        let lessons = whole.body["data"][0]["lessons"].as_array().unwrap();
        assert_eq!(lessons.len(), 20);
        write(1).await;
        for path in [
            "/v1/units?expand=lessons".to_owned(),
            format!("/v1/units/{unit}?expand=lessons.activities"),
            format!("/v1/courses/{course}?expand=units.lessons"),
        ] {
            let refused = app.get(&path).await;
            assert_eq!(
                (refused.status, refused.code()),
                (400, "too_large_to_expand")
            );
            let says = refused.body["error"]["message"].as_str().unwrap();
            assert!(says.contains("GET /v1/lessons?unit_id="), "{says}");
            assert!(refused.body["error"]["fields"]["expand"].is_string());
        }
        // What is named there is not refused, and what many share is counted as often as it is told.
        let narrower = app
            .get(&format!("/v1/lessons?unit_id={unit}&limit=100"))
            .await;
        assert_eq!(narrower.body["data"].as_array().unwrap().len(), 21);
        for n in 0..12 {
            let unit = json!({"course_id": course, "name": format!("U{n}")});
            id(&app, "/v1/units", unit).await;
        }
        let refused = app.get("/v1/units?expand=course").await;
        assert_eq!(refused.code(), "too_large_to_expand");
        assert_eq!(app.get("/v1/units?expand=course&limit=5").await.status, 200);
        // A change whose answer would be too large is not made.
        let change = json!({"name": "Renamed"});
        let refused = app
            .patch(&format!("/v1/units/{unit}?expand=lessons"), change)
            .await;
        assert_eq!(refused.code(), "too_large_to_expand");
        assert_eq!(
            app.get(&format!("/v1/units/{unit}")).await.body["name"],
            "U"
        );
    }
}
