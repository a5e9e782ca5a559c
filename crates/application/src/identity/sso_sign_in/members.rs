//! Which member it is whom a provider vouches for.

use lyceum_domain::identity::consent::Consent;
use lyceum_domain::identity::sso_connections::{EmailDomain, SsoConnection};
use lyceum_domain::identity::sso_sign_in::{SsoClaims, SsoIdentity, SsoRefusal};
use lyceum_domain::identity::users::{NewUser, Person, User, UserChanges};
use lyceum_domain::json::Metadata;
use lyceum_domain::text::{Email, Name};

use crate::identity::sign_in::{self, Browser};
use crate::identity::users;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// A member, or why there is none.
type VouchedFor = Result<Result<User, SsoRefusal>, Error>;

/// The member whom the provider vouches for, in the role that it says, if they may come in.
///
/// # Errors
/// Those of storage
pub(super) fn member(
    tx: &mut dyn Tx,
    ctx: &Context,
    connection: &SsoConnection,
    claims: &SsoClaims,
    browser: &Browser,
) -> VouchedFor {
    let place = (connection.workspace_id, connection.id);
    let known = tx
        .sso()
        .identity(place.0, place.1, claims.subject.as_str())?;
    let member = match &known {
        Some(identity) => {
            let person = found(tx.users().person(identity.person_id)?, "person")?;
            belonging(tx, ctx, connection, claims, &person.email)?
        }
        None => match newcomer(tx, ctx, connection, claims, browser)? {
            Ok(email) => belonging(tx, ctx, connection, claims, &email)?,
            Err(reason) => Err(reason),
        },
    };
    let user = match member {
        Ok(user) => user,
        Err(reason) => return Ok(Err(reason)),
    };
    if known.is_none() {
        link(tx, ctx, connection, claims, &user)?;
    }
    in_role(tx, ctx, connection, claims, user).map(Ok)
}

/// The address of somebody of whom the provider speaks for the first time, if it may speak for whoever has it.
fn newcomer(
    tx: &mut dyn Tx,
    ctx: &Context,
    connection: &SsoConnection,
    claims: &SsoClaims,
    browser: &Browser,
) -> Result<Result<Email, SsoRefusal>, Error> {
    let email = claims.text("email").map(Email::parse);
    let Some(Ok(email)) = email else {
        return Ok(Err(SsoRefusal::AddressUnverified));
    };
    let verified = claims.is_address_verified();
    if !verified.unwrap_or(connection.trusts_addresses) {
        return Ok(Err(SsoRefusal::AddressUnverified));
    }
    let assigned = match EmailDomain::of(&email) {
        Some(domain) => tx.sso().domain(&domain)?,
        None => None,
    };
    let is_ours = assigned.is_some_and(|one| {
        one.workspace_id == connection.workspace_id && one.connection_id == Some(connection.id)
    });
    if !is_ours || User::is_of_service(&email) || User::is_pseudonymous(&email) {
        return Ok(Err(SsoRefusal::AddressElsewhere));
    }
    match tx.users().find_person(&email)? {
        Some(person) if !is_proven(tx, ctx, &person, browser)? => {
            Ok(Err(SsoRefusal::ProveOtherWay))
        }
        Some(_) | None => Ok(Ok(email)),
    }
}

/// Whether whoever has the address is surely the one who came back: they are signed in here by another way, or nobody ever was
/// more than a record of this workspace.
fn is_proven(
    tx: &mut dyn Tx,
    ctx: &Context,
    person: &Person,
    browser: &Browser,
) -> Result<bool, Error> {
    let here = sign_in::signed_in_otherwise(tx, &ctx.visit, browser)?;
    if here == Some(person.id) {
        return Ok(true);
    }
    let membership = tx.users().membership(ctx.workspace_id(), person.id)?;
    let is_unanswered = membership.is_none_or(|(user, _)| user.consent == Consent::Pending);
    let belongs_nowhere = !sign_in::belongs_somewhere(tx, person.id)?;
    Ok(is_unanswered && belongs_nowhere && !tx.sso().has_own_keys(person.id)?)
}

/// The member with this address, of their own will: whoever comes in by their organisation accepts.
fn belonging(
    tx: &mut dyn Tx,
    ctx: &Context,
    connection: &SsoConnection,
    claims: &SsoClaims,
    email: &Email,
) -> VouchedFor {
    let there = users::with_email(tx, ctx, email)?;
    if let Some(user) = &there
        && !connection.may_let_in(user.role)
    {
        return Ok(Err(SsoRefusal::AboveConnection));
    }
    let user = match there {
        Some(mut user) if user.accepted_at().is_some() => {
            // Whoever makes them more at the same time begins anew, and ends the session that begins here.
            user.hold();
            tx.users().update(&user)?;
            return Ok(Ok(user));
        }
        // Whom a directory switched off comes in by no provider either.
        Some(user) if user.suspension.is_some() => return Ok(Err(SsoRefusal::NoMember)),
        // Whoever left comes back only where anybody comes.
        Some(user) if user.consent == Consent::Pending || connection.just_in_time => user,
        None if connection.just_in_time => join(tx, ctx, connection, claims, email)?,
        Some(_) | None => return Ok(Err(SsoRefusal::NoMember)),
    };
    accept(tx, ctx, user).map(Ok)
}

fn join(
    tx: &mut dyn Tx,
    ctx: &Context,
    connection: &SsoConnection,
    claims: &SsoClaims,
    email: &Email,
) -> Result<User, Error> {
    let name = claims.text("name").map(Name::parse);
    let new = NewUser {
        email: email.clone(),
        name: name.and_then(Result::ok),
        role: connection.role_of_newcomer(&claims.claims),
        language: None,
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    users::join(tx, ctx, new)
}

fn accept(tx: &mut dyn Tx, ctx: &Context, mut user: User) -> Result<User, Error> {
    if user.accept(ctx.now) {
        tx.users().update(&user)?;
        let change = AuditedChange::made(values::member(&user));
        let subject = AuditSubject::of(user.id);
        audit::note(tx, ctx, AuditAction::MemberAccepted, subject, change)?;
    }
    Ok(user)
}

fn link(
    tx: &mut dyn Tx,
    ctx: &Context,
    connection: &SsoConnection,
    claims: &SsoClaims,
    user: &User,
) -> Result<(), Error> {
    tx.sso().link(&SsoIdentity {
        workspace_id: connection.workspace_id,
        connection_id: connection.id,
        subject: claims.subject.clone(),
        person_id: user.person_id,
        created_at: ctx.now,
    })?;
    let told = serde_json::json!({ "user_id": user.id.to_string() });
    let subject = AuditSubject::of(connection.id);
    let change = AuditedChange::made(told);
    audit::note(tx, ctx, AuditAction::SsoLinked, subject, change)
}

/// Gives them the role that the claims say, unless nobody would be owner any more.
fn in_role(
    tx: &mut dyn Tx,
    ctx: &Context,
    connection: &SsoConnection,
    claims: &SsoClaims,
    user: User,
) -> Result<User, Error> {
    let role = connection.role_of(&claims.claims);
    let Some(role) = role.filter(|role| *role != user.role) else {
        return Ok(user);
    };
    let changes = UserChanges {
        role: Some(role),
        ..UserChanges::default()
    };
    match users::update(tx, ctx, user.id, changes) {
        Ok(_) | Err(Error::Conflict(Conflict::NotEditable(_))) => {}
        Err(error) => return Err(error),
    }
    users::find(tx, ctx, user.id)
}
