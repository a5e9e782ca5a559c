//! What callers do with submissions and their grades.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::grading::submissions::{
    NotGraded, Submission, SubmissionChanges, SubmissionFrame, SubmissionStatus,
};
use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::ids::{CohortId, SubmissionId, UserId};
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::jobs::Job;
use lyceum_domain::running::trash::TrashKind;
use lyceum_wire::grading::submissions::{SubmissionRequest, SubmissionView};

pub use lyceum_ports::grading::submissions::{GradeFilter, SubmissionFilter};

use crate::authoring::due_dates;
use crate::authoring::versions::pinning;
use crate::drafting::ai_calls;
use crate::grading::certificates;
use crate::grading::rubrics::{self, task_of};
use crate::grading::stale;
use crate::identity::visibility::course_is_visible;
use crate::identity::visibility::{only_own, student_of};
use crate::models;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::running::trash::{self, Going};
use crate::running::{in_use, queue, room};

mod alike;
mod blindness;
mod criteria;
mod grading;
mod listing;
pub(crate) mod records;
mod reopening;
pub(crate) mod starting;

pub use alike::grade_alike;
pub use blindness::{hide_ai, show_ai};
pub(crate) use grading::confirm;
pub(crate) use grading::rubric_kept;
pub use grading::{History, approve, grade, grade_with_ai, grades};
pub use listing::{AskedSubmissions, list};
pub(crate) use reopening::newest_that_says;
pub use reopening::reopen;

/// Starts a draft, or hands in at once; where the assignment says so, AI starts grading what is handed in.
///
/// # Errors
/// [`Error::Reference`], [`Forbidden::NotOwn`], [`Conflict::LimitReached`]
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    request: SubmissionRequest,
) -> Result<SubmissionView, Error> {
    let new = request.new;
    let assignment = assignment_of(tx, ctx, &new)?;
    let user_id = student_of(tx, ctx, request.user_id)?;
    let (assignment, assignment_version) = as_seen(tx, ctx, assignment, (user_id, new.cohort_id))?;
    if let Some(cohort) = new.cohort_id {
        let cohort = tx.cohorts().find(ctx.workspace_id(), cohort)?;
        let cohort = cohort.filter(|cohort| cohort.course_id == assignment.place.course_id);
        referenced(cohort, "cohort_id", "cohort")?;
    }
    room::check_learner(tx, ctx, user_id, new.content.as_text().len().max(1))?;
    let latest = tx
        .submissions()
        .latest(ctx.workspace_id(), assignment.id, user_id)?;
    let attempt = next_attempt(&assignment, latest.as_ref())?;
    let frame = SubmissionFrame {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        course_id: assignment.place.course_id,
        user_id,
        attempt,
        max_score: assignment.max_score,
        assignment_version,
        due: due_dates::terms(tx, &assignment, user_id, new.cohort_id)?,
    };
    let mut submission = Submission::new(frame, new, ctx.now);
    let handed_in = submission.status == SubmissionStatus::Submitted;
    let start = starting::if_enabled(tx, ctx, &assignment, &mut submission)?;
    tx.submissions().insert(&submission)?;
    tell(tx, ctx, EventType::SubmissionCreated, &submission)?;
    if handed_in {
        tell(tx, ctx, EventType::SubmissionSubmitted, &submission)?;
    }
    starting::follow(tx, ctx, &submission, start)?;
    view(tx, ctx, &submission)
}

/// Changes a draft, or the metadata of what has been handed in; a change that changes nothing leaves no trace. There is
/// no event for it: what is still being written is nobody else's business, and metadata is the caller's own.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotEditable`] once it is handed in, [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    changes: SubmissionChanges,
) -> Result<SubmissionView, Error> {
    let mut submission = find(tx, ctx, id)?;
    // Learners see no metadata, and so have no business with what others note there.
    let may_note = changes.content.is_none() && ctx.learner().is_none();
    if submission.status != SubmissionStatus::Draft && !may_note {
        let text = "what has been handed in can no longer be changed, but for its metadata";
        return Err(Conflict::NotEditable(text.to_owned()).into());
    }
    let before = submission.content.as_text().len();
    if submission.change(changes, ctx.now)? {
        let more = submission.content.as_text().len().saturating_sub(before);
        room::check_learner(tx, ctx, submission.user_id, more)?;
        tx.submissions().update(&submission)?;
    }
    view(tx, ctx, &submission)
}

