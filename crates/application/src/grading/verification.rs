//! Whether grade histories are still what was sealed.

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{Grade, Grader, total};
use lyceum_domain::grading::receipts::{
    BreakReason, Broken, ChainHead, Kept, Verification, verify,
};
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::ids::GradeId;
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::ids::TrashItemId;
use lyceum_ports::running::trash::SealedPlace;

use crate::prelude::*;

/// How many submissions the operator's walk looks at in one transaction.
const AT_ONCE: u16 = 100;

/// Walks over one submission's records.
///
/// # Errors
/// Those of storage, also where a record can no longer be read at all.
pub fn of_submission(tx: &mut dyn Tx, submission: &Submission) -> Result<Verification, Error> {
    let records = tx
        .grades()
        .history(submission.workspace_id, submission.id)?;
    let head = tx.grades().head(submission.workspace_id, submission.id)?;
    of_records(tx, submission, &head, &records)
}

fn of_records(
    tx: &mut dyn Tx,
    submission: &Submission,
    head: &ChainHead,
    records: &[(Grade, Kept)],
) -> Result<Verification, Error> {
    let workspace = submission.workspace_id;
    let mut found = verify(submission.content.as_text(), head, records);
    if found.erased > 0
        && found.holds()
        && tx
            .personal_data()
            .erasure(workspace, submission.user_id)?
            .is_none()
    {
        // A tombstone without an erasure hides a change.
        found.first_broken = first_tombstone(records);
    }
    Ok(found.with_standing(submission.grade.as_ref(), submission.status, records))
}

/// The AI grades that were summed up wrongly. A person may give whatever score they like, and of a record that kept no
/// rubric nobody can say.
fn miscounted(records: &[(Grade, Kept)]) -> Vec<GradeId> {
    let by_ai = records
        .iter()
        .filter(|(grade, _)| matches!(grade.grader, Grader::Ai { .. }));
    by_ai
        .filter(|(grade, kept)| {
            let sum = kept_rubric(kept).map(|it| total(&it, &grade.criteria, grade.max_score));
            sum.is_some_and(|sum| sum != grade.score)
        })
        .map(|(grade, _)| grade.id)
        .collect()
}

fn kept_rubric(kept: &Kept) -> Option<Rubric> {
    let object = serde_json::from_str(kept.rubric.as_deref()?).ok()?;
    Rubric::parse("rubric", &object).ok()
}

fn first_tombstone(records: &[(Grade, Kept)]) -> Option<Broken> {
    let (grade, _) = records.iter().find(|(_, kept)| kept.tombstone.is_some())?;
    Some(Broken {
        grade_id: Some(grade.id),
        sequence: grade.receipt.as_ref().map(|receipt| receipt.sequence),
        reason: BreakReason::RecordChanged,
    })
}

/// What the walk found of one submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Its tenant.
    pub workspace_id: WorkspaceId,
    /// Which.
    pub submission_id: SubmissionId,
    /// Where in the trash, if that is where it is.
    pub trash_id: Option<TrashItemId>,
    /// What was found.
    pub found: Verification,
    /// AI grades whose score is not what their criteria come to by the rubric that was kept.
    pub miscounted: Vec<GradeId>,
}

/// Which submissions the operator's walk looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope {
    /// Those of this workspace alone.
    pub workspace: Option<WorkspaceId>,
    /// This one alone.
    pub submission: Option<SubmissionId>,
}

/// A step of the operator's walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What was found, by workspace and submission.
    pub checked: Vec<Checked>,
    /// Where the next step starts; none after the last.
    pub next: Option<WalkPosition>,
}

/// Where a walk is: among what is there, and then in the trash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkPosition {
    /// Behind this submission.
    There(WorkspaceId, SubmissionId),
    /// Behind this one of the trash, or before its first.
    InTrash(Option<SealedPlace>),
}

/// The step of the walk over every submission in `scope`, in the trash too, that comes after the place.
pub fn step(tx: &mut dyn Tx, scope: Scope, after: Option<WalkPosition>) -> Result<Step, Error> {
    match after {
        None => step_there(tx, scope, None),
        Some(WalkPosition::There(workspace, submission)) => {
            step_there(tx, scope, Some((workspace, submission)))
        }
        Some(WalkPosition::InTrash(after)) => step_in_trash(tx, scope, after),
    }
}

fn step_there(
    tx: &mut dyn Tx,
    scope: Scope,
    after: Option<(WorkspaceId, SubmissionId)>,
) -> Result<Step, Error> {
    let wanted = tx
        .grades()
        .graded_submissions(scope.workspace, after, AT_ONCE)?;
    let next = wanted
        .last()
        .copied()
        .filter(|_| wanted.len() == usize::from(AT_ONCE))
        .map_or(WalkPosition::InTrash(None), |(workspace, submission)| {
            WalkPosition::There(workspace, submission)
        });
    let mut checked = Vec::new();
    for (workspace_id, submission_id) in wanted {
        if scope.submission.is_some_and(|only| only != submission_id) {
            continue;
        }
        // Deleted meanwhile, with its history: the walk comes by it in the trash.
        let Some(submission) = tx.submissions().find(workspace_id, submission_id)? else {
            continue;
        };
        let head = tx.grades().head(workspace_id, submission_id)?;
        let records = tx.grades().history(workspace_id, submission_id)?;
        checked.push(Checked {
            workspace_id,
            submission_id,
            trash_id: None,
            found: of_records(tx, &submission, &head, &records)?,
            miscounted: miscounted(&records),
        });
    }
    Ok(Step {
        checked,
        next: Some(next),
    })
}

fn step_in_trash(tx: &mut dyn Tx, scope: Scope, after: Option<SealedPlace>) -> Result<Step, Error> {
    let works = tx.trash().sealed_work(scope.workspace, after, AT_ONCE)?;
    let next = works
        .last()
        .filter(|_| works.len() == usize::from(AT_ONCE))
        .map(|last| (last.submission.workspace_id, last.item, last.submission.id));
    let mut checked = Vec::new();
    for work in works {
        let submission = &work.submission;
        if scope.submission.is_some_and(|only| only != submission.id) {
            continue;
        }
        checked.push(Checked {
            workspace_id: submission.workspace_id,
            submission_id: submission.id,
            trash_id: Some(work.item),
            found: of_records(tx, submission, &work.head, &work.records)?,
            miscounted: miscounted(&work.records),
        });
    }
    Ok(Step {
        checked,
        next: next.map(|place| WalkPosition::InTrash(Some(place))),
    })
}
