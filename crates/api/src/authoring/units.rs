//! Units over HTTP.

use lyceum_application::authoring::units::{self, UnitFilter};
use lyceum_domain::ids::Unit;
use lyceum_wire::authoring::units::{CreateUnit, MoveUnit, UnitView, UpdateUnit};
use lyceum_wire::common_ids::reference;

use crate::prelude::*;

pub async fn create(call: Call<Json<CreateUnit>>) -> Outcome<Created<UnitView>> {
    call.write(|tx, ctx, _, new| units::create(tx, ctx, new))
        .await
}

pub async fn list(call: Call<Listing<Unit, UnitFilter, Tagged>>) -> Outcome<Listed<UnitView>> {
    call.read(|tx, ctx, _, (filter, page)| units::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<UnitView>> {
    call.read(|tx, ctx, path, ()| units::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateUnit>>) -> Outcome<Found<UnitView>> {
    call.unless_changed(|tx, ctx, path| units::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| units::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn relocate(call: Call<Json<MoveUnit>>) -> Outcome<Found<UnitView>> {
    call.write(|tx, ctx, path, to| units::relocate(tx, ctx, path.id()?, to))
        .await
}

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| units::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            units::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
        })
        .await
}

impl FromQuery for UnitFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new(
        "course_id",
        "Of this course, in order of position.",
    )];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            course_id: query.text("course_id")?.as_deref().map(reference),
            among: None,
        })
    }
}
