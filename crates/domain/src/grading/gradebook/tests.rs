mod page;

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;
use uuid::Uuid;

use super::*;
use crate::Id;
use crate::authoring::courses::gradebook::GradedItem;
use crate::text::Name;

fn now() -> Timestamp {
    Timestamp::parse("2027-03-15T12:00:00Z").unwrap()
}

fn item(number: usize) -> GradedItem {
    let bits = Uuid::from_u128(number.try_into().unwrap());
    if number.is_multiple_of(2) {
        GradedItem::Assignment(Id::from_uuid(bits))
    } else {
        GradedItem::Activity(Id::from_uuid(bits))
    }
}

/// What a generated learner did at a generated task.
#[derive(Debug, Clone)]
struct Task {
    best: i64,
    /// Shares of the best possible in thousandths, or no grade yet.
    attempts: Vec<Option<i64>>,
    is_due: bool,
    /// The group it is in; none where there are fewer.
    group: usize,
}

#[derive(Debug, Clone)]
struct Case {
    tasks: Vec<Task>,
    /// Weight, how many are dropped, and which attempt counts.
    groups: Vec<(u8, u8, CountingAttempt)>,
    missing: MissingWork,
}

impl Case {
    fn columns(&self) -> Vec<Column> {
        let numbered = self.tasks.iter().enumerate();
        let made = numbered.map(|(number, task)| Column {
            item: item(number),
            best_possible: Points::from_hundredths(task.best),
            due_at: task.is_due.then(|| now().minus(Duration::from_secs(1))),
        });
        made.collect()
    }

    fn work(&self) -> LearnerWork {
        let mut work = LearnerWork::default();
        for (number, task) in self.tasks.iter().enumerate() {
            let attempts = (1..).zip(&task.attempts).map(|(number, share)| Attempted {
                number,
                points: share.map(|share| Points::from_hundredths(task.best * share / 1_000)),
                best_possible: Points::from_hundredths(task.best),
                handed_in_at: now().minus(Duration::from_secs(100 - u64::from(number))),
            });
            work.attempts.insert(item(number), attempts.collect());
        }
        work
    }

    fn scheme(&self) -> GradebookScheme {
        let groups = self.groups.iter().enumerate().map(|(at, group)| {
            let inside = self.tasks.iter().enumerate();
            let inside = inside.filter(|(_, task)| task.group == at);
            GradeGroup {
                id: format!("g{at}"),
                name: Name::parse(format!("Group {at}")).unwrap(),
                weight: group.0,
                drop_lowest: group.1,
                attempt: group.2,
                items: inside.map(|(number, _)| item(number)).collect(),
            }
        });
        GradebookScheme::new(groups.collect(), self.missing).unwrap()
    }

    fn book(&self) -> LearnerBook {
        reckon(&self.scheme(), &self.columns(), &self.work(), now())
    }
}

fn task() -> impl Strategy<Value = Task> {
    let best = prop_oneof![Just(0), 1..=20_i64, 1..=100_000_i64, Just(100_000_000)];
    let attempts = prop::collection::vec(prop::option::weighted(0.8, 0..=1_000_i64), 0..4);
    (best, attempts, any::<bool>(), 0..5_usize).prop_map(|(best, attempts, is_due, group)| Task {
        best,
        attempts,
        is_due,
        group,
    })
}

fn case() -> impl Strategy<Value = Case> {
    let rule = prop::sample::select(CountingAttempt::ALL);
    let groups = prop::collection::vec((0..=25_u8, 0..=4_u8, rule), 0..=4);
    let missing = prop::sample::select(MissingWork::ALL);
    let tasks = prop::collection::vec(task(), 0..12);
    (tasks, groups, missing).prop_map(|(tasks, groups, missing)| Case {
        tasks,
        groups,
        missing,
    })
}

