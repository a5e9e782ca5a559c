//! What callers do with generations.

use std::collections::HashMap;

use lyceum_domain::Id;
use lyceum_domain::Stamp;
use lyceum_domain::drafting::drafts::{activity_is_open, can_be_drafted, lesson_is_open};
use lyceum_domain::drafting::generation_steps::{GenerationStep, StepKey};
use lyceum_domain::drafting::generations::{
    Generation, GenerationBudget, GenerationKind, GenerationState,
};
use lyceum_domain::hex;
use lyceum_domain::id::Identified;
use lyceum_domain::ids::{ActivityId, CourseId, GenerationId, LessonId, UnitId};
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::jobs::Job;
use lyceum_domain::text::with_article;
use lyceum_ports::store::StoreError;
use lyceum_wire::drafting::generations::{
    ActivitiesRequest, ContentRequest, GenerationView, Means, SyllabusRequest,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use lyceum_ports::drafting::generations::GenerationFilter;

use crate::drafting::ai_calls;
use crate::models;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::{in_use, queue};

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
        "content": request.content.as_str(),
    });
    let asked = with_means(ctx, asked, &request.means)?;
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
    let asked = asked(ctx, request)?;
    begin(tx, ctx, GenerationKind::Unit, unit.id, asked)
}

/// Starts drafting the text of a lesson that has none, or none but AI's; where learners have used it, by force. What waits for a
/// person's decision is drafted beside whatever is there.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotEditable`] over a person's text, [`Conflict::InUse`], [`Error::Forbidden`],
/// [`Conflict::GenerationInProgress`]
pub fn start_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    request: &ContentRequest,
    force: bool,
) -> Result<GenerationView, Error> {
    let lesson = found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")?;
    let lands = !request.means.review;
    if lands && !lesson_is_open(&lesson) {
        return Err(written_by_a_person("the lesson"));
    }
    if lands && !lesson.content.is_blank() {
        in_use::refuse_replacing(tx, ctx, Subject::Lesson(id), force)?;
    }
    let asked = by_force(asked(ctx, request)?, force);
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
    let mut asked = json!({
        "brief": request.brief.as_str(),
        "kind": request.kind.as_str(),
        "count": request.count,
    });
    if let (Some(items), Some(members)) = (request.items, asked.as_object_mut()) {
        members.insert("items".to_owned(), json!(items));
    }
    let asked = with_means(ctx, asked, &request.means)?;
    begin(tx, ctx, GenerationKind::Activities, lesson.id, asked)
}

/// Starts drafting the content of an activity that has none, or none but AI's; where learners have used it, by force. What waits
/// for a person's decision is drafted beside whatever is there.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotEditable`] over a person's content and for videos, [`Conflict::InUse`],
/// [`Error::Forbidden`], [`Conflict::GenerationInProgress`]
pub fn start_activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    request: &ContentRequest,
    force: bool,
) -> Result<GenerationView, Error> {
    let activity = found(tx.activities().find(ctx.workspace_id(), id)?, "activity")?;
    if !can_be_drafted(activity.kind) {
        let text = format!("{} cannot be drafted", with_article(activity.kind.as_str()));
        return Err(Conflict::NotEditable(text).into());
    }
    let lands = !request.means.review;
    if lands && !activity_is_open(&activity) {
        return Err(written_by_a_person("the activity"));
    }
    if lands && !activity.content.as_map().is_empty() {
        in_use::refuse_replacing(tx, ctx, Subject::Activity(id), force)?;
    }
    let asked = by_force(asked(ctx, request)?, force);
    begin(tx, ctx, GenerationKind::Activity, activity.id, asked)
}

fn asked(ctx: &Context, request: &ContentRequest) -> Result<Value, Error> {
    let asked = json!({ "brief": request.brief.as_str() });
    with_means(ctx, asked, &request.means)
}

/// Notes that what learners use meanwhile is to be written anew too.
fn by_force(mut asked: Value, force: bool) -> Value {
    if let (true, Some(members)) = (force, asked.as_object_mut()) {
        members.insert("force".to_owned(), json!(true));
    }
    asked
}

/// Adds from what, by whom and for how much; of a text to draft from, its SHA-256 outlives it.
fn with_means(ctx: &Context, mut asked: Value, means: &Means) -> Result<Value, Error> {
    models::refuse_unknown(ctx, &means.model, "model")?;
    let Some(members) = asked.as_object_mut() else {
        return Ok(asked);
    };
    if !means.model.is_empty() {
        members.insert("model".to_owned(), json!(means.model));
    }
    if !means.source_text.is_blank() {
        let text = means.source_text.as_str();
        let hash = hex::lower(&Sha256::digest(text.as_bytes()));
        members.insert("source_text".to_owned(), json!(text));
        members.insert("source_hash".to_owned(), json!(hash));
    }
    members.insert("budget".to_owned(), means.budget.to_json());
    if means.review {
        members.insert("review".to_owned(), json!(true));
    }
    Ok(asked)
}

fn written_by_a_person(what: &str) -> Error {
    let text = format!(
        "{what} has content that a person wrote; ask with review=true to have it drafted beside, or clear it first"
    );
    Conflict::NotEditable(text).into()
}

