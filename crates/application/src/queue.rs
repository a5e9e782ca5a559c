//! Queueing a job with the change that wants it. What the job does is in [`crate::work`].

use lyceum_ports::jobs::{Job, JobKind};
use lyceum_ports::store::Tx;
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;

/// How often a job is tried.
const MAX_ATTEMPTS: u32 = 5;

/// Queues a job in the transaction of the change that wants it.
///
/// # Errors
/// Those of storage.
pub fn enqueue(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: JobKind,
    subject_id: String,
    payload: Value,
) -> Result<(), Error> {
    let job = Job {
        id: ctx.ids.next(),
        workspace_id: ctx.workspace_id(),
        kind,
        subject_id,
        payload,
        attempt: 0,
        max_attempts: MAX_ATTEMPTS,
        run_at: ctx.now,
    };
    tx.jobs().enqueue(&job, ctx.now)?;
    ctx.note_queued();
    Ok(())
}
