//! Writing the rows of a bulk write in the background, as whoever asked for it: some of them at each attempt, so that others get
//! their turn. An attempt may be broken off between any two rows, and done twice.

use std::time::Duration;

use lyceum_domain::ids::BulkWriteId;
use lyceum_domain::running::bulk_writes::{BulkRowResult, BulkWrite};
use lyceum_domain::running::jobs::Job;

use super::rows::{RowWriter, WrittenRow};
use super::{request_of, unwired};
use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::prelude::*;
use crate::running::queue;

/// So many rows are written before others get their turn.
const IN_A_TURN: usize = 100;
/// How long one waits at least that cannot be written now: until then there is room for more than one.
const LEAST_PAUSE: Duration = Duration::from_secs(10);

/// What an attempt came to.
struct Progress {
    /// Of which row on.
    from: usize,
    results: Vec<BulkRowResult>,
    /// How long the next row is left alone.
    pause: Duration,
}

pub async fn perform(app: &App, job: &Claimed, id: BulkWriteId) -> Result<(), Error> {
    let writer = app.rows.clone().ok_or_else(unwired)?;
    let workspace = job.workspace_id;
    let finding = app.store.read(move |tx| {
        let found = tx.bulk_writes().find(workspace, id)?;
        Ok::<_, Error>(found.filter(|bulk| bulk.done_at.is_none()))
    });
    let Some(bulk) = finding.await? else {
        return claimed::finish(app, job).await;
    };
    let progress = write_some(app, job, &*writer, &bulk).await;
    keep(app, job, id, progress).await
}

/// Writes the next rows, until it is somebody else's turn or one cannot be written now.
async fn write_some(
    app: &App,
    job: &Claimed,
    writer: &dyn RowWriter,
    bulk: &BulkWrite,
) -> Progress {
    let mut progress = Progress {
        from: bulk.results.len(),
        results: Vec::new(),
        pause: Duration::ZERO,
    };
    for (place, row) in bulk.ahead().take(IN_A_TURN) {
        let asked = request_of(bulk, place, row, job.place);
        let WrittenRow {
            mut result,
            retry_after,
            ..
        } = writer.write(app, asked).await;
        if let Some(after) = retry_after.filter(|_| bulk.is_patient(app.clock.now())) {
            progress.pause = after.max(LEAST_PAUSE);
            break;
        }
        // Under a key of ours it was written by an attempt before this one, which nobody was told of.
        result.replayed = result.replayed && row.idempotency_key.is_some();
        progress.results.push(result);
    }
    progress
}

/// Notes what came of rows, and has the next ones written.
async fn keep(app: &App, job: &Claimed, id: BulkWriteId, progress: Progress) -> Result<(), Error> {
    claimed::settle(app, job, move |tx, ctx| {
        let Some(mut bulk) = tx.bulk_writes().find(ctx.workspace_id(), id)? else {
            return Ok(());
        };
        let (from, results) = (progress.from, progress.results.clone());
        let is_new = !results.is_empty() && bulk.note(from, results, ctx.now);
        if is_new {
            tx.bulk_writes().update(&bulk)?;
        }
        if bulk.done_at.is_some() {
            return Ok(());
        }
        let next = ctx.now.plus(progress.pause);
        queue::enqueue_for(tx, ctx, Job::WriteRows { bulk: id }, next)
    })
    .await
}

/// Ends one whose job was lost with its process again and again: the rows that are left were not tried.
pub async fn fail(app: &App, job: &Claimed, id: BulkWriteId, message: &str) -> Result<(), Error> {
    tracing::error!(bulk = %id, message, "the rest of a bulk write is given up");
    let (writer, message) = (app.rows.clone(), message.to_owned());
    claimed::settle(app, job, move |tx, ctx| {
        let Some(mut bulk) = tx.bulk_writes().find(ctx.workspace_id(), id)? else {
            return Ok(());
        };
        let writer = writer.as_ref().ok_or_else(unwired)?;
        let request = bulk.request_id.clone().unwrap_or_default();
        let refused = |_| writer.refused(Error::Unavailable(message.clone().into()), &request);
        let rest: Vec<BulkRowResult> = bulk.ahead().map(refused).collect();
        if bulk.note(bulk.results.len(), rest, ctx.now) {
            tx.bulk_writes().update(&bulk)?;
        }
        Ok(())
    })
    .await
}
