//! What whoever asked for a package decided, as a document. Packages from before there was anything to decide have
//! an empty one.

use lyceum_domain::exporting::scorm::LmsOrigin;
use lyceum_domain::exporting::scorm_policy::{LaunchPolicy, ReportingPolicy};
use serde::{Deserialize, Serialize};

use crate::prelude::*;

#[derive(Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyDocument {
    connected: bool,
    allowed_origins: Vec<String>,
    /// Milliseconds since 1970.
    expires_at: Option<i64>,
    max_learners: Option<u32>,
    waits_for_grades: bool,
    retries_failed: bool,
}

impl Default for PolicyDocument {
    fn default() -> Self {
        Self::new(&LaunchPolicy::default(), ReportingPolicy::default())
    }
}

impl PolicyDocument {
    pub fn new(launch: &LaunchPolicy, reporting: ReportingPolicy) -> Self {
        let LaunchPolicy {
            connected,
            allowed_origins,
            expires_at,
            max_learners,
        } = launch;
        let ReportingPolicy {
            waits_for_grades,
            retries_failed,
        } = reporting;
        let origins = allowed_origins.iter().map(LmsOrigin::as_str);
        Self {
            connected: *connected,
            allowed_origins: origins.map(str::to_owned).collect(),
            expires_at: expires_at.map(Timestamp::unix_millis),
            max_learners: *max_learners,
            waits_for_grades,
            retries_failed,
        }
    }

    pub fn read(self) -> Result<(LaunchPolicy, ReportingPolicy), StoreError> {
        let Self {
            connected,
            allowed_origins,
            expires_at,
            max_learners,
            waits_for_grades,
            retries_failed,
        } = self;
        let origins = allowed_origins.iter().map(|text| LmsOrigin::parse(text));
        let launch = LaunchPolicy {
            connected,
            allowed_origins: rows::read(origins.collect())?,
            expires_at: expires_at.map(Timestamp::from_unix_millis),
            max_learners,
        };
        let reporting = ReportingPolicy {
            waits_for_grades,
            retries_failed,
        };
        Ok((launch, reporting))
    }
}
