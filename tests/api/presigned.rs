//! Pictures, recordings and films that a bucket hands out itself: who is sent there, for how long, and with what it keeps here.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use actix_web::test::TestRequest;
use async_trait::async_trait;
use lyceum_ports::blobs::{
    BlobError, BlobKey, BlobStore, ByteStream, PresignedRead, PresignedUrl, PresignedWrite,
};
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};
use support::scripted_ai::ScriptedAi;
use support::stores::Database;

use crate::media::{picture, ready, upload};
use crate::recordings::{Station, heard_at};
use crate::school::assert_refused;

/// A store that has an address for everything, and says in it what it was asked to do.
struct Bucket(Arc<dyn BlobStore>);

#[async_trait]
impl BlobStore for Bucket {
    async fn put_file(&self, key: &BlobKey, file: &Path) -> Result<(), BlobError> {
        self.0.put_file(key, file).await
    }

    async fn read(
        &self,
        key: &BlobKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, BlobError> {
        self.0.read(key, range).await
    }

    async fn presign(
        &self,
        key: &BlobKey,
        read: &PresignedRead,
    ) -> Result<Option<PresignedUrl>, BlobError> {
        let PresignedRead {
            valid_for,
            media_type,
            disposition,
        } = *read;
        Ok(Some(PresignedUrl {
            url: address(key, media_type, disposition, valid_for.as_secs()),
            valid_for,
        }))
    }

    async fn presign_write(
        &self,
        key: &BlobKey,
        write: &PresignedWrite,
    ) -> Result<Option<PresignedUrl>, BlobError> {
        let PresignedWrite {
            valid_for,
            media_type,
        } = *write;
        Ok(Some(PresignedUrl {
            url: address(key, media_type, "put", valid_for.as_secs()),
            valid_for,
        }))
    }

    fn presigned_origin(&self) -> Option<String> {
        Some("https://bucket.example".to_owned())
    }

    async fn size(&self, key: &BlobKey) -> Result<u64, BlobError> {
        self.0.size(key).await
    }

    async fn copy(&self, from: &BlobKey, to: &BlobKey) -> Result<(), BlobError> {
        self.0.copy(from, to).await
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        self.0.delete(key).await
    }
}

pub fn address(key: &BlobKey, media_type: &str, disposition: &str, seconds: u64) -> String {
    format!("https://bucket.example/{key}?{media_type}&{disposition}&{seconds}")
}

/// The same application, with its files in a bucket that hands them out.
pub fn presigning(mut app: TestApp) -> TestApp {
    app.app.blobs = Arc::new(Bucket(Arc::clone(&app.app.blobs)));
    app.mounted_again()
}

fn path_of(url: &Value) -> String {
    let url = url.as_str().unwrap();
    url.strip_prefix("http://lyceum.test").unwrap().to_owned()
}

async fn get(app: &TestApp, path: &str) -> Answer {
    app.send(TestRequest::with_uri(path)).await
}

/// How many seconds an address has left.
fn left(app: &TestApp, path: &str) -> i64 {
    let (_, expires) = path.split_once("expires=").unwrap();
    let expires = expires.split('&').next().unwrap();
    expires.parse::<i64>().unwrap() - app.app.clock.now().unix_seconds()
}

fn assert_sent_on(answer: &Answer, to: &str, seconds: i64) {
    assert_eq!(answer.status, 307, "{}", answer.body);
    assert_eq!(answer.header("location"), Some(to));
    let kept = format!("private, max-age={}", seconds - 30);
    assert_eq!(answer.header("cache-control"), Some(kept.as_str()));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.body, Value::Null);
}

#[actix_web::test]
async fn whoever_may_have_a_picture_is_sent_to_the_bucket_for_as_long_as_its_address_works() {
    let app = TestApp::start().await;
    let media = ready(&app, "").await;
    let path = path_of(&media["file"]["url"]);
    let here = get(&app, &path).await;
    assert_eq!(here.status, 200, "nothing changes where it is off");
    assert_eq!(here.header("cache-control"), Some("private, no-cache"));
    let tag = here.header("etag").unwrap().to_owned();

    let app = presigning(app);
    let key = BlobKey::of_media(media["id"].as_str().unwrap().parse().unwrap(), 0);
    let there = |seconds: i64| address(&key, "image/png", "inline", seconds.unsigned_abs());
    let seconds = left(&app, &path);
    assert!((3_600..=7_200).contains(&seconds), "{seconds}");
    assert_sent_on(&get(&app, &path).await, &there(seconds), seconds);
    // The bucket gives parts; who has the whole is told so here; and what was not taken before is not taken now.
    let part = TestRequest::with_uri(&path).insert_header(("range", "bytes=1-3"));
    let part = app.send(part).await;
    assert_sent_on(&part, &there(seconds), seconds);
    assert_eq!(part.header("content-range"), None);
    let same = TestRequest::with_uri(&path).insert_header(("if-none-match", tag));
    assert_eq!(app.send(same).await.status, 304);
    let head = request(&app.owner, "HEAD", &path);
    assert_eq!(app.send(head).await.status, 405);

    app.clock.advance(seconds - 60);
    assert_sent_on(&get(&app, &path).await, &there(60), 60);
    app.clock.advance(1);
    let late = get(&app, &path).await;
    assert_eq!(late.status, 200, "there is no time left to go elsewhere");
    app.clock.advance(60);
    assert_refused(&get(&app, &path).await, 403, "link_expired", "");
}

