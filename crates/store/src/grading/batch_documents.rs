//! What a batch is about and what came of it, as a document. Shares are whole parts per million.

use lyceum_domain::Stamp;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::batches::{
    Batch, BatchGrader, BatchKind, BatchSelection, ChangeSummary,
};
use lyceum_domain::grading::red_team::{AttackTechnique, Gain, RedTeamReport, TechniqueFigures};
use lyceum_domain::grading::submissions::SubmissionStatus;
use lyceum_domain::ids::{AssignmentId, BatchId};
use lyceum_domain::json::JsonObject;
use lyceum_domain::money::MicroUsd;
use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// What of a batch is no column.
#[derive(Serialize, Deserialize)]
pub struct BatchDocument {
    selection: SelectionDocument,
    rubric: JsonObject,
    model: String,
    is_usual: bool,
    min_confidence: u8,
    size: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replace: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    report: Option<ReportDocument>,
    told: u8,
}

#[derive(Serialize, Deserialize)]
struct SelectionDocument {
    only_stale: bool,
    status: Option<String>,
    cohort_id: Option<String>,
    #[serde(default)]
    submission_ids: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct SummaryDocument {
    compared: u32,
    changed: u32,
    up: u32,
    down: u32,
    decided: u32,
    new: u32,
    histogram: Vec<u32>,
    mean_change: Option<i64>,
    /// In millionths of a US dollar.
    cost: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct ReportDocument {
    attacks: u32,
    ungraded: u32,
    flagged: u32,
    released: u32,
    through: u32,
    greatest_gain_released: Option<i64>,
    passes: bool,
    /// The version before did not say: what it found passes from nowhere on.
    passes_from: Option<u8>,
    techniques: Vec<TechniqueDocument>,
}

#[derive(Serialize, Deserialize)]
struct TechniqueDocument {
    technique: String,
    attacks: u32,
    ungraded: u32,
    flagged: u32,
    released: u32,
    through: u32,
    mean_gain: Option<i64>,
    greatest_gain: Option<i64>,
    greatest_gain_released: Option<i64>,
}

impl From<&Batch> for BatchDocument {
    fn from(batch: &Batch) -> Self {
        Self {
            selection: (&batch.selection).into(),
            rubric: batch.grader.rubric.to_json(),
            model: batch.grader.model.clone(),
            is_usual: batch.grader.is_usual,
            min_confidence: batch.grader.min_confidence,
            size: batch.size,
            replace: batch.replace.iter().map(ToString::to_string).collect(),
            summary: batch.summary.as_ref().map(Into::into),
            report: batch.report.as_ref().map(Into::into),
            told: batch.told,
        }
    }
}

impl BatchDocument {
    /// The batch that it is of, in its first state.
    pub fn batch(
        self,
        (workspace, id, assignment): (WorkspaceId, BatchId, AssignmentId),
        kind: BatchKind,
        stamp: Stamp,
    ) -> Result<Batch, StoreError> {
        let grader = BatchGrader {
            rubric: rows::read(Rubric::parse("rubric", &self.rubric))?,
            model: self.model,
            is_usual: self.is_usual,
            min_confidence: self.min_confidence,
        };
        let selection = self.selection.read()?;
        let now = stamp.created_at;
        let replace = self.replace.iter().map(|id| rows::id(id));
        let replace = replace.collect::<Result<Vec<_>, _>>()?;
        Ok(Batch {
            size: self.size,
            replace,
            summary: self.summary.map(TryInto::try_into).transpose()?,
            report: self.report.map(TryInto::try_into).transpose()?,
            told: self.told,
            stamp,
            ..Batch::new((workspace, id, assignment), kind, selection, grader, now)
        })
    }
}

impl From<&BatchSelection> for SelectionDocument {
    fn from(selection: &BatchSelection) -> Self {
        let ids = selection.submission_ids.iter();
        Self {
            only_stale: selection.only_stale,
            status: selection.status.map(|status| status.to_string()),
            cohort_id: selection.cohort_id.map(|id| id.to_string()),
            submission_ids: ids.map(ToString::to_string).collect(),
        }
    }
}

impl SelectionDocument {
    fn read(self) -> Result<BatchSelection, StoreError> {
        let status = self.status.as_deref().map(SubmissionStatus::parse);
        let ids = self.submission_ids.iter().map(|id| rows::id(id));
        Ok(BatchSelection {
            only_stale: self.only_stale,
            status: rows::read(status.transpose())?,
            cohort_id: rows::optional_id(self.cohort_id.as_ref())?,
            submission_ids: ids.collect::<Result<_, _>>()?,
        })
    }
}

impl From<&ChangeSummary> for SummaryDocument {
    fn from(summary: &ChangeSummary) -> Self {
        Self {
            compared: summary.compared,
            changed: summary.changed,
            up: summary.up,
            down: summary.down,
            decided: summary.decided,
            new: summary.new,
            histogram: summary.histogram.to_vec(),
            mean_change: summary.mean_change,
            cost: summary.cost.map(MicroUsd::millionths),
        }
    }
}

impl TryFrom<SummaryDocument> for ChangeSummary {
    type Error = StoreError;

    fn try_from(document: SummaryDocument) -> Result<Self, StoreError> {
        let bins = document.histogram.try_into();
        Ok(Self {
            compared: document.compared,
            changed: document.changed,
            up: document.up,
            down: document.down,
            decided: document.decided,
            new: document.new,
            histogram: bins
                .map_err(|bins: Vec<u32>| corrupt(format!("{} bins of changes", bins.len())))?,
            mean_change: document.mean_change,
            cost: document.cost.map(MicroUsd::new),
        })
    }
}

impl From<&RedTeamReport> for ReportDocument {
    fn from(report: &RedTeamReport) -> Self {
        Self {
            attacks: report.attacks,
            ungraded: report.ungraded,
            flagged: report.flagged,
            released: report.released,
            through: report.through,
            greatest_gain_released: report.greatest_gain_released.map(Gain::parts),
            passes: report.passes,
            passes_from: report.passes_from,
            techniques: report.techniques.iter().map(Into::into).collect(),
        }
    }
}

impl TryFrom<ReportDocument> for RedTeamReport {
    type Error = StoreError;

    fn try_from(document: ReportDocument) -> Result<Self, StoreError> {
        let techniques = document.techniques.into_iter().map(TryInto::try_into);
        Ok(Self {
            attacks: document.attacks,
            ungraded: document.ungraded,
            flagged: document.flagged,
            released: document.released,
            through: document.through,
            greatest_gain_released: document.greatest_gain_released.map(Gain::of_parts),
            techniques: techniques.collect::<Result<_, StoreError>>()?,
            passes: document.passes && document.passes_from.is_some(),
            passes_from: document.passes_from,
        })
    }
}

impl From<&TechniqueFigures> for TechniqueDocument {
    fn from(one: &TechniqueFigures) -> Self {
        Self {
            technique: one.technique.to_string(),
            attacks: one.attacks,
            ungraded: one.ungraded,
            flagged: one.flagged,
            released: one.released,
            through: one.through,
            mean_gain: one.mean_gain.map(Gain::parts),
            greatest_gain: one.greatest_gain.map(Gain::parts),
            greatest_gain_released: one.greatest_gain_released.map(Gain::parts),
        }
    }
}

impl TryFrom<TechniqueDocument> for TechniqueFigures {
    type Error = StoreError;

    fn try_from(document: TechniqueDocument) -> Result<Self, StoreError> {
        Ok(Self {
            technique: rows::read(AttackTechnique::parse(&document.technique))?,
            attacks: document.attacks,
            ungraded: document.ungraded,
            flagged: document.flagged,
            released: document.released,
            through: document.through,
            mean_gain: document.mean_gain.map(Gain::of_parts),
            greatest_gain: document.greatest_gain.map(Gain::of_parts),
            greatest_gain_released: document.greatest_gain_released.map(Gain::of_parts),
        })
    }
}
