//! What callers do with generations.

use std::time::Duration;

use lyceum_domain::courses::CourseId;
use lyceum_domain::events::EventType;
use lyceum_domain::generations::{Generation, GenerationId, GenerationKind, GenerationState};
use lyceum_domain::{Invalid, Stamp};
use lyceum_ports::jobs::JobKind;
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::{StoreError, Tx};
use lyceum_wire::generations::{GenerationView, SyllabusRequest};
use serde_json::json;

pub use lyceum_ports::generations::GenerationFilter;

use crate::context::Context;
use crate::error::{Conflict, Error};
use crate::lookup::found;
use crate::{events, queue};

/// How long a syllabus usually takes.
const USUALLY: Duration = Duration::from_secs(30);

/// Starts drafting a course's syllabus from a brief, or from its description.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] without any brief, [`Conflict::GenerationInProgress`]
pub fn start_syllabus(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CourseId,
    request: SyllabusRequest,
) -> Result<GenerationView, Error> {
    let course = found(tx.courses().find(ctx.workspace_id(), id)?, "course")?;
    let brief = request.brief.unwrap_or_else(|| course.description.clone());
    if brief.is_blank() {
        return Err(Invalid::missing("brief").into());
    }
    let hours = request.hours.unwrap_or(course.hours);
    let generation = Generation {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        kind: GenerationKind::Syllabus,
        target_object: "course".to_owned(),
        target_id: course.id.to_string(),
        request: json!({
            "brief": brief.as_str(),
            "hours": hours.get(),
            "mode": request.mode.as_str(),
        }),
        state: GenerationState::Pending {
            estimated_ready_at: ctx.now.plus(USUALLY),
        },
        completed: 0,
        total: 1,
        tokens_in: 0,
        tokens_out: 0,
        stamp: Stamp::new(ctx.now),
    };
    tx.generations().insert(&generation).map_err(in_progress)?;
    let subject = generation.id.to_string();
    queue::enqueue(tx, ctx, JobKind::GenerateSyllabus, subject, json!({}))?;
    Ok(GenerationView::new(&generation))
}

/// Storage keeps the rule that a course has one pending syllabus, also when calls race.
fn in_progress(error: StoreError) -> Error {
    if matches!(error, StoreError::Taken { .. }) {
        return Conflict::GenerationInProgress.into();
    }
    error.into()
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<GenerationView, Error> {
    Ok(GenerationView::new(&find(tx, ctx, id)?))
}

/// Shows a page of them.
///
/// # Errors
/// Those of storage.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &GenerationFilter,
    page: &PageRequest,
) -> Result<Page<GenerationView>, Error> {
    let found = tx.generations().page(ctx.workspace_id(), filter, page)?;
    Ok(found.map(|generation| GenerationView::new(&generation)))
}

/// Calls one off; what it has not stored yet it will not store.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`]
pub fn cancel(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<GenerationView, Error> {
    let mut generation = find(tx, ctx, id)?;
    generation.cancel(ctx.now)?;
    tx.generations().update(&generation)?;
    let view = GenerationView::new(&generation);
    events::record(tx, ctx, EventType::GenerationCanceled, &view)?;
    Ok(view)
}

/// Tries a failed one again.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`], [`Conflict::GenerationInProgress`]
pub fn retry(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<GenerationView, Error> {
    let mut generation = find(tx, ctx, id)?;
    generation.retry(ctx.now.plus(USUALLY), ctx.now)?;
    tx.generations().update(&generation).map_err(in_progress)?;
    queue::enqueue(
        tx,
        ctx,
        JobKind::GenerateSyllabus,
        id.to_string(),
        json!({}),
    )?;
    Ok(GenerationView::new(&generation))
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<Generation, Error> {
    found(tx.generations().find(ctx.workspace_id(), id)?, "generation")
}
