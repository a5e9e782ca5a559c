//! Counts of requests that all nodes share: of those that cost money, a node more must not be a quota more.

pub use lyceum_ports::running::shared_limits::{SharedQuota, SharedStanding};

use crate::app::App;
use crate::error::Error;

/// Takes so much from a bucket that refills evenly.
pub async fn take(
    app: &App,
    bucket: String,
    quota: SharedQuota,
    amount: u32,
) -> Result<SharedStanding, Error> {
    let now = app.clock.now();
    app.store
        .write(move |tx| Ok(tx.shared_limits().take(&bucket, quota, amount, now)?))
        .await
}
