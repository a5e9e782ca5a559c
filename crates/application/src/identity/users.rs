//! What callers do with the users of a workspace.

use lyceum_domain::identity::keys::KeyKind;
use lyceum_domain::identity::users::{
    NewMember, NewService, NewUser, Person, Role, Suspension, User, UserChanges,
};
use lyceum_domain::ids::UserId;
use lyceum_domain::notifying::digests::OwnChanges;
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::text::Email;
use lyceum_wire::identity::users::UserView;

pub use lyceum_ports::identity::users::UserFilter;

use crate::context::Actor;
use crate::identity::access::require_role;
use crate::identity::bootstrap::person_of;
use crate::identity::invitation_links;
use crate::notifying::{digests, events};
use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::running::in_use;
use crate::running::trash::{self, Going};

/// Lets a person in, or a program; a person may be known elsewhere, but not here.
///
/// # Errors
/// [`Conflict::Taken`], [`Error::Forbidden`] for a role above the caller's, [`Error::Invalid`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewMember) -> Result<UserView, Error> {
    let (new, invite) = match new {
        NewMember::Person(new, invite) => (new, invite),
        NewMember::Service(new) => return create_service(tx, ctx, new),
    };
    require_rank(ctx, new.role)?;
    if matches!(new.role, Role::Owner | Role::Admin) {
        require_recent(ctx)?;
    }
    let is_invited = is_invited(ctx, new.role, invite)?;
    if is_invited {
        require_recent(ctx)?;
    }
    if with_email(tx, ctx, &new.email)?.is_some() {
        return Err(Conflict::Taken("email").into());
    }
    let user = join(tx, ctx, new)?;
    if is_invited {
        match invitation_links::invite(tx, ctx, &user) {
            // Whoever fills somebody's letter box elsewhere keeps nobody from making a member here; the list says that nothing was sent.
            Err(Error::Conflict(Conflict::LimitReached(_))) if invite.is_none() => {}
            sent => drop(sent?),
        }
    }
    Ok(UserView::new(&user))
}

/// Who is to work here gets a mail if nobody said otherwise; students are made by the thousand, and many never come here by themselves.
fn is_invited(ctx: &Context, role: Role, invite: Option<bool>) -> Result<bool, Error> {
    let can_be = ctx.settings.mail_is_configured;
    match invite {
        Some(true) if !can_be => {
            let reason =
                "no mail can be sent from here; make the user without, and then a link to hand on";
            Err(Conflict::NotEditable(reason.to_owned()).into())
        }
        Some(invite) => Ok(invite),
        None => Ok(can_be && role != Role::Student),
    }
}

/// Opens doors: so whoever sits at the browser is surely still who signed in there.
fn require_recent(ctx: &Context) -> Result<(), Error> {
    match &ctx.actor {
        Actor::Member(member) => Ok(member.identity.require_recent(ctx.now)?),
        Actor::Service => Ok(()),
    }
}

/// A program's account: what it does is named as its own.
fn create_service(tx: &mut dyn Tx, ctx: &Context, new: NewService) -> Result<UserView, Error> {
    // A key that acts as an admin is an admin's to hand out, and so is what it acts as.
    require_rank(ctx, new.role)?;
    let user = User::service(ctx.workspace_id(), ctx.mint(), ctx.mint(), new, ctx.now)?;
    tx.users().insert_person(&Person {
        id: user.person_id,
        email: user.email.clone(),
        created_at: ctx.now,
    })?;
    Ok(UserView::new(&joined(tx, ctx, user)?))
}

/// Makes the membership of somebody who is not here yet. The workspace may do with it all that it does with its members;
/// their own keys open it once they accepted.
///
/// # Errors
/// [`Error::Invalid`] for the address of a pseudonym or of a service account: whoever had it first would stand in the way
pub fn join(tx: &mut dyn Tx, ctx: &Context, new: NewUser) -> Result<User, Error> {
    if User::is_pseudonymous(&new.email) {
        return Err(Invalid::new("email", "is kept for people who were erased").into());
    }
    if User::is_of_service(&new.email) {
        return Err(Invalid::new("email", "is kept for service accounts").into());
    }
    let person = person_of(tx, &ctx.visitor(), &new.email)?;
    let user = User::new(ctx.workspace_id(), ctx.mint(), person.id, new, ctx.now);
    joined(tx, ctx, user)
}

fn joined(tx: &mut dyn Tx, ctx: &Context, user: User) -> Result<User, Error> {
    let user = user.invited_by(ctx.member().ok().map(|member| member.user.id));
    tx.users().insert(&user)?;
    note_joined(tx, ctx, &user)?;
    events::record(tx, ctx, EventType::UserCreated, &UserView::new(&user))?;
    Ok(user)
}

