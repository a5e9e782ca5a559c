//! Storage that looks after itself: whose files these are, who may read them, and what a disk lost.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use lyceum_client::{Client, wait_until};
use lyceum_wire::exporting::scorm::CreateScormPackage;
use serde_json::{Value, json};
use support::binary::{Launch, LyceumProcess};
use support::postgres;
use support::stores::Database;
use support::tampering::first_page;

use crate::service::{SOON, Service};
use crate::traces::VARIABLE;
use crate::webhooks::graded;

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!(
        "{}{}",
        String::from_utf8_lossy(out),
        String::from_utf8_lossy(err)
    )
}

/// Everything below a folder that others than its owner may look at, by its path.
fn open_to_others(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = fs::symlink_metadata(&path).unwrap();
        if about.permissions().mode() & 0o077 != 0 {
            found.push(path.clone());
        }
        if about.is_dir() {
            open_to_others(&path, found);
        }
    }
}

async fn package(client: &Client) -> String {
    let course: Value = client
        .post("/v1/courses", &json!({"name": "Stars", "language": "en"}))
        .await
        .unwrap();
    let unit = json!({"course_id": course["id"], "name": "Night"});
    let unit: Value = client.post("/v1/units", &unit).await.unwrap();
    let lesson = json!({"unit_id": unit["id"], "name": "Sky", "content": "It is dark."});
    let _: Value = client.post("/v1/lessons", &lesson).await.unwrap();
    let cohort = json!({"course_id": course["id"], "name": "Spring"});
    let cohort: Value = client.post("/v1/cohorts", &cohort).await.unwrap();
    let wanted = CreateScormPackage {
        cohort_id: cohort["id"].as_str().unwrap().to_owned(),
        ..CreateScormPackage::default()
    };
    let made = client.scorm().create(&wanted).await.unwrap();
    let made = client.scorm().wait(&made.id).within(SOON).await.unwrap();
    assert_eq!(made.status, "ready");
    made.id.clone()
}

fn archive(folder: &Path, package: &str) -> PathBuf {
    folder.join(format!("blobs/scorm/{package}.zip"))
}

