//! What every repository of versions keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::authoring::versions::{NEWEST_KEPT, Version, Versioned};
use lyceum_domain::ids::{VersionId, WorkspaceId};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    a_version_comes_back_as_it_was_stored,
    another_workspace_cannot_find_or_list_it,
    what_it_is_of_has_its_own_newest_first,
    a_version_of_what_is_elsewhere_is_refused,
    the_newest_stay_and_what_is_younger_too,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn lesson() -> Versioned {
    Versioned::Lesson(id(1))
}

/// The `n`-th version of this, replaced at so many milliseconds.
fn version(of: Versioned, n: u64, replaced_at: i64) -> Version {
    Version {
        workspace_id: here(),
        id: id(n),
        of,
        number: u32::try_from(n).unwrap(),
        content: content::object(
            &json!({"name": "«N»", "objectives": ["漢字", null], "duration_minutes": 7}),
        ),
        made_by: None,
        created_at: sample::now(),
        replaced_by: Some(id(1)),
        replaced_at: Timestamp::from_unix_millis(replaced_at),
    }
}

/// Workspaces 1 and 2 with a lesson and an activity each, an assignment in the first, and these versions.
async fn store_with(stores: &Stores, versions: Vec<Version>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_lessons(tx)?;
            tx.assignments().insert(&content::assignment(here(), 1))?;
            versions
                .iter()
                .try_for_each(|one| tx.versions().insert(one))
        })
        .await
        .unwrap();
    store
}

async fn listed(
    store: &OpenStore,
    workspace: WorkspaceId,
    of: Versioned,
    limit: u16,
) -> Vec<VersionId> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(limit));
    loop {
        let wanted = page.clone();
        let got = store.read(move |tx| tx.versions().page(workspace, of, &wanted));
        let got = got.await.unwrap();
        assert!(got.items.iter().all(|one| one.content.is_empty()));
        seen.extend(got.items.iter().map(|one| one.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

async fn a_version_comes_back_as_it_was_stored(stores: &Stores) {
    let of_lesson = version(lesson(), 10, 5);
    let of_assignment = Version {
        made_by: Some(id(2)),
        replaced_by: None,
        ..version(Versioned::Assignment(id(1)), 11, 6)
    };
    let store = store_with(stores, vec![of_lesson.clone(), of_assignment.clone()]).await;
    for stored in [of_lesson, of_assignment] {
        let id = stored.id;
        let found = store.read(move |tx| tx.versions().find(here(), id));
        assert_eq!(found.await.unwrap(), Some(stored));
    }
}

async fn another_workspace_cannot_find_or_list_it(stores: &Stores) {
    let store = store_with(stores, vec![version(lesson(), 10, 5)]).await;
    let seen = store.read(|tx| {
        let found = tx.versions().find(elsewhere(), id(10))?;
        Ok((found, tx.versions().newest(elsewhere(), lesson())?))
    });
    let seen: Result<_, StoreError> = seen.await;
    assert_eq!(seen.unwrap(), (None, None));
    assert!(listed(&store, elsewhere(), lesson(), 10).await.is_empty());
}

async fn what_it_is_of_has_its_own_newest_first(stores: &Stores) {
    let assignment = Versioned::Assignment(id(1));
    let all: Vec<Version> = (10..15)
        .map(|n| version(lesson(), n, 5))
        .chain([version(assignment, 20, 5)])
        .collect();
    let store = store_with(stores, all).await;
    let ids = |numbers: &[u64]| numbers.iter().map(|n| id(*n)).collect::<Vec<VersionId>>();
    assert_eq!(
        listed(&store, here(), lesson(), 2).await,
        ids(&[14, 13, 12, 11, 10])
    );
    assert_eq!(listed(&store, here(), assignment, 2).await, ids(&[20]));
    let newest = store.read(|tx| tx.versions().newest(here(), lesson()));
    assert_eq!(newest.await.unwrap().map(|one| one.number), Some(14));
}

async fn a_version_of_what_is_elsewhere_is_refused(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let foreign = version(Versioned::Lesson(id(2)), 10, 5);
    let refused = store.write(move |tx| tx.versions().insert(&foreign)).await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn the_newest_stay_and_what_is_younger_too(stores: &Stores) {
    let more = u64::from(NEWEST_KEPT) + 3;
    let assignment = Versioned::Assignment(id(1));
    let mut all: Vec<Version> = (1..=more)
        .map(|n| version(lesson(), n, i64::try_from(n).unwrap()))
        .collect();
    all.extend((1..=more).map(|n| Version {
        id: id(100 + n),
        ..version(assignment, n, 0)
    }));
    let store = store_with(stores, all).await;
    let forget = async |oldest, limit| {
        let oldest = Timestamp::from_unix_millis(oldest);
        let forgotten = store.write(move |tx| tx.versions().forget_before(oldest, limit));
        forgotten.await.unwrap()
    };
    assert_eq!(forget(3, 1).await, 1);
    assert_eq!(forget(3, 10).await, 1);
    assert_eq!(forget(3, 10).await, 0);
    assert_eq!(
        listed(&store, here(), lesson(), 50).await.len(),
        usize::try_from(more).unwrap() - 2
    );
    assert_eq!(forget(1_000, 50).await, 1);
    assert_eq!(listed(&store, here(), lesson(), 50).await.len(), 20);
    assert_eq!(listed(&store, here(), assignment, 50).await.len(), 23);
}
