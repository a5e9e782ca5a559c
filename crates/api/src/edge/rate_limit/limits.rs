//! What an operator decides, and what is usual.

use std::num::NonZeroU32;

use super::{LimitClock, TenantLimits};

/// What an operator decides: requests per minute.
#[derive(Debug, Clone)]
pub struct RateLimits {
    /// Of one key.
    pub per_key: NonZeroU32,
    /// Of one address, on routes that need no key.
    pub per_address: NonZeroU32,
    /// Of one address, with a key that does not open.
    pub failures_per_address: NonZeroU32,
    /// Of the staff of one workspace, on routes that spend AI.
    pub ai_per_workspace: NonZeroU32,
    /// Of the learners of one workspace together, on routes that spend AI.
    pub ai_per_learners: NonZeroU32,
    /// Of the learners of one SCORM package together, on routes that spend AI.
    pub ai_per_package: NonZeroU32,
    /// Messages of one user to the tutor.
    pub tutor_per_user: NonZeroU32,
    /// Launches of SCORM packages from one address: a whole school has one, and its lessons begin on the hour.
    pub launches_per_address: NonZeroU32,
    /// Launches with one launch key; more than from one address, so that no single one can use them up.
    pub launches_per_key: NonZeroU32,
    /// Launches of one learner of a package.
    pub launches_per_learner: NonZeroU32,
    /// Launches in an hour of one package by somebody whom it did not know before.
    pub newcomers_per_package: NonZeroU32,
    /// KiB that one learner sends to be kept in an hour.
    pub written_per_learner: NonZeroU32,
    /// KiB that the learners of one SCORM package together send to be kept in an hour.
    pub written_per_package: NonZeroU32,
    /// What a person can make others see.
    pub tenants: TenantLimits,
    /// Whether what spends AI is counted in the database, because other nodes count against the same quotas.
    pub shared: bool,
    /// How many proxies stand before the service and add to `X-Forwarded-For`; with none the header means nothing.
    pub trusted_proxies: u8,
    /// What time it is.
    pub clock: LimitClock,
}

impl Default for RateLimits {
    /// What a service is started with where nobody decides: of one node, without proxies.
    fn default() -> Self {
        let number = |number: u32| NonZeroU32::MIN.saturating_add(number - 1);
        Self {
            per_key: number(60_000),
            per_address: number(600),
            failures_per_address: number(600),
            ai_per_workspace: number(600),
            ai_per_learners: number(600),
            ai_per_package: number(120),
            tutor_per_user: number(20),
            launches_per_address: number(1_200),
            launches_per_key: number(6_000),
            launches_per_learner: number(20),
            newcomers_per_package: number(2_000),
            written_per_learner: number(32 * 1_024),
            written_per_package: number(128 * 1_024),
            tenants: TenantLimits {
                workspaces_per_person: number(10),
                invitations: number(6_000),
            },
            shared: false,
            trusted_proxies: 0,
            clock: LimitClock::default(),
        }
    }
}
