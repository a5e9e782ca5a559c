//! What one of our databases has and the other has not, where the contract leaves it open.

use rstest::rstest;
use support::stores::{Database, TestStore};

/// Whoever takes something on trust is told what is so at each look, and has it proven at the end.
#[rstest]
#[tokio::test]
async fn a_view_is_one_snapshot_where_that_costs_nothing(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let mut view = store.store.view().unwrap();
    while view.is_none() {
        // A pipeline is being made.
        tokio::task::yield_now().await;
        view = store.store.view().unwrap();
    }
    let is_snapshot = view.is_some_and(|view| view.trust().is_none());
    assert_eq!(is_snapshot, database == Database::Sqlite);
}

#[rstest]
#[tokio::test]
async fn the_database_tells_the_time_where_machines_share_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let told = store.write(|tx| tx.nodes().clock()).await.unwrap();
    assert_eq!(told.is_some(), database == Database::Postgres);
}
