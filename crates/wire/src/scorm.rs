//! SCORM packages on the wire.

use lyceum_domain::scorm::{
    NewScormPackage, RuntimeBaseUrl, ScormFile, ScormPackage, ScormState, ScormVersion,
};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::common_ids::reference;
use crate::shapes;
use crate::submissions::Problem;

/// A package to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateScormPackage {
    /// The cohort whose course is packed.
    pub cohort_id: String,
    /// Which SCORM; `2004` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<ScormVersionWord>,
    /// Where the package's runtime calls: an absolute http(s) address; the service's own when absent.
    #[schema(max_length = 2_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_base_url: Option<String>,
}

/// Which SCORM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum ScormVersionWord {
    /// SCORM 1.2.
    #[serde(rename = "1.2")]
    V12,
    /// SCORM 2004 (3rd Edition).
    #[serde(rename = "2004")]
    V2004,
}

impl Command for CreateScormPackage {
    type Of = NewScormPackage;

    fn command(self) -> Result<NewScormPackage, Invalid> {
        let url = self
            .runtime_base_url
            .as_deref()
            .map(RuntimeBaseUrl::parse)
            .transpose();
        Ok(NewScormPackage {
            cohort_id: reference(&self.cohort_id),
            version: match self.version {
                Some(ScormVersionWord::V12) => ScormVersion::V12,
                Some(ScormVersionWord::V2004) | None => ScormVersion::V2004,
            },
            runtime_base_url: url.at("runtime_base_url")?,
        })
    }
}

/// A package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScormPackageView {
    /// `scp_…`
    #[schema(schema_with = shapes::id_of::<ScormPackage>)]
    pub id: String,
    /// Always `scorm_package`.
    #[schema(schema_with = shapes::name_of::<ScormPackage>)]
    pub object: String,
    /// The cohort.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::cohorts::Cohort>)]
    pub cohort_id: String,
    /// Its course.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::courses::Course>)]
    pub course_id: String,
    /// `1.2` or `2004`.
    #[schema(schema_with = shapes::word::<ScormVersion>)]
    pub version: String,
    /// Where the package's runtime calls.
    pub runtime_base_url: String,
    /// `pending`, `ready`, `error` or `revoked`.
    #[schema(schema_with = shapes::word::<ScormState>)]
    pub status: String,
    /// Where it can be downloaded for the next hour, without a key.
    #[schema(required)]
    pub download_url: Option<String>,
    /// Where it can be played for the next hour, without a key and without an LMS.
    #[schema(required)]
    pub preview_url: Option<String>,
    /// Bytes of the archive.
    #[schema(required)]
    pub size_bytes: Option<u64>,
    /// SHA-256 of the archive.
    #[schema(required)]
    pub sha256: Option<String>,
    /// SHA-256 over what the learner sees.
    #[schema(required)]
    pub content_hash: Option<String>,
    /// What a teacher should know before uploading.
    pub warnings: Vec<String>,
    /// Why it could not be made.
    #[schema(required)]
    pub error: Option<Problem>,
    /// When it will probably be done.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub estimated_ready_at: Option<String>,
    /// When it was asked for.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl ScormPackageView {
    /// Of a package, with the address to download it from, if it can be.
    pub fn new(package: &ScormPackage, download_url: Option<String>) -> Self {
        let mut error = None;
        let mut estimated_ready_at = None;
        let mut file: Option<&ScormFile> = None;
        match &package.state {
            ScormState::Pending {
                estimated_ready_at: at,
            } => estimated_ready_at = Some(at.to_string()),
            ScormState::Ready(made) | ScormState::Revoked(made) => file = Some(made),
            ScormState::Error { code, message } => {
                error = Some(Problem {
                    code: code.clone(),
                    message: message.clone(),
                });
            }
        }
        Self {
            id: package.id.to_string(),
            object: "scorm_package".to_owned(),
            cohort_id: package.cohort_id.to_string(),
            course_id: package.course_id.to_string(),
            version: package.version.to_string(),
            runtime_base_url: package.runtime_base_url.as_str().to_owned(),
            status: package.state.as_str().to_owned(),
            download_url,
            preview_url: None,
            size_bytes: file.map(|file| file.size_bytes),
            sha256: file.map(|file| file.sha256.clone()),
            content_hash: file.map(|file| file.content_hash.clone()),
            warnings: file.map(|file| file.warnings.clone()).unwrap_or_default(),
            error,
            estimated_ready_at,
            created_at: package.stamp.created_at.to_string(),
            updated_at: package.stamp.updated_at.to_string(),
        }
    }
}

impl Resource for ScormPackageView {
    const COLLECTION: &'static str = "scorm";

    fn id(&self) -> &str {
        &self.id
    }
}
