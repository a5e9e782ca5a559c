//! Chance for tests of whole lives.

use super::draw::Seed;

/// Numbers that look like chance and are the same in every run: `SplitMix64` (Steele, Lea & Flood 2014).
pub struct Dice(pub u64);

impl Dice {
    /// The next number.
    pub fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// True so often of a hundred times.
    pub fn happens(&mut self, percent: u64) -> bool {
        self.throw() % 100 < percent
    }

    /// In hundredths.
    pub fn confidence(&mut self) -> u8 {
        u8::try_from(self.throw() % 101).unwrap()
    }

    /// Of its own.
    pub fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        for eight in bytes.chunks_mut(8) {
            eight.copy_from_slice(&self.throw().to_le_bytes());
        }
        Seed::new(bytes)
    }
}
