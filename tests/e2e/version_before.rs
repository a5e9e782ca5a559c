//! What the version before left behind: its rows, and work that it had in hand when it was killed.
//!
//! `version_before/data.sql` is what that version wrote, as SQLite's shell dumps it: a course that runs, work handed in
//! whose grading a provider did not answer, a syllabus that it was to draft, packages being made, and announcements to
//! an endpoint where nobody listened.

use std::fs;
use std::path::Path;

use lyceum_client::{Client, wait_until};
use lyceum_wire::notifying::webhooks::UpdateWebhookEndpoint;
use lyceum_wire::patch::Patch;
use support::binary::Launch;
use support::receiver::Receiver;
use support::tampering::tamper;
use tempfile::TempDir;
use time::OffsetDateTime;

use crate::service::{SOON, client};

/// The key that it printed.
const KEY: &str = "lyc_kgvAPyln-9MgCMteskn-DFUayNJUy2-fOSwpKXnGU-1fdHp0";

/// The day on which it was left.
const LEFT: &str = "2026-11-23";

/// Lays out the data folder as the version before left it.
#[allow(
    clippy::disallowed_methods,
    reason = "the service under test goes by the machine's clock"
)]
fn lay_out(folder: &Path) {
    let left = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/version_before");
    fs::copy(left.join("master.key"), folder.join("master.key")).unwrap();
    fs::create_dir(folder.join("blobs")).unwrap();
    let name = "blobs/STORE";
    fs::copy(left.join("name_of_the_files"), folder.join(name)).unwrap();
    let rows = fs::read_to_string(left.join("data.sql")).unwrap();
    // It was left a day ago, whenever this is run: what failed for months would be given up, and rightly.
    let yesterday = OffsetDateTime::now_utc().date().previous_day().unwrap();
    let rows = rows.replace(LEFT, &yesterday.to_string());
    let file = folder.join("lyceum.db");
    tamper(&format!("sqlite://{}", file.display()), &rows);
}

async fn all_graded(client: &Client) -> Vec<String> {
    let look = || async { client.submissions().list().collect().await };
    let done = wait_until(SOON, look, |all| {
        all.iter().all(|one| one.status == "graded")
    });
    let done = done.await.unwrap();
    done.into_iter().map(|one| one.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_version_before_had_in_hand_is_done() {
    let folder = TempDir::new().unwrap();
    lay_out(folder.path());
    let process = Launch::new()
        .data_dir(folder.path())
        .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
        .env("LYCEUM_WEBHOOK_SCHEDULE", "0,1,1,1,1,1,1,1,1,1")
        .start();
    let client = client(&process, KEY, "main");
    // Where nobody listened, somebody does now.
    let receiver = Receiver::answering([]).await;
    let endpoint = client.webhook_endpoints().list().collect().await.unwrap();
    let change = UpdateWebhookEndpoint {
        url: Patch::Set(receiver.url.clone()),
        ..UpdateWebhookEndpoint::default()
    };
    let moved = client.webhook_endpoints().update(&endpoint[0].id, &change);
    moved.await.unwrap();

    assert_eq!(all_graded(&client).await.len(), 1);
    let drafts = client.generations().list().collect().await.unwrap();
    assert_eq!(drafts.len(), 1);
    let drafted = client.generations().wait(&drafts[0].id).within(SOON);
    assert_eq!(drafted.await.unwrap().status, "ready");
    let packages = client.scorm().list().collect().await.unwrap();
    assert_eq!(packages.len(), 3);
    for package in packages {
        let made = client.scorm().wait(&package.id).within(SOON).await.unwrap();
        assert_eq!(made.status, "ready", "{:?}", made.error);
    }
    let look = || async { Ok(receiver.messages()) };
    let told = |word: &'static str| {
        move |seen: &Vec<support::receiver::Message>| {
            let is_in = |body: &[u8]| String::from_utf8_lossy(body).contains(word);
            seen.iter().any(|one| is_in(&one.body))
        }
    };
    for word in [
        "course.created",
        "submission.submitted",
        "submission.graded",
    ] {
        wait_until(SOON, look, told(word)).await.unwrap();
    }
}
