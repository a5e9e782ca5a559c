//! Invitations over HTTP: what somebody belongs to is theirs to say.

use futures_util::future::join_all;
use insta::assert_json_snapshot;
use lyceum_application::Settings;
use lyceum_domain::identity::users::Role;
use serde_json::{Value, json};
use std::sync::Arc;
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{app_on, assert_refused, events, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// The owner of another workspace, whom the first one has invited in this role; and the invitation.
async fn invited(app: &TestApp, role: &str) -> (Caller, String) {
    let other = app.another_workspace("home").await;
    let body = json!({"email": "owner@home.example", "role": role});
    made(app, &app.owner, "users", body).await;
    let waiting = app
        .call_at_account(&other.key, "GET", "/v1/invitations")
        .await;
    let id = waiting.body["data"][0]["id"].as_str().unwrap().to_owned();
    let here = Caller {
        platform: "main".to_owned(),
        ..other
    };
    (here, id)
}

async fn say(app: &TestApp, caller: &Caller, id: &str, what: &str) -> Answer {
    let path = format!("/v1/invitations/{id}/{what}");
    app.call_at_account(&caller.key, "POST", &path).await
}

async fn is_open(app: &TestApp, caller: &Caller) -> bool {
    app.call(caller, "GET", "/v1/courses", None).await.status == 200
}

async fn ids(app: &TestApp, caller: &Caller, query: &str) -> Vec<Value> {
    let path = format!("/v1/invitations{query}");
    let found = app.call_at_account(&caller.key, "GET", &path).await;
    assert_eq!(found.status, 200, "{}", found.body);
    let all = found.body["data"].as_array().unwrap();
    all.iter().map(|one| one["id"].clone()).collect()
}

#[actix_web::test]
async fn an_invitation_says_where_to_as_what_and_by_whom() {
    let app = TestApp::start().await;
    let (person, id) = invited(&app, "teacher").await;
    let path = format!("/v1/invitations/{id}");
    let one = app.call_at_account(&person.key, "GET", &path).await;
    assert_eq!(one.status, 200, "{}", one.body);
    assert_json_snapshot!("invitation", one.body, {".platform.uuid" => "[uuid]"});
    let all = app
        .call_at_account(&person.key, "GET", "/v1/invitations")
        .await;
    assert_eq!(all.body["data"], json!([one.body]));
    assert_eq!(list(&app, "invitations").await, Vec::<Value>::new());
    let theirs = app.get(&path).await;
    assert_refused(&theirs, 404, "resource_missing", "");
}

#[actix_web::test]
async fn whoever_accepts_is_in_and_the_workspace_hears_of_it_once() {
    for database in BOTH {
        let app = app_on(database).await;
        let (person, id) = invited(&app, "teacher").await;
        assert!(!is_open(&app, &person).await);
        app.clock.advance(60);
        let many = (0..10).map(|_| say(&app, &person, &id, "accept"));
        for accepted in join_all(many).await {
            assert_eq!(accepted.status, 200, "{}", accepted.body);
            assert_eq!(accepted.body["status"], "accepted");
        }
        assert!(is_open(&app, &person).await);
        let told = events(&app, "user.updated").await;
        assert_eq!(told.len(), 1, "{told:?}");
        let before = &told[0]["data"]["previous_attributes"];
        assert_eq!(before["accepted_at"], Value::Null);
        assert_eq!(
            told[0]["data"]["object"]["accepted_at"],
            "2026-11-21T06:56:00.000Z"
        );
        let noted = list(&app, "audit?action=member.accepted").await;
        assert_eq!(noted.len(), 1, "{noted:?}");
        assert_eq!(noted[0]["actor"]["kind"], "user");
        assert_eq!(ids(&app, &person, "").await, Vec::<Value>::new());
        assert_eq!(ids(&app, &person, "?status=accepted").await[0], json!(id));
        let chooser = app
            .call_at_account(&person.key, "GET", "/v1/platforms")
            .await;
        assert_eq!(chooser.body["data"].as_array().unwrap().len(), 2);
    }
}

#[actix_web::test]
async fn whoever_leaves_is_out_at_once_and_may_come_back() {
    for database in BOTH {
        let app = app_on(database).await;
        let (person, id) = invited(&app, "teacher").await;
        say(&app, &person, &id, "accept").await;
        assert!(is_open(&app, &person).await);
        let left = say(&app, &person, &id, "decline").await;
        assert_eq!(left.body["status"], "declined", "{}", left.body);
        assert!(!is_open(&app, &person).await);
        assert_eq!(list(&app, "audit?action=member.left").await.len(), 1);
        // What the workspace holds of them stays.
        let held = list(&app, "users?email=owner@home.example").await;
        assert_eq!(held[0]["accepted_at"], Value::Null, "{held:?}");
        assert_eq!(held[0]["role"], "teacher");
        assert_eq!(ids(&app, &person, "?status=declined").await, [json!(id)]);
        say(&app, &person, &id, "accept").await;
        assert!(is_open(&app, &person).await);
    }
}

#[actix_web::test]
async fn the_last_owner_cannot_leave_and_an_invited_one_is_none_yet() {
    for database in BOTH {
        let app = app_on(database).await;
        let (person, id) = invited(&app, "owner").await;
        let me = app.get("/v1/me").await.body["user"]["id"].clone();
        let path = format!("/v1/users/{}", me.as_str().unwrap());
        assert_refused(&app.delete(&path).await, 409, "not_editable", "");
        let mine = app
            .call_at_account(&app.owner.key, "GET", "/v1/invitations?status=accepted")
            .await;
        let mine = mine.body["data"][0]["id"].as_str().unwrap().to_owned();
        let refused = say(&app, &app.owner, &mine, "decline").await;
        assert_refused(&refused, 409, "not_editable", "");
        say(&app, &person, &id, "accept").await;
        // Of two owners who leave at once one stays.
        let leaving = join_all([
            say(&app, &app.owner, &mine, "decline"),
            say(&app, &person, &id, "decline"),
        ]);
        let mut told: Vec<u16> = leaving.await.iter().map(|one| one.status).collect();
        told.sort_unstable();
        assert_eq!(told, [200, 409], "{database:?}");
    }
}

#[actix_web::test]
async fn whoever_was_taken_out_is_asked_anew() {
    let app = TestApp::start().await;
    let (person, id) = invited(&app, "teacher").await;
    say(&app, &person, &id, "accept").await;
    let held = list(&app, "users?email=owner@home.example").await;
    let path = format!("/v1/users/{}", held[0]["id"].as_str().unwrap());
    app.delete(&path).await;
    let gone = say(&app, &person, &id, "accept").await;
    assert_refused(&gone, 404, "resource_missing", "");
    let body = json!({"email": "owner@home.example", "role": "teacher"});
    made(&app, &app.owner, "users", body).await;
    assert!(!is_open(&app, &person).await);
    assert_ne!(ids(&app, &person, "").await, [json!(id)]);
}

#[actix_web::test]
async fn pages_of_invitations_go_on_where_the_one_before_ended() {
    for database in BOTH {
        let app = app_on(database).await;
        let person = app.another_workspace("home").await;
        for n in 0..5 {
            let host = app.another_workspace(&format!("host-{n}")).await;
            made(&app, &host, "users", json!({"email": "owner@home.example"})).await;
        }
        let all = ids(&app, &person, "").await;
        assert_eq!(all.len(), 5);
        let mut paged = Vec::new();
        let mut query = "?limit=2".to_owned();
        loop {
            let path = format!("/v1/invitations{query}");
            let page = app.call_at_account(&person.key, "GET", &path).await.body;
            let found = page["data"].as_array().unwrap();
            paged.extend(found.iter().map(|one| one["id"].clone()));
            let cursor = page["next_cursor"].as_str().unwrap();
            if cursor.is_empty() {
                break;
            }
            query = format!("?limit=2&startingAfter={cursor}");
        }
        assert_eq!(paged, all);
        let after = all[3].as_str().unwrap();
        let rest = ids(&app, &person, &format!("?startingAfter={after}")).await;
        assert_eq!(rest, [all[4].clone()]);
    }
}

/// The same application, where somebody else may make workspaces.
async fn app_where(least: Option<Role>) -> TestApp {
    let mut app = TestApp::start().await;
    let mut settings = Settings::clone(&app.app.settings);
    settings.workspaces.least = least;
    app.app.settings = Arc::new(settings);
    app.mounted_again()
}

/// Somebody who is this much in the first workspace, and nothing anywhere else, with a key that may everything.
async fn somebody(app: &TestApp, role: &str) -> Caller {
    let (person, id) = invited(app, role).await;
    say(app, &person, &id, "accept").await;
    let home = app
        .call_at_account(&person.key, "GET", "/v1/invitations?status=accepted")
        .await;
    let home = home.body["data"].as_array().unwrap().clone();
    let home = home.iter().find(|one| one["platform"]["code"] == "home");
    let workspaces = app
        .call_at_account(&person.key, "GET", "/v1/workspaces")
        .await;
    let workspaces = workspaces.body["data"].as_array().unwrap().clone();
    let uuid = &home.unwrap()["platform"]["uuid"];
    let own = workspaces
        .iter()
        .find(|one| one["platform"]["uuid"] == *uuid);
    let path = format!("/v1/workspaces/{}", own.unwrap()["id"].as_str().unwrap());
    let gone = app.call_at_account(&person.key, "DELETE", &path).await;
    assert_eq!(gone.status, 200, "{}", gone.body);
    person
}

async fn at_account(app: &TestApp, caller: &Caller, path: &str, body: Value) -> Answer {
    let sent = actix_web::test::TestRequest::post()
        .uri(path)
        .insert_header(("x-api-key", caller.key.as_str()))
        .set_json(body);
    app.send(sent).await
}

#[actix_web::test]
async fn who_makes_workspaces_is_a_setting() {
    let cases = [
        (Some(Role::Admin), "teacher", 403),
        (Some(Role::Admin), "admin", 201),
        (Some(Role::Teacher), "student", 403),
        (Some(Role::Teacher), "teacher", 201),
        (Some(Role::Student), "student", 201),
        (None, "owner", 403),
    ];
    for (least, role, status) in cases {
        let app = app_where(least).await;
        let person = somebody(&app, role).await;
        let asked = at_account(&app, &person, "/v1/workspaces", json!({"name": "Mine"})).await;
        assert_eq!(asked.status, status, "{least:?} {role} {}", asked.body);
        if status == 403 {
            assert_eq!(asked.code(), "insufficient_role");
        }
    }
}

#[actix_web::test]
async fn a_students_own_key_makes_no_key_that_says_more_than_a_student_is() {
    let app = TestApp::start().await;
    let student = somebody(&app, "student").await;
    for scopes in [
        json!(["read:*"]),
        json!(["write:workspaces"]),
        json!(["read:lessons", "write:keys"]),
    ] {
        let asked = json!({ "scopes": scopes });
        let refused = at_account(&app, &student, "/v1/api_keys", asked).await;
        assert_refused(&refused, 403, "scope_escalation", "scopes");
    }
    let within = json!([
        "read:invitations",
        "write:submissions",
        "read:lessons",
        "write:invitations"
    ]);
    let plain = at_account(&app, &student, "/v1/api_keys", json!({})).await;
    let mut told: Vec<&str> = plain.body["scopes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scope| scope.as_str().unwrap())
        .collect();
    told.sort_unstable();
    let mut expected: Vec<&str> = within
        .as_array()
        .unwrap()
        .iter()
        .map(|scope| scope.as_str().unwrap())
        .collect();
    expected.sort_unstable();
    assert_eq!(told, expected, "{}", plain.body);
    // Their own key, which says more than they are, is rotated into one that opens the same and says no more.
    let me = app
        .call_at_account(&student.key, "GET", "/v1/me")
        .await
        .body;
    let rotate = format!("/v1/api_keys/{}/rotate", me["key"]["id"].as_str().unwrap());
    let rotated = at_account(&app, &student, &rotate, json!({})).await;
    assert_eq!(rotated.status, 201, "{}", rotated.body);
    assert!(!rotated.body["scopes"].to_string().contains('*'));
    let teacher = TestApp::start().await;
    let person = somebody(&teacher, "teacher").await;
    let made = at_account(&teacher, &person, "/v1/api_keys", json!({})).await;
    assert_eq!(made.body["scopes"], json!(["read:*", "write:*"]));
}
