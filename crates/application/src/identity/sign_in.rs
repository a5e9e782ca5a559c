//! How people get into a browser, and out again: a link that works once becomes a session.

use lyceum_domain::Stamp;
use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::invitations::InvitationStatus;
use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, KeyKind, SecretHash};
use lyceum_domain::identity::scopes::ScopeSet;
use lyceum_domain::identity::sign_in::{self, MAX_SESSIONS, SignInMethod, SignedIn};
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::ids::PersonId;
use lyceum_domain::running::audit::AuditActor;
use lyceum_domain::text::Name;
use lyceum_wire::identity::sign_in::{SignInWaysView, SignedInView};
use lyceum_wire::identity::web_sessions::WebSessionView;

use crate::context::{Account, Visitor};
use crate::error::Unauthenticated;
use crate::identity::bootstrap::fresh_key;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// What somebody proved who signs in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proof<'a> {
    /// Who they are.
    pub person: &'a Person,
    /// By which way.
    pub method: SignInMethod,
    /// That they are this member and no more, where it was the workspace itself that vouched for them: then the session opens that
    /// workspace alone.
    pub only_as: Option<&'a User>,
}

/// A session that has just begun.
pub(crate) struct Begun {
    /// What is kept of it.
    pub key: ApiKey,
    /// What goes into the browser's cookie.
    pub secret: ApiKeySecret,
}

impl Begun {
    /// For whom it was begun.
    pub fn shown(&self, person: &Person) -> SignedInView {
        SignedInView::new(&self.key, person.email.as_str(), &self.secret)
    }
}

/// A browser, as far as it matters to who signs in.
#[derive(Debug, Clone)]
pub struct Browser {
    /// What its person may recognise it by.
    pub device: Name,
    /// The hash of what it holds that asked for a link.
    pub asked: Option<SecretHash>,
    /// The session that it holds already, whoever's that is.
    pub session: Option<ApiKeySecret>,
}

/// The ways by which people sign in here.
///
/// # Errors
/// Those of storage
pub fn ways(tx: &mut dyn Tx, visitor: &Visitor) -> Result<SignInWaysView, Error> {
    let ways = [
        (SignInMethod::Passkey, visitor.passkeys.is_some()),
        (SignInMethod::MailLink, visitor.settings.mail_is_configured),
        (SignInMethod::LocalLink, true),
        (SignInMethod::Sso, tx.sso().is_offered()?),
    ];
    let there = ways.iter().filter(|(_, is_there)| *is_there);
    let there: Vec<SignInMethod> = there.map(|(way, _)| *way).collect();
    Ok(SignInWaysView::new(&there))
}

/// Exchanges a link for a session, in the place of the one that the browser held.
///
/// # Errors
/// [`Unauthenticated::InvalidToken`], whatever is wrong with it; [`Unauthenticated::AnotherBrowser`], which leaves it as it is
pub fn finish(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    hash: &SecretHash,
    browser: &Browser,
) -> Result<SignedInView, Error> {
    let invalid = || Error::from(Unauthenticated::InvalidToken);
    let links = tx.sign_in_links();
    let link = links.find(hash, visitor.now)?;
    // An invitation is accepted.
    let link = link.filter(|link| link.invites.is_none());
    let link = link.ok_or_else(invalid)?;
    if !link.is_for(browser.asked.as_ref()) {
        return Err(Unauthenticated::AnotherBrowser.into());
    }
    if !links.redeem(hash, visitor.now)? {
        return Err(invalid());
    }
    let person = link.person_id.ok_or_else(invalid)?;
    // Whoever has another address since has it for a reason.
    let person = tx.users().person(person)?;
    let person = person.filter(|person| person.email == link.email);
    let person = person.ok_or_else(invalid)?;
    let proof = Proof {
        person: &person,
        method: link.method,
        only_as: None,
    };
    Ok(begin(tx, visitor, &proof, browser)?.shown(&person))
}

/// A session of somebody who has just proved who they are.
pub(crate) fn begin(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    proof: &Proof<'_>,
    browser: &Browser,
) -> Result<Begun, Error> {
    begin_proven_at(tx, visitor, proof, browser, visitor.now)
}

