//! What every place keeps to that a book of grades is read from.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::learning::{self, put_learners};
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::authoring::due_dates::{DueOverride, NewDueOverride, OverrideTarget};
use lyceum_domain::grading::gradebook::{HandedIn, PartScore, QuizAttempt, TaskAttempt};
use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{
    BeforeDecision, BlindGrading, ReviewStatus, StandingGrade, Submission, SubmissionStatus,
};
use lyceum_domain::ids::{AssignmentId, CohortId, LessonId, UnitId, UserId, WorkspaceId};
use lyceum_domain::learning::attempts::Attempt;
use lyceum_domain::points::Points;
use lyceum_ports::store::{StoreError, Tx};

cases![Stores:
    a_course_is_outlined_in_its_order,
    what_was_handed_in_comes_without_what_was_written,
    drafts_and_what_is_of_others_are_left_out,
    of_the_attempts_at_a_quiz_those_come_that_can_count,
    due_dates_are_those_of_the_cohort_and_of_the_learners,
    what_was_handed_in_comes_with_the_points_at_what_was_judged,
    when_a_grade_was_there_for_its_learner_comes_with_it,
    attempts_come_with_the_points_at_their_questions,
];

fn here() -> WorkspaceId {
    id(1)
}

/// The learners 1 to 3 with their lessons and activities, the assignments 1 to 3 and the cohorts 1 to 3.
fn fill(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_learners(tx)?;
    for n in 1..=3 {
        tx.assignments().insert(&content::assignment(here(), n))?;
        tx.cohorts().insert(&people::cohort(here(), id(1), n))?;
    }
    Ok(())
}

async fn filled(stores: &Stores) -> OpenStore {
    let store = stores.open().await;
    store.write(fill).await.unwrap();
    store
}

async fn a_course_is_outlined_in_its_order(stores: &Stores) {
    let store = filled(stores).await;
    let outline = async |workspace: WorkspaceId, course: u64| {
        let read = store.read(move |tx| tx.gradebook().outline(workspace, id(course)));
        read.await.unwrap()
    };
    store
        .write(|tx| {
            // Behind the first unit, and with no lesson.
            let mut unit = content::unit(here(), 8);
            unit.position = 1;
            tx.units().insert(&unit)?;
            let mut first = tx.lessons().find(here(), id(1))?.unwrap();
            first.position = 9;
            first.stamp.touch(sample::now());
            tx.lessons().update(&first)
        })
        .await
        .unwrap();
    let lessons: Vec<LessonId> = vec![id(2), id(3), id(1)];
    let units: Vec<(UnitId, Vec<LessonId>)> = vec![(id(1), lessons), (id(8), Vec::new())];
    assert_eq!(outline(here(), 1).await, units);
    assert_eq!(outline(here(), 2).await, []);
    assert_eq!(outline(id(2), 1).await, []);
}

/// The `n`-th submission of a learner, of an assignment.
fn submission(user: u64, assignment: u64, attempt: u32, n: u64) -> Submission {
    Submission {
        user_id: id(user),
        assignment_id: id(assignment),
        attempt,
        ..content::submission(here(), n)
    }
}

fn graded(submission: Submission, hundredths: i64) -> Submission {
    Submission {
        status: SubmissionStatus::Graded,
        grade: Some(StandingGrade {
            score: Points::from_hundredths(hundredths),
            feedback: "«Good»".to_owned(),
            by: GradeSource::Human,
            at: content::later(),
            read_at: None,
            decided_by: None,
            decided_at: None,
            criteria: content::criteria(),
            before: None,
        }),
        ..submission
    }
}

/// What learners 1 and 2 have handed in of assignments 1 and 2, by id.
async fn handed_in(store: &OpenStore, workspace: WorkspaceId) -> Vec<HandedIn> {
    let (users, assignments): ([UserId; 2], [AssignmentId; 2]) = ([id(1), id(2)], [id(1), id(2)]);
    let read = store.read(move |tx| tx.gradebook().handed_in(workspace, &users, &assignments));
    let mut found = read.await.unwrap();
    found.sort_by_key(|one| one.id);
    found
}

async fn put(store: &OpenStore, all: Vec<Submission>) {
    let write = store.write(move |tx| all.iter().try_for_each(|one| tx.submissions().insert(one)));
    write.await.unwrap();
}

