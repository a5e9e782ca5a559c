//! Grades: judged per criterion, summed by the service, never read from a model.

use crate::Timestamp;
use crate::authoring::assignments::FeedbackStyle;
use crate::authoring::rubric::Rubric;
use crate::grading::seals::Receipt;
use crate::identity::actors::{ActedBy, ActorKind};
use crate::identity::users::{User, UserKind};
use crate::ids::{GradeId, SubmissionId, UserId, WorkspaceId};
use crate::money::MicroUsd;
use crate::points::Points;
use crate::words::words;

mod anchors;
mod judging;
mod result_key;
mod routing;
mod samples;

pub use crate::evidence::{Evidence, Passages};
pub use anchors::{ALIKE, APPROVED, Anchor, TAKEN_BACK};
pub use judging::{MAX_QUOTES, NOBODY_JUDGED, judge, too_few_stand, total};
pub use routing::{
    CERTIFICATE_AUDIT, FIRST_GRADES, HELD_BY_NO_LOT, LandingFacts, NOT_CERTIFIED, REVIEW_REASONS,
    Release, ReviewStatus, Route, is_measured, is_of_text, least_confidence, review_reason, route,
    wants_only_a_certificate,
};
pub use samples::middle;

/// Why a person should look: the AI provider failed, and the built-in engine judged in its place.
pub const PROVIDER_FAILED: &str = "provider_failed";

words!(
    /// Who judged.
    GradeSource {
        /// AI, or the built-in grader.
        Ai = "ai",
        /// A person.
        Human = "human",
    }
);

words!(
    /// What a grade record is worth.
    GradeStatus {
        /// Proposed, waiting for a person.
        Suggested = "suggested",
        /// Counts.
        Final = "final",
        /// Counted once, or was proposed once.
        Superseded = "superseded",
    }
);

/// What a grader says about one criterion, before anything is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionProposal {
    /// The criterion meant.
    pub criterion_id: String,
    /// The level chosen, where there are levels.
    pub level_id: Option<String>,
    /// The points given.
    pub points: Points,
    /// Why, for the teacher.
    pub rationale: String,
    /// Passages, and which of their occurrences (1-based) is meant.
    pub quotes: Vec<(String, usize)>,
    /// The chance that an expert would choose the same, in hundredths (0..=100), where the grader says.
    pub confidence: Option<u8>,
    /// Ideas that were looked for and not found; for the teacher only.
    pub missing: Vec<String>,
    /// Why the grader could not judge this criterion, such as `needs_person_or_provider`; then its points count nothing.
    pub not_judged: Option<String>,
}

/// What a grader says about a submission, before anything is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct GradeProposal {
    /// One per criterion, in any order.
    pub criteria: Vec<CriterionProposal>,
    /// For the student.
    pub feedback: String,
    /// Reasons to have a person look, such as `instructions_in_submission`.
    pub flags: Vec<String>,
}

/// One criterion, judged and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionResult {
    /// The criterion.
    pub criterion_id: String,
    /// Its name when it was judged.
    pub name: String,
    /// The level reached, where there are levels.
    pub level_id: Option<String>,
    /// Points reached.
    pub score: Points,
    /// Best possible points.
    pub max_score: Points,
    /// Why.
    pub rationale: String,
    /// Passages that were found in the submission.
    pub evidence: Vec<Evidence>,
    /// In hundredths (0..=100), where the grader says.
    pub confidence: Option<u8>,
    /// Ideas that were looked for and not found; for the teacher only.
    pub missing: Vec<String>,
    /// Why nobody judged it; then it is no part of the score.
    pub not_judged: Option<String>,
}

/// A whole submission, judged and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// One per criterion of the rubric, in its order.
    pub criteria: Vec<CriterionResult>,
    /// The sum, out of the assignment's maximum.
    pub score: Points,
    /// Reasons to have a person look; empty when there are none.
    pub review_reasons: Vec<String>,
}

/// Who judged, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grader {
    /// A model, or the built-in grader.
    Ai {
        /// The model that answered.
        model: String,
        /// Version of the prompt or algorithm.
        prompt_version: String,
        /// Tokens read.
        tokens_in: u64,
        /// Tokens written.
        tokens_out: u64,
        /// The model that was asked, as the provider names it.
        model_asked: String,
        /// What it cost, where prices are known.
        cost: Option<MicroUsd>,
        /// How long the answer took, in milliseconds; 0 where nobody was asked.
        latency_ms: u64,
        /// Records that a person confirmed and that this judgement was calibrated by.
        anchors: Vec<String>,
        /// The record whose result was taken over, because the same had been judged before.
        reused_from: Option<GradeId>,
    },
    /// A person.
    Human {
        /// Who.
        user_id: UserId,
        /// Whether they had not been shown what AI says of it; said by the service, not by them.
        blind: bool,
    },
    /// A service account: a program's word, which is neither AI's nor a person's judgement.
    Service {
        /// Which.
        user_id: UserId,
    },
}

