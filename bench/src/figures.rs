//! Arithmetic over what was measured: samples of rounds, their median, how far apart they lie.

use std::time::Duration;

use serde::Serialize;

/// The same figure from several rounds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Of what can be compared; a figure that is none (a division by nothing) is left out.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        Self(
            figures
                .into_iter()
                .filter(|figure| figure.is_finite())
                .collect(),
        )
    }

    /// The middle one; of an even number the mean of the two in the middle; nothing of none.
    pub fn median(&self) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)?;
        if sorted.len() % 2 == 1 {
            return Some(upper);
        }
        let lower = *sorted.get(middle.checked_sub(1)?)?;
        Some(f64::midpoint(lower, upper))
    }

    /// The smallest.
    pub fn min(&self) -> Option<f64> {
        self.0.iter().copied().min_by(f64::total_cmp)
    }

    /// The largest.
    pub fn max(&self) -> Option<f64> {
        self.0.iter().copied().max_by(f64::total_cmp)
    }
}

/// The value that this share (0 to 1) of all lies at or below, by the nearest rank; nothing of none.
pub fn percentile(figures: &[f64], share: f64) -> Option<f64> {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (1..=sorted.len()).find(|rank| number(*rank) >= share * number(sorted.len()))?;
    sorted.get(rank - 1).copied()
}

/// A count as a figure to calculate with: exact to 32 bits, which no count of a bench exceeds.
pub fn number<T: TryInto<u32>>(count: T) -> f64 {
    count.try_into().map_or(f64::INFINITY, f64::from)
}

/// Milliseconds.
pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// A number that says nothing of this one, and is nobody else's: splitmix64.
pub fn mixed(n: u64) -> u64 {
    let mut bits = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle_whatever_the_order() {
        assert_eq!(Samples::of([9.0, 1.0, 4.0]).median(), Some(4.0));
        assert_eq!(Samples::of([9.0, 1.0, 4.0, 2.0]).median(), Some(3.0));
        assert_eq!(Samples::of([7.0]).median(), Some(7.0));
        assert_eq!(Samples::of([]).median(), None);
    }

    #[test]
    fn what_cannot_be_compared_is_left_out() {
        let samples = Samples::of([1.0 / 0.0, 2.0, f64::NAN, 0.5]);
        assert_eq!((samples.min(), samples.max()), (Some(0.5), Some(2.0)));
        assert_eq!(samples.median(), Some(1.25));
        assert_eq!(Samples::default().min(), None);
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&hundred, 0.5), Some(50.0));
        assert_eq!(percentile(&hundred, 0.95), Some(95.0));
        assert_eq!(percentile(&hundred, 0.99), Some(99.0));
        assert_eq!(percentile(&[3.0], 0.99), Some(3.0));
        assert_eq!(percentile(&[], 0.5), None);
    }

    #[test]
    fn milliseconds_keep_their_fractions() {
        assert!((millis(Duration::from_micros(1_250)) - 1.25).abs() < 1e-12);
        assert!((number(3_usize) - 3.0).abs() < f64::EPSILON);
    }
}
