//! Making a lesson, an activity or an assignment again what it was. That is a change as any other: what it is meanwhile is kept as
//! a version, and nothing is lost by it.

use lyceum_domain::authoring::versions::Versioned;
use lyceum_domain::ids::VersionId;
use lyceum_wire::authoring::activities::UpdateActivity;
use lyceum_wire::authoring::assignments::UpdateAssignment;
use lyceum_wire::authoring::lessons::UpdateLesson;
use lyceum_wire::authoring::versions::VersionView;
use lyceum_wire::common::Command;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::authoring::{activities, assignments, lessons, versions};
use crate::prelude::*;

/// Makes what a version is of again what it was; shows the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] where what was allowed then is no longer.
pub fn restore(tx: &mut dyn Tx, ctx: &Context, id: VersionId) -> Result<VersionView, Error> {
    let version = versions::find(tx, ctx, id)?;
    let content = Value::Object(version.content.clone());
    if !versions::keep_current(tx, ctx, &version)? {
        return Ok(VersionView::new(&version));
    }
    match version.of {
        Versioned::Lesson(id) => {
            lessons::update(tx, ctx, id, change::<UpdateLesson>(content)?).map(drop)
        }
        Versioned::Activity(id) => {
            activities::update(tx, ctx, id, change::<UpdateActivity>(content)?).map(drop)
        }
        Versioned::Assignment(id) => {
            assignments::update(tx, ctx, id, change::<UpdateAssignment>(content)?).map(drop)
        }
    }?;
    Ok(VersionView::new(&version))
}

fn change<C: Command + DeserializeOwned>(content: Value) -> Result<C::Of, Error> {
    let body: C = serde_json::from_value(content).map_err(|error| Error::Internal(error.into()))?;
    Ok(body.command()?)
}
