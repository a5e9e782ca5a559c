//! What a book says of one learner: a cell for each task, where they stand in each group, and the total.

use super::percent::{Percent, Tally};
use crate::Timestamp;
use crate::authoring::courses::gradebook::GradedItem;
use crate::points::Points;
use crate::words::words;

words!(
    /// Where a learner stands at a task.
    CellState {
        /// Nothing was handed in, and that counts nothing.
        NotHandedIn = "not_handed_in",
        /// Something was handed in, and what would count of it has no grade yet. It counts nothing.
        WaitsForAGrade = "waits_for_a_grade",
        /// It has a grade that counts.
        Graded = "graded",
        /// Nothing was handed in, it was due, and the course says that this counts as zero.
        MissingCountsAsZero = "missing_counts_as_zero",
    }
);

words!(
    /// Whether a group is in the total, or why it is not.
    GroupCounting {
        /// It is in the total.
        Counted = "counted",
        /// Nothing in it counts yet.
        NothingCounts = "nothing_counts",
        /// Something in it would count, but the group weighs nothing.
        WeighsNothing = "weighs_nothing",
    }
);

/// Where a learner stands at a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The task.
    pub item: GradedItem,
    /// Where they stand.
    pub state: CellState,
    /// The points that count, or would if the task were not dropped; none where there are none yet.
    pub points: Option<Points>,
    /// The same as a share of the best possible points, rounded half up; none where nothing is possible.
    pub percent: Option<Percent>,
    /// The number of the attempt that these are of.
    pub attempt: Option<u32>,
    /// Whether an attempt of theirs has no grade yet, be it another than the one that counts.
    pub awaits_grade: bool,
    /// Whether the task is left out of its group, because the group is better without it.
    pub dropped: bool,
    /// When it was due for them, where that is over and they have handed in nothing, whatever the course makes of that.
    pub overdue_since: Option<Timestamp>,
}

/// Where a learner stands in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupStanding {
    /// The id of the group; none of what is in no group.
    pub group: Option<String>,
    /// What it weighs, in percent.
    pub weight: u8,
    /// Points and best possible points of what counts and is not dropped.
    pub tally: Tally,
    /// How many tasks that is.
    pub counted: usize,
    /// How many are dropped.
    pub dropped: usize,
}

impl GroupStanding {
    /// Points over best possible points, rounded half up; none where nothing counts.
    pub fn percent(&self) -> Option<Percent> {
        self.tally.percent()
    }

    /// Whether it is in the total.
    pub const fn counting(&self) -> GroupCounting {
        if self.tally.possible() == 0 {
            GroupCounting::NothingCounts
        } else if self.weight == 0 {
            GroupCounting::WeighsNothing
        } else {
            GroupCounting::Counted
        }
    }
}

/// Where a learner stands in a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnerBook {
    /// A cell for each column, in their order.
    pub cells: Vec<Cell>,
    /// The groups of the scheme in their order; behind them what is in no group, where there is anything.
    pub groups: Vec<GroupStanding>,
    /// The mean of the groups that are in the total, by their weights, rounded half up; none where there is none.
    pub total: Option<Percent>,
}
