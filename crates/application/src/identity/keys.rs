//! What callers do with their API keys.

mod member_keys;

use std::sync::Arc;

use lyceum_domain::Stamp;
use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, KeyKind};
use lyceum_domain::identity::scopes::ScopeSet;
use lyceum_domain::identity::users::Role;
use lyceum_domain::ids::{ApiKeyId, UserId};
use lyceum_wire::identity::keys::{ApiKeyChanges, ApiKeyView, KeyRotation, NewApiKey};

use crate::context::{Account, Actor, Member};
use crate::identity::bootstrap::fresh_key;
use crate::identity::workspaces::rank;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};

use member_keys::Holder;

/// Which keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyFilter {
    /// Made for this member; else the caller's own.
    pub user_id: Option<UserId>,
}

/// Makes one, for the caller or for a member of the platform that they chose; only its answer carries the whole key.
///
/// # Errors
/// [`Forbidden::Escalation`], [`Forbidden::Bound`] for a key of the caller's own made with one of a single platform,
/// [`Error::Invalid`]; for a member those of [`member_keys::holder`]
pub fn create(tx: &mut dyn Tx, account: &Account, new: NewApiKey) -> Result<ApiKeyView, Error> {
    let now = account.visit.now;
    refuse_past(new.expires_at, now)?;
    let holder = match new.user_id {
        Some(member) => Some(member_keys::holder(tx, account, member)?),
        None => None,
    };
    hand_out(tx, account, new, holder)
}

/// Shows a page of the caller's keys, or of those that were made for a member, without their secrets. A key of one
/// platform sees what was made for its holder there.
///
/// # Errors
/// Those of [`member_keys::list`] where a member is named.
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    filter: KeyFilter,
    page: &PageRequest,
) -> Result<Page<ApiKeyView>, Error> {
    let identity = &account.identity;
    let page = match filter.user_id {
        Some(member) => member_keys::list(tx, account, member, page)?,
        None => tx
            .keys()
            .page(identity.person_id, identity.bound_to, page)?,
    };
    Ok(page.map(|key| ApiKeyView::new(&key)))
}

/// Shows one, without its secret.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    Ok(ApiKeyView::new(&find(tx, account, id)?))
}

/// Renames one, or has it end at another moment. What is dead does not come back to life.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`], [`Conflict::NotEditable`] for another end of a dead one, [`Forbidden::Role`] for
/// one of somebody above the caller, and for who puts off the end or changes the networks of one that was made for them
pub fn update(
    tx: &mut dyn Tx,
    account: &Account,
    id: ApiKeyId,
    changes: ApiKeyChanges,
) -> Result<ApiKeyView, Error> {
    let mut key = find_to_change(tx, account, id)?;
    let (before, now) = (key.clone(), account.visit.now);
    if let Some(end) = changes.expires_at {
        key.alive(now)
            .map_err(|dead| Conflict::NotEditable(dead.to_string()))?;
        refuse_past(end, now)?;
        if key.would_outlive_itself(end) {
            member_keys::require_runner(tx, account, &key)?;
        }
        key.expires_at = end;
    }
    if let Some(networks) = changes.allowed_addresses
        && networks != key.allowed_addresses
    {
        member_keys::require_runner(tx, account, &key)?;
        key.allowed_addresses = networks;
    }
    key.name = changes.name.unwrap_or(key.name);
    if key != before {
        key.stamp.touch(now);
        keep_changed(tx, account, &before, &key)?;
    }
    Ok(ApiKeyView::new(&key))
}

fn refuse_past(end: Option<Timestamp>, now: Timestamp) -> Result<(), Error> {
    if end.is_some_and(|at| at <= now) {
        return Err(Invalid::new("expires_at", "must not be in the past").into());
    }
    Ok(())
}

fn keep_changed(
    tx: &mut dyn Tx,
    account: &Account,
    before: &ApiKey,
    key: &ApiKey,
) -> Result<(), Error> {
    tx.keys().update(key)?;
    let change = AuditedChange::between(values::key(before), values::key(key));
    tell(tx, account, key, (AuditAction::KeyUpdated, change, None))
}

