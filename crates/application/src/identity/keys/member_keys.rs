//! Keys that are made for a member by somebody else: such a key acts as that member on one platform and nowhere else, is
//! named as theirs in every history, and is seen, renamed, rotated and ended by them and by those who run the platform.

use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::identity::keys::ApiKey;
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::ids::UserId;
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::text::LanguageTag;

use crate::context::Account;
use crate::error::PlatformProblem;
use crate::identity::access::require_role;
use crate::identity::workspaces::memberships;
use crate::notifying::mails::{self, NewMail};
use crate::prelude::*;

/// After this a mail about a new key is news no more.
const TOLD_WITHIN: Duration = Duration::from_hours(24);

/// As whom a key is to act, on the one platform that it opens, and who makes it.
pub(super) struct Holder {
    /// The member, as they are there.
    pub user: User,
    /// Whoever makes it, there.
    pub made_by: UserId,
}

/// For whom the caller makes a key.
///
/// # Errors
/// [`PlatformProblem`], [`Forbidden::Role`] below admin and for somebody above the caller, [`Error::Reference`],
/// [`Conflict::NotAccepted`]
pub(super) fn holder(tx: &mut dyn Tx, account: &Account, member: UserId) -> Result<Holder, Error> {
    let (workspace, maker) = place(tx, account)?.ok_or(PlatformProblem::Missing)?;
    require_role(maker.role, Role::Admin)?;
    let user = tx.users().find(workspace, member)?;
    let user = referenced(user, "user_id", "user")?;
    require_role(maker.role, user.role)?;
    held(tx, user, maker.id)
}

/// For whom the caller makes another key like this one, which they may see.
///
/// # Errors
/// [`Error::NotFound`] where the member is gone, [`Conflict::NotAccepted`]
pub(super) fn holder_of(
    tx: &mut dyn Tx,
    account: &Account,
    key: &ApiKey,
) -> Result<Option<Holder>, Error> {
    let (Some(workspace), Some(member)) = (key.workspace_id, key.user_id) else {
        return Ok(None);
    };
    let user = found(tx.users().find(workspace, member)?, "user")?;
    let made_by = if user.person_id == account.identity.person_id {
        user.id
    } else {
        let (_, maker) = place(tx, account)?.ok_or(PlatformProblem::Missing)?;
        maker.id
    };
    held(tx, user, made_by).map(Some)
}

/// A key acts in a person's name: so there is none before they said that they belong there. Whoever ends the membership
/// at the same time begins anew, and ends the key as well.
fn held(tx: &mut dyn Tx, mut user: User, made_by: UserId) -> Result<Holder, Error> {
    if user.accepted_at().is_none() {
        return Err(Conflict::NotAccepted.into());
    }
    user.hold();
    tx.users().update(&user)?;
    Ok(Holder { user, made_by })
}

/// Somebody else made a key that acts as them: they hear of it by mail, where there is a mail server, and as often as an
/// address may hear of keys.
pub(super) fn tell_holder(
    tx: &mut dyn Tx,
    account: &Account,
    user: &User,
    key: &ApiKey,
) -> Result<(), Error> {
    let visitor = &account.visit;
    let knows = key.made_by == Some(user.id) || user.is_service();
    if knows || !visitor.settings.mail_is_configured {
        return Ok(());
    }
    let workspace = found(tx.workspaces().find(user.workspace_id)?, "workspace")?;
    let language = user.language.clone().unwrap_or_else(LanguageTag::english);
    let mail = NewMail {
        to: user.email.clone(),
        language,
        letter: Letter::key_made(key.name.as_str(), workspace.name.as_str(), visitor.now),
        workspace: Some(workspace.id),
        not_after: visitor.now.plus(TOLD_WITHIN),
        withheld: false,
    };
    mails::queue(tx, visitor, mail).map(drop)
}

/// Shows a page of the keys that were made for a member.
///
/// # Errors
/// [`PlatformProblem::Missing`], [`Forbidden::Role`] below admin, unless it is the caller
pub(super) fn list(
    tx: &mut dyn Tx,
    account: &Account,
    member: UserId,
    page: &PageRequest,
) -> Result<Page<ApiKey>, Error> {
    let (workspace, caller) = place(tx, account)?.ok_or(PlatformProblem::Missing)?;
    if caller.id != member {
        require_role(caller.role, Role::Admin)?;
    }
    match tx.users().find(workspace, member)? {
        Some(user) => Ok(tx.keys().page(user.person_id, Some(workspace), page)?),
        None => Ok(Page {
            items: Vec::new(),
            next: None,
        }),
    }
}

