//! What a package is made of beyond its texts: files of others, and the workspace's colour.

use std::path::Path;
use std::sync::{Arc, Mutex};

use lyceum_media::{Fetcher, MediaSettings};
use lyceum_ports::exporting::scorm::{CoursePiece, PieceFile};
use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageError, PackageWriter, WrittenPackage};
use lyceum_scorm::ScormWriter;
use serde_json::{Value, json};
use support::app::TestApp;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::media;
use crate::school::School;

/// What the writer was given, with the bytes of its files as they were then.
type Given = (CourseSnapshot, Vec<Vec<u8>>);

/// A writer that remembers what it was given.
#[derive(Default)]
struct Recording {
    given: Mutex<Vec<Given>>,
}

impl PackageWriter for Recording {
    fn version(&self) -> String {
        ScormWriter.version()
    }

    fn media(&self, snapshot: &CourseSnapshot) -> Vec<String> {
        ScormWriter.media(snapshot)
    }

    fn write(
        &self,
        snapshot: &CourseSnapshot,
        target: &Path,
    ) -> Result<WrittenPackage, PackageError> {
        let files = snapshot
            .media
            .iter()
            .map(|media| std::fs::read(&media.file));
        let files = files.collect::<Result<_, _>>()?;
        let given = (snapshot.clone(), files);
        self.given.lock().unwrap().push(given);
        ScormWriter.write(snapshot, target)
    }

    fn file(&self, piece: &CoursePiece, name: &str) -> Result<Option<PieceFile>, PackageError> {
        ScormWriter.file(piece, name)
    }
}

/// An application whose writer is watched.
async fn watched() -> (TestApp, Arc<Recording>) {
    let mut app = TestApp::start().await;
    let writer = Arc::new(Recording::default());
    app.app.packages = writer.clone();
    (app, writer)
}

/// A school whose lesson shows these pictures.
async fn school(app: &TestApp, pictures: &[&str]) -> School {
    let school = School::open(app).await;
    let shown = pictures
        .iter()
        .map(|address| format!("![A mill]({address})"));
    let content = shown.collect::<Vec<_>>().join(" ");
    app.patch(
        &format!("/v1/lessons/{}", school.lesson),
        json!({"content": content}),
    )
    .await;
    school
}

/// A package of the cohort, once it is ready.
async fn exported(app: &TestApp, school: &School) -> Value {
    let asked = app
        .post("/v1/scorm", json!({"cohort_id": school.cohort}))
        .await;
    app.work().await;
    let package = app.get(&format!("/v1/scorm/{}", asked.id())).await.body;
    assert_eq!(package["status"], "ready", "{package}");
    package
}

/// The signature and first chunk of a PNG: enough for anybody to know what it is.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x03\x08\0\0\0\0";

/// Serves one picture to everybody; the port.
async fn picture_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 4096];
            assert!(stream.read(&mut head).await.unwrap() > 0);
            let length = PICTURE.len();
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {length}\r\n\r\n"
            );
            let answer = [answer.as_bytes(), PICTURE].concat();
            stream.write_all(&answer).await.unwrap();
        }
    });
    port
}

/// A fetcher that may reach these networks.
fn fetcher(allowed: &[&str]) -> Arc<dyn lyceum_ports::exporting::media::MediaFetcher> {
    let settings = MediaSettings {
        allowed_cidrs: allowed.iter().map(|cidr| cidr.parse().unwrap()).collect(),
        ..MediaSettings::default()
    };
    Arc::new(Fetcher::new(settings))
}

fn unreachable(package: &Value) -> usize {
    let warnings = package["warnings"].as_array().unwrap().iter();
    let told =
        warnings.filter(|warning| warning.as_str().unwrap().contains("could not be reached"));
    told.count()
}

#[actix_web::test]
async fn files_are_with_the_writer_while_it_writes_and_gone_afterwards() {
    let picture = format!("http://127.0.0.1:{}/mill.png", picture_server().await);
    let (mut app, writer) = watched().await;
    app.app.media = Some(fetcher(&["127.0.0.0/8"]));
    let school = school(&app, &[&picture, "http://127.0.0.1:1/gone.png"]).await;
    let package = exported(&app, &school).await;
    let given = writer.given.lock().unwrap();
    let [(snapshot, files)] = given.as_slice() else {
        panic!("written once");
    };
    let [media] = snapshot.media.as_slice() else {
        panic!("{:?}", snapshot.media);
    };
    assert_eq!(
        (&media.address, media.media_type.as_str()),
        (&picture, "image/png")
    );
    assert_eq!(files[0], PICTURE);
    assert!(!media.file.exists(), "nothing is left behind");
    assert_eq!(unreachable(&package), 1, "{package}");
}

