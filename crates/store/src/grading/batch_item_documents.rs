//! What came of an item of a batch, as a document: what AI said apart from all records, and what stood before it landed.
//!
//! Points are whole hundredths here too.

use lyceum_domain::grading::batches::{BatchItem, FoundGrade, ItemFailure, LeftBecause, Preview};
use lyceum_domain::grading::grades::{GradeSource, Judgement};
use lyceum_domain::grading::red_team::AttackTechnique;
use lyceum_domain::grading::submissions::{
    ReviewStatus, StandingGrade, SubmissionSnapshot, SubmissionStatus,
};
use lyceum_domain::points::Points;
use serde::{Deserialize, Serialize};

use crate::grading::grade_documents::{
    AiSaid, CriterionDocument, GradeAiDocument, GradeDocument, GraderDocument,
};
use crate::prelude::*;

/// What of an item is no column.
#[derive(Serialize, Deserialize)]
pub struct ItemDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    technique: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<FoundDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preview: Option<PreviewDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<ItemFailureDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<SnapshotDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    landed: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct FoundDocument {
    score: Option<i64>,
    by: Option<String>,
    decided: bool,
    max_score: i64,
    receipt: String,
}

#[derive(Serialize, Deserialize)]
struct PreviewDocument {
    criteria: Vec<CriterionDocument>,
    score: i64,
    review_reasons: Vec<String>,
    feedback: String,
    grader: GraderDocument,
    grader_hash: String,
    read_at: String,
    answer: Option<String>,
    result_key: Option<String>,
    /// What the version before read.
    would_release: bool,
    is_held: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct ItemFailureDocument {
    code: String,
    message: String,
}

#[derive(Serialize, Deserialize)]
struct SnapshotDocument {
    status: String,
    grade: Option<GradeDocument>,
    ai_status: Option<String>,
    ai: GradeAiDocument,
    review: Option<String>,
    review_reasons: Vec<String>,
}

impl From<&BatchItem> for ItemDocument {
    fn from(item: &BatchItem) -> Self {
        Self {
            technique: item.technique.map(|technique| technique.to_string()),
            base: item.base,
            text: item.text.clone(),
            found: item.found.as_ref().map(Into::into),
            preview: item.preview.as_ref().map(Into::into),
            failure: item.failure.as_ref().map(|failure| ItemFailureDocument {
                code: failure.code.clone(),
                message: failure.message.clone(),
            }),
            left: item.left.map(|because| because.to_string()),
            before: item.before.as_deref().map(Into::into),
            landed: item.landed.clone(),
        }
    }
}

impl ItemDocument {
    /// Puts what it says into an item.
    pub fn fill(self, to: &mut BatchItem) -> Result<(), StoreError> {
        let technique = self.technique.as_deref().map(AttackTechnique::parse);
        let left = self.left.as_deref().map(LeftBecause::parse);
        to.technique = rows::read(technique.transpose())?;
        to.base = self.base;
        to.text = self.text;
        to.found = self.found.map(TryInto::try_into).transpose()?;
        to.preview = self.preview.map(TryInto::try_into).transpose()?;
        to.failure = self.failure.map(|failure| ItemFailure {
            code: failure.code,
            message: failure.message,
        });
        to.left = rows::read(left.transpose())?;
        let before = self.before.map(SubmissionSnapshot::try_from).transpose()?;
        to.before = before.map(Box::new);
        to.landed = self.landed;
        Ok(())
    }
}

impl From<&FoundGrade> for FoundDocument {
    fn from(found: &FoundGrade) -> Self {
        Self {
            score: found.score.map(|score| score.hundredths().into()),
            by: found.by.map(|by| by.to_string()),
            decided: found.decided,
            max_score: found.max_score.hundredths().into(),
            receipt: found.receipt.clone(),
        }
    }
}

impl TryFrom<FoundDocument> for FoundGrade {
    type Error = StoreError;

    fn try_from(document: FoundDocument) -> Result<Self, StoreError> {
        let by = document.by.as_deref().map(GradeSource::parse);
        Ok(Self {
            score: document.score.map(Points::from_hundredths),
            by: rows::read(by.transpose())?,
            decided: document.decided,
            max_score: Points::from_hundredths(document.max_score),
            receipt: document.receipt,
        })
    }
}

impl From<&Preview> for PreviewDocument {
    fn from(preview: &Preview) -> Self {
        let Judgement {
            criteria,
            score,
            review_reasons,
        } = &preview.judgement;
        Self {
            criteria: criteria.iter().map(CriterionDocument::from).collect(),
            score: score.hundredths().into(),
            review_reasons: review_reasons.clone(),
            feedback: preview.feedback.clone(),
            grader: (&preview.grader).into(),
            grader_hash: preview.grader_hash.clone(),
            read_at: preview.read_at.to_string(),
            answer: preview.answer.clone(),
            result_key: preview.result_key.clone(),
            would_release: !preview.is_held,
            is_held: Some(preview.is_held),
        }
    }
}

impl TryFrom<PreviewDocument> for Preview {
    type Error = StoreError;

    fn try_from(document: PreviewDocument) -> Result<Self, StoreError> {
        Ok(Self {
            judgement: Judgement {
                criteria: document.criteria.into_iter().map(Into::into).collect(),
                score: Points::from_hundredths(document.score),
                review_reasons: document.review_reasons,
            },
            feedback: document.feedback,
            grader: document.grader.try_into()?,
            grader_hash: document.grader_hash,
            read_at: rows::read(Timestamp::parse(&document.read_at))?,
            answer: document.answer,
            result_key: document.result_key,
            // The version before counted as held what AI was not sure enough of; what it kept counts as going out.
            is_held: document.is_held.unwrap_or(false),
        })
    }
}

impl From<&SubmissionSnapshot> for SnapshotDocument {
    fn from(before: &SubmissionSnapshot) -> Self {
        let said = AiSaid {
            proposal: before.ai_proposal.clone(),
            explanation: before.explanation.clone(),
            explanation_awaited: None,
        };
        let (ai_status, ai) = GradeAiDocument::of(&before.ai, said);
        Self {
            status: before.status.to_string(),
            grade: before.grade.as_ref().map(GradeDocument::from),
            ai_status,
            ai,
            review: before.review.map(|review| review.to_string()),
            review_reasons: before.review_reasons.clone(),
        }
    }
}

impl TryFrom<SnapshotDocument> for SubmissionSnapshot {
    type Error = StoreError;

    fn try_from(document: SnapshotDocument) -> Result<Self, StoreError> {
        let (ai, said) = document.ai.parts(document.ai_status.as_deref())?;
        let review = document.review.as_deref().map(ReviewStatus::parse);
        Ok(Self {
            status: rows::read(SubmissionStatus::parse(&document.status))?,
            grade: document.grade.map(StandingGrade::try_from).transpose()?,
            ai,
            ai_proposal: said.proposal,
            explanation: said.explanation,
            review: rows::read(review.transpose())?,
            review_reasons: document.review_reasons,
        })
    }
}
