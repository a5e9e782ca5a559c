//! What learners have used is not let go of by accident: refused with counts, gone by force, and by force only of who may.

use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, key, made};

/// A school in which a learner completed the lesson, tried the quiz and handed in, and was graded twice.
pub struct UsedSchool {
    pub app: TestApp,
    pub school: School,
    pub submission: String,
    pub learner: Caller,
}

impl UsedSchool {
    pub async fn open(database: Database) -> Self {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let learner = school.student_session(&app).await;
        let completed = format!("/v1/lessons/{}/complete", school.lesson);
        let tried = format!("/v1/activities/{}/attempts", school.activity);
        for (path, body) in [
            (completed, json!({})),
            (tried.clone(), json!({"answers": {"q1": "a"}})),
            (tried, json!({"answers": {"q1": "b"}})),
        ] {
            let answer = app.call(&learner, "POST", &path, Some(body)).await;
            assert!(answer.status < 300, "{path} {}", answer.body);
        }
        let text = json!({
            "assignment_id": school.assignment, "user_id": school.student, "cohort_id": school.cohort,
            "content": {"type": "text", "text": "Keep it below five degrees."}, "draft": false,
        });
        let submission = made(&app, &app.owner, "submissions", text).await;
        for score in [60, 80] {
            let path = format!("/v1/submissions/{submission}/grade");
            let graded = app.post(&path, json!({"score": score})).await;
            assert_eq!(graded.status, 200, "{}", graded.body);
        }
        Self {
            app,
            school,
            submission,
            learner,
        }
    }

    /// What is in use, with the scopes that deleting it takes and what is below it.
    pub fn things(&self) -> Vec<(String, &'static str, Value)> {
        let School {
            course,
            unit,
            lesson,
            activity,
            assignment,
            cohort,
            student,
            ..
        } = &self.school;
        let all = json!({
            "submissions": "1 submission", "attempts": "2 attempts", "completions": "1 completion",
            "grades": "2 grades",
        });
        let handed_in = json!({"submissions": "1 submission", "grades": "2 grades"});
        let done = json!({"attempts": "2 attempts", "completions": "1 completion"});
        vec![
            (
                format!("submissions/{}", self.submission),
                "write:grades",
                handed_in.clone(),
            ),
            (
                format!("activities/{activity}"),
                "write:courses",
                json!({"attempts": "2 attempts"}),
            ),
            (format!("lessons/{lesson}"), "write:courses", done),
            (
                format!("assignments/{assignment}"),
                "write:courses",
                handed_in,
            ),
            (format!("units/{unit}"), "write:courses", all.clone()),
            (format!("cohorts/{cohort}"), "write:courses", all.clone()),
            (format!("users/{student}"), "write:students", all.clone()),
            (format!("courses/{course}"), "write:courses", all),
        ]
    }

    async fn delete_by(&self, by: &Caller, thing: &str, query: &str) -> Answer {
        let path = format!("/v1/{thing}{query}");
        self.app.call(by, "DELETE", &path, None).await
    }

    async fn status(&self, thing: &str) -> u16 {
        self.app.get(&format!("/v1/{thing}")).await.status
    }
}

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

#[actix_web::test]
async fn what_is_in_use_is_refused_with_counts_and_stays() {
    for database in BOTH {
        let used = UsedSchool::open(database).await;
        for (thing, _, counts) in used.things() {
            let refused = used.app.delete(&format!("/v1/{thing}")).await;
            assert_refused(&refused, 409, "in_use", "");
            assert_eq!(refused.body["error"]["fields"], counts, "{thing}");
            let message = refused.body["error"]["message"].as_str().unwrap();
            for count in counts.as_object().unwrap().values() {
                assert!(message.contains(count.as_str().unwrap()), "{message}");
            }
            assert!(message.contains("force=true"), "{message}");
            let names_right = counts.get("grades").is_some();
            assert_eq!(message.contains("write:grades"), names_right, "{message}");
            assert_eq!(used.status(&thing).await, 200, "{thing}");
        }
    }
}

#[actix_web::test]
async fn force_takes_the_right_to_destroy_what_goes() {
    let used = UsedSchool::open(Database::Sqlite).await;
    for (thing, scope, counts) in used.things() {
        if scope == "write:grades" || counts.get("submissions").is_none() {
            // That is enough: see below.
            continue;
        }
        let narrow = key(&used.app, &[scope]).await;
        let forced = used.delete_by(&narrow, &thing, "?force=true").await;
        assert_refused(&forced, 403, "insufficient_scope", "scope");
        assert_eq!(
            forced.body["error"]["fields"]["scope"], "write:grades",
            "{thing}"
        );
        assert_eq!(used.status(&thing).await, 200, "{thing}");
    }
}

