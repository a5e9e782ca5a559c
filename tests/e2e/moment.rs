//! Random moments that can be had again: the seed is printed, and `LYCEUM_TEST_SEED` takes it back.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

/// A sequence of random moments (splitmix64).
pub struct Moments(u64);

impl Moments {
    pub fn seeded() -> Self {
        let given = std::env::var("LYCEUM_TEST_SEED").ok();
        let given = given.map(|text| text.parse().expect("LYCEUM_TEST_SEED is a number"));
        let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        eprintln!("LYCEUM_TEST_SEED={seed} brings the same moments again");
        Self(seed)
    }

    /// Any time from none to this.
    pub fn up_to(&mut self, longest: Duration) -> Duration {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let share = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or(u32::MAX);
        longest.mul_f64(f64::from(share) / f64::from(u32::MAX))
    }
}
