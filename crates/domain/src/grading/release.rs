//! Whether AI's grades of an assignment may go out unseen: the statistics of it, as pure functions.
//!
//! A teacher grades answers that were drawn by lot, blind. From how often AI and teacher disagreed on them follows, with
//! a stated chance of being wrong, how often they disagree at most among those that nobody has looked at. Errors here are
//! disagreements, rates are parts of one, confidences are whole hundredths, and a confidence is a rank and nothing else:
//! every bound holds also where it is noise.
//!
//! [`bounds`] says what errors among answers drawn prove, [`draw`] which answers are drawn, [`thresholds`] down to which
//! confidence grades may go, [`offer`] whether it is worth trying, and [`monitor`] whether it still holds. Nothing here
//! reads a clock, makes a random number or knows a submission but by its id.

use std::num::NonZeroU32;

pub mod bounds;
pub mod disagreement;
pub mod draw;
pub mod monitor;
pub mod offer;
pub mod thresholds;

/// The chance, over the whole life of an assignment, that a promise made for it is wrong.
pub const DELTA: Delta = Delta(0.05);
/// What is nearer to its limit than this has not reached it: no machine's rounding decides.
pub const EPSILON: f64 = 1e-12;

/// A share of something, in whole parts per million, so that it is the same number wherever it is reckoned with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u32);

impl Rate {
    /// So many of a million; all, if it is more.
    pub const fn per_million(parts: u32) -> Self {
        Self(if parts > 1_000_000 { 1_000_000 } else { parts })
    }

    /// So many of a hundred; all, if it is more.
    pub const fn percent(parts: u32) -> Self {
        Self::per_million(parts.saturating_mul(10_000))
    }

    /// As a part of one.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 1e6
    }

    /// As parts per million.
    pub const fn parts(self) -> u32 {
        self.0
    }

    /// How many whole ones of so many it is, rounded down.
    pub fn of(self, all: u32) -> u32 {
        let whole = u64::from(self.0) * u64::from(all) / 1_000_000;
        u32::try_from(whole).unwrap_or(all)
    }
}

/// A chance of being wrong, more than none and less than one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Delta(f64);

impl Delta {
    /// This chance; none where it is no chance, or certain.
    pub fn new(chance: f64) -> Option<Self> {
        (0.0 < chance && chance < 1.0).then_some(Self(chance))
    }

    /// As a part of one.
    pub const fn chance(self) -> f64 {
        self.0
    }

    /// What look number 1, 2, 3, … of an assignment may spend of it: 3/5, 1/5, 1/10, 1/20, …, all together no more than it.
    /// The first gets most, because most teachers look once.
    #[must_use]
    pub fn of_look(self, number: NonZeroU32) -> Self {
        match number.get() {
            1 => Self(0.6 * self.0),
            later => Self(0.4 * self.0 * 0.5_f64.powf(f64::from(later - 1))),
        }
    }
}

#[cfg(test)]
pub(crate) mod dice;
#[cfg(test)]
mod lives;
#[cfg(test)]
mod tests;