/// Refuses what nobody here can be asked for, and what a month's budget has nothing left for.
fn check_means(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: GenerationKind,
    target: &str,
    request: &Value,
) -> Result<(), Error> {
    let own = request.get("model").and_then(Value::as_str);
    let course = match course_of(tx, ctx, kind, target)? {
        Some(id) => tx.courses().find(ctx.workspace_id(), id)?,
        None => None,
    };
    let usual = course.as_ref().map(models::of_course).unwrap_or_default();
    models::refuse_to_ask(ctx, own.unwrap_or_default(), usual)?;
    ai_calls::check_budget(tx, ctx, own.unwrap_or(usual))
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
    check_means(tx, ctx, kind, &target.to_string(), &request)?;
    let id = ctx.mint();
    let generation = Generation {
        workspace_id: ctx.workspace_id(),
        id,
        kind,
        target_object: K::OBJECT.to_owned(),
        target_id: target.to_string(),
        request,
        state: GenerationState::Pending {
            estimated_ready_at: queue::ready_at(tx, ctx, job_of(id, kind).kind())?,
        },
        completed: 0,
        total: 1,
        tokens_in: 0,
        tokens_out: 0,
        stamp: Stamp::new(ctx.now),
    };
    tx.generations().insert(&generation).map_err(in_progress)?;
    let (workspace, key) = (ctx.workspace_id(), first_step(kind));
    let step = GenerationStep::planned(workspace, generation.id, key, 0, ctx.now);
    tx.generation_steps().put(&step)?;
    enqueue(tx, ctx, &generation)?;
    Ok(GenerationView::new(&generation, &[step]))
}

fn enqueue(tx: &mut dyn Tx, ctx: &Context, generation: &Generation) -> Result<(), Error> {
    queue::enqueue(tx, ctx, job_of(generation.id, generation.kind))
}

/// What is asked for first, whatever it turns out to take.
fn first_step(kind: GenerationKind) -> StepKey {
    match kind {
        GenerationKind::Syllabus => StepKey::outline(),
        GenerationKind::Unit => StepKey::lessons(),
        GenerationKind::Lesson => StepKey::only_lesson(),
        GenerationKind::Activities | GenerationKind::Activity => StepKey::activities(),
    }
}

/// Which job makes it.
const fn job_of(generation: GenerationId, kind: GenerationKind) -> Job {
    match kind {
        GenerationKind::Syllabus => Job::GenerateSyllabus { generation },
        GenerationKind::Unit
        | GenerationKind::Lesson
        | GenerationKind::Activities
        | GenerationKind::Activity => Job::GenerateContent { generation },
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
    let generation = find(tx, ctx, id)?;
    view(tx, &generation)
}

/// Shows a page of them.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &GenerationFilter,
    page: &PageRequest,
) -> Result<Page<GenerationView>, Error> {
    let found = tx.generations().page(ctx.workspace_id(), filter, page)?;
    let ids: Vec<GenerationId> = found.items.iter().map(|one| one.id).collect();
    let mut steps: HashMap<GenerationId, Vec<GenerationStep>> = HashMap::new();
    for step in tx.generation_steps().of(ctx.workspace_id(), &ids)? {
        steps.entry(step.generation_id).or_default().push(step);
    }
    let of = |id: &GenerationId| steps.get(id).map_or(&[][..], Vec::as_slice);
    Ok(found.map(|generation| GenerationView::new(&generation, of(&generation.id))))
}

/// Calls one off; what it has not stored yet it will not store.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`]
pub fn cancel(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<GenerationView, Error> {
    let mut generation = find(tx, ctx, id)?;
    generation.cancel(ctx.now)?;
    tx.generations().update(&generation)?;
    let view = view(tx, &generation)?;
    events::record(tx, ctx, EventType::GenerationCanceled, &view)?;
    Ok(view)
}

/// Tries a failed one again, from the steps on that it has not finished; a budget given here takes the place of the
/// one it had.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`], [`Conflict::GenerationInProgress`], [`Conflict::AiBudgetExceeded`]
pub fn retry(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: GenerationId,
    budget: Option<GenerationBudget>,
) -> Result<GenerationView, Error> {
    let mut generation = find(tx, ctx, id)?;
    check_means(
        tx,
        ctx,
        generation.kind,
        &generation.target_id,
        &generation.request,
    )?;
    let ready_at = queue::ready_at(tx, ctx, job_of(id, generation.kind).kind())?;
    generation.retry(ready_at, ctx.now)?;
    if let (Some(budget), Some(request)) = (budget, generation.request.as_object_mut()) {
        request.insert("budget".to_owned(), budget.to_json());
    }
    tx.generations().update(&generation).map_err(in_progress)?;
    for mut step in tx.generation_steps().of(ctx.workspace_id(), &[id])? {
        if step.reopen(ctx.now) {
            tx.generation_steps().put(&step)?;
        }
    }
    enqueue(tx, ctx, &generation)?;
    view(tx, &generation)
}

fn view(tx: &mut dyn Tx, generation: &Generation) -> Result<GenerationView, Error> {
    let steps = tx
        .generation_steps()
        .of(generation.workspace_id, &[generation.id])?;
    Ok(GenerationView::new(generation, &steps))
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: GenerationId) -> Result<Generation, Error> {
    found(tx.generations().find(ctx.workspace_id(), id)?, "generation")
}
