//! Changes of a published course that wait: seen by authors alone, made all at once, or thrown away.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, list};

mod seen;

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// A school whose course is published.
async fn published(database: Database) -> (TestApp, School) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    done(&app, &format!("courses/{}/publish", school.course)).await;
    (app, school)
}

impl School {
    /// Each kind of thing by its path, with a change of it.
    fn changes(&self) -> [(String, Value); 5] {
        let text = "Chill it at once.";
        [
            (
                format!("courses/{}", self.course),
                json!({"description": text, "hours": 12}),
            ),
            (format!("units/{}", self.unit), json!({"description": text})),
            (
                format!("lessons/{}", self.lesson),
                json!({"content": text, "objectives": ["Chill"]}),
            ),
            (
                format!("activities/{}", self.activity),
                json!({"name": text}),
            ),
            (
                format!("assignments/{}", self.assignment),
                json!({"instructions": text, "max_score": 50}),
            ),
        ]
    }

    async fn draft(&self, app: &TestApp) -> Value {
        let draft = app.get(&format!("/v1/courses/{}/draft", self.course)).await;
        assert_eq!(draft.status, 200, "{}", draft.body);
        draft.body
    }

    async fn publish_draft(&self, app: &TestApp, seen: Value) -> Answer {
        let path = format!("/v1/courses/{}/draft/publish", self.course);
        app.post(&path, seen).await
    }
}

/// Has a change wait.
async fn wait(app: &TestApp, path: &str, body: Value) -> Value {
    let waits = app.patch(&format!("/v1/{path}?draft=true"), body).await;
    assert_eq!(waits.status, 200, "{path} {}", waits.body);
    waits.body
}

async fn patch_at(app: &TestApp, path: String, body: Value) -> Answer {
    app.patch(&path, body).await
}

async fn now(app: &TestApp, path: &str) -> Value {
    let found = app.get(&format!("/v1/{path}")).await;
    assert_eq!(found.status, 200, "{path} {}", found.body);
    found.body
}

fn told(of: &Value) -> Vec<Value> {
    of["changes"].as_array().unwrap().clone()
}

/// The members of a body, as they stand in a thing; the hours of a course stand in its duration.
fn assert_has(thing: &Value, body: &Value) {
    for (name, value) in body.as_object().unwrap() {
        let at = if name == "hours" {
            &thing["duration"][name]
        } else {
            &thing[name]
        };
        assert_eq!(at, value, "{name}");
    }
}

#[actix_web::test]
async fn what_waits_is_seen_with_it_and_goes_live_all_at_once() {
    for database in BOTH {
        let (app, school) = published(database).await;
        for (path, body) in school.changes() {
            let before = now(&app, &path).await;
            let waits = wait(&app, &path, body.clone()).await;
            assert_has(&waits, &body);
            let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
            assert_eq!(waits["waiting"], json!(fields), "{path}");
            assert_eq!(now(&app, &format!("{path}?draft=true")).await, waits);
            assert_eq!(
                now(&app, &path).await,
                before,
                "learners see what was there"
            );
        }
        let draft = school.draft(&app).await;
        let objects: Vec<Value> = told(&draft)
            .iter()
            .map(|one| one["object"].clone())
            .collect();
        assert_eq!(
            json!(objects),
            json!(["course", "unit", "lesson", "activity", "assignment"])
        );
        assert_eq!(draft["notices"], json!([]));
        app.clock.advance(60);
        let after = school
            .publish_draft(&app, json!({"revision": draft["revision"]}))
            .await;
        assert_eq!(after.status, 200, "{}", after.body);
        assert_eq!(after.body["changes"], json!([]));
        for (path, body) in school.changes() {
            let live = now(&app, &path).await;
            assert_has(&live, &body);
            assert_eq!(live["waiting"], Value::Null);
            assert_eq!(now(&app, &format!("{path}?draft=true")).await, live);
        }
        let nothing = school.publish_draft(&app, json!({})).await;
        assert_refused(&nothing, 409, "invalid_state_transition", "");
    }
}

