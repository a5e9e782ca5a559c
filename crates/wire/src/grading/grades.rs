//! Grades on the wire.

use lyceum_domain::grading::grades::{CriterionResult, Evidence, Grade, Grader, GraderKind};
use lyceum_domain::grading::learner_view::{GraderLabel, LearnersGrade};
use lyceum_domain::grading::receipts::{BreakReason, Receipt, Verification};
use lyceum_domain::money::MicroUsd;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::Resource;
use crate::declared::view;
use crate::identity::actors::ActorView;
use crate::lists::List;
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

view! {
    /// How one criterion was judged.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct CriterionResultView {
        /// The criterion.
        pub criterion_id: String = result.criterion_id.clone(),
        /// Its name when it was judged.
        pub name: String = result.name.clone(),
        /// The level reached, where there are levels.
        #[schema(required)]
        pub level_id: Option<String> = result.level_id.clone(),
        /// Points reached.
        #[schema(value_type = f64)]
        pub score: PointsNumber = PointsNumber(result.score),
        /// Best possible points.
        #[schema(value_type = f64)]
        pub max_score: PointsNumber = PointsNumber(result.max_score),
        /// Why.
        pub rationale: String = result.rationale.clone(),
        /// The passages it rests on.
        pub evidence: Vec<EvidenceView> = result.evidence.iter().map(EvidenceView::new).collect(),
        /// 0 to 1, where the grader says and it was measured; a rank, not a chance. Null of people, and of an
        /// `uncalibrated` grader.
        #[schema(required)]
        pub confidence: Option<f64> = result
            .confidence
            .map(|hundredths| f64::from(hundredths) / 100.0),
        /// Ideas that were looked for and not found; for the teacher only.
        #[serde(default)]
        pub missing: Vec<String> = result.missing.clone(),
        /// Why nobody judged it, such as `needs_person_or_provider` or `cannot_judge`; then it is no part of the score.
        #[schema(required)]
        pub not_judged: Option<String> = result.not_judged.clone(),
    }

    /// Of a judged criterion.
    pub fn new(result: &CriterionResult);
}

impl CriterionResultView {
    /// Of judged criteria, with how sure the grader was only where that may be shown.
    pub fn all(results: &[CriterionResult], shows_confidence: bool) -> Vec<Self> {
        let shown = |result: &CriterionResult| {
            let view = Self::new(result);
            let confidence = view.confidence.filter(|_| shows_confidence);
            Self { confidence, ..view }
        };
        results.iter().map(shown).collect()
    }
}

/// Who judged, and with what.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct GraderView {
    /// `built_in`, `provider`, `person`, or `service` for a program with an account of its own.
    #[schema(schema_with = shapes::word::<GraderKind>)]
    pub kind: String,
    /// Which built-in grader, such as `builtin-lexical-2`; null for others.
    #[schema(required)]
    pub id: Option<String>,
    /// Whether a language model judged.
    pub llm: bool,
    /// The person, or the service account.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub user_id: Option<String>,
    /// Whether the person had not been shown what AI says of the work; always false of AI.
    #[serde(default)]
    pub blind: bool,
    /// The model that was asked.
    #[schema(required)]
    pub model_asked: Option<String>,
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
    /// What it cost in US dollars, where prices are known.
    #[schema(required, value_type = Option<f64>)]
    pub cost_usd: Option<Value>,
    /// How long the answer took, in milliseconds.
    #[schema(required)]
    pub latency_ms: Option<u64>,
    /// Grades by persons (`grd_…`) that this one was calibrated by; empty where it was not.
    #[serde(default)]
    pub anchors: Vec<String>,
    /// The record (`grd_…`) whose result was taken over without a call, because the same had been judged before.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Grade>, required)]
    pub reused_from: Option<String>,
}

impl GraderView {
    /// Who it was.
    pub(crate) fn new(grader: &Grader) -> Self {
        match grader {
            Grader::Ai {
                model,
                prompt_version,
                tokens_in,
                tokens_out,
                model_asked,
                cost,
                latency_ms,
                anchors,
                reused_from,
            } => Self {
                kind: grader.kind().to_string(),
                id: grader.built_in().map(str::to_owned),
                llm: grader.kind() == GraderKind::Provider,
                user_id: None,
                blind: false,
                model_asked: Some(model_asked.clone()).filter(|asked| !asked.is_empty()),
                model: Some(model.clone()),
                prompt_version: Some(prompt_version.clone()),
                tokens_in: Some(*tokens_in),
                tokens_out: Some(*tokens_out),
                cost_usd: cost.map(MicroUsd::to_json),
                latency_ms: Some(*latency_ms),
                anchors: anchors.clone(),
                reused_from: reused_from.map(|id| id.to_string()),
            },
            Grader::Human { user_id, blind } => Self {
                kind: grader.kind().to_string(),
                user_id: Some(user_id.to_string()),
                blind: *blind,
                ..Self::default()
            },
            Grader::Service { user_id } => Self {
                kind: grader.kind().to_string(),
                user_id: Some(user_id.to_string()),
                ..Self::default()
            },
        }
    }

    /// What a learner may know.
    fn label(label: &GraderLabel) -> Self {
        let GraderLabel { kind, built_in } = label;
        Self {
            kind: kind.to_string(),
            id: built_in.clone(),
            llm: *kind == GraderKind::Provider,
            ..Self::default()
        }
    }
}

