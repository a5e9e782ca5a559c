//! A workspace's connections to identity providers over HTTP.

use lyceum_application::identity::sso_connections;
use lyceum_domain::ids::SsoConnection;
use lyceum_wire::identity::sso_connections::{
    CreateSsoConnection, SsoConnectionView, SsoTestView, UpdateSsoConnection,
};

use crate::prelude::*;

pub async fn create(call: Call<Json<CreateSsoConnection>>) -> Outcome<Created<SsoConnectionView>> {
    call.write(|tx, ctx, _, new| sso_connections::create(tx, ctx, new))
        .await
}

pub async fn list(call: Call<Listing<SsoConnection, ()>>) -> Outcome<Listed<SsoConnectionView>> {
    call.read(|tx, ctx, _, ((), page)| sso_connections::list(tx, ctx, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<SsoConnectionView>> {
    call.read(|tx, ctx, path, ()| sso_connections::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateSsoConnection>>) -> Outcome<Found<SsoConnectionView>> {
    call.unless_changed(|tx, ctx, path| sso_connections::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| sso_connections::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| sso_connections::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| {
            let id = sso_connections::delete(tx, ctx, path.id()?)?;
            Ok(id.to_string())
        })
        .await
}

pub async fn test(call: Call<Nothing>) -> Outcome<Found<SsoTestView>> {
    call.consult(
        |tx, ctx, path, ()| sso_connections::look(tx, ctx, path.id()?),
        sso_connections::test,
    )
    .await
}
