//! What a person sees of a submission that they are to grade blind. Member by member, without `..`: what is added to it is
//! hidden until somebody decides here that it is shown.

use crate::grading::submissions::Submission;

impl Submission {
    /// Without anything that AI, or another person, says of it. What was handed in, by whom, and that AI has graded it or is
    /// about to stay.
    #[must_use]
    pub fn blinded(&self) -> Self {
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
            grade: _,
            ai,
            run,
            ai_proposal: _,
            explanation: _,
            explanation_awaited: _,
            review,
            review_reasons: _,
            blind,
            metadata,
            stamp,
        } = self;
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
            grade: None,
            ai: ai.clone(),
            run: *run,
            ai_proposal: None,
            explanation: None,
            explanation_awaited: None,
            review: *review,
            review_reasons: Vec::new(),
            blind: *blind,
            metadata: metadata.clone(),
            stamp: *stamp,
        }
    }
}