/// What a record commits to, so that a later change of it shows; `docs/ai-internals.md` has the format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReceiptView {
    /// 1 for the first sealed record of the submission, and so on.
    pub sequence: u32,
    /// SHA-256 of the submission's text.
    pub text_hash: String,
    /// SHA-256 of the grader's answer as it came; null for persons.
    #[schema(required)]
    pub answer_hash: Option<String>,
    /// Hash of the receipt before; 64 zeros for the first.
    pub previous: String,
    /// SHA-256 of the record's canonical form, these members among it.
    pub hash: String,
}

impl ReceiptView {
    fn new(receipt: &Receipt) -> Self {
        let Receipt {
            sequence,
            text_hash,
            answer_hash,
            previous,
            hash,
        } = receipt;
        Self {
            sequence: *sequence,
            text_hash: text_hash.clone(),
            answer_hash: answer_hash.clone(),
            previous: previous.clone(),
            hash: hash.clone(),
        }
    }
}

/// Whether a submission's whole grade history is still what was sealed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VerificationView {
    /// Whether every sealed record holds, and none is missing.
    pub holds: bool,
    /// How many records there are, on all pages.
    pub records: usize,
    /// How many of them are older than receipts, and so can be neither confirmed nor doubted.
    pub unsealed: usize,
    /// How many of the sealed ones lost their texts because the person was erased; points and hashes of these hold.
    pub erased: usize,
    /// The first that does not hold.
    #[schema(required)]
    pub first_broken: Option<BrokenView>,
}

/// Where a grade history does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BrokenView {
    /// The record; null where the newest are gone.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Grade>, required)]
    pub grade_id: Option<String>,
    /// Its place, or that of the first one missing; null where a record lost its receipt.
    #[schema(required)]
    pub sequence: Option<u32>,
    /// Why.
    #[schema(schema_with = shapes::word::<BreakReason>)]
    pub reason: String,
}

impl From<&Verification> for VerificationView {
    fn from(found: &Verification) -> Self {
        Self {
            holds: found.holds(),
            records: found.records,
            unsealed: found.unsealed,
            erased: found.erased,
            first_broken: found.first_broken.map(|broken| BrokenView {
                grade_id: broken.grade_id.map(|id| id.to_string()),
                sequence: broken.sequence,
                reason: broken.reason.to_string(),
            }),
        }
    }
}

/// A page of a grade history, and whether all of it holds; sent where `verify=true` asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerifiedList {
    /// The page.
    #[serde(flatten)]
    pub list: List<GradeView>,
    /// What a walk over the whole history found, whatever the page.
    pub verification: VerificationView,
}

view! {
    /// One record of a submission's grade history.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct GradeView {
        /// `grd_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Grade>)]
        pub id: String = grade.id.to_string(),
        /// Always `grade`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Grade>)]
        pub object: String = "grade".to_owned(),
        /// What was graded.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
        pub submission_id: String = grade.submission_id.to_string(),
        /// `ai` or `human`.
        #[schema(schema_with = shapes::word::<lyceum_domain::grading::grades::GradeSource>)]
        pub source: String = grade.source().to_string(),
        /// `suggested`, `final` or `superseded`.
        #[schema(schema_with = shapes::word::<lyceum_domain::grading::grades::GradeStatus>)]
        pub status: String = grade.status.to_string(),
        /// The score.
        #[schema(value_type = f64)]
        pub score: PointsNumber = PointsNumber(grade.score),
        /// Best possible score.
        #[schema(value_type = f64)]
        pub max_score: PointsNumber = PointsNumber(grade.max_score),
        /// SHA-256 of the rubric's canonical JSON.
        pub rubric_hash: String = grade.rubric_hash.clone(),
        /// One per criterion.
        pub criteria: Vec<CriterionResultView> =
            CriterionResultView::all(&grade.criteria, grade.shows_confidence()),
        /// For the student.
        pub feedback: String = grade.feedback.clone(),
        /// What in the judgement itself is a reason to have a person look; for the teacher only.
        #[serde(default)]
        pub review_reasons: Vec<String> = grade.review_reasons.clone(),
        /// Who judged.
        pub grader: GraderView = GraderView::new(&grade.grader),
        /// Who judged, as everybody is named who acts.
        pub actor: ActorView = ActorView::unnamed(&grade.grader.acted()),
        /// Why a person overruled.
        #[schema(required)]
        pub reason: Option<String> = grade.reason.clone(),
        /// What the record commits to; null on records that are older than receipts, and for learners.
        #[schema(required)]
        pub receipt: Option<ReceiptView> = grade.receipt.as_ref().map(ReceiptView::new),
        /// When.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = grade.created_at.to_string(),
        /// The same: records never change.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = grade.created_at.to_string(),
    }

    /// Of a record.
    pub fn new(grade: &Grade);
}

impl GradeView {
    /// As its student sees it.
    pub fn learner(grade: &Grade) -> Self {
        let LearnersGrade {
            id,
            submission_id,
            source,
            status,
            score,
            max_score,
            rubric_hash,
            criteria,
            feedback,
            grader,
            created_at,
        } = grade.for_learner();
        Self {
            id: id.to_string(),
            object: "grade".to_owned(),
            submission_id: submission_id.to_string(),
            source: source.to_string(),
            status: status.to_string(),
            score: PointsNumber(score),
            max_score: PointsNumber(max_score),
            rubric_hash,
            criteria: criteria.iter().map(CriterionResultView::new).collect(),
            feedback,
            review_reasons: Vec::new(),
            actor: ActorView::anonymous(grader.kind.acts_as()),
            grader: GraderView::label(&grader),
            reason: None,
            receipt: None,
            created_at: created_at.to_string(),
            updated_at: created_at.to_string(),
        }
    }
}

impl Resource for GradeView {
    const COLLECTION: &'static str = "grades";

    fn id(&self) -> &str {
        &self.id
    }
}
