//! What callers do with activities.

use lyceum_domain::authoring::activities::quiz::Quiz;
use lyceum_domain::authoring::activities::{Activity, ActivityChanges, NewActivity};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::ids::{ActivityId, LessonId};
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::trash::TrashKind;
use lyceum_wire::authoring::activities::ActivityView;
use lyceum_wire::place::Place;

pub use lyceum_ports::authoring::activities::ActivityFilter;

use crate::authoring::recordings;
use crate::authoring::siblings::Parent;
use crate::authoring::versions::{self, pinning};
use crate::identity::visibility;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::in_use;
use crate::running::trash::{self, Going};

/// Makes one, at its place among the lesson's activities.
///
/// # Errors
/// [`Error::Reference`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewActivity) -> Result<ActivityView, Error> {
    let lesson = tx.lessons().find(ctx.workspace_id(), new.lesson_id)?;
    let lesson = referenced(lesson, "lesson_id", "lesson")?;
    let position = Parent::Lesson(lesson.id).make_room(tx, ctx, new.position)?;
    let activity = Activity::new(
        ctx.workspace_id(),
        ctx.mint(),
        lesson.course_id,
        new,
        position,
        Provenance::human(),
        ctx.now,
    );
    tx.activities().insert(&activity)?;
    let view = ActivityView::new(&activity);
    events::record(tx, ctx, EventType::ActivityCreated, &view)?;
    Ok(view)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: ActivityId) -> Result<ActivityView, Error> {
    let mut activity = find(tx, ctx, id)?;
    let sight = visibility::sight(tx, ctx)?;
    sight.refuse_hidden(activity.course_id, "activity")?;
    pinning::as_seen(tx, &sight, std::slice::from_mut(&mut activity))?;
    view_to_reader(tx, ctx, &activity)
}

/// Shows a page of them; to learners, of those that are theirs to see.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &ActivityFilter,
    page: &PageRequest,
) -> Result<Page<ActivityView>, Error> {
    let sight = visibility::sight(tx, ctx)?;
    let filter = ActivityFilter {
        among: sight.limits(page),
        ..filter.clone()
    };
    let mut found = tx.activities().page(ctx.workspace_id(), &filter, page)?;
    pinning::as_seen(tx, &sight, &mut found.items)?;
    let next = found.next;
    let items = views(tx, ctx, &found.items)?;
    Ok(Page { items, next })
}

/// Changes one; a change that changes nothing leaves no trace.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    changes: ActivityChanges,
) -> Result<ActivityView, Error> {
    let mut activity = find(tx, ctx, id)?;
    let was = activity.clone();
    let before = view(ctx, &activity);
    let recording = activity.content.recording();
    if !activity.change(changes, ctx.now)? {
        return Ok(before);
    }
    pinning::keep(tx, ctx, &was, &activity)?;
    recordings::let_go(tx, ctx, recording, activity.content.recording().as_ref())?;
    let after = store(tx, ctx, &activity, &before)?;
    versions::keep_activity(tx, ctx, &was, &activity)?;
    Ok(after)
}

/// Moves one to another place in its lesson, or to another lesson of its course; the others make room.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`], [`Error::Invalid`] for a lesson of another course
pub fn relocate(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    to: Place<LessonId>,
) -> Result<ActivityView, Error> {
    let activity = find(tx, ctx, id)?;
    let parent = match to.parent {
        Some(lesson) if lesson != activity.lesson_id => {
            let lesson = referenced(
                tx.lessons().find(ctx.workspace_id(), lesson)?,
                "lesson_id",
                "lesson",
            )?;
            if lesson.course_id != activity.course_id {
                return Err(
                    Invalid::new("lesson_id", "must be a lesson of the same course").into(),
                );
            }
            lesson.id
        }
        _ => activity.lesson_id,
    };
    let (from, onto) = (Parent::Lesson(activity.lesson_id), Parent::Lesson(parent));
    match from.relocate(tx, ctx, activity.position, onto, to.position)? {
        Some(position) => set_down(tx, ctx, activity, parent, position),
        None => Ok(view(ctx, &activity)),
    }
}

/// Writes down where one stands, for which the others have made room.
pub(super) fn set_down(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut activity: Activity,
    lesson: LessonId,
    position: u32,
) -> Result<ActivityView, Error> {
    let before = view(ctx, &activity);
    activity.lesson_id = lesson;
    activity.position = position;
    activity.stamp.touch(ctx.now);
    store(tx, ctx, &activity, &before)
}

/// Moves one and everything that hangs on it to the trash, and closes the gap; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::InUse`](crate::error::Conflict::InUse)
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    force: bool,
) -> Result<ActivityId, Error> {
    let activity = find(tx, ctx, id)?;
    in_use::refuse(tx, ctx, Subject::Activity(id), force)?;
    let going = Going::new(TrashKind::Activity, &id, &activity.name);
    trash::put(tx, ctx, going)?;
    Parent::Lesson(activity.lesson_id).close_gap(tx, ctx, activity.position)?;
    Ok(id)
}

pub(super) fn find(tx: &mut dyn Tx, ctx: &Context, id: ActivityId) -> Result<Activity, Error> {
    found(tx.activities().find(ctx.workspace_id(), id)?, "activity")
}

fn store(
    tx: &mut dyn Tx,
    ctx: &Context,
    activity: &Activity,
    before: &ActivityView,
) -> Result<ActivityView, Error> {
    tx.activities().update(activity)?;
    let after = view(ctx, activity);
    events::record_change(tx, ctx, EventType::ActivityUpdated, before, &after)?;
    Ok(after)
}

/// Shows an activity to the caller.
pub fn view(ctx: &Context, activity: &Activity) -> ActivityView {
    let view = if visibility::is_restricted(ctx) {
        ActivityView::learner(activity)
    } else {
        ActivityView::new(activity)
    };
    if activity.content.recording().is_none() {
        return view;
    }
    view.with_recording(recordings::address(&ctx.settings, activity, ctx.now))
}

/// Shows activities to whoever reads them: of a quiz that draws, a learner gets what their next attempt asks.
///
/// # Errors
/// Those of storage.
pub fn views(
    tx: &mut dyn Tx,
    ctx: &Context,
    activities: &[Activity],
) -> Result<Vec<ActivityView>, Error> {
    let each = activities.iter();
    each.map(|activity| view_to_reader(tx, ctx, activity))
        .collect()
}

fn view_to_reader(
    tx: &mut dyn Tx,
    ctx: &Context,
    activity: &Activity,
) -> Result<ActivityView, Error> {
    let view = view(ctx, activity);
    if !visibility::is_restricted(ctx) {
        return Ok(view);
    }
    let Some(quiz) = activity.quiz().filter(Quiz::draws) else {
        return Ok(view);
    };
    let user = ctx.member()?.user.id;
    let latest = tx
        .attempts()
        .latest_number(ctx.workspace_id(), activity.id, user)?;
    // Whoever has no attempt left sees what the last one asked.
    let most = quiz.max_attempts.unwrap_or(u32::MAX);
    let asked = quiz.asked(activity.id, user, latest.saturating_add(1).min(most));
    Ok(view.asking(&asked))
}
