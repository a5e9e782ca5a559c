//! What whoever provisions a workspace does with its members: lets them in, says what they are called here, gives roles, and ends
//! what they may. Not who they are: a person's address and what other workspaces know of them is nobody's here to change.
//!
//! Nothing goes with an end: what learners made stays, and whoever is let in again has it.

use lyceum_domain::identity::users::{NewUser, Role, Suspension, User, UserChanges};
use lyceum_domain::ids::UserId;
use lyceum_domain::json::Metadata;
use lyceum_domain::text::Email;
use lyceum_wire::scim::users::ProvisionedUser;

use crate::identity::users;
use crate::prelude::*;

/// Of how many members a list is made.
const MOST: u16 = 10_000;

/// Members that are provisioned: people, as long as they are not gone.
fn is_shown(user: &User) -> bool {
    !user.is_service() && !user.is_erased() && user.suspension != Some(Suspension::Removed)
}

/// One of them.
///
/// # Errors
/// [`Error::NotFound`]
pub fn find(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<User, Error> {
    let user = users::find(tx, ctx, id)?;
    found(Some(user).filter(is_shown), "user")
}

/// The one with this address, if it is one.
pub fn named(tx: &mut dyn Tx, ctx: &Context, name: &str) -> Result<Vec<User>, Error> {
    let Ok(email) = Email::parse(name) else {
        return Ok(Vec::new());
    };
    let known = users::with_email(tx, ctx, &email)?;
    Ok(known.filter(is_shown).into_iter().collect())
}

/// All of them, oldest first.
///
/// # Errors
/// [`Conflict::LimitReached`] where there are too many for a list.
pub fn all(tx: &mut dyn Tx, ctx: &Context) -> Result<Vec<User>, Error> {
    let mut users = tx.users().all(ctx.workspace_id(), MOST + 1)?;
    if users.len() > usize::from(MOST) {
        let text = format!("lists are made of {MOST} members; ask by userName eq");
        return Err(Conflict::LimitReached(text).into());
    }
    users.retain(is_shown);
    Ok(users)
}

/// Lets somebody in, as a student. Whoever was let go has the membership that they had.
///
/// # Errors
/// [`Conflict::Taken`], [`Error::Invalid`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: ProvisionedUser) -> Result<User, Error> {
    let known = users::with_email(tx, ctx, &new.email)?;
    let id = match known {
        None => join(tx, ctx, &new)?.id,
        Some(user) if user.suspension == Some(Suspension::Removed) => {
            // A role that they had before is given anew, or not.
            let as_student = UserChanges {
                role: Some(Role::Student),
                ..UserChanges::default()
            };
            users::update(tx, ctx, user.id, as_student)?;
            user.id
        }
        Some(_) => return Err(Conflict::Taken("userName").into()),
    };
    change_any(tx, ctx, id, new)
}

fn join(tx: &mut dyn Tx, ctx: &Context, new: &ProvisionedUser) -> Result<User, Error> {
    let new = NewUser {
        email: new.email.clone(),
        name: new.name.clone(),
        role: Role::Student,
        language: new.language.clone(),
        timezone: None,
        external_id: new.external_id.clone(),
        metadata: Metadata::default(),
    };
    users::join(tx, ctx, new)
}

/// Changes one. What does not differ leaves no trace.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Role`] for an owner, [`Conflict::NotEditable`] for another address
pub fn change(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    to: ProvisionedUser,
) -> Result<User, Error> {
    find(tx, ctx, id)?;
    change_any(tx, ctx, id, to)
}

fn change_any(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    to: ProvisionedUser,
) -> Result<User, Error> {
    let user = users::find(tx, ctx, id)?;
    if user.email != to.email {
        let text =
            "userName is a person's address, and theirs: let them go, and let the other address in";
        return Err(Conflict::NotEditable(text.to_owned()).into());
    }
    let said = (&user.name, &user.language, &user.external_id);
    if said != (&to.name, &to.language, &to.external_id) {
        let changes = UserChanges {
            name: Some(to.name),
            language: Some(to.language),
            external_id: Some(to.external_id),
            ..UserChanges::default()
        };
        users::update(tx, ctx, id, changes)?;
    }
    let ended = (!to.active).then_some(Suspension::Suspended);
    users::suspend(tx, ctx, id, ended)
}

/// Lets somebody go: they are let in no more, and whoever provisions hears of them no more. What they made stays.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Role`] for an owner
pub fn remove(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<(), Error> {
    find(tx, ctx, id)?;
    users::suspend(tx, ctx, id, Some(Suspension::Removed)).map(drop)
}

/// Gives a member a role.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Role`] for an owner
pub fn give_role(tx: &mut dyn Tx, ctx: &Context, id: UserId, role: Role) -> Result<(), Error> {
    let user = find(tx, ctx, id)?;
    if user.role == role {
        return Ok(());
    }
    let changes = UserChanges {
        role: Some(role),
        ..UserChanges::default()
    };
    users::update(tx, ctx, id, changes).map(drop)
}

/// Makes a role that of these members and of nobody else: who is none of them any more is a student, as everybody is whose
/// role nobody said.
///
/// # Errors
/// Those of [`give_role`]
pub fn set_members(
    tx: &mut dyn Tx,
    ctx: &Context,
    role: Role,
    members: &[UserId],
) -> Result<(), Error> {
    for user in all(tx, ctx)? {
        if user.role == role && !members.contains(&user.id) {
            give_role(tx, ctx, user.id, Role::Student)?;
        }
    }
    members
        .iter()
        .try_for_each(|id| give_role(tx, ctx, *id, role))
}
