//! What all that learners did at one task says about it: how its points are spread, and how difficult and how telling each of its parts is.

use std::collections::BTreeMap;
use std::time::Duration;

use super::decisions::{DecidedGrade, WeekOfDecisions};
use super::distribution::Distribution;
use super::feedback::TimeToFeedback;
use super::item_analysis::{ItemAnalysis, ItemScore};
use super::work::{Attempted, counting};
use crate::Timestamp;
use crate::authoring::courses::gradebook::CountingAttempt;
use crate::ids::UserId;
use crate::points::Points;

/// A part of a task: a criterion of its rubric, or a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskPart {
    /// Unique within the task.
    pub id: String,
    /// Best possible points.
    pub best_possible: Points,
}

/// What was earned at a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartScore {
    /// Which part.
    pub id: String,
    /// The points.
    pub points: Points,
    /// The best possible when it was handed in.
    pub best_possible: Points,
}

/// An attempt of a learner at the task, with what was earned at its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskAttempt {
    /// Whose.
    pub user_id: UserId,
    /// What came of it.
    pub attempted: Attempted,
    /// When the grade that it has was there for its learner, where that is known; none of what answers at once.
    pub shown_at: Option<Timestamp>,
    /// What a member made of AI's grade, where one decided about it and it is known when; none where AI's grade was not there before.
    pub decided: Option<DecidedGrade>,
    /// The parts that were judged, each once.
    pub parts: Vec<PartScore>,
}

impl TaskAttempt {
    fn wait(&self) -> Option<Duration> {
        Some(self.shown_at?.since(self.attempted.handed_in_at))
    }
}

/// What learners did at a task, taken together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskStatistics {
    /// How many learners have handed something in.
    pub learners: usize,
    /// How the points that count are spread; none where nobody has any.
    pub distribution: Option<Distribution>,
    /// How long learners waited, of all attempts; none where none was waited for.
    pub time_to_feedback: Option<TimeToFeedback>,
    /// What members made of AI's grades, of all attempts, week by week.
    pub decisions: Vec<WeekOfDecisions>,
    /// Of each part what it says, in the order of the parts.
    pub parts: Vec<ItemAnalysis>,
}

impl TaskStatistics {
    /// Of the attempts that learners have handed in, in any order; of each learner the one counts that `rule` says. A part is analysed by
    /// those to whom it was worth what it is worth now.
    pub fn of(
        attempts: &[TaskAttempt],
        rule: CountingAttempt,
        best_possible: Points,
        parts: &[TaskPart],
    ) -> Self {
        let mut by_learner: BTreeMap<UserId, Vec<&TaskAttempt>> = BTreeMap::new();
        for attempt in attempts {
            by_learner.entry(attempt.user_id).or_default().push(attempt);
        }
        let counted: Vec<(&TaskAttempt, Points)> = by_learner
            .values()
            .filter_map(|attempts| counted(attempts, rule, best_possible))
            .collect();
        let points: Vec<Points> = counted.iter().map(|(_, points)| *points).collect();
        let waits: Vec<Duration> = attempts.iter().filter_map(TaskAttempt::wait).collect();
        let decided: Vec<DecidedGrade> = attempts.iter().filter_map(|one| one.decided).collect();
        let analysed = |part: &TaskPart| {
            let scores = counted
                .iter()
                .filter_map(|(attempt, _)| score_at(attempt, part));
            ItemAnalysis::of(&scores.collect::<Vec<_>>(), part.best_possible)
        };
        Self {
            learners: by_learner.len(),
            distribution: Distribution::of(&points, best_possible),
            time_to_feedback: TimeToFeedback::of(&waits),
            decisions: WeekOfDecisions::all(&decided),
            parts: parts.iter().map(analysed).collect(),
        }
    }
}

/// The attempt of a learner that counts, and its points.
fn counted<'a>(
    attempts: &[&'a TaskAttempt],
    rule: CountingAttempt,
    best_possible: Points,
) -> Option<(&'a TaskAttempt, Points)> {
    let all: Vec<Attempted> = attempts.iter().map(|one| one.attempted).collect();
    let (number, points) = counting(&all, rule, best_possible)?;
    let mut attempts = attempts.iter();
    let attempt = attempts.find(|one| one.attempted.number == number)?;
    Some((attempt, points))
}

