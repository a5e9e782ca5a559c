//! What stays of a sealed record when the person it is about is erased.
//!
//! The texts go; points, names of criteria and the receipt with its hashes stay, so that the records after it still
//! follow. The record can no longer be held against its own receipt, whose hash was taken with the texts: a tombstone,
//! a hash over what is left and over the receipt, takes its place. Format `lyceum-tombstone-1`, see
//! `docs/ai-internals.md`.

use serde_json::json;

use super::{Kept, Receipt, form, hash_of};
use crate::authoring::rubric::canonical;
use crate::grading::grades::{APPROVED, CriterionResult, Grade, TAKEN_BACK};

/// Names the canonical form that a tombstone's hash is taken of.
pub const TOMBSTONE: &str = "lyceum-tombstone-1";

impl Grade {
    /// The same record without a word of or about the person, and what is kept beside it then.
    ///
    /// Doing it twice changes nothing.
    #[must_use]
    pub fn erased(mut self, kept: Kept) -> (Self, Kept) {
        self.feedback = String::new();
        self.review_reasons = Vec::new();
        self.reason = self
            .reason
            .filter(|reason| matches!(reason.as_str(), APPROVED | TAKEN_BACK));
        self.criteria = self
            .criteria
            .into_iter()
            .map(CriterionResult::erased)
            .collect();
        let tombstone = self
            .receipt
            .as_ref()
            .map(|receipt| tombstone(&self, receipt));
        let kept = Kept {
            rubric: kept.rubric,
            answer: None,
            result_key: None,
            tombstone,
        };
        (self, kept)
    }
}

impl CriterionResult {
    /// The same points without a word of or about the person.
    #[must_use]
    pub fn erased(self) -> Self {
        Self {
            rationale: String::new(),
            evidence: Vec::new(),
            missing: Vec::new(),
            not_judged: self.not_judged.map(|_| String::new()),
            ..self
        }
    }
}

/// The tombstone that an erased record with this receipt must have.
pub fn tombstone(grade: &Grade, receipt: &Receipt) -> String {
    let left = json!({
        "format": TOMBSTONE,
        "receipt": receipt.hash,
        "record": form(grade, receipt),
    });
    hash_of(&canonical(&left))
}
