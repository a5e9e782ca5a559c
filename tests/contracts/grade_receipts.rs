//! What every grade repository keeps to about receipts, results and confirmed grades.

use crate::cases::cases;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{APPROVED, CriterionResult, Grade, GradeStatus, Grader};
use lyceum_domain::grading::receipts::{ChainHead, Kept, verify};
use lyceum_domain::grading::submissions::{Submission, SubmissionContent};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::web_address::WebAddress;
use lyceum_ports::store::{StoreError, Tx};

cases![Stores:
    a_sealed_record_comes_back_with_what_is_kept_beside_it,
    records_that_race_follow_one_another,
    a_record_that_does_not_follow_the_newest_is_refused,
    superseding_and_changing_the_submission_leave_the_chain_as_it_is,
    results_are_found_by_their_key_newest_first_and_in_the_workspace_alone,
    confirmed_grades_are_peoples_that_count_for_other_texts_by_the_same_criteria,
    runs_that_landed_are_counted_by_assignment_up_to_a_limit,
    the_walk_goes_over_every_graded_submission_once,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

/// Two workspaces with a submission each, and these submissions here.
async fn store_with(stores: &Stores, submissions: Vec<Submission>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_submissions(tx)?;
            let mut more = submissions.iter();
            more.try_for_each(|submission| tx.submissions().insert(submission))
        })
        .await
        .unwrap();
    store
}

/// The `n`-th submission here, attempt `n`.
fn submission(n: u64) -> Submission {
    let mut submission = content::submission(here(), n);
    submission.attempt = u32::try_from(n).unwrap();
    submission
}

fn kept(answer: Option<&str>, result_key: Option<&str>) -> Kept {
    Kept {
        tombstone: None,
        rubric: Some(Rubric::overall().canonical()),
        answer: answer.map(str::to_owned),
        result_key: result_key.map(str::to_owned),
    }
}

fn text_of(submission: &Submission) -> String {
    submission.content.as_text().to_owned()
}

/// Seals the record behind the submission's newest and appends it.
fn seal(tx: &mut dyn Tx, grade: &Grade, kept: &Kept) -> Result<(), StoreError> {
    let (workspace, submission) = (grade.workspace_id, grade.submission_id);
    let head = tx.grades().head(workspace, submission)?;
    let text = tx.submissions().find(workspace, submission)?;
    let text = text.as_ref().map(text_of).unwrap_or_default();
    let sealed = grade.clone().sealed(&head, &text, kept);
    tx.grades().append(&sealed, kept)
}

async fn sealed(store: &OpenStore, grade: Grade, kept: Kept) {
    store
        .write(move |tx| seal(tx, &grade, &kept))
        .await
        .unwrap();
}

async fn holds(store: &OpenStore) -> (bool, usize, u32) {
    store
        .read(|tx| {
            let head = tx.grades().head(here(), id(1))?;
            let records = tx.grades().history(here(), id(1))?;
            let text = tx.submissions().find(here(), id(1))?;
            let text = text.as_ref().map(text_of).unwrap_or_default();
            let found = verify(&text, &head, &records);
            Ok((found.holds(), found.records, head.sequence))
        })
        .await
        .unwrap()
}

async fn a_sealed_record_comes_back_with_what_is_kept_beside_it(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let empty = store
        .read(|tx| tx.grades().head(here(), id(1)))
        .await
        .unwrap();
    assert_eq!(empty, ChainHead::default());
    let mut grade = content::grade(here(), 10);
    grade.criteria = content::criteria();
    grade.feedback = content::difficult_text().to_string();
    let beside = kept(Some("{\"ä\": 1.0e2}"), Some("key"));
    sealed(&store, grade.clone(), beside.clone()).await;
    let (history, head, alone) = store
        .read(|tx| {
            let history = tx.grades().history(here(), id(1))?;
            let head = tx.grades().head(here(), id(1))?;
            Ok((history, head, tx.grades().kept(here(), id(10))?))
        })
        .await
        .unwrap();
    let text = text_of(&content::submission(here(), 1));
    let expected = grade.sealed(&ChainHead::default(), &text, &beside);
    let receipt = expected.receipt.clone().unwrap();
    assert_eq!((head.sequence, head.hash), (1, receipt.hash));
    assert_eq!(history, [(expected, beside.clone())]);
    assert_eq!(alone, Some(beside));
    assert_eq!(holds(&store).await, (true, 1, 1));
}

async fn records_that_race_follow_one_another(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let racing = (10..18).map(|n| sealed(&store, content::grade(here(), n), kept(None, None)));
    futures_util::future::join_all(racing).await;
    assert_eq!(holds(&store).await, (true, 8, 8));
}

async fn a_record_that_does_not_follow_the_newest_is_refused(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    sealed(&store, content::grade(here(), 10), kept(None, None)).await;
    let fork = content::grade(here(), 11).sealed(&ChainHead::default(), "", &Kept::default());
    let refused = store
        .write(move |tx| tx.grades().append(&fork, &Kept::default()))
        .await;
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(holds(&store).await, (true, 1, 1));
}

async fn superseding_and_changing_the_submission_leave_the_chain_as_it_is(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    sealed(&store, content::grade(here(), 10), kept(None, None)).await;
    store
        .write(|tx| {
            tx.grades().supersede(here(), id(1))?;
            let found = tx.submissions().find(here(), id(1))?;
            let mut changed = found.unwrap_or_else(|| content::submission(here(), 1));
            changed.stamp.touch(content::later());
            tx.submissions().update(&changed)
        })
        .await
        .unwrap();
    sealed(&store, content::grade(here(), 11), kept(None, None)).await;
    assert_eq!(holds(&store).await, (true, 2, 2));
}

