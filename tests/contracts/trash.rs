//! What every trash keeps to.

use std::time::Duration;

use lyceum_domain::grading::receipts::{ChainHead, Kept, NOTHING_BEFORE, Receipt};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashKind, TrashPart};
use lyceum_ports::page::PageRequest;
use lyceum_ports::running::trash::TrashFilter;
use lyceum_ports::store::{StoreError, Tx};

use crate::cases::cases;
use crate::sample::content::{grade, put_submissions};
use crate::sample::{self, id};
use crate::stores::Stores;

cases![Stores:
    what_is_put_there_is_nowhere_else_and_comes_back_as_it_was,
    another_workspace_loses_nothing_and_finds_nothing,
    what_was_somebodys_is_erased_and_the_rest_comes_back,
    what_hangs_on_something_that_is_gone_is_named,
    items_are_found_by_what_they_are,
    what_is_too_old_is_taken_apart_a_little_at_a_time,
    graded_work_is_read_as_it_was,
];

// In the samples, workspace 1 owns everything with number 1 and workspace 2 everything with number 2.

/// The course of a workspace on its way into the trash.
pub fn course_of(workspace: u64) -> TrashItem {
    TrashItem {
        workspace_id: id(workspace),
        id: id(70 + workspace),
        kind: TrashKind::Course,
        object_id: id::<lyceum_domain::ids::Course>(workspace).to_string(),
        name: "Food".to_owned(),
        counts: TrashCounts::new(),
        person_id: None,
        deleted_by: None,
        restorable_until: sample::now().plus(Duration::from_hours(24)),
        created_at: sample::now(),
    }
}

fn put(tx: &mut dyn Tx, item: &TrashItem) -> Result<TrashItem, StoreError> {
    let counts = tx.trash().gather(item)?;
    let item = TrashItem {
        counts,
        ..item.clone()
    };
    tx.trash().take_out(&item)?;
    Ok(item)
}

fn put_graded(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_submissions(tx)?;
    for n in [1, 2] {
        let mut grade = grade(id(n), n);
        grade.receipt = Some(Receipt {
            sequence: 1,
            text_hash: "aa".to_owned(),
            answer_hash: None,
            previous: NOTHING_BEFORE.to_owned(),
            hash: "bb".to_owned(),
        });
        let kept = Kept {
            rubric: Some("{\"criteria\": []}".to_owned()),
            ..Kept::default()
        };
        tx.grades().append(&grade, &kept)?;
    }
    Ok(())
}

/// What of a workspace's course is there, by kind.
fn there(tx: &mut dyn Tx, n: u64) -> Result<[bool; 5], StoreError> {
    let workspace: WorkspaceId = id(n);
    Ok([
        tx.courses().find(workspace, id(n))?.is_some(),
        tx.cohorts().find(workspace, id(n))?.is_some(),
        tx.assignments().find(workspace, id(n))?.is_some(),
        tx.submissions().find(workspace, id(n))?.is_some(),
        !tx.grades().history(workspace, id(n))?.is_empty(),
    ])
}

