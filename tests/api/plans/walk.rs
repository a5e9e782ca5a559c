//! Everything the service asks of its database: every route as everybody who may ask it, every filter, every cursor,
//! every expansion, and what runs in the background.

use std::collections::HashSet;
use std::time::Duration;

use lyceum_api::http::route::Route;
use lyceum_application::running::node::{self, Introduction};
use lyceum_application::running::{retention, room, shared_limits};
use lyceum_application::work;
use lyceum_domain::Id;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::running::nodes::NodeId;
use lyceum_ports::running::shared_limits::SharedQuota;
use lyceum_ports::store::{StoreError, Tx};
use serde_json::{Value, json};
use support::app::{TestApp, request};
use support::fakes::START_MILLIS;
use support::sample_people as people;
use support::stores::Database;
use support::{queries, sample};
use uuid::Uuid;

use crate::access::{Stage, stage, table};
use crate::bad_input::spelt;
use crate::world::Ids;
use crate::{digests, mails};

/// A statement, and what made it first.
pub struct Statement {
    pub place: String,
    pub text: String,
}

/// What learners have used goes only by force.
const FORCED: [&str; 9] = [
    "/v1/activities/{id}",
    "/v1/assignments/{id}",
    "/v1/cohorts/{id}",
    "/v1/courses/{id}",
    "/v1/lessons/{id}",
    "/v1/submissions/{id}",
    "/v1/units/{id}",
    "/v1/users/{id}",
    "/v1/workspaces/{id}",
];

/// A queue of so many deliveries is read by turns of their endpoints.
const LONG_QUEUE: u64 = 256;
/// A queue of so many jobs is read by turns of their workspaces.
const LONG_JOB_QUEUE: u64 = 64;

/// What was asked so far, each once.
struct Log {
    url: String,
    seen: HashSet<String>,
    statements: Vec<Statement>,
}

impl Log {
    fn note(&mut self, place: &str) {
        for query in queries::taken(&self.url) {
            let text = query.split(" -- binds: ").next().unwrap().trim();
            // What is only put in looks for nothing, nor does who asks for one of none.
            let puts_in = text.starts_with("INSERT ") && !text.contains(" SELECT ");
            let looks = !puts_in && !text.contains("(1=0)");
            if looks && self.seen.insert(shape(text)) {
                let (place, text) = (place.to_owned(), text.to_owned());
                self.statements.push(Statement { place, text });
            }
        }
    }
}

/// A statement without what the databases spell differently; a list of two is found as a list of one.
pub fn shape(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !['`', '"'].contains(c)).collect();
    let mut shape = String::new();
    let mut pieces = bare.split('$');
    shape += pieces.next().unwrap_or_default();
    for piece in pieces {
        shape.push('?');
        shape += piece.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    shape = shape
        .replace("= ANY(?)", "IN (?)")
        .replace("!= ALL(?)", "NOT IN (?)");
    while shape.contains("?, ?") {
        shape = shape.replace("?, ?", "?");
    }
    shape
}

/// Walks over everything on a fresh database, which stays for as long as the application that is returned.
pub async fn walk(database: Database) -> (TestApp, Vec<Statement>) {
    queries::listen();
    let stage = stage(database).await;
    let mut log = Log {
        url: stage.app.database_url().to_owned(),
        seen: HashSet::new(),
        statements: Vec::new(),
    };
    log.note("making a world");
    have_one_wait(&stage.app).await;
    log.note("having a change wait");
    have_one_pinned(&stage.app).await;
    log.note("pinning what a cohort sees");
    let routes: Vec<Route> = table().into_iter().map(|(route, _)| route).collect();
    let (reads, writes): (Vec<_>, Vec<_>) =
        routes.into_iter().partition(|route| route.method == "GET");
    read_all(&stage, &reads, &mut log).await;
    let (removals, changes): (Vec<_>, Vec<_>) = writes
        .into_iter()
        .partition(|route| route.method == "DELETE" || route.operation == "eraseUser");
    write_all(&stage, &changes, &mut log).await;
    work_all(&stage.app, &mut log).await;
    long_queues(&stage.app, &mut log).await;
    mails::one_is_sent(&stage.app).await;
    log.note("sending mail");
    digests::one_is_due(&stage.app).await;
    log.note("telling what waits");
    nodes(&stage.app, &mut log).await;
    write_all(&stage, &removals, &mut log).await;
    work_all(&stage.app, &mut log).await;
    sweep(&stage.app, &mut log).await;
    (stage.app, log.statements)
}

