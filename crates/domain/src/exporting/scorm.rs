//! SCORM packages: a cohort's course, frozen for any LMS.

use crate::exporting::scorm_policy::{LaunchPolicy, ReportingPolicy};
use crate::ids::{CohortId, CourseId, ScormPackageId, WorkspaceId};
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{Stamp, Timestamp, Words};

pub use crate::exporting::scorm_addresses::{LmsOrigin, RuntimeBaseUrl};

words!(
    /// Which SCORM a package speaks.
    ScormVersion {
        /// SCORM 1.2.
        V12 = "1.2",
        /// SCORM 2004 (3rd Edition).
        V2004 = "2004",
    }
);

/// What was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScormFile {
    /// The package whose id and launch key the archive carries: packages of unchanged content share one archive. It
    /// may be deleted while others that share the archive are still there.
    pub origin: ScormPackageId,
    /// Tells this content, policy and player from all others; absent from an archive that no other may share.
    pub fingerprint: Option<String>,
    /// Bytes of the archive.
    pub size_bytes: u64,
    /// SHA-256 of the archive, lower-case hex.
    pub sha256: String,
    /// SHA-256 over what the learner sees, lower-case hex.
    pub content_hash: String,
    /// What a teacher should know before uploading.
    pub warnings: Vec<String>,
}

impl ScormFile {
    /// What is told where the stored archive is damaged and its course has changed since.
    pub const DAMAGED: &str = "The stored archive is damaged and cannot be downloaded. Its course has changed since, so it \
                               could not be made anew: export a new package, or put the file back from a backup.";

    /// Whether a person was told that the archive is damaged.
    pub fn is_told_damaged(&self) -> bool {
        self.warnings.iter().any(|warning| warning == Self::DAMAGED)
    }
}

/// Where a package is: pending → ready | error; ready → revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScormState {
    /// Being made.
    Pending {
        /// When it will probably be done.
        estimated_ready_at: Timestamp,
    },
    /// Can be downloaded.
    Ready(ScormFile),
    /// Could not be made.
    Error {
        /// Such as `nothing_to_export`.
        code: String,
        /// For a person.
        message: String,
    },
    /// No longer wanted.
    Revoked(ScormFile),
}

impl Words for ScormState {
    fn words() -> Vec<&'static str> {
        vec!["pending", "ready", "error", "revoked"]
    }
}

impl ScormState {
    /// The state in a word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Pending { .. } => "pending",
            Self::Ready(_) => "ready",
            Self::Error { .. } => "error",
            Self::Revoked(_) => "revoked",
        }
    }
}

/// A package asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewScormPackage {
    /// Whose course.
    pub cohort_id: CohortId,
    /// Which SCORM.
    pub version: ScormVersion,
    /// Where the package's runtime calls; the service's own public address if absent.
    pub runtime_base_url: Option<RuntimeBaseUrl>,
    /// Whom it lets in.
    pub launch: LaunchPolicy,
    /// What its LMS is told.
    pub reporting: ReportingPolicy,
}

