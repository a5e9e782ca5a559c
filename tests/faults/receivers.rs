//! Receivers that are away, and one that is dead among many.

use std::time::{Duration, Instant};

use serde_json::json;
use support::stores::Database;
use tokio::net::TcpListener;

use crate::figures::by_length;
use crate::inbox::{Inbox, Mood, Told};
use crate::scene::Staging;
use crate::writers::Mix;

/// Most deliveries at once.
const BURST: usize = 64;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn away_for_days_and_then_back() {
    let events = by_length(300, 10_000);
    let staging = Staging::new("receiver_down", Database::Sqlite);
    let mut scene = staging.open().await;
    scene.inbox.turn(Mood::Answering(500));
    let mix = Mix {
        creates: 10,
        changes: 90,
        deletions: 0,
        pause: Duration::ZERO,
    };
    let writers = scene.writers(16, mix);
    let start = Instant::now();
    while scene.journal.known().counts.acked < events {
        assert!(
            start.elapsed() < Duration::from_mins(5),
            "writing takes too long"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    writers.stop().await;
    let in_vain = |told: &&Told| told.taken == 0 && told.attempts > 0;
    let told_in_vain = scene.inbox.seen().events.values().filter(in_vain).count();
    assert!(told_in_vain > 0, "nobody tried while the receiver was away");
    scene.inbox.turn(Mood::Fine);
    scene.patience = Duration::from_secs(by_length(150, 400));
    scene.figures.one_more("rounds");
    scene.verdict().await;
    let busiest = scene.inbox.seen().busiest;
    scene.figures.add("busiest", busiest);
    assert!(busiest <= BURST, "{busiest} at once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_is_dead_and_nine_are_well() {
    let events = by_length(50, 200);
    let mut scene = Staging::new("receiver_dead", Database::Sqlite).open().await;
    // Connections are taken by the system and answered by nobody.
    let dead = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/hook", dead.local_addr().unwrap());
    let hook = json!({"url": url, "enabled_events": ["course.*"]});
    let dead_endpoint = scene.api.make("/v1/webhook_endpoints", hook).await;
    let mut well = Vec::new();
    for _ in 0..8 {
        let inbox = Inbox::open().await;
        let hook = json!({"url": inbox.url, "enabled_events": ["course.*"]});
        scene.api.make("/v1/webhook_endpoints", hook).await;
        well.push(inbox);
    }
    for number in 0..events {
        let course = json!({"name": format!("event {number}"), "language": "en"});
        scene.api.make("/v1/courses", course).await;
    }
    let start = Instant::now();
    let all_told = |inbox: &Inbox| inbox.taken() >= events;
    while !(well.iter().all(all_told) && all_told(&scene.inbox)) {
        assert!(
            start.elapsed() < Duration::from_mins(1),
            "the good ones wait"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    scene.figures.add(
        "good_ms",
        usize::try_from(start.elapsed().as_millis()).unwrap(),
    );
    let path = format!("/v1/webhook_endpoints/{dead_endpoint}/deliveries");
    let waiting = scene.api.walk(&path).await;
    assert!(
        waiting
            .iter()
            .all(|delivery| delivery["status"] == "pending"),
        "the dead one has taken or lost something"
    );
    assert_eq!(waiting.len(), events);
    for inbox in &well {
        let seen = inbox.seen();
        assert!(
            seen.events.values().all(|told| told.taken == 1),
            "told twice without need"
        );
    }
    // Nobody waits for the dead one's schedule.
    scene
        .api
        .remove(&format!("/v1/webhook_endpoints/{dead_endpoint}"))
        .await;
    scene.figures.one_more("rounds");
    scene.verdict().await;
}
