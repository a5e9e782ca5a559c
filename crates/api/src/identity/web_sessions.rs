//! Sessions in browsers over HTTP: one's own, whatever platform, and a member's, to those who run theirs.

use lyceum_application::identity::web_sessions;
use lyceum_domain::ids::WebSession;
use lyceum_wire::identity::web_sessions::{EndSessions, EndedSessionsView, WebSessionView};

use crate::http::auth_scope::AtAccount;
use crate::prelude::*;

pub async fn list(
    call: Call<Listing<WebSession, ()>, AtAccount>,
) -> Outcome<Listed<WebSessionView>> {
    call.read(|tx, account, _, ((), page)| web_sessions::list(tx, account, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing, AtAccount>) -> Outcome<Found<WebSessionView>> {
    call.read(|tx, account, path, ()| web_sessions::retrieve(tx, account, path.id()?))
        .await
}

pub async fn end(call: Call<Nothing, AtAccount>) -> Outcome<Deleted> {
    call.unless_changed(|tx, account, path| web_sessions::retrieve(tx, account, path.id()?))
        .write(|tx, account, path, ()| {
            let ended = web_sessions::end(tx, account, path.id()?)?;
            Ok(ended.to_string())
        })
        .await
}

pub async fn end_others(call: Call<Nothing, AtAccount>) -> Outcome<Found<EndedSessionsView>> {
    call.write(|tx, account, _, ()| web_sessions::end_others(tx, account))
        .await
}

pub async fn of_member(call: Call<Listing<WebSession, ()>>) -> Outcome<Listed<WebSessionView>> {
    call.read(|tx, ctx, path, ((), page)| web_sessions::of_member(tx, ctx, path.id()?, &page))
        .await
}

pub async fn end_of_member(call: Call<Json<EndSessions>>) -> Outcome<Found<EndedSessionsView>> {
    call.write(|tx, ctx, path, only| web_sessions::end_of_member(tx, ctx, path.id()?, only))
        .await
}
