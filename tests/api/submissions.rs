//! Handing in: drafts, attempts, due dates, and who may see what.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{TestApp, request};

use crate::school::{School, assert_refused, done, events, key, list, made, session};

fn of(school: &School) -> Value {
    json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "content": {"type": "text", "text": "Cool it fast."}, "draft": false,
    })
}

fn draft_of(school: &School) -> Value {
    let mut body = of(school);
    body.as_object_mut().unwrap().remove("draft");
    body
}

#[actix_web::test]
async fn a_submission_is_handed_in_with_every_member() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let mut body = of(&school);
    body["cohort_id"] = json!(school.cohort);
    body["metadata"] = json!({"source": "app"});
    let made = app.post("/v1/submissions", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/submissions/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    assert_json_snapshot!("created_submission", made.body);
}

#[actix_web::test]
async fn a_draft_is_submitted_once() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let draft = app.post("/v1/submissions", draft_of(&school)).await;
    assert_eq!(
        (&draft.body["status"], &draft.body["submitted_at"]),
        (&json!("draft"), &Value::Null)
    );
    app.clock.advance(60);
    let submit = format!("submissions/{}/submit", draft.id());
    let submitted = done(&app, &submit).await.body;
    assert_eq!(submitted["status"], "submitted");
    assert_eq!(submitted["submitted_at"], "2026-11-21T06:56:00.000Z");
    let again = app.post(&format!("/v1/{submit}"), json!({})).await;
    assert_refused(&again, 409, "invalid_state_transition", "");
    assert_eq!(events(&app, "submission.created").await.len(), 1);
    assert_eq!(events(&app, "submission.submitted").await.len(), 1);
}

#[actix_web::test]
async fn a_draft_is_changed_until_it_is_handed_in() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let mut body = draft_of(&school);
    body["metadata"] = json!({"source": "app", "page": 1});
    let draft = app.post("/v1/submissions", body).await;
    let path = format!("/v1/submissions/{}", draft.id());
    let before = list(&app, "events?limit=100").await.len();
    app.clock.advance(60);
    let same = app.patch(&path, draft.body.clone()).await;
    assert_eq!((same.status, &same.body), (200, &draft.body));
    let changes = json!({
        "content": {"type": "url", "url": "https://work.example/1"},
        "metadata": {"page": null, "lines": 3}, "status": "graded", "score": 100,
    });
    let changed = app.patch(&path, changes).await;
    let told = changed.header("x-ignored-fields").unwrap();
    assert!(told.contains("score") && told.contains("status"), "{told}");
    let content = json!({"type": "url", "url": "https://work.example/1"});
    assert_eq!(changed.body["content"], content);
    assert_eq!(
        changed.body["metadata"],
        json!({"source": "app", "lines": 3})
    );
    assert_eq!(changed.body["updated_at"], "2026-11-21T06:56:00.000Z");
    assert_eq!(changed.body["status"], "draft");
    let told = list(&app, "events?limit=100").await.len();
    assert_eq!(told, before);
    done(&app, &format!("submissions/{}/submit", draft.id())).await;
    let late =
        json!({"metadata": {"source": "me"}, "content": {"type": "text", "text": "another"}});
    assert_refused(&app.patch(&path, late).await, 409, "not_editable", "");
    let noted = app
        .patch(&path, json!({"metadata": {"source": "me"}}))
        .await;
    assert_eq!(noted.status, 200, "{}", noted.body);
    assert_eq!(noted.body["metadata"], json!({"source": "me", "lines": 3}));
    assert_eq!(
        (&noted.body["content"], &noted.body["status"]),
        (&content, &json!("submitted"))
    );
}

#[actix_web::test]
async fn a_learner_changes_nothing_of_what_they_handed_in() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let id = school.hand_in(&app, "Cool the rice.").await;
    let path = format!("/v1/submissions/{id}");
    app.patch(&path, json!({"metadata": {"plagiarism": 0.1}}))
        .await;
    for late in [
        json!({"metadata": {"plagiarism": null}}),
        json!({"content": {"type": "text", "text": "x"}}),
    ] {
        let refused = app.call(&learner, "PATCH", &path, Some(late)).await;
        assert_refused(&refused, 409, "not_editable", "");
    }
    assert_eq!(
        app.get(&path).await.body["metadata"],
        json!({"plagiarism": 0.1})
    );
}

