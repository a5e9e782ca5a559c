//! One-time login tokens over HTTP.

use lyceum_application::identity::tokens;
use lyceum_wire::identity::tokens::{FinishToken, LoginTokenView, SessionKeyView, StartToken};

use crate::http::auth_scope::Open;
use crate::prelude::*;

pub async fn start(call: Call<Json<StartToken>>) -> Outcome<Found<LoginTokenView>> {
    call.write(|tx, ctx, _, email| tokens::start(tx, ctx, &email))
        .await
}

pub async fn finish(call: Call<Json<FinishToken>, Open>) -> Outcome<Found<SessionKeyView>> {
    call.write(|tx, visitor, _, hash| tokens::finish(tx, visitor, &hash))
        .await
}