/// Makes a key that is like another, so that nothing stands still; the other keeps working until it is revoked, or for as
/// long as is said.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::NotEditable`] for a dead key, [`Forbidden::Escalation`], [`Forbidden::Role`] for one of
/// somebody above the caller
pub fn rotate(
    tx: &mut dyn Tx,
    account: &Account,
    id: ApiKeyId,
    rotation: KeyRotation,
) -> Result<ApiKeyView, Error> {
    let key = find_to_change(tx, account, id)?;
    let now = account.visit.now;
    key.alive(now)
        .map_err(|dead| Conflict::NotEditable(dead.to_string()))?;
    let holder = member_keys::holder_of(tx, account, &key)?;
    let rank = rank_of(tx, account, holder.as_ref())?;
    let new = NewApiKey {
        name: key.name.clone(),
        // Who may no longer use all of it gets what they may: it opens the same.
        scopes: Some(key.scopes.clone().capped(rank)),
        expires_at: key.expires_at,
        allowed_addresses: key.allowed_addresses.clone(),
        user_id: key.user_id,
    };
    let made = hand_out(tx, account, new, holder)?;
    let mut old = key.clone();
    if let Some(overlap) = rotation.overlap
        && old.end_by(now.plus(overlap), now)
    {
        keep_changed(tx, account, &key, &old)?;
    }
    Ok(made)
}

/// Ends one at once; a second time changes nothing.
///
/// # Errors
/// [`Error::NotFound`]
pub fn revoke(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    let mut key = find_to_change(tx, account, id)?;
    let before = values::key(&key);
    if key.revoke(account.visit.now) {
        tx.keys().update(&key)?;
        let change = AuditedChange::between(before, values::key(&key));
        let told = Some(EventType::ApiKeyRevoked);
        tell(tx, account, &key, (AuditAction::KeyRevoked, change, told))?;
    }
    Ok(ApiKeyView::new(&key))
}

/// Removes one, which ends it and the sessions that it handed out.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKeyId, Error> {
    let mut key = find_to_change(tx, account, id)?;
    tx.keys().delete(id)?;
    let change = AuditedChange::gone(values::key(&key));
    let told = key.revoke(account.visit.now);
    let told = told.then_some(EventType::ApiKeyRevoked);
    tell(tx, account, &key, (AuditAction::KeyDeleted, change, told))?;
    Ok(id)
}

/// Nobody gets out of a key what was not in it, neither by making another nor by rotating a stronger one; and nobody a
/// key that says more than they are.
fn hand_out(
    tx: &mut dyn Tx,
    account: &Account,
    new: NewApiKey,
    holder: Option<Holder>,
) -> Result<ApiKeyView, Error> {
    if holder.is_none() {
        account.refuse_bound()?;
    }
    let rank = rank_of(tx, account, holder.as_ref())?;
    if let Some(asked) = new.scopes.as_ref().filter(|asked| asked.provisions()) {
        refuse_to_provision(asked, holder.as_ref())?;
    }
    let scopes = new.scopes.clone();
    let scopes = scopes.unwrap_or_else(|| ScopeSet::standard().capped(rank));
    if !account.identity.scopes.may_grant(&scopes) || !scopes.is_within(rank) {
        return Err(Forbidden::Escalation.into());
    }
    let secret = fresh_key(&account.visit, KeyKind::Standard);
    let mut key = of(account, new, scopes, &secret);
    let told = if let Some(Holder { user, made_by }) = holder {
        key.person_id = user.person_id;
        key.workspace_id = Some(user.workspace_id);
        key.made_in = Some(user.workspace_id);
        key.user_id = Some(user.id);
        key.made_by = Some(made_by);
        Some(user)
    } else {
        key.made_in = made_in(tx, account)?;
        None
    };
    tx.keys().insert(&key)?;
    if let Some(user) = told {
        member_keys::tell_holder(tx, account, &user, &key)?;
    }
    let change = AuditedChange::made(values::key(&key));
    let told = Some(EventType::ApiKeyCreated);
    tell(tx, account, &key, (AuditAction::KeyCreated, change, told))?;
    Ok(ApiKeyView::new(&key).revealing(&secret))
}

