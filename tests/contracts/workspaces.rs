//! What every workspace repository keeps to.

use std::sync::Arc;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::identity::ai_settings::{OnProviderFailure, WorkspaceAiChanges};
use lyceum_domain::identity::workspaces::{PlatformCode, Workspace, WorkspaceChanges};
use lyceum_domain::json::Metadata;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::running::nodes::Lease;
use lyceum_ports::store::{StoreError, Tx};
use serde_json::json;
use tokio::task::JoinSet;

cases![Stores:
    a_workspace_comes_back_as_it_was_stored,
    a_platform_is_found_by_its_code,
    a_code_belongs_to_one_workspace,
    a_change_is_stored_only_over_the_version_before_it,
    a_deleted_workspace_takes_everything_in_it_along_and_nothing_else,
    platforms_are_numbered_from_one_and_no_number_is_given_twice,
    a_number_of_a_failed_transaction_is_given_again,
    a_fresh_store_has_no_workspace_yet,
];

async fn store_with(stores: &Stores, workspaces: Vec<Workspace>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            workspaces
                .iter()
                .try_for_each(|workspace| tx.workspaces().insert(workspace))
        })
        .await
        .unwrap();
    store
}

async fn find(store: &OpenStore, n: u64) -> Option<Workspace> {
    store
        .read(move |tx| tx.workspaces().find(id(n)))
        .await
        .unwrap()
}

async fn a_workspace_comes_back_as_it_was_stored(stores: &Stores) {
    let mut full = sample::workspace(1);
    full.domain = Some("example.org".to_owned());
    full.metadata = Metadata::parse(json!({"k": [1]}).as_object().cloned().unwrap()).unwrap();
    let mut bare = sample::workspace(2);
    bare.platform.code = None;
    let mut bare_too = sample::workspace(3);
    bare_too.platform.code = None;
    let store = store_with(stores, vec![full.clone(), bare.clone(), bare_too]).await;
    assert_eq!(find(&store, 1).await, Some(full));
    assert_eq!(find(&store, 2).await, Some(bare));
    assert_eq!(find(&store, 9).await, None);
}

