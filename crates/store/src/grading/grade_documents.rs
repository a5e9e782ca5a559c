//! What is judged, as documents: the grade that stands, its criteria, who judged, where AI grading stands.
//!
//! Points are whole hundredths here too.

use lyceum_domain::grading::explanations::Explanation;
use lyceum_domain::grading::grades::{CriterionResult, Evidence, GradeSource, Grader};
use lyceum_domain::grading::submissions::{
    AiGrading, AiProposal, BeforeDecision, ReviewStatus, StandingGrade, SubmissionStatus,
};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use serde::{Deserialize, Serialize};

use crate::grading::run_documents::PendingDocument;
use crate::prelude::*;

/// The grade that stands.
#[derive(Serialize, Deserialize)]
pub struct GradeDocument {
    score: i64,
    feedback: String,
    by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided_at: Option<String>,
    at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_at: Option<String>,
    criteria: Vec<CriterionDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<Box<BeforeDocument>>,
}

/// Where a submission stood before a person decided.
#[derive(Serialize, Deserialize)]
struct BeforeDocument {
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grade: Option<GradeDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    earlier: Option<Box<BeforeDocument>>,
}

impl From<&BeforeDecision> for BeforeDocument {
    fn from(before: &BeforeDecision) -> Self {
        let BeforeDecision {
            status,
            review,
            grade,
            earlier,
        } = before;
        Self {
            status: status.to_string(),
            review: review.map(|review| review.to_string()),
            grade: grade.as_ref().map(GradeDocument::from),
            earlier: boxed(earlier.as_deref()),
        }
    }
}

fn boxed(before: Option<&BeforeDecision>) -> Option<Box<BeforeDocument>> {
    before.map(|before| Box::new(before.into()))
}

fn unboxed(before: Option<Box<BeforeDocument>>) -> Result<Option<Box<BeforeDecision>>, StoreError> {
    let before = before.map(|before| BeforeDecision::try_from(*before));
    Ok(before.transpose()?.map(Box::new))
}

impl TryFrom<BeforeDocument> for BeforeDecision {
    type Error = StoreError;

    fn try_from(document: BeforeDocument) -> Result<Self, StoreError> {
        let review = document.review.as_deref().map(ReviewStatus::parse);
        Ok(Self {
            status: rows::read(SubmissionStatus::parse(&document.status))?,
            review: rows::read(review.transpose())?,
            grade: document.grade.map(StandingGrade::try_from).transpose()?,
            earlier: unboxed(document.earlier)?,
        })
    }
}

impl From<&StandingGrade> for GradeDocument {
    fn from(grade: &StandingGrade) -> Self {
        let StandingGrade {
            score,
            feedback,
            by,
            decided_by,
            decided_at,
            at,
            read_at,
            criteria,
            before,
        } = grade;
        Self {
            score: score.hundredths().into(),
            feedback: feedback.clone(),
            by: by.to_string(),
            decided_by: decided_by.map(|id| id.to_string()),
            decided_at: decided_at.map(|at| at.to_string()),
            at: at.to_string(),
            read_at: read_at.map(|at| at.to_string()),
            criteria: criteria.iter().map(CriterionDocument::from).collect(),
            before: boxed(before.as_deref()),
        }
    }
}

impl TryFrom<GradeDocument> for StandingGrade {
    type Error = StoreError;

    fn try_from(document: GradeDocument) -> Result<Self, StoreError> {
        let GradeDocument {
            score,
            feedback,
            by,
            decided_by,
            decided_at,
            at,
            read_at,
            criteria,
            before,
        } = document;
        let decided_at = decided_at.as_deref().map(Timestamp::parse);
        let read_at = read_at.as_deref().map(Timestamp::parse);
        Ok(Self {
            score: Points::from_hundredths(score),
            feedback,
            by: rows::read(GradeSource::parse(&by))?,
            decided_by: rows::optional_id(decided_by.as_ref())?,
            decided_at: rows::read(decided_at.transpose())?,
            at: rows::read(Timestamp::parse(&at))?,
            read_at: rows::read(read_at.transpose())?,
            criteria: criteria.into_iter().map(CriterionResult::from).collect(),
            before: unboxed(before)?,
        })
    }
}

