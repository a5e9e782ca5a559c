//! SCORM packages: a cohort's course, frozen for any LMS.

use crate::cohorts::CohortId;
use crate::courses::CourseId;
use crate::id::Identified;
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::workspaces::WorkspaceId;
use crate::{Id, InvalidValue, Stamp, Timestamp, Words};

/// Identifies a package (`scp_…`).
pub type ScormPackageId = Id<ScormPackage>;

impl Identified for ScormPackage {
    const PREFIX: &'static str = "scp";
    const OBJECT: &'static str = "scorm_package";
}

words!(
    /// Which SCORM a package speaks.
    ScormVersion {
        /// SCORM 1.2.
        V12 = "1.2",
        /// SCORM 2004 (3rd Edition).
        V2004 = "2004",
    }
);

/// Absolute http(s) address of the live service, without credentials, query, fragment or trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeBaseUrl(String);

impl RuntimeBaseUrl {
    /// Checks the form.
    ///
    /// # Errors
    /// [`InvalidValue`]
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("must be an absolute http or https address");
        let rest = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"))
            .ok_or_else(wrong)?;
        let host = rest.split('/').next().unwrap_or_default();
        let plain = text.len() <= 2_000
            && text
                .chars()
                .all(|c| c.is_ascii_graphic() && !"\"'<>\\^`{|}?#@".contains(c));
        let named = !host.is_empty() && !host.starts_with(':') && !host.starts_with('.');
        if plain && named {
            Ok(Self(text.trim_end_matches('/').to_owned()))
        } else {
            Err(wrong())
        }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScormFile {
    /// Bytes of the archive.
    pub size_bytes: u64,
    /// SHA-256 of the archive, lower-case hex.
    pub sha256: String,
    /// SHA-256 over what the learner sees, lower-case hex.
    pub content_hash: String,
    /// What a teacher should know before uploading.
    pub warnings: Vec<String>,
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

    /// pending → ready
    ///
    /// # Errors
    /// [`InvalidTransition`]
    pub fn finish(&mut self, file: ScormFile, now: Timestamp) -> Result<(), InvalidTransition> {
        self.leave_pending("be finished")?;
        self.state = ScormState::Ready(file);
        self.stamp.touch(now);
        Ok(())
    }

    /// pending → error
    ///
    /// # Errors
    /// [`InvalidTransition`]
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

    /// ready → revoked
    ///
    /// # Errors
    /// [`InvalidTransition`]
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
    use uuid::Uuid;

    fn package(state: ScormState) -> ScormPackage {
        ScormPackage {
            workspace_id: Id::from_uuid(Uuid::nil()),
            id: Id::from_uuid(Uuid::nil()),
            cohort_id: Id::from_uuid(Uuid::nil()),
            course_id: Id::from_uuid(Uuid::nil()),
            version: ScormVersion::V2004,
            runtime_base_url: RuntimeBaseUrl::parse("http://127.0.0.1:8080/").unwrap(),
            state,
            stamp: Stamp::new(Timestamp::from_unix_millis(0)),
        }
    }

    #[test]
    fn every_move_is_legal_from_its_state_only() {
        let now = Timestamp::from_unix_millis(0);
        let file = ScormFile {
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

    #[test]
    fn a_runtime_address_is_absolute_and_plain() {
        assert_eq!(
            RuntimeBaseUrl::parse("https://lms.example/p/")
                .unwrap()
                .as_str(),
            "https://lms.example/p"
        );
        for wrong in [
            "",
            "/v1",
            "javascript:alert(1)",
            "ftp://x",
            "https://",
            "https://u@h",
            "https://h?q",
            "https://h/<x>",
        ] {
            assert!(RuntimeBaseUrl::parse(wrong).is_err(), "{wrong}");
        }
    }
}
