//! Invitations as links: sent by mail, or, where no mail can be sent, shown to whoever invites. A link lets in, once, who is not known
//! anywhere else, and belongs to the workspace from then on.
//!
//! Who gets the mail has the address. A link that was shown proves nothing: whoever invites has it too, so it lets in as that member of
//! that workspace and nothing else. And who belongs elsewhere has their own ways to sign in: a link that was handed on would open
//! what is theirs there.

use std::sync::Arc;

use lyceum_domain::identity::invitations::Invitation;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::sign_in_links::{
    INVITATION_LIFETIME, InvitedTo, SignInLink, SignInSecret,
};
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::notifying::mails::MailStatus;
use lyceum_domain::text::LanguageTag;
use lyceum_wire::identity::sent_invitations::{InvitationLinkView, SentInvitationView};
use lyceum_wire::identity::sign_in::SignedInView;
use lyceum_wire::identity::users::UserView;
use serde_json::json;

use crate::context::{Actor, Member, Visitor};
use crate::error::Unauthenticated;
use crate::identity::access::identity;
use crate::identity::sign_in::{self, Browser, Proof};
use crate::identity::sign_in_links::random;
use crate::notifying::events;
use crate::notifying::mails::{self, NewMail, Queued};
use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::running::trash::called;

/// Where a browser takes an invitation. What lets in stands behind the `#`, which no browser sends and no log has.
fn address(visitor: &Visitor, secret: &SignInSecret) -> String {
    let base = visitor.settings.public_url.as_str();
    format!("{base}/studio#/invitation/{}", secret.reveal())
}

/// Makes a link for a membership that this transaction has for itself, in the place of the one before, and has it sent; where no mail can be
/// sent, the view has the link.
///
/// # Errors
/// [`Conflict::LimitReached`] for an address that got as many as it may
pub(crate) fn invite(
    tx: &mut dyn Tx,
    ctx: &Context,
    user: &User,
) -> Result<SentInvitationView, Error> {
    let secret = SignInSecret::of_invitation(random(ctx));
    let url = address(ctx, &secret);
    let until = ctx.now.plus(INVITATION_LIFETIME);
    let mail_id = match mails::queue(tx, ctx, mail(ctx, user, &url, until))? {
        Queued::Waiting(id) => Some(id),
        Queued::NotConfigured => None,
        Queued::TooMany => {
            let reason = "the address got as many invitations within an hour as it may";
            return Err(Conflict::LimitReached(reason.to_owned()).into());
        }
    };
    let (workspace_id, user_id) = (ctx.workspace_id(), user.id);
    let link = SignInLink {
        hash: secret.hash(),
        person_id: Some(user.person_id),
        email: user.email.clone(),
        browser: None,
        method: SignInMethod::Invitation,
        invites: Some(InvitedTo {
            workspace_id,
            user_id,
            mail_id,
        }),
        created_at: ctx.now,
        expires_at: until,
    };
    tx.sign_in_links()
        .end_invitations(workspace_id, user_id, ctx.now)?;
    tx.sign_in_links().insert(&link)?;
    let change = AuditedChange::made(json!({
        "role": user.role.as_str(),
        "by_mail": mail_id.is_some(),
        "expires_at": until.to_string(),
    }));
    let subject = AuditSubject::of(user_id);
    audit::note(tx, ctx, AuditAction::MemberInvited, subject, change)?;
    let sent = SentInvitationView::new(
        user,
        Some(&link),
        mail_id.map(|_| MailStatus::Pending),
        ctx.now,
    );
    Ok(match mail_id {
        Some(_) => sent,
        None => sent.revealing(url),
    })
}

