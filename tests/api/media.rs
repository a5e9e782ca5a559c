//! The media library: what is uploaded, looked at, shown, referred to, deleted and brought back; and who may.

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use lyceum_application::running::retention;
use lyceum_application::settings::Spending;
use lyceum_ports::blobs::BlobKey;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, destroy, events, key, list};
use crate::scorm::bytes;

const BOUNDARY: &str = "----a-boundary-of-a-form";

/// A picture of one pixel, with something behind it that tells it from others.
pub fn picture(of: &str) -> Vec<u8> {
    const PNG: [u8; 70] = [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
        0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f,
        0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x64,
        0xf8, 0xcf, 0x50, 0x0f, 0x00, 0x03, 0x86, 0x01, 0x80, 0x5a, 0x34, 0x7d, 0x6b, 0x00, 0x00,
        0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
    ];
    [&PNG, of.as_bytes()].concat()
}

/// A form of texts and files: name, what a file is called, and what is in it.
fn form(parts: &[(&str, Option<&str>, &[u8])]) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, file, content) in parts {
        let file = file.map_or_else(String::new, |file| format!("; filename=\"{file}\""));
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n"
        );
        form.extend_from_slice(head.as_bytes());
        form.extend_from_slice(content);
        form.extend_from_slice(b"\r\n");
    }
    form.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    form
}

fn carrying(request: TestRequest, form: Vec<u8>) -> TestRequest {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    request
        .insert_header(("content-type", kind))
        .set_payload(form)
}

/// A request with a form that has a picture in it.
pub fn with_picture(request: TestRequest) -> TestRequest {
    carrying(request, form(&[("file", Some("pump.png"), &picture(""))]))
}

fn posting(who: &Caller, form: Vec<u8>) -> TestRequest {
    carrying(request(who, "POST", "/v1/media"), form)
}

/// What a form of a picture, or of something else, and texts is answered with.
pub async fn upload(app: &TestApp, who: &Caller, content: &[u8], texts: &[(&str, &str)]) -> Answer {
    let mut parts: Vec<(&str, Option<&str>, &[u8])> = texts
        .iter()
        .map(|(name, text)| (*name, None, text.as_bytes()))
        .collect();
    parts.push(("file", Some("pump.png"), content));
    app.send(posting(who, form(&parts))).await
}

/// One that can be used.
pub async fn ready(app: &TestApp, of: &str) -> Value {
    let sent = upload(app, &app.owner, &picture(of), &[]).await;
    assert_eq!(sent.status, 202, "{}", sent.body);
    app.work().await;
    let ready = app.get(&format!("/v1/media/{}", sent.id())).await.body;
    assert_eq!(ready["status"], "ready", "{ready}");
    ready
}

fn path_of(file: &Value) -> String {
    let url = file["url"].as_str().unwrap();
    url.strip_prefix("http://lyceum.test").unwrap().to_owned()
}

async fn is_kept(app: &TestApp, key: &BlobKey) -> bool {
    app.app.blobs.read(key, None).await.is_ok()
}

#[actix_web::test]
async fn what_is_uploaded_is_looked_at_told_and_shown_by_an_address_of_its_own() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let texts = [
            ("title", "Pump"),
            ("license", "CC BY 4.0"),
            ("metadata", "{\"shelf\":1}"),
        ];
        let sent = upload(&app, &app.owner, &picture("<script>"), &texts).await;
        assert_eq!(sent.status, 202, "{}", sent.body);
        let path = format!("/v1/media/{}", sent.id());
        assert_eq!(sent.header("location"), Some(path.as_str()));
        assert_eq!(sent.body["status"], "pending");
        assert_eq!(
            (&sent.body["file"], &sent.body["alt_text"]),
            (&Value::Null, &Value::Null)
        );
        let upload = BlobKey::of_upload(sent.id().parse().unwrap());
        assert!(is_kept(&app, &upload).await);
        assert_eq!(app.work().await, 1);
        let ready = app.get(&path).await.body;
        assert_eq!(
            (&ready["status"], &ready["kind"]),
            (&json!("ready"), &json!("image"))
        );
        assert_eq!(
            (&ready["file"]["width"], &ready["file"]["height"]),
            (&json!(1), &json!(1))
        );
        assert_eq!(ready["file"]["media_type"], "image/png");
        assert_eq!(ready["address"], format!("media:{}", sent.id()));
        assert_eq!(
            (&ready["title"], &ready["metadata"]),
            (&json!("Pump"), &json!({"shelf": 1}))
        );
        let [told] = events(&app, "media_file.ready").await.try_into().unwrap();
        assert_eq!(told["data"]["object"]["id"], sent.id());
        // What was behind the picture is gone, and so is what came, once nobody needs it.
        let (status, shown) = bytes(&app, TestRequest::with_uri(&path_of(&ready["file"]))).await;
        assert_eq!(status, 200);
        assert!(!String::from_utf8_lossy(&shown).contains("script"));
        assert!(!is_kept(&app, &upload).await);
    }
}

