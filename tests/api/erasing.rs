//! What a person may ask of a school: everything that is kept of them, and that it be erased.

use std::sync::Arc;
use std::time::Duration;

use actix_web::test::TestRequest;
use lyceum_application::exporting::scorm_learners::launch_key;
use lyceum_application::{Error, Tx};
use lyceum_domain::ids::WorkspaceId;
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;
use support::tampering::tamper;
use support::tracks::places_of;

use crate::school::{School, assert_refused, caller, done, events, list, made, session};

const NAME: &str = "Kanaria Vogelsang";
const EMAIL: &str = "kanaria@vogelsang.example";
const TEXT: &str = "Zwitscherpiep sings of cooling rice.";
const WORDS: [&str; 7] = [
    "Kanaria",
    "vogelsang",
    "Zwitscherpiep",
    "Trillerton",
    "Federkleid",
    "Gelbschnabel",
    "Nestbau",
];

/// A school in which a person with unusual words has done everything that leaves a track.
struct Tracks {
    app: TestApp,
    user: String,
    submission: String,
    draft: String,
    session: Caller,
}

fn good(answer: Answer) -> Answer {
    assert!((200..300).contains(&answer.status), "{}", answer.body);
    answer
}

/// A request with an idempotency key.
async fn keyed(app: &TestApp, method: &str, path: &str, body: Value) -> Answer {
    let sent = request(&app.owner, method, path)
        .insert_header(("Idempotency-Key", "first"))
        .set_json(body);
    app.send(sent).await
}

fn newcomer() -> Value {
    json!({
        "email": EMAIL, "name": NAME, "external_id": "Federkleid-7", "metadata": {"nick": "Gelbschnabel"},
    })
}

async fn tracks(database: Database) -> Tracks {
    let ai: Arc<dyn AiProvider> =
        ScriptedAi::remote([proposal(&[("overall", 70, "Zwitscherpiep sings")])]);
    let app = TestApp::on(database, ai).await;
    let school = School::open(&app).await;
    let hook = json!({"url": "http://127.0.0.1:9/hook"});
    made(&app, &app.owner, "webhook_endpoints", hook).await;
    let user = good(keyed(&app, "POST", "/v1/users", newcomer()).await).id();
    good(
        app.patch(&format!("/v1/users/{user}"), json!({"name": "Trillerton"}))
            .await,
    );
    good(
        app.patch(&format!("/v1/users/{user}"), json!({"name": NAME}))
            .await,
    );
    done(&app, &format!("courses/{}/publish", school.course)).await;
    done(&app, &format!("cohorts/{}/start", school.cohort)).await;
    let place = format!("/v1/cohorts/{}/students", school.cohort);
    good(app.post(&place, json!({"user_id": user})).await);
    let session = session(&app, EMAIL).await;
    good(app.post("/v1/tokens/start", json!({"email": EMAIL})).await);
    let written = json!({
        "assignment_id": school.assignment, "user_id": user, "metadata": {"pen": "Federkleid"},
        "content": {"type": "text", "text": TEXT},
    });
    let submission = made(&app, &app.owner, "submissions", written).await;
    good(
        app.post(
            &format!("/v1/submissions/{submission}/ai"),
            json!({"reuse": false}),
        )
        .await,
    );
    app.work().await;
    crate::world::book_call(&app, &app.owner, &submission, 1).await;
    let given = json!({"score": 55, "reason": "Nestbau", "feedback": "Well sung, Gelbschnabel"});
    good(
        app.post(&format!("/v1/submissions/{submission}/grade"), given)
            .await,
    );
    let draft = json!({
        "assignment_id": school.assignment, "draft": true,
        "content": {"type": "url", "url": "https://vogelsang.example/work"},
    });
    let draft = made(&app, &session, "submissions", draft).await;
    let attempts = format!("/v1/activities/{}/attempts", school.activity);
    let answers = json!({"answers": {"q1": "a"}});
    good(app.call(&session, "POST", &attempts, Some(answers)).await);
    let complete = format!("/v1/lessons/{}/complete", school.lesson);
    good(app.call(&session, "POST", &complete, Some(json!({}))).await);
    let turn = format!("/v1/lessons/{}/tutor", school.lesson);
    let asked = json!({"message": "What does Zwitscherpiep mean?"});
    app.call(&session, "POST", &turn, Some(asked)).await;
    app.deliver().await;
    Tracks {
        app,
        user,
        submission,
        draft,
        session,
    }
}

