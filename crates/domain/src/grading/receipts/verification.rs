//! Whether a submission's grade history is still what was sealed.

use super::{BreakReason, ChainHead, Kept, Receipt, hash_of, receipt_hash, tombstone};
use crate::grading::grades::{Grade, TAKEN_BACK};
use crate::grading::submissions::{StandingGrade, SubmissionStatus};
use crate::ids::GradeId;

/// What a walk over a submission's records found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// How many records there are.
    pub records: usize,
    /// How many of them are older than receipts, and so can be neither confirmed nor doubted.
    pub unsealed: usize,
    /// How many of the sealed ones have lost their texts because the person was erased; of these the points, the
    /// hashes and the place in the chain hold.
    pub erased: usize,
    /// The first that does not hold.
    pub first_broken: Option<Broken>,
}

impl Verification {
    /// Whether every sealed record holds, and none is missing.
    pub const fn holds(&self) -> bool {
        self.first_broken.is_none()
    }
}

/// Where a chain breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// The record that does not hold; none where the newest are gone.
    pub grade_id: Option<GradeId>,
    /// Its place in the chain, or that of the first one missing; none where a record lost its receipt.
    pub sequence: Option<u32>,
    /// Why.
    pub reason: BreakReason,
}

/// Walks over all records of a submission with this text, in whatever order they come.
///
/// A record is held against its own receipt first: only what is as it was sealed can say what its text, rubric and
/// answer were. A record whose person was erased is held against its tombstone instead. Records without a receipt are passed over, unless one was made after the first that has one.
pub fn verify(text: &str, head: &ChainHead, records: &[(Grade, Kept)]) -> Verification {
    let mut sealed: Vec<(&Receipt, &Grade, &Kept)> = records
        .iter()
        .filter_map(|(grade, kept)| Some((grade.receipt.as_ref()?, grade, kept)))
        .collect();
    sealed.sort_by_key(|(receipt, ..)| receipt.sequence);
    let stripped = sealed.iter().map(|(_, grade, _)| grade.id).min();
    let stripped = stripped.and_then(|first| stripped_after(first, records));
    Verification {
        records: records.len(),
        unsealed: records.len() - sealed.len(),
        erased: sealed
            .iter()
            .filter(|(.., kept)| kept.tombstone.is_some())
            .count(),
        first_broken: first_broken(text, head, &sealed, stripped),
    }
}

/// The first record that was made after the first sealed one and has no receipt.
fn stripped_after(first: GradeId, records: &[(Grade, Kept)]) -> Option<GradeId> {
    let bare = records.iter().filter(|(grade, _)| grade.receipt.is_none());
    bare.map(|(grade, _)| grade.id)
        .filter(|id| *id > first)
        .min()
}

fn first_broken(
    text: &str,
    head: &ChainHead,
    sealed: &[(&Receipt, &Grade, &Kept)],
    stripped: Option<GradeId>,
) -> Option<Broken> {
    let mut before = ChainHead::default();
    for (receipt, grade, kept) in sealed {
        if let Some(id) = stripped.filter(|id| *id < grade.id) {
            return Some(without_receipt(id));
        }
        let expected = before.sequence.saturating_add(1);
        if let Some(reason) = problem(text, expected, &before.hash, grade, receipt, kept) {
            return Some(Broken {
                grade_id: Some(grade.id),
                sequence: Some(if reason == BreakReason::RecordMissing {
                    expected
                } else {
                    receipt.sequence
                }),
                reason,
            });
        }
        before = ChainHead {
            sequence: receipt.sequence,
            hash: receipt.hash.clone(),
        };
    }
    stripped
        .map(without_receipt)
        .or_else(|| cut_off(&before, head, sealed))
}

const fn without_receipt(id: GradeId) -> Broken {
    Broken {
        grade_id: Some(id),
        sequence: None,
        reason: BreakReason::RecordChanged,
    }
}

/// What is wrong with a record that should be the `expected`-th and follow the receipt with the hash `previous`.
fn problem(
    text: &str,
    expected: u32,
    previous: &str,
    grade: &Grade,
    receipt: &Receipt,
    kept: &Kept,
) -> Option<BreakReason> {
    let holds = match &kept.tombstone {
        None => receipt_hash(grade, receipt) == receipt.hash,
        Some(stone) => *stone == tombstone(grade, receipt),
    };
    if !holds {
        return Some(BreakReason::RecordChanged);
    }
    if receipt.sequence != expected {
        return Some(BreakReason::RecordMissing);
    }
    if receipt.previous != previous {
        return Some(BreakReason::LinkBroken);
    }
    if kept.tombstone.is_none() && receipt.text_hash != hash_of(text) {
        return Some(BreakReason::TextChanged);
    }
    if kept.rubric.as_deref().map(hash_of).as_ref() != Some(&grade.rubric_hash) {
        return Some(BreakReason::RubricChanged);
    }
    if kept.tombstone.is_none() && kept.answer.as_deref().map(hash_of) != receipt.answer_hash {
        return Some(BreakReason::AnswerChanged);
    }
    None
}

/// What the newest receipt, noted apart, says of the end of the chain.
fn cut_off(
    last: &ChainHead,
    head: &ChainHead,
    sealed: &[(&Receipt, &Grade, &Kept)],
) -> Option<Broken> {
    if last == head {
        return None;
    }
    if last.sequence < head.sequence {
        return Some(Broken {
            grade_id: None,
            sequence: Some(last.sequence.saturating_add(1)),
            reason: BreakReason::RecordMissing,
        });
    }
    // Sealed anew, or added, by somebody who did not tell the submission.
    Some(Broken {
        grade_id: sealed.last().map(|(_, grade, _)| grade.id),
        sequence: Some(last.sequence),
        reason: BreakReason::LinkBroken,
    })
}

impl Verification {
    /// Holds the grade that a submission shows against the record it was made by: the newest of a person, else the
    /// newest of AI. A record that does not hold itself has been named already.
    #[must_use]
    pub fn with_standing(
        mut self,
        standing: Option<&StandingGrade>,
        status: SubmissionStatus,
        records: &[(Grade, Kept)],
    ) -> Self {
        if self.holds() {
            self.first_broken = standing.and_then(|shown| departed(shown, status, records));
        }
        self
    }
}

fn departed(
    shown: &StandingGrade,
    status: SubmissionStatus,
    records: &[(Grade, Kept)],
) -> Option<Broken> {
    let by_person = |grade: &&Grade| grade.grader.is_member();
    let all = || records.iter().map(|(grade, _)| grade);
    let newest = |grade: &&Grade| grade.id;
    let person = all().filter(by_person).max_by_key(newest);
    // What AI proposes after a submission was given back stands beside the grade.
    if person.is_none()
        && status == SubmissionStatus::Returned
        && all().any(|one| is_of(shown, one))
    {
        return None;
    }
    // Whoever took a decision back left the last word to AI again.
    let person = person.filter(|one| one.reason.as_deref() != Some(TAKEN_BACK));
    let record = person.or_else(|| all().max_by_key(newest))?;
    let receipt = record.receipt.as_ref()?;
    (!is_of(shown, record)).then_some(Broken {
        grade_id: Some(record.id),
        sequence: Some(receipt.sequence),
        reason: BreakReason::GradeChanged,
    })
}

fn is_of(shown: &StandingGrade, record: &Grade) -> bool {
    shown.score == record.score
        && shown.feedback == record.feedback
        && shown.criteria == record.criteria
}
