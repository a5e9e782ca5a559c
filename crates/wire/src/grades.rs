//! Grades on the wire.

use lyceum_domain::grades::{CriterionResult, Evidence, Grade, Grader};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Resource;
use crate::points::PointsNumber;
use crate::shapes;

/// A passage of the submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceView {
    /// Where it starts, in characters of the text.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// The passage, as it stands there.
    pub quote: String,
}

impl EvidenceView {
    fn new(evidence: &Evidence) -> Self {
        Self {
            start: evidence.start,
            end: evidence.end,
            quote: evidence.quote.clone(),
        }
    }
}

/// How one criterion was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CriterionResultView {
    /// The criterion.
    pub criterion_id: String,
    /// Its name when it was judged.
    pub name: String,
    /// The level reached, where there are levels.
    #[schema(required)]
    pub level_id: Option<String>,
    /// Points reached.
    #[schema(value_type = f64)]
    pub score: PointsNumber,
    /// Best possible points.
    #[schema(value_type = f64)]
    pub max_score: PointsNumber,
    /// Why.
    pub rationale: String,
    /// The passages it rests on.
    pub evidence: Vec<EvidenceView>,
    /// 0 to 1, where the grader says.
    #[schema(required)]
    pub confidence: Option<f64>,
}

impl CriterionResultView {
    /// Of a judged criterion.
    pub fn new(result: &CriterionResult) -> Self {
        Self {
            criterion_id: result.criterion_id.clone(),
            name: result.name.clone(),
            level_id: result.level_id.clone(),
            score: PointsNumber(result.score),
            max_score: PointsNumber(result.max_score),
            rationale: result.rationale.clone(),
            evidence: result.evidence.iter().map(EvidenceView::new).collect(),
            confidence: result
                .confidence
                .map(|hundredths| f64::from(hundredths) / 100.0),
        }
    }
}

/// Who judged, and with what.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct GraderView {
    /// `built_in`, `provider` or `person`.
    #[schema(schema_with = shapes::word::<GraderKind>)]
    pub kind: String,
    /// The person.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::users::User>, required)]
    pub user_id: Option<String>,
    /// The model that answered.
    #[schema(required)]
    pub model: Option<String>,
    /// Version of the prompt or algorithm.
    #[schema(required)]
    pub prompt_version: Option<String>,
    /// Tokens read.
    #[schema(required)]
    pub tokens_in: Option<u64>,
    /// Tokens written.
    #[schema(required)]
    pub tokens_out: Option<u64>,
}

/// Who a grader can be.
struct GraderKind;

impl lyceum_domain::Words for GraderKind {
    fn words() -> Vec<&'static str> {
        vec!["built_in", "provider", "person"]
    }
}

impl GraderView {
    fn new(grader: &Grader) -> Self {
        match grader {
            Grader::Ai {
                model,
                prompt_version,
                tokens_in,
                tokens_out,
                ..
            } => Self {
                kind: if model == "builtin" {
                    "built_in"
                } else {
                    "provider"
                }
                .to_owned(),
                user_id: None,
                model: Some(model.clone()),
                prompt_version: Some(prompt_version.clone()),
                tokens_in: Some(*tokens_in),
                tokens_out: Some(*tokens_out),
            },
            Grader::Human { user_id } => Self {
                kind: "person".to_owned(),
                user_id: Some(user_id.to_string()),
                model: None,
                prompt_version: None,
                tokens_in: None,
                tokens_out: None,
            },
        }
    }
}

/// One record of a submission's grade history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GradeView {
    /// `grd_…`
    #[schema(schema_with = shapes::id_of::<Grade>)]
    pub id: String,
    /// Always `grade`.
    #[schema(schema_with = shapes::name_of::<Grade>)]
    pub object: String,
    /// What was graded.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::submissions::Submission>)]
    pub submission_id: String,
    /// `ai` or `human`.
    #[schema(schema_with = shapes::word::<lyceum_domain::grades::GradeSource>)]
    pub source: String,
    /// `suggested`, `final` or `superseded`.
    #[schema(schema_with = shapes::word::<lyceum_domain::grades::GradeStatus>)]
    pub status: String,
    /// The score.
    #[schema(value_type = f64)]
    pub score: PointsNumber,
    /// Best possible score.
    #[schema(value_type = f64)]
    pub max_score: PointsNumber,
    /// SHA-256 of the rubric's canonical JSON.
    pub rubric_hash: String,
    /// One per criterion.
    pub criteria: Vec<CriterionResultView>,
    /// For the student.
    pub feedback: String,
    /// Who judged.
    pub grader: GraderView,
    /// Why a person overruled.
    #[schema(required)]
    pub reason: Option<String>,
    /// When.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// The same: records never change.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl GradeView {
    /// Of a record.
    pub fn new(grade: &Grade) -> Self {
        Self {
            id: grade.id.to_string(),
            object: "grade".to_owned(),
            submission_id: grade.submission_id.to_string(),
            source: grade.source().to_string(),
            status: grade.status.to_string(),
            score: PointsNumber(grade.score),
            max_score: PointsNumber(grade.max_score),
            rubric_hash: grade.rubric_hash.clone(),
            criteria: grade
                .criteria
                .iter()
                .map(CriterionResultView::new)
                .collect(),
            feedback: grade.feedback.clone(),
            grader: GraderView::new(&grade.grader),
            reason: grade.reason.clone(),
            created_at: grade.created_at.to_string(),
            updated_at: grade.created_at.to_string(),
        }
    }
}

impl GradeView {
    /// The same for its student: neither what it was made with nor what is for the record.
    pub fn learner(grade: &Grade) -> Self {
        let mut view = Self::new(grade);
        view.reason = None;
        view.grader = GraderView {
            kind: view.grader.kind,
            ..GraderView::default()
        };
        for criterion in &mut view.criteria {
            criterion.confidence = None;
        }
        view
    }
}

impl Resource for GradeView {
    const COLLECTION: &'static str = "grades";

    fn id(&self) -> &str {
        &self.id
    }
}
