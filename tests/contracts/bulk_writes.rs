//! What every repository of bulk writes keeps to.

use lyceum_domain::ids::{UserId, WorkspaceId};
use lyceum_domain::running::bulk_writes::{
    AT_HAND, BulkOperation, BulkRow, BulkRowResult, BulkWrite,
};
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::store::StoreError;
use serde_json::json;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};

cases![Stores:
    a_bulk_write_comes_back_as_it_was_stored,
    what_is_asked_is_forgotten_when_it_is_done,
    where_one_was_stopped_is_kept,
    a_bulk_write_that_somebody_else_changed_is_stale,
    those_under_way_are_told_by_who_asked,
    what_is_old_is_forgotten_the_oldest_first,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn after(hours: u64) -> Timestamp {
    let hours = i64::try_from(hours).unwrap_or_default();
    Timestamp::from_unix_millis(sample::now().unix_millis() + hours * 3_600_000)
}

/// The `n`-th, which was asked for after `n` hours.
fn bulk(workspace: WorkspaceId, n: u64) -> BulkWrite {
    let body =
        json!({"name": content::difficult_text().as_str(), "nul": "a\u{0}b", "of": [1, null]});
    let row = BulkRow {
        idempotency_key: Some("k".to_owned()),
        id: Some("les_1".to_owned()),
        if_match: Some("\"tag\"".to_owned()),
        body: body.as_object().cloned().unwrap_or_default(),
    };
    BulkWrite {
        workspace_id: workspace,
        id: id(n),
        asked_by: id(9),
        key_id: id(8),
        request_id: Some("req_1".to_owned()),
        operation: BulkOperation::UpdateLesson,
        is_dry_run: true,
        is_strict: false,
        size: 2,
        stop_after: None,
        rows: vec![row, BulkRow::default()],
        results: Vec::new(),
        done_at: None,
        stamp: Stamp::new(after(n)),
    }
}

fn refused() -> BulkRowResult {
    let error = json!({"code": "resource_missing", "message": content::difficult_text().as_str()});
    BulkRowResult {
        status: 404,
        id: None,
        tag: None,
        updated_at: None,
        error: error.as_object().cloned(),
        ignored: vec!["a,b".to_owned()],
        replayed: false,
    }
}

fn written() -> BulkRowResult {
    BulkRowResult {
        status: 200,
        id: Some("les_1".to_owned()),
        tag: Some("\"tag\"".to_owned()),
        updated_at: Some("2026-11-21T06:55:00.000Z".to_owned()),
        error: None,
        ignored: Vec::new(),
        replayed: true,
    }
}

async fn store_with(stores: &Stores, all: Vec<BulkWrite>) -> OpenStore {
    let store = stores.open().await;
    let put = store.write(move |tx| {
        content::put_workspaces(tx)?;
        all.iter().try_for_each(|one| tx.bulk_writes().insert(one))
    });
    put.await.unwrap();
    store
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<BulkWrite> {
    let found = store.read(move |tx| tx.bulk_writes().find(workspace, id(n)));
    found.await.unwrap()
}

async fn update(store: &OpenStore, one: &BulkWrite) -> Result<(), StoreError> {
    let changed = one.clone();
    let kept = store.write(move |tx| tx.bulk_writes().update(&changed));
    kept.await
}

async fn a_bulk_write_comes_back_as_it_was_stored(stores: &Stores) {
    let mut one = bulk(here(), 1);
    let store = store_with(stores, vec![one.clone()]).await;
    assert_eq!(find(&store, here(), 1).await, Some(one.clone()));
    assert_eq!(find(&store, elsewhere(), 1).await, None);
    assert!(one.note(0, vec![refused()], after(2)));
    update(&store, &one).await.unwrap();
    assert_eq!(find(&store, here(), 1).await, Some(one.clone()));
    let results = |workspace| store.read(move |tx| tx.bulk_writes().find_results(workspace, id(1)));
    one.rows.clear();
    assert_eq!(results(here()).await.unwrap(), Some(one));
    assert_eq!(results(elsewhere()).await.unwrap(), None);
}

async fn what_is_asked_is_forgotten_when_it_is_done(stores: &Stores) {
    let mut one = bulk(here(), 1);
    let store = store_with(stores, vec![one.clone()]).await;
    assert!(one.note(0, vec![refused(), written()], after(2)));
    update(&store, &one).await.unwrap();
    let kept = find(&store, here(), 1).await.unwrap();
    assert!(kept.rows.is_empty());
    assert_eq!(kept, one);
}

async fn where_one_was_stopped_is_kept(stores: &Stores) {
    let mut one = BulkWrite {
        size: 100,
        rows: vec![BulkRow::default(); 100],
        ..bulk(here(), 1)
    };
    let store = store_with(stores, vec![one.clone()]).await;
    assert!(one.stop(after(2)));
    update(&store, &one).await.unwrap();
    let kept = find(&store, here(), 1).await.unwrap();
    assert_eq!(kept, one);
    assert_eq!(kept.ahead().count(), AT_HAND);
}

async fn a_bulk_write_that_somebody_else_changed_is_stale(stores: &Stores) {
    let mut one = bulk(here(), 1);
    let store = store_with(stores, vec![one.clone()]).await;
    assert!(one.note(0, vec![written()], after(2)));
    update(&store, &one).await.unwrap();
    let again = update(&store, &one).await;
    assert!(matches!(again, Err(StoreError::Stale)));
}

async fn those_under_way_are_told_by_who_asked(stores: &Stores) {
    let mut done = bulk(here(), 1);
    assert!(done.note(0, vec![written(), written()], after(2)));
    let mut other = bulk(here(), 2);
    other.asked_by = id(7);
    let all = vec![done, other, bulk(here(), 3), bulk(elsewhere(), 4)];
    let store = store_with(stores, all).await;
    let pending = |workspace| store.read(move |tx| tx.bulk_writes().pending(workspace));
    let mut here: Vec<UserId> = pending(here()).await.unwrap();
    here.sort();
    assert_eq!(here, [id(7), id(9)]);
    assert_eq!(pending(elsewhere()).await.unwrap(), [id(9)]);
}

async fn what_is_old_is_forgotten_the_oldest_first(stores: &Stores) {
    let all = vec![
        bulk(here(), 3),
        bulk(elsewhere(), 2),
        bulk(here(), 4),
        bulk(here(), 1),
    ];
    let store = store_with(stores, all).await;
    let forget = || store.write(|tx| tx.bulk_writes().forget_before(after(4), 2));
    assert_eq!(forget().await.unwrap(), 2);
    assert!(find(&store, here(), 3).await.is_some());
    assert_eq!(forget().await.unwrap(), 1);
    assert_eq!(forget().await.unwrap(), 0);
    assert!(find(&store, here(), 4).await.is_some());
}
