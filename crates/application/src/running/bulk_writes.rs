//! Bulk writes: many writes of one kind that are asked for at once. Each row goes the way of a single request, as whoever asks, in
//! a transaction of its own. A few are written while the caller waits; many by a job, of which the caller asks later.
//!
//! No row is written twice: one without a key of its own is written under a key that its place makes, so that a job may be
//! broken off at any moment and done again.

pub(crate) mod performing;
mod rehearsal;
mod rows;

use lyceum_domain::Stamp;
use lyceum_domain::hex;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::BulkWriteId;
use lyceum_domain::running::bulk_writes::{BulkRow, BulkWrite, check_room};
use lyceum_domain::running::jobs::Job;
use lyceum_ports::store::Line;
use lyceum_ports::traces::TraceParent;
use lyceum_wire::running::bulk_writes::{BulkWriteView, NewBulkWrite, ShownObject, ShownRow};
use sha2::{Digest, Sha256};

pub use rehearsal::Rehearsal;
pub use rows::{RowRequest, RowWriter, WrittenRow};

use crate::app::App;
use crate::prelude::*;
use crate::running::queue;

/// Bytes of objects that one answer shows; what comes after is asked for by its id.
const MOST_SHOWN: usize = 5 << 20;

/// Whether members that nobody knows are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// They are named and ignored.
    Lenient,
    /// They are.
    Strict,
}

/// Writes a few rows while the caller waits; under `key`, none of them twice.
///
/// # Errors
/// [`Error::Unavailable`] where nobody writes rows; what is wrong with a row stands in its result.
pub async fn write_now(
    app: &App,
    ctx: &Context,
    asked: NewBulkWrite,
    strictness: Strictness,
    key: Option<&str>,
) -> Result<BulkWriteView, Error> {
    let writer = app.rows.clone().ok_or_else(unwired)?;
    let key = key.map(|key| hex::lower(&Sha256::digest(key.as_bytes())));
    let member = ctx.member()?;
    let (mut shown, mut room) = (Vec::new(), MOST_SHOWN);
    for (place, row) in asked.rows.into_iter().enumerate() {
        let request = RowRequest {
            workspace: ctx.workspace_id(),
            key: member.identity.key_id,
            request_id: ctx.request_id.clone().unwrap_or_default(),
            trace: ctx.trace,
            operation: asked.operation,
            row,
            // No key of a caller has a space in it.
            derived_key: key.as_ref().map(|key| format!("{key} {place}")),
            is_dry_run: asked.is_dry_run,
            is_strict: strictness == Strictness::Strict,
        };
        let WrittenRow { result, object, .. } = writer.write(app, request).await;
        let object = object.and_then(|object| ShownObject::within(object, &mut room));
        shown.push(ShownRow { result, object });
    }
    Ok(BulkWriteView::done_at_once(
        asked.operation,
        asked.is_dry_run,
        shown,
    ))
}

/// Has many rows written in the background.
///
/// # Errors
/// [`Forbidden::Role`] for learners, who have a few written at a time; [`Conflict::LimitReached`]
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    asked: NewBulkWrite,
    strictness: Strictness,
) -> Result<BulkWriteView, Error> {
    let member = ctx.member()?;
    // A class would keep its teachers waiting.
    if member.is_learner() {
        return Err(Forbidden::Role.into());
    }
    // Two for which there is room one by one.
    tx.stand_in_line(Line::at(format!("bulk writes of {}", ctx.workspace_id())))?;
    let pending = tx.bulk_writes().pending(ctx.workspace_id())?;
    check_room(&pending, member.user.id).map_err(Conflict::LimitReached)?;
    let bulk = BulkWrite {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        asked_by: member.user.id,
        key_id: member.identity.key_id,
        request_id: ctx.request_id.clone(),
        operation: asked.operation,
        is_dry_run: asked.is_dry_run,
        is_strict: strictness == Strictness::Strict,
        size: u32::try_from(asked.rows.len()).unwrap_or(u32::MAX),
        stop_after: None,
        rows: asked.rows,
        results: Vec::new(),
        done_at: None,
        stamp: Stamp::new(ctx.now),
    };
    tx.bulk_writes().insert(&bulk)?;
    queue::enqueue(tx, ctx, Job::WriteRows { bulk: bulk.id })?;
    Ok(BulkWriteView::from(&bulk))
}

/// Shows how far one is, and what came of it.
///
/// # Errors
/// [`Error::NotFound`], also for whoever neither asked for it nor is an admin
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: BulkWriteId) -> Result<BulkWriteView, Error> {
    let bulk = tx.bulk_writes().find_results(ctx.workspace_id(), id)?;
    let bulk = found(bulk, "bulk_write")?;
    if may_see(ctx, &bulk)? {
        return Ok(BulkWriteView::from(&bulk));
    }
    Err(Error::NotFound("bulk_write"))
}

/// Has the rows left that were not begun; those at hand are still done, so that it is known of each what came of it. Of one that is
/// over, or was stopped before, nothing changes.
///
/// # Errors
/// As [`retrieve`]
pub fn stop(tx: &mut dyn Tx, ctx: &Context, id: BulkWriteId) -> Result<BulkWriteView, Error> {
    retrieve(tx, ctx, id)?;
    let mut bulk = found(in_turn(tx, ctx.workspace_id(), id)?, "bulk_write")?;
    if bulk.stop(ctx.now) {
        tx.bulk_writes().update(&bulk)?;
    }
    Ok(BulkWriteView::from(&bulk))
}

/// One without its rows, once it is one's turn to change it: whoever stops it and whoever notes what came of rows are one after the
/// other.
fn in_turn(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    id: BulkWriteId,
) -> Result<Option<BulkWrite>, Error> {
    tx.stand_in_line(Line::at(format_args!("bulk write {id}")))?;
    Ok(tx.bulk_writes().find_results(workspace, id)?)
}

/// Whoever asked, with a key of theirs, and admins: no other role may read keys. A session that somebody opened for a person sees
/// what it asked for itself.
fn may_see(ctx: &Context, bulk: &BulkWrite) -> Result<bool, Error> {
    let member = ctx.member()?;
    let is_own = bulk.asked_by == member.user.id && !member.is_learner();
    Ok(bulk.key_id == member.identity.key_id || is_own || member.may(Scope::ReadKeys))
}

/// What a row of a job is written by.
fn request_of(
    bulk: &BulkWrite,
    place: usize,
    row: &BulkRow,
    trace: Option<TraceParent>,
) -> RowRequest {
    RowRequest {
        workspace: bulk.workspace_id,
        key: bulk.key_id,
        request_id: bulk.request_id.clone().unwrap_or_default(),
        trace,
        operation: bulk.operation,
        row: row.clone(),
        derived_key: Some(BulkWrite::key_of(bulk.id, place)),
        is_dry_run: bulk.is_dry_run,
        is_strict: bulk.is_strict,
    }
}

/// A program that embeds the application alone has no edge.
fn unwired() -> Error {
    Error::Unavailable("nobody writes rows here".into())
}