async fn what_was_handed_in_comes_without_what_was_written(stores: &Stores) {
    let store = filled(stores).await;
    let late = Submission {
        cohort_id: Some(id(1)),
        late: true,
        submitted_at: Some(content::later()),
        ..graded(submission(1, 1, 1, 10), 4_133)
    };
    // Nobody is told of a grade while another is to be given blind.
    let awaited = Submission {
        blind: BlindGrading::Awaited,
        status: SubmissionStatus::Submitted,
        ..graded(submission(2, 2, 1, 11), 5_000)
    };
    let submitted_at = awaited.submitted_at.unwrap();
    put(&store, vec![late, awaited]).await;
    let hidden = HandedIn {
        id: id(11),
        user_id: id(2),
        assignment_id: id(2),
        cohort_id: None,
        attempt: 1,
        status: SubmissionStatus::Submitted,
        submitted_at,
        late: false,
        max_score: Points::HUNDRED,
        score: None,
    };
    let shown = HandedIn {
        id: id(10),
        user_id: id(1),
        assignment_id: id(1),
        cohort_id: Some(id(1)),
        status: SubmissionStatus::Graded,
        submitted_at: content::later(),
        late: true,
        score: Some(Points::from_hundredths(4_133)),
        ..hidden
    };
    assert_eq!(handed_in(&store, here()).await, [shown, hidden]);
}

async fn drafts_and_what_is_of_others_are_left_out(stores: &Stores) {
    let store = filled(stores).await;
    let mut draft = submission(1, 1, 1, 10);
    draft.status = SubmissionStatus::Draft;
    draft.submitted_at = None;
    let all = vec![
        draft,
        submission(3, 1, 1, 11),
        submission(1, 3, 1, 12),
        submission(1, 2, 1, 13),
        submission(1, 2, 2, 14),
    ];
    put(&store, all).await;
    let found = handed_in(&store, here()).await;
    let found: Vec<(u32, _)> = found.iter().map(|one| (one.attempt, one.id)).collect();
    assert_eq!(found, [(1, id(13)), (2, id(14))]);
    assert_eq!(handed_in(&store, id(2)).await, []);
}

/// The attempt of this number at a quiz, for so many of so many points.
fn attempt((user, activity): (u64, u64), number: u32, (score, most): (u16, u16)) -> Attempt {
    let n = 1_000 * user + 100 * activity + u64::from(number);
    let mut attempt = learning::attempt(here(), id(user), n);
    attempt.activity_id = id(activity);
    attempt.number = number;
    attempt.result.score = Points::whole(score);
    attempt.result.max_score = Points::whole(most);
    attempt
}

async fn of_the_attempts_at_a_quiz_those_come_that_can_count(stores: &Stores) {
    let store = filled(stores).await;
    let tries = [
        (1, 10),
        (9, 10),
        (9, 10),
        (4, 20),
        (8, 20),
        (5, 20),
        (2, 10),
    ];
    let mut all: Vec<Attempt> = (1..)
        .zip(tries)
        .map(|(number, result)| attempt((1, 1), number, result))
        .collect();
    all.push(attempt((2, 2), 1, (3, 10)));
    // What is not scored cannot count, and the third learner is not asked after.
    all.push(attempt((2, 3), 1, (0, 0)));
    all.push(attempt((3, 1), 1, (3, 10)));
    let write = store.write(move |tx| all.iter().try_for_each(|one| tx.attempts().insert(one)));
    write.await.unwrap();
    let found = async |workspace: WorkspaceId, course: u64| -> Vec<QuizAttempt> {
        let users: [UserId; 2] = [id(1), id(2)];
        let read =
            store.read(move |tx| tx.gradebook().quiz_attempts(workspace, &users, id(course)));
        let mut found = read.await.unwrap();
        found.sort_by_key(|one| (one.user_id, one.attempted.number));
        found
    };
    let told: Vec<(UserId, u32, Option<Points>)> = found(here(), 1)
        .await
        .iter()
        .map(|one| (one.user_id, one.attempted.number, one.attempted.points))
        .collect();
    let points = |points: u16| Some(Points::whole(points));
    let expected = [
        (id(1), 1, points(1)),
        (id(1), 2, points(9)),
        (id(1), 5, points(8)),
        (id(1), 7, points(2)),
        (id(2), 1, points(3)),
    ];
    assert_eq!(told, expected);
    assert_eq!(found(here(), 2).await, []);
    assert_eq!(found(id(2), 1).await, []);
}

