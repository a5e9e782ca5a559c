//! Giving the judgement of one answer to others that say the same: each with its own passages, and its own record.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::grading::grades::{ALIKE, CriterionResult, Grade, GradeStatus};
use lyceum_domain::grading::groups::{NotAlike, given_alike, propose};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::{StandingGrade, Submission};
use lyceum_domain::ids::SubmissionId;
use lyceum_wire::grading::groups::{AlikeMemberView, AlikeView, AskedAlike};
use lyceum_wire::points::PointsNumber;

use super::grading::{by_person, confirm, rubric_kept};
use super::{find_any, tell};
use crate::grading::rubrics::task_of;
use crate::prelude::*;
use crate::running::audit;

/// A judgement that a person stands for, and by what it was given.
struct Judged {
    submission: Submission,
    grade: StandingGrade,
    rubric_hash: String,
    kept: Option<Kept>,
    /// What it answers as its learner sees it, where others may see it otherwise.
    task: Option<Assignment>,
}

/// Gives what a person decided about an answer to others of the assignment, or says what each would get. Whoever cannot get it is left
/// alone and named; a second time all are, so that nothing is graded twice.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] unless a person had the last word about the answer
pub fn grade_alike(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    asked: &AskedAlike,
) -> Result<AlikeView, Error> {
    let judged = judged(tx, ctx, id)?;
    let mut members = Vec::new();
    for member in &asked.submission_ids {
        members.push(one(tx, ctx, &judged, *member, asked)?);
    }
    Ok(AlikeView {
        object: "alike".to_owned(),
        submission_id: id.to_string(),
        preview: asked.preview,
        score: PointsNumber(judged.grade.score),
        members,
    })
}

fn judged(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<Judged, Error> {
    let submission = find_any(tx, ctx, id)?;
    let decided = submission.grade.clone();
    let decided = decided.filter(|_| submission.is_decided_by_person());
    let grade = decided.ok_or_else(|| submission.status.cannot_be_spread())?;
    let counts = Some(GradeStatus::Final);
    let newest = PageRequest::first(1);
    let held = tx.grades().page(ctx.workspace_id(), id, counts, &newest)?;
    let held = held.items.into_iter().next().ok_or(Conflict::NotGraded)?;
    Ok(Judged {
        kept: rubric_kept(tx, &submission, &held)?,
        rubric_hash: held.rubric_hash,
        task: task_among_others(tx, &submission)?,
        submission,
        grade,
    })
}

/// What a submission answers, in a course of which any cohort sees something as it was.
fn task_among_others(
    tx: &mut dyn Tx,
    submission: &Submission,
) -> Result<Option<Assignment>, Error> {
    let Some((task, course)) = task_of(tx, submission)? else {
        return Ok(None);
    };
    let pinning = tx
        .pinned_contents()
        .pinning(course.workspace_id, course.id)?;
    Ok((!pinning.is_empty()).then_some(task))
}

fn one(
    tx: &mut dyn Tx,
    ctx: &Context,
    judged: &Judged,
    id: SubmissionId,
    asked: &AskedAlike,
) -> Result<AlikeMemberView, Error> {
    let found = tx.submissions().find(ctx.workspace_id(), id)?;
    let Some(member) = found else {
        return Ok(AlikeMemberView::left(id, NotAlike::NotFound));
    };
    if let Some(because) = NotAlike::of(&judged.submission, &member) {
        return Ok(AlikeMemberView::left(id, because));
    }
    if let Some(task) = &judged.task
        && task_of(tx, &member)?.is_some_and(|(own, _)| own != *task)
    {
        return Ok(AlikeMemberView::left(id, NotAlike::OtherAssignment));
    }
    let text = member.content.as_text();
    let unquoted = propose(&judged.grade.criteria, text).unquoted;
    let criteria = given_alike(&judged.grade.criteria, text);
    let view = AlikeMemberView::given(id, &criteria, unquoted);
    if !asked.preview {
        land(tx, ctx, judged, member, criteria, asked)?;
    }
    Ok(view)
}

/// A record, an event and a note of its own, as if a person had graded it alone.
fn land(
    tx: &mut dyn Tx,
    ctx: &Context,
    judged: &Judged,
    mut member: Submission,
    criteria: Vec<CriterionResult>,
    asked: &AskedAlike,
) -> Result<(), Error> {
    let before = member.clone();
    let score = judged.grade.score;
    let by = ctx.member()?.user.id;
    member.grade_by_person(score, criteria, asked.feedback.clone(), by, ctx.now)?;
    let reason = Some(format!("{ALIKE}{}", judged.submission.id));
    let record: Grade = by_person(tx, ctx, &member, judged.rubric_hash.clone(), reason)?;
    audit::note_grade(tx, ctx, &before, &member, &record)?;
    confirm(tx, &member, record, judged.kept.clone())?;
    tx.submissions().update(&member)?;
    tell(tx, ctx, EventType::SubmissionReviewed, &member)
}