async fn what_is_put_there_is_nowhere_else_and_comes_back_as_it_was(stores: &Stores) {
    let store = stores.open().await;
    let (before, item) = store
        .write(|tx| {
            put_graded(tx)?;
            let before = (
                tx.submissions().find(id(1), id(1))?,
                tx.grades().history(id(1), id(1))?,
            );
            Ok::<_, StoreError>((before, put(tx, &course_of(1))?))
        })
        .await
        .unwrap();
    let counts = [
        (TrashPart::Courses, 1),
        (TrashPart::Cohorts, 1),
        (TrashPart::Assignments, 1),
        (TrashPart::Submissions, 1),
        (TrashPart::Grades, 1),
    ];
    assert_eq!(item.counts, counts.into());
    let gone = store.read(|tx| there(tx, 1)).await.unwrap();
    assert_eq!(gone, [false; 5]);
    let back = store
        .write(move |tx| {
            let found = tx.trash().find(id(1), item.id)?.unwrap();
            assert_eq!(found, item);
            tx.trash().put_back(&found, None, sample::now())?;
            tx.trash().forget(&found)?;
            assert_eq!(tx.trash().find(id(1), item.id)?, None);
            Ok::<_, StoreError>((
                tx.submissions().find(id(1), id(1))?,
                tx.grades().history(id(1), id(1))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(back, before);
    assert_eq!(store.read(|tx| there(tx, 1)).await.unwrap(), [true; 5]);
}

async fn another_workspace_loses_nothing_and_finds_nothing(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            put_graded(tx)?;
            let item = put(tx, &course_of(1))?;
            assert_eq!(there(tx, 2)?, [true; 5]);
            assert_eq!(tx.trash().find(id(2), item.id)?, None);
            let page = tx.trash().page(
                id(2),
                &TrashFilter {
                    kinds: TrashKind::ALL.to_vec(),
                    ..TrashFilter::default()
                },
                &PageRequest::first(10),
            )?;
            assert_eq!(page.items, []);
            assert!(tx.trash().sealed_work(Some(id(2)), None, 10)?.is_empty());
            // An item of this workspace's id there, which there is not, takes nothing along.
            let foreign = TrashItem {
                workspace_id: id(2),
                ..item
            };
            assert!(
                tx.trash()
                    .ids(&foreign, TrashPart::Grades, None, 9)?
                    .is_empty()
            );
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn what_was_somebodys_is_erased_and_the_rest_comes_back(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            put_graded(tx)?;
            let item = put(tx, &course_of(1))?;
            let user = tx.users().find(id(1), id(1))?.unwrap();
            assert_eq!(tx.trash().erase(&user)?, 2);
            let item = tx.trash().find(id(1), item.id)?.unwrap();
            assert_eq!(item.count(TrashPart::Submissions), 0);
            assert_eq!(item.count(TrashPart::Courses), 1);
            tx.trash().put_back(&item, None, sample::now())?;
            assert_eq!(there(tx, 1)?, [true, true, true, false, false]);
            // An item that is somebody's own thing goes with it.
            let own = TrashItem {
                kind: TrashKind::Submission,
                object_id: id::<lyceum_domain::ids::Submission>(2).to_string(),
                ..course_of(2)
            };
            let own = put(tx, &own)?;
            let user = tx.users().find(id(2), id(2))?.unwrap();
            assert_eq!(tx.trash().erase(&user)?, 2);
            assert_eq!(tx.trash().find(id(2), own.id)?, None);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn what_hangs_on_something_that_is_gone_is_named(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            put_graded(tx)?;
            let below = TrashItem {
                id: id(80),
                kind: TrashKind::Assignment,
                object_id: id::<lyceum_domain::ids::Assignment>(1).to_string(),
                ..course_of(1)
            };
            let below = put(tx, &below)?;
            assert_eq!(tx.trash().missing(&below)?, []);
            let above = put(tx, &course_of(1))?;
            let missing = tx.trash().missing(&below)?;
            let named: Vec<(&str, &str)> = missing
                .iter()
                .map(|one| (one.field.as_str(), one.id.as_str()))
                .collect();
            assert_eq!(
                named.first().unwrap(),
                &("course_id", above.object_id.as_str())
            );
            assert!(
                missing.iter().all(|one| one.item == Some(above.id)),
                "{missing:?}"
            );
            assert_eq!(tx.trash().missing(&above)?, []);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn items_are_found_by_what_they_are(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            put_graded(tx)?;
            let item = put(tx, &course_of(1))?;
            let mut found = |filter: TrashFilter| -> Result<usize, StoreError> {
                let page = tx.trash().page(id(1), &filter, &PageRequest::first(10))?;
                Ok(page.items.len())
            };
            let courses = TrashFilter {
                kinds: vec![TrashKind::Course],
                ..TrashFilter::default()
            };
            assert_eq!(found(courses.clone())?, 1);
            let units = TrashFilter {
                kinds: vec![TrashKind::Unit],
                ..TrashFilter::default()
            };
            assert_eq!(found(units)?, 0);
            let by_id = TrashFilter {
                object_id: Some(item.object_id.clone()),
                ..courses.clone()
            };
            assert_eq!(found(by_id)?, 1);
            let by_somebody = TrashFilter {
                deleted_by: Some(id(1)),
                ..courses.clone()
            };
            assert_eq!(found(by_somebody)?, 0);
            let too_late = TrashFilter {
                restorable_at: Some(item.restorable_until),
                ..courses
            };
            assert_eq!(found(too_late)?, 0);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn what_is_too_old_is_taken_apart_a_little_at_a_time(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            put_graded(tx)?;
            let item = put(tx, &course_of(1))?;
            assert_eq!(tx.trash().expired(sample::now())?, None);
            let over = item.restorable_until;
            assert_eq!(tx.trash().expired(over)?.unwrap().id, item.id);
            assert!(!tx.trash().forget_some(&item, 3)?);
            assert_eq!(tx.trash().expired(over)?.unwrap().id, item.id);
            assert!(tx.trash().forget_some(&item, 3)?);
            assert_eq!(tx.trash().expired(over)?, None);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn graded_work_is_read_as_it_was(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            put_graded(tx)?;
            let submission = tx.submissions().find(id(1), id(1))?.unwrap();
            let head: ChainHead = tx.grades().head(id(1), id(1))?;
            let records = tx.grades().history(id(1), id(1))?;
            let item = put(tx, &course_of(1))?;
            let works = tx.trash().sealed_work(None, None, 10)?;
            assert_eq!((works.len(), head.sequence), (1, 1));
            for work in works {
                assert_eq!((work.item, &work.submission), (item.id, &submission));
                assert_eq!((&work.head, &work.records), (&head, &records));
                let place = (id(1), item.id, submission.id);
                assert!(tx.trash().sealed_work(None, Some(place), 10)?.is_empty());
            }
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}