async fn due_dates_are_those_of_the_cohort_and_of_the_learners(stores: &Stores) {
    let store = filled(stores).await;
    let due = |assignment: u64, target: OverrideTarget, n: u64| {
        let due_at = Some(content::later());
        let new = NewDueOverride { target, due_at };
        DueOverride::new(here(), id(n), id(assignment), new, sample::now())
    };
    let (cohort, user) = (
        |n: u64| OverrideTarget::Cohort(id(n)),
        |n: u64| OverrideTarget::User(id(n)),
    );
    let all = [
        due(1, cohort(1), 10),
        due(1, cohort(2), 11),
        due(1, user(1), 12),
        due(1, user(3), 13),
        due(2, user(2), 14),
        due(3, user(1), 15),
    ];
    let write = store.write(move |tx| {
        all.iter()
            .try_for_each(|one| tx.due_overrides().insert(one))
    });
    write.await.unwrap();
    let found = async |workspace: WorkspaceId| -> Vec<DueOverride> {
        let read = store.read(move |tx| {
            let (assignments, users): ([AssignmentId; 2], [UserId; 2]) =
                ([id(1), id(2)], [id(1), id(2)]);
            tx.gradebook()
                .due_overrides(workspace, &assignments, id(1), &users)
        });
        let mut found = read.await.unwrap();
        found.sort_by_key(|one| one.id);
        found
    };
    assert_eq!(found(here()).await, [all[0], all[2], all[4]]);
    assert_eq!(found(id(2)).await, []);
}

/// Puts learners into the first cohort.
fn enroll(tx: &mut dyn Tx, learners: &[u64]) -> Result<(), StoreError> {
    learners.iter().try_for_each(|n| {
        let enrollment = people::enrollment(here(), id(1), id(*n), 20 + n);
        tx.enrollments().insert(&enrollment)
    })
}

/// Whose they are, which attempt, for how many hundredths, and those of each part.
type Told = (UserId, u32, Option<i32>, Vec<(String, i32, i32)>);

fn told(attempt: &TaskAttempt) -> Told {
    let part = |part: &PartScore| {
        let [points, best] = [part.points, part.best_possible].map(Points::hundredths);
        (part.id.clone(), points, best)
    };
    let points = attempt.attempted.points.map(Points::hundredths);
    let parts = attempt.parts.iter().map(part).collect();
    (attempt.user_id, attempt.attempted.number, points, parts)
}

async fn what_was_handed_in_comes_with_the_points_at_what_was_judged(stores: &Stores) {
    let store = filled(stores).await;
    let mut draft = submission(1, 1, 3, 10);
    draft.status = SubmissionStatus::Draft;
    draft.submitted_at = None;
    let held = Submission {
        status: SubmissionStatus::InReview,
        ..graded(submission(1, 1, 2, 12), 9_000)
    };
    let elsewhere = Submission {
        cohort_id: Some(id(2)),
        ..graded(submission(1, 1, 4, 13), 3_000)
    };
    let all = vec![
        draft,
        graded(submission(1, 1, 1, 11), 7_000),
        held,
        elsewhere,
        submission(2, 1, 1, 14),
        graded(submission(2, 2, 1, 15), 5_000),
    ];
    put(&store, all).await;
    store.write(|tx| enroll(tx, &[1])).await.unwrap();
    let found = async |workspace: WorkspaceId, cohort: Option<CohortId>, limit: u16| {
        let read = store.read(move |tx| {
            tx.gradebook()
                .submissions_judged(workspace, id(1), cohort, limit)
        });
        let found = read.await.unwrap();
        let told = found.attempts.iter().map(told);
        (told.collect::<Vec<Told>>(), found.is_all)
    };
    // What nobody judged is no part of it.
    let judged = || vec![("accuracy".to_owned(), 133, 250)];
    let first = (id(1), 1, Some(7_000), judged());
    let held = (id(1), 2, None, Vec::new());
    let elsewhere = (id(1), 4, Some(3_000), judged());
    let other = (id(2), 1, None, Vec::new());
    let newest_first = [
        other.clone(),
        elsewhere.clone(),
        held.clone(),
        first.clone(),
    ];
    let all = |told: &[Told]| (told.to_vec(), true);
    assert_eq!(found(here(), None, 10).await, all(&newest_first));
    assert_eq!(found(here(), None, 4).await, all(&newest_first));
    let cut = (vec![other, elsewhere], false);
    assert_eq!(found(here(), None, 2).await, cut);
    assert_eq!(found(here(), Some(id(1)), 10).await, all(&[held, first]));
    assert_eq!(found(here(), Some(id(2)), 10).await, all(&[]));
    assert_eq!(found(id(2), None, 10).await, all(&[]));
}

