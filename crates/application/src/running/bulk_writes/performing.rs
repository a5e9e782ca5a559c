//! Writing the rows of a bulk write in the background, as whoever asked for it: some of them at each attempt, so that others get
//! their turn. An attempt may be broken off between any two rows, and done twice.

use std::time::Duration;

use lyceum_domain::ids::BulkWriteId;
use lyceum_domain::running::bulk_writes::{AT_HAND, BulkRowResult, BulkWrite};
use lyceum_domain::running::jobs::Job;
use lyceum_ports::store::Line;

use super::rows::{RowWriter, WrittenRow};
use super::{in_turn, request_of, unwired};
use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::prelude::*;
use crate::running::queue;

/// So many times the rows at hand are written before others get their turn.
const HANDFULS: usize = 10;
/// How long one waits at least that cannot be written now: until then there is room for more than one.
const LEAST_PAUSE: Duration = Duration::from_secs(10);

/// What came of the rows at hand.
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
    let Some(mut bulk) = finding.await? else {
        return claimed::finish(app, job).await;
    };
    let mut pause = Duration::ZERO;
    for _ in 0..HANDFULS {
        let progress = write_at_hand(app, job, &*writer, &bulk).await;
        pause = progress.pause;
        let goes_on = note(app, &mut bulk, progress).await?;
        if !goes_on || !pause.is_zero() {
            break;
        }
    }
    go_on(app, job, id, pause).await
}

/// Writes the next rows, until one cannot be written now.
async fn write_at_hand(
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
    for (place, row) in bulk.ahead().take(AT_HAND) {
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

/// Notes what came of rows, where nobody noted it before; whether there is more to write. Whoever stops it is heard here.
async fn note(app: &App, bulk: &mut BulkWrite, progress: Progress) -> Result<bool, Error> {
    let (workspace, id, now) = (bulk.workspace_id, bulk.id, app.clock.now());
    let noting = app.store.conclude(move |tx| {
        let Some(mut known) = in_turn(tx, workspace, id)? else {
            return Ok(None);
        };
        let results = progress.results.clone();
        if results.is_empty() || !known.note(progress.from, results, now) {
            return Ok(None);
        }
        tx.bulk_writes().update(&known)?;
        Ok::<_, Error>(Some(known))
    });
    let Some(known) = noting.await? else {
        return Ok(false);
    };
    let rows = std::mem::take(&mut bulk.rows);
    *bulk = BulkWrite { rows, ..known };
    Ok(bulk.done_at.is_none())
}

/// Ends this turn, and has the next rows written where there are any.
async fn go_on(app: &App, job: &Claimed, id: BulkWriteId, pause: Duration) -> Result<(), Error> {
    claimed::settle(app, job, move |tx, ctx| {
        let bulk = tx.bulk_writes().find_results(ctx.workspace_id(), id)?;
        if bulk.is_none_or(|bulk| bulk.done_at.is_some()) {
            return Ok(());
        }
        let next = ctx.now.plus(pause);
        queue::enqueue_for(tx, ctx, Job::WriteRows { bulk: id }, next)
    })
    .await
}

/// Ends one whose job was lost with its process again and again: the rows that are left were not tried.
pub async fn fail(app: &App, job: &Claimed, id: BulkWriteId, message: &str) -> Result<(), Error> {
    tracing::error!(bulk = %id, message, "the rest of a bulk write is given up");
    let (writer, message) = (app.rows.clone(), message.to_owned());
    claimed::settle(app, job, move |tx, ctx| {
        tx.stand_in_line(Line::at(format_args!("bulk write {id}")))?;
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