#[actix_web::test]
async fn a_file_is_loaded_in_parts_by_its_tag_and_by_nobody_without_its_address() {
    let app = TestApp::start().await;
    let ready = ready(&app, "").await;
    let path = path_of(&ready["file"]);
    let whole = app.send(TestRequest::with_uri(&path)).await;
    assert_eq!(whole.header("content-type"), Some("image/png"));
    assert_eq!(whole.header("x-content-type-options"), Some("nosniff"));
    assert!(
        whole
            .header("content-security-policy")
            .unwrap()
            .contains("sandbox")
    );
    let tag = whole.header("etag").unwrap().to_owned();
    let same = TestRequest::with_uri(&path).insert_header(("if-none-match", tag));
    assert_eq!(app.send(same).await.status, 304);
    let part = TestRequest::with_uri(&path).insert_header(("range", "bytes=1-3"));
    let (status, part) = bytes(&app, part).await;
    assert_eq!((status, part.as_slice()), (206, b"PNG".as_slice()));
    let id = ready["id"].as_str().unwrap();
    for wrong in [
        path.replace("number=0", "number=1"),
        path.replace("signature=", "signature=0"),
        path.replace("expires=", "expires=9"),
        format!("/v1/media/{id}/file"),
    ] {
        let refused = app.send(TestRequest::with_uri(&wrong)).await;
        assert_refused(&refused, 403, "link_expired", "");
    }
    app.clock.advance(2 * 3_600 + 1);
    let refused = app.send(TestRequest::with_uri(&path)).await;
    assert_refused(&refused, 403, "link_expired", "");
}

#[actix_web::test]
async fn of_the_same_file_there_is_one_however_often_and_however_many_send_it() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let content = picture("");
        let sending = (0..20).map(|_| upload(&app, &app.owner, &content, &[]));
        let mut ids: Vec<String> = Vec::new();
        for sent in join_all(sending).await {
            assert_eq!(sent.status, 202, "{}", sent.body);
            ids.push(sent.id());
        }
        ids.dedup();
        assert_eq!(ids.len(), 1);
        assert_eq!(app.work().await, 1, "it is looked at once");
        let again = upload(&app, &app.owner, &content, &[]).await;
        assert_eq!(
            (again.id(), &again.body["status"]),
            (ids[0].clone(), &json!("ready"))
        );
        // Another workspace has one of its own.
        let other = app.another_workspace("other").await;
        let theirs = upload(&app, &other, &content, &[]).await;
        assert_ne!(theirs.id(), ids[0]);
        let path = format!("/v1/media/{}", ids[0]);
        for method in ["GET", "DELETE"] {
            let refused = app.call(&other, method, &path, None).await;
            assert_refused(&refused, 404, "resource_missing", "");
        }
        let hash = again.body["sha256"].as_str().unwrap();
        let known = list(&app, &format!("media?sha256={hash}")).await;
        assert_eq!(known.len(), 1);
        assert_eq!(list(&app, "media?kind=image&status=ready").await.len(), 1);
        assert_eq!(list(&app, "media?kind=video").await.len(), 0);
    }
}

#[actix_web::test]
async fn a_key_gives_the_first_answer_again_and_refuses_another_file() {
    let app = TestApp::start().await;
    let keyed = |content: &[u8]| {
        let form = form(&[("file", Some("a.png"), content)]);
        posting(&app.owner, form).insert_header(("idempotency-key", "one"))
    };
    let first = app.send(keyed(&picture("1"))).await;
    let again = app.send(keyed(&picture("1"))).await;
    assert_eq!((again.status, again.id()), (202, first.id()));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let other = app.send(keyed(&picture("2"))).await;
    assert_refused(&other, 400, "idempotency_key_reused", "");
    assert_eq!(list(&app, "media").await.len(), 1);
}

#[actix_web::test]
async fn learners_and_keys_that_only_read_upload_and_see_nothing() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let ready = ready(&app, "").await;
    let path = format!("/v1/media/{}", ready["id"].as_str().unwrap());
    let reader = key(&app, &["read:courses"]).await;
    let ada = school.student_session(&app).await;
    for who in [&reader, &ada] {
        let refused = upload(&app, who, &picture("x"), &[]).await;
        assert_eq!(refused.status, 403, "{}", refused.body);
        assert_eq!(app.call(who, "DELETE", &path, None).await.status, 403);
        let patch = Some(json!({"title": "x"}));
        assert_eq!(app.call(who, "PATCH", &path, patch).await.status, 403);
    }
    assert_eq!(app.call(&reader, "GET", &path, None).await.status, 200);
    assert_eq!(app.call(&ada, "GET", &path, None).await.status, 403);
    assert_eq!(list(&app, "media").await.len(), 1);
}

