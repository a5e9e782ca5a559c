//! Passkeys: people add them where they are signed in, and sign in by them anywhere.
//!
//! Whoever adds one proves that they sit there, by a session that began a short while ago; a key cannot, for it would make itself a way in
//! that outlives it and opens more. A passkey opens what the session opened in which it was made.

use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::Stamp;
use lyceum_domain::hex;
use lyceum_domain::identity::keys::{ApiKey, KeyKind, SecretHash};
use lyceum_domain::identity::passkeys::{CEREMONY_LIFETIME, Ceremony, MAX_PASSKEYS, Passkey};
use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{PasskeyId, PersonId};
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::text::LanguageTag;
use lyceum_ports::identity::passkeys::{Asked, NotProved, PasskeyProtocol};
use lyceum_wire::identity::passkeys::{
    NewPasskey, PasskeyAnswer, PasskeyChanges, PasskeyQuestionView, PasskeyView,
};
use lyceum_wire::identity::sign_in::SignedInView;

use crate::context::{Account, Visitor};
use crate::error::Unauthenticated;
use crate::identity::sign_in::{self, Browser, Proof};
use crate::identity::sign_in_links::random;
use crate::identity::workspaces;
use crate::notifying::mails::{self, NewMail};
use crate::prelude::*;
use crate::running::audit::{self, values};

/// After this a mail about a passkey is news no more.
const TOLD_WITHIN: Duration = Duration::from_hours(24);

/// Shows a page of the caller's passkeys; in a session of one platform those that open no more.
///
/// # Errors
/// [`Forbidden::Bound`] for a key that was made for a member
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    page: &PageRequest,
) -> Result<Page<PasskeyView>, Error> {
    let only_of = reach(account)?;
    let person = account.identity.person_id;
    let page = tx.passkeys().page(person, only_of, page)?;
    Ok(page.map(|passkey| PasskeyView::new(&passkey)))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Bound`]
pub fn retrieve(tx: &mut dyn Tx, account: &Account, id: PasskeyId) -> Result<PasskeyView, Error> {
    Ok(PasskeyView::new(&find(tx, account, id)?))
}

/// What the caller's browser is to ask a device for, which makes a passkey then.
///
/// # Errors
/// [`Forbidden::SignInAgain`] for a key, [`Conflict::NotEditable`] where the address of the service allows none,
/// [`Conflict::LimitReached`]
pub fn begin(
    tx: &mut dyn Tx,
    account: &Account,
    held: Option<&str>,
) -> Result<PasskeyQuestionView, Error> {
    require_session(account)?;
    let protocol = protocol(&account.visit)?;
    let person = account.identity.person_id;
    let key = session(tx, account)?;
    // What opens no more than one platform neither counts nor sees what is the person's own.
    let known = known(tx, person, key.workspace_id)?;
    if known.len() >= MAX_PASSKEYS {
        let reason = format!("nobody has more than {MAX_PASSKEYS} passkeys; remove one first");
        return Err(Conflict::LimitReached(reason).into());
    }
    let address = account.identity.email.as_str();
    let handle = Passkey::handle(person, key.user_id);
    let asked = protocol.ask_for_new(handle, address, &known);
    ask(tx, &account.visit, (Some(person), held), asked)
}

/// Keeps what a device made, if it proves it.
///
/// # Errors
/// [`Error::Invalid`] for an answer that proves nothing, [`Forbidden::SignInAgain`] for a key, [`Conflict::Taken`] for one that somebody has
pub fn create(
    tx: &mut dyn Tx,
    account: &Account,
    new: &NewPasskey,
    browser: Option<&SecretHash>,
) -> Result<PasskeyView, Error> {
    require_session(account)?;
    let (visit, person) = (&account.visit, account.identity.person_id);
    let protocol = protocol(visit)?;
    let invalid = |why: NotProved| {
        tracing::debug!(%why, "an answer makes no passkey");
        Error::from(Invalid::new("credential", "proves no passkey"))
    };
    let claim = protocol.claim(&new.answer).map_err(invalid)?;
    let of = (Some(person), browser);
    let ceremony = answered(tx, visit, &claim.challenge, of)?;
    let ceremony = ceremony.ok_or_else(|| invalid(NotProved("nobody asked".to_owned())))?;
    let made = protocol
        .made(&ceremony.state, &new.answer)
        .map_err(invalid)?;
    if tx
        .passkeys()
        .with_credential(&made.credential_id)?
        .is_some()
    {
        return Err(Conflict::Taken("credential").into());
    }
    let key = session(tx, account)?;
    hold(tx, &key)?;
    let letter = Letter::passkey_added(new.name.as_str(), visit.now);
    tell_person(tx, account, letter)?;
    let passkey = Passkey {
        id: visit.mint(),
        person_id: person,
        workspace_id: key.workspace_id,
        user_id: key.user_id,
        credential_id: made.credential_id,
        name: new.name.clone(),
        credential: made.credential,
        last_used_at: None,
        stamp: Stamp::new(visit.now),
    };
    tx.passkeys().insert(&passkey)?;
    tell(tx, account, &passkey, AuditAction::PasskeyAdded)?;
    Ok(PasskeyView::new(&passkey))
}

/// Calls one something else.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    account: &Account,
    id: PasskeyId,
    changes: PasskeyChanges,
) -> Result<PasskeyView, Error> {
    let mut passkey = find(tx, account, id)?;
    if let Some(name) = changes.name
        && name != passkey.name
    {
        passkey.name = name;
        passkey.stamp.touch(account.visit.now);
        tx.passkeys().update(&passkey)?;
    }
    Ok(PasskeyView::new(&passkey))
}

/// Removes one: nobody signs in by it any more. Sessions that it began go on.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::SignInAgain`] for a key
pub fn delete(tx: &mut dyn Tx, account: &Account, id: PasskeyId) -> Result<PasskeyId, Error> {
    let passkey = find(tx, account, id)?;
    require_session(account)?;
    let letter = Letter::passkey_removed(passkey.name.as_str(), account.visit.now);
    tell_person(tx, account, letter)?;
    tx.passkeys().delete(id)?;
    tell(tx, account, &passkey, AuditAction::PasskeyRemoved)?;
    Ok(id)
}

