//! A disk that is full, and then is larger: nothing that was acknowledged is lost, and nobody starts anything anew.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use support::stores::Database;
use tempfile::TempDir;

use crate::api::{Outcome, Write};
use crate::figures::{Figures, by_length};
use crate::scene::Staging;
use crate::writers::Mix;

const TEST: &str = "disk_full";
/// In MiB, before and after it is enlarged: well above what the service wants to see free.
const SIZES: [u32; 2] = [512, 1024];
const RECOVERED: Duration = Duration::from_secs(30);

/// A small file system of its own; gone when dropped.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// Nothing where this process may not mount.
    fn mount() -> Option<Self> {
        let folder = TempDir::with_prefix("lyceum-disk-").unwrap();
        let options = format!("size={}m", SIZES[0]);
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "lyceum-faults"])
            .arg(folder.path())
            .output();
        let is_mounted = mounted.is_ok_and(|output| output.status.success());
        is_mounted.then_some(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes until nothing more fits.
    fn fill(&self) {
        let mut file = File::create(self.path().join("filler")).unwrap();
        for size in [1 << 20, 1 << 12] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn resize(&self, size: u32) {
        let options = format!("remount,size={size}m");
        let resized = Command::new("mount")
            .args(["-o", &options])
            .arg(self.path())
            .status();
        assert!(resized.unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because a process that a failed test has left may still be on its way out.
        drop(Command::new("umount").arg("-l").arg(self.path()).status());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn full_and_then_larger() {
    let Some(disk) = SmallDisk::mount() else {
        let reason = "only root may mount the small disk that it fills";
        return Figures::skip(TEST, Some(Database::Sqlite), reason);
    };
    let staging = Staging {
        data: Some(disk.path().join("data")),
        ..Staging::new(TEST, Database::Sqlite)
    };
    let mut scene = staging.open().await;
    for round in 0..by_length(1, 5) {
        let writers = scene.writers(4, Mix::default());
        tokio::time::sleep(Duration::from_secs(1)).await;
        disk.fill();
        let refused = refused(&scene.api, round).await;
        scene.figures.one_more("rounds");
        scene.figures.add("refused", refused);
        // What is there can be read.
        scene.api.walk("/v1/courses").await;
        disk.resize(SIZES[1]);
        let start = Instant::now();
        let course = json!({"name": format!("after {round}"), "language": "en"});
        let after = Write::post("/v1/courses", course, &format!("after-{round}"));
        while !is_written(&scene.api.write(0, &after).await) {
            assert!(
                start.elapsed() < RECOVERED,
                "it has room and does not write"
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        writers.stop().await;
        fs::remove_file(disk.path().join("filler")).unwrap();
        disk.resize(SIZES[0]);
    }
    scene.verdict().await;
    // The service before its disk.
    drop(scene);
}

/// Writes until the service refuses for want of room; how often it did.
async fn refused(api: &crate::api::Api, round: usize) -> usize {
    let mut refused = 0;
    for number in 0..200 {
        let course = json!({
            "name": format!("full {round} {number}"), "language": "en",
            "description": "x".repeat(50_000),
        });
        let write = Write::post("/v1/courses", course, &format!("full-{round}-{number}"));
        let outcome = api.write(0, &write).await;
        match &outcome {
            Outcome::Answered(reply) if reply.is_success() => {}
            Outcome::Answered(reply) => {
                assert_eq!(reply.status, 503, "{}", reply.text);
                assert!(reply.retry_after, "503 without Retry-After: {}", reply.text);
                refused += 1;
            }
            other => panic!("a full disk is told, and not by {other:?}"),
        }
        if refused > 10 {
            return refused;
        }
    }
    panic!("a full disk was never noticed");
}

fn is_written(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Answered(reply) if reply.is_success())
}
