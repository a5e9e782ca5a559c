//! Attempts on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::ids::UserId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::learning::attempts::{Attempt, QuestionResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource};
use crate::common_ids::reference;
use crate::points::PointsNumber;
use crate::shapes;

/// One go at an activity.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateAttempt {
    /// Of a quiz: answers by id of the question, each in the form that its type asks for. Of a reflection: `text`.
    /// Of anything else: nothing, or what the client wants to remember.
    #[schema(example = json!({"q1": "o2", "q2": ["o1", "o3"], "q3": true}))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<FreeObject>,
    /// Whose it is; a learner's own when absent, required from everybody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The questions that were asked, of a quiz that asks some of its own only. Without it those count that the service drew for this
    /// attempt and shows to the learner. Not for learners, but in a package, which draws by itself.
    #[schema(max_items = 500, example = json!(["q1", "q4"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Vec<String>>,
}

/// What is to be scored.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptRequest {
    /// Whose, if somebody was named.
    pub user_id: Option<UserId>,
    /// What was answered, if anything was sent.
    pub answers: Option<JsonObject>,
    /// What was asked, if whoever asks drew it.
    pub asked: Option<Vec<String>>,
}

impl Command for CreateAttempt {
    type Of = AttemptRequest;

    fn command(self) -> Result<AttemptRequest, Invalid> {
        Ok(AttemptRequest {
            user_id: self.user_id.as_deref().map(reference),
            answers: self.answers.map(|answers| answers.0),
            asked: self.asked,
        })
    }
}

/// One go at an activity, scored. It never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AttemptView {
    /// `att_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Attempt>)]
    pub id: String,
    /// Always `attempt`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Attempt>)]
    pub object: String,
    /// The activity.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Activity>)]
    pub activity_id: String,
    /// Whose it is.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
    pub user_id: String,
    /// 1 for the first one of this user at this activity.
    pub number: u32,
    /// Points reached.
    pub score: PointsNumber,
    /// Points possible; 0 where nothing is scored.
    pub max_score: PointsNumber,
    /// Whole per cent; null where nothing is scored.
    #[schema(required)]
    pub percent: Option<u8>,
    /// Whether that is enough; null where nothing is scored.
    #[schema(required)]
    pub passed: Option<bool>,
    /// What was answered.
    pub answers: FreeObject,
    /// One per question that was asked, in the order of the quiz.
    pub results: Vec<QuestionResultView>,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// The same.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// What an answer was worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuestionResultView {
    /// The question.
    pub question_id: String,
    /// Whether it is right altogether; null for an open question, which nobody marks.
    #[schema(required)]
    pub correct: Option<bool>,
    /// Points reached.
    pub score: PointsNumber,
    /// Points possible.
    pub max_score: PointsNumber,
    /// What the author says to whoever chooses that; `""` while answers are hidden.
    pub feedback: String,
    /// Why the right answer is right; `""` while answers are hidden.
    pub explanation: String,
    /// A right answer, in the form in which answers are given; null while answers are hidden, or when there is none.
    pub right_answer: Value,
}

impl From<QuestionResult> for QuestionResultView {
    fn from(result: QuestionResult) -> Self {
        Self {
            question_id: result.question_id,
            correct: result.correct,
            score: PointsNumber(result.score),
            max_score: PointsNumber(result.max_score),
            feedback: result.feedback,
            explanation: result.explanation,
            right_answer: result.right_answer,
        }
    }
}

impl AttemptView {
    /// Shows an attempt with everything that is right.
    pub fn new(attempt: &Attempt) -> Self {
        Self::with(attempt, true)
    }

    /// The same for a learner: what is right stays hidden unless the quiz shows it.
    pub fn learner(attempt: &Attempt) -> Self {
        Self::with(attempt, attempt.result.shows_answers)
    }

    fn with(attempt: &Attempt, shows_answers: bool) -> Self {
        let result = &attempt.result;
        let questions = result.questions.iter().cloned().map(|one| {
            if shows_answers {
                one.into()
            } else {
                one.without_answer().into()
            }
        });
        Self {
            id: attempt.id.to_string(),
            object: "attempt".to_owned(),
            activity_id: attempt.activity_id.to_string(),
            user_id: attempt.user_id.to_string(),
            number: attempt.number,
            score: PointsNumber(result.score),
            max_score: PointsNumber(result.max_score),
            percent: result.percent,
            passed: result.passed,
            answers: (&attempt.answers).into(),
            results: questions.collect(),
            created_at: attempt.created_at.to_string(),
            updated_at: attempt.created_at.to_string(),
        }
    }
}

impl Resource for AttemptView {
    const COLLECTION: &'static str = "attempts";

    fn id(&self) -> &str {
        &self.id
    }

    /// Among the attempts at its activity, of which it is the newest.
    fn path(&self) -> String {
        format!("/activities/{}/{}", self.activity_id, Self::COLLECTION)
    }
}