/// One criterion, judged.
#[derive(Serialize, Deserialize)]
pub struct CriterionDocument {
    criterion_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    level_id: Option<String>,
    score: i64,
    max_score: i64,
    rationale: String,
    evidence: Vec<EvidenceDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not_judged: Option<String>,
}

impl From<&CriterionResult> for CriterionDocument {
    fn from(result: &CriterionResult) -> Self {
        let CriterionResult {
            criterion_id,
            name,
            level_id,
            score,
            max_score,
            rationale,
            evidence,
            confidence,
            missing,
            not_judged,
        } = result;
        Self {
            criterion_id: criterion_id.clone(),
            name: name.clone(),
            level_id: level_id.clone(),
            score: score.hundredths().into(),
            max_score: max_score.hundredths().into(),
            rationale: rationale.clone(),
            evidence: evidence.iter().map(EvidenceDocument::from).collect(),
            confidence: *confidence,
            missing: missing.clone(),
            not_judged: not_judged.clone(),
        }
    }
}

impl From<CriterionDocument> for CriterionResult {
    fn from(document: CriterionDocument) -> Self {
        let CriterionDocument {
            criterion_id,
            name,
            level_id,
            score,
            max_score,
            rationale,
            evidence,
            confidence,
            missing,
            not_judged,
        } = document;
        Self {
            criterion_id,
            name,
            level_id,
            score: Points::from_hundredths(score),
            max_score: Points::from_hundredths(max_score),
            rationale,
            evidence: evidence.into_iter().map(Evidence::from).collect(),
            confidence,
            missing,
            not_judged,
        }
    }
}

/// A passage of the submission.
#[derive(Serialize, Deserialize)]
struct EvidenceDocument {
    start: usize,
    end: usize,
    quote: String,
}

impl From<&Evidence> for EvidenceDocument {
    fn from(evidence: &Evidence) -> Self {
        let Evidence { start, end, quote } = evidence;
        Self {
            start: *start,
            end: *end,
            quote: quote.clone(),
        }
    }
}

impl From<EvidenceDocument> for Evidence {
    fn from(document: EvidenceDocument) -> Self {
        let EvidenceDocument { start, end, quote } = document;
        Self { start, end, quote }
    }
}

/// Who judged; `source` is the grade's source in a word.
#[derive(Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum GraderDocument {
    Ai {
        model: String,
        prompt_version: String,
        tokens_in: u64,
        tokens_out: u64,
        #[serde(default)]
        model_asked: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<u64>,
        #[serde(default)]
        latency_ms: u64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        anchors: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reused_from: Option<String>,
    },
    Human {
        user_id: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        blind: bool,
    },
    Service {
        user_id: String,
    },
}

impl From<&Grader> for GraderDocument {
    fn from(grader: &Grader) -> Self {
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
            } => Self::Ai {
                model: model.clone(),
                prompt_version: prompt_version.clone(),
                tokens_in: *tokens_in,
                tokens_out: *tokens_out,
                model_asked: model_asked.clone(),
                cost: cost.map(MicroUsd::millionths),
                latency_ms: *latency_ms,
                anchors: anchors.clone(),
                reused_from: reused_from.map(|id| id.to_string()),
            },
            Grader::Human { user_id, blind } => Self::Human {
                user_id: user_id.to_string(),
                blind: *blind,
            },
            Grader::Service { user_id } => Self::Service {
                user_id: user_id.to_string(),
            },
        }
    }
}

impl TryFrom<GraderDocument> for Grader {
    type Error = StoreError;

    fn try_from(document: GraderDocument) -> Result<Self, StoreError> {
        Ok(match document {
            GraderDocument::Ai {
                model,
                prompt_version,
                tokens_in,
                tokens_out,
                model_asked,
                cost,
                latency_ms,
                anchors,
                reused_from,
            } => Self::Ai {
                model,
                prompt_version,
                tokens_in,
                tokens_out,
                model_asked,
                cost: cost.map(MicroUsd::new),
                latency_ms,
                anchors,
                reused_from: reused_from.map(|id| rows::id(&id)).transpose()?,
            },
            GraderDocument::Human { user_id, blind } => Self::Human {
                user_id: rows::id(&user_id)?,
                blind,
            },
            GraderDocument::Service { user_id } => Self::Service {
                user_id: rows::id(&user_id)?,
            },
        })
    }
}

