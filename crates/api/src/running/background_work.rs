//! What is to be done in the background, over HTTP.

use lyceum_application::running::backlog;
use lyceum_wire::running::background_work::BackgroundWorkView;

use crate::prelude::*;

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<BackgroundWorkView>> {
    call.read(|tx, ctx, _, ()| backlog::of_workspace(tx, ctx))
        .await
}
