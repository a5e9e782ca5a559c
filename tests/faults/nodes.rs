//! Two nodes on one database, and one of them dies every few seconds.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use support::stores::Database;

use crate::figures::by_length;
use crate::races::all_the_same;
use crate::scene::{Scene, Staging};
use crate::writers::Mix;

const ALIVE: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_two_nodes_dies_again_and_again() {
    let rounds = by_length(2, 12);
    let staging = Staging {
        nodes: 2,
        moody: true,
        ..Staging::new("two_nodes", Database::Postgres)
    };
    let mut scene = staging.open().await;
    let writers = scene.writers(6, Mix::default());
    for round in 0..rounds {
        all_the_same(&mut scene, round, 20).await;
        tokio::time::sleep(by_length(ALIVE / 3, ALIVE)).await;
        scene.kill_and_restart(round % 2);
        scene.figures.one_more("rounds");
    }
    writers.stop().await;
    scene.verdict().await;
}

/// One request asks for the grades of a whole class, and first the node that answered it dies, then the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_asked_for_all_together_outlives_each_node() {
    let answers = by_length(100, 300);
    let staging = Staging {
        nodes: 2,
        ..Staging::new("bulk_grading", Database::Postgres)
    };
    let mut scene = staging.open().await;
    scene.ai.take_time(Duration::from_millis(200));
    let ids = class_hands_in(&mut scene, answers).await;
    let place = format!("/v1/assignments/{}/ai", scene.assignment);
    let mut teacher = scene.hand("teacher");
    teacher.api = scene.api.at(0);
    teacher.write(Method::POST, &place, json!({})).await;
    for node in 0..2 {
        until_graded(&scene, (node + 1) * answers / 4).await;
        scene.kill_and_restart(node);
        scene.figures.one_more("rounds");
    }
    let batch = until_done(&scene, &place).await;
    let items = json!({"total": answers, "graded": answers});
    assert_eq!(
        json!({"total": batch["items"]["total"], "graded": batch["items"]["graded"]}),
        items,
        "{batch}"
    );
    for id in &ids {
        scene.journal.known().submissions.get_mut(id).unwrap().1 = true;
    }
    let told = scene.api.walk("/v1/events?type=batch.completed").await;
    assert_eq!(told.len(), 1, "the end is told once: {told:?}");
    scene.verdict().await;
}

async fn class_hands_in(scene: &mut Scene, answers: usize) -> Vec<String> {
    let mut class = scene.hand("class");
    let mut ids = Vec::new();
    for number in 0..answers {
        let student = json!({"email": format!("class{number}@school.example")});
        let student = class.write(Method::POST, "/v1/users", student).await.id();
        let text = format!("Tray {number} cools on ice.");
        ids.push(class.hand_in(&scene.assignment, &student, &text).await);
    }
    ids
}

async fn until_graded(scene: &Scene, wanted: usize) {
    let start = Instant::now();
    while scene.count_ended().await.0 < wanted {
        assert!(start.elapsed() < scene.patience, "{wanted} are not graded");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The newest batch of an assignment, at its end.
async fn until_done(scene: &Scene, place: &str) -> Value {
    let start = Instant::now();
    loop {
        let newest = scene.api.get(place).await["newest"].clone();
        if newest["state"] == "done" {
            return newest;
        }
        assert!(start.elapsed() < scene.patience, "it is not done: {newest}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
