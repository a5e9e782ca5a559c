//! What every repository of other due dates keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::authoring::due_dates::{DueOverride, DueTerms, NewDueOverride, OverrideTarget};
use lyceum_domain::grading::submissions::{Submission, SubmissionFrame};
use lyceum_domain::ids::{DueOverrideId, UserId, WorkspaceId};
use lyceum_domain::learning::enrollments::EnrollmentStatus;
use lyceum_ports::authoring::due_dates::DueOverrideFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    another_due_date_comes_back_as_it_was_stored,
    another_workspace_cannot_find_list_change_or_delete_it,
    a_cohort_and_a_learner_have_one_each_of_an_assignment,
    a_stale_change_is_refused,
    pages_are_of_the_assignment_and_of_whom_one_asks_for,
    a_learner_has_their_own_and_those_of_the_cohorts_they_are_in,
    what_came_late_is_found_oldest_first,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_unix_millis(millis)
}

/// Two workspaces; in the first the assignments, cohorts and students 1 to 3, and the first two students in the first cohort.
async fn store_with(stores: &Stores, due: Vec<DueOverride>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            tx.courses().insert(&sample::course(here(), 1))?;
            for n in 1..=3 {
                tx.assignments().insert(&content::assignment(here(), n))?;
                tx.cohorts().insert(&people::cohort(here(), id(1), n))?;
                tx.users().insert_person(&people::person(n))?;
                tx.users().insert(&people::user(here(), n))?;
            }
            for n in 1..=2 {
                let enrolled = people::enrollment(here(), id(1), id(n), n);
                tx.enrollments().insert(&enrolled)?;
            }
            due.iter()
                .try_for_each(|one| tx.due_overrides().insert(one))
        })
        .await
        .unwrap();
    store
}

/// The `n`-th, of an assignment.
fn due(assignment: u64, target: OverrideTarget, n: u64) -> DueOverride {
    let due_at = Some(at(1_000));
    let new = NewDueOverride { target, due_at };
    DueOverride::new(here(), id(n), id(assignment), new, sample::now())
}

const fn of_user(user: UserId) -> OverrideTarget {
    OverrideTarget::User(user)
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<DueOverride> {
    let found = store.read(move |tx| tx.due_overrides().find(workspace, id(n)));
    found.await.unwrap()
}

async fn another_due_date_comes_back_as_it_was_stored(stores: &Stores) {
    let never = DueOverride {
        due_at: None,
        ..due(1, of_user(id(1)), 10)
    };
    let of_cohort = due(1, OverrideTarget::Cohort(id(2)), 11);
    let store = store_with(stores, vec![never, of_cohort]).await;
    assert_eq!(find(&store, here(), 10).await, Some(never));
    assert_eq!(find(&store, here(), 11).await, Some(of_cohort));
    let deleted = store.write(|tx| {
        let mut delete = || tx.due_overrides().delete(here(), id(10));
        Ok((delete()?, delete()?))
    });
    let deleted: Result<_, StoreError> = deleted.await;
    assert_eq!(deleted.unwrap(), (true, false));
    assert_eq!(find(&store, here(), 10).await, None);
}

async fn another_workspace_cannot_find_list_change_or_delete_it(stores: &Stores) {
    let stored = due(1, of_user(id(1)), 10);
    let store = store_with(stores, vec![stored]).await;
    let seen = store.write(move |tx| {
        let all = PageRequest::first(10);
        let none = DueOverrideFilter::default();
        let page = tx.due_overrides().page(elsewhere(), id(1), none, &all)?;
        let of_learner = tx
            .due_overrides()
            .of_learner(elsewhere(), &[id(1)], id(1))?;
        let deleted = tx.due_overrides().delete(elsewhere(), id(10))?;
        Ok((page.items, of_learner, deleted))
    });
    let seen: Result<_, StoreError> = seen.await;
    assert_eq!(seen.unwrap(), (vec![], vec![], false));
    let mut theirs = stored;
    theirs.workspace_id = elsewhere();
    theirs.stamp.touch(sample::now());
    let changed = store
        .write(move |tx| tx.due_overrides().update(&theirs))
        .await;
    assert!(matches!(changed, Err(StoreError::Stale)), "{changed:?}");
    assert_eq!(find(&store, here(), 10).await, Some(stored));
}

async fn a_cohort_and_a_learner_have_one_each_of_an_assignment(stores: &Stores) {
    let cohort = OverrideTarget::Cohort(id(1));
    let store = store_with(stores, vec![due(1, of_user(id(1)), 10), due(1, cohort, 11)]).await;
    for (target, field) in [(of_user(id(1)), "user_id"), (cohort, "cohort_id")] {
        let again = store
            .write(move |tx| tx.due_overrides().insert(&due(1, target, 12)))
            .await;
        let refused = matches!(&again, Err(StoreError::Taken { field: taken }) if *taken == field);
        assert!(refused, "{again:?}");
    }
    let elsewhere = store.write(move |tx| {
        tx.due_overrides().insert(&due(2, cohort, 12))?;
        tx.due_overrides().insert(&due(1, of_user(id(2)), 13))
    });
    elsewhere.await.unwrap();
}

async fn a_stale_change_is_refused(stores: &Stores) {
    let mut stored = due(1, of_user(id(1)), 10);
    let store = store_with(stores, vec![stored]).await;
    stored.due_at = Some(at(2_000));
    stored.stamp.touch(sample::now());
    let changing = stored;
    store
        .write(move |tx| tx.due_overrides().update(&changing))
        .await
        .unwrap();
    let again = store
        .write(move |tx| tx.due_overrides().update(&changing))
        .await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(stored));
}

