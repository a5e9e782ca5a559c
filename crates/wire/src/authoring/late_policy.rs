//! What is taken off for coming late, on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::authoring::late_policy::{AskedLatePolicy, LatePolicy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Points off for work that comes after the due date: a share of the best possible score for each day that has begun since the grace
/// period was over, down to a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LatePolicyInput {
    /// Percent of `max_score` that each started day takes off; days are 24 hours.
    #[schema(minimum = 1, maximum = 100, example = 10)]
    pub percent_per_day: i64,
    /// Percent of `max_score` below which nothing more is taken off; 0 when absent. Work that earned less keeps what it earned.
    #[schema(minimum = 0, maximum = 100, example = 40)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_percent: Option<i64>,
    /// Minutes after the due date in which nothing is taken off; 0 when absent, a week at most.
    #[schema(minimum = 0, maximum = 10_080, example = 15)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace_minutes: Option<i64>,
}

impl LatePolicyInput {
    /// The policy.
    ///
    /// # Errors
    /// [`Invalid`] naming the number that is out of its range.
    pub fn policy(self) -> Result<LatePolicy, Invalid> {
        let asked = AskedLatePolicy {
            percent_per_day: self.percent_per_day,
            floor_percent: self.floor_percent,
            grace_minutes: self.grace_minutes,
        };
        LatePolicy::parse(asked, "late_policy.")
    }
}

/// What is taken off work that comes late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LatePolicyView {
    /// Percent of `max_score` that each started day takes off.
    pub percent_per_day: u8,
    /// Percent of `max_score` below which nothing more is taken off.
    pub floor_percent: u8,
    /// Minutes after the due date in which nothing is taken off.
    pub grace_minutes: u16,
}

impl From<LatePolicy> for LatePolicyView {
    fn from(policy: LatePolicy) -> Self {
        Self {
            percent_per_day: policy.percent_per_day(),
            floor_percent: policy.floor_percent(),
            grace_minutes: policy.grace_minutes(),
        }
    }
}