/// Only a program provisions, and its key does nothing else: so nobody's own key is lent to a directory.
fn refuse_to_provision(asked: &ScopeSet, holder: Option<&Holder>) -> Result<(), Error> {
    if asked.iter().count() > 1 {
        return Err(Invalid::new("scopes", "has scim alone, or not at all").into());
    }
    if holder.is_none_or(|holder| !holder.user.is_service()) {
        let problem = "must name a service account: the scope scim is for programs";
        return Err(Invalid::new("user_id", problem).into());
    }
    Ok(())
}

/// The most that whoever is to have the key is.
fn rank_of(tx: &mut dyn Tx, account: &Account, holder: Option<&Holder>) -> Result<Role, Error> {
    match holder {
        Some(holder) => Ok(holder.user.role),
        None => rank(tx, account),
    }
}

/// Through which workspace a key is made: the one that was chosen, else that of the key it is made with, else the only
/// one there is.
fn made_in(tx: &mut dyn Tx, account: &Account) -> Result<Option<WorkspaceId>, Error> {
    if let Some((workspace, _)) = &account.membership {
        return Ok(Some(workspace.id));
    }
    let places = tx.users().memberships(account.identity.person_id)?;
    let ids: Vec<WorkspaceId> = places.iter().map(|(_, place)| place.id).collect();
    let inherited = account.identity.made_in.filter(|id| ids.contains(id));
    Ok(inherited.or(match ids.as_slice() {
        [only] => Some(*only),
        _ => None,
    }))
}

fn of(account: &Account, new: NewApiKey, scopes: ScopeSet, secret: &ApiKeySecret) -> ApiKey {
    ApiKey {
        id: account.visit.mint(),
        person_id: account.identity.person_id,
        workspace_id: None,
        user_id: None,
        made_by: None,
        made_in: None,
        issued_by: None,
        package_id: None,
        kind: KeyKind::Standard,
        name: new.name,
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes,
        allowed_addresses: new.allowed_addresses,
        expires_at: new.expires_at,
        revoked_at: None,
        last_used_at: None,
        signed_in: None,
        last_used_from: None,
        stamp: Stamp::new(account.visit.now),
    }
}