/// Hands a draft in.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`]
pub fn submit(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<SubmissionView, Error> {
    let mut submission = find(tx, ctx, id)?;
    let assignment = tx
        .assignments()
        .find(ctx.workspace_id(), submission.assignment_id)?;
    let assignment = found(assignment, "assignment")?;
    let whose = (submission.user_id, submission.cohort_id);
    let (assignment, version) = as_seen(tx, ctx, assignment, whose)?;
    let due = due_dates::terms(tx, &assignment, submission.user_id, submission.cohort_id)?;
    submission.submit(version, due, ctx.now)?;
    let start = starting::if_enabled(tx, ctx, &assignment, &mut submission)?;
    tx.submissions().update(&submission)?;
    tell(tx, ctx, EventType::SubmissionSubmitted, &submission)?;
    starting::follow(tx, ctx, &submission, start)?;
    view(tx, ctx, &submission)
}

/// Shows one: everybody's with `read:submissions`, else the caller's own.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<SubmissionView, Error> {
    let submission = find(tx, ctx, id)?;
    view(tx, ctx, &submission)
}

/// Asks AI why the grade that stands is what it is. Of several calls the last may land, and only while the grade
/// is the same.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotGraded`], [`Conflict::AiBudgetExceeded`]
pub fn explain(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<SubmissionView, Error> {
    let mut submission = find_any(tx, ctx, id)?;
    let name = ctx.ids.next().to_string();
    submission
        .ask_why(name.clone(), ctx.now)
        .map_err(|NotGraded| Conflict::NotGraded)?;
    check_means(tx, ctx, &submission, None)?;
    tx.submissions().update(&submission)?;
    let submission_id = submission.id;
    queue::enqueue(
        tx,
        ctx,
        Job::ExplainGrade {
            submission: submission_id,
            name,
        },
    )?;
    stale::shown(tx, &submission)
}

/// Refuses what nobody here can be asked for, and what a month's budget has nothing left for; `own` is the model that the
/// call names.
fn check_means(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: &Submission,
    own: Option<&str>,
) -> Result<(), Error> {
    let usual = match task_of(tx, submission)? {
        Some((assignment, course)) => rubrics::usual_model(&assignment, &course),
        None => String::new(),
    };
    let own = own.filter(|model| !model.is_empty());
    models::refuse_to_ask(ctx, own.unwrap_or_default(), &usual)?;
    ai_calls::check_budget(tx, ctx, own.unwrap_or(&usual))
}

/// graded → returned
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`]; [`Error::PreconditionFailed`] where it changed since it was seen
pub fn give_back(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    seen_at: Option<Timestamp>,
) -> Result<SubmissionView, Error> {
    let mut submission = find_as_seen(tx, ctx, id, seen_at)?;
    let before = submission.clone();
    submission.give_back(ctx.now)?;
    tx.submissions().update(&submission)?;
    audit::note_standing(tx, ctx, &before, &submission)?;
    tell(tx, ctx, EventType::SubmissionReturned, &submission)?;
    stale::shown(tx, &submission)
}

/// Moves one with its grade history to the trash; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::InUse`], [`Error::Forbidden`]
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    force: bool,
) -> Result<SubmissionId, Error> {
    let submission = find_any(tx, ctx, id)?;
    in_use::refuse(tx, ctx, Subject::Submission(id), force)?;
    let assignment = tx
        .assignments()
        .find(ctx.workspace_id(), submission.assignment_id)?;
    let assignment = found(assignment, "assignment")?;
    certificates::given_up(tx, ctx, &submission)?;
    let going = Going::new(TrashKind::Submission, &id, &assignment.name);
    trash::put(tx, ctx, going)?;
    if submission.grade.is_some() {
        let change = AuditedChange::gone(values::standing(&submission));
        audit::note(
            tx,
            ctx,
            AuditAction::GradeChanged,
            AuditSubject::of(id),
            change,
        )?;
    }
    Ok(id)
}

