//! What lessons, activities and assignments were, over HTTP.

use lyceum_application::authoring::{restoring, versions};
use lyceum_domain::authoring::versions::Versioned;
use lyceum_domain::ids::Version;
use lyceum_wire::authoring::versions::VersionView;

use crate::prelude::*;

pub async fn of_lesson(call: Call<Listing<Version, ()>>) -> Outcome<Listed<VersionView>> {
    call.read(|tx, ctx, path, ((), page)| {
        versions::list(tx, ctx, Versioned::Lesson(path.id()?), &page)
    })
    .await
}

pub async fn of_activity(call: Call<Listing<Version, ()>>) -> Outcome<Listed<VersionView>> {
    call.read(|tx, ctx, path, ((), page)| {
        versions::list(tx, ctx, Versioned::Activity(path.id()?), &page)
    })
    .await
}

pub async fn of_assignment(call: Call<Listing<Version, ()>>) -> Outcome<Listed<VersionView>> {
    call.read(|tx, ctx, path, ((), page)| {
        versions::list(tx, ctx, Versioned::Assignment(path.id()?), &page)
    })
    .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<VersionView>> {
    call.read(|tx, ctx, path, ()| versions::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn restore(call: Call<Nothing>) -> Outcome<Found<VersionView>> {
    call.write(|tx, ctx, path, ()| restoring::restore(tx, ctx, path.id()?))
        .await
}
