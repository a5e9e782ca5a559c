//! What a regrade would change, in figures.

use super::item::BatchItem;
use crate::grading::grades::Grader;
use crate::grading::release::disagreement::{PASS_SHARE, is_flip};
use crate::money::MicroUsd;
use crate::points::Points;
use crate::words::words;

words!(
    /// Who crosses the mark with which an answer passes, which is half of the points.
    Crossing {
        /// Failed, and would pass.
        Up = "up",
        /// Passed, and would fail.
        Down = "down",
    }
);

/// Whether new points cross the mark that old ones did not; none where they are on the same side.
pub fn crossing(old: Points, new: Points, max: Points) -> Option<Crossing> {
    is_flip(old, new, max).then(|| {
        if new > old {
            Crossing::Up
        } else {
            Crossing::Down
        }
    })
}

/// What a regrade would change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeSummary {
    /// How many answers have old points and new ones.
    pub compared: u32,
    /// How many of them would get other points.
    pub changed: u32,
    /// How many would pass that failed.
    pub up: u32,
    /// How many would fail that passed.
    pub down: u32,
    /// How many are decided by a person, and land only where a commit names them.
    pub decided: u32,
    /// How many had no grade.
    pub new: u32,
    /// New minus old points in hundredths of the best score, by tenths: the first counts what loses more than 90, the last
    /// what gains 90 or more.
    pub histogram: [u32; Self::BINS],
    /// The mean of new minus old points, in parts per million of the best score, rounded towards zero; none where none are compared.
    pub mean_change: Option<i64>,
    /// What grading took; none where the price of a call is not known.
    pub cost: Option<MicroUsd>,
}

impl ChangeSummary {
    /// From less than −90 to 90 and more, in steps of ten.
    pub const BINS: usize = 20;

    /// Of these items, in any order.
    pub fn of<'a>(items: impl Iterator<Item = &'a BatchItem>) -> Self {
        let mut summary = Self {
            cost: Some(MicroUsd::ZERO),
            ..Self::default()
        };
        let mut sum = 0_i64;
        for item in items {
            summary.add(item, &mut sum);
        }
        summary.mean_change = sum.checked_div(summary.compared.into());
        summary
    }

    fn add(&mut self, item: &BatchItem, sum: &mut i64) {
        let (Some(preview), Some(found)) = (&item.preview, &item.found) else {
            return;
        };
        let cost = match &preview.grader {
            Grader::Ai { cost, .. } => *cost,
            Grader::Human { .. } | Grader::Service { .. } => None,
        };
        self.cost = self.cost.zip(cost).map(|(so_far, one)| so_far + one);
        self.decided += u32::from(found.decided);
        let (Some(old), new, max) = (found.score, preview.judgement.score, found.max_score) else {
            self.new += 1;
            return;
        };
        self.compared += 1;
        self.changed += u32::from(old != new);
        match crossing(old, new, max) {
            Some(Crossing::Up) => self.up += 1,
            Some(Crossing::Down) => self.down += 1,
            None => {}
        }
        let change = share(old, new, max);
        *sum += change;
        if let Some(bin) = self.histogram.get_mut(bin(change)) {
            *bin += 1;
        }
    }

    /// The mark with which an answer passes, in hundredths of the best score.
    pub const fn pass_share() -> u8 {
        PASS_SHARE
    }
}

/// New minus old points, in parts per million of the best score.
fn share(old: Points, new: Points, max: Points) -> i64 {
    let [old, new, max] = [old, new, max].map(|points| i64::from(points.hundredths()));
    ((new - old) * 1_000_000).checked_div(max).unwrap_or(0)
}

fn bin(change: i64) -> usize {
    let tenths = change.div_euclid(100_000).clamp(-10, 9) + 10;
    usize::try_from(tenths).unwrap_or(0)
}
