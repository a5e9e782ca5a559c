//! How long learners wait for feedback: from handing in to when the grade that stands was there for them.

use std::time::Duration;

use crate::Timestamp;
use crate::grading::grades::GradeSource;

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// What is known of when a grade that is out came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GradeMoments {
    /// Who judged.
    pub by: GradeSource,
    /// When.
    pub at: Timestamp,
    /// Whether a member gave it, or let AI's stand.
    pub is_decided: bool,
    /// When they did, where that was kept.
    pub decided_at: Option<Timestamp>,
    /// Whether it was out before they did.
    pub was_out: bool,
}

impl GradeMoments {
    /// When it was there for its learner. A grade of AI that was held was not, until somebody let it stand; none where nobody noted when
    /// that was.
    pub fn shown_at(&self) -> Option<Timestamp> {
        let was_held = self.by == GradeSource::Ai && self.is_decided && !self.was_out;
        if was_held {
            self.decided_at
        } else {
            Some(self.at)
        }
    }
}

/// How long learners waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeToFeedback {
    /// How many grades are counted.
    pub grades: usize,
    /// What half of them did not take longer than.
    pub median: Duration,
    /// What nine tenths of them did not take longer than.
    pub ninth_decile: Duration,
    /// The longest.
    pub longest: Duration,
    /// How many took no longer than each of [`Self::STEPS`] and longer than the one before; the last, how many took longer than all.
    pub spread: [usize; Self::STEPS.len() + 1],
}

impl TimeToFeedback {
    /// An hour, a day, two, three, a week and two.
    pub const STEPS: [Duration; 6] = [
        Duration::from_secs(HOUR),
        Duration::from_secs(DAY),
        Duration::from_secs(2 * DAY),
        Duration::from_secs(3 * DAY),
        Duration::from_secs(7 * DAY),
        Duration::from_secs(14 * DAY),
    ];

    /// Of what each took, in any order; none where nothing has feedback. Quantiles are grades that there are: the first that as many as
    /// asked for did not take longer than (definition 1 of Hyndman and Fan, *Sample Quantiles in Statistical Packages*, The American
    /// Statistician 50, 1996).
    pub fn of(waits: &[Duration]) -> Option<Self> {
        let mut sorted = waits.to_vec();
        sorted.sort_unstable();
        let longest = *sorted.last()?;
        let mut spread = [0; Self::STEPS.len() + 1];
        for wait in &sorted {
            let step = Self::STEPS.partition_point(|step| step < wait);
            if let Some(grades) = spread.get_mut(step) {
                *grades += 1;
            }
        }
        Some(Self {
            grades: sorted.len(),
            median: tenths(&sorted, 5),
            ninth_decile: tenths(&sorted, 9),
            longest,
            spread,
        })
    }
}

/// The first of what is sorted that so many tenths are not above.
fn tenths(sorted: &[Duration], many: usize) -> Duration {
    let place = (sorted.len() * many).div_ceil(10).saturating_sub(1);
    sorted.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_millis(seconds * 1_000)
    }

    #[test]
    fn a_grade_is_there_when_it_is_given_but_for_one_that_was_held() {
        let alone = GradeMoments {
            by: GradeSource::Ai,
            at: at(5),
            is_decided: false,
            decided_at: None,
            was_out: false,
        };
        assert_eq!(alone.shown_at(), Some(at(5)));
        let accepted = GradeMoments {
            is_decided: true,
            decided_at: Some(at(9)),
            ..alone
        };
        assert_eq!(accepted.shown_at(), Some(at(9)));
        let out = GradeMoments {
            was_out: true,
            ..accepted
        };
        assert_eq!(out.shown_at(), Some(at(5)));
        let before_it_was_kept = GradeMoments {
            decided_at: None,
            ..accepted
        };
        assert_eq!(before_it_was_kept.shown_at(), None);
        let persons = GradeMoments {
            by: GradeSource::Human,
            ..before_it_was_kept
        };
        assert_eq!(persons.shown_at(), Some(at(5)));
    }

    #[test]
    fn nothing_has_no_time() {
        assert_eq!(TimeToFeedback::of(&[]), None);
    }

    #[test]
    fn quantiles_are_waits_that_there_were() {
        let waits: Vec<Duration> = (1..=10).rev().map(Duration::from_secs).collect();
        let found = TimeToFeedback::of(&waits).unwrap();
        assert_eq!((found.grades, found.median), (10, Duration::from_secs(5)));
        assert_eq!(found.ninth_decile, Duration::from_secs(9));
        assert_eq!(found.longest, Duration::from_secs(10));
        let one = TimeToFeedback::of(&waits[..1]).unwrap();
        assert_eq!((one.median, one.ninth_decile), (waits[0], waits[0]));
    }

    #[test]
    fn each_is_counted_at_the_first_step_that_it_is_not_above() {
        let mut waits = TimeToFeedback::STEPS.to_vec();
        waits.push(Duration::ZERO);
        waits.push(Duration::from_secs(HOUR) + Duration::from_millis(1));
        waits.push(Duration::from_secs(15 * DAY));
        let found = TimeToFeedback::of(&waits).unwrap();
        assert_eq!(found.spread, [2, 2, 1, 1, 1, 1, 1]);
        assert_eq!(found.spread.iter().sum::<usize>(), found.grades);
    }
}