#[actix_web::test]
async fn by_force_and_with_the_right_it_goes() {
    for at in 0..8 {
        let used = UsedSchool::open(BOTH[at % 2]).await;
        let (thing, scope, counts) = used.things().swap_remove(at);
        let scopes = match counts.get("submissions") {
            Some(_) => vec![scope, "write:grades"],
            None => vec![scope],
        };
        let able = key(&used.app, &scopes).await;
        let forced = used.delete_by(&able, &thing, "?force=true").await;
        assert_eq!(forced.status, 200, "{thing} {}", forced.body);
        assert_eq!(used.status(&thing).await, 404, "{thing}");
        let plain = used.delete_by(&able, &thing, "?force=maybe").await;
        assert_refused(&plain, 400, "invalid_parameter", "force");
    }
}

#[actix_web::test]
async fn what_nobody_used_goes_at_once_and_an_enrolment_is_no_use() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school.student_session(&app).await;
    done(&app, &format!("cohorts/{}/end", school.cohort)).await;
    let draft = json!({"assignment_id": school.assignment, "user_id": school.student});
    let draft = made(&app, &app.owner, "submissions", draft).await;
    let assignment = format!("/v1/assignments/{}", school.assignment);
    // A draft is somebody's work for what is above it, and by itself nothing that was handed in.
    assert_refused(&app.delete(&assignment).await, 409, "in_use", "");
    for thing in [
        format!("submissions/{draft}"),
        format!("assignments/{}", school.assignment),
        format!("activities/{}", school.activity),
        format!("lessons/{}", school.lesson),
        format!("units/{}", school.unit),
        format!("cohorts/{}", school.cohort),
        format!("users/{}", school.student),
        format!("courses/{}", school.course),
    ] {
        let deleted = app.delete(&format!("/v1/{thing}")).await;
        assert_eq!(deleted.status, 200, "{thing} {}", deleted.body);
    }
}

#[actix_web::test]
async fn a_workspace_in_use_goes_by_force_of_who_may_destroy_grades() {
    let used = UsedSchool::open(Database::Sqlite).await;
    let here = used.app.get("/v1/workspaces").await.body["data"][0]["id"].clone();
    let path = format!("/v1/workspaces/{}", here.as_str().unwrap());
    let refused = used.app.delete(&path).await;
    assert_refused(&refused, 409, "in_use", "");
    assert_eq!(refused.body["error"]["fields"]["grades"], "2 grades");
    let path = format!("{path}?force=true");
    let narrow = key(&used.app, &["write:workspaces"]).await;
    let refused = used.app.call(&narrow, "DELETE", &path, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
    assert_eq!(
        used.status(&format!("submissions/{}", used.submission))
            .await,
        200
    );
    assert_eq!(used.app.delete(&path).await.status, 200);
}

#[actix_web::test]
async fn counts_end_at_ten_thousand_without_counting_on() {
    let used = UsedSchool::open(Database::Sqlite).await;
    support::tampering::tamper(
        used.app.database_url(),
        "INSERT INTO attempts SELECT workspace_id, id || '-' || n, activity_id, course_id, user_id, number + 10 * n, \
         answers, score, max_score, percent, passed, results, shows_answers, created_at FROM attempts, \
         (WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000) \
         SELECT n FROM numbers)",
    );
    let refused = used
        .app
        .delete(&format!("/v1/courses/{}", used.school.course))
        .await;
    assert_refused(&refused, 409, "in_use", "");
    assert_eq!(
        refused.body["error"]["fields"]["attempts"],
        "10,000 or more attempts"
    );
}

/// An activity that AI wrote, and a learner has answered.
async fn answered(database: Database) -> (TestApp, School, String) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let generate = format!("/v1/lessons/{}/activities/generate", school.lesson);
    let text = "Cold food stays below five degrees. Hot food stays above sixty-three degrees. \
                Between them is the danger zone, in which germs grow fast. Wash your hands before you cut food.";
    let lesson = format!("/v1/lessons/{}", school.lesson);
    app.patch(&lesson, json!({"content": text})).await;
    let asked = app.post(&generate, json!({"kind": "flashcards"})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
    let generation = app
        .get(&format!("/v1/generations/{}", asked.id()))
        .await
        .body;
    let activity = generation["result"]["activity_ids"][0].as_str().unwrap();
    let tried = format!("/v1/activities/{activity}/attempts");
    let body = Some(json!({"answers": {}}));
    let tried = app.call(&learner, "POST", &tried, body).await;
    assert_eq!(tried.status, 201, "{}", tried.body);
    let activity = activity.to_owned();
    (app, school, activity)
}

#[actix_web::test]
async fn ai_writes_anew_what_learners_used_only_by_force_of_an_author() {
    for database in BOTH {
        let (app, _, activity) = answered(database).await;
        let path = format!("/v1/activities/{activity}/generate");
        let refused = app.post(&path, json!({})).await;
        assert_refused(&refused, 409, "in_use", "");
        assert_eq!(
            refused.body["error"]["fields"],
            json!({"attempts": "1 attempt"})
        );
        let message = refused.body["error"]["message"].as_str().unwrap();
        assert!(!message.contains("write:grades"), "{message}");
        let forced = app.post(&format!("{path}?force=true"), json!({})).await;
        assert_eq!(forced.status, 202, "{}", forced.body);
        app.work().await;
        let ended = app.get(&format!("/v1/generations/{}", forced.id())).await;
        assert_eq!(ended.body["status"], "ready", "{}", ended.body);
        let attempts = app
            .get(&format!("/v1/activities/{activity}/attempts"))
            .await;
        assert_eq!(attempts.body["data"].as_array().unwrap().len(), 1);
    }
}

#[actix_web::test]
async fn what_is_used_while_ai_writes_it_anew_stays_as_it_is_known() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    for is_written in [false, true] {
        let lesson = json!({"unit_id": school.unit, "name": "Cooling down"});
        let lesson = format!(
            "lessons/{}",
            made(&app, &app.owner, "lessons", lesson).await
        );
        if is_written {
            let first = generated(&app, &lesson, async {}).await;
            assert_eq!(first["status"], "ready", "{first}");
        }
        let text = app.get(&format!("/v1/{lesson}")).await.body["content"].clone();
        let complete = format!("/v1/{lesson}/complete");
        let learn = async {
            let done = app.call(&learner, "POST", &complete, Some(json!({}))).await;
            assert!(done.status < 300, "{}", done.body);
        };
        let ended = generated(&app, &lesson, learn).await;
        let after = app.get(&format!("/v1/{lesson}")).await.body["content"].clone();
        if is_written {
            assert_eq!(ended["error"]["code"], "in_use", "{ended}");
            assert_eq!(after, text);
        } else {
            // There was nothing yet that anybody could know.
            assert_eq!(ended["status"], "ready", "{ended}");
            assert_ne!(after, "");
        }
    }
}

