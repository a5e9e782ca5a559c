//! Submissions on the wire.

use lyceum_domain::grading::submissions::{
    AiGrading, NewSubmission, Submission, SubmissionChanges, SubmissionContent, SubmissionStatus,
};
use lyceum_domain::ids::UserId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::points::Points;
use lyceum_domain::text::LongText;
use lyceum_domain::web_address::WebAddress;
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use crate::common::Problem;
use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::common_ids::reference;
use crate::grading::grades::CriterionResultView;
use crate::patch::Patch;
use crate::points::PointsNumber;
use crate::shapes;

mod ai_run;
mod decisions;

pub use ai_run::{GradeWithAi, RunBudgetInput};
pub use decisions::DecideSubmission;

/// A submission to be made: a draft until it is handed in, unless `draft` is false.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateSubmission {
    /// The assignment it answers.
    pub assignment_id: String,
    /// Whose it is; a learner's own when absent, required from everybody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The cohort it is made in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cohort_id: Option<String>,
    /// What is handed in; an empty text when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<ContentInput>,
    /// Whether it is a draft that can still be changed: true when absent; false hands it in at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<bool>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

/// What is handed in: a text, or an address.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct ContentInput {
    /// `text` or `url`.
    #[serde(rename = "type")]
    pub kind: ContentType,
    /// The text; required for `text`.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The address, http or https; required for `url`.
    #[schema(max_length = 2_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContentType {
    /// A text.
    #[default]
    Text,
    /// An address where the work can be found.
    Url,
}

impl ContentInput {
    fn parse(self) -> Result<SubmissionContent, Invalid> {
        match self.kind {
            ContentType::Text => {
                let text = self.text.ok_or_else(|| Invalid::missing("content.text"))?;
                LongText::parse(text)
                    .map(SubmissionContent::Text)
                    .at("content.text")
            }
            ContentType::Url => {
                let url = self.url.ok_or_else(|| Invalid::missing("content.url"))?;
                WebAddress::parse(url)
                    .map(SubmissionContent::Url)
                    .at("content.url")
            }
        }
    }
}

/// A submission as asked for: what it is, and for whom.
#[derive(Debug, Clone, PartialEq)]
pub struct SubmissionRequest {
    /// Whose it is to be; the caller's own if absent.
    pub user_id: Option<UserId>,
    /// What is made.
    pub new: NewSubmission,
}

impl Command for CreateSubmission {
    type Of = SubmissionRequest;

    fn command(self) -> Result<SubmissionRequest, Invalid> {
        Ok(SubmissionRequest {
            user_id: self.user_id.map(|id| reference(&id)),
            new: NewSubmission {
                assignment_id: reference(&self.assignment_id),
                cohort_id: self.cohort_id.map(|id| reference(&id)),
                content: self.content.map_or_else(
                    || Ok(SubmissionContent::Text(LongText::default())),
                    ContentInput::parse,
                )?,
                draft: self.draft.unwrap_or(true),
                metadata: metadata(self.metadata)?,
            },
        })
    }
}

/// A change of a draft: absent keeps.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateSubmission {
    /// What is handed in instead, replaced whole; cannot be cleared.
    #[schema(value_type = Option<ContentInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub content: Patch<ContentInput>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateSubmission {
    type Of = SubmissionChanges;

    fn command(self) -> Result<SubmissionChanges, Invalid> {
        let content = not_cleared(self.content, "content")?;
        Ok(SubmissionChanges {
            content: content.map(ContentInput::parse).transpose()?,
            metadata: metadata_change(self.metadata),
        })
    }
}

/// A person's grade: a score, or points per criterion from which the service computes it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct GradeSubmission {
    /// The score, out of the submission's `max_score`; required unless `criteria` are given.
    #[schema(value_type = Option<PointsNumber>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<PointsNumber>,
    /// Points per criterion of the rubric.
    #[schema(max_items = 50)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Vec<CriterionGrade>>,
    /// For the student.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Why, for the record.
    #[schema(max_length = 10_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Grade only while this is the submission's `updated_at`; where it changed since it is 412 `precondition_failed`.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_updated_at: Option<String>,
}

/// A person's judgement of one criterion.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CriterionGrade {
    /// The criterion.
    pub criterion_id: String,
    /// Points reached; required unless a level is named.
    #[schema(value_type = Option<PointsNumber>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<PointsNumber>,
    /// Level reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level_id: Option<String>,
    /// Why.
    #[schema(max_length = 20_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// A person's grade as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonGrade {
    /// Score, unless criteria are given.
    pub score: Option<Points>,
    /// Per criterion: id, points, level, reasons.
    pub criteria: Vec<PersonCriterion>,
    /// For the student.
    pub feedback: String,
    /// Why, for the record.
    pub reason: Option<String>,
    /// As of when its reader saw the submission, where they say so.
    pub seen_at: Option<Timestamp>,
}

