//! SIGKILL, again and again, while everybody writes.

use std::time::Duration;

use rstest::rstest;
use support::stores::Database;

use crate::figures::by_length;
use crate::scene::Staging;
use crate::writers::Mix;

const WRITERS: usize = 8;
const EARLIEST: Duration = Duration::from_millis(50);

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn killed_again_and_again(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (rounds, latest) = by_length((3, Duration::from_secs(2)), (25, Duration::from_secs(4)));
    let staging = Staging {
        moody: true,
        ..Staging::new("sigkill", database)
    };
    let mut scene = staging.open().await;
    let writers = scene.writers(WRITERS, Mix::default());
    for _ in 0..rounds {
        let moment = EARLIEST + scene.chance.up_to(latest.saturating_sub(EARLIEST));
        tokio::time::sleep(moment).await;
        scene.kill_and_restart(0);
        scene.figures.one_more("rounds");
    }
    writers.stop().await;
    scene.verdict().await;
}