/// One that AI graded and somebody accepted, or nobody did, by where it stood before they did.
fn accepted(
    submission: Submission,
    from: Option<SubmissionStatus>,
    at: Option<Timestamp>,
) -> Submission {
    let graded = graded(submission, 5_000);
    let before = from.map(|status| BeforeDecision {
        status,
        review: Some(ReviewStatus::Open),
        grade: None,
        earlier: None,
    });
    Submission {
        grade: graded.grade.map(|grade| StandingGrade {
            by: GradeSource::Ai,
            decided_by: before.as_ref().map(|_| id(3)),
            decided_at: at,
            before: before.map(Box::new),
            ..grade
        }),
        ..graded
    }
}

async fn when_a_grade_was_there_for_its_learner_comes_with_it(stores: &Stores) {
    let store = filled(stores).await;
    let decided = content::later().plus(Duration::from_mins(1));
    let held = Some(SubmissionStatus::InReview);
    let out = Some(SubmissionStatus::Graded);
    let all = vec![
        graded(submission(1, 1, 1, 11), 7_000),
        accepted(submission(1, 1, 2, 12), None, None),
        accepted(submission(1, 1, 3, 13), held, Some(decided)),
        accepted(submission(1, 1, 4, 14), out, Some(decided)),
        // From before it was kept when somebody decided.
        accepted(submission(1, 1, 5, 15), held, None),
        submission(2, 1, 1, 16),
    ];
    put(&store, all).await;
    let read = store.read(|tx| tx.gradebook().submissions_judged(here(), id(1), None, 10));
    let found = read.await.unwrap().attempts;
    let mut shown: Vec<(u32, Option<Timestamp>)> = found
        .iter()
        .filter(|one| one.user_id == id(1))
        .map(|one| (one.attempted.number, one.shown_at))
        .collect();
    shown.sort();
    let judged = Some(content::later());
    let expected = [
        (1, judged),
        (2, judged),
        (3, Some(decided)),
        (4, judged),
        (5, None),
    ];
    assert_eq!(shown, expected);
    let nobodys = found.iter().find(|one| one.user_id == id(2)).unwrap();
    assert_eq!(nobodys.shown_at, None);
}

async fn attempts_come_with_the_points_at_their_questions(stores: &Stores) {
    let store = filled(stores).await;
    let all = [
        attempt((1, 1), 1, (1, 10)),
        attempt((1, 1), 2, (9, 10)),
        attempt((1, 1), 3, (8, 10)),
        attempt((1, 1), 4, (2, 10)),
        attempt((2, 1), 1, (3, 10)),
        attempt((2, 1), 2, (0, 0)),
        attempt((3, 2), 1, (3, 10)),
    ];
    store
        .write(move |tx| {
            all.iter().try_for_each(|one| tx.attempts().insert(one))?;
            enroll(tx, &[2, 3])
        })
        .await
        .unwrap();
    let found = async |workspace: WorkspaceId, cohort: Option<CohortId>, limit: u16| {
        let read = store.read(move |tx| {
            tx.gradebook()
                .attempts_judged(workspace, id(1), cohort, limit)
        });
        let found = read.await.unwrap();
        let mut told: Vec<Told> = found.attempts.iter().map(told).collect();
        told.sort();
        (told, found.is_all)
    };
    let questions = || ["q1", "q2"].map(|id| (id.to_owned(), 133, 200)).to_vec();
    let of = |user: u64, number: u32, points: i32| {
        (
            id::<lyceum_domain::ids::User>(user),
            number,
            Some(points),
            questions(),
        )
    };
    let all = [of(1, 1, 100), of(1, 2, 900), of(1, 4, 200), of(2, 1, 300)];
    assert_eq!(found(here(), None, 10).await, (all.to_vec(), true));
    // Five of them are of this quiz and worth anything; that fewer can count is no cut.
    assert_eq!(found(here(), None, 5).await, (all.to_vec(), true));
    let newest = vec![of(1, 4, 200), of(2, 1, 300)];
    assert_eq!(found(here(), None, 2).await, (newest, false));
    let enrolled = vec![of(2, 1, 300)];
    assert_eq!(found(here(), Some(id(1)), 10).await, (enrolled, true));
    let nothing = || (Vec::new(), true);
    assert_eq!(found(here(), Some(id(2)), 10).await, nothing());
    assert_eq!(found(id(2), None, 10).await, nothing());
}
