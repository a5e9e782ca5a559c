//! What people do with their invitations: a workspace may hold a record of anybody, and becomes a place of theirs only
//! when they say so.

use std::sync::Arc;

use lyceum_domain::identity::invitations::{Invitation, InvitationStatus};
use lyceum_domain::identity::users::User;
use lyceum_domain::identity::workspaces::{PlatformCode, Workspace};
use lyceum_domain::ids::{InvitationId, PersonId};
use lyceum_wire::identity::invitations::InvitationView;
use lyceum_wire::identity::users::UserView;

use crate::context::Account;
use crate::context::Actor;
use crate::context::Member;
use crate::context::Visitor;
use crate::identity::users::{end_ways_in, keep_an_owner};
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// Which invitations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationFilter {
    /// To which the caller said this.
    pub status: InvitationStatus,
}

/// Shows a page of the caller's invitations. A key that was made for a member answers for nobody.
///
/// # Errors
/// [`Forbidden::Bound`]
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    filter: InvitationFilter,
    page: &PageRequest,
) -> Result<Page<InvitationView>, Error> {
    account.refuse_bound()?;
    let person = account.identity.person_id;
    let page = tx.users().invitations(person, filter.status, page)?;
    Ok(page.map(|invitation| InvitationView::new(&invitation)))
}

/// Shows one of the caller's.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(
    tx: &mut dyn Tx,
    account: &Account,
    id: InvitationId,
) -> Result<InvitationView, Error> {
    Ok(InvitationView::new(&find(tx, account, id)?))
}

/// The caller's own keys open the workspace from now on; a second time changes nothing.
///
/// # Errors
/// [`Error::NotFound`]
pub fn accept(
    tx: &mut dyn Tx,
    account: &Account,
    id: InvitationId,
) -> Result<InvitationView, Error> {
    let mut invitation = find(tx, account, id)?;
    let before = invitation.user.clone();
    if invitation.user.accept(account.visit.now) {
        tx.users().update(&invitation.user)?;
        end_links(tx, account, &invitation)?;
        let change = AuditedChange::made(values::member(&invitation.user));
        let tale = (AuditAction::MemberAccepted, change);
        tell(tx, account, &invitation, &before, tale)?;
    }
    Ok(InvitationView::new(&invitation))
}

/// The caller does not want to belong there, or not any more; a second time changes nothing. What the workspace holds
/// of them stays, and the workspace hears of it only where it had been accepted. Keys that were made for them there end.
///
/// # Errors
/// [`Error::NotFound`], [`crate::error::Conflict::NotEditable`] for the last owner
pub fn decline(
    tx: &mut dyn Tx,
    account: &Account,
    id: InvitationId,
) -> Result<InvitationView, Error> {
    let mut invitation = find(tx, account, id)?;
    let before = invitation.user.clone();
    if invitation.user.decline(account.visit.now) {
        keep_an_owner(tx, &within(account, &invitation, &before), &before)?;
        tx.users().update(&invitation.user)?;
        end_ways_in(tx, &invitation.user, account.visit.now)?;
        if before.accepted_at().is_some() {
            let change = AuditedChange::gone(values::member(&before));
            let tale = (AuditAction::MemberLeft, change);
            tell(tx, account, &invitation, &before, tale)?;
        }
    }
    Ok(InvitationView::new(&invitation))
}

/// What was answered is not answered again by a link.
fn end_links(
    tx: &mut dyn Tx,
    account: &Account,
    Invitation { user, .. }: &Invitation,
) -> Result<(), Error> {
    let now = account.visit.now;
    Ok(tx
        .sign_in_links()
        .end_invitations(user.workspace_id, user.id, now)?)
}

/// The operator says, at the shell, that somebody belongs to the platforms with these codes; without any, to the only
/// one that holds a record of them. Where a key made now is for: those, or, if there was nothing to say, wherever the
/// person belongs.
///
/// # Errors
/// [`Error::Reference`] for a platform that holds no record of them
pub fn accept_for(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    person: PersonId,
    codes: &[PlatformCode],
) -> Result<Vec<Workspace>, Error> {
    let belongs: Vec<Workspace> = belonging(tx, person)?;
    let places = if codes.is_empty() {
        let asked = PageRequest::first(2);
        let waiting = tx
            .users()
            .invitations(person, InvitationStatus::Pending, &asked)?;
        match waiting.items.as_slice() {
            [only] if belongs.is_empty() => vec![(only.user.clone(), only.workspace.clone())],
            _ => return Ok(belongs),
        }
    } else {
        named(tx, person, codes)?
    };
    let mut opened = Vec::with_capacity(places.len());
    for (mut user, workspace) in places {
        if user.accept(visitor.now) {
            tx.users().update(&user)?;
            let ctx = visitor.within(workspace.clone(), Actor::Service);
            let change = AuditedChange::made(values::member(&user));
            let subject = AuditSubject::of(user.id);
            audit::note(tx, &ctx, AuditAction::MemberAccepted, subject, change)?;
        }
        opened.push(workspace);
    }
    Ok(opened)
}

fn belonging(tx: &mut dyn Tx, person: PersonId) -> Result<Vec<Workspace>, Error> {
    let places = tx.users().memberships(person)?;
    Ok(places.into_iter().map(|(_, place)| place).collect())
}

fn named(
    tx: &mut dyn Tx,
    person: PersonId,
    codes: &[PlatformCode],
) -> Result<Vec<(User, Workspace)>, Error> {
    let mut places = Vec::with_capacity(codes.len());
    for code in codes {
        let workspace = tx.workspaces().find_by_code(code)?;
        let place = match workspace {
            Some(workspace) => tx.users().membership(workspace.id, person)?,
            None => None,
        };
        places.push(referenced(place, "workspace", "user of this platform")?);
    }
    Ok(places)
}

fn find(tx: &mut dyn Tx, account: &Account, id: InvitationId) -> Result<Invitation, Error> {
    account.refuse_bound()?;
    let person = account.identity.person_id;
    found(tx.users().invitation(person, id)?, "invitation")
}

/// The person, in the workspace.
fn within(account: &Account, invitation: &Invitation, user: &User) -> Context {
    let member = Member {
        identity: Arc::clone(&account.identity),
        user: Arc::new(user.clone()),
    };
    let workspace = invitation.workspace.clone();
    account.visit.within(workspace, Actor::Member(member))
}

fn tell(
    tx: &mut dyn Tx,
    account: &Account,
    invitation: &Invitation,
    before: &User,
    (action, change): (AuditAction, AuditedChange),
) -> Result<(), Error> {
    let after = &invitation.user;
    let ctx = within(account, invitation, after);
    audit::note(tx, &ctx, action, AuditSubject::of(after.id), change)?;
    let (before, after) = (UserView::new(before), UserView::new(after));
    events::record_change(tx, &ctx, EventType::UserUpdated, &before, &after)
}
