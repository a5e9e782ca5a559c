//! The book of grades: how what a learner has handed in becomes a standing in the whole course.
//!
//! Within a group of tasks points are added up, `Σ points / Σ best possible`; in the total a group counts by its weight,
//! `Σ weight · share / Σ weight` over the groups in which anything counts. So what has no grade yet is neither zero nor full. All of
//! it is reckoned in whole hundredths and exact fractions, and each figure that is shown is rounded once, half up: the total
//! is made of the shares themselves, not of their rounded percentages.
//!
//! Over many learners, [`Distribution`] says how the points of a task are spread, and [`ItemAnalysis`] what the answers to a question or
//! the points of a criterion say about it; [`TaskStatistics`] is both of a task, of the attempts that count, and says how long its
//! learners waited for feedback ([`TimeToFeedback`]) and what members made of AI's grades ([`WeekOfDecisions`]). [`LearnerStanding`]
//! says by which rules a learner falls behind.
//!
//! `docs/grades.md` has the rules for people, with examples that a test reckons.

mod book;
mod decisions;
mod distribution;
mod dropping;
mod falling_behind;
mod feedback;
mod handed_in;
mod item_analysis;
mod percent;
mod rounding;
mod statistics;
mod work;

pub use book::{Cell, CellState, GroupCounting, GroupStanding, LearnerBook};
pub use decisions::{DecidedGrade, WeekOfDecisions};
pub use distribution::{BINS, Distribution};
pub use falling_behind::{BehindRule, BehindRules, BehindSign, LearnerStanding, expected_percent};
pub use feedback::{GradeMoments, TimeToFeedback};
pub use handed_in::{HandedIn, QuizAttempt};
pub use item_analysis::{ItemAnalysis, ItemScore, Thousandths};
pub use percent::{Percent, Tally};
pub use statistics::{PartScore, TaskAttempt, TaskPart, TaskStatistics};
pub use work::{Attempted, Column, LearnerWork};

use crate::Timestamp;
use crate::authoring::courses::gradebook::{
    CountingAttempt, GradeGroup, GradebookScheme, MissingWork,
};
use crate::points::Points;

/// Where a learner stands at `now`. `columns` are the tasks of the course that the learner sees, each once; their order is that of the
/// cells, and decides nothing but which of equally good tasks is dropped: the later one.
///
/// What counts can be dropped, also what is missing and counts as zero; what has no points yet cannot. One that counts always stays.
pub fn reckon(
    scheme: &GradebookScheme,
    columns: &[Column],
    work: &LearnerWork,
    now: Timestamp,
) -> LearnerBook {
    let mut entries: Vec<Entry> = columns
        .iter()
        .map(|column| Entry::new(scheme, column, work, now))
        .collect();
    let named = scheme.groups().iter().map(Some);
    let has_others = entries.iter().any(|entry| entry.group.is_none());
    let groups: Vec<GroupStanding> = named
        .chain(has_others.then_some(None))
        .map(|group| standing(scheme, group, &mut entries))
        .collect();
    let parts: Vec<(u8, Tally)> = groups
        .iter()
        .map(|group| (group.weight, group.tally))
        .collect();
    LearnerBook {
        cells: entries.into_iter().map(|entry| entry.cell).collect(),
        groups,
        total: percent::weighted(&parts),
    }
}

/// A cell with what it adds to its group.
struct Entry<'a> {
    cell: Cell,
    group: Option<&'a GradeGroup>,
    /// Nothing of nothing where it does not count.
    tally: Tally,
}

impl<'a> Entry<'a> {
    fn new(
        scheme: &'a GradebookScheme,
        column: &Column,
        work: &LearnerWork,
        now: Timestamp,
    ) -> Self {
        let group = scheme.group_of(column.item);
        let rule = group.map_or(CountingAttempt::Best, |group| group.attempt);
        let attempts = work.attempts_at(column.item);
        let best = column.best_possible;
        let counting = work::counting(attempts, rule, best);
        let was_due_at = work.was_due_at(column, now);
        let overdue_since = was_due_at.filter(|_| attempts.is_empty());
        let is_missing = overdue_since.is_some() && scheme.missing() == MissingWork::Zero;
        let (state, points) = match counting {
            Some((_, points)) => (CellState::Graded, Some(points)),
            None if !attempts.is_empty() => (CellState::WaitsForAGrade, None),
            None if is_missing => (CellState::MissingCountsAsZero, Some(Points::ZERO)),
            None => (CellState::NotHandedIn, None),
        };
        let tally = points.map_or_else(Tally::default, |points| Tally::of(points, best));
        let cell = Cell {
            item: column.item,
            state,
            points,
            percent: tally.percent(),
            attempt: counting.map(|(number, _)| number),
            awaits_grade: attempts.iter().any(|one| one.worth(best).is_none()),
            dropped: false,
            overdue_since,
        };
        Self { cell, group, tally }
    }
}

/// Where the learner stands in a group, or in what is in none; marks what is dropped.
fn standing(
    scheme: &GradebookScheme,
    group: Option<&GradeGroup>,
    entries: &mut [Entry<'_>],
) -> GroupStanding {
    let id = group.map(|group| group.id.as_str());
    let is_inside = |entry: &&mut Entry<'_>| entry.group.map(|group| group.id.as_str()) == id;
    let mut inside: Vec<&mut Entry<'_>> = entries.iter_mut().filter(is_inside).collect();
    let tallies: Vec<Tally> = inside.iter().map(|entry| entry.tally).collect();
    let most = group.map_or(0, |group| usize::from(group.drop_lowest));
    let flags = dropping::dropped(&tallies, most);
    let mut standing = GroupStanding {
        group: id.map(str::to_owned),
        weight: group.map_or_else(|| scheme.left_over(), |group| group.weight),
        tally: Tally::default(),
        counted: 0,
        dropped: 0,
    };
    for (entry, dropped) in inside.iter_mut().zip(flags) {
        entry.cell.dropped = dropped;
        if dropped {
            standing.dropped += 1;
        } else if entry.tally.possible() > 0 {
            standing.counted += 1;
            standing.tally = standing.tally.plus(entry.tally);
        }
    }
    standing
}

#[cfg(test)]
mod tests;