#[actix_web::test]
async fn a_draft_keeps_its_content_against_bad_and_late_changes() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let draft = app.post("/v1/submissions", draft_of(&school)).await;
    let path = format!("/v1/submissions/{}", draft.id());
    for (body, code, field) in [
        (json!({"content": null}), "invalid_field", "content"),
        (
            json!({"content": {"type": "text"}}),
            "missing_field",
            "content.text",
        ),
        (
            json!({"content": {"text": "x"}}),
            "missing_field",
            "content.type",
        ),
        (
            json!({"content": {"type": "url", "url": "ftp://x"}}),
            "invalid_field",
            "content.url",
        ),
        (json!({"metadata": {"": 1}}), "invalid_field", "metadata"),
    ] {
        assert_refused(&app.patch(&path, body).await, 400, code, field);
    }
    let text = |text: &str| json!({"content": {"type": "text", "text": text}});
    let seen = app.get(&path).await;
    let conditional = |tag: String, body: Value| {
        let request = request(&app.owner, "PATCH", &path).insert_header(("If-Match", tag));
        app.send(request.set_json(body))
    };
    let stale = conditional("\"0\"".to_owned(), text("B")).await;
    assert_refused(&stale, 412, "precondition_failed", "");
    assert_eq!(app.get(&path).await.body, draft.body);
    let tag = seen.header("etag").unwrap().to_owned();
    assert_eq!(conditional(tag.clone(), text("B")).await.status, 200);
    assert_eq!(conditional(tag, text("C")).await.status, 412);
    assert_eq!(app.get(&path).await.body["content"]["text"], "B");
}

#[actix_web::test]
async fn a_student_changes_only_their_own_draft() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let student = school.student_session(&app).await;
    let mut body = draft_of(&school);
    body["metadata"] = json!({"seen_by": "teachers"});
    let own = made(&app, &app.owner, "submissions", body.clone()).await;
    let other = json!({"email": "bob@school.example"});
    body["user_id"] = json!(made(&app, &app.owner, "users", other).await);
    let theirs = made(&app, &app.owner, "submissions", body).await;
    let change = json!({"content": {"type": "text", "text": "Better."}});
    let patch = async |caller, id: &str| {
        let path = format!("/v1/submissions/{id}");
        app.call(caller, "PATCH", &path, Some(change.clone())).await
    };
    let changed = patch(&student, &own).await;
    assert_eq!(
        (changed.status, &changed.body["content"]["text"]),
        (200, &json!("Better."))
    );
    assert_eq!(changed.body["metadata"], json!({}));
    assert_refused(&patch(&student, &theirs).await, 404, "resource_missing", "");
    let reader = key(&app, &["read:submissions"]).await;
    assert_refused(
        &patch(&reader, &theirs).await,
        403,
        "insufficient_scope",
        "scope",
    );
}

#[actix_web::test]
async fn a_draft_is_handed_in_by_whoever_grades_it() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    for (action, body) in [("ai", json!({})), ("grade", json!({"score": 1}))] {
        let draft = made(&app, &app.owner, "submissions", draft_of(&school)).await;
        for early in ["approve", "return"] {
            let path = format!("/v1/submissions/{draft}/{early}");
            let refused = app.post(&path, json!({})).await;
            assert_refused(&refused, 409, "invalid_state_transition", "");
        }
        let path = format!("/v1/submissions/{draft}/{action}");
        let graded = app.post(&path, body).await.body;
        assert_ne!(graded["status"], "draft");
        assert_eq!(graded["submitted_at"], "2026-11-21T06:55:00.000Z");
    }
    assert_eq!(events(&app, "submission.submitted").await.len(), 2);
}

