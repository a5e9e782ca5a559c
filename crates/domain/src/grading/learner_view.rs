//! What a learner sees of a submission and of a grade. Member by member, without `..`: what is added to either is hidden
//! until somebody decides here that it is shown.

use crate::Timestamp;
use crate::grading::grades::{
    CriterionResult, Grade, GradeSource, GradeStatus, Grader, GraderKind,
};
use crate::grading::submissions::{BlindGrading, StandingGrade, Submission};
use crate::ids::{GradeId, SubmissionId};
use crate::json::Metadata;
use crate::points::Points;

impl Submission {
    /// As its learner sees it: nothing of a grade that waits for a person, and never what is for teachers.
    #[must_use]
    pub fn for_learner(&self) -> Self {
        let Self {
            workspace_id,
            id,
            assignment_id,
            course_id,
            cohort_id,
            user_id,
            attempt,
            status,
            content,
            submitted_at,
            assignment_version,
            due,
            late,
            max_score,
            grade,
            ai,
            run,
            ai_proposal: _,
            explanation: _,
            explanation_awaited: _,
            review,
            review_reasons: _,
            blind: _,
            metadata: _,
            stamp,
        } = self;
        let grade = grade.as_ref().filter(|_| status.shows_grade());
        Self {
            workspace_id: *workspace_id,
            id: *id,
            assignment_id: *assignment_id,
            course_id: *course_id,
            cohort_id: *cohort_id,
            user_id: *user_id,
            attempt: *attempt,
            status: *status,
            content: content.clone(),
            submitted_at: *submitted_at,
            assignment_version: *assignment_version,
            due: *due,
            late: *late,
            max_score: *max_score,
            grade: grade.map(StandingGrade::for_learner),
            ai: ai.clone(),
            run: *run,
            ai_proposal: None,
            explanation: None,
            explanation_awaited: None,
            review: *review,
            review_reasons: Vec::new(),
            blind: BlindGrading::NotAsked,
            metadata: Metadata::default(),
            stamp: *stamp,
        }
    }
}

impl StandingGrade {
    fn for_learner(&self) -> Self {
        let Self {
            score,
            feedback,
            by,
            decided_by: _,
            decided_at: _,
            at,
            read_at: _,
            criteria,
            before: _,
        } = self;
        Self {
            score: *score,
            feedback: feedback.clone(),
            by: *by,
            decided_by: None,
            decided_at: None,
            at: *at,
            read_at: None,
            criteria: criteria.iter().map(CriterionResult::for_learner).collect(),
            before: None,
        }
    }
}

impl CriterionResult {
    /// Without what is for the teacher only: what a grader that is no person says of its judgement may name what was
    /// expected. Such a grader says how sure it is, persons do not.
    fn for_learner(&self) -> Self {
        let Self {
            criterion_id,
            name,
            level_id,
            score,
            max_score,
            rationale,
            evidence,
            confidence,
            missing: _,
            not_judged,
        } = self;
        Self {
            criterion_id: criterion_id.clone(),
            name: name.clone(),
            level_id: level_id.clone(),
            score: *score,
            max_score: *max_score,
            rationale: match confidence {
                Some(_) => String::new(),
                None => rationale.clone(),
            },
            evidence: evidence.clone(),
            confidence: None,
            missing: Vec::new(),
            not_judged: not_judged.clone(),
        }
    }
}

/// A record of the grade history, as its learner sees it: neither what it was made with nor what is for the record.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnersGrade {
    /// Its identifier.
    pub id: GradeId,
    /// What was graded.
    pub submission_id: SubmissionId,
    /// Whether AI or a person judged.
    pub source: GradeSource,
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
    /// For the learner.
    pub feedback: String,
    /// Who judged.
    pub grader: GraderLabel,
    /// When.
    pub created_at: Timestamp,
}

/// Who judged, by their label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraderLabel {
    /// Of which sort.
    pub kind: GraderKind,
    /// Which built-in grader, such as `builtin-lexical-2`.
    pub built_in: Option<String>,
}

impl Grade {
    /// As its learner sees it.
    pub fn for_learner(&self) -> LearnersGrade {
        let source = self.source();
        let Self {
            workspace_id: _,
            id,
            submission_id,
            run: _,
            status,
            score,
            max_score,
            rubric_hash,
            criteria,
            feedback,
            review_reasons: _,
            grader,
            reason: _,
            created_at,
            receipt: _,
        } = self;
        LearnersGrade {
            id: *id,
            submission_id: *submission_id,
            source,
            status: *status,
            score: *score,
            max_score: *max_score,
            rubric_hash: rubric_hash.clone(),
            criteria: criteria.iter().map(CriterionResult::for_learner).collect(),
            feedback: feedback.clone(),
            grader: grader.label(),
            created_at: *created_at,
        }
    }
}

impl Grader {
    fn label(&self) -> GraderLabel {
        GraderLabel {
            kind: self.kind(),
            built_in: self.built_in().map(str::to_owned),
        }
    }
}
