//! What every cohort repository keeps to.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::ids::{CohortId, CourseId, WorkspaceId};
use lyceum_domain::json::Metadata;
use lyceum_domain::learning::cohorts::{Capacity, Cohort, CohortChanges, CohortStatus};
use lyceum_ports::learning::cohorts::CohortFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    a_cohort_comes_back_as_it_was_stored,
    another_workspace_cannot_find_change_or_delete_it,
    a_cohort_cannot_run_a_course_of_another_workspace,
    a_change_is_stored_only_over_the_version_before_it,
    pages_go_newest_first_through_everything_once,
    filters_narrow,
    the_newest_of_each_course_come_newest_first_and_no_more_than_asked_for,
    a_deleted_course_takes_its_cohorts_along_and_a_cohort_its_enrolments,
];

/// Two workspaces with the courses 1 and 2 each, and the cohorts given.
async fn store_with(stores: &Stores, cohorts: Vec<Cohort>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            for workspace in [1, 2] {
                tx.workspaces().insert(&sample::workspace(workspace))?;
                tx.courses().insert(&sample::course(id(workspace), 1))?;
                tx.courses().insert(&sample::course(id(workspace), 2))?;
            }
            cohorts
                .iter()
                .try_for_each(|cohort| tx.cohorts().insert(cohort))
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

/// The `n`-th cohort of a course, here.
fn cohort(course: u64, n: u64) -> Cohort {
    people::cohort(here(), id(course), n)
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Cohort> {
    store
        .read(move |tx| tx.cohorts().find(workspace, id(n)))
        .await
        .unwrap()
}

async fn ids(store: &OpenStore, filter: CohortFilter) -> Vec<CohortId> {
    let page = store
        .read(move |tx| tx.cohorts().page(here(), &filter, &PageRequest::first(100)))
        .await
        .unwrap();
    page.items.iter().map(|cohort| cohort.id).collect()
}

async fn a_cohort_comes_back_as_it_was_stored(stores: &Stores) {
    let mut full = cohort(1, 10);
    full.status = CohortStatus::Completed;
    full.starts_at = Some(sample::now());
    full.ends_at = Some(sample::now().plus(Duration::from_millis(1)));
    full.timezone = "America/Sao_Paulo".to_owned();
    full.capacity = Some(Capacity::parse(30).unwrap());
    full.metadata = Metadata::parse(json!({"k": {"a": 1}}).as_object().cloned().unwrap()).unwrap();
    let bare = cohort(2, 11);
    let store = store_with(stores, vec![full.clone(), bare.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(full));
    assert_eq!(find(&store, here(), 11).await, Some(bare));
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let cohort = cohort(1, 10);
    let store = store_with(stores, vec![cohort.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store
        .write(|tx| tx.cohorts().delete(elsewhere(), id(10)))
        .await
        .unwrap();
    assert!(!deleted);
    let mut moved = cohort.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.cohorts().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    assert_eq!(find(&store, here(), 10).await, Some(cohort));
}

async fn a_cohort_cannot_run_a_course_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let refused = store
        .write(|tx| {
            tx.courses().insert(&sample::course(elsewhere(), 3))?;
            tx.cohorts().insert(&cohort(3, 10))
        })
        .await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut changed = cohort(1, 10);
    changed.capacity = Some(Capacity::parse(5).unwrap());
    let store = store_with(stores, vec![changed.clone(), cohort(1, 11)]).await;
    let changes = CohortChanges {
        name: Some(sample::name("New")),
        capacity: Some(None),
        ..CohortChanges::default()
    };
    changed.change(changes, sample::now()).unwrap();
    let (first, second) = (changed.clone(), changed.clone());
    store
        .write(move |tx| tx.cohorts().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.cohorts().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(changed));
    assert_eq!(find(&store, here(), 11).await, Some(cohort(1, 11)));
}

async fn pages_go_newest_first_through_everything_once(stores: &Stores) {
    let mut cohorts: Vec<Cohort> = (10..15).map(|n| cohort(1, n)).collect();
    cohorts.push(people::cohort(elsewhere(), id(1), 15));
    let store = store_with(stores, cohorts).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.cohorts().page(here(), &CohortFilter::default(), &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|cohort| cohort.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<CohortId> = (10..15).rev().map(id).collect();
    assert_eq!(seen, expected);
}

async fn filters_narrow(stores: &Stores) {
    let mut active = cohort(1, 10);
    active.status = CohortStatus::Active;
    let mut active_elsewhere = people::cohort(elsewhere(), id(2), 13);
    active_elsewhere.status = CohortStatus::Active;
    let store = store_with(
        stores,
        vec![active, cohort(1, 11), cohort(2, 12), active_elsewhere],
    )
    .await;
    let by = |course: Option<u64>, status: Option<CohortStatus>| CohortFilter {
        course_id: course.map(id),
        status,
        among: None,
    };
    assert_eq!(ids(&store, by(Some(1), None)).await, [id(11), id(10)]);
    let among = |ids: &[u64]| CohortFilter {
        course_id: Some(id(1)),
        among: Some(ids.iter().map(|n| id(*n)).collect()),
        ..CohortFilter::default()
    };
    assert_eq!(ids(&store, among(&[10, 12, 99])).await, [id(10)]);
    assert_eq!(ids(&store, among(&[])).await, []);
    assert_eq!(
        ids(&store, by(None, Some(CohortStatus::Active))).await,
        [id(10)]
    );
    assert_eq!(
        ids(&store, by(Some(2), Some(CohortStatus::Active))).await,
        []
    );
    let active = store
        .read(|tx| {
            Ok((
                tx.cohorts().any_active(here(), id(1))?,
                tx.cohorts().any_active(here(), id(2))?,
                tx.cohorts().any_active(elsewhere(), id(2))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(active, (true, false, true));
}

async fn the_newest_of_each_course_come_newest_first_and_no_more_than_asked_for(stores: &Stores) {
    let store = store_with(
        stores,
        vec![
            cohort(1, 10),
            cohort(2, 11),
            cohort(1, 12),
            cohort(1, 13),
            people::cohort(elsewhere(), id(1), 14),
        ],
    )
    .await;
    let newest = |courses: Vec<CourseId>, limit: u16| {
        let found = store.read(move |tx| tx.cohorts().newest_of_courses(here(), &courses, limit));
        async { found.await.unwrap().iter().map(|it| it.id).collect() }
    };
    let none: Vec<CohortId> = newest(vec![], 2).await;
    assert_eq!(none, []);
    let of_one: Vec<CohortId> = newest(vec![id(1)], 2).await;
    assert_eq!(of_one, [id(13), id(12)]);
    let of_both: Vec<CohortId> = newest(vec![id(2), id(1), id(9)], 2).await;
    assert_eq!(of_both, [id(13), id(12), id(11)]);
}

async fn a_deleted_course_takes_its_cohorts_along_and_a_cohort_its_enrolments(stores: &Stores) {
    let store = store_with(stores, vec![cohort(1, 10), cohort(2, 11)]).await;
    store
        .write(|tx| {
            tx.users().insert_person(&people::person(1))?;
            tx.users().insert(&people::user(here(), 1))?;
            for n in [10, 11] {
                tx.enrollments()
                    .insert(&people::enrollment(here(), id(n), id(1), n))?;
            }
            Ok(())
        })
        .await
        .unwrap();
    store
        .write(|tx| tx.courses().delete(here(), id(1)))
        .await
        .unwrap();
    assert_eq!(find(&store, here(), 10).await, None);
    let deleted = store
        .write(|tx| {
            Ok((
                tx.enrollments().of_user(here(), id(1))?.len(),
                tx.cohorts().delete(here(), id(11))?,
                tx.cohorts().delete(here(), id(11))?,
                tx.enrollments().of_user(here(), id(1))?.len(),
            ))
        })
        .await
        .unwrap();
    assert_eq!(deleted, (1, true, false, 0));
}
