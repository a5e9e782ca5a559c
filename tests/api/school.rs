//! A school with one of everything, and callers of every sort, each in one line.

use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::scripted_ai::ScriptedAi;
use support::stores::Database;

/// The ids of one course and all that hangs on it. Nothing is published and nobody is enrolled.
pub struct School {
    pub course: String,
    pub unit: String,
    pub lesson: String,
    pub activity: String,
    pub assignment: String,
    pub cohort: String,
    pub student: String,
}

/// The address of a school's student.
pub const STUDENT: &str = "ada@school.example";

impl School {
    /// In the workspace of the app's owner.
    pub async fn open(app: &TestApp) -> Self {
        Self::of(app, &app.owner).await
    }

    /// In a caller's workspace.
    pub async fn of(app: &TestApp, caller: &Caller) -> Self {
        let make = async |path: &str, body: Value| made(app, caller, path, body).await;
        let course = make("courses", json!({"name": "Food", "language": "en"})).await;
        let unit = make("units", json!({"course_id": course, "name": "Cooling"})).await;
        let lesson =
            json!({"unit_id": unit, "name": "The danger zone", "content": "Keep it cold."});
        let lesson = make("lessons", lesson).await;
        let activity =
            json!({"lesson_id": lesson, "kind": "quiz", "name": "Check", "content": quiz()});
        Self {
            activity: make("activities", activity).await,
            assignment: make("assignments", json!({"unit_id": unit, "name": "Plan"})).await,
            cohort: make("cohorts", json!({"course_id": course, "name": "Spring"})).await,
            student: make("users", json!({"email": STUDENT, "name": "Ada"})).await,
            course,
            unit,
            lesson,
        }
    }

    /// Publishes the course, starts the cohort, enrols the student and lets them in.
    pub async fn student_session(&self, app: &TestApp) -> Caller {
        done(app, &format!("courses/{}/publish", self.course)).await;
        done(app, &format!("cohorts/{}/start", self.cohort)).await;
        let place = format!("/v1/cohorts/{}/students", self.cohort);
        let enrolled = app.post(&place, json!({"user_id": self.student})).await;
        assert_eq!(enrolled.status, 201, "{}", enrolled.body);
        session(app, STUDENT).await
    }

    /// Hands a text in for the student; the submission's id.
    pub async fn hand_in(&self, app: &TestApp, text: &str) -> String {
        let body = json!({
            "assignment_id": self.assignment, "user_id": self.student,
            "content": {"type": "text", "text": text}, "draft": false,
        });
        made(app, &app.owner, "submissions", body).await
    }

    /// Changes the assignment's grading.
    pub async fn configure(&self, app: &TestApp, body: Value) {
        let path = format!("/v1/assignments/{}/configure", self.assignment);
        let changed = app.patch(&path, body).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
    }
}

/// A quiz with an answer to hide.
pub fn quiz() -> Value {
    json!({"questions": [{
        "id": "q1", "type": "single_choice", "prompt": "How cold?", "explanation": "The law says so",
        "options": [{"id": "a", "text": "5 °C", "correct": true}, {"id": "b", "text": "15 °C"}],
    }]})
}

/// An app whose engine is the built-in one, but may be named anyhow.
pub async fn app_of_any_model(database: Database) -> TestApp {
    TestApp::on(database, ScriptedAi::new([])).await
}

/// Makes something; its id.
pub async fn made(app: &TestApp, caller: &Caller, collection: &str, body: Value) -> String {
    let path = format!("/v1/{collection}");
    let answer = app.call(caller, "POST", &path, Some(body)).await;
    assert_eq!(answer.status, 201, "{path} {}", answer.body);
    answer.id()
}

/// Takes an action without a body, as the owner.
pub async fn done(app: &TestApp, action: &str) -> Answer {
    let answer = app.post(&format!("/v1/{action}"), json!({})).await;
    assert_eq!(answer.status, 200, "{action} {}", answer.body);
    answer
}

/// Lets a user in.
pub async fn session(app: &TestApp, email: &str) -> Caller {
    let started = app.post("/v1/tokens/start", json!({"email": email})).await;
    assert_eq!(started.status, 200, "{}", started.body);
    let finished = app
        .post("/v1/tokens/finish", json!({"token": started.body["token"]}))
        .await;
    assert_eq!(finished.status, 200, "{}", finished.body);
    caller(&finished.body["api_key"])
}

/// A key of the owner with these scopes alone.
pub async fn key(app: &TestApp, scopes: &[&str]) -> Caller {
    let made = app.post("/v1/api_keys", json!({"scopes": scopes})).await;
    assert_eq!(made.status, 201, "{}", made.body);
    caller(&made.body["api_key"])
}

/// Whoever has this key, on the first platform.
pub fn caller(key: &Value) -> Caller {
    Caller {
        key: key.as_str().unwrap().to_owned(),
        platform: "main".to_owned(),
    }
}

/// The entries of a list.
pub async fn list(app: &TestApp, path: &str) -> Vec<Value> {
    let answer = app.get(&format!("/v1/{path}")).await;
    assert_eq!(answer.status, 200, "{path} {}", answer.body);
    answer.body["data"].as_array().unwrap().clone()
}

/// The events of a type, newest first.
pub async fn events(app: &TestApp, kind: &str) -> Vec<Value> {
    list(app, &format!("events?limit=100&type={kind}")).await
}

/// Checks status and code of a refusal, and that it names the field.
#[track_caller]
pub fn assert_refused(answer: &Answer, status: u16, code: &str, field: &str) {
    let told = (answer.status, answer.code());
    assert_eq!(told, (status, code), "{}", answer.body);
    let fields = &answer.body["error"]["fields"];
    assert!(
        field.is_empty() || fields[field].is_string(),
        "{field} {fields}"
    );
}

/// Destroys what was deleted: its place in the trash is given up too, and what only it had goes with it.
pub async fn destroy(app: &TestApp, id: &str) {
    let items = list(app, &format!("trash?object_id={id}")).await;
    let item = items[0]["id"].as_str().unwrap();
    let destroyed = app.delete(&format!("/v1/trash/{item}")).await;
    assert_eq!(destroyed.status, 200, "{}", destroyed.body);
    app.work().await;
}

/// The built-in AI.
pub fn builtin() -> Arc<dyn AiProvider> {
    lyceum_ai::provider(lyceum_ai::ProviderSettings::Builtin).unwrap()
}

/// An app on either database, with the built-in AI.
pub async fn app_on(database: Database) -> TestApp {
    TestApp::on(database, builtin()).await
}
