//! Progress over HTTP.

use lyceum_application::learning::progress;
use lyceum_domain::ids::Enrollment;
use lyceum_wire::learning::progress::{CompleteLesson, ProgressView};

use crate::prelude::*;

pub async fn complete(call: Call<Json<CompleteLesson>>) -> Outcome<Found<ProgressView>> {
    call.write(|tx, ctx, path, request| progress::complete(tx, ctx, path.id()?, request))
        .await
}

pub async fn of_cohort(call: Call<Listing<Enrollment, ()>>) -> Outcome<Listed<ProgressView>> {
    call.read(|tx, ctx, path, ((), page)| progress::of_cohort(tx, ctx, path.id()?, &page))
        .await
}

pub async fn of_user(call: Call<Listing<Enrollment, ()>>) -> Outcome<Listed<ProgressView>> {
    call.read(|tx, ctx, path, ((), page)| progress::of_user(tx, ctx, path.id()?, &page))
        .await
}
