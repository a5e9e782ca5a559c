//! What people do with their sessions in browsers: see where they are signed in, and end that.

use lyceum_domain::identity::keys::{ApiKey, KeyKind};
use lyceum_domain::ids::{ApiKeyId, WebSessionId};
use lyceum_wire::identity::web_sessions::{EndedSessionsView, WebSessionView};

use crate::context::Account;
use crate::identity::sign_in;
use crate::prelude::*;

/// Shows a page of the caller's sessions that live.
///
/// # Errors
/// [`Forbidden::NotOwn`]
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    page: &PageRequest,
) -> Result<Page<WebSessionView>, Error> {
    require_the_person(account)?;
    let person = account.identity.person_id;
    let page = tx.keys().web_sessions(person, account.visit.now, page)?;
    Ok(page.map(|key| shown(account, &key)))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::NotOwn`]
pub fn retrieve(
    tx: &mut dyn Tx,
    account: &Account,
    id: WebSessionId,
) -> Result<WebSessionView, Error> {
    let key = find(tx, account, id)?;
    Ok(shown(account, &key))
}

/// Ends one: whoever holds it is nobody from the next request on.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::NotOwn`]
pub fn end(tx: &mut dyn Tx, account: &Account, id: WebSessionId) -> Result<WebSessionId, Error> {
    let mut key = find(tx, account, id)?;
    sign_in::end(tx, &account.visit, &mut key)?;
    Ok(id)
}

/// Ends all of them but the one that this is asked with.
///
/// # Errors
/// [`Forbidden::NotOwn`]
pub fn end_others(tx: &mut dyn Tx, account: &Account) -> Result<EndedSessionsView, Error> {
    require_the_person(account)?;
    let (person, now) = (account.identity.person_id, account.visit.now);
    let spared = account.identity.key_id;
    let ended = tx.keys().end_web_sessions(person, Some(spared), 0, now)?;
    Ok(EndedSessionsView::new(ended))
}

/// Whoever holds a key that opens one workspace alone was let in by that workspace, and is not asked about the person.
fn require_the_person(account: &Account) -> Result<(), Error> {
    match account.identity.bound_to {
        Some(_) => Err(Forbidden::NotOwn.into()),
        None => Ok(()),
    }
}

/// One of the caller's own that lives.
fn find(tx: &mut dyn Tx, account: &Account, id: WebSessionId) -> Result<ApiKey, Error> {
    require_the_person(account)?;
    let key = tx.keys().find(ApiKey::of_session(id))?;
    let own = key.filter(|key| {
        key.person_id == account.identity.person_id
            && key.kind == KeyKind::Web
            && key.alive(account.visit.now).is_ok()
    });
    found(own, "session")
}

fn shown(account: &Account, key: &ApiKey) -> WebSessionView {
    let current: ApiKeyId = account.identity.key_id;
    WebSessionView::new(key, key.id == current)
}
