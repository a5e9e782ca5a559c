//! Moving several things of a course over HTTP.

use lyceum_application::authoring::moves;
use lyceum_wire::authoring::moves::{MoveTogether, MovesView};

use crate::prelude::*;

pub async fn together(call: Call<Json<MoveTogether>>) -> Outcome<Found<MovesView>> {
    call.write(|tx, ctx, path, to| moves::together(tx, ctx, path.id()?, to))
        .await
}
