//! What an operator decides and use cases need to know.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::drafting::budget_shares::BudgetShares;
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::ai_settings::MonthlyBudget;
use lyceum_domain::identity::users::Role;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_ports::addresses::Addresses;

/// What an operator decides of what callers may make the service spend and keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending {
    /// How much AI a workspace may spend in a month that decided nothing itself.
    pub budget: MonthlyBudget,
    /// How much of a month's budget learners may have.
    pub shares: BudgetShares,
    /// How many works of one learner AI begins to grade by itself in an hour.
    pub learner_hourly: NonZeroU32,
    /// The same of all who came with one SCORM package.
    pub package_hourly: NonZeroU32,
    /// How many bytes the works and answers of one learner may take.
    pub learner_bytes: Option<u64>,
    /// How many bytes all that a workspace keeps may take.
    pub workspace_bytes: Option<u64>,
    /// How many bytes one uploaded file may have.
    pub upload_bytes: u64,
    /// How many bytes the files of a workspace's media library may take, beside all else.
    pub media_bytes: Option<u64>,
}

impl Spending {
    /// What a workspace may spend on AI in a month: what it decided, else what an operator did.
    pub fn budget_of(&self, workspace: &Workspace) -> MonthlyBudget {
        workspace.ai.monthly_budget.or(self.budget)
    }
}

impl Default for Spending {
    fn default() -> Self {
        Self {
            budget: MonthlyBudget::default(),
            shares: BudgetShares::default(),
            learner_hourly: NonZeroU32::MIN.saturating_add(19),
            package_hourly: NonZeroU32::MIN.saturating_add(599),
            learner_bytes: Some(256 << 20),
            workspace_bytes: Some(20 << 30),
            upload_bytes: 512 << 20,
            media_bytes: Some(20 << 30),
        }
    }
}

/// What an operator decides and use cases need to know.
#[derive(Clone)]
pub struct Settings {
    /// Where callers reach this service.
    pub public_url: RuntimeBaseUrl,
    /// Where its things are.
    pub addresses: Arc<dyn Addresses>,
    /// What download addresses are signed with.
    pub download_key: [u8; 32],
    /// What the seeds of draws are made of, so that nobody can choose one, or foresee it.
    pub draw_key: [u8; 32],
    /// What the launch keys of packages are made with.
    pub launch_key: [u8; 32],
    /// Who may make workspaces, and how many.
    pub workspaces: WorkspaceCreation,
    /// When webhook deliveries are tried.
    pub webhook_schedule: DeliverySchedule,
    /// Whether there is a mail server: else a link that somebody is to have is shown, to be handed on.
    pub mail_is_configured: bool,
    /// How long what was deleted can come back.
    pub trash_kept: Duration,
    /// Folder for files that are gone when their job is.
    pub scratch: PathBuf,
    /// What callers may make it spend and keep.
    pub spending: Spending,
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
