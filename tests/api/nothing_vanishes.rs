//! Nothing that a person made vanishes: every route that changes anything, with every sort of key, against a graded
//! submission that somebody handed in.
//!
//! Without `write:grades` no key, by no way, makes the grade one that its school no longer finds. With it, what is gone
//! left an entry in the audit trail.

use lyceum_api::http::route::Route;
use lyceum_domain::identity::scopes::Scope;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::access::{Stage, stage, table};
use crate::school::{caller, key, made};

/// A stage on which the student handed in and was graded, answered and finished.
struct Graded {
    stage: Stage,
    submission: String,
    records: usize,
}

impl Graded {
    async fn on(database: Database) -> Self {
        let mut stage = stage(database).await;
        let app = &stage.app;
        let handed_in = json!({
            "assignment_id": stage.ids.of("assignments"), "user_id": stage.ids.of("users"),
            "cohort_id": stage.ids.of("cohorts"), "draft": false,
            "content": {"type": "text", "text": "Cool it within two hours."},
        });
        let submission = made(app, &app.owner, "submissions", handed_in).await;
        let done = json!({"user_id": stage.ids.of("users"), "answers": {"q1": "a"}});
        for (path, body) in [
            (format!("submissions/{submission}/ai"), json!({})),
            (
                format!("submissions/{submission}/grade"),
                json!({"score": 70}),
            ),
            (
                format!("lessons/{}/complete", stage.ids.of("lessons")),
                json!({"user_id": stage.ids.of("users")}),
            ),
            (
                format!("activities/{}/attempts", stage.ids.of("activities")),
                done,
            ),
        ] {
            let answer = app.post(&format!("/v1/{path}"), body).await;
            assert!(answer.status < 300, "{path} {}", answer.body);
            app.work().await;
        }
        stage
            .ids
            .0
            .insert("submissions".to_owned(), json!(submission));
        let mut graded = Self {
            stage,
            submission,
            records: 0,
        };
        graded.records = graded.records_left().await.unwrap();
        assert!(graded.records >= 2, "{}", graded.records);
        graded
    }

    fn app(&self) -> &TestApp {
        &self.stage.app
    }

    /// How many records the school finds of the submission; none if it finds no submission.
    async fn records_left(&self) -> Option<usize> {
        let path = format!("/v1/submissions/{}", self.submission);
        let found = self.app().get(&path).await;
        let grades = self.app().get(&format!("{path}/grades?limit=100")).await;
        if found.status == 200 && grades.status == 200 {
            return grades.body["data"].as_array().map(Vec::len);
        }
        for status in [found.status, grades.status] {
            assert!([200, 403, 404].contains(&status), "{status}");
        }
        None
    }

    async fn assert_there(&self, place: &str) {
        let left = self.records_left().await;
        let is_there = left.is_some_and(|left| left >= self.records);
        assert!(is_there, "{place}: {left:?} of {}", self.records);
    }

    async fn call(&self, route: &Route, by: &Caller, query: &str, body: Option<Value>) -> Answer {
        let path = format!("{}{query}", self.stage.ids.path(route.path));
        let asked = request(by, route.method, &path);
        let asked = match body {
            Some(body) => asked.set_json(body),
            None => self.stage.with_body(route, asked),
        };
        self.app().send(asked).await
    }

    /// Every way to call a route that could take something away.
    async fn try_all(&self, route: &Route, by: &Caller) -> Vec<u16> {
        let mut statuses = vec![self.call(route, by, "", None).await.status];
        // Where there is no such parameter this is refused.
        statuses.push(self.call(route, by, "?force=true", None).await.status);
        for body in bodies(route.operation) {
            statuses.push(self.call(route, by, "", Some(body)).await.status);
        }
        statuses
    }
}

/// What else a body may say that might take something away.
fn bodies(operation: &str) -> Vec<Value> {
    match operation {
        "generateSyllabus" => vec![json!({
            "brief": "Cooling and storing", "hours": 1, "mode": "replace", "model": "builtin",
        })],
        "updateActivity" => vec![
            json!({"content": {"questions": []}}),
            json!({"content": null}),
        ],
        "updateLesson" => vec![json!({"content": ""})],
        "updateAssignment" => vec![
            json!({"max_score": 1, "max_attempts": 1, "rubric": null, "due_at": null}),
            json!({"unit_id": null, "course_id": null, "lesson_id": null}),
        ],
        "updateSubmission" => vec![json!({"content": null, "metadata": null})],
        "updateUser" => vec![json!({"role": "student", "email": "gone@school.example"})],
        "updateCohort" => vec![json!({"capacity": 1, "ends_at": "2020-01-01T00:00:00Z"})],
        _ => Vec::new(),
    }
}

