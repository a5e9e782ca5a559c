//! SCORM packages on the wire.

use lyceum_domain::exporting::scorm::{
    LmsOrigin, NewScormPackage, RuntimeBaseUrl, ScormFile, ScormPackage, ScormState, ScormVersion,
};
use lyceum_domain::exporting::scorm_learners::MAX_LEARNERS;
use lyceum_domain::exporting::scorm_policy::{LaunchPolicy, ReportingPolicy};
use lyceum_domain::{At, Invalid, InvalidValue, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::common_ids::reference;
use crate::grading::submissions::Problem;
use crate::shapes;

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
    /// Where the package may be launched: each an origin such as `https://lms.example`, or `null` as a word for a
    /// sandbox. Anywhere when empty or absent.
    #[schema(max_items = 50, example = json!(["https://moodle.example"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_origins: Option<Vec<String>>,
    /// When the package lets no learner in any more; in the future. Until it is revoked when absent.
    #[schema(format = DateTime, example = "2027-06-30T16:00:00Z")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch_expires_at: Option<String>,
    /// How many learners it lets in; 10 000 when absent.
    #[schema(minimum = 1, maximum = 10_000, example = 200)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_learners: Option<i64>,
    /// Whether the package knows of the live service: `true` when absent. Otherwise it makes no request at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connected: Option<bool>,
    /// Whether an assignment is done only once its grade is there; needs `connected`; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for_grades: Option<bool>,
    /// Whether the LMS is told `incomplete` instead of `failed` of a course below its pass mark; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries_failed: Option<bool>,
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
        let launch = self.launch()?;
        let reporting = self.reporting(&launch)?;
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
            launch,
            reporting,
        })
    }
}

impl CreateScormPackage {
    fn reporting(&self, launch: &LaunchPolicy) -> Result<ReportingPolicy, Invalid> {
        let waits_for_grades = self.waits_for_grades.unwrap_or_default();
        let never_graded = || InvalidValue::new("needs the service, which `connected` leaves out");
        let possible = if waits_for_grades && !launch.connected {
            Err(never_graded())
        } else {
            Ok(())
        };
        possible.at("waits_for_grades")?;
        Ok(ReportingPolicy {
            waits_for_grades,
            retries_failed: self.retries_failed.unwrap_or_default(),
        })
    }

    fn launch(&self) -> Result<LaunchPolicy, Invalid> {
        let mut origins = Vec::new();
        for (n, text) in self.allowed_origins.iter().flatten().enumerate() {
            origins.push(LmsOrigin::parse(text).at(&format!("allowed_origins[{n}]"))?);
        }
        let expires_at = self.launch_expires_at.as_deref().map(Timestamp::parse);
        let most = self.max_learners.map(|most| {
            let most = u32::try_from(most).ok();
            let within = most.filter(|most| (1..=MAX_LEARNERS).contains(&u64::from(*most)));
            within.ok_or_else(|| InvalidValue::new(format!("must be 1 to {MAX_LEARNERS}")))
        });
        Ok(LaunchPolicy {
            connected: self.connected.unwrap_or(true),
            allowed_origins: LaunchPolicy::origins(origins).at("allowed_origins")?,
            expires_at: expires_at.transpose().at("launch_expires_at")?,
            max_learners: most.transpose().at("max_learners")?,
        })
    }
}

/// A package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScormPackageView {
    /// `scp_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::ScormPackage>)]
    pub id: String,
    /// Always `scorm_package`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::ScormPackage>)]
    pub object: String,
    /// The cohort.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Cohort>)]
    pub cohort_id: String,
    /// Its course.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
    pub course_id: String,
    /// `1.2` or `2004`.
    #[schema(schema_with = shapes::word::<ScormVersion>)]
    pub version: String,
    /// Where the package's runtime calls.
    pub runtime_base_url: String,
    /// Where it may be launched; anywhere when empty.
    pub allowed_origins: Vec<String>,
    /// When it lets no learner in any more.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub launch_expires_at: Option<String>,
    /// How many learners it lets in.
    #[schema(required)]
    pub max_learners: Option<u32>,
    /// Whether it knows of the live service.
    pub connected: bool,
    /// Whether an assignment that is graded is done only once its grade is there.
    pub waits_for_grades: bool,
    /// Whether a course below its pass mark is told as `incomplete` instead of `failed`.
    pub retries_failed: bool,
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
        let origins = package.launch.allowed_origins.iter();
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
            allowed_origins: origins.map(|origin| origin.as_str().to_owned()).collect(),
            launch_expires_at: package.launch.expires_at.map(|at| at.to_string()),
            max_learners: package.launch.max_learners,
            connected: package.launch.connected,
            waits_for_grades: package.reporting.waits_for_grades,
            retries_failed: package.reporting.retries_failed,
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
