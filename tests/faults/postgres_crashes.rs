//! PostgreSQL dies under traffic and comes back: what got no answer is resolved by its key.

use std::time::Duration;

use support::own_postgres::OwnPostgres;
use support::stores::Database;

use crate::figures::by_length;
use crate::scene::Staging;
use crate::writers::Mix;

/// From PostgreSQL's return to the service's; the machine may be busy with other things.
const BACK: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_database_crashes_under_traffic() {
    let rounds = by_length(2, 10);
    let mut cluster = tokio::task::block_in_place(OwnPostgres::start);
    let staging = Staging {
        database_url: Some(cluster.url()),
        ..Staging::new("postgres_killed", Database::Postgres)
    };
    let mut scene = staging.open().await;
    let writers = scene.writers(8, Mix::default());
    for _ in 0..rounds {
        let moment = scene.chance.up_to(Duration::from_secs(2));
        let down = scene.chance.up_to(Duration::from_secs(2));
        tokio::time::sleep(Duration::from_millis(200) + moment).await;
        tokio::task::block_in_place(|| cluster.crash());
        tokio::time::sleep(down).await;
        tokio::task::block_in_place(|| cluster.restart());
        let start = std::time::Instant::now();
        scene.until_ready(0, BACK).await;
        let waited = usize::try_from(start.elapsed().as_millis()).unwrap();
        scene.figures.add("back_ms", waited);
        scene.figures.one_more("rounds");
    }
    writers.stop().await;
    scene.verdict().await;
    // The service before its database.
    drop(scene);
}
