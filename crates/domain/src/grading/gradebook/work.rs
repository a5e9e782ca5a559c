//! What a book is reckoned from: the tasks, and what a learner has handed in.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::Timestamp;
use crate::authoring::courses::gradebook::{CountingAttempt, GradedItem};
use crate::points::Points;

/// A task: a column of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Which.
    pub item: GradedItem,
    /// Best possible points; a task at which nothing can be earned counts nothing.
    pub best_possible: Points,
    /// When it is due; never, where there is none. A learner for whom it is due at another time says so in their [`LearnerWork`].
    pub due_at: Option<Timestamp>,
}

/// One attempt that was handed in; drafts are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempted {
    /// 1 for the first one of this learner at this task.
    pub number: u32,
    /// The points that count, as [`Submission::score`](crate::grading::submissions::Submission::score) has them: what a
    /// person overruled is overruled, and what coming late costs is taken off. None while no grade of it is out.
    pub points: Option<Points>,
    /// The best possible points when it was handed in.
    pub best_possible: Points,
    /// When it was handed in.
    pub handed_in_at: Timestamp,
}

impl Attempted {
    /// What it is worth of `best_possible` points. Where the best possible has changed since it was handed in, its share stays, rounded
    /// half up to hundredths. None without a grade, and where nothing could be earned then that can now: that grade says nothing.
    pub(super) fn worth(&self, best_possible: Points) -> Option<Points> {
        let points = self.points?;
        if self.best_possible == best_possible {
            return Some(points.at_most(best_possible));
        }
        let [points, then, now] = [points, self.best_possible, best_possible]
            .map(|points| i64::from(points.hundredths()));
        let worth = (2 * points * now + then).checked_div(2 * then)?;
        Some(Points::from_hundredths(worth).at_most(best_possible))
    }

    /// What comes first was handed in first.
    const fn order(&self) -> (Timestamp, u32) {
        (self.handed_in_at, self.number)
    }
}

/// What one learner has handed in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LearnerWork {
    /// The attempts at each task, in any order.
    pub attempts: BTreeMap<GradedItem, Vec<Attempted>>,
    /// The tasks that are due for this learner at another time than their column says, or never; see
    /// [`due_for`](crate::authoring::due_dates::due_for).
    pub own_due: BTreeMap<GradedItem, Option<Timestamp>>,
}

impl LearnerWork {
    /// The attempts at a task.
    pub(super) fn attempts_at(&self, item: GradedItem) -> &[Attempted] {
        self.attempts.get(&item).map_or(&[], Vec::as_slice)
    }

    /// When a task was due for them, if that was before `now`. What is handed in at its due date is in time.
    pub(super) fn was_due_at(&self, column: &Column, now: Timestamp) -> Option<Timestamp> {
        let own = self.own_due.get(&column.item).copied();
        own.unwrap_or(column.due_at).filter(|due| *due < now)
    }
}

/// The attempt that counts and what it is worth; none where that has no grade.
pub(super) fn counting(
    attempts: &[Attempted],
    rule: CountingAttempt,
    best_possible: Points,
) -> Option<(u32, Points)> {
    let worth = |attempt: &Attempted| Some((attempt.number, attempt.worth(best_possible)?));
    if rule == CountingAttempt::First {
        return worth(attempts.iter().min_by_key(|attempt| attempt.order())?);
    }
    let graded = attempts
        .iter()
        .filter_map(|attempt| Some((attempt.order(), worth(attempt)?)));
    let found = if rule == CountingAttempt::Latest {
        graded.max_by_key(|(order, _)| *order)
    } else {
        graded.max_by_key(|(order, (_, points))| (*points, Reverse(*order)))
    };
    found.map(|(_, worth)| worth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn at(hour: u64) -> Timestamp {
        let start = Timestamp::parse("2027-03-01T12:00:00Z").unwrap();
        start.plus(Duration::from_secs(hour * 3_600))
    }

    /// Attempts at 10 points, an hour apart; below zero is without a grade.
    fn attempts(points: &[i64]) -> Vec<Attempted> {
        let numbered = (1..).zip(points);
        let made = numbered.map(|(number, points)| Attempted {
            number,
            points: (*points >= 0).then(|| Points::from_hundredths(points * 100)),
            best_possible: Points::whole(10),
            handed_in_at: at(u64::from(number)),
        });
        made.collect()
    }

    fn counts(points: &[i64], rule: CountingAttempt) -> Option<(u32, i32)> {
        let mut attempts = attempts(points);
        attempts.reverse();
        let found = counting(&attempts, rule, Points::whole(10));
        found.map(|(number, points)| (number, points.hundredths() / 100))
    }

    #[test]
    fn which_attempt_counts_is_said_by_the_rule() {
        use CountingAttempt::{Best, First, Latest};
        let given = [6, 9, 9, 7];
        assert_eq!(counts(&given, Best), Some((2, 9)));
        assert_eq!(counts(&given, Latest), Some((4, 7)));
        assert_eq!(counts(&given, First), Some((1, 6)));
        for rule in CountingAttempt::ALL {
            assert_eq!(counts(&[], *rule), None);
            assert_eq!(counts(&[-1], *rule), None);
        }
    }

    #[test]
    fn what_has_no_grade_yet_is_passed_over_but_by_the_first() {
        use CountingAttempt::{Best, First, Latest};
        assert_eq!(counts(&[-1, 5, -1], Best), Some((2, 5)));
        assert_eq!(counts(&[-1, 5, -1], Latest), Some((2, 5)));
        assert_eq!(counts(&[-1, 5, -1], First), None);
    }

    #[test]
    fn a_share_stays_where_the_best_possible_changed() {
        let worth = |points: i64, then: u16, now: u16| {
            let attempt = Attempted {
                number: 1,
                points: Some(Points::from_hundredths(points)),
                best_possible: Points::whole(then),
                handed_in_at: at(0),
            };
            attempt.worth(Points::whole(now)).map(Points::hundredths)
        };
        assert_eq!(worth(800, 10, 20), Some(1_600));
        assert_eq!(worth(100, 3, 10), Some(333));
        assert_eq!(worth(200, 3, 10), Some(667));
        assert_eq!(worth(1_100, 10, 10), Some(1_000));
        assert_eq!(worth(1_100, 10, 20), Some(2_000));
        assert_eq!(worth(800, 10, 0), Some(0));
        assert_eq!(worth(0, 0, 0), Some(0));
        assert_eq!(worth(0, 0, 10), None);
        let most = i64::from(Points::MAX_HUNDREDTHS);
        assert_eq!(worth(most, 60_000, 60_000), Some(6_000_000));
    }

    #[test]
    fn ones_own_due_date_goes_before_that_of_the_task() {
        let item = GradedItem::parse("asg_00000000000000000000000001").unwrap();
        let column = Column {
            item,
            best_possible: Points::HUNDRED,
            due_at: Some(at(1)),
        };
        let mut work = LearnerWork::default();
        assert_eq!(work.was_due_at(&column, at(1)), None);
        assert_eq!(work.was_due_at(&column, at(2)), Some(at(1)));
        work.own_due.insert(item, Some(at(3)));
        assert_eq!(work.was_due_at(&column, at(2)), None);
        assert_eq!(work.was_due_at(&column, at(4)), Some(at(3)));
        work.own_due.insert(item, None);
        assert_eq!(work.was_due_at(&column, at(4)), None);
    }
}
