//! Nobody listens: the log lies on a full disk, and callers ask for much and do not read it. Whoever writes meanwhile
//! notices nothing.

use std::time::Duration;

use support::stores::Database;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::figures::by_length;
use crate::scene::{Scene, Staging};
use crate::writers::Mix;

/// Callers who do not read.
const DEAF: usize = 60;
/// MiB that the service may have grown by: far less than what all of them asked for.
const GROWN: u64 = 100;

/// Asks for the largest answer that needs no key, and leaves it there.
async fn ask_and_not_read(scene: &Scene) -> TcpStream {
    let address = scene.nodes[0].address();
    let mut caller = TcpStream::connect(address).await.unwrap();
    let asked = b"GET /v1/openapi.json HTTP/1.1\r\nHost: lyceum\r\n\r\n";
    for _ in 0..8 {
        caller.write_all(asked).await.unwrap();
    }
    caller
}

/// What memory the service has, in MiB.
fn memory(scene: &Scene) -> u64 {
    let status = format!("/proc/{}/status", scene.nodes[0].pid().unwrap());
    let status = std::fs::read_to_string(status).unwrap();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kib: u64 = line
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    kib / 1024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_full_log_and_callers_who_do_not_read() {
    for database in [Database::Sqlite, Database::Postgres] {
        let settings = [("LYCEUM_LOG", "info"), ("LYCEUM_SEND_TIMEOUT", "2")];
        let staging = Staging {
            shell: Some("exec 2>/dev/full".to_owned()),
            settings: settings
                .map(|(name, value)| (name.into(), value.into()))
                .into(),
            ..Staging::new("deaf", database)
        };
        let mut scene = staging.open().await;
        let before = memory(&scene);
        for _ in 0..by_length(1, 5) {
            let writers = scene.writers(4, Mix::default());
            let mut deaf = Vec::new();
            for _ in 0..DEAF {
                deaf.push(ask_and_not_read(&scene).await);
            }
            tokio::time::sleep(Duration::from_secs(3)).await;
            let grown = memory(&scene).saturating_sub(before);
            assert!(grown < GROWN, "{grown} MiB for {DEAF} callers");
            writers.stop().await;
            scene.figures.one_more("rounds");
        }
        scene.verdict().await;
    }
}