words!(
    /// Who a grader can be.
    GraderKind {
        /// What needs no provider.
        BuiltIn = "built_in",
        /// A language model.
        Provider = "provider",
        /// A person.
        Person = "person",
        /// A service account.
        Service = "service",
    }
);

impl GraderKind {
    /// As what it acts.
    pub const fn acts_as(self) -> ActorKind {
        match self {
            Self::BuiltIn | Self::Provider => ActorKind::Agent,
            Self::Person => ActorKind::Person,
            Self::Service => ActorKind::Service,
        }
    }
}

impl Grader {
    /// Whoever calls, as the grader of what they grade.
    pub fn of(user: &User) -> Self {
        let user_id = user.id;
        match user.kind {
            UserKind::Person => Self::Human {
                user_id,
                blind: false,
            },
            UserKind::Service => Self::Service { user_id },
        }
    }

    /// As whom histories name them: AI by its model, and the built-in grader by which it is.
    pub fn acted(&self) -> ActedBy {
        match self {
            Self::Ai { model, .. } => {
                ActedBy::Agent(Some(self.built_in().unwrap_or(model).to_owned()))
            }
            Self::Human { user_id, .. } => ActedBy::Person(Some(*user_id)),
            Self::Service { user_id } => ActedBy::Service(*user_id),
        }
    }

    /// Whether a member gave the grade, and no AI of ours.
    pub const fn is_member(&self) -> bool {
        matches!(self, Self::Human { .. } | Self::Service { .. })
    }

    /// The name under which the built-in grader answers as a model.
    const BUILT_IN: &'static str = "builtin";

    /// Of which sort it is.
    pub fn kind(&self) -> GraderKind {
        match self {
            Self::Ai { model, .. } if model == Self::BUILT_IN => GraderKind::BuiltIn,
            Self::Ai { .. } => GraderKind::Provider,
            Self::Human { .. } => GraderKind::Person,
            Self::Service { .. } => GraderKind::Service,
        }
    }

    /// Which built-in grader it is, if it is one: such as `builtin-lexical-2`.
    pub fn built_in(&self) -> Option<&str> {
        match self {
            Self::Ai { prompt_version, .. } if self.kind() == GraderKind::BuiltIn => {
                Some(prompt_version)
            }
            Self::Ai { .. } | Self::Human { .. } | Self::Service { .. } => None,
        }
    }
}

/// One record of the append-only grade history.
#[derive(Debug, Clone, PartialEq)]
pub struct Grade {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: GradeId,
    /// What was graded.
    pub submission_id: SubmissionId,
    /// Grading run that made it; 0 for a person.
    pub run: u32,
    /// What it is worth.
    pub status: GradeStatus,
    /// The score, out of `max_score`.
    pub score: Points,
    /// Best possible score.
    pub max_score: Points,
    /// Hash of the rubric it was judged by.
    pub rubric_hash: String,
    /// One per criterion.
    pub criteria: Vec<CriterionResult>,
    /// For the student.
    pub feedback: String,
    /// What in the judgement itself is a reason to have a person look.
    pub review_reasons: Vec<String>,
    /// Who judged.
    pub grader: Grader,
    /// Why a person overruled.
    pub reason: Option<String>,
    /// When.
    pub created_at: Timestamp,
    /// What it commits to; none on records that are older than receipts.
    pub receipt: Option<Receipt>,
}

impl Grade {
    /// Whether the confidences in it may be shown: those of a grader that nobody has measured say nothing.
    pub fn shows_confidence(&self) -> bool {
        is_measured(&self.review_reasons)
    }

    /// What a record that says again what this one says has to say of it as well: that its confidences mean nothing.
    pub fn reasons_again(&self) -> Vec<String> {
        let unmeasured = |reason: &&String| !is_measured(std::slice::from_ref(*reason));
        self.review_reasons
            .iter()
            .filter(unmeasured)
            .cloned()
            .collect()
    }

    /// Who judged, in a word.
    pub const fn source(&self) -> GradeSource {
        match self.grader {
            Grader::Ai { .. } => GradeSource::Ai,
            Grader::Human { .. } | Grader::Service { .. } => GradeSource::Human,
        }
    }
}

/// What a grader is given.
#[derive(Debug, Clone, PartialEq)]
pub struct GradingTask {
    /// Name of the assignment.
    pub assignment_name: String,
    /// What was to be done.
    pub instructions: String,
    /// What is judged.
    pub rubric: Rubric,
    /// The student's text.
    pub submission: String,
    /// Guidance of the course.
    pub course_instructions: String,
    /// Language of the course.
    pub course_language: String,
    /// How feedback is to be written.
    pub feedback: FeedbackStyle,
    /// Submissions that people graded, newest first, at most [`Anchor::MOST`]; never the one to be graded.
    pub anchors: Vec<Anchor>,
    /// Names, addresses and ids of people that must not leave the service, wherever they stand.
    pub private: Vec<String>,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}
