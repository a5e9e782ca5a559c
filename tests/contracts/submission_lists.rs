//! What lists of submissions keep to that go by their course, by why to look, and by the grade that stands.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{
    BlindGrading, StandingGrade, Submission, SubmissionStatus,
};
use lyceum_domain::ids::{SubmissionId, UserId, WorkspaceId};
use lyceum_domain::points::Points;
use lyceum_ports::grading::submissions::{GradeFilter, SubmissionFilter};
use lyceum_ports::page::{Keyset, PageRequest, Sort};

cases![Stores:
    a_course_has_what_was_handed_in_for_its_assignments,
    a_reason_to_look_is_one_of_several_and_tells_of_nothing_that_is_graded_blind,
    who_graded_and_who_decided_are_asked_for_apart,
    a_grade_was_given_between_two_moments,
    an_order_of_grades_has_what_has_a_grade_and_ids_decide_among_equals,
    a_place_in_an_order_of_grades_outlives_the_grade,
    what_its_learner_is_not_shown_is_left_out_where_that_is_asked,
];

fn here() -> WorkspaceId {
    id(1)
}

/// So many seconds after the samples were made.
fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// Of a second course, in the first one's workspace.
fn of_another_course() -> Assignment {
    let mut assignment = content::assignment(here(), 3);
    assignment.place.course_id = id(3);
    assignment
}

/// Two workspaces with a course each, here a second one with an assignment (3), and these submissions.
async fn store_with(stores: &Stores, submissions: Vec<Submission>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_students(tx)?;
            tx.courses().insert(&sample::course(here(), 3))?;
            tx.assignments().insert(&of_another_course())?;
            let mut submissions = submissions.iter();
            submissions.try_for_each(|one| tx.submissions().insert(one))
        })
        .await
        .unwrap();
    store
}

fn work(n: u64) -> Submission {
    let mut submission = content::submission(here(), n);
    submission.attempt = u32::try_from(n).unwrap();
    submission
}

/// Graded after so many seconds with so many points.
fn graded(n: u64, seconds: u64, points: u16) -> Submission {
    let mut submission = work(n);
    submission.status = SubmissionStatus::Graded;
    submission.grade = Some(StandingGrade {
        score: Points::whole(points),
        feedback: String::new(),
        by: GradeSource::Ai,
        decided_by: None,
        decided_at: None,
        at: at(seconds),
        read_at: None,
        criteria: Vec::new(),
        before: None,
    });
    submission
}

fn by(mut submission: Submission, by: GradeSource, decided_by: Option<UserId>) -> Submission {
    if let Some(grade) = &mut submission.grade {
        (grade.by, grade.decided_by) = (by, decided_by);
    }
    submission
}

/// What a person let stand after so many seconds.
fn decided(mut submission: Submission, seconds: u64) -> Submission {
    if let Some(grade) = &mut submission.grade {
        grade.decided_at = Some(at(seconds));
    }
    submission
}

fn blind(submission: Submission) -> Submission {
    Submission {
        blind: BlindGrading::Awaited,
        ..submission
    }
}

fn because(n: u64, reasons: &[&str]) -> Submission {
    let mut submission = work(n);
    submission.review_reasons = reasons.iter().map(ToString::to_string).collect();
    submission
}

fn asked(grade: GradeFilter) -> SubmissionFilter {
    SubmissionFilter {
        grade,
        ..SubmissionFilter::default()
    }
}

fn request(limit: u16, sort: &str) -> PageRequest {
    PageRequest {
        sort: Sort::parse(sort),
        ..PageRequest::first(limit)
    }
}

async fn page(
    store: &OpenStore,
    filter: &SubmissionFilter,
    wanted: PageRequest,
) -> (Vec<SubmissionId>, Option<Keyset>) {
    let filter = filter.clone();
    let found = store
        .read(move |tx| tx.submissions().page(here(), &filter, &wanted))
        .await
        .unwrap();
    let ids = found.items.iter().map(|one| one.id).collect();
    (ids, found.next)
}

/// The whole list, in pages of every size.
async fn all(store: &OpenStore, filter: &SubmissionFilter, sort: &str) -> Vec<SubmissionId> {
    let mut found = Vec::new();
    for limit in [1, 2, 100] {
        let (mut pages, mut wanted) = (Vec::new(), request(limit, sort));
        loop {
            let (ids, next) = page(store, filter, wanted.clone()).await;
            pages.extend(ids);
            wanted.after = next;
            if wanted.after.is_none() {
                break;
            }
        }
        assert!(limit == 1 || pages == found, "{limit} {sort} {pages:?}");
        found = pages;
    }
    found
}

