//! Learners of SCORM packages: who an LMS says that somebody is, and how they prove that they came before.
//!
//! What an LMS says is a claim: whoever has the archive can send any learner's id. So a learner is somebody of
//! their own, never a person who is known by other means, and comes back by a proof that only their LMS keeps.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::identity::keys::{SecretHash, random_base62};
use crate::identity::users::{NewUser, Role};
use crate::ids::{CohortId, ScormLearnerId, ScormPackageId, UserId, WorkspaceId};
use crate::json::Metadata;
use crate::text::{Email, Name};
use crate::words::words;
use crate::{InvalidValue, Timestamp, hex};

/// How many learners one package lets in: its launch key is public, and every learner is a row.
pub const MAX_LEARNERS: u64 = 10_000;

/// The domain of learners' addresses: reserved (RFC 2606), so that no mail ever gets there.
const NOWHERE: &str = "scorm.invalid";

/// A package's launch key: `lk_` and 40 hexadecimal digits (160 bits). It lies in the archive, so it is public,
/// and lets learners in and nothing else. No `Debug`: no log line may carry one.
#[derive(Clone)]
pub struct LaunchKey(String);

impl LaunchKey {
    /// From 20 bytes that nobody can guess.
    pub fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(format!("lk_{}", hex::lower(&bytes)))
    }

    /// As somebody sent it: any text, so that malformed keys and wrong ones answer alike.
    pub const fn sent(text: String) -> Self {
        Self(text)
    }

    /// The whole key.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether the other one is the same key, in constant time.
    pub fn is(&self, other: &Self) -> bool {
        SecretHash::of(&self.0) == SecretHash::of(&other.0)
    }
}

/// What a learner's LMS keeps for them, so that they are the same learner next time: 22 base62 characters (131
/// bits). No `Debug`: no log line may carry one.
#[derive(Clone)]
pub struct LearnerProof(String);

impl LearnerProof {
    /// Makes a proof from a source of random bytes.
    pub fn mint(random: &mut dyn FnMut(&mut [u8])) -> Self {
        Self((0..22).map(|_| random_base62(random)).collect())
    }

    /// As somebody sent it.
    pub const fn sent(text: String) -> Self {
        Self(text)
    }

    /// The whole proof.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored instead of the proof.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }
}

/// What the LMS says of itself; nothing of it is checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lms {
    /// Where it is, such as `https://lms.example`; `null` inside a sandbox, empty if it did not say.
    pub origin: String,
    /// What it or its page is called.
    pub title: String,
    /// Which SCORM it speaks.
    pub version: String,
}

/// Who the LMS says that somebody is: one learner id at one origin, as a hash, because ids are often names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LearnerIdentity(String);

impl LearnerIdentity {
    /// Of a learner's id at an origin.
    pub fn of(origin: &str, learner_id: &str) -> Self {
        // The length keeps the two apart, whatever is in them.
        let text = format!("{}\n{origin}{learner_id}", origin.len());
        Self(hex::lower(&Sha256::digest(text.as_bytes())))
    }

    /// From storage.
    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Lower-case hex.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

words!(
    /// How far it is known that a learner is who the LMS says.
    LearnerTrust {
        /// The first to come under this id.
        FirstUse = "first_use",
        /// Came to another package of the cohort first, and had the proof of it.
        Proven = "proven",
        /// Came under an id that somebody else has the proof of.
        Unverified = "unverified",
    }
);

impl LearnerTrust {
    /// Of the same learner at another package of the cohort.
    #[must_use]
    pub const fn elsewhere(self) -> Self {
        match self {
            Self::FirstUse | Self::Proven => Self::Proven,
            Self::Unverified => Self::Unverified,
        }
    }
}

/// A learner at one archive of their cohort's course: who comes to another archive of it has another row there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScormLearner {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: ScormLearnerId,
    /// The cohort: its packages know each other's learners by their proofs.
    pub cohort_id: CohortId,
    /// The package whose identity the archive carries; it may be gone.
    pub package_id: ScormPackageId,
    /// Who they are here.
    pub user_id: UserId,
    /// Who the LMS says they are.
    pub identity: LearnerIdentity,
    /// Their id, as the LMS said it.
    pub claimed_id: String,
    /// What the LMS said of itself when they last came.
    pub lms: Lms,
    /// How far that is known.
    pub trust: LearnerTrust,
    /// Hash of their proof.
    pub proof: SecretHash,
    /// Hash of the nonce of their last launch.
    pub nonce: SecretHash,
    /// When they first came.
    pub created_at: Timestamp,
    /// When they last came.
    pub launched_at: Timestamp,
}

