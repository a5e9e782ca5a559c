//! Sessions of members, to those who run the workspace: what they see of them, how they end them, and what is not theirs to end.

use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{app_on, assert_refused, caller, key, list, made, session};
use crate::sent_invitations::comes_in;
use crate::sign_in::{asking, signed_in};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const PLACE: &str = "https://lyceum.test";
const INES: &str = "ines@main.example";

async fn start_on(database: Database) -> TestApp {
    app_on(database).await.reached_at(PLACE)
}

/// A member who came in by a link that was shown; their id, and what their browser holds.
async fn member(app: &TestApp, role: &str) -> (String, String) {
    let body = json!({"email": INES, "name": "Ines", "role": role});
    let id = made(app, &app.owner, "users", body).await;
    let held = comes_in(app, &id).await;
    (id, held)
}

async fn sessions_of(app: &TestApp, user: &str) -> Vec<Value> {
    list(app, &format!("users/{user}/sessions")).await
}

async fn end(app: &TestApp, by: &Caller, user: &str, body: Value) -> Answer {
    let path = format!("/v1/users/{user}/end_sessions");
    app.call(by, "POST", &path, Some(body)).await
}

/// What the platform with this code tells whoever's browser holds this.
async fn courses(app: &TestApp, held: &str, code: &str) -> Answer {
    let request = asking("GET", "/v1/courses", held);
    app.send(request.insert_header(("x-learning-platform-code", code)))
        .await
}

#[actix_web::test]
async fn those_who_run_a_workspace_see_where_a_member_is_signed_in_and_end_it() {
    for database in BOTH {
        let app = start_on(database).await;
        let (ines, first) = member(&app, "teacher").await;
        let seen = sessions_of(&app, &ines).await;
        assert_eq!(seen.len(), 1);
        assert_eq!(seen[0]["device"], "Firefox on Linux");
        assert_eq!(seen[0]["current"], false);
        assert_eq!(courses(&app, &first, "main").await.status, 200);
        let one = json!({"session_id": seen[0]["id"]});
        let ended = end(&app, &app.owner, &ines, one.clone()).await;
        assert_eq!(
            (ended.status, &ended.body["ended"]),
            (200, &json!(1)),
            "{}",
            ended.body
        );
        let refused = courses(&app, &first, "main").await;
        assert_refused(&refused, 401, "api_key_revoked", "");
        assert!(sessions_of(&app, &ines).await.is_empty());
        // Whoever began it is not who ended it.
        let me = app.get("/v1/me").await.body["user"]["id"].clone();
        let noted = list(&app, "audit?action=session.ended").await;
        assert_eq!(noted[0]["actor"]["user_id"], me, "{noted:?}");
        assert_eq!(noted[0]["old"]["user_id"], json!(ines));
        let again = end(&app, &app.owner, &ines, one).await;
        assert_refused(&again, 404, "resource_missing", "session_id");
    }
}

#[actix_web::test]
async fn whoever_belongs_elsewhere_is_shut_out_here_and_nowhere_else() {
    for database in BOTH {
        let app = start_on(database).await;
        let home = app.another_workspace("home").await;
        let body = json!({"email": "owner@home.example", "role": "teacher"});
        let id = made(&app, &app.owner, "users", body).await;
        app.accept_everything(&home.key).await;
        let held = signed_in(&app, "owner@home.example").await;
        // Of what they do elsewhere nothing is seen.
        assert!(sessions_of(&app, &id).await.is_empty());
        assert_eq!(courses(&app, &held, "main").await.status, 200);
        app.clock.advance(1);
        let ended = end(&app, &app.owner, &id, json!({})).await;
        assert_eq!((ended.status, &ended.body["ended"]), (200, &json!(0)));
        let refused = courses(&app, &held, "main").await;
        assert_refused(&refused, 403, "platform_access_denied", "");
        assert_eq!(courses(&app, &held, "home").await.status, 200);
        let me = app.send(asking("GET", "/v1/me", &held)).await.body;
        let open: Vec<&Value> = me["platforms"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["code"])
            .collect();
        assert_eq!(open, ["home"]);
        // Keys go on, and whoever signs in again is in.
        let key = caller(&json!(home.key));
        assert_eq!(app.call(&key, "GET", "/v1/courses", None).await.status, 200);
        app.clock.advance(1);
        let again = signed_in(&app, "owner@home.example").await;
        assert_eq!(courses(&app, &again, "main").await.status, 200);
        let noted = list(&app, "audit?action=member.sessions_ended").await;
        assert_eq!(noted[0]["subject"]["id"], json!(id), "{noted:?}");
    }
}