/// What a browser is to ask a device for that signs somebody in: the same for everybody, for nobody has said who they are.
///
/// # Errors
/// [`Conflict::NotEditable`] where the address of the service allows no passkeys
pub fn begin_sign_in(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    held: Option<&str>,
) -> Result<PasskeyQuestionView, Error> {
    let asked = protocol(visitor)?.ask_for_any();
    ask(tx, visitor, (None, held), asked)
}

/// Exchanges an answer for a session, in the place of the one that the browser held.
///
/// # Errors
/// [`Unauthenticated::InvalidPasskey`], whatever is wrong with it
pub fn finish_sign_in(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    answer: &PasskeyAnswer,
    browser: &Browser,
) -> Result<SignedInView, Error> {
    let refused = |why: NotProved| {
        tracing::debug!(%why, "an answer signs nobody in");
        Error::from(Unauthenticated::InvalidPasskey)
    };
    let nobody = |why: &str| refused(NotProved(why.to_owned()));
    let protocol = protocol(visitor)?;
    let claim = protocol.claim(&answer.0).map_err(refused)?;
    let of = (None, browser.asked.as_ref());
    let ceremony = answered(tx, visitor, &claim.challenge, of)?;
    let ceremony = ceremony.ok_or_else(|| nobody("nobody asked"))?;
    let passkey = tx.passkeys().with_credential(&claim.credential_id)?;
    // The device says whose it is, and it is whose we know it to be.
    let passkey = passkey.filter(|one| claim.handle.is_some_and(|handle| one.is_of(handle)));
    let mut passkey = passkey.ok_or_else(|| nobody("nobody's"))?;
    let credential = protocol.proved(&ceremony.state, &answer.0, &passkey);
    passkey.credential = credential.map_err(refused)?;
    passkey.last_used_at = Some(visitor.now);
    passkey.stamp.version = passkey.stamp.version.saturating_add(1);
    tx.passkeys().update(&passkey)?;
    let person = tx.users().person(passkey.person_id)?;
    let person = person.ok_or_else(|| nobody("gone"))?;
    let only_as = member(tx, &passkey)?;
    if passkey.user_id.is_some() && only_as.is_none() {
        return Err(nobody("no member any more"));
    }
    let proof = Proof {
        person: &person,
        method: SignInMethod::Passkey,
        only_as: only_as.as_ref(),
    };
    Ok(sign_in::begin(tx, visitor, &proof, browser)?.shown(&person))
}

/// The member as whom it signs in, and no more.
fn member(tx: &mut dyn Tx, passkey: &Passkey) -> Result<Option<User>, Error> {
    let (Some(workspace), Some(id)) = (passkey.workspace_id, passkey.user_id) else {
        return Ok(None);
    };
    let user = tx.users().find(workspace, id)?;
    Ok(user
        .filter(|user| user.person_id == passkey.person_id && user.is_open_to(KeyKind::Web, None)))
}

/// Notes what a device is asked, for the browser that holds this; one that holds nothing yet is given something to hold.
fn ask(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    (person_id, held): (Option<PersonId>, Option<&str>),
    asked: Result<Asked, NotProved>,
) -> Result<PasskeyQuestionView, Error> {
    let asked = asked.map_err(|why| Error::Internal(why.into()))?;
    let held = held.map_or_else(|| hex::lower(&random(visitor)), str::to_owned);
    let ceremony = Ceremony {
        hash: SecretHash::of(&asked.challenge),
        person_id,
        browser: SecretHash::of(&held),
        state: asked.state,
        expires_at: visitor.now.plus(CEREMONY_LIFETIME),
    };
    tx.passkeys().ask(&ceremony)?;
    Ok(PasskeyQuestionView::new(
        asked.options,
        ceremony.expires_at,
        &held,
    ))
}

