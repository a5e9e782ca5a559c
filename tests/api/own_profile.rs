//! What people say of themselves: what they are called, their language, and where they live.

use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{app_on, assert_refused, caller, events, list, made};
use crate::sent_invitations::comes_in;
use crate::sign_in::asking;

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const PLACE: &str = "https://lyceum.test";

async fn say(app: &TestApp, by: &Caller, body: Value) -> Answer {
    app.call(by, "PATCH", "/v1/me", Some(body)).await
}

#[actix_web::test]
async fn people_say_what_they_are_called_which_language_they_prefer_and_where_they_live() {
    for database in BOTH {
        let app = app_on(database).await;
        let home = app.another_workspace("home").await;
        let said = json!({"name": "Ines", "language": "de", "timezone": "Europe/Berlin"});
        let changed = say(&app, &app.owner, said).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        let user = &changed.body["user"];
        assert_eq!(
            [&user["name"], &user["language"], &user["timezone"]],
            ["Ines", "de", "Europe/Berlin"]
        );
        assert_eq!(app.get("/v1/me").await.body["user"], *user);
        // What is left out stays, and null takes back.
        let changed = say(&app, &app.owner, json!({"timezone": null})).await;
        assert_eq!(changed.body["user"]["timezone"], Value::Null);
        assert_eq!(changed.body["user"]["name"], "Ines");
        let noted = list(&app, "audit?action=member.updated").await;
        assert_eq!(noted.len(), 2, "{noted:?}");
        assert_eq!(events(&app, "user.updated").await.len(), 2);
        // What somebody is called here is not what they are called there.
        let there = app.call_at_account(&home.key, "GET", "/v1/me").await.body;
        assert_eq!(there["user"]["name"], "");
    }
}

#[actix_web::test]
async fn what_is_no_name_of_a_language_or_a_time_zone_is_refused() {
    let app = TestApp::start().await;
    for (body, field) in [
        (json!({"timezone": "Mars/ Olympus"}), "timezone"),
        (json!({"timezone": ""}), "timezone"),
        (json!({"language": "nonsense here"}), "language"),
    ] {
        let refused = say(&app, &app.owner, body).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn nobody_is_called_otherwise_by_a_learner_or_by_a_program() {
    let app = app_on(Database::Sqlite).await.reached_at(PLACE);
    let pupil = json!({"email": "pupil@x.example", "name": "Ada", "role": "student"});
    let id = made(&app, &app.owner, "users", pupil).await;
    let held = comes_in(&app, &id).await;
    let as_pupil = async |body: Value| {
        let request = asking("PATCH", "/v1/me", &held);
        let request = request.insert_header(("x-learning-platform-code", "main"));
        app.send(request.set_json(body)).await
    };
    let refused = as_pupil(json!({"name": "Ben"})).await;
    assert_refused(&refused, 403, "insufficient_role", "");
    let changed = as_pupil(json!({"language": "ar", "timezone": "Africa/Cairo"})).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(changed.body["user"]["name"], "Ada");
    // A key that an admin made for a member acts as them, and is not them.
    let me = app.get("/v1/me").await.body["user"]["id"].clone();
    let body = json!({"name": "Sync", "user_id": me, "scopes": ["write:*"]});
    let made_for = app.post("/v1/api_keys", body).await;
    let program = caller(&made_for.body["api_key"]);
    let refused = say(&app, &program, json!({"name": "Ben"})).await;
    assert_refused(&refused, 403, "key_bound_to_platform", "");
}