proptest! {
    #[test]
    fn a_total_is_between_nothing_and_all(case in case()) {
        let book = case.book();
        prop_assert!(book.total.is_none_or(|total| total <= Percent::HUNDRED));
        let counted = book.groups.iter().any(|group| group.counting() == GroupCounting::Counted);
        prop_assert_eq!(book.total.is_some(), counted);
        prop_assert_eq!(book.cells.len(), case.tasks.len());
    }

    #[test]
    fn a_better_score_never_makes_a_total_worse(case in case(), which: Index, more in 1..=1_000_i64) {
        let before = case.book().total;
        let mut better = case;
        let graded: Vec<&mut i64> = better.tasks.iter_mut().flat_map(|task| &mut task.attempts).flatten().collect();
        prop_assume!(!graded.is_empty());
        let at = which.index(graded.len());
        let share = graded.into_iter().nth(at).unwrap();
        *share = (*share + more).min(1_000);
        prop_assert!(better.book().total >= before);
    }

    #[test]
    fn dropping_never_makes_a_total_worse(case in case(), which: Index) {
        prop_assume!(!case.groups.is_empty());
        let before = case.book().total;
        let mut kinder = case;
        let at = which.index(kinder.groups.len());
        kinder.groups[at].1 += 1;
        prop_assert!(kinder.book().total >= before);
    }

    #[test]
    fn something_stays_of_a_group_in_which_anything_counts(case in case()) {
        let book = case.book();
        for group in &book.groups {
            prop_assert!(group.counted > 0 || group.dropped == 0);
        }
        for cell in book.cells.iter().filter(|cell| cell.dropped) {
            prop_assert!(cell.percent.is_some(), "{cell:?}");
        }
        let dropped: usize = book.groups.iter().map(|group| group.dropped).sum();
        prop_assert_eq!(dropped, book.cells.iter().filter(|cell| cell.dropped).count());
    }

    #[test]
    fn the_order_of_tasks_makes_no_difference_to_what_they_come_to(case in case(), seed in prop::collection::vec(any::<u32>(), 12)) {
        let (scheme, work) = (case.scheme(), case.work());
        let mut columns: Vec<(u32, Column)> = seed.into_iter().zip(case.columns()).collect();
        columns.sort_by_key(|(key, _)| *key);
        let columns: Vec<Column> = columns.into_iter().map(|(_, column)| column).collect();
        let (straight, shuffled) = (case.book(), reckon(&scheme, &columns, &work, now()));
        prop_assert_eq!(straight.total, shuffled.total);
        let percents = |book: &LearnerBook| book.groups.iter().map(GroupStanding::percent).collect::<Vec<_>>();
        prop_assert_eq!(percents(&straight), percents(&shuffled));
    }

    #[test]
    fn one_group_is_points_over_points(mut case in case(), weight in 1..=100_u8, is_named: bool) {
        case.groups.clear();
        if is_named {
            case.groups.push((weight, 0, CountingAttempt::Best));
        }
        case.tasks.iter_mut().for_each(|task| task.group = 0);
        let book = case.book();
        let (mut reached, mut possible) = (0, 0);
        for (cell, task) in book.cells.iter().zip(&case.tasks) {
            if let Some(points) = cell.points {
                reached += i128::from(points.hundredths());
                possible += i128::from(task.best);
            }
        }
        let percent = (possible > 0).then(|| (20_000 * reached + possible) / (2 * possible));
        prop_assert_eq!(book.total.map(|total| i128::from(total.hundredths())), percent);
    }

    #[test]
    fn only_what_weights_are_to_each_other_makes_a_difference(mut case in case(), factor in 1..=4_u8) {
        // Nothing is in no group, which would weigh what is left.
        let groups = case.groups.len();
        prop_assume!(groups > 0);
        case.tasks.iter_mut().for_each(|task| task.group %= groups);
        let mut heavier = case.clone();
        for (light, heavy) in case.groups.iter_mut().zip(&mut heavier.groups) {
            light.0 /= 4;
            heavy.0 = light.0 * factor;
        }
        prop_assert_eq!(case.book().total, heavier.book().total);
    }

    #[test]
    fn what_is_missing_counts_as_a_grade_of_nothing_or_not_at_all(mut case in case()) {
        let is_missing = |task: &Task| task.attempts.is_empty() && task.is_due;
        case.missing = MissingWork::Zero;
        let zero = case.book();
        let mut nothing = case.clone();
        for task in nothing.tasks.iter_mut().filter(|task| is_missing(task)) {
            task.attempts.push(Some(0));
        }
        prop_assert_eq!(zero.total, nothing.book().total);
        case.missing = MissingWork::Ignored;
        let ignored = case.book();
        let mut without = case.clone();
        without.tasks.retain(|task| !is_missing(task));
        prop_assert_eq!(ignored.total, without.book().total);
    }
}

