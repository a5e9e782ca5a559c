//! The audit trail: each change of a grade, a key, a member or a setting has an entry, and who may read it.

use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use std::sync::Arc;
use support::app::{Answer, TestApp};
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, key, list, made};

/// The entries of an action, newest first.
async fn entries(app: &TestApp, action: &str) -> Vec<Value> {
    list(app, &format!("audit?limit=100&action={action}")).await
}

async fn newest(app: &TestApp, action: &str) -> Value {
    let mut found = entries(app, action).await;
    assert!(!found.is_empty(), "nothing is noted of {action}");
    found.swap_remove(0)
}

async fn owner(app: &TestApp) -> Value {
    app.get("/v1/me").await.body
}

fn good(answer: Answer) -> Answer {
    assert!((200..300).contains(&answer.status), "{}", answer.body);
    answer
}

#[actix_web::test]
async fn every_change_of_a_grade_has_an_entry() {
    for database in [Database::Sqlite, Database::Postgres] {
        let ai: Arc<dyn AiProvider> =
            ScriptedAi::remote([proposal(&[("overall", 40, "Reheat once")])]);
        let app = TestApp::on(database, ai).await;
        let school = School::open(&app).await;
        let id = school.hand_in(&app, "Cool the rice. Reheat once.").await;
        good(
            app.post(&format!("/v1/submissions/{id}/ai"), json!({}))
                .await,
        );
        app.work().await;
        let by_ai = newest(&app, "grade.changed").await;
        assert_eq!(by_ai["actor"]["kind"], "system", "{by_ai}");
        assert_eq!(by_ai["request_id"], Value::Null);
        assert_eq!(by_ai["subject"], json!({"object": "submission", "id": id}));
        assert_eq!(by_ai["old"]["score"], Value::Null, "{by_ai}");
        assert_eq!(by_ai["new"]["grade_score"], json!(40), "{by_ai}");
        assert_eq!(by_ai["new"]["model"], "scripted");
        assert_eq!(by_ai["new"]["prompt_version"], "script-1");
        let given = json!({"score": 55, "reason": "Too strict", "feedback": "CANARY"});
        let graded = good(
            app.post(&format!("/v1/submissions/{id}/grade"), given)
                .await,
        );
        let by_person = newest(&app, "grade.changed").await;
        let me = owner(&app).await;
        assert_eq!(by_person["actor"]["kind"], "user", "{by_person}");
        assert_eq!(by_person["actor"]["user_id"], me["user"]["id"], "{me}");
        assert_eq!(by_person["actor"]["api_key_id"], me["key"]["id"]);
        let request = graded.header("request-id").unwrap();
        assert_eq!(by_person["request_id"], request);
        assert_eq!(by_person["new"]["score"], json!(55));
        assert_eq!(by_person["new"]["by"], "human");
        assert!(!by_person.to_string().contains("CANARY"), "{by_person}");
        done(&app, &format!("submissions/{id}/return")).await;
        let returned = newest(&app, "grade.changed").await;
        assert_eq!(returned["new"], json!({"status": "returned"}));
        done(&app, &format!("submissions/{id}/reopen")).await;
        let taken_back = newest(&app, "grade.changed").await;
        assert_eq!(taken_back["old"], json!({"status": "returned"}));
        assert_eq!(taken_back["new"], json!({"status": "graded"}));
        done(&app, &format!("submissions/{id}/reopen")).await;
        let proposed_again = newest(&app, "grade.changed").await;
        assert_eq!(
            proposed_again["old"]["score"],
            json!(55),
            "{proposed_again}"
        );
        assert_eq!(proposed_again["new"]["score"], json!(40));
        assert_eq!(entries(&app, "grade.changed").await.len(), 5);
    }
}

#[actix_web::test]
async fn every_change_of_a_key_has_an_entry_without_its_secret() {
    let app = TestApp::start().await;
    let new = json!({"name": "CANARY", "scopes": ["read:keys"]});
    let made = good(app.post("/v1/api_keys", new).await).body;
    let path = format!("/v1/api_keys/{}", made["id"].as_str().unwrap());
    let created = newest(&app, "key.created").await;
    assert_eq!(created["subject"]["id"], made["id"]);
    assert_eq!(created["new"]["scopes"], json!(["read:keys"]));
    assert_eq!(created["old"], json!({}));
    good(app.patch(&path, json!({"name": "Other"})).await);
    assert_eq!(
        newest(&app, "key.updated").await["subject"]["id"],
        made["id"]
    );
    good(app.post(&format!("{path}/revoke"), json!({})).await);
    let revoked = newest(&app, "key.revoked").await;
    assert_eq!(revoked["old"], json!({"revoked_at": null}));
    assert!(revoked["new"]["revoked_at"].is_string());
    good(app.delete(&path).await);
    assert_eq!(newest(&app, "key.deleted").await["new"], json!({}));
    let all = Value::Array(list(&app, "audit?limit=100").await).to_string();
    assert!(!all.contains("CANARY") && !all.contains(made["api_key"].as_str().unwrap()));
}