#[actix_web::test]
async fn a_draft_may_be_empty_and_is_an_attempt() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let bare = json!({"assignment_id": school.assignment, "user_id": school.student});
    let first = app.post("/v1/submissions", bare.clone()).await;
    assert_eq!(first.status, 201, "{}", first.body);
    assert_eq!(first.body["status"], "draft");
    assert_eq!(first.body["content"], json!({"type": "text", "text": ""}));
    let second = app.post("/v1/submissions", bare).await;
    assert_eq!(second.body["attempt"], 2);
}

#[actix_web::test]
async fn whoever_hands_in_after_the_due_date_is_late() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let due = json!({"due_at": "2026-11-21T06:56:00Z"});
    let path = format!("/v1/assignments/{}", school.assignment);
    assert_eq!(app.patch(&path, due).await.status, 200);
    let in_time = app.post("/v1/submissions", of(&school)).await.body;
    let draft = app.post("/v1/submissions", draft_of(&school)).await;
    app.clock.advance(61);
    let submit = format!("submissions/{}/submit", draft.id());
    let late = done(&app, &submit).await.body;
    let told = [&in_time["late"], &draft.body["late"], &late["late"]];
    assert_eq!(told, [&json!(false), &json!(false), &json!(true)]);
    let at_once = app.post("/v1/submissions", of(&school)).await.body;
    assert_eq!(at_once["late"], json!(true));
}

#[actix_web::test]
async fn attempts_are_counted_and_end_where_the_assignment_says() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    assert_eq!(
        app.patch(&path, json!({"max_attempts": 2})).await.status,
        200
    );
    for attempt in [1, 2] {
        let made = app.post("/v1/submissions", of(&school)).await;
        assert_eq!(made.body["attempt"], json!(attempt), "{}", made.body);
    }
    let third = app.post("/v1/submissions", of(&school)).await;
    assert_refused(&third, 409, "limit_reached", "");
    assert_eq!(list(&app, "submissions").await.len(), 2);
}

#[actix_web::test]
async fn what_is_handed_in_is_checked_field_by_field() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let text = json!({"type": "text", "text": "T"});
    let unknown = |prefix: &str| format!("{prefix}_{}", "0".repeat(26));
    let cases = [
        (
            json!({"assignment_id": null}),
            400,
            "missing_field",
            "assignment_id",
        ),
        (json!({"user_id": null}), 400, "missing_field", "user_id"),
        (
            json!({"content": {"type": "text"}}),
            400,
            "missing_field",
            "content.text",
        ),
        (
            json!({"content": {"type": "url"}}),
            400,
            "missing_field",
            "content.url",
        ),
        (
            json!({"content": {"type": "url", "url": "ftp://x"}}),
            400,
            "invalid_field",
            "content.url",
        ),
        (
            json!({"content": {"type": "voice", "text": "T"}}),
            400,
            "invalid_field",
            "content.type",
        ),
        (
            json!({"assignment_id": unknown("asg")}),
            404,
            "resource_missing",
            "assignment_id",
        ),
        (
            json!({"user_id": unknown("usr")}),
            404,
            "resource_missing",
            "user_id",
        ),
        (
            json!({"cohort_id": unknown("coh")}),
            404,
            "resource_missing",
            "cohort_id",
        ),
    ];
    for (changes, status, code, field) in cases {
        let mut body = of(&school);
        body["content"] = text.clone();
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        let refused = app.post("/v1/submissions", body).await;
        assert_refused(&refused, status, code, field);
    }
    assert!(list(&app, "submissions").await.is_empty());
}

#[actix_web::test]
async fn a_cohort_of_another_course_is_not_there() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let other = json!({"name": "Other", "language": "en"});
    let other = made(&app, &app.owner, "courses", other).await;
    let cohort = json!({"course_id": other, "name": "Autumn"});
    let mut body = of(&school);
    body["cohort_id"] = json!(made(&app, &app.owner, "cohorts", cohort).await);
    let refused = app.post("/v1/submissions", body).await;
    assert_refused(&refused, 404, "resource_missing", "cohort_id");
}

