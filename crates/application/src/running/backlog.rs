//! What is to be done in the background, for whoever watches.

use lyceum_ports::notifying::webhooks::DeliveryBacklog;
use lyceum_ports::running::jobs::JobBacklog;

use lyceum_wire::running::background_work::BackgroundWorkView;

use crate::app::App;
use crate::prelude::*;

/// What is to be done, in all workspaces.
pub async fn backlog(app: &App) -> Result<(JobBacklog, DeliveryBacklog), Error> {
    let now = app.clock.now();
    app.store
        .read_at_length(move |tx| Ok((tx.jobs().backlog(now)?, tx.webhooks().backlog(now)?)))
        .await
}

/// What is to be done in the caller's workspace.
///
/// # Errors
/// Those of storage.
pub fn of_workspace(tx: &mut dyn Tx, ctx: &Context) -> Result<BackgroundWorkView, Error> {
    let kinds = tx.jobs().backlog_of(ctx.workspace_id(), ctx.now)?;
    Ok(BackgroundWorkView::new(&kinds))
}
