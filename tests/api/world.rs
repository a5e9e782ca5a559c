//! Workspaces with something of every kind in them, for tests that walk over every route.

use actix_web::test::TestRequest;
use lyceum_application::Error;
use lyceum_application::exporting::scorm_learners::launch_key;
use lyceum_application::identity::sign_in::{self, Browser};
use lyceum_application::identity::sign_in_links;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::ai_calls::AiCallRecord;
use lyceum_domain::grading::batches::{
    Batch, BatchGrader, BatchItem, BatchKind, BatchSelection, ChangeSummary,
};
use lyceum_domain::grading::certificates::certification::{Certification, EndCause};
use lyceum_domain::identity::keys::{ApiKey, KeyLookup};
use lyceum_domain::identity::passkeys::Passkey;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::ids::{ApiKeyId, AssignmentId, BatchId, CertificateId, PasskeyId, UserId};
use lyceum_domain::text::{Email, Name};
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::store::{StoreError, Tx};
use serde_json::{Map, Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;
use support::{sample_ai, sample_people};

use crate::media;
use crate::school::{STUDENT, School, app_on, made};

/// Two workspaces; one has something of every kind.
pub struct Worlds {
    pub app: TestApp,
    /// What an id stands for in a path or a body, in the first workspace.
    pub theirs: Ids,
    /// The same in the second.
    pub mine: Ids,
    /// The owner of the second.
    pub stranger: Caller,
}

/// Ids by collection, such as `courses`.
pub struct Ids(pub Map<String, Value>);

impl Ids {
    /// The id of a thing of a collection.
    pub fn of(&self, collection: &str) -> &str {
        let id = self.0.get(collection).and_then(Value::as_str);
        assert!(
            id.is_some(),
            "make something of {collection} to test its routes"
        );
        id.unwrap_or_default()
    }

    /// The id that a member such as `course_id` takes.
    pub fn for_member(&self, member: &str) -> &str {
        self.of(match member {
            "course_id" | "object_id" => "courses",
            "unit_id" | "parent_id" => "units",
            "lesson_id" => "lessons",
            "assignment_id" | "columns_after" => "assignments",
            "cohort_id" | "as_cohort" => "cohorts",
            "user_id" | "deleted_by" | "grader_id" => "users",
            "session_id" => "sessions",
            "thread_id" => "threads",
            "subject_id" => "submissions",
            other => other,
        })
    }

    /// A path of the route table with these ids in it.
    pub fn path(&self, path: &str) -> String {
        let collection = path.split('/').nth(2).unwrap_or_default();
        let mut filled = path.to_owned();
        if path.contains("{user_id}") {
            filled = filled.replace("{user_id}", self.of("users"));
        }
        if path.contains("{id}") || path.contains("{platform}") {
            let id = self.of(collection);
            filled = filled.replace("{id}", id).replace("{platform}", id);
        }
        if path.contains("{ticket}") {
            // A file of the preview, which is opened by its address alone.
            let file = "package/index.html";
            let tickets = match collection {
                "lessons" => "lesson_tickets",
                "activities" => "activity_tickets",
                _ => "tickets",
            };
            return filled
                .replace("{ticket}", self.of(tickets))
                .replace("{file}", file);
        }
        filled.replace("{file}", "reference.css")
    }
}

/// Everything that a caller has in a workspace of theirs.
pub async fn world(app: &TestApp, caller: &Caller) -> Ids {
    let school = School::of(app, caller).await;
    let get = async |path: &str| app.call(caller, "GET", path, None).await.body;
    let post = async |path: &str, body: Value| {
        let answer = app.call(caller, "POST", path, Some(body)).await;
        assert!(
            (200..300).contains(&answer.status),
            "{path} {}",
            answer.body
        );
        answer.id()
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let place = format!("/v1/cohorts/{}/students", school.cohort);
    post(&place, json!({"user_id": school.student})).await;
    let version = versions(app, caller, &school).await;
    let submission = json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "content": {"type": "text", "text": "Cool it fast."},
    });
    let submission = made(app, caller, "submissions", submission).await;
    certificate(app, caller, &school).await;
    let batch = batches(app, caller, &school, &submission).await;
    let attempts = format!("/v1/activities/{}/attempts", school.activity);
    post(&attempts, json!({"user_id": school.student, "answers": {}})).await;
    let trash = deleted(app, caller, &school).await;
    let syllabus = format!("/v1/courses/{}/syllabus", school.course);
    let endpoint = json!({"url": "http://127.0.0.1:9/hook"});
    let endpoint = post("/v1/webhook_endpoints", endpoint).await;
    let ping = format!("/v1/webhook_endpoints/{endpoint}/test");
    let key = json!({"name": "Spare", "scopes": ["read:keys"]});
    // Somebody else would like to have them.
    let inviting = app
        .another_workspace(&format!("{}-friends", caller.platform))
        .await;
    let invited = json!({"email": get("/v1/me").await["email"]});
    made(app, &inviting, "users", invited).await;
    let talk = format!("/v1/lessons/{}/tutor", school.lesson);
    let talk = app.call(caller, "POST", &talk, Some(json!({"message": "How cold?"})));
    member_session(app, caller, &school.student, 1).await;
    let ids = json!({
        "threads": text(&talk.await.body["thread_id"]),
        "overrides": post(&format!("/v1/assignments/{}/overrides", school.assignment), json!({"user_id": school.student, "due_at": "2040-01-01T00:00:00Z"})).await,
        "versions": version,
        "generations": post(&syllabus, json!({"brief": "Cooling", "hours": 1, "review": true})).await,
        "scorm": post("/v1/scorm", json!({"cohort_id": school.cohort})).await,
        "webhook_deliveries": post(&ping, json!({})).await,
        "webhook_endpoints": endpoint,
        "passkeys": passkey(app, &get("/v1/me").await["email"]).await,
        "sso_connections": post("/v1/sso_connections", sso_connection()).await,
        "sessions": session(app, &get("/v1/me").await["email"]).await,
        "invitations": text(&get("/v1/invitations").await["data"][0]["id"]),
        "api_keys": post("/v1/api_keys", key).await,
        "batch": post("/v1/batch", many_rows(51)).await,
        "batches": batch,
        "media": media::upload(app, caller, &media::picture(&caller.platform), &[]).await.id(),
        "media_uploads": post("/v1/media_uploads", json!({"size_bytes": 3})).await,
        "trash": trash,
        "audit": text(&get("/v1/audit").await["data"][0]["id"]),
        "events": text(&get("/v1/events").await["data"][0]["id"]),
        "workspaces": text(&get("/v1/workspaces").await["data"][0]["id"]),
        "platforms": text(&get("/v1/platforms").await["data"][0]["uuid"]),
        "courses": school.course, "units": school.unit, "lessons": school.lesson,
        "activities": school.activity, "assignments": school.assignment,
        "cohorts": school.cohort, "users": school.student, "submissions": submission,
    });
    app.work().await;
    let package = get(&format!("/v1/scorm/{}", ids["scorm"].as_str().unwrap())).await;
    let mut ids = ids.as_object().unwrap().clone();
    let pieces = format!(
        "/v1/generations/{}/pieces",
        ids["generations"].as_str().unwrap()
    );
    let piece = text(&get(&pieces).await["data"][0]["id"]);
    ids.insert("pieces".to_owned(), json!(piece));
    ids.insert("tickets".to_owned(), json!(ticket(&package)));
    for (tickets, collection, id) in [
        ("lesson_tickets", "lessons", &school.lesson),
        ("activity_tickets", "activities", &school.activity),
    ] {
        let path = format!("/v1/{collection}/{id}/preview");
        let made = app.call(caller, "POST", &path, None).await.body;
        ids.insert(tickets.to_owned(), json!(played_by(&made)));
    }
    let ids = Ids(ids);
    launch(app, ids.of("scorm"), "jdoe").await;
    book_call(app, caller, ids.of("submissions"), 1).await;
    ids
}

