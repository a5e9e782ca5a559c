//! What callers do with assignments.

use lyceum_domain::authoring::assignments::{
    Assignment, AssignmentChanges, AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::ids::{AssignmentId, CourseId};
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::trash::TrashKind;
use lyceum_wire::authoring::assignments::AssignmentView;

pub use lyceum_ports::authoring::assignments::AssignmentFilter;

use crate::authoring::due_dates;
use crate::authoring::versions::{self, pinning};
use crate::identity::visibility;
use crate::models;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::running::in_use;
use crate::running::trash::{self, Going};

/// Makes one, on the parent that it names.
///
/// # Errors
/// [`Error::Reference`], [`Error::Invalid`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewAssignment) -> Result<AssignmentView, Error> {
    let place = place(tx, ctx, new.parent)?;
    let course = course(tx, ctx, place.course_id)?;
    refuse_unknown_model(ctx, &new.grading)?;
    let assignment = Assignment::new(
        ctx.workspace_id(),
        ctx.mint(),
        place,
        course.language,
        new,
        ctx.now,
    )?;
    tx.assignments().insert(&assignment)?;
    let view = AssignmentView::new(&assignment);
    events::record(tx, ctx, EventType::AssignmentCreated, &view)?;
    Ok(view)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<AssignmentView, Error> {
    let mut assignment = find(tx, ctx, id)?;
    let sight = visibility::sight(tx, ctx)?;
    sight.refuse_hidden(assignment.place.course_id, "assignment")?;
    pinning::as_seen(tx, &sight, std::slice::from_mut(&mut assignment))?;
    due_dates::as_due_for_caller(tx, ctx, std::slice::from_mut(&mut assignment))?;
    Ok(view(ctx, &assignment))
}

/// Shows a page of them; to learners, of those that are theirs to see.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &AssignmentFilter,
    page: &PageRequest,
) -> Result<Page<AssignmentView>, Error> {
    let sight = visibility::sight(tx, ctx)?;
    let filter = AssignmentFilter {
        among: sight.limits(page),
        ..filter.clone()
    };
    let mut found = tx.assignments().page(ctx.workspace_id(), &filter, page)?;
    pinning::as_seen(tx, &sight, &mut found.items)?;
    due_dates::as_due_for_caller(tx, ctx, &mut found.items)?;
    Ok(found.map(|assignment| view(ctx, &assignment)))
}

/// Changes one; a change that changes nothing leaves no trace.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    changes: AssignmentChanges,
) -> Result<AssignmentView, Error> {
    let mut assignment = find(tx, ctx, id)?;
    let before = assignment.clone();
    let mut changes = changes;
    refuse_unknown_model(ctx, &changes.grading)?;
    changes.grading = in_course(tx, ctx, &assignment, changes.grading)?;
    if !assignment.change(changes, ctx.now)? {
        return Ok(view(ctx, &before));
    }
    store(tx, ctx, &assignment, &before)
}

/// Changes how one is graded.
///
/// # Errors
/// [`Error::NotFound`]
pub fn configure(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    changes: GradingChanges,
) -> Result<AssignmentView, Error> {
    let mut assignment = find(tx, ctx, id)?;
    let before = assignment.clone();
    refuse_unknown_model(ctx, &changes)?;
    let changes = in_course(tx, ctx, &assignment, changes)?;
    if !assignment.configure(changes, ctx.now) {
        return Ok(view(ctx, &before));
    }
    store(tx, ctx, &assignment, &before)
}

/// Puts back how one is graded to what it was when nobody had said anything.
///
/// # Errors
/// [`Error::NotFound`]
pub fn reset(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<AssignmentView, Error> {
    let mut assignment = find(tx, ctx, id)?;
    let before = assignment.clone();
    let course = course(tx, ctx, assignment.place.course_id)?;
    if !assignment.reset_configuration(course.language, ctx.now) {
        return Ok(view(ctx, &before));
    }
    store(tx, ctx, &assignment, &before)
}

/// Moves one and everything below it to the trash; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::InUse`](crate::error::Conflict::InUse), [`Error::Forbidden`]
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    force: bool,
) -> Result<AssignmentId, Error> {
    let assignment = find(tx, ctx, id)?;
    in_use::refuse(tx, ctx, Subject::Assignment(id), force)?;
    let going = Going::new(TrashKind::Assignment, &id, &assignment.name);
    trash::put(tx, ctx, going)?;
    Ok(id)
}