/// What was asked that this answers, once.
fn answered(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    challenge: &str,
    (person, browser): (Option<PersonId>, Option<&SecretHash>),
) -> Result<Option<Ceremony>, Error> {
    let hash = SecretHash::of(challenge);
    let asked = tx.passkeys().answered(&hash, visitor.now)?;
    Ok(asked.filter(|ceremony| ceremony.is_of(person, browser)))
}

fn known(
    tx: &mut dyn Tx,
    person: PersonId,
    only_of: Option<WorkspaceId>,
) -> Result<Vec<Passkey>, Error> {
    let all = PageRequest::first(PageRequest::MAX_LIMIT);
    let known = tx.passkeys().page(person, only_of, &all)?.items;
    let is_alike = |one: &Passkey| one.workspace_id == only_of;
    Ok(known.into_iter().filter(is_alike).collect())
}

fn protocol(visitor: &Visitor) -> Result<Arc<dyn PasskeyProtocol>, Error> {
    let reason = "browsers use no passkeys at the address of this service; set LYCEUM_PUBLIC_URL to a name with https";
    let protocol = visitor.passkeys.clone();
    Ok(protocol.ok_or_else(|| Conflict::NotEditable(reason.to_owned()))?)
}

fn require_session(account: &Account) -> Result<(), Error> {
    if account.identity.key_kind != KeyKind::Web {
        return Err(Forbidden::SignInAgain.into());
    }
    Ok(account.identity.require_recent(account.visit.now)?)
}

/// The session that the caller came with, if it may make passkeys: whoever comes in by an organisation does so for as long as that says
/// so, and a passkey would outlive it.
fn session(tx: &mut dyn Tx, account: &Account) -> Result<ApiKey, Error> {
    let now = account.visit.now;
    let key = tx.keys().find(account.identity.key_id)?;
    let key = found(key.filter(|key| key.alive(now).is_ok()), "session")?;
    let method = key.signed_in.map(|signed_in| signed_in.method);
    if method == Some(SignInMethod::Sso) {
        let reason =
            "whoever signs in by their organisation has no passkey here: it says who comes in";
        return Err(Conflict::NotEditable(reason.to_owned()).into());
    }
    Ok(key)
}

/// Whoever makes the member more, or ends the membership, at the same time begins anew, and ends the passkey as well.
fn hold(tx: &mut dyn Tx, key: &ApiKey) -> Result<(), Error> {
    let (Some(workspace), Some(member)) = (key.workspace_id, key.user_id) else {
        return Ok(());
    };
    let mut user = found(tx.users().find(workspace, member)?, "user")?;
    user.hold();
    Ok(tx.users().update(&user)?)
}

/// Of which platform passkeys are that the caller has a say in; `None` is any.
fn reach(account: &Account) -> Result<Option<WorkspaceId>, Error> {
    if account.identity.key_kind != KeyKind::Web {
        account.refuse_bound()?;
    }
    Ok(account.identity.bound_to)
}

/// One of the caller's own.
fn find(tx: &mut dyn Tx, account: &Account, id: PasskeyId) -> Result<Passkey, Error> {
    let only_of = reach(account)?;
    let own = tx.passkeys().find(id)?.filter(|passkey| {
        passkey.person_id == account.identity.person_id
            && only_of.is_none_or(|only| passkey.workspace_id == Some(only))
    });
    found(own, "passkey")
}

/// The workspace that hears of the session hears of the passkey.
fn tell(
    tx: &mut dyn Tx,
    account: &Account,
    passkey: &Passkey,
    action: AuditAction,
) -> Result<(), Error> {
    let Some(workspace) = account.identity.made_in else {
        return Ok(());
    };
    let place = tx.users().membership(workspace, passkey.person_id)?;
    let Some((user, _)) = place.filter(|(user, _)| user.accepted_at().is_some()) else {
        return Ok(());
    };
    let value = values::passkey(user.id);
    let change = if action == AuditAction::PasskeyAdded {
        AuditedChange::made(value)
    } else {
        AuditedChange::gone(value)
    };
    let actor = user.audited_with(account.identity.key_id);
    let subject = AuditSubject::of(passkey.id);
    let place = (workspace, actor);
    audit::note_at(tx, &account.visit, place, action, subject, change)
}

/// Whoever sat at a browser that was left alone is found out by its person, where there is a mail server. Said first: whoever stands in line for
/// the mail may begin anew.
fn tell_person(tx: &mut dyn Tx, account: &Account, letter: Letter) -> Result<(), Error> {
    let visitor = &account.visit;
    if !visitor.settings.mail_is_configured {
        return Ok(());
    }
    let places = workspaces::memberships(tx, account)?;
    let language = places
        .iter()
        .rev()
        .find_map(|(user, _)| user.language.clone());
    let mail = NewMail {
        to: account.identity.email.clone(),
        language: language.unwrap_or_else(LanguageTag::english),
        letter,
        workspace: account.identity.bound_to,
        not_after: visitor.now.plus(TOLD_WITHIN),
        withheld: false,
    };
    mails::queue(tx, visitor, mail).map(drop)
}