/// What the lesson, the activity and the assignment were before they got another name; the id of the lesson's.
async fn versions(app: &TestApp, caller: &Caller, school: &School) -> String {
    for thing in [
        format!("lessons/{}", school.lesson),
        format!("activities/{}", school.activity),
        format!("assignments/{}", school.assignment),
    ] {
        let path = format!("/v1/{thing}");
        let was = app.call(caller, "GET", &path, None).await.body["name"].clone();
        for name in [json!("Another name"), was] {
            let changed = json!({ "name": name });
            let changed = app.call(caller, "PATCH", &path, Some(changed)).await;
            assert_eq!(changed.status, 200, "{}", changed.body);
        }
    }
    let path = format!("/v1/lessons/{}/versions", school.lesson);
    let found = app.call(caller, "GET", &path, None).await.body;
    found["data"][0]["id"].as_str().unwrap().to_owned()
}

/// A passkey of whoever has this address; its id.
pub async fn passkey(app: &TestApp, email: &Value) -> String {
    let email = Email::parse(email.as_str().unwrap()).unwrap();
    let id: PasskeyId = app.app.ids.mint();
    let now = app.app.clock.now();
    let kept = move |tx: &mut dyn Tx| {
        let person = tx.users().find_person(&email)?.unwrap();
        tx.passkeys().insert(&Passkey {
            id,
            person_id: person.id,
            workspace_id: None,
            user_id: None,
            credential_id: id.to_string(),
            name: Name::parse("Phone").unwrap(),
            credential: "{}".to_owned(),
            last_used_at: None,
            stamp: Stamp::new(now),
        })
    };
    let kept: Result<(), StoreError> = app.app.store.write(kept).await;
    kept.unwrap();
    id.to_string()
}