/// Whether it was made for a member of a platform that the caller runs.
pub(super) fn is_run_by(tx: &mut dyn Tx, account: &Account, key: &ApiKey) -> Result<bool, Error> {
    if key.user_id.is_none() {
        return Ok(false);
    }
    let place = place(tx, account)?;
    Ok(place.is_some_and(|(workspace, caller)| {
        key.is_of_member_in(workspace) && require_role(caller.role, Role::Admin).is_ok()
    }))
}

/// Nobody changes, ends or renews what belongs to somebody above themselves.
///
/// # Errors
/// [`Forbidden::Role`]
pub(super) fn require_rank(tx: &mut dyn Tx, account: &Account, key: &ApiKey) -> Result<(), Error> {
    let (Some(workspace), Some(member)) = (key.workspace_id, key.user_id) else {
        return Ok(());
    };
    if key.person_id == account.identity.person_id {
        return Ok(());
    }
    let Some(user) = tx.users().find(workspace, member)? else {
        return Ok(());
    };
    let (_, caller) = place(tx, account)?.ok_or(PlatformProblem::Missing)?;
    require_role(caller.role, user.role)
}

/// What those who run a platform decided of a key that they made for a member is not the member's to undo.
///
/// # Errors
/// [`Forbidden::Role`]
pub(super) fn require_runner(
    tx: &mut dyn Tx,
    account: &Account,
    key: &ApiKey,
) -> Result<(), Error> {
    if key.user_id.is_none() || is_run_by(tx, account, key)? {
        return Ok(());
    }
    Err(Forbidden::Role.into())
}

/// The platform in which the caller acts, and what they are there: the one that they chose, else the one that their key
/// is bound to.
fn place(tx: &mut dyn Tx, account: &Account) -> Result<Option<(WorkspaceId, Arc<User>)>, Error> {
    if let Some((workspace, member)) = &account.membership {
        return Ok(Some((workspace.id, Arc::clone(&member.user))));
    }
    if account.identity.bound_to.is_none() {
        return Ok(None);
    }
    let there = memberships(tx, account)?.pop();
    Ok(there.map(|(user, workspace)| (workspace.id, Arc::new(user))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::consent::Consent;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_ports::mocks::MockTx;

    use crate::identity::visibility::tests::{context, id, now};

    /// Somebody in this role who chose their platform.
    fn by(role: Role) -> Account {
        let ctx = context(role, KeyKind::Standard);
        let member = ctx.member().unwrap().clone();
        Account {
            identity: Arc::clone(&member.identity),
            membership: Some((Arc::clone(&ctx.workspace), member)),
            visit: ctx.visitor(),
        }
    }

    /// A transaction with a member in this role to find.
    fn with(role: Role, consent: Consent) -> MockTx {
        let mut tx = MockTx::default();
        tx.users.expect_find().returning(move |_, _| {
            let mut user = User::clone(&context(role, KeyKind::Standard).member().unwrap().user);
            user.consent = consent;
            user.person_id = id(77);
            Ok(Some(user))
        });
        tx
    }

    #[test]
    fn a_key_is_made_by_who_runs_the_platform_and_for_nobody_above_them() {
        let accepted = Consent::Accepted(now());
        for (maker, member, may) in [
            (Role::Owner, Role::Owner, true),
            (Role::Owner, Role::Student, true),
            (Role::Admin, Role::Admin, true),
            (Role::Admin, Role::Owner, false),
            (Role::Teacher, Role::Teacher, false),
            (Role::Student, Role::Student, false),
        ] {
            let mut tx = with(member, accepted);
            tx.users
                .expect_update()
                .times(usize::from(may))
                .withf(|user| user.stamp.version > 1)
                .returning(|_| Ok(()));
            let made = holder(&mut tx, &by(maker), id(6));
            assert_eq!(made.is_ok(), may, "{maker} for {member}");
            let refused = made.err();
            let is_role = matches!(refused, Some(Error::Forbidden(Forbidden::Role)));
            assert_eq!(is_role, !may, "{maker} for {member}");
        }
    }

    #[test]
    fn nobody_acts_as_somebody_who_has_not_accepted() {
        for consent in [Consent::Pending, Consent::Declined(now())] {
            let made = holder(&mut with(Role::Teacher, consent), &by(Role::Owner), id(6));
            let refused = made.err();
            assert!(
                matches!(refused, Some(Error::Conflict(Conflict::NotAccepted))),
                "{consent:?}"
            );
        }
    }

    #[test]
    fn without_a_platform_there_are_no_members() {
        let mut nowhere = by(Role::Owner);
        nowhere.membership = None;
        let refused = holder(&mut MockTx::default(), &nowhere, id(6)).err();
        assert!(matches!(
            refused,
            Some(Error::Platform(PlatformProblem::Missing))
        ));
    }
}