#[actix_web::test]
async fn what_is_no_picture_recording_film_or_document_is_not_kept_and_says_why() {
    let app = TestApp::start().await;
    let page = b"<!doctype html><script>alert(1)</script>";
    let sent = upload(&app, &app.owner, page, &[]).await;
    assert_eq!(
        sent.status, 202,
        "its bytes tell, and they are looked at later"
    );
    app.work().await;
    let refused = app.get(&format!("/v1/media/{}", sent.id())).await.body;
    assert_eq!(
        (&refused["status"], &refused["size_bytes"]),
        (&json!("error"), &json!(0))
    );
    assert_eq!(refused["error"]["code"], "unsupported_type");
    assert_eq!(refused["file"], Value::Null);
    assert_eq!(events(&app, "media_file.failed").await.len(), 1);
    for key in BlobKey::all_of_media(sent.id().parse().unwrap()) {
        assert!(!is_kept(&app, &key).await, "{key}");
    }
    // Whoever sends it again is told again.
    assert_ne!(upload(&app, &app.owner, page, &[]).await.id(), sent.id());
}

#[actix_web::test]
async fn forms_that_make_no_sense_leave_nothing_behind() {
    let app = TestApp::start().await.deciding(Spending {
        upload_bytes: 100,
        ..Spending::default()
    });
    let (png, long) = (picture(""), [7; 101]);
    let title = "x".repeat(1_001);
    let file = ("file", Some("a.png"), png.as_slice());
    let send = async |parts: &[(&str, Option<&str>, &[u8])]| {
        app.send(posting(&app.owner, form(parts))).await
    };
    let none = send(&[("title", None, b"x")]).await;
    assert_refused(&none, 400, "missing_field", "file");
    let two = send(&[file, file]).await;
    assert_refused(&two, 400, "invalid_field", "file");
    let empty = send(&[("file", Some("a.png"), b"")]).await;
    assert_refused(&empty, 400, "invalid_field", "file");
    let title = send(&[file, ("title", None, title.as_bytes())]).await;
    assert_refused(&title, 400, "invalid_field", "title");
    let metadata = send(&[file, ("metadata", None, b"[]")]).await;
    assert_refused(&metadata, 400, "invalid_field", "metadata");
    let large = send(&[("file", Some("a.png"), &long)]).await;
    assert_refused(&large, 413, "payload_too_large", "");
    let json = app.post("/v1/media", json!({"file": "x"})).await;
    assert_refused(&json, 415, "unsupported_media_type", "");
    let packed = posting(&app.owner, form(&[file])).insert_header(("content-encoding", "gzip"));
    assert_refused(&app.send(packed).await, 415, "unsupported_media_type", "");
    let asked = posting(&app.owner, form(&[file])).uri("/v1/media?colour=red");
    assert_refused(&app.send(asked).await, 400, "unknown_parameter", "colour");
    let mut cut = form(&[file]);
    cut.truncate(cut.len() - 40);
    let cut = app.send(posting(&app.owner, cut)).await;
    assert_refused(&cut, 400, "invalid_field", "file");
    assert_eq!(list(&app, "media").await.len(), 0);
    let left = std::fs::read_dir(&app.app.settings.scratch).unwrap();
    let left = left.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with("upload-")
    });
    assert_eq!(left.count(), 0);
}