#[actix_web::test]
async fn every_change_of_a_membership_has_an_entry() {
    let app = TestApp::start().await;
    let id = made(
        &app,
        &app.owner,
        "users",
        json!({"email": "tom@school.example"}),
    )
    .await;
    let path = format!("/v1/users/{id}");
    assert_eq!(
        newest(&app, "member.added").await["new"],
        json!({"role": "student"})
    );
    good(
        app.patch(&path, json!({"role": "teacher", "name": "Tom"}))
            .await,
    );
    let changed = newest(&app, "member.role_changed").await;
    assert_eq!(changed["old"], json!({"role": "student"}));
    assert_eq!(changed["new"], json!({"role": "teacher"}));
    let updated = newest(&app, "member.updated").await;
    assert_eq!(updated["new"], json!({"changed": ["name"]}));
    good(app.delete(&path).await);
    let removed = newest(&app, "member.removed").await;
    assert_eq!(removed["subject"], json!({"object": "user", "id": id}));
    let all = Value::Array(list(&app, "audit?limit=100").await).to_string();
    assert!(!all.contains("tom@") && !all.contains("Tom"), "{all}");
}

#[actix_web::test]
async fn every_change_of_a_setting_has_an_entry() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let workspace = list(&app, "workspaces").await[0]["id"].clone();
    let path = format!("/v1/workspaces/{}", workspace.as_str().unwrap());
    good(app.patch(&path, json!({"domain": "school.example"})).await);
    let changed = newest(&app, "workspace.updated").await;
    assert_eq!(changed["old"], json!({"domain": null}));
    assert_eq!(changed["new"], json!({"domain": "school.example"}));
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    let configured = newest(&app, "assignment.updated").await;
    assert_eq!(configured["new"], json!({"human_review": "required"}));
    let course = format!("/v1/courses/{}", school.course);
    good(app.patch(&course, json!({"name": "Other"})).await);
    assert_eq!(entries(&app, "ai_settings.updated").await.len(), 0);
    let secret = json!({"ai": {"instructions": "CANARY"}});
    good(app.patch(&course, secret).await);
    let ai = newest(&app, "ai_settings.updated").await;
    assert!(ai["new"]["instructions_hash"].is_string(), "{ai}");
    let hook = json!({"url": "http://127.0.0.1:9/CANARY"});
    let hook = good(app.post("/v1/webhook_endpoints", hook).await).body;
    let endpoint = format!("/v1/webhook_endpoints/{}", hook["id"].as_str().unwrap());
    let made = newest(&app, "webhook.created").await;
    assert_eq!(made["new"]["origin"], "http://127.0.0.1:9");
    good(app.patch(&endpoint, json!({"status": "disabled"})).await);
    let off = newest(&app, "webhook.updated").await;
    assert_eq!(off["new"], json!({"status": "disabled"}));
    good(
        app.post(&format!("{endpoint}/rotate_secret"), json!({}))
            .await,
    );
    assert_eq!(
        newest(&app, "webhook.secret_rotated").await["new"],
        json!({})
    );
    good(app.delete(&endpoint).await);
    assert_eq!(
        newest(&app, "webhook.deleted").await["subject"]["id"],
        hook["id"]
    );
    let all = Value::Array(list(&app, "audit?limit=100").await).to_string();
    assert!(!all.contains("CANARY"), "{all}");
}

#[actix_web::test]
async fn entries_are_found_by_who_and_what() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        school.student_session(&app).await;
        let me = owner(&app).await;
        let count = async |query: &str| list(&app, &format!("audit?limit=100&{query}")).await.len();
        let mine = count(&format!("actor={}", me["user"]["id"].as_str().unwrap())).await;
        let by_key = count(&format!("actor={}", me["key"]["id"].as_str().unwrap())).await;
        assert!(mine > 0);
        assert_eq!(mine, by_key);
        // The workspace, its owner and their key; and the session that somebody unknown opened.
        assert_eq!(count("actor=system").await, 3);
        assert_eq!(count("actor=visitor&action=session.started").await, 1);
        assert_eq!(count("actor=nobody").await, 0);
        assert_eq!(count(&format!("subject_id={}", school.student)).await, 1);
        assert_eq!(count("subject_object=user").await, 2);
        let refused = app.get("/v1/audit?action=grade.lost").await;
        assert_refused(&refused, 400, "invalid_parameter", "action");
    }
}

#[actix_web::test]
async fn only_admins_read_the_trail() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let student = school.student_session(&app).await;
    let narrow = key(&app, &["read:courses", "read:students"]).await;
    let reading = key(&app, &["read:*"]).await;
    let get = async |who| app.call(who, "GET", "/v1/audit", None).await;
    assert_eq!(get(&student).await.status, 403);
    assert_eq!(get(&narrow).await.status, 403);
    assert_eq!(get(&reading).await.status, 200);
    let demoted = json!({"email": "tom@school.example", "role": "teacher"});
    made(&app, &app.owner, "users", demoted).await;
    let session = crate::school::session(&app, "tom@school.example").await;
    assert_eq!(get(&session).await.status, 403);
}
