//! Stale grades: what AI gave before that changed by which it gives grades.
//!
//! Two moments are compared: as of when the grade that stands was given (`Submission::ai_graded_at`), and when what fixes such
//! grades last changed. The second is found without a row that all who grade would have to change: an example that a person gives is
//! a record that says when, and only what is rarer is noted with the assignment: by the domain (its rubric, model, instructions,
//! feedback), with the course (its own), and where an example is no more, or is back.

use std::collections::BTreeMap;

use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{StandingGrade, Submission};
use lyceum_domain::ids::AssignmentId;
use lyceum_ports::grading::submissions::AiGraded;
use lyceum_wire::grading::submissions::SubmissionView;

use crate::grading::certificates;
use crate::prelude::*;

/// The moment before which grades of AI are stale, as [`Submission::is_stale`] says of each and [`AiGraded::Before`] finds them; none
/// while nothing that fixes such grades ever changed.
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

/// Which grades of AI to look among for the stale ones of an assignment, or for those that are not; none where there can be none.
///
/// # Errors
/// [`Error::Invalid`] where no assignment is named: each has its own moment.
pub(crate) fn ai_graded(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: Option<AssignmentId>,
    stale: bool,
) -> Result<Option<AiGraded>, Error> {
    let problem = "can only be asked with assignment_id";
    let assignment = assignment.ok_or_else(|| Invalid::new("stale", problem))?;
    Ok(match (since(tx, ctx.workspace_id(), assignment)?, stale) {
        (Some(since), true) => Some(AiGraded::Before(since)),
        (Some(since), false) => Some(AiGraded::Since(since)),
        (None, true) => None,
        (None, false) => Some(AiGraded::Ever),
    })
}

/// A submission as staff see it, with whether AI's grade of it is stale.
///
/// # Errors
/// Those of storage.
pub(crate) fn shown(tx: &mut dyn Tx, submission: &Submission) -> Result<SubmissionView, Error> {
    let view = SubmissionView::new(submission);
    if submission.ai_graded_at().is_none() {
        return Ok(view);
    }
    let since = since(tx, submission.workspace_id, submission.assignment_id)?;
    Ok(view.with_stale(submission.is_stale(since)))
}

/// A page as staff see it; one question for all of it, however many assignments it is of.
///
/// # Errors
/// Those of storage.
pub(crate) fn all_shown(
    tx: &mut dyn Tx,
    ctx: &Context,
    page: Page<Submission>,
) -> Result<Page<SubmissionView>, Error> {
    let graded = page.items.iter().filter(|one| one.ai_graded_at().is_some());
    let mut asked: Vec<AssignmentId> = graded.map(|one| one.assignment_id).collect();
    asked.sort_unstable();
    asked.dedup();
    let mut since = BTreeMap::new();
    if !asked.is_empty() {
        since.extend(tx.grades().stale_since(ctx.workspace_id(), &asked)?);
    }
    Ok(page.map(|submission| {
        let since = since.get(&submission.assignment_id).copied();
        SubmissionView::new(&submission).with_stale(submission.is_stale(since))
    }))
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
        Some(_) => {
            Ok(tx
                .grades()
                .note_examples_moved(before.workspace_id, &[before.id], ctx.now)?)
        }
        None => Ok(()),
    }
}
