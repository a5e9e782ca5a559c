//! Uploads in pieces: what comes is kept, nothing comes twice, and with its last byte a file is in the library.

use std::time::Duration;

use actix_web::test::TestRequest;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures_util::future::join_all;
use lyceum_application::running::retention;
use lyceum_application::settings::Spending;
use serde_json::json;
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::media::picture;
use crate::school::{app_on, assert_refused, list, made};

/// Tells a beginning upload by headers alone, as tus clients do.
async fn begin(app: &TestApp, who: &Caller, size: usize, said: &[(&str, &str)]) -> Answer {
    let pairs: Vec<String> = said
        .iter()
        .map(|(name, text)| format!("{name} {}", BASE64_STANDARD.encode(text)))
        .collect();
    let request = request(who, "POST", "/v1/media_uploads")
        .insert_header(("tus-resumable", "1.0.0"))
        .insert_header(("upload-length", size.to_string()))
        .insert_header(("upload-metadata", pairs.join(",")));
    app.send(request).await
}

/// An upload of so many bytes.
pub async fn begun(app: &TestApp, size: usize) -> String {
    let begun = begin(app, &app.owner, size, &[("filename", "pump.png")]).await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    begun.header("location").unwrap().to_owned()
}

fn sending(who: &Caller, path: &str, offset: usize, bytes: &[u8]) -> TestRequest {
    request(who, "PATCH", path)
        .insert_header(("tus-resumable", "1.0.0"))
        .insert_header(("content-type", "application/offset+octet-stream"))
        .insert_header(("upload-offset", offset.to_string()))
        .set_payload(bytes.to_vec())
}

pub async fn send(app: &TestApp, path: &str, offset: usize, bytes: &[u8]) -> Answer {
    app.send(sending(&app.owner, path, offset, bytes)).await
}

/// Where an upload stands, as its headers say.
pub async fn stands_at(app: &TestApp, path: &str) -> usize {
    let head = app.send(request(&app.owner, "HEAD", path)).await;
    assert_eq!(head.status, 200);
    assert_eq!(head.header("cache-control"), Some("no-store"));
    head.header("upload-offset").unwrap().parse().unwrap()
}

/// Pieces of uploads that lie in the store.
pub fn pieces(app: &TestApp) -> usize {
    let uploads = app.app.settings.scratch.join("blobs/uploads");
    let Ok(folders) = std::fs::read_dir(uploads) else {
        return 0;
    };
    let files = folders.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count());
    files.sum()
}

/// Whether nothing is left in the folder for files that are under way; who wrote them may let go a moment later.
pub async fn is_tidy(app: &TestApp) -> bool {
    let under_way = || {
        let there = std::fs::read_dir(&app.app.settings.scratch).unwrap();
        let mut names = there.map(|entry| entry.unwrap().file_name());
        names.any(|name| name.to_string_lossy().starts_with("upload-"))
    };
    for _ in 0..100 {
        if !under_way() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

#[actix_web::test]
async fn a_file_comes_in_pieces_and_is_in_the_library_with_its_last_byte() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let file = picture("in pieces");
        let said = [
            ("filename", "../pump.png"),
            ("title", "Pumpe"),
            ("metadata", "{\"shelf\":1}"),
        ];
        let begun = begin(&app, &app.owner, file.len(), &said).await;
        assert_eq!(begun.status, 201, "{}", begun.body);
        assert_eq!(begun.header("tus-resumable"), Some("1.0.0"));
        assert_eq!(begun.header("upload-offset"), Some("0"));
        assert_eq!(
            begun.header("upload-expires"),
            Some("Sun, 22 Nov 2026 06:55:00 GMT")
        );
        assert_eq!(begun.body["file_name"], "pump.png");
        let path = format!("/v1/media_uploads/{}", begun.id());
        assert_eq!(begun.header("location"), Some(path.as_str()));
        let (first, last) = file.split_at(30);
        let kept = send(&app, &path, 0, first).await;
        assert_eq!(
            (kept.status, kept.header("upload-offset")),
            (204, Some("30"))
        );
        assert_eq!(kept.header("content-type"), None);
        assert_eq!(stands_at(&app, &path).await, 30);
        assert_eq!((list(&app, "media").await.len(), pieces(&app)), (0, 1));
        let done = send(&app, &path, 30, last).await;
        assert_eq!(done.status, 204, "{}", done.body);
        let media = done.header("content-location").unwrap().to_owned();
        assert_eq!(
            app.get(&path).await.body["media_id"],
            media.rsplit('/').next().unwrap()
        );
        assert_eq!(stands_at(&app, &path).await, file.len());
        app.work().await;
        let ready = app.get(&media).await.body;
        assert_eq!(ready["status"], "ready", "{ready}");
        assert_eq!(
            (&ready["title"], &ready["metadata"]),
            (&json!("Pumpe"), &json!({"shelf": 1}))
        );
        assert_eq!(ready["file_name"], "pump.png");
        // Nothing of the pieces stays.
        retention::sweep(&app.app).await.unwrap();
        assert!(pieces(&app) == 0 && is_tidy(&app).await);
    }
}