fn group(id: &str, weight: u8, drop_lowest: u8, items: &[usize]) -> GradeGroup {
    GradeGroup {
        id: id.to_owned(),
        name: Name::parse(id).unwrap(),
        weight,
        drop_lowest,
        attempt: CountingAttempt::Best,
        items: items.iter().copied().map(item).collect(),
    }
}

fn plain(best: i64, attempts: &[Option<i64>]) -> Task {
    Task {
        best,
        attempts: attempts.to_vec(),
        is_due: false,
        group: 0,
    }
}

#[test]
fn what_no_group_names_weighs_what_is_left_and_the_book_says_where_that_is_nothing() {
    let case = Case {
        tasks: vec![plain(100, &[Some(500)]), plain(100, &[Some(1_000)])],
        groups: Vec::new(),
        missing: MissingWork::Ignored,
    };
    let book = |weight| {
        let groups = vec![group("exams", weight, 0, &[0])];
        let scheme = GradebookScheme::new(groups, MissingWork::Ignored).unwrap();
        reckon(&scheme, &case.columns(), &case.work(), now())
    };
    let shared = book(80);
    assert_eq!(shared.total.unwrap().hundredths(), 6_000);
    assert_eq!(shared.groups[1].group, None);
    assert_eq!(shared.groups[1].weight, 20);
    let full = book(100);
    assert_eq!(full.total.unwrap().hundredths(), 5_000);
    assert_eq!(full.groups[1].counting(), GroupCounting::WeighsNothing);
    assert_eq!(full.groups[1].percent(), Some(Percent::HUNDRED));
    let nothing = book(0);
    assert_eq!(nothing.total, Some(Percent::HUNDRED));
    assert_eq!(nothing.groups[0].counting(), GroupCounting::WeighsNothing);
}

#[test]
fn a_group_without_anything_that_counts_is_not_in_the_total() {
    let case = Case {
        tasks: vec![
            plain(100, &[Some(900)]),
            plain(100, &[None]),
            plain(100, &[]),
        ],
        groups: Vec::new(),
        missing: MissingWork::Zero,
    };
    let groups = vec![group("a", 30, 0, &[0]), group("b", 70, 2, &[1, 2])];
    let scheme = GradebookScheme::new(groups, MissingWork::Zero).unwrap();
    let book = reckon(&scheme, &case.columns(), &case.work(), now());
    assert_eq!(book.total.unwrap().hundredths(), 9_000);
    assert_eq!(book.groups[1].counting(), GroupCounting::NothingCounts);
    assert_eq!((book.groups[1].counted, book.groups[1].dropped), (0, 0));
    let states = book
        .cells
        .iter()
        .map(|cell| (cell.state, cell.awaits_grade));
    assert_eq!(
        states.collect::<Vec<_>>(),
        [
            (CellState::Graded, false),
            (CellState::WaitsForAGrade, true),
            (CellState::NotHandedIn, false),
        ]
    );
    assert_eq!(
        reckon(&scheme, &[], &LearnerWork::default(), now()).total,
        None
    );
}