/// The generation of something's content, once it is over; before it is worked on, something else happens.
async fn generated(app: &TestApp, thing: &str, meanwhile: impl Future<Output = ()>) -> Value {
    let asked = app.post(&format!("/v1/{thing}/generate"), json!({})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    meanwhile.await;
    app.work().await;
    app.get(&format!("/v1/generations/{}", asked.id()))
        .await
        .body
}

#[actix_web::test]
async fn those_who_hand_in_while_it_is_deleted_lose_nothing() {
    let app = app_on(Database::Postgres).await;
    let school = School::open(&app).await;
    let mut students = Vec::new();
    for n in 0..40 {
        let email = json!({"email": format!("s{n}@school.example")});
        students.push(made(&app, &app.owner, "users", email).await);
    }
    let path = format!("/v1/assignments/{}", school.assignment);
    let hand_in = |student: String| {
        let body = json!({
            "assignment_id": school.assignment, "user_id": student,
            "content": {"type": "text", "text": "Text"}, "draft": false,
        });
        let app = &app;
        async move { app.post("/v1/submissions", body).await }
    };
    let handing_in = futures_util::future::join_all(students.into_iter().map(hand_in));
    let (handed_in, deleted) = tokio::join!(handing_in, app.delete(&path));
    let taken = handed_in
        .iter()
        .filter(|answer| answer.status == 201)
        .count();
    match deleted.status {
        // Nobody was before it.
        200 => assert_eq!(taken, 0),
        409 => {
            assert_eq!(deleted.code(), "in_use");
            let kept = format!(
                "/v1/submissions?assignment_id={}&limit=100",
                school.assignment
            );
            let kept = app.get(&kept).await;
            assert_eq!(kept.body["data"].as_array().unwrap().len(), taken);
        }
        other => panic!("{other} {}", deleted.body),
    }
}

#[actix_web::test]
async fn a_student_or_session_has_no_way_to_delete() {
    let used = UsedSchool::open(Database::Sqlite).await;
    for (thing, _, _) in used.things() {
        let refused = used.delete_by(&used.learner, &thing, "?force=true").await;
        assert_eq!(refused.status, 403, "{thing} {}", refused.body);
        assert_eq!(used.status(&thing).await, 200, "{thing}");
    }
}
