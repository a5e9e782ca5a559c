//! Uploads straight to the bucket: what is put there comes into the library as it was when it was completed, once, and leaves nothing.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use lyceum_application::running::retention;
use lyceum_application::settings::Spending;
use lyceum_ports::blobs::{
    BlobError, BlobKey, BlobStore, ByteStream, PresignedUrl, PresignedWrite,
};
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::media::picture;
use crate::media_uploads::colleague;
use crate::presigned::{address, presigning};
use crate::school::{School, app_on, assert_refused, list};

const HOUR: i64 = 3_600;

async fn bucket_on(database: Database) -> TestApp {
    presigning(app_on(database).await)
}

async fn begin(app: &TestApp, who: &Caller, size: usize) -> Answer {
    let said =
        json!({"size_bytes": size, "file_name": "../pump.png", "title": "Pumpe", "direct": true});
    app.call(who, "POST", "/v1/media_uploads", Some(said)).await
}

/// An upload of so many bytes: its id.
async fn begun(app: &TestApp, size: usize) -> String {
    let begun = begin(app, &app.owner, size).await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    begun.id()
}

/// Where in the bucket an upload comes.
fn place(app: &TestApp, upload: &str) -> PathBuf {
    let key = BlobKey::of_direct_upload(upload.parse().unwrap());
    app.app.settings.scratch.join("blobs").join(key.as_str())
}

/// Puts something there, as a browser does with the address.
pub fn put(app: &TestApp, upload: &str, bytes: &[u8]) {
    let place = place(app, upload);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    // As something new, which is what a bucket makes of it: a folder copies by giving the same file another name.
    drop(std::fs::remove_file(&place));
    std::fs::write(place, bytes).unwrap();
}

fn path_of(upload: &str) -> String {
    format!("/v1/media_uploads/{upload}")
}

async fn complete(app: &TestApp, upload: &str) -> Answer {
    let path = format!("{}/complete", path_of(upload));
    app.post(&path, json!({})).await
}

/// Files below a folder of the bucket.
fn files(app: &TestApp, folder: &str) -> usize {
    fn below(folder: PathBuf) -> usize {
        let Ok(there) = std::fs::read_dir(folder) else {
            return 0;
        };
        let there = there.map(|entry| entry.unwrap().path());
        let counted = there.map(|path| if path.is_dir() { below(path) } else { 1 });
        counted.sum()
    }
    below(app.app.settings.scratch.join("blobs").join(folder))
}

async fn sweep(app: &TestApp) {
    retention::sweep(&app.app).await.unwrap();
}

#[actix_web::test]
async fn what_is_put_into_the_bucket_is_in_the_library_when_it_is_completed() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = bucket_on(database).await;
        let file = picture("straight there");
        let begun = begin(&app, &app.owner, file.len()).await;
        assert_eq!(begun.status, 201, "{}", begun.body);
        assert_eq!(begun.header("cache-control"), Some("no-store"));
        let id = begun.id();
        let key = BlobKey::of_direct_upload(id.parse().unwrap());
        let octets = "application/octet-stream";
        let shown = json!({
            "url": address(&key, octets, "put", 3_600),
            "headers": {"content-type": octets},
            "expires_at": "2026-11-21T07:55:00.000Z",
        });
        assert_eq!(begun.body["put"], shown);
        assert_eq!(begun.body["direct_until"], "2026-11-21T07:55:00.000Z");
        // The address is no part of the upload, nor of its tag, and is not shown again.
        let read = app.get(&path_of(&id)).await;
        assert_eq!(read.header("etag"), begun.header("etag"));
        assert_eq!(
            (&read.body["put"], &read.body["offset"]),
            (&Value::Null, &json!(0))
        );

        let early = complete(&app, &id).await;
        assert_refused(&early, 409, "upload_incomplete", "size_bytes");
        assert_eq!(early.body["error"]["fields"]["there_bytes"], Value::Null);
        for wrong in [&file[1..], &[&file[..], b"more"].concat()] {
            put(&app, &id, wrong);
            let wrong_size = complete(&app, &id).await;
            assert_refused(&wrong_size, 409, "upload_incomplete", "there_bytes");
        }
        assert_eq!(
            (list(&app, "media").await.len(), files(&app, "media")),
            (0, 0)
        );

        put(&app, &id, &file);
        let done = complete(&app, &id).await;
        assert_eq!(done.status, 200, "{}", done.body);
        let media = done.body["media_id"].as_str().unwrap().to_owned();
        assert_eq!(done.body["offset"], json!(file.len()));
        assert_eq!(complete(&app, &id).await.body, done.body);
        assert_eq!(app.get(&path_of(&id)).await.body, done.body);
        app.work().await;
        let ready = app.get(&format!("/v1/media/{media}")).await.body;
        assert_eq!(
            (&ready["status"], &ready["title"]),
            (&json!("ready"), &json!("Pumpe"))
        );
        assert_eq!(ready["file_name"], "pump.png");
        sweep(&app).await;
        assert_eq!((files(&app, "uploads"), files(&app, "media")), (0, 1));
    }
}

