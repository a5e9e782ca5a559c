//! Answers of an assignment of nearly the same words that were graded far apart.
//!
//! Two steps, because comparing takes longer than a transaction should: [`look`] reads, [`compare`] compares on a thread
//! where nothing waits for it.

use std::collections::BTreeMap;

use lyceum_domain::grading::consistency::{GradedText, MOST_READ, unequal_pairs};
use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::ids::{AssignmentId, SubmissionId};
use lyceum_domain::points::Points;
use lyceum_wire::grading::consistency::ConsistencyView;

use crate::prelude::*;

/// So many of the newest answers are looked at.
const LOOKED_AT: u16 = 1_000;
/// So many texts are read at a time; of each only the beginning is kept.
const READ_AT_A_TIME: usize = 50;

/// The graded answers of an assignment.
pub struct GradedAnswers {
    assignment_id: AssignmentId,
    answers: Vec<GradedText>,
}

/// Reads the grades that stand and the texts they are for.
///
/// # Errors
/// [`Error::NotFound`]
pub fn look(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<GradedAnswers, Error> {
    let workspace = ctx.workspace_id();
    found(tx.assignments().find(workspace, id)?, "assignment")?;
    let newest = tx.submissions().ai_standing(workspace, id, LOOKED_AT)?;
    let proposed: BTreeMap<SubmissionId, Points> = newest
        .iter()
        .filter_map(|one| Some((one.id, one.score?)))
        .collect();
    let ids: Vec<SubmissionId> = newest.iter().map(|one| one.id).collect();
    let mut answers = Vec::new();
    for part in ids.chunks(READ_AT_A_TIME) {
        let read = tx.submissions().with_ids(workspace, part)?;
        let read = read.into_iter();
        answers.extend(read.filter_map(|one| graded(&one, proposed.get(&one.id))));
    }
    Ok(GradedAnswers {
        assignment_id: id,
        answers,
    })
}

/// An answer with the grade that stands, or what AI proposes where none does; but what AI says of one that waits for a blind
/// grade is not to be seen.
fn graded(submission: &Submission, proposed: Option<&Points>) -> Option<GradedText> {
    // No person has graded it, and AI's grade may stand already.
    if submission.is_blind() {
        return None;
    }
    let standing = submission.grade.as_ref();
    let standing = standing.map(|grade| (grade.score, grade.by));
    let (score, by) = standing.or(proposed.map(|score| (*score, GradeSource::Ai)))?;
    let text = submission.content.as_text();
    Some(GradedText {
        submission_id: submission.id,
        score,
        max_score: submission.max_score,
        by,
        text: text.chars().take(MOST_READ).collect(),
    })
}

/// Compares each with each: for a thread where nothing waits for it.
pub fn compare(read: &GradedAnswers) -> ConsistencyView {
    let pairs = unequal_pairs(&read.answers);
    ConsistencyView::new(read.assignment_id, read.answers.len(), &pairs)
}
