//! Passkeys over HTTP: a person's own, and signing in by them. What tells a browser again goes into its cookie on the way out
//! (`edge/cookies.rs`).

use lyceum_application::Error;
use lyceum_application::identity::passkeys;
use lyceum_domain::ids::Passkey;
use lyceum_wire::identity::passkeys::{
    CreatePasskey, PasskeyQuestionView, PasskeyView, SignInByPasskey, UpdatePasskey,
};
use lyceum_wire::identity::sign_in::SignedInView;

use crate::edge::cookies;
use crate::http::answer::{Asked, SignedIn};
use crate::http::auth_scope::{AtAccount, Open};
use crate::prelude::*;

pub async fn list(call: Call<Listing<Passkey, ()>, AtAccount>) -> Outcome<Listed<PasskeyView>> {
    call.read(|tx, account, _, ((), page)| passkeys::list(tx, account, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing, AtAccount>) -> Outcome<Found<PasskeyView>> {
    call.read(|tx, account, path, ()| passkeys::retrieve(tx, account, path.id()?))
        .await
}

pub async fn begin(call: Call<Nothing, AtAccount>) -> Outcome<Asked<PasskeyQuestionView>> {
    let held = cookies::held_by_who_asked(call.request()?, &call.context.visit.settings.public_url);
    call.write(move |tx, account, _, ()| passkeys::begin(tx, account, held.as_deref()))
        .await
}

pub async fn create(call: Call<Json<CreatePasskey>, AtAccount>) -> Outcome<Created<PasskeyView>> {
    let browser = cookies::browser(call.request()?, &call.context.visit.settings.public_url);
    call.write(move |tx, account, _, new| {
        let browser = browser.clone().map_err(Error::from)?;
        passkeys::create(tx, account, &new, browser.asked.as_ref())
    })
    .await
}

pub async fn update(call: Call<Json<UpdatePasskey>, AtAccount>) -> Outcome<Found<PasskeyView>> {
    call.unless_changed(|tx, account, path| passkeys::retrieve(tx, account, path.id()?))
        .write(|tx, account, path, changes| passkeys::update(tx, account, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Nothing, AtAccount>) -> Outcome<Deleted> {
    call.unless_changed(|tx, account, path| passkeys::retrieve(tx, account, path.id()?))
        .write(|tx, account, path, ()| {
            let removed = passkeys::delete(tx, account, path.id()?)?;
            Ok(removed.to_string())
        })
        .await
}

pub async fn begin_sign_in(call: Call<Nothing, Open>) -> Outcome<Asked<PasskeyQuestionView>> {
    let browser = cookies::browser(call.request()?, &call.context.settings.public_url);
    let held = cookies::held_by_who_asked(call.request()?, &call.context.settings.public_url);
    call.write(move |tx, visitor, _, ()| {
        if let Err(problem) = &browser {
            return Err(problem.clone().into());
        }
        passkeys::begin_sign_in(tx, visitor, held.as_deref())
    })
    .await
}

pub async fn sign_in(call: Call<Json<SignInByPasskey>, Open>) -> Outcome<SignedIn<SignedInView>> {
    let browser = cookies::browser(call.request()?, &call.context.settings.public_url);
    call.write(move |tx, visitor, _, answer| {
        let browser = browser.clone().map_err(Error::from)?;
        passkeys::finish_sign_in(tx, visitor, &answer, &browser)
    })
    .await
}
