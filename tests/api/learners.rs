//! What learners see: the published courses of their active cohorts, without what gives answers away.

use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;

use crate::school::{
    STUDENT, School, app_of_any_model, app_on, assert_refused, caller, done, made, session,
};

/// Everything of a school that learners may be shown.
fn shown(school: &School) -> [(&'static str, &str); 4] {
    [
        ("units", &school.unit),
        ("lessons", &school.lesson),
        ("activities", &school.activity),
        ("assignments", &school.assignment),
    ]
}

async fn sees(app: &TestApp, learner: &Caller, school: &School, expected: bool, when: &str) {
    for (collection, id) in shown(school) {
        let one = app
            .call(learner, "GET", &format!("/v1/{collection}/{id}"), None)
            .await;
        let list = app
            .call(learner, "GET", &format!("/v1/{collection}"), None)
            .await;
        assert_eq!(list.status, 200, "{}", list.body);
        let listed = !list.body["data"].as_array().unwrap().is_empty();
        assert_eq!(
            (one.status == 200, listed),
            (expected, expected),
            "{collection} {when}"
        );
        if !expected {
            assert_refused(&one, 404, "resource_missing", "");
        }
    }
}

#[actix_web::test]
async fn a_course_is_seen_while_it_is_published_in_an_active_cohort_of_ones_own() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = session(&app, STUDENT).await;
    let (course, cohort) = (
        format!("courses/{}", school.course),
        format!("cohorts/{}", school.cohort),
    );
    sees(&app, &learner, &school, false, "before anything").await;
    let place = format!("/v1/{cohort}/students");
    let enrolled = app.post(&place, json!({"user_id": school.student})).await;
    assert_eq!(enrolled.status, 201);
    sees(
        &app,
        &learner,
        &school,
        false,
        "in a draft cohort of a draft course",
    )
    .await;
    done(&app, &format!("{cohort}/start")).await;
    sees(&app, &learner, &school, false, "in a draft course").await;
    done(&app, &format!("{course}/publish")).await;
    sees(
        &app,
        &learner,
        &school,
        true,
        "published, active and enrolled",
    )
    .await;
    done(&app, &format!("{cohort}/end")).await;
    sees(&app, &learner, &school, false, "after the cohort").await;
    done(&app, &format!("{cohort}/reopen")).await;
    done(&app, &format!("{course}/archive")).await;
    sees(&app, &learner, &school, false, "in an archived course").await;
    done(&app, &format!("{course}/unarchive")).await;
    sees(&app, &learner, &school, true, "published again").await;
    app.delete(&format!("{place}/{}", school.student)).await;
    sees(&app, &learner, &school, false, "withdrawn").await;
}

#[actix_web::test]
async fn a_learners_pages_are_full_and_say_truly_whether_there_is_more() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let learner = school.student_session(&app).await;
        let hidden = json!({"name": "Hidden", "language": "en"});
        let hidden = made(&app, &app.owner, "courses", hidden).await;
        let mut theirs = vec![school.unit.clone()];
        for n in 0..9 {
            // Two that are not for the learner between any two that are.
            let course = if n % 3 == 2 { &school.course } else { &hidden };
            let unit = json!({"course_id": course, "name": format!("U{n}")});
            let unit = made(&app, &app.owner, "units", unit).await;
            if n % 3 == 2 {
                theirs.push(unit);
            }
        }
        theirs.reverse();
        for limit in [1, 2, 4] {
            let (mut seen, mut after) = (Vec::new(), String::new());
            loop {
                let path = format!("/v1/units?limit={limit}{after}");
                let page = app.call(&learner, "GET", &path, None).await.body;
                let data = page["data"].as_array().unwrap();
                let left = theirs.len() - seen.len();
                assert_eq!(data.len(), limit.min(left), "{page}");
                assert_eq!(page["has_more"], left > limit, "{page}");
                seen.extend(
                    data.iter()
                        .map(|unit| unit["id"].as_str().unwrap().to_owned()),
                );
                let next = page["next_cursor"].as_str().unwrap();
                if next.is_empty() {
                    break;
                }
                after = format!("&startingAfter={next}");
            }
            assert_eq!(seen, theirs, "{limit}");
        }
    }
}

