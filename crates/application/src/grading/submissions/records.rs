//! Adding to a submission's grade history: always sealed, always at its end.

use lyceum_domain::grading::grades::Grade;
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::Submission;

use crate::prelude::*;

/// Appends a record with the receipt that follows the newest, and returns it sealed. Of two that race, one is run again and
/// follows the other.
pub fn append(
    tx: &mut dyn Tx,
    submission: &Submission,
    grade: Grade,
    kept: &Kept,
) -> Result<Grade, Error> {
    let head = tx.grades().head(submission.workspace_id, submission.id)?;
    let sealed = grade.sealed(&head, submission.content.as_text(), kept);
    tx.grades().append(&sealed, kept)?;
    Ok(sealed)
}
