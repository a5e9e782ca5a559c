//! Invitations on the wire: memberships as the person sees them.

use lyceum_domain::identity::invitations::{Invitation, InvitationStatus};
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::identity::workspaces::Workspace;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Resource;
use crate::shapes;

/// An invitation of the caller to a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvitationView {
    /// `inv_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Invitation>)]
    pub id: String,
    /// Always `invitation`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Invitation>)]
    pub object: String,
    /// `pending`, `accepted` or `declined`.
    #[schema(schema_with = shapes::word::<InvitationStatus>)]
    pub status: String,
    /// What the caller would be there: `owner`, `admin`, `teacher` or `student`.
    #[schema(schema_with = shapes::word::<Role>)]
    pub role: String,
    /// The workspace. Anybody may call theirs anything: what tells it from others is its code and its uuid.
    pub platform: InvitingPlatform,
    /// Who made the membership, if that was a member who is still there.
    #[schema(required)]
    pub invited_by: Option<Inviter>,
    /// When the caller accepted or declined.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub answered_at: Option<String>,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it was last answered; when it was made, where it was not.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// The workspace that invites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvitingPlatform {
    /// 24 hexadecimal digits, which no other platform has.
    pub uuid: String,
    /// A slug, which no other platform has; older platforms have none.
    #[schema(required)]
    pub code: Option<String>,
    /// What its owners call it.
    pub name: String,
}

/// Who invites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Inviter {
    /// Their e-mail address, in lower case.
    pub email: String,
    /// Their name there; `""` when nobody said.
    pub name: String,
}

impl InvitationView {
    /// Of an invitation.
    pub fn new(invitation: &Invitation) -> Self {
        let Invitation {
            user,
            workspace,
            invited_by,
        } = invitation;
        let answered_at = user.consent.at().map(|at| at.to_string());
        let created_at = user.stamp.created_at.to_string();
        Self {
            id: invitation.id().to_string(),
            object: "invitation".to_owned(),
            status: user.consent.status().to_string(),
            role: user.role.to_string(),
            platform: InvitingPlatform::new(workspace),
            invited_by: Inviter::shown(invited_by.as_ref()),
            updated_at: answered_at.clone().unwrap_or_else(|| created_at.clone()),
            answered_at,
            created_at,
        }
    }
}

impl InvitingPlatform {
    /// Of a workspace.
    pub fn new(workspace: &Workspace) -> Self {
        let platform = &workspace.platform;
        Self {
            uuid: platform.uuid.to_string(),
            code: platform.code.as_ref().map(ToString::to_string),
            name: workspace.name.to_string(),
        }
    }
}

impl Inviter {
    /// Whoever invites, if they are still there and were not erased.
    pub fn shown(user: Option<&User>) -> Option<Self> {
        user.filter(|one| !one.is_erased()).map(Self::new)
    }

    fn new(user: &User) -> Self {
        let name = user.name.as_ref().map(ToString::to_string);
        Self {
            email: user.email.to_string(),
            name: name.unwrap_or_default(),
        }
    }
}

impl Resource for InvitationView {
    const COLLECTION: &'static str = "invitations";

    fn id(&self) -> &str {
        &self.id
    }
}
