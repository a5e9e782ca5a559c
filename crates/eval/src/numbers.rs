//! Counting in floating point, and draws that come out the same in every year.

/// A count as a number to calculate with; counts of answers stay far below where this would round.
pub fn count(of: usize) -> f64 {
    u32::try_from(of).map_or(f64::from(u32::MAX), f64::from)
}

/// Rounded to four decimals, so that reports made on different machines are equal to the byte.
pub fn rounded(number: f64) -> f64 {
    // Adding zero turns a negative zero into zero.
    (number * 10_000.0).round() / 10_000.0 + 0.0
}

/// The mean, of at least one number.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / count(numbers.len()))
}

/// The `share`-th quantile (0..=1), the nearest rank.
pub fn quantile(numbers: &[f64], share: f64) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let place = (count(last) * share.clamp(0.0, 1.0)).round();
    // The text of a rounded float has no fraction, so reading it back needs no cast.
    let at = format!("{place:.0}").parse().unwrap_or(last);
    sorted.get(at).copied()
}

/// `SplitMix64` (Steele, Lea & Flood 2014): a published sequence, so a seed means the same in every version.
#[derive(Debug, Clone)]
pub struct Draws(u64);

impl Draws {
    /// Draws that follow from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Draws that follow from a seed and a name, so that one name's draws do not depend on another's.
    pub fn named(seed: u64, name: &str) -> Self {
        // FNV-1a: all it has to do is to tell names apart.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(seed ^ hash)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 where there is none. The bias is below 2⁻⁴⁰ for anything we count.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % limit).unwrap_or_default()
    }

    /// Puts entries into a random order (Fisher–Yates).
    pub fn shuffle<T>(&mut self, entries: &mut [T]) {
        for at in (1..entries.len()).rev() {
            entries.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // First outputs for the seed 1234567, as given with the reference implementation's test vectors.
        let mut draws = Draws::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| draws.next()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn a_shuffle_keeps_every_entry() {
        let mut entries: Vec<usize> = (0..50).collect();
        Draws::named(7, "question").shuffle(&mut entries);
        assert_ne!(entries, (0..50).collect::<Vec<_>>());
        entries.sort_unstable();
        assert_eq!(entries, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn quantiles_are_found_by_rank() {
        let numbers = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(quantile(&numbers, 0.5), Some(3.0));
        assert_eq!(quantile(&numbers, 0.95), Some(5.0));
        assert_eq!(quantile(&numbers, 0.0), Some(1.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