/// A package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScormPackage {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: ScormPackageId,
    /// Whose course.
    pub cohort_id: CohortId,
    /// The course.
    pub course_id: CourseId,
    /// Which SCORM.
    pub version: ScormVersion,
    /// Where the package's runtime calls.
    pub runtime_base_url: RuntimeBaseUrl,
    /// Whom it lets in.
    pub launch: LaunchPolicy,
    /// What its LMS is told.
    pub reporting: ReportingPolicy,
    /// Where it is.
    pub state: ScormState,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl ScormPackage {
    /// Whether it is there to be used.
    pub const fn is_ready(&self) -> bool {
        matches!(self.state, ScormState::Ready(_))
    }

    /// The package whose identity its archive carries, once there is an archive.
    pub const fn origin(&self) -> Option<ScormPackageId> {
        match &self.state {
            ScormState::Ready(file) | ScormState::Revoked(file) => Some(file.origin),
            ScormState::Pending { .. } | ScormState::Error { .. } => None,
        }
    }

    /// pending → ready
    pub fn finish(&mut self, file: ScormFile, now: Timestamp) -> Result<(), InvalidTransition> {
        self.leave_pending("be finished")?;
        self.state = ScormState::Ready(file);
        self.stamp.touch(now);
        Ok(())
    }

    /// pending → error
    pub fn fail(
        &mut self,
        code: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        self.leave_pending("fail")?;
        self.state = ScormState::Error {
            code: code.to_owned(),
            message: message.to_owned(),
        };
        self.stamp.touch(now);
        Ok(())
    }

    /// Says that its archive is damaged and cannot be made anew, or that it is whole again; whether that was news. The
    /// package stays ready: learners inside copies that were handed out go on being let in.
    pub fn tell_damage(&mut self, is_damaged: bool, now: Timestamp) -> bool {
        let ScormState::Ready(file) = &mut self.state else {
            return false;
        };
        if file.is_told_damaged() == is_damaged {
            return false;
        }
        if is_damaged {
            file.warnings.push(ScormFile::DAMAGED.to_owned());
        } else {
            file.warnings
                .retain(|warning| warning != ScormFile::DAMAGED);
        }
        self.stamp.touch(now);
        true
    }

    /// ready → revoked
    pub fn revoke(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        match &self.state {
            ScormState::Ready(file) => self.state = ScormState::Revoked(file.clone()),
            other @ (ScormState::Pending { .. }
            | ScormState::Error { .. }
            | ScormState::Revoked(_)) => return Err(Self::cannot(other, "be revoked")),
        }
        self.stamp.touch(now);
        Ok(())
    }

    fn leave_pending(&self, action: &'static str) -> Result<(), InvalidTransition> {
        match &self.state {
            ScormState::Pending { .. } => Ok(()),
            other @ (ScormState::Ready(_) | ScormState::Error { .. } | ScormState::Revoked(_)) => {
                Err(Self::cannot(other, action))
            }
        }
    }

    const fn cannot(state: &ScormState, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "scorm_package",
            from: state.as_str(),
            action,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use uuid::Uuid;

    fn package(state: ScormState) -> ScormPackage {
        ScormPackage {
            workspace_id: Id::from_uuid(Uuid::nil()),
            id: Id::from_uuid(Uuid::nil()),
            cohort_id: Id::from_uuid(Uuid::nil()),
            course_id: Id::from_uuid(Uuid::nil()),
            version: ScormVersion::V2004,
            runtime_base_url: RuntimeBaseUrl::parse("http://127.0.0.1:8080/").unwrap(),
            launch: LaunchPolicy::default(),
            reporting: ReportingPolicy::default(),
            state,
            stamp: Stamp::new(Timestamp::from_unix_millis(0)),
        }
    }

    #[test]
    fn damage_is_told_once_and_taken_back_and_the_package_stays_ready() {
        let now = Timestamp::from_unix_millis(1);
        let file = ScormFile {
            origin: Id::from_uuid(Uuid::nil()),
            fingerprint: None,
            size_bytes: 1,
            sha256: String::new(),
            content_hash: String::new(),
            warnings: vec!["a picture is missing".to_owned()],
        };
        let mut ready = package(ScormState::Ready(file.clone()));
        let told = [true, true, false, false].map(|damaged| ready.tell_damage(damaged, now));
        assert_eq!(told, [true, false, true, false]);
        assert_eq!(ready.state, ScormState::Ready(file.clone()));
        assert!(!package(ScormState::Revoked(file)).tell_damage(true, now));
    }

    #[test]
    fn every_move_is_legal_from_its_state_only() {
        let now = Timestamp::from_unix_millis(0);
        let file = ScormFile {
            origin: Id::from_uuid(Uuid::nil()),
            fingerprint: None,
            size_bytes: 1,
            sha256: String::new(),
            content_hash: String::new(),
            warnings: vec![],
        };
        let states = [
            ScormState::Pending {
                estimated_ready_at: now,
            },
            ScormState::Ready(file.clone()),
            ScormState::Error {
                code: String::new(),
                message: String::new(),
            },
            ScormState::Revoked(file.clone()),
        ];
        for state in states {
            let name = state.as_str();
            assert_eq!(package(state.clone()).is_ready(), name == "ready");
            assert_eq!(
                package(state.clone()).finish(file.clone(), now).is_ok(),
                name == "pending"
            );
            assert_eq!(
                package(state.clone()).fail("c", "m", now).is_ok(),
                name == "pending"
            );
            assert_eq!(package(state).revoke(now).is_ok(), name == "ready");
        }
    }
}