/// A person's judgement of one criterion, as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonCriterion {
    /// The criterion.
    pub criterion_id: String,
    /// Points reached, unless a level is named.
    pub score: Option<Points>,
    /// Level reached.
    pub level_id: Option<String>,
    /// Why.
    pub rationale: String,
}

impl Command for GradeSubmission {
    type Of = PersonGrade;

    fn command(self) -> Result<PersonGrade, Invalid> {
        let criteria = self.criteria.unwrap_or_default();
        if self.score.is_none() && criteria.is_empty() {
            return Err(Invalid::missing("score"));
        }
        let criterion = |given: CriterionGrade| PersonCriterion {
            criterion_id: given.criterion_id,
            score: given.score.map(|number| number.0),
            level_id: given.level_id,
            rationale: given.rationale.unwrap_or_default(),
        };
        Ok(PersonGrade {
            score: self.score.map(|number| number.0),
            criteria: criteria.into_iter().map(criterion).collect(),
            feedback: self.feedback.unwrap_or_default(),
            reason: self.reason,
            seen_at: decisions::seen_at(self.if_updated_at.as_deref())?,
        })
    }
}

/// A submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SubmissionView {
    /// `sub_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub id: String,
    /// Always `submission`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Submission>)]
    pub object: String,
    /// The assignment it answers.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// The course of that.
    #[serde(default)]
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>, required)]
    pub course_id: String,
    /// The cohort it was made in.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Cohort>, required)]
    pub cohort_id: Option<String>,
    /// Whose it is.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
    pub user_id: String,
    /// 1 for the first attempt, and so on.
    pub attempt: u32,
    /// `draft`, `submitted`, `in_review`, `graded` or `returned`.
    #[schema(schema_with = shapes::word::<SubmissionStatus>)]
    pub status: String,
    /// What was handed in: `type`, and `text` or `url`.
    pub content: FreeObject,
    /// When it was handed in.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub submitted_at: Option<String>,
    /// Which version of its assignment it was handed in to (see the assignment's versions); null of drafts, and of what is older than versions.
    #[serde(default)]
    #[schema(required)]
    pub assignment_version: Option<u32>,
    /// When it was due for whoever handed it in; null where nothing was due, and while it is a draft.
    #[serde(default)]
    #[schema(schema_with = shapes::optional_moment, required)]
    pub due_at: Option<String>,
    /// Whether it was handed in after that.
    pub late: bool,
    /// The score that counts: `earned_score` less `late_deduction`.
    #[schema(value_type = Option<f64>, required)]
    pub score: Option<PointsNumber>,
    /// What the work earned, as it was judged.
    #[serde(default)]
    #[schema(value_type = Option<f64>, required)]
    pub earned_score: Option<PointsNumber>,
    /// What is taken off because it came late; null where there is no grade.
    #[serde(default)]
    #[schema(value_type = Option<f64>, required)]
    pub late_deduction: Option<PointsNumber>,
    /// Best possible score.
    #[schema(value_type = f64)]
    pub max_score: PointsNumber,
    /// For the student.
    #[schema(required)]
    pub feedback: Option<String>,
    /// `ai` or `human`.
    #[schema(schema_with = shapes::optional_word::<lyceum_domain::grading::grades::GradeSource>, required)]
    pub graded_by: Option<String>,
    /// The member who gave the grade that counts, or let AI's stand; null where nobody has, and for learners.
    #[serde(default)]
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub grader_id: Option<String>,
    /// When they did; null also of what they decided before this was kept.
    #[serde(default)]
    #[schema(schema_with = shapes::optional_moment, required)]
    pub decided_at: Option<String>,
    /// When it was graded: of a grade of AI that somebody let stand, when AI gave it.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub graded_at: Option<String>,
    /// `pending`, `ready` or `error`; null when AI was never asked.
    #[schema(schema_with = shapes::optional_word::<AiStatus>, required)]
    pub ai_status: Option<String>,
    /// The score that AI last proposed.
    #[schema(value_type = Option<f64>, required)]
    pub ai_score: Option<PointsNumber>,
    /// AI's reasons, for the teacher: of its own proposal, or of the grade that it was asked to explain since.
    #[schema(required)]
    pub ai_rationale: Option<String>,
    /// The model that gave the reasons.
    #[schema(required)]
    pub ai_model: Option<String>,
    /// Why AI grading failed.
    #[schema(required)]
    pub ai_error: Option<Problem>,
    /// How each criterion was judged, with evidence.
    pub criteria: Vec<CriterionResultView>,
    /// `open` or `done`; null when nobody needs to look.
    #[schema(schema_with = shapes::optional_word::<lyceum_domain::grading::submissions::ReviewStatus>, required)]
    pub review_status: Option<String>,
    /// Why a person should look.
    pub review_reasons: Vec<String>,
    /// Whether it waits for a grade by somebody who is not to know what AI says of it; until then nobody is shown that.
    /// Always false for learners.
    #[serde(default)]
    pub blind: bool,
    /// Whether AI's grade that stands, about which no person has decided, is stale: given before a change of what AI grades the
    /// assignment by (rubric, model, instructions, feedback, or the examples that people gave). Absent where there is no such grade, while
    /// it waits for a blind grade, in events, and for learners.
    #[schema(value_type = bool, required = false)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<bool>,
    /// When AI grading will probably be done.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub estimated_ready_at: Option<String>,
    /// Free-form key-value store.
    pub metadata: FreeObject,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// Where AI grading can stand, once it was asked for.
