//! Moving several things of a course together: in one transaction all of them, or none.

use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::id::{Id, Identified};
use lyceum_domain::ids::{ActivityId, CourseId, LessonId, UnitId};
use lyceum_wire::authoring::moves::{Moved, MovedView, Moves, MovesView};

use crate::authoring::siblings::Parent;
use crate::authoring::{activities, lessons, units};
use crate::prelude::*;

/// Moves units, lessons or activities of a course so that they stand side by side in this order; the others make room.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`] to what is not in the course
pub fn together(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CourseId,
    wanted: Moves,
) -> Result<MovesView, Error> {
    let course = found(tx.courses().find(ctx.workspace_id(), id)?, "course")?;
    let Moves { moved, position } = wanted;
    let moved = match moved {
        Moved::Units(ids) => move_units(tx, ctx, course.id, &ids, position),
        Moved::Lessons(ids, unit) => move_lessons(tx, ctx, course.id, (&ids, unit), position),
        Moved::Activities(ids, lesson) => {
            move_activities(tx, ctx, course.id, (&ids, lesson), position)
        }
    };
    Ok(MovesView::new(id, moved?))
}

fn move_units(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    ids: &[UnitId],
    wanted: u32,
) -> Result<Vec<MovedView>, Error> {
    let all = tx.units().with_ids(ctx.workspace_id(), ids)?;
    let units = in_order(ids, all, |unit: &Unit| (unit.id, unit.course_id), course)?;
    let parent = Parent::Course(course);
    let standing: Vec<(Parent, u32)> = units.iter().map(|unit| (parent, unit.position)).collect();
    let first = parent.gather(tx, ctx, &standing, wanted)?;
    for (unit, position) in places(units, first) {
        units::set_down(tx, ctx, unit, position)?;
    }
    Ok(stand(ids, course, first, &standing))
}

fn move_lessons(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    (ids, unit): (&[LessonId], Option<UnitId>),
    wanted: u32,
) -> Result<Vec<MovedView>, Error> {
    let all = tx.lessons().with_ids(ctx.workspace_id(), ids)?;
    let of = |lesson: &Lesson| (lesson.id, lesson.course_id);
    let lessons = in_order(ids, all, of, course)?;
    let unit = match unit {
        Some(unit) => parent_unit(tx, ctx, course, unit)?,
        None => found(lessons.first().map(|lesson| lesson.unit_id), "lesson")?,
    };
    let standing: Vec<(Parent, u32)> = lessons
        .iter()
        .map(|lesson| (Parent::Unit(lesson.unit_id), lesson.position))
        .collect();
    let first = Parent::Unit(unit).gather(tx, ctx, &standing, wanted)?;
    for (lesson, position) in places(lessons, first) {
        lessons::set_down(tx, ctx, lesson, unit, position)?;
    }
    Ok(stand(ids, unit, first, &standing))
}

fn move_activities(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    (ids, lesson): (&[ActivityId], Option<LessonId>),
    wanted: u32,
) -> Result<Vec<MovedView>, Error> {
    let all = tx.activities().with_ids(ctx.workspace_id(), ids)?;
    let of = |activity: &Activity| (activity.id, activity.course_id);
    let activities = in_order(ids, all, of, course)?;
    let lesson = match lesson {
        Some(lesson) => parent_lesson(tx, ctx, course, lesson)?,
        None => found(
            activities.first().map(|activity| activity.lesson_id),
            "activity",
        )?,
    };
    let standing: Vec<(Parent, u32)> = activities
        .iter()
        .map(|activity| (Parent::Lesson(activity.lesson_id), activity.position))
        .collect();
    let first = Parent::Lesson(lesson).gather(tx, ctx, &standing, wanted)?;
    for (activity, position) in places(activities, first) {
        activities::set_down(tx, ctx, activity, lesson, position)?;
    }
    Ok(stand(ids, lesson, first, &standing))
}

/// A unit of the course, to move into.
fn parent_unit(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    id: UnitId,
) -> Result<UnitId, Error> {
    let unit = tx.units().find(ctx.workspace_id(), id)?;
    let unit = unit.filter(|unit| unit.course_id == course);
    Ok(referenced(unit, "parent_id", "unit")?.id)
}

/// A lesson of the course, to move into.
fn parent_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    id: LessonId,
) -> Result<LessonId, Error> {
    let lesson = tx.lessons().find(ctx.workspace_id(), id)?;
    let lesson = lesson.filter(|lesson| lesson.course_id == course);
    Ok(referenced(lesson, "parent_id", "lesson")?.id)
}

/// Things of the course, in the order of these ids.
fn in_order<K: Identified, T>(
    ids: &[Id<K>],
    mut all: Vec<T>,
    of: impl Fn(&T) -> (Id<K>, CourseId),
    course: CourseId,
) -> Result<Vec<T>, Error> {
    let mut ordered = Vec::with_capacity(ids.len());
    for id in ids {
        let place = all.iter().position(|thing| of(thing) == (*id, course));
        let place = referenced(place, "ids", K::OBJECT)?;
        ordered.push(all.swap_remove(place));
    }
    Ok(ordered)
}

/// Each with its new place; none where all stand there already.
fn places<T>(things: Vec<T>, first: Option<u32>) -> impl Iterator<Item = (T, u32)> {
    let places = first.map(|first| things.into_iter().zip(first..));
    places.into_iter().flatten()
}

/// Where they stand: side by side from the first on, or where they stood.
fn stand<K: Identified, P: Identified>(
    ids: &[Id<K>],
    parent: Id<P>,
    first: Option<u32>,
    stood: &[(Parent, u32)],
) -> Vec<MovedView> {
    let first = first.or_else(|| stood.first().map(|(_, position)| *position));
    ids.iter()
        .zip(first.unwrap_or_default()..)
        .map(|(id, position)| MovedView {
            id: id.to_string(),
            parent_id: parent.to_string(),
            position,
        })
        .collect()
}
