//! Submissions: what a student hands in, and what comes of it.

use crate::authoring::due_dates::{self, DueTerms};
use crate::grading::explanations::Explanation;
pub use crate::grading::grades::ReviewStatus;
use crate::grading::grades::{
    CriterionResult, GradeSource, GradeStatus, Judgement, LandingFacts, NOT_CERTIFIED, Release,
    is_measured, least_confidence, route, wants_only_a_certificate,
};
use crate::ids::{AssignmentId, CohortId, CourseId, SubmissionId, UserId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::points::Points;
use crate::text::LongText;
use crate::transition::InvalidTransition;
use crate::web_address::WebAddress;
use crate::words::words;
use crate::{At, Invalid, Stamp, Timestamp};
use thiserror::Error;

mod listed;
#[cfg(test)]
mod model_tests;
mod overrides;
mod regrading;
mod status;
#[cfg(test)]
mod tests;

pub use listed::ListedGrade;
pub use overrides::{FeedbackOverrides, RunBudget, RunOverrides, Samples};
pub use regrading::SubmissionSnapshot;
pub use status::SubmissionStatus;

/// What was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmissionContent {
    /// A text.
    Text(LongText),
    /// An address where the work can be found.
    Url(WebAddress),
}

impl SubmissionContent {
    /// The text a grader reads.
    pub fn as_text(&self) -> &str {
        match self {
            Self::Text(text) => text.as_str(),
            Self::Url(url) => url.as_str(),
        }
    }
}

/// Where AI grading stands.
#[derive(Debug, Clone, PartialEq)]
pub enum AiGrading {
    /// Never asked for.
    NotAsked,
    /// A run is under way.
    Pending {
        /// When it will probably be over.
        estimated_ready_at: Timestamp,
        /// What this run alone does otherwise.
        overrides: Box<RunOverrides>,
    },
    /// The newest run landed.
    Ready,
    /// The newest run failed for good.
    Failed {
        /// Such as `ai_provider_error`.
        code: String,
        /// For a person.
        message: String,
    },
}

/// What AI last proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiProposal {
    /// Its score.
    pub score: Points,
    /// Its reasons, for the teacher.
    pub rationale: String,
    /// The model that answered.
    pub model: String,
    /// SHA-256 of everything that fixed the grade but the text; none of proposals that are older than that.
    pub grader_hash: Option<String>,
    /// The lowest confidence of a criterion, in hundredths, where the grader says one.
    pub confidence: Option<u8>,
    /// When it landed; none of proposals that are older than that.
    pub at: Option<Timestamp>,
}

/// The grade that stands.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingGrade {
    /// What the work earned, out of the submission's maximum; [`Submission::score`] is what counts of it.
    pub score: Points,
    /// For the student.
    pub feedback: String,
    /// Who judged.
    pub by: GradeSource,
    /// Which member gave it, or let AI's stand; none of AI's about which nobody decided, and of what is older than this.
    pub decided_by: Option<UserId>,
    /// When they did; none of what nobody decided, and of what is older than this.
    pub decided_at: Option<Timestamp>,
    /// When it was judged.
    pub at: Timestamp,
    /// When that was read which AI judged by, before it was asked; none of people's grades, and of those that are older than this.
    pub read_at: Option<Timestamp>,
    /// One per criterion.
    pub criteria: Vec<CriterionResult>,
    /// What a person's newest decision about it can be taken back to.
    pub before: Option<Box<BeforeDecision>>,
}

/// Where a submission stood before a person decided about it.
#[derive(Debug, Clone, PartialEq)]
pub struct BeforeDecision {
    /// Its state.
    pub status: SubmissionStatus,
    /// Whether it wanted a look.
    pub review: Option<ReviewStatus>,
    /// The grade that stood; `None` where the decision left it as it is.
    pub grade: Option<StandingGrade>,
    /// What the decision before that can be taken back to.
    pub earlier: Option<Box<BeforeDecision>>,
}

impl StandingGrade {
    /// The same points without a word of or about the person.
    #[must_use]
    pub fn erased(self) -> Self {
        Self {
            feedback: String::new(),
            criteria: self
                .criteria
                .into_iter()
                .map(CriterionResult::erased)
                .collect(),
            before: None,
            ..self
        }
    }
}