/// One of the caller's own, or made for a member of the platform that they run; session keys are nobody's to manage, they
/// end by themselves. With a key of one platform those of that platform alone are there.
fn find(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKey, Error> {
    let identity = &account.identity;
    let key = tx.keys().find(id)?.filter(ApiKey::is_managed);
    let key = found(key, "api_key")?;
    let is_within = |bound| key.workspace_id == Some(bound);
    let is_own = key.person_id == identity.person_id && identity.bound_to.is_none_or(is_within);
    if is_own || member_keys::is_run_by(tx, account, &key)? {
        Ok(key)
    } else {
        Err(Error::NotFound("api_key"))
    }
}

/// The same, if it is nobody's above the caller.
fn find_to_change(tx: &mut dyn Tx, account: &Account, id: ApiKeyId) -> Result<ApiKey, Error> {
    let key = find(tx, account, id)?;
    member_keys::require_rank(tx, account, &key)?;
    Ok(key)
}

/// What is told of a change of a key: what it was, what differs, and the event, if there is one.
type Tale = (AuditAction, AuditedChange, Option<EventType>);

/// Keys belong to people, and of what people do elsewhere a workspace hears nothing: it is told where the key was made,
/// as long as they belong there, or nowhere. Who did it is whoever called, also where the key is somebody else's.
fn tell(
    tx: &mut dyn Tx,
    account: &Account,
    key: &ApiKey,
    (action, change, event): Tale,
) -> Result<(), Error> {
    let Some(made_in) = key.made_in else {
        return Ok(());
    };
    let caller = account.identity.person_id;
    let place = tx.users().membership(made_in, caller)?;
    let place = place.filter(|(user, _)| user.accepted_at().is_some());
    let Some((user, workspace)) = place else {
        return Ok(());
    };
    let member = Member {
        identity: Arc::clone(&account.identity),
        user: Arc::new(user),
    };
    let ctx = account.visit.within(workspace, Actor::Member(member));
    audit::note(tx, &ctx, action, AuditSubject::of(key.id), change)?;
    match event {
        Some(kind) => events::record(tx, &ctx, kind, &ApiKeyView::new(key).told()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::addresses::AllowedAddresses;
    use lyceum_domain::identity::scopes::Scope;
    use lyceum_domain::identity::users::User;
    use lyceum_domain::identity::workspaces::Workspace;
    use lyceum_domain::text::Name;
    use lyceum_ports::environment::MockEntropy;
    use lyceum_ports::mocks::MockTx;

    use crate::identity::visibility::tests::{context, id, now};

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
            scopes: Some(scopes),
            expires_at: None,
            allowed_addresses: AllowedAddresses::default(),
            user_id: None,
        }
    }

    /// A key of the caller that may do everything.
    fn strong_key(account: &Account) -> ApiKey {
        let secret = fresh_key(&account.visit, KeyKind::Standard);
        let scopes = ScopeSet::everything();
        let mut key = of(account, new(scopes.clone()), scopes, &secret);
        key.made_in = Some(id(1));
        key
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
        let place = places.first().cloned();
        tx.users
            .expect_memberships()
            .returning(move |_| Ok(places.clone()));
        tx.users.expect_membership().returning(move |id, _| {
            let here = place.clone();
            Ok(here.filter(|(_, workspace)| workspace.id == id))
        });
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
        let error = refused(rotate(&mut tx, &account, id(9), KeyRotation::default()));
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
    fn of_somebody_who_belongs_nowhere_there_is_nobody_to_tell() {
        let mut account = account([Scope::ReadLessons, Scope::WriteSubmissions]);
        account.membership = None;
        let mut tx = belonging(&account);
        tx.keys
            .expect_insert()
            .withf(|key| key.made_in.is_none())
            .times(1)
            .returning(|_| Ok(()));
        let scopes = [Scope::ReadLessons].into_iter().collect();
        assert!(create(&mut tx, &account, new(scopes)).is_ok());
        assert!(tx.audit.entries.is_empty());
    }

    #[test]
    fn without_a_platform_it_is_told_where_the_key_was_made_that_made_it() {
        let mut account = account([Scope::ReadAll, Scope::WriteAll]);
        let mut tx = belonging(&account);
        account.membership = None;
        Arc::make_mut(&mut account.identity).made_in = Some(id(1));
        tx.keys
            .expect_insert()
            .withf(|key| key.made_in == Some(id(1)))
            .times(1)
            .returning(|_| Ok(()));
        tx.events.expect_append().times(1).returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(vec![]));
        assert!(create(&mut tx, &account, new(ScopeSet::standard())).is_ok());
        assert_eq!(tx.audit.entries.len(), 1);
    }

    #[test]
    fn a_student_makes_no_key_that_says_more_than_a_student_is() {
        let ctx = context(Role::Student, KeyKind::Standard);
        let mut student = account([Scope::ReadAll, Scope::WriteAll, Scope::AiAll]);
        let mut tx = MockTx::default();
        let place = (
            User::clone(&ctx.member().unwrap().user),
            Workspace::clone(&ctx.workspace),
        );
        student.membership = None;
        tx.users
            .expect_memberships()
            .returning(move |_| Ok(vec![place.clone()]));
        for wide in [Scope::ReadAll, Scope::WriteWorkspaces, Scope::ReadKeys] {
            let scopes: ScopeSet = [wide].into_iter().collect();
            let error = refused(create(&mut tx, &student, new(scopes)));
            assert!(matches!(error, Error::Forbidden(Forbidden::Escalation)));
        }
        tx.users.expect_membership().returning(|_, _| Ok(None));
        tx.keys
            .expect_insert()
            .withf(|key| key.scopes.is_within(Role::Student))
            .times(1)
            .returning(|_| Ok(()));
        let nothing_said = NewApiKey {
            scopes: None,
            ..new(ScopeSet::standard())
        };
        assert!(create(&mut tx, &student, nothing_said).is_ok());
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
        let error = refused(rotate(&mut tx, &account, id(9), KeyRotation::default()));
        assert!(matches!(error, Error::Conflict(Conflict::NotEditable(_))));
        assert!(revoke(&mut tx, &account, id(9)).is_ok());
    }
}
