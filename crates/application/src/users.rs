//! What callers do with the users of a workspace.

use lyceum_domain::audit::{AuditAction, AuditSubject, AuditedChange};
use lyceum_domain::enrollments::Enrollment;
use lyceum_domain::events::EventType;
use lyceum_domain::in_use::Subject;
use lyceum_domain::text::Email;
use lyceum_domain::users::{NewUser, Role, User, UserChanges, UserId};
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::users::UserView;

pub use lyceum_ports::users::UserFilter;

use crate::access::require_role;
use crate::audit::{self, values};
use crate::bootstrap::person_of;
use crate::context::{Actor, Context};
use crate::error::{Conflict, Error};
use crate::lookup::found;
use crate::{events, in_use};

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
    let person = person_of(tx, &ctx.visitor(), &new.email)?;
    let user = User::new(ctx.workspace_id(), ctx.mint(), person.id, new, ctx.now);
    tx.users().insert(&user)?;
    note_joined(tx, ctx, &user)?;
    events::record(tx, ctx, EventType::UserCreated, &UserView::new(&user))?;
    Ok(user)
}

/// Notes that somebody became a member.
///
/// # Errors
/// Those of storage.
pub fn note_joined(tx: &mut dyn Tx, ctx: &Context, user: &User) -> Result<(), Error> {
    let change = AuditedChange::made(values::member(user));
    let subject = AuditSubject::of(user.id);
    audit::note(tx, ctx, AuditAction::MemberAdded, subject, change)
}

/// The user with this address, if they are here.
///
/// # Errors
/// Those of storage.
pub fn with_email(tx: &mut dyn Tx, ctx: &Context, email: &Email) -> Result<Option<User>, Error> {
    Ok(tx.users().with_email(ctx.workspace_id(), email)?)
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
    if user.is_erased() {
        return Err(Conflict::NotEditable("the user was erased".to_owned()).into());
    }
    let before = user.clone();
    if !user.change(changes, ctx.now)? {
        return Ok(UserView::new(&before));
    }
    require_rank(ctx, user.role)?;
    if user.role != Role::Owner {
        keep_an_owner(tx, ctx, before.role)?;
    }
    tx.users().update(&user)?;
    note_changed(tx, ctx, &before, &user)?;
    let after = UserView::new(&user);
    let before = UserView::new(&before);
    events::record_change(tx, ctx, EventType::UserUpdated, &before, &after)?;
    Ok(after)
}

/// A role is noted from what to what; of everything else only that it changed, because it says who somebody is.
fn note_changed(tx: &mut dyn Tx, ctx: &Context, before: &User, user: &User) -> Result<(), Error> {
    let subject = AuditSubject::of(user.id);
    let role = AuditedChange::between(values::member(before), values::member(user));
    audit::note_change(
        tx,
        ctx,
        AuditAction::MemberRoleChanged,
        subject.clone(),
        role,
    )?;
    let changed = values::profile(before, user);
    if changed.is_empty() {
        return Ok(());
    }
    let change = AuditedChange::made(serde_json::json!({ "changed": changed }));
    audit::note(tx, ctx, AuditAction::MemberUpdated, subject, change)
}

/// Ends a membership, with the places in cohorts that came with it and every session; with what they did only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for somebody above the caller, [`Conflict::InUse`],
/// [`Conflict::NotEditable`] for the last owner
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: UserId, force: bool) -> Result<UserId, Error> {
    let user = find(tx, ctx, id)?;
    require_rank(ctx, user.role)?;
    in_use::refuse(tx, ctx, Subject::User(id), force)?;
    keep_an_owner(tx, ctx, user.role)?;
    give_places_back(tx, ctx, id)?;
    tx.keys()
        .end_sessions(ctx.workspace_id(), user.person_id, ctx.now)?;
    tx.users().delete(ctx.workspace_id(), id)?;
    let change = AuditedChange::gone(values::member(&user));
    audit::note(
        tx,
        ctx,
        AuditAction::MemberRemoved,
        AuditSubject::of(id),
        change,
    )?;
    events::record(tx, ctx, EventType::UserDeleted, &UserView::new(&user))?;
    Ok(id)
}

/// Gives the user's places in cohorts back to these; the enrolments are the caller's to remove.
///
/// # Errors
/// Those of storage.
pub(crate) fn give_places_back(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
) -> Result<Vec<Enrollment>, Error> {
    let enrollments = tx.enrollments().of_user(ctx.workspace_id(), id)?;
    for enrollment in &enrollments {
        let cohort = tx
            .cohorts()
            .find(ctx.workspace_id(), enrollment.cohort_id)?;
        if let Some(mut cohort) = cohort {
            cohort.release(ctx.now);
            tx.cohorts().update(&cohort)?;
        }
    }
    Ok(enrollments)
}

