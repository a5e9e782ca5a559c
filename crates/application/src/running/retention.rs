//! Forgetting what is too old to count, a little at a time, so that nobody who writes waits for it.
//!
//! Kept for as long as their workspace are events, which say what happened, and grades with all that seals them.

use std::time::Duration;

use lyceum_domain::authoring::versions;
use lyceum_domain::notifying::deliveries::WebhookDelivery;
use lyceum_domain::notifying::mails::OutgoingMail;
use lyceum_domain::running::bulk_writes;

use crate::app::App;
use crate::prelude::*;
use crate::running::unwanted_files;
use crate::running::{idempotency, queue, trash};

/// Most rows that one transaction removes.
const BATCH: u16 = 200;
const DAY: Duration = Duration::from_hours(24);
/// How long a job that is done is kept, and longer while it says how long others will take.
const DONE_JOBS: Duration = Duration::from_hours(7 * 24);
/// How long a job that was given up is kept, for whoever asks why.
const DEAD_JOBS: Duration = Duration::from_hours(30 * 24);
/// How long a login token and a link are kept after they expired, used or not.
const TOKENS: Duration = DAY;
/// How long a session is kept after it expired, of learners and in browsers.
const SESSIONS: Duration = Duration::from_hours(30 * 24);
/// How long the paid results of a generation that came to nothing wait for another like it.
const LEFT_BEHIND: Duration = Duration::from_hours(30 * 24);

/// Removes up to [`BATCH`] of what is older than it may be at this moment; how many that were.
type Forget = fn(&mut dyn Tx, Timestamp) -> Result<u64, Error>;

const ALL: [Forget; 14] = [
    |tx, now| {
        let oldest = now.minus(idempotency::LIFETIME);
        Ok(tx.idempotency().forget_before(oldest, BATCH)?)
    },
    |tx, now| {
        let oldest = now.minus(WebhookDelivery::KEPT);
        Ok(tx.webhooks().forget_deliveries_before(oldest, BATCH)?)
    },
    |tx, now| {
        Ok(tx
            .mails()
            .forget_before(now.minus(OutgoingMail::KEPT), BATCH)?)
    },
    |tx, now| Ok(tx.jobs().forget_dead(now.minus(DEAD_JOBS), BATCH)?),
    |tx, now| Ok(tx.tokens().forget_expired(now.minus(TOKENS), BATCH)?),
    |tx, now| {
        Ok(tx
            .sign_in_links()
            .forget_expired(now.minus(TOKENS), BATCH)?)
    },
    |tx, now| Ok(tx.passkeys().forget_unanswered(now, BATCH)?),
    |tx, now| Ok(tx.sso().forget_expired(now.minus(TOKENS), BATCH)?),
    |tx, now| Ok(tx.keys().forget_sessions(now.minus(SESSIONS), BATCH)?),
    |tx, now| {
        let oldest = now.minus(LEFT_BEHIND);
        Ok(tx.generation_steps().forget_left_behind(oldest, BATCH)?)
    },
    |tx, now| {
        Ok(tx
            .versions()
            .forget_before(now.minus(versions::KEPT), BATCH)?)
    },
    |tx, now| Ok(tx.media_uploads().forget_over(now, BATCH)?),
    |tx, now| {
        let oldest = now.minus(bulk_writes::KEPT);
        Ok(tx.bulk_writes().forget_before(oldest, BATCH)?)
    },
    |tx, now| Ok(tx.shared_limits().forget_full(now, BATCH)?),
];

/// Forgets what is too old to count, and removes files of workspaces that are gone; how much that was.
pub async fn sweep(app: &App) -> Result<u64, Error> {
    let now = app.clock.now();
    let mut forgotten = 0;
    for forget in ALL {
        loop {
            let batch = app.store.conclude(move |tx| forget(tx, now)).await?;
            forgotten += batch;
            if batch < u64::from(BATCH) {
                break;
            }
        }
    }
    forgotten += sweep_done_jobs(app, now).await?;
    forgotten += trash::sweep(app, BATCH).await?;
    // Last, because it needs the place of files too, which may be away.
    Ok(forgotten + unwanted_files::sweep(app).await?)
}

/// Workspace by workspace, because of each the newest are kept.
async fn sweep_done_jobs(app: &App, now: Timestamp) -> Result<u64, Error> {
    let (mut after, mut forgotten) = (None, 0);
    loop {
        let begun = after;
        let batch = app.store.conclude(move |tx| {
            let mut after = begun;
            let oldest = now.minus(DONE_JOBS);
            let batch = tx
                .jobs()
                .forget_done(&mut after, oldest, queue::REMEMBERED, BATCH)?;
            Ok::<_, Error>((batch, after))
        });
        let (Some(batch), behind) = batch.await? else {
            return Ok(forgotten);
        };
        (after, forgotten) = (behind, forgotten + batch);
    }
}
