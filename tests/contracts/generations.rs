//! What every generation repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::drafting::generations::{Generation, GenerationKind, GenerationState};
use lyceum_domain::ids::{GenerationId, WorkspaceId};
use lyceum_ports::drafting::generations::GenerationFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::{Value, json};

cases![Stores:
    a_generation_comes_back_as_it_was_stored_in_every_state,
    a_generation_can_go_through_its_states,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    a_target_has_one_pending_generation_at_a_time,
    a_generation_belongs_to_a_workspace_that_is_there,
    pages_go_newest_first_and_filters_narrow_them,
];

/// Two workspaces, and the generations given.
async fn store_with(stores: &Stores, generations: Vec<Generation>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_workspaces(tx)?;
            generations
                .iter()
                .try_for_each(|generation| tx.generations().insert(generation))
        })
        .await
        .unwrap();
    store
}

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Generation> {
    store
        .read(move |tx| tx.generations().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Every id, page by page.
async fn walk(store: &OpenStore, filter: GenerationFilter) -> Vec<GenerationId> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let (filter, wanted) = (filter.clone(), page.clone());
        let got = store
            .read(move |tx| tx.generations().page(here(), &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|generation| generation.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

fn pending() -> GenerationState {
    GenerationState::Pending {
        estimated_ready_at: content::later(),
    }
}

fn in_state(n: u64, state: GenerationState) -> Generation {
    let mut generation = content::generation(here(), n);
    generation.state = state;
    generation
}

/// One generation in every state: 10 to 14.
fn in_every_state() -> Vec<Generation> {
    let error = GenerationState::Error {
        code: "ai_provider_error".to_owned(),
        message: "the provider said \"no\"".to_owned(),
    };
    vec![
        in_state(10, pending()),
        in_state(11, GenerationState::Ready(json!({"units": ["«a»", null]}))),
        in_state(12, GenerationState::Ready(Value::Null)),
        in_state(13, error),
        in_state(14, GenerationState::Canceled),
    ]
}

async fn a_generation_comes_back_as_it_was_stored_in_every_state(stores: &Stores) {
    let mut generations = in_every_state();
    for (generation, n) in generations.iter_mut().zip(1..) {
        generation.request = json!({"brief": "漢字\n«x»", "hours": n, "mode": null});
        generation.completed = n;
        generation.total = n + 1;
        generation.tokens_in = u64::from(u32::MAX) + u64::from(n);
        generation.tokens_out = n.into();
        generation.stamp.touch(content::later());
    }
    let store = store_with(stores, generations.clone()).await;
    for (generation, n) in generations.into_iter().zip(10..) {
        assert_eq!(find(&store, here(), n).await, Some(generation));
    }
}

async fn a_generation_can_go_through_its_states(stores: &Stores) {
    let mut generation = content::generation(here(), 10);
    let store = store_with(stores, vec![generation.clone()]).await;
    for state in in_every_state().into_iter().map(|other| other.state) {
        generation.state = state;
        generation.stamp.touch(content::later());
        let changed = generation.clone();
        store
            .write(move |tx| tx.generations().update(&changed))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 10).await, Some(generation.clone()));
    }
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let generation = in_state(10, pending());
    let store = store_with(stores, vec![generation.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store.write(|tx| tx.generations().delete(elsewhere(), id(10)));
    assert!(!deleted.await.unwrap());
    let mut moved = generation.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.generations().update(&moved));
    assert!(matches!(update.await, Err(StoreError::Stale)));
    assert_eq!(find(&store, here(), 10).await, Some(generation));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut generation = in_state(10, pending());
    let store = store_with(stores, vec![generation.clone()]).await;
    generation.finish(json!({}), content::later()).unwrap();
    let (first, second) = (generation.clone(), generation.clone());
    store
        .write(move |tx| tx.generations().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.generations().update(&second));
    assert!(matches!(again.await, Err(StoreError::Stale)));
    assert_eq!(find(&store, here(), 10).await, Some(generation));
}

async fn a_target_has_one_pending_generation_at_a_time(stores: &Stores) {
    let store = store_with(stores, vec![in_state(10, pending())]).await;
    let insert =
        |generation: Generation| store.write(move |tx| tx.generations().insert(&generation));
    let mut second = in_state(11, pending());
    second.kind = GenerationKind::Lesson;
    let second = insert(second).await;
    assert!(
        matches!(second, Err(StoreError::Taken { field: "target" })),
        "{second:?}"
    );
    insert(in_state(12, GenerationState::Canceled))
        .await
        .unwrap();
    let mut for_another = in_state(13, pending());
    for_another.target_id = "crs_another".to_owned();
    insert(for_another).await.unwrap();
    let mut foreign = in_state(14, pending());
    foreign.workspace_id = elsewhere();
    insert(foreign).await.unwrap();
    let mut retried = in_state(12, pending());
    retried.stamp.touch(content::later());
    let retried = store
        .write(move |tx| tx.generations().update(&retried))
        .await;
    assert!(
        matches!(retried, Err(StoreError::Taken { field: "target" })),
        "{retried:?}"
    );
}

async fn a_generation_belongs_to_a_workspace_that_is_there(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let lost = content::generation(id(3), 10);
    let insert = store.write(move |tx| tx.generations().insert(&lost));
    assert!(matches!(insert.await, Err(StoreError::Dangling)));
}

async fn pages_go_newest_first_and_filters_narrow_them(stores: &Stores) {
    let mut generations = in_every_state();
    generations.push(content::generation(elsewhere(), 15));
    let store = store_with(stores, generations).await;
    for (status, expected) in [
        (None, vec![14, 13, 12, 11, 10]),
        (Some("pending"), vec![10]),
        (Some("ready"), vec![12, 11]),
        (Some("error"), vec![13]),
        (Some("canceled"), vec![14]),
    ] {
        let filter = GenerationFilter {
            status: status.map(str::to_owned),
        };
        let expected: Vec<GenerationId> = expected.into_iter().map(id).collect();
        assert_eq!(walk(&store, filter).await, expected, "{status:?}");
    }
}
