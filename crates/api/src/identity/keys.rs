//! API keys over HTTP.

use lyceum_application::identity::keys::{self, KeyFilter};
use lyceum_domain::ids::ApiKey;
use lyceum_wire::common_ids::reference;
use lyceum_wire::identity::keys::{ApiKeyView, CreateApiKey, RotateApiKey, UpdateApiKey};

use crate::http::auth_scope::AtAccount;
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateApiKey>, AtAccount>) -> Outcome<Created<ApiKeyView>> {
    call.write(|tx, account, _, new| keys::create(tx, account, new))
        .await
}

pub async fn list(
    call: Call<Listing<ApiKey, KeyFilter>, AtAccount>,
) -> Outcome<Listed<ApiKeyView>> {
    call.read(|tx, account, _, (filter, page)| keys::list(tx, account, filter, &page))
        .await
}

impl FromQuery for KeyFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new(
        "user_id",
        "Made for this member of the chosen platform; the caller's own when absent.",
    )];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let user_id = query.text("user_id")?.map(|id| reference(&id));
        Ok(Self { user_id })
    }
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

pub async fn rotate(call: Call<Json<RotateApiKey>, AtAccount>) -> Outcome<Created<ApiKeyView>> {
    call.write(|tx, account, path, rotation| keys::rotate(tx, account, path.id()?, rotation))
        .await
}

pub async fn revoke(call: Call<Nothing, AtAccount>) -> Outcome<Found<ApiKeyView>> {
    call.write(|tx, account, path, ()| keys::revoke(tx, account, path.id()?))
        .await
}