impl Tracks {
    async fn erase(&self) -> Answer {
        let path = format!("/v1/users/{}/erase", self.user);
        self.app.post(&path, json!({"confirm": self.user})).await
    }

    async fn export(&self) -> Value {
        let path = format!("/v1/users/{}/export", self.user);
        good(self.app.post(&path, json!({})).await).body
    }
}

#[actix_web::test]
async fn an_export_holds_everything_that_is_kept_of_somebody() {
    for database in [Database::Sqlite, Database::Postgres] {
        let tracks = tracks(database).await;
        let export = tracks.export().await;
        assert_eq!(export["object"], "user_export");
        assert_eq!(export["user"]["email"], EMAIL);
        for (table, at_least) in [
            ("people", 1),
            ("users", 1),
            ("enrollments", 1),
            ("submissions", 2),
            ("grades", 2),
            ("attempts", 1),
            ("lesson_completions", 1),
            ("api_keys", 1),
            ("login_tokens", 1),
            ("ai_calls", 1),
            ("audit_entries", 4),
            ("events", 5),
            ("webhook_deliveries", 5),
            ("idempotency_replies", 1),
        ] {
            let rows = export["data"][table].as_array().unwrap();
            assert!(rows.len() >= at_least, "{table} {rows:?}");
            assert_eq!(export["tables"][table], json!(rows.len()), "{table}");
        }
        let data = &export["data"];
        let texts: Vec<&Value> = data["submissions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["content"])
            .collect();
        assert!(texts.contains(&&json!(TEXT)), "{texts:?}");
        assert_eq!(
            data["users"][0]["metadata"],
            json!({"nick": "Gelbschnabel"})
        );
        assert_eq!(data["submissions"][0]["late"], json!(false));
        assert_eq!(data["users"][0]["created_at"], export["user"]["created_at"]);
        assert_eq!(data["grades"][0]["receipt"].as_str().unwrap().len(), 64);
        let all = export.to_string();
        assert!(
            !all.contains(&tracks.session.key),
            "a secret is no part of it"
        );
        assert!(!all.contains("\"hash\":"), "nor is a hash of one");
        let noted = list(&tracks.app, "audit?action=user.exported").await;
        assert_eq!(noted[0]["subject"]["id"], json!(tracks.user));
    }
}

#[actix_web::test]
async fn an_erasure_leaves_no_word_of_somebody_anywhere() {
    for database in [Database::Sqlite, Database::Postgres] {
        let tracks = tracks(database).await;
        let (app, url) = (&tracks.app, tracks.app.database_url().to_owned());
        for word in ["Kanaria", "Zwitscherpiep", "Nestbau"] {
            assert!(!places_of(&url, word).is_empty(), "{word} was never there");
        }
        let receipt = good(tracks.erase().await).body;
        assert_eq!(receipt["object"], "user_erasure");
        for word in WORDS {
            assert_eq!(places_of(&url, word), Vec::<String>::new(), "{word}");
        }
        let export = tracks.export().await.to_string();
        for word in WORDS {
            assert!(!export.contains(word), "{word}");
        }
        // Replies are encrypted at rest: what is replayed shows what is in them.
        let again = keyed(app, "POST", "/v1/users", newcomer()).await;
        assert_ne!(again.status, 500, "{}", again.body);
        for word in WORDS {
            assert!(
                !again.body.to_string().contains(word) || again.status == 201,
                "{word}"
            );
        }
        let event = &events(app, "user.erased").await[0];
        assert_eq!(event["data"]["object"]["id"], receipt["id"]);
        let noted = &list(app, "audit?action=user.erased").await[0];
        assert_eq!(noted["new"]["erasure_id"], receipt["id"]);
    }
}

#[actix_web::test]
async fn an_erased_history_of_grades_still_holds() {
    for database in [Database::Sqlite, Database::Postgres] {
        let tracks = tracks(database).await;
        let app = &tracks.app;
        let path = format!("/v1/submissions/{}/grades?verify=true", tracks.submission);
        let before = app.get(&path).await.body;
        assert_eq!(before["verification"]["erased"], 0);
        good(tracks.erase().await);
        let after = app.get(&path).await.body;
        let found = &after["verification"];
        assert_eq!(found["holds"], true, "{found}");
        assert_eq!(
            (&found["records"], &found["erased"]),
            (&json!(2), &json!(2))
        );
        for (was, is) in [(&before, &after)] {
            for index in 0..2 {
                let (was, is) = (&was["data"][index], &is["data"][index]);
                assert_eq!(was["score"], is["score"]);
                assert_eq!(was["receipt"], is["receipt"]);
                assert_eq!(is["feedback"], "");
            }
        }
        // Points cannot be changed under the cover of an erasure.
        tamper(
            app.database_url(),
            "UPDATE grades SET score = 9900 WHERE run = 0;",
        );
        let found = app.get(&path).await.body["verification"].clone();
        assert_eq!(found["holds"], false);
        assert_eq!(found["first_broken"]["reason"], "record_changed");
    }
}

#[actix_web::test]
async fn whoever_was_erased_is_a_pseudonym_that_nobody_can_use() {
    let tracks = tracks(Database::Sqlite).await;
    let app = &tracks.app;
    good(tracks.erase().await);
    let user = app.get(&format!("/v1/users/{}", tracks.user)).await.body;
    let pseudonym = format!("erased-{}", tracks.user.trim_start_matches("usr_"));
    assert_eq!(user["name"], json!(pseudonym));
    assert_eq!(user["email"], json!(format!("{pseudonym}@erased.invalid")));
    assert_eq!(user["external_id"], Value::Null);
    let me = app.call(&tracks.session, "GET", "/v1/me", None).await;
    assert_eq!(me.status, 401, "{}", me.body);
    let start = json!({"email": user["email"]});
    assert_eq!(app.post("/v1/tokens/start", start).await.status, 404);
    let named = json!({"name": "Kanaria"});
    let refused = app
        .patch(&format!("/v1/users/{}", tracks.user), named)
        .await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let submission = app
        .get(&format!("/v1/submissions/{}", tracks.submission))
        .await
        .body;
    assert_eq!(submission["content"], json!({"type": "text", "text": ""}));
    assert_eq!(submission["score"], json!(55), "{submission}");
    let draft = app.get(&format!("/v1/submissions/{}", tracks.draft)).await;
    assert_eq!(draft.status, 200, "{}", draft.body);
}

/// How many remembered replies tell of somebody.
async fn replies_about(tracks: &Tracks) -> usize {
    let export = tracks.export().await;
    let replies = export["data"]["idempotency_replies"].as_array();
    // Of what there is none of, there is no table.
    replies.map_or(0, Vec::len)
}

/// A reply of somebody else's that tells of them, under a key of its own.
async fn tell_of_them(tracks: &Tracks, key: &str) {
    let told = request(
        &tracks.app.owner,
        "PATCH",
        &format!("/v1/users/{}", tracks.user),
    )
    .insert_header(("Idempotency-Key", key))
    .set_json(json!({"metadata": {"told": key}}));
    good(tracks.app.send(told).await);
}

#[actix_web::test]
async fn a_reply_is_found_by_its_marks_and_without_them() {
    for database in [Database::Sqlite, Database::Postgres] {
        let tracks = tracks(database).await;
        let before = replies_about(&tracks).await;
        tell_of_them(&tracks, "more").await;
        assert_eq!(replies_about(&tracks).await, before + 1);
        // As if it were older than the marks.
        let unmark = "UPDATE idempotency_replies SET subjects = NULL";
        tamper(tracks.app.database_url(), unmark);
        assert_eq!(replies_about(&tracks).await, before + 1);
        // What is marked as telling of others is not opened.
        let unmark = "UPDATE idempotency_replies SET subjects = ' 00000000 '";
        tamper(tracks.app.database_url(), unmark);
        assert_eq!(replies_about(&tracks).await, 0);
    }
}

#[actix_web::test]
async fn what_comes_to_be_while_somebody_is_looked_for_is_erased_too() {
    for database in [Database::Sqlite, Database::Postgres] {
        let tracks = tracks(database).await;
        let app = &tracks.app.app;
        let user = tracks.user.parse().unwrap();
        let places = list(&tracks.app, "platforms").await;
        let workspace = places[0]["workspace_id"].as_str().unwrap();
        let workspace: WorkspaceId = workspace.parse().unwrap();
        let now = app.clock.now();
        let look = move |tx: &mut dyn Tx| -> Result<_, Error> {
            let user = tx.users().find(workspace, user)?.unwrap();
            let traces = tx.personal_data().traces(&user)?;
            Ok((user, traces))
        };
        let (user, early) = app.read(look).await.unwrap();
        tell_of_them(&tracks, "meanwhile").await;
        let since = now.minus(Duration::from_secs(1));
        let erase = move |tx: &mut dyn Tx| -> Result<_, Error> {
            Ok(tx.personal_data().erase(&user, &[], &early, since)?)
        };
        let done = app.store.write(erase).await.unwrap();
        let erased = |table: &str| done.iter().find(|it| it.table == table).unwrap().erased;
        assert_eq!(erased("idempotency_replies"), 2);
        let meanwhile = request(
            &tracks.app.owner,
            "PATCH",
            &format!("/v1/users/{}", tracks.user),
        )
        .insert_header(("Idempotency-Key", "meanwhile"))
        .set_json(json!({"metadata": {"told": "meanwhile"}}));
        let again = tracks.app.send(meanwhile).await;
        assert_eq!(again.status, 409, "its answer is gone: {}", again.body);
        let told = events(&tracks.app, "user.updated").await;
        assert!(
            told.iter().all(|it| it["data"]["object"]["erased"] == true),
            "{told:?}"
        );
    }
}

#[actix_web::test]
async fn a_second_erasure_gives_the_same_receipt() {
    let tracks = tracks(Database::Sqlite).await;
    let first = good(tracks.erase().await).body;
    let second = good(tracks.erase().await).body;
    assert_eq!(first, second);
    assert_eq!(list(&tracks.app, "audit?action=user.erased").await.len(), 1);
    let tables = first["tables"].as_array().unwrap();
    let of = |name: &str| tables.iter().find(|one| one["table"] == name).unwrap();
    assert_eq!(of("submissions")["erased"], 2);
    assert_eq!(of("grades")["erased"], 2);
    assert_eq!(of("people")["erased"], 1);
    assert!(
        tables
            .iter()
            .all(|one| !one["why"].as_str().unwrap().is_empty())
    );
}

#[actix_web::test]
async fn an_erasure_wants_the_id_once_more() {
    let tracks = tracks(Database::Sqlite).await;
    let path = format!("/v1/users/{}/erase", tracks.user);
    let missing = tracks.app.post(&path, json!({})).await;
    assert_refused(&missing, 400, "missing_field", "confirm");
    let other = tracks
        .app
        .post(&path, json!({"confirm": "usr_other"}))
        .await;
    assert_refused(&other, 400, "invalid_field", "confirm");
    assert_eq!(
        tracks
            .app
            .get(&format!("/v1/users/{}", tracks.user))
            .await
            .body["email"],
        EMAIL
    );
}

#[actix_web::test]
async fn nobody_stands_in_the_way_of_an_erasure() {
    let tracks = tracks(Database::Sqlite).await;
    let app = &tracks.app;
    let pseudonym = format!("erased-{}", tracks.user.trim_start_matches("usr_"));
    let stranger = app.another_workspace("other").await;
    let first = json!({"email": format!("{pseudonym}@Erased.invalid")});
    let refused = app.call(&stranger, "POST", "/v1/users", Some(first)).await;
    assert_refused(&refused, 400, "invalid_field", "email");
    good(tracks.erase().await);
}

#[actix_web::test]
async fn the_last_owner_cannot_be_erased() {
    let app = TestApp::start().await;
    let me = app.get("/v1/me").await.body["user"]["id"].clone();
    let path = format!("/v1/users/{}/erase", me.as_str().unwrap());
    let refused = app.post(&path, json!({"confirm": me})).await;
    assert_refused(&refused, 409, "not_editable", "");
}

#[actix_web::test]
async fn an_erasure_here_leaves_somebody_alone_elsewhere() {
    let tracks = tracks(Database::Sqlite).await;
    let app = &tracks.app;
    let elsewhere = app.another_workspace("other").await;
    let there = made(app, &elsewhere, "users", newcomer()).await;
    let receipt = good(tracks.erase().await).body;
    let tables = receipt["tables"].as_array().unwrap();
    let people = tables.iter().find(|one| one["table"] == "people").unwrap();
    // Whether somebody is known elsewhere is not this workspace's to hear.
    assert_eq!((&people["erased"], &people["kept"]), (&json!(1), &json!(0)));
    let path = format!("/v1/users/{there}");
    let still = app.call(&elsewhere, "GET", &path, None).await.body;
    assert_eq!(
        (&still["email"], &still["name"]),
        (&json!(EMAIL), &json!(NAME))
    );
    let start = json!({"email": EMAIL});
    let start = app
        .call(&elsewhere, "POST", "/v1/tokens/start", Some(start))
        .await;
    assert_eq!(start.status, 200, "{}", start.body);
}

#[actix_web::test]
async fn ai_at_work_on_somebody_who_is_erased_comes_to_nothing() {
    let ai: Arc<dyn AiProvider> =
        ScriptedAi::remote([proposal(&[("overall", 70, "Zwitscherpiep sings")])]);
    let app = TestApp::on(Database::Sqlite, ai).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    good(
        app.post(&format!("/v1/submissions/{id}/ai"), json!({}))
            .await,
    );
    let path = format!("/v1/users/{}/erase", school.student);
    good(app.post(&path, json!({"confirm": school.student})).await);
    assert_eq!(app.work().await, 0, "the job is gone");
    let submission = app.get(&format!("/v1/submissions/{id}")).await.body;
    assert_eq!(submission["ai_status"], "error", "{submission}");
}

#[actix_web::test]
async fn somebody_from_an_lms_is_erased_with_their_identity() {
    let app = crate::school::app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    done(&app, &format!("courses/{}/publish", school.course)).await;
    done(&app, &format!("cohorts/{}/start", school.cohort)).await;
    let package = json!({"cohort_id": school.cohort});
    let package = good(app.post("/v1/scorm", package).await).id();
    app.work().await;
    let key = launch_key(&app.app.settings, package.parse().unwrap()).unwrap();
    let body = json!({
        "launch_key": key.reveal(), "learner": {"id": "Federkleid", "name": NAME},
        "lms": {"origin": "https://lms.example"}, "nonce": "0123456789abcdef",
    });
    let path = format!("/v1/scorm/{package}/sessions");
    let session = good(
        app.send(TestRequest::post().uri(&path).set_json(body))
            .await,
    )
    .body;
    let user = session["user"]["id"].as_str().unwrap().to_owned();
    let erase = format!("/v1/users/{user}/erase");
    good(app.post(&erase, json!({"confirm": user})).await);
    for word in ["Federkleid", "Kanaria"] {
        assert_eq!(
            places_of(app.database_url(), word),
            Vec::<String>::new(),
            "{word}"
        );
    }
    let me = app
        .call(&caller(&session["api_key"]), "GET", "/v1/me", None)
        .await;
    assert_eq!(me.status, 401, "{}", me.body);
}
