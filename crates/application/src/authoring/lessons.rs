//! What callers do with lessons.

use lyceum_domain::authoring::lessons::{Lesson, LessonChanges, NewLesson};
use lyceum_domain::authoring::provenance::{Origin, Provenance};
use lyceum_domain::ids::{CourseId, LessonId, UnitId};
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::trash::TrashKind;
use lyceum_wire::authoring::lessons::LessonView;
use lyceum_wire::place::Place;

pub use lyceum_ports::authoring::lessons::LessonFilter;

use crate::authoring::assignments;
use crate::authoring::siblings::Parent;
use crate::authoring::versions::{self, pinning};
use crate::identity::visibility;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::in_use;
use crate::running::trash::{self, Going};

/// Makes one, at its place among the unit's lessons.
///
/// # Errors
/// [`Error::Reference`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewLesson) -> Result<LessonView, Error> {
    let unit = tx.units().find(ctx.workspace_id(), new.unit_id)?;
    let unit = referenced(unit, "unit_id", "unit")?;
    let position = Parent::Unit(unit.id).make_room(tx, ctx, new.position)?;
    let lesson = Lesson::new(
        ctx.workspace_id(),
        ctx.mint(),
        unit.course_id,
        new,
        position,
        Provenance::human(),
        ctx.now,
    );
    tx.lessons().insert(&lesson)?;
    let view = LessonView::new(&lesson);
    events::record(tx, ctx, EventType::LessonCreated, &view)?;
    Ok(view)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: LessonId) -> Result<LessonView, Error> {
    let mut lesson = find(tx, ctx, id)?;
    let sight = visibility::sight(tx, ctx)?;
    sight.refuse_hidden(lesson.course_id, "lesson")?;
    pinning::as_seen(tx, &sight, std::slice::from_mut(&mut lesson))?;
    Ok(view(ctx, &lesson))
}

/// Shows a page of them; to learners, of those that are theirs to see.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &LessonFilter,
    page: &PageRequest,
) -> Result<Page<LessonView>, Error> {
    let sight = visibility::sight(tx, ctx)?;
    let filter = LessonFilter {
        among: sight.limits(page),
        ..filter.clone()
    };
    let mut found = tx.lessons().page(ctx.workspace_id(), &filter, page)?;
    pinning::as_seen(tx, &sight, &mut found.items)?;
    Ok(found.map(|lesson| view(ctx, &lesson)))
}

/// Changes one; a change that changes nothing leaves no trace.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    changes: LessonChanges,
) -> Result<LessonView, Error> {
    let mut lesson = find(tx, ctx, id)?;
    let was = lesson.clone();
    let before = view(ctx, &lesson);
    if !lesson.change(changes, ctx.now)? {
        return Ok(before);
    }
    pinning::keep(tx, ctx, &was, &lesson)?;
    let after = store(tx, ctx, &lesson, &before)?;
    versions::keep_lesson(tx, ctx, &was, &lesson)?;
    if made_by_ai(&lesson) {
        recount_generated(tx, ctx, lesson.course_id)?;
    }
    Ok(after)
}

/// Moves one to another place in its unit, or to another unit of its course; the others make room.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`], [`Error::Invalid`] for a unit of another course
pub fn relocate(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    to: Place<UnitId>,
) -> Result<LessonView, Error> {
    let lesson = find(tx, ctx, id)?;
    let parent = match to.parent {
        Some(unit) if unit != lesson.unit_id => {
            let unit = referenced(
                tx.units().find(ctx.workspace_id(), unit)?,
                "unit_id",
                "unit",
            )?;
            if unit.course_id != lesson.course_id {
                return Err(Invalid::new("unit_id", "must be a unit of the same course").into());
            }
            unit.id
        }
        _ => lesson.unit_id,
    };
    let (from, onto) = (Parent::Unit(lesson.unit_id), Parent::Unit(parent));
    match from.relocate(tx, ctx, lesson.position, onto, to.position)? {
        Some(position) => set_down(tx, ctx, lesson, parent, position),
        None => Ok(view(ctx, &lesson)),
    }
}

/// Writes down where one stands, for which the others have made room; its assignments go along.
pub(super) fn set_down(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut lesson: Lesson,
    unit: UnitId,
    position: u32,
) -> Result<LessonView, Error> {
    let before = view(ctx, &lesson);
    let stays = unit == lesson.unit_id;
    lesson.unit_id = unit;
    lesson.position = position;
    lesson.stamp.touch(ctx.now);
    let after = store(tx, ctx, &lesson, &before)?;
    if !stays {
        assignments::follow(tx, ctx, &lesson)?;
    }
    Ok(after)
}

/// Moves one and everything below it to the trash, and closes the gap; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::InUse`](crate::error::Conflict::InUse), [`Error::Forbidden`]
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    force: bool,
) -> Result<LessonId, Error> {
    let lesson = find(tx, ctx, id)?;
    in_use::refuse(tx, ctx, Subject::Lesson(id), force)?;
    let going = Going::new(TrashKind::Lesson, &id, &lesson.name);
    trash::put(tx, ctx, going)?;
    Parent::Unit(lesson.unit_id).close_gap(tx, ctx, lesson.position)?;
    if made_by_ai(&lesson) {
        recount_generated(tx, ctx, lesson.course_id)?;
    }
    Ok(id)
}

/// Counts the minutes of the course's AI-made lessons anew.
///
/// The course's number follows from its lessons, whose events tell of the change; it has none of its own.
pub fn recount_generated(tx: &mut dyn Tx, ctx: &Context, course_id: CourseId) -> Result<(), Error> {
    let minutes = tx
        .lessons()
        .generated_minutes(ctx.workspace_id(), course_id)?;
    let Some(mut course) = tx.courses().find(ctx.workspace_id(), course_id)? else {
        return Ok(());
    };
    if course.minutes_generated != minutes {
        course.note_generated(minutes, ctx.now);
        tx.courses().update(&course)?;
    }
    Ok(())
}

const fn made_by_ai(lesson: &Lesson) -> bool {
    matches!(lesson.provenance.origin, Origin::Ai | Origin::AiEdited)
}

pub(super) fn find(tx: &mut dyn Tx, ctx: &Context, id: LessonId) -> Result<Lesson, Error> {
    found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")
}

fn store(
    tx: &mut dyn Tx,
    ctx: &Context,
    lesson: &Lesson,
    before: &LessonView,
) -> Result<LessonView, Error> {
    tx.lessons().update(lesson)?;
    let after = view(ctx, lesson);
    events::record_change(tx, ctx, EventType::LessonUpdated, before, &after)?;
    Ok(after)
}

/// Shows a lesson to the caller.
pub fn view(ctx: &Context, lesson: &Lesson) -> LessonView {
    if visibility::is_restricted(ctx) {
        LessonView::learner(lesson)
    } else {
        LessonView::new(lesson)
    }
}
