//! Rubrics that are tried on an answer over HTTP.

use lyceum_application::grading::tries;
use lyceum_wire::grading::tries::{TriedGradeView, TryGrading};

use crate::prelude::*;

pub async fn ask(call: Call<Json<TryGrading>>) -> Outcome<Found<TriedGradeView>> {
    call.ask(
        |tx, ctx, path, asked| tries::prepare(tx, ctx, path.id()?, &asked),
        tries::ask,
        |_, _, tried: &TriedGradeView| Ok(tried.clone()),
    )
    .await
}