#[actix_web::test]
async fn what_is_put_there_afterwards_changes_nothing_and_goes() {
    let app = bucket_on(Database::Sqlite).await;
    let (file, other) = (picture("as it was"), picture("as it is"));
    assert_ne!(file.len(), other.len());
    let other = [&other[..], &vec![0; file.len() - other.len()]].concat();
    let id = begun(&app, file.len()).await;
    put(&app, &id, &file);
    let done = complete(&app, &id).await;
    put(&app, &id, &other);
    app.work().await;
    let media = done.body["media_id"].as_str().unwrap();
    let ready = app.get(&format!("/v1/media/{media}")).await.body;
    assert_eq!(ready["status"], "ready", "{ready}");
    assert_eq!(complete(&app, &id).await.body["media_id"], media);
    assert_eq!(list(&app, "media").await.len(), 1);
    // Once more, after everybody has swept.
    put(&app, &id, &other);
    app.clock.advance(3 * HOUR + 1);
    sweep(&app).await;
    assert_eq!(files(&app, "uploads"), 0);
    // And by somebody who took a day for it.
    put(&app, &id, &other);
    app.clock.advance(45 * HOUR);
    sweep(&app).await;
    assert_eq!((files(&app, "uploads"), files(&app, "media")), (0, 1));
}

/// A bucket that counts copies, and with which something happens at the first one.
struct Meddled {
    bucket: Arc<dyn BlobStore>,
    copies: AtomicUsize,
    meddles: Meddling,
}

enum Meddling {
    Nothing,
    /// Somebody puts something else there just before.
    Exchange(PathBuf, Vec<u8>),
    /// It cannot be reached behind it, as if the service had died.
    Away,
}

impl Meddled {
    fn is_away(&self) -> bool {
        matches!(self.meddles, Meddling::Away) && self.copies.load(Ordering::Relaxed) == 1
    }
}

#[async_trait]
impl BlobStore for Meddled {
    async fn put_file(&self, key: &BlobKey, file: &std::path::Path) -> Result<(), BlobError> {
        self.bucket.put_file(key, file).await
    }

    async fn read(
        &self,
        key: &BlobKey,
        range: Option<std::ops::Range<u64>>,
    ) -> Result<ByteStream, BlobError> {
        if self.is_away() {
            return Err(BlobError::Storage("away".into()));
        }
        self.bucket.read(key, range).await
    }

    async fn size(&self, key: &BlobKey) -> Result<u64, BlobError> {
        self.bucket.size(key).await
    }

    async fn copy(&self, from: &BlobKey, to: &BlobKey) -> Result<(), BlobError> {
        if self.copies.fetch_add(1, Ordering::Relaxed) == 0
            && let Meddling::Exchange(place, bytes) = &self.meddles
        {
            std::fs::write(place, bytes).unwrap();
        }
        // So that others come meanwhile.
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.bucket.copy(from, to).await
    }

    async fn presign_write(
        &self,
        key: &BlobKey,
        write: &PresignedWrite,
    ) -> Result<Option<PresignedUrl>, BlobError> {
        self.bucket.presign_write(key, write).await
    }

    fn presigned_origin(&self) -> Option<String> {
        self.bucket.presigned_origin()
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        if self.is_away() && key.as_str().starts_with("media/") {
            return Err(BlobError::Storage("away".into()));
        }
        self.bucket.delete(key).await
    }
}

fn meddled(mut app: TestApp, how: Meddling) -> (TestApp, Arc<Meddled>) {
    let meddled = Arc::new(Meddled {
        bucket: Arc::clone(&app.app.blobs),
        copies: AtomicUsize::new(0),
        meddles: how,
    });
    let shown: Arc<dyn BlobStore> = Arc::<Meddled>::clone(&meddled);
    app.app.blobs = shown;
    (app.mounted_again(), meddled)
}