/// The `n`-th session in a browser of a user of the caller's platform, which was told of it.
pub async fn member_session(app: &TestApp, caller: &Caller, user: &str, n: u64) {
    let (user, code): (UserId, _) = (user.parse().unwrap(), caller.platform.clone());
    let ids: (ApiKeyId, KeyLookup) = (
        app.app.ids.mint(),
        KeyLookup::from_stored(format!("lyc_w{code}{n}")),
    );
    let put = move |tx: &mut dyn Tx| {
        let code = PlatformCode::parse(&code).unwrap();
        let workspace = tx.workspaces().find_by_code(&code)?.unwrap().id;
        let person = tx.users().find(workspace, user)?.unwrap().person_id;
        let (id, lookup) = ids.clone();
        tx.keys().insert(&ApiKey {
            id,
            lookup,
            made_in: Some(workspace),
            ..sample_people::web_session(person, n)
        })
    };
    let put: Result<(), StoreError> = app.app.store.write(put).await;
    put.unwrap();
}

/// A session in a browser of whoever has this address; its id.
pub async fn session(app: &TestApp, email: &Value) -> String {
    let email = Email::parse(email.as_str().unwrap()).unwrap();
    let visit = app.app.service_visit();
    let browser = Browser {
        device: Name::parse("Firefox on Linux").unwrap(),
        asked: None,
        session: None,
    };
    let begun = move |tx: &mut dyn Tx| {
        let link = sign_in_links::make_for_shell(tx, &visit, &email)?;
        sign_in::finish(tx, &visit, &link.hash(), &browser)
    };
    let begun: Result<_, Error> = app.app.store.write(begun).await;
    begun.unwrap().session.id
}

/// A red team that is done, and a regrade of this submission that was previewed; the id of that.
async fn batches(app: &TestApp, caller: &Caller, school: &School, submission: &str) -> String {
    let attacks = school.assignment.replace("asg_", "bat_");
    put_batch(
        app,
        caller,
        &school.assignment,
        BatchKind::RedTeam,
        &attacks,
    )
    .await;
    let regrade = school.lesson.replace("les_", "bat_");
    put_batch(
        app,
        caller,
        &school.assignment,
        BatchKind::Regrade,
        &regrade,
    )
    .await;
    put_item(app, caller, &regrade, (0, submission)).await;
    regrade
}

/// A batch that came to its end.
pub async fn put_batch(
    app: &TestApp,
    caller: &Caller,
    assignment: &str,
    kind: BatchKind,
    id: &str,
) {
    let (id, assignment): (BatchId, AssignmentId) =
        (id.parse().unwrap(), assignment.parse().unwrap());
    let (platform, now) = (caller.platform.clone(), app.app.clock.now());
    let put = move |tx: &mut dyn Tx| {
        let code = PlatformCode::parse(&platform).unwrap();
        let workspace = tx.workspaces().find_by_code(&code)?.unwrap().id;
        let grader = BatchGrader {
            rubric: Rubric::overall(),
            model: String::new(),
            is_usual: false,
            min_confidence: 0,
        };
        let ids = (workspace, id, assignment);
        let mut batch = Batch::new(ids, kind, BatchSelection::default(), grader, now);
        match kind {
            BatchKind::Regrade => batch.previewed(ChangeSummary::default(), now),
            BatchKind::Grading | BatchKind::RedTeam => batch.done(None, now),
        }
        tx.batches().insert(&batch)
    };
    app.app.store.write(put).await.unwrap();
}

