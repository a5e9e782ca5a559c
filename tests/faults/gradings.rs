//! Thousands of gradings by a provider that fails in every way, and then is away: each ends, and once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use support::stores::Database;
use tokio::task::JoinSet;

use crate::figures::{by_length, is_long};
use crate::scene::{Scene, Staging};

/// Of those who hand in side by side.
const HANDS: usize = 8;
/// Tries of a request, twice because an answer may be asked for again; beyond it a job waits and comes again.
const CALLS_PER_ATTEMPT: usize = 6;
/// Most attempts that a job has in this mix, where every other call is answered well.
const ATTEMPTS: usize = 5;
const OUTAGE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_provider_that_fails_in_every_way() {
    let gradings = by_length(100, 2_000);
    let staging = Staging {
        moody: true,
        ..Staging::new("gradings", Database::Sqlite)
    };
    let mut scene = staging.open().await;
    hand_in(&mut scene, gradings, "mix").await;
    scene
        .until_all_graded(Duration::from_secs(by_length(120, 400)))
        .await;
    let calls = scene.ai.calls();
    assert!(
        calls <= gradings * CALLS_PER_ATTEMPT * ATTEMPTS,
        "{calls} calls for {gradings} gradings"
    );
    if is_long() {
        outage(&mut scene).await;
    }
    let ended = scene.count_ended().await;
    scene.figures.add("ready", ended.0);
    scene.figures.add("error", ended.1);
    scene.figures.one_more("rounds");
    scene.verdict().await;
}

/// While nobody answers, nothing fails; and everything else goes on.
async fn outage(scene: &mut Scene) {
    let (_, errors) = scene.count_ended().await;
    scene.ai.be_away(true);
    hand_in(scene, 50, "outage").await;
    let start = Instant::now();
    while start.elapsed() < OUTAGE {
        assert!(scene.api.find("/v1/me").await.is_some());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(
        scene.count_ended().await.1,
        errors,
        "an outage of seconds ended work"
    );
    scene.ai.be_away(false);
    scene.until_all_graded(Duration::from_mins(4)).await;
}

async fn hand_in(scene: &mut Scene, count: usize, name: &str) {
    let next = Arc::new(AtomicUsize::new(0));
    let mut handing = JoinSet::new();
    for number in 0..HANDS {
        let mut hand = scene.hand(&format!("{name}{number}"));
        let (next, assignment) = (Arc::clone(&next), scene.assignment.clone());
        let email = format!("{name}{number}@school.example");
        let name = name.to_owned();
        handing.spawn(async move {
            let student = hand.write(Method::POST, "/v1/users", json!({"email": email}));
            let student = student.await.id();
            loop {
                let tray = next.fetch_add(1, Ordering::SeqCst);
                if tray >= count {
                    return;
                }
                let text = format!("Tray {tray} of {name} cools on ice.");
                let id = hand.hand_in(&assignment, &student, &text).await;
                hand.have_graded(&id).await;
            }
        });
    }
    while let Some(ended) = handing.join_next().await {
        ended.unwrap();
    }
}
