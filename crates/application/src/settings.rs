//! What an operator decides and use cases need to know.

use std::path::PathBuf;

use lyceum_domain::scorm::RuntimeBaseUrl;
use lyceum_domain::users::Role;
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
    /// Who may make workspaces, and how many.
    pub workspaces: WorkspaceCreation,
    /// When webhook deliveries are tried.
    pub webhook_schedule: DeliverySchedule,
    /// Folder for files that are gone when their job is.
    pub scratch: PathBuf,
}

/// Who may make workspaces, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceCreation {
    /// The least that somebody has to be, on the platform that they chose, else anywhere that their key opens; nobody
    /// may without one.
    pub least: Option<Role>,
    /// Of how many workspaces one person may be an owner.
    pub per_person: u32,
}

impl Default for WorkspaceCreation {
    fn default() -> Self {
        Self {
            least: Some(Role::Admin),
            per_person: 100,
        }
    }
}
