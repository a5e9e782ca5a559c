//! Receipts: what makes a submission's grade history hold.
//!
//! Each sealed record commits by hash to the text it judged, to the rubric and the answer it was judged by, to
//! everything in it that must never change, and to the receipt of the record before it. Whoever changes any of
//! these afterwards, or takes a record away, leaves a history that no longer adds up. Nothing here is secret: the
//! hashes prove what was kept, not who kept it. No I/O: what is stored is handed in.
//!
//! The format is `lyceum-receipt-1`; `docs/ai-internals.md` describes it, with an example that a test recomputes.

use serde_json::{Value, json};

use crate::authoring::rubric::canonical;
use crate::grading::grades::{CriterionResult, Grade, Grader};
pub use crate::grading::seals::{Receipt, hash_of};
use crate::ids::GradeId;
use crate::money::MicroUsd;
use crate::words::words;

mod erasure;
mod verification;

pub use erasure::{TOMBSTONE, tombstone};
pub use verification::{Broken, Verification, verify};

/// Names the canonical form that a receipt's hash is taken of.
pub const FORMAT: &str = "lyceum-receipt-1";

/// What the first receipt of a chain names as the one before it.
pub const NOTHING_BEFORE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

words!(
    /// Why a record of a chain does not hold.
    BreakReason {
        /// The record itself is not what was sealed.
        RecordChanged = "record_changed",
        /// The submission's text is not the one that was judged.
        TextChanged = "text_changed",
        /// The rubric kept with the record is not the one it was judged by.
        RubricChanged = "rubric_changed",
        /// The answer kept with the record is not the one that came.
        AnswerChanged = "answer_changed",
        /// The record does not follow from the one before it.
        LinkBroken = "link_broken",
        /// The grade that stands is not that of the record.
        GradeChanged = "grade_changed",
        /// A record is gone.
        RecordMissing = "record_missing",
    }
);

/// The newest receipt of a submission, kept beside the records so that a cut-off end shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainHead {
    /// Its sequence; 0 where nothing was sealed yet.
    pub sequence: u32,
    /// Its hash.
    pub hash: String,
}

impl Default for ChainHead {
    fn default() -> Self {
        Self {
            sequence: 0,
            hash: NOTHING_BEFORE.to_owned(),
        }
    }
}

/// What is kept beside a record, so that its hashes can be taken again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    /// The rubric's canonical JSON; its SHA-256 is the record's `rubric_hash`.
    pub rubric: Option<String>,
    /// The answer as it came.
    pub answer: Option<String>,
    /// Names what was asked, where the result may be taken over by who asks the same.
    pub result_key: Option<String>,
    /// Stands for the texts of a record whose person was erased; none while they are there.
    pub tombstone: Option<String>,
}

impl Grade {
    /// The same record with the receipt that follows `head`, for a submission of this text.
    #[must_use]
    pub fn sealed(mut self, head: &ChainHead, text: &str, kept: &Kept) -> Self {
        let mut receipt = Receipt {
            sequence: head.sequence.saturating_add(1),
            text_hash: hash_of(text),
            answer_hash: kept.answer.as_deref().map(hash_of),
            previous: head.hash.clone(),
            hash: String::new(),
        };
        receipt.hash = receipt_hash(&self, &receipt);
        self.receipt = Some(receipt);
        self
    }
}

/// The hash that the receipt of this record must have.
pub fn receipt_hash(grade: &Grade, receipt: &Receipt) -> String {
    hash_of(&canonical(&form(grade, receipt)))
}

/// The record as `lyceum-receipt-1`: every member always present, points in whole hundredths.
fn form(grade: &Grade, receipt: &Receipt) -> Value {
    let Grade {
        workspace_id,
        id,
        submission_id,
        run,
        // The only member that changes: a newer record supersedes this one.
        status: _,
        score,
        max_score,
        rubric_hash,
        criteria,
        feedback,
        review_reasons,
        grader,
        reason,
        created_at,
        receipt: _,
    } = grade;
    json!({
        "format": FORMAT,
        "workspace_id": workspace_id.to_string(),
        "submission_id": submission_id.to_string(),
        "grade_id": id.to_string(),
        "sequence": receipt.sequence,
        "previous": receipt.previous,
        "text_hash": receipt.text_hash,
        "rubric_hash": rubric_hash,
        "answer_hash": receipt.answer_hash,
        "run": run,
        "score": score.hundredths(),
        "max_score": max_score.hundredths(),
        "criteria": criteria.iter().map(criterion).collect::<Vec<_>>(),
        "feedback": feedback,
        "review_reasons": review_reasons,
        "grader": grader_form(grader),
        "reason": reason,
        "created_at": created_at.to_string(),
    })
}

fn criterion(result: &CriterionResult) -> Value {
    let CriterionResult {
        criterion_id,
        name,
        level_id,
        score,
        max_score,
        rationale,
        evidence,
        confidence,
        missing,
        not_judged,
    } = result;
    let evidence: Vec<Value> = evidence
        .iter()
        .map(|passage| json!({"start": passage.start, "end": passage.end, "quote": passage.quote}))
        .collect();
    json!({
        "criterion_id": criterion_id,
        "name": name,
        "level_id": level_id,
        "score": score.hundredths(),
        "max_score": max_score.hundredths(),
        "rationale": rationale,
        "evidence": evidence,
        "confidence": confidence,
        "missing": missing,
        "not_judged": not_judged,
    })
}

fn grader_form(grader: &Grader) -> Value {
    match grader {
        Grader::Ai {
            model,
            prompt_version,
            tokens_in,
            tokens_out,
            model_asked,
            cost,
            latency_ms,
            anchors,
            reused_from,
        } => json!({
            "source": "ai",
            "model": model,
            "model_asked": model_asked,
            "prompt_version": prompt_version,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "cost_micro_usd": cost.map(MicroUsd::millionths),
            "latency_ms": latency_ms,
            "anchors": anchors,
            "reused_from": reused_from.map(|id: GradeId| id.to_string()),
        }),
        Grader::Human {
            user_id,
            blind: false,
        } => json!({"source": "human", "user_id": user_id.to_string()}),
        // A member that records of before have not, and only where it says something: their hashes stay what they are.
        Grader::Human {
            user_id,
            blind: true,
        } => json!({"source": "human", "user_id": user_id.to_string(), "blind": true}),
        Grader::Service { user_id } => {
            json!({"source": "service", "user_id": user_id.to_string()})
        }
    }
}

#[cfg(test)]
mod tests;
