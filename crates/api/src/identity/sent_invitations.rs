//! Invitations over HTTP, for the workspace that sends them and for whoever holds a link.

use lyceum_application::Error;
use lyceum_application::identity::{invitation_links, sent_invitations};
use lyceum_domain::ids::User;
use lyceum_wire::identity::sent_invitations::{InvitationLinkView, SentInvitationView};
use lyceum_wire::identity::sign_in::{SignIn, SignedInView};

use crate::edge::cookies;
use crate::http::answer::SignedIn;
use crate::http::auth_scope::Open;
use crate::prelude::*;

pub async fn send(call: Call<Nothing>) -> Outcome<Found<SentInvitationView>> {
    call.count_invitation(|()| true)?;
    call.write(|tx, ctx, path, ()| sent_invitations::send(tx, ctx, path.id()?))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<SentInvitationView>> {
    call.read(|tx, ctx, path, ()| sent_invitations::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn list(call: Call<Listing<User, ()>>) -> Outcome<Listed<SentInvitationView>> {
    call.read(|tx, ctx, _, ((), page)| sent_invitations::list(tx, ctx, &page))
        .await
}

pub async fn look(call: Call<Json<SignIn>, Open>) -> Outcome<Found<InvitationLinkView>> {
    call.read(|tx, visitor, _, hash| invitation_links::look(tx, visitor, &hash))
        .await
}

pub async fn accept(call: Call<Json<SignIn>, Open>) -> Outcome<SignedIn<SignedInView>> {
    let browser = cookies::browser(call.request()?, &call.context.settings.public_url);
    call.write(move |tx, visitor, _, hash| {
        let browser = browser.clone().map_err(Error::from)?;
        invitation_links::accept(tx, visitor, &hash, &browser)
    })
    .await
}
