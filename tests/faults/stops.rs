//! SIGTERM while much is under way.

use std::time::{Duration, Instant};

use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use support::stores::Database;

use crate::figures::by_length;
use crate::scene::Staging;
use crate::writers::Mix;

const JOBS: usize = 20;
const REQUESTS: usize = 50;
/// Requests have 10 s, background work 20 s, and the rest is for a busy machine.
const GONE: Duration = Duration::from_secs(35);

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn asked_to_stop_with_work_in_hand(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rounds = by_length(1, 3);
    let mut scene = Staging::new("sigterm", database).open().await;
    scene.ai.take_time(Duration::from_secs(1));
    for round in 0..rounds {
        let mut hand = scene.hand(&format!("term{round}"));
        let student = json!({"email": format!("term{round}@school.example")});
        let student = hand.write(Method::POST, "/v1/users", student).await.id();
        for number in 0..JOBS {
            let text = format!("Tray {number} of round {round} cools on ice.");
            let id = hand.hand_in(&scene.assignment, &student, &text).await;
            hand.have_graded(&id).await;
        }
        let mix = Mix {
            creates: 60,
            changes: 40,
            deletions: 0,
            pause: Duration::ZERO,
        };
        let writers = scene.writers(REQUESTS, mix);
        tokio::time::sleep(Duration::from_millis(500)).await;
        let start = Instant::now();
        let status = tokio::task::block_in_place(|| scene.nodes[0].terminate());
        assert!(status.success(), "it ended with {status}");
        assert!(start.elapsed() < GONE, "it took {:?}", start.elapsed());
        scene.figures.one_more("rounds");
        tokio::task::block_in_place(|| scene.nodes[0].restart());
        writers.stop().await;
    }
    scene.ai.take_time(Duration::ZERO);
    let torn = scene.journal.known().counts.torn;
    scene.verdict().await;
    assert_eq!(torn, 0, "answers broke off");
}
