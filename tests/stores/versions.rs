//! Rows that another version wrote, or somebody's hand.

use std::time::Duration;

use lyceum_domain::authoring::due_dates::DueTerms;
use lyceum_domain::grading::grades::{Grade, GradeSource, Grader};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::{BlindGrading, ReviewStatus, StandingGrade, Submission};
use lyceum_domain::ids::{SubmissionId, UserId};
use lyceum_domain::points::Points;
use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashKind};
use lyceum_ports::grading::submissions::{AiGraded, GradeFilter, SubmissionFilter};
use lyceum_ports::page::{PageRequest, Sort};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::store::{StoreError, Tx};
use rstest::rstest;
use support::fakes::id;
use support::sample::{self, content, people};
use support::stores::{Database, TestStore, reopen};
use support::tampering::tamper;

fn removal(n: u64) -> QueuedJob {
    QueuedJob {
        task: people::task(JobKind::RemoveArchive, n),
        ..people::job(id(1), n)
    }
}

async fn claimed(store: &TestStore, seconds: u64) -> Vec<QueuedJob> {
    let from = sample::now().plus(Duration::from_secs(seconds));
    let claim = store.write(move |tx| {
        tx.jobs()
            .claim(JobLane::Work, &sample::lease(1, from), &mut None, 10)
    });
    claim.await.unwrap()
}

#[rstest]
#[tokio::test]
async fn a_job_of_a_version_to_come_is_left_to_it_and_nobody_waits_behind_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let filling = store.write(|tx| {
        tx.workspaces().insert(&sample::workspace(1))?;
        (1..=3).try_for_each(|n| tx.jobs().enqueue(&removal(n), sample::now()))
    });
    filling.await.unwrap();
    let (unknown, abandoned) = (removal(1).id, removal(2).id);
    tamper(
        &store.url,
        &format!(
            "UPDATE jobs SET kind = 'translate_course' WHERE id IN ('{unknown}', '{abandoned}'); \
             UPDATE jobs SET state = 'running', lease_until = run_at, node_id = 'lost' WHERE id = '{abandoned}'"
        ),
    );
    let ids = |jobs: Vec<QueuedJob>| jobs.iter().map(|job| job.id).collect::<Vec<_>>();
    assert_eq!(ids(claimed(&store, 1).await), [removal(3).id]);
    assert!(claimed(&store, 2).await.is_empty());
    // A node of that version, a lease later: no attempt is lost.
    tamper(&store.url, "UPDATE jobs SET kind = 'remove_archive'");
    let taken = claimed(&store, 62).await;
    assert!(
        taken
            .iter()
            .filter(|job| job.id != removal(3).id)
            .all(|job| job.attempt == 1)
    );
    let taken = ids(taken);
    assert!(
        taken.contains(&unknown) && taken.contains(&abandoned),
        "{taken:?}"
    );
}

/// The `n`-th submission, graded as of when samples are made.
fn graded(n: u64, by: GradeSource) -> Submission {
    let mut submission = content::submission(sample::id(1), n);
    submission.attempt = u32::try_from(n).unwrap();
    submission.grade = Some(StandingGrade {
        score: Points::whole(70),
        feedback: String::new(),
        by,
        decided_by: None,
        decided_at: None,
        at: sample::now(),
        read_at: None,
        criteria: Vec::new(),
        before: None,
    });
    submission
}

