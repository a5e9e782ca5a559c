//! What one of our databases has and the other has not, where the contract leaves it open.

use lyceum_ports::store::{StoreError, View};
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::stores::{Database, TestStore};

/// The name of workspace 1, as a view shows it to whoever may ask for more.
async fn shown(store: &TestStore, view: &mut Option<Box<dyn View>>) -> String {
    let looking = store.store.read_on(view, |tx| {
        let found = tx.workspaces().find(id(1))?;
        Ok::<_, StoreError>(found.map(|found| found.name.to_string()))
    });
    looking.await.unwrap().unwrap_or_default()
}

#[rstest]
#[tokio::test]
async fn looks_at_several_things_are_at_one_moment_where_that_costs_nothing(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let made = store.write(|tx| tx.workspaces().insert(&sample::workspace(1)));
    made.await.unwrap();
    let mut view = store.store.view().unwrap();
    while view.is_none() {
        // A pipeline is being made.
        tokio::task::yield_now().await;
        view = store.store.view().unwrap();
    }
    let before = shown(&store, &mut view).await;
    let renamed = store.write(|tx| {
        let mut workspace = sample::workspace(1);
        workspace.name = sample::name("Renamed");
        workspace.stamp.touch(sample::now());
        tx.workspaces().update(&workspace)
    });
    renamed.await.unwrap();
    let during = shown(&store, &mut view).await;
    assert_eq!(during == before, database == Database::Sqlite, "{during}");
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