#[actix_web::test]
async fn what_began_here_alone_is_not_seen_or_ended_once_it_opens_more() {
    for database in BOTH {
        let app = start_on(database).await;
        let (ines, _) = member(&app, "teacher").await;
        let own = signed_in(&app, INES).await;
        assert_eq!(sessions_of(&app, &ines).await.len(), 2);
        let home = app.another_workspace("home").await;
        made(
            &app,
            &home,
            "users",
            json!({"email": INES, "role": "teacher"}),
        )
        .await;
        let waiting = app.send(asking("GET", "/v1/invitations", &own)).await;
        let invitation = waiting.body["data"][0]["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/invitations/{invitation}/accept");
        let accepted = app.send(asking("POST", &path, &own)).await;
        assert_eq!(accepted.status, 200, "{}", accepted.body);
        assert_eq!(courses(&app, &own, "home").await.status, 200);
        // What opens this workspace alone is still its to see.
        assert_eq!(sessions_of(&app, &ines).await.len(), 1);
        app.clock.advance(1);
        let ended = end(&app, &app.owner, &ines, json!({})).await;
        assert_eq!(ended.body["ended"], 1, "{}", ended.body);
        assert_eq!(courses(&app, &own, "home").await.status, 200);
        let refused = courses(&app, &own, "main").await;
        assert_refused(&refused, 403, "platform_access_denied", "");
    }
}

#[actix_web::test]
async fn sessions_that_programs_handed_out_end_as_well() {
    for database in BOTH {
        let app = start_on(database).await;
        let body = json!({"email": "pupil@x.example"});
        let id = made(&app, &app.owner, "users", body).await;
        let pupil = session(&app, "pupil@x.example").await;
        let asked = async || app.call(&pupil, "GET", "/v1/units", None).await.status;
        assert_eq!(asked().await, 200);
        assert_eq!(end(&app, &app.owner, &id, json!({})).await.status, 200);
        assert_eq!(asked().await, 401);
    }
}

#[actix_web::test]
async fn nobody_below_an_admin_and_nobody_below_the_member_ends_them() {
    let app = start_on(Database::Sqlite).await;
    let me = app.get("/v1/me").await.body["user"]["id"].clone();
    let me = me.as_str().unwrap();
    let (_, held) = member(&app, "admin").await;
    let by = async |path: &str, role: &str| {
        let request =
            asking("POST", path, &held).insert_header(("x-learning-platform-code", "main"));
        let answer = app.send(request.set_json(json!({}))).await;
        assert_refused(&answer, 403, role, "");
    };
    // An admin has no say in an owner's.
    by(&format!("/v1/users/{me}/end_sessions"), "insufficient_role").await;
    let narrow = key(&app, &["write:students"]).await;
    let refused = end(&app, &narrow, me, json!({})).await;
    assert_refused(&refused, 403, "insufficient_scope", "");
    let elsewhere = app.another_workspace("home").await;
    let gone = end(&app, &elsewhere, me, json!({})).await;
    assert_refused(&gone, 404, "resource_missing", "");
}

#[actix_web::test]
async fn two_hundred_who_end_them_at_once_are_all_told_that_they_ended() {
    for database in BOTH {
        let app = start_on(database).await;
        let (ines, held) = member(&app, "teacher").await;
        let all = join_all((0..200).map(|_| end(&app, &app.owner, &ines, json!({})))).await;
        let ended: Vec<(u16, u64)> = all
            .iter()
            .map(|answer| (answer.status, answer.body["ended"].as_u64().unwrap_or(9)))
            .collect();
        assert!(ended.iter().all(|(status, _)| *status == 200), "{ended:?}");
        assert_eq!(ended.iter().map(|(_, ended)| ended).sum::<u64>(), 1);
        let refused = courses(&app, &held, "main").await;
        assert_refused(&refused, 401, "api_key_revoked", "");
    }
}
