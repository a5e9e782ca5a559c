//! Draws that come out the same on every machine and in every year, from a seed that somebody gives.
//!
//! For samples and shuffles that somebody else is to make again. Whoever must not be able to foresee a draw needs
//! [`crate::grading::release::draw`]: this sequence is known to everybody who knows the seed.

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

    /// Draws that follow from where these are and from a name; these do not move, however many are made of those.
    #[must_use]
    pub fn apart(&self, name: &str) -> Self {
        Self::named(self.0, name)
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
    fn names_have_draws_of_their_own() {
        let draws = Draws::new(7);
        let first = |name: &str| draws.apart(name).next();
        assert_eq!(first("a"), first("a"));
        assert_ne!(first("a"), first("b"));
        assert_eq!(Draws::named(7, "a").next(), first("a"));
    }
}
