//! Updating cohorts over HTTP, where that is done by choice.

use lyceum_application::learning::updates;
use lyceum_application::{Context, Tx};
use lyceum_wire::learning::updates::{CohortUpdateView, TakeCohortUpdate};

use crate::http::call::Path;
use crate::prelude::*;

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<CohortUpdateView>> {
    // Of a large course it looks at much.
    let look =
        |tx: &mut dyn Tx, ctx: &Context, path: &Path, ()| updates::retrieve(tx, ctx, path.id()?);
    call.consult(look, |_, update| std::future::ready(Ok(update)))
        .await
}

pub async fn take(call: Call<Json<TakeCohortUpdate>>) -> Outcome<Found<CohortUpdateView>> {
    call.write(|tx, ctx, path, seen| updates::take(tx, ctx, path.id()?, seen.as_deref()))
        .await
}
