//! API keys over HTTP.

use lyceum_application::identity::keys;
use lyceum_domain::ids::ApiKey;
use lyceum_wire::identity::keys::{ApiKeyView, CreateApiKey, UpdateApiKey};

use crate::http::auth_scope::AtAccount;
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateApiKey>, AtAccount>) -> Outcome<Created<ApiKeyView>> {
    call.write(|tx, account, _, new| keys::create(tx, account, new))
        .await
}

pub async fn list(call: Call<Listing<ApiKey, ()>, AtAccount>) -> Outcome<Listed<ApiKeyView>> {
    call.read(|tx, account, _, ((), page)| keys::list(tx, account, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing, AtAccount>) -> Outcome<Found<ApiKeyView>> {
    call.read(|tx, account, path, ()| keys::retrieve(tx, account, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateApiKey>, AtAccount>) -> Outcome<Found<ApiKeyView>> {
    call.unless_changed(|tx, account, path| keys::retrieve(tx, account, path.id()?))
        .write(|tx, account, path, changes| keys::update(tx, account, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Nothing, AtAccount>) -> Outcome<Deleted> {
    call.unless_changed(|tx, account, path| keys::retrieve(tx, account, path.id()?))
        .write(|tx, account, path, ()| {
            keys::delete(tx, account, path.id()?).map(|id| id.to_string())
        })
        .await
}

pub async fn rotate(call: Call<Nothing, AtAccount>) -> Outcome<Created<ApiKeyView>> {
    call.write(|tx, account, path, ()| keys::rotate(tx, account, path.id()?))
        .await
}

pub async fn revoke(call: Call<Nothing, AtAccount>) -> Outcome<Found<ApiKeyView>> {
    call.write(|tx, account, path, ()| keys::revoke(tx, account, path.id()?))
        .await
}
