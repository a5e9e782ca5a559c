//! How a learner of a SCORM package gets in, on the wire.

use lyceum_domain::exporting::scorm_learners::{
    LaunchKey, LearnerProof, LearnerTrust, Lms, ScormLaunch, ScormLearner,
};
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::text::Name;
use lyceum_domain::{Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::identity::platforms::PlatformView;
use crate::identity::tokens::SessionKeyView;
use crate::identity::users::UserView;
use crate::shapes;

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
            page_origin: None,
        })
    }
}

/// A learner who came with a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScormLearnerView {
    /// `scl_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::ScormLearner>)]
    pub id: String,
    /// Always `scorm_learner`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::ScormLearner>)]
    pub object: String,
    /// The student that they are here: `usr_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
    pub user_id: String,
    /// What the student is called.
    pub name: String,
    /// Their id in the LMS, as it said: a claim.
    pub lms_learner_id: String,
    /// `first_use`: the first to come to the cohort under this id. `proven`: has the proof of an earlier launch of
    /// another package of the cohort. `unverified`: came under an id that somebody else has the proof of.
    #[schema(schema_with = shapes::word::<LearnerTrust>)]
    pub identity: String,
    /// What the LMS said of itself at their last launch: a claim.
    pub lms: ScormLmsView,
    /// When they first came with this package.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When they last launched it.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
    /// When they were last seen: their last launch, or the last use of a session, to the minute.
    #[schema(schema_with = shapes::moment)]
    pub last_seen_at: String,
}

/// What an LMS said of itself; nothing of it is checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScormLmsView {
    /// Which SCORM it speaks.
    pub version: String,
    /// Where it is.
    pub origin: String,
    /// What it is called.
    pub title: String,
}

impl ScormLearnerView {
    /// Of a learner, what they are called, and when a session of theirs was last used.
    pub fn new(learner: &ScormLearner, name: Option<&Name>, used_at: Option<Timestamp>) -> Self {
        let launched_at = learner.launched_at;
        let seen_at = used_at.map_or(launched_at, |used_at| used_at.max(launched_at));
        let Lms {
            origin,
            title,
            version,
        } = learner.lms.clone();
        Self {
            id: learner.id.to_string(),
            object: "scorm_learner".to_owned(),
            user_id: learner.user_id.to_string(),
            name: name.map(Name::to_string).unwrap_or_default(),
            lms_learner_id: learner.claimed_id.clone(),
            identity: learner.trust.to_string(),
            lms: ScormLmsView {
                version,
                origin,
                title,
            },
            created_at: learner.created_at.to_string(),
            updated_at: launched_at.to_string(),
            last_seen_at: seen_at.to_string(),
        }
    }
}

impl Resource for ScormLearnerView {
    const COLLECTION: &'static str = "sessions";

    fn id(&self) -> &str {
        &self.id
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
