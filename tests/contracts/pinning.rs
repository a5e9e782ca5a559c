//! What every repository of what cohorts have pinned keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::versions::pinning::PinnedContent;
use lyceum_domain::authoring::versions::waiting::ChangeTarget;
use lyceum_domain::ids::{CohortId, WorkspaceId};
use lyceum_domain::learning::cohorts::{Cohort, CohortStatus, CohortUpdates};
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::authoring::waiting::ChangeReach;
use lyceum_ports::store::{StoreError, Tx};
use serde_json::json;

cases![Stores:
    what_is_pinned_comes_back_as_it_was_stored_and_as_it_was_changed,
    another_workspace_neither_finds_nor_takes_away_what_is_pinned,
    what_a_cohort_has_pinned_stands_in_the_order_of_the_course,
    what_is_pinned_goes_with_its_cohort_and_with_its_thing,
    a_pin_of_what_is_elsewhere_is_refused,
    for_cohorts_under_way_by_choice_alone_is_anything_pinned,
    nobody_is_reached_where_nobody_learns,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn every_target() -> [ChangeTarget; 3] {
    [
        ChangeTarget::Unit(id(1)),
        ChangeTarget::Lesson(id(1)),
        ChangeTarget::Assignment(id(1)),
    ]
}

fn pin(cohort: u64, of: ChangeTarget) -> PinnedContent {
    PinnedContent {
        workspace_id: here(),
        cohort_id: id(cohort),
        of,
        content: content::object(&json!({"name": "«N» 漢字", "feedback": {"k": null}})),
        number: matches!(of, ChangeTarget::Assignment(_)).then_some(7),
        stamp: Stamp::new(sample::now()),
    }
}

fn cohort(number: u64, updates: CohortUpdates, status: CohortStatus) -> Cohort {
    Cohort {
        updates,
        status,
        ..people::cohort(here(), id(1), number)
    }
}

/// What the first cohort has pinned.
fn pins() -> Vec<PinnedContent> {
    every_target().map(|of| pin(1, of)).to_vec()
}

/// Workspaces 1 and 2 with a lesson each, an assignment in the first, cohorts of its course, and what they have pinned.
async fn store_with(stores: &Stores, pinned: Vec<PinnedContent>) -> OpenStore {
    let store = stores.open().await;
    let put = move |tx: &mut dyn Tx| -> Result<(), StoreError> {
        content::put_lessons(tx)?;
        tx.assignments().insert(&content::assignment(here(), 1))?;
        for (number, updates, status) in [
            (1, CohortUpdates::Manual, CohortStatus::Active),
            (2, CohortUpdates::Automatic, CohortStatus::Active),
            (3, CohortUpdates::Manual, CohortStatus::Draft),
            (4, CohortUpdates::Manual, CohortStatus::Completed),
            (5, CohortUpdates::Manual, CohortStatus::Archived),
        ] {
            tx.cohorts().insert(&cohort(number, updates, status))?;
        }
        pinned
            .iter()
            .try_for_each(|one| tx.pinned_contents().insert(one))
    };
    store.write(put).await.unwrap();
    store
}

async fn found(
    store: &OpenStore,
    workspace: WorkspaceId,
    of: ChangeTarget,
) -> Option<PinnedContent> {
    let found = store.read(move |tx| tx.pinned_contents().find(workspace, id(1), of));
    found.await.unwrap()
}

async fn targets(store: &OpenStore, workspace: WorkspaceId) -> Vec<ChangeTarget> {
    let found = store.read(move |tx| tx.pinned_contents().of_cohort(workspace, id(1)));
    let found: Result<_, StoreError> = found.await;
    found.unwrap().iter().map(|mark| mark.of).collect()
}

async fn what_is_pinned_comes_back_as_it_was_stored_and_as_it_was_changed(stores: &Stores) {
    let store = store_with(stores, pins()).await;
    for of in every_target() {
        let mut pinned = pin(1, of);
        assert_eq!(found(&store, here(), of).await, Some(pinned.clone()));
        pinned.content = content::object(&json!({"summary": null}));
        pinned.stamp.touch(Timestamp::from_unix_millis(9_000));
        let stored = pinned.clone();
        let update = store.write(move |tx| tx.pinned_contents().update(&stored));
        update.await.unwrap();
        assert_eq!(found(&store, here(), of).await, Some(pinned.clone()));
        let all = store.read(move |tx| tx.pinned_contents().of_thing(here(), of));
        let all: Result<_, StoreError> = all.await;
        assert_eq!(all.unwrap(), [pinned]);
    }
}

async fn another_workspace_neither_finds_nor_takes_away_what_is_pinned(stores: &Stores) {
    let store = store_with(stores, pins()).await;
    for of in every_target() {
        assert_eq!(found(&store, elsewhere(), of).await, None);
        let taken = store.write(move |tx| tx.pinned_contents().delete(elsewhere(), id(1), of));
        let taken: Result<bool, StoreError> = taken.await;
        assert!(!taken.unwrap());
        let all = store.read(move |tx| tx.pinned_contents().of_thing(elsewhere(), of));
        let all: Result<_, StoreError> = all.await;
        assert!(all.unwrap().is_empty());
    }
    assert!(targets(&store, elsewhere()).await.is_empty());
    let all = store.write(|tx| tx.pinned_contents().delete_of_cohort(elsewhere(), id(1)));
    let all: Result<u64, StoreError> = all.await;
    assert_eq!(all.unwrap(), 0);
    let pinning = store.read(|tx| tx.pinned_contents().pinning(elsewhere(), id(1)));
    let pinning: Result<Vec<CohortId>, StoreError> = pinning.await;
    assert!(pinning.unwrap().is_empty());
    assert_eq!(targets(&store, here()).await.len(), 3);
}

async fn what_a_cohort_has_pinned_stands_in_the_order_of_the_course(stores: &Stores) {
    let mut backwards = pins();
    backwards.reverse();
    backwards.push(pin(4, ChangeTarget::Lesson(id(1))));
    let store = store_with(stores, backwards).await;
    assert_eq!(targets(&store, here()).await, every_target());
    let lesson = ChangeTarget::Lesson(id(1));
    let asked = [lesson, ChangeTarget::Lesson(id(9))];
    let among = store.read(move |tx| tx.pinned_contents().among(here(), id(1), &asked));
    let among: Result<_, StoreError> = among.await;
    assert_eq!(among.unwrap(), [pin(1, lesson)]);
    let taken = store.write(move |tx| {
        let first = tx.pinned_contents().delete(here(), id(1), lesson)?;
        Ok((first, tx.pinned_contents().delete(here(), id(1), lesson)?))
    });
    let taken: Result<_, StoreError> = taken.await;
    assert_eq!(taken.unwrap(), (true, false));
    let all = store.write(|tx| tx.pinned_contents().delete_of_cohort(here(), id(1)));
    let all: Result<u64, StoreError> = all.await;
    assert_eq!(all.unwrap(), 2);
    let left = store.read(move |tx| tx.pinned_contents().of_thing(here(), lesson));
    let left: Result<_, StoreError> = left.await;
    assert_eq!(left.unwrap(), [pin(4, lesson)]);
}

async fn what_is_pinned_goes_with_its_cohort_and_with_its_thing(stores: &Stores) {
    let store = store_with(stores, pins()).await;
    let gone = store.write(|tx| tx.assignments().delete(here(), id(1)));
    let gone: Result<bool, StoreError> = gone.await;
    assert!(gone.unwrap());
    assert_eq!(targets(&store, here()).await.len(), 2);
    let gone = store.write(|tx| tx.cohorts().delete(here(), id(1)));
    let gone: Result<bool, StoreError> = gone.await;
    assert!(gone.unwrap());
    assert!(targets(&store, here()).await.is_empty());
}

async fn a_pin_of_what_is_elsewhere_is_refused(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    for foreign in [
        pin(1, ChangeTarget::Lesson(id(2))),
        pin(9, ChangeTarget::Lesson(id(1))),
    ] {
        let refused = store.write(move |tx| tx.pinned_contents().insert(&foreign));
        let refused = refused.await;
        assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
    }
}

async fn for_cohorts_under_way_by_choice_alone_is_anything_pinned(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let pinning = store.read(|tx| tx.pinned_contents().pinning(here(), id(1)));
    let pinning: Result<Vec<CohortId>, StoreError> = pinning.await;
    assert_eq!(pinning.unwrap(), [id(1), id(4)]);
}

async fn nobody_is_reached_where_nobody_learns(stores: &Stores) {
    let store = store_with(stores, pins()).await;
    let reach = store.read(|tx| tx.pinned_contents().reach(here(), id(1)));
    let reach: Result<ChangeReach, StoreError> = reach.await;
    let reach = reach.unwrap();
    assert_eq!((reach.cohorts.count, reach.cohorts.learners), (1, 0));
    let others = ChangeReach {
        cohorts: reach.cohorts,
        by_choice: reach.by_choice,
        ..ChangeReach::default()
    };
    assert_eq!(reach, others);
}
