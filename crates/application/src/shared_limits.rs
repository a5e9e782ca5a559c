//! Counts of requests that all nodes share: of those that cost money, a node more must not be a quota more.

use lyceum_ports::shared_limits::SharedStanding;

use crate::app::App;
use crate::error::Error;

/// Takes one from a bucket that holds a minute's quota and refills evenly.
///
/// # Errors
/// Those of storage.
pub async fn take(app: &App, bucket: String, per_minute: u32) -> Result<SharedStanding, Error> {
    let now = app.clock.now();
    app.store
        .write(move |tx| Ok(tx.shared_limits().take(&bucket, per_minute, now)?))
        .await
}
