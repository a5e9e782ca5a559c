//! How every generation begins and ends, whatever it makes.

use lyceum_domain::authoring::courses::Course;
use lyceum_domain::drafting::generations::{Generation, GenerationState};
use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::ids::GenerationId;
use lyceum_wire::drafting::generations::GenerationView;
use serde_json::Value;

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::notifying::events;
use crate::prelude::*;

/// The generation of a job, if it still waits.
pub fn pending(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    id: GenerationId,
) -> Result<Option<Generation>, Error> {
    let found = tx.generations().find(workspace, id)?;
    Ok(found.filter(|one| matches!(one.state, GenerationState::Pending { .. })))
}

/// A text of what was asked.
pub fn asked<'a>(generation: &'a Generation, member: &str) -> Option<&'a str> {
    generation.request.get(member).and_then(Value::as_str)
}

/// The model to ask for a generation: the one it names, or else the course's; empty for the provider's own.
pub fn model_of<'a>(generation: &'a Generation, course: &'a Course) -> &'a str {
    let of_course = course.ai.evaluator.get("model").and_then(Value::as_str);
    let named = asked(generation, "model").filter(|model| !model.is_empty());
    named.or(of_course).unwrap_or_default()
}

/// Ends one well: what came of its steps is now elsewhere and forgotten here, and the text that it was drafted from
/// with it.
pub fn finish(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut generation: Generation,
    result: Value,
) -> Result<(), Error> {
    tx.generation_steps()
        .forget_results(ctx.workspace_id(), generation.id)?;
    if let Some(request) = generation.request.as_object_mut() {
        request.remove("source_text");
    }
    generation.finish(result, ctx.now)?;
    tx.generations().update(&generation)?;
    tell(tx, ctx, EventType::GenerationReady, &generation)
}

/// Ends one without a result.
pub fn end(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut generation: Generation,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    generation.fail(code, message, ctx.now)?;
    tx.generations().update(&generation)?;
    tell(tx, ctx, EventType::GenerationFailed, &generation)
}

/// Ends the job's generation without a result, if it still waits.
pub async fn fail(
    app: &App,
    job: &Claimed,
    id: GenerationId,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    let (code, message) = (code.to_owned(), message.to_owned());
    claimed::settle(app, job, move |tx, ctx| {
        match pending(tx, ctx.workspace_id(), id)? {
            Some(generation) => end(tx, ctx, generation, &code, &message),
            None => Ok(()),
        }
    })
    .await
}

/// Ends a job for which there is nothing to do: it was called off, or its target was deleted.
pub async fn drop_lost(app: &App, job: &Claimed, id: GenerationId) -> Result<(), Error> {
    fail(app, job, id, "target_gone", TARGET_GONE).await
}

/// What is said when the target was deleted meanwhile.
pub const TARGET_GONE: &str = "What it was to be made for is no longer there.";

fn tell(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    generation: &Generation,
) -> Result<(), Error> {
    let steps = tx
        .generation_steps()
        .of(generation.workspace_id, &[generation.id])?;
    let by = if kind == EventType::GenerationReady {
        ActedBy::Agent(None)
    } else {
        ctx.acted_by()
    };
    events::record_by(tx, ctx, by, kind, &GenerationView::new(generation, &steps))
}
