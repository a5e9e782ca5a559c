//! Links that let people in, once: made at the operator's shell, or sent by mail to whoever asks for one.

use lyceum_domain::hex;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::sign_in_links::{LINK_LIFETIME, SignInLink, SignInSecret};
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::text::{Email, LanguageTag};
use lyceum_wire::identity::sign_in::{AskedForLink, AskedForLinkView};

use crate::context::Visitor;
use crate::error::Conflict;
use crate::notifying::mails::{self, NewMail, Queued};
use crate::prelude::*;

/// Where a browser takes a link. What lets in stands behind the `#`, which no browser sends and no log has.
pub fn address(visitor: &Visitor, secret: &SignInSecret) -> String {
    let base = visitor.settings.public_url.as_str();
    format!("{base}/studio#/sign-in/{}", secret.reveal())
}

/// Sends a link to the address, for the browser that holds this, if somebody has the address. Whoever asks is told the same
/// and waits as long whether somebody does, and also where the address got as many as it may. A browser that holds nothing yet is
/// given something to hold.
///
/// # Errors
/// [`Conflict::NotEditable`] where there is no mail server
pub fn ask(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    asked: &AskedForLink,
    held: Option<&str>,
) -> Result<AskedForLinkView, Error> {
    if !visitor.settings.mail_is_configured {
        return Err(Conflict::NotEditable("no mail can be sent from here".to_owned()).into());
    }
    let person = somebody(tx, &asked.email)?;
    let secret = SignInSecret::from_bytes(random(visitor));
    let held = held.map_or_else(|| hex::lower(&random(visitor)), str::to_owned);
    let link = SignInLink {
        hash: secret.hash(),
        person_id: person.as_ref().map(|person| person.id),
        email: asked.email.clone(),
        browser: Some(SecretHash::of(&held)),
        method: SignInMethod::MailLink,
        invites: None,
        created_at: visitor.now,
        expires_at: visitor.now.plus(LINK_LIFETIME),
    };
    let english = || LanguageTag::parse("en").map_err(|error| Error::Internal(error.into()));
    let language = asked.language.clone().map_or_else(english, Ok)?;
    let mail = NewMail {
        to: asked.email.clone(),
        language,
        letter: Letter::sign_in_link(&address(visitor, &secret), link.expires_at),
        workspace: None,
        not_after: link.expires_at,
        withheld: person.is_none(),
    };
    // Of what nobody gets, nothing is kept.
    if mails::queue(tx, visitor, mail)? != Queued::TooMany {
        tx.sign_in_links().insert(&link)?;
    }
    Ok(AskedForLinkView::new(&link, &held))
}

/// Whoever has the address, if that is a person: programs never sign in.
fn somebody(tx: &mut dyn Tx, email: &Email) -> Result<Option<Person>, Error> {
    let person = tx.users().find_person(email)?;
    Ok(person.filter(|person| !User::is_of_service(&person.email)))
}

pub(crate) fn random(visitor: &Visitor) -> [u8; 32] {
    let mut bytes = [0_u8; 32];
    visitor.entropy.fill(&mut bytes);
    bytes
}

/// Makes a link for the operator's shell: whoever opens it is this person.
///
/// # Errors
/// [`Error::Reference`] if nobody has the address
pub fn make_for_shell(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    email: &Email,
) -> Result<SignInSecret, Error> {
    let person = referenced(somebody(tx, email)?, "email", "person")?;
    insert_for_shell(tx, visitor, &person)
}

/// The same for somebody who is known already.
///
/// # Errors
/// Those of storage
pub fn insert_for_shell(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    person: &Person,
) -> Result<SignInSecret, Error> {
    let secret = SignInSecret::from_bytes(random(visitor));
    tx.sign_in_links().insert(&SignInLink {
        hash: secret.hash(),
        person_id: Some(person.id),
        email: person.email.clone(),
        browser: None,
        method: SignInMethod::LocalLink,
        invites: None,
        created_at: visitor.now,
        expires_at: visitor.now.plus(LINK_LIFETIME),
    })?;
    Ok(secret)
}