/// What the word for AI grading's state does not say, and what AI last proposed.
#[derive(Serialize, Deserialize)]
pub struct GradeAiDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<PendingDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<ProposalDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    explanation: Option<ExplanationDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    explanation_awaited: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct ExplanationDocument {
    rationale: String,
    model: String,
}

/// What AI said of a submission, beside the state of its grading.
pub struct AiSaid {
    /// What it last proposed.
    pub proposal: Option<AiProposal>,
    /// Why the grade is what it is.
    pub explanation: Option<Explanation>,
    /// The explanation that may still land.
    pub explanation_awaited: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct FailureDocument {
    code: String,
    message: String,
}

#[derive(Serialize, Deserialize)]
struct ProposalDocument {
    score: i64,
    rationale: String,
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grader_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

impl GradeAiDocument {
    /// The word for the state (none where AI was never asked), and the rest.
    pub fn of(ai: &AiGrading, said: AiSaid) -> (Option<String>, Self) {
        let (word, pending, failure) = match ai {
            AiGrading::NotAsked => (None, None, None),
            AiGrading::Pending {
                estimated_ready_at,
                overrides,
            } => {
                let pending = PendingDocument::new(*estimated_ready_at, overrides);
                (Some(PENDING), Some(pending), None)
            }
            AiGrading::Ready => (Some(READY), None, None),
            AiGrading::Failed { code, message } => {
                let failure = FailureDocument {
                    code: code.clone(),
                    message: message.clone(),
                };
                (Some(ERROR), None, Some(failure))
            }
        };
        let document = Self {
            pending,
            failure,
            proposal: said.proposal.as_ref().map(ProposalDocument::from),
            explanation: said.explanation.map(|explanation| ExplanationDocument {
                rationale: explanation.rationale,
                model: explanation.model,
            }),
            explanation_awaited: said.explanation_awaited,
        };
        (word.map(str::to_owned), document)
    }

    /// The state that the word and the rest make, and what AI said.
    pub fn parts(self, word: Option<&str>) -> Result<(AiGrading, AiSaid), StoreError> {
        let Self {
            pending,
            failure,
            proposal,
            explanation,
            explanation_awaited,
        } = self;
        let ai = match (word, pending, failure) {
            (None, None, None) => AiGrading::NotAsked,
            (Some(PENDING), Some(pending), None) => pending.state()?,
            (Some(READY), None, None) => AiGrading::Ready,
            (Some(ERROR), None, Some(FailureDocument { code, message })) => {
                AiGrading::Failed { code, message }
            }
            (word, _, _) => return Err(corrupt(format!("AI grading {word:?}"))),
        };
        let said = AiSaid {
            proposal: proposal.map(AiProposal::try_from).transpose()?,
            explanation: explanation.map(|document| Explanation {
                rationale: document.rationale,
                model: document.model,
            }),
            explanation_awaited,
        };
        Ok((ai, said))
    }
}

const PENDING: &str = "pending";
const READY: &str = "ready";
const ERROR: &str = "error";

impl From<&AiProposal> for ProposalDocument {
    fn from(proposal: &AiProposal) -> Self {
        let AiProposal {
            score,
            rationale,
            model,
            grader_hash,
            confidence,
            at,
        } = proposal;
        Self {
            score: score.hundredths().into(),
            rationale: rationale.clone(),
            model: model.clone(),
            grader_hash: grader_hash.clone(),
            confidence: *confidence,
            at: at.map(|at| at.to_string()),
        }
    }
}

impl TryFrom<ProposalDocument> for AiProposal {
    type Error = StoreError;

    fn try_from(document: ProposalDocument) -> Result<Self, StoreError> {
        let ProposalDocument {
            score,
            rationale,
            model,
            grader_hash,
            confidence,
            at,
        } = document;
        let at = at.as_deref().map(Timestamp::parse);
        Ok(Self {
            score: Points::from_hundredths(score),
            rationale,
            model,
            grader_hash,
            confidence,
            at: rows::read(at.transpose())?,
        })
    }
}
