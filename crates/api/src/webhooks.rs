//! Webhook endpoints over HTTP.

use lyceum_application::webhooks;
use lyceum_domain::webhooks::{WebhookDelivery, WebhookEndpoint};
use lyceum_wire::webhooks::{CreateWebhookEndpoint, WebhookDeliveryView, WebhookEndpointView};

use crate::answer::{Created, Deleted, Found, Listed, Outcome};
use crate::call::Call;
use crate::input::{Json, Listing, Nothing};

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

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.write(|tx, ctx, path, ()| webhooks::delete(tx, ctx, path.id()?).map(|id| id.to_string()))
        .await
}

pub async fn deliveries(
    call: Call<Listing<WebhookDelivery, ()>>,
) -> Outcome<Listed<WebhookDeliveryView>> {
    call.read(|tx, ctx, path, ((), page)| webhooks::deliveries(tx, ctx, path.id()?, &page))
        .await
}
