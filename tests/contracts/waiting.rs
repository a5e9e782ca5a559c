//! What every repository of changes that wait keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::versions::waiting::{ChangeTarget, ToWait, WaitingChange};
use lyceum_domain::ids::{CourseId, WorkspaceId};
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::authoring::waiting::{ChangeReach, Reached, WaitingMark};
use lyceum_ports::store::{StoreError, Tx};
use serde_json::json;

cases![Stores:
    what_waits_comes_back_as_it_was_stored_and_as_it_was_changed,
    another_workspace_neither_finds_nor_takes_away_what_waits,
    what_waits_for_a_course_stands_in_the_order_of_its_parts,
    what_waits_goes_with_what_it_waits_for,
    a_change_of_what_is_elsewhere_is_refused,
    nobody_is_reached_where_nobody_learns,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn course() -> CourseId {
    id(1)
}

fn every_target() -> [ChangeTarget; 4] {
    [
        ChangeTarget::Course(course()),
        ChangeTarget::Unit(id(1)),
        ChangeTarget::Lesson(id(1)),
        ChangeTarget::Assignment(id(1)),
    ]
}

fn change(of: ChangeTarget) -> WaitingChange {
    WaitingChange {
        workspace_id: here(),
        of,
        course_id: course(),
        content: content::object(&json!({"name": "«N»", "metadata": {"k": null}})),
        base: content::object(&json!({"name": "漢字", "metadata": {"k": [1, null]}})),
        made_by: Some(id(1)),
        stamp: Stamp::new(sample::now()),
    }
}

/// Workspaces 1 and 2 with a lesson each, an assignment in the first, and what waits there.
async fn store_with(stores: &Stores, waiting: Vec<WaitingChange>) -> OpenStore {
    let store = stores.open().await;
    let put = move |tx: &mut dyn Tx| -> Result<(), StoreError> {
        content::put_lessons(tx)?;
        tx.assignments().insert(&content::assignment(here(), 1))?;
        waiting
            .iter()
            .try_for_each(|one| tx.waiting_changes().insert(one))
    };
    store.write(put).await.unwrap();
    store
}

async fn found(
    store: &OpenStore,
    workspace: WorkspaceId,
    of: ChangeTarget,
) -> Option<WaitingChange> {
    let found = store.read(move |tx| tx.waiting_changes().find(workspace, of));
    found.await.unwrap()
}

async fn marks(store: &OpenStore, workspace: WorkspaceId, course: CourseId) -> Vec<WaitingMark> {
    let found = store.read(move |tx| tx.waiting_changes().of_course(workspace, course));
    found.await.unwrap()
}

async fn what_waits_comes_back_as_it_was_stored_and_as_it_was_changed(stores: &Stores) {
    let store = store_with(stores, every_target().map(change).to_vec()).await;
    for of in every_target() {
        let mut waits = change(of);
        assert_eq!(found(&store, here(), of).await, Some(waits.clone()));
        let other = ToWait {
            content: content::object(&json!({"summary": null})),
            base: content::object(&json!({"summary": "S"})),
        };
        waits.replace(other, None, Timestamp::from_unix_millis(9_000));
        let stored = waits.clone();
        let update = store.write(move |tx| tx.waiting_changes().update(&stored));
        update.await.unwrap();
        assert_eq!(found(&store, here(), of).await, Some(waits));
    }
}

async fn another_workspace_neither_finds_nor_takes_away_what_waits(stores: &Stores) {
    let store = store_with(stores, every_target().map(change).to_vec()).await;
    for of in every_target() {
        assert_eq!(found(&store, elsewhere(), of).await, None);
        let taken = store.write(move |tx| tx.waiting_changes().delete(elsewhere(), of));
        let taken: Result<bool, StoreError> = taken.await;
        assert!(!taken.unwrap());
    }
    assert!(marks(&store, elsewhere(), course()).await.is_empty());
    let all = store.write(|tx| tx.waiting_changes().delete_of_course(elsewhere(), course()));
    let all: Result<u64, StoreError> = all.await;
    assert_eq!(all.unwrap(), 0);
    let among = store.read(|tx| tx.waiting_changes().among(elsewhere(), &every_target()));
    let among: Result<_, StoreError> = among.await;
    assert!(among.unwrap().is_empty());
    assert_eq!(marks(&store, here(), course()).await.len(), 4);
}

async fn what_waits_for_a_course_stands_in_the_order_of_its_parts(stores: &Stores) {
    let mut backwards = every_target().map(change).to_vec();
    backwards.reverse();
    let store = store_with(stores, backwards).await;
    let told = marks(&store, here(), course()).await;
    let of: Vec<ChangeTarget> = told.iter().map(|mark| mark.of).collect();
    assert_eq!(of, every_target());
    let lesson = ChangeTarget::Lesson(id(1));
    let asked = [lesson, ChangeTarget::Lesson(id(9))];
    let among = store.read(move |tx| tx.waiting_changes().among(here(), &asked));
    let among: Result<_, StoreError> = among.await;
    assert_eq!(among.unwrap(), [lesson]);
    let taken = store.write(move |tx| {
        let first = tx.waiting_changes().delete(here(), lesson)?;
        Ok((first, tx.waiting_changes().delete(here(), lesson)?))
    });
    let taken: Result<_, StoreError> = taken.await;
    assert_eq!(taken.unwrap(), (true, false));
    let all = store.write(|tx| tx.waiting_changes().delete_of_course(here(), course()));
    let all: Result<u64, StoreError> = all.await;
    assert_eq!(all.unwrap(), 3);
    assert!(marks(&store, here(), course()).await.is_empty());
}

async fn what_waits_goes_with_what_it_waits_for(stores: &Stores) {
    let store = store_with(stores, every_target().map(change).to_vec()).await;
    let gone = store.write(|tx| tx.courses().delete(here(), course()));
    let gone: Result<bool, StoreError> = gone.await;
    assert!(gone.unwrap());
    assert!(marks(&store, here(), course()).await.is_empty());
}

async fn a_change_of_what_is_elsewhere_is_refused(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let foreign = change(ChangeTarget::Lesson(id(2)));
    let refused = store.write(move |tx| tx.waiting_changes().insert(&foreign));
    let refused = refused.await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn nobody_is_reached_where_nobody_learns(stores: &Stores) {
    let store = store_with(stores, every_target().map(change).to_vec()).await;
    let reach = store.read(|tx| tx.waiting_changes().reach(here(), course()));
    let reach: Result<ChangeReach, StoreError> = reach.await;
    let reach = reach.unwrap();
    assert_eq!(
        (reach.lessons, reach.graded),
        (Reached::default(), Reached::default())
    );
}
