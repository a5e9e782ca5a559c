//! Stale grades: what AI gave before that changed by which it gives grades.
//!
//! Two moments are compared: when the grade that stands landed, and when what fixes such grades last changed. The second is found
//! without a row that all who grade would have to change: an example that a person gives is a record that says when, and only what is
//! rarer is noted with the assignment, by the domain (its rubric, model, instructions, feedback), by the course (its own), and here
//! (an example that is no more, or is back).

use std::collections::BTreeMap;

use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{StandingGrade, Submission};
use lyceum_domain::ids::{AssignmentId, SubmissionId};

use crate::grading::certificates;
use crate::prelude::*;

/// The moment before which a grade of AI that landed is stale; none while nothing that fixes such grades ever changed.
///
/// # Errors
/// Those of storage.
pub fn since(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    assignment: AssignmentId,
) -> Result<Option<Timestamp>, Error> {
    let found = tx.grades().stale_since(workspace, &[assignment])?;
    Ok(found.first().map(|(_, since)| *since))
}

/// Notes with their assignments that the examples which these make are no more, or are back; to be called while they count as
/// such. What a certificate that is open leaves out is none.
///
/// # Errors
/// Those of storage.
pub(crate) fn examples_moved(
    tx: &mut dyn Tx,
    ctx: &Context,
    ids: &[SubmissionId],
) -> Result<(), Error> {
    let workspace = ctx.workspace_id();
    let mut oldest: BTreeMap<AssignmentId, Timestamp> = BTreeMap::new();
    for (assignment, given) in tx.grades().examples_among(workspace, ids)? {
        let known = oldest.entry(assignment).or_insert(given);
        *known = given.min(*known);
    }
    let mut moved = Vec::new();
    for (assignment, given) in oldest {
        let until = certificates::frozen_at(tx, workspace, assignment)?;
        if until.is_none_or(|until| given <= until) {
            moved.push(assignment);
        }
    }
    if moved.is_empty() {
        return Ok(());
    }
    Ok(tx
        .assignments()
        .note_grader_changed(workspace, &moved, ctx.now)?)
}

/// Notes that a person is about to grade anew what may be an example: while a certificate is open the new grade is none, and the
/// old one is no more. Otherwise the new one is a note of its own.
///
/// # Errors
/// Those of storage.
pub(crate) fn example_replaced(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Submission,
) -> Result<(), Error> {
    let by_person = |grade: &StandingGrade| grade.by == GradeSource::Human;
    if !before.grade.as_ref().is_some_and(by_person) {
        return Ok(());
    }
    match certificates::frozen_at(tx, before.workspace_id, before.assignment_id)? {
        Some(_) => examples_moved(tx, ctx, &[before.id]),
        None => Ok(()),
    }
}
