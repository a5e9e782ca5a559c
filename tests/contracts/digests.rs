//! What every repository of digests keeps to: whose is due, that one node makes it, and what waits.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::grading::submissions::{
    BlindGrading, ReviewStatus, Submission, SubmissionStatus,
};
use lyceum_domain::ids::{UserId, WorkspaceId};
use lyceum_domain::notifying::digests::{CourseWaiting, Digest};
use lyceum_domain::notifying::local_time::LocalDate;
use lyceum_ports::store::StoreError;

cases![Stores:
    what_a_member_chose_is_kept_and_what_they_chose_last_counts,
    those_that_are_due_come_by_how_long_they_wait_and_what_is_off_never_does,
    of_many_nodes_one_moves_a_morning_on,
    two_browsers_that_choose_at_once_for_the_first_time_both_do,
    it_goes_with_its_member_and_its_workspace,
    what_waits_is_what_a_person_is_to_look_at_by_course,
];

fn here() -> WorkspaceId {
    id(1)
}

/// So many seconds after the samples were made.
fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// Of the member with this number.
fn digest(workspace: u64, member: u64, next: Option<u64>) -> Digest {
    Digest {
        next_at: next.map(at),
        ..Digest::none(id(workspace), id(member))
    }
}

/// Two workspaces; here members 1, 3, 4 and 5, there 2.
async fn store_with(stores: &Stores, digests: Vec<Digest>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_students(tx)?;
            for n in 3..=5 {
                tx.users().insert_person(&people::person(n))?;
                tx.users().insert(&people::user(here(), n))?;
            }
            digests.iter().try_for_each(|one| tx.digests().put(one))
        })
        .await
        .unwrap();
    store
}

async fn find(store: &OpenStore, workspace: u64, member: u64) -> Option<Digest> {
    let found = store.read(move |tx| tx.digests().find(id(workspace), id(member)));
    found.await.unwrap()
}

async fn due(store: &OpenStore, seconds: u64, limit: u16) -> Vec<UserId> {
    let due = store.read(move |tx| tx.digests().due(at(seconds), limit));
    let due = due.await.unwrap();
    due.iter().map(|one| one.user_id).collect()
}

async fn move_on(store: &OpenStore, from: u64, to: Digest) -> bool {
    let moved = store.write(move |tx| tx.digests().move_on(at(from), &to));
    moved.await.unwrap()
}

fn ids(numbers: &[u64]) -> Vec<UserId> {
    numbers.iter().map(|n| id(*n)).collect()
}

async fn what_a_member_chose_is_kept_and_what_they_chose_last_counts(stores: &Stores) {
    let first = digest(1, 1, Some(10));
    let store = store_with(stores, vec![first]).await;
    assert_eq!(find(&store, 1, 1).await, Some(first));
    let last = Digest {
        next_at: None,
        last_on: Some(LocalDate::parse("2026-11-28").unwrap()),
        ..first
    };
    let put = store.write(move |tx| tx.digests().put(&last));
    put.await.unwrap();
    assert_eq!(find(&store, 1, 1).await, Some(last));
    for nobody in [(2, 1), (1, 2), (1, 3)] {
        assert_eq!(find(&store, nobody.0, nobody.1).await, None, "{nobody:?}");
    }
}

async fn those_that_are_due_come_by_how_long_they_wait_and_what_is_off_never_does(stores: &Stores) {
    let all = vec![
        digest(1, 1, Some(30)),
        digest(2, 2, Some(10)),
        digest(1, 3, None),
        digest(1, 4, Some(20)),
        digest(1, 5, Some(40)),
    ];
    let store = store_with(stores, all).await;
    assert_eq!(due(&store, 9, 10).await, []);
    assert_eq!(due(&store, 10, 10).await, ids(&[2]));
    assert_eq!(due(&store, 39, 10).await, ids(&[2, 4, 1]));
    assert_eq!(due(&store, 99, 2).await, ids(&[2, 4]));
}

