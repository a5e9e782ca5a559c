//! Packages in a bucket that several nodes share, held by a server that speaks S3.

use std::fs;
use std::net::SocketAddr;
use std::ops::Range;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use futures_util::TryStreamExt;
use lyceum_blobs::Blobs;
use lyceum_client::{Client, wait_until};
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore};
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::media::CreateMedia;
use lyceum_wire::authoring::units::CreateUnit;
use lyceum_wire::exporting::scorm::CreateScormPackage;
use lyceum_wire::learning::cohorts::CreateCohort;
use serde_json::{Value, json};
use support::binary::{Launch, LyceumProcess, free_address};
use support::stores::Database;
use tempfile::TempDir;

use crate::console::texts_seen;
use crate::node::Programs;
use crate::service::{SOON, Service, client, place};
use crate::traces::{NoTraces, VARIABLE};

/// A picture of one pixel.
pub const PNG: [u8; 70] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4,
    0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x64, 0xf8, 0xcf, 0x50,
    0x0f, 0x00, 0x03, 0x86, 0x01, 0x80, 0x5a, 0x34, 0x7d, 0x6b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45,
    0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Longer than two parts of an upload.
const LARGE: usize = 20 * 1024 * 1024;

/// A bucket `lyceum` on a server of its own, gone when it is dropped.
pub struct Bucket {
    address: SocketAddr,
    server: Child,
    folder: TempDir,
}

impl Bucket {
    pub async fn start(traces: &NoTraces) -> Self {
        let folder = TempDir::with_prefix("lyceum-bucket-").unwrap();
        let address = free_address();
        let programs = Programs::of("s3_bucket");
        let server = programs
            .command("node_modules/s3rver/bin/s3rver.js", traces)
            .arg("--directory")
            .arg(folder.path())
            .args(["--address", "127.0.0.1"])
            .args(["--port", &address.port().to_string()])
            .args(["--configure-bucket", "lyceum", "--silent"])
            .spawn()
            .unwrap();
        let bucket = Self {
            address,
            server,
            folder,
        };
        let answers = || async { Ok(tokio::net::TcpStream::connect(address).await.is_ok()) };
        wait_until(SOON, answers, |up| *up).await.unwrap();
        bucket
    }

    /// How everybody gets there; the server's own keys are known to all. It lets everybody read and
    /// checks no signature: those are looked at in `lyceum-blobs`.
    fn variables(&self) -> Vec<(String, String)> {
        [
            ("AWS_ENDPOINT", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "S3RVER".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "S3RVER".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    /// How many objects it holds.
    pub fn objects(&self) -> usize {
        objects_below(self.folder.path())
    }
}

/// The server keeps an object in a file of this ending, its description in others.
fn objects_below(folder: &Path) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            count += objects_below(&path);
        } else if path.to_string_lossy().ends_with("._S3rver_object") {
            count += 1;
        }
    }
    count
}

