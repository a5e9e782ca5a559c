//! What every repository of completed lessons keeps to.

use std::sync::Arc;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::learning::{self, put_learners};
use crate::stores::{OpenStore, Stores};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::learning::progress::LessonCompletion;
use lyceum_ports::learning::progress::CompletedLessons;
use lyceum_ports::store::StoreError;
use tokio::task::JoinSet;

cases![Stores:
    a_completion_comes_back_as_it_was_stored,
    nothing_of_another_workspace_is_completed,
    of_completions_that_race_one_is_kept_and_nobody_fails,
    what_is_done_is_counted_by_user_and_course,
    lessons_are_counted_by_course,
    completions_go_with_their_lesson_and_with_their_user,
];

/// Students, lessons, and the completions given.
async fn store_with(stores: &Stores, completions: Vec<LessonCompletion>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            put_learners(tx)?;
            completions
                .iter()
                .try_for_each(|completion| tx.progress().complete(completion))
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

fn completion(user: u64, lesson: u64, n: u64) -> LessonCompletion {
    learning::completion(here(), id(user), lesson, n)
}

async fn find(
    store: &OpenStore,
    workspace: WorkspaceId,
    user: u64,
    lesson: u64,
) -> Option<LessonCompletion> {
    store
        .read(move |tx| tx.progress().completion(workspace, id(user), id(lesson)))
        .await
        .unwrap()
}

async fn completed(store: &OpenStore, workspace: WorkspaceId) -> Vec<CompletedLessons> {
    let users = [id(1), id(2)];
    let mut found = store
        .read(move |tx| {
            tx.progress()
                .completed(workspace, &users, &[id(1), id(2), id(99)])
        })
        .await
        .unwrap();
    found.sort_by_key(|one| one.user_id);
    found
}

async fn a_completion_comes_back_as_it_was_stored(stores: &Stores) {
    let store = store_with(stores, vec![completion(1, 2, 10)]).await;
    assert_eq!(find(&store, here(), 1, 2).await, Some(completion(1, 2, 10)));
    assert_eq!(find(&store, here(), 1, 3).await, None);
    assert_eq!(find(&store, here(), 2, 2).await, None);
    assert_eq!(find(&store, elsewhere(), 1, 2).await, None);
}

async fn nothing_of_another_workspace_is_completed(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut smuggled = completion(1, 1, 10);
    smuggled.workspace_id = elsewhere();
    smuggled.course_id = id(2);
    let refused = store
        .write(move |tx| tx.progress().complete(&smuggled))
        .await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn of_completions_that_race_one_is_kept_and_nobody_fails(stores: &Stores) {
    let store = Arc::new(store_with(stores, vec![]).await);
    let mut writes = JoinSet::new();
    for n in 10..14 {
        let store = Arc::clone(&store);
        writes.spawn(async move {
            let write = store.write(move |tx| {
                let known = tx.progress().completion(here(), id(1), id(1))?;
                if known.is_none() {
                    tx.progress().complete(&completion(1, 1, n))?;
                }
                Ok(known.is_none())
            });
            write.await
        });
    }
    let mut firsts = 0;
    while let Some(written) = writes.join_next().await {
        firsts += u32::from(written.unwrap().unwrap());
    }
    assert_eq!(firsts, 1);
    assert_eq!(completed(&store, here()).await[0].lessons, 1);
}

async fn what_is_done_is_counted_by_user_and_course(stores: &Stores) {
    let mut last = completion(1, 2, 11);
    last.created_at = content::later();
    let stored = vec![
        completion(1, 1, 10),
        last,
        completion(2, 3, 12),
        completion(3, 1, 13),
    ];
    let store = store_with(stores, stored).await;
    let of = |user: u64, lessons: u32| CompletedLessons {
        user_id: id(user),
        course_id: id(1),
        lessons,
        last_at: sample::now(),
    };
    let mut first = of(1, 2);
    first.last_at = content::later();
    assert_eq!(completed(&store, here()).await, [first, of(2, 1)]);
    assert_eq!(completed(&store, elsewhere()).await, []);
}

async fn lessons_are_counted_by_course(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let totals = async |workspace: WorkspaceId| {
        let courses = [id(1), id(2), id(99)];
        store
            .read(move |tx| tx.progress().lesson_totals(workspace, &courses))
            .await
            .unwrap()
    };
    assert_eq!(totals(here()).await, [(id(1), 3)]);
    assert_eq!(totals(elsewhere()).await, [(id(2), 1)]);
}

async fn completions_go_with_their_lesson_and_with_their_user(stores: &Stores) {
    let stored = vec![
        completion(1, 1, 10),
        completion(1, 2, 11),
        completion(2, 2, 12),
    ];
    let store = store_with(stores, stored).await;
    store
        .write(|tx| {
            tx.lessons().delete(here(), id(1))?;
            tx.users().delete(here(), id(2))
        })
        .await
        .unwrap();
    let left = completed(&store, here()).await;
    assert_eq!((left.len(), left[0].lessons), (1, 1));
    let deleted = store.write(|tx| tx.courses().delete(here(), id(1))).await;
    assert!(deleted.unwrap());
    assert_eq!(completed(&store, here()).await, []);
}
