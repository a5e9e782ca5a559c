//! Calls to AI providers on the wire: one by one, and summed up.

use lyceum_domain::Timestamp;
use lyceum_domain::drafting::ai_calls::{AiCallRecord, AiFeature, AiUsage, CallOutcome};
use lyceum_domain::identity::ai_settings::MonthlyBudget;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Resource;
use crate::declared::view;
use crate::money::UsdNumber;
use crate::shapes;

view! {
    /// One request to an AI provider: where it went, which classes of fields it carried, what it took. What was said is
    /// not kept here.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct AiCallView {
        /// `aic_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::AiCallRecord>)]
        pub id: String = call.id.to_string(),
        /// Always `ai_call`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::AiCallRecord>)]
        pub object: String = "ai_call".to_owned(),
        /// What it was for.
        #[schema(schema_with = shapes::word::<AiFeature>)]
        pub feature: String = call.feature.to_string(),
        /// On whose behalf: a submission, a generation or a lesson. It may be gone.
        pub subject_id: String = call.subject_id.clone(),
        /// Host it went to.
        pub host: String = call.host.clone(),
        /// The model that was asked.
        pub model_asked: String = call.model_asked.clone(),
        /// The model that answered, where one did.
        #[schema(required)]
        pub model: Option<String> = call.model.clone(),
        /// The provider's own name of the request.
        #[schema(required)]
        pub request_id: Option<String> = call.request_id.clone(),
        /// Classes of the fields that were sent, such as `submission_text` or `rubric`.
        pub sent: Vec<String> = call.sent.clone(),
        /// How it ended.
        #[schema(schema_with = shapes::word::<CallOutcome>)]
        pub outcome: String = call.outcome.to_string(),
        /// Tokens read.
        pub tokens_in: u64 = call.tokens_in,
        /// Tokens written.
        pub tokens_out: u64 = call.tokens_out,
        /// Those of the tokens read that the provider still had from an earlier call.
        pub tokens_cached: u64 = call.tokens_cached,
        /// Whether the tokens are a guess because the provider did not say.
        pub estimated: bool = call.estimated,
        /// What it cost; `null` where prices are not known.
        #[schema(required)]
        pub cost_usd: Option<UsdNumber> = call.cost.map(UsdNumber),
        /// How long it took, in milliseconds.
        pub latency_ms: u64 = call.latency_ms,
        /// When it was written down.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = call.created_at.to_string(),
        /// The same.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = call.created_at.to_string(),
    }

    /// Of a call.
    pub fn new(call: &AiCallRecord);
}

impl Resource for AiCallView {
    const COLLECTION: &'static str = "ai/calls";

    fn id(&self) -> &str {
        &self.id
    }
}

/// What calls took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AiTotalsView {
    /// How many calls.
    pub calls: u64,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Those of the tokens read that the provider still had from an earlier call.
    pub tokens_cached: u64,
    /// What those of the calls cost whose prices are known; `null` where none are.
    #[schema(required)]
    pub cost_usd: Option<UsdNumber>,
    /// How many of the calls have no known price.
    pub unpriced_calls: u64,
    /// How many of the calls have tokens that are a guess.
    pub estimated_calls: u64,
}

impl AiTotalsView {
    fn new(usage: &AiUsage) -> Self {
        let priced = usage.calls == 0 || usage.unpriced_calls < usage.calls;
        Self {
            calls: usage.calls,
            tokens_in: usage.tokens_in,
            tokens_out: usage.tokens_out,
            tokens_cached: usage.tokens_cached,
            cost_usd: priced.then_some(UsdNumber(usage.cost)),
            unpriced_calls: usage.unpriced_calls,
            estimated_calls: usage.estimated_calls,
        }
    }
}

/// What calls for one feature took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AiFeatureUsageView {
    /// What they were for.
    #[schema(schema_with = shapes::word::<AiFeature>)]
    pub feature: String,
    /// What they took.
    #[serde(flatten)]
    pub totals: AiTotalsView,
}

