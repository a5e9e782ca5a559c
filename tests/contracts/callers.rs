//! What the way in asks with every request is never answered with what was so before, whoever changed it.

use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::keys::ApiKey;
use lyceum_domain::users::{Person, User};
use lyceum_domain::workspaces::Workspace;
use lyceum_ports::store::{Store, StoreError, Tx, View};
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::sample_people as people;
use support::stores::{Database, TestStore, reopen};

/// Everything that is asked of a caller.
type Caller = (
    Option<ApiKey>,
    Option<Person>,
    Option<Workspace>,
    Option<User>,
);

async fn caller(store: &Arc<dyn Store>) -> Caller {
    let asked = store.read(|tx| {
        let platform = sample::workspace(1).platform;
        Ok::<_, StoreError>((
            tx.keys().find_by_lookup(&people::key(id(10), 30).lookup)?,
            tx.users().person(id(10))?,
            tx.workspaces().find_by_uuid(&platform.uuid)?,
            tx.users().member(id(1), id(10))?,
        ))
    });
    asked.await.unwrap()
}

/// Two stores on one database, which have both been asked for the caller.
async fn both_know(database: Database) -> (TestStore, Arc<dyn Store>, Caller) {
    let store = TestStore::open(database);
    let made = store.write(|tx| {
        tx.workspaces().insert(&sample::workspace(1))?;
        tx.users().insert_person(&people::person(10))?;
        tx.users().insert(&people::user(id(1), 10))?;
        tx.keys().insert(&people::key(id(10), 30))
    });
    made.await.unwrap();
    let other = reopen(&store.url);
    let known = caller(&store.store).await;
    assert_eq!(caller(&store.store).await, known);
    assert_eq!(caller(&other).await, known);
    (store, other, known)
}

#[rstest]
#[tokio::test]
async fn a_change_is_seen_by_the_next_read_of_this_store_and_of_every_other(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (store, other, known) = both_know(database).await;
    let later = sample::now().plus(Duration::from_mins(1));
    let (mut key, person, mut workspace, mut user) = match known {
        (Some(key), Some(person), Some(workspace), Some(user)) => (key, person, workspace, user),
        missing => panic!("{missing:?}"),
    };
    key.revoke(later);
    workspace.stamp.touch(later);
    user.stamp.touch(later);
    let changed = (key, workspace, user);
    let writing = changed.clone();
    let written = store.write(move |tx: &mut dyn Tx| {
        let (key, workspace, user) = &writing;
        tx.keys().update(key)?;
        tx.workspaces().update(workspace)?;
        tx.users().update(user)
    });
    written.await.unwrap();
    let (key, workspace, user) = changed;
    let expected = (Some(key), Some(person), Some(workspace), Some(user));
    assert_eq!(caller(&store.store).await, expected);
    assert_eq!(caller(&other).await, expected);
}

#[rstest]
#[tokio::test]
async fn whoever_was_removed_is_gone_from_the_next_read(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (store, other, _) = both_know(database).await;
    let removed = store.write(|tx| tx.users().delete(id(1), id(10)));
    assert!(removed.await.unwrap());
    for store in [&store.store, &other] {
        let (_, _, _, user) = caller(store).await;
        assert_eq!(user, None);
    }
}

/// The names of the platforms that a view shows.
async fn names(
    store: &Arc<dyn Store>,
    view: &mut Option<Box<dyn View>>,
) -> Result<Vec<String>, StoreError> {
    store
        .read_on(view, |tx| {
            let found = tx.workspaces().find(id(1))?;
            Ok(found.iter().map(|found| found.name.to_string()).collect())
        })
        .await
}

#[rstest]
#[tokio::test]
async fn what_one_look_at_a_view_found_is_still_so_for_the_next(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (store, _, _) = both_know(database).await;
    let mut view = store.store.view().unwrap();
    let shares = view.is_some();
    let before = names(&store.store, &mut view).await.unwrap();
    store
        .write(|tx| {
            let mut renamed = tx.workspaces().find(id(1))?.unwrap();
            renamed.name = sample::name("Renamed");
            renamed.stamp.touch(sample::now());
            tx.workspaces().update(&renamed)
        })
        .await
        .unwrap();
    let during = names(&store.store, &mut view).await.unwrap();
    drop(view);
    let mut next = store.store.view().unwrap();
    let after = names(&store.store, &mut next).await.unwrap();
    assert_eq!(after, ["Renamed"]);
    // Where there is none to share, each look is at what is there now.
    assert_eq!(during, if shares { before } else { after });
    assert_eq!(shares, database == Database::Sqlite);
}
