//! A node that sleeps longer than its lease and wakes up in the middle of work that another has done meanwhile.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use support::stores::Database;

use crate::figures::{Figures, is_long};
use crate::scene::Staging;

const TEST: &str = "sigstop";
const JOBS: usize = 12;
/// What the log says of a stale worker.
const REFUSALS: [&str; 2] = ["an attempt was broken off", "another attempt has taken"];
/// A lease of a minute, and the time of another node to do the work.
const ASLEEP: Duration = Duration::from_secs(110);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn asleep_for_longer_than_a_lease() {
    if !is_long() {
        let reason = "it waits for a lease of a minute: `make test-faults` runs it";
        return Figures::skip(TEST, Some(Database::Postgres), reason);
    }
    let staging = Staging {
        nodes: 2,
        ..Staging::new(TEST, Database::Postgres)
    };
    let mut scene = staging.open().await;
    scene.ai.take_time(Duration::from_secs(10));
    let mut hand = scene.hand("paused");
    // What is queued at a node wakes that node first.
    hand.api = scene.api.at(0);
    let student = json!({"email": "paused@school.example"});
    let student = hand.write(Method::POST, "/v1/users", student).await.id();
    let mut submissions = Vec::new();
    for number in 0..JOBS {
        let text = format!("Tray {number} cools on ice.");
        submissions.push(hand.hand_in(&scene.assignment, &student, &text).await);
    }
    for id in &submissions {
        hand.have_graded(id).await;
    }
    scene.nodes[0].signal("STOP");
    scene.figures.one_more("rounds");
    let asleep = Instant::now();
    let awake = scene.api.at(1);
    let path = format!("/v1/submissions?assignment_id={}", scene.assignment);
    loop {
        let all = awake.walk(&path).await;
        let pending = all.iter().filter(|one| one["ai_status"] == "pending");
        if pending.count() == 0 || asleep.elapsed() > ASLEEP {
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    scene.nodes[0].signal("CONT");
    scene.until_ready(0, Duration::from_secs(30)).await;
    // What it had in hand when it fell asleep is broken off by its next heartbeat, or comes to its end and is told that
    // nobody wants it any more, whichever wakes first.
    let refused = scene.until_logged(0, &REFUSALS, Duration::from_secs(30));
    let refused = refused.await;
    scene.figures.add("refused", refused);
    assert!(
        refused > 0,
        "the stale worker was not refused, or had nothing in hand"
    );
    scene.verdict().await;
}