/// Nothing of the world is published.
async fn have_one_wait(app: &TestApp) {
    let course = json!({"name": "Knives", "language": "en"});
    let path = format!("/v1/courses/{}", app.post("/v1/courses", course).await.id());
    app.post(&format!("{path}/publish"), json!({})).await;
    let wanted = json!({"name": "Knives and boards"});
    let waits = app.patch(&format!("{path}?draft=true"), wanted).await;
    assert_eq!(waits.body["waiting"], json!(["name"]));
}

/// A cohort that is updated by choice sees a lesson as it was, twice changed; is updated, and sees one that came back.
async fn have_one_pinned(app: &TestApp) {
    let made = async |path: &str, body: Value| app.post(&format!("/v1/{path}"), body).await.id();
    let course = made("courses", json!({"name": "Boards", "language": "en"})).await;
    let unit = made("units", json!({"course_id": course, "name": "Wood"})).await;
    let lesson = json!({"unit_id": unit, "name": "Oak", "content": "Oil it."});
    let lesson = made("lessons", lesson).await;
    let cohort = json!({"course_id": course, "name": "Now", "updates": "manual"});
    let cohort = format!("/v1/cohorts/{}", made("cohorts", cohort).await);
    app.post(&format!("{cohort}/start"), json!({})).await;
    let lesson = format!("/v1/lessons/{lesson}");
    for text in ["Dry it.", "Wax it."] {
        app.patch(&lesson, json!({"content": text, "name": text}))
            .await;
        app.patch(&lesson, json!({"name": "Oak"})).await;
    }
    let id = cohort.trim_start_matches("/v1/cohorts/");
    let sees = app.get(&format!("{lesson}?as_cohort={id}")).await;
    assert_eq!(sees.body["content"], "Oil it.");
    let update = app.get(&format!("{cohort}/update")).await;
    assert_eq!(update.body["changes"][0]["fields"], json!(["content"]));
    let updated = app.post(&format!("{cohort}/update"), json!({})).await;
    assert_eq!(updated.status, 200, "{}", updated.body);
    for text in ["Dry it.", "Wax it."] {
        app.patch(&lesson, json!({"content": text})).await;
    }
}

async fn read_all(stage: &Stage, reads: &[Route], log: &mut Log) {
    let document: Value = serde_json::from_slice(&stage.app.api.document().unwrap()).unwrap();
    for route in reads {
        let parameters = document["paths"][route.path]["get"]["parameters"].as_array();
        let parameters: Vec<&Value> = parameters.into_iter().flatten().collect();
        let path = stage.ids.path(route.path);
        let answer = stage.app.get(&path).await;
        for caller in [&stage.student, &stage.session] {
            stage.app.call(caller, "GET", &path, None).await;
        }
        log.note(&format!("GET {}", route.path));
        let first = answer.body["data"][0]["id"].as_str().map(ToOwned::to_owned);
        for query in questions(&parameters, first.as_deref(), &stage.ids) {
            let path = format!("{path}?{query}");
            stage.app.get(&path).await;
            if !query.contains("expand=") && !query.contains("created_at") {
                stage.app.call(&stage.session, "GET", &path, None).await;
            }
            log.note(&format!("GET {}?{query}", route.path));
        }
    }
}

