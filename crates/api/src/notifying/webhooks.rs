//! Webhook endpoints over HTTP.

use lyceum_application::notifying::webhooks::{self, DeliveryFilter};
use lyceum_domain::ids::{WebhookDelivery, WebhookEndpoint};
use lyceum_domain::notifying::deliveries::DeliveryStatus;
use lyceum_domain::notifying::events::EventType;
use lyceum_wire::notifying::webhooks::{
    CreateWebhookEndpoint, RecoverWebhookEndpoint, UpdateWebhookEndpoint, WebhookDeliveryView,
    WebhookEndpointView, WebhookRecoveryView,
};

use crate::http::answer::Accepted;
use crate::prelude::*;

pub async fn create(
    call: Call<Json<CreateWebhookEndpoint>>,
) -> Outcome<Created<WebhookEndpointView>> {
    call.write(|tx, ctx, _, new| webhooks::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Listing<WebhookEndpoint, ()>>,
) -> Outcome<Listed<WebhookEndpointView>> {
    call.read(|tx, ctx, _, ((), page)| webhooks::list(tx, ctx, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<WebhookEndpointView>> {
    call.read(|tx, ctx, path, ()| webhooks::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(
    call: Call<Json<UpdateWebhookEndpoint>>,
) -> Outcome<Found<WebhookEndpointView>> {
    call.unless_changed(|tx, ctx, path| webhooks::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| webhooks::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn rotate_secret(call: Call<Nothing>) -> Outcome<Created<WebhookEndpointView>> {
    call.write(|tx, ctx, path, ()| webhooks::rotate_secret(tx, ctx, path.id()?))
        .await
}

pub async fn test(call: Call<Nothing>) -> Outcome<Accepted<WebhookDeliveryView>> {
    call.write(|tx, ctx, path, ()| webhooks::test(tx, ctx, path.id()?))
        .await
}

pub async fn recover(
    call: Call<Json<RecoverWebhookEndpoint>>,
) -> Outcome<Found<WebhookRecoveryView>> {
    call.write(|tx, ctx, path, since| webhooks::recover(tx, ctx, path.id()?, since))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| webhooks::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| webhooks::delete(tx, ctx, path.id()?).map(|id| id.to_string()))
        .await
}

pub async fn deliveries(
    call: Call<Listing<WebhookDelivery, DeliveryFilter>>,
) -> Outcome<Listed<WebhookDeliveryView>> {
    call.read(|tx, ctx, path, (filter, page)| {
        webhooks::deliveries(tx, ctx, path.id()?, filter, &page)
    })
    .await
}

pub async fn delivery(call: Call<Nothing>) -> Outcome<Found<WebhookDeliveryView>> {
    call.read(|tx, ctx, path, ()| webhooks::delivery(tx, ctx, path.id()?))
        .await
}

pub async fn redeliver(call: Call<Nothing>) -> Outcome<Accepted<WebhookDeliveryView>> {
    call.write(|tx, ctx, path, ()| webhooks::redeliver(tx, ctx, path.id()?))
        .await
}

impl FromQuery for DeliveryFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("status", "Of this status.").one_of(&["pending", "delivered", "failed"]),
        Parameter::new("type", "Of events of this type."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            status: query.parsed("status", DeliveryStatus::parse)?,
            kind: query.parsed("type", EventType::parse)?,
        })
    }
}
