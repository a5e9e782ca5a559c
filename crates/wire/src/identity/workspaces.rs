//! Workspaces on the wire.

use lyceum_domain::drafting::budget_shares::BudgetShares;
use lyceum_domain::identity::ai_settings::{
    MonthlyBudget, OnProviderFailure, WorkspaceAi, WorkspaceAiChanges,
};
use lyceum_domain::identity::workspaces::{NewWorkspace, Workspace, WorkspaceChanges};
use lyceum_domain::text::Name;
use lyceum_domain::{At, Invalid, InvalidValue, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::declared::view;
use crate::money::UsdNumber;
use crate::patch::Patch;
use crate::shapes;

/// A workspace to be made; its maker becomes its owner.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateWorkspace {
    /// Human-readable name.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "Riverside Cooking School"
    )]
    pub name: String,
    /// Domain name of the organisation.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "riverside.example"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// What it decides about AI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai: Option<UpdateWorkspaceAi>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

impl Command for CreateWorkspace {
    type Of = NewWorkspace;

    fn command(self) -> Result<NewWorkspace, Invalid> {
        Ok(NewWorkspace {
            name: Name::parse(self.name).at("name")?,
            domain: self.domain.map(domain).transpose().at("domain")?,
            ai: self
                .ai
                .unwrap_or_default()
                .changes()?
                .apply(WorkspaceAi::default()),
            metadata: metadata(self.metadata)?,
        })
    }
}

/// A change of a workspace: absent keeps, `null` clears.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateWorkspace {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New domain name.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub domain: Patch<String>,
    /// Change of what it decides about AI, member by member.
    #[schema(value_type = Option<UpdateWorkspaceAi>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub ai: Patch<UpdateWorkspaceAi>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateWorkspace {
    type Of = WorkspaceChanges;

    fn command(self) -> Result<WorkspaceChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        Ok(WorkspaceChanges {
            name: name.map(Name::parse).transpose().at("name")?,
            domain: self.domain.try_map(domain).at("domain")?.into_option(),
            ai: match self.ai {
                Patch::Keep => WorkspaceAiChanges::default(),
                Patch::Clear => WorkspaceAiChanges::RESET,
                Patch::Set(ai) => ai.changes()?,
            },
            metadata: metadata_change(self.metadata),
        })
    }
}

/// What a workspace decides about AI: absent keeps, `null` is as in a new workspace.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateWorkspaceAi {
    /// How much may be spent in a calendar month (UTC).
    #[schema(value_type = Option<UpdateMonthlyBudget>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub monthly_budget: Patch<UpdateMonthlyBudget>,
    /// What happens to a run that the AI provider failed for good.
    #[schema(schema_with = shapes::optional_word::<OnProviderFailure>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub on_provider_failure: Patch<String>,
}

/// How much may be spent in a calendar month (UTC): absent keeps, `null` sets no limit; with no limit at all, what the
/// service decided for such workspaces holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateMonthlyBudget {
    /// Tokens, read and written.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_i64, example = 2_000_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub tokens: Patch<i64>,
    /// US dollars, to six decimals. Needs prices in the service's settings.
    #[schema(value_type = Option<UsdNumber>, example = 25)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub usd: Patch<UsdNumber>,
}

impl UpdateWorkspaceAi {
    fn changes(self) -> Result<WorkspaceAiChanges, Invalid> {
        let (tokens, usd) = match self.monthly_budget {
            Patch::Keep => (Patch::Keep, Patch::Keep),
            Patch::Clear => (Patch::Clear, Patch::Clear),
            Patch::Set(budget) => (budget.tokens, budget.usd),
        };
        let failure = self
            .on_provider_failure
            .try_map(|word| OnProviderFailure::parse(&word))
            .at("ai.on_provider_failure")?;
        Ok(WorkspaceAiChanges {
            tokens: tokens
                .try_map(MonthlyBudget::tokens)
                .at("ai.monthly_budget.tokens")?
                .into_option(),
            cost: usd.into_option().map(|usd| usd.map(|usd| usd.0)),
            on_provider_failure: failure.or_default(|| OnProviderFailure::Error),
        })
    }
}

view! {
    /// What a workspace decided about AI.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct WorkspaceAiView {
        /// How much may be spent in a calendar month (UTC).
        pub monthly_budget: MonthlyBudgetView = MonthlyBudgetView::new(ai.monthly_budget),
        /// What happens to a run that the AI provider failed for good.
        #[schema(schema_with = shapes::word::<OnProviderFailure>)]
        pub on_provider_failure: String = ai.on_provider_failure.to_string(),
    }

    /// Of what it decided.
    pub fn new(ai: WorkspaceAi);
}

/// How much may be spent in a calendar month (UTC); `null` sets no limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MonthlyBudgetView {
    /// Tokens, read and written.
    #[schema(required)]
    pub tokens: Option<u64>,
    /// US dollars.
    #[schema(required)]
    pub usd: Option<UsdNumber>,
}

/// A domain name follows the rules of names; what it points to is its owner's business.
fn domain(text: String) -> Result<String, InvalidValue> {
    Name::parse(text).map(|name| name.to_string())
}

