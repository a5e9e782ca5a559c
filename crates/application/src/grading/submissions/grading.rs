//! Grading submissions: by AI in the background, by people at once.

use lyceum_domain::grading::grades::{APPROVED, Grade, GradeStatus, Grader, total};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::{RunOverrides, Submission, SubmissionStatus};
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::running::jobs::JobKind;
use lyceum_wire::grading::grades::{GradeView, VerificationView};
use lyceum_wire::grading::submissions::{PersonGrade, SubmissionView};

use super::criteria::judged;
use super::{
    check_means, find, find_any, find_as_seen, hand_in_draft, records, starting, task_of, tell,
};
use crate::grading::certificates;
use crate::grading::rubrics;
use crate::grading::stale;
use crate::grading::verification;
use crate::identity::visibility::only_own;
use crate::models;
use crate::prelude::*;
use crate::running::audit;
use crate::running::names;

/// A page of a submission's grade history, and whether all of it holds, where that was asked.
pub type History = (Page<GradeView>, Option<VerificationView>);

/// Shows a page of a submission's grade history and, where asked, whether the whole of it holds; a learner sees only
/// what counts, and cannot ask.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Scope`]
pub fn grades(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    verify: bool,
    page: &PageRequest,
) -> Result<History, Error> {
    let submission = find(tx, ctx, id)?;
    if only_own(ctx)?.is_some() {
        if verify {
            return Err(Forbidden::Scope(Scope::ReadSubmissions).into());
        }
        return Ok((own_grades(tx, &submission, page)?, None));
    }
    let found = tx
        .grades()
        .page(ctx.workspace_id(), submission.id, None, page)?;
    // Who waits to grade it blind sees none of what was said of it before.
    let found = if submission.is_blind() {
        Page::empty()
    } else {
        let mut shown = found.map(|grade| GradeView::new(&grade));
        let actors = shown.items.iter_mut().map(|view| &mut view.actor);
        names::give(tx, ctx.workspace_id(), actors)?;
        shown
    };
    let verified = if verify {
        Some((&verification::of_submission(tx, &submission)?).into())
    } else {
        None
    };
    Ok((found, verified))
}

fn own_grades(
    tx: &mut dyn Tx,
    submission: &Submission,
    page: &PageRequest,
) -> Result<Page<GradeView>, Error> {
    if submission.status == SubmissionStatus::InReview {
        return Ok(Page::empty());
    }
    let counts = Some(GradeStatus::Final);
    let found = tx
        .grades()
        .page(submission.workspace_id, submission.id, counts, page)?;
    Ok(found.map(|grade| GradeView::learner(&grade)))
}

/// Starts an AI run; a run before it can no longer land. Who asks in the same words while one is under way joins it,
/// so that nobody pays twice. A draft is handed in by it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] where the run names a model that may not be asked,
/// [`Conflict::AiBudgetExceeded`]
pub fn grade_with_ai(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    run: RunOverrides,
) -> Result<SubmissionView, Error> {
    let mut submission = find_any(tx, ctx, id)?;
    models::refuse_unknown(ctx, run.model.as_deref().unwrap_or_default(), "model")?;
    if submission.is_asked_alike(&run) && !task_changed_since(tx, &submission)? {
        return stale::shown(tx, &submission);
    }
    check_means(tx, ctx, &submission, run.model.as_deref())?;
    hand_in_draft(tx, ctx, &mut submission)?;
    let ready_at = crate::running::queue::ready_at(tx, ctx, JobKind::GradeSubmission)?;
    let number = submission.ask_ai(run, ready_at, ctx.now)?;
    tx.submissions().update(&submission)?;
    starting::enqueue(tx, ctx, &submission, number, Spender::Staff)?;
    stale::shown(tx, &submission)
}

/// Whether what a run goes by may have changed since it was asked for.
fn task_changed_since(tx: &mut dyn Tx, submission: &Submission) -> Result<bool, Error> {
    let asked_at = submission.stamp.updated_at;
    let task = task_of(tx, submission)?;
    Ok(task.is_none_or(|(assignment, course)| {
        assignment.stamp.updated_at.max(course.stamp.updated_at) > asked_at
    }))
}

