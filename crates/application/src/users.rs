//! What callers do with the users of a workspace.

use lyceum_domain::events::EventType;
use lyceum_domain::text::Email;
use lyceum_domain::users::{NewUser, Role, User, UserChanges, UserId};
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::users::UserView;

pub use lyceum_ports::users::UserFilter;

use crate::access::require_role;
use crate::bootstrap::person_of;
use crate::context::{Actor, Context, Visitor};
use crate::error::{Conflict, Error};
use crate::events;
use crate::lookup::found;

/// Lets a person in; they may be known elsewhere, but not here.
///
/// # Errors
/// [`Conflict::Taken`], [`Error::Forbidden`] for a role above the caller's
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewUser) -> Result<UserView, Error> {
    require_rank(ctx, new.role)?;
    if with_email(tx, ctx, &new.email)?.is_some() {
        return Err(Conflict::Taken("email").into());
    }
    Ok(UserView::new(&join(tx, ctx, new)?))
}

/// Makes the membership of somebody who is not here yet.
///
/// # Errors
/// Those of storage.
pub fn join(tx: &mut dyn Tx, ctx: &Context, new: NewUser) -> Result<User, Error> {
    let person = person_of(tx, &visitor(ctx), &new.email)?;
    let user = User::new(ctx.workspace_id(), ctx.mint(), person.id, new, ctx.now);
    tx.users().insert(&user)?;
    events::record(tx, ctx, EventType::UserCreated, &UserView::new(&user))?;
    Ok(user)
}

/// The user with this address, if they are here.
///
/// # Errors
/// Those of storage.
pub fn with_email(tx: &mut dyn Tx, ctx: &Context, email: &Email) -> Result<Option<User>, Error> {
    match tx.users().find_person(email)? {
        Some(person) => Ok(tx.users().member(ctx.workspace_id(), person.id)?),
        None => Ok(None),
    }
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<UserView, Error> {
    Ok(UserView::new(&find(tx, ctx, id)?))
}

/// Shows a page of them.
///
/// # Errors
/// Those of storage.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &UserFilter,
    page: &PageRequest,
) -> Result<Page<UserView>, Error> {
    let page = tx.users().page(ctx.workspace_id(), filter, page)?;
    Ok(page.map(|user| UserView::new(&user)))
}

/// Changes one.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for somebody or a role above the caller's, [`Error::Invalid`],
/// [`Conflict::NotEditable`] for the last owner
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    changes: UserChanges,
) -> Result<UserView, Error> {
    let mut user = find(tx, ctx, id)?;
    require_rank(ctx, user.role)?;
    let before = UserView::new(&user);
    let role_before = user.role;
    if !user.change(changes, ctx.now)? {
        return Ok(before);
    }
    require_rank(ctx, user.role)?;
    if user.role != Role::Owner {
        keep_an_owner(tx, ctx, role_before)?;
    }
    tx.users().update(&user)?;
    let after = UserView::new(&user);
    events::record_change(tx, ctx, EventType::UserUpdated, &before, &after)?;
    Ok(after)
}

/// Ends a membership, with the places in cohorts that came with it and every session.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for somebody above the caller,
/// [`Conflict::NotEditable`] for the last owner
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<UserId, Error> {
    let user = find(tx, ctx, id)?;
    require_rank(ctx, user.role)?;
    keep_an_owner(tx, ctx, user.role)?;
    for enrollment in tx.enrollments().of_user(ctx.workspace_id(), id)? {
        let cohort = tx
            .cohorts()
            .find(ctx.workspace_id(), enrollment.cohort_id)?;
        if let Some(mut cohort) = cohort {
            cohort.release(ctx.now);
            tx.cohorts().update(&cohort)?;
        }
    }
    tx.keys()
        .end_sessions(ctx.workspace_id(), user.person_id, ctx.now)?;
    tx.users().delete(ctx.workspace_id(), id)?;
    events::record(tx, ctx, EventType::UserDeleted, &UserView::new(&user))?;
    Ok(id)
}

/// One of this workspace.
fn find(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<User, Error> {
    found(tx.users().find(ctx.workspace_id(), id)?, "user")
}

/// Nobody gives, changes or takes away a role that is above their own; so nobody rises by their own hand.
fn require_rank(ctx: &Context, role: Role) -> Result<(), Error> {
    match &ctx.actor {
        Actor::Member(member) => require_role(member.user.role, role),
        Actor::Service => Ok(()),
    }
}

/// A workspace without an owner could never be deleted, nor ever have an owner again.
fn keep_an_owner(tx: &mut dyn Tx, ctx: &Context, leaving: Role) -> Result<(), Error> {
    if leaving != Role::Owner {
        return Ok(());
    }
    let owners = UserFilter {
        role: Some(Role::Owner),
        ..UserFilter::default()
    };
    let owners = tx
        .users()
        .page(ctx.workspace_id(), &owners, &PageRequest::first(2))?;
    if owners.items.len() < 2 {
        let reason = "the workspace needs an owner; make somebody else one first";
        return Err(Conflict::NotEditable(reason.to_owned()).into());
    }
    Ok(())
}

/// The same moment and request, without the workspace.
fn visitor(ctx: &Context) -> Visitor {
    Visitor {
        now: ctx.now,
        request_id: ctx.request_id.clone(),
        ids: ctx.ids.clone(),
        entropy: ctx.entropy.clone(),
        settings: ctx.settings.clone(),
        sink: ctx.sink.clone(),
        queued: ctx.queued.clone(),
    }
}
