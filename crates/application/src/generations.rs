//! What callers do with generations.

use lyceum_domain::activities::ActivityId;
use lyceum_domain::courses::CourseId;
use lyceum_domain::drafts::{activity_is_open, can_be_drafted, lesson_is_open};
use lyceum_domain::events::EventType;
use lyceum_domain::generations::{Generation, GenerationId, GenerationKind, GenerationState};
use lyceum_domain::id::Identified;
use lyceum_domain::lessons::LessonId;
use lyceum_domain::text::LongText;
use lyceum_domain::units::UnitId;
use lyceum_domain::{Id, Invalid, Stamp};
use lyceum_ports::jobs::JobKind;
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::{StoreError, Tx};
use lyceum_wire::generations::{
    ActivitiesRequest, ContentRequest, GenerationView, SyllabusRequest,
};
use serde_json::{Value, json};

pub use lyceum_ports::generations::GenerationFilter;

use crate::context::Context;
use crate::error::{Conflict, Error};
use crate::lookup::found;
use crate::{ai_calls, events, queue};

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
    let asked = json!({
        "brief": brief.as_str(),
        "hours": hours.get(),
        "mode": request.mode.as_str(),
    });
    begin(tx, ctx, GenerationKind::Syllabus, course.id, asked)
}

/// Starts drafting lessons, which come after those that a unit has.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::GenerationInProgress`]
pub fn start_unit(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UnitId,
    request: &ContentRequest,
) -> Result<GenerationView, Error> {
    let unit = found(tx.units().find(ctx.workspace_id(), id)?, "unit")?;
    begin(
        tx,
        ctx,
        GenerationKind::Unit,
        unit.id,
        asked(&request.brief),
    )
}

/// Starts drafting the text of a lesson that has none, or none but AI's.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotEditable`] over a person's text, [`Conflict::GenerationInProgress`]
pub fn start_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    request: &ContentRequest,
) -> Result<GenerationView, Error> {
    let lesson = found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")?;
    if !lesson_is_open(&lesson) {
        return Err(written_by_a_person("the lesson"));
    }
    let asked = asked(&request.brief);
    begin(tx, ctx, GenerationKind::Lesson, lesson.id, asked)
}

/// Starts drafting activities, which come after those that a lesson has.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::GenerationInProgress`]
pub fn start_activities(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    request: &ActivitiesRequest,
) -> Result<GenerationView, Error> {
    let lesson = found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")?;
    let asked = json!({
        "brief": request.brief.as_str(),
        "kind": request.kind.as_str(),
        "count": request.count,
    });
    begin(tx, ctx, GenerationKind::Activities, lesson.id, asked)
}

/// Starts drafting the content of an activity that has none, or none but AI's.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotEditable`] over a person's content and for videos,
/// [`Conflict::GenerationInProgress`]
pub fn start_activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    request: &ContentRequest,
) -> Result<GenerationView, Error> {
    let activity = found(tx.activities().find(ctx.workspace_id(), id)?, "activity")?;
    if !can_be_drafted(activity.kind) {
        let text = format!("a {} cannot be drafted", activity.kind);
        return Err(Conflict::NotEditable(text).into());
    }
    if !activity_is_open(&activity) {
        return Err(written_by_a_person("the activity"));
    }
    let asked = asked(&request.brief);
    begin(tx, ctx, GenerationKind::Activity, activity.id, asked)
}

fn asked(brief: &LongText) -> Value {
    json!({ "brief": brief.as_str() })
}

fn written_by_a_person(what: &str) -> Error {
    let text = format!("{what} has content that a person wrote; clear it first to have it drafted");
    Conflict::NotEditable(text).into()
}

/// Refuses what a month's budget has nothing left for.
fn check_budget(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: GenerationKind,
    target: &str,
    request: &Value,
) -> Result<(), Error> {
    if !ctx.workspace.ai.monthly_budget.is_set() {
        return Ok(());
    }
    let own = request.get("model").and_then(Value::as_str);
    let course = match course_of(tx, ctx, kind, target)? {
        Some(id) => tx.courses().find(ctx.workspace_id(), id)?,
        None => None,
    };
    let usual = course
        .as_ref()
        .and_then(|course| course.ai.evaluator.get("model"));
    let model = own.or(usual.and_then(Value::as_str));
    ai_calls::check_budget(tx, ctx, model.unwrap_or_default())
}

/// The course that a target is in.
fn course_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: GenerationKind,
    target: &str,
) -> Result<Option<CourseId>, Error> {
    let workspace = ctx.workspace_id();
    Ok(match kind {
        GenerationKind::Syllabus => target.parse().ok(),
        GenerationKind::Unit => match target.parse() {
            Ok(id) => tx.units().find(workspace, id)?.map(|unit| unit.course_id),
            Err(_) => None,
        },
        GenerationKind::Lesson | GenerationKind::Activities => match target.parse() {
            Ok(id) => tx
                .lessons()
                .find(workspace, id)?
                .map(|lesson| lesson.course_id),
            Err(_) => None,
        },
        GenerationKind::Activity => match target.parse() {
            Ok(id) => tx
                .activities()
                .find(workspace, id)?
                .map(|activity| activity.course_id),
            Err(_) => None,
        },
    })
}

/// Stores a new generation for a target and queues its job.
fn begin<K: Identified>(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: GenerationKind,
    target: Id<K>,
    request: Value,
) -> Result<GenerationView, Error> {
    check_budget(tx, ctx, kind, &target.to_string(), &request)?;
    let generation = Generation {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        kind,
        target_object: K::OBJECT.to_owned(),
        target_id: target.to_string(),
        request,
        state: GenerationState::Pending {
            estimated_ready_at: queue::ready_at(tx, ctx, job_of(kind))?,
        },
        completed: 0,
        total: 1,
        tokens_in: 0,
        tokens_out: 0,
        stamp: Stamp::new(ctx.now),
    };
    tx.generations().insert(&generation).map_err(in_progress)?;
    enqueue(tx, ctx, &generation)?;
    Ok(GenerationView::new(&generation))
}

fn enqueue(tx: &mut dyn Tx, ctx: &Context, generation: &Generation) -> Result<(), Error> {
    let job = job_of(generation.kind);
    queue::enqueue(tx, ctx, job, generation.id.to_string(), json!({}))
}

/// Which job makes it.
const fn job_of(kind: GenerationKind) -> JobKind {
    match kind {
        GenerationKind::Syllabus => JobKind::GenerateSyllabus,
        GenerationKind::Unit
        | GenerationKind::Lesson
        | GenerationKind::Activities
        | GenerationKind::Activity => JobKind::GenerateContent,
    }
}

/// Storage keeps the rule that a target has one pending generation, also when calls race.
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
/// [`Error::NotFound`], [`Conflict::Transition`], [`Conflict::GenerationInProgress`], [`Conflict::AiBudgetExceeded`]
pub fn retry(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<GenerationView, Error> {
    let mut generation = find(tx, ctx, id)?;
    check_budget(
        tx,
        ctx,
        generation.kind,
        &generation.target_id,
        &generation.request,
    )?;
    let ready_at = queue::ready_at(tx, ctx, job_of(generation.kind))?;
    generation.retry(ready_at, ctx.now)?;
    tx.generations().update(&generation).map_err(in_progress)?;
    enqueue(tx, ctx, &generation)?;
    Ok(GenerationView::new(&generation))
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<Generation, Error> {
    found(tx.generations().find(ctx.workspace_id(), id)?, "generation")
}
