//! Signing in and out over HTTP. What a browser is to keep goes into its cookie on the way out (`edge/cookies.rs`).

use lyceum_application::Error;
use lyceum_application::identity::{sign_in, sign_in_links};
use lyceum_wire::identity::sign_in::{
    AskForLink, AskedForLinkView, SignIn, SignInWaysView, SignedInView,
};
use lyceum_wire::identity::web_sessions::WebSessionView;

use crate::edge::cookies;
use crate::http::answer::{Asked, SignedIn, SignedOut};
use crate::http::auth_scope::{AtAccount, Open};
use crate::prelude::*;

pub async fn ways(call: Call<Nothing, Open>) -> Outcome<Found<SignInWaysView>> {
    call.read_one(|tx, visitor, _, ()| sign_in::ways(tx, visitor))
        .await
}

pub async fn ask(call: Call<Json<AskForLink>, Open>) -> Outcome<Asked<AskedForLinkView>> {
    let browser = cookies::browser(call.request()?, &call.context.settings.public_url);
    let held = cookies::held_by_who_asked(call.request()?, &call.context.settings.public_url);
    call.write(move |tx, visitor, _, asked| {
        if let Err(problem) = &browser {
            return Err(problem.clone().into());
        }
        sign_in_links::ask(tx, visitor, &asked, held.as_deref())
    })
    .await
}

pub async fn finish(call: Call<Json<SignIn>, Open>) -> Outcome<SignedIn<SignedInView>> {
    let browser = cookies::browser(call.request()?, &call.context.settings.public_url);
    call.write(move |tx, visitor, _, hash| {
        let browser = browser.clone().map_err(Error::from)?;
        sign_in::finish(tx, visitor, &hash, &browser)
    })
    .await
}

pub async fn sign_out(call: Call<Nothing, AtAccount>) -> Outcome<SignedOut<WebSessionView>> {
    call.write(|tx, account, _, ()| sign_in::sign_out(tx, account))
        .await
}
