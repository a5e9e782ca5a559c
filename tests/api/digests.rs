//! Mails of each morning that tell who teaches what waits: to whom, when, and never twice.

use diesel::{Connection, RunQueryDsl, SqliteConnection, sql_query};
use futures_util::future::join_all;
use lyceum_application::{App, Error, work};
use lyceum_domain::grading::submissions::{ReviewStatus, SubmissionStatus};
use lyceum_domain::ids::{SubmissionId, UserId, WorkspaceId};
use lyceum_domain::notifying::digests::Digest;
use lyceum_domain::notifying::letters::{Letter, MailTemplate};
use lyceum_ports::notifying::mailer::MailToSend;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::mails::{Postbox, send, with_postbox};
use crate::school::{School, app_on, assert_refused, caller, list, made};
use crate::sent_invitations::comes_in;
use crate::sign_in::asking;

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const PLACE: &str = "https://lyceum.test";
/// From when tests begin, five to eight in Berlin, to seven on the next morning there.
const NEXT_MORNING: i64 = 23 * HOUR + 5 * 60;
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

async fn say(app: &TestApp, by: &Caller, body: Value) -> Answer {
    app.call(by, "PATCH", "/v1/me", Some(body)).await
}

/// The owner, in Berlin, who asked for it.
async fn asked(app: &TestApp) {
    let body = json!({"digest": "daily", "language": "de", "timezone": "Europe/Berlin"});
    let said = say(app, &app.owner, body).await;
    assert_eq!((said.status, &said.body["digest"]), (200, &json!("daily")));
}

/// A member who came in, and as whom to ask.
async fn member(app: &TestApp, role: &str) -> (String, String) {
    let new = json!({"email": format!("{role}@x.example"), "name": "Ben", "role": role});
    let id = made(app, &app.owner, "users", new).await;
    let held = comes_in(app, &id).await;
    (id, held)
}

async fn say_as(app: &TestApp, held: &str, body: Value) -> Answer {
    let request = asking("PATCH", "/v1/me", held);
    let request = request.insert_header(("x-learning-platform-code", "main"));
    app.send(request.set_json(body)).await
}

async fn workspace(app: &TestApp, by: &Caller) -> WorkspaceId {
    let me = app.call_at_account(&by.key, "GET", "/v1/me").await.body;
    let platforms = me["platforms"].as_array().unwrap();
    let here = platforms.iter().find(|one| one["code"] == *by.platform);
    let id = here.unwrap()["workspace_id"].as_str().unwrap();
    id.parse().unwrap()
}

/// Makes a submission wait for a person.
async fn holds(app: &TestApp, workspace: WorkspaceId, id: &str) {
    let (id, now): (SubmissionId, _) = (id.parse().unwrap(), app.app.clock.now());
    let held = app.app.store.write(move |tx| {
        let mut submission = tx.submissions().find(workspace, id)?.unwrap();
        submission.status = SubmissionStatus::InReview;
        submission.review = Some(ReviewStatus::Open);
        submission.stamp.touch(now);
        Ok::<_, Error>(tx.submissions().update(&submission)?)
    });
    held.await.unwrap();
}

/// A school in which something waits.
async fn school(app: &TestApp) -> String {
    let school = School::open(app).await;
    let id = school.hand_in(app, "Rice.").await;
    holds(app, workspace(app, &app.owner).await, &id).await;
    id
}

/// Looks whose morning has come and sends what is to be sent; what was sent by then of such mails.
async fn morning(app: &App, postbox: &Postbox) -> Vec<MailToSend> {
    while work::tell_due(app).await.unwrap() {}
    while send(app).await > 0 {}
    let taken = std::mem::take(&mut *postbox.taken.lock().unwrap());
    let ours = |mail: &MailToSend| mail.letter.template() == MailTemplate::Digest;
    taken.into_iter().filter(ours).collect()
}

/// Has one looked at: for whoever looks at statements.
pub async fn one_is_due(test: &TestApp) {
    let (app, _) = with_postbox(test);
    let me = test.get("/v1/me").await.body;
    let user: UserId = me["user"]["id"].as_str().unwrap().parse().unwrap();
    let digest = Digest {
        next_at: Some(app.clock.now()),
        ..Digest::none(workspace(test, &test.owner).await, user)
    };
    let put = app
        .store
        .write(move |tx| Ok::<_, Error>(tx.digests().put(&digest)?));
    put.await.unwrap();
    assert!(!work::tell_due(&app).await.unwrap());
}

fn said<'a>(letter: &'a Letter, name: &str) -> &'a str {
    letter.values().get(name).unwrap()
}

