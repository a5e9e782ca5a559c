//! What is to be done in the background, for whoever watches.

use lyceum_ports::notifying::webhooks::DeliveryBacklog;
use lyceum_ports::running::jobs::JobBacklog;

use crate::app::App;
use crate::error::Error;

/// What is to be done, in all workspaces.
pub async fn backlog(app: &App) -> Result<(JobBacklog, DeliveryBacklog), Error> {
    let now = app.clock.now();
    app.store
        .read_at_length(move |tx| Ok((tx.jobs().backlog(now)?, tx.webhooks().backlog(now)?)))
        .await
}