/// What calls to one model took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AiModelUsageView {
    /// The model that answered, else the one that was asked.
    pub model: String,
    /// What they took.
    #[serde(flatten)]
    pub totals: AiTotalsView,
}

/// What calls of one day took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AiDayUsageView {
    /// The day (UTC), such as `2026-11-21`.
    pub day: String,
    /// What they took.
    #[serde(flatten)]
    pub totals: AiTotalsView,
}

/// This month's budget, and what is left of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AiBudgetView {
    /// Tokens of a month; `null` sets no limit.
    #[schema(required)]
    pub monthly_tokens: Option<u64>,
    /// US dollars of a month; `null` sets no limit.
    #[schema(required)]
    pub monthly_usd: Option<UsdNumber>,
    /// Tokens that this month took.
    pub used_tokens: u64,
    /// What this month cost, as far as prices are known.
    pub used_usd: UsdNumber,
    /// Tokens that are left.
    #[schema(required)]
    pub remaining_tokens: Option<u64>,
    /// US dollars that are left.
    #[schema(required)]
    pub remaining_usd: Option<UsdNumber>,
    /// When the next month begins.
    #[schema(schema_with = shapes::moment)]
    pub resets_at: String,
}

view! {
    /// What calls to AI providers took in a period. The built-in engine calls nobody and is not in it.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct AiUsageView {
        /// Always `ai_usage`.
        #[schema(pattern = "^ai_usage$")]
        pub object: String = "ai_usage".to_owned(),
        /// The first moment of the period.
        #[schema(schema_with = shapes::moment)]
        pub from: String = parts.from.to_string(),
        /// The first moment after it.
        #[schema(schema_with = shapes::moment)]
        pub to: String = parts.to.to_string(),
        /// All in all.
        pub totals: AiTotalsView = AiTotalsView::new(&parts.totals),
        /// By what the calls were for.
        pub by_feature: Vec<AiFeatureUsageView> =
            each(&parts.by_feature, |feature, totals| AiFeatureUsageView { feature, totals }),
        /// By model.
        pub by_model: Vec<AiModelUsageView> =
            each(&parts.by_model, |model, totals| AiModelUsageView { model, totals }),
        /// By day (UTC), without days that had no call.
        pub by_day: Vec<AiDayUsageView> =
            each(&parts.by_day, |day, totals| AiDayUsageView { day, totals }),
        /// This month's budget, whatever the period.
        pub budget: AiBudgetView = AiBudgetView::new(parts),
    }

    /// Of a period.
    pub fn new(parts: &UsageParts);
}

/// What a usage is shown from.
#[derive(Debug, Clone)]
pub struct UsageParts {
    /// The first moment of the period.
    pub from: Timestamp,
    /// The first moment after it.
    pub to: Timestamp,
    /// All in all.
    pub totals: AiUsage,
    /// By feature.
    pub by_feature: Vec<(String, AiUsage)>,
    /// By model.
    pub by_model: Vec<(String, AiUsage)>,
    /// By day.
    pub by_day: Vec<(String, AiUsage)>,
    /// What a month may take.
    pub budget: MonthlyBudget,
    /// When this one ends.
    pub month_ends: Timestamp,
    /// What this one took so far.
    pub this_month: AiUsage,
}

fn each<V>(sums: &[(String, AiUsage)], view: impl Fn(String, AiTotalsView) -> V) -> Vec<V> {
    let views = sums
        .iter()
        .map(|(name, usage)| view(name.clone(), AiTotalsView::new(usage)));
    views.collect()
}

impl AiBudgetView {
    fn new(parts: &UsageParts) -> Self {
        let left = parts.this_month.left_of(parts.budget);
        Self {
            monthly_tokens: parts.budget.tokens,
            monthly_usd: parts.budget.cost.map(UsdNumber),
            used_tokens: parts.this_month.tokens(),
            used_usd: UsdNumber(parts.this_month.cost),
            remaining_tokens: left.tokens,
            remaining_usd: left.cost.map(UsdNumber),
            resets_at: parts.month_ends.to_string(),
        }
    }
}