/// A session that begins now, of somebody who proved at this moment who they are: for what takes a recent sign-in, that counts.
pub(super) fn begin_proven_at(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    proof: &Proof<'_>,
    browser: &Browser,
    at: Timestamp,
) -> Result<Begun, Error> {
    let Proof {
        person,
        method,
        only_as,
    } = *proof;
    if let Some(held) = &browser.session {
        end_held(tx, visitor, held)?;
    }
    let only_of = only_as.map(|user| user.workspace_id);
    make_room(tx, visitor, person, only_of)?;
    let secret = fresh_key(visitor, KeyKind::Web);
    let key = ApiKey {
        id: visitor.mint(),
        person_id: person.id,
        workspace_id: only_of,
        user_id: only_as.map(|user| user.id),
        made_by: None,
        allowed_addresses: AllowedAddresses::default(),
        made_in: match only_as {
            Some(user) => Some(user.workspace_id),
            None => only_place(tx, person)?,
        },
        issued_by: None,
        package_id: None,
        kind: KeyKind::Web,
        name: browser.device.clone(),
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes: ScopeSet::everything(),
        expires_at: Some(sign_in::end_of(visitor.now, visitor.now)),
        revoked_at: None,
        last_used_at: None,
        last_used_from: None,
        signed_in: Some(SignedIn { method, at }),
        stamp: Stamp::new(visitor.now),
    };
    tx.keys().insert(&key)?;
    tell(tx, visitor, &key, AuditAction::SessionStarted)?;
    Ok(Begun { key, secret })
}

/// Of the person's sessions that live, the oldest make room for one more: one that opens a single platform takes that of no other.
fn make_room(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    person: &Person,
    only_of: Option<WorkspaceId>,
) -> Result<(), Error> {
    let all = PageRequest::first(PageRequest::MAX_LIMIT);
    let live = tx
        .keys()
        .web_sessions(person.id, only_of, visitor.now, &all)?
        .items;
    for mut key in live.into_iter().skip(MAX_SESSIONS - 1) {
        end(tx, visitor, &mut key)?;
    }
    Ok(())
}

/// Ends the session that the caller came with.
///
/// # Errors
/// [`Error::NotFound`] for whoever came with a key
pub fn sign_out(tx: &mut dyn Tx, account: &Account) -> Result<WebSessionView, Error> {
    let key = tx.keys().find(account.identity.key_id)?;
    let mut key = found(key.filter(|key| key.kind == KeyKind::Web), "session")?;
    end(tx, &account.visit, &mut key)?;
    Ok(WebSessionView::new(&key, true))
}

/// Ends a session; a second time changes nothing.
///
/// # Errors
/// Those of storage
pub fn end(tx: &mut dyn Tx, visitor: &Visitor, key: &mut ApiKey) -> Result<(), Error> {
    if key.revoke(visitor.now) {
        tx.keys().update(key)?;
        tell(tx, visitor, key, AuditAction::SessionEnded)?;
    }
    Ok(())
}

/// Whether the person said yes to any workspace, also to one where a directory has suspended them since: they may be let in there again, and
/// whoever is them here would be them there.
pub(super) fn belongs_somewhere(tx: &mut dyn Tx, person: PersonId) -> Result<bool, Error> {
    let one = PageRequest::first(1);
    let accepted = tx
        .users()
        .invitations(person, InvitationStatus::Accepted, &one)?;
    Ok(!accepted.items.is_empty())
}

/// The person who is signed in in the browser already, by a way that is no provider's.
///
/// # Errors
/// Those of storage
pub(super) fn signed_in_otherwise(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    browser: &Browser,
) -> Result<Option<PersonId>, Error> {
    let Some(held) = &browser.session else {
        return Ok(None);
    };
    let key = live_session(tx, visitor, held)?;
    Ok(key
        .filter(|key| key.workspace_id.is_none())
        .map(|key| key.person_id))
}

fn live_session(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    held: &ApiKeySecret,
) -> Result<Option<ApiKey>, Error> {
    let key = tx.keys().with_lookup(&held.lookup())?;
    let key = key.filter(|key| key.kind == KeyKind::Web && key.hash == held.hash());
    Ok(key.filter(|key| key.alive(visitor.now).is_ok()))
}

/// Whoever holds a session and signs in is not to be found with the old one by somebody who saw it.
fn end_held(tx: &mut dyn Tx, visitor: &Visitor, held: &ApiKeySecret) -> Result<(), Error> {
    match live_session(tx, visitor, held)? {
        Some(mut key) => end(tx, visitor, &mut key),
        None => Ok(()),
    }
}

/// The workspace that hears of the session: the only one that the person belongs to. Of what people do elsewhere a workspace
/// hears nothing.
fn only_place(tx: &mut dyn Tx, person: &Person) -> Result<Option<WorkspaceId>, Error> {
    let places = tx.users().memberships(person.id)?;
    Ok(match places.as_slice() {
        [(_, only)] => Some(only.id),
        _ => None,
    })
}

fn tell(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    key: &ApiKey,
    action: AuditAction,
) -> Result<(), Error> {
    let Some(workspace) = key.made_in else {
        return Ok(());
    };
    let Some((user, _)) = tx.users().membership(workspace, key.person_id)? else {
        return Ok(());
    };
    let session = values::session(key, user.id);
    let change = if action == AuditAction::SessionStarted {
        AuditedChange::made(session)
    } else {
        AuditedChange::gone(session)
    };
    let actor = AuditActor::User {
        user_id: user.id,
        api_key_id: key.id,
    };
    let subject = AuditSubject::of(key.id);
    audit::note_at(tx, visitor, (workspace, actor), action, subject, change)
}