async fn of_many_nodes_one_moves_a_morning_on(stores: &Stores) {
    let store = store_with(stores, vec![digest(1, 1, Some(10)), digest(1, 3, Some(10))]).await;
    let mut nodes = vec![store];
    for _ in 0..3 {
        nodes.push(stores.open().await);
    }
    let day = LocalDate::parse("2026-11-28").unwrap();
    let next = Digest {
        last_on: Some(day),
        ..digest(1, 1, Some(500))
    };
    let racing = nodes.iter().map(|node| move_on(node, 10, next));
    let moved = futures_util::future::join_all(racing).await;
    assert_eq!(moved.iter().filter(|moved| **moved).count(), 1);
    let store = &nodes[0];
    assert_eq!(find(store, 1, 1).await, Some(next));
    assert_eq!(due(store, 100, 10).await, ids(&[3]), "nobody else's");
    // Whoever switched it off meanwhile is not switched on by it.
    let off = digest(1, 3, None);
    store.write(move |tx| tx.digests().put(&off)).await.unwrap();
    assert!(!move_on(store, 10, digest(1, 3, Some(500))).await);
    assert_eq!(find(store, 1, 3).await, Some(off));
    assert!(!move_on(store, 10, digest(1, 4, Some(500))).await);
    assert_eq!(find(store, 1, 4).await, None);
}

async fn two_browsers_that_choose_at_once_for_the_first_time_both_do(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let other = stores.open().await;
    let racing = (0..8).map(|n| {
        let node = if n % 2 == 0 { &store } else { &other };
        node.write(move |tx| tx.digests().put(&digest(1, 1, Some(10 + n))))
    });
    for chosen in futures_util::future::join_all(racing).await {
        chosen.unwrap();
    }
    assert!(find(&store, 1, 1).await.is_some());
}

async fn it_goes_with_its_member_and_its_workspace(stores: &Stores) {
    let all = vec![digest(1, 3, Some(10)), digest(2, 2, Some(10))];
    let store = store_with(stores, all).await;
    let gone = store.write(|tx| tx.users().delete(here(), id(3)));
    assert!(gone.await.unwrap());
    assert_eq!(due(&store, 10, 10).await, ids(&[2]));
    store
        .write(|tx| -> Result<_, StoreError> { tx.users().delete(id(2), id(2)) })
        .await
        .unwrap();
    assert_eq!(due(&store, 10, 10).await, []);
}

/// Handed in after so many seconds, and to be looked at.
fn open(workspace: u64, n: u64, seconds: u64) -> Submission {
    let mut submission = content::submission(id(workspace), n);
    submission.attempt = u32::try_from(n).unwrap();
    submission.status = SubmissionStatus::InReview;
    submission.review = Some(ReviewStatus::Open);
    submission.submitted_at = Some(at(seconds));
    submission
}

async fn what_waits_is_what_a_person_is_to_look_at_by_course(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut decided = open(1, 11, 1);
    decided.review = Some(ReviewStatus::Done);
    let mut unasked = open(1, 12, 2);
    (unasked.status, unasked.review) = (SubmissionStatus::Submitted, None);
    let mut blind = open(1, 13, 30);
    blind.blind = BlindGrading::Awaited;
    let mut elsewhere = open(1, 14, 40);
    (elsewhere.assignment_id, elsewhere.course_id) = (id(3), id(3));
    let all = [
        decided,
        unasked,
        blind,
        elsewhere,
        open(1, 15, 20),
        open(2, 16, 5),
    ];
    let waiting = |workspace: u64| store.read(move |tx| tx.submissions().waiting(id(workspace)));
    assert_eq!(waiting(1).await.unwrap(), []);
    let put = store.write(move |tx| {
        tx.courses().insert(&sample::course(here(), 3))?;
        let mut assignment = content::assignment(here(), 3);
        assignment.place.course_id = id(3);
        tx.assignments().insert(&assignment)?;
        all.iter().try_for_each(|one| tx.submissions().insert(one))
    });
    put.await.unwrap();
    let course = |n, count, seconds| CourseWaiting {
        course_id: id(n),
        count,
        oldest: Some(at(seconds)),
    };
    let mut found = waiting(1).await.unwrap();
    found.sort_by_key(|one| one.course_id);
    assert_eq!(found, [course(1, 2, 20), course(3, 1, 40)]);
    assert_eq!(waiting(2).await.unwrap(), [course(2, 1, 5)]);
    assert_eq!(waiting(9).await.unwrap(), []);
}