fn refuse_unknown_model(ctx: &Context, changes: &GradingChanges) -> Result<(), Error> {
    let model = changes.ai_model.as_deref().unwrap_or_default();
    models::refuse_unknown(ctx, model, "ai_evaluator.model")
}

/// Takes the assignments of a lesson along to the unit it was moved to.
pub fn follow(tx: &mut dyn Tx, ctx: &Context, lesson: &Lesson) -> Result<(), Error> {
    let all = tx
        .assignments()
        .of_course(ctx.workspace_id(), lesson.course_id)?;
    for mut assignment in all {
        if assignment.place.lesson_id != Some(lesson.id) {
            continue;
        }
        let before = assignment.clone();
        assignment.place.unit_id = Some(lesson.unit_id);
        assignment.stamp.touch(ctx.now);
        store(tx, ctx, &assignment, &before)?;
    }
    Ok(())
}

fn place(
    tx: &mut dyn Tx,
    ctx: &Context,
    parent: AssignmentParent,
) -> Result<AssignmentPlace, Error> {
    let workspace = ctx.workspace_id();
    match parent {
        AssignmentParent::Course(id) => {
            let course = referenced(tx.courses().find(workspace, id)?, "course_id", "course")?;
            Ok(AssignmentPlace {
                course_id: course.id,
                unit_id: None,
                lesson_id: None,
            })
        }
        AssignmentParent::Unit(id) => {
            let unit = referenced(tx.units().find(workspace, id)?, "unit_id", "unit")?;
            Ok(AssignmentPlace {
                course_id: unit.course_id,
                unit_id: Some(unit.id),
                lesson_id: None,
            })
        }
        AssignmentParent::Lesson(id) => {
            let lesson = referenced(tx.lessons().find(workspace, id)?, "lesson_id", "lesson")?;
            Ok(AssignmentPlace {
                course_id: lesson.course_id,
                unit_id: Some(lesson.unit_id),
                lesson_id: Some(lesson.id),
            })
        }
    }
}

fn course(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<Course, Error> {
    found(tx.courses().find(ctx.workspace_id(), id)?, "course")
}

pub(super) fn find(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<Assignment, Error> {
    found(tx.assignments().find(ctx.workspace_id(), id)?, "assignment")
}

/// Fills in the course's language where a change puts it back.
pub(super) fn in_course(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: &Assignment,
    changes: GradingChanges,
) -> Result<GradingChanges, Error> {
    if !changes.needs_course_language() {
        return Ok(changes);
    }
    let course = tx
        .courses()
        .find(ctx.workspace_id(), assignment.place.course_id)?;
    Ok(changes.in_course(&found(course, "course")?.language))
}

fn store(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: &Assignment,
    before: &Assignment,
) -> Result<AssignmentView, Error> {
    let is_pinned = pinning::keep(tx, ctx, before, assignment)?;
    tx.assignments().update(assignment)?;
    versions::keep_assignment(tx, ctx, (before, assignment), is_pinned)?;
    let is_due_as = (before.due_at, before.late_policy);
    if is_due_as != (assignment.due_at, assignment.late_policy) {
        due_dates::ease(tx, ctx, assignment.id)?;
    }
    let change = AuditedChange::between(values::grading(before), values::grading(assignment));
    let subject = AuditSubject::of(assignment.id);
    audit::note_change(tx, ctx, AuditAction::AssignmentUpdated, subject, change)?;
    let (before, after) = (view(ctx, before), view(ctx, assignment));
    events::record_change(tx, ctx, EventType::AssignmentUpdated, &before, &after)?;
    Ok(after)
}

/// Shows an assignment to the caller.
pub fn view(ctx: &Context, assignment: &Assignment) -> AssignmentView {
    if visibility::is_restricted(ctx) {
        AssignmentView::learner(assignment)
    } else {
        AssignmentView::new(assignment)
    }
}