#[actix_web::test]
async fn filters_narrow_the_list() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let submitted = school.hand_in(&app, "One").await;
    let draft = made(&app, &app.owner, "submissions", draft_of(&school)).await;
    let (assignment, student) = (&school.assignment, &school.student);
    let cases = [
        ("status=draft".to_owned(), vec![&draft]),
        ("status=submitted".to_owned(), vec![&submitted]),
        (
            format!("assignment_id={assignment}"),
            vec![&draft, &submitted],
        ),
        (format!("user_id={student}&status=draft"), vec![&draft]),
        (format!("cohort_id={}", school.cohort), vec![]),
        ("ai_status=pending".to_owned(), vec![]),
        ("review_status=open".to_owned(), vec![]),
        ("assignment_id=nonsense".to_owned(), vec![]),
    ];
    for (query, expected) in cases {
        let found = list(&app, &format!("submissions?{query}")).await;
        let ids: Vec<&Value> = found.iter().map(|one| &one["id"]).collect();
        assert_eq!(ids, expected, "{query}");
    }
}

#[actix_web::test]
async fn a_deleted_submission_takes_its_grades_along() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, "Text").await;
    let path = format!("/v1/submissions/{id}");
    app.post(&format!("{path}/grade"), json!({"score": 5}))
        .await;
    let deleted = app.delete(&format!("{path}?force=true")).await;
    assert_eq!(deleted.body, json!({"deleted": true, "id": id}));
    assert_eq!(app.get(&path).await.status, 404);
    assert_eq!(app.get(&format!("{path}/grades")).await.status, 404);
    assert_eq!(events(&app, "submission.deleted").await.len(), 1);
}

#[actix_web::test]
async fn a_student_hands_in_as_themselves_and_sees_their_own() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let student = school.student_session(&app).await;
    let mut body = of(&school);
    body.as_object_mut().unwrap().remove("user_id");
    let own = app
        .call(&student, "POST", "/v1/submissions", Some(body.clone()))
        .await;
    assert_eq!(
        (own.status, &own.body["user_id"]),
        (201, &json!(school.student))
    );
    let other = json!({"email": "bob@school.example"});
    let other = made(&app, &app.owner, "users", other).await;
    body["user_id"] = json!(other);
    let theirs = made(&app, &app.owner, "submissions", body.clone()).await;
    let as_other = app
        .call(&student, "POST", "/v1/submissions", Some(body))
        .await;
    assert_refused(&as_other, 403, "not_own_resource", "");
    let path = format!("/v1/submissions/{theirs}");
    for path in [path.clone(), format!("{path}/grades")] {
        let hidden = app.call(&student, "GET", &path, None).await;
        assert_refused(&hidden, 404, "resource_missing", "");
    }
    let submit = format!("{path}/submit");
    assert_eq!(app.call(&student, "POST", &submit, None).await.status, 404);
    let filter = format!("/v1/submissions?user_id={other}");
    let asked = app.call(&student, "GET", &filter, None).await;
    assert_refused(&asked, 403, "not_own_resource", "");
    let seen = app
        .call(&student, "GET", "/v1/submissions", None)
        .await
        .body;
    assert_eq!(seen["data"].as_array().unwrap().len(), 1);
    assert_eq!(seen["data"][0]["id"], json!(own.id()));
}

#[actix_web::test]
async fn nobody_grades_with_the_scope_of_students() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, "Text").await;
    let narrow = key(&app, &["write:submissions"]).await;
    let student = session(&app, crate::school::STUDENT).await;
    for caller in [&narrow, &student] {
        for action in ["ai", "grade", "approve", "return"] {
            let path = format!("/v1/submissions/{id}/{action}");
            let refused = app
                .call(caller, "POST", &path, Some(json!({"score": 100})))
                .await;
            assert_refused(&refused, 403, "insufficient_scope", "scope");
        }
        let path = format!("/v1/submissions/{id}");
        assert_eq!(app.call(caller, "DELETE", &path, None).await.status, 403);
    }
    assert_eq!(
        app.get(&format!("/v1/submissions/{id}")).await.body["score"],
        Value::Null
    );
}