#[actix_web::test]
async fn what_is_exchanged_between_the_look_and_the_copy_is_not_taken() {
    let app = bucket_on(Database::Sqlite).await;
    let file = picture("looked at");
    let id = begun(&app, file.len()).await;
    put(&app, &id, &file);
    let larger = [&file[..], b"and more"].concat();
    let exchange = Meddling::Exchange(place(&app, &id), larger);
    let (app, _) = meddled(app, exchange);
    let exchanged = complete(&app, &id).await;
    assert_refused(&exchanged, 409, "upload_incomplete", "there_bytes");
    assert_eq!(
        (list(&app, "media").await.len(), files(&app, "media")),
        (0, 0)
    );
    put(&app, &id, &file);
    assert_eq!(complete(&app, &id).await.status, 200);
}

#[actix_web::test]
async fn of_many_who_complete_one_at_once_one_copies_and_all_are_told_the_same() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = bucket_on(database).await;
        let file = picture("once");
        let id = begun(&app, file.len()).await;
        put(&app, &id, &file);
        let (app, bucket) = meddled(app, Meddling::Nothing);
        let all = join_all((0..20).map(|_| complete(&app, &id))).await;
        for done in &all {
            assert_eq!(done.status, 200, "{database:?} {}", done.body);
            assert_eq!(done.body, all[0].body);
        }
        assert_eq!(bucket.copies.load(Ordering::Relaxed), 1);
        assert_eq!(list(&app, "media").await.len(), 1);
        app.work().await;
        app.clock.advance(50 * HOUR);
        sweep(&app).await;
        assert_eq!((files(&app, "uploads"), files(&app, "media")), (0, 1));
    }
}

#[actix_web::test]
async fn an_upload_whose_completion_broke_off_is_completed_later_and_leaves_nothing() {
    let app = bucket_on(Database::Sqlite).await;
    let file = picture("broken off");
    let id = begun(&app, file.len()).await;
    put(&app, &id, &file);
    let (mut app, bucket) = meddled(app, Meddling::Away);
    let broken = complete(&app, &id).await;
    assert_refused(&broken, 503, "unavailable", "");
    assert_eq!(
        (list(&app, "media").await.len(), files(&app, "media")),
        (0, 1)
    );
    app.app.blobs = Arc::clone(&bucket.bucket);
    let app = app.mounted_again();
    let done = complete(&app, &id).await;
    assert_eq!(done.status, 200, "{}", done.body);
    app.work().await;
    app.clock.advance(3 * HOUR);
    sweep(&app).await;
    assert_eq!((files(&app, "media"), files(&app, "uploads")), (1, 0));
    assert_eq!(list(&app, "media").await.len(), 1);
}

#[actix_web::test]
async fn where_the_bucket_hands_nothing_out_nothing_is_put_into_it() {
    let app = TestApp::start().await;
    let refused = begin(&app, &app.owner, 10).await;
    assert_refused(&refused, 409, "direct_uploads_off", "");
    // Nothing of it stays: there is room for a hundred others.
    for _ in 0..100 {
        let other = json!({"size_bytes": 10, "direct": false});
        assert_eq!(app.post("/v1/media_uploads", other).await.status, 201);
    }
}

#[actix_web::test]
async fn an_upload_is_completed_by_whoever_began_it_and_by_nobody_else() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = bucket_on(database).await;
        let school = School::open(&app).await;
        let file = picture("mine");
        let id = begun(&app, file.len()).await;
        put(&app, &id, &file);
        let path = format!("{}/complete", path_of(&id));
        let teacher = colleague(&app).await;
        let stranger = app.another_workspace("other").await;
        for who in [&teacher, &stranger] {
            let refused = app.call(who, "POST", &path, Some(json!({}))).await;
            assert_refused(&refused, 404, "resource_missing", "");
        }
        let learner = school.student_session(&app).await;
        let refused = app.call(&learner, "POST", &path, Some(json!({}))).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
        let refused = begin(&app, &learner, file.len()).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
        assert_eq!(list(&app, "media").await.len(), 0);
        assert_eq!(complete(&app, &id).await.status, 200);
    }
}

#[actix_web::test]
async fn neither_kind_of_upload_is_gone_on_with_as_the_other() {
    let app = bucket_on(Database::Sqlite).await;
    let direct = begun(&app, 10).await;
    let bytes = request(&app.owner, "PATCH", &path_of(&direct))
        .insert_header(("content-type", "application/offset+octet-stream"))
        .insert_header(("upload-offset", "0"))
        .set_payload("ten bytes!");
    assert_refused(&app.send(bytes).await, 409, "upload_is_direct", "");
    let said = json!({"size_bytes": 10});
    let in_pieces = app.post("/v1/media_uploads", said).await;
    assert_eq!(
        (&in_pieces.body["put"], &in_pieces.body["direct_until"]),
        (&Value::Null, &Value::Null)
    );
    let refused = complete(&app, &in_pieces.id()).await;
    assert_refused(&refused, 409, "upload_incomplete", "there_bytes");
    let large = begin(&app, &app.owner, (5 << 30) + 1).await;
    assert_refused(&large, 400, "invalid_field", "size_bytes");
}

