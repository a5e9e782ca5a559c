//! Units over HTTP.

use lyceum_application::authoring::units::{self, UnitFilter};
use lyceum_application::authoring::waiting;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::ids;
use lyceum_wire::authoring::units::{CreateUnit, MoveUnit, UnitView, UpdateUnit};
use lyceum_wire::common_ids::reference;

use crate::authoring::waiting::{Drafting, change, one};
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateUnit>>) -> Outcome<Created<UnitView>> {
    call.write(|tx, ctx, _, new| units::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Drafting<Listing<ids::Unit, UnitFilter, Tagged>>>,
) -> Outcome<Listed<UnitView>> {
    call.read(|tx, ctx, _, ((filter, page), draft)| {
        let found = units::list(tx, ctx, &filter, &page)?;
        if !draft {
            return Ok(found);
        }
        waiting::as_they_will_be::<Unit>(tx, ctx, found)
    })
    .await
}

pub async fn retrieve(call: Call<Drafting<Nothing>>) -> Outcome<Found<UnitView>> {
    call.read(|tx, ctx, path, ((), draft)| one::<Unit>(tx, ctx, path.id()?, draft, units::retrieve))
        .await
}

pub async fn update(call: Call<Drafting<Json<UpdateUnit>>>) -> Outcome<Found<UnitView>> {
    let draft = call.is_draft();
    call.unless_changed(move |tx, ctx, path| {
        one::<Unit>(tx, ctx, path.id()?, draft, units::retrieve)
    })
    .of_draft(draft)
    .write(|tx, ctx, path, changes| change::<Unit>(tx, ctx, path.id()?, changes))
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
