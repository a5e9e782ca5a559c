//! Ctrl-C in the middle of a long command: it says what is done and what is not, leaves nothing half-written, ends with
//! 130, and the same command then does what it should.
//!
//! Each command is held in the middle of its work, and told to stop once it is seen to stand there.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel::{PgConnection, sql_query};
use lyceum_client::ListQuery;
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::{Launch, LyceumProcess, RunningCommand};
use support::postgres;
use support::stores::Database;
use tempfile::TempDir;

use crate::service::Service;
use crate::traces::{NoTraces, VARIABLE};
use crate::webhooks::graded;

/// How long a command may take to come where it is held, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_mins(1);
const POLL: Duration = Duration::from_millis(20);
/// Linux: opening fails where nobody reads yet, instead of waiting.
const O_NONBLOCK: i32 = 0o4000;

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not happen in time");
        thread::sleep(POLL);
    }
}

/// Interrupts it, and what it then says.
fn interrupted(command: RunningCommand) -> String {
    command.signal("INT");
    let output = command.end();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(said.starts_with("lyceum: interrupted; "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

fn succeeds(output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {said}", output.status);
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A file that whoever reads it waits at, for as long as this is there.
fn fifo(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

/// Waits until somebody reads the file; they go on reading until this is dropped.
fn read_by_somebody(path: &Path) -> File {
    let mut options = File::options();
    options.write(true).custom_flags(O_NONBLOCK);
    until("reading", || options.open(path).ok())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_backup_leaves_nothing_and_the_next_one_is_whole() {
    let service = Service::on(Database::Sqlite);
    let folder = TempDir::new().unwrap();
    let held = service.process.data_dir().join("blobs/audio/held");
    fifo(&held);
    let arguments = ["backup", folder.path().to_str().unwrap()];
    let backup = service.process.begin(&arguments);
    let reader = read_by_somebody(&held);
    assert_eq!(names(folder.path()).len(), 1, "it is at work");
    let said = interrupted(backup);
    assert!(said.contains("no backup was made"), "{said}");
    assert!(names(folder.path()).is_empty());
    drop(reader);
    fs::remove_file(&held).unwrap();
    succeeds(&service.process.run(&arguments));
    assert_eq!(names(folder.path()).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_restore_changes_nothing_and_the_next_one_restores() {
    let mut service = Service::on(Database::Sqlite);
    let empty = service.process.data_dir().join("blobs/audio/empty");
    fs::create_dir_all(empty.parent().unwrap()).unwrap();
    File::create(&empty).unwrap();
    let folder = TempDir::new().unwrap();
    succeeds(
        &service
            .process
            .run(&["backup", folder.path().to_str().unwrap()]),
    );
    assert!(service.process.terminate().success());
    let backup = folder.path().join(&names(folder.path())[0]);
    // Of no length either, and read to its end, which does not come.
    let held = backup.join("blobs/audio/empty");
    fs::remove_file(&held).unwrap();
    fifo(&held);
    let target = Launch::new().prepare();
    fs::create_dir_all(target.data_dir()).unwrap();
    let key = service.process.data_dir().join("master.key");
    fs::copy(key, target.data_dir().join("master.key")).unwrap();
    let arguments = ["restore", backup.to_str().unwrap()];
    let restore = target.begin(&arguments);
    let reader = read_by_somebody(&held);
    let said = interrupted(restore);
    assert!(said.contains("nothing was changed"), "{said}");
    assert_eq!(names(target.data_dir()), ["master.key"]);
    drop(reader);
    fs::remove_file(&held).unwrap();
    File::create(&held).unwrap();
    succeeds(&target.run(&arguments));
    assert!(target.data_dir().join("lyceum.db").exists());
}

/// A table of a PostgreSQL database that nobody gets at, for as long as this is there.
struct Held(PgConnection);

#[allow(
    clippy::disallowed_methods,
    reason = "whoever holds a table does not ask the store for a connection"
)]
fn connect(url: &str) -> PgConnection {
    PgConnection::establish(url).unwrap()
}

impl Held {
    fn new(url: &str, table: &str, mode: &str) -> Self {
        let mut connection = connect(url);
        let lock = format!("BEGIN; LOCK TABLE {table} IN {mode} MODE");
        connection.batch_execute(&lock).unwrap();
        Self(connection)
    }

    fn release(mut self) {
        self.0.batch_execute("COMMIT").unwrap();
    }
}

#[derive(QueryableByName)]
struct Waiting {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Waits until somebody waits for what is held.
fn somebody_waits(url: &str) {
    let mut connection = connect(url);
    until("waiting", || {
        let waiting = sql_query(
            "SELECT count(*) AS number FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
             WHERE NOT l.granted AND d.datname = current_database()",
        );
        let waiting: Waiting = waiting.get_result(&mut connection).unwrap();
        (waiting.number > 0).then_some(())
    });
}

/// A service on PostgreSQL that has grades and something sealed, and is stopped.
async fn stopped_service() -> (Service, String) {
    let url = postgres::cluster().create_database();
    let mut service = Service::start(Launch::new().env("LYCEUM_DATABASE_URL", &url));
    let client = service.client();
    graded(&client).await;
    let endpoint = json!({"url": "https://example.org/", "enabled_events": ["*"]});
    let _: Value = client
        .post("/v1/webhook_endpoints", &endpoint)
        .await
        .unwrap();
    assert!(service.process.terminate().success());
    (service, url)
}

#[rstest]
#[case::fsck(&["fsck", "--stopped", "--json"], "grades", "was not finished")]
#[case::verify_grades(&["verify-grades", "--json"], "grades", "0 grade histories were checked")]
#[case::migrate(&["migrate"], "__diesel_schema_migrations", "run it again")]
#[tokio::test(flavor = "multi_thread")]
async fn a_look_at_the_database_that_is_interrupted_changes_nothing(
    #[case] arguments: &[&str],
    #[case] table: &str,
    #[case] words: &str,
) {
    let (service, url) = stopped_service().await;
    let held = Held::new(&url, table, "ACCESS EXCLUSIVE");
    let command = service.process.begin(arguments);
    somebody_waits(&url);
    let said = interrupted(command);
    assert!(said.contains(words), "{said}");
    held.release();
    succeeds(&service.process.run(arguments));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_exchange_of_the_master_key_is_gone_on_with() {
    let (mut service, url) = stopped_service().await;
    let held = Held::new(&url, "webhook_endpoints", "ACCESS EXCLUSIVE");
    let rotate = ["rotate-master-key", "--nodes-stopped"];
    let command = service.process.begin(&rotate);
    somebody_waits(&url);
    let said = interrupted(command);
    assert!(said.contains("--reseal"), "{said}");
    held.release();
    let keys = || fs::read_to_string(service.process.data_dir().join("master.key")).unwrap();
    assert_eq!(keys().lines().count(), 2, "the new key is in its place");
    let on = service
        .process
        .run(&[&rotate[..], &["--reseal", "--json"]].concat());
    succeeds(&on);
    let told: Value = serde_json::from_slice(&on.stdout).unwrap();
    assert!(told["sealed"].as_u64().unwrap() > 0, "{told}");
    assert_eq!(keys().lines().count(), 2, "no third one");
    service.process.restart();
    service.client().me().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_import_is_gone_on_with_and_makes_nothing_twice() {
    let url = postgres::cluster().create_database();
    let service = Service::start(Launch::new().env("LYCEUM_DATABASE_URL", &url));
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("course.md");
    let text = "---\nlanguage: en\n---\n# Cold\n\n## Ice\n\n### One\n\na\n\n### Two\n\nb\n";
    fs::write(&file, text).unwrap();
    let address = service.process.url();
    let mut arguments = vec!["import", file.to_str().unwrap(), "--platform", "main"];
    arguments.extend(["--url", &address, "--api-key", &service.key]);
    // Who reads lessons may; who makes one waits.
    let held = Held::new(&url, "lessons", "SHARE");
    let import = service.process.begin(&arguments);
    somebody_waits(&url);
    let said = interrupted(import);
    assert!(said.contains("2 of 4 things are in the service"), "{said}");
    held.release();
    succeeds(&service.process.run(&arguments));
    let client = service.client();
    let everything = ListQuery::new();
    assert_eq!(client.courses().all(&everything).await.unwrap().len(), 1);
    assert_eq!(client.units().all(&everything).await.unwrap().len(), 1);
    let lessons = client.lessons().all(&everything).await.unwrap();
    let mut names: Vec<&str> = lessons.iter().map(|lesson| lesson.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["One", "Two"]);
}

/// Somewhere that takes a call and never answers it.
fn silence() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    (listener, address)
}

fn called(listener: &TcpListener) -> std::net::TcpStream {
    until("a call", || listener.accept().ok()).0
}

#[test]
fn an_interrupted_export_leaves_no_file() {
    let traces = NoTraces::expected();
    let process = Launch::new().env(VARIABLE, traces.mark()).prepare();
    let (listener, address) = silence();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("course.zip");
    let mut arguments = vec!["export", "coh_1", "-o", file.to_str().unwrap()];
    arguments.extend(["--url", &address, "--api-key", "k", "--platform", "main"]);
    let export = process.begin(&arguments);
    let _call = called(&listener);
    let said = interrupted(export);
    assert!(said.contains("no file was written"), "{said}");
    assert!(names(folder.path()).is_empty());
}

/// Where a demo keeps its own things.
fn demo(folder: &Path, address: &str) -> LyceumProcess {
    Launch::new()
        .env("TMPDIR", folder)
        .env("LYCEUM_AI_PROVIDER", "openai")
        .env("LYCEUM_AI_BASE_URL", format!("{address}/v1"))
        .env("LYCEUM_AI_API_KEY", "k")
        .env("LYCEUM_AI_MODEL", "m")
        .prepare()
}

#[test]
fn an_interrupted_demo_takes_its_server_and_its_data_away() {
    let (listener, address) = silence();
    let (own, results) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let process = demo(own.path(), &address);
    let output = results.path().to_str().unwrap();
    let demo = process.begin(&["demo", "--json", "--output", output]);
    let call = called(&listener);
    assert_eq!(names(own.path()).len(), 1, "its data is there");
    demo.signal("INT");
    drop((call, listener));
    let ended = demo.end();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(ended.stdout.is_empty());
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("lyceum: interrupted; "), "{said}");
    assert!(names(own.path()).is_empty(), "{said}");
}
