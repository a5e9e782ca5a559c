//! What callers do with courses.

use lyceum_domain::authoring::courses::{Course, CourseChanges, NewCourse};
use lyceum_domain::authoring::graders::CourseGraderChange;
use lyceum_domain::ids::{AssignmentId, CourseId};
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::trash::TrashKind;
use lyceum_ports::authoring::courses::ShownCourse;
use lyceum_wire::authoring::courses::{CourseView, GenerationSummary};

pub use lyceum_ports::authoring::courses::CourseFilter;

mod copy;

pub use copy::copy;

use crate::identity::visibility;
use crate::models;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::running::in_use;
use crate::running::trash::{self, Going};

/// Makes a draft.
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewCourse) -> Result<CourseView, Error> {
    let course = Course::draft(ctx.workspace_id(), ctx.mint(), new, ctx.now);
    models::refuse_unknown(ctx, models::of_course(&course), "ai.evaluator.model")?;
    models::refuse_unknown(ctx, models::of_tutor(&course), "tutor.model")?;
    tx.courses().insert(&course)?;
    let view = CourseView::new(&course, &[], None);
    events::record(tx, ctx, EventType::CourseCreated, &view)?;
    Ok(view)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<CourseView, Error> {
    visibility::refuse_unknown_cohort(tx, ctx)?;
    Ok(view(&shown(tx, ctx, id)?))
}

/// Shows a page of them.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &CourseFilter,
    page: &PageRequest,
) -> Result<Page<CourseView>, Error> {
    visibility::refuse_unknown_cohort(tx, ctx)?;
    let found = tx.courses().page(ctx.workspace_id(), filter, page)?;
    Ok(Page {
        items: found.items.iter().map(view).collect(),
        next: found.next,
    })
}

/// Changes one; a change that changes nothing leaves no trace.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CourseId,
    changes: CourseChanges,
) -> Result<CourseView, Error> {
    let mut shown = shown(tx, ctx, id)?;
    let before = view(&shown);
    let course = &mut shown.course;
    let graded_before = course.clone();
    let ai_before = values::course_ai(course);
    if !course.change(changes, ctx.now)? {
        return Ok(before);
    }
    refuse_new_models(ctx, &graded_before, course)?;
    tx.courses().update(course)?;
    note_graders(
        tx,
        ctx,
        CourseGraderChange::between(&graded_before, course),
        id,
    )?;
    let change = AuditedChange::between(ai_before, values::course_ai(course));
    audit::note_change(
        tx,
        ctx,
        AuditAction::AiSettingsUpdated,
        AuditSubject::of(id),
        change,
    )?;
    let after = view(&shown);
    events::record_change(tx, ctx, EventType::CourseUpdated, &before, &after)?;
    Ok(after)
}

/// Refuses models that a change brings and that may not be asked. What was allowed once and no longer is stays until somebody
/// changes it.
pub(super) fn refuse_new_models(
    ctx: &Context,
    before: &Course,
    course: &Course,
) -> Result<(), Error> {
    if models::of_course(course) != models::of_course(before) {
        models::refuse_unknown(ctx, models::of_course(course), "ai.evaluator.model")?;
    }
    if models::of_tutor(course) != models::of_tutor(before) {
        models::refuse_unknown(ctx, models::of_tutor(course), "tutor.model")?;
    }
    Ok(())
}

/// Notes with the assignments that a change reaches that AI grades them otherwise from now on.
fn note_graders(
    tx: &mut dyn Tx,
    ctx: &Context,
    change: CourseGraderChange,
    course: CourseId,
) -> Result<(), Error> {
    if !change.is_any() {
        return Ok(());
    }
    let assignments = tx.assignments().of_course(ctx.workspace_id(), course)?;
    let reached = assignments.iter().filter(|one| change.reaches(one));
    let reached: Vec<AssignmentId> = reached.map(|one| one.id).collect();
    Ok(tx
        .assignments()
        .note_grader_changed(ctx.workspace_id(), &reached, ctx.now)?)
}

/// Moves one and everything below it to the trash; what learners have used, or with an active cohort, only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::InUse`], [`Error::Forbidden`], [`Conflict::CourseInUse`]
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CourseId,
    force: bool,
) -> Result<CourseId, Error> {
    let course = find(tx, ctx, id)?;
    in_use::refuse(tx, ctx, Subject::Course(id), force)?;
    if !force && tx.cohorts().any_active(ctx.workspace_id(), id)? {
        return Err(Conflict::CourseInUse.into());
    }
    let going = Going::new(TrashKind::Course, &id, &course.name);
    trash::put(tx, ctx, going)?;
    Ok(id)
}

