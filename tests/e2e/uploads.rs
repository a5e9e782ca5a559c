//! Large files in pieces: sent by what browsers send them with, cut off, killed, and gone on with at another node. And
//! straight to the bucket.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::join_all;
use lyceum_client::{Client, ClientError, ClientSettings, Platform, wait_until};
use lyceum_wire::authoring::media::{CreateMedia, MediaFileView};
use lyceum_wire::authoring::media_uploads::{CreateMediaUpload, MediaUploadView};
use serde_json::Value;
use sha2::{Digest, Sha256};
use support::binary::{Launch, LyceumProcess};
use support::stores::Database;
use tempfile::TempDir;

use crate::buckets::{Bucket, PNG, handing_out, two_nodes, two_nodes_handing_out};
use crate::node::{self, Programs};
use crate::service::{SOON, Service, place};
use crate::traces::{NoTraces, VARIABLE};

const MIB: usize = 1024 * 1024;
/// What is kept of a file at once.
const PIECE: u64 = 16 * 1024 * 1024;

/// A recording of so many MiB, in a folder of its own. Numbered, so that pieces in the wrong order show.
fn recording(mib: usize) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("tone.wav");
    let samples: Vec<u8> = (0..mib * MIB / 4)
        .flat_map(|at| u32::try_from(at).unwrap().to_le_bytes())
        .collect();
    let size = u32::try_from(samples.len()).unwrap();
    let mut bytes = Vec::with_capacity(samples.len() + 44);
    bytes.extend_from_slice(b"RIFF");
    bytes.extend_from_slice(&(size + 36).to_le_bytes());
    bytes.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend_from_slice(&44_100_u32.to_le_bytes());
    bytes.extend_from_slice(&88_200_u32.to_le_bytes());
    bytes.extend_from_slice(b"\x02\0\x10\0data");
    bytes.extend_from_slice(&size.to_le_bytes());
    bytes.extend_from_slice(&samples);
    fs::write(&file, bytes).unwrap();
    (folder, file)
}

fn sha256(file: &Path) -> String {
    lyceum_domain::hex::lower(&Sha256::digest(fs::read(file).unwrap()))
}

/// Sends the file with tus-js-client; what that tells.
async fn send(service: &LyceumProcess, key: &str, file: &Path, how: &[&str]) -> Value {
    let traces = NoTraces::expected();
    let mut command = Programs::of("tus_client").command("upload.mjs", &traces);
    command.arg(service.url()).arg(key).arg(file).args(how);
    let sent = tokio::task::spawn_blocking(move || node::output(&mut command));
    let sent = sent.await.unwrap();
    let complaint = String::from_utf8_lossy(&sent.stderr);
    assert!(sent.status.success(), "{complaint}");
    serde_json::from_slice(&sent.stdout).unwrap()
}

/// Sends so many bytes of the whole file on a connection of its own, and leaves it open.
fn send_part(service: &Service, upload: &str, file: &Path, bytes: usize) -> TcpStream {
    let content = fs::read(file).unwrap();
    let mut stream = TcpStream::connect(service.process.address()).unwrap();
    write!(
        stream,
        "PATCH /v1/media_uploads/{upload} HTTP/1.1\r\nhost: lyceum\r\nx-api-key: {}\r\n\
         x-learning-platform-code: main\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\n\
         content-type: application/offset+octet-stream\r\ncontent-length: {}\r\n\r\n",
        service.key,
        content.len()
    )
    .unwrap();
    stream.write_all(&content[..bytes]).unwrap();
    stream.flush().unwrap();
    stream
}

async fn begin(service: &Service, file: &Path) -> MediaUploadView {
    let said = CreateMediaUpload {
        size_bytes: fs::metadata(file).unwrap().len(),
        file_name: Some("tone.wav".to_owned()),
        ..CreateMediaUpload::default()
    };
    service.client().media().begin_upload(&said).await.unwrap()
}

/// Waits until so many bytes of an upload came.
async fn came(service: &Service, upload: &str, at_least: u64) -> u64 {
    let library = service.client().media();
    let offset = || async { Ok(library.retrieve_upload(upload).await?.offset) };
    wait_until(SOON, offset, |offset| *offset >= at_least)
        .await
        .unwrap()
}