/// Each filter by itself and with the cursor, the cursor by itself, and each expansion.
fn questions(parameters: &[&Value], first: Option<&str>, ids: &Ids) -> Vec<String> {
    let cursor = first.map(|first| format!("startingAfter={first}"));
    let mut questions: Vec<String> = cursor.iter().cloned().collect();
    for parameter in parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query")
    {
        let name = spelt(parameter);
        match name.as_str() {
            "limit" | "startingAfter" | "signature" | "expires" | "workspace" => {}
            "expand" => {
                let paths = parameter["schema"]["items"]["enum"].as_array().unwrap();
                let paths = paths.iter().filter_map(Value::as_str);
                let short = paths.filter(|path| path.matches('.').count() < 2);
                questions.extend(short.map(|path| format!("expand={path}")));
            }
            "sort" => {
                let words = parameter["schema"]["enum"].as_array().unwrap();
                for word in words.iter().filter_map(Value::as_str) {
                    let both = cursor.iter().map(|cursor| format!("sort={word}&{cursor}"));
                    questions.extend(both);
                    questions.push(format!("sort={word}"));
                }
            }
            "actor" => {
                let actors = ["system", ids.of("users"), ids.of("api_keys")];
                questions.extend(actors.map(|actor| format!("actor={actor}")));
            }
            "stale" => {
                let assignment = ids.of("assignments");
                for stale in [true, false] {
                    let filter = format!("stale={stale}&assignment_id={assignment}");
                    let both = cursor.iter().map(|cursor| format!("{filter}&{cursor}"));
                    questions.extend(both);
                    questions.push(filter);
                }
            }
            _ => {
                let filter = format!("{name}={}", value_of(parameter, ids));
                // The four bounds are one query in four spellings.
                if name.starts_with("created_at") && name != "created_at[gte]" {
                    continue;
                }
                let both = cursor.iter().map(|cursor| format!("{filter}&{cursor}"));
                questions.extend(both);
                questions.push(filter);
            }
        }
    }
    questions
}

/// Filters that take a moment.
const MOMENTS: [&str; 4] = ["from", "to", "graded_after", "graded_before"];

/// A value that a filter takes, whatever comes of it.
fn value_of(parameter: &Value, ids: &Ids) -> String {
    let name = spelt(parameter);
    let words = parameter["schema"]["enum"].as_array();
    match (words.and_then(|words| words.first()), name.as_str()) {
        (Some(word), _) => word.as_str().unwrap().to_owned(),
        (None, "language") => "en".to_owned(),
        (None, "origin") => "https://lms.example".to_owned(),
        (None, "email") => "ada@school.example".to_owned(),
        (None, "type") => "course.created".to_owned(),
        (None, "action") => "key.created".to_owned(),
        (None, "subject_object") => "submission".to_owned(),
        (None, "verify") => "true".to_owned(),
        (None, "sha256") => "5".repeat(64),
        (None, "number") => "0".to_owned(),
        (None, "columns" | "overdue" | "inactive_days" | "low_total" | "pace") => "5".to_owned(),
        (None, "q" | "metadata[k]" | "state" | "code" | "iss" | "error") => "x".to_owned(),
        (None, name) if name.starts_with("created_at") || MOMENTS.contains(&name) => {
            "2026-11-21T06:55:00Z".to_owned()
        }
        (None, name) => ids.for_member(name).to_owned(),
    }
}

async fn write_all(stage: &Stage, writes: &[Route], log: &mut Log) {
    for route in writes {
        let path = stage.ids.path(route.path);
        for caller in [&stage.session, &stage.app.owner, &stage.app.owner] {
            // The second time it is the reply that is asked for.
            let key = format!("once-{}-{}", route.operation, caller.key.len());
            let asked =
                request(caller, route.method, &path).insert_header(("Idempotency-Key", key));
            stage.app.send(stage.with_body(route, asked)).await;
        }
        if FORCED.contains(&route.path) && route.method == "DELETE" {
            // Somebody is learning with it.
            stage.app.delete(&format!("{path}?force=true")).await;
        }
        log.note(&format!("{} {}", route.method, route.path));
    }
}

async fn work_all(app: &TestApp, log: &mut Log) {
    app.work().await;
    log.note("doing jobs");
    app.deliver().await;
    log.note("delivering");
}

