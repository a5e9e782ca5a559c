//! Whether an assignment's certificates follow from the answers, the grades and the seeds that were kept beside their chain.

use std::collections::BTreeMap;

use lyceum_domain::grading::certificates::ledger::{BlindGrade, Ledger};
use lyceum_domain::grading::certificates::recomputing::{
    DeclarationFacts, ReleaseBreak, ReleaseVerification, recompute, revealed_seeds,
};
use lyceum_domain::grading::certificates::testing::SealedPoints;
use lyceum_domain::grading::receipts::ChainHead;
use lyceum_domain::ids::AssignmentId;
use lyceum_domain::points::Points;

use super::chain::ledger;
use crate::prelude::*;

/// How many assignments the operator's walk looks at in one transaction.
const AT_ONCE: u16 = 20;

/// What the walk found of one assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedChain {
    /// Its tenant.
    pub workspace_id: WorkspaceId,
    /// Which.
    pub assignment_id: AssignmentId,
    /// What was found.
    pub found: ReleaseVerification,
}

/// Where a walk is: behind this assignment.
pub type ChainPlace = Option<(WorkspaceId, AssignmentId)>;

/// Makes an assignment's chain again from what was kept.
///
/// # Errors
/// Those of storage.
pub fn verify(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    assignment: AssignmentId,
) -> Result<ReleaseVerification, Error> {
    let records = tx.certificates().records(workspace, assignment)?;
    let tries = tx.certificates().of_assignment(workspace, assignment)?;
    let head = tries
        .last()
        .map_or_else(ChainHead::default, |newest| newest.head.clone());
    let mut seeds = revealed_seeds(&records).into_iter();
    let mut facts: Vec<Option<DeclarationFacts>> = Vec::new();
    let mut is_as_graded = true;
    for one in tries {
        if one.declared.is_none() {
            continue;
        }
        let kept = ledger(tx, one)?;
        is_as_graded &= is_as_receipts_say(tx, &kept)?;
        facts.push(Some(kept.facts(seeds.next())));
    }
    let mut found = recompute(&records, &head, &facts);
    if found.first_broken.is_none() && !is_as_graded {
        found.first_broken = Some((head.sequence, ReleaseBreak::LookChanged));
    }
    Ok(found)
}

/// Whether the points on the sheets are those of the records with these receipts. What is in the trash is looked at there.
fn is_as_receipts_say(tx: &mut dyn Tx, kept: &Ledger) -> Result<bool, Error> {
    for answer in &kept.answers {
        let Some(sheet) = &answer.test else { continue };
        let workspace = kept.certification.workspace_id;
        let records = tx.grades().history(workspace, answer.submission_id)?;
        if records.is_empty() || sheet.is_of_nothing() {
            continue;
        }
        let points: BTreeMap<String, Points> = records
            .into_iter()
            .filter_map(|(grade, _)| Some((grade.receipt?.hash, grade.score)))
            .collect();
        let is_said = |sealed: &SealedPoints| points.get(&sealed.receipt) == Some(&sealed.points);
        let is_so = match &sheet.grade {
            Some(BlindGrade::Given(teacher)) => is_said(&sheet.ai) && is_said(teacher),
            Some(BlindGrade::GivenUp) | None => is_said(&sheet.ai),
        };
        if !is_so {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The step of the walk over every assignment with certificates, of one workspace or of all, that comes after the place; and where
/// the next one starts.
///
/// # Errors
/// Those of storage.
pub fn step(
    tx: &mut dyn Tx,
    workspace: Option<WorkspaceId>,
    after: ChainPlace,
) -> Result<(Vec<CheckedChain>, ChainPlace), Error> {
    let wanted = tx.certificates().with_records(workspace, after, AT_ONCE)?;
    let is_full = wanted.len() == usize::from(AT_ONCE);
    let next = wanted.last().copied().filter(|_| is_full);
    let mut checked = Vec::new();
    for (workspace_id, assignment_id) in wanted {
        checked.push(CheckedChain {
            workspace_id,
            assignment_id,
            found: verify(tx, workspace_id, assignment_id)?,
        });
    }
    Ok((checked, next))
}
