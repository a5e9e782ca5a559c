//! What callers do with workspaces.

use std::cmp::Reverse;

use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::identity::workspaces::{NewWorkspace, Workspace, WorkspaceChanges};
use lyceum_domain::running::audit::AuditActor;
use lyceum_wire::identity::workspaces::{WorkspaceFacts, WorkspaceView};

use crate::context::Account;
use crate::error::Unauthenticated;
use crate::identity::access::require_role;
use crate::identity::bootstrap::{join_as_owner, make_workspace, note_made};
use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::running::in_use;
use crate::running::room::StorageUse;
use crate::running::unwanted_files;

/// Makes one; the caller becomes its owner.
///
/// # Errors
/// [`Error::Forbidden`] for whoever may make none and for a key of one platform, [`Conflict::LimitReached`] for one too
/// many
pub fn create(
    tx: &mut dyn Tx,
    account: &Account,
    new: NewWorkspace,
) -> Result<WorkspaceView, Error> {
    account.refuse_bound()?;
    let person = tx
        .users()
        .person(account.identity.person_id)?
        .ok_or(Unauthenticated::InvalidKey)?;
    let limits = account.visit.settings.workspaces;
    let least = limits.least.ok_or(Forbidden::Role)?;
    require_role(rank(tx, account)?, least)?;
    leave_room(tx, account, limits.per_person)?;
    let workspace = make_workspace(tx, &account.visit, new, None)?;
    let owner = join_as_owner(tx, &account.visit, &workspace, &person)?;
    let actor = actor(account, &owner);
    note_made(tx, &account.visit, actor, &workspace, &owner)?;
    Ok(view(account, &workspace, None))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`], also where the caller is no member
pub fn retrieve(
    tx: &mut dyn Tx,
    account: &Account,
    id: WorkspaceId,
) -> Result<WorkspaceView, Error> {
    let (_, workspace) = find(tx, account, id)?;
    shown(tx, account, &workspace)
}

/// Shows a page of those that the caller belongs to.
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    page: &PageRequest,
) -> Result<Page<WorkspaceView>, Error> {
    let page = page_of(memberships(tx, account)?, page);
    let ids: Vec<WorkspaceId> = page
        .items
        .iter()
        .map(|(_, workspace)| workspace.id)
        .collect();
    let used = tx.storage_use().of(&ids)?;
    let of = |id: WorkspaceId| used.iter().find(|one| one.workspace_id == id).copied();
    Ok(page.map(|(_, workspace)| view(account, &workspace, of(workspace.id))))
}

/// Changes one.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] below admin, [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    account: &Account,
    id: WorkspaceId,
    changes: WorkspaceChanges,
) -> Result<WorkspaceView, Error> {
    let (user, mut workspace) = find(tx, account, id)?;
    require_role(user.role, Role::Admin)?;
    let before = values::workspace(&workspace);
    if workspace.change(changes, account.visit.now)? {
        tx.workspaces().update(&workspace)?;
        let place = (id, actor(account, &user));
        let change = AuditedChange::between(before, values::workspace(&workspace));
        let action = AuditAction::WorkspaceUpdated;
        audit::note_at(
            tx,
            &account.visit,
            place,
            action,
            AuditSubject::of(id),
            change,
        )?;
    }
    shown(tx, account, &workspace)
}

/// Deletes one and everything in it; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] below owner, or by force without the right to destroy what goes,
/// [`Conflict::InUse`](crate::error::Conflict::InUse)
pub fn delete(
    tx: &mut dyn Tx,
    account: &Account,
    id: WorkspaceId,
    force: bool,
) -> Result<WorkspaceId, Error> {
    let (user, _) = find(tx, account, id)?;
    require_role(user.role, Role::Owner)?;
    in_use::refuse_workspace(tx, account, (id, user.role), force)?;
    unwanted_files::let_go_of_workspace(tx, id, account.visit.now)?;
    tx.workspaces().delete(id)?;
    Ok(id)
}

fn shown(
    tx: &mut dyn Tx,
    account: &Account,
    workspace: &Workspace,
) -> Result<WorkspaceView, Error> {
    let used = tx.storage_use().of(&[workspace.id])?;
    Ok(view(account, workspace, used.first().copied()))
}

fn view(account: &Account, workspace: &Workspace, used: Option<StorageUse>) -> WorkspaceView {
    let spending = &account.visit.settings.spending;
    let facts = WorkspaceFacts {
        storage: used.map(|used| (used.bytes, used.measured_at)),
        storage_limit: spending.workspace_bytes,
        learner_limit: spending.learner_bytes,
        budget: spending.budget_of(workspace),
        shares: spending.shares,
        learner_hourly: spending.learner_hourly.get(),
        package_hourly: spending.package_hourly.get(),
    };
    WorkspaceView::new(workspace, &facts)
}

/// The next number of a platform is taken after this, by one transaction at a time: so of two that count at once the
/// later one begins anew, and sees the other.
fn leave_room(tx: &mut dyn Tx, account: &Account, most: u32) -> Result<(), Error> {
    let places = tx.users().memberships(account.identity.person_id)?;
    let owned = places.iter().filter(|(user, _)| user.role == Role::Owner);
    if u32::try_from(owned.count()).unwrap_or(u32::MAX) < most {
        return Ok(());
    }
    let reason = format!("nobody owns more than {most} workspaces; delete one, or leave it");
    Err(Conflict::LimitReached(reason).into())
}

/// The most that the caller is: on the platform that they chose, else anywhere that their own keys open. Who belongs
/// nowhere is no more than a student.
pub fn rank(tx: &mut dyn Tx, account: &Account) -> Result<Role, Error> {
    if let Some((_, member)) = &account.membership {
        return Ok(member.user.role);
    }
    let places = memberships(tx, account)?;
    let most = places.iter().map(|(user, _)| user.role).min();
    Ok(most.unwrap_or(Role::Student))
}

fn actor(account: &Account, user: &User) -> AuditActor {
    user.audited_with(account.identity.key_id)
}

/// One that the caller belongs to and may see, and what they are there.
fn find(tx: &mut dyn Tx, account: &Account, id: WorkspaceId) -> Result<(User, Workspace), Error> {
    let seen = memberships(tx, account)?;
    let one = seen.into_iter().find(|(_, workspace)| workspace.id == id);
    found(one, "workspace")
}

/// Where the caller belongs of their own will, newest first; with a key of one platform, that one, as far as the key
/// opens it.
pub fn memberships(tx: &mut dyn Tx, account: &Account) -> Result<Vec<(User, Workspace)>, Error> {
    let identity = &account.identity;
    let mut memberships = match identity.bound_to {
        Some(bound) => Vec::from_iter(tx.users().membership(bound, identity.person_id)?),
        None => tx.users().memberships(identity.person_id)?,
    };
    memberships.retain(|(user, _)| identity.opens(user));
    memberships.sort_by_key(|(_, workspace)| Reverse(workspace.id));
    Ok(memberships)
}

/// A page of where the caller belongs: few enough to be read whole.
pub fn page_of(memberships: Vec<(User, Workspace)>, page: &PageRequest) -> Page<(User, Workspace)> {
    let mut items = memberships;
    items.retain(|(_, workspace)| {
        let Workspace {
            name,
            stamp,
            metadata,
            ..
        } = workspace;
        page.narrowed.admits(stamp.created_at, metadata)
            && page.narrowed.admits_texts(&[name.as_str()])
    });
    Page::of_few(items, page, |(_, workspace)| workspace.id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::running::in_use::Uses;
    use lyceum_ports::mocks::MockTx;
    use lyceum_ports::running::unwanted_files::FilesOfWorkspace;
    use std::sync::Arc;

    use crate::error::Forbidden;
    use crate::identity::platforms;
    use crate::identity::visibility::tests::{context, id};

    /// Someone without a chosen platform.
    fn account() -> Account {
        let ctx = context(Role::Student, KeyKind::Standard);
        Account {
            identity: ctx.member().unwrap().identity.clone(),
            membership: None,
            visit: ctx.visitor(),
        }
    }

    /// A transaction in which the caller belongs to workspaces 1 to 3 in this role; any write panics.
    fn belonging(role: Role) -> MockTx {
        let mut tx = MockTx::default();
        tx.storage_use.expect_of().returning(|_| Ok(Vec::new()));
        tx.users.expect_memberships().returning(move |_| {
            let of = |number: u8| {
                let ctx = context(role, KeyKind::Standard);
                let mut workspace = Workspace::clone(&ctx.workspace);
                workspace.id = id(number);
                workspace.platform.number = number.into();
                (User::clone(&ctx.member().unwrap().user), workspace)
            };
            Ok((1..=3).map(of).collect())
        });
        tx
    }

    fn no_change() -> WorkspaceChanges {
        WorkspaceChanges::default()
    }

    #[test]
    fn workspaces_of_others_are_not_there() {
        let mut tx = belonging(Role::Owner);
        let account = account();
        for error in [
            retrieve(&mut tx, &account, id(4)).unwrap_err(),
            update(&mut tx, &account, id(4), no_change()).unwrap_err(),
            delete(&mut tx, &account, id(4), false).unwrap_err(),
        ] {
            assert!(matches!(error, Error::NotFound("workspace")));
        }
    }

    #[test]
    fn admins_change_and_owners_delete() {
        let is_role = |error| matches!(error, Error::Forbidden(Forbidden::Role));
        let account = account();
        let mut tx = belonging(Role::Teacher);
        assert!(is_role(
            update(&mut tx, &account, id(1), no_change()).unwrap_err()
        ));
        let mut tx = belonging(Role::Admin);
        assert!(update(&mut tx, &account, id(1), no_change()).is_ok());
        assert!(is_role(
            delete(&mut tx, &account, id(1), false).unwrap_err()
        ));
        let mut tx = belonging(Role::Owner);
        tx.in_use
            .expect_uses()
            .returning(|_, _, _| Ok(Uses::default()));
        tx.unwanted_files
            .expect_of_workspace()
            .returning(|_| Ok(FilesOfWorkspace::default()));
        tx.workspaces
            .expect_delete()
            .times(1)
            .returning(|_| Ok(true));
        assert!(delete(&mut tx, &account, id(1), false).is_ok());
    }

    #[test]
    fn pages_run_from_the_newest_to_the_oldest() {
        let mut tx = belonging(Role::Student);
        let mut page = PageRequest::first(2);
        let first = list(&mut tx, &account(), &page).unwrap();
        let ids = |page: &Page<WorkspaceView>| -> Vec<String> {
            page.items.iter().map(|view| view.id.clone()).collect()
        };
        let text = |number| id::<lyceum_domain::ids::Workspace>(number).to_string();
        assert_eq!(ids(&first), [text(3), text(2)]);
        page.after = first.next;
        let last = list(&mut tx, &account(), &page).unwrap();
        assert_eq!((ids(&last), last.next), (vec![text(1)], None));
    }

    #[test]
    fn a_session_key_sees_its_one_platform() {
        let mut tx = belonging(Role::Student);
        tx.users.expect_membership().returning(|workspace, _| {
            let ctx = context(Role::Student, KeyKind::Session);
            let mut there = Workspace::clone(&ctx.workspace);
            there.id = workspace;
            there.platform.number = 2;
            Ok(Some((User::clone(&ctx.member().unwrap().user), there)))
        });
        let mut account = account();
        Arc::make_mut(&mut account.identity).bound_to = Some(id(2));
        let seen = platforms::list(&mut tx, &account, &PageRequest::first(20)).unwrap();
        let numbers: Vec<i64> = seen.items.iter().map(|view| view.id).collect();
        assert_eq!(numbers, [2]);
        assert!(platforms::retrieve(&mut tx, &account, "2").is_ok());
        assert!(platforms::retrieve(&mut tx, &account, "1").is_err());
    }

    #[test]
    fn a_platform_without_a_code_is_not_found_by_any_text() {
        let mut tx = belonging(Role::Student);
        for text in ["", "?", "school", "0", "-1"] {
            assert!(
                platforms::retrieve(&mut tx, &account(), text).is_err(),
                "{text}"
            );
        }
        let uuid = "07".repeat(12).to_uppercase();
        assert_eq!(
            platforms::retrieve(&mut tx, &account(), &uuid)
                .unwrap()
                .uuid,
            "07".repeat(12)
        );
    }
}
