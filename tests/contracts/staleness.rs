//! What every store keeps to about when AI's grades are stale: what was noted, the examples of people, and the grades themselves.

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::grading::certificates::certification::{Certification, CertificationState};
use lyceum_domain::grading::grades::{
    APPROVED, Grade, GradeSource, GradeStatus, Grader, TAKEN_BACK,
};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::{
    BlindGrading, ReviewStatus, StandingGrade, Submission, SubmissionContent,
};
use lyceum_domain::ids::{AssignmentId, SubmissionId, WorkspaceId};
use lyceum_domain::points::Points;
use lyceum_domain::text::LongText;
use lyceum_domain::web_address::WebAddress;
use lyceum_ports::grading::submissions::{AiGraded, SubmissionFilter};
use lyceum_ports::page::PageRequest;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};

cases![Stores:
    what_is_noted_moves_forward_and_changes_nothing_else,
    the_newest_example_of_a_person_says_since_when_grades_are_stale,
    the_later_of_the_note_and_the_example_counts_of_each_assignment_alone,
    examples_after_the_beginning_of_an_open_certificate_do_not_count,
    examples_that_move_are_noted_with_what_they_were_handed_in_for,
    examples_that_count_from_now_on_are_noted_where_there_are_some,
    lists_narrow_by_when_the_grade_of_ai_landed,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

/// So many seconds after the samples were made.
fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// Two workspaces with a submission each, here a second assignment (3), and three more attempts (11 to 13), the last an address.
async fn store(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
    store
        .write(|tx| {
            content::put_submissions(tx)?;
            tx.assignments().insert(&content::assignment(here(), 3))?;
            for n in 11..=13 {
                tx.submissions().insert(&work(n))?;
            }
            Ok(())
        })
        .await
        .unwrap();
    store
}

fn work(n: u64) -> Submission {
    let mut submission = content::submission(here(), n);
    submission.attempt = u32::try_from(n).unwrap();
    submission.content = if n == 13 {
        SubmissionContent::Url(WebAddress::accepted("https://example.org/13".to_owned()))
    } else {
        SubmissionContent::Text(LongText::parse(format!("work {n}")).unwrap())
    };
    submission
}

/// A person's record of the submission, after so many seconds.
fn given(n: u64, submission: u64, seconds: u64) -> Grade {
    let mut grade = content::grade(here(), n);
    grade.run = 0;
    grade.submission_id = id(submission);
    grade.grader = Grader::Human {
        user_id: id(77),
        blind: false,
    };
    grade.created_at = at(seconds);
    grade
}

fn because(grade: Grade, reason: &str) -> Grade {
    Grade {
        reason: Some(reason.to_owned()),
        ..grade
    }
}

async fn append(store: &OpenStore, grades: Vec<Grade>) {
    store
        .write(move |tx| {
            let mut grades = grades.iter();
            grades.try_for_each(|grade| tx.grades().append(grade, &Kept::default()))
        })
        .await
        .unwrap();
}

async fn note(store: &OpenStore, ids: Vec<AssignmentId>, seconds: u64) {
    store
        .write(move |tx| {
            tx.assignments()
                .note_grader_changed(here(), &ids, at(seconds))
        })
        .await
        .unwrap();
}

/// Since when, by assignment, in their order.
async fn since(
    store: &OpenStore,
    workspace: WorkspaceId,
    ids: Vec<AssignmentId>,
) -> Vec<(AssignmentId, Timestamp)> {
    let mut found = store
        .read(move |tx| tx.grades().stale_since(workspace, &ids))
        .await
        .unwrap();
    found.sort_unstable();
    found
}

async fn what_is_noted_moves_forward_and_changes_nothing_else(stores: &Stores) {
    let store = store(stores).await;
    assert_eq!(since(&store, here(), vec![id(1)]).await, []);
    note(&store, vec![id(1), id(2)], 5).await;
    assert_eq!(since(&store, here(), vec![id(1)]).await, [(id(1), at(5))]);
    note(&store, vec![id(1)], 3).await;
    assert_eq!(since(&store, here(), vec![id(1)]).await, [(id(1), at(5))]);
    let found = store
        .read(|tx| tx.assignments().find(here(), id(1)))
        .await
        .unwrap();
    let mut expected = content::assignment(here(), 1);
    expected.grader_changed_at = Some(at(5));
    assert_eq!(found, Some(expected));
    assert_eq!(since(&store, elsewhere(), vec![id(1), id(2)]).await, []);
}

async fn the_newest_example_of_a_person_says_since_when_grades_are_stale(stores: &Stores) {
    let store = store(stores).await;
    let mut by_ai = content::grade(here(), 20);
    by_ai.created_at = at(90);
    let mut superseded = given(21, 11, 80);
    superseded.status = GradeStatus::Superseded;
    let no_examples = vec![
        by_ai,
        superseded,
        because(given(22, 11, 70), APPROVED),
        because(given(23, 11, 71), TAKEN_BACK),
        because(given(24, 11, 72), "as sub_00000000000000000000000007"),
        because(
            given(25, 11, 73),
            "released by crt_00000000000000000000000007",
        ),
        given(26, 13, 74),
    ];
    append(&store, no_examples).await;
    assert_eq!(since(&store, here(), vec![id(1)]).await, []);
    let examples = vec![because(given(27, 11, 10), "too strict"), given(28, 12, 20)];
    append(&store, examples).await;
    assert_eq!(since(&store, here(), vec![id(1)]).await, [(id(1), at(20))]);
}

async fn the_later_of_the_note_and_the_example_counts_of_each_assignment_alone(stores: &Stores) {
    let store = store(stores).await;
    append(&store, vec![given(20, 11, 10)]).await;
    note(&store, vec![id(1)], 5).await;
    note(&store, vec![id(3)], 7).await;
    let both = vec![id(3), id(1)];
    let expected = [(id(1), at(10)), (id(3), at(7))];
    assert_eq!(since(&store, here(), both.clone()).await, expected);
    note(&store, vec![id(1)], 30).await;
    let expected = [(id(1), at(30)), (id(3), at(7))];
    assert_eq!(since(&store, here(), both).await, expected);
}

async fn examples_after_the_beginning_of_an_open_certificate_do_not_count(stores: &Stores) {
    let store = store(stores).await;
    append(&store, vec![given(20, 11, 10), given(21, 12, 30)]).await;
    let certificate = |state| {
        let ids = (here(), id(9), id(1));
        let mut one = Certification::new(ids, ReleaseTerms::default(), None, at(20));
        one.state = state;
        one
    };
    let begun = certificate(CertificationState::Grading);
    store
        .write(move |tx| tx.certificates().insert(&begun))
        .await
        .unwrap();
    let mut version = 1;
    for state in CertificationState::ALL {
        let mut moved = certificate(*state);
        version += 1;
        moved.stamp.version = version;
        let is_open = moved.is_open();
        store
            .write(move |tx| tx.certificates().update(&moved))
            .await
            .unwrap();
        let expected = if is_open { at(10) } else { at(30) };
        let found = since(&store, here(), vec![id(1)]).await;
        assert_eq!(found, [(id(1), expected)], "{state}");
    }
}

async fn examples_that_move_are_noted_with_what_they_were_handed_in_for(stores: &Stores) {
    let store = store(stores).await;
    let records = vec![
        given(20, 11, 10),
        because(given(21, 12, 20), APPROVED),
        given(22, 13, 30),
    ];
    append(&store, records).await;
    let moved = async |workspace, ids: Vec<SubmissionId>, seconds| {
        store
            .write(move |tx| {
                tx.grades()
                    .note_examples_moved(workspace, &ids, at(seconds))
            })
            .await
            .unwrap();
        since(&store, here(), vec![id(1)]).await
    };
    let (given, noted) = ([(id(1), at(10))], [(id(1), at(60))]);
    assert_eq!(moved(here(), vec![], 50).await, given);
    assert_eq!(moved(here(), vec![id(12), id(13)], 50).await, given);
    let all = vec![id(11), id(12), id(13)];
    assert_eq!(moved(elsewhere(), all.clone(), 50).await, given);
    assert_eq!(moved(here(), all.clone(), 60).await, noted);
    assert_eq!(since(&store, here(), vec![id(3)]).await, []);
    // What an open certificate leaves out is no example that could be lost.
    let ids = (here(), id(9), id(1));
    let begun = Certification::new(ids, ReleaseTerms::default(), None, at(5));
    store
        .write(move |tx| tx.certificates().insert(&begun))
        .await
        .unwrap();
    assert_eq!(moved(here(), all, 70).await, noted);
}

async fn examples_that_count_from_now_on_are_noted_where_there_are_some(stores: &Stores) {
    let store = store(stores).await;
    append(
        &store,
        vec![given(20, 11, 10), because(given(21, 12, 20), APPROVED)],
    )
    .await;
    let noted = async |workspace, after, seconds| {
        store
            .write(move |tx| {
                let (after, now) = (at(after), at(seconds));
                tx.grades()
                    .note_examples_after(workspace, id(1), after, now)
            })
            .await
            .unwrap();
        since(&store, here(), vec![id(1)]).await
    };
    assert_eq!(noted(here(), 10, 50).await, [(id(1), at(10))]);
    assert_eq!(noted(elsewhere(), 9, 50).await, [(id(1), at(10))]);
    assert_eq!(noted(here(), 9, 50).await, [(id(1), at(50))]);
}

/// Graded by AI after so many seconds.
fn graded(n: u64, seconds: u64) -> Submission {
    let mut submission = work(n);
    submission.grade = Some(StandingGrade {
        score: Points::whole(70),
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

async fn lists_narrow_by_when_the_grade_of_ai_landed(stores: &Stores) {
    let store = store(stores).await;
    let by_person = {
        let mut one = graded(23, 10);
        one.grade.as_mut().unwrap().by = GradeSource::Human;
        one
    };
    let approved = {
        let mut one = graded(24, 10);
        one.review = Some(ReviewStatus::Done);
        one
    };
    let hidden = {
        let mut one = graded(25, 10);
        one.blind = BlindGrading::Awaited;
        one
    };
    let all = [graded(21, 10), graded(22, 20), by_person, approved, hidden];
    store
        .write(move |tx| {
            let mut all = all.iter();
            all.try_for_each(|one| tx.submissions().insert(one))
        })
        .await
        .unwrap();
    let found = async |ai_graded| {
        let filter = SubmissionFilter {
            assignment_id: Some(id(1)),
            ai_graded: Some(ai_graded),
            ..SubmissionFilter::default()
        };
        let page = PageRequest::first(10);
        let page = store
            .read(move |tx| tx.submissions().page(here(), &filter, &page))
            .await
            .unwrap();
        page.items.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!(found(AiGraded::Ever).await, [id(22), id(21)]);
    assert_eq!(found(AiGraded::Before(at(20))).await, [id(21)]);
    assert_eq!(found(AiGraded::Since(at(20))).await, [id(22)]);
    // What a person decides is no longer AI's to be stale.
    let mut decided = graded(21, 10);
    decided.review = Some(ReviewStatus::Done);
    decided.stamp.version += 1;
    store
        .write(move |tx| tx.submissions().update(&decided))
        .await
        .unwrap();
    assert_eq!(found(AiGraded::Ever).await, [id(22)]);
}
