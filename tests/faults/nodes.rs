//! Two nodes on one database, and one of them dies every few seconds.

use std::time::Duration;

use support::stores::Database;

use crate::figures::by_length;
use crate::races::all_the_same;
use crate::scene::Staging;
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