/// So much waits that it is taken by turns, and some of it is abandoned.
async fn long_queues(app: &TestApp, log: &mut Log) {
    app.app.store.write(queue_much).await.unwrap();
    queries::taken(&log.url);
    work::claim(&app.app, JobLane::Ai, 10).await.unwrap();
    log.note("claiming of a long queue");
    work::claim_deliveries(&app.app, 10).await.unwrap();
    log.note("claiming of many deliveries");
    app.clock.advance(600);
    let jobs = work::claim(&app.app, JobLane::Ai, 100).await.unwrap();
    work::extend(&app.app, &jobs[0]).await.unwrap();
    log.note("taking abandoned jobs");
    work::claim_deliveries(&app.app, 10).await.unwrap();
    log.note("taking abandoned deliveries");
    let now = app.app.clock.now();
    let end = move |tx: &mut dyn Tx| {
        for job in &jobs {
            tx.jobs().finish(job, now)?;
        }
        let endpoint = people::endpoint(workspace(tx)?, 1);
        tx.webhooks().delete(endpoint.workspace_id, endpoint.id)
    };
    app.app.store.write(end).await.unwrap();
    log.note("deleting an endpoint");
}

fn workspace(tx: &mut dyn Tx) -> Result<WorkspaceId, StoreError> {
    let code = PlatformCode::parse("main").unwrap();
    Ok(tx.workspaces().find_by_code(&code)?.unwrap().id)
}

fn queue_much(tx: &mut dyn Tx) -> Result<(), StoreError> {
    let workspace = workspace(tx)?;
    tx.webhooks().insert(&people::endpoint(workspace, 1))?;
    for n in 1..=LONG_QUEUE {
        // Ids of their own, beside those that the application has counted.
        let of = |kind: u128| {
            let moment = u128::from(START_MILLIS.unsigned_abs()) << 80;
            Uuid::from_u128(moment | kind << 64 | u128::from(n))
        };
        if n <= LONG_JOB_QUEUE {
            let job = QueuedJob {
                id: of(0x7aaa),
                ..people::job(workspace, n)
            };
            tx.jobs().enqueue(&job, sample::now())?;
        }
        tx.events().append(&people::event(workspace, n))?;
        let mut delivery = people::delivery(workspace, n, 1, n);
        delivery.id = Id::from_uuid(of(0x7bbb));
        tx.webhooks().insert_delivery(&delivery, None)?;
    }
    Ok(())
}

/// Nodes come, stay and go.
async fn nodes(app: &TestApp, log: &mut Log) {
    let introduction = |is_alone: bool| Introduction {
        name: Some("one".to_owned()),
        host: "machine".to_owned(),
        process: None,
        version: "1".to_owned(),
        started_at: app.app.clock.now(),
        is_alone,
    };
    let mut other = app.app.clone();
    other.node = node::ThisNode::new(NodeId(Uuid::from_u128(2)));
    node::join(&other, &introduction(true)).await.unwrap();
    node::join(&app.app, &introduction(false)).await.unwrap();
    app.clock.advance(3600);
    node::join(&other, &introduction(false)).await.unwrap();
    app.clock.advance(3600);
    node::renew(&app.app, &introduction(false)).await.unwrap();
    node::leave(&app.app).await.unwrap();
    node::registered_nodes(&app.app).await.unwrap();
    node::shared_clock(&app.app).await.unwrap();
    let bucket = "ai".to_owned();
    let quota = SharedQuota::per_minute(std::num::NonZeroU32::new(60).unwrap());
    shared_limits::take(&app.app, bucket, quota, 1)
        .await
        .unwrap();
    log.note("the register of nodes");
    for workspace in room::due(&app.app).await.unwrap() {
        room::measure(&app.app, workspace).await.unwrap();
    }
    room::renew(&app.app).await.unwrap();
    log.note("measuring");
}

/// After so long that everything is forgotten that ever is.
async fn sweep(app: &TestApp, log: &mut Log) {
    let days = Duration::from_hours(24 * 100);
    app.clock.advance(i64::try_from(days.as_secs()).unwrap());
    retention::sweep(&app.app).await.unwrap();
    log.note("sweeping");
}
