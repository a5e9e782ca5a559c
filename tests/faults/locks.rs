//! Somebody else holds SQLite's write lock: a backup, a shell, a virus scanner.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use serde_json::json;
use support::stores::Database;

use crate::api::{Outcome, Write};
use crate::figures::by_length;
use crate::scene::Staging;
use crate::sqlite;

/// What is served, if late.
const SERVED: Duration = Duration::from_secs(4);
/// What is refused: well over twice the patience of five seconds, because work in the background may stand in line
/// before, and SQLite counts its naps and not the time that a busy machine makes of them.
const REFUSED: Duration = Duration::from_secs(16);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_write_lock_is_somebody_elses() {
    let mut scene = Staging::new("lock_held", Database::Sqlite).open().await;
    let file = scene
        .database_url
        .trim_start_matches("sqlite://")
        .to_owned();
    let random = by_length(1, 10);
    let mut holds = vec![Duration::from_millis(100), SERVED, REFUSED];
    holds.extend((0..random).map(|_| scene.chance.up_to(REFUSED)));
    for (number, held) in holds.into_iter().enumerate() {
        let mut holder = tokio::task::block_in_place(|| sqlite::open(&file));
        tokio::task::block_in_place(|| holder.batch_execute("BEGIN IMMEDIATE")).unwrap();
        let course =
            json!({"name": format!("w-lock-{number}"), "language": "en", "description": "v0"});
        let write = Write::post("/v1/courses", course, &format!("lock-{number}"));
        let (api, sent) = (scene.api.clone(), write.clone());
        let writing = tokio::spawn(async move { api.write(0, &sent).await });
        tokio::time::sleep(held).await;
        // What is there can be read meanwhile.
        scene.api.walk("/v1/courses").await;
        tokio::task::block_in_place(|| holder.batch_execute("ROLLBACK")).unwrap();
        let outcome = writing.await.unwrap();
        let Outcome::Answered(reply) = &outcome else {
            panic!("a lock of {held:?}: {outcome:?}");
        };
        let (status, text) = (reply.status, &reply.text);
        if held <= SERVED {
            assert_eq!(status, 201, "a lock of {held:?}: {text}");
        } else if held >= REFUSED {
            assert_eq!(status, 503, "a lock of {held:?}: {text}");
        }
        assert!(
            [201, 503].contains(&status),
            "a lock of {held:?}: {status} {text}"
        );
        assert!(
            status == 201 || reply.retry_after,
            "503 without Retry-After"
        );
        scene
            .figures
            .add(if status == 201 { "served" } else { "refused" }, 1);
        scene.figures.one_more("rounds");
        let again = scene.api.write(0, &write).await;
        scene.journal.outcome(&write, &again, status != 201);
        scene.note_course(&format!("w-lock-{number}"), &again);
    }
    scene.verdict().await;
}
