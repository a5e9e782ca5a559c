//! `lyceum backup` and `lyceum restore`: under load, from nothing, and from what was damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{SqliteConnection, sql_query};
use lyceum_client::Client;
use lyceum_store::DataFolderLock;
use lyceum_wire::identity::users::CreateUser;
use support::binary::{Launch, LyceumProcess};
use support::stores::Database;
use support::tampering::tamper;

use crate::service::{Service, client};
use crate::webhooks::graded;

/// Backups taken under load.
const BACKUPS: usize = 20;

fn printed(output: &Output) -> String {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {complaint}", output.status);
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaint(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Takes a backup into `folder`; where it is.
fn back_up(process: &LyceumProcess, folder: &Path, keep: &str) -> PathBuf {
    let printed = printed(&process.run(&["backup", folder.to_str().unwrap(), "--keep", keep]));
    PathBuf::from(printed.lines().next().unwrap())
}

/// Makes users, one after the other, and notes each once it was acknowledged.
async fn write(
    client: Client,
    writer: usize,
    made: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
) {
    let mut n = 0;
    while !stop.load(Ordering::Relaxed) {
        n += 1;
        let new = CreateUser {
            email: format!("writer-{writer}-{n}@example.org"),
            ..CreateUser::default()
        };
        let user = client.users().create(&new).await.unwrap();
        made.lock().unwrap().push(user.id);
    }
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    text: String,
}

#[allow(
    clippy::disallowed_methods,
    reason = "a backup is looked at from outside"
)]
fn rows(database: &Path, query: &str) -> Vec<String> {
    let mut connection = SqliteConnection::establish(database.to_str().unwrap()).unwrap();
    let rows = sql_query(query).load::<Row>(&mut connection).unwrap();
    rows.into_iter().map(|row| row.text).collect()
}

/// The master key goes its own way.
fn carry_key(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    fs::copy(from.join("master.key"), to.join("master.key")).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_backups_under_load_are_whole_and_one_makes_a_working_service() {
    let service = Service::start(Launch::new().arg("--rate-limits").arg("off"));
    graded(&service.client()).await;
    let (made, stop) = (Arc::default(), Arc::new(AtomicBool::new(false)));
    let writers: Vec<_> = (0..4)
        .map(|n| {
            tokio::spawn(write(
                service.client(),
                n,
                Arc::clone(&made),
                Arc::clone(&stop),
            ))
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let mut last = PathBuf::new();
    for _ in 0..BACKUPS {
        let acknowledged = made.lock().unwrap().clone();
        last = back_up(&service.process, folder.path(), "3");
        let database = last.join("lyceum.db");
        assert_eq!(
            rows(
                &database,
                "SELECT integrity_check AS text FROM pragma_integrity_check"
            ),
            ["ok"]
        );
        let there = rows(&database, "SELECT id AS text FROM users");
        let missing: Vec<_> = acknowledged
            .iter()
            .filter(|id| !there.contains(id))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(!last.join("master.key").exists());
    }
    stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
    assert!(made.lock().unwrap().len() > BACKUPS, "there was load");
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        3,
        "old ones are removed, and nothing partial is left"
    );

    let restored = folder.path().join("restored");
    carry_key(service.process.data_dir(), &restored);
    let process = Launch::new().data_dir(&restored).prepare();
    printed(&process.run(&["restore", last.to_str().unwrap()]));
    let mut process = process;
    process.restart();
    let users = client(&process, &service.key, "main")
        .users()
        .list()
        .collect()
        .await
        .unwrap();
    let in_backup = rows(&last.join("lyceum.db"), "SELECT id AS text FROM users");
    assert_eq!(users.len(), in_backup.len());
    printed(&process.run(&["fsck"]));
    // Whoever uses the folder holds it.
    let _held = DataFolderLock::take(&restored);
    let in_use = process.run(&["restore", last.to_str().unwrap(), "--force"]);
    assert!(complaint(&in_use).contains("uses the data folder"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_damaged_too_new_or_sealed_with_another_key_is_refused_and_nothing_is_touched() {
    let mut service = Service::on(Database::Sqlite);
    let endpoint = serde_json::json!({"url": "https://example.org/", "enabled_events": ["*"]});
    let _: serde_json::Value = service
        .client()
        .post("/v1/webhook_endpoints", &endpoint)
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let backup = back_up(&service.process, folder.path(), "7");
    assert!(service.process.terminate().success());
    let restore = |process: &LyceumProcess, more: &[&str]| {
        let arguments: Vec<&str> = ["restore", backup.to_str().unwrap()]
            .iter()
            .chain(more)
            .copied()
            .collect();
        process.run(&arguments)
    };
    let occupied = complaint(&restore(&service.process, &[]));
    assert!(occupied.contains("--force"), "{occupied}");

    let empty = Launch::new().prepare();
    let keyless = complaint(&restore(&empty, &[]));
    assert!(keyless.contains("no master key"), "{keyless}");
    fs::create_dir_all(empty.data_dir()).unwrap();
    fs::write(empty.data_dir().join("master.key"), "ab".repeat(32)).unwrap();
    let other = complaint(&restore(&empty, &[]));
    assert!(other.contains("not the one"), "{other}");
    carry_key(service.process.data_dir(), empty.data_dir());

    let database = backup.join("lyceum.db");
    let whole = fs::read(&database).unwrap();
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for damaged in [&whole[..whole.len() - 100], &flipped] {
        fs::write(&database, damaged).unwrap();
        let refused = complaint(&restore(&empty, &[]));
        assert!(refused.contains("damaged"), "{refused}");
    }
    fs::write(&database, &whole).unwrap();
    assert!(
        !empty.data_dir().join("lyceum.db").exists(),
        "nothing was put in place"
    );

    let live = format!(
        "sqlite://{}",
        service.process.data_dir().join("lyceum.db").display()
    );
    tamper(
        &live,
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')",
    );
    let newer = back_up(&service.process, &folder.path().join("newer"), "7");
    let refused = complaint(&empty.run(&["restore", newer.to_str().unwrap()]));
    assert!(refused.contains("29990101000000"), "{refused}");

    printed(&restore(&service.process, &["--force"]));
    let aside = fs::read_dir(service.process.data_dir()).unwrap().flatten();
    let aside = aside.filter(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .starts_with("lyceum.db.before-")
    });
    assert_eq!(aside.count(), 1, "what was there is put aside");
    service.process.restart();
    service.client().me().await.unwrap();
}
