//! How the archive of a package is handed out: whole, in parts, or not again.

use actix_web::test::{self, TestRequest};
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};

use crate::school::{School, assert_refused};
use crate::scorm::{address, bytes, ready};

/// A package, its archive, and where it is.
struct Archive {
    app: TestApp,
    package: Value,
    bytes: Vec<u8>,
    address: String,
}

impl Archive {
    async fn new(name: &str, version: &str) -> Self {
        let app = TestApp::start().await;
        let school = School::open(&app).await;
        let course = format!("/v1/courses/{}", school.course);
        app.patch(&course, json!({ "name": name })).await;
        let asked = json!({"cohort_id": school.cohort, "version": version});
        let package = ready(&app, asked).await;
        let address = address(&package);
        let (_, bytes) = bytes(&app, TestRequest::with_uri(&address)).await;
        Self {
            app,
            package,
            bytes,
            address,
        }
    }

    fn tag(&self) -> String {
        format!("\"{}\"", self.package["sha256"].as_str().unwrap())
    }

    /// Asks for it with these headers: the answer, held against the document, and its bytes.
    async fn with(&self, headers: &[(&str, &str)]) -> (Answer, Vec<u8>) {
        let asked = || {
            let mut asked = TestRequest::with_uri(&self.address);
            for header in headers {
                asked = asked.insert_header(*header);
            }
            asked
        };
        let (_, bytes) = bytes(&self.app, asked()).await;
        (self.app.send(asked()).await, bytes)
    }
}

#[actix_web::test]
async fn a_download_says_what_it_is() {
    for (name, version, disposition) in [
        (
            "Food safety",
            "2004",
            "attachment; filename=\"food-safety-scorm2004.zip\"; \
             filename*=UTF-8''Food%20safety-scorm2004.zip",
        ),
        (
            "Küche \"1\"\r\nX: y",
            "1.2",
            "attachment; filename=\"kuche-1-x-y-scorm12.zip\"; \
             filename*=UTF-8''K%C3%BCche%201%20X%20y-scorm12.zip",
        ),
    ] {
        let archive = Archive::new(name, version).await;
        let (answer, _) = archive.with(&[]).await;
        assert_eq!(answer.status, 200);
        for (header, expected) in [
            ("content-type", "application/zip"),
            ("content-disposition", disposition),
            ("accept-ranges", "bytes"),
            ("etag", archive.tag().as_str()),
            ("content-range", ""),
        ] {
            let told = answer.header(header).unwrap_or_default();
            assert_eq!(told, expected, "{header}");
        }
    }
}

#[actix_web::test]
async fn one_range_is_answered_with_that_part_and_anything_else_with_the_whole() {
    let archive = Archive::new("Food", "2004").await;
    let size = archive.bytes.len();
    let last = size - 1;
    for (range, from, to) in [
        ("bytes=0-3".to_owned(), 0, 4),
        (format!("bytes={}-", size - 10), size - 10, size),
        ("bytes=-22".to_owned(), size - 22, size),
        (format!("bytes=100-{}", size + 999), 100, size),
        (format!("bytes={last}-{last}"), last, size),
    ] {
        let (answer, part) = archive.with(&[("Range", &range)]).await;
        assert_eq!(answer.status, 206, "{range}");
        assert!(part == archive.bytes[from..to], "{range}");
        let place = format!("bytes {from}-{}/{size}", to - 1);
        assert_eq!(answer.header("content-range"), Some(place.as_str()));
        assert_eq!(answer.header("etag"), Some(archive.tag().as_str()));
        assert_eq!(answer.header("accept-ranges"), Some("bytes"));
    }
    for range in ["bytes=0-1,5-6", &format!("bytes={size}-"), "lines=0-3"] {
        let (answer, whole) = archive.with(&[("Range", range)]).await;
        assert_eq!(answer.status, 200, "{range}");
        assert_eq!(answer.header("content-range"), None);
        assert!(whole == archive.bytes, "{range}");
    }
}

#[actix_web::test]
async fn a_part_has_its_length_and_a_download_that_broke_off_can_go_on() {
    let archive = Archive::new("Food", "2004").await;
    let (app, tag) = (&archive.app, archive.tag());
    let api = actix_web::App::new().configure(|config| lyceum_api::configure(config, &app.api));
    let api = test::init_service(api).await;
    let asked = TestRequest::with_uri(&archive.address).insert_header(("Range", "bytes=10-29"));
    let answer = test::call_service(&api, asked.to_request()).await;
    let size = actix_web::body::MessageBody::size(answer.response().body());
    let header = answer.headers().get("content-length");
    let header = header.and_then(|length| length.to_str().ok().map(str::to_owned));
    let told = header.unwrap_or_else(|| format!("{size:?}"));
    assert!(told.contains("20"), "{told}");
    let (rest, part) = archive
        .with(&[("Range", "bytes=30-"), ("If-Range", &tag)])
        .await;
    assert_eq!(rest.status, 206);
    assert!(part == archive.bytes[30..]);
    let (changed, whole) = archive
        .with(&[("Range", "bytes=30-"), ("If-Range", "\"another\"")])
        .await;
    assert_eq!(changed.status, 200);
    assert!(whole == archive.bytes);
}

#[actix_web::test]
async fn who_has_the_archive_is_not_given_it_again() {
    let archive = Archive::new("Food", "2004").await;
    let (known, none) = archive
        .with(&[("If-None-Match", &archive.tag()), ("Range", "bytes=0-3")])
        .await;
    assert_eq!((known.status, none.len()), (304, 0));
    assert_eq!(known.header("etag"), Some(archive.tag().as_str()));
    let (other, _) = archive.with(&[("If-None-Match", "\"another\"")]).await;
    assert_eq!(other.status, 200);
    // Only who may read it is told that it is unchanged.
    let path = archive.address.split('?').next().unwrap();
    let stranger = archive.app.another_workspace("other").await;
    let asked = request(&stranger, "GET", path).insert_header(("If-None-Match", archive.tag()));
    let refused = archive.app.send(asked).await;
    assert_refused(&refused, 404, "resource_missing", "");
}
