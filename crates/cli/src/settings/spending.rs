//! What callers may make the service spend and keep.

use std::num::NonZeroU32;

use anyhow::bail;
use clap::Args;
use lyceum_application::settings::Spending;
use lyceum_domain::drafting::budget_shares::BudgetShares;
use lyceum_domain::identity::ai_settings::MonthlyBudget;
use lyceum_service::spending::UsualBudget;

const MIB: u64 = 1 << 20;

/// Settings of what callers may make the service spend and keep.
#[derive(Debug, Clone, Args)]
pub struct SpendingSettings {
    /// Tokens that a workspace may spend on AI in a month which decided nothing itself; 0 sets no limit. When absent,
    /// 10000000 with a provider that is paid, and no limit with the built-in engine or a model on one's own machines.
    #[arg(long, env = "LYCEUM_AI_MONTHLY_TOKENS", global = true)]
    pub ai_monthly_tokens: Option<u64>,

    /// Per cent of a workspace's month that all its learners together may spend; the rest is for staff.
    #[arg(
        long,
        env = "LYCEUM_AI_LEARNERS_PERCENT",
        default_value = "80",
        value_parser = clap::value_parser!(u8).range(0..=100),
        global = true
    )]
    pub ai_learners_percent: u8,

    /// Per cent of a workspace's month that the learners of one SCORM package may spend.
    #[arg(
        long,
        env = "LYCEUM_AI_PACKAGE_PERCENT",
        default_value = "20",
        value_parser = clap::value_parser!(u8).range(0..=100),
        global = true
    )]
    pub ai_package_percent: u8,

    /// Works of one learner that AI begins to grade by itself in an hour; further ones are kept for a teacher to start.
    #[arg(
        long,
        env = "LYCEUM_AI_LEARNER_HOURLY",
        default_value = "20",
        global = true
    )]
    pub ai_learner_hourly: NonZeroU32,

    /// Works of all learners of one SCORM package that AI begins to grade by itself in an hour.
    #[arg(
        long,
        env = "LYCEUM_AI_PACKAGE_HOURLY",
        default_value = "600",
        global = true
    )]
    pub ai_package_hourly: NonZeroU32,

    /// Requests per minute of all learners of one workspace, on routes that spend AI.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_AI_LEARNERS",
        default_value = "600",
        global = true
    )]
    pub rate_limit_ai_learners: NonZeroU32,

    /// Requests per minute of all learners of one SCORM package, on routes that spend AI.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_AI_PACKAGE",
        default_value = "120",
        global = true
    )]
    pub rate_limit_ai_package: NonZeroU32,

    /// Learners an hour whom one SCORM package lets in for the first time.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_NEWCOMERS",
        default_value = "2000",
        global = true
    )]
    pub rate_limit_newcomers: NonZeroU32,

    /// MiB an hour that one learner sends to be kept.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_WRITTEN_MIB",
        default_value = "32",
        value_parser = clap::value_parser!(u32).range(1..=4_000_000),
        global = true
    )]
    pub rate_limit_written_mib: u32,

    /// MiB an hour that all learners of one SCORM package send to be kept.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_WRITTEN_PACKAGE_MIB",
        default_value = "128",
        value_parser = clap::value_parser!(u32).range(1..=4_000_000),
        global = true
    )]
    pub rate_limit_written_package_mib: u32,

    /// MiB that the works and answers of one learner may take in a workspace; 0 sets no limit.
    #[arg(
        long,
        env = "LYCEUM_QUOTA_LEARNER_MIB",
        default_value = "256",
        global = true
    )]
    pub quota_learner_mib: u32,

    /// MiB that all that a workspace keeps in the database may take; 0 sets no limit.
    #[arg(
        long,
        env = "LYCEUM_QUOTA_WORKSPACE_MIB",
        default_value = "20480",
        global = true
    )]
    pub quota_workspace_mib: u32,

    /// MiB that the files of a workspace's media library may take, with those in the trash; 0 sets no limit.
    #[arg(
        long,
        env = "LYCEUM_QUOTA_MEDIA_MIB",
        default_value = "20480",
        global = true
    )]
    pub quota_media_mib: u32,

    /// MiB that one uploaded file may have.
    #[arg(
        long,
        env = "LYCEUM_UPLOAD_MAX_MIB",
        default_value = "512",
        value_parser = clap::value_parser!(u32).range(1..=2_048),
        global = true
    )]
    pub upload_max_mib: u32,
}