#[actix_web::test]
async fn whoever_gives_one_up_has_its_room_back_when_nothing_can_come_any_more() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.deciding(Spending {
            media_bytes: Some(100),
            ..Spending::default()
        });
        let app = presigning(app);
        let id = begun(&app, 70).await;
        put(&app, &id, &[0; 70]);
        assert_eq!(app.delete(&path_of(&id)).await.status, 204);
        assert_refused(&app.get(&path_of(&id)).await, 404, "resource_missing", "");
        assert_refused(&complete(&app, &id).await, 404, "resource_missing", "");
        sweep(&app).await;
        assert_eq!(files(&app, "uploads"), 0);
        let soon = begin(&app, &app.owner, 70).await;
        assert_refused(&soon, 409, "quota_exceeded", "used_bytes");
        // The address still works.
        put(&app, &id, &[0; 70]);
        app.clock.advance(HOUR);
        begun(&app, 70).await;
        app.clock.advance(2 * HOUR);
        sweep(&app).await;
        assert_eq!(files(&app, "uploads"), 0);
    }
}

#[actix_web::test]
async fn room_is_looked_for_again_when_one_is_completed() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = bucket_on(database).await;
        let file = picture("no room by now");
        let id = begun(&app, file.len()).await;
        put(&app, &id, &file);
        let app = app.deciding(Spending {
            media_bytes: Some(10),
            ..Spending::default()
        });
        let refused = complete(&app, &id).await;
        assert_refused(&refused, 409, "quota_exceeded", "used_bytes");
        // Nobody has it copied before there is.
        assert_eq!(
            (list(&app, "media").await.len(), files(&app, "media")),
            (0, 0)
        );
        let app = app.deciding(Spending::default());
        assert_eq!(complete(&app, &id).await.status, 200);
    }
}

#[actix_web::test]
async fn the_same_file_is_kept_once_and_what_is_late_is_forgotten() {
    let app = bucket_on(Database::Sqlite).await;
    let file = picture("twice");
    let whole = crate::media::upload(&app, &app.owner, &file, &[])
        .await
        .id();
    let (id, late) = (begun(&app, file.len()).await, begun(&app, file.len()).await);
    put(&app, &id, &file);
    put(&app, &late, &file);
    assert_eq!(complete(&app, &id).await.body["media_id"], json!(whole));
    assert_eq!(list(&app, "media").await.len(), 1);
    app.clock.advance(24 * HOUR);
    assert_refused(&complete(&app, &late).await, 404, "resource_missing", "");
    app.work().await;
    app.clock.advance(2 * HOUR + 1);
    sweep(&app).await;
    assert_eq!((files(&app, "uploads"), files(&app, "media")), (0, 1));
}

#[actix_web::test]
async fn an_upload_that_is_begun_again_under_its_key_has_the_address_for_as_long_as_it_works() {
    let app = bucket_on(Database::Sqlite).await;
    let begin = || {
        let said = json!({"size_bytes": 10, "direct": true});
        request(&app.owner, "POST", "/v1/media_uploads")
            .insert_header(("idempotency-key", "k"))
            .set_json(said)
    };
    let first = app.send(begin()).await;
    app.clock.advance(1_000);
    let again = app.send(begin()).await;
    assert_eq!(
        (again.status, again.header("idempotent-replayed")),
        (201, Some("true"))
    );
    assert_eq!(first.id(), again.id());
    assert_eq!(
        again.body["put"]["expires_at"],
        first.body["put"]["expires_at"]
    );
    app.clock.advance(2_541);
    let late = app.send(begin()).await;
    assert_eq!((late.id(), &late.body["put"]), (first.id(), &Value::Null));
}

#[actix_web::test]
async fn what_was_put_goes_with_its_workspace_also_what_comes_after_it() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = bucket_on(database).await;
        let other = app.another_workspace("other").await;
        let id = begin(&app, &other, 5).await.id();
        put(&app, &id, b"bytes");
        let workspaces = app.call(&other, "GET", "/v1/workspaces", None).await.body;
        let theirs = workspaces["data"][0]["id"].as_str().unwrap();
        let theirs = format!("/v1/workspaces/{theirs}");
        let gone = app.call(&other, "DELETE", &theirs, None).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        sweep(&app).await;
        assert_eq!(files(&app, "uploads"), 0);
        put(&app, &id, b"bytes");
        app.clock.advance(2 * HOUR + 1);
        sweep(&app).await;
        assert_eq!(files(&app, "uploads"), 0);
    }
}
