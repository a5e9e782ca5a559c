//! The trash over HTTP.

use lyceum_application::running::trash::{self, TrashFilter};
use lyceum_domain::ids::{TrashItem, UserId};
use lyceum_domain::running::trash::TrashKind;
use lyceum_wire::running::trash::TrashItemView;

use crate::prelude::*;

pub async fn list(call: Call<Listing<TrashItem, TrashQuery>>) -> Outcome<Listed<TrashItemView>> {
    call.read(|tx, ctx, _, (query, page)| match query.filter() {
        Some(filter) => trash::list(tx, ctx, filter, &page),
        None => Ok(lyceum_application::Page::empty()),
    })
    .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<TrashItemView>> {
    call.read(|tx, ctx, path, ()| trash::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn restore(call: Call<Nothing>) -> Outcome<Found<TrashItemView>> {
    call.write(|tx, ctx, path, ()| trash::restore(tx, ctx, path.id()?))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| trash::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| trash::destroy(tx, ctx, path.id()?).map(|id| id.to_string()))
        .await
}

/// Which items.
#[derive(Debug, Clone)]
pub struct TrashQuery {
    object: Option<TrashKind>,
    object_id: Option<String>,
    deleted_by: Option<String>,
}

impl TrashQuery {
    /// The filter; none where it names a member that nobody can be.
    fn filter(self) -> Option<TrashFilter> {
        let deleted_by = self.deleted_by.map(|text| text.parse::<UserId>());
        Some(TrashFilter {
            kinds: self.object.into_iter().collect(),
            object_id: self.object_id,
            deleted_by: deleted_by.transpose().ok()?,
            restorable_at: None,
        })
    }
}

impl FromQuery for TrashQuery {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("object", "Of this kind.").one_of(&[
            "course",
            "unit",
            "lesson",
            "activity",
            "assignment",
            "cohort",
            "enrollment",
            "submission",
            "user",
            "scorm_package",
        ]),
        Parameter::new("object_id", "The thing that had this id."),
        Parameter::new("deleted_by", "Deleted by the member with this id."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            object: query.parsed("object", TrashKind::parse)?,
            object_id: query.text("object_id")?,
            deleted_by: query.text("deleted_by")?,
        })
    }
}
