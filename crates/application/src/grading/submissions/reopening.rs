//! Taking a person's newest decision back.

use lyceum_domain::grading::grades::{Grade, GradeSource, GradeStatus, TAKEN_BACK};
use lyceum_domain::grading::submissions::{StandingGrade, Submission, SubmissionStatus};
use lyceum_domain::ids::SubmissionId;
use lyceum_wire::grading::submissions::SubmissionView;

use super::grading::{by_person, confirm, rubric_kept};
use super::{find_as_seen, tell};
use crate::grading::stale;
use crate::prelude::*;
use crate::running::audit;

/// Takes a person's newest decision back: the submission stands as it stood before, and the history says so at its end.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] where no person decided, nothing stood before, or the student has begun
/// another attempt since; [`Error::PreconditionFailed`] where it changed since it was seen.
pub fn reopen(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    seen_at: Option<Timestamp>,
) -> Result<SubmissionView, Error> {
    let mut submission = find_as_seen(tx, ctx, id, seen_at)?;
    let before = submission.clone();
    submission.reopen(ctx.now)?;
    if before.status == SubmissionStatus::Returned {
        refuse_another_attempt(tx, &before)?;
        // Giving back left the grade and its history as they are.
        audit::note_standing(tx, ctx, &before, &submission)?;
    } else {
        tx.grades()
            .note_examples_moved(ctx.workspace_id(), &[id], ctx.now)?;
        say_again(tx, ctx, &before, &submission)?;
    }
    tx.submissions().update(&submission)?;
    tell(tx, ctx, EventType::SubmissionReopened, &submission)?;
    stale::shown(tx, &submission)
}

fn refuse_another_attempt(tx: &mut dyn Tx, submission: &Submission) -> Result<(), Error> {
    let latest = tx.submissions().latest(
        submission.workspace_id,
        submission.assignment_id,
        submission.user_id,
    )?;
    match latest {
        Some(latest) if latest.id != submission.id => {
            Err(submission.status.cannot_be_reopened().into())
        }
        _ => Ok(()),
    }
}

/// The history only grows: what stood before is said again, by whoever went back to it.
fn say_again(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Submission,
    submission: &Submission,
) -> Result<(), Error> {
    let grade = submission.grade.as_ref().ok_or(Conflict::NotGraded)?;
    let said = newest_that_says(tx, submission, grade)?.ok_or(Conflict::NotGraded)?;
    let kept = rubric_kept(tx, submission, &said)?;
    let reason = match grade.by {
        // What a person meant then they mean again.
        GradeSource::Human => said.reason.clone(),
        GradeSource::Ai => Some(TAKEN_BACK.to_owned()),
    };
    let review_reasons = said.reasons_again();
    let record = by_person(tx, ctx, submission, said.rubric_hash, reason)?;
    let record = Grade {
        review_reasons,
        status: match submission.status {
            SubmissionStatus::InReview => GradeStatus::Suggested,
            SubmissionStatus::Draft
            | SubmissionStatus::Submitted
            | SubmissionStatus::Graded
            | SubmissionStatus::Returned => GradeStatus::Final,
        },
        ..record
    };
    audit::note_grade(tx, ctx, before, submission, &record)?;
    confirm(tx, submission, record, kept)
}

pub(crate) fn newest_that_says(
    tx: &mut dyn Tx,
    submission: &Submission,
    grade: &StandingGrade,
) -> Result<Option<Grade>, Error> {
    let mut page = PageRequest::first(PageRequest::MAX_LIMIT);
    loop {
        let records = tx
            .grades()
            .page(submission.workspace_id, submission.id, None, &page)?;
        let said = records.items.into_iter().find(|record| says(record, grade));
        page.after = records.next;
        if said.is_some() || page.after.is_none() {
            return Ok(said);
        }
    }
}

fn says(record: &Grade, grade: &StandingGrade) -> bool {
    record.score == grade.score
        && record.feedback == grade.feedback
        && record.criteria == grade.criteria
}