#[rstest]
#[tokio::test]
async fn grades_that_landed_before_it_was_noted_when_are_told_apart_too(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    const VERSION: &str = "20261125090001";
    let undo = match database {
        Database::Sqlite => {
            include_str!("../../migrations/sqlite/20261125090001_note_what_grades_go_by/down.sql")
        }
        Database::Postgres => {
            include_str!("../../migrations/postgres/20261125090001_note_what_grades_go_by/down.sql")
        }
    };
    let store = TestStore::open(database);
    let mut approved = graded(13, GradeSource::Ai);
    approved.review = Some(ReviewStatus::Done);
    let mut hidden = graded(14, GradeSource::Ai);
    hidden.blind = BlindGrading::Awaited;
    let mut open = graded(15, GradeSource::Ai);
    open.review = Some(ReviewStatus::Open);
    let all = [
        graded(11, GradeSource::Ai),
        graded(12, GradeSource::Human),
        approved,
        hidden,
        open,
    ];
    let filling = store.write(move |tx| {
        content::put_students(tx)?;
        all.iter().try_for_each(|one| tx.submissions().insert(one))
    });
    filling.await.unwrap();
    tamper(&store.url, undo);
    let forget = format!("DELETE FROM __diesel_schema_migrations WHERE version = '{VERSION}'");
    tamper(&store.url, &forget);
    let again = reopen(&store.url);
    let of = async |ai_graded: AiGraded| {
        let filter = SubmissionFilter {
            ai_graded: Some(ai_graded),
            ..SubmissionFilter::default()
        };
        let page = PageRequest::first(10);
        let found = again.read(move |tx| tx.submissions().page(sample::id(1), &filter, &page));
        let found = found.await.unwrap().items.into_iter();
        found.map(|one| one.id).collect::<Vec<_>>()
    };
    let those = [sample::id(15), sample::id(11)];
    assert_eq!(of(AiGraded::Ever).await, those);
    assert_eq!(of(AiGraded::Since(sample::now())).await, those);
    assert_eq!(of(AiGraded::Before(sample::now())).await, []);
}

const LISTED: &str = "20261127160001";

/// As the version before left it: without what lists go by, also in the trash.
fn unlist(database: Database, url: &str) {
    let (undo, forget) = match database {
        Database::Sqlite => (
            include_str!(
                "../../migrations/sqlite/20261127160001_list_by_course_and_grade/down.sql"
            ),
            "json_remove(body, '$.course_id', '$.graded_at', '$.grader', '$.score')",
        ),
        Database::Postgres => (
            include_str!(
                "../../migrations/postgres/20261127160001_list_by_course_and_grade/down.sql"
            ),
            "body - 'course_id' - 'graded_at' - 'grader' - 'score'",
        ),
    };
    tamper(url, undo);
    tamper(
        url,
        &format!("UPDATE trash_rows SET body = {forget} WHERE part = 'submissions'"),
    );
    tamper(
        url,
        &format!("DELETE FROM __diesel_schema_migrations WHERE version = '{LISTED}'"),
    );
}

/// A person's record of a submission.
fn record(n: u64, submission: u64, user: u64) -> Grade {
    Grade {
        run: 0,
        submission_id: id(submission),
        grader: Grader::Human {
            user_id: id(user),
            blind: false,
        },
        ..content::grade(id(1), n)
    }
}

/// What a course takes with it into the trash.
fn throw_away(tx: &mut dyn Tx) -> Result<(), StoreError> {
    let item = TrashItem {
        workspace_id: id(2),
        id: id(72),
        kind: TrashKind::Course,
        object_id: id::<lyceum_domain::ids::Course>(2).to_string(),
        name: "Food".to_owned(),
        counts: TrashCounts::new(),
        person_id: None,
        deleted_by: None,
        restorable_until: sample::now().plus(Duration::from_hours(24)),
        created_at: sample::now(),
    };
    let counts = tx.trash().gather(&item)?;
    tx.trash().take_out(&TrashItem { counts, ..item })
}

/// Handed in a day and a millisecond after it was due, which takes two tenths of a hundred points off.
fn late(n: u64) -> Submission {
    let mut late = graded(n, GradeSource::Human);
    late.due = Some(DueTerms {
        due_at: sample::now(),
        late_policy: Some(content::late_policy()),
    });
    let grace = Duration::from_mins(15);
    let day = Duration::from_hours(24);
    late.submitted_at = Some(sample::now().plus(day + grace + Duration::from_millis(1)));
    late
}

