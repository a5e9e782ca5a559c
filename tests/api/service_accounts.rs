//! Accounts of programs over HTTP: named as such, and nobody's to sign in with.

use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, caller, events, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

fn asked(role: &str) -> Value {
    json!({"kind": "service", "name": "Grade sync", "role": role})
}

/// A service account, and whoever has a key of it with these scopes.
async fn service(app: &TestApp, role: &str, scopes: Value) -> (String, Caller) {
    let id = made(app, &app.owner, "users", asked(role)).await;
    let key = json!({"user_id": id, "scopes": scopes});
    let key = app.post("/v1/api_keys", key).await;
    assert_eq!(key.status, 201, "{}", key.body);
    (id, caller(&key.body["api_key"]))
}

async fn take(app: &TestApp, by: &Caller, method: &str, path: &str, body: Value) -> Answer {
    let path = format!("/v1/{path}");
    app.call(by, method, &path, Some(body)).await
}

#[actix_web::test]
async fn it_is_made_accepted_listed_and_found_as_a_program() {
    for database in BOTH {
        let app = app_on(database).await;
        let answer = app.post("/v1/users", asked("teacher")).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        assert_eq!(answer.body["kind"], "service");
        assert!(answer.body["accepted_at"].is_string());
        let email = answer.body["email"].as_str().unwrap();
        assert!(email.ends_with("@service.invalid"), "{email}");
        made(&app, &app.owner, "users", json!({"email": "ada@x.example"})).await;
        let ids = async |query: &str| {
            let found = list(&app, &format!("users?{query}")).await;
            found
                .iter()
                .map(|one| one["id"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(ids("kind=service").await, [json!(answer.id())]);
        assert_eq!(ids("kind=person").await.len(), 2);
        assert_eq!(ids("").await.len(), 3);
        let told = events(&app, "user.created").await;
        assert_eq!(told[1]["data"]["object"]["kind"], "service");
        // A second one of the same name is another one.
        let other = app.post("/v1/users", asked("admin")).await;
        assert_ne!(other.body["email"], answer.body["email"]);
        let refused = app.get("/v1/users?kind=robot").await;
        assert_refused(&refused, 400, "invalid_parameter", "kind");
    }
}

#[actix_web::test]
async fn it_owns_and_learns_nothing_and_never_signs_in() {
    let app = TestApp::start().await;
    for role in ["owner", "student"] {
        let refused = app.post("/v1/users", asked(role)).await;
        assert_refused(&refused, 400, "invalid_field", "role");
    }
    let school = School::open(&app).await;
    let made = app.post("/v1/users", asked("teacher")).await;
    let path = format!("/v1/users/{}", made.id());
    for role in ["owner", "student"] {
        let refused = app.patch(&path, json!({"role": role})).await;
        assert_refused(&refused, 400, "invalid_field", "role");
    }
    let refused = app.patch(&path, json!({"name": null})).await;
    assert_refused(&refused, 400, "invalid_field", "name");
    let students = format!("/v1/cohorts/{}/students", school.cohort);
    for who in [
        json!({"user_id": made.id()}),
        json!({"email": made.body["email"]}),
    ] {
        let refused = app.post(&students, who).await;
        assert_refused(&refused, 409, "service_account", "");
    }
    let email = json!({"email": made.body["email"]});
    let refused = app.post("/v1/tokens/start", email).await;
    assert_refused(&refused, 409, "service_account", "");
    let work = json!({"assignment_id": school.assignment, "user_id": made.id()});
    let refused = app.post("/v1/submissions", work).await;
    assert_refused(&refused, 409, "service_account", "");
}

#[actix_web::test]
async fn nobody_has_an_address_of_a_program() {
    let app = TestApp::start().await;
    let taken = json!({"email": "service-1@service.invalid"});
    let refused = app.post("/v1/users", taken).await;
    assert_refused(&refused, 400, "invalid_field", "email");
    let school = School::open(&app).await;
    let students = format!("/v1/cohorts/{}/students", school.cohort);
    let taken = json!({"email": "service-1@service.invalid"});
    let refused = app.post(&students, taken).await;
    assert_refused(&refused, 400, "invalid_field", "email");
    for wrong in [
        json!({"kind": "service"}),
        json!({"kind": "service", "name": "Sync", "email": "ada@x.example"}),
        json!({"kind": "robot", "name": "Sync"}),
        json!({"name": "Ada"}),
    ] {
        let refused = app.post("/v1/users", wrong.clone()).await;
        assert_eq!(refused.status, 400, "{wrong} {}", refused.body);
    }
}

#[actix_web::test]
async fn nobody_makes_one_that_is_above_themselves() {
    let app = TestApp::start().await;
    let (_, teacher) = service(&app, "teacher", json!(["write:*"])).await;
    let refused = take(&app, &teacher, "POST", "users", asked("admin")).await;
    assert_refused(&refused, 403, "insufficient_role", "");
    // An equal it may make, and no key for it.
    let equal = take(&app, &teacher, "POST", "users", asked("teacher")).await;
    assert_eq!(equal.status, 201, "{}", equal.body);
    let key = json!({"user_id": equal.id()});
    let refused = take(&app, &teacher, "POST", "api_keys", key).await;
    assert_refused(&refused, 403, "insufficient_role", "");
}

#[actix_web::test]
async fn what_it_does_is_named_as_a_programs() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let (id, key) = service(&app, "teacher", json!(["write:*"])).await;
        let work = school
            .hand_in(&app, "Keep raw meat below cooked food.")
            .await;
        let path = format!("submissions/{work}/grade");
        let graded = take(&app, &key, "POST", &path, json!({"score": 80})).await;
        assert_eq!(graded.status, 200, "{}", graded.body);
        let grades = list(&app, &format!("submissions/{work}/grades")).await;
        assert_eq!(grades[0]["grader"]["kind"], "service", "{}", grades[0]);
        assert_eq!(grades[0]["grader"]["user_id"], json!(id));
        let noted = list(&app, "audit?action=grade.changed").await;
        assert_eq!(noted[0]["actor"]["kind"], "service");
        assert_eq!(noted[0]["actor"]["user_id"], json!(id));
        assert_eq!(list(&app, "audit?actor=service").await.len(), 1);
        // The seal says it as well.
        let sealed = format!("/v1/submissions/{work}/grades?verify=true&limit=1");
        let sealed = app.get(&sealed).await;
        assert_eq!(
            sealed.body["verification"]["holds"], true,
            "{}",
            sealed.body
        );
        // What waits for a person does not take a program's word for theirs.
        let approve = format!("submissions/{work}/approve");
        let refused = take(&app, &key, "POST", &approve, json!({})).await;
        assert_refused(&refused, 409, "service_account", "");
    }
}
