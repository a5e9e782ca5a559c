//! Platforms, and the caller, over HTTP.

use lyceum_application::identity::platforms;
use lyceum_domain::ids::Workspace;
use lyceum_wire::identity::me::{MeView, UpdateMe};
use lyceum_wire::identity::platforms::PlatformView;

use crate::http::auth_scope::AtAccount;
use crate::prelude::*;

pub async fn list(call: Call<Listing<Workspace, ()>, AtAccount>) -> Outcome<Listed<PlatformView>> {
    call.read(|tx, account, _, ((), page)| platforms::list(tx, account, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing, AtAccount>) -> Outcome<Found<PlatformView>> {
    call.read(|tx, account, path, ()| platforms::retrieve(tx, account, path.text("platform")))
        .await
}

pub async fn me(call: Call<Nothing, AtAccount>) -> Outcome<Found<MeView>> {
    call.read(|tx, account, _, ()| platforms::me(tx, account))
        .await
}

pub async fn update_me(call: Call<Json<UpdateMe>, AtAccount>) -> Outcome<Found<MeView>> {
    call.write(|tx, account, _, changes| platforms::update_me(tx, account, changes))
        .await
}