/// Changes one bit without changing what a directory shows of the file but its time.
fn flip(file: &Path, at: u64) {
    let byte = fs::read(file).unwrap()[usize::try_from(at).unwrap()];
    let mut file = OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[byte ^ 1]).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_is_its_owners_alone_whatever_the_umask() {
    let service = Service::on(Database::Sqlite);
    package(&service.client()).await;
    let data = service.process.data_dir();
    let backups = tempfile::tempdir().unwrap();
    let taken = service
        .process
        .run(&["backup", backups.path().to_str().unwrap()]);
    assert!(taken.status.success(), "{}", said(&taken));
    let mut found = Vec::new();
    open_to_others(data, &mut found);
    open_to_others(backups.path(), &mut found);
    assert!(found.is_empty(), "{found:?}");
    for file in [
        "lyceum.db",
        "lyceum.db-wal",
        "lyceum.db-shm",
        "master.key",
        "LOCK",
        "blobs/STORE",
    ] {
        let mode = fs::metadata(data.join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_bit_is_served_to_nobody_found_by_the_check_and_kept_out_of_backups() {
    let mut service = Service::on(Database::Sqlite);
    let package = package(&service.client()).await;
    let data = service.process.data_dir().to_owned();
    let backups = tempfile::tempdir().unwrap();
    let folder = backups.path().to_str().unwrap().to_owned();
    let back_up = |process: &LyceumProcess| {
        let output = process.run(&["backup", &folder, "--keep", "2"]);
        let path = String::from_utf8_lossy(&output.stdout);
        let path = path.lines().next().map(PathBuf::from);
        (output.status.code(), said(&output), path)
    };
    let (code, text, first) = back_up(&service.process);
    assert_eq!(code, Some(0), "{text}");
    let file = archive(&data, &package);
    let good = fs::read(&file).unwrap();
    assert!(service.process.terminate().success());
    flip(&file, 300);
    let checked = service.process.run(&["fsck", "--stopped"]);
    assert_eq!(checked.status.code(), Some(1));
    let text = said(&checked);
    assert!(
        text.contains("I1.file_damaged") && text.contains(&package),
        "{text}"
    );
    // Night after night: the good copy stays in the newest, long after the first is gone.
    for _ in 0..3 {
        let (code, text, path) = back_up(&service.process);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("good copy"), "{text}");
        let copy = archive(&path.unwrap(), &package);
        assert!(fs::read(copy).unwrap() == good);
    }
    assert!(!first.unwrap().exists(), "the first is forgotten");
    service.process.restart();
    let client = service.client();
    let served = backups.path().join("served.zip");
    // The client comes back after a 503; whatever it was given in the end is what was made.
    let look = || async { Ok(client.scorm().download(&package, &served).await.is_ok()) };
    wait_until(SOON, look, |served| *served).await.unwrap();
    assert!(fs::read(&served).unwrap() == good && fs::read(&file).unwrap() == good);
    let log = service.process.stderr();
    assert!(log.contains("a stored file is damaged"), "{log}");
    assert!(service.process.run(&["fsck"]).status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_no_backup_has_whole_makes_the_command_fail_and_the_doctor_say_so() {
    let mut service = Service::on(Database::Sqlite);
    let package = package(&service.client()).await;
    assert!(service.process.terminate().success());
    flip(&archive(service.process.data_dir(), &package), 300);
    let backups = tempfile::tempdir().unwrap();
    let folder = backups.path().to_str().unwrap();
    let output = service.process.run(&["backup", folder]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains(&package), "{}", said(&output));
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "it is there");
    let doctor = service.process.run(&["doctor", "--backup-dir", folder]);
    assert!(
        said(&doctor).contains("files of the newest backup"),
        "{}",
        said(&doctor)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_page_after_an_orderly_stop_is_found_and_no_backup_is_taken_over_good_ones() {
    let mut service = Service::on(Database::Sqlite);
    graded(&service.client()).await;
    let backups = tempfile::tempdir().unwrap();
    let folder = backups.path().to_str().unwrap();
    let good = service.process.run(&["backup", folder, "--keep", "1"]);
    assert!(good.status.success(), "{}", said(&good));
    assert!(service.process.terminate().success());
    let database = service.process.data_dir().join("lyceum.db");
    // A page that nobody asks for when the file is opened.
    let page = first_page(database.to_str().unwrap(), "events") - 1;
    let mut file = OpenOptions::new().write(true).open(&database).unwrap();
    file.seek(SeekFrom::Start(page * 4_096)).unwrap();
    file.write_all(&[0xff; 32]).unwrap();
    drop(file);
    let refused = service.process.run(&["backup", folder, "--keep", "1"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("damaged"), "{}", said(&refused));
    let kept = fs::read_dir(folder).unwrap().count();
    assert_eq!(kept, 1, "the good one, and nothing partial");
    let doctor = service.process.run(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(
        said(&doctor).contains("the database is damaged"),
        "{}",
        said(&doctor)
    );
}

#[test]
fn a_service_whose_files_are_elsewhere_does_not_start_and_says_how_to_go_on() {
    let mut service = Service::on(Database::Sqlite);
    assert!(service.process.terminate().success());
    let elsewhere = tempfile::tempdir().unwrap();
    let url = format!("file://{}", elsewhere.path().display());
    let name = fs::read_to_string(service.process.data_dir().join("blobs/STORE")).unwrap();
    let start = |process: &LyceumProcess| {
        let output = process.run(&["serve", "--blobs-url", &url]);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        said(&output)
    };
    let told = start(&service.process);
    assert!(
        told.contains("LYCEUM_BLOBS_URL") && told.contains(name.trim()),
        "{told}"
    );
    let doctor = |process: &LyceumProcess| {
        let output = process.run(&["doctor", "--json", "--blobs-url", &url]);
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = told["findings"].as_array().unwrap().clone();
        let found = findings.into_iter().find(|one| one["id"] == "file_store");
        found.unwrap()["verdict"].clone()
    };
    assert_eq!(doctor(&service.process), "problem");
    fs::write(elsewhere.path().join("STORE"), "of another\n").unwrap();
    assert!(start(&service.process).contains("LYCEUM_BLOBS_URL"));
    assert_eq!(doctor(&service.process), "problem");
    // As it says: whoever has moved the files, or lost them, says so by the name.
    fs::write(elsewhere.path().join("STORE"), &name).unwrap();
    assert_eq!(doctor(&service.process), "fine");
    service.process.restart();
}

#[test]
fn of_two_nodes_with_a_folder_each_the_second_does_not_start() {
    let database = postgres::cluster().create_database();
    let of_both = |launch: Launch| launch.env("LYCEUM_DATABASE_URL", &database);
    let first = Service::start(of_both(Launch::new()));
    let key_file = first.process.data_dir().join("master.key");
    let second = of_both(Launch::new())
        .env("LYCEUM_MASTER_KEY_FILE", &key_file)
        .env(VARIABLE, first.traces.mark())
        .prepare();
    let refused = second.run::<&str>(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said(&refused).contains("kept elsewhere"),
        "{}",
        said(&refused)
    );
    let files = format!(
        "file://{}",
        first.process.data_dir().join("blobs").display()
    );
    of_both(Launch::new())
        .env("LYCEUM_MASTER_KEY_FILE", key_file)
        .env("LYCEUM_BLOBS_URL", files)
        .env(VARIABLE, first.traces.mark())
        .start();
}

#[test]
fn of_two_nodes_under_one_name_the_second_starts_when_the_first_is_gone() {
    let database = postgres::cluster().create_database();
    let mut first = Service::start(
        Launch::new()
            .env("LYCEUM_DATABASE_URL", &database)
            .env("LYCEUM_NODE_NAME", "twin"),
    );
    let data = first.process.data_dir();
    let files = format!("file://{}", data.join("blobs").display());
    let mut second = Launch::new()
        .env("LYCEUM_DATABASE_URL", &database)
        .env("LYCEUM_NODE_NAME", "twin")
        .env("LYCEUM_MASTER_KEY_FILE", data.join("master.key"))
        .env("LYCEUM_BLOBS_URL", files)
        .env(VARIABLE, first.traces.mark())
        .prepare();
    let refused = second.run::<&str>(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said(&refused).contains("another node serves as twin"),
        "{}",
        said(&refused)
    );
    first.process.kill();
    // A process of this machine is seen to be gone: no beats are waited for.
    let begun = std::time::Instant::now();
    second.restart();
    assert!(
        begun.elapsed() < Duration::from_secs(9),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn settings_are_all_looked_at_before_anything_is_opened() {
    let traces = crate::traces::NoTraces::expected();
    let process = Launch::new()
        .env(VARIABLE, traces.mark())
        .env("LYCEUM_WEBHOOK_SCHEDULE", "soon")
        .env("LYCEUM_PUBLIC_URL", "ftp://lyceum.example.org")
        .env("LYCEUM_BLOBS_URL", "gopher://files")
        .prepare();
    let told = said(&process.run::<&str>(&[]));
    assert!(told.starts_with("lyceum: 3 settings are wrong: "), "{told}");
    for name in [
        "LYCEUM_WEBHOOK_SCHEDULE",
        "LYCEUM_PUBLIC_URL",
        "LYCEUM_BLOBS_URL",
    ] {
        assert!(told.contains(name), "{told}");
    }
    assert!(!process.data_dir().exists(), "nothing was made");
}

#[test]
fn a_start_says_where_people_go() {
    let service = Service::on(Database::Sqlite);
    let (told, url) = (service.process.stdout(), service.process.url());
    for place in ["studio", "docs", "readyz"] {
        assert!(told.contains(&format!("{url}/{place}")), "{told}");
    }
}
