//! What every repository of what is kept keeps to.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::content::{self, put_submissions};
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::grading::submissions::SubmissionContent;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::text::LongText;
use lyceum_ports::running::storage_use::StorageUse;

cases![Stores:
    what_a_learner_keeps_grows_by_what_they_add_and_is_theirs_alone,
    what_a_workspace_keeps_is_measured_and_kept_until_it_is_measured_again,
    workspaces_are_stale_until_they_are_measured_and_after_a_while,
];

const LONG: usize = 50_000;

fn here() -> WorkspaceId {
    id(1)
}

async fn store(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
    store.write(put_submissions).await.unwrap();
    store
}

/// Somebody writes a draft anew, of many bytes in fewer characters.
async fn write_long(store: &OpenStore) {
    let mut long = content::submission(here(), 1);
    store
        .write(move |tx| {
            long = tx.submissions().find(here(), long.id)?.unwrap();
            long.content = SubmissionContent::Text(LongText::clamp(&"é".repeat(LONG / 2)));
            long.stamp.touch(content::later());
            tx.submissions().update(&long)
        })
        .await
        .unwrap();
}

async fn what_a_learner_keeps_grows_by_what_they_add_and_is_theirs_alone(stores: &Stores) {
    let store = store(stores).await;
    let of = async |workspace: WorkspaceId, user: u64| {
        store
            .read(move |tx| tx.storage_use().of_learner(workspace, id(user)))
            .await
            .unwrap()
    };
    let user = content::submission(here(), 1).user_id;
    let mine = async || {
        store
            .read(move |tx| tx.storage_use().of_learner(here(), user))
            .await
            .unwrap()
    };
    let before = mine().await;
    assert!(before > 0, "a submission is there");
    write_long(&store).await;
    let after = mine().await;
    let grown = usize::try_from(after - before).unwrap();
    assert!((LONG - 1_000..=LONG).contains(&grown), "{grown}");
    assert_eq!(of(here(), 99).await, 0, "of somebody who added nothing");
    let elsewhere = store
        .read(move |tx| tx.storage_use().of_learner(id(3), user))
        .await;
    assert_eq!(elsewhere.unwrap(), 0);
}

async fn what_a_workspace_keeps_is_measured_and_kept_until_it_is_measured_again(stores: &Stores) {
    let store = store(stores).await;
    let measure = async || {
        store
            .read(|tx| tx.storage_use().measure(here()))
            .await
            .unwrap()
    };
    let before = measure().await;
    write_long(&store).await;
    let grown = usize::try_from(measure().await - before).unwrap();
    assert!((LONG - 1_000..=LONG).contains(&grown), "{grown}");
    let kept = async || {
        store
            .read(|tx| tx.storage_use().of(&[here(), id(2)]))
            .await
            .unwrap()
    };
    assert_eq!(kept().await, []);
    for bytes in [7, 9] {
        let measured = StorageUse {
            workspace_id: here(),
            bytes,
            measured_at: sample::now(),
        };
        store
            .write(move |tx| tx.storage_use().keep(&measured))
            .await
            .unwrap();
        assert_eq!(kept().await, [measured]);
        let all = store.read(|tx| tx.storage_use().all()).await.unwrap();
        assert_eq!(all, [measured]);
    }
    store
        .write(|tx| tx.workspaces().delete(here()))
        .await
        .unwrap();
    assert_eq!(kept().await, [], "it goes with its workspace");
}

async fn workspaces_are_stale_until_they_are_measured_and_after_a_while(stores: &Stores) {
    let store = store(stores).await;
    let stale = async |minutes: u64, limit: u16| {
        let since = sample::now().plus(Duration::from_mins(minutes));
        store
            .read(move |tx| tx.storage_use().stale(since, limit))
            .await
            .unwrap()
    };
    assert_eq!(stale(0, 10).await, [id(1), id(2)]);
    assert_eq!(stale(0, 1).await, [id(1)]);
    let measured = StorageUse {
        workspace_id: here(),
        bytes: 1,
        measured_at: sample::now(),
    };
    store
        .write(move |tx| tx.storage_use().keep(&measured))
        .await
        .unwrap();
    assert_eq!(stale(0, 10).await, [id(2)]);
    assert_eq!(stale(1, 10).await, [id(1), id(2)]);
}
