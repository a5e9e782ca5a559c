//! What people do with their sessions in browsers: see where they are signed in, and end that. A session that opens one platform
//! alone sees and ends those alone that open no more than that.
//!
//! Those who run a workspace see a member's sessions as far as it was told of them when they began (of people who belong elsewhere as well
//! it hears nothing), and end them all: then none that began before opens the workspace, whatever else it opens.

use lyceum_domain::identity::keys::{ApiKey, KeyKind};
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::ids::{ApiKeyId, UserId, WebSessionId};
use lyceum_wire::identity::web_sessions::{EndedSessionsView, WebSessionView};

use crate::context::{Account, Actor};
use crate::identity::access::require_role;
use crate::identity::{sign_in, users};
use crate::prelude::*;
use crate::running::audit::{self, values};

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
    let mut ended = 0;
    loop {
        let live = tx.keys().web_sessions(person, only_of, now, &all)?.items;
        let others = live
            .into_iter()
            .filter(|key| key.id != account.identity.key_id);
        let others: Vec<ApiKey> = others.collect();
        if others.is_empty() {
            break;
        }
        // Each by itself, as it is told.
        for mut key in others {
            sign_in::end(tx, &account.visit, &mut key)?;
            ended += 1;
        }
    }
    Ok(EndedSessionsView::new(ended))
}

/// Shows a page of a member's sessions that live and of which the workspace was told when they began; of somebody who belongs elsewhere by
/// now those alone that open nothing else.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Role`] below admin and of somebody above the caller
pub fn of_member(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    page: &PageRequest,
) -> Result<Page<WebSessionView>, Error> {
    let user = run_by(tx, ctx, id)?;
    let page = told(tx, ctx, &user, page)?;
    let asked_with = ctx.member()?.identity.key_id;
    Ok(page.map(|key| WebSessionView::new(&key, key.id == asked_with)))
}

/// Ends one of a member's sessions, or all: then none that began until now opens the workspace any more, nor does any that it handed out.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`] for a session of which the workspace does not know, [`Forbidden::Role`] below admin and of
/// somebody above the caller
pub fn end_of_member(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    only: Option<WebSessionId>,
) -> Result<EndedSessionsView, Error> {
    let mut user = run_by(tx, ctx, id)?;
    let all = PageRequest::first(PageRequest::MAX_LIMIT);
    let (workspace, person) = (ctx.workspace_id(), user.person_id);
    let mut ending = told(tx, ctx, &user, &all)?.items;
    if let Some(only) = only {
        ending.retain(|key| key.session_id() == only);
        referenced(ending.first(), "session_id", "session")?;
    }
    for key in &mut ending {
        end_as_told(tx, ctx, &user, key)?;
    }
    if only.is_none() {
        tx.keys().end_sessions(workspace, person, ctx.now)?;
        let before = values::sessions_end(&user);
        user.end_sessions(ctx.now);
        tx.users().update(&user)?;
        let change = AuditedChange::between(before, values::sessions_end(&user));
        let subject = AuditSubject::of(user.id);
        audit::note(tx, ctx, AuditAction::MemberSessionsEnded, subject, change)?;
    }
    Ok(EndedSessionsView::new(
        u64::try_from(ending.len()).unwrap_or(u64::MAX),
    ))
}

/// What somebody does elsewhere is not the workspace's to see or to end, also where it began as theirs alone.
fn told(
    tx: &mut dyn Tx,
    ctx: &Context,
    user: &User,
    page: &PageRequest,
) -> Result<Page<ApiKey>, Error> {
    let workspace = ctx.workspace_id();
    let places = tx.users().memberships(user.person_id)?;
    let is_elsewhere = places.iter().any(|(_, place)| place.id != workspace);
    let mut told = tx
        .keys()
        .web_sessions_told_to(workspace, user.person_id, ctx.now, page)?;
    if is_elsewhere {
        told.items.retain(|key| key.workspace_id == Some(workspace));
    }
    Ok(told)
}

/// Whoever began it is not who ended it.
fn end_as_told(tx: &mut dyn Tx, ctx: &Context, user: &User, key: &mut ApiKey) -> Result<(), Error> {
    if !key.revoke(ctx.now) {
        return Ok(());
    }
    tx.keys().update(key)?;
    let change = AuditedChange::gone(values::session(key, user.id));
    let subject = AuditSubject::of(key.id);
    audit::note(tx, ctx, AuditAction::SessionEnded, subject, change)
}

/// A member whose sessions the caller has a say in.
fn run_by(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<User, Error> {
    if let Actor::Member(caller) = &ctx.actor {
        require_role(caller.user.role, Role::Admin)?;
    }
    let user = users::find(tx, ctx, id)?;
    users::require_rank(ctx, user.role)?;
    Ok(user)
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
