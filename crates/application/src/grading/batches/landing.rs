//! Letting what was previewed land, and putting back what stood before: an answer at a time, each with a record, an event and a note
//! of its own, and its outcome beside it in the same transaction.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::grading::batches::{Batch, BatchItem, LeftBecause, Preview};
use lyceum_domain::grading::grades::{Grade, GradeSource, GradeStatus};
use lyceum_domain::grading::submissions::{
    AiGrading, Submission, SubmissionSnapshot, SubmissionStatus,
};

use crate::grading::landing::{self, GradeLanding, Graded, LandingPlace};
use crate::grading::submissions::{confirm, newest_that_says, rubric_kept, tell};
use crate::prelude::*;
use crate::running::audit;

/// Lets the preview of an item land, or says why not.
///
/// # Errors
/// Those of storage.
pub fn land_one(
    tx: &mut dyn Tx,
    ctx: &Context,
    batch: &Batch,
    assignment: &Assignment,
    mut item: BatchItem,
) -> Result<(), Error> {
    let landed = match landable(tx, batch, &item)? {
        Err(because) => Err(because),
        Ok((submission, preview)) => land(tx, ctx, batch, assignment, &submission, preview)?,
    };
    match landed {
        Ok((before, receipt)) => item.land(before, receipt),
        Err(because) => item.leave(because),
    }
    Ok(tx.batches().update_item(batch.workspace_id, &item)?)
}

type Found = Result<(Submission, Preview), LeftBecause>;

/// The submission that the preview is of, unless it moved on.
fn landable(tx: &mut dyn Tx, batch: &Batch, item: &BatchItem) -> Result<Found, Error> {
    let (Some(submission), Some(preview), Some(seen)) = (
        submission_of(tx, batch, item)?,
        item.preview.clone(),
        &item.found,
    ) else {
        return Ok(Err(LeftBecause::Gone));
    };
    if let Some(because) = moved_on(tx, &submission, &seen.receipt)? {
        return Ok(Err(because));
    }
    let is_named = batch.replace.contains(&submission.id);
    if submission.is_decided_by_person() && !is_named {
        return Ok(Err(LeftBecause::Decided));
    }
    Ok(Ok((submission, preview)))
}

fn submission_of(
    tx: &mut dyn Tx,
    batch: &Batch,
    item: &BatchItem,
) -> Result<Option<Submission>, Error> {
    let Some(id) = item.submission_id else {
        return Ok(None);
    };
    Ok(tx.submissions().find(batch.workspace_id, id)?)
}

/// Why a submission is not as it was when its history ended with this receipt.
fn moved_on(
    tx: &mut dyn Tx,
    submission: &Submission,
    receipt: &str,
) -> Result<Option<LeftBecause>, Error> {
    let head = tx.grades().head(submission.workspace_id, submission.id)?;
    Ok(if submission.is_blind() {
        Some(LeftBecause::Blind)
    } else if submission.status == SubmissionStatus::Returned {
        Some(LeftBecause::Returned)
    } else if matches!(submission.ai, AiGrading::Pending { .. }) {
        Some(LeftBecause::Pending)
    } else if head.hash != receipt {
        Some(LeftBecause::Changed)
    } else {
        None
    })
}

type LandingOutcome = Result<(SubmissionSnapshot, String), LeftBecause>;

fn land(
    tx: &mut dyn Tx,
    ctx: &Context,
    batch: &Batch,
    assignment: &Assignment,
    submission: &Submission,
    preview: Preview,
) -> Result<LandingOutcome, Error> {
    let before = submission.snapshot();
    note_example(tx, ctx, submission)?;
    let landing = GradeLanding {
        place: LandingPlace::Regrade {
            over_person: batch.replace.contains(&submission.id),
        },
        review: assignment.grading.human_review,
        release: assignment.grading.release,
        is_usual: batch.grader.is_usual,
        rubric: batch.grader.rubric.clone(),
        grader_hash: preview.grader_hash,
        read_at: preview.read_at,
        result_key: preview.result_key,
    };
    let graded = Graded {
        judgement: preview.judgement,
        feedback: preview.feedback,
        grader: preview.grader,
        answer: preview.answer,
    };
    let Ok(landed) = landing::land(tx, ctx, submission, &landing, graded)? else {
        return Ok(Err(LeftBecause::Changed));
    };
    tell(tx, ctx, EventType::SubmissionGraded, &landed.submission)?;
    let receipt = landed.record.receipt.map(|receipt| receipt.hash);
    Ok(Ok((before, receipt.unwrap_or_default())))
}