struct AiStatus;

impl lyceum_domain::Words for AiStatus {
    fn words() -> Vec<&'static str> {
        vec!["pending", "ready", "error"]
    }
}

impl SubmissionView {
    /// As teachers see it.
    pub fn new(submission: &Submission) -> Self {
        if submission.is_blind() {
            Self::shown(&submission.blinded())
        } else {
            Self::shown(submission)
        }
    }

    fn shown(submission: &Submission) -> Self {
        let shows_confidence = submission.shows_confidence();
        let grade = submission.grade.as_ref();
        let proposal = submission.ai_proposal.as_ref();
        let why = submission.explanation.as_ref();
        let (ai_status, estimated_ready_at, ai_error) = ai_state(&submission.ai);
        Self {
            id: submission.id.to_string(),
            object: "submission".to_owned(),
            assignment_id: submission.assignment_id.to_string(),
            course_id: submission.course_id.to_string(),
            cohort_id: submission.cohort_id.map(|id| id.to_string()),
            user_id: submission.user_id.to_string(),
            attempt: submission.attempt,
            status: submission.status.to_string(),
            content: content(&submission.content),
            submitted_at: submission.submitted_at.map(|at| at.to_string()),
            assignment_version: submission.assignment_version,
            due_at: submission.due.map(|due| due.due_at.to_string()),
            late: submission.late,
            score: submission.score().map(PointsNumber),
            earned_score: grade.map(|grade| PointsNumber(grade.score)),
            late_deduction: grade.map(|_| PointsNumber(submission.late_deduction())),
            max_score: PointsNumber(submission.max_score),
            feedback: grade.map(|grade| grade.feedback.clone()),
            graded_by: grade.map(|grade| grade.by.to_string()),
            grader_id: grade.and_then(|grade| grade.decided_by.map(|id| id.to_string())),
            decided_at: grade.and_then(|grade| grade.decided_at.map(|at| at.to_string())),
            graded_at: grade.map(|grade| grade.at.to_string()),
            ai_status,
            ai_score: proposal.map(|proposal| PointsNumber(proposal.score)),
            ai_rationale: why
                .map(|why| why.rationale.clone())
                .or_else(|| proposal.map(|proposal| proposal.rationale.clone())),
            ai_model: why
                .map(|why| why.model.clone())
                .or_else(|| proposal.map(|proposal| proposal.model.clone())),
            ai_error,
            criteria: grade
                .map(|grade| CriterionResultView::all(&grade.criteria, shows_confidence))
                .unwrap_or_default(),
            review_status: submission.review.map(|review| review.to_string()),
            review_reasons: submission.review_reasons.clone(),
            blind: submission.is_blind(),
            stale: None,
            estimated_ready_at,
            metadata: (&submission.metadata).into(),
            created_at: submission.stamp.created_at.to_string(),
            updated_at: submission.stamp.updated_at.to_string(),
        }
    }

    /// With whether AI's grade is stale, where there is one that can be.
    #[must_use]
    pub fn with_stale(self, stale: Option<bool>) -> Self {
        Self { stale, ..self }
    }

    /// As its student sees it.
    pub fn learner(submission: &Submission) -> Self {
        Self::new(&submission.for_learner())
    }
}

fn ai_state(ai: &AiGrading) -> (Option<String>, Option<String>, Option<Problem>) {
    let word = |word: &str| Some(word.to_owned());
    match ai {
        AiGrading::NotAsked => (None, None, None),
        AiGrading::Pending {
            estimated_ready_at, ..
        } => (word("pending"), Some(estimated_ready_at.to_string()), None),
        AiGrading::Ready => (word("ready"), None, None),
        AiGrading::Failed { code, message } => {
            let problem = Problem {
                code: code.clone(),
                message: message.clone(),
            };
            (word("error"), None, Some(problem))
        }
    }
}

fn content(content: &SubmissionContent) -> FreeObject {
    let (kind, member, text) = match content {
        SubmissionContent::Text(text) => ("text", "text", text.as_str()),
        SubmissionContent::Url(url) => ("url", "url", url.as_str()),
    };
    let mut object = JsonObject::new();
    object.insert("type".to_owned(), kind.into());
    object.insert(member.to_owned(), text.into());
    FreeObject(object)
}

impl Resource for SubmissionView {
    const COLLECTION: &'static str = "submissions";

    fn id(&self) -> &str {
        &self.id
    }
}