/// KiB of so many MiB, which the parser holds to what fits.
pub fn kib(mib: u32) -> NonZeroU32 {
    NonZeroU32::new(mib.saturating_mul(1_024)).unwrap_or(NonZeroU32::MIN)
}

impl SpendingSettings {
    /// What was decided, in the words of the application, where a workspace that decided nothing is held like this.
    pub fn decided(&self, usually: UsualBudget) -> Spending {
        let limit = |mib: u32| (mib > 0).then(|| u64::from(mib) * MIB);
        Spending {
            budget: MonthlyBudget {
                tokens: usually.tokens(),
                cost: None,
            },
            shares: BudgetShares {
                learners: self.ai_learners_percent,
                package: self.ai_package_percent,
            },
            learner_hourly: self.ai_learner_hourly,
            package_hourly: self.ai_package_hourly,
            learner_bytes: limit(self.quota_learner_mib),
            workspace_bytes: limit(self.quota_workspace_mib),
            upload_bytes: u64::from(self.upload_max_mib) * MIB,
            media_bytes: limit(self.quota_media_mib),
        }
    }

    /// The tokens a month that an operator chose.
    ///
    /// # Errors
    /// If they are too many for a budget.
    pub fn monthly_tokens(&self) -> anyhow::Result<Option<u64>> {
        let chosen = self.ai_monthly_tokens;
        if chosen.is_some_and(|tokens| tokens > MonthlyBudget::MAX_TOKENS) {
            let most = MonthlyBudget::MAX_TOKENS;
            bail!("LYCEUM_AI_MONTHLY_TOKENS is at most {most}");
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use lyceum_service::spending::USUAL_TOKENS;

    use super::*;
    use crate::settings::Settings;

    fn decided(flags: &[&str]) -> Spending {
        let settings = Settings::from_flags(flags.iter().copied()).unwrap();
        settings.decided().unwrap().spending
    }

    fn tokens(flags: &[&str]) -> Option<u64> {
        decided(flags).budget.tokens
    }

    const OPENAI: [&str; 4] = ["--ai-provider", "openai", "--ai-model", "m"];

    #[test]
    fn a_provider_that_is_paid_has_a_budget_that_nobody_has_to_think_of() {
        assert_eq!(tokens(&[]), None);
        assert_eq!(tokens(&OPENAI), Some(USUAL_TOKENS));
        let claude = ["--ai-provider", "anthropic", "--ai-model", "m"];
        assert_eq!(tokens(&claude), Some(USUAL_TOKENS));
        let with = |more: &[&str]| {
            let flags: Vec<&str> = OPENAI.iter().chain(more).copied().collect();
            tokens(&flags)
        };
        for (url, expected) in [
            ("https://llm.example.com/v1", Some(USUAL_TOKENS)),
            ("http://127.0.0.1:8000/v1", None),
            ("http://10.1.2.3:8000/v1", None),
            ("http://localhost:8000/v1", None),
        ] {
            assert_eq!(with(&["--ai-base-url", url]), expected, "{url}");
        }
        assert_eq!(with(&["--ai-profile", "ollama"]), None);
        assert_eq!(with(&["--ai-monthly-tokens", "5"]), Some(5));
        assert_eq!(with(&["--ai-monthly-tokens", "0"]), None);
    }

    #[test]
    fn quotas_of_nothing_are_none() {
        let spending = decided(&["--quota-learner-mib=0", "--quota-workspace-mib=0"]);
        assert_eq!(
            (spending.learner_bytes, spending.workspace_bytes),
            (None, None)
        );
        assert_eq!(
            decided(&[]),
            Spending::default(),
            "what tests go by is what is usual"
        );
    }
}
