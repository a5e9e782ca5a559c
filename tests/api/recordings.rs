//! Podcasts that are spoken: how, what becomes of a failure, who hears the recording, and when it goes.

use std::io::{Cursor, Read};
use std::sync::Arc;

use actix_web::test::TestRequest;
use lyceum_domain::hex::lower;
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::app::TestApp;
use support::scripted_ai::{SAMPLE_RATE, Scripted, ScriptedAi, tone};
use support::stores::Database;
use zip::ZipArchive;

use crate::generation_steps::{LEASE_OVER, distinct, work_and_die};
use crate::school::{School, destroy, list, made};
use crate::scorm::{address, bytes, ready};

/// A lesson that is recorded.
const LESSON: &str = "Food safety for kitchen staff: cooling, storing, reheating, allergens.";

/// Bytes of 0.4 s of silence.
const PAUSE: usize = 19_200;
/// How long an address works at most, in seconds.
const ADDRESS_OVER: i64 = 2 * 3_600 + 1;

/// A school with one podcast.
pub struct Station {
    pub app: TestApp,
    ai: Arc<ScriptedAi>,
    pub school: School,
    generation: String,
}

impl Station {
    /// Asks for the podcast; nothing is done yet.
    pub async fn open(ai: Arc<ScriptedAi>, database: Database, more: Value) -> Self {
        let provider: Arc<dyn AiProvider> = ai.clone();
        let app = TestApp::on(database, provider).await;
        let school = School::open(&app).await;
        let lesson = format!("/v1/lessons/{}", school.lesson);
        app.patch(&lesson, json!({ "content": LESSON })).await;
        let mut body = json!({"kind": "podcast"});
        let members = more.as_object().cloned().unwrap();
        body.as_object_mut().unwrap().extend(members);
        let asked = app
            .post(&format!("{lesson}/activities/generate"), body)
            .await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        Self {
            generation: asked.id(),
            app,
            ai,
            school,
        }
    }

    /// One that is on the air.
    async fn on_air(database: Database) -> Self {
        let station = Self::open(ScriptedAi::speaking([]), database, json!({})).await;
        station.app.work().await;
        station
    }

    async fn generation(&self) -> Value {
        let path = format!("/v1/generations/{}", self.generation);
        self.app.get(&path).await.body
    }

    /// The podcast, once it is there.
    pub async fn podcast(&self) -> Value {
        let ready = self.generation().await;
        assert_eq!(ready["status"], "ready", "{ready}");
        let id = ready["result"]["activity_ids"][0].as_str().unwrap();
        self.app.get(&format!("/v1/activities/{id}")).await.body
    }

    async fn patch(&self, podcast: &Value, content: &Value) -> Value {
        let path = format!("/v1/activities/{}", podcast["id"].as_str().unwrap());
        let patched = self.app.patch(&path, json!({ "content": content })).await;
        assert_eq!(patched.status, 200, "{}", patched.body);
        patched.body
    }

    pub async fn hear(&self, path: &str) -> (u16, Vec<u8>) {
        bytes(&self.app, TestRequest::with_uri(path)).await
    }

    async fn is_kept(&self, key: &BlobKey) -> bool {
        self.app.app.blobs.read(key, None).await.is_ok()
    }

    /// Where the recording of its only podcast is kept.
    pub fn recording(&self) -> BlobKey {
        BlobKey::of_recording(&format!("{}-1", self.generation)).unwrap()
    }
}

/// Path and query of the address of a recording.
pub fn heard_at(podcast: &Value) -> String {
    let url = podcast["content"]["audio"]["url"].as_str().unwrap();
    url.strip_prefix("http://lyceum.test").unwrap().to_owned()
}

/// The turns of a script: place of the speaker, and text.
fn turns(podcast: &Value) -> Vec<(usize, String)> {
    let content = &podcast["content"];
    let speakers = content["speakers"].as_array().unwrap();
    let segments = content["segments"].as_array().unwrap().iter();
    let turns = segments.flat_map(|segment| segment["turns"].as_array().unwrap());
    let turn = |turn: &Value| {
        let speaker = speakers
            .iter()
            .position(|one| one["id"] == turn["speaker_id"]);
        (speaker.unwrap(), turn["text"].as_str().unwrap().to_owned())
    };
    turns.map(turn).collect()
}

