//! What an operator decides and use cases need to know.

use std::path::PathBuf;
use std::time::Duration;

use lyceum_domain::scorm::RuntimeBaseUrl;
use lyceum_domain::webhooks::DeliverySchedule;

/// What an operator decides and use cases need to know.
#[derive(Clone)]
pub struct Settings {
    /// Where callers reach this service.
    pub public_url: RuntimeBaseUrl,
    /// What download addresses are signed with.
    pub download_key: [u8; 32],
    /// What the launch keys of packages are made with.
    pub launch_key: [u8; 32],
    /// When webhook deliveries are tried.
    pub webhook_schedule: DeliverySchedule,
    /// How long what was deleted can come back.
    pub trash_kept: Duration,
    /// Folder for files that are gone when their job is.
    pub scratch: PathBuf,
}
