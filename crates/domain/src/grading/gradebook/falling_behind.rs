//! Who falls behind in the course of a cohort: by rules that each can be said in a sentence, and shown with the figure that met it.
//!
//! The four are what systems of early alerts go by: deadlines missed, nothing done, low grades, slow progress. They are hints for
//! whoever teaches, of today, and nothing is decided by them.

use std::time::Duration;

use super::book::{Cell, CellState, LearnerBook};
use crate::Timestamp;
use crate::authoring::courses::gradebook::GradedItem;
use crate::learning::cohorts::{Cohort, CohortStatus};
use crate::learning::enrollments::EnrollmentStatus;
use crate::learning::progress::Progress;
use crate::points::Points;
use crate::words::words;

const DAY: Duration = Duration::from_hours(24);
/// One bad day is no trend.
const FEWEST_GRADED: usize = 2;

words!(
    /// By which rule somebody falls behind.
    BehindRule {
        /// So many tasks were due for them and not handed in.
        Overdue = "overdue",
        /// For so many days they did no lesson, tried no activity and handed in nothing.
        Inactive = "inactive",
        /// Their total in the book of grades is below the mark, of two graded tasks at least.
        LowTotal = "low_total",
        /// Their lessons are so many percentage points behind the share of their time in the cohort that is over.
        Pace = "pace",
    }
);

/// From where on somebody falls behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BehindRules {
    /// So many overdue tasks.
    pub overdue: u16,
    /// So many days without anything done.
    pub inactive_days: u16,
    /// A total below so many per cent.
    pub low_total: u16,
    /// So many percentage points behind.
    pub pace: u16,
}

impl Default for BehindRules {
    fn default() -> Self {
        Self {
            overdue: 1,
            inactive_days: 7,
            low_total: 50,
            pace: 25,
        }
    }
}

/// That a learner falls behind by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BehindSign {
    /// The rule.
    pub rule: BehindRule,
    /// What was found of them: tasks, days, per cent, or percentage points.
    pub value: Points,
    /// From where on it is a sign.
    pub limit: u16,
}

/// How many whole per cent of a cohort's time are over; none unless it runs, and begins and ends at some time.
pub fn expected_percent(cohort: &Cohort, now: Timestamp) -> Option<u8> {
    let (starts, ends) = cohort.starts_at.zip(cohort.ends_at)?;
    let runs = cohort.status == CohortStatus::Active;
    runs.then(|| percent_over(starts, ends, now))
}

fn percent_over(starts: Timestamp, ends: Timestamp, now: Timestamp) -> u8 {
    let whole = ends.since(starts).as_millis();
    let over = now.since(starts).as_millis() * 100;
    let percent = over.checked_div(whole).unwrap_or(100).min(100);
    u8::try_from(percent).unwrap_or(100)
}

/// Where a learner stands in a cohort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnerStanding {
    /// How far they have come.
    pub progress: Progress,
    /// Where they stand in the book of grades, at every task.
    pub book: LearnerBook,
    /// When they last handed something in.
    pub handed_in_at: Option<Timestamp>,
}

impl LearnerStanding {
    /// The tasks that were due for them and that they have not handed in, in the order of the course; without what was due before they
    /// came.
    pub fn overdue(&self) -> impl Iterator<Item = GradedItem> + '_ {
        let came = self.progress.enrollment.stamp.created_at;
        let is_overdue = move |cell: &&Cell| cell.overdue_since.is_some_and(|due| due >= came);
        let cells = self.book.cells.iter();
        cells.filter(is_overdue).map(|cell| cell.item)
    }

    /// How many tasks have a grade.
    pub fn graded(&self) -> usize {
        let is_graded = |cell: &&Cell| cell.state == CellState::Graded;
        self.book.cells.iter().filter(is_graded).count()
    }

    /// When they last did a lesson, tried an activity or handed something in.
    pub fn last_activity_at(&self) -> Option<Timestamp> {
        self.progress
            .learning
            .last_activity_at
            .max(self.handed_in_at)
    }

    /// By what they fall behind: nothing unless they are active in a cohort that runs.
    pub fn signs(&self, rules: BehindRules, cohort: &Cohort, now: Timestamp) -> Vec<BehindSign> {
        let is_active = self.progress.enrollment.status == EnrollmentStatus::Active;
        if !is_active || cohort.status != CohortStatus::Active {
            return Vec::new();
        }
        let found = [
            self.tasks_overdue(rules),
            self.days_inactive(rules, cohort, now),
            self.total_below(rules),
            self.points_behind(rules, cohort, now),
        ];
        found.into_iter().flatten().collect()
    }

    fn tasks_overdue(&self, rules: BehindRules) -> Option<BehindSign> {
        let tasks = whole(self.overdue().count());
        at_least(BehindRule::Overdue, tasks, rules.overdue)
    }

    /// Whoever is done with the course has nothing left to do; who came later, or before it began, could do nothing before.
    fn days_inactive(
        &self,
        rules: BehindRules,
        cohort: &Cohort,
        now: Timestamp,
    ) -> Option<BehindSign> {
        if self.progress.is_completed() {
            return None;
        }
        let enrolled = Some(self.progress.enrollment.stamp.created_at);
        let since = self
            .last_activity_at()
            .max(enrolled)
            .max(cohort.starts_at)?;
        let days = now.since(since).as_millis() / DAY.as_millis();
        let days = whole(usize::try_from(days).unwrap_or(usize::MAX));
        at_least(BehindRule::Inactive, days, rules.inactive_days)
    }

    fn total_below(&self, rules: BehindRules) -> Option<BehindSign> {
        let total = self.book.total.filter(|_| self.graded() >= FEWEST_GRADED)?;
        let value = Points::from_hundredths(total.hundredths().into());
        let sign = BehindSign {
            rule: BehindRule::LowTotal,
            value,
            limit: rules.low_total,
        };
        (value < Points::whole(rules.low_total)).then_some(sign)
    }

    fn points_behind(
        &self,
        rules: BehindRules,
        cohort: &Cohort,
        now: Timestamp,
    ) -> Option<BehindSign> {
        if self.progress.is_completed() || self.progress.lessons_total == 0 {
            return None;
        }
        // Of the time that was theirs: who came later had less of it.
        let came = self.progress.enrollment.stamp.created_at;
        let (starts, ends) = cohort.starts_at.zip(cohort.ends_at)?;
        if came >= ends {
            return None;
        }
        let expected = percent_over(starts.max(came), ends, now);
        let behind = expected.saturating_sub(self.progress.percent());
        at_least(BehindRule::Pace, Points::whole(behind.into()), rules.pace)
    }
}

/// As many points as there are things, at most as many as points can be.
fn whole(count: usize) -> Points {
    Points::from_hundredths(
        i64::try_from(count).map_or(i64::MAX, |count| count.saturating_mul(100)),
    )
}

fn at_least(rule: BehindRule, value: Points, limit: u16) -> Option<BehindSign> {
    let sign = BehindSign { rule, value, limit };
    (value >= Points::whole(limit)).then_some(sign)
}

#[cfg(test)]
mod tests;