#[actix_web::test]
async fn who_asked_for_it_is_told_each_morning_what_waits_and_nothing_where_nothing_does() {
    for database in BOTH {
        let test = app_on(database).await.reached_at(PLACE);
        let (app, postbox) = with_postbox(&test);
        let submission = school(&test).await;
        asked(&test).await;
        assert_eq!(morning(&app, &postbox).await.len(), 0, "today is over");
        test.clock.advance(NEXT_MORNING - 1);
        assert_eq!(morning(&app, &postbox).await.len(), 0, "a second early");
        test.clock.advance(1);
        let told = morning(&app, &postbox).await;
        assert_eq!(told.len(), 1, "{database:?}");
        assert_eq!(told[0].to.as_str(), "owner@main.example");
        assert_eq!(told[0].language.as_str(), "de");
        let letter = &told[0].letter;
        for (name, expected) in [
            ("workspace", "Workspace main"),
            ("count", "1"),
            ("courses", "Food\t1"),
            ("more", "0"),
            ("oldest", "2026-11-21"),
            ("days", "1"),
        ] {
            assert_eq!(said(letter, name), expected, "{name}");
        }
        let platform = test.get("/v1/me").await.body["platforms"][0]["uuid"].clone();
        let platform = platform.as_str().unwrap();
        let desk = format!("{PLACE}/studio#/review?queue=open&platform={platform}");
        assert_eq!(said(letter, "link"), desk);
        let account = format!("{PLACE}/studio#/account?platform={platform}");
        assert_eq!(said(letter, "settings"), account);
        // Nothing waits any more.
        let path = format!("/v1/submissions/{submission}/grade");
        assert_eq!(test.post(&path, json!({"score": 40})).await.status, 200);
        test.clock.advance(DAY);
        assert_eq!(morning(&app, &postbox).await.len(), 0);
    }
}

#[actix_web::test]
async fn of_nodes_that_look_at_once_and_again_one_tells_it_once() {
    for database in BOTH {
        let test = app_on(database).await.reached_at(PLACE);
        let (app, postbox) = with_postbox(&test);
        school(&test).await;
        asked(&test).await;
        test.clock.advance(NEXT_MORNING);
        let nodes: Vec<App> = (0..6).map(|_| app.clone()).collect();
        let looking = nodes.iter().map(work::tell_due);
        assert!(join_all(looking).await.iter().all(Result::is_ok));
        assert_eq!(morning(&app, &postbox).await.len(), 1, "{database:?}");
        // Nor by switching it off and on, nor by travelling, nor in the evening.
        for body in [
            json!({"digest": "off"}),
            json!({"digest": null, "timezone": "America/Los_Angeles"}),
            json!({"digest": "daily"}),
            json!({"timezone": "Pacific/Honolulu"}),
        ] {
            assert_eq!(say(&test, &test.owner, body).await.status, 200);
        }
        for _ in 0..16 {
            test.clock.advance(HOUR);
            assert_eq!(morning(&app, &postbox).await.len(), 0);
        }
        // The 23rd, at seven on Hawaii.
        test.clock.advance(19 * HOUR);
        assert_eq!(morning(&app, &postbox).await.len(), 1);
    }
}

/// Members whose rows nobody can read any more, as many as are looked at at once, and due before everybody else.
async fn unreadable(test: &TestApp, app: &App) {
    let workspace = workspace(test, &test.owner).await;
    let mut due = Vec::new();
    for number in 0..200 {
        let new = json!({"email": format!("{number}@gone.example"), "role": "teacher"});
        let user = made(test, &test.owner, "users", new).await;
        due.push(Digest {
            next_at: Some(app.clock.now()),
            ..Digest::none(workspace, user.parse().unwrap())
        });
    }
    let put = app.store.write(move |tx| {
        let mut kept = due.iter().map(|one| tx.digests().put(one));
        Ok::<_, Error>(kept.try_for_each(|put| put)?)
    });
    put.await.unwrap();
    let file = test.database_url().strip_prefix("sqlite://").unwrap();
    #[allow(
        clippy::disallowed_methods,
        reason = "a connection beside the store's, to spoil what is there"
    )]
    let mut beside = SqliteConnection::establish(file).unwrap();
    let spoilt = "UPDATE users SET role = 'janitor' WHERE email LIKE '%@gone.example'";
    assert_eq!(sql_query(spoilt).execute(&mut beside).unwrap(), 200);
}

#[actix_web::test]
async fn who_cannot_be_told_keeps_nobody_waiting() {
    let test = app_on(Database::Sqlite).await.reached_at(PLACE);
    let (app, postbox) = with_postbox(&test);
    school(&test).await;
    asked(&test).await;
    unreadable(&test, &app).await;
    test.clock.advance(NEXT_MORNING);
    assert_eq!(morning(&app, &postbox).await.len(), 1);
    assert!(!work::tell_due(&app).await.unwrap(), "they stand back");
    test.clock.advance(HOUR);
    assert!(
        work::tell_due(&app).await.unwrap(),
        "and are looked at again"
    );
}