/// Notes that somebody became a member.
pub fn note_joined(tx: &mut dyn Tx, ctx: &Context, user: &User) -> Result<(), Error> {
    let change = AuditedChange::made(values::member(user));
    let subject = AuditSubject::of(user.id);
    audit::note(tx, ctx, AuditAction::MemberAdded, subject, change)
}

/// The user with this address, if they are here.
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
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &UserFilter,
    page: &PageRequest,
) -> Result<Page<UserView>, Error> {
    let page = tx.users().page(ctx.workspace_id(), filter, page)?;
    Ok(page.map(|user| UserView::new(&user)))
}

/// Changes one. The keys that were made for somebody end on the day that they become an owner.
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
    if user.suspension.is_some() && changes.role == Some(Role::Owner) {
        let text = "a directory ended what the user may; nobody owns what is closed to them";
        return Err(Conflict::NotEditable(text.to_owned()).into());
    }
    let before = user.clone();
    if !user.change(changes, ctx.now)? {
        return Ok(UserView::new(&before));
    }
    require_rank(ctx, user.role)?;
    if user.role != before.role {
        require_recent(ctx)?;
    }
    if user.role != Role::Owner {
        keep_an_owner(tx, ctx, &before)?;
    }
    tx.users().update(&user)?;
    if user.timezone != before.timezone {
        digests::follow(tx, &user, ctx.now)?;
    }
    if before.role != Role::Owner && user.role == Role::Owner {
        // An admin may have made them, and nobody holds a key of somebody above themselves.
        end_ways_in(tx, &user, ctx.now)?;
    } else if user.is_above(before.role) {
        end_what_was_shown(tx, &user, ctx.now)?;
    }
    note_changed(tx, ctx, &before, &user)?;
    let after = UserView::new(&user);
    let before = UserView::new(&before);
    events::record_change(tx, ctx, EventType::UserUpdated, &before, &after)?;
    Ok(after)
}

/// Changes what a member says of themselves. What learners are called is their teachers' to say: else one could hand in as another.
///
/// # Errors
/// [`Forbidden::Bound`] for a key that was made for a member, [`Forbidden::Role`] for the name of a learner and for digests of whoever may
/// not read what everybody hands in, those of [`update`]
pub fn update_own(tx: &mut dyn Tx, ctx: &Context, changes: OwnChanges) -> Result<(), Error> {
    let member = ctx.member()?;
    if member.identity.bound_to.is_some() && member.identity.key_kind != KeyKind::Web {
        return Err(Forbidden::Bound.into());
    }
    if member.is_learner() && changes.profile.name.is_some() {
        return Err(Forbidden::Role.into());
    }
    update(tx, ctx, member.user.id, changes.profile)?;
    let Some(rhythm) = changes.digest else {
        return Ok(());
    };
    let user = find(tx, ctx, member.user.id)?;
    digests::choose(tx, ctx, &user, rhythm)
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

/// Ends what a member may, or lets them in again; a second time changes nothing. Sessions and the keys that were made for them end,
/// and nothing else of theirs.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Role`] for an owner and for somebody above the caller
pub(crate) fn suspend(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    to: Option<Suspension>,
) -> Result<User, Error> {
    let mut user = find(tx, ctx, id)?;
    let before = user.clone();
    if !user.suspend(to, ctx.now) {
        return Ok(user);
    }
    require_rank(ctx, user.role)?;
    if user.role == Role::Owner {
        return Err(Forbidden::Role.into());
    }
    tx.users().update(&user)?;
    let action = if to.is_some() {
        tx.keys()
            .end_sessions(ctx.workspace_id(), user.person_id, ctx.now)?;
        end_ways_in(tx, &user, ctx.now)?;
        AuditAction::MemberSuspended
    } else {
        AuditAction::MemberReinstated
    };
    let change =
        AuditedChange::between(values::standing_here(&before), values::standing_here(&user));
    audit::note(tx, ctx, action, AuditSubject::of(id), change)?;
    let [before, after] = [&before, &user].map(UserView::new);
    events::record_change(tx, ctx, EventType::UserUpdated, &before, &after)?;
    Ok(user)
}

/// Ends a membership and moves it to the trash, with the places in cohorts that came with it, every session and every key
/// that was made for it; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for somebody above the caller, [`Conflict::InUse`],
/// [`Conflict::NotEditable`] for the last owner
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: UserId, force: bool) -> Result<UserId, Error> {
    let user = find(tx, ctx, id)?;
    require_rank(ctx, user.role)?;
    in_use::refuse(tx, ctx, Subject::User(id), force)?;
    keep_an_owner(tx, ctx, &user)?;
    tx.keys()
        .end_sessions(ctx.workspace_id(), user.person_id, ctx.now)?;
    end_ways_in(tx, &user, ctx.now)?;
    trash::put(tx, ctx, Going::member(&user))?;
    let change = AuditedChange::gone(values::member(&user));
    audit::note(
        tx,
        ctx,
        AuditAction::MemberRemoved,
        AuditSubject::of(id),
        change,
    )?;
    Ok(id)
}