fn mail(ctx: &Context, user: &User, url: &str, until: Timestamp) -> NewMail {
    let workspace = ctx.workspace.name.to_string();
    let inviter = match &ctx.actor {
        Actor::Member(member) => called(&member.user),
        Actor::Service => workspace.clone(),
    };
    NewMail {
        to: user.email.clone(),
        language: user.language.clone().unwrap_or_else(LanguageTag::english),
        letter: Letter::invitation(&inviter, &workspace, user.role, url, until),
        workspace: Some(ctx.workspace_id()),
        not_after: until,
        withheld: false,
    }
}

/// What a link invites to.
struct Invited {
    link: SignInLink,
    to: InvitedTo,
    person: Person,
    invitation: Invitation,
    /// Whether the person belongs somewhere else.
    is_known_elsewhere: bool,
}

/// Shows whoever has a link what it invites to.
///
/// # Errors
/// [`Unauthenticated::InvalidToken`], whatever is wrong with it
pub fn look(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    hash: &SecretHash,
) -> Result<InvitationLinkView, Error> {
    let invited = find(tx, visitor, hash)?;
    let lets_in = !invited.is_known_elsewhere;
    let until = invited.link.expires_at;
    Ok(InvitationLinkView::new(&invited.invitation, lets_in, until))
}

/// Accepts, and begins a session in the place of the one that the browser held.
///
/// # Errors
/// [`Unauthenticated::InvalidToken`], whatever is wrong with it; [`Unauthenticated::SignInFirst`] for who belongs elsewhere, which leaves
/// it as it is
pub fn accept(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    hash: &SecretHash,
    browser: &Browser,
) -> Result<SignedInView, Error> {
    let invited = find(tx, visitor, hash)?;
    if invited.is_known_elsewhere {
        return Err(Unauthenticated::SignInFirst.into());
    }
    if !tx.sign_in_links().redeem(hash, visitor.now)? {
        return Err(Unauthenticated::InvalidToken.into());
    }
    let before = invited.invitation.user.clone();
    let mut user = before.clone();
    user.accept(visitor.now);
    tx.users().update(&user)?;
    let proof = Proof {
        person: &invited.person,
        method: SignInMethod::Invitation,
        only_as: (!invited.to.proves_address()).then_some(&user),
    };
    let begun = sign_in::begin(tx, visitor, &proof, browser)?;
    let identity = identity(&begun.key, &invited.person, visitor.now);
    let member = Member {
        identity: Arc::new(identity),
        user: Arc::new(user.clone()),
    };
    let ctx = visitor.within(invited.invitation.workspace.clone(), Actor::Member(member));
    let change = AuditedChange::made(values::member(&user));
    let subject = AuditSubject::of(user.id);
    audit::note(tx, &ctx, AuditAction::MemberAccepted, subject, change)?;
    let (before, after) = (UserView::new(&before), UserView::new(&user));
    events::record_change(tx, &ctx, EventType::UserUpdated, &before, &after)?;
    Ok(begun.shown(&invited.person))
}

fn find(tx: &mut dyn Tx, visitor: &Visitor, hash: &SecretHash) -> Result<Invited, Error> {
    let invalid = || Error::from(Unauthenticated::InvalidToken);
    let link = tx.sign_in_links().find(hash, visitor.now)?;
    let link = link.ok_or_else(invalid)?;
    let to = link.invites.ok_or_else(invalid)?;
    let id = Invitation::of_membership(to.user_id);
    let person = link.person_id.ok_or_else(invalid)?;
    let invitation = tx.users().invitation(person, id)?;
    // Whoever accepted since by a way of their own has used it up, and who is another now was not invited.
    let invitation = invitation.filter(|one| {
        one.user.workspace_id == to.workspace_id
            && one.user.accepted_at().is_none()
            && one.user.suspension.is_none()
            && one.user.email == link.email
    });
    let invitation = invitation.ok_or_else(invalid)?;
    let person = tx.users().person(person)?.ok_or_else(invalid)?;
    Ok(Invited {
        // Here they have not said yes.
        is_known_elsewhere: sign_in::belongs_somewhere(tx, person.id)?,
        link,
        to,
        person,
        invitation,
    })
}