#[actix_web::test]
async fn a_morning_that_was_missed_is_made_up_for_on_its_day_and_not_after() {
    let test = app_on(Database::Sqlite).await.reached_at(PLACE);
    let (app, postbox) = with_postbox(&test);
    school(&test).await;
    asked(&test).await;
    test.clock.advance(NEXT_MORNING + 10 * HOUR);
    assert_eq!(morning(&app, &postbox).await.len(), 1, "in the afternoon");
    // Down until the night after the next morning.
    test.clock.advance(DAY + 9 * HOUR);
    assert_eq!(morning(&app, &postbox).await.len(), 0, "at two at night");
    test.clock.advance(5 * HOUR);
    assert_eq!(morning(&app, &postbox).await.len(), 1, "of the new day");
    // What was asked for and could not be sent until the evening is over is not sent.
    test.clock.advance(DAY);
    assert!(!work::tell_due(&app).await.unwrap());
    test.clock.advance(17 * HOUR);
    assert_eq!(morning(&app, &postbox).await.len(), 0, "at midnight");
}

#[actix_web::test]
async fn learners_and_programs_cannot_ask_for_it() {
    let app = app_on(Database::Sqlite).await.reached_at(PLACE);
    let (_, pupil) = member(&app, "student").await;
    let refused = say_as(&app, &pupil, json!({"digest": "daily"})).await;
    assert_refused(&refused, 403, "insufficient_role", "");
    let same = say_as(&app, &pupil, json!({"digest": "off", "language": "fr"})).await;
    assert_eq!((same.status, &same.body["digest"]), (200, &Value::Null));
    let (_, teacher) = member(&app, "teacher").await;
    let chosen = say_as(&app, &teacher, json!({"digest": "daily"})).await;
    assert_eq!(
        (chosen.status, &chosen.body["digest"]),
        (200, &json!("daily"))
    );
    let me = app.get("/v1/me").await.body;
    assert_eq!(me["digest"], "off", "of everybody by themselves");
    let body = json!({"name": "Sync", "user_id": me["user"]["id"], "scopes": ["write:*"]});
    let made_for = app.post("/v1/api_keys", body).await;
    let program = caller(&made_for.body["api_key"]);
    let refused = say(&app, &program, json!({"digest": "daily"})).await;
    assert_refused(&refused, 403, "key_bound_to_platform", "");
    for wrong in [json!("weekly"), json!(true), json!(7)] {
        let refused = say(&app, &app.owner, json!({"digest": wrong})).await;
        assert_eq!(refused.status, 400, "{}", refused.body);
    }
}

#[actix_web::test]
async fn whoever_may_no_longer_read_is_told_nothing() {
    for database in BOTH {
        let test = app_on(database).await.reached_at(PLACE);
        let (app, postbox) = with_postbox(&test);
        school(&test).await;
        let (id, held) = member(&test, "teacher").await;
        let chosen = say_as(&test, &held, json!({"digest": "daily"})).await;
        assert_eq!(chosen.status, 200, "{}", chosen.body);
        test.clock.advance(DAY + HOUR);
        assert_eq!(morning(&app, &postbox).await.len(), 1);
        let path = format!("/v1/users/{id}");
        let role = async |role: &str| test.patch(&path, json!({"role": role})).await.status;
        assert_eq!(role("student").await, 200);
        test.clock.advance(DAY);
        assert_eq!(morning(&app, &postbox).await.len(), 0, "a learner now");
        assert_eq!(role("teacher").await, 200);
        test.clock.advance(DAY);
        assert_eq!(morning(&app, &postbox).await.len(), 1, "and again");
        let (workspace, user) = (workspace(&test, &test.owner).await, id.parse::<UserId>());
        let user = user.unwrap();
        let erased = test
            .post(&format!("{path}/erase"), json!({"confirm": id}))
            .await;
        assert_eq!(erased.status, 200, "{}", erased.body);
        let kept = test
            .app
            .read(move |tx| Ok(tx.digests().find(workspace, user)?))
            .await;
        assert_eq!(kept.unwrap(), None);
        test.clock.advance(DAY);
        assert_eq!(morning(&app, &postbox).await.len(), 0, "erased");
    }
}

#[actix_web::test]
async fn it_tells_of_one_workspace_alone_and_what_changed_is_noted() {
    let test = app_on(Database::Sqlite).await.reached_at(PLACE);
    let (app, postbox) = with_postbox(&test);
    let home = test.another_workspace("home").await;
    school(&test).await;
    // Something waits elsewhere, and nobody asked for it there; who asked for it where nothing waits is told nothing.
    assert_eq!(
        say(&test, &home, json!({"digest": "daily"})).await.status,
        200
    );
    test.clock.advance(DAY + HOUR);
    assert_eq!(morning(&app, &postbox).await.len(), 0);
    let noted = list(&test, "audit?action=member.updated").await;
    assert_eq!(noted.len(), 0, "not here");
    asked(&test).await;
    asked(&test).await;
    let noted = list(&test, "audit?action=member.updated").await;
    let told: Vec<bool> = noted
        .iter()
        .map(|one| one.to_string().contains("\"digest\""))
        .collect();
    assert_eq!(told.iter().filter(|told| **told).count(), 1, "{noted:?}");
}