/// draft → published
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`]
pub fn publish(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<CourseView, Error> {
    step(tx, ctx, id, EventType::CoursePublished, |course| {
        course.publish(ctx.now)
    })
}

/// draft or published → archived
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`]
pub fn archive(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<CourseView, Error> {
    step(tx, ctx, id, EventType::CourseArchived, |course| {
        course.archive(ctx.now)
    })
}

/// archived → published
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`]
pub fn unarchive(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<CourseView, Error> {
    step(tx, ctx, id, EventType::CoursePublished, |course| {
        course.unarchive(ctx.now)
    })
}

fn step(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CourseId,
    event: EventType,
    make: impl FnOnce(&mut Course) -> Result<(), lyceum_domain::transition::InvalidTransition>,
) -> Result<CourseView, Error> {
    let mut shown = shown(tx, ctx, id)?;
    let before = view(&shown);
    make(&mut shown.course)?;
    tx.courses().update(&shown.course)?;
    let after = view(&shown);
    events::record_change(tx, ctx, event, &before, &after)?;
    Ok(after)
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<Course, Error> {
    found(tx.courses().find(ctx.workspace_id(), id)?, "course")
}

pub(super) fn shown(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<ShownCourse, Error> {
    let shown = tx.courses().shown(ctx.workspace_id(), &[id])?.pop();
    found(shown, "course")
}

/// A course as it is answered.
pub fn view(shown: &ShownCourse) -> CourseView {
    let generation = shown.generation.as_ref();
    CourseView::new(
        &shown.course,
        &shown.cohorts,
        generation.map(|generation| GenerationSummary {
            id: generation.id.to_string(),
            status: generation.status.clone(),
        }),
    )
}

#[cfg(test)]
mod tests {
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::running::in_use::Uses;
    use lyceum_domain::running::trash::TrashPart;
    use lyceum_ports::mocks::MockTx;
    use lyceum_ports::store::StoreError;

    use super::*;
    use crate::identity::visibility::tests::{context, course, id, new_course};

    /// A transaction in which this course is found, with neither cohorts nor generations.
    fn with(course: Course) -> MockTx {
        let mut tx = MockTx::default();
        let shown = ShownCourse {
            course,
            cohorts: Vec::new(),
            generation: None,
        };
        tx.courses
            .expect_shown()
            .returning(move |_, _| Ok(vec![shown.clone()]));
        tx
    }

    #[test]
    fn a_new_course_is_stored_in_the_callers_workspace_and_told() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        let here = ctx.workspace_id();
        let mut tx = MockTx::default();
        tx.courses
            .expect_insert()
            .once()
            .withf(move |course| course.workspace_id == here)
            .returning(|_| Ok(()));
        tx.events
            .expect_append()
            .once()
            .withf(|event| event.kind == EventType::CourseCreated)
            .returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(Vec::new()));
        let view = create(&mut tx, &ctx, new_course()).unwrap();
        assert_eq!(
            (view.status.as_str(), view.name.as_str()),
            ("draft", "Food safety")
        );
    }

    #[test]
    fn a_failed_announcement_fails_the_course() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        let mut tx = MockTx::default();
        tx.courses.expect_insert().returning(|_| Ok(()));
        tx.events
            .expect_append()
            .returning(|_| Err(StoreError::Failed("full".into())));
        assert!(matches!(
            create(&mut tx, &ctx, new_course()),
            Err(Error::Internal(_))
        ));
    }

    #[test]
    fn a_change_that_changes_nothing_is_neither_stored_nor_told() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        // Whatever is not expected of a mock panics: no update, no event.
        let mut tx = with(course(4));
        let view = update(&mut tx, &ctx, id(4), CourseChanges::default()).unwrap();
        assert_eq!(view.updated_at, view.created_at);
    }

    #[test]
    fn a_course_of_an_active_cohort_goes_only_by_force() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        let mut tx = with(course(4));
        tx.courses
            .expect_find()
            .returning(|_, _| Ok(Some(course(4))));
        tx.in_use
            .expect_uses()
            .returning(|_, _, _| Ok(Uses::default()));
        tx.cohorts.expect_any_active().returning(|_, _| Ok(true));
        let refused = delete(&mut tx, &ctx, id(4), false);
        assert!(
            matches!(refused, Err(Error::Conflict(Conflict::CourseInUse))),
            "{refused:?}"
        );
        // Nothing but the trash takes it: a delete of the row would panic.
        tx.trash
            .expect_gather()
            .once()
            .withf(|item| item.kind == TrashKind::Course && item.name == "Food safety")
            .returning(|_| Ok([(TrashPart::Courses, 1)].into()));
        tx.trash
            .expect_pending_generations()
            .returning(|_| Ok(Vec::new()));
        tx.trash.expect_ids().returning(|item, _, after, _| {
            let first = after.is_none().then(|| item.object_id.clone());
            Ok(first.into_iter().collect())
        });
        tx.trash.expect_take_out().once().returning(|_| Ok(()));
        tx.events.expect_append().once().returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(Vec::new()));
        assert!(delete(&mut tx, &ctx, id(4), true).is_ok());
    }

    #[test]
    fn a_course_that_is_not_here_is_not_found() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        let mut tx = MockTx::default();
        tx.courses.expect_shown().returning(|_, _| Ok(Vec::new()));
        assert!(matches!(
            retrieve(&mut tx, &ctx, id(4)),
            Err(Error::NotFound("course"))
        ));
    }
}
