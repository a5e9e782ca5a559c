//! What callers do with workspaces.

use std::cmp::Reverse;

use lyceum_domain::Id;
use lyceum_domain::id::Identified;
use lyceum_domain::users::{Role, User};
use lyceum_domain::workspaces::{NewWorkspace, Workspace, WorkspaceChanges, WorkspaceId};
use lyceum_ports::page::{Keyset, Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::workspaces::WorkspaceView;

use crate::access::require_role;
use crate::bootstrap::{join_as_owner, make_workspace};
use crate::context::Account;
use crate::error::{Error, Unauthenticated};
use crate::lookup::found;

/// Makes one; the caller becomes its owner.
///
/// # Errors
/// Those of storage.
pub fn create(
    tx: &mut dyn Tx,
    account: &Account,
    new: NewWorkspace,
) -> Result<WorkspaceView, Error> {
    let person = tx
        .users()
        .person(account.identity.person_id)?
        .ok_or(Unauthenticated::InvalidKey)?;
    let workspace = make_workspace(tx, &account.visit, new, None)?;
    join_as_owner(tx, &account.visit, &workspace, &person)?;
    Ok(WorkspaceView::new(&workspace))
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
    Ok(WorkspaceView::new(&workspace))
}

/// Shows a page of those that the caller belongs to.
///
/// # Errors
/// Those of storage.
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    page: &PageRequest,
) -> Result<Page<WorkspaceView>, Error> {
    let page = newest_first(memberships(tx, account)?, page, |(_, workspace)| {
        workspace.id
    });
    Ok(page.map(|(_, workspace)| WorkspaceView::new(&workspace)))
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
    if workspace.change(changes, account.visit.now)? {
        tx.workspaces().update(&workspace)?;
    }
    Ok(WorkspaceView::new(&workspace))
}

/// Deletes one and everything in it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] below owner
pub fn delete(tx: &mut dyn Tx, account: &Account, id: WorkspaceId) -> Result<WorkspaceId, Error> {
    let (user, _) = find(tx, account, id)?;
    require_role(user.role, Role::Owner)?;
    tx.workspaces().delete(id)?;
    Ok(id)
}

/// One that the caller belongs to and may see, and what they are there.
fn find(tx: &mut dyn Tx, account: &Account, id: WorkspaceId) -> Result<(User, Workspace), Error> {
    let seen = memberships(tx, account)?;
    let one = seen.into_iter().find(|(_, workspace)| workspace.id == id);
    found(one, "workspace")
}

/// Where the caller belongs, newest first; with a session key, the one platform that it sees.
///
/// # Errors
/// Those of storage.
pub fn memberships(tx: &mut dyn Tx, account: &Account) -> Result<Vec<(User, Workspace)>, Error> {
    let identity = &account.identity;
    let mut memberships = tx.users().memberships(identity.person_id)?;
    memberships.retain(|(_, workspace)| identity.bound_to.is_none_or(|id| id == workspace.id));
    memberships.sort_by_key(|(_, workspace)| Reverse(workspace.id));
    Ok(memberships)
}

/// A page of things that are few enough to be read whole.
pub fn newest_first<T, K: Identified>(
    mut items: Vec<T>,
    page: &PageRequest,
    id: impl Fn(&T) -> Id<K>,
) -> Page<T> {
    items.sort_by_key(|item| Reverse(id(item)));
    if let Some(after) = &page.after {
        items.retain(|item| id(item).to_string() < after.id);
    }
    Page::cut(items, page.limit, |item| Keyset {
        position: None,
        id: id(item).to_string(),
    })
}
