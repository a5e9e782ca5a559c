//! The page and Lyceum's routes answer side by side, from one database and one store of files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::rt::task::JoinHandle;
use actix_web::{App, HttpServer};
use lyceum_client::{Client, ClientSettings, Platform};
use lyceum_service::Embedded;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::CreateUnit;
use lyceum_wire::exporting::scorm::CreateScormPackage;
use lyceum_wire::learning::cohorts::CreateCohort;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A school that is open, on a free port.
struct School {
    folder: TempDir,
    url: String,
    client: Client,
    lyceum: Embedded,
    handle: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
}

impl School {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let lyceum = embedded_service::start(folder.path(), &address).await;
        let lyceum = lyceum.unwrap();
        let url = format!("http://{address}");
        let key = lyceum.first.as_ref().unwrap().key.reveal().to_owned();
        let mut settings = ClientSettings::new(&url, key);
        settings.platform = Platform::Code("main".to_owned());
        let api = Arc::clone(&lyceum.api);
        let server = HttpServer::new(move || {
            App::new().configure(|config| embedded_service::configure(config, &api))
        });
        let server = server.workers(1).listen(listener).unwrap().run();
        Self {
            folder,
            url,
            client: Client::new(settings).unwrap(),
            lyceum,
            handle: server.handle(),
            serving: actix_web::rt::spawn(server),
        }
    }

    /// What is answered to somebody without a key.
    async fn get(&self, path: &str) -> (u16, Value) {
        let answer = reqwest::get(format!("{}{path}", self.url)).await.unwrap();
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap())
    }

    async fn close(self) {
        self.handle.stop(true).await;
        self.serving.await.unwrap().unwrap();
        self.lyceum.stop().await;
    }
}

async fn course(client: &Client) -> String {
    let new = CreateCourse {
        name: "Food safety".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    client.courses().create(&new).await.unwrap().id
}

/// A package of the course, ready.
async fn package(client: &Client, course: &str) -> String {
    let unit = CreateUnit {
        course_id: course.to_owned(),
        name: "Cooling".to_owned(),
        ..CreateUnit::default()
    };
    let lesson = CreateLesson {
        unit_id: client.units().create(&unit).await.unwrap().id,
        name: "Quickly".to_owned(),
        content: Some("Cool within 90 minutes.".to_owned()),
        ..CreateLesson::default()
    };
    client.lessons().create(&lesson).await.unwrap();
    let cohort = CreateCohort {
        course_id: course.to_owned(),
        name: "Spring".to_owned(),
        ..CreateCohort::default()
    };
    let cohort = client.cohorts().create(&cohort).await.unwrap().id;
    client.cohorts().start(&cohort).await.unwrap();
    let new = CreateScormPackage {
        cohort_id: cohort,
        ..CreateScormPackage::default()
    };
    let asked = client.scorm().create(&new).await.unwrap();
    let ready = asked.wait().within(Duration::from_secs(30)).await.unwrap();
    assert_eq!(ready.status, "ready", "{ready:?}");
    ready.download_url.unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let document = fs::read(folder.join("files/blobs.json")).unwrap();
    let document: Value = serde_json::from_slice(&document).unwrap();
    document.as_object().unwrap().keys().cloned().collect()
}

#[actix_web::test]
async fn the_page_shows_what_was_published_through_the_routes() {
    let school = School::open().await;
    assert_eq!(school.get("/healthz").await.0, 200);
    assert_eq!(school.get("/v1/courses").await.0, 401);
    let (status, refused) = school.get("/catalog").await;
    assert_eq!(status, 404);
    assert!(refused["error"]["request_id"].is_string(), "{refused}");

    let course = course(&school.client).await;
    assert_eq!(
        school.get("/catalogue").await,
        (200, json!({"courses": []}))
    );
    school.client.courses().publish(&course).await.unwrap();
    let shown = json!({"courses": ["Food safety"]});
    assert_eq!(school.get("/catalogue").await, (200, shown));
    school.close().await;
}

#[actix_web::test]
async fn packages_are_kept_where_the_school_keeps_its_files() {
    let school = School::open().await;
    let course = course(&school.client).await;
    school.client.courses().publish(&course).await.unwrap();
    let address = package(&school.client, &course).await;
    assert_eq!(files(school.folder.path()).len(), 1);
    let zip = school.folder.path().join("course.zip");
    let bytes = school.client.download(&address, &zip).await.unwrap();
    assert!(bytes > 1000 && fs::read(&zip).unwrap().starts_with(b"PK"));
    school.close().await;
}
