use super::*;
use crate::Id;
use crate::authoring::completion::Done;
use crate::grading::gradebook::Percent;
use crate::json::Metadata;
use crate::learning::cohorts::{CohortUpdates, NewCohort};
use crate::learning::enrollments::Enrollment;
use crate::learning::progress::{Learning, Towards};
use crate::text::Name;
use proptest::prelude::*;
use rstest::rstest;
use uuid::Uuid;

/// So many days after the beginning of the cohort.
fn day(number: u64) -> Timestamp {
    let begin = Timestamp::parse("2027-03-01T12:00:00Z").unwrap();
    begin.plus(DAY * u32::try_from(number).unwrap())
}

/// A cohort of a hundred days that runs.
fn cohort() -> Cohort {
    let nil = Id::from_uuid(Uuid::nil());
    let new = NewCohort {
        course_id: Id::from_uuid(Uuid::nil()),
        name: Name::parse("Spring").unwrap(),
        starts_at: Some(day(0)),
        ends_at: Some(day(100)),
        timezone: "UTC".to_owned(),
        capacity: None,
        updates: CohortUpdates::Automatic,
        metadata: Metadata::default(),
    };
    let draft = Cohort::draft(nil, Id::from_uuid(Uuid::nil()), new, day(0)).unwrap();
    Cohort {
        status: CohortStatus::Active,
        ..draft
    }
}

/// A task, due at the beginning of the second day where it is overdue.
fn cell(state: CellState, overdue: bool) -> Cell {
    Cell {
        item: GradedItem::parse("asg_00000000000000000000000001").unwrap(),
        state,
        points: None,
        percent: None,
        attempt: None,
        awaits_grade: false,
        dropped: false,
        overdue_since: overdue.then(|| day(1)),
    }
}

/// Who was enrolled at the beginning, has done none of ten lessons, and has handed in nothing.
fn learner() -> LearnerStanding {
    let [nil, enrolled] = [Uuid::nil(), Uuid::nil()];
    LearnerStanding {
        progress: Progress {
            enrollment: Enrollment::new(
                Id::from_uuid(nil),
                Id::from_uuid(enrolled),
                Id::from_uuid(nil),
                Id::from_uuid(nil),
                day(0),
            ),
            lessons_total: 10,
            learning: Learning::default(),
            rule: Done::Everything,
            towards: Towards::default(),
        },
        book: LearnerBook {
            cells: Vec::new(),
            groups: Vec::new(),
            total: None,
        },
        handed_in_at: None,
    }
}

fn told(learner: &LearnerStanding, cohort: &Cohort, now: Timestamp) -> Vec<(BehindRule, i32)> {
    let signs = learner.signs(BehindRules::default(), cohort, now);
    let told = |sign: &BehindSign| (sign.rule, sign.value.hundredths());
    signs.iter().map(told).collect()
}

#[test]
fn who_begins_is_not_behind() {
    assert_eq!(told(&learner(), &cohort(), day(6)), []);
    assert_eq!(told(&learner(), &cohort(), day(0)), []);
}

#[rstest]
#[case::nothing_done(&[], 7, Some(700))]
#[case::a_lesson(&[("lesson", 3)], 9, None)]
#[case::a_lesson_long_ago(&[("lesson", 3)], 10, Some(700))]
#[case::what_was_handed_in_counts_too(&[("lesson", 3), ("handed in", 8)], 14, None)]
fn who_does_nothing_for_a_week_falls_behind(
    #[case] done: &[(&str, u64)],
    #[case] now: u64,
    #[case] days: Option<i32>,
) {
    let mut one = learner();
    for (what, at) in done {
        if *what == "lesson" {
            one.progress.learning.last_activity_at = Some(day(*at));
        } else {
            one.handed_in_at = Some(day(*at));
        }
    }
    let expected: Vec<_> = days
        .map(|days| (BehindRule::Inactive, days))
        .into_iter()
        .collect();
    assert_eq!(told(&one, &cohort(), day(now)), expected);
}

#[test]
fn nobody_could_do_anything_before_they_came_or_it_began() {
    let mut late = learner();
    late.progress.enrollment.stamp.created_at = day(18);
    late.progress.learning.lessons_completed = 2;
    assert_eq!(told(&late, &cohort(), day(24)), []);
    // Nor are they held against the time before, or what was due then.
    late.progress.learning.lessons_completed = 0;
    late.book.cells = vec![cell(CellState::NotHandedIn, true)];
    assert_eq!(told(&late, &cohort(), day(24)), []);
    late.progress.learning.last_activity_at = Some(day(59));
    assert_eq!(told(&late, &cohort(), day(59)), [(BehindRule::Pace, 5_000)]);
    late.progress.enrollment.stamp.created_at = day(100);
    assert_eq!(told(&late, &cohort(), day(101)), []);
    let mut early = learner();
    early.progress.enrollment.stamp.created_at = day(0).minus(DAY * 40);
    assert_eq!(told(&early, &cohort(), day(6)), []);
}