impl Drop for Bucket {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

async fn read(
    blobs: &Blobs,
    key: &BlobKey,
    range: Option<Range<u64>>,
) -> Result<Vec<u8>, BlobError> {
    let parts: Vec<_> = blobs.read(key, range).await?.try_collect().await?;
    Ok(parts.concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_keeps_files_as_a_folder_does() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let blobs = Blobs::open_with("s3://lyceum/files/here", bucket.variables()).unwrap();
    let source = TempDir::new().unwrap();
    let source = source.path().join("source");
    let key = BlobKey::parse("media/large").unwrap();

    let missing = read(&blobs, &key, None).await.unwrap_err();
    assert!(matches!(missing, BlobError::NotFound), "{missing:?}");

    fs::write(&source, b"small").unwrap();
    blobs.put_file(&key, &source).await.unwrap();
    assert_eq!(read(&blobs, &key, None).await.unwrap(), b"small");

    // Numbered, so that parts in the wrong order show.
    let large: Vec<u8> = (0..LARGE / 4)
        .flat_map(|at| u32::try_from(at).unwrap().to_le_bytes())
        .collect();
    fs::write(&source, &large).unwrap();
    blobs.put_file(&key, &source).await.unwrap();
    assert!(read(&blobs, &key, None).await.unwrap() == large);
    let across_parts = read(&blobs, &key, Some(8_388_600..8_388_620))
        .await
        .unwrap();
    assert_eq!(across_parts, large[8_388_600..8_388_620]);

    blobs.delete(&key).await.unwrap();
    blobs.delete(&key).await.unwrap();
    let gone = read(&blobs, &key, None).await.unwrap_err();
    assert!(matches!(gone, BlobError::NotFound), "{gone:?}");
    assert_eq!(bucket.objects(), 0);
}

/// A cohort that runs, with a course of one lesson.
async fn cohort(client: &Client) -> String {
    let new = CreateCourse {
        name: "Keeping food cold".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = client.courses().create(&new).await.unwrap().id;
    let unit = CreateUnit {
        course_id: course.clone(),
        name: "Cooling".to_owned(),
        ..CreateUnit::default()
    };
    let unit = client.units().create(&unit).await.unwrap().id;
    let lesson = CreateLesson {
        unit_id: unit,
        name: "Quickly".to_owned(),
        content: Some("Cool within 90 minutes.".to_owned()),
        ..CreateLesson::default()
    };
    client.lessons().create(&lesson).await.unwrap();
    client.courses().publish(&course).await.unwrap();
    let new = CreateCohort {
        course_id: course,
        name: "Spring".to_owned(),
        ..CreateCohort::default()
    };
    let cohort = client.cohorts().create(&new).await.unwrap().id;
    client.cohorts().start(&cohort).await.unwrap();
    cohort
}

/// Two nodes on one database that share the bucket, and a client of the second.
pub fn two_nodes(bucket: &Bucket, traces: &NoTraces) -> (Service, LyceumProcess, Client) {
    nodes(bucket, traces, "off")
}

/// The same, of which browsers reach the bucket.
pub fn two_nodes_handing_out(
    bucket: &Bucket,
    traces: &NoTraces,
) -> (Service, LyceumProcess, Client) {
    nodes(bucket, traces, "on")
}

fn nodes(bucket: &Bucket, traces: &NoTraces, presigned: &str) -> (Service, LyceumProcess, Client) {
    let mut launch = place(Launch::new(), Database::Postgres)
        .env("LYCEUM_BLOBS_URL", "s3://lyceum/packages")
        .env("LYCEUM_BLOBS_PRESIGNED", presigned)
        .env(
            "LYCEUM_MASTER_KEY_FILE",
            bucket.folder.path().join("master.key"),
        );
    for (name, value) in bucket.variables() {
        launch = launch.env(name, value);
    }
    let other = launch.clone();
    let first = Service::start(launch);
    let second = other.env(VARIABLE, traces.mark()).start();
    let client = client(&second, &first.key, "main");
    (first, second, client)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_packed_another_hands_out() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let (first, second, second_client) = two_nodes(&bucket, &traces);

    let new = CreateScormPackage {
        cohort_id: cohort(&first.client()).await,
        ..CreateScormPackage::default()
    };
    let package = first
        .client()
        .scorm()
        .create(&new)
        .await
        .unwrap()
        .id
        .clone();
    let package = second_client
        .scorm()
        .wait(&package)
        .within(SOON)
        .await
        .unwrap();
    assert_eq!(package.status, "ready", "{package:?}");
    // Beside it lies what says whose bucket it is.
    assert_eq!(bucket.objects(), 2);

    // Signed by whichever node is asked, and good on every other.
    let signed = package.download_url.unwrap();
    let (_, path) = signed.split_once("/v1/").unwrap();
    let [one, two] = [first.process.url(), second.url()].map(|node| format!("{node}/v1/{path}"));
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("course.zip");
    for address in [one, two] {
        let bytes = second_client.download(&address, &file).await.unwrap();
        assert_eq!(bytes, package.size_bytes.unwrap());
    }

    second_client.scorm().delete(&package.id).await.unwrap();
    let items = second_client.trash().list().collect().await.unwrap();
    second_client.trash().delete(&items[0].id).await.unwrap();
    let left = || async { Ok(bucket.objects()) };
    wait_until(SOON + Duration::from_secs(30), left, |objects| {
        *objects == 1
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_uploaded_to_one_node_another_shows_and_removes() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let (first, _second, second_client) = two_nodes(&bucket, &traces);
    let folder = TempDir::new().unwrap();
    let drawing = folder.path().join("drawing.svg");
    let shapes = "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"9\" height=\"9\"/></svg>";
    fs::write(&drawing, shapes).unwrap();
    let said = CreateMedia::default();
    let sent = first
        .client()
        .media()
        .upload(&drawing, &said)
        .await
        .unwrap();
    let (library, trash) = (second_client.media(), second_client.trash());
    let media = library.wait(&sent.id).within(SOON).await.unwrap();
    assert_eq!(media.status, "ready", "{media:?}");
    let file = folder.path().join("loaded.svg");
    library.download(&media, &file).await.unwrap();
    assert!(fs::read_to_string(&file).unwrap().contains("<rect"));

    library.delete(&media.id).await.unwrap();
    let items = trash.list().collect().await.unwrap();
    trash.delete(&items[0].id).await.unwrap();
    // What came is gone as well, and what says whose bucket it is stays.
    let left = || async { Ok(bucket.objects()) };
    wait_until(SOON + Duration::from_secs(90), left, |objects| {
        *objects == 1
    })
    .await
    .unwrap();
}

/// What is answered at an address.
async fn asked(http: &reqwest::Client, url: &str) -> reqwest::Response {
    http.get(url).send().await.unwrap()
}

/// A service whose files the bucket hands out itself, and where browsers reach it: under a name of its own.
pub fn handing_out(bucket: &Bucket) -> (Service, String) {
    let there = format!("http://localhost:{}", bucket.address.port());
    let mut launch = Launch::new()
        .env("LYCEUM_BLOBS_URL", "s3://lyceum/files/here")
        .env("LYCEUM_BLOBS_PRESIGNED", "on")
        .env("LYCEUM_BLOBS_PUBLIC_ENDPOINT", &there);
    for (name, value) in bucket.variables() {
        launch = launch.env(name, value);
    }
    (Service::start(launch), there)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_shows_a_picture_that_the_bucket_hands_out() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let (service, there) = handing_out(&bucket);
    // Whichever came first is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let console = format!("{}/studio", service.process.url());
    let page = asked(&reqwest::Client::new(), &console).await;
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    let allowed = [
        format!("img-src 'self' data: blob: {there};"),
        format!("media-src 'self' {there};"),
    ];
    assert!(allowed.iter().all(|part| policy.contains(part)), "{policy}");
    let report = tokio::task::spawn_blocking(move || texts_seen(&service, &["picture"]));
    let report = report.await.unwrap();
    assert_eq!(report["width"], 1, "{report:#}");
    assert_eq!(report["policy"], json!([]), "{report:#}");
    // From there, and from nowhere else.
    let outside = report["faults"].as_array().unwrap();
    let place = format!("asked outside: {there}/lyceum/files/here/media/");
    let is_there = |fault: &Value| fault.as_str().unwrap().starts_with(&place);
    assert!(
        !outside.is_empty() && outside.iter().all(is_there),
        "{report:#}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_loaded_from_the_bucket_itself_by_whoever_is_sent_there() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let (service, there) = handing_out(&bucket);
    let folder = TempDir::new().unwrap();
    let picture = folder.path().join("pump.png");
    fs::write(&picture, PNG).unwrap();
    let library = service.client().media();
    let said = CreateMedia::default();
    let sent = library.upload(&picture, &said).await.unwrap();
    let media = library.wait(&sent.id).within(SOON).await.unwrap();
    let shown = media.file.clone().unwrap();

    let stay = reqwest::redirect::Policy::none();
    let http = reqwest::Client::builder().redirect(stay).build().unwrap();
    let sent_on = asked(&http, &shown.url).await;
    assert_eq!(sent_on.status(), 307);
    let location = sent_on.headers()["location"].to_str().unwrap().to_owned();
    let place = format!("{there}/lyceum/files/here/media/{}/0?", media.id);
    assert!(location.starts_with(&place), "{location}");
    // To whoever came with an address of the service, and to nobody else.
    let forged = shown.url.replace("signature=", "signature=0");
    let refused = asked(&http, &forged).await;
    assert_eq!(refused.status(), 403);
    assert!(!refused.headers().contains_key("location"));

    let loaded = asked(&http, &location).await;
    assert_eq!(loaded.status(), 200);
    let header = |name: &str| loaded.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/png");
    assert_eq!(header("content-disposition"), "inline");
    assert!(header("cache-control").starts_with("private, max-age="));
    let whole = loaded.bytes().await.unwrap();
    assert!(whole.starts_with(&PNG[..8]), "{whole:?}");
    let part = http.get(&location).header("range", "bytes=1-3");
    let part = part.send().await.unwrap();
    assert_eq!(
        (part.status().as_u16(), &part.bytes().await.unwrap()[..]),
        (206, &b"PNG"[..])
    );

    let file = folder.path().join("loaded.png");
    library.download(&media, &file).await.unwrap();
    assert_eq!(fs::read(&file).unwrap(), whole);
}
