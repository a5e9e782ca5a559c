//! Other due dates over HTTP.

use lyceum_application::authoring::due_dates::{self, DueOverrideFilter};
use lyceum_domain::ids::DueOverride;
use lyceum_wire::authoring::due_dates::{CreateDueOverride, DueOverrideView, UpdateDueOverride};
use lyceum_wire::common_ids::reference;

use crate::prelude::*;

pub async fn create(call: Call<Json<CreateDueOverride>>) -> Outcome<Created<DueOverrideView>> {
    call.write(|tx, ctx, path, new| due_dates::create(tx, ctx, path.id()?, new))
        .await
}

pub async fn list(
    call: Call<Listing<DueOverride, DueOverrideFilter>>,
) -> Outcome<Listed<DueOverrideView>> {
    call.read(|tx, ctx, path, (filter, page)| due_dates::list(tx, ctx, path.id()?, filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<DueOverrideView>> {
    call.read(|tx, ctx, path, ()| due_dates::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateDueOverride>>) -> Outcome<Found<DueOverrideView>> {
    call.unless_changed(|tx, ctx, path| due_dates::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| due_dates::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| due_dates::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| due_dates::delete(tx, ctx, path.id()?).map(|id| id.to_string()))
        .await
}

impl FromQuery for DueOverrideFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("cohort_id", "Of this cohort."),
        Parameter::new("user_id", "Of this learner."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            cohort_id: query.text("cohort_id")?.as_deref().map(reference),
            user_id: query.text("user_id")?.as_deref().map(reference),
        })
    }
}
