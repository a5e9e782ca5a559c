//! Items of a batch on the wire: old points and new ones, answer by answer.

use lyceum_domain::grading::batches::{
    BatchItem, Crossing, FoundGrade, ItemState, LeftBecause, crossing,
};
use lyceum_domain::grading::grades::GradeSource;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::grading::grades::CriterionResultView;
use crate::points::PointsNumber;
use crate::shapes;

/// An answer of a batch, and what would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BatchItemView {
    /// Always `batch_item`.
    pub object: String,
    /// The answer.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// `waiting`, `asked`, `graded`, `failed`, `landed`, `left`, `undone` or `kept`.
    #[schema(schema_with = shapes::word::<ItemState>)]
    pub state: String,
    /// What stood when it was previewed; null before, in bulk gradings, and while the answer waits for a blind grade.
    #[schema(required)]
    pub old: Option<FoundView>,
    /// The points that AI gives it now; null likewise.
    #[schema(value_type = Option<f64>, required)]
    pub new_score: Option<PointsNumber>,
    /// The criteria with their passages, as they would land.
    pub criteria: Vec<CriterionResultView>,
    /// `up` where it would pass and failed, `down` where it would fail and passed; null where it stays.
    #[schema(schema_with = shapes::optional_word::<Crossing>, required)]
    pub crossing: Option<String>,
    /// Why a person should look at what AI says of it.
    pub review_reasons: Vec<String>,
    /// Why AI could not grade it, such as `ai_provider_error`.
    #[schema(required)]
    pub error_code: Option<String>,
    /// The same for people.
    #[schema(required)]
    pub error_message: Option<String>,
    /// Why it was left as it is at a commit or an undo: `changed`, `decided_by_person`, `returned`, `awaits_blind_grade`, `ai_pending` or
    /// `gone`.
    #[schema(schema_with = shapes::optional_word::<LeftBecause>, required)]
    pub left_because: Option<String>,
}

/// The grade that stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FoundView {
    /// Its points; null where there was none.
    #[schema(value_type = Option<f64>, required)]
    pub score: Option<PointsNumber>,
    /// The best possible.
    #[schema(value_type = f64)]
    pub max_score: PointsNumber,
    /// Who gave it: `ai` or `human`.
    #[schema(schema_with = shapes::optional_word::<GradeSource>, required)]
    pub graded_by: Option<String>,
    /// Whether a person had the last word.
    pub decided: bool,
}

impl From<&FoundGrade> for FoundView {
    fn from(found: &FoundGrade) -> Self {
        Self {
            score: found.score.map(PointsNumber),
            max_score: PointsNumber(found.max_score),
            graded_by: found.by.map(|by| by.to_string()),
            decided: found.decided,
        }
    }
}

impl BatchItemView {
    /// Shows an item. Of an answer that is hidden from whoever is to grade it, nothing that AI says is shown.
    pub fn new(item: &BatchItem, is_hidden: bool) -> Self {
        let preview = item.preview.as_ref().filter(|_| !is_hidden);
        let found = item.found.as_ref().filter(|_| !is_hidden);
        let judged = preview.map(|preview| &preview.judgement);
        let crossing = found
            .zip(judged)
            .and_then(|(found, judged)| crossing(found.score?, judged.score, found.max_score));
        let failure = item.failure.as_ref();
        Self {
            object: "batch_item".to_owned(),
            submission_id: item
                .submission_id
                .map(|id| id.to_string())
                .unwrap_or_default(),
            state: item.state.to_string(),
            old: found.map(Into::into),
            new_score: judged.map(|judged| PointsNumber(judged.score)),
            criteria: judged.map(shown).unwrap_or_default(),
            crossing: crossing.map(|crossing| crossing.to_string()),
            review_reasons: judged
                .map(|one| one.review_reasons.clone())
                .unwrap_or_default(),
            error_code: failure.map(|failure| failure.code.clone()),
            error_message: failure.map(|failure| failure.message.clone()),
            left_because: item.left.map(|because| because.to_string()),
        }
    }
}

fn shown(judged: &lyceum_domain::grading::grades::Judgement) -> Vec<CriterionResultView> {
    let is_measured = lyceum_domain::grading::grades::is_measured(&judged.review_reasons);
    CriterionResultView::all(&judged.criteria, is_measured)
}