words!(
    /// Whether a person grades a submission without knowing what AI says of it.
    BlindGrading {
        /// Nobody asked for that.
        NotAsked = "not_asked",
        /// Somebody is to; until then what AI says is shown to nobody.
        Awaited = "awaited",
        /// Somebody has, or has been shown what AI says instead. It cannot be blind again.
        Over = "over",
    }
);

impl BlindGrading {
    /// When it is graded, or shown.
    const fn over(self) -> Self {
        match self {
            Self::NotAsked => Self::NotAsked,
            Self::Awaited | Self::Over => Self::Over,
        }
    }
}

/// A submission to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSubmission {
    /// What it answers.
    pub assignment_id: AssignmentId,
    /// The cohort it is made in.
    pub cohort_id: Option<CohortId>,
    /// What is handed in.
    pub content: SubmissionContent,
    /// Whether it stays a draft.
    pub draft: bool,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

/// What is to change in a draft; `None` keeps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SubmissionChanges {
    /// New content, replaced whole.
    pub content: Option<SubmissionContent>,
    /// Change of the metadata.
    pub metadata: MetadataChange,
}

/// A student's response to an assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: SubmissionId,
    /// What it answers.
    pub assignment_id: AssignmentId,
    /// The course of that, which is always the same.
    pub course_id: CourseId,
    /// The cohort it was made in.
    pub cohort_id: Option<CohortId>,
    /// Whose it is.
    pub user_id: UserId,
    /// 1 for the first attempt at the assignment, and so on.
    pub attempt: u32,
    /// Where it is.
    pub status: SubmissionStatus,
    /// What was handed in.
    pub content: SubmissionContent,
    /// When it was handed in.
    pub submitted_at: Option<Timestamp>,
    /// Which version of its assignment it was handed in to; none of drafts, and of what is older than versions.
    pub assignment_version: Option<u32>,
    /// By which due date it is judged, once it was handed in; none where nothing was due.
    pub due: Option<DueTerms>,
    /// Whether it was handed in after that.
    pub late: bool,
    /// Best possible score, as of handing in.
    pub max_score: Points,
    /// The grade that stands.
    pub grade: Option<StandingGrade>,
    /// Where AI grading stands.
    pub ai: AiGrading,
    /// Number of the newest AI run; older runs cannot land.
    pub run: u32,
    /// What AI last proposed.
    pub ai_proposal: Option<AiProposal>,
    /// Why the grade that stands is what it is, if somebody asked AI.
    pub explanation: Option<Explanation>,
    /// Names the explanation that was asked for last and is still of the grade that stands; no other may land.
    pub explanation_awaited: Option<String>,
    /// Whether a person has looked at the AI grade.
    pub review: Option<ReviewStatus>,
    /// Why a person should.
    pub review_reasons: Vec<String>,
    /// Whether a person is to grade it who does not know what AI says of it: see [`Self::blinded`].
    pub blind: BlindGrading,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

/// What an AI run ended with.
#[derive(Debug, Clone, Copy)]
pub struct AiLanding<'a> {
    /// The judgement.
    pub judged: &'a Judgement,
    /// For the student.
    pub feedback: &'a str,
    /// The model that answered.
    pub model: &'a str,
    /// SHA-256 of everything that fixed the grade but the text.
    pub grader_hash: &'a str,
    /// When that was read, before AI was asked.
    pub read_at: Timestamp,
    /// What decides, beside the judgement, whether it is released.
    pub facts: LandingFacts,
}

/// There is no grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the submission has no grade yet")]
pub struct NotGraded;

/// Who, where and against what a submission is made.
#[derive(Debug, Clone, Copy)]
pub struct SubmissionFrame {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: SubmissionId,
    /// The course of the assignment.
    pub course_id: CourseId,
    /// Whose it is.
    pub user_id: UserId,
    /// 1 for the first attempt.
    pub attempt: u32,
    /// Best possible score.
    pub max_score: Points,
    /// Which version the assignment is.
    pub assignment_version: u32,
    /// What is asked of whoever hands in.
    pub due: Option<DueTerms>,
}

