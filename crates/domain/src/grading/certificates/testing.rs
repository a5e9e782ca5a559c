//! AI's grades beside those that a teacher gave without seeing them.

use std::num::NonZeroU32;

use super::declaration::{Declaration, Sample};
use crate::grading::release::disagreement::Disagreement;
use crate::grading::release::thresholds::{self, Look, Test, Verdict};
use crate::ids::SubmissionId;
use crate::points::Points;

/// A grade as a test sees it: its points, and the receipt of its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedPoints {
    /// The total.
    pub points: Points,
    /// The hash of the record's receipt.
    pub receipt: String,
}

impl SealedPoints {
    /// Those of a grade that is no more. An answer with them is given up, and nothing is held against them.
    pub const fn unknown() -> Self {
        Self {
            points: Points::ZERO,
            receipt: String::new(),
        }
    }
}

/// An answer that was drawn, and what was made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlindTest {
    /// Which answer.
    pub submission_id: SubmissionId,
    /// What AI gave.
    pub ai: SealedPoints,
    /// What the teacher gave, blind; none where no grade came of it in time, or the answer could not be graded.
    pub teacher: Option<SealedPoints>,
    /// The best possible score of both.
    pub max_score: Points,
}

impl BlindTest {
    /// Whether AI and teacher disagree. What nobody graded counts as disagreement: else hard answers would vanish.
    pub fn is_error(&self, rule: Disagreement) -> bool {
        let Some(teacher) = &self.teacher else {
            return true;
        };
        rule.between(self.ai.points, teacher.points, self.max_score)
    }
}

/// A look that was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct LookTaken {
    /// Its number in the life of the assignment.
    pub look: NonZeroU32,
    /// What was tested, and what came of it.
    pub result: Look,
    /// Each test in the order of drawing.
    pub tests: Vec<BlindTest>,
}

/// Not every answer that was drawn has been graded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} drawn answers are not graded", .0.len())]
pub struct Ungraded(pub Vec<SubmissionId>);

/// Looks at a sample of which every answer was graded, or given up.
///
/// # Errors
/// [`Ungraded`] names the answers that are missing: none may be skipped.
pub fn take_look(
    declaration: &Declaration,
    sample: &Sample,
    tests: &[BlindTest],
    left: &[SubmissionId],
) -> Result<LookTaken, Ungraded> {
    let of = |id: &SubmissionId| tests.iter().find(|test| test.submission_id == *id);
    let drawn = sample.submission_ids.iter();
    let missing: Vec<SubmissionId> = drawn
        .clone()
        .copied()
        .filter(|id| of(id).is_none())
        .collect();
    if !missing.is_empty() {
        return Err(Ungraded(missing));
    }
    let tests: Vec<BlindTest> = drawn.filter_map(of).cloned().collect();
    let result = thresholds::look(
        &declaration.confidences(left),
        &outcomes(declaration, &tests),
        declaration.terms.promise(sample.look),
        declaration.terms.floor,
    );
    Ok(LookTaken {
        look: sample.look,
        result,
        tests,
    })
}

/// What each test says, in their order.
pub fn outcomes(declaration: &Declaration, tests: &[BlindTest]) -> Vec<Test> {
    let outcome = |test: &BlindTest| {
        Some(Test {
            confidence: declaration.confidence(test.submission_id)?,
            is_error: test.is_error(declaration.terms.disagreement),
        })
    };
    tests.iter().filter_map(outcome).collect()
}

impl LookTaken {
    /// What it is called in records: `certified`, `disagreement`, `too_few` or `empty`.
    pub const fn outcome(&self) -> &'static str {
        match self.result.verdict {
            Verdict::Certified(_) => "certified",
            Verdict::Disagreement => "disagreement",
            Verdict::TooFew => "too_few",
            Verdict::Empty => "empty",
        }
    }
}