/// Whether it is a call that only looks, or ends the stage itself rather than anything on it.
fn is_left_out(route: &Route) -> bool {
    route.method == "GET" || matches!(route.operation, "startToken" | "finishToken")
}

/// Everything but what would let a key destroy grades.
fn all_but_grades() -> Vec<&'static str> {
    let harmless =
        |scope: &&Scope| !scope.covers(Scope::WriteGrades) && **scope != Scope::Provision;
    let scopes = Scope::ALL.iter().filter(harmless);
    scopes.map(|scope| scope.as_str()).collect()
}

/// A member in this role, with a key of their own that has all these scopes.
async fn member(app: &TestApp, role: &str, scopes: &[&str]) -> Caller {
    let elsewhere = app.another_workspace(&format!("home-{role}")).await;
    let email = json!({"email": format!("owner@home-{role}.example"), "role": role});
    made(app, &app.owner, "users", email).await;
    let body = json!({"scopes": scopes});
    let made = app
        .call(&elsewhere, "POST", "/v1/api_keys", Some(body))
        .await;
    if made.status == 201 {
        return caller(&made.body["api_key"]);
    }
    // Their first key spends no money; nothing of this takes more.
    let scopes: Vec<&&str> = scopes
        .iter()
        .filter(|one| !one.starts_with("ai:"))
        .collect();
    let body = json!({"scopes": scopes});
    let made = app
        .call(&elsewhere, "POST", "/v1/api_keys", Some(body))
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    caller(&made.body["api_key"])
}

#[actix_web::test]
async fn no_key_without_the_right_to_grade_makes_a_grade_unreachable() {
    let scopes = all_but_grades();
    for database in [Database::Sqlite, Database::Postgres] {
        let graded = Graded::on(database).await;
        let app = graded.app();
        let callers = [
            ("owner", key(app, &scopes).await),
            ("admin", member(app, "admin", &scopes).await),
            ("teacher", member(app, "teacher", &scopes).await),
        ];
        let mut destroyed = 0;
        for (route, _) in table() {
            if is_left_out(&route) {
                continue;
            }
            for (role, by) in &callers {
                let place = format!("{database:?} {role} {} {}", route.method, route.path);
                let statuses = graded.try_all(&route, by).await;
                destroyed += statuses.iter().filter(|status| **status == 200).count();
                graded.assert_there(&place).await;
            }
            // What was asked for is made before the next: the queue must not hide what it does.
            app.work().await;
            graded
                .assert_there(&format!("{database:?} after {}", route.operation))
                .await;
        }
        assert!(destroyed > 30, "{destroyed}");
    }
}

#[actix_web::test]
async fn no_scope_alone_and_no_learner_makes_a_grade_unreachable() {
    let graded = Graded::on(Database::Sqlite).await;
    let app = graded.app();
    let mut callers = vec![
        ("student".to_owned(), graded.stage.student.clone()),
        ("session".to_owned(), graded.stage.session.clone()),
    ];
    for scope in all_but_grades() {
        callers.push((scope.to_owned(), key(app, &[scope]).await));
    }
    for (route, _) in table() {
        if is_left_out(&route) {
            continue;
        }
        for (_, by) in &callers {
            graded.try_all(&route, by).await;
        }
        app.work().await;
        graded
            .assert_there(&format!("{} {}", route.method, route.path))
            .await;
    }
}

#[actix_web::test]
async fn nobody_takes_a_graded_submission_away_without_an_entry() {
    // With a workspace goes its trail; that takes force, the right to grade, and its owner.
    let takes_away = |route: &Route| {
        let is_removal = route.method == "DELETE" || route.operation == "eraseUser";
        is_removal && route.operation != "deleteWorkspace"
    };
    let routes = table().into_iter().map(|(route, _)| route);
    let mut gone = Vec::new();
    for (at, route) in routes.filter(takes_away).enumerate() {
        let graded = Graded::on([Database::Sqlite, Database::Postgres][at % 2]).await;
        let app = graded.app();
        let before = newest_entry(app).await;
        graded.call(&route, &app.owner, "", None).await;
        let answer = graded.call(&route, &app.owner, "?force=true", None).await;
        if graded.records_left().await.is_none() {
            let place = format!("{} {}", route.operation, answer.body);
            assert_ne!(newest_entry(app).await, before, "{place}");
            gone.push(route.operation);
        }
    }
    gone.sort_unstable();
    let expected = [
        "deleteAssignment",
        "deleteCohort",
        "deleteCourse",
        "deleteSubmission",
        "deleteUnit",
        "deleteUser",
    ];
    assert_eq!(gone, expected);
}

async fn newest_entry(app: &TestApp) -> Value {
    app.get("/v1/audit?limit=1").await.body["data"][0]["id"].clone()
}