/// The file that an upload has become, once it was looked at.
async fn kept(service: &Service, told: &Value) -> MediaFileView {
    let media = told["media"].as_str().unwrap();
    let id = media.strip_prefix("/v1/media/").unwrap();
    let library = service.client().media();
    let media = library.wait(id).within(Duration::from_mins(2)).await;
    media.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_one_request_survives_the_death_of_the_service_in_the_middle() {
    let mut service = Service::start(place(Launch::new(), Database::Sqlite));
    let (_folder, file) = recording(40);
    let upload = begin(&service, &file).await.id;
    let stream = send_part(&service, &upload, &file, 24 * MIB);
    let before = came(&service, &upload, PIECE).await;
    assert_eq!(before, PIECE);
    service.process.kill();
    drop(stream);
    service.process.restart();
    let address = format!("{}/v1/media_uploads/{upload}", service.process.url());
    let told = send(&service.process, &service.key, &file, &["--from", &address]).await;
    assert_eq!(told["began_at"], PIECE, "{told}");
    let media = kept(&service, &told).await;
    assert_eq!(
        (media.status.as_str(), &media.sha256),
        ("ready", &sha256(&file))
    );
    assert_eq!(media.kind.as_deref(), Some("audio"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_before_a_connection_broke_is_kept() {
    let service = Service::on(Database::Sqlite);
    let (_folder, file) = recording(20);
    let upload = begin(&service, &file).await.id;
    // What was read of it when it broke is a piece and perhaps a part of the next; what was on its way is nobody's.
    let sent = 17 * MIB + 12_345;
    drop(send_part(&service, &upload, &file, sent));
    came(&service, &upload, PIECE).await;
    let address = format!("{}/v1/media_uploads/{upload}", service.process.url());
    let how = ["--from", &address, "--piece", "1000000"];
    let told = send(&service.process, &service.key, &file, &how).await;
    let began_at = told["began_at"].as_u64().unwrap();
    let read = PIECE..=u64::try_from(sent).unwrap();
    assert!(read.contains(&began_at), "{told}");
    assert_eq!(kept(&service, &told).await.sha256, sha256(&file));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_began_at_one_node_ends_at_another_that_shares_the_bucket() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let (first, second, _) = two_nodes(&bucket, &traces);
    let (_folder, file) = recording(12);
    let how = ["--piece", "5000000", "--stop-after", "5000000"];
    let begun = send(&first.process, &first.key, &file, &how).await;
    assert_eq!(begun["came_to"], 5_000_000, "{begun}");
    let address = begun["address"].as_str().unwrap();
    let (_, path) = address.split_once("/v1/").unwrap();
    let there = format!("{}/v1/{path}", second.url());
    let told = send(&second, &first.key, &file, &["--from", &there]).await;
    assert_eq!(told["began_at"], 5_000_000, "{told}");
    let media = kept(&first, &told).await;
    assert_eq!(
        (media.title.as_str(), &media.sha256),
        ("Ein Ton ♪", &sha256(&file))
    );
    let loaded = file.with_extension("loaded");
    first
        .client()
        .media()
        .download(&media, &loaded)
        .await
        .unwrap();
    assert_eq!(sha256(&loaded), media.sha256);
    // The file, and what says whose bucket it is: nothing of the pieces stays.
    let left = || async { Ok(bucket.objects()) };
    let swept = wait_until(SOON + Duration::from_secs(90), left, |objects| {
        *objects == 2
    });
    swept.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_which_all_came_is_whole_also_where_the_end_of_the_request_is_missing() {
    let service = Service::start(Launch::new().env("LYCEUM_BODY_IDLE_TIMEOUT", "1"));
    let (_folder, file) = recording(1);
    let upload = begin(&service, &file).await;
    let content = fs::read(&file).unwrap();
    let mut stream = TcpStream::connect(service.process.address()).unwrap();
    write!(
        stream,
        "PATCH /v1/media_uploads/{} HTTP/1.1\r\nhost: lyceum\r\nx-api-key: {}\r\n\
         x-learning-platform-code: main\r\nupload-offset: 0\r\ntransfer-encoding: chunked\r\n\
         content-type: application/offset+octet-stream\r\n\r\n{:x}\r\n",
        upload.id,
        service.key,
        content.len()
    )
    .unwrap();
    stream.write_all(&content).unwrap();
    assert_eq!(
        came(&service, &upload.id, upload.size_bytes).await,
        upload.size_bytes
    );
    let library = service.client().media();
    let media = library.retrieve_upload(&upload.id).await.unwrap().media_id;
    let media = library.retrieve(&media.unwrap()).await.unwrap();
    assert_eq!(media.sha256, sha256(&file));
    // It was open all the time, and nothing said that this was all.
    drop(stream);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_gives_an_upload_up_leaves_nothing_of_it() {
    let service = Service::on(Database::Sqlite);
    let (_folder, file) = recording(3);
    let how = ["--piece", "1000000", "--stop-after", "1000000", "--give-up"];
    let told = send(&service.process, &service.key, &file, &how).await;
    let id = told["address"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap();
    let gone = service.client().media().retrieve_upload(id).await;
    assert_eq!(gone.unwrap_err().code(), Some("resource_missing"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_client_sends_a_large_file_in_pieces() {
    let service = Service::on(Database::Sqlite);
    let (_folder, file) = recording(20);
    let said = CreateMediaUpload {
        file_name: Some("tone.wav".to_owned()),
        title: Some("A tone".to_owned()),
        ..CreateMediaUpload::default()
    };
    let library = service.client().media();
    let sent = library.upload_in_pieces(&file, &said).await.unwrap();
    assert_eq!(
        (sent.title.as_str(), &sent.sha256),
        ("A tone", &sha256(&file))
    );
}

/// Begins an upload that goes to the bucket.
async fn begin_directly(service: &Service, file: &Path) -> MediaUploadView {
    let said = CreateMediaUpload {
        size_bytes: fs::metadata(file).unwrap().len(),
        file_name: Some("tone.wav".to_owned()),
        direct: Some(true),
        ..CreateMediaUpload::default()
    };
    service.client().media().begin_upload(&said).await.unwrap()
}

/// Puts it there as a browser does, which knows nothing but what it was told.
async fn put(upload: &MediaUploadView, bytes: Vec<u8>) {
    // Whichever came first is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let put = upload.put.as_ref().unwrap();
    let headers = put.headers.iter();
    let request = headers.fold(
        reqwest::Client::new().put(&put.url),
        |request, (name, value)| request.header(name, value),
    );
    let taken = request.body(bytes).send().await.unwrap();
    assert!(taken.status().is_success(), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_goes_to_the_bucket_without_the_service_and_into_the_library() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let (service, there) = handing_out(&bucket);
    let (_folder, file) = recording(20);
    let library = service.client().media();
    let upload = begin_directly(&service, &file).await;
    let address = &upload.put.as_ref().unwrap().url;
    let place = format!("{there}/lyceum/files/here/uploads/{}/direct?", upload.id);
    assert!(address.starts_with(&place), "{address}");
    let early = library.complete_upload(&upload.id).await.unwrap_err();
    assert_eq!(early.code(), Some("upload_incomplete"), "{early}");

    put(&upload, fs::read(&file).unwrap()).await;
    let whole = library.complete_upload(&upload.id).await.unwrap();
    let media = whole.media_id.unwrap();
    let kept = library
        .wait(&media)
        .within(Duration::from_mins(2))
        .await
        .unwrap();
    assert_eq!(
        (kept.status.as_str(), &kept.sha256),
        ("ready", &sha256(&file))
    );
    // The file, and what says whose bucket it is: nothing of what was put stays.
    let left = || async { Ok(bucket.objects()) };
    let swept = wait_until(SOON, left, |objects| *objects == 2);
    swept.await.unwrap();

    // The address still works, and changes nothing.
    put(&upload, vec![0; 99]).await;
    let again = library.complete_upload(&upload.id).await.unwrap();
    assert_eq!(again.media_id.as_ref(), Some(&media));
    let loaded = file.with_extension("loaded");
    library.download(&kept, &loaded).await.unwrap();
    assert_eq!(sha256(&loaded), sha256(&file));

    let (_folder, other) = recording(9);
    let said = CreateMediaUpload {
        title: Some("A tone".to_owned()),
        ..CreateMediaUpload::default()
    };
    let sent = library.upload_directly(&other, &said).await.unwrap();
    assert_eq!(
        (sent.title.as_str(), &sent.sha256),
        ("A tone", &sha256(&other))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_is_completed_at_two_nodes_at_once_is_one_file() {
    let traces = NoTraces::expected();
    let bucket = Bucket::start(&traces).await;
    let (first, _second, second_client) = two_nodes_handing_out(&bucket, &traces);
    let (_folder, file) = recording(9);
    let upload = begin_directly(&first, &file).await;
    put(&upload, fs::read(&file).unwrap()).await;
    let libraries = [first.client().media(), second_client.media()];
    let completing = (0..20).map(|at| libraries[at % 2].complete_upload(&upload.id).into_future());
    let told = join_all(completing).await;
    let told: Vec<Option<String>> = told.into_iter().map(|one| one.unwrap().media_id).collect();
    assert!(
        told[0].is_some() && told.iter().all(|one| *one == told[0]),
        "{told:?}"
    );
    let listed = libraries[1].list().collect().await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].sha256, sha256(&file));
}

/// Asks again for as long as there is no place where files are taken in.
async fn taken<T, F: Future<Output = Result<T, ClientError>>>(mut send: impl FnMut() -> F) -> T {
    for _ in 0..200 {
        match send().await {
            Err(error) if error.is_passing() => tokio::time::sleep(Duration::from_millis(50)).await,
            other => return other.unwrap(),
        }
    }
    panic!("there was never a place");
}

/// Sends the file whole or in pieces, and says what it has become.
async fn sent(client: Client, file: PathBuf, is_whole: bool) -> String {
    let library = client.media();
    if is_whole {
        let said = CreateMedia::default();
        return taken(|| library.upload(&file, &said)).await.id;
    }
    let said = CreateMediaUpload {
        size_bytes: fs::metadata(&file).unwrap().len(),
        ..CreateMediaUpload::default()
    };
    let upload = taken(|| library.begin_upload(&said).into_future()).await;
    taken(|| library.append(&upload.id, 0, fs::read(&file).unwrap())).await;
    let whole = library.retrieve_upload(&upload.id).await.unwrap();
    whole.media_id.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_who_send_one_file_at_once_to_two_nodes_are_told_of_the_same_one() {
    let traces = NoTraces::expected();
    let shared = TempDir::new().unwrap();
    let (blobs, key) = (
        shared.path().join("blobs"),
        shared.path().join("master.key"),
    );
    let launch = place(Launch::new(), Database::Postgres)
        .env("LYCEUM_BLOBS_URL", format!("file://{}", blobs.display()))
        .env("LYCEUM_MASTER_KEY_FILE", key);
    let other = launch.clone();
    let first = Service::start(launch);
    let second = other.env(VARIABLE, traces.mark()).start();
    let client = |process: &LyceumProcess| {
        let mut settings = ClientSettings::new(process.url(), &first.key);
        settings.platform = Platform::Code("main".to_owned());
        Client::new(settings).unwrap()
    };
    let clients = [client(&first.process), client(&second)];
    let file = shared.path().join("pump.png");
    fs::write(&file, PNG).unwrap();
    // As many in pieces as a workspace may have under way.
    let all = (0..200).map(|at| {
        let client = clients[at % 2].clone();
        tokio::spawn(sent(client, file.clone(), at % 4 < 2))
    });
    let told = join_all(all).await;
    let told: Vec<String> = told.into_iter().map(Result::unwrap).collect();
    let others = told.iter().filter(|one| **one != told[0]).count();
    assert_eq!((told.len(), others), (200, 0));
    for client in clients {
        let library = client.media();
        let ready = library.wait(&told[0]).within(SOON).await.unwrap();
        assert_eq!(ready.status, "ready", "{ready:?}");
        assert_eq!(library.list().collect().await.unwrap().len(), 1);
    }
}