#[actix_web::test]
async fn who_may_not_have_a_file_is_not_sent_to_the_bucket_either() {
    let app = presigning(TestApp::start().await);
    let other = app.another_workspace("other").await;
    let theirs = app.call(&other, "GET", "/v1/workspaces", None).await.body;
    let theirs = theirs["data"][0]["id"].as_str().unwrap();
    let media = ready(&app, "").await;
    let path = path_of(&media["file"]["url"]);
    let (_, ours) = path.split_once("workspace=").unwrap();
    let ours = ours.split('&').next().unwrap();
    for wrong in [
        path.replace(ours, theirs),
        path.replace("number=0", "number=1"),
        path.replace("signature=", "signature=0"),
        path.replace("expires=", "expires=9"),
    ] {
        assert_ne!(wrong, path);
        let refused = get(&app, &wrong).await;
        assert_refused(&refused, 403, "link_expired", "");
        assert_eq!(refused.header("location"), None);
    }
    let id = media["id"].as_str().unwrap();
    assert_eq!(app.delete(&format!("/v1/media/{id}")).await.status, 200);
    assert_eq!(get(&app, &path).await.status, 404);
}

#[actix_web::test]
async fn what_could_act_in_a_browser_is_handed_out_by_the_service_with_what_keeps_it_from_it() {
    let app = presigning(TestApp::start().await);
    let drawing =
        b"<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"9\" height=\"9\"/></svg>";
    let captions = b"WEBVTT\n\n00:00.000 --> 00:01.000\nCool it.\n";
    for (content, media_type) in [(&drawing[..], "image/svg+xml"), (captions, "text/vtt")] {
        let sent = upload(&app, &app.owner, content, &[]).await;
        app.work().await;
        let media = app.get(&format!("/v1/media/{}", sent.id())).await.body;
        assert_eq!(media["status"], "ready", "{media}");
        let here = get(&app, &path_of(&media["file"]["url"])).await;
        assert_eq!(here.status, 200, "{media_type}");
        assert_eq!(here.header("content-type"), Some(media_type));
        assert_eq!(here.header("x-content-type-options"), Some("nosniff"));
        let policy = here.header("content-security-policy").unwrap();
        assert!(policy.contains("sandbox"), "{policy}");
    }
    // Of the same library, and sent elsewhere: what decides is what the file is.
    let sent = upload(&app, &app.owner, &picture(""), &[]).await;
    app.work().await;
    let media = app.get(&format!("/v1/media/{}", sent.id())).await.body;
    let elsewhere = get(&app, &path_of(&media["file"]["url"])).await;
    assert_eq!(elsewhere.status, 307);
}

#[actix_web::test]
async fn a_recording_is_heard_from_the_bucket_by_whoever_may_hear_it() {
    let ai = ScriptedAi::speaking([]);
    let station = Station::open(ai, Database::Sqlite, json!({})).await;
    station.app.work().await;
    let podcast = station.podcast().await;
    let key = station.recording();
    let app = presigning(station.app);
    let path = heard_at(&podcast);
    let seconds = left(&app, &path);
    let there = address(&key, "audio/wav", "inline", seconds.unsigned_abs());
    assert_sent_on(&get(&app, &path).await, &there, seconds);
    for wrong in [
        path.replace("signature=", "signature=0"),
        path.replace("expires=", "expires=9"),
    ] {
        let refused = get(&app, &wrong).await;
        assert_refused(&refused, 403, "link_expired", "");
        assert_eq!(refused.header("location"), None);
    }
    app.clock.advance(seconds + 1);
    assert_refused(&get(&app, &path).await, 403, "link_expired", "");
}
