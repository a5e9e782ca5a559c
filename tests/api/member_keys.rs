//! Keys that are made for a member over HTTP: whose they are, what they open, who ends them.

use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::mails::{send, with_postbox};
use crate::school::{app_on, assert_refused, caller, events, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// Somebody with a workspace of their own, and what they are in the first one.
struct Somebody {
    /// Their own key, in the first workspace.
    own: Caller,
    /// The same at home, where they are the owner.
    home: Caller,
    /// Who they are in the first workspace.
    id: String,
}

/// Somebody who was invited in this role, and has not answered.
async fn invited(app: &TestApp, code: &str, role: &str) -> Somebody {
    let home = app.another_workspace(code).await;
    let body = json!({"email": format!("owner@{code}.example"), "role": role});
    let id = made(app, &app.owner, "users", body).await;
    let own = caller(&json!(home.key));
    Somebody { own, home, id }
}

/// Somebody who belongs to the first workspace in this role.
async fn member(app: &TestApp, code: &str, role: &str) -> Somebody {
    let somebody = invited(app, code, role).await;
    app.accept_everything(&somebody.own.key).await;
    somebody
}

async fn asked(app: &TestApp, by: &Caller, member: &str, scopes: Option<Value>) -> Answer {
    let mut body = json!({"name": "Grade sync", "user_id": member});
    if let Some(scopes) = scopes {
        body["scopes"] = scopes;
    }
    app.call(by, "POST", "/v1/api_keys", Some(body)).await
}

/// A key that the owner made for a member; its id, and whoever has it.
async fn made_for(app: &TestApp, member: &str) -> (String, Caller) {
    let made = asked(app, &app.owner, member, None).await;
    assert_eq!(made.status, 201, "{}", made.body);
    (made.id(), caller(&made.body["api_key"]))
}

async fn status(app: &TestApp, key: &Caller) -> u16 {
    app.call(key, "GET", "/v1/courses", None).await.status
}

async fn take(app: &TestApp, by: &Caller, method: &str, path: &str) -> Answer {
    app.call(by, method, &format!("/v1/{path}"), None).await
}

async fn ids(app: &TestApp, by: &Caller, path: &str) -> Vec<Value> {
    let found = take(app, by, "GET", path).await;
    assert_eq!(found.status, 200, "{}", found.body);
    let all = found.body["data"].as_array().unwrap();
    all.iter().map(|one| one["id"].clone()).collect()
}

#[actix_web::test]
async fn whoever_it_is_made_for_hears_of_it_by_mail_and_nobody_else() {
    for database in BOTH {
        let mut app = app_on(database).await;
        let (service, postbox) = with_postbox(&app);
        app.app = service;
        let app = app.mounted_again();
        let ines = member(&app, "home", "teacher").await;
        let (id, _) = made_for(&app, &ines.id).await;
        send(&app.app).await;
        // Invitations are mails too.
        let told = || -> Vec<String> {
            let mails = postbox.taken.lock().unwrap();
            let of_keys = mails
                .iter()
                .filter(|mail| mail.letter.template().as_str() == "key_made");
            of_keys
                .map(|mail| format!("{} {}", mail.to, mail.letter.values()["key"]))
                .collect()
        };
        assert_eq!(told(), ["owner@home.example Grade sync"]);
        // Nor where it is somebody's own, or a program's, or where the key was refused.
        let me = app.get("/v1/me").await.body["user"]["id"].clone();
        made_for(&app, me.as_str().unwrap()).await;
        let program = json!({"kind": "service", "name": "Sync"});
        let program = made(&app, &app.owner, "users", program).await;
        made_for(&app, &program).await;
        let too_much = asked(&app, &app.owner, &ines.id, Some(json!(["write:keys"]))).await;
        assert_eq!(too_much.status, 403, "{}", too_much.body);
        send(&app.app).await;
        assert_eq!(told().len(), 1);
        // Whoever gets another is told of that one too, also by rotation.
        let path = format!("/v1/api_keys/{id}/rotate");
        assert_eq!(app.post(&path, json!({})).await.status, 201);
        send(&app.app).await;
        assert_eq!(told().len(), 2);
    }
}

#[actix_web::test]
async fn it_acts_and_is_named_as_the_member() {
    for database in BOTH {
        let app = app_on(database).await;
        let ines = member(&app, "home", "teacher").await;
        let me = app.get("/v1/me").await.body;
        let answer = asked(&app, &app.owner, &ines.id, None).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        assert_eq!(answer.body["user_id"], json!(ines.id));
        assert_eq!(answer.body["made_by"], me["user"]["id"]);
        assert_eq!(answer.body["kind"], "standard");
        let key = caller(&answer.body["api_key"]);
        let seen = app.call_at_account(&key.key, "GET", "/v1/me").await.body;
        assert_eq!(seen["user"]["id"], json!(ines.id));
        assert_eq!(seen["email"], "owner@home.example");
        made(&app, &key, "users", json!({"email": "pupil@x.example"})).await;
        let noted = list(&app, "audit?action=member.added").await;
        assert_eq!(noted[0]["actor"]["user_id"], json!(ines.id));
        assert_eq!(noted[0]["actor"]["api_key_id"], json!(answer.id()));
        // That it was made is told, by whom and for whom.
        let noted = list(&app, "audit?action=key.created").await;
        assert_eq!(noted[0]["actor"]["user_id"], me["user"]["id"]);
        assert_eq!(noted[0]["new"]["user_id"], json!(ines.id));
        let told = events(&app, "api_key.created").await;
        assert_eq!(told[0]["data"]["object"]["user_id"], json!(ines.id));
        assert!(!json!(told).to_string().contains(&key.key));
    }
}

#[actix_web::test]
async fn it_opens_no_other_platform_and_nothing_of_the_person_beyond_it() {
    for database in BOTH {
        let app = app_on(database).await;
        let ines = member(&app, "home", "admin").await;
        let own = made(&app, &ines.home, "api_keys", json!({})).await;
        let (id, key) = made_for(&app, &ines.id).await;
        let elsewhere = Caller {
            platform: "home".to_owned(),
            ..key.clone()
        };
        assert_eq!(status(&app, &ines.home).await, 200);
        for path in ["courses", "me", "api_keys"] {
            let refused = take(&app, &elsewhere, "GET", path).await;
            assert_refused(&refused, 403, "platform_access_denied", "");
        }
        let key_alone = |method, path| app.call_at_account(&key.key, method, path);
        for (method, path) in [
            ("GET", "/v1/invitations"),
            ("GET", "/v1/invitations/inv_00000000000000000000000001"),
            (
                "POST",
                "/v1/invitations/inv_00000000000000000000000001/accept",
            ),
            (
                "POST",
                "/v1/invitations/inv_00000000000000000000000001/decline",
            ),
        ] {
            let refused = key_alone(method, path).await;
            assert_refused(&refused, 403, "key_bound_to_platform", "");
        }
        for (path, body) in [
            ("/v1/workspaces", json!({"name": "Mine"})),
            ("/v1/api_keys", json!({})),
        ] {
            let refused = app.call(&key, "POST", path, Some(body)).await;
            assert_refused(&refused, 403, "key_bound_to_platform", "");
        }
        for path in ["/v1/platforms", "/v1/workspaces"] {
            let seen = key_alone("GET", path).await.body;
            assert_eq!(seen["data"].as_array().unwrap().len(), 1, "{seen}");
        }
        assert_eq!(
            key_alone("GET", "/v1/me").await.body["platforms"][0]["code"],
            "main"
        );
        let seen = key_alone("GET", "/v1/api_keys").await.body;
        assert_eq!(seen["data"].as_array().unwrap().len(), 1, "{seen}");
        assert_eq!(seen["data"][0]["id"], json!(id));
        for (method, path) in [
            ("GET", format!("/v1/api_keys/{own}")),
            ("DELETE", format!("/v1/api_keys/{own}")),
            ("POST", format!("/v1/api_keys/{own}/rotate")),
            ("POST", format!("/v1/api_keys/{own}/revoke")),
        ] {
            let refused = app.call_at_account(&key.key, method, &path).await;
            assert_refused(&refused, 404, "resource_missing", "");
        }
    }
}

#[actix_web::test]
async fn what_the_persons_own_key_was_answered_is_not_replayed_to_it() {
    let app = TestApp::start().await;
    let ines = member(&app, "home", "admin").await;
    let own = made(&app, &ines.home, "api_keys", json!({})).await;
    let (_, key) = made_for(&app, &ines.id).await;
    let revoke = async |key: &str| {
        let path = format!("/v1/api_keys/{own}/revoke");
        let sent = actix_web::test::TestRequest::post()
            .uri(&path)
            .insert_header(("x-api-key", key))
            .insert_header(("Idempotency-Key", "k1"))
            .set_json(json!({}));
        app.send(sent).await
    };
    assert_eq!(revoke(&ines.own.key).await.status, 200);
    assert_refused(&revoke(&key.key).await, 404, "resource_missing", "");
}

#[actix_web::test]
async fn there_is_none_for_somebody_who_has_not_accepted() {
    for database in BOTH {
        let app = app_on(database).await;
        let ines = invited(&app, "home", "teacher").await;
        let refused = asked(&app, &app.owner, &ines.id, None).await;
        assert_refused(&refused, 409, "member_not_accepted", "");
        app.accept_everything(&ines.own.key).await;
        let (_, key) = made_for(&app, &ines.id).await;
        assert_eq!(status(&app, &key).await, 200);
    }
}

#[actix_web::test]
async fn nobody_rises_by_a_key_that_they_make() {
    let app = TestApp::start().await;
    let (admin, teacher) = (
        member(&app, "one", "admin").await,
        member(&app, "two", "teacher").await,
    );
    let owner = app.get("/v1/me").await.body["user"]["id"].clone();
    let owner = owner.as_str().unwrap();
    let above = asked(&app, &admin.own, owner, None).await;
    assert_refused(&above, 403, "insufficient_role", "");
    for by in [&teacher.own, &teacher.own] {
        let refused = asked(&app, by, &teacher.id, None).await;
        assert_refused(&refused, 403, "insufficient_role", "");
    }
    let without = actix_web::test::TestRequest::post()
        .uri("/v1/api_keys")
        .insert_header(("x-api-key", app.owner.key.as_str()))
        .set_json(json!({"user_id": teacher.id}));
    let without = app.send(without).await;
    assert_eq!(without.status, 400, "{}", without.body);
    let unknown = asked(&app, &app.owner, "usr_00000000000000000000000001", None).await;
    assert_refused(&unknown, 404, "resource_missing", "user_id");
    // Neither more than the member's role permits, nor more than the maker's key has.
    let wide = asked(&app, &admin.own, &teacher.id, Some(json!(["write:keys"]))).await;
    assert_refused(&wide, 403, "scope_escalation", "scopes");
    let narrow = json!({"scopes": ["write:keys", "read:courses"]});
    let narrow = app
        .call(&admin.own, "POST", "/v1/api_keys", Some(narrow))
        .await;
    let narrow = caller(&narrow.body["api_key"]);
    let wider = asked(&app, &narrow, &teacher.id, None).await;
    assert_refused(&wider, 403, "scope_escalation", "scopes");
    let within = asked(&app, &narrow, &teacher.id, Some(json!(["read:courses"]))).await;
    assert_eq!(within.status, 201, "{}", within.body);
    // What was made for an owner is out of an admin's reach; that it is there they see.
    let (of_owner, _) = made_for(&app, owner).await;
    let path = format!("api_keys/{of_owner}");
    assert_eq!(take(&app, &admin.own, "GET", &path).await.status, 200);
    for (method, path) in [
        ("POST", format!("{path}/rotate")),
        ("POST", format!("{path}/revoke")),
        ("DELETE", path.clone()),
    ] {
        let refused = take(&app, &admin.own, method, &path).await;
        assert_refused(&refused, 403, "insufficient_role", "");
    }
}

#[actix_web::test]
async fn the_member_sees_it_and_may_end_it() {
    for database in BOTH {
        let app = app_on(database).await;
        let ines = member(&app, "home", "teacher").await;
        let (id, key) = made_for(&app, &ines.id).await;
        // With their own key, wherever they are.
        let own = app
            .call_at_account(&ines.own.key, "GET", "/v1/api_keys")
            .await
            .body;
        let own = own["data"].as_array().unwrap();
        let one = own.iter().find(|one| one["id"] == json!(id)).unwrap();
        let owner = app.get("/v1/me").await.body["user"]["id"].clone();
        assert_eq!(one["made_by"], owner);
        let path = format!("/v1/api_keys/{id}/revoke");
        let (used, ended) = futures_util::future::join(
            join_all((0..20).map(|_| status(&app, &key))),
            app.call_at_account(&ines.own.key, "POST", &path),
        )
        .await;
        assert_eq!(ended.status, 200, "{}", ended.body);
        assert!(used.iter().all(|status| [200, 401].contains(status)));
        assert_eq!(status(&app, &key).await, 401);
        let noted = list(&app, "audit?action=key.revoked").await;
        assert_eq!(noted[0]["actor"]["user_id"], json!(ines.id));
        assert_eq!(events(&app, "api_key.revoked").await.len(), 1);
    }
}

#[actix_web::test]
async fn those_who_run_the_platform_look_after_it_and_nobody_of_elsewhere() {
    let app = TestApp::start().await;
    let ines = member(&app, "home", "teacher").await;
    let admin = member(&app, "two", "admin").await;
    let (id, key) = made_for(&app, &ines.id).await;
    let of_member = format!("api_keys?user_id={}", ines.id);
    assert_eq!(ids(&app, &admin.own, &of_member).await, [json!(id)]);
    // Their own keys are theirs alone.
    let own = made(&app, &ines.home, "api_keys", json!({})).await;
    assert_eq!(ids(&app, &admin.own, &of_member).await, [json!(id)]);
    let path = format!("api_keys/{own}");
    let theirs = take(&app, &admin.own, "GET", &path).await;
    assert_refused(&theirs, 404, "resource_missing", "");
    // Who owns another workspace in which the member is as well sees nothing of it.
    for code in ["home", "two"] {
        let elsewhere = Caller {
            platform: code.to_owned(),
            ..if code == "home" {
                ines.home.clone()
            } else {
                admin.home.clone()
            }
        };
        assert_eq!(ids(&app, &elsewhere, &of_member).await, Vec::<Value>::new());
    }
    let path = format!("api_keys/{id}");
    let refused = take(&app, &admin.home, "GET", &path).await;
    assert_refused(&refused, 404, "resource_missing", "");
    let other = member(&app, "three", "teacher").await;
    let refused = take(&app, &other.own, "GET", &of_member).await;
    assert_refused(&refused, 403, "insufficient_role", "");
    let revoke = format!("/v1/{path}/revoke");
    let refused = app.call_at_account(&other.own.key, "POST", &revoke).await;
    assert_refused(&refused, 404, "resource_missing", "");
    let renamed = json!({"name": "Nightly sync"});
    let renamed = app
        .call(&admin.own, "PATCH", &format!("/v1/{path}"), Some(renamed))
        .await;
    assert_eq!(renamed.body["name"], "Nightly sync", "{}", renamed.body);
    let rotated = take(&app, &admin.own, "POST", &format!("{path}/rotate")).await;
    assert_eq!(rotated.status, 201, "{}", rotated.body);
    assert_eq!(rotated.body["user_id"], json!(ines.id));
    assert_eq!(rotated.body["made_by"], json!(admin.id));
    assert_eq!(rotated.body["workspace_id"], renamed.body["workspace_id"]);
    let new = caller(&rotated.body["api_key"]);
    let seen = app.call_at_account(&new.key, "GET", "/v1/me").await.body;
    assert_eq!(seen["user"]["id"], json!(ines.id));
    let revoked = take(&app, &admin.own, "POST", &format!("{path}/revoke")).await;
    assert_eq!(revoked.status, 200, "{}", revoked.body);
    assert_eq!(
        (status(&app, &key).await, status(&app, &new).await),
        (401, 200)
    );
    let noted = list(&app, "audit?action=key.revoked").await;
    assert_eq!(noted[0]["actor"]["user_id"], json!(admin.id));
    assert_eq!(noted[0]["subject"]["id"], json!(id));
}

#[actix_web::test]
async fn it_ends_with_the_membership_and_does_not_come_back_with_it() {
    for database in BOTH {
        let app = app_on(database).await;
        let ines = member(&app, "home", "teacher").await;
        let (_, key) = made_for(&app, &ines.id).await;
        let accepted = "/v1/invitations?status=accepted&limit=100";
        let places = app.call_at_account(&ines.own.key, "GET", accepted).await;
        let place = places.body["data"].as_array().unwrap().iter();
        let place = place.filter(|one| one["platform"]["code"] == "main");
        let mut place = place.map(|one| one["id"].as_str().unwrap().to_owned());
        let place = place.next_back().unwrap();
        for what in ["decline", "accept"] {
            let path = format!("/v1/invitations/{place}/{what}");
            app.call_at_account(&ines.own.key, "POST", &path).await;
        }
        assert_eq!(status(&app, &ines.own).await, 200);
        assert_eq!(status(&app, &key).await, 401);
        // The same where somebody else ends it, and it is brought back.
        let (_, key) = made_for(&app, &ines.id).await;
        assert_eq!(status(&app, &key).await, 200);
        app.delete(&format!("/v1/users/{}", ines.id)).await;
        assert_eq!(status(&app, &key).await, 401);
        let item = list(&app, &format!("trash?object_id={}", ines.id)).await;
        let item = item[0]["id"].as_str().unwrap();
        let back = app
            .post(&format!("/v1/trash/{item}/restore"), json!({}))
            .await;
        assert_eq!(back.status, 200, "{}", back.body);
        assert_eq!(status(&app, &key).await, 401);
        // And where somebody rises above whoever made it.
        app.accept_everything(&ines.own.key).await;
        let (_, key) = made_for(&app, &ines.id).await;
        let owner = json!({"role": "owner"});
        app.patch(&format!("/v1/users/{}", ines.id), owner).await;
        assert_eq!(status(&app, &ines.own).await, 200);
        assert_eq!(status(&app, &key).await, 401);
    }
}

#[actix_web::test]
async fn none_is_left_of_those_that_are_made_while_the_membership_ends() {
    for database in BOTH {
        let app = app_on(database).await;
        let ines = member(&app, "home", "teacher").await;
        let path = format!("/v1/users/{}", ines.id);
        let making = (0..20).map(|_| asked(&app, &app.owner, &ines.id, None));
        let (made, gone) = futures_util::future::join(join_all(making), app.delete(&path)).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        let told: Vec<u16> = made.iter().map(|one| one.status).collect();
        assert!(told.iter().all(|one| [201, 404].contains(one)), "{told:?}");
        let item = list(&app, &format!("trash?object_id={}", ines.id)).await;
        let item = item[0]["id"].as_str().unwrap();
        app.post(&format!("/v1/trash/{item}/restore"), json!({}))
            .await;
        app.accept_everything(&ines.own.key).await;
        for one in made.iter().filter(|one| one.status == 201) {
            let key = caller(&one.body["api_key"]);
            assert_eq!(status(&app, &key).await, 401, "{database:?}");
        }
    }
}

#[actix_web::test]
async fn a_learner_gets_what_learners_may_and_no_more() {
    let app = TestApp::start().await;
    let pupil = member(&app, "home", "student").await;
    let wide = asked(&app, &app.owner, &pupil.id, Some(json!(["read:*"]))).await;
    assert_refused(&wide, 403, "scope_escalation", "scopes");
    let (_, key) = made_for(&app, &pupil.id).await;
    let refused = take(&app, &key, "GET", "users").await;
    assert_eq!(refused.status, 403, "{}", refused.body);
    let refused = asked(&app, &key, &pupil.id, None).await;
    assert_eq!(refused.status, 403, "{}", refused.body);
}

#[actix_web::test]
async fn the_member_ends_it_sooner_and_does_not_put_its_end_off() {
    let app = TestApp::start().await;
    let ines = member(&app, "home", "teacher").await;
    let body = json!({"user_id": ines.id, "expires_at": "2026-12-01T00:00:00.000Z"});
    let made = app.post("/v1/api_keys", body).await;
    let path = format!("/v1/api_keys/{}", made.id());
    let key = caller(&made.body["api_key"]);
    let set = async |by: &Caller, end: Value| {
        let sent = actix_web::test::TestRequest::patch()
            .uri(&path)
            .insert_header(("x-api-key", by.key.as_str()))
            .set_json(json!({"expires_at": end}));
        app.send(sent).await
    };
    for end in [Value::Null, json!("2026-12-02T00:00:00.000Z")] {
        for by in [&ines.own, &key] {
            assert_refused(&set(by, end.clone()).await, 403, "insufficient_role", "");
        }
    }
    let sooner = set(&ines.own, json!("2026-11-30T00:00:00.000Z")).await;
    assert_eq!(sooner.status, 200, "{}", sooner.body);
    let later = json!({"expires_at": "2026-12-24T00:00:00.000Z"});
    let later = app.patch(&path, later).await;
    assert_eq!(later.status, 200, "{}", later.body);
    // What takes its place ends when it does, and is no way around that.
    let rotate = format!("{path}/rotate");
    let rotated = app.call_at_account(&ines.own.key, "POST", &rotate).await;
    assert_eq!(rotated.body["expires_at"], later.body["expires_at"]);
}