#[actix_web::test]
async fn publishing_does_what_each_change_by_itself_would() {
    let (app, school) = published(Database::Sqlite).await;
    let lesson = format!("lessons/{}", school.lesson);
    // Saved at once by the same person a moment before: one version would not do.
    let path = format!("/v1/{lesson}");
    app.patch(&path, json!({"content": "At once."})).await;
    wait(&app, &lesson, json!({"content": "Later."})).await;
    assert_eq!(list(&app, "events?type=lesson.updated").await.len(), 1);
    school.publish_draft(&app, json!({})).await;
    assert_eq!(list(&app, "events?type=lesson.updated").await.len(), 2);
    let versions = list(&app, &format!("{lesson}/versions")).await;
    assert_eq!(versions.len(), 2);
    let newest = versions[0]["id"].as_str().unwrap();
    let newest = now(&app, &format!("versions/{newest}")).await;
    assert_eq!(newest["content"]["content"], "At once.");
}

#[actix_web::test]
async fn a_course_that_nobody_sees_yet_is_changed_at_once() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    for (path, body) in school.changes() {
        let changed = wait(&app, &path, body.clone()).await;
        assert_eq!(changed["waiting"], Value::Null);
        assert_has(&now(&app, &path).await, &body);
    }
    assert_eq!(school.draft(&app).await["changes"], json!([]));
}

#[actix_web::test]
async fn changes_of_one_thing_come_together_and_what_is_taken_back_no_longer_waits() {
    for database in BOTH {
        let (app, school) = published(database).await;
        let lesson = format!("lessons/{}", school.lesson);
        wait(
            &app,
            &lesson,
            json!({"name": "B", "metadata": {"a": 1, "b": 2}}),
        )
        .await;
        let waits = wait(
            &app,
            &lesson,
            json!({"summary": "S", "metadata": {"a": null}}),
        )
        .await;
        assert_eq!(waits["waiting"], json!(["metadata", "name", "summary"]));
        assert_eq!(waits["metadata"], json!({"b": 2}));
        let back = json!({"name": "The danger zone", "summary": "", "metadata": {"b": null}});
        let waits = wait(&app, &lesson, back).await;
        assert_eq!(waits["waiting"], Value::Null);
        assert_eq!(school.draft(&app).await["changes"], json!([]));
    }
}