/// An item of a batch, at this place and about this submission.
pub async fn put_item(
    app: &TestApp,
    caller: &Caller,
    batch: &str,
    (place, submission): (u32, &str),
) {
    let item = BatchItem::of_submission(batch.parse().unwrap(), place, submission.parse().unwrap());
    let platform = caller.platform.clone();
    let put = move |tx: &mut dyn Tx| {
        let code = PlatformCode::parse(&platform).unwrap();
        let workspace = tx.workspaces().find_by_code(&code)?.unwrap().id;
        tx.batches()
            .add_items(workspace, std::slice::from_ref(&item))
    };
    app.app.store.write(put).await.unwrap();
}

/// A try for a certificate, for which there were too few answers.
async fn certificate(app: &TestApp, caller: &Caller, school: &School) {
    let place = format!("/v1/assignments/{}", school.assignment);
    let wanted = json!({"release": {}});
    let asking = app.call(caller, "PATCH", &place, Some(wanted)).await;
    assert_eq!(asking.status, 200, "{}", asking.body);
    let id: CertificateId = school.assignment.replace("asg_", "crt_").parse().unwrap();
    let assignment: AssignmentId = school.assignment.parse().unwrap();
    let (platform, now) = (caller.platform.clone(), Timestamp::from_unix_millis(0));
    let put = move |tx: &mut dyn Tx| {
        let code = PlatformCode::parse(&platform).unwrap();
        let workspace = tx.workspaces().find_by_code(&code)?.unwrap().id;
        let ids = (workspace, id, assignment);
        let mut tried = Certification::new(ids, ReleaseTerms::default(), None, now);
        tried.end(EndCause::TooFew, 0, now);
        tx.certificates().insert(&tried)
    };
    app.app.store.write(put).await.unwrap();
}

/// Something in the trash that cannot come back before what it hung on has; its id there.
async fn deleted(app: &TestApp, caller: &Caller, school: &School) -> String {
    let lesson = json!({"unit_id": school.unit, "name": "Spare"});
    let lesson = made(app, caller, "lessons", lesson).await;
    let activity = json!({"lesson_id": lesson, "kind": "reflection", "name": "Spare"});
    let activity = made(app, caller, "activities", activity).await;
    for path in [
        format!("activities/{activity}"),
        format!("lessons/{lesson}"),
    ] {
        let gone = app
            .call(caller, "DELETE", &format!("/v1/{path}"), None)
            .await;
        assert_eq!(gone.status, 200, "{}", gone.body);
    }
    let path = format!("/v1/trash?object_id={activity}");
    let found = app.call(caller, "GET", &path, None).await.body;
    found["data"][0]["id"].as_str().unwrap().to_owned()
}

/// Puts a call to an AI provider into a workspace's record: the engine of these tests makes none.
pub async fn book_call(app: &TestApp, caller: &Caller, submission: &str, n: u64) {
    let (platform, subject_id) = (caller.platform.clone(), submission.to_owned());
    let put = move |tx: &mut dyn Tx| {
        let code = PlatformCode::parse(&platform).unwrap();
        let workspace = tx.workspaces().find_by_code(&code)?.unwrap().id;
        let call = AiCallRecord {
            subject_id: subject_id.clone(),
            ..sample_ai::call(workspace, n)
        };
        tx.ai_calls().append(&[call])
    };
    app.app.store.write(put).await.unwrap();
}