/// A launch as the player inside a package tells of it. No `Debug`: it carries secrets.
#[derive(Clone)]
pub struct ScormLaunch {
    /// The package's key.
    pub launch_key: LaunchKey,
    /// The learner's id, as the LMS says.
    pub learner_id: String,
    /// The learner's name, as the LMS says.
    pub learner_name: Name,
    /// What the LMS says of itself.
    pub lms: Lms,
    /// What the learner's LMS has kept for them, if anything.
    pub proof: Option<LearnerProof>,
    /// Chosen anew for every launch, so that a launch that is sent twice is one launch.
    pub nonce: SecretHash,
    /// Where the browser says that the player is, if it says so.
    pub page_origin: Option<String>,
}

impl ScormLaunch {
    /// Who the LMS says that this is.
    pub fn identity(&self) -> LearnerIdentity {
        LearnerIdentity::of(&self.lms.origin, &self.learner_id)
    }

    /// Tells this launch from others with the same nonce.
    pub fn fingerprint(&self) -> String {
        let parts = [
            self.learner_id.as_str(),
            self.learner_name.as_str(),
            &self.lms.origin,
            &self.lms.title,
            &self.lms.version,
            self.nonce.as_str(),
            self.proof.as_ref().map_or("", LearnerProof::reveal),
        ];
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(format!("{}\n{part}", part.len()));
        }
        hex::lower(&hash.finalize())
    }

    /// The student that a first launch makes: nobody who is known by other means. The address is made from the
    /// user's own new id and never from what was sent; the id of the LMS stands in `external_id` behind a prefix,
    /// so that it is not taken for an id that the workspace itself gave.
    ///
    /// # Errors
    /// Never for texts of the lengths that the wire takes.
    pub fn newcomer(
        &self,
        package: ScormPackageId,
        user_id: UserId,
        trust: LearnerTrust,
    ) -> Result<NewUser, InvalidValue> {
        let said = [
            ("scorm_package", package.to_string()),
            ("scorm_identity", trust.to_string()),
            ("scorm_origin", self.lms.origin.clone()),
            ("scorm_lms", self.lms.title.clone()),
        ];
        let said = said.into_iter().filter(|(_, text)| !text.is_empty());
        let said: Map<String, Value> = said
            .map(|(key, text)| (key.to_owned(), Value::String(text)))
            .collect();
        let external_id = Name::clamp(&format!("scorm:{}", self.learner_id), "scorm");
        Ok(NewUser {
            email: Email::parse(&format!("{user_id}@{NOWHERE}"))?,
            name: Some(self.learner_name.clone()),
            role: Role::Student,
            language: None,
            timezone: None,
            external_id: Some(external_id.to_string()),
            metadata: Metadata::parse(said)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use uuid::Uuid;

    fn launch() -> ScormLaunch {
        ScormLaunch {
            launch_key: LaunchKey::from_bytes([7; 20]),
            learner_id: "ada@school.example".to_owned(),
            learner_name: Name::clamp("Ada", "Learner"),
            lms: Lms {
                origin: "https://lms.example".to_owned(),
                ..Lms::default()
            },
            proof: None,
            nonce: SecretHash::of("nonce"),
            page_origin: None,
        }
    }

    fn package() -> ScormPackageId {
        Id::from_uuid(Uuid::from_u128(3))
    }

    #[test]
    fn a_launch_key_is_itself_and_no_other() {
        let key = LaunchKey::from_bytes([7; 20]);
        assert_eq!(key.reveal(), format!("lk_{}", "07".repeat(20)));
        assert!(key.is(&LaunchKey::sent(key.reveal().to_owned())));
        for wrong in [
            "",
            "lk_",
            &"07".repeat(20),
            &format!("LK_{}", "07".repeat(20)),
        ] {
            assert!(!key.is(&LaunchKey::sent(wrong.to_owned())), "{wrong}");
        }
    }

    #[test]
    fn a_proof_has_22_characters_and_is_stored_as_a_hash() {
        let mut byte = 0_u8;
        let mut random = |bytes: &mut [u8]| {
            for one in bytes {
                byte = byte.wrapping_add(41);
                *one = byte;
            }
        };
        let (first, second) = (
            LearnerProof::mint(&mut random),
            LearnerProof::mint(&mut random),
        );
        assert_eq!(first.reveal().len(), 22);
        assert!(first.reveal().bytes().all(|b| b.is_ascii_alphanumeric()));
        assert_ne!(first.reveal(), second.reveal());
        assert_eq!(
            LearnerProof::sent(first.reveal().to_owned()).hash(),
            first.hash()
        );
    }

    #[test]
    fn an_identity_is_one_id_at_one_origin() {
        let one = LearnerIdentity::of("https://a", "b");
        assert_eq!(one, LearnerIdentity::of("https://a", "b"));
        assert_ne!(one, LearnerIdentity::of("https://", "ab"));
        assert_ne!(one, LearnerIdentity::of("https://a", "B"));
        assert_ne!(one, LearnerIdentity::of("", "https://ab"));
    }

    #[test]
    fn a_launch_that_differs_in_anything_has_another_fingerprint() {
        let change = |change: &dyn Fn(&mut ScormLaunch)| {
            let mut launch = launch();
            change(&mut launch);
            launch.fingerprint()
        };
        let same = launch().fingerprint();
        assert_eq!(change(&|_| ()), same);
        let others = [
            change(&|it| it.learner_id.push('x')),
            change(&|it| it.learner_name = Name::clamp("Eve", "Learner")),
            change(&|it| it.lms.origin.clear()),
            change(&|it| it.lms.title.push('x')),
            change(&|it| it.lms.version.push('x')),
            change(&|it| it.nonce = SecretHash::of("other")),
            change(&|it| it.proof = Some(LearnerProof::sent("p".to_owned()))),
        ];
        assert!(others.iter().all(|other| *other != same));
    }

    #[test]
    fn a_newcomer_is_a_student_and_nobody_who_is_known() {
        let user_id = UserId::from_uuid(Uuid::from_u128(9));
        let new = launch()
            .newcomer(package(), user_id, LearnerTrust::Unverified)
            .unwrap();
        assert_eq!(new.role, Role::Student);
        assert_eq!(new.email.as_str(), format!("{user_id}@scorm.invalid"));
        assert_eq!(new.external_id.as_deref(), Some("scorm:ada@school.example"));
        let metadata = Value::Object(new.metadata.as_map().clone());
        assert_eq!(metadata["scorm_identity"], "unverified");
        assert_eq!(metadata["scorm_package"], package().to_string());
        assert_eq!(metadata["scorm_origin"], "https://lms.example");
        assert!(metadata.get("scorm_lms").is_none());
    }

    #[test]
    fn the_longest_id_of_an_lms_still_makes_a_student() {
        let mut launch = launch();
        launch.learner_id = "é\u{7}".repeat(2_000);
        let new = launch.newcomer(
            package(),
            UserId::from_uuid(Uuid::from_u128(9)),
            LearnerTrust::FirstUse,
        );
        assert_eq!(new.unwrap().external_id.unwrap().chars().count(), 255);
    }
}
