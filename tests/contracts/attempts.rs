//! What every attempt repository keeps to.

use std::sync::Arc;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::learning::{self, put_learners};
use crate::stores::{OpenStore, Stores};
use lyceum_domain::ids::{ActivityId, WorkspaceId};
use lyceum_domain::learning::attempts::Attempt;
use lyceum_ports::learning::attempts::{AttemptFilter, BestAttempt};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use tokio::task::JoinSet;

cases![Stores:
    attempts_come_back_as_they_were_stored_newest_first,
    another_workspace_sees_nothing_of_them_and_adds_none,
    attempts_are_numbered_by_user_and_activity,
    of_attempts_that_race_everyone_gets_a_number_of_its_own,
    the_best_of_each_user_in_each_activity_is_found_at_once,
    attempts_go_with_their_activity_and_with_their_user,
];

/// Students, activities, and the attempts given.
async fn store_with(stores: &Stores, attempts: Vec<Attempt>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            put_learners(tx)?;
            attempts
                .iter()
                .try_for_each(|attempt| tx.attempts().insert(attempt))
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

/// The `n`-th attempt: a user's, at an activity, with this number.
fn attempt(user: u64, activity: u64, number: u32, n: u64) -> Attempt {
    let mut attempt = learning::attempt(here(), id(user), n);
    attempt.activity_id = id(activity);
    attempt.number = number;
    attempt
}

/// All attempts at an activity that match, page by page.
async fn walk(
    store: &OpenStore,
    workspace: WorkspaceId,
    activity: ActivityId,
    filter: AttemptFilter,
) -> Vec<Attempt> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let (wanted, filter) = (page.clone(), filter.clone());
        let got = store
            .read(move |tx| tx.attempts().page(workspace, activity, &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items);
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

async fn attempts_come_back_as_they_were_stored_newest_first(stores: &Stores) {
    let mut unscored = attempt(2, 1, 1, 11);
    unscored.result.percent = None;
    unscored.result.passed = None;
    unscored.result.shows_answers = false;
    unscored.result.questions.clear();
    unscored.answers.clear();
    let stored = vec![
        attempt(1, 1, 1, 10),
        unscored,
        attempt(1, 1, 2, 12),
        attempt(3, 1, 1, 13),
        attempt(1, 1, 3, 14),
        attempt(1, 2, 1, 15),
    ];
    let store = store_with(stores, stored.clone()).await;
    let newest_first: Vec<Attempt> = stored.iter().take(5).rev().cloned().collect();
    let everybody = AttemptFilter::default();
    assert_eq!(walk(&store, here(), id(1), everybody).await, newest_first);
    let one = AttemptFilter {
        user_id: Some(id(1)),
    };
    let numbers: Vec<u32> = walk(&store, here(), id(1), one)
        .await
        .iter()
        .map(|attempt| attempt.number)
        .collect();
    assert_eq!(numbers, [3, 2, 1]);
}

async fn another_workspace_sees_nothing_of_them_and_adds_none(stores: &Stores) {
    let store = store_with(stores, vec![attempt(1, 1, 1, 10)]).await;
    let everybody = AttemptFilter::default();
    assert!(walk(&store, elsewhere(), id(1), everybody).await.is_empty());
    let (latest, best) = store
        .read(|tx| {
            let latest = tx.attempts().latest_number(elsewhere(), id(1), id(1))?;
            Ok((latest, tx.attempts().best(elsewhere(), &[id(1)], &[id(1)])?))
        })
        .await
        .unwrap();
    assert_eq!((latest, best), (0, vec![]));
    let mut smuggled = attempt(1, 1, 2, 11);
    smuggled.workspace_id = elsewhere();
    smuggled.course_id = id(2);
    let refused = store.write(move |tx| tx.attempts().insert(&smuggled)).await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn attempts_are_numbered_by_user_and_activity(stores: &Stores) {
    let stored = vec![
        attempt(1, 1, 1, 10),
        attempt(1, 1, 2, 11),
        attempt(2, 2, 1, 12),
    ];
    let store = store_with(stores, stored).await;
    let numbers = store
        .read(|tx| {
            Ok((
                tx.attempts().latest_number(here(), id(1), id(1))?,
                tx.attempts().latest_number(here(), id(2), id(1))?,
                tx.attempts().latest_number(here(), id(2), id(2))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(numbers, (2, 0, 1));
}

async fn of_attempts_that_race_everyone_gets_a_number_of_its_own(stores: &Stores) {
    let store = Arc::new(store_with(stores, vec![]).await);
    let mut writes = JoinSet::new();
    for n in 10..14 {
        let store = Arc::clone(&store);
        writes.spawn(async move {
            let write = store.write(move |tx| {
                let latest = tx.attempts().latest_number(here(), id(1), id(1))?;
                tx.attempts().insert(&attempt(1, 1, latest + 1, n))
            });
            write.await
        });
    }
    while let Some(written) = writes.join_next().await {
        written.unwrap().unwrap();
    }
    let all = walk(&store, here(), id(1), AttemptFilter::default()).await;
    let mut numbers: Vec<u32> = all.iter().map(|attempt| attempt.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4]);
}

async fn the_best_of_each_user_in_each_activity_is_found_at_once(stores: &Stores) {
    let scored = |attempt: Attempt, percent: Option<u8>| {
        let mut attempt = attempt;
        attempt.result.percent = percent;
        attempt
    };
    let mut last = scored(attempt(1, 1, 2, 11), Some(40));
    last.created_at = content::later();
    let stored = vec![
        scored(attempt(1, 1, 1, 10), Some(90)),
        last,
        scored(attempt(1, 2, 1, 12), None),
        scored(attempt(2, 1, 1, 13), Some(0)),
        scored(attempt(3, 1, 1, 14), Some(100)),
    ];
    let store = store_with(stores, stored).await;
    let mut best = store
        .read(|tx| {
            tx.attempts()
                .best(here(), &[id(1), id(2)], &[id(1), id(99)])
        })
        .await
        .unwrap();
    best.sort_by_key(|one| (one.user_id, one.activity_id));
    let of = |user: u64, activity: u64, percent: Option<u8>| BestAttempt {
        user_id: id(user),
        course_id: id(1),
        activity_id: id(activity),
        percent,
        last_at: sample::now(),
    };
    let mut twice = of(1, 1, Some(90));
    twice.last_at = content::later();
    assert_eq!(best, [twice, of(1, 2, None), of(2, 1, Some(0))]);
    let nobody = store.read(|tx| tx.attempts().best(here(), &[], &[])).await;
    assert_eq!(nobody.unwrap(), []);
}

async fn attempts_go_with_their_activity_and_with_their_user(stores: &Stores) {
    let stored = vec![
        attempt(1, 1, 1, 10),
        attempt(1, 2, 1, 11),
        attempt(2, 2, 1, 12),
    ];
    let store = store_with(stores, stored).await;
    store
        .write(|tx| {
            tx.activities().delete(here(), id(1))?;
            tx.users().delete(here(), id(2))
        })
        .await
        .unwrap();
    let everybody = AttemptFilter::default;
    assert!(walk(&store, here(), id(1), everybody()).await.is_empty());
    assert_eq!(
        walk(&store, here(), id(2), everybody()).await,
        [attempt(1, 2, 1, 11)]
    );
    let deleted = store.write(|tx| tx.courses().delete(here(), id(1))).await;
    assert!(deleted.unwrap());
    assert!(walk(&store, here(), id(2), everybody()).await.is_empty());
}