/// One of this workspace.
pub(crate) fn find(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<User, Error> {
    found(tx.users().find(ctx.workspace_id(), id)?, "user")
}

/// Nobody gives, changes or takes away a role that is above their own; so nobody rises by their own hand.
pub(crate) fn require_rank(ctx: &Context, role: Role) -> Result<(), Error> {
    match &ctx.actor {
        Actor::Member(member) => require_role(member.user.role, role),
        Actor::Service => Ok(()),
    }
}

/// A workspace without an owner could never be deleted, nor ever have an owner again.
///
/// Of two owners who leave at once each would see the other still there: so whoever takes one away has the workspace to
/// themselves until it is done.
pub(crate) fn keep_an_owner(tx: &mut dyn Tx, ctx: &Context, leaving: Role) -> Result<(), Error> {
    if leaving != Role::Owner {
        return Ok(());
    }
    tx.workspaces().hold(ctx.workspace_id())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::cohorts::{Cohort, NewCohort};
    use lyceum_domain::in_use::Uses;
    use lyceum_domain::json::Metadata;
    use lyceum_domain::keys::KeyKind;
    use lyceum_domain::text::Name;
    use lyceum_ports::mocks::MockTx;

    use crate::error::Forbidden;
    use crate::visibility::tests::{context, id, now};

    fn by(role: Role) -> Context {
        context(role, KeyKind::Standard)
    }

    fn new(role: Role) -> NewUser {
        NewUser {
            email: Email::parse("bob@example.org").unwrap(),
            name: None,
            role,
            language: None,
            external_id: None,
            metadata: Metadata::default(),
        }
    }

    fn user(role: Role) -> User {
        User::new(id(1), id(6), id(7), new(role), now())
    }

    fn to_role(role: Role) -> UserChanges {
        UserChanges {
            role: Some(role),
            ..UserChanges::default()
        }
    }

    /// A transaction with one user to find, and so many owners; any write panics.
    fn with(role: Role, owners: usize) -> MockTx {
        let mut tx = MockTx::default();
        tx.workspaces.expect_hold().returning(|_| Ok(()));
        tx.in_use
            .expect_uses()
            .returning(|_, _, _| Ok(Uses::default()));
        tx.users
            .expect_find()
            .returning(move |_, _| Ok(Some(user(role))));
        tx.users.expect_page().returning(move |_, filter, _| {
            assert_eq!(filter.role, Some(Role::Owner));
            let items = vec![user(Role::Owner); owners];
            Ok(Page { items, next: None })
        });
        tx
    }

    #[test]
    fn the_last_owner_stays() {
        let ctx = by(Role::Owner);
        let mut tx = with(Role::Owner, 1);
        let gone = delete(&mut tx, &ctx, id(6), false).unwrap_err();
        assert!(matches!(gone, Error::Conflict(Conflict::NotEditable(_))));
        let demoted = update(&mut tx, &ctx, id(6), to_role(Role::Admin)).unwrap_err();
        assert!(matches!(demoted, Error::Conflict(Conflict::NotEditable(_))));
    }

    #[test]
    fn one_of_two_owners_may_step_down() {
        let mut tx = with(Role::Owner, 2);
        tx.users.expect_update().times(1).returning(|_| Ok(()));
        tx.events.expect_append().times(1).returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(vec![]));
        let view = update(&mut tx, &by(Role::Owner), id(6), to_role(Role::Teacher)).unwrap();
        assert_eq!(view.role, "teacher");
    }

    #[test]
    fn nobody_reaches_above_themselves() {
        let is_role = |error| matches!(error, Error::Forbidden(Forbidden::Role));
        for (caller, above) in [
            (Role::Teacher, Role::Admin),
            (Role::Teacher, Role::Owner),
            (Role::Admin, Role::Owner),
        ] {
            let ctx = by(caller);
            let made = create(&mut MockTx::default(), &ctx, new(above));
            assert!(is_role(made.unwrap_err()), "{caller} makes {above}");
            let raised = update(&mut with(Role::Student, 1), &ctx, id(6), to_role(above));
            assert!(is_role(raised.unwrap_err()), "{caller} raises to {above}");
            let lowered = update(&mut with(above, 2), &ctx, id(6), to_role(Role::Student));
            assert!(is_role(lowered.unwrap_err()), "{caller} lowers {above}");
            let gone = delete(&mut with(above, 2), &ctx, id(6), true);
            assert!(is_role(gone.unwrap_err()), "{caller} deletes {above}");
        }
    }

    #[test]
    fn an_address_joins_once() {
        let mut tx = MockTx::default();
        tx.users
            .expect_with_email()
            .returning(|_, _| Ok(Some(user(Role::Student))));
        let refused = create(&mut tx, &by(Role::Admin), new(Role::Student)).unwrap_err();
        assert!(matches!(refused, Error::Conflict(Conflict::Taken("email"))));
    }

    #[test]
    fn whoever_leaves_gives_their_places_and_sessions_back() {
        let mut tx = with(Role::Student, 1);
        tx.enrollments
            .expect_of_user()
            .returning(|_, user| Ok(vec![Enrollment::new(id(1), id(9), id(8), user, now())]));
        tx.cohorts.expect_find().returning(|_, cohort_id| {
            let new = NewCohort {
                course_id: id(5),
                name: Name::parse("Spring").unwrap(),
                starts_at: None,
                ends_at: None,
                timezone: "UTC".to_owned(),
                capacity: None,
                metadata: Metadata::default(),
            };
            let mut cohort = Cohort::draft(id(1), cohort_id, new, now()).unwrap();
            cohort.admit(now()).unwrap();
            Ok(Some(cohort))
        });
        tx.cohorts
            .expect_update()
            .withf(|cohort| cohort.student_count == 0)
            .times(1)
            .returning(|_| Ok(()));
        tx.keys
            .expect_end_sessions()
            .withf(|workspace, person, _| *workspace == id(1) && *person == id(7))
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.users.expect_delete().times(1).returning(|_, _| Ok(true));
        tx.events.expect_append().times(1).returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(vec![]));
        assert_eq!(
            delete(&mut tx, &by(Role::Teacher), id(6), false).unwrap(),
            id(6)
        );
    }
}