#[actix_web::test]
async fn metadata_that_learners_do_not_see_cannot_be_guessed_by_a_filter() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    school.hand_in(&app, "Cool it.").await;
    let secret = json!({"metadata": {"internal": "secret"}});
    for (collection, id) in shown(&school) {
        let path = format!("/v1/{collection}/{id}");
        assert_eq!(app.patch(&path, secret.clone()).await.status, 200);
    }
    let again = json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "content": {"type": "text", "text": "x"}, "metadata": secret["metadata"],
    });
    made(&app, &app.owner, "submissions", again).await;
    let collections = shown(&school).map(|(collection, _)| collection);
    for collection in collections.into_iter().chain(["submissions"]) {
        let path = format!("/v1/{collection}?metadata[internal]=secret");
        let by = async |caller: &Caller| app.call(caller, "GET", &path, None).await.body;
        assert_eq!(by(&app.owner).await["data"].as_array().unwrap().len(), 1);
        let page = by(&learner).await;
        assert_eq!(
            (&page["data"], &page["has_more"]),
            (&json!([]), &json!(false)),
            "{path}"
        );
    }
}

#[actix_web::test]
async fn answers_and_what_is_for_teachers_are_not_shown() {
    let app = app_of_any_model(Database::Sqlite).await;
    let school = School::open(&app).await;
    let rubric = json!({"criteria": [
        {"name": "Time", "description": "How fast", "reference_answers": ["Two hours"]},
    ]});
    let grading = json!({"rubric": rubric, "ai_evaluator": {"enabled": true, "model": "secret"}});
    school.configure(&app, grading).await;
    for (collection, id) in shown(&school) {
        let path = format!("/v1/{collection}/{id}");
        app.patch(&path, json!({"metadata": {"internal": "secret"}}))
            .await;
    }
    let learner = school.student_session(&app).await;
    for (collection, id) in shown(&school) {
        let path = format!("/v1/{collection}/{id}");
        let one = app.call(&learner, "GET", &path, None).await.body;
        assert_eq!(one["metadata"], json!({}), "{collection}");
        let list = app
            .call(&learner, "GET", &format!("/v1/{collection}"), None)
            .await
            .body;
        assert_eq!(list["data"][0], one, "{collection}");
        let text = one.to_string();
        for secret in ["secret", "correct", "The law says so", "Two hours"] {
            assert!(!text.contains(secret), "{collection} {text}");
        }
    }
    let path = format!("/v1/assignments/{}", school.assignment);
    let assignment = app.call(&learner, "GET", &path, None).await.body;
    assert_eq!(
        assignment["ai_evaluator"],
        json!({"enabled": true, "model": ""})
    );
    assert_eq!(
        assignment["rubric"]["criteria"][0]["description"],
        "How fast"
    );
    let path = format!("/v1/activities/{}", school.activity);
    let activity = app.call(&learner, "GET", &path, None).await.body;
    let question = &activity["content"]["questions"][0];
    assert_eq!(question["prompt"], "How cold?");
    assert_eq!(
        question["options"],
        json!([{"id": "a", "text": "5 °C"}, {"id": "b", "text": "15 °C"}])
    );
}

#[actix_web::test]
async fn a_learner_does_not_see_what_is_noted_about_them() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/users/{}", school.student);
    app.patch(&path, json!({"metadata": {"internal": "secret"}}))
        .await;
    let started = app
        .post("/v1/tokens/start", json!({"email": STUDENT}))
        .await;
    let token = json!({"token": started.body["token"]});
    let finished = app.post("/v1/tokens/finish", token).await.body;
    let learner = caller(&finished["api_key"]);
    let me = app.call(&learner, "GET", "/v1/me", None).await.body;
    for user in [&finished["user"], &me["user"]] {
        assert_eq!(
            (&user["id"], &user["metadata"]),
            (&json!(school.student), &json!({}))
        );
    }
    assert_eq!(
        app.get(&path).await.body["metadata"],
        json!({"internal": "secret"})
    );
}

