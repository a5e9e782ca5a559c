//! Cohorts over HTTP.

use lyceum_application::learning::cohorts::{self, CohortFilter};
use lyceum_domain::ids::Cohort;
use lyceum_domain::learning::cohorts::CohortStatus;
use lyceum_wire::common_ids::reference;
use lyceum_wire::learning::cohorts::{CohortView, CreateCohort, UpdateCohort};

use crate::prelude::*;

pub async fn create(call: Call<Json<CreateCohort>>) -> Outcome<Created<CohortView>> {
    call.write(|tx, ctx, _, new| cohorts::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Listing<Cohort, CohortFilter, Tagged>>,
) -> Outcome<Listed<CohortView>> {
    call.read(|tx, ctx, _, (filter, page)| cohorts::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<CohortView>> {
    call.read(|tx, ctx, path, ()| cohorts::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateCohort>>) -> Outcome<Found<CohortView>> {
    call.unless_changed(|tx, ctx, path| cohorts::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| cohorts::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| cohorts::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            cohorts::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
        })
        .await
}

pub async fn start(call: Call<Nothing>) -> Outcome<Found<CohortView>> {
    call.write(|tx, ctx, path, ()| cohorts::start(tx, ctx, path.id()?))
        .await
}

pub async fn end(call: Call<Nothing>) -> Outcome<Found<CohortView>> {
    call.write(|tx, ctx, path, ()| cohorts::end(tx, ctx, path.id()?))
        .await
}

pub async fn reopen(call: Call<Nothing>) -> Outcome<Found<CohortView>> {
    call.write(|tx, ctx, path, ()| cohorts::reopen(tx, ctx, path.id()?))
        .await
}

pub async fn archive(call: Call<Nothing>) -> Outcome<Found<CohortView>> {
    call.write(|tx, ctx, path, ()| cohorts::archive(tx, ctx, path.id()?))
        .await
}

impl FromQuery for CohortFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("course_id", "Of this course."),
        Parameter::new("status", "In this state.").one_of(&[
            "draft",
            "active",
            "completed",
            "archived",
        ]),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            course_id: query.text("course_id")?.map(|text| reference(&text)),
            status: query.parsed("status", CohortStatus::parse)?,
            among: None,
        })
    }
}
