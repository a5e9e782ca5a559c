//! The caller on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::identity::keys::{ApiKey, KeyKind};
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::notifying::digests::{DigestRhythm, OwnChanges};
use lyceum_domain::text::Email;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::identity::keys::{ApiKeyView, scope_names};
use crate::identity::platforms::PlatformView;
use crate::identity::users::{UpdateUser, UserView};
use crate::patch::Patch;
use crate::shapes;

/// Who is calling, with which key, and where they may go.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct MeView {
    /// The id of the key: `key_…`
    pub id: String,
    /// Always `identity`.
    pub object: String,
    /// The caller's e-mail address, in lower case.
    pub email: String,
    /// The caller in the platform that they chose; without a choice, in the one that they have belonged to longest.
    #[schema(required)]
    pub user: Option<UserView>,
    /// Whether the caller is told by mail there what waits for a person: `off` or `daily`; null for whoever cannot be.
    #[schema(schema_with = shapes::optional_word::<DigestRhythm>, required)]
    pub digest: Option<String>,
    /// The key.
    pub key: ApiKeyView,
    /// What the key may do.
    pub scopes: Vec<String>,
    /// The platforms that the key opens, newest first.
    pub platforms: Vec<PlatformView>,
    /// When the key was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When the key last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// A change of what the caller says of themselves in the platform that they chose: absent keeps, `null` clears.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateMe {
    /// New name; of learners their teachers say it.
    #[schema(value_type = Option<String>, max_length = 255)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// BCP-47 tag of the language they prefer.
    #[schema(
        value_type = Option<String>,
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
    )]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub language: Patch<String>,
    /// Time zone they live in, by its name in the IANA database.
    #[schema(value_type = Option<String>, max_length = 64, pattern = r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub timezone: Patch<String>,
    /// Whether to tell them by mail, at seven in the morning where they live, what waits for a person; `null` is `off`.
    #[schema(value_type = Option<DigestRhythmInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub digest: Patch<DigestRhythmInput>,
}

/// How often somebody is told by mail what waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DigestRhythmInput {
    /// Never.
    Off,
    /// Each day on which something waits.
    Daily,
}

impl From<DigestRhythmInput> for DigestRhythm {
    fn from(rhythm: DigestRhythmInput) -> Self {
        match rhythm {
            DigestRhythmInput::Off => Self::Off,
            DigestRhythmInput::Daily => Self::Daily,
        }
    }
}

impl Command for UpdateMe {
    type Of = OwnChanges;

    fn command(self) -> Result<OwnChanges, Invalid> {
        let of_user = UpdateUser {
            name: self.name,
            language: self.language,
            timezone: self.timezone,
            ..UpdateUser::default()
        };
        let digest = self.digest.or_default(|| DigestRhythmInput::Off);
        Ok(OwnChanges {
            profile: of_user.command()?,
            digest: digest.map(DigestRhythm::from),
        })
    }
}

impl MeView {
    /// Of a key, its owner's address, its owner in a platform with the digests that they get there, and every platform that it opens.
    pub fn new(
        key: &ApiKey,
        email: &Email,
        (user, digest): (Option<&User>, Option<DigestRhythm>),
        memberships: &[(User, Workspace)],
    ) -> Self {
        let shown = |user: &User| {
            if key.kind == KeyKind::Session || user.role == Role::Student {
                UserView::learner(user)
            } else {
                UserView::new(user)
            }
        };
        Self {
            id: key.id.to_string(),
            object: "identity".to_owned(),
            email: email.to_string(),
            user: user.map(shown),
            digest: digest.map(|digest| digest.to_string()),
            key: ApiKeyView::new(key),
            scopes: scope_names(&key.scopes),
            platforms: memberships
                .iter()
                .map(|(user, workspace)| PlatformView::new(user, workspace))
                .collect(),
            created_at: key.stamp.created_at.to_string(),
            updated_at: key.stamp.updated_at.to_string(),
        }
    }
}