/// Ends every way in that hangs on the membership: keys that were made for it, sessions and passkeys that open nothing else, and
/// invitations. None of them comes back with it.
pub(crate) fn end_ways_in(tx: &mut dyn Tx, user: &User, now: Timestamp) -> Result<(), Error> {
    let workspace = user.workspace_id;
    tx.keys().end_member_keys(workspace, user.person_id, now)?;
    tx.sign_in_links()
        .end_invitations(workspace, user.id, now)?;
    Ok(tx.passkeys().delete_of_member(workspace, user.id)?)
}

/// Ends what whoever invited them may have, because they were shown the link: it is not to rise with the member. Keys that were made
/// for them go on, as they were cut down to the role of then.
fn end_what_was_shown(tx: &mut dyn Tx, user: &User, now: Timestamp) -> Result<(), Error> {
    let workspace = user.workspace_id;
    tx.keys()
        .end_bound_sessions(workspace, user.person_id, now)?;
    tx.sign_in_links()
        .end_shown_invitations(workspace, user.id, now)?;
    Ok(tx.passkeys().delete_of_member(workspace, user.id)?)
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

/// A workspace without an owner could never be deleted, nor ever have an owner again. Whoever has not accepted is none
/// yet: their keys do not open it.
///
/// Of two owners who leave at once each would see the other still there: so whoever takes one away has the workspace to
/// themselves until it is done.
pub(crate) fn keep_an_owner(tx: &mut dyn Tx, ctx: &Context, leaving: &User) -> Result<(), Error> {
    if leaving.role != Role::Owner || leaving.accepted_at().is_none() {
        return Ok(());
    }
    tx.workspaces().hold(ctx.workspace_id())?;
    let owners = UserFilter {
        role: Some(Role::Owner),
        accepted: Some(true),
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
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::json::Metadata;
    use lyceum_domain::running::in_use::Uses;
    use lyceum_domain::running::trash::{TrashCounts, TrashKind};
    use lyceum_ports::mocks::MockTx;

    use crate::error::Forbidden;
    use crate::identity::visibility::tests::{context, id, now};

    fn by(role: Role) -> Context {
        context(role, KeyKind::Standard)
    }

    fn new(role: Role) -> NewUser {
        NewUser {
            email: Email::parse("bob@example.org").unwrap(),
            name: None,
            role,
            language: None,
            timezone: None,
            external_id: None,
            metadata: Metadata::default(),
        }
    }

    fn user(role: Role) -> User {
        User::new(id(1), id(6), id(7), new(role), now()).of_ones_own_will()
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
            assert_eq!(filter.accepted, Some(true));
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
    fn whoever_never_accepted_was_no_owner_yet() {
        let mut tx = MockTx::default();
        let mut invited = user(Role::Owner);
        invited.consent = lyceum_domain::identity::invitations::Consent::Pending;
        assert!(keep_an_owner(&mut tx, &by(Role::Owner), &invited).is_ok());
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
            let made = create(
                &mut MockTx::default(),
                &ctx,
                NewMember::Person(new(above), None),
            );
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
        let new = NewMember::Person(new(Role::Student), None);
        let refused = create(&mut tx, &by(Role::Admin), new).unwrap_err();
        assert!(matches!(refused, Error::Conflict(Conflict::Taken("email"))));
    }

    #[test]
    fn whoever_leaves_loses_their_sessions() {
        let mut tx = with(Role::Student, 1);
        tx.keys
            .expect_end_sessions()
            .withf(|workspace, person, _| *workspace == id(1) && *person == id(7))
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.keys
            .expect_end_member_keys()
            .withf(|workspace, person, _| *workspace == id(1) && *person == id(7))
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.sign_in_links
            .expect_end_invitations()
            .withf(|workspace, member, _| *workspace == id(1) && *member == id(6))
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.passkeys
            .expect_delete_of_member()
            .withf(|workspace, member| *workspace == id(1) && *member == id(6))
            .times(1)
            .returning(|_, _| Ok(()));
        // What is told is told by the trash, of what is in it.
        tx.trash
            .expect_gather()
            .withf(|item| item.kind == TrashKind::User && item.person_id == Some(id(7)))
            .times(1)
            .returning(|_| Ok(TrashCounts::new()));
        tx.trash
            .expect_pending_generations()
            .returning(|_| Ok(Vec::new()));
        tx.trash.expect_take_out().times(1).returning(|_| Ok(()));
        assert_eq!(
            delete(&mut tx, &by(Role::Teacher), id(6), false).unwrap(),
            id(6)
        );
    }
}