async fn pages_are_of_the_assignment_and_of_whom_one_asks_for(stores: &Stores) {
    let cohort = OverrideTarget::Cohort(id(1));
    let all = vec![
        due(1, of_user(id(1)), 10),
        due(1, of_user(id(2)), 11),
        due(1, cohort, 12),
        due(2, of_user(id(1)), 13),
    ];
    let store = store_with(stores, all).await;
    let listed = async |filter: DueOverrideFilter, limit: u16| {
        let (mut seen, mut page) = (Vec::new(), PageRequest::first(limit));
        loop {
            let wanted = page.clone();
            let got = store
                .read(move |tx| tx.due_overrides().page(here(), id(1), filter, &wanted))
                .await
                .unwrap();
            seen.extend(got.items.iter().map(|one| one.id));
            match got.next {
                Some(after) => page.after = Some(after),
                None => return seen,
            }
        }
    };
    let ids = |numbers: &[u64]| {
        numbers
            .iter()
            .map(|n| id(*n))
            .collect::<Vec<DueOverrideId>>()
    };
    let none = DueOverrideFilter::default();
    assert_eq!(listed(none, 2).await, ids(&[12, 11, 10]));
    let of_cohort = DueOverrideFilter {
        cohort_id: Some(id(1)),
        user_id: None,
    };
    assert_eq!(listed(of_cohort, 2).await, ids(&[12]));
    let of_user = DueOverrideFilter {
        cohort_id: None,
        user_id: Some(id(2)),
    };
    assert_eq!(listed(of_user, 2).await, ids(&[11]));
}

async fn a_learner_has_their_own_and_those_of_the_cohorts_they_are_in(stores: &Stores) {
    let cohort = |n| OverrideTarget::Cohort(id(n));
    let all = vec![
        due(1, of_user(id(1)), 10),
        due(1, of_user(id(3)), 11),
        due(1, cohort(1), 12),
        due(1, cohort(2), 13),
        due(2, cohort(1), 14),
        due(3, cohort(1), 15),
    ];
    let store = store_with(stores, all).await;
    let found = async |user: u64, assignments: &[u64]| {
        let assignments: Vec<_> = assignments.iter().map(|n| id(*n)).collect();
        let found = store.read(move |tx| {
            tx.due_overrides()
                .of_learner(here(), &assignments, id(user))
        });
        let mut found: Vec<_> = found.await.unwrap().iter().map(|one| one.id).collect();
        found.sort_unstable();
        found
    };
    let ids = |numbers: &[u64]| {
        numbers
            .iter()
            .map(|n| id(*n))
            .collect::<Vec<DueOverrideId>>()
    };
    assert_eq!(found(1, &[1, 2]).await, ids(&[10, 12, 14]));
    assert_eq!(found(2, &[1]).await, ids(&[12]));
    assert_eq!(found(3, &[1, 2, 3]).await, ids(&[11]));
    assert_eq!(found(1, &[]).await, ids(&[]));
    // Whoever left a cohort has its date no more.
    let mut withdrawn = people::enrollment(here(), id(1), id(3), 30);
    withdrawn.status = EnrollmentStatus::Withdrawn;
    store
        .write(move |tx| tx.enrollments().insert(&withdrawn))
        .await
        .unwrap();
    assert_eq!(found(3, &[1, 2, 3]).await, ids(&[11]));
}

/// The `n`-th, by the student of the same number, due then.
fn handed_in(n: u64, due_at: Timestamp) -> Submission {
    let plain = content::submission(here(), n);
    let frame = SubmissionFrame {
        workspace_id: here(),
        id: id(n),
        course_id: id(1),
        user_id: id(n),
        attempt: 1,
        max_score: plain.max_score,
        assignment_version: 1,
        due: Some(DueTerms {
            due_at,
            late_policy: Some(content::late_policy()),
        }),
    };
    let new = content::new_submission(id(1));
    Submission::new(frame, new, sample::now())
}

async fn what_came_late_is_found_oldest_first(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let all: Vec<Submission> = vec![
        handed_in(1, at(0)),
        handed_in(2, sample::now()),
        handed_in(3, at(0)),
    ];
    let put = all.clone();
    store
        .write(move |tx| put.iter().try_for_each(|one| tx.submissions().insert(one)))
        .await
        .unwrap();
    let late = async |assignment: u64, after: Option<u64>, limit| {
        let found = store.read(move |tx| {
            let after = after.map(id);
            tx.submissions().late(here(), id(assignment), after, limit)
        });
        found.await.unwrap()
    };
    assert_eq!(late(1, None, 10).await, [all[0].clone(), all[2].clone()]);
    assert_eq!(late(1, None, 1).await, [all[0].clone()]);
    assert_eq!(late(1, Some(1), 10).await, [all[2].clone()]);
    assert_eq!(late(2, None, 10).await, []);
}
