//! Batches on the wire: regrades that are previewed, committed and undone, bulk gradings, and red teams.

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::batches::{
    Batch, BatchKind, BatchSelection, BatchState, ChangeSummary, ItemCounts, ItemState,
};
use lyceum_domain::grading::submissions::SubmissionStatus;
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::money::MicroUsd;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::rubric_input::RubricInput;
use crate::common::{Command, FreeObject, Resource};
use crate::common_ids::reference;
use crate::grading::red_team::{RedTeamView, share};
use crate::money::UsdNumber;
use crate::shapes;

mod items;

pub use items::{BatchItemView, FoundView};

/// So many submissions are named at most.
pub const MOST_NAMED: usize = 1_000;

/// Which answers; what is absent leaves nobody out. Drafts, addresses and what waits for a blind grade are never among them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct BatchFilter {
    /// Only those in this state: `submitted`, `in_review`, `graded` or `returned`.
    #[schema(schema_with = shapes::optional_word::<SubmissionStatus>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only those of this cohort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cohort_id: Option<String>,
    /// Only these (`sub_…`); none when absent or empty means all.
    #[schema(max_items = 1000)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub submission_ids: Vec<String>,
}

impl BatchFilter {
    fn selection(self, only_stale: bool) -> Result<BatchSelection, Invalid> {
        let status = self.status.as_deref().map(SubmissionStatus::parse);
        Ok(BatchSelection {
            only_stale,
            status: status.transpose().at("filter.status")?,
            cohort_id: self.cohort_id.as_deref().map(reference),
            submission_ids: named(&self.submission_ids, "filter.submission_ids")?,
        })
    }
}

fn named(ids: &[String], field: &str) -> Result<Vec<SubmissionId>, Invalid> {
    if ids.len() > MOST_NAMED {
        return Err(Invalid::new(
            field,
            format!("must name at most {MOST_NAMED}"),
        ));
    }
    let mut named: Vec<SubmissionId> = ids.iter().map(|id| reference(id)).collect();
    named.sort();
    named.dedup();
    Ok(named)
}

/// A regrade to be previewed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct StartRegrade {
    /// Which answers.
    pub filter: BatchFilter,
    /// Only answers whose AI grade is stale: older than the newest change of the rubric, the task, the model or the examples.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_stale: bool,
    /// Judge by this rubric instead of the assignment's.
    #[schema(value_type = Option<RubricInput>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric: Option<FreeObject>,
    /// Ask this model instead of the assignment's.
    #[schema(min_length = 1, max_length = 200)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The same, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedRegrade {
    /// Which answers.
    pub selection: BatchSelection,
    /// Another rubric than the assignment's.
    pub rubric: Option<Rubric>,
    /// Another model than the assignment's.
    pub model: Option<String>,
}

impl Command for StartRegrade {
    type Of = AskedRegrade;

    fn command(self) -> Result<AskedRegrade, Invalid> {
        let parse = |object: &FreeObject| Rubric::parse("rubric", &object.0);
        Ok(AskedRegrade {
            rubric: self.rubric.as_ref().map(parse).transpose()?,
            model: self.model.filter(|model| !model.is_empty()),
            selection: self.filter.selection(self.only_stale)?,
        })
    }
}

/// A regrade to be landed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CommitRegrade {
    /// Submissions (`sub_…`) whose grade a person gave or let stand, and that are replaced all the same. Nobody else's are.
    #[schema(max_items = 1000)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replace: Vec<String>,
}

impl Command for CommitRegrade {
    type Of = Vec<SubmissionId>;

    fn command(self) -> Result<Vec<SubmissionId>, Invalid> {
        named(&self.replace, "replace")
    }
}

/// Answers that wait, to be graded by AI.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GradeAllWithAi {
    /// Which of those that wait.
    pub filter: BatchFilter,
}

impl Command for GradeAllWithAi {
    type Of = BatchSelection;

    fn command(self) -> Result<BatchSelection, Invalid> {
        self.filter.selection(false)
    }
}

/// AI at work on many answers of an assignment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BatchView {
    /// `bat_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Batch>)]
    pub id: String,
    /// Always `batch`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Batch>)]
    pub object: String,
    /// Whose answers it is about.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// `regrade`, `grading` (every answer that waits) or `red_team`.
    #[schema(schema_with = shapes::word::<BatchKind>)]
    pub kind: String,
    /// `running`, `ready` (previewed, and nothing has landed), `committing`, `committed`, `undoing`, `undone`, `done` or `stopped`.
    #[schema(schema_with = shapes::word::<BatchState>)]
    pub state: String,
    /// Whether it is about stale grades alone.
    pub only_stale: bool,
    /// SHA-256 of the rubric that it judges by, frozen when it began.
    pub rubric_hash: String,
    /// The model that is asked; empty for the provider's own.
    pub model: String,
    /// How far it is.
    pub items: ItemCountsView,
    /// What a regrade would change; null until it was previewed.
    #[schema(required)]
    pub summary: Option<ChangeSummaryView>,
    /// What came of a red team's attacks; null until they were graded.
    #[schema(required)]
    pub report: Option<RedTeamView>,
    /// When it was asked for.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl BatchView {
    /// Shows a batch with its progress.
    pub fn new(batch: &Batch, counts: &ItemCounts) -> Self {
        Self {
            id: batch.id.to_string(),
            object: "batch".to_owned(),
            assignment_id: batch.assignment_id.to_string(),
            kind: batch.kind.to_string(),
            state: batch.state.to_string(),
            only_stale: batch.selection.only_stale,
            rubric_hash: batch.grader.rubric.hash(),
            model: batch.grader.model.clone(),
            items: ItemCountsView::new(batch.size, counts),
            summary: batch.summary.as_ref().map(Into::into),
            report: batch.report.as_ref().map(Into::into),
            created_at: batch.stamp.created_at.to_string(),
            updated_at: batch.stamp.updated_at.to_string(),
        }
    }
}