/// Whoever grades a draft takes it as it is: nothing is graded that was not handed in.
fn hand_in_draft(tx: &mut dyn Tx, ctx: &Context, submission: &mut Submission) -> Result<(), Error> {
    if submission.status != SubmissionStatus::Draft {
        return Ok(());
    }
    let assignment = tx
        .assignments()
        .find(ctx.workspace_id(), submission.assignment_id)?;
    let assignment = found(assignment, "assignment")?;
    let whose = (submission.user_id, submission.cohort_id);
    let (assignment, version) = as_seen(tx, ctx, assignment, whose)?;
    let due = due_dates::terms(tx, &assignment, submission.user_id, submission.cohort_id)?;
    submission.submit(version, due, ctx.now)?;
    tell(tx, ctx, EventType::SubmissionSubmitted, submission)
}

fn assignment_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    new: &lyceum_domain::grading::submissions::NewSubmission,
) -> Result<Assignment, Error> {
    let assignment = tx
        .assignments()
        .find(ctx.workspace_id(), new.assignment_id)?;
    let assignment = referenced(assignment, "assignment_id", "assignment")?;
    if ctx.learner().is_some() && !course_is_visible(tx, ctx, assignment.place.course_id)? {
        return Err(Error::Reference {
            field: "assignment_id",
            object: "assignment",
        });
    }
    Ok(assignment)
}

/// The assignment as whoever hands in sees it, and the number of the version that it is.
fn as_seen(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: Assignment,
    (user, cohort): (UserId, Option<CohortId>),
) -> Result<(Assignment, u32), Error> {
    let whose = (user, assignment.place.course_id);
    let cohort = pinning::cohort_of(tx, ctx.workspace_id(), whose, cohort)?;
    pinning::assignment_as_seen(tx, ctx, assignment, cohort)
}

/// A new attempt, while attempts remain; a draft is one.
fn next_attempt(assignment: &Assignment, latest: Option<&Submission>) -> Result<u32, Error> {
    let Some(latest) = latest else { return Ok(1) };
    let next = latest.attempt.saturating_add(1);
    match assignment.max_attempts {
        Some(limit) if next > limit.get() => {
            Err(Conflict::LimitReached("no attempts are left".to_owned()).into())
        }
        _ => Ok(next),
    }
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<Submission, Error> {
    let submission = find_any(tx, ctx, id)?;
    match only_own(ctx)? {
        Some(own) if own != submission.user_id => Err(Error::NotFound("submission")),
        _ => Ok(submission),
    }
}

fn find_any(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<Submission, Error> {
    found(tx.submissions().find(ctx.workspace_id(), id)?, "submission")
}

/// The same, if it is still what whoever decides about it saw.
fn find_as_seen(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SubmissionId,
    seen_at: Option<Timestamp>,
) -> Result<Submission, Error> {
    let submission = find_any(tx, ctx, id)?;
    match seen_at {
        Some(at) if at != submission.stamp.updated_at => Err(Error::PreconditionFailed),
        Some(_) | None => Ok(submission),
    }
}

fn view(tx: &mut dyn Tx, ctx: &Context, submission: &Submission) -> Result<SubmissionView, Error> {
    if ctx.learner().is_some() {
        Ok(SubmissionView::learner(submission))
    } else {
        stale::shown(tx, submission)
    }
}

/// Tells of a submission as it is now.
pub(crate) fn tell(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    submission: &Submission,
) -> Result<(), Error> {
    let view = SubmissionView::new(submission);
    // By the model's name, where whoever is to grade it blind may know that.
    let is_by_ai = matches!(
        kind,
        EventType::SubmissionGraded | EventType::SubmissionExplained
    );
    let by = if is_by_ai {
        ActedBy::Agent(view.ai_model.clone())
    } else {
        ctx.acted_by()
    };
    events::record_by(tx, ctx, by, kind, &view)
}
