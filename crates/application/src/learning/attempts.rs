//! What callers do with attempts at activities.

use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::ids::{ActivityId, UserId};
use lyceum_domain::learning::attempts::{Attempt, Unscorable, score};
use lyceum_wire::learning::attempts::{AttemptRequest, AttemptView};

pub use lyceum_ports::learning::attempts::AttemptFilter;

use crate::authoring::versions::pinning;
use crate::identity::visibility::{course_is_visible, is_restricted};
use crate::identity::visibility::{only_own, student_of};
use crate::prelude::*;
use crate::running::room;

impl From<Unscorable> for Error {
    fn from(unscorable: Unscorable) -> Self {
        match unscorable {
            Unscorable::Invalid(problems) => Self::Invalid(problems),
            Unscorable::Unwritten => {
                let reason = "the activity is still to be written".to_owned();
                Conflict::NotEditable(reason).into()
            }
        }
    }
}

/// Scores answers and keeps them, as often as the quiz allows.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`], [`Forbidden::NotOwn`], [`Error::Invalid`],
/// [`Conflict::NotEditable`] while the activity has no content, [`Conflict::LimitReached`] when no attempts are left
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    request: AttemptRequest,
) -> Result<AttemptView, Error> {
    let mut activity = find(tx, ctx, id)?;
    let user_id = student_of(tx, ctx, request.user_id)?;
    let whose = (user_id, activity.course_id);
    if let Some(cohort) = pinning::cohort_of(tx, ctx.workspace_id(), whose, None)? {
        pinning::as_cohort_sees(tx, cohort, std::slice::from_mut(&mut activity))?;
    }
    let number = next_number(tx, &activity, user_id)?;
    let asked = asked(ctx, &activity, user_id, number, request.asked)?;
    let answers = request.answers.as_ref();
    let result = score(activity.kind, &activity.content, answers, asked.as_deref())?;
    room::check_learner(tx, ctx, user_id, 1)?;
    let attempt = Attempt {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        activity_id: activity.id,
        course_id: activity.course_id,
        user_id,
        number,
        answers: request.answers.unwrap_or_default(),
        result,
        created_at: ctx.now,
    };
    tx.attempts().insert(&attempt)?;
    Ok(view(ctx, &attempt))
}

/// The number of somebody's next attempt, while the quiz allows one.
fn next_number(tx: &mut dyn Tx, activity: &Activity, user: UserId) -> Result<u32, Error> {
    let latest = tx
        .attempts()
        .latest_number(activity.workspace_id, activity.id, user)?;
    match activity.quiz().and_then(|quiz| quiz.max_attempts) {
        Some(limit) if latest >= limit => {
            Err(Conflict::LimitReached("no attempts are left".to_owned()).into())
        }
        _ => Ok(latest.saturating_add(1)),
    }
}

/// The questions that an attempt is scored by, where they are not all: what was drawn for it here, or elsewhere by whoever may say so.
/// A package has every question and draws by itself, as the quiz was when it was made: what it asked counts whatever the quiz says
/// now, or an attempt that somebody made would be lost or worth less. Whoever may see them all may say what was asked as well.
fn asked(
    ctx: &Context,
    activity: &Activity,
    user: UserId,
    number: u32,
    told: Option<Vec<String>>,
) -> Result<Option<Vec<String>>, Error> {
    let Some(quiz) = activity.quiz() else {
        return Ok(None);
    };
    if ctx.member()?.identity.package.is_some() {
        told.iter().try_for_each(|told| quiz.check_asked(told))?;
        return Ok(told);
    }
    if !quiz.draws() {
        return Ok(None);
    }
    let Some(told) = told else {
        return Ok(Some(quiz.asked(activity.id, user, number)));
    };
    if is_restricted(ctx) {
        return Err(Invalid::new("asked", "is drawn by the service; read the quiz").into());
    }
    quiz.check_drawn(&told)?;
    Ok(Some(told))
}

/// Shows a page of them: everybody's with `read:submissions`, else the caller's own.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::NotOwn`] if a learner asks for somebody else's
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    filter: &AttemptFilter,
    page: &PageRequest,
) -> Result<Page<AttemptView>, Error> {
    let activity = find(tx, ctx, id)?;
    let mut filter = filter.clone();
    if let Some(own) = only_own(ctx)? {
        if filter.user_id.is_some_and(|asked| asked != own) {
            return Err(Forbidden::NotOwn.into());
        }
        filter.user_id = Some(own);
    }
    if ctx.asks_for_hidden_people(page) {
        return Ok(Page::empty());
    }
    let found = tx
        .attempts()
        .page(ctx.workspace_id(), activity.id, &filter, page)?;
    Ok(found.map(|attempt| view(ctx, &attempt)))
}

/// One that is there for the caller.
fn find(tx: &mut dyn Tx, ctx: &Context, id: ActivityId) -> Result<Activity, Error> {
    let activity = found(tx.activities().find(ctx.workspace_id(), id)?, "activity")?;
    if ctx.learner().is_some() && !course_is_visible(tx, ctx, activity.course_id)? {
        return Err(Error::NotFound("activity"));
    }
    Ok(activity)
}

/// Whoever may not read the quiz with its answers does not read them here either.
fn view(ctx: &Context, attempt: &Attempt) -> AttemptView {
    if is_restricted(ctx) {
        AttemptView::learner(attempt)
    } else {
        AttemptView::new(attempt)
    }
}
