//! What one of our databases has and the other has not, where the contract leaves it open.

use rstest::rstest;
use support::stores::{Database, TestStore};

#[rstest]
#[tokio::test]
async fn a_view_is_shared_where_opening_one_costs_nothing(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let view = TestStore::open(database).store.view().unwrap();
    assert_eq!(view.is_some(), database == Database::Sqlite);
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
