//! How far AI's grades and what members made of them are apart, week by week: whether a teacher still changes what AI says, and which way.
//!
//! Most who decide have seen AI's grade, and who has seen a grade tends to it: this says how much work AI's grades still make, not how good
//! they are. That is for blind grades to say ([`crate::grading::calibration`]).

use std::collections::BTreeMap;

use super::item_analysis::Thousandths;
use crate::Timestamp;
use crate::points::Points;

const DAY: i64 = 24 * 3_600 * 1_000;
const WEEK: i64 = 7 * DAY;
/// What began on 1 January 1970 was a Thursday: its week had begun three days before.
const SINCE_MONDAY: i64 = 3 * DAY;
/// Differences are added up in so many parts of the best possible points.
const PARTS: i64 = 1_000_000;

/// A grade of AI, and what a member made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecidedGrade {
    /// AI's points.
    pub ai: Points,
    /// The member's: the same, where they let AI's grade stand.
    pub member: Points,
    /// The best possible of both.
    pub best_possible: Points,
    /// When they decided.
    pub decided_at: Timestamp,
}

/// What members made of AI's grades in a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeekOfDecisions {
    /// Its Monday, 0:00 UTC.
    pub begins_at: Timestamp,
    /// How many grades of AI they decided about.
    pub decisions: usize,
    /// How many kept AI's points.
    pub same: usize,
    /// How many are at most a tenth of the best possible points away from AI's, those with the same points among them.
    pub within_tenth: usize,
    /// How much higher AI's points are on average, as a part of the best possible: below 0 it was the stricter one.
    pub mean_difference: Thousandths,
}

impl WeekOfDecisions {
    /// So many weeks are shown at most, the newest.
    pub const MOST: usize = 52;

    /// Of decisions in any order, the weeks in which there are any, the oldest first.
    pub fn all(decided: &[DecidedGrade]) -> Vec<Self> {
        let mut weeks: BTreeMap<i64, Vec<&DecidedGrade>> = BTreeMap::new();
        for one in decided {
            weeks.entry(one.week()).or_default().push(one);
        }
        let newest = weeks.len().saturating_sub(Self::MOST);
        let shown = weeks.into_iter().skip(newest);
        shown
            .map(|(begins, decided)| Self::of(begins, &decided))
            .collect()
    }

    fn of(begins: i64, decided: &[&DecidedGrade]) -> Self {
        let count =
            |holds: &dyn Fn(&DecidedGrade) -> bool| decided.iter().filter(|one| holds(one)).count();
        let sum: i64 = decided.iter().map(|one| one.difference()).sum();
        let many = i64::try_from(decided.len()).unwrap_or(i64::MAX);
        Self {
            begins_at: Timestamp::from_unix_millis(begins),
            decisions: decided.len(),
            same: count(&|one| one.ai == one.member),
            within_tenth: count(&|one| 10 * one.difference().abs() <= PARTS),
            mean_difference: Thousandths::rounded(sum, many.saturating_mul(PARTS)),
        }
    }
}

impl DecidedGrade {
    /// When its week began.
    fn week(&self) -> i64 {
        let since = self.decided_at.unix_millis() + SINCE_MONDAY;
        since.div_euclid(WEEK) * WEEK - SINCE_MONDAY
    }

    /// How much higher AI's are, in parts of the best possible.
    fn difference(&self) -> i64 {
        let [ai, member, best] =
            [self.ai, self.member, self.best_possible].map(|points| i64::from(points.hundredths()));
        PARTS * (ai - member) / best.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn decided(ai: u16, member: u16, decided_at: &str) -> DecidedGrade {
        DecidedGrade {
            ai: Points::whole(ai),
            member: Points::whole(member),
            best_possible: Points::whole(20),
            decided_at: at(decided_at),
        }
    }

    #[test]
    fn a_week_begins_on_monday_at_midnight() {
        let weeks = WeekOfDecisions::all(&[
            decided(1, 1, "2026-11-29T23:59:59.999Z"),
            decided(1, 1, "2026-11-23T00:00:00.000Z"),
            decided(1, 1, "2026-11-22T23:59:59.999Z"),
            decided(1, 1, "1969-12-29T00:00:00.000Z"),
            decided(1, 1, "1969-12-28T00:00:00.000Z"),
        ]);
        let begun: Vec<(String, usize)> = weeks
            .iter()
            .map(|week| (week.begins_at.to_string(), week.decisions))
            .collect();
        let expected = [
            ("1969-12-22T00:00:00.000Z", 1),
            ("1969-12-29T00:00:00.000Z", 1),
            ("2026-11-16T00:00:00.000Z", 1),
            ("2026-11-23T00:00:00.000Z", 2),
        ];
        assert_eq!(begun, expected.map(|(day, many)| (day.to_owned(), many)));
    }

    #[test]
    fn what_was_changed_and_which_way_is_counted() {
        let day = "2026-11-24T12:00:00.000Z";
        let weeks = WeekOfDecisions::all(&[
            decided(10, 10, day),
            // A tenth of twenty, and a little more.
            decided(10, 12, day),
            decided(10, 13, day),
            decided(8, 7, day),
        ]);
        let [week] = weeks[..] else {
            panic!("{weeks:?}")
        };
        assert_eq!((week.decisions, week.same, week.within_tenth), (4, 1, 3));
        // (0 - 2 - 3 + 1) / 20 / 4
        assert_eq!(week.mean_difference.thousandths(), -50);
    }

    #[test]
    fn the_newest_weeks_are_kept() {
        let start = at("2020-01-06T00:00:00.000Z").unix_millis();
        let weekly: Vec<DecidedGrade> = (0..60)
            .map(|week| DecidedGrade {
                decided_at: Timestamp::from_unix_millis(start + week * WEEK),
                ..decided(1, 1, "2020-01-06T00:00:00.000Z")
            })
            .collect();
        let weeks = WeekOfDecisions::all(&weekly);
        assert_eq!(weeks.len(), WeekOfDecisions::MOST);
        let last = weeks.last().map(|week| week.begins_at.unix_millis());
        assert_eq!(last, Some(start + 59 * WEEK));
        assert_eq!(WeekOfDecisions::all(&[]), []);
    }

    #[test]
    fn what_is_worth_nothing_divides_by_nothing() {
        let nothing = DecidedGrade {
            best_possible: Points::ZERO,
            ..decided(0, 0, "2026-11-24T12:00:00.000Z")
        };
        let weeks = WeekOfDecisions::all(&[nothing]);
        assert_eq!(weeks.first().map(|week| week.same), Some(1));
    }
}
