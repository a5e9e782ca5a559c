//! A grade record as a row, and what is kept beside it.

use lyceum_domain::grading::grades::{CriterionResult, Grade, GradeStatus};
use lyceum_domain::grading::receipts::{Kept, Receipt};
use lyceum_domain::points::Points;

use crate::grading::grade_documents::{CriterionDocument, GraderDocument};
use crate::mapping::documents;
use crate::mapping::schema::grades;
use crate::prelude::*;

/// A record, without what is kept beside it.
#[derive(Queryable, QueryableByName, Selectable, Insertable)]
#[diesel(table_name = grades, treat_none_as_default_value = false)]
pub struct GradeRow {
    workspace_id: String,
    id: String,
    submission_id: String,
    run: i64,
    status: String,
    score: i64,
    max_score: i64,
    rubric_hash: String,
    criteria: Json,
    feedback: String,
    grader: Json,
    reason: Option<String>,
    created_at: Moment,
    review_reasons: Option<Json>,
    sequence: Option<i64>,
    text_hash: Option<String>,
    answer_hash: Option<String>,
    previous: Option<String>,
    receipt: Option<String>,
}

impl TryFrom<&Grade> for GradeRow {
    type Error = StoreError;

    fn try_from(grade: &Grade) -> Result<Self, StoreError> {
        let Grade {
            workspace_id,
            id,
            submission_id,
            run,
            status,
            score,
            max_score,
            rubric_hash,
            criteria,
            feedback,
            review_reasons,
            grader,
            reason,
            created_at,
            receipt,
        } = grade;
        let receipt = receipt.as_ref();
        let criteria: Vec<_> = criteria.iter().map(CriterionDocument::from).collect();
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            submission_id: submission_id.to_string(),
            run: (*run).into(),
            status: status.to_string(),
            score: score.hundredths().into(),
            max_score: max_score.hundredths().into(),
            rubric_hash: rubric_hash.clone(),
            criteria: documents::write(&criteria)?,
            feedback: feedback.clone(),
            grader: documents::write(&GraderDocument::from(grader))?,
            reason: reason.clone(),
            created_at: (*created_at).into(),
            review_reasons: Some(Json::strings(review_reasons)),
            sequence: receipt.map(|receipt| receipt.sequence.into()),
            text_hash: receipt.map(|receipt| receipt.text_hash.clone()),
            answer_hash: receipt.and_then(|receipt| receipt.answer_hash.clone()),
            previous: receipt.map(|receipt| receipt.previous.clone()),
            receipt: receipt.map(|receipt| receipt.hash.clone()),
        })
    }
}

impl TryFrom<GradeRow> for Grade {
    type Error = StoreError;

    fn try_from(row: GradeRow) -> Result<Self, StoreError> {
        let receipt = row.seal()?;
        let reasons = row.review_reasons.map(rows::strings).transpose()?;
        let criteria: Vec<CriterionDocument> = documents::read(row.criteria)?;
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            submission_id: rows::id(&row.submission_id)?,
            run: rows::number(row.run)?,
            status: rows::read(GradeStatus::parse(&row.status))?,
            score: Points::from_hundredths(row.score),
            max_score: Points::from_hundredths(row.max_score),
            rubric_hash: row.rubric_hash,
            criteria: criteria.into_iter().map(CriterionResult::from).collect(),
            feedback: row.feedback,
            review_reasons: reasons.unwrap_or_default(),
            grader: documents::read::<GraderDocument>(row.grader)?.try_into()?,
            reason: row.reason,
            created_at: row.created_at.0,
            receipt,
        })
    }
}

/// What of a record changes when its person is erased.
#[derive(AsChangeset)]
#[diesel(table_name = grades, treat_none_as_null = true)]
pub struct ErasedRow {
    criteria: Json,
    feedback: String,
    reason: Option<String>,
    review_reasons: Option<Json>,
    answer: Option<String>,
    result_key: Option<String>,
    tombstone: Option<String>,
}

impl ErasedRow {
    pub fn new(grade: &Grade, kept: &Kept) -> Result<Self, StoreError> {
        let row = GradeRow::try_from(grade)?;
        let kept = KeptRow::from(kept);
        Ok(Self {
            criteria: row.criteria,
            feedback: row.feedback,
            reason: row.reason,
            review_reasons: row.review_reasons,
            answer: kept.answer,
            result_key: kept.result_key,
            tombstone: kept.tombstone,
        })
    }
}

impl GradeRow {
    /// The receipt; none where any part of it is absent.
    fn seal(&self) -> Result<Option<Receipt>, StoreError> {
        let parts = (
            self.sequence,
            self.text_hash.clone(),
            self.previous.clone(),
            self.receipt.clone(),
        );
        let (Some(sequence), Some(text_hash), Some(previous), Some(hash)) = parts else {
            return Ok(None);
        };
        Ok(Some(Receipt {
            sequence: rows::number(sequence)?,
            text_hash,
            answer_hash: self.answer_hash.clone(),
            previous,
            hash,
        }))
    }
}

row! {
    /// What is kept beside a record.
    #[derive(Queryable, QueryableByName, Selectable, Insertable)]
    #[diesel(table_name = grades, treat_none_as_default_value = false)]
    pub struct KeptRow of Kept {
        rubric: Option<String>,
        answer: Option<String>,
        result_key: Option<String>,
        tombstone: Option<String>,
    }
}
