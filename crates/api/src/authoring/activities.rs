//! Activities over HTTP.

use lyceum_application::authoring::activities::{self, ActivityFilter};
use lyceum_application::authoring::waiting;
use lyceum_domain::authoring::activities::{Activity, ActivityKind};
use lyceum_domain::ids;
use lyceum_wire::authoring::activities::{
    ActivityView, CreateActivity, MoveActivity, UpdateActivity,
};
use lyceum_wire::common_ids::reference;

use crate::authoring::waiting::{Drafting, change, one};
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateActivity>>) -> Outcome<Created<ActivityView>> {
    call.write_texts(|tx, ctx, _, new| activities::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Drafting<Listing<ids::Activity, ActivityFilter, Tagged>>>,
) -> Outcome<Listed<ActivityView>> {
    call.read(|tx, ctx, _, ((filter, page), draft)| {
        let found = activities::list(tx, ctx, &filter, &page)?;
        if !draft {
            return Ok(found);
        }
        waiting::as_they_will_be::<Activity>(tx, ctx, found)
    })
    .await
}

pub async fn retrieve(call: Call<Drafting<Nothing>>) -> Outcome<Found<ActivityView>> {
    call.read(|tx, ctx, path, ((), draft)| {
        one::<Activity>(tx, ctx, path.id()?, draft, activities::retrieve)
    })
    .await
}

pub async fn update(call: Call<Drafting<Json<UpdateActivity>>>) -> Outcome<Found<ActivityView>> {
    let draft = call.is_draft();
    call.unless_changed(move |tx, ctx, path| {
        one::<Activity>(tx, ctx, path.id()?, draft, activities::retrieve)
    })
    .of_draft(draft)
    .write_texts(|tx, ctx, path, changes| change::<Activity>(tx, ctx, path.id()?, changes))
    .await
}

pub async fn relocate(call: Call<Json<MoveActivity>>) -> Outcome<Found<ActivityView>> {
    call.write(|tx, ctx, path, to| activities::relocate(tx, ctx, path.id()?, to))
        .await
}

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| activities::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            activities::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
        })
        .await
}

impl FromQuery for ActivityFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("lesson_id", "Of this lesson, in order of position."),
        Parameter::new("kind", "Of this kind.").one_of(&[
            "quiz",
            "flashcards",
            "explainer",
            "podcast",
            "video",
            "reflection",
        ]),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            lesson_id: query.text("lesson_id")?.as_deref().map(reference),
            kind: query.parsed("kind", ActivityKind::parse)?,
            among: None,
        })
    }
}