#[actix_web::test]
async fn bytes_for_another_place_than_the_next_are_refused_and_change_nothing() {
    let app = TestApp::start().await;
    let file = picture("in its place");
    let path = begun(&app, file.len()).await;
    for elsewhere in [1, file.len(), file.len() + 1] {
        let refused = send(&app, &path, elsewhere, b"x").await;
        assert_refused(&refused, 409, "upload_offset_mismatch", "");
    }
    assert_eq!(send(&app, &path, 0, &file[..9]).await.status, 204);
    let again = send(&app, &path, 0, &file[..9]).await;
    assert_refused(&again, 409, "upload_offset_mismatch", "");
    let long = [&file[9..], b"and more"].concat();
    assert_refused(
        &send(&app, &path, 9, &long).await,
        413,
        "payload_too_large",
        "",
    );
    assert_eq!(stands_at(&app, &path).await, 9);
    assert_eq!(send(&app, &path, 9, b"").await.status, 204);
    assert_eq!(send(&app, &path, 9, &file[9..]).await.status, 204);
    let behind = send(&app, &path, file.len(), b"x").await;
    assert_refused(&behind, 413, "payload_too_large", "");
    assert_eq!(list(&app, "media").await.len(), 1);
    assert!(is_tidy(&app).await);
}

#[actix_web::test]
async fn of_many_who_send_the_same_bytes_at_once_one_is_taken() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let file = picture("once");
        let path = begun(&app, file.len()).await;
        for (offset, bytes) in [(0, &file[..40]), (40, &file[40..])] {
            let sent = join_all((0..20).map(|_| send(&app, &path, offset, bytes))).await;
            let taken = sent.iter().filter(|sent| sent.status == 204).count();
            assert_eq!(taken, 1, "{database:?} at {offset}");
            for late in sent.iter().filter(|sent| sent.status != 204) {
                assert_refused(late, 409, "upload_offset_mismatch", "");
            }
        }
        assert_eq!(list(&app, "media").await.len(), 1);
        app.work().await;
        app.clock.advance(30 * 3_600);
        retention::sweep(&app.app).await.unwrap();
        assert!(pieces(&app) == 0 && is_tidy(&app).await);
    }
}

