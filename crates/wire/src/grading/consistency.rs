//! The consistency list on the wire.

use lyceum_domain::grading::consistency::{GradedText, UnequalPair};
use lyceum_domain::ids::AssignmentId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// Answers of nearly the same words that were graded far apart. Each pair is worth a look; that the grades should be equal
/// is not claimed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConsistencyView {
    /// Always `consistency`.
    pub object: String,
    /// The assignment.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// How many answers were held against each other: of the newest thousand those that have a grade, by people or AI, or for
    /// which AI proposes one. What waits for a blind grade is none of them.
    pub compared: usize,
    /// At most a hundred pairs, those furthest apart first.
    pub pairs: Vec<UnequalPairView>,
}

/// Two answers that are alike and whose grades are not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct UnequalPairView {
    /// How alike the texts are, from 0.9 to 1: the cosine of how often they have each three letters in a row.
    pub similarity: f64,
    /// How far apart the grades are, as a part of the best possible score: from 0.25 to 1.
    pub gap: f64,
    /// The answer with more points.
    pub better: GradedAnswerView,
    /// The other.
    pub worse: GradedAnswerView,
}

/// A graded answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GradedAnswerView {
    /// The submission.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// Its points.
    pub score: f64,
    /// The best possible.
    pub max_score: f64,
    /// Who gave them.
    #[schema(schema_with = shapes::word::<lyceum_domain::grading::grades::GradeSource>)]
    pub source: String,
}

impl ConsistencyView {
    /// Of an assignment, so many of whose answers were compared.
    pub fn new(assignment: AssignmentId, compared: usize, pairs: &[UnequalPair]) -> Self {
        Self {
            object: "consistency".to_owned(),
            assignment_id: assignment.to_string(),
            compared,
            pairs: pairs.iter().map(Into::into).collect(),
        }
    }
}

impl From<&UnequalPair> for UnequalPairView {
    /// To four decimals: no more of it means anything.
    fn from(pair: &UnequalPair) -> Self {
        let shown = |value: f64| (value * 1e4).round() / 1e4;
        Self {
            similarity: shown(pair.similarity),
            gap: shown(pair.gap()),
            better: (&pair.better).into(),
            worse: (&pair.worse).into(),
        }
    }
}

impl From<&GradedText> for GradedAnswerView {
    fn from(answer: &GradedText) -> Self {
        Self {
            submission_id: answer.submission_id.to_string(),
            score: answer.score.to_number(),
            max_score: answer.max_score.to_number(),
            source: answer.by.as_str().to_owned(),
        }
    }
}