async fn a_platform_is_found_by_its_code(stores: &Stores) {
    let wanted = sample::workspace(1);
    let store = store_with(stores, vec![wanted.clone(), sample::workspace(2)]).await;
    let platform = wanted.platform.clone();
    let found = store
        .read(move |tx| {
            let code = platform.code.clone().unwrap();
            let nobodys_code = PlatformCode::parse("nobody").unwrap();
            Ok((
                tx.workspaces().find_by_code(&code)?,
                tx.workspaces().find_by_code(&nobodys_code)?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(found, (Some(wanted), None));
}

async fn a_code_belongs_to_one_workspace(stores: &Stores) {
    let store = store_with(stores, vec![sample::workspace(1)]).await;
    let mut second = sample::workspace(2);
    second.platform.code = sample::workspace(1).platform.code;
    let refused = store.write(move |tx| tx.workspaces().insert(&second)).await;
    assert!(
        matches!(refused, Err(StoreError::Taken { field: "code" })),
        "{refused:?}"
    );
    assert_eq!(find(&store, 2).await, None);
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut workspace = sample::workspace(1);
    workspace.domain = Some("example.org".to_owned());
    workspace.ai.monthly_budget.cost = Some(MicroUsd::new(7));
    let store = store_with(stores, vec![workspace.clone(), sample::workspace(2)]).await;
    let changes = WorkspaceChanges {
        name: Some(sample::name("New")),
        domain: Some(None),
        ai: WorkspaceAiChanges {
            tokens: Some(Some(5_000)),
            on_provider_failure: Some(OnProviderFailure::BuiltIn),
            ..WorkspaceAiChanges::default()
        },
        ..WorkspaceChanges::default()
    };
    workspace.change(changes, sample::now()).unwrap();
    let (first, second) = (workspace.clone(), workspace.clone());
    store
        .write(move |tx| tx.workspaces().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.workspaces().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, 1).await, Some(workspace));
    assert_eq!(find(&store, 2).await, Some(sample::workspace(2)));
}

/// One of everything that hangs on a workspace, all numbered like it.
fn fill(tx: &mut dyn Tx, n: u64) -> Result<(), StoreError> {
    let workspace = id(n);
    tx.workspaces().insert(&sample::workspace(n))?;
    tx.users().insert_person(&people::person(n))?;
    tx.users().insert(&people::user(workspace, n))?;
    tx.keys().insert(&people::key(id(n), n))?;
    tx.keys()
        .insert(&people::session_key(workspace, id(n), id(n), n + 100))?;
    tx.tokens()
        .insert(&people::token(workspace, id(n), id(n), n))?;
    tx.courses().insert(&sample::course(workspace, n))?;
    tx.cohorts().insert(&people::cohort(workspace, id(n), n))?;
    tx.enrollments()
        .insert(&people::enrollment(workspace, id(n), id(n), n))?;
    tx.events().append(&people::event(workspace, n))?;
    tx.webhooks().insert(&people::endpoint(workspace, n))?;
    tx.webhooks()
        .insert_delivery(&people::delivery(workspace, n, n, n), None)?;
    tx.jobs().enqueue(&people::job(workspace, n), sample::now())
}

/// How much of [`fill`] is left: what belongs to the workspace, then what belongs to the person.
fn left(tx: &mut dyn Tx, n: u64) -> Result<(usize, usize), StoreError> {
    let workspace = id(n);
    let now = sample::now();
    // A lease that is over already: looking takes nothing away.
    let lease = Lease {
        until: now.minus(Duration::from_secs(1)),
        ..sample::lease(1, now)
    };
    let of_the_workspace = [
        tx.workspaces().find(workspace)?.is_some(),
        tx.users().find(workspace, id(n))?.is_some(),
        tx.keys().find(id(n + 100))?.is_some(),
        tx.tokens()
            .redeem(&people::token(workspace, id(n), id(n), n).hash, now)?
            .is_some(),
        tx.courses().find(workspace, id(n))?.is_some(),
        tx.cohorts().find(workspace, id(n))?.is_some(),
        tx.enrollments().find(workspace, id(n), id(n))?.is_some(),
        tx.events().find(workspace, id(n))?.is_some(),
        tx.webhooks().find(workspace, id(n))?.is_some(),
        tx.webhooks()
            .claim_deliveries(&lease, &mut None, 10)?
            .iter()
            .any(|claimed| claimed.delivery.workspace_id == workspace),
        tx.jobs()
            .claim(
                lyceum_domain::running::jobs::JobLane::Ai,
                &lease,
                &mut None,
                10,
            )?
            .iter()
            .any(|job| job.workspace_id == workspace),
    ];
    let of_the_person = [
        tx.users().person(id(n))?.is_some(),
        tx.keys().find(id(n))?.is_some(),
    ];
    let count = |there: &[bool]| there.iter().filter(|there| **there).count();
    Ok((count(&of_the_workspace), count(&of_the_person)))
}

async fn a_deleted_workspace_takes_everything_in_it_along_and_nothing_else(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            fill(tx, 1)?;
            fill(tx, 2)
        })
        .await
        .unwrap();
    let deleted = store
        .write(|tx| {
            Ok((
                tx.workspaces().delete(id(1))?,
                tx.workspaces().delete(id(1))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(deleted, (true, false));
    let gone = store.write(|tx| left(tx, 1)).await.unwrap();
    assert_eq!(
        gone,
        (0, 2),
        "people and their own keys outlive a workspace"
    );
    let kept = store.write(|tx| left(tx, 2)).await.unwrap();
    assert_eq!(kept, (11, 2));
}

async fn platforms_are_numbered_from_one_and_no_number_is_given_twice(stores: &Stores) {
    let store = stores.open().await;
    let mut asking = JoinSet::new();
    for _ in 0..4 {
        let store = Arc::clone(&store.store);
        asking.spawn(async move {
            store
                .write(|tx| tx.workspaces().next_platform_number())
                .await
        });
    }
    let mut numbers: Vec<i64> = asking
        .join_all()
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4]);
}

async fn a_number_of_a_failed_transaction_is_given_again(stores: &Stores) {
    let store = stores.open().await;
    let failed: Result<i64, StoreError> = store
        .write(|tx| {
            tx.workspaces().next_platform_number()?;
            Err(StoreError::Stale)
        })
        .await;
    assert!(failed.is_err());
    let first = store
        .write(|tx| tx.workspaces().next_platform_number())
        .await;
    assert_eq!(first.unwrap(), 1);
}

async fn a_fresh_store_has_no_workspace_yet(stores: &Stores) {
    let store = stores.open().await;
    assert!(store.read(|tx| tx.workspaces().none_yet()).await.unwrap());
    store
        .write(|tx| tx.workspaces().insert(&sample::workspace(1)))
        .await
        .unwrap();
    assert!(!store.read(|tx| tx.workspaces().none_yet()).await.unwrap());
}
