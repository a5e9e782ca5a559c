//! Invitations on the wire as the workspace sees them that sends them, and as whoever holds a link does.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::invitations::Invitation;
use lyceum_domain::identity::sign_in_links::SignInLink;
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::notifying::mails::MailStatus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Resource;
use crate::declared::view;
use crate::identity::invitations::{Inviter, InvitingPlatform};
use crate::shapes;

view! {
    /// How it stands with the invitation of a member. No `Debug`: no log line may carry a link.
    #[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SentInvitationView {
        /// `inv_…`, the same as the person's own
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Invitation>)]
        pub id: String = Invitation::of_membership(user.id).to_string(),
        /// Always `sent_invitation`.
        pub object: String = "sent_invitation".to_owned(),
        /// The member.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
        pub user_id: String = user.id.to_string(),
        /// Their address.
        pub email: String = user.email.to_string(),
        /// Their name; `""` when nobody said.
        pub name: String = user.name.as_ref().map(ToString::to_string).unwrap_or_default(),
        /// What they are to be: `owner`, `admin`, `teacher` or `student`.
        #[schema(schema_with = shapes::word::<Role>)]
        pub role: String = user.role.to_string(),
        /// `not_sent`: nobody sent one, or it is long over; `pending`: its link works; `expired`: it does not any more; `accepted`.
        pub status: String = status(user, link, now).to_owned(),
        /// What became of the mail: `pending` while it is tried, `sent` when the mail server took it, `failed` when it was given up, for
        /// example because there is no such address; null where none was sent, and where it is not known any more.
        #[schema(required)]
        pub mail: Option<String> = mail.map(|status| status.to_string()),
        /// The link, in the answer alone that made it, and only where no mail can be sent from here. It lets in once, whoever opens it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub url: Option<String> = None,
        /// When the last one was sent.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub sent_at: Option<String> = link.map(|link| link.created_at.to_string()),
        /// When its link ends.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub expires_at: Option<String> = link.map(|link| link.expires_at.to_string()),
        /// When the membership was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = user.stamp.created_at.to_string(),
        /// When the last one was sent; when the membership was made, where none was.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = link.map_or(user.stamp.created_at, |link| link.created_at).to_string(),
    }

    /// Of a member with their newest link, and what became of its mail.
    pub fn new(user: &User, link: Option<&SignInLink>, mail: Option<MailStatus>, now: Timestamp);
}

fn status(user: &User, link: Option<&SignInLink>, now: Timestamp) -> &'static str {
    match link {
        _ if user.accepted_at().is_some() => "accepted",
        None => "not_sent",
        Some(link) if link.expires_at > now => "pending",
        Some(_) => "expired",
    }
}

impl SentInvitationView {
    /// The same with its link, for the answer alone that made it.
    #[must_use]
    pub fn revealing(mut self, url: String) -> Self {
        self.url = Some(url);
        self
    }
}

impl Resource for SentInvitationView {
    const COLLECTION: &'static str = "sent_invitations";

    fn id(&self) -> &str {
        &self.id
    }
}

view! {
    /// What a link invites to.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct InvitationLinkView {
        /// Always `invitation_link`.
        pub object: String = "invitation_link".to_owned(),
        /// The workspace. Anybody may call theirs anything: what tells it from others is its code and its uuid.
        pub platform: InvitingPlatform = InvitingPlatform::new(&invitation.workspace),
        /// The address that is invited.
        pub email: String = invitation.user.email.to_string(),
        /// What they would be there: `owner`, `admin`, `teacher` or `student`.
        #[schema(schema_with = shapes::word::<Role>)]
        pub role: String = invitation.user.role.to_string(),
        /// Who made the membership, if that was a member who is still there.
        #[schema(required)]
        pub invited_by: Option<Inviter> = Inviter::shown(invitation.invited_by.as_ref()),
        /// Whether the link lets in whoever opens it. Who belongs to another workspace signs in by a way of their own, and accepts the
        /// invitation then.
        pub lets_in: bool = lets_in,
        /// When it ends.
        #[schema(schema_with = shapes::moment)]
        pub expires_at: String = until.to_string(),
    }

    /// Of an invitation by a link that ends then.
    pub fn new(invitation: &Invitation, lets_in: bool, until: Timestamp);
}