#[actix_web::test]
async fn what_is_wrong_with_a_request_is_told_before_anything_is_kept() {
    let app = TestApp::start().await.deciding(Spending {
        upload_bytes: 1_000,
        ..Spending::default()
    });
    let large = begin(&app, &app.owner, 1_001, &[]).await;
    assert_refused(&large, 413, "payload_too_large", "");
    assert_refused(
        &begin(&app, &app.owner, 0, &[]).await,
        400,
        "invalid_field",
        "size_bytes",
    );
    let posting = || request(&app.owner, "POST", "/v1/media_uploads");
    for (name, value, status, field) in [
        ("tus-resumable", "0.2.2", 412, ""),
        ("upload-length", "many", 400, "size_bytes"),
        ("upload-length", "-1", 400, "size_bytes"),
        ("upload-metadata", "title %%%", 400, "title"),
        ("upload-defer-length", "1", 400, "size_bytes"),
    ] {
        let refused = app.send(posting().insert_header((name, value))).await;
        assert_eq!(refused.status, status, "{name} {}", refused.body);
        let fields = &refused.body["error"]["fields"];
        assert!(
            field.is_empty() || fields[field].is_string(),
            "{name} {fields}"
        );
    }
    let path = begun(&app, 10).await;
    let patching = || request(&app.owner, "PATCH", &path).set_payload("x");
    let bytes = ("content-type", "application/offset+octet-stream");
    let nowhere = app.send(patching().insert_header(bytes)).await;
    assert_refused(&nowhere, 400, "missing_field", "Upload-Offset");
    let json = patching().insert_header(("content-type", "application/json"));
    let json = app.send(json.insert_header(("upload-offset", "0"))).await;
    assert_refused(&json, 415, "unsupported_media_type", "");
    let old = patching()
        .insert_header(bytes)
        .insert_header(("tus-resumable", "0.2"));
    let old = app.send(old.insert_header(("upload-offset", "0"))).await;
    assert_refused(&old, 412, "unsupported_tus_version", "");
    assert_eq!(old.header("tus-version"), Some("1.0.0"));
    assert_eq!(stands_at(&app, &path).await, 0);
    let offered = app.send(request(&app.owner, "OPTIONS", &path)).await;
    assert_eq!(offered.status, 204);
    assert_eq!(
        offered.header("tus-extension"),
        Some("creation,expiration,termination")
    );
    assert_eq!(offered.header("tus-max-size"), Some("1000"));
    let allowed = offered.header("access-control-allow-headers").unwrap();
    assert!(allowed.contains("upload-offset"), "{allowed}");
}

/// Somebody else who teaches here.
pub async fn colleague(app: &TestApp) -> Caller {
    let home = app.another_workspace("home").await;
    let invited = json!({"email": "owner@home.example", "role": "teacher"});
    made(app, &app.owner, "users", invited).await;
    app.accept_everything(&home.key).await;
    Caller {
        platform: "main".to_owned(),
        ..home
    }
}

#[actix_web::test]
async fn an_upload_is_known_to_whoever_began_it_and_to_nobody_else() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let file = picture("mine");
        let path = begun(&app, file.len()).await;
        let teacher = colleague(&app).await;
        let stranger = app.another_workspace("other").await;
        for who in [&teacher, &stranger] {
            for method in ["GET", "HEAD", "DELETE"] {
                let refused = app.send(request(who, method, &path)).await;
                assert_refused(&refused, 404, "resource_missing", "");
            }
            let refused = app.send(sending(who, &path, 0, &file)).await;
            assert_refused(&refused, 404, "resource_missing", "");
        }
        assert_eq!(stands_at(&app, &path).await, 0);
    }
}

#[actix_web::test]
async fn an_upload_that_is_given_up_or_late_leaves_nothing() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let file = picture("late");
        let (given_up, late) = (begun(&app, file.len()).await, begun(&app, file.len()).await);
        for path in [&given_up, &late] {
            assert_eq!(send(&app, path, 0, &file[..5]).await.status, 204);
        }
        let gone = app.send(request(&app.owner, "DELETE", &given_up)).await;
        assert_eq!(gone.status, 204, "{}", gone.body);
        assert_refused(&app.get(&given_up).await, 404, "resource_missing", "");
        retention::sweep(&app.app).await.unwrap();
        assert_eq!(pieces(&app), 1);
        app.clock.advance(24 * 3_600);
        let over = send(&app, &late, 5, &file[5..]).await;
        assert_refused(&over, 404, "resource_missing", "");
        app.clock.advance(2 * 3_600 + 1);
        retention::sweep(&app.app).await.unwrap();
        assert!(pieces(&app) == 0 && is_tidy(&app).await);
        assert_eq!(list(&app, "media").await.len(), 0);
    }
}

