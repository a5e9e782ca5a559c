//! What every submission repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::people as sample_people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::assignments::{HumanReview, Tone, Verbosity};
use lyceum_domain::authoring::due_dates::DueTerms;
use lyceum_domain::grading::explanations::Explanation;
use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{
    AiGrading, AiProposal, BeforeDecision, FeedbackOverrides, ReviewStatus, RunBudget,
    RunOverrides, Samples, StandingGrade, Submission, SubmissionContent, SubmissionStatus,
};
use lyceum_domain::ids::{SubmissionId, WorkspaceId};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use lyceum_domain::text::LanguageTag;
use lyceum_domain::web_address::WebAddress;
use lyceum_ports::grading::submissions::SubmissionFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    a_submission_comes_back_as_it_was_stored,
    every_state_of_ai_grading_comes_back,
    every_status_review_and_kind_of_content_comes_back,
    what_was_set_can_be_taken_away,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    an_attempt_is_made_once,
    a_submission_cannot_name_anything_of_another_workspace,
    pages_go_newest_first_and_filters_narrow_them,
    the_latest_attempt_is_that_of_the_student_at_the_assignment,
];

/// Two workspaces with assignment, student and cohort each, a second student (3) and a second assignment
/// (3) here, and the submissions given.
async fn store_with(stores: &Stores, submissions: Vec<Submission>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_students(tx)?;
            tx.users().insert_person(&sample_people::person(3))?;
            tx.users().insert(&sample_people::user(here(), 3))?;
            tx.assignments().insert(&content::assignment(here(), 3))?;
            submissions
                .iter()
                .try_for_each(|submission| tx.submissions().insert(submission))
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

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Submission> {
    store
        .read(move |tx| tx.submissions().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Every id, page by page.
async fn walk(store: &OpenStore, filter: SubmissionFilter, limit: u16) -> Vec<SubmissionId> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(limit));
    loop {
        let (filter, wanted) = (filter.clone(), page.clone());
        let got = store
            .read(move |tx| tx.submissions().page(here(), &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|submission| submission.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

fn attempt(n: u64, attempt: u32) -> Submission {
    let mut submission = content::submission(here(), n);
    submission.attempt = attempt;
    submission
}

/// What two decisions can be taken back to, one after the other.
fn before_decision() -> BeforeDecision {
    let held = BeforeDecision {
        status: SubmissionStatus::InReview,
        review: Some(ReviewStatus::Open),
        grade: None,
        earlier: None,
    };
    BeforeDecision {
        status: SubmissionStatus::Graded,
        review: Some(ReviewStatus::Done),
        grade: Some(StandingGrade {
            score: Points::from_hundredths(4_100),
            feedback: "Good".to_owned(),
            by: GradeSource::Human,
            decided_by: Some(id(3)),
            decided_at: None,
            at: content::later(),
            read_at: None,
            criteria: content::criteria(),
            before: None,
        }),
        earlier: Some(Box::new(held)),
    }
}

/// Everything that can be set is.
fn full() -> Submission {
    let mut submission = attempt(10, 3);
    submission.cohort_id = Some(id(1));
    submission.status = SubmissionStatus::InReview;
    submission.content = SubmissionContent::Text(content::difficult_text());
    submission.submitted_at = Some(content::later());
    submission.late = true;
    submission.due = Some(DueTerms {
        due_at: sample::now(),
        late_policy: Some(content::late_policy()),
    });
    submission.max_score = Points::from_hundredths(4_250);
    submission.grade = Some(StandingGrade {
        score: Points::from_hundredths(4_133),
        feedback: "Good «work»".to_owned(),
        by: GradeSource::Ai,
        decided_by: Some(id(1)),
        decided_at: Some(sample::now()),
        at: content::later(),
        read_at: Some(sample::now()),
        criteria: content::criteria(),
        before: Some(Box::new(before_decision())),
    });
    submission.ai = AiGrading::Ready;
    submission.run = 4;
    submission.explanation = Some(Explanation {
        rationale: "why «so»".to_owned(),
        model: "explainer".to_owned(),
    });
    submission.explanation_awaited = Some("asked".to_owned());
    submission.ai_proposal = Some(AiProposal {
        score: Points::from_hundredths(1),
        rationale: "Accuracy: mostly".to_owned(),
        model: "model".to_owned(),
        grader_hash: Some("a hash".to_owned()),
        confidence: Some(80),
        at: Some(content::later()),
    });
    submission.review = Some(ReviewStatus::Open);
    submission.review_reasons = vec!["evidence_not_found".to_owned(), "«x»".to_owned()];
    submission.metadata = content::metadata(&json!({"k": [1, null]}));
    submission.stamp.touch(content::later());
    submission
}

/// Stores one change after the other over `full()` and reads each back.
async fn every_one_comes_back(stores: &Stores, changes: Vec<impl FnOnce(&mut Submission)>) {
    let store = store_with(stores, vec![full()]).await;
    let mut submission = full();
    for change in changes {
        change(&mut submission);
        submission.stamp.touch(content::later());
        let stored = submission.clone();
        store
            .write(move |tx| tx.submissions().update(&stored))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 10).await, Some(submission.clone()));
    }
}

async fn a_submission_comes_back_as_it_was_stored(stores: &Stores) {
    let plain = attempt(11, 1);
    let store = store_with(stores, vec![full(), plain.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(full()));
    assert_eq!(find(&store, here(), 11).await, Some(plain));
}

async fn every_state_of_ai_grading_comes_back(stores: &Stores) {
    let plainly_pending = AiGrading::Pending {
        estimated_ready_at: content::later(),
        overrides: Box::default(),
    };
    let pending_with_overrides = AiGrading::Pending {
        estimated_ready_at: content::later(),
        overrides: Box::new(RunOverrides {
            rubric: Some(content::rubric()),
            model: Some("another".to_owned()),
            feedback: FeedbackOverrides {
                tone: Some(Tone::Demanding),
                verbosity: Some(Verbosity::Brief),
                language: Some(LanguageTag::parse("pt-BR").unwrap()),
            },
            human_review: Some(HumanReview::Off),
            anew: true,
            budget: RunBudget {
                tokens: Some(5_000),
                cost: Some(MicroUsd::new(4_200)),
            },
            samples: Samples::parse(3).unwrap(),
        }),
    };
    let failed = AiGrading::Failed {
        code: "ai_provider_error".to_owned(),
        message: "the provider said \"no\"".to_owned(),
    };
    let states = [
        plainly_pending,
        AiGrading::Ready,
        pending_with_overrides,
        failed,
        AiGrading::NotAsked,
    ];
    let changes = states
        .into_iter()
        .map(|state| move |submission: &mut Submission| submission.ai = state);
    every_one_comes_back(stores, changes.collect()).await;
}

async fn every_status_review_and_kind_of_content_comes_back(stores: &Stores) {
    let reviews = [None, Some(ReviewStatus::Open), Some(ReviewStatus::Done)];
    let address = "https://example.org/work?x=1#«";
    let contents = [
        SubmissionContent::Url(WebAddress::accepted(address.to_owned())),
        SubmissionContent::Text(content::difficult_text()),
    ];
    let changes = SubmissionStatus::ALL
        .iter()
        .zip(reviews.into_iter().cycle())
        .zip(contents.into_iter().cycle())
        .map(|((status, review), content)| {
            move |submission: &mut Submission| {
                submission.status = *status;
                submission.review = review;
                submission.content = content;
            }
        });
    every_one_comes_back(stores, changes.collect()).await;
}

async fn what_was_set_can_be_taken_away(stores: &Stores) {
    let by_person = |submission: &mut Submission| {
        let grade = submission.grade.as_mut().unwrap();
        grade.by = GradeSource::Human;
        grade.criteria.clear();
    };
    let nothing = |submission: &mut Submission| {
        submission.cohort_id = None;
        submission.submitted_at = None;
        submission.late = false;
        submission.grade = None;
        submission.ai_proposal = None;
        submission.review_reasons.clear();
    };
    let changes: Vec<fn(&mut Submission)> = vec![by_person, nothing];
    every_one_comes_back(stores, changes).await;
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let store = store_with(stores, vec![full()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store.write(|tx| tx.submissions().delete(elsewhere(), id(10)));
    assert!(!deleted.await.unwrap());
    let latest = store.read(|tx| tx.submissions().latest(elsewhere(), id(1), id(1)));
    assert_eq!(latest.await.unwrap(), None);
    let mut moved = full();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.submissions().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    assert_eq!(find(&store, here(), 10).await, Some(full()));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut submission = full();
    let store = store_with(stores, vec![submission.clone()]).await;
    submission.fail_ai("code", "message", content::later());
    let (first, second) = (submission.clone(), submission.clone());
    store
        .write(move |tx| tx.submissions().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.submissions().update(&second));
    assert!(matches!(again.await, Err(StoreError::Stale)));
    assert_eq!(find(&store, here(), 10).await, Some(submission));
}

async fn an_attempt_is_made_once(stores: &Stores) {
    let store = store_with(stores, vec![attempt(10, 1)]).await;
    let again = store
        .write(|tx| tx.submissions().insert(&attempt(11, 1)))
        .await;
    let taken = matches!(
        again,
        Err(StoreError::Taken {
            field: "assignment_id"
        })
    );
    assert!(taken, "{again:?}");
    let mut of_another = attempt(12, 1);
    of_another.user_id = id(3);
    let mut to_another = attempt(13, 1);
    to_another.assignment_id = id(3);
    for submission in [of_another, to_another, attempt(14, 2)] {
        let insert = store.write(move |tx| tx.submissions().insert(&submission));
        assert!(insert.await.is_ok());
    }
}

async fn a_submission_cannot_name_anything_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let (mut to_task, mut of_user, mut in_cohort) = (
        content::submission(elsewhere(), 10),
        content::submission(elsewhere(), 10),
        content::submission(elsewhere(), 10),
    );
    to_task.assignment_id = id(1);
    of_user.user_id = id(1);
    in_cohort.cohort_id = Some(id(1));
    for submission in [to_task, of_user, in_cohort] {
        let insert = store.write(move |tx| tx.submissions().insert(&submission));
        assert!(matches!(insert.await, Err(StoreError::Dangling)));
    }
}

async fn pages_go_newest_first_and_filters_narrow_them(stores: &Stores) {
    let mut of_another = attempt(11, 1);
    of_another.user_id = id(3);
    of_another.ai = AiGrading::Failed {
        code: String::new(),
        message: String::new(),
    };
    let mut to_another = attempt(12, 1);
    to_another.assignment_id = id(3);
    to_another.review = Some(ReviewStatus::Done);
    let mut pending = attempt(13, 1);
    let later = content::later();
    pending
        .ask_ai(RunOverrides::default(), later, later)
        .unwrap();
    let foreign = content::submission(elsewhere(), 14);
    let submissions = vec![full(), of_another, to_another, pending, foreign];
    let store = store_with(stores, submissions).await;
    let any = SubmissionFilter::default;
    let ai = |status: &str| SubmissionFilter {
        ai_status: Some(status.to_owned()),
        ..any()
    };
    let of_assignment = |n| SubmissionFilter {
        assignment_id: Some(id(n)),
        ..any()
    };
    let in_cohort = SubmissionFilter {
        cohort_id: Some(id(1)),
        ..any()
    };
    let of_user = |n| SubmissionFilter {
        user_id: Some(id(n)),
        ..any()
    };
    let in_status = |status| SubmissionFilter {
        status: Some(status),
        ..any()
    };
    let reviewed = |review| SubmissionFilter {
        review_status: Some(review),
        ..any()
    };
    for (filter, expected) in [
        (any(), vec![13, 12, 11, 10]),
        (of_assignment(1), vec![13, 11, 10]),
        (of_assignment(3), vec![12]),
        (in_cohort, vec![10]),
        (of_user(1), vec![13, 12, 10]),
        (of_user(3), vec![11]),
        (in_status(SubmissionStatus::Submitted), vec![13, 12, 11]),
        (in_status(SubmissionStatus::InReview), vec![10]),
        (ai("pending"), vec![13]),
        (ai("ready"), vec![10]),
        (ai("error"), vec![11]),
        (reviewed(ReviewStatus::Open), vec![10]),
        (reviewed(ReviewStatus::Done), vec![12]),
    ] {
        let expected: Vec<SubmissionId> = expected.into_iter().map(id).collect();
        assert_eq!(
            walk(&store, filter.clone(), 2).await,
            expected,
            "{filter:?}"
        );
    }
}

async fn the_latest_attempt_is_that_of_the_student_at_the_assignment(stores: &Stores) {
    let mut of_another = attempt(13, 9);
    of_another.user_id = id(3);
    let submissions = vec![attempt(10, 2), attempt(11, 10), attempt(12, 1), of_another];
    let store = store_with(stores, submissions).await;
    let (latest, none) = store
        .read(|tx| {
            let submissions = tx.submissions();
            Ok((
                submissions.latest(here(), id(1), id(1))?,
                submissions.latest(here(), id(3), id(1))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(latest, Some(attempt(11, 10)));
    assert_eq!(none, None);
}
