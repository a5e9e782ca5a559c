//! What callers do with their API keys.

use lyceum_domain::audit::{AuditAction, AuditSubject, AuditedChange};
use lyceum_domain::events::EventType;
use lyceum_domain::keys::{ApiKey, ApiKeyId, ApiKeySecret, KeyKind};
use lyceum_domain::scopes::ScopeSet;
use lyceum_domain::{Invalid, Stamp};
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::keys::{ApiKeyChanges, ApiKeyView, NewApiKey};

use crate::audit::{self, values};
use crate::bootstrap::fresh_key;
use crate::context::{Account, Actor};
use crate::error::{Conflict, Error, Forbidden};
use crate::events;
use crate::lookup::found;

/// Makes one; only its answer carries the whole key.
///
/// # Errors
/// [`Forbidden::Escalation`], [`Error::Invalid`]
pub fn create(tx: &mut dyn Tx, account: &Account, new: NewApiKey) -> Result<ApiKeyView, Error> {
    let now = account.visit.now;
    if new.expires_at.is_some_and(|at| at <= now) {
        return Err(Invalid::new("expires_at", "must not be in the past").into());
    }
    hand_out(tx, account, new)
}

/// Shows a page of the caller's keys, without their secrets.
///
/// # Errors
/// Those of storage.
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    page: &PageRequest,
) -> Result<Page<ApiKeyView>, Error> {
    let page = tx.keys().page(account.identity.person_id, page)?;
    Ok(page.map(|key| ApiKeyView::new(&key)))
}

/// Shows one, without its secret.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    Ok(ApiKeyView::new(&find(tx, account, id)?))
}

/// Renames one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn update(
    tx: &mut dyn Tx,
    account: &Account,
    id: ApiKeyId,
    changes: ApiKeyChanges,
) -> Result<ApiKeyView, Error> {
    let mut key = find(tx, account, id)?;
    if let Some(name) = changes.name.filter(|name| *name != key.name) {
        let before = values::key(&key);
        key.name = name;
        key.stamp.touch(account.visit.now);
        tx.keys().update(&key)?;
        let change = AuditedChange::between(before, values::key(&key));
        note(tx, account, AuditAction::KeyUpdated, &key, &change)?;
    }
    Ok(ApiKeyView::new(&key))
}

/// Makes a key that is like another; the other keeps working until it is revoked, so that nothing stands still.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotEditable`] for a dead key, [`Forbidden::Escalation`]
pub fn rotate(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    let key = find(tx, account, id)?;
    key.alive(account.visit.now)
        .map_err(|dead| Conflict::NotEditable(dead.to_string()))?;
    let new = NewApiKey {
        name: key.name,
        scopes: key.scopes,
        expires_at: key.expires_at,
    };
    hand_out(tx, account, new)
}

/// Ends one at once; a second time changes nothing.
///
/// # Errors
/// [`Error::NotFound`]
pub fn revoke(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    let mut key = find(tx, account, id)?;
    let before = values::key(&key);
    if key.revoke(account.visit.now) {
        tx.keys().update(&key)?;
        let change = AuditedChange::between(before, values::key(&key));
        note(tx, account, AuditAction::KeyRevoked, &key, &change)?;
        tell(tx, account, EventType::ApiKeyRevoked, &key)?;
    }
    Ok(ApiKeyView::new(&key))
}

/// Removes one, which ends it and the sessions that it handed out.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKeyId, Error> {
    let mut key = find(tx, account, id)?;
    tx.keys().delete(id)?;
    let change = AuditedChange::gone(values::key(&key));
    note(tx, account, AuditAction::KeyDeleted, &key, &change)?;
    if key.revoke(account.visit.now) {
        tell(tx, account, EventType::ApiKeyRevoked, &key)?;
    }
    Ok(id)
}

