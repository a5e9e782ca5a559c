//! Which answers are graded blind. Nobody can choose them, and with the seed everybody can check afterwards that nobody
//! did.
//!
//! Source: E. Ohlsson, *Coordination of samples using permanent random numbers*, Business Survey Methods (1995): each
//! submission has one number under a seed, so that a longer sample begins with the shorter one.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::Rate;
use crate::hex;

/// What every message that is numbered begins with.
const PREFIX: &str = "lyceum-draw-1";
/// Of how many answers after a certificate one in five is audited.
const EARLY: u32 = 40;
/// How many of these are audited.
const EARLY_SHARE: Rate = Rate::percent(20);
/// How many go out in a row at most without an audit.
const LONGEST_GAP: u32 = 39;

/// What an answer is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lot {
    /// A test, before there is a certificate.
    Test,
    /// An audit, while there is one.
    Audit,
}

impl Lot {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Audit => "audit",
        }
    }
}

/// Thirty-two random bytes that were sealed before anything was drawn with them.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// These bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The one that was shown as this text; none where it is no seed.
    pub fn revealed_as(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let pairs = text.as_bytes().chunks_exact(2);
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// SHA-256 of its bytes, lower-case hex: said before anything is drawn, so that nobody can change it afterwards.
    pub fn hash(&self) -> String {
        hex::lower(&Sha256::digest(self.0))
    }

    /// Its bytes, lower-case hex: for the end of a certificate, not before.
    pub fn revealed(&self) -> String {
        hex::lower(&self.0)
    }

    /// The number that a submission always has under this seed, of 2⁶⁴: the first eight bytes of HMAC-SHA256. Nobody knows
    /// it without the seed.
    pub fn number(&self, lot: Lot, submission_id: &str) -> u64 {
        let message = format!("{PREFIX}\n{}\n{submission_id}", lot.as_str());
        // HMAC takes keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            return u64::MAX;
        };
        mac.update(message.as_bytes());
        let bytes = mac.finalize().into_bytes();
        bytes
            .iter()
            .take(8)
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// The sample: so many submissions of the lowest numbers, in that order.
    pub fn sample<'a>(&self, submission_ids: &[&'a str], tests: usize) -> Vec<&'a str> {
        let mut numbered: Vec<(u64, &str)> = submission_ids
            .iter()
            .map(|id| (self.number(Lot::Test, id), *id))
            .collect();
        numbered.sort_unstable();
        numbered.into_iter().take(tests).map(|(_, id)| id).collect()
    }

    /// Whether an answer that would go out is held for a blind look instead: one in five of the first forty, then
    /// `share`, and always where 39 went out since the last.
    pub fn is_audited(&self, submission_id: &str, arrivals: Arrivals, share: Rate) -> bool {
        let share = if arrivals.arrived <= EARLY {
            EARLY_SHARE
        } else {
            share
        };
        let number = u128::from(self.number(Lot::Audit, submission_id)) * 1_000_000;
        arrivals.since_audit >= LONGEST_GAP || number < u128::from(share.parts()) << 64
    }
}

/// How many answers that would go out came since a certificate was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Arrivals {
    /// All of them, the one in question included.
    pub arrived: u32,
    /// How many of them went out since the last audit.
    pub since_audit: u32,
}

/// A seed is a secret until its certificate has ended.
impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed")
    }
}
