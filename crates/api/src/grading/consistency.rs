//! The consistency list over HTTP.

use actix_web::web;
use lyceum_application::app::App;
use lyceum_application::error::Error;
use lyceum_application::grading::consistency::{self, GradedAnswers};
use lyceum_wire::grading::consistency::ConsistencyView;

use crate::prelude::*;

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<ConsistencyView>> {
    call.consult(
        |tx, ctx, path, ()| consistency::look(tx, ctx, path.id()?),
        compare,
    )
    .await
}

/// Beside the threads that answer: it takes longer the more there is.
async fn compare(_app: App, read: GradedAnswers) -> Result<ConsistencyView, Error> {
    let compared = web::block(move || consistency::compare(&read)).await;
    compared.map_err(|error| Error::Internal(error.into()))
}