/// A person's grade that is replaced is an example no more.
fn note_example(tx: &mut dyn Tx, ctx: &Context, submission: &Submission) -> Result<(), Error> {
    let by = submission.grade.as_ref().map(|grade| grade.by);
    if by == Some(GradeSource::Human) {
        examples_moved(tx, ctx, submission)?;
    }
    Ok(())
}

fn examples_moved(tx: &mut dyn Tx, ctx: &Context, submission: &Submission) -> Result<(), Error> {
    let moved = [submission.id];
    Ok(tx
        .grades()
        .note_examples_moved(ctx.workspace_id(), &moved, ctx.now)?)
}

/// Puts back what stood before an item landed, or says why not.
///
/// # Errors
/// Those of storage.
pub fn put_back_one(
    tx: &mut dyn Tx,
    ctx: &Context,
    batch: &Batch,
    mut item: BatchItem,
) -> Result<(), Error> {
    match put_back(tx, ctx, batch, &item)? {
        None => item.undo(),
        Some(because) => item.leave(because),
    }
    Ok(tx.batches().update_item(batch.workspace_id, &item)?)
}

fn put_back(
    tx: &mut dyn Tx,
    ctx: &Context,
    batch: &Batch,
    item: &BatchItem,
) -> Result<Option<LeftBecause>, Error> {
    let (Some(landed), Some(before), Some(receipt)) =
        (submission_of(tx, batch, item)?, &item.before, &item.landed)
    else {
        return Ok(Some(LeftBecause::Gone));
    };
    if let Some(because) = moved_on(tx, &landed, receipt)? {
        return Ok(Some(because));
    }
    let mut submission = landed.clone();
    if before
        .grade
        .as_ref()
        .is_some_and(|grade| grade.by == GradeSource::Human)
    {
        examples_moved(tx, ctx, &landed)?;
    }
    if submission.put_back(before, ctx.now).is_err() {
        return Ok(Some(LeftBecause::Changed));
    }
    if !say_again(tx, ctx, batch, &landed, &submission)? {
        return Ok(Some(LeftBecause::Changed));
    }
    tx.submissions().update(&submission)?;
    tell(tx, ctx, EventType::SubmissionReopened, &submission)?;
    Ok(None)
}

/// The history only grows: what stood before is said again, in the words and with the name of who said it. False where no record of it
/// is found.
fn say_again(
    tx: &mut dyn Tx,
    ctx: &Context,
    batch: &Batch,
    landed: &Submission,
    submission: &Submission,
) -> Result<bool, Error> {
    let Some(grade) = &submission.grade else {
        // Nothing stood before: what landed no longer counts, and that is all there is to say.
        tx.grades()
            .supersede(submission.workspace_id, submission.id)?;
        audit::note_standing(tx, ctx, landed, submission)?;
        return Ok(true);
    };
    let Some(said) = newest_that_says(tx, submission, grade)? else {
        return Ok(false);
    };
    let kept = rubric_kept(tx, submission, &said)?;
    let record = again(ctx, batch, submission, said);
    tx.grades()
        .supersede(submission.workspace_id, submission.id)?;
    audit::note_grade(tx, ctx, landed, submission, &record)?;
    confirm(tx, submission, record, kept)?;
    Ok(true)
}

fn again(ctx: &Context, batch: &Batch, submission: &Submission, said: Grade) -> Grade {
    let reason = match said.source() {
        // What a person meant then counts as it did.
        GradeSource::Human => said.reason.clone(),
        GradeSource::Ai => Some(format!("put back by {}", batch.id)),
    };
    let status = match submission.status {
        SubmissionStatus::InReview => GradeStatus::Suggested,
        SubmissionStatus::Draft
        | SubmissionStatus::Submitted
        | SubmissionStatus::Graded
        | SubmissionStatus::Returned => GradeStatus::Final,
    };
    Grade {
        id: ctx.mint(),
        // No run made it: the one that did has its record.
        run: 0,
        status,
        reason,
        created_at: ctx.now,
        receipt: None,
        ..said
    }
}