#[actix_web::test]
async fn everything_else_is_refused() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let (course, assignment) = (&school.course, &school.assignment);
    let cases = [
        ("GET", "/v1/courses".to_owned()),
        ("GET", format!("/v1/courses/{course}")),
        ("POST", "/v1/courses".to_owned()),
        ("GET", "/v1/cohorts".to_owned()),
        ("GET", "/v1/users".to_owned()),
        ("GET", "/v1/events".to_owned()),
        ("GET", "/v1/scorm".to_owned()),
        ("GET", "/v1/generations".to_owned()),
        ("GET", "/v1/api_keys".to_owned()),
        ("POST", "/v1/api_keys".to_owned()),
        ("GET", "/v1/workspaces".to_owned()),
        ("POST", "/v1/tokens/start".to_owned()),
        ("PATCH", format!("/v1/assignments/{assignment}")),
        ("PATCH", format!("/v1/assignments/{assignment}/configure")),
        ("POST", format!("/v1/courses/{course}/syllabus")),
    ];
    for (method, path) in cases {
        let body = (method != "GET").then(|| json!({}));
        let refused = app.call(&learner, method, &path, body).await;
        assert_eq!(
            (refused.status, refused.code()),
            (403, "insufficient_scope"),
            "{method} {path}"
        );
    }
}

#[actix_web::test]
async fn a_teacher_with_a_session_sees_what_learners_see() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let teacher = json!({"email": "tom@school.example", "role": "teacher"});
    made(&app, &app.owner, "users", teacher).await;
    let session = session(&app, "tom@school.example").await;
    sees(&app, &session, &school, false, "without an enrolment").await;
    let courses = app.call(&session, "GET", "/v1/courses", None).await;
    assert_refused(&courses, 403, "insufficient_scope", "scope");
}

#[actix_web::test]
async fn a_students_own_key_gets_them_no_further_than_a_session() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    // The owner of another workspace is a student in this one, with a key that may everything.
    let other = app.another_workspace("other").await;
    let body = json!({"email": "owner@other.example"});
    let student = made(&app, &app.owner, "users", body).await;
    app.accept_everything(&other.key).await;
    let student_key = Caller {
        key: other.key,
        platform: "main".into(),
    };
    for path in [
        "/v1/courses",
        "/v1/users",
        "/v1/events",
        "/v1/webhook_endpoints",
    ] {
        let refused = app.call(&student_key, "GET", path, None).await;
        assert_eq!(
            (refused.status, refused.code()),
            (403, "insufficient_role"),
            "{path}"
        );
    }
    sees(&app, &student_key, &school, false, "without an enrolment").await;
    let theirs = school.hand_in(&app, "Not yours").await;
    let path = format!("/v1/submissions/{theirs}");
    assert_eq!(app.call(&student_key, "GET", &path, None).await.status, 404);
    let hand_in = json!({
        "assignment_id": school.assignment, "user_id": student,
        "content": {"type": "text", "text": "T"},
    });
    let unseen = app
        .call(&student_key, "POST", "/v1/submissions", Some(hand_in))
        .await;
    assert_refused(&unseen, 404, "resource_missing", "assignment_id");
}

#[actix_web::test]
async fn whoever_reads_lessons_alone_gets_the_view_of_learners() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let made = app
        .post("/v1/api_keys", json!({"scopes": ["read:lessons"]}))
        .await;
    let narrow = caller(&made.body["api_key"]);
    sees(&app, &narrow, &school, false, "without an enrolment").await;
    let path = format!("/v1/submissions?user_id={}", school.student);
    let refused = app.call(&narrow, "GET", &path, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
}

#[actix_web::test]
async fn a_learner_pages_through_what_they_see() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    for name in ["B", "C"] {
        let unit = json!({"course_id": school.course, "name": name});
        made(&app, &app.owner, "units", unit).await;
    }
    // Of a course that the learner does not see.
    let hidden = json!({"name": "Hidden", "language": "en"});
    let hidden = made(&app, &app.owner, "courses", hidden).await;
    made(
        &app,
        &app.owner,
        "units",
        json!({"course_id": hidden, "name": "D"}),
    )
    .await;
    let learner = school.student_session(&app).await;
    let mut names: Vec<Value> = Vec::new();
    let mut path = format!("/v1/units?limit=1&course_id={}", school.course);
    loop {
        let page = app.call(&learner, "GET", &path, None).await.body;
        names.extend(
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|unit| unit["name"].clone()),
        );
        if page["has_more"] == json!(false) {
            break;
        }
        let cursor = page["next_cursor"].as_str().unwrap();
        path = format!(
            "/v1/units?limit=1&course_id={}&startingAfter={cursor}",
            school.course
        );
    }
    assert_eq!(names, ["Cooling", "B", "C"]);
}