#[actix_web::test]
async fn the_same_pictures_make_the_same_archive() {
    let picture = format!("http://127.0.0.1:{}/mill.png", picture_server().await);
    let (mut app, writer) = watched().await;
    app.app.media = Some(fetcher(&["127.0.0.0/8"]));
    let school = school(&app, &[&picture, "http://127.0.0.1:1/gone.png"]).await;
    let first = exported(&app, &school).await;
    let again = exported(&app, &school).await;
    assert_eq!(again["sha256"], first["sha256"]);
    assert_eq!(again["warnings"], first["warnings"]);
    assert_eq!(writer.given.lock().unwrap().len(), 1, "written once");
}

#[actix_web::test]
async fn a_picture_that_can_be_had_by_now_makes_another_archive() {
    let picture = format!("http://127.0.0.1:{}/mill.png", picture_server().await);
    let (mut app, _) = watched().await;
    app.app.media = Some(fetcher(&[]));
    let school = school(&app, &[&picture]).await;
    let without = exported(&app, &school).await;
    app.app.media = Some(fetcher(&["127.0.0.0/8"]));
    let with = exported(&app, &school).await;
    assert_ne!(with["content_hash"], without["content_hash"]);
    assert_eq!((unreachable(&without), unreachable(&with)), (1, 0));
}

#[actix_web::test]
async fn our_own_network_is_not_asked_and_the_package_is_made_all_the_same() {
    let picture = format!("http://127.0.0.1:{}/mill.png", picture_server().await);
    let (mut app, writer) = watched().await;
    app.app.media = Some(fetcher(&[]));
    let school = school(&app, &[&picture]).await;
    let package = exported(&app, &school).await;
    assert!(writer.given.lock().unwrap()[0].0.media.is_empty());
    assert_eq!(unreachable(&package), 1, "{package}");
}

#[actix_web::test]
async fn nobody_is_asked_when_that_is_switched_off() {
    let picture = format!("http://127.0.0.1:{}/mill.png", picture_server().await);
    let (app, writer) = watched().await;
    let school = school(&app, &[&picture]).await;
    let package = exported(&app, &school).await;
    assert!(writer.given.lock().unwrap()[0].0.media.is_empty());
    assert_eq!(unreachable(&package), 0, "{package}");
}

#[actix_web::test]
async fn a_package_has_the_accent_colour_of_its_workspace() {
    let (app, writer) = watched().await;
    let school = School::open(&app).await;
    let workspaces = app.get("/v1/workspaces").await.body;
    let path = format!(
        "/v1/workspaces/{}",
        workspaces["data"][0]["id"].as_str().unwrap()
    );
    for color in [json!("#0a5C7a"), json!("blue"), Value::Null] {
        app.patch(&path, json!({"metadata": {"accent_color": color}}))
            .await;
        exported(&app, &school).await;
    }
    let given = writer.given.lock().unwrap();
    let colors: Vec<Option<&str>> = given
        .iter()
        .map(|(snapshot, _)| snapshot.accent_color.as_deref())
        .collect();
    // The third is the second's archive.
    assert_eq!(colors, [Some("#0a5C7a"), None]);
}

#[actix_web::test]
async fn a_package_takes_along_what_the_library_of_its_workspace_has_and_nothing_of_others() {
    let (app, writer) = watched().await;
    let ours = media::ready(&app, "ours").await;
    let damaged = media::ready(&app, "damaged").await;
    let other = app.another_workspace("other").await;
    let theirs = media::upload(&app, &other, &media::picture("theirs"), &[]).await;
    app.work().await;
    let [ours, damaged] = [&ours, &damaged].map(|one| one["address"].as_str().unwrap());
    let theirs = theirs.body["address"].as_str().unwrap();
    let described = format!("/v1/media/{}", ours.replace("media:", ""));
    app.patch(&described, json!({"alt_text": "A mill by a river"}))
        .await;
    let file = damaged.replace("media:", "blobs/media/") + "/0";
    std::fs::write(app.app.settings.scratch.join(file), b"x").unwrap();
    let school = school(&app, &[ours, damaged, theirs]).await;
    let package = exported(&app, &school).await;
    let given = writer.given.lock().unwrap();
    let (snapshot, files) = &given[0];
    let [kept] = snapshot.media.as_slice() else {
        panic!("{:?}", snapshot.media);
    };
    assert_eq!(
        (kept.address.as_str(), kept.media_type.as_str()),
        (ours, "image/png")
    );
    assert_eq!(kept.alt_text.as_deref(), Some("A mill by a river"));
    assert_eq!(kept.dimensions, Some((1, 1)));
    assert!(files[0].starts_with(b"\x89PNG"));
    assert_eq!(snapshot.unavailable.len(), 1);
    assert_eq!(snapshot.unavailable[0].0, damaged);
    let warnings = package["warnings"].to_string();
    for missing in [damaged, theirs] {
        assert!(warnings.contains(missing), "{warnings}");
    }
    assert!(!warnings.contains(ours), "{warnings}");
}