async fn results_are_found_by_their_key_newest_first_and_in_the_workspace_alone(stores: &Stores) {
    let store = store_with(stores, vec![submission(3)]).await;
    let mut of_another = content::grade(here(), 12);
    of_another.submission_id = id(3);
    sealed(&store, content::grade(here(), 10), kept(None, Some("k"))).await;
    sealed(
        &store,
        content::grade(here(), 11),
        kept(None, Some("other")),
    )
    .await;
    sealed(&store, of_another, kept(None, Some("k"))).await;
    sealed(
        &store,
        content::grade(elsewhere(), 13),
        kept(None, Some("k")),
    )
    .await;
    let found = async |limit: u16| {
        let found = store
            .read(move |tx| tx.grades().with_result(here(), "k", limit))
            .await
            .unwrap();
        found.iter().map(|grade| grade.id).collect::<Vec<_>>()
    };
    assert_eq!(found(5).await, [id(12), id(10)]);
    assert_eq!(found(1).await, [id(12)]);
}

/// A person's grade that counts, of this submission.
fn by_person(n: u64, of: u64) -> Grade {
    let mut grade = content::grade(here(), n);
    grade.submission_id = id(of);
    grade.run = 0;
    grade.grader = Grader::Human {
        user_id: id(77),
        blind: false,
    };
    grade
}

fn judged_by(mut grade: Grade, criteria: &[&str]) -> Grade {
    let template = content::criteria().remove(0);
    let of = |id: &&str| CriterionResult {
        criterion_id: (*id).to_owned(),
        ..template.clone()
    };
    grade.criteria = criteria.iter().map(of).collect();
    grade
}

async fn confirmed_grades_are_peoples_that_count_for_other_texts_by_the_same_criteria(
    stores: &Stores,
) {
    let mut linked = submission(6);
    linked.content =
        SubmissionContent::Url(WebAddress::accepted("https://work.example".to_owned()));
    let submissions = vec![submission(3), submission(4), submission(5), linked];
    let store = store_with(stores, submissions).await;
    let mut superseded = judged_by(by_person(12, 3), &["a", "b"]);
    superseded.status = GradeStatus::Superseded;
    let mut by_ai = judged_by(content::grade(here(), 13), &["a", "b"]);
    by_ai.submission_id = id(3);
    let mut let_stand = judged_by(by_person(17, 3), &["a", "b"]);
    let_stand.reason = Some(APPROVED.to_owned());
    let records = [
        judged_by(by_person(10, 1), &["a", "b"]),
        judged_by(by_person(11, 3), &["b", "a"]),
        superseded,
        by_ai,
        judged_by(by_person(14, 4), &["a"]),
        by_person(15, 5),
        judged_by(by_person(16, 6), &["a", "b"]),
        let_stand,
    ];
    for record in records {
        sealed(&store, record, kept(None, None)).await;
    }
    let found = async |workspace: WorkspaceId, limit: usize| {
        let criteria = ["a".to_owned(), "b".to_owned()];
        let assignment = content::submission(workspace, 1).assignment_id;
        let found = store
            .read(move |tx| {
                tx.grades()
                    .confirmed(workspace, assignment, Some(id(1)), None, &criteria, limit)
            })
            .await
            .unwrap();
        let of =
            |one: &lyceum_ports::grading::grades::ConfirmedGrade| (one.grade.id, one.text.clone());
        found.iter().map(of).collect::<Vec<_>>()
    };
    let text = text_of(&submission(3));
    let expected = [(id(15), text.clone()), (id(11), text)];
    assert_eq!(found(here(), 50).await, expected);
    assert_eq!(found(here(), 1).await, expected[..1]);
    assert_eq!(found(elsewhere(), 50).await, []);
}

async fn runs_that_landed_are_counted_by_assignment_up_to_a_limit(stores: &Stores) {
    let store = store_with(stores, vec![submission(3)]).await;
    let mut of_another = content::grade(here(), 11);
    of_another.submission_id = id(3);
    for record in [content::grade(here(), 10), of_another, by_person(12, 1)] {
        sealed(&store, record, kept(None, None)).await;
    }
    let counts = store
        .read(|tx| {
            let mine = content::submission(here(), 1).assignment_id;
            let theirs = content::submission(elsewhere(), 2).assignment_id;
            let mut count =
                |place, assignment, limit| tx.grades().graded_by_ai(place, assignment, limit);
            Ok([
                count(here(), mine, 10)?,
                count(here(), mine, 1)?,
                count(elsewhere(), theirs, 10)?,
            ])
        })
        .await
        .unwrap();
    assert_eq!(counts, [2, 1, 0]);
}

async fn the_walk_goes_over_every_graded_submission_once(stores: &Stores) {
    let store = store_with(stores, vec![submission(3), submission(4)]).await;
    let mut third = content::grade(here(), 11);
    third.submission_id = id(3);
    let foreign = content::grade(elsewhere(), 12);
    let of_foreign = foreign.submission_id;
    for record in [content::grade(here(), 10), third, foreign] {
        sealed(&store, record, kept(None, None)).await;
    }
    let walk = async |workspace: Option<WorkspaceId>| {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let step = store
                .read(move |tx| tx.grades().graded_submissions(workspace, after, 1))
                .await
                .unwrap();
            let Some(last) = step.last() else { return seen };
            after = Some(*last);
            seen.extend(step);
        }
    };
    let mine = [(here(), id(1)), (here(), id(3))];
    assert_eq!(walk(Some(here())).await, mine);
    let all = [mine[0], mine[1], (elsewhere(), of_foreign)];
    assert_eq!(walk(None).await, all);
}
