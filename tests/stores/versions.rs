//! Rows that another version wrote, or somebody's hand.

use std::time::Duration;

use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{BlindGrading, ReviewStatus, StandingGrade, Submission};
use lyceum_domain::points::Points;
use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_ports::grading::submissions::{AiGraded, SubmissionFilter};
use lyceum_ports::page::PageRequest;
use lyceum_ports::running::jobs::QueuedJob;
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
