//! Down to which confidence grades may go out.
//!
//! Thresholds are tested from high to low, each at the whole of what may be spent, and the first that does not hold ends
//! it: a wrong promise must have held at the first threshold with too many errors, so nothing is paid for how many there
//! are. Which are tested is fixed by confidences alone, before the first grade.
//!
//! Sources: P. Bauer, *Multiple testing in clinical trials*, Statistics in Medicine 10 (1991); B. L. Wiens, *A fixed sequence
//! Bonferroni procedure*, Pharmaceutical Statistics 2 (2003); A. Angelopoulos, S. Bates, E. Candès, M. Jordan, L. Lei, *Learn
//! then Test*, arXiv 2110.01052.

use super::Delta;
use super::bounds::{Drawn, Promise, bound_at_hand, bound_of_later};

/// A threshold that is to be tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The lowest confidence that goes out, in hundredths.
    pub confidence: u8,
    /// How many of those drawn have it or more.
    pub tests: u32,
    /// How many of those at hand have it or more.
    pub at_hand: u32,
    /// With how many errors it still holds.
    pub most_errors: u32,
}

/// A threshold that was tested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// The lowest confidence that goes out, in hundredths.
    pub confidence: u8,
    /// What was found above it.
    pub drawn: Drawn,
    /// How many of those at hand have it or more.
    pub at_hand: u32,
    /// The highest share of errors among those at hand that nobody looked at.
    pub bound_at_hand: f64,
    /// The highest rate of errors of their source.
    pub bound_of_later: f64,
    /// Whether the promise holds there.
    pub holds: bool,
}

/// An answer that was drawn and graded blind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// AI's confidence, in hundredths.
    pub confidence: u8,
    /// Whether AI and teacher disagree.
    pub is_error: bool,
}

/// What came of a look.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// What was tested, in order.
    pub path: Vec<Tested>,
    /// What it leads to.
    pub verdict: Verdict,
}

/// What a look leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The promise holds down to this threshold.
    Certified(Tested),
    /// AI and teacher disagree too often.
    Disagreement,
    /// Not even a sample without an error would have been large enough.
    TooFew,
    /// Nothing was at hand.
    Empty,
}

/// Which thresholds are tested, high to low: the highest above which enough were drawn to hold without an error, then each
/// at which one error more than ever before is bearable, and last the lowest.
///
/// `population` are the confidences of all at hand that may go out, `drawn` those of the drawn, `floor` the lowest that is
/// ever tested.
pub fn grid(population: &[u8], drawn: &[u8], promise: Promise, floor: u8) -> Vec<Candidate> {
    let mut thresholds: Vec<u8> = population
        .iter()
        .copied()
        .filter(|one| *one >= floor)
        .collect();
    thresholds.sort_unstable_by(|a, b| b.cmp(a));
    thresholds.dedup();
    let lowest = thresholds.last().copied();
    let bearable = thresholds.into_iter().filter_map(|confidence| {
        let (tests, at_hand) = (above(drawn, confidence), above(population, confidence));
        let most_errors = promise.most_errors(tests, Some(at_hand))?;
        Some(Candidate {
            confidence,
            tests,
            at_hand,
            most_errors,
        })
    });
    let mut best = None;
    bearable
        .filter(|candidate| {
            let is_first_to = best.is_none_or(|best| candidate.most_errors > best);
            best = best.max(Some(candidate.most_errors));
            is_first_to || Some(candidate.confidence) == lowest
        })
        .collect()
}

fn above(confidences: &[u8], threshold: u8) -> u32 {
    let count = confidences.iter().filter(|one| **one >= threshold).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Goes down the grid while the promise holds; the last threshold at which it held counts.
///
/// `tests` are all that were drawn at the floor or above. That a threshold is named above which disagreement is more than
/// promised has at most the chance that may be spent, whatever the confidences are worth.
pub fn look(population: &[u8], tests: &[Test], promise: Promise, floor: u8) -> Look {
    let drawn: Vec<u8> = tests.iter().map(|test| test.confidence).collect();
    let mut path = Vec::new();
    for candidate in grid(population, &drawn, promise, floor) {
        let tested = candidate.test(tests, promise.delta);
        path.push(tested);
        if !tested.holds {
            break;
        }
    }
    let held = path.iter().rfind(|tested| tested.holds).copied();
    let verdict = match held {
        Some(tested) => Verdict::Certified(tested),
        None if !path.is_empty() => Verdict::Disagreement,
        None if !population.is_empty() => Verdict::TooFew,
        None => Verdict::Empty,
    };
    Look { path, verdict }
}

impl Candidate {
    fn test(self, tests: &[Test], delta: Delta) -> Tested {
        let above = tests
            .iter()
            .filter(|test| test.confidence >= self.confidence);
        let drawn = Drawn::count(above.map(|test| test.is_error));
        Tested {
            confidence: self.confidence,
            drawn,
            at_hand: self.at_hand,
            // No more can be drawn than there are.
            bound_at_hand: bound_at_hand(drawn, delta, self.at_hand).unwrap_or(1.0),
            bound_of_later: bound_of_later(drawn, delta),
            holds: drawn.errors() <= self.most_errors,
        }
    }
}