fn ids(numbers: &[u64]) -> Vec<SubmissionId> {
    numbers.iter().map(|n| id(*n)).collect()
}

async fn a_course_has_what_was_handed_in_for_its_assignments(stores: &Stores) {
    let mut of_another = work(12);
    (of_another.assignment_id, of_another.course_id) = (id(3), id(3));
    let foreign = content::submission(id(2), 14);
    let store = store_with(
        stores,
        vec![work(11), of_another.clone(), work(13), foreign],
    )
    .await;
    let of_course = |n| SubmissionFilter {
        course_id: Some(id(n)),
        ..SubmissionFilter::default()
    };
    assert_eq!(all(&store, &of_course(1), "").await, ids(&[13, 11]));
    assert_eq!(all(&store, &of_course(3), "").await, ids(&[12]));
    // Of another workspace, and of nobody.
    assert_eq!(all(&store, &of_course(2), "").await, []);
    assert_eq!(all(&store, &of_course(9), "").await, []);
    let neither = SubmissionFilter {
        assignment_id: Some(id(3)),
        ..of_course(1)
    };
    assert_eq!(all(&store, &neither, "").await, []);
    let found = store.read(|tx| tx.submissions().find(here(), id(12)));
    assert_eq!(found.await.unwrap(), Some(of_another));
}

async fn a_reason_to_look_is_one_of_several_and_tells_of_nothing_that_is_graded_blind(
    stores: &Stores,
) {
    let submissions = vec![
        because(11, &["link", "markup"]),
        because(12, &["blank"]),
        because(13, &[]),
        blind(because(14, &["link"])),
        because(15, &["link"]),
        because(16, &["hyperlink"]),
    ];
    let store = store_with(stores, submissions).await;
    for (reason, expected) in [
        ("link", &[15, 11][..]),
        ("markup", &[11]),
        ("blank", &[12]),
        ("off_topic", &[]),
    ] {
        let filter = SubmissionFilter {
            review_reason: Some(reason),
            ..SubmissionFilter::default()
        };
        assert_eq!(all(&store, &filter, "").await, ids(expected), "{reason}");
        let of_assignment = SubmissionFilter {
            assignment_id: Some(id(1)),
            ..filter
        };
        assert_eq!(all(&store, &of_assignment, "").await, ids(expected));
    }
}

async fn who_graded_and_who_decided_are_asked_for_apart(stores: &Stores) {
    let (ai, human) = (GradeSource::Ai, GradeSource::Human);
    let submissions = vec![
        work(10),
        graded(11, 1, 50),
        by(graded(12, 2, 50), ai, Some(id(7))),
        by(graded(13, 3, 50), human, Some(id(7))),
        by(graded(14, 4, 50), human, Some(id(8))),
        by(graded(15, 5, 50), human, None),
        blind(graded(16, 6, 50)),
    ];
    let store = store_with(stores, submissions).await;
    let given = |by, decided_by| {
        asked(GradeFilter {
            by,
            decided_by,
            ..GradeFilter::default()
        })
    };
    for (by, user, expected) in [
        (Some(ai), None, &[12, 11][..]),
        (Some(human), None, &[15, 14, 13]),
        (None, Some(7), &[13, 12]),
        (None, Some(8), &[14]),
        (None, Some(9), &[]),
        (Some(ai), Some(7), &[12]),
        (Some(ai), Some(8), &[]),
    ] {
        let filter = given(by, user.map(id));
        assert_eq!(all(&store, &filter, "").await, ids(expected), "{filter:?}");
        let mut of_user = filter.clone();
        of_user.user_id = Some(id(1));
        assert_eq!(all(&store, &of_user, "").await, ids(expected));
    }
    // What is taken back is kept as nobody's again.
    let mut undone = by(graded(12, 2, 50), ai, None);
    undone.stamp.version += 1;
    let write = store.write(move |tx| tx.submissions().update(&undone));
    write.await.unwrap();
    assert_eq!(all(&store, &given(None, Some(id(7))), "").await, ids(&[13]));
}

