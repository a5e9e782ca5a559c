//! What callers do with units.

use std::collections::HashMap;

use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::{NewUnit, Unit, UnitChanges};
use lyceum_domain::ids::UnitId;
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::trash::{TrashKind, TrashPart};
use lyceum_wire::authoring::units::UnitView;

pub use lyceum_ports::authoring::units::UnitFilter;

use crate::authoring::lessons;
use crate::authoring::siblings::Parent;
use crate::authoring::versions::pinning;
use crate::identity::visibility;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::in_use;
use crate::running::trash::{self, Going};

/// Makes one, at its place among the course's units.
///
/// # Errors
/// [`Error::Reference`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewUnit) -> Result<UnitView, Error> {
    let course = tx.courses().find(ctx.workspace_id(), new.course_id)?;
    let course = referenced(course, "course_id", "course")?;
    let position = Parent::Course(course.id).make_room(tx, ctx, new.position)?;
    let unit = Unit::new(
        ctx.workspace_id(),
        ctx.mint(),
        new,
        position,
        Provenance::human(),
        ctx.now,
    );
    tx.units().insert(&unit)?;
    let view = UnitView::new(&unit, 0);
    events::record(tx, ctx, EventType::UnitCreated, &view)?;
    Ok(view)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: UnitId) -> Result<UnitView, Error> {
    let mut unit = find(tx, ctx, id)?;
    let sight = visibility::sight(tx, ctx)?;
    sight.refuse_hidden(unit.course_id, "unit")?;
    pinning::as_seen(tx, &sight, std::slice::from_mut(&mut unit))?;
    view(tx, ctx, &unit)
}