#[actix_web::test]
async fn what_breaks_the_rules_does_not_wait() {
    let (app, school) = published(Database::Sqlite).await;
    for (path, body, field) in [
        (
            format!("lessons/{}", school.lesson),
            json!({"name": ""}),
            "name",
        ),
        (
            format!("lessons/{}", school.lesson),
            json!({"name": null}),
            "name",
        ),
        (
            format!("assignments/{}", school.assignment),
            json!({"max_score": 0}),
            "max_score",
        ),
        (
            format!("activities/{}", school.activity),
            json!({"content": {"questions": 7}}),
            "content.questions",
        ),
        (
            format!("courses/{}", school.course),
            json!({"changes_wait": true}),
            "changes_wait",
        ),
    ] {
        let refused = app.patch(&format!("/v1/{path}?draft=true"), body).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
    assert_eq!(school.draft(&app).await["changes"], json!([]));
}

#[actix_web::test]
async fn whoever_saw_something_else_is_told() {
    let (app, school) = published(Database::Sqlite).await;
    let path = format!("/v1/lessons/{}?draft=true", school.lesson);
    let seen = app.get(&path).await.header("etag").unwrap().to_owned();
    let change = |tag: &str, text: &str| {
        request(&app.owner, "PATCH", &path)
            .insert_header(("If-Match", tag))
            .set_json(json!({"content": text}))
    };
    let first = app.send(change(&seen, "One.")).await;
    assert_eq!(first.status, 200, "{}", first.body);
    let stale = app.send(change(&seen, "Two.")).await;
    assert_eq!(stale.status, 412, "{}", stale.body);
    let me = app.get("/v1/me").await.body["user"]["id"].clone();
    assert_eq!(stale.body["error"]["actor"]["id"], me, "{}", stale.body);
    let tag = first.header("etag").unwrap();
    let next = app.send(change(tag, "Two.")).await;
    assert_eq!(next.status, 200, "{}", next.body);
    assert_eq!(app.get(&path).await.header("etag"), next.header("etag"));
}

#[actix_web::test]
async fn what_somebody_changed_meanwhile_is_changed_only_by_who_has_seen_it() {
    for database in BOTH {
        let (app, school) = published(database).await;
        let lesson = format!("lessons/{}", school.lesson);
        wait(&app, &lesson, json!({"content": "Mine."})).await;
        wait(
            &app,
            &format!("units/{}", school.unit),
            json!({"name": "Chilling"}),
        )
        .await;
        let path = format!("/v1/{lesson}");
        app.patch(&path, json!({"summary": "Elsewhere."})).await;
        assert_eq!(
            told(&school.draft(&app).await)[1]["base_changed"],
            json!(false)
        );
        app.patch(&path, json!({"content": "Theirs."})).await;
        assert_eq!(
            told(&school.draft(&app).await)[1]["base_changed"],
            json!(true)
        );
        let refused = school.publish_draft(&app, json!({})).await;
        assert_refused(&refused, 409, "changed_meanwhile", &school.lesson);
        assert_eq!(
            now(&app, &format!("units/{}", school.unit)).await["name"],
            "Cooling"
        );
        let over = school
            .publish_draft(&app, json!({"over": [school.lesson]}))
            .await;
        assert_eq!(over.status, 200, "{}", over.body);
        let live = now(&app, &lesson).await;
        assert_eq!(
            (&live["content"], &live["summary"]),
            (&json!("Mine."), &json!("Elsewhere."))
        );
    }
}

#[actix_web::test]
async fn what_came_after_one_looked_is_not_published() {
    let (app, school) = published(Database::Sqlite).await;
    let lesson = format!("lessons/{}", school.lesson);
    wait(&app, &lesson, json!({"content": "Done."})).await;
    let seen = school.draft(&app).await["revision"].clone();
    app.clock.advance(1);
    wait(&app, &lesson, json!({"content": "Half d"})).await;
    let refused = school.publish_draft(&app, json!({"revision": seen})).await;
    assert_refused(&refused, 409, "changed_meanwhile", "revision");
    assert_eq!(now(&app, &lesson).await["content"], "Keep it cold.");
}

#[actix_web::test]
async fn what_waits_is_thrown_away_for_one_thing_or_for_all() {
    for database in BOTH {
        let (app, school) = published(database).await;
        for (path, body) in school.changes() {
            wait(&app, &path, body).await;
        }
        let draft = format!("/v1/courses/{}/draft", school.course);
        let one = app
            .delete(&format!("{draft}?object_id={}", school.lesson))
            .await;
        assert_eq!(one.status, 200, "{}", one.body);
        assert_eq!(told(&one.body).len(), 4);
        let again = app
            .delete(&format!("{draft}?object_id={}", school.lesson))
            .await;
        assert_eq!(again.status, 404, "{}", again.body);
        let all = app.delete(&draft).await;
        assert_eq!(
            (all.status, told(&all.body).len()),
            (200, 0),
            "{}",
            all.body
        );
        for (path, _) in school.changes() {
            assert_eq!(
                now(&app, &format!("{path}?draft=true")).await,
                now(&app, &path).await
            );
        }
        let noted = list(&app, "audit?action=draft.discarded").await;
        let whole: &Value = &noted[0]["old"];
        assert_eq!((noted.len(), whole.as_object().unwrap().len()), (2, 4));
        let one = json!({ (school.lesson.as_str()): ["content", "objectives"] });
        assert_eq!(noted[1]["old"], one);
    }
}

#[actix_web::test]
async fn what_waits_for_one_course_is_not_thrown_away_by_way_of_another() {
    let (app, school) = published(Database::Sqlite).await;
    wait(
        &app,
        &format!("lessons/{}", school.lesson),
        json!({"content": "Mine."}),
    )
    .await;
    let other = app
        .post("/v1/courses", json!({"name": "Other", "language": "en"}))
        .await
        .id();
    let path = format!("/v1/courses/{other}/draft?object_id={}", school.lesson);
    assert_eq!(app.delete(&path).await.status, 404);
    let stranger = app.another_workspace("other").await;
    for (method, path) in [
        ("GET", format!("/v1/courses/{}/draft", school.course)),
        ("DELETE", format!("/v1/courses/{}/draft", school.course)),
        (
            "POST",
            format!("/v1/courses/{}/draft/publish", school.course),
        ),
        ("PATCH", format!("/v1/lessons/{}?draft=true", school.lesson)),
        ("GET", format!("/v1/lessons/{}?draft=true", school.lesson)),
    ] {
        let body = (method != "GET").then(|| json!({}));
        let hidden = app.call(&stranger, method, &path, body).await;
        assert_eq!(hidden.status, 404, "{method} {path} {}", hidden.body);
    }
    assert_eq!(told(&school.draft(&app).await).len(), 1);
}

#[actix_web::test]
async fn a_hundred_at_once_each_have_their_say() {
    let (app, school) = published(Database::Postgres).await;
    let path = format!("/v1/lessons/{}?draft=true", school.lesson);
    let change = |n: usize| {
        app.patch(
            &path,
            json!({"metadata": { (format!("k{}", n % 50)): n / 50 }}),
        )
    };
    let answers = join_all((0..100).map(change)).await;
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    let waits = app.get(&path).await.body;
    assert_eq!(waits["metadata"].as_object().unwrap().len(), 50);
    assert_eq!(told(&school.draft(&app).await).len(), 1);
}

#[actix_web::test]
async fn published_twice_at_once_it_goes_live_once() {
    let (app, school) = published(Database::Postgres).await;
    let lesson = format!("lessons/{}", school.lesson);
    wait(&app, &lesson, json!({"content": "Later."})).await;
    let both = join(
        school.publish_draft(&app, json!({})),
        school.publish_draft(&app, json!({})),
    )
    .await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(list(&app, &format!("{lesson}/versions")).await.len(), 1);
}

#[actix_web::test]
async fn whoever_changes_and_whoever_publishes_at_once_lose_nothing() {
    let (app, school) = published(Database::Postgres).await;
    let lesson = format!("lessons/{}", school.lesson);
    wait(&app, &lesson, json!({"content": "Later."})).await;
    let change = |n: usize| {
        let path = format!("/v1/{lesson}?draft=true");
        patch_at(&app, path, json!({"metadata": { (format!("k{n}")): n }}))
    };
    let (published, answers) = join(
        school.publish_draft(&app, json!({})),
        join_all((0..20).map(change)),
    )
    .await;
    assert_eq!(published.status, 200, "{}", published.body);
    assert!(answers.iter().all(|answer| answer.status == 200));
    let will = now(&app, &format!("{lesson}?draft=true")).await;
    assert_eq!(will["content"], "Later.");
    assert_eq!(will["metadata"].as_object().unwrap().len(), 20);
}

#[actix_web::test]
async fn a_change_that_is_no_longer_allowed_stops_all_and_says_which() {
    let (app, school) = published(Database::Sqlite).await;
    let lesson = format!("lessons/{}", school.lesson);
    let many = |from: usize| -> Value {
        let keys = (from..from + 30).map(|n| (format!("k{n}"), json!(n)));
        json!({"metadata": Value::Object(keys.collect())})
    };
    wait(&app, &lesson, many(0)).await;
    wait(
        &app,
        &format!("units/{}", school.unit),
        json!({"name": "Chilling"}),
    )
    .await;
    let live = app.patch(&format!("/v1/{lesson}"), many(30)).await;
    assert_eq!(live.status, 200, "{}", live.body);
    let refused = school.publish_draft(&app, json!({})).await;
    assert_refused(
        &refused,
        400,
        "invalid_field",
        &format!("{}.metadata", school.lesson),
    );
    assert_eq!(
        now(&app, &format!("units/{}", school.unit)).await["name"],
        "Cooling"
    );
    let path = format!(
        "/v1/courses/{}/draft?object_id={}",
        school.course, school.lesson
    );
    assert_eq!(app.delete(&path).await.status, 200);
    assert_eq!(school.publish_draft(&app, json!({})).await.status, 200);
}

#[actix_web::test]
async fn whether_studio_has_changes_wait_is_a_setting_of_the_course() {
    let (app, school) = published(Database::Sqlite).await;
    let path = format!("courses/{}", school.course);
    assert_eq!(now(&app, &path).await["changes_wait"], json!(false));
    let set = app
        .patch(&format!("/v1/{path}"), json!({"changes_wait": true}))
        .await;
    assert_eq!(set.body["changes_wait"], json!(true), "{}", set.body);
    // Programs that do not ask for it are not held up.
    let lesson = format!("lessons/{}", school.lesson);
    app.patch(&format!("/v1/{lesson}"), json!({"content": "At once."}))
        .await;
    assert_eq!(now(&app, &lesson).await["content"], "At once.");
}