/// What an attempt earned at a part and at all others together; none where it was not judged or was worth something else then.
fn score_at(attempt: &TaskAttempt, part: &TaskPart) -> Option<ItemScore> {
    let is_it = |one: &&PartScore| one.id == part.id;
    let score = attempt.parts.iter().find(is_it)?;
    let rest = attempt.parts.iter().filter(|one| !is_it(one));
    let rest: i64 = rest.map(|one| i64::from(one.points.hundredths())).sum();
    (score.best_possible == part.best_possible).then(|| ItemScore {
        points: score.points,
        rest: Points::from_hundredths(rest),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    fn attempt(user: u128, number: u32, points: Option<u16>, parts: &[(&str, u16)]) -> TaskAttempt {
        let part = |(id, points): &(&str, u16)| PartScore {
            id: (*id).to_owned(),
            points: Points::whole(*points),
            best_possible: Points::whole(10),
        };
        TaskAttempt {
            user_id: Id::from_uuid(uuid::Uuid::from_u128(user)),
            attempted: Attempted {
                number,
                points: points.map(Points::whole),
                best_possible: Points::whole(20),
                handed_in_at: Timestamp::from_unix_millis(number.into()),
            },
            shown_at: None,
            decided: None,
            parts: parts.iter().map(part).collect(),
        }
    }

    fn parts() -> [TaskPart; 2] {
        ["a", "b"].map(|id| TaskPart {
            id: id.to_owned(),
            best_possible: Points::whole(10),
        })
    }

    fn of(attempts: &[TaskAttempt], rule: CountingAttempt) -> TaskStatistics {
        TaskStatistics::of(attempts, rule, Points::whole(20), &parts())
    }

    fn difficulty(statistics: &TaskStatistics, part: usize) -> Option<i32> {
        let difficulty = statistics.parts[part].difficulty;
        difficulty.map(super::super::Thousandths::thousandths)
    }

    #[test]
    fn of_each_learner_one_attempt_counts_and_its_parts_with_it() {
        let all = [
            attempt(1, 1, Some(10), &[("a", 8), ("b", 2)]),
            attempt(1, 2, Some(16), &[("a", 6), ("b", 10)]),
            attempt(2, 1, Some(4), &[("a", 4), ("b", 0)]),
            attempt(3, 1, None, &[]),
        ];
        let best = of(&all, CountingAttempt::Best);
        assert_eq!(
            (best.learners, best.distribution.map(|one| one.learners)),
            (3, Some(2))
        );
        assert_eq!(
            best.distribution.map(|one| one.mean),
            Some(Points::whole(10))
        );
        assert_eq!(
            [0, 1].map(|part| difficulty(&best, part)),
            [Some(500), Some(500)]
        );
        let first = of(&all, CountingAttempt::First);
        assert_eq!(
            [0, 1].map(|part| difficulty(&first, part)),
            [Some(600), Some(100)]
        );
    }

    #[test]
    fn who_is_good_at_the_rest_is_good_at_a_part_that_tells() {
        let learner = |n: u16| {
            let [a, b] = [n % 11, n % 11];
            attempt(n.into(), 1, Some(a + b), &[("a", a), ("b", b)])
        };
        let few: Vec<TaskAttempt> = (1..=9).map(learner).collect();
        assert_eq!(
            of(&few, CountingAttempt::Best).parts[0].discrimination,
            None
        );
        let enough: Vec<TaskAttempt> = (1..=10).map(learner).collect();
        let told = of(&enough, CountingAttempt::Best).parts[1].discrimination;
        assert_eq!(
            told.map(super::super::Thousandths::thousandths),
            Some(1_000)
        );
    }

    #[test]
    fn a_part_that_was_worth_something_else_or_was_not_judged_says_nothing() {
        let mut changed = attempt(1, 1, Some(12), &[("a", 6), ("b", 6)]);
        changed.parts[0].best_possible = Points::whole(12);
        let all = [changed, attempt(2, 1, Some(5), &[("b", 5)])];
        let statistics = of(&all, CountingAttempt::Best);
        assert_eq!([0, 1].map(|part| statistics.parts[part].learners), [0, 2]);
        assert_eq!(difficulty(&statistics, 0), None);
        assert_eq!(of(&[], CountingAttempt::Best).distribution, None);
    }
}