view! {
    /// A workspace.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct WorkspaceView {
        /// `wsp_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Workspace>)]
        pub id: String = workspace.id.to_string(),
        /// Always `workspace`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Workspace>)]
        pub object: String = "workspace".to_owned(),
        /// Human-readable name.
        pub name: String = workspace.name.to_string(),
        /// Domain name of the organisation.
        #[schema(required)]
        pub domain: Option<String> = workspace.domain.clone(),
        /// Always `active`.
        #[schema(schema_with = shapes::word::<lyceum_domain::identity::workspaces::WorkspaceStatus>)]
        pub status: String = workspace.status.to_string(),
        /// The same tenant as callers choose it.
        pub platform: PlatformSummary = PlatformSummary::new(workspace),
        /// What it decided about AI.
        pub ai: WorkspaceAiView = WorkspaceAiView::new(workspace.ai),
        /// How much of what it may use is used.
        pub usage: WorkspaceUsageView = WorkspaceUsageView::new(facts),
        /// How much it may use.
        pub quotas: WorkspaceQuotasView = WorkspaceQuotasView::new(facts),
        /// Free-form key-value store.
        pub metadata: FreeObject = (&workspace.metadata).into(),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = workspace.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = workspace.stamp.updated_at.to_string(),
    }

    /// Of a workspace, with what it uses and may use.
    pub fn new(workspace: &Workspace, facts: &WorkspaceFacts);
}

/// What a workspace uses and may use, beside what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceFacts {
    /// Bytes that it keeps, and when they were measured.
    pub storage: Option<(u64, Timestamp)>,
    /// Bytes that it may keep.
    pub storage_limit: Option<u64>,
    /// Bytes that one learner's works and answers may take.
    pub learner_limit: Option<u64>,
    /// What it may spend on AI in a month.
    pub budget: MonthlyBudget,
    /// How much of that learners may spend.
    pub shares: BudgetShares,
    /// How many works of one learner AI begins to grade by itself in an hour.
    pub learner_hourly: u32,
    /// The same of all learners of a package.
    pub package_hourly: u32,
}

/// How much of what it may use a workspace uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceUsageView {
    /// Bytes that it keeps in the database, as of `measured_at`; 0 before the first measure.
    pub storage_bytes: u64,
    /// When that was measured; about once an hour, and sooner when there seems to be no room left.
    #[schema(required, schema_with = shapes::optional_moment)]
    pub measured_at: Option<String>,
}

/// How much a workspace may use; `null` where there is no limit. What it spends on AI is at `GET /v1/ai/usage`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceQuotasView {
    /// Bytes that it may keep in the database.
    #[schema(required)]
    pub storage_bytes: Option<u64>,
    /// Bytes that the works and answers of one learner may take.
    #[schema(required)]
    pub learner_storage_bytes: Option<u64>,
    /// What holds in a calendar month (UTC): what the workspace decided, else what the service does.
    pub ai_monthly_budget: MonthlyBudgetView,
    /// Per cent of it that all learners together may spend.
    pub ai_learners_percent: u8,
    /// Per cent of it that the learners of one SCORM package may spend.
    pub ai_package_percent: u8,
    /// Works of one learner that AI begins to grade by itself in an hour.
    pub ai_gradings_per_learner_hour: u32,
    /// Works of all learners of one SCORM package that AI begins to grade by itself in an hour.
    pub ai_gradings_per_package_hour: u32,
}

impl WorkspaceUsageView {
    fn new(facts: &WorkspaceFacts) -> Self {
        Self {
            storage_bytes: facts.storage.map_or(0, |(bytes, _)| bytes),
            measured_at: facts.storage.map(|(_, at)| at.to_string()),
        }
    }
}

impl WorkspaceQuotasView {
    fn new(facts: &WorkspaceFacts) -> Self {
        Self {
            storage_bytes: facts.storage_limit,
            learner_storage_bytes: facts.learner_limit,
            ai_monthly_budget: MonthlyBudgetView::new(facts.budget),
            ai_learners_percent: facts.shares.learners,
            ai_package_percent: facts.shares.package,
            ai_gradings_per_learner_hour: facts.learner_hourly,
            ai_gradings_per_package_hour: facts.package_hourly,
        }
    }
}

impl MonthlyBudgetView {
    fn new(budget: MonthlyBudget) -> Self {
        Self {
            tokens: budget.tokens,
            usd: budget.cost.map(UsdNumber),
        }
    }
}

/// A platform, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlatformSummary {
    /// A number of its own.
    pub id: i64,
    /// 24 hexadecimal digits, for `X-Learning-Platform-Uuid`.
    pub uuid: String,
    /// A slug, for `X-Learning-Platform-Code`; older platforms have none.
    #[schema(required)]
    pub code: Option<String>,
    /// Human-readable name.
    pub name: String,
}

impl PlatformSummary {
    /// Of a workspace.
    pub fn new(workspace: &Workspace) -> Self {
        let platform = &workspace.platform;
        Self {
            id: platform.number,
            uuid: platform.uuid.to_string(),
            code: platform.code.as_ref().map(ToString::to_string),
            name: workspace.name.to_string(),
        }
    }
}

impl Resource for WorkspaceView {
    const COLLECTION: &'static str = "workspaces";

    fn id(&self) -> &str {
        &self.id
    }
}