/// A person's grade, or that of a program with an account of its own; it stands whatever AI says. A draft is handed in by it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`], [`Conflict::Transition`], [`Conflict::ServiceAccount`] where a person is to
/// grade it blind; [`Error::PreconditionFailed`] where it changed since it was seen
pub fn grade(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    given: PersonGrade,
) -> Result<SubmissionView, Error> {
    let mut submission = find_as_seen(tx, ctx, id, given.seen_at)?;
    if submission.is_blind() {
        person_alone(ctx)?;
    }
    let before = submission.clone();
    let (assignment, course) = found(task_of(tx, &submission)?, "assignment")?;
    let rubric = rubrics::usual(&assignment, &course);
    let criteria = judged(&rubric, &given.criteria)?;
    let score = match given.score {
        Some(score) if score > submission.max_score => {
            let limit = submission.max_score;
            return Err(Invalid::new("score", format!("must be at most {limit}")).into());
        }
        Some(score) => score,
        None => total(&rubric, &criteria, submission.max_score),
    };
    hand_in_draft(tx, ctx, &mut submission)?;
    stale::example_replaced(tx, ctx, &before)?;
    let by = ctx.member()?.user.id;
    submission.grade_by_person(score, criteria, given.feedback, by, ctx.now)?;
    let mut record = by_person(tx, ctx, &submission, rubric.hash(), given.reason)?;
    if let Grader::Human { blind, .. } = &mut record.grader {
        *blind = before.is_blind();
    }
    let kept = Kept {
        rubric: Some(rubric.canonical()),
        ..Kept::default()
    };
    audit::note_grade(tx, ctx, &before, &submission, &record)?;
    let sealed = records::append(tx, &submission, record, &kept)?;
    tx.submissions().update(&submission)?;
    tell(tx, ctx, EventType::SubmissionReviewed, &submission)?;
    if before.is_blind() {
        certificates::graded_blind(tx, ctx, &submission, &sealed)?;
    }
    stale::shown(tx, &submission)
}

/// Lets an AI grade stand that is held, or that is out and wants a look; it keeps its criteria and their evidence.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`], [`Conflict::ServiceAccount`]
pub fn approve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    seen_at: Option<Timestamp>,
) -> Result<SubmissionView, Error> {
    person_alone(ctx)?;
    let mut submission = find_as_seen(tx, ctx, id, seen_at)?;
    let before = submission.clone();
    submission.approve(ctx.member()?.user.id, ctx.now)?;
    let newest = PageRequest::first(1);
    let held = tx.grades().page(ctx.workspace_id(), id, None, &newest)?;
    let held = held.items.into_iter().next().ok_or(Conflict::NotGraded)?;
    let kept = rubric_kept(tx, &submission, &held)?;
    // By whatever rubric the run used, which may have been its own.
    let reason = Some(APPROVED.to_owned());
    let review_reasons = held.reasons_again();
    let record = Grade {
        review_reasons,
        ..by_person(tx, ctx, &submission, held.rubric_hash, reason)?
    };
    audit::note_grade(tx, ctx, &before, &submission, &record)?;
    confirm(tx, &submission, record, kept)?;
    tx.submissions().update(&submission)?;
    tell(tx, ctx, EventType::SubmissionReviewed, &submission)?;
    stale::shown(tx, &submission)
}

/// What is held waits for a person to look at it: no program is one.
fn person_alone(ctx: &Context) -> Result<(), Error> {
    if ctx.member()?.user.is_service() {
        return Err(Conflict::ServiceAccount.into());
    }
    Ok(())
}

/// Appends a record that says again what an earlier one says.
pub(crate) fn confirm(
    tx: &mut dyn Tx,
    submission: &Submission,
    record: Grade,
    kept: Option<Kept>,
) -> Result<(), Error> {
    match kept {
        Some(kept) => records::append(tx, submission, record, &kept).map(drop),
        // Nobody can say any more by what it was judged: a record like that which it confirms.
        None => Ok(tx.grades().append(&record, &Kept::default())?),
    }
}

/// The rubric that a held record was judged by. One that is older than receipts kept none, and the assignment's may
/// be another by now.
pub(crate) fn rubric_kept(
    tx: &mut dyn Tx,
    submission: &Submission,
    held: &Grade,
) -> Result<Option<Kept>, Error> {
    let kept = tx.grades().kept(held.workspace_id, held.id)?;
    let mut rubric = kept.and_then(|kept| kept.rubric);
    if rubric.is_none() {
        let usual = rubrics::of_submission(tx, submission)?;
        rubric = usual
            .filter(|usual| usual.hash() == held.rubric_hash)
            .map(|usual| usual.canonical());
    }
    Ok(rubric.map(|rubric| Kept {
        rubric: Some(rubric),
        ..Kept::default()
    }))
}

/// A person's record of the grade that stands; what counted before no longer does.
pub(super) fn by_person(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: &Submission,
    rubric_hash: String,
    reason: Option<String>,
) -> Result<Grade, Error> {
    let Some(grade) = &submission.grade else {
        return Err(Conflict::NotGraded.into());
    };
    tx.grades().supersede(ctx.workspace_id(), submission.id)?;
    Ok(Grade {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        submission_id: submission.id,
        run: 0,
        status: GradeStatus::Final,
        score: grade.score,
        max_score: submission.max_score,
        rubric_hash,
        criteria: grade.criteria.clone(),
        feedback: grade.feedback.clone(),
        review_reasons: Vec::new(),
        grader: Grader::of(&ctx.member()?.user),
        reason,
        created_at: ctx.now,
        receipt: None,
    })
}
