//! The examples of the OpenAPI document: a story in which every operation answers once.
//!
//! The clock stands and ids count, so the story gives the same answers each time and every byte is compared with
//! what is committed. After a change that shows in an answer: `UPDATE_OPENAPI=1 cargo nextest run -p lyceum-tests
//! --test api examples`, then read the difference.

mod account;
mod authoring;
mod grading;
mod listening;
mod running;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use actix_web::test::TestRequest;
use lyceum_api::document::openapi::{Example, Examples};
use lyceum_api::routes;
use lyceum_domain::notifying::letters::MailTemplate;
use lyceum_ports::notifying::mailer::MailToSend;
use serde_json::{Map, Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::mails::{Postbox, send, with_postbox};
use crate::media;
use crate::passkeys::with_passkeys;
use crate::presigned::presigning;

/// The story so far.
pub struct Story {
    pub app: TestApp,
    postbox: Arc<Postbox>,
    examples: Examples,
}

impl Story {
    async fn begin(database: Database) -> Self {
        // The first generation fails, so that it can be tried again.
        let ai = ScriptedAi::new([Scripted::Refused]);
        let mut app = TestApp::on(database, ai).await;
        let (with_mail, postbox) = with_postbox(&app);
        app.app = with_mail;
        Self {
            postbox,
            app: with_passkeys(app.reached_at("https://lyceum.test")),
            examples: Examples::default(),
        }
    }

    /// The link of the invitation that arrived.
    pub async fn arrived(&self) -> String {
        while send(&self.app.app).await > 0 {}
        let mails = self.postbox.taken.lock().unwrap();
        let is_it = |mail: &&MailToSend| mail.letter.template() == MailTemplate::Invitation;
        let letter = &mails.iter().find(is_it).unwrap().letter;
        letter.values()["link"].clone()
    }

    /// Lets the owner do something and keeps what was asked and answered.
    pub async fn tell(&mut self, operation: &str, path: Value, body: Value) -> Answer {
        let owner = self.app.owner.clone();
        self.tell_as(&owner, operation, path, json!({}), body).await
    }

    /// The same with parameters of the query and without a body.
    pub async fn ask(&mut self, operation: &str, path: Value, query: Value) -> Answer {
        let owner = self.app.owner.clone();
        self.tell_as(&owner, operation, path, query, Value::Null)
            .await
    }

    /// Lets the owner upload a file; what stands in a form is no example of JSON.
    pub async fn tell_form(
        &mut self,
        operation: &str,
        file: &[u8],
        texts: &[(&str, &str)],
    ) -> Answer {
        let owner = self.app.owner.clone();
        let answer = media::upload(&self.app, &owner, file, texts).await;
        assert_eq!(answer.status, 202, "{operation}: {}", answer.body);
        let example = Example {
            path: Map::new(),
            query: Map::new(),
            body: None,
            answer: steady(answer.body.clone()),
        };
        let first = self.examples.0.insert(operation.to_owned(), example);
        assert!(first.is_none(), "{operation} is told twice");
        answer
    }

    /// The same for somebody else.
    pub async fn tell_as(
        &mut self,
        caller: &Caller,
        operation: &str,
        path: Value,
        query: Value,
        body: Value,
    ) -> Answer {
        let table = routes::all();
        let route = table.iter().find(|route| route.operation == operation);
        assert!(route.is_some(), "there is no operation {operation}");
        let route = route.unwrap();
        let (path, query) = (object(&path), object(&query));
        let mut address = route.path.to_owned();
        for (name, value) in &path {
            address = address.replace(&format!("{{{name}}}"), value.as_str().unwrap());
        }
        let pairs = query.iter().map(|(name, value)| {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            format!("{name}={value}")
        });
        let pairs: Vec<String> = pairs.collect();
        if !pairs.is_empty() {
            address = format!("{address}?{}", pairs.join("&"));
        }
        let sent = request(caller, route.method, &address);
        let example = (path, query, body);
        self.send_as(sent, operation, example).await
    }

    /// Sends a request built by hand, and keeps what was asked and answered.
    pub async fn send_as(
        &mut self,
        mut sent: TestRequest,
        operation: &str,
        (path, query, body): (Map<String, Value>, Map<String, Value>, Value),
    ) -> Answer {
        if !body.is_null() {
            sent = sent.set_json(&body);
        }
        let answer = self.app.send(sent).await;
        assert!(
            (200..300).contains(&answer.status),
            "{operation}: {}",
            answer.body
        );
        let example = Example {
            path,
            query,
            body: (!body.is_null()).then(|| steady(body)),
            answer: steady(answer.body.clone()),
        };
        let first = self
            .examples
            .0
            .insert(operation.to_owned(), example)
            .is_none();
        assert!(first, "{operation} is told twice");
        answer
    }
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// What depends on the player's bytes and the compressor's version is not part of the story.
fn steady(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            // How long a receiver took is another time each time.
            let is_attempt = members.contains_key("answer");
            // That it was used is noted after the answer.
            let is_session = members.contains_key("signed_in_by");
            for (name, member) in members.iter_mut() {
                *member = match (name.as_str(), member.take()) {
                    ("duration_ms", Value::Number(_)) if is_attempt => json!(41),
                    ("last_used_at", _) if is_session => Value::Null,
                    ("sha256" | "content_hash", Value::String(_)) => json!("5e9c".repeat(16)),
                    ("size_bytes", Value::Number(_)) => json!(48_211),
                    // Devices sign, and are asked, something else each time.
                    ("credential", Value::Object(_)) => {
                        json!({"id": "…", "type": "public-key", "response": {}})
                    }
                    ("options", Value::Object(_)) => json!({"publicKey": {"challenge": "…"}}),
                    // Whoever stands in line takes more of what is random on one database than on the other.
                    ("token", Value::String(text)) if text.starts_with("inl_") => {
                        json!(format!("inl_{}", "0123456789abcdef".repeat(4)))
                    }
                    (_, other) => steady(other),
                };
            }
        }
        Value::Array(entries) => entries
            .iter_mut()
            .for_each(|entry| *entry = steady(entry.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    value
}

/// Operations whose answers are not JSON of our own shapes.
const WITHOUT: [&str; 23] = [
    // What a provider on a machine answers is another one's each time.
    "startSso",
    "finishSso",
    "endSsoSessions",
    "healthz",
    "readyz",
    "openapi",
    "docs",
    "docsFile",
    "contentStyle",
    "downloadActivityAudio",
    "downloadMedia",
    "appendToMediaUpload",
    "deleteMediaUpload",
    "streamGeneration",
    "downloadScormPackage",
    "downloadGradebookCsv",
    "downloadGradebookXlsx",
    "previewScormPackage",
    "previewScormPackageFile",
    "playLesson",
    "playLessonFile",
    "playActivity",
    "playActivityFile",
];

async fn told(database: Database) -> Examples {
    let mut story = Story::begin(database).await;
    let course = authoring::tell(&mut story).await;
    let people = running::tell(&mut story, &course).await;
    grading::tell(&mut story, &course, &people).await;
    listening::tell(&mut story, &people).await;
    running::end(&mut story, &course, &people).await;
    authoring::end(&mut story, &course).await;
    story.app = presigning(story.app);
    authoring::library(&mut story).await;
    account::tell(&mut story).await;
    authoring::many(&mut story).await;
    story.examples
}

fn committed(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(path)
}

/// Whether what is committed is to be written instead of compared.
pub fn updating() -> bool {
    std::env::var_os("UPDATE_OPENAPI").is_some()
}

#[actix_web::test]
async fn every_example_is_what_the_service_answers() {
    let examples = told(Database::Sqlite).await;
    let table = routes::all();
    let wanted: BTreeSet<&str> = table
        .iter()
        .map(|route| route.operation)
        .filter(|operation| !WITHOUT.contains(operation))
        .collect();
    let there: BTreeSet<&str> = examples.0.keys().map(String::as_str).collect();
    let lacking: Vec<&&str> = wanted.difference(&there).collect();
    assert!(
        lacking.is_empty(),
        "operations without an example: {lacking:?}"
    );
    if updating() {
        let text = serde_json::to_string_pretty(&examples).unwrap() + "\n";
        std::fs::write(
            committed("crates/api/src/document/openapi/examples.json"),
            text,
        )
        .unwrap();
        return;
    }
    let recorded = Examples::recorded().unwrap();
    for (operation, example) in &examples.0 {
        let known = recorded.get(operation);
        let text = serde_json::to_string_pretty(example).unwrap();
        assert_eq!(known, Some(example), "{operation} now is {text}");
    }
    assert_eq!(
        recorded.0.len(),
        examples.0.len(),
        "an example of no operation"
    );
}

#[actix_web::test]
async fn the_story_is_the_same_on_postgres() {
    let (one, other) = (told(Database::Sqlite).await, told(Database::Postgres).await);
    for (operation, example) in &one.0 {
        assert_eq!(other.get(operation), Some(example), "{operation}");
    }
}