#[actix_web::test]
async fn a_script_is_spoken_turn_by_turn_and_heard_as_one() {
    for database in [Database::Sqlite, Database::Postgres] {
        let station = Station::on_air(database).await;
        let podcast = station.podcast().await;
        let turns = turns(&podcast);
        let steps = station.generation().await["steps"].clone();
        let keys = steps.as_array().unwrap().iter();
        let keys = keys.map(|step| step["key"].as_str().unwrap());
        let spoken = (1..=turns.len()).map(|n| format!("speech/1/{n}"));
        let expected: Vec<String> = std::iter::once("activities".to_owned())
            .chain(spoken)
            .collect();
        assert_eq!(keys.collect::<Vec<_>>(), expected);
        assert_eq!(station.ai.asked().len(), expected.len());
        let samples: Vec<Vec<u8>> = turns
            .iter()
            .map(|(speaker, text)| tone(text, *speaker))
            .collect();
        let samples = samples.join(vec![0; PAUSE].as_slice());
        let (status, wav) = station.hear(&heard_at(&podcast)).await;
        assert_eq!(status, 200);
        assert_eq!((&wav[..4], &wav[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
        assert_eq!(wav[24..28], SAMPLE_RATE.to_le_bytes());
        assert!(wav[44..] == samples, "{} {}", wav.len(), samples.len());
        let audio = &podcast["content"]["audio"];
        let sha256 = lower(&Sha256::digest(&wav));
        assert_eq!(
            *audio,
            json!({
                "status": "ready", "duration_ms": samples.len() / 48, "sha256": sha256,
                "size_bytes": wav.len(), "url": audio["url"],
            })
        );
        // What the pieces were kept for is done.
        let piece = format!("speech/{}/1/1.1.pcm", station.generation);
        assert!(!station.is_kept(&BlobKey::parse(&piece).unwrap()).await);
    }
}

#[actix_web::test]
async fn every_turn_is_in_the_ledger_and_in_the_usage_of_the_generation() {
    let station = Station::on_air(Database::Sqlite).await;
    let turns = turns(&station.podcast().await).len();
    let calls = list(&station.app, "ai/calls?limit=100&feature=speaking").await;
    assert_eq!(calls.len(), turns);
    let subject = json!(station.generation);
    assert!(calls.iter().all(|call| call["subject_id"] == subject));
    let usage = station.generation().await["usage"].clone();
    assert_eq!(usage["tokens_in"], json!(11 * (turns + 1)));
}

#[actix_web::test]
async fn without_a_voice_there_is_the_script_alone() {
    let station = Station::open(ScriptedAi::model([]), Database::Sqlite, json!({})).await;
    station.app.work().await;
    let podcast = station.podcast().await;
    assert_eq!(podcast["content"]["audio"], json!({"status": "none"}));
    assert_eq!(station.ai.asked().len(), 1);
    let path = format!("/v1/activities/{}/audio", podcast["id"].as_str().unwrap());
    assert_eq!(station.hear(&path).await.0, 403);
}

#[actix_web::test]
async fn a_turn_that_fails_for_good_costs_the_sound_and_not_the_script() {
    let enough_for_one = json!({"budget": {"tokens": 18 * 2 + 17}});
    for (script, more, code) in [
        (Some(Scripted::Refused), json!({}), "provider_refused"),
        (
            Some(Scripted::InvalidOutput),
            json!({}),
            "ai_output_invalid",
        ),
        (None, enough_for_one, "ai_budget_exceeded"),
    ] {
        let script = script.map(|failure| [Scripted::Itself, Scripted::Itself, failure]);
        let ai = ScriptedAi::speaking(script.into_iter().flatten());
        let station = Station::open(ai, Database::Sqlite, more).await;
        station.app.work().await;
        let podcast = station.podcast().await;
        assert_eq!(podcast["content"]["audio"], json!({"status": "error"}));
        assert!(turns(&podcast).len() > 2);
        let asked = if code == "ai_budget_exceeded" { 2 } else { 3 };
        assert_eq!(station.ai.asked().len(), asked, "nothing after the failure");
        let ready = station.generation().await;
        let warning = ready["result"]["warnings"][0].as_str().unwrap();
        assert!(warning.contains(code), "{warning}");
        let failed = &ready["steps"][2];
        assert_eq!(
            (&failed["key"], &failed["status"]),
            (&json!("speech/1/2"), &json!("error"))
        );
        let piece = format!("speech/{}/1/1.1.pcm", station.generation);
        assert!(!station.is_kept(&BlobKey::parse(&piece).unwrap()).await);
    }
}

#[actix_web::test]
async fn an_outage_is_waited_for() {
    let outage = [
        Scripted::Itself,
        Scripted::Itself,
        Scripted::Unavailable(None),
    ];
    let ai = ScriptedAi::speaking(outage);
    let station = Station::open(ai, Database::Sqlite, json!({})).await;
    station.app.work().await;
    assert_eq!(station.generation().await["status"], "pending");
    station.app.clock.advance(200);
    station.app.work().await;
    assert_eq!(
        station.podcast().await["content"]["audio"]["status"],
        "ready"
    );
    let asked = station.ai.asked();
    assert_eq!(asked.len(), distinct(&asked) + 1);
}

#[actix_web::test]
async fn a_crash_between_turns_has_none_spoken_twice() {
    let peace = Station::on_air(Database::Sqlite).await;
    let calls = peace.ai.asked().len();
    let whole = peace.podcast().await["content"]["audio"]["sha256"].clone();
    for k in 1..calls {
        let ai = ScriptedAi::speaking([]);
        let station = Station::open(ai, Database::Sqlite, json!({})).await;
        work_and_die(&station.app, &station.ai, k).await;
        assert!(
            list(&station.app, "activities?kind=podcast")
                .await
                .is_empty()
        );
        station.app.clock.advance(LEASE_OVER);
        station.app.work().await;
        let asked = station.ai.asked();
        // What was under way when it died is asked for again, and nothing else.
        assert_eq!((asked.len(), distinct(&asked)), (calls + 1, calls), "{k}");
        assert_eq!(station.podcast().await["content"]["audio"]["sha256"], whole);
    }
}

#[actix_web::test]
async fn an_address_opens_one_recording_for_a_while() {
    let station = Station::on_air(Database::Sqlite).await;
    let podcast = station.podcast().await;
    let url = heard_at(&podcast);
    let other = made(
        &station.app,
        &station.app.owner,
        "activities",
        json!({"lesson_id": station.school.lesson, "kind": "podcast", "name": "Copied by hand", "content": podcast["content"]}),
    )
    .await;
    let stranger = station.app.another_workspace("other").await;
    let workspaces = station
        .app
        .call(&stranger, "GET", "/v1/workspaces", None)
        .await;
    let elsewhere = workspaces.body["data"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let query = |name: &str| {
        let (_, rest) = url.split_once(&format!("{name}=")).unwrap();
        rest.split('&').next().unwrap().to_owned()
    };
    let id = podcast["id"].as_str().unwrap();
    for forged in [
        url.replace(&query("signature"), &"0".repeat(64)),
        url.replace(&query("expires"), "99999999999"),
        url.replace(&query("workspace"), &elsewhere),
        url.replace(id, &other),
        url.split('?').next().unwrap().to_owned(),
        format!("/v1/activities/{id}/audio?signature=%FF&expires=x&workspace=y"),
    ] {
        assert_eq!(station.hear(&forged).await.0, 403, "{forged}");
    }
    // What was copied by hand has the script, and not what belongs to another.
    let other = station
        .app
        .get(&format!("/v1/activities/{other}"))
        .await
        .body;
    assert_eq!(other["content"]["audio"], json!({"status": "none"}));
    station.app.clock.advance(3_600);
    assert_eq!(station.hear(&url).await.0, 200);
    station.app.clock.advance(ADDRESS_OVER - 3_600);
    assert_eq!(station.hear(&url).await.0, 403);
    assert_eq!(
        station.hear(&heard_at(&station.podcast().await)).await.0,
        200
    );
}

#[actix_web::test]
async fn a_recording_comes_in_parts_and_not_twice() {
    let station = Station::on_air(Database::Sqlite).await;
    let podcast = station.podcast().await;
    let url = heard_at(&podcast);
    let tag = format!(
        "\"{}\"",
        podcast["content"]["audio"]["sha256"].as_str().unwrap()
    );
    let with = |header: (&'static str, String)| TestRequest::with_uri(&url).insert_header(header);
    let range = || with(("Range", "bytes=8-11".to_owned()));
    let (status, part) = bytes(&station.app, range()).await;
    assert_eq!((status, part.as_slice()), (206, &b"WAVE"[..]));
    let answer = station.app.send(range()).await;
    assert_eq!(answer.header("etag"), Some(tag.as_str()));
    assert_eq!(answer.header("content-type"), Some("audio/wav"));
    let known = bytes(&station.app, with(("If-None-Match", tag))).await;
    assert_eq!((known.0, known.1.len()), (304, 0));
}

#[actix_web::test]
async fn learners_hear_it_too() {
    let station = Station::on_air(Database::Sqlite).await;
    let student = station.school.student_session(&station.app).await;
    let id = station.podcast().await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/activities/{id}");
    let seen = station.app.call(&student, "GET", &path, None).await.body;
    assert_eq!(station.hear(&heard_at(&seen)).await.0, 200);
}

#[actix_web::test]
async fn what_was_read_can_be_sent_back_and_another_script_ends_the_recording() {
    for database in [Database::Sqlite, Database::Postgres] {
        let station = Station::on_air(database).await;
        let before = station.podcast().await;
        let same = station.patch(&before, &before["content"]).await;
        assert_eq!(same["updated_at"], before["updated_at"]);
        let mut titled = before["content"].clone();
        titled["title"] = json!("Cold");
        let titled = station.patch(&before, &titled).await;
        assert_eq!(station.hear(&heard_at(&titled)).await.0, 200);
        let mut rewritten = titled["content"].clone();
        rewritten["segments"][0]["turns"][0]["text"] = json!("Something else.");
        let rewritten = station.patch(&before, &rewritten).await;
        assert_eq!(rewritten["content"]["audio"], json!({"status": "none"}));
        assert_eq!(station.hear(&heard_at(&before)).await.0, 404);
        station.app.work().await;
        assert!(!station.is_kept(&station.recording()).await);
    }
}

#[actix_web::test]
async fn a_recording_of_ones_own_takes_its_place() {
    let station = Station::on_air(Database::Sqlite).await;
    let before = station.podcast().await;
    let mut content = before["content"].clone();
    content["audio"]["url"] = json!("https://a.example/1.mp3");
    let own = station.patch(&before, &content).await;
    let audio = &own["content"]["audio"];
    assert_eq!(audio["url"], "https://a.example/1.mp3");
    assert_eq!(audio["sha256"], Value::Null);
    station.app.work().await;
    assert!(!station.is_kept(&station.recording()).await);
}

#[actix_web::test]
async fn a_copy_of_the_course_shares_it_until_the_last_is_deleted() {
    for database in [Database::Sqlite, Database::Postgres] {
        let station = Station::on_air(database).await;
        let course = format!("/v1/courses/{}", station.school.course);
        let cloned = station
            .app
            .post(&format!("{course}/clone"), json!({"name": "Copy"}))
            .await;
        assert_eq!(cloned.status, 201, "{}", cloned.body);
        assert_eq!(station.app.delete(&course).await.status, 200);
        destroy(&station.app, &station.school.course).await;
        let copies = list(&station.app, "activities?kind=podcast").await;
        assert_eq!(copies.len(), 1);
        assert_eq!(station.hear(&heard_at(&copies[0])).await.0, 200);
        let lesson = copies[0]["lesson_id"].as_str().unwrap();
        station.app.delete(&format!("/v1/lessons/{lesson}")).await;
        station.app.work().await;
        assert!(
            station.is_kept(&station.recording()).await,
            "it may come back"
        );
        destroy(&station.app, lesson).await;
        assert!(!station.is_kept(&station.recording()).await);
    }
}

#[actix_web::test]
async fn a_package_carries_it() {
    let station = Station::on_air(Database::Sqlite).await;
    let (_, wav) = station.hear(&heard_at(&station.podcast().await)).await;
    let package = ready(&station.app, json!({"cohort_id": station.school.cohort})).await;
    let warnings = package["warnings"].to_string();
    assert!(!warnings.contains("recording"), "{warnings}");
    let (_, zip) = station.hear(&address(&package)).await;
    let mut archive = ZipArchive::new(Cursor::new(zip)).unwrap();
    let names: Vec<String> = archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    let carried = names.iter().find(|name| name.contains(".wav")).unwrap();
    let mut read = |name: &str| {
        let mut bytes = Vec::new();
        archive
            .by_name(name)
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        bytes
    };
    assert!(read(carried) == wav);
    let lesson = format!("{}.js", station.school.lesson);
    let lesson = names.iter().find(|name| name.ends_with(&lesson)).unwrap();
    let lesson = String::from_utf8(read(lesson)).unwrap();
    assert!(
        lesson.contains(&format!("\"src\":\"{carried}\"")),
        "{lesson}"
    );
    assert!(!lesson.contains("recording:"), "{lesson}");
}

#[actix_web::test]
async fn scripts_of_a_whole_course_are_spoken_after_all_texts() {
    let ai = ScriptedAi::speaking([]);
    let app = crate::generation_steps::with(&ai, Database::Sqlite).await;
    let course = crate::generation_steps::course(&app, 12).await;
    let id = crate::generation_steps::start(&app, &course, json!({})).await;
    app.work().await;
    let ready = crate::generation_steps::read(&app, &id).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    let podcasts = list(&app, "activities?limit=100&kind=podcast").await;
    assert!(!podcasts.is_empty());
    for podcast in &podcasts {
        assert_eq!(podcast["content"]["audio"]["status"], "ready");
    }
    let asked = ai.asked();
    let first = asked.iter().position(|task| task.starts_with("SpeechTask"));
    let speeches = &asked[first.unwrap()..];
    assert!(speeches.iter().all(|task| task.starts_with("SpeechTask")));
    let turns: usize = podcasts.iter().map(|podcast| turns(podcast).len()).sum();
    assert_eq!(speeches.len(), turns);
}