/// Nobody gets out of a key what was not in it: neither by making another nor by rotating a stronger one.
fn hand_out(tx: &mut dyn Tx, account: &Account, new: NewApiKey) -> Result<ApiKeyView, Error> {
    refuse_escalation(account, &new.scopes)?;
    let secret = fresh_key(&account.visit, KeyKind::Standard);
    let key = of(account, new, &secret);
    tx.keys().insert(&key)?;
    let change = AuditedChange::made(values::key(&key));
    note(tx, account, AuditAction::KeyCreated, &key, &change)?;
    tell(tx, account, EventType::ApiKeyCreated, &key)?;
    Ok(ApiKeyView::new(&key).revealing(&secret))
}

fn refuse_escalation(account: &Account, wanted: &ScopeSet) -> Result<(), Error> {
    if account.identity.scopes.may_grant(wanted) {
        Ok(())
    } else {
        Err(Forbidden::Escalation.into())
    }
}

fn of(account: &Account, new: NewApiKey, secret: &ApiKeySecret) -> ApiKey {
    ApiKey {
        id: account.visit.mint(),
        person_id: account.identity.person_id,
        workspace_id: None,
        issued_by: None,
        package_id: None,
        kind: KeyKind::Standard,
        name: new.name,
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes: new.scopes,
        expires_at: new.expires_at,
        revoked_at: None,
        last_used_at: None,
        stamp: Stamp::new(account.visit.now),
    }
}

