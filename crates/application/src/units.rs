//! What callers do with units.

use std::collections::HashMap;

use lyceum_domain::events::EventType;
use lyceum_domain::provenance::Provenance;
use lyceum_domain::units::{NewUnit, Unit, UnitChanges, UnitId};
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::units::UnitView;

pub use lyceum_ports::units::UnitFilter;

use crate::context::Context;
use crate::error::Error;
use crate::events;
use crate::lessons;
use crate::lookup::{found, referenced};
use crate::visibility;

/// Makes one, at its place among the course's units.
///
/// # Errors
/// [`Error::Reference`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewUnit) -> Result<UnitView, Error> {
    let course = tx.courses().find(ctx.workspace_id(), new.course_id)?;
    let course = referenced(course, "course_id", "course")?;
    let end = tx.units().count(ctx.workspace_id(), course.id)?;
    let position = new.position.map_or(end, |wanted| wanted.min(end));
    if position < end {
        tx.units()
            .shift(ctx.workspace_id(), course.id, position, 1)?;
    }
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
    let unit = find(tx, ctx, id)?;
    visibility::refuse_hidden(tx, ctx, unit.course_id, "unit")?;
    view(tx, ctx, &unit)
}

/// Shows a page of them; learners miss on it what is not theirs to see.
///
/// # Errors
/// Those of storage.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &UnitFilter,
    page: &PageRequest,
) -> Result<Page<UnitView>, Error> {
    let found = tx.units().page(ctx.workspace_id(), filter, page)?;
    let found = visibility::keep_visible(tx, ctx, found, |unit| unit.course_id)?;
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
    let before = view(tx, ctx, &unit)?;
    if !unit.change(changes, ctx.now)? {
        return Ok(before);
    }
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
    let mut unit = find(tx, ctx, id)?;
    let before = view(tx, ctx, &unit)?;
    let (workspace, course) = (ctx.workspace_id(), unit.course_id);
    let last = tx.units().count(workspace, course)?.saturating_sub(1);
    let position = position.min(last);
    if position == unit.position {
        return Ok(before);
    }
    let behind = unit.position.saturating_add(1);
    tx.units().shift(workspace, course, behind, -1)?;
    tx.units().shift(workspace, course, position, 1)?;
    unit.position = position;
    unit.stamp.touch(ctx.now);
    store(tx, ctx, &unit, &before)
}

/// Deletes one and everything below it, and closes the gap.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: UnitId) -> Result<UnitId, Error> {
    let unit = find(tx, ctx, id)?;
    let last = view(tx, ctx, &unit)?;
    tx.units().delete(ctx.workspace_id(), id)?;
    let behind = unit.position.saturating_add(1);
    tx.units()
        .shift(ctx.workspace_id(), unit.course_id, behind, -1)?;
    if last.lesson_count > 0 {
        lessons::recount_generated(tx, ctx, unit.course_id)?;
    }
    events::record(tx, ctx, EventType::UnitDeleted, &last)?;
    Ok(id)
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: UnitId) -> Result<Unit, Error> {
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

fn view(tx: &mut dyn Tx, ctx: &Context, unit: &Unit) -> Result<UnitView, Error> {
    views(tx, ctx, std::slice::from_ref(unit))?
        .pop()
        .ok_or(Error::NotFound("unit"))
}

/// Shows units to the caller, with one query for all of them.
///
/// # Errors
/// Those of storage.
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
