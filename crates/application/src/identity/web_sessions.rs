//! What people do with their sessions in browsers: see where they are signed in, and end that. A session that opens one platform
//! alone sees and ends those alone that open no more than that.

use lyceum_domain::identity::keys::{ApiKey, KeyKind};
use lyceum_domain::ids::{ApiKeyId, WebSessionId};
use lyceum_wire::identity::web_sessions::{EndedSessionsView, WebSessionView};

use crate::context::Account;
use crate::identity::sign_in;
use crate::prelude::*;

/// Shows a page of the caller's sessions that live.
///
/// # Errors
/// [`Forbidden::Bound`]
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    page: &PageRequest,
) -> Result<Page<WebSessionView>, Error> {
    let only_of = reach(account)?;
    let person = account.identity.person_id;
    let page = tx
        .keys()
        .web_sessions(person, only_of, account.visit.now, page)?;
    Ok(page.map(|key| shown(account, &key)))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Bound`]
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
/// [`Error::NotFound`], [`Forbidden::Bound`]
pub fn end(tx: &mut dyn Tx, account: &Account, id: WebSessionId) -> Result<WebSessionId, Error> {
    let mut key = find(tx, account, id)?;
    sign_in::end(tx, &account.visit, &mut key)?;
    Ok(id)
}

/// Ends all of them but the one that this is asked with.
///
/// # Errors
/// [`Forbidden::Bound`]
pub fn end_others(tx: &mut dyn Tx, account: &Account) -> Result<EndedSessionsView, Error> {
    let only_of = reach(account)?;
    let (person, now) = (account.identity.person_id, account.visit.now);
    let all = PageRequest::first(PageRequest::MAX_LIMIT);
    let live = tx.keys().web_sessions(person, only_of, now, &all)?.items;
    let mut ended = 0;
    // Each by itself, as it is told.
    for mut key in live {
        if key.id != account.identity.key_id {
            sign_in::end(tx, &account.visit, &mut key)?;
            ended += 1;
        }
    }
    Ok(EndedSessionsView::new(ended))
}

/// To which platform the sessions belong that the caller has a say in; `None` is any. A key that was made for a member has a say in none.
fn reach(account: &Account) -> Result<Option<WorkspaceId>, Error> {
    if account.identity.key_kind != KeyKind::Web {
        account.refuse_bound()?;
    }
    Ok(account.identity.bound_to)
}

/// One of the caller's own that lives.
fn find(tx: &mut dyn Tx, account: &Account, id: WebSessionId) -> Result<ApiKey, Error> {
    let only_of = reach(account)?;
    let key = tx.keys().find(ApiKey::of_session(id))?;
    let own = key.filter(|key| {
        key.person_id == account.identity.person_id
            && key.kind == KeyKind::Web
            && only_of.is_none_or(|only| key.workspace_id == Some(only))
            && key.alive(account.visit.now).is_ok()
    });
    found(own, "session")
}

fn shown(account: &Account, key: &ApiKey) -> WebSessionView {
    let current: ApiKeyId = account.identity.key_id;
    WebSessionView::new(key, key.id == current)
}