async fn a_grade_was_given_between_two_moments(stores: &Stores) {
    let submissions = vec![
        work(10),
        graded(11, 30, 50),
        graded(12, 10, 50),
        graded(13, 20, 50),
        blind(graded(14, 20, 50)),
    ];
    let store = store_with(stores, submissions).await;
    for (since, before, newest_first, by_grade) in [
        (Some(20), None, &[13, 11][..], &[13, 11][..]),
        (None, Some(20), &[12], &[12]),
        (None, Some(31), &[13, 12, 11], &[12, 13, 11]),
        (Some(10), Some(30), &[13, 12], &[12, 13]),
        (Some(31), None, &[], &[]),
        (Some(20), Some(20), &[], &[]),
    ] {
        let filter = asked(GradeFilter {
            since: since.map(at),
            before: before.map(at),
            ..GradeFilter::default()
        });
        assert_eq!(all(&store, &filter, "").await, ids(newest_first));
        assert_eq!(all(&store, &filter, "graded_at").await, ids(by_grade));
        let mut of_assignment = filter.clone();
        of_assignment.assignment_id = Some(id(1));
        assert_eq!(all(&store, &of_assignment, "").await, ids(newest_first));
        assert_eq!(
            all(&store, &of_assignment, "graded_at").await,
            ids(by_grade)
        );
    }
}

async fn an_order_of_grades_has_what_has_a_grade_and_ids_decide_among_equals(stores: &Stores) {
    let mut of_another = graded(15, 40, 90);
    (of_another.assignment_id, of_another.course_id) = (id(3), id(3));
    let mut foreign = content::submission(id(2), 17);
    foreign.grade = graded(17, 5, 5).grade;
    let submissions = vec![
        work(10),
        decided(graded(11, 30, 50), 80),
        decided(graded(12, 10, 70), 50),
        graded(13, 30, 0),
        blind(graded(14, 20, 60)),
        decided(of_another, 70),
        work(16),
        foreign,
    ];
    let store = store_with(stores, submissions).await;
    let any = SubmissionFilter::default();
    for (sort, order) in [
        ("graded_at", &[12, 11, 13, 15][..]),
        ("-graded_at", &[15, 13, 11, 12]),
        ("decided_at", &[12, 15, 11]),
        ("-decided_at", &[11, 15, 12]),
        ("score", &[13, 11, 12, 15]),
        ("-score", &[15, 12, 11, 13]),
    ] {
        assert_eq!(all(&store, &any, sort).await, ids(order), "{sort}");
        let of_user = SubmissionFilter {
            user_id: Some(id(1)),
            ..any.clone()
        };
        assert_eq!(all(&store, &of_user, sort).await, ids(order), "{sort}");
        let first: Vec<u64> = order.iter().copied().filter(|n| *n != 15).collect();
        let of_course = SubmissionFilter {
            course_id: Some(id(1)),
            status: Some(SubmissionStatus::Graded),
            ..any.clone()
        };
        assert_eq!(all(&store, &of_course, sort).await, ids(&first), "{sort}");
        // Behind what has no grade there is nothing.
        let behind = PageRequest {
            after: Some(Keyset::of_id(
                id::<lyceum_domain::ids::Submission>(10).to_string(),
            )),
            ..request(5, sort)
        };
        assert_eq!(page(&store, &any, behind).await, (vec![], None));
    }
}

async fn a_place_in_an_order_of_grades_outlives_the_grade(stores: &Stores) {
    let submissions = vec![
        graded(11, 10, 30),
        graded(12, 20, 50),
        decided(graded(13, 30, 70), 40),
        decided(graded(14, 40, 80), 50),
    ];
    let store = store_with(stores, submissions).await;
    let any = SubmissionFilter::default();
    for (sort, n) in [("score", 11), ("graded_at", 12), ("decided_at", 13)] {
        let (found, next) = page(&store, &any, request(1, sort)).await;
        assert_eq!(found, ids(&[n]));
        let mut undone = work(n);
        undone.stamp.version += 1;
        let write = store.write(move |tx| tx.submissions().update(&undone));
        write.await.unwrap();
        let rest = PageRequest {
            after: next,
            ..request(5, sort)
        };
        let left: Vec<u64> = (n + 1..=14).collect();
        assert_eq!(page(&store, &any, rest).await.0, ids(&left), "{sort}");
    }
}

async fn what_its_learner_is_not_shown_is_left_out_where_that_is_asked(stores: &Stores) {
    let mut held = graded(11, 10, 30);
    held.status = SubmissionStatus::InReview;
    let mut returned = graded(12, 20, 50);
    returned.status = SubmissionStatus::Returned;
    let store = store_with(stores, vec![held, returned, graded(13, 30, 70)]).await;
    let of_learner = |is_out| SubmissionFilter {
        user_id: Some(id(1)),
        ..asked(GradeFilter {
            is_out,
            ..GradeFilter::default()
        })
    };
    for sort in ["score", "graded_at", "created_at"] {
        assert_eq!(
            all(&store, &of_learner(true), sort).await,
            ids(&[12, 13]),
            "{sort}"
        );
        assert_eq!(
            all(&store, &of_learner(false), sort).await,
            ids(&[11, 12, 13]),
            "{sort}"
        );
    }
}