/// Somebody comes with the package.
pub async fn launch(app: &TestApp, package: &str, learner: &str) {
    let key = launch_key(&app.app.settings, package.parse().unwrap()).unwrap();
    let body = json!({
        "launch_key": key.reveal(), "learner": {"id": learner, "name": "Doe, Jane"},
        "lms": {"origin": "https://lms.example"}, "nonce": "0123456789abcdef",
    });
    let path = format!("/v1/scorm/{package}/sessions");
    let sent = TestRequest::post().uri(&path).set_json(body);
    let answer = app.send(sent).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// What opens the files of a lesson or an activity that is played, as a part of their addresses.
fn played_by(preview: &Value) -> String {
    let address = preview["url"].as_str().unwrap();
    let (_, query) = address.split_once("?workspace=").unwrap();
    query.replace("&expires=", "-").replace("&signature=", "-")
}

/// What opens the files of a package's preview, as a part of their addresses.
pub fn ticket(package: &Value) -> String {
    let address = package["preview_url"].as_str().unwrap();
    let (_, query) = address.split_once("?expires=").unwrap();
    query.replace("&signature=", "-")
}

pub async fn worlds(database: Database) -> Worlds {
    let app = app_on(database).await;
    let stranger = app.another_workspace("other").await;
    Worlds {
        theirs: world(&app, &app.owner).await,
        mine: world(&app, &stranger).await,
        stranger,
        app,
    }
}

/// Ids of the right form that never were.
pub fn unknown(ids: &Ids) -> Ids {
    let never = |id: &Value| {
        let id = id.as_str().unwrap_or_default();
        let never = id
            .split_once('_')
            .map(|(prefix, _)| format!("{prefix}_{}", "0".repeat(26)));
        json!(never.unwrap_or_else(|| "f".repeat(24)))
    };
    Ids(ids
        .0
        .iter()
        .map(|(name, id)| (name.clone(), never(id)))
        .collect())
}

/// A body that the operation would take from somebody whose things these are.
pub fn body(operation: &str, ids: &Ids) -> Value {
    match operation {
        "moveUnit" | "moveLesson" | "moveActivity" => json!({"position": 0}),
        "moveTogether" => {
            json!({"ids": [ids.of("lessons")], "parent_id": ids.of("units"), "position": 0})
        }
        "askTutor" => json!({"message": "How cold?"}),
        "renderText" => json!({"text": "Cool it *fast*."}),
        "tryGrading" => json!({"text": "Cool it fast."}),
        "generateActivities" => json!({"kind": "quiz"}),
        "eraseUser" => json!({"confirm": ids.of("users")}),
        "gradeSubmission" => json!({"score": 1}),
        "gradeAlike" => json!({"submission_ids": [ids.of("submissions")]}),
        "enrollStudent" | "completeLesson" => json!({"user_id": ids.of("users")}),
        "configureAssignmentRubric" => json!({"criteria": [{"name": "Time"}]}),
        "createCohort" | "createUnit" => json!({"course_id": ids.of("courses"), "name": "N"}),
        "createLesson" => json!({"unit_id": ids.of("units"), "name": "N"}),
        "createActivity" => {
            json!({"lesson_id": ids.of("lessons"), "kind": "quiz", "name": "N"})
        }
        "createBulkWrite" => json!({
            "operation": "createCourse", "rows": [{"body": {"name": "N", "language": "en"}}],
        }),
        "createMediaUpload" => json!({"size_bytes": 3}),
        "createAssignment" | "createWorkspace" => json!({"name": "N"}),
        "createCourse" => json!({"name": "N", "language": "en"}),
        "createUser" => json!({"email": "new@school.example"}),
        "createApiKey" => json!({"name": "N", "scopes": ["read:keys"]}),
        "createSsoConnection" => sso_connection(),
        "createWebhookEndpoint" => json!({"url": "http://127.0.0.1:9/more"}),
        "startToken" => json!({"email": STUDENT}),
        "generateSyllabus" => json!({"brief": "Cooling", "hours": 1}),
        "createAttempt" => json!({"user_id": ids.of("users"), "answers": {"q1": "a"}}),
        "createScormPackage" | "createDueOverride" => json!({"cohort_id": ids.of("cohorts")}),
        "createScormSession" => json!({
            "launch_key": "lk_wrong", "learner": {"id": "jdoe", "name": "Jane"}, "lms": {},
            "nonce": "0123456789abcdef",
        }),
        "recoverWebhookEndpoint" => json!({"since": "2026-11-21T06:00:00Z"}),
        "createSubmission" => json!({
            "assignment_id": ids.of("assignments"), "user_id": ids.of("users"),
            "content": {"type": "text", "text": "T"},
        }),
        _ => json!({}),
    }
}

/// So many rows that try out to make a course: more than are written at once are written in the background.
pub fn many_rows(count: usize) -> Value {
    let row = json!({"body": {"name": "N", "language": "en"}});
    json!({"operation": "createCourse", "rows": vec![row; count], "dry_run": true})
}

/// The same, naming `whose` thing in this member: where only one of several may be named, that one.
pub fn naming(operation: &str, member: &str, ids: &Ids, whose: &Ids) -> Value {
    let mut sent = body(operation, ids);
    if operation == "createDueOverride" {
        sent = json!({});
    }
    sent[member] = json!(whose.for_member(member));
    sent
}

/// A connection to a provider that is never asked.
pub fn sso_connection() -> Value {
    json!({ "name": "School accounts", "issuer": "http://10.0.0.1", "client_id": "lyceum", "client_secret": "hush" })
}
