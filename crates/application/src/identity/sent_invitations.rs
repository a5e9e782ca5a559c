//! How it stands with who was invited into a workspace and has not come: sending an invitation, and again.

use lyceum_domain::identity::sign_in_links::{InvitedTo, SignInLink};
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{MailId, UserId};
use lyceum_wire::identity::sent_invitations::SentInvitationView;

use crate::identity::invitation_links::invite;
use crate::identity::users::{self, UserFilter};
use crate::prelude::*;

/// Sends a member who has not accepted an invitation, in the place of the one before; where no mail can be sent, the answer has the link.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for somebody above the caller, [`Conflict::NotEditable`] for who has accepted, is a
/// program or was erased, [`Conflict::LimitReached`] for an address that got as many as it may
pub fn send(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<SentInvitationView, Error> {
    let mut user = users::find(tx, ctx, id)?;
    users::require_rank(ctx, user.role)?;
    if let Some(reason) = no_invitation_for(&user) {
        return Err(Conflict::NotEditable(reason.to_owned()).into());
    }
    // Whoever ends the membership or accepts at the same time begins anew, and sees the link.
    user.hold();
    tx.users().update(&user)?;
    invite(tx, ctx, &user)
}

fn no_invitation_for(user: &User) -> Option<&'static str> {
    if user.is_erased() {
        return Some("the user was erased");
    }
    if user.suspension.is_some() {
        return Some("the user is suspended by a directory");
    }
    if user.is_service() {
        return Some("a service account is nobody who could be invited");
    }
    user.accepted_at()
        .map(|_| "the user has accepted already: they sign in")
}

/// Shows how it stands with the invitation of a member, without the link.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<SentInvitationView, Error> {
    let user = users::find(tx, ctx, id)?;
    let mut shown = shown(tx, ctx, &[user])?;
    found(shown.pop(), "invitation")
}

/// Shows a page of the members who have not accepted, each with how it stands with their invitation.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    page: &PageRequest,
) -> Result<Page<SentInvitationView>, Error> {
    let waiting = UserFilter {
        accepted: Some(false),
        ..UserFilter::default()
    };
    let page = tx.users().page(ctx.workspace_id(), &waiting, page)?;
    Ok(Page {
        items: shown(tx, ctx, &page.items)?,
        next: page.next,
    })
}

fn shown(
    tx: &mut dyn Tx,
    ctx: &Context,
    members: &[User],
) -> Result<Vec<SentInvitationView>, Error> {
    let ids: Vec<UserId> = members.iter().map(|user| user.id).collect();
    let links = tx.sign_in_links().invitations(ctx.workspace_id(), &ids)?;
    let of = |user: &User| {
        let is_theirs = |to: InvitedTo| to.user_id == user.id;
        links
            .iter()
            .find(|link| link.invites.is_some_and(is_theirs))
    };
    let mails: Vec<MailId> = links
        .iter()
        .filter_map(|link| link.invites.and_then(|to| to.mail_id))
        .collect();
    let outcomes = tx.mails().statuses(&mails)?;
    let outcome = |link: &SignInLink| {
        let mail = link.invites.and_then(|to| to.mail_id)?;
        let known = outcomes.iter().find(|(id, _)| *id == mail);
        known.map(|(_, status)| *status)
    };
    let view = |user: &User| {
        let link = of(user);
        SentInvitationView::new(user, link, link.and_then(outcome), ctx.now)
    };
    Ok(members.iter().map(view).collect())
}