#[test]
fn each_task_that_was_due_and_was_not_handed_in_counts() {
    let mut one = learner();
    one.book.cells = vec![
        cell(CellState::MissingCountsAsZero, true),
        cell(CellState::Graded, false),
        cell(CellState::NotHandedIn, true),
        cell(CellState::NotHandedIn, false),
    ];
    assert_eq!(told(&one, &cohort(), day(2)), [(BehindRule::Overdue, 200)]);
    assert_eq!(one.overdue().count(), 2);
    let rules = BehindRules {
        overdue: 3,
        ..BehindRules::default()
    };
    assert_eq!(one.signs(rules, &cohort(), day(2)), []);
}

#[rstest]
#[case(2, 4_999, true)]
#[case(2, 5_000, false)]
#[case(1, 0, false)]
fn a_total_is_low_of_two_grades_at_least(
    #[case] graded: usize,
    #[case] total: i32,
    #[case] is_low: bool,
) {
    let mut one = learner();
    one.book.cells = vec![cell(CellState::Graded, false); graded];
    one.book.total = Percent::from_hundredths(total);
    let expected: Vec<_> = is_low
        .then_some((BehindRule::LowTotal, total))
        .into_iter()
        .collect();
    assert_eq!(told(&one, &cohort(), day(1)), expected);
}

#[test]
fn lessons_are_held_against_the_calendar() {
    let mut one = learner();
    one.progress.learning.last_activity_at = Some(day(50));
    one.progress.learning.lessons_completed = 3;
    assert_eq!(expected_percent(&cohort(), day(54)), Some(54));
    assert_eq!(told(&one, &cohort(), day(54)), []);
    assert_eq!(told(&one, &cohort(), day(55)), [(BehindRule::Pace, 2_500)]);
    for without in [
        Cohort {
            ends_at: None,
            ..cohort()
        },
        Cohort {
            starts_at: None,
            ..cohort()
        },
    ] {
        assert_eq!(expected_percent(&without, day(55)), None);
        assert_eq!(told(&one, &without, day(55)), []);
    }
    let no_lessons = LearnerStanding {
        progress: Progress {
            lessons_total: 0,
            ..one.progress.clone()
        },
        ..one
    };
    assert_eq!(told(&no_lessons, &cohort(), day(55)), []);
}

#[test]
fn who_is_done_with_the_course_is_neither_slow_nor_away() {
    let mut one = learner();
    one.progress.rule = Done::Share(20);
    one.progress.learning.lessons_completed = 2;
    assert_eq!(told(&one, &cohort(), day(90)), []);
    one.book.cells = vec![cell(CellState::NotHandedIn, true)];
    assert_eq!(told(&one, &cohort(), day(90)), [(BehindRule::Overdue, 100)]);
}

#[rstest]
#[case(CohortStatus::Draft)]
#[case(CohortStatus::Completed)]
#[case(CohortStatus::Archived)]
fn nobody_falls_behind_in_a_cohort_that_does_not_run(#[case] status: CohortStatus) {
    let cohort = Cohort { status, ..cohort() };
    let mut one = learner();
    one.book.cells = vec![cell(CellState::NotHandedIn, true)];
    assert_eq!(told(&one, &cohort, day(60)), []);
    assert_eq!(expected_percent(&cohort, day(60)), None);
}

#[rstest]
#[case(EnrollmentStatus::Completed)]
#[case(EnrollmentStatus::Withdrawn)]
fn nor_does_who_is_no_longer_in_it(#[case] status: EnrollmentStatus) {
    let mut one = learner();
    one.progress.enrollment.status = status;
    one.book.cells = vec![cell(CellState::NotHandedIn, true)];
    assert_eq!(told(&one, &cohort(), day(60)), []);
}

#[test]
fn a_cohort_is_over_at_its_end_and_not_begun_before_its_beginning() {
    let of = |now| expected_percent(&cohort(), now);
    assert_eq!(of(day(0).minus(DAY)), Some(0));
    assert_eq!(of(day(250)), Some(100));
    let in_no_time = Cohort {
        ends_at: Some(day(0)),
        ..cohort()
    };
    assert_eq!(expected_percent(&in_no_time, day(0)), Some(100));
}

proptest! {
    /// Who does more is behind by no more rules, and a stricter rule finds no fewer.
    #[test]
    fn whoever_does_more_has_no_more_signs(
        lessons in 0_u32..10, overdue in 0_usize..5, now in 0_u64..120, active in 0_u64..120, limit in 1_u16..100,
    ) {
        let mut one = learner();
        one.progress.learning.lessons_completed = lessons;
        one.progress.learning.last_activity_at = Some(day(active));
        one.book.cells = vec![cell(CellState::NotHandedIn, true); overdue];
        let mut more = one.clone();
        more.progress.learning.lessons_completed += 1;
        more.book.cells.pop();
        more.handed_in_at = Some(day(active + 1));
        let rules = BehindRules { overdue: limit, inactive_days: limit, low_total: limit, pace: limit };
        let signs = one.signs(rules, &cohort(), day(now)).len();
        prop_assert!(more.signs(rules, &cohort(), day(now)).len() <= signs);
        let stricter = BehindRules { overdue: limit - 1, inactive_days: limit - 1, pace: limit - 1, ..rules };
        prop_assert!(one.signs(stricter, &cohort(), day(now)).len() >= signs);
    }
}