/// One of the caller's own; session keys are nobody's to manage, they end by themselves.
fn find(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKey, Error> {
    let owner = account.identity.person_id;
    let key = tx.keys().find(id)?;
    let own = key.filter(|key| key.person_id == owner && key.kind == KeyKind::Standard);
    found(own, "api_key")
}

fn note(
    tx: &mut dyn Tx,
    account: &Account,
    action: AuditAction,
    key: &ApiKey,
    change: &AuditedChange,
) -> Result<(), Error> {
    audit::note_everywhere(tx, account, action, &AuditSubject::of(key.id), change)
}

/// Keys belong to people and events to workspaces: it is told where the caller says they are, or nowhere.
fn tell(tx: &mut dyn Tx, account: &Account, kind: EventType, key: &ApiKey) -> Result<(), Error> {
    let Some((workspace, member)) = account.membership.clone() else {
        return Ok(());
    };
    let ctx = account.visit.within(workspace, Actor::Member(member));
    events::record(tx, &ctx, kind, &ApiKeyView::new(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::users::User;
    use lyceum_domain::workspaces::Workspace;
    use std::sync::Arc;

    use lyceum_domain::scopes::Scope;
    use lyceum_domain::text::Name;
    use lyceum_domain::users::Role;
    use lyceum_ports::environment::MockEntropy;
    use lyceum_ports::mocks::MockTx;

    use crate::visibility::tests::{context, id, now};

    /// An owner whose key has these scopes, with a platform chosen.
    fn account(scopes: impl IntoIterator<Item = Scope>) -> Account {
        let ctx = context(Role::Owner, KeyKind::Standard);
        let mut member = ctx.member().unwrap().clone();
        Arc::make_mut(&mut member.identity).scopes = scopes.into_iter().collect();
        let mut visit = ctx.visitor();
        let mut entropy = MockEntropy::new();
        entropy.expect_fill().returning(|bytes| bytes.fill(7));
        visit.entropy = Arc::new(entropy);
        Account {
            identity: member.identity.clone(),
            membership: Some((ctx.workspace, member)),
            visit,
        }
    }

    fn new(scopes: ScopeSet) -> NewApiKey {
        NewApiKey {
            name: Name::parse("Grade sync").unwrap(),
            scopes,
            expires_at: None,
        }
    }

    /// A key of the caller that may do everything.
    fn strong_key(account: &Account) -> ApiKey {
        let secret = fresh_key(&account.visit, KeyKind::Standard);
        of(account, new(ScopeSet::everything()), &secret)
    }

    /// A transaction in which `key` is found; any other write panics.
    fn keeping(key: ApiKey) -> MockTx {
        let mut tx = MockTx::default();
        tx.keys
            .expect_find()
            .returning(move |_| Ok(Some(key.clone())));
        tx
    }

    /// A transaction in which the caller belongs to the one platform that they chose.
    fn belonging(account: &Account) -> MockTx {
        let mut tx = MockTx::default();
        let mut places = Vec::new();
        if let Some((workspace, member)) = &account.membership {
            places.push((User::clone(&member.user), Workspace::clone(workspace)));
        }
        tx.users
            .expect_memberships()
            .returning(move |_| Ok(places.clone()));
        tx
    }

    fn refused<T>(result: Result<T, Error>) -> Error {
        result.err().unwrap()
    }

    #[test]
    fn a_key_hands_out_no_more_than_it_has() {
        let account = account([Scope::WriteKeys, Scope::ReadCourses]);
        let mut tx = MockTx::default();
        let error = refused(create(&mut tx, &account, new(ScopeSet::standard())));
        assert!(matches!(error, Error::Forbidden(Forbidden::Escalation)));
    }

    #[test]
    fn rotating_a_stronger_key_is_no_way_around_that() {
        let account = account([Scope::WriteKeys]);
        let mut tx = keeping(strong_key(&account));
        let error = refused(rotate(&mut tx, &account, id(9)));
        assert!(matches!(error, Error::Forbidden(Forbidden::Escalation)));
    }

    #[test]
    fn a_new_key_is_shown_once_and_told_without_its_secret() {
        let account = account([Scope::ReadAll, Scope::WriteAll]);
        let mut tx = belonging(&account);
        tx.keys
            .expect_insert()
            .withf(|key| key.kind == KeyKind::Standard && key.workspace_id.is_none())
            .times(1)
            .returning(|_| Ok(()));
        tx.events
            .expect_append()
            .withf(|event| {
                let silent = !event.body.contains("\"api_key\":\"lyc_");
                event.kind == EventType::ApiKeyCreated && silent
            })
            .times(1)
            .returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(vec![]));
        let view = create(&mut tx, &account, new(ScopeSet::standard()))
            .ok()
            .unwrap();
        let secret = ApiKeySecret::parse(&view.api_key.unwrap()).unwrap();
        assert_eq!(secret.lookup().as_str(), view.prefix);
        assert_eq!(tx.audit.entries.len(), 1);
    }

    #[test]
    fn without_a_platform_there_is_nowhere_to_tell_it() {
        let mut account = account([Scope::ReadAll, Scope::WriteAll]);
        account.membership = None;
        let mut tx = belonging(&account);
        tx.keys.expect_insert().times(1).returning(|_| Ok(()));
        assert!(create(&mut tx, &account, new(ScopeSet::standard())).is_ok());
    }

    #[test]
    fn a_key_that_is_born_dead_is_not_made() {
        let account = account([Scope::ReadAll, Scope::WriteAll]);
        let mut new = new(ScopeSet::standard());
        new.expires_at = Some(now());
        let error = refused(create(&mut MockTx::default(), &account, new));
        assert!(matches!(error, Error::Invalid(_)));
    }

    #[test]
    fn keys_of_others_and_session_keys_are_not_there() {
        let account = account([Scope::ReadAll, Scope::WriteAll]);
        let mut others = strong_key(&account);
        others.person_id = id(77);
        let mut session = strong_key(&account);
        session.kind = KeyKind::Session;
        for key in [others, session] {
            let mut tx = keeping(key);
            let error = refused(revoke(&mut tx, &account, id(9)));
            assert!(matches!(error, Error::NotFound("api_key")));
        }
    }

    #[test]
    fn a_revoked_key_is_neither_rotated_nor_revoked_again() {
        let account = account([Scope::ReadAll, Scope::WriteAll, Scope::AiAll]);
        let mut key = strong_key(&account);
        key.revoke(now());
        let mut tx = keeping(key);
        let error = refused(rotate(&mut tx, &account, id(9)));
        assert!(matches!(error, Error::Conflict(Conflict::NotEditable(_))));
        assert!(revoke(&mut tx, &account, id(9)).is_ok());
    }
}