/// Shows a page of them; to learners, of those that are theirs to see.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &UnitFilter,
    page: &PageRequest,
) -> Result<Page<UnitView>, Error> {
    let sight = visibility::sight(tx, ctx)?;
    let filter = UnitFilter {
        among: sight.limits(page),
        ..filter.clone()
    };
    let mut found = tx.units().page(ctx.workspace_id(), &filter, page)?;
    pinning::as_seen(tx, &sight, &mut found.items)?;
    Ok(Page {
        items: views(tx, ctx, &found.items)?,
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
    id: UnitId,
    changes: UnitChanges,
) -> Result<UnitView, Error> {
    let mut unit = find(tx, ctx, id)?;
    let was = unit.clone();
    let before = view(tx, ctx, &unit)?;
    if !unit.change(changes, ctx.now)? {
        return Ok(before);
    }
    pinning::keep(tx, ctx, &was, &unit)?;
    store(tx, ctx, &unit, &before)
}

/// Moves one to another place in its course; the others make room.
///
/// # Errors
/// [`Error::NotFound`]
pub fn relocate(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UnitId,
    position: u32,
) -> Result<UnitView, Error> {
    let unit = find(tx, ctx, id)?;
    let course = Parent::Course(unit.course_id);
    match course.relocate(tx, ctx, unit.position, course, position)? {
        Some(position) => set_down(tx, ctx, unit, position),
        None => view(tx, ctx, &unit),
    }
}

/// Writes down where one stands, for which the others have made room.
pub(super) fn set_down(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut unit: Unit,
    position: u32,
) -> Result<UnitView, Error> {
    let before = view(tx, ctx, &unit)?;
    unit.position = position;
    unit.stamp.touch(ctx.now);
    store(tx, ctx, &unit, &before)
}

/// Moves one and everything below it to the trash, and closes the gap; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::InUse`](crate::error::Conflict::InUse), [`Error::Forbidden`]
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: UnitId, force: bool) -> Result<UnitId, Error> {
    let unit = find(tx, ctx, id)?;
    in_use::refuse(tx, ctx, Subject::Unit(id), force)?;
    let going = Going::new(TrashKind::Unit, &id, &unit.name);
    let gone = trash::put(tx, ctx, going)?;
    Parent::Course(unit.course_id).close_gap(tx, ctx, unit.position)?;
    if gone.count(TrashPart::Lessons) > 0 {
        lessons::recount_generated(tx, ctx, unit.course_id)?;
    }
    Ok(id)
}

pub(super) fn find(tx: &mut dyn Tx, ctx: &Context, id: UnitId) -> Result<Unit, Error> {
    found(tx.units().find(ctx.workspace_id(), id)?, "unit")
}

fn store(
    tx: &mut dyn Tx,
    ctx: &Context,
    unit: &Unit,
    before: &UnitView,
) -> Result<UnitView, Error> {
    tx.units().update(unit)?;
    let after = UnitView::new(unit, before.lesson_count);
    events::record_change(tx, ctx, EventType::UnitUpdated, before, &after)?;
    Ok(after)
}

pub(super) fn view(tx: &mut dyn Tx, ctx: &Context, unit: &Unit) -> Result<UnitView, Error> {
    views(tx, ctx, std::slice::from_ref(unit))?
        .pop()
        .ok_or(Error::NotFound("unit"))
}

/// Shows units to the caller, with one query for all of them.
pub fn views(tx: &mut dyn Tx, ctx: &Context, units: &[Unit]) -> Result<Vec<UnitView>, Error> {
    let ids: Vec<UnitId> = units.iter().map(|unit| unit.id).collect();
    let counts = tx.units().lesson_counts(ctx.workspace_id(), &ids)?;
    let counts: HashMap<UnitId, u32> = counts.into_iter().collect();
    let show = if visibility::is_restricted(ctx) {
        UnitView::learner
    } else {
        UnitView::new
    };
    let shown = units
        .iter()
        .map(|unit| show(unit, counts.get(&unit.id).copied().unwrap_or_default()));
    Ok(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::authoring::units::Objectives;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::json::Metadata;
    use lyceum_domain::text::{LongText, Name};
    use lyceum_ports::mocks::MockTx;
    use mockall::Sequence;
    use mockall::predicate::eq;

    use crate::identity::visibility::tests::{context, course, id, now};

    fn new_unit(position: Option<u32>) -> NewUnit {
        NewUnit {
            course_id: id(5),
            name: Name::parse("Week 1").unwrap(),
            description: LongText::default(),
            objectives: Objectives::default(),
            position,
            metadata: Metadata::default(),
        }
    }

    fn unit(position: u32) -> Unit {
        let human = Provenance::human();
        Unit::new(id(1), id(6), new_unit(None), position, human, now())
    }

    fn author() -> Context {
        context(Role::Teacher, KeyKind::Standard)
    }

    /// A transaction in which one event of this type is told.
    fn telling(kind: EventType) -> MockTx {
        let mut tx = MockTx::default();
        tx.events
            .expect_append()
            .withf(move |event| event.kind == kind)
            .times(1)
            .returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(vec![]));
        tx.units.expect_lesson_counts().returning(|_, _| Ok(vec![]));
        tx
    }

    #[test]
    fn a_unit_of_a_course_that_is_not_there_is_not_made() {
        let mut tx = MockTx::default();
        // Courses of other workspaces are not found; any insert or event would panic.
        tx.courses.expect_find().returning(|_, _| Ok(None));
        let refused = create(&mut tx, &author(), new_unit(None)).unwrap_err();
        assert!(matches!(
            refused,
            Error::Reference {
                field: "course_id",
                object: "course"
            }
        ));
    }

    #[test]
    fn a_new_unit_is_told_and_stands_at_the_end() {
        let mut tx = telling(EventType::UnitCreated);
        tx.courses
            .expect_find()
            .returning(|_, _| Ok(Some(course(5))));
        tx.units.expect_count().returning(|_, _| Ok(3));
        tx.units.expect_insert().times(1).returning(|_| Ok(()));
        let view = create(&mut tx, &author(), new_unit(Some(99))).unwrap();
        assert_eq!((view.position, view.lesson_count), (3, 0));
    }

    #[test]
    fn the_others_make_room_for_a_new_unit() {
        let mut tx = telling(EventType::UnitCreated);
        tx.courses
            .expect_find()
            .returning(|_, _| Ok(Some(course(5))));
        tx.units.expect_count().returning(|_, _| Ok(3));
        tx.units
            .expect_shift()
            .with(eq(id(1)), eq(id(5)), eq(1), eq(1))
            .times(1)
            .returning(|_, _, _, _| Ok(()));
        tx.units.expect_insert().times(1).returning(|_| Ok(()));
        let view = create(&mut tx, &author(), new_unit(Some(1))).unwrap();
        assert_eq!(view.position, 1);
    }

    #[test]
    fn moving_closes_the_gap_before_it_makes_room() {
        let mut tx = telling(EventType::UnitUpdated);
        let mut order = Sequence::new();
        tx.units.expect_find().returning(|_, _| Ok(Some(unit(0))));
        tx.units.expect_count().returning(|_, _| Ok(3));
        for (from, by) in [(1, -1), (2, 1)] {
            tx.units
                .expect_shift()
                .with(eq(id(1)), eq(id(5)), eq(from), eq(by))
                .times(1)
                .in_sequence(&mut order)
                .returning(|_, _, _, _| Ok(()));
        }
        tx.units
            .expect_update()
            .withf(|unit| unit.position == 2 && unit.stamp.version == 2)
            .times(1)
            .returning(|_| Ok(()));
        let view = relocate(&mut tx, &author(), id(6), u32::MAX).unwrap();
        assert_eq!(view.position, 2);
    }

    #[test]
    fn moving_to_where_it_is_leaves_no_trace() {
        let mut tx = MockTx::default();
        tx.units.expect_find().returning(|_, _| Ok(Some(unit(2))));
        tx.units.expect_lesson_counts().returning(|_, _| Ok(vec![]));
        tx.units.expect_count().returning(|_, _| Ok(3));
        assert_eq!(relocate(&mut tx, &author(), id(6), 7).unwrap().position, 2);
    }

    #[test]
    fn a_unit_that_a_learner_does_not_see_is_not_there() {
        let mut tx = MockTx::default();
        tx.units.expect_find().returning(|_, _| Ok(Some(unit(0))));
        tx.enrollments.expect_of_user().returning(|_, _| Ok(vec![]));
        tx.cohorts.expect_with_ids().returning(|_, _| Ok(vec![]));
        tx.courses.expect_with_ids().returning(|_, _| Ok(vec![]));
        let learner = context(Role::Student, KeyKind::Session);
        let hidden = retrieve(&mut tx, &learner, id(6));
        assert!(matches!(hidden, Err(Error::NotFound("unit"))));
    }
}
