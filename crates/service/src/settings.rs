//! What was decided about a service, whoever decided it: flags and variables are read elsewhere.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use ipnet::IpNet;
use lyceum_ai::ProviderSettings;
use lyceum_api::ApiSettings;
use lyceum_api::edge::rate_limit::RateLimits;
use lyceum_api::edge::shares::Shares;
use lyceum_application::settings::{Spending, WorkspaceCreation};
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::keys::ApiKeySecret;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
pub use lyceum_inspection::Settings as InspectionSettings;
pub use lyceum_mail::MailSettings;

use crate::spending::UsualBudget;
use crate::storage::Storage;
use crate::traces::{self, TraceSettings};

/// How long what was deleted can come back, where nothing else is said.
pub const TRASH_KEPT: Duration = Duration::from_hours(24 * 30);

/// What was decided about a service. [`Settings::new`] has what is usual.
///
/// It holds keys, so nothing shows it: it has no `Debug`.
#[derive(Clone)]
pub struct Settings {
    /// Where data are kept.
    pub storage: Storage,
    /// Address at which callers reach this service.
    pub public_url: RuntimeBaseUrl,
    /// What is asked of callers, and given to them.
    pub api: ApiSettings,
    /// Who may make workspaces, and how many.
    pub workspaces: WorkspaceCreation,
    /// Who drafts and judges.
    pub ai: ProviderSettings,
    /// What callers may make the service spend and keep.
    pub spending: Spending,
    /// When webhook deliveries are tried.
    pub webhook_schedule: DeliverySchedule,
    /// Private networks that webhooks may reach.
    pub webhook_allowed_cidrs: Vec<IpNet>,
    /// Whether packages carry the files that a course refers to, fetched while they are made.
    pub carries_media: bool,
    /// Private networks that those files may be fetched from.
    pub media_allowed_cidrs: Vec<IpNet>,
    /// How uploads are looked at.
    pub inspection: InspectionSettings,
    /// Where mail goes; links are shown to hand on when absent.
    pub mail: Option<MailSettings>,
    /// How long what was deleted can come back.
    pub trash_kept: Duration,
    /// What this node is called; whoever starts under the name takes over from one that is gone.
    pub node_name: Option<String>,
    /// The key that the first start uses instead of making one.
    pub bootstrap_key: Option<ApiKeySecret>,
    /// Where traces are sent; none are made when absent.
    pub traces: Option<TraceSettings>,
}

impl Settings {
    /// What is usual, with all data in this folder, for callers who come to this address, and with this provider of AI:
    /// one that is paid has a budget.
    ///
    /// # Errors
    /// If it is not an absolute http(s) address.
    pub fn new(
        data_dir: impl Into<PathBuf>,
        public_url: &str,
        ai: ProviderSettings,
    ) -> anyhow::Result<Self> {
        let mut spending = Spending::default();
        spending.budget.tokens = UsualBudget::of(&ai, None).tokens();
        Ok(Self {
            storage: Storage::in_folder(data_dir),
            public_url: RuntimeBaseUrl::parse(public_url).context("the public address")?,
            api: ApiSettings {
                rate_limits: Some(RateLimits::default()),
                shares: Some(Shares::default()),
                ..ApiSettings::default()
            },
            workspaces: WorkspaceCreation::default(),
            ai,
            spending,
            webhook_schedule: DeliverySchedule::default(),
            webhook_allowed_cidrs: Vec::new(),
            carries_media: true,
            media_allowed_cidrs: Vec::new(),
            inspection: InspectionSettings::default(),
            mail: None,
            trash_kept: TRASH_KEPT,
            node_name: None,
            bootstrap_key: None,
            traces: None,
        })
    }

    /// Refuses what cannot be, before anything is opened.
    ///
    /// # Errors
    /// By the name of the setting.
    pub fn check(&self) -> anyhow::Result<()> {
        let files = self.storage.blobs_url()?;
        lyceum_blobs::check(&files).context("LYCEUM_BLOBS_URL")?;
        lyceum_blobs::check_presigning(&files, &self.storage.presigning)
            .context("LYCEUM_BLOBS_PRESIGNED")?;
        traces::refuse_what_is_not_built_in(self.traces.is_some())
    }
}

#[cfg(test)]
mod tests {
    use lyceum_ai::{Profile, ServerSettings};

    use super::*;
    use crate::spending::USUAL_TOKENS;

    #[test]
    fn whoever_embeds_a_paid_provider_has_a_budget_without_asking() {
        let url = "https://llm.example/v1".parse().unwrap();
        let paid = ServerSettings::new(Profile::OpenAi, url, None, "m");
        for (ai, tokens) in [
            (ProviderSettings::Builtin, None),
            (ProviderSettings::Server(paid), Some(USUAL_TOKENS)),
        ] {
            let settings = Settings::new("data", "http://127.0.0.1:8080", ai).unwrap();
            assert_eq!(settings.spending.budget.tokens, tokens);
        }
    }

    #[test]
    fn an_address_that_nobody_could_reach_is_refused_at_once() {
        let refused = Settings::new("data", "school.example", ProviderSettings::Builtin);
        assert!(refused.is_err());
    }
}