#[actix_web::test]
async fn what_texts_refer_to_is_not_deleted_and_what_was_comes_back_whole() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let ready = ready(&app, "").await;
        let id = ready["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/media/{id}");
        let text = format!("![A pump](media:{id})");
        let question = json!({"prompt": text, "type": "true_false", "answer": true, "id": "q1"});
        let quiz = json!({"content": {"questions": [question]}});
        for (place, named, empty) in [
            (
                format!("/v1/lessons/{}", school.lesson),
                json!({"content": text}),
                json!({"content": ""}),
            ),
            (
                format!("/v1/assignments/{}", school.assignment),
                json!({"instructions": text}),
                json!({"instructions": ""}),
            ),
            (
                format!("/v1/courses/{}", school.course),
                json!({"description": text}),
                json!({"description": ""}),
            ),
            (
                format!("/v1/activities/{}", school.activity),
                quiz,
                json!({"content": crate::school::quiz()["content"]}),
            ),
        ] {
            let changed = app.patch(&place, named).await;
            assert_eq!(changed.status, 200, "{}", changed.body);
            let user = place.rsplit('/').next().unwrap();
            assert_refused(&app.delete(&path).await, 409, "media_in_use", user);
            let changed = app.patch(&place, empty).await;
            assert_eq!(changed.status, 200, "{}", changed.body);
        }
        assert_eq!(app.delete(&path).await.status, 200);
        assert_eq!(app.get(&path).await.status, 404);
        let [item] = list(&app, &format!("trash?object_id={id}"))
            .await
            .try_into()
            .unwrap();
        assert_eq!(item["what"]["name"], "pump.png");
        let restore = format!("/v1/trash/{}/restore", item["id"].as_str().unwrap());
        assert_eq!(app.post(&restore, json!({})).await.status, 200);
        let back = app.get(&path).await.body;
        assert_eq!(
            (&back["sha256"], &back["file"]["size_bytes"]),
            (&ready["sha256"], &ready["file"]["size_bytes"])
        );
        let shown = bytes(&app, TestRequest::with_uri(&path_of(&back["file"]))).await;
        assert_eq!(shown.0, 200);
        // Destroyed, it is gone with its files.
        let file = BlobKey::of_media(id.parse().unwrap(), 0);
        assert_eq!(app.delete(&path).await.status, 200);
        assert!(is_kept(&app, &file).await, "it may still come back");
        destroy(&app, &id).await;
        assert!(!is_kept(&app, &file).await);
    }
}

#[actix_web::test]
async fn a_library_takes_no_more_than_its_room_with_what_is_in_the_trash() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.deciding(Spending {
            media_bytes: Some(150),
            ..Spending::default()
        });
        let first = ready(&app, "").await;
        let id = first["id"].as_str().unwrap();
        let more = picture(
            "another, which takes one hundred and fifty bytes with the one before, and more",
        );
        let over = upload(&app, &app.owner, &more, &[]).await;
        assert_refused(&over, 409, "quota_exceeded", "used_bytes");
        assert_eq!(over.body["error"]["fields"]["quota"], "media");
        assert_eq!(app.delete(&format!("/v1/media/{id}")).await.status, 200);
        let over = upload(&app, &app.owner, &more, &[]).await;
        assert_refused(&over, 409, "quota_exceeded", "used_bytes");
        destroy(&app, id).await;
        assert_eq!(upload(&app, &app.owner, &more, &[]).await.status, 202);
    }
}

#[actix_web::test]
async fn what_is_said_about_a_file_is_changed_by_whoever_saw_it_last() {
    let app = TestApp::start().await;
    let ready = ready(&app, "").await;
    let path = format!("/v1/media/{}", ready["id"].as_str().unwrap());
    let tag = app.get(&path).await.header("etag").unwrap().to_owned();
    for alt_text in [Value::Null, json!(""), json!("A pump")] {
        let changed = app.patch(&path, json!({"alt_text": alt_text})).await;
        assert_eq!(
            (changed.status, &changed.body["alt_text"]),
            (200, &alt_text)
        );
    }
    let late = request(&app.owner, "PATCH", &path)
        .insert_header(("if-match", tag))
        .set_json(json!({"title": "x"}));
    assert_refused(&app.send(late).await, 412, "precondition_failed", "");
    let long = app.patch(&path, json!({"source": "x".repeat(1_001)})).await;
    assert_refused(&long, 400, "invalid_field", "source");
}

/// Files of the library that lie in the store.
fn stored(app: &TestApp) -> usize {
    let library = app.app.settings.scratch.join("blobs/media");
    let folders = std::fs::read_dir(library).unwrap();
    let files = folders.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count());
    files.sum()
}

#[actix_web::test]
async fn of_many_for_which_there_is_room_one_by_one_one_is_taken_and_no_other_leaves_a_file() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.deciding(Spending {
            media_bytes: Some(100),
            ..Spending::default()
        });
        let contents: Vec<Vec<u8>> = (10..30).map(|n| picture(&n.to_string())).collect();
        let sending = contents
            .iter()
            .map(|one| upload(&app, &app.owner, one, &[]));
        let sent = join_all(sending).await;
        let taken = sent.iter().filter(|sent| sent.status == 202).count();
        assert_eq!(taken, 1);
        for over in sent.iter().filter(|sent| sent.status != 202) {
            assert_refused(over, 409, "quota_exceeded", "used_bytes");
        }
        assert_eq!(list(&app, "media").await.len(), 1);
        app.clock.advance(2 * 3_600 + 1);
        retention::sweep(&app.app).await.unwrap();
        assert_eq!(stored(&app), 1);
    }
}