impl Submission {
    /// A new submission: a draft, or handed in at once.
    pub fn new(frame: SubmissionFrame, new: NewSubmission, now: Timestamp) -> Self {
        let handed_in = !new.draft;
        let status = if handed_in {
            SubmissionStatus::Submitted
        } else {
            SubmissionStatus::Draft
        };
        Self {
            workspace_id: frame.workspace_id,
            id: frame.id,
            assignment_id: new.assignment_id,
            course_id: frame.course_id,
            cohort_id: new.cohort_id,
            user_id: frame.user_id,
            attempt: frame.attempt,
            status,
            content: new.content,
            submitted_at: handed_in.then_some(now),
            assignment_version: handed_in.then_some(frame.assignment_version),
            due: frame.due.filter(|_| handed_in),
            late: handed_in && frame.due.is_some_and(|due| due.is_late(now)),
            max_score: frame.max_score,
            grade: None,
            ai: AiGrading::NotAsked,
            run: 0,
            ai_proposal: None,
            explanation: None,
            explanation_awaited: None,
            review: None,
            review_reasons: Vec::new(),
            blind: BlindGrading::NotAsked,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        }
    }

    /// Changes what is handed in, or its metadata; returns whether anything really changed. Whoever calls this knows that
    /// content changes in drafts alone.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, changes: SubmissionChanges, now: Timestamp) -> Result<bool, Invalid> {
        let metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        let content = changes.content.unwrap_or_else(|| self.content.clone());
        let differs = content != self.content || metadata != self.metadata;
        if differs {
            self.content = content;
            self.metadata = metadata;
            self.stamp.touch(now);
        }
        Ok(differs)
    }

    /// draft → submitted
    pub fn submit(
        &mut self,
        assignment_version: u32,
        due: Option<DueTerms>,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        self.status = self.status.submit()?;
        self.assignment_version = Some(assignment_version);
        self.submitted_at = Some(now);
        self.due = due;
        self.late = due.is_some_and(|due| due.is_late(now));
        self.stamp.touch(now);
        Ok(())
    }

    /// Has it judged by these terms from now on, where they are better for whoever handed it in; returns whether they are. It is never
    /// judged by worse ones than held when it was handed in.
    pub fn ease_due(&mut self, due: Option<DueTerms>, now: Timestamp) -> bool {
        let Some(submitted_at) = self.submitted_at else {
            return false;
        };
        let (off, late) = due_dates::cost(self.due, submitted_at, self.max_score);
        // What was handed in before terms were kept with it is late by a date that only its flag knows.
        let stands = (off, late || self.late);
        let would_be = due_dates::cost(due, submitted_at, self.max_score);
        let is_better = would_be < stands;
        if is_better {
            self.due = due;
            self.late = would_be.1;
            self.stamp.touch(now);
        }
        is_better
    }

    /// What is taken off the grade that stands because the work came late.
    pub fn late_deduction(&self) -> Points {
        let (Some(due), Some(submitted_at), Some(grade)) =
            (self.due, self.submitted_at, &self.grade)
        else {
            return Points::ZERO;
        };
        due.deduction(submitted_at, grade.score, self.max_score)
    }

    /// The score that counts: what the work earned, less what is taken off because it came late.
    pub fn score(&self) -> Option<Points> {
        Some(self.grade.as_ref()?.score.less(self.late_deduction()))
    }

    /// Starts an AI run; runs before it can no longer land. What was graded before stands until it does.
    ///
    /// # Errors
    /// [`InvalidTransition`] if there is nothing handed in.
    pub fn ask_ai(
        &mut self,
        overrides: RunOverrides,
        estimated_ready_at: Timestamp,
        now: Timestamp,
    ) -> Result<u32, InvalidTransition> {
        self.status.ask_ai()?;
        self.run = self.run.saturating_add(1);
        self.ai = AiGrading::Pending {
            estimated_ready_at,
            overrides: Box::new(overrides),
        };
        self.stamp.touch(now);
        Ok(self.run)
    }

    /// Whether a run is under way that was asked for in the same words, which do not insist on an answer of their own.
    pub fn is_asked_alike(&self, run: &RunOverrides) -> bool {
        !run.anew && matches!(&self.ai, AiGrading::Pending { overrides, .. } if **overrides == *run)
    }

    /// Takes away everything that was handed in, said of it or is still to be said; points and states stay. A run
    /// that is under way ends, and cannot land any more.
    pub fn erase(&mut self, now: Timestamp) {
        self.content = SubmissionContent::Text(LongText::clamp(""));
        self.metadata = Metadata::default();
        self.grade = self.grade.take().map(StandingGrade::erased);
        self.ai = match &self.ai {
            AiGrading::NotAsked => AiGrading::NotAsked,
            AiGrading::Ready => AiGrading::Ready,
            AiGrading::Pending { .. } | AiGrading::Failed { .. } => AiGrading::Failed {
                code: "erased".to_owned(),
                message: "the person was erased".to_owned(),
            },
        };
        self.run = self.run.saturating_add(1);
        self.ai_proposal = None;
        self.explanation = None;
        self.explanation_awaited = None;
        self.review_reasons = Vec::new();
        self.blind = self.blind.over();
        self.stamp.touch(now);
    }

    /// Whether `run` may still land.
    pub fn awaits(&self, run: u32) -> bool {
        self.run == run && matches!(self.ai, AiGrading::Pending { .. })
    }

    /// Lands an AI run; returns what its grade record is worth.
    ///
    /// A person's grade is never overwritten, nor is what was given back: then the proposal is kept beside it.
    /// [`route`] says whether the grade waits; while it does, the learner sees none of it.
    ///
    /// # Errors
    /// [`InvalidTransition`] if the submission moved on meanwhile.
    pub fn land_ai(
        &mut self,
        landing: &AiLanding<'_>,
        now: Timestamp,
    ) -> Result<GradeStatus, InvalidTransition> {
        let judged = landing.judged;
        self.ai = AiGrading::Ready;
        self.ai_proposal = Some(AiProposal {
            score: judged.score,
            rationale: rationale_of(&judged.criteria),
            model: landing.model.to_owned(),
            grader_hash: Some(landing.grader_hash.to_owned()),
            confidence: least_confidence(judged),
            at: Some(now),
        });
        // Reasons are shown in one place, and these are newer.
        self.explanation = None;
        self.stamp.touch(now);
        if self.is_decided_by_person() || self.status == SubmissionStatus::Returned {
            return Ok(GradeStatus::Suggested);
        }
        let route = route(judged, self.max_score, landing.facts, self.audit_number());
        if landing.facts.release == Release::Audited && self.blind == BlindGrading::NotAsked {
            self.blind = BlindGrading::Awaited;
        }
        // Whatever the assignment asks for: a grade that is out would be one that the person knows.
        let is_held = route.held || self.is_blind();
        self.explanation_awaited = None;
        self.status = if is_held {
            self.status.hold()?
        } else {
            self.status.grade()?
        };
        self.review_reasons = route.reasons;
        self.review = route.review.or(is_held.then_some(ReviewStatus::Open));
        self.grade = Some(StandingGrade {
            score: judged.score,
            feedback: landing.feedback.to_owned(),
            by: GradeSource::Ai,
            decided_by: None,
            decided_at: None,
            at: now,
            read_at: Some(landing.read_at),
            criteria: judged.criteria.clone(),
            before: None,
        });
        Ok(if is_held {
            GradeStatus::Suggested
        } else {
            GradeStatus::Final
        })
    }

    /// Whether nothing but the want of a certificate would hold AI's grade. What somebody was shown cannot be graded blind, so
    /// no lot could fall on it: it waits.
    pub fn would_go_out(&self, judged: &Judgement, facts: LandingFacts) -> bool {
        let is_open = !self.is_decided_by_person() && self.status != SubmissionStatus::Returned;
        let certified = LandingFacts {
            release: Release::Certified,
            ..facts
        };
        is_open
            && self.blind == BlindGrading::NotAsked
            && !route(judged, self.max_score, certified, self.audit_number()).held
    }

    /// Lets AI's grade out that waited for nothing but a certificate: in review → graded. That a person may look at it stays.
    ///
    /// # Errors
    /// [`InvalidTransition`] where something else holds it, or it is out.
    pub fn release(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        let waits = self.status == SubmissionStatus::InReview
            && self.blind == BlindGrading::NotAsked
            && !self.is_decided_by_person()
            && wants_only_a_certificate(&self.review_reasons);
        if !waits {
            return Err(self.status.cannot_be_released());
        }
        self.status = self.status.grade()?;
        self.review_reasons.retain(|reason| reason != NOT_CERTIFIED);
        self.stamp.touch(now);
        Ok(())
    }

    /// Whether a person had the last word: gave the grade that stands, or let AI's stand.
    pub fn is_decided_by_person(&self) -> bool {
        self.grade.as_ref().is_some_and(|grade| {
            grade.by == GradeSource::Human || self.review == Some(ReviewStatus::Done)
        })
    }

    /// As of when the grade that stands was given, where it is AI's and no person decided about it: it can be older than what AI
    /// grades by. What changed while AI was being asked is not in it, though it landed later. None while it waits for a blind grade,
    /// since nobody is told of it then.
    pub fn ai_graded_at(&self) -> Option<Timestamp> {
        let grade = self.grade.as_ref()?;
        let is_open = !self.is_decided_by_person() && !self.is_blind();
        is_open.then(|| grade.read_at.unwrap_or(grade.at))
    }

    /// Whether AI's grade that stands is of before `since`, the moment at which what AI grades by last changed; none where there is
    /// no such grade.
    pub fn is_stale(&self, since: Option<Timestamp>) -> Option<bool> {
        let given = self.ai_graded_at()?;
        Some(since.is_some_and(|since| given < since))
    }

    /// Whether the confidences of the grade that stands may be shown: those of a grader that nobody has measured say nothing.
    pub fn shows_confidence(&self) -> bool {
        is_measured(&self.review_reasons)
    }

    /// Whether nobody is shown what AI says of it.
    pub fn is_blind(&self) -> bool {
        self.blind == BlindGrading::Awaited
    }

    /// Hides what AI says of it, until a person has graded it; whether that changes anything.
    ///
    /// # Errors
    /// [`InvalidTransition`] unless it was handed in and no grade of it is out, and where it was shown since it was hidden.
    pub fn hide_ai(&mut self, now: Timestamp) -> Result<bool, InvalidTransition> {
        self.status.hide_ai()?;
        match self.blind {
            BlindGrading::Awaited => Ok(false),
            BlindGrading::Over => Err(self.status.cannot_be_blind("be graded blind any more")),
            BlindGrading::NotAsked => {
                self.blind = BlindGrading::Awaited;
                self.stamp.touch(now);
                Ok(true)
            }
        }
    }

    /// Shows what AI says of it, because nobody waits for a blind grade any more; whether that changes anything.
    pub fn show_ai(&mut self, now: Timestamp) -> bool {
        let is_hidden = self.is_blind();
        if is_hidden {
            self.blind = self.blind.over();
            self.stamp.touch(now);
        }
        is_hidden
    }

    /// A number that the submission always has and nobody chooses: it decides which grades are picked for a look.
    fn audit_number(&self) -> u32 {
        crc32fast::hash(self.id.uuid().as_bytes())
    }

    /// Asks why the grade that stands is what it is; `name` tells this asking from every other.
    ///
    /// # Errors
    /// [`NotGraded`]
    pub fn ask_why(&mut self, name: String, now: Timestamp) -> Result<(), NotGraded> {
        // Who waits to grade it blind is not told that there is one.
        if self.grade.is_none() || self.is_blind() {
            return Err(NotGraded);
        }
        self.explanation_awaited = Some(name);
        self.stamp.touch(now);
        Ok(())
    }

    /// Whether the explanation of this name may still land: none was asked for since, and the grade is the same.
    pub fn awaits_explanation(&self, name: &str) -> bool {
        self.explanation_awaited.as_deref() == Some(name)
    }

    /// Lands an explanation. Score, states and who graded stay as they are.
    pub fn land_explanation(&mut self, explanation: Explanation, now: Timestamp) {
        self.explanation = Some(explanation);
        self.explanation_awaited = None;
        self.stamp.touch(now);
    }

    /// Notes that the newest AI run failed for good.
    pub fn fail_ai(&mut self, code: &str, message: &str, now: Timestamp) {
        self.ai = AiGrading::Failed {
            code: code.to_owned(),
            message: message.to_owned(),
        };
        self.stamp.touch(now);
    }

    /// A person's grade: it stands, whatever AI said or will say.
    pub fn grade_by_person(
        &mut self,
        score: Points,
        criteria: Vec<CriterionResult>,
        feedback: String,
        by: UserId,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        let (status, review) = (self.status, self.review);
        self.status = self.status.grade()?;
        self.review = Some(ReviewStatus::Done);
        self.blind = self.blind.over();
        self.explanation = None;
        self.explanation_awaited = None;
        let score = score.at_most(self.max_score);
        let before = self.grade.take().map(|grade| {
            Box::new(BeforeDecision {
                status,
                review,
                grade: Some(StandingGrade {
                    before: None,
                    ..grade
                }),
                earlier: None,
            })
        });
        self.grade = Some(StandingGrade {
            score,
            feedback,
            by: GradeSource::Human,
            decided_by: Some(by),
            decided_at: Some(now),
            at: now,
            read_at: None,
            criteria,
            before,
        });
        self.stamp.touch(now);
        Ok(())
    }

    /// A person lets an AI grade stand that is held, or that is out and still wants a look. Its evidence stays.
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state, and while it waits for a blind grade: who lets a grade stand has seen it.
    pub fn approve(&mut self, by: UserId, now: Timestamp) -> Result<(), InvalidTransition> {
        if self.is_blind() {
            let action = "be approved while it waits for a blind grade";
            return Err(self.status.cannot_be_blind(action));
        }
        let wants_a_look = self.review == Some(ReviewStatus::Open);
        let status = self.status.approve(wants_a_look)?;
        self.remember();
        self.status = status;
        self.review = Some(ReviewStatus::Done);
        if let Some(grade) = &mut self.grade {
            grade.decided_by = Some(by);
            grade.decided_at = Some(now);
        }
        self.stamp.touch(now);
        Ok(())
    }

    /// Notes where it stands, before a decision that leaves the grade itself as it is.
    fn remember(&mut self) {
        let (status, review) = (self.status, self.review);
        if let Some(grade) = &mut self.grade {
            let earlier = grade.before.take();
            grade.before = Some(Box::new(BeforeDecision {
                status,
                review,
                grade: None,
                earlier,
            }));
        }
    }

    /// Takes a person's newest decision back: the submission stands as it stood before it.
    ///
    /// # Errors
    /// [`InvalidTransition`] where no person decided, or nothing stood before they did.
    pub fn reopen(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        let status = self.status;
        let refused = || status.cannot_be_reopened();
        let grade = self.grade.as_mut().ok_or_else(refused)?;
        let before = grade.before.take().ok_or_else(refused)?;
        grade.before = before.earlier;
        if let Some(earlier) = before.grade {
            self.grade = Some(earlier);
            self.explanation = None;
            self.explanation_awaited = None;
        }
        self.status = before.status;
        self.review = before.review;
        if !self.is_decided_by_person()
            && let Some(grade) = &mut self.grade
        {
            grade.decided_by = None;
            grade.decided_at = None;
        }
        self.stamp.touch(now);
        Ok(())
    }

    /// graded → returned
    pub fn give_back(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        let status = self.status.give_back()?;
        self.remember();
        self.status = status;
        self.stamp.touch(now);
        Ok(())
    }
}

fn rationale_of(criteria: &[CriterionResult]) -> String {
    let lines: Vec<String> = criteria
        .iter()
        .filter(|result| !result.rationale.is_empty())
        .map(|result| format!("{}: {}", result.name, result.rationale))
        .collect();
    lines.join("\n")
}