impl Resource for BatchView {
    const COLLECTION: &'static str = "batches";

    fn id(&self) -> &str {
        &self.id
    }
}

/// How many items are where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ItemCountsView {
    /// All of them; null while they are being collected.
    #[schema(required)]
    pub total: Option<u32>,
    /// Nobody was asked yet.
    pub waiting: u64,
    /// AI is asked.
    pub asked: u64,
    /// AI graded them.
    pub graded: u64,
    /// AI could not.
    pub failed: u64,
    /// What was previewed landed.
    pub landed: u64,
    /// They were left as they are; each says why.
    pub left: u64,
    /// What stood before stands again.
    pub undone: u64,
    /// They landed and were not put back at an undo; each says why.
    pub kept: u64,
}

impl ItemCountsView {
    fn new(total: Option<u32>, counts: &ItemCounts) -> Self {
        let of = |state: ItemState| counts.get(&state).copied().unwrap_or_default();
        Self {
            total,
            waiting: of(ItemState::Waiting),
            asked: of(ItemState::Asked),
            graded: of(ItemState::Graded),
            failed: of(ItemState::Failed),
            landed: of(ItemState::Landed),
            left: of(ItemState::Left),
            undone: of(ItemState::Undone),
            kept: of(ItemState::Kept),
        }
    }
}

/// What a regrade would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangeSummaryView {
    /// Answers with old points and new ones.
    pub compared: u32,
    /// Those that would get other points.
    pub changed: u32,
    /// Those that would pass and failed; an answer passes with half of its points.
    pub crossing_up: u32,
    /// Those that would fail and passed.
    pub crossing_down: u32,
    /// Those that a person decided about: they land only where a commit names them.
    pub decided_by_person: u32,
    /// Those that had no grade.
    pub without_grade: u32,
    /// How many change by how much of the best score, in twenty steps of a tenth from −1 to 1: the first counts changes below −0.9,
    /// the last those of 0.9 and more; step k begins at k/10 − 1.
    #[schema(min_items = 20, max_items = 20)]
    pub histogram: Vec<u32>,
    /// The mean change as a share of the best score; null where none are compared.
    #[schema(required)]
    pub mean_change: Option<f64>,
    /// What the preview cost; null where prices are not known.
    #[schema(required)]
    pub cost_usd: Option<UsdNumber>,
}

impl From<&ChangeSummary> for ChangeSummaryView {
    fn from(summary: &ChangeSummary) -> Self {
        Self {
            compared: summary.compared,
            changed: summary.changed,
            crossing_up: summary.up,
            crossing_down: summary.down,
            decided_by_person: summary.decided,
            without_grade: summary.new,
            histogram: summary.histogram.to_vec(),
            mean_change: summary.mean_change.map(share),
            cost_usd: summary.cost.map(UsdNumber),
        }
    }
}

/// What grading all answers that wait would be, and how far the newest such batch is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BulkGradingView {
    /// Always `bulk_grading`.
    pub object: String,
    /// The assignment.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// How many answers wait: handed in as text, not graded, and no AI at work on them.
    pub waiting: usize,
    /// What one of the assignment's newest AI grades cost in the mean; nothing with the built-in engine; null where that is not known.
    #[schema(required)]
    pub cost_of_one_usd: Option<UsdNumber>,
    /// What grading all that wait would cost by that.
    #[schema(required)]
    pub estimated_cost_usd: Option<UsdNumber>,
    /// The newest batch of this kind; null before there is one.
    #[schema(required)]
    pub newest: Option<BatchView>,
}

impl Resource for BulkGradingView {
    const COLLECTION: &'static str = "assignments";

    fn id(&self) -> &str {
        &self.assignment_id
    }

    /// An assignment has one.
    fn path(&self) -> String {
        format!("/assignments/{}/ai", self.assignment_id)
    }
}

impl BulkGradingView {
    /// Of an assignment with so many answers that wait, each of which costs so much.
    pub fn new(
        assignment: lyceum_domain::ids::AssignmentId,
        waiting: usize,
        cost_of_one: Option<MicroUsd>,
        newest: Option<BatchView>,
    ) -> Self {
        let count = u64::try_from(waiting).unwrap_or(u64::MAX);
        let all = cost_of_one.map(|cost| MicroUsd::new(cost.millionths().saturating_mul(count)));
        Self {
            object: "bulk_grading".to_owned(),
            assignment_id: assignment.to_string(),
            waiting,
            cost_of_one_usd: cost_of_one.map(UsdNumber),
            estimated_cost_usd: all.map(UsdNumber),
            newest,
        }
    }
}
