//! Landing what was previewed, and putting back what stood before.

use super::{
    AiGrading, AiLanding, AiProposal, BlindGrading, StandingGrade, Submission, SubmissionStatus,
};
use crate::Timestamp;
use crate::grading::explanations::Explanation;
use crate::grading::grades::{GradeStatus, ReviewStatus};
use crate::transition::InvalidTransition;

/// All that a landing changes of a submission, as it stood before.
#[derive(Debug, Clone, PartialEq)]
pub struct SubmissionSnapshot {
    /// Where it was.
    pub status: SubmissionStatus,
    /// The grade that stood.
    pub grade: Option<StandingGrade>,
    /// Where AI grading stood.
    pub ai: AiGrading,
    /// What AI had last proposed.
    pub ai_proposal: Option<AiProposal>,
    /// Why the grade was what it was.
    pub explanation: Option<Explanation>,
    /// Whether it wanted a look.
    pub review: Option<ReviewStatus>,
    /// Why.
    pub review_reasons: Vec<String>,
}

impl Submission {
    /// As it stands, to be put back later.
    pub fn snapshot(&self) -> SubmissionSnapshot {
        SubmissionSnapshot {
            status: self.status,
            grade: self.grade.clone(),
            ai: self.ai.clone(),
            ai_proposal: self.ai_proposal.clone(),
            explanation: self.explanation.clone(),
            review: self.review,
            review_reasons: self.review_reasons.clone(),
        }
    }

    /// Lands what was previewed, as a run of its own. A person's grade is replaced only where `over_person` says so; else it is
    /// refused, so that nothing is noted beside it.
    ///
    /// # Errors
    /// [`InvalidTransition`] of a draft and of what was given back, while AI grades it, and where a person decided.
    pub fn land_regrade(
        &mut self,
        landing: &AiLanding<'_>,
        over_person: bool,
        now: Timestamp,
    ) -> Result<GradeStatus, InvalidTransition> {
        let is_pending = matches!(self.ai, AiGrading::Pending { .. });
        let is_decided = self.is_decided_by_person();
        if is_pending || (is_decided && !over_person) {
            return Err(self.status.cannot_be_regraded());
        }
        self.status = self.status.hold()?;
        self.run = self.run.saturating_add(1);
        if is_decided {
            self.grade = None;
            self.review = None;
        }
        self.land_ai(landing, now)
    }

    /// Puts back what stood before.
    ///
    /// # Errors
    /// [`InvalidTransition`] of what was given back since, while AI grades it, and while it waits for a blind grade.
    pub fn put_back(
        &mut self,
        before: &SubmissionSnapshot,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        let is_pending = matches!(self.ai, AiGrading::Pending { .. });
        let is_out = self.status == SubmissionStatus::Returned;
        if is_pending || is_out || self.blind == BlindGrading::Awaited {
            return Err(self.status.cannot_be_regraded());
        }
        let SubmissionSnapshot {
            status,
            grade,
            ai,
            ai_proposal,
            explanation,
            review,
            review_reasons,
        } = before.clone();
        self.status = status;
        self.grade = grade;
        self.ai = ai;
        self.ai_proposal = ai_proposal;
        self.explanation = explanation;
        self.explanation_awaited = None;
        self.review = review;
        self.review_reasons = review_reasons;
        self.stamp.touch(now);
        Ok(())
    }
}
