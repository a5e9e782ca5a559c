//! How a learner of a SCORM package gets in, on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::keys::SecretHash;
use lyceum_domain::scorm_learners::{LaunchKey, LearnerProof, Lms, ScormLaunch};
use lyceum_domain::text::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::platforms::PlatformView;
use crate::shapes;
use crate::tokens::SessionKeyView;
use crate::users::UserView;

/// What a learner without a name is called.
const NAMELESS: &str = "Learner";

/// A launch of a package. No `Debug`: no log line may carry one.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateScormSession {
    /// The launch key in the package's `content/service.js`. It is public and lets learners in, nothing else.
    #[schema(example = "lk_0123456789abcdef0123456789abcdef01234567")]
    pub launch_key: String,
    /// Who the LMS says that the learner is.
    pub learner: ScormLearnerClaim,
    /// What the LMS says of itself.
    pub lms: ScormLms,
    /// The `proof` of the learner's first session; without it they are somebody new.
    #[schema(max_length = 200)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// Random, another one for every launch. The same request again within ten minutes gets the same answer.
    #[schema(
        pattern = "^[A-Za-z0-9_-]{16,128}$",
        example = "3Vq0rJm1c9PzXwT5uE7yBg"
    )]
    pub nonce: String,
}

/// Who the LMS says that the learner is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct ScormLearnerClaim {
    /// `cmi.core.student_id` or `cmi.learner_id`. It is never looked for among the users of the workspace.
    #[schema(min_length = 1, max_length = 4_000, example = "jdoe")]
    pub id: String,
    /// `cmi.core.student_name` or `cmi.learner_name`; may be empty.
    #[schema(max_length = 1_000, example = "Doe, Jane")]
    pub name: String,
}

/// What the LMS says of itself; nothing of it is checked.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct ScormLms {
    /// Which SCORM it speaks.
    #[schema(max_length = 50, example = "1.2")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where it is, or `null` as a word inside a sandbox. The same id at another origin is somebody else.
    #[schema(max_length = 300, example = "https://moodle.example")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// What it is called.
    #[schema(max_length = 255)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl Command for CreateScormSession {
    type Of = ScormLaunch;

    // Keys and proofs may be any text, so that malformed ones and unknown ones answer alike.
    fn command(self) -> Result<ScormLaunch, Invalid> {
        Ok(ScormLaunch {
            launch_key: LaunchKey::sent(self.launch_key),
            learner_name: Name::clamp(&self.learner.name, NAMELESS),
            learner_id: self.learner.id,
            lms: Lms {
                origin: self.lms.origin.unwrap_or_default(),
                title: self.lms.title.unwrap_or_default(),
                version: self.lms.version.unwrap_or_default(),
            },
            proof: self.proof.map(LearnerProof::sent),
            nonce: SecretHash::of(&self.nonce),
        })
    }
}

/// A session key of a package's learner, and what brings them back. No `Debug`: no log line may carry one.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScormSessionView {
    /// Always `session_key`.
    pub object: String,
    /// The whole key; shown only here.
    pub api_key: String,
    /// When it stops working; using it does not prolong it.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub expires_at: Option<String>,
    /// What it may do.
    pub scopes: Vec<String>,
    /// The learner.
    pub user: UserView,
    /// The platform that it opens.
    pub platform: PlatformView,
    /// What the LMS keeps (`cmi.suspend_data`) and the next launch sends, to be the same learner.
    #[schema(example = "Zk3vT0aQ9sLr7WmX2bYc1D")]
    pub proof: String,
}

impl ScormSessionView {
    /// Of a session key and its learner's proof.
    pub fn new(session: SessionKeyView, proof: &LearnerProof) -> Self {
        let SessionKeyView {
            object,
            api_key,
            expires_at,
            scopes,
            user,
            platform,
        } = session;
        Self {
            object,
            api_key,
            expires_at,
            scopes,
            user,
            platform,
            proof: proof.reveal().to_owned(),
        }
    }
}