#[actix_web::test]
async fn a_file_has_its_place_in_the_library_from_its_beginning_on() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.deciding(Spending {
            media_bytes: Some(100),
            ..Spending::default()
        });
        let file = picture("sixty and some");
        let beginning = (0..20).map(|_| begin(&app, &app.owner, file.len(), &[]));
        let begun = join_all(beginning).await;
        let taken: Vec<&Answer> = begun.iter().filter(|one| one.status == 201).collect();
        assert_eq!(taken.len(), 1);
        for over in begun.iter().filter(|one| one.status != 201) {
            assert_refused(over, 409, "quota_exceeded", "used_bytes");
        }
        // What is promised to one is not given to another who comes with all of it.
        let whole = crate::media::upload(&app, &app.owner, &picture("sixty"), &[]).await;
        assert_refused(&whole, 409, "quota_exceeded", "used_bytes");
        let path = format!("/v1/media_uploads/{}", taken[0].id());
        assert_eq!(send(&app, &path, 0, &file).await.status, 204);
        assert_eq!(list(&app, "media").await.len(), 1);
    }
}

#[actix_web::test]
async fn of_uploads_that_are_under_way_a_workspace_has_a_hundred() {
    let app = TestApp::start().await;
    for _ in 0..100 {
        begun(&app, 10).await;
    }
    let refused = begin(&app, &app.owner, 10, &[]).await;
    assert_refused(&refused, 409, "limit_reached", "");
    app.clock.advance(24 * 3_600);
    begun(&app, 10).await;
}

#[actix_web::test]
async fn the_same_file_is_kept_once_by_whichever_way_it_comes() {
    let app = TestApp::start().await;
    let file = picture("twice");
    let whole = crate::media::upload(&app, &app.owner, &file, &[])
        .await
        .id();
    let path = begun(&app, file.len()).await;
    assert_eq!(send(&app, &path, 0, &file).await.status, 204);
    assert_eq!(app.get(&path).await.body["media_id"], json!(whole));
    assert_eq!(list(&app, "media").await.len(), 1);
}

#[actix_web::test]
async fn an_upload_whose_piece_is_gone_or_damaged_has_to_begin_again() {
    for is_gone in [true, false] {
        let app = TestApp::start().await;
        let file = picture("damaged");
        let path = begun(&app, file.len()).await;
        assert_eq!(send(&app, &path, 0, &file[..50]).await.status, 204);
        let uploads = app.app.settings.scratch.join("blobs/uploads");
        let folder = std::fs::read_dir(uploads).unwrap().next().unwrap().unwrap();
        let piece = std::fs::read_dir(folder.path()).unwrap().next().unwrap();
        let piece = piece.unwrap().path();
        if is_gone {
            std::fs::remove_file(piece).unwrap();
        } else {
            let mut bytes = std::fs::read(&piece).unwrap();
            bytes[7] ^= 1;
            std::fs::write(&piece, bytes).unwrap();
        }
        let lost = send(&app, &path, 50, &file[50..]).await;
        assert_refused(&lost, 404, "resource_missing", "");
        assert_refused(&app.get(&path).await, 404, "resource_missing", "");
        assert_eq!(list(&app, "media").await.len(), 0);
    }
}

#[actix_web::test]
async fn an_upload_begins_once_for_an_idempotency_key() {
    let app = TestApp::start().await;
    let posting = |size: u64| {
        request(&app.owner, "POST", "/v1/media_uploads")
            .insert_header(("idempotency-key", "k"))
            .set_json(json!({"size_bytes": size, "file_name": "film.mp4"}))
    };
    let first = app.send(posting(10)).await;
    let again = app.send(posting(10)).await;
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.id(), again.id());
    assert_eq!(again.header("upload-length"), Some("10"));
    let other = app.send(posting(11)).await;
    assert_refused(&other, 400, "idempotency_key_reused", "");
}

#[actix_web::test]
async fn pieces_go_with_their_workspace() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let other = app.another_workspace("other").await;
        let file = picture("gone with it");
        let path = begin(&app, &other, file.len(), &[]).await;
        let path = path.header("location").unwrap().to_owned();
        assert_eq!(
            app.send(sending(&other, &path, 0, &file[..5])).await.status,
            204
        );
        assert_eq!(pieces(&app), 1);
        let workspaces = app.call(&other, "GET", "/v1/workspaces", None).await.body;
        let theirs = workspaces["data"][0]["id"].as_str().unwrap();
        let theirs = format!("/v1/workspaces/{theirs}");
        let gone = app.call(&other, "DELETE", &theirs, None).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        retention::sweep(&app.app).await.unwrap();
        assert_eq!(pieces(&app), 0);
    }
}
