//! Rubrics that are tried on an answer, on the wire.

use lyceum_domain::authoring::assignments::GradingChanges;
use lyceum_domain::grading::grades::{Grader, Judgement, is_measured, least_confidence};
use lyceum_domain::grading::submissions::RunBudget;
use lyceum_domain::grading::tries::Tried;
use lyceum_domain::text::LongText;
use lyceum_domain::{At, Invalid, InvalidValue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::grading::{AiEvaluatorInput, FeedbackInput, HumanReview, changes};
use crate::authoring::rubric_input::RubricInput;
use crate::common::{Command, FreeObject};
use crate::grading::grades::{CriterionResultView, GraderView};
use crate::grading::submissions::RunBudgetInput;
use crate::patch::Patch;
use crate::points::PointsNumber;
use crate::shapes;

/// An answer to be judged as the assignment's grader would, of which nothing is kept. What else it names stands in the place of what is
/// saved, for this once: absent is as it is saved, and `null` clears as in a change of the assignment.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct TryGrading {
    /// The answer.
    #[schema(
        min_length = 1,
        max_length = 100_000,
        pattern = r"\S",
        example = "Rice is cooled within two hours, because bacteria grow in the warm."
    )]
    pub text: String,
    /// Judge it as an answer to these instructions instead of the assignment's.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Judge by this rubric.
    #[schema(value_type = Option<RubricInput>)]
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub rubric: Patch<FreeObject>,
    /// Ask another model; `enabled` makes no difference here.
    #[schema(value_type = Option<AiEvaluatorInput>)]
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub ai_evaluator: Patch<AiEvaluatorInput>,
    /// Whether a person looks at AI grades; `null` sets `optional`.
    #[schema(value_type = Option<HumanReview>)]
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub human_review: Patch<HumanReview>,
    /// Write feedback like this; `null` puts back the defaults.
    #[schema(value_type = Option<FeedbackInput>)]
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub feedback: Patch<FeedbackInput>,
    /// What it may take at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<RunBudgetInput>,
}

/// The same, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedTry {
    /// The answer.
    pub text: LongText,
    /// Other instructions than the assignment's.
    pub instructions: Option<LongText>,
    /// How else it is graded.
    pub changes: GradingChanges,
    /// What it may take.
    pub budget: RunBudget,
}

impl Command for TryGrading {
    type Of = AskedTry;

    fn command(self) -> Result<AskedTry, Invalid> {
        let instructions = self.instructions.map(LongText::parse).transpose();
        Ok(AskedTry {
            text: answer(self.text).at("text")?,
            instructions: instructions.at("instructions")?,
            changes: changes(
                self.rubric,
                self.ai_evaluator,
                self.human_review,
                Patch::Keep,
                self.feedback,
            )?,
            budget: self.budget.unwrap_or_default().parse()?,
        })
    }
}

fn answer(text: String) -> Result<LongText, InvalidValue> {
    if text.trim().is_empty() {
        return Err(InvalidValue::new("must say something"));
    }
    LongText::parse(text)
}

/// What the assignment's grader would give an answer, shown as a grade is. Nothing of it is kept: there is no submission, no record and
/// no event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TriedGradeView {
    /// Always `tried_grade`.
    pub object: String,
    /// The assignment.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// `final` where such a grade would go out by itself, `suggested` where a person would look at it first. Where release asks for a
    /// certificate, as if there were one that says so.
    #[schema(schema_with = shapes::word::<lyceum_domain::grading::grades::GradeStatus>)]
    pub status: String,
    /// The score.
    #[schema(value_type = f64)]
    pub score: PointsNumber,
    /// Best possible score.
    #[schema(value_type = f64)]
    pub max_score: PointsNumber,
    /// 0 to 1: the least of its criteria's. Null where the grader does not say, or is `uncalibrated`.
    #[schema(required)]
    pub confidence: Option<f64>,
    /// SHA-256 of the canonical JSON of the rubric that it was judged by.
    pub rubric_hash: String,
    /// One per criterion, with the passages of the answer that it rests on.
    pub criteria: Vec<CriterionResultView>,
    /// For the student.
    pub feedback: String,
    /// Why a person should look at such a grade.
    pub review_reasons: Vec<String>,
    /// Who judged, and what it took.
    pub grader: GraderView,
    /// What it was judged by that the assignment does not say as it is saved: `rubric`, `instructions`, `model`,
    /// `feedback` and `human_review`. Empty
    /// where a grade of a submission would rest on the same.
    pub unsaved: Vec<String>,
}

impl TriedGradeView {
    /// What came of it.
    pub fn new(tried: &Tried, judgement: &Judgement, feedback: &str, grader: &Grader) -> Self {
        let shows_confidence = is_measured(&judgement.review_reasons);
        let least = least_confidence(judgement).filter(|_| shows_confidence);
        Self {
            object: "tried_grade".to_owned(),
            assignment_id: tried.assignment_id.to_string(),
            status: tried.status.to_string(),
            score: PointsNumber(judgement.score),
            max_score: PointsNumber(tried.max_score),
            confidence: least.map(|hundredths| f64::from(hundredths) / 100.0),
            rubric_hash: tried.rubric_hash.clone(),
            criteria: CriterionResultView::all(&judgement.criteria, shows_confidence),
            feedback: feedback.to_owned(),
            review_reasons: tried.reasons.clone(),
            grader: GraderView::new(grader),
            unsaved: tried.unsaved.iter().map(ToString::to_string).collect(),
        }
    }
}
