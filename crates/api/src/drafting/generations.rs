//! Generations over HTTP.

use lyceum_application::drafting::generations::{self, GenerationFilter};
use lyceum_domain::InvalidValue;
use lyceum_domain::ids::Generation;
use lyceum_wire::drafting::generations::{
    GenerateActivities, GenerateContent, GenerationView, RetryGeneration, StartSyllabus,
};

use crate::http::answer::Accepted;
use crate::http::answer::Followed;
use crate::http::force::Forcing;
use crate::prelude::*;

pub async fn start_syllabus(call: Call<Json<StartSyllabus>>) -> Outcome<Accepted<GenerationView>> {
    call.write(|tx, ctx, path, request| generations::start_syllabus(tx, ctx, path.id()?, request))
        .await
}

pub async fn start_unit(call: Call<Json<GenerateContent>>) -> Outcome<Accepted<GenerationView>> {
    call.write(|tx, ctx, path, request| generations::start_unit(tx, ctx, path.id()?, &request))
        .await
}

pub async fn start_lesson(
    call: Call<Forcing<Json<GenerateContent>>>,
) -> Outcome<Accepted<GenerationView>> {
    call.write(|tx, ctx, path, (request, force)| {
        generations::start_lesson(tx, ctx, path.id()?, &request, force)
    })
    .await
}

pub async fn start_activities(
    call: Call<Json<GenerateActivities>>,
) -> Outcome<Accepted<GenerationView>> {
    call.write(|tx, ctx, path, request| {
        generations::start_activities(tx, ctx, path.id()?, &request)
    })
    .await
}

pub async fn start_activity(
    call: Call<Forcing<Json<GenerateContent>>>,
) -> Outcome<Accepted<GenerationView>> {
    call.write(|tx, ctx, path, (request, force)| {
        generations::start_activity(tx, ctx, path.id()?, &request, force)
    })
    .await
}

pub async fn list(
    call: Call<Listing<Generation, GenerationFilter>>,
) -> Outcome<Listed<GenerationView>> {
    call.read(|tx, ctx, _, (filter, page)| generations::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<GenerationView>> {
    call.read(|tx, ctx, path, ()| generations::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn stream(call: Call<Nothing>) -> Outcome<Followed<GenerationView>> {
    call.read(|tx, ctx, path, ()| generations::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn cancel(call: Call<Nothing>) -> Outcome<Found<GenerationView>> {
    call.write(|tx, ctx, path, ()| generations::cancel(tx, ctx, path.id()?))
        .await
}

pub async fn retry(call: Call<Json<RetryGeneration>>) -> Outcome<Accepted<GenerationView>> {
    call.write(|tx, ctx, path, budget| generations::retry(tx, ctx, path.id()?, budget))
        .await
}

impl FromQuery for GenerationFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new("status", "In this state.")
        .one_of(&["pending", "ready", "error", "canceled"])];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let status = |text: &str| match text {
            "pending" | "ready" | "error" | "canceled" => Ok(text.to_owned()),
            _ => Err(InvalidValue::new(
                "must be one of pending ready error canceled",
            )),
        };
        Ok(Self {
            status: query.parsed("status", status)?,
        })
    }
}