#[rstest]
#[tokio::test]
async fn what_was_handed_in_before_lists_went_by_course_and_grade_is_in_them_too(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let mut approved = graded(13, GradeSource::Ai);
    approved.review = Some(ReviewStatus::Done);
    let mut hidden = graded(14, GradeSource::Ai);
    hidden.blind = BlindGrading::Awaited;
    let all = [
        content::submission(id(1), 10),
        graded(11, GradeSource::Ai),
        graded(12, GradeSource::Human),
        approved,
        hidden,
        late(15),
    ];
    let mut gone = content::submission(id(2), 20);
    gone.grade = graded(20, GradeSource::Human).grade;
    let filling = store.write(move |tx| {
        content::put_students(tx)?;
        all.iter()
            .try_for_each(|one| tx.submissions().insert(one))?;
        tx.submissions().insert(&gone)?;
        for one in [record(30, 12, 6), record(31, 12, 7), record(32, 13, 8)] {
            tx.grades().append(&one, &Kept::default())?;
        }
        throw_away(tx)
    });
    filling.await.unwrap();
    unlist(database, &store.url);
    let again = reopen(&store.url);
    let of = async |filter: SubmissionFilter, sort: &str| {
        let page = PageRequest {
            sort: Sort::parse(sort),
            ..PageRequest::first(10)
        };
        let found = again.read(move |tx| tx.submissions().page(id(1), &filter, &page));
        let found = found.await.unwrap().items.into_iter();
        found.map(|one| one.id).collect::<Vec<SubmissionId>>()
    };
    let ids = |numbers: &[u64]| {
        numbers
            .iter()
            .map(|n| id(*n))
            .collect::<Vec<SubmissionId>>()
    };
    let of_course = SubmissionFilter {
        course_id: Some(id(1)),
        ..SubmissionFilter::default()
    };
    assert_eq!(of(of_course, "").await, ids(&[15, 14, 13, 12, 11, 10]));
    let any = SubmissionFilter::default();
    // Seventy points each, but for what came late.
    assert_eq!(of(any.clone(), "score").await, ids(&[15, 11, 12, 13]));
    assert_eq!(of(any, "graded_at").await, ids(&[11, 12, 13, 15]));
    let asked = |by: Option<GradeSource>, decided_by: Option<UserId>| SubmissionFilter {
        grade: GradeFilter {
            by,
            decided_by,
            ..GradeFilter::default()
        },
        ..SubmissionFilter::default()
    };
    let by_ai = asked(Some(GradeSource::Ai), None);
    assert_eq!(of(by_ai, "").await, ids(&[13, 11]));
    for (user, expected) in [(6, &[][..]), (7, &[12]), (8, &[13])] {
        assert_eq!(of(asked(None, Some(id(user))), "").await, ids(expected));
    }
    let found = again.read(|tx| tx.submissions().find(id(1), id(12)));
    let grade = found.await.unwrap().unwrap().grade.unwrap();
    assert_eq!(grade.decided_by, Some(id(7)));
    let scored = again.read(|tx| tx.submissions().find(id(1), id(15)));
    assert_eq!(
        scored.await.unwrap().unwrap().score(),
        Some(Points::whole(50))
    );
    let trashed = again.read(|tx| tx.trash().sealed_work(None, None, 10));
    let trashed = trashed.await.unwrap();
    let courses: Vec<_> = trashed
        .iter()
        .map(|work| work.submission.course_id)
        .collect();
    assert_eq!(courses, [id(2)]);
    let back = again.write(|tx| {
        let item = tx.trash().find(id(2), id(72))?.unwrap();
        tx.trash().put_back(&item, None, sample::now())?;
        let by_score = PageRequest {
            sort: Sort::parse("score"),
            ..PageRequest::first(10)
        };
        let by_person = SubmissionFilter {
            course_id: Some(id(2)),
            grade: GradeFilter {
                by: Some(GradeSource::Human),
                since: Some(sample::now()),
                ..GradeFilter::default()
            },
            ..SubmissionFilter::default()
        };
        tx.submissions().page(id(2), &by_person, &by_score)
    });
    let back = back.await.unwrap().items;
    assert_eq!(
        back.iter().map(|one| one.id).collect::<Vec<_>>(),
        ids(&[20])
    );
}

#[tokio::test]
async fn what_a_node_of_the_version_before_takes_in_is_of_its_course_too() {
    let store = TestStore::open(Database::Postgres);
    let filling = store.write(|tx| {
        content::put_students(tx)?;
        tx.submissions().insert(&content::submission(id(1), 10))
    });
    filling.await.unwrap();
    let new: SubmissionId = id(11);
    tamper(
        &store.url,
        &format!(
            "INSERT INTO submissions (workspace_id, id, assignment_id, user_id, attempt, status, content_type, content, late, \
                 max_score, ai, run, review_reasons, metadata, created_at, updated_at, version) \
             SELECT workspace_id, '{new}', assignment_id, user_id, 2, status, content_type, content, late, \
                 max_score, ai, run, review_reasons, metadata, created_at, updated_at, version FROM submissions"
        ),
    );
    let found = store.read(move |tx| tx.submissions().find(id(1), new));
    assert_eq!(found.await.unwrap().unwrap().course_id, id(1));
}
