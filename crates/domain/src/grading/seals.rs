//! What a record of the grade history commits to, and how that is taken.

use sha2::{Digest, Sha256};

use crate::hex;

/// What a sealed record commits to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// 1 for the first sealed record of the submission, and so on without a gap.
    pub sequence: u32,
    /// SHA-256 of the submission's text.
    pub text_hash: String,
    /// SHA-256 of the answer as it came, where a grader gave one.
    pub answer_hash: Option<String>,
    /// Hash of the receipt before this one, or [`NOTHING_BEFORE`](super::receipts::NOTHING_BEFORE).
    pub previous: String,
    /// SHA-256 of the canonical form of the record with the members above.
    pub hash: String,
}

/// SHA-256 of a text's UTF-8 bytes, lower-case hex.
pub fn hash_of(text: &str) -> String {
    hex::lower(&Sha256::digest(text.as_bytes()))
}
