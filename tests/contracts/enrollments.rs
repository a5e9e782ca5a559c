//! What every enrolment repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::ids::{EnrollmentId, WorkspaceId};
use lyceum_domain::learning::enrollments::{Enrollment, EnrollmentStatus};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    an_enrolment_comes_back_as_it_was_stored,
    another_workspace_cannot_find_list_or_delete_it,
    a_student_is_in_a_cohort_once,
    nobody_of_another_workspace_gets_in,
    a_deleted_enrolment_is_gone_and_no_other,
    pages_bring_the_students_along_newest_first,
    a_student_s_enrolments_come_newest_first,
    students_are_counted_by_cohort,
];

/// Two workspaces, with the cohorts 1 and 2 and the students 1 to 5 in the first, and the enrolments given.
async fn store_with(stores: &Stores, enrollments: Vec<Enrollment>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            tx.courses().insert(&sample::course(here(), 1))?;
            tx.cohorts().insert(&people::cohort(here(), id(1), 1))?;
            tx.cohorts().insert(&people::cohort(here(), id(1), 2))?;
            for n in 1..=5 {
                tx.users().insert_person(&people::person(n))?;
                tx.users().insert(&people::user(here(), n))?;
            }
            enrollments
                .iter()
                .try_for_each(|enrollment| tx.enrollments().insert(enrollment))
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

/// The `n`-th enrolment, of a student in a cohort.
fn enrollment(cohort: u64, user: u64, n: u64) -> Enrollment {
    people::enrollment(here(), id(cohort), id(user), n)
}

async fn find(
    store: &OpenStore,
    workspace: WorkspaceId,
    cohort: u64,
    user: u64,
) -> Option<Enrollment> {
    store
        .read(move |tx| tx.enrollments().find(workspace, id(cohort), id(user)))
        .await
        .unwrap()
}

async fn an_enrolment_comes_back_as_it_was_stored(stores: &Stores) {
    let mut stored = enrollment(1, 2, 10);
    stored.status = EnrollmentStatus::Withdrawn;
    stored.stamp.touch(sample::now());
    let store = store_with(stores, vec![stored.clone()]).await;
    assert_eq!(find(&store, here(), 1, 2).await, Some(stored));
    assert_eq!(find(&store, here(), 2, 2).await, None);
    assert_eq!(find(&store, here(), 1, 1).await, None);
}

async fn another_workspace_cannot_find_list_or_delete_it(stores: &Stores) {
    let store = store_with(stores, vec![enrollment(1, 2, 10)]).await;
    let (page, of_user, deleted) = store
        .write(|tx| {
            Ok((
                tx.enrollments()
                    .page(elsewhere(), id(1), &PageRequest::first(10))?,
                tx.enrollments().of_user(elsewhere(), id(2))?,
                tx.enrollments().delete(elsewhere(), id(1), id(2))?,
            ))
        })
        .await
        .unwrap();
    assert!(page.items.is_empty() && of_user.is_empty() && !deleted);
    assert_eq!(find(&store, elsewhere(), 1, 2).await, None);
    assert!(find(&store, here(), 1, 2).await.is_some());
}

async fn a_student_is_in_a_cohort_once(stores: &Stores) {
    let store = store_with(stores, vec![enrollment(1, 2, 10)]).await;
    let again = store
        .write(|tx| tx.enrollments().insert(&enrollment(1, 2, 11)))
        .await;
    assert!(
        matches!(again, Err(StoreError::Taken { field: "user_id" })),
        "{again:?}"
    );
    let in_another = store
        .write(|tx| tx.enrollments().insert(&enrollment(2, 2, 11)))
        .await;
    assert!(in_another.is_ok(), "{in_another:?}");
}

async fn nobody_of_another_workspace_gets_in(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let refused = store
        .write(|tx| {
            let mut stranger = people::user(elsewhere(), 9);
            stranger.person_id = id(1);
            tx.users().insert(&stranger)?;
            tx.enrollments().insert(&enrollment(1, 9, 10))
        })
        .await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}

async fn a_deleted_enrolment_is_gone_and_no_other(stores: &Stores) {
    let store = store_with(stores, vec![enrollment(1, 2, 10), enrollment(2, 2, 11)]).await;
    let deleted = store
        .write(|tx| {
            Ok((
                tx.enrollments().delete(here(), id(1), id(2))?,
                tx.enrollments().delete(here(), id(1), id(2))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(deleted, (true, false));
    assert_eq!(find(&store, here(), 2, 2).await, Some(enrollment(2, 2, 11)));
}

async fn pages_bring_the_students_along_newest_first(stores: &Stores) {
    let mut enrollments: Vec<Enrollment> = (1..=5).map(|n| enrollment(1, n, 20 - n)).collect();
    enrollments.push(enrollment(2, 1, 30));
    let store = store_with(stores, enrollments).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.enrollments().page(here(), id(1), &wanted))
            .await
            .unwrap();
        seen.extend(got.items);
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<_> = (1..=5)
        .map(|n| (enrollment(1, n, 20 - n), people::user(here(), n)))
        .collect();
    assert_eq!(seen, expected);
}

async fn a_student_s_enrolments_come_newest_first(stores: &Stores) {
    let store = store_with(
        stores,
        vec![
            enrollment(2, 1, 10),
            enrollment(1, 1, 11),
            enrollment(1, 2, 12),
        ],
    )
    .await;
    let found = store
        .read(|tx| tx.enrollments().of_user(here(), id(1)))
        .await
        .unwrap();
    let found: Vec<EnrollmentId> = found.iter().map(|enrollment| enrollment.id).collect();
    assert_eq!(found, [id(11), id(10)]);
}

async fn students_are_counted_by_cohort(stores: &Stores) {
    let enrolled = vec![
        enrollment(1, 1, 10),
        enrollment(1, 2, 11),
        enrollment(2, 1, 12),
    ];
    let store = store_with(stores, enrolled).await;
    for (workspace, cohorts, expected) in [
        (here(), vec![1, 2, 3], vec![(1, 2), (2, 1)]),
        (here(), vec![2], vec![(2, 1)]),
        (here(), vec![], vec![]),
        (elsewhere(), vec![1, 2], vec![]),
    ] {
        let ids: Vec<_> = cohorts.into_iter().map(id).collect();
        let counted = store.read(move |tx| tx.enrollments().counts(workspace, &ids));
        let mut counted = counted.await.unwrap();
        counted.sort_unstable();
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(n, count)| (id(n), count))
            .collect();
        assert_eq!(counted, expected);
    }
}
