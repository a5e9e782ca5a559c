//! Chance that can be had again: the seed is printed, and a variable of the environment takes it back.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

/// A sequence of random choices (splitmix64).
#[derive(Debug, Clone)]
pub struct Chance {
    seed: u64,
    state: u64,
}

impl Chance {
    /// By the seed in this variable, else by one that nobody knows yet.
    pub fn from_variable(name: &str) -> Self {
        let given = std::env::var(name).ok();
        let given = given.map(|text| {
            let seed = text.parse();
            seed.unwrap_or_else(|_| panic!("{name} is a number, and not {text}"))
        });
        let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        eprintln!("{name}={seed} brings the same choices again");
        Self { seed, state: seed }
    }

    /// The seed that it all comes from.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Another sequence, for somebody who chooses beside this one.
    #[must_use]
    pub fn branch(&mut self) -> Self {
        Self {
            seed: self.seed,
            state: self.draw(),
        }
    }

    /// Any number.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number less than this.
    pub fn below(&mut self, end: u64) -> u64 {
        self.draw() % end
    }

    /// Something that happens so many times in a hundred.
    pub fn happens(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Any time from none to this.
    pub fn up_to(&mut self, longest: Duration) -> Duration {
        let share = u32::try_from(self.draw() >> 32).unwrap_or(u32::MAX);
        longest.mul_f64(f64::from(share) / f64::from(u32::MAX))
    }
}
