//! Having late submissions judged by due dates that became better for them. Each step is a transaction of its own and may be done
//! twice: what is judged by the better date already is left alone.

use std::collections::HashSet;

use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::ids::{AssignmentId, CohortId, SubmissionId};
use lyceum_domain::learning::cohorts::CohortStatus;

use crate::app::App;
use crate::authoring::due_dates;
use crate::claimed::{self, Claimed};
use crate::grading::submissions::tell;
use crate::prelude::*;
use crate::running::audit;

/// So many submissions are looked at in one transaction.
const AT_ONCE: u16 = 50;

pub async fn perform(app: &App, job: &Claimed, id: AssignmentId) -> Result<(), Error> {
    let mut after = None;
    loop {
        let (inner, workspace) = (app.clone(), job.workspace_id);
        let stepping = move |tx: &mut dyn Tx| {
            let Some(workspace) = tx.workspaces().find(workspace)? else {
                return Ok::<_, Error>(None);
            };
            step(tx, &inner.service_context(workspace), id, after)
        };
        after = app.store.write(stepping).await?;
        if after.is_none() {
            return claimed::finish(app, job).await;
        }
        app.signal.wake();
    }
}

/// Those of the cohorts of these that are over.
fn ended(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    late: &[Submission],
) -> Result<HashSet<CohortId>, Error> {
    let ids: HashSet<CohortId> = late.iter().filter_map(|one| one.cohort_id).collect();
    let ids: Vec<CohortId> = ids.into_iter().collect();
    let cohorts = tx.cohorts().with_ids(workspace, &ids)?.into_iter();
    let over = cohorts
        .filter(|one| matches!(one.status, CohortStatus::Completed | CohortStatus::Archived));
    Ok(over.map(|cohort| cohort.id).collect())
}

/// The last that was looked at, where more may follow.
fn step(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    after: Option<SubmissionId>,
) -> Result<Option<SubmissionId>, Error> {
    let workspace = ctx.workspace_id();
    let Some(assignment) = tx.assignments().find(workspace, id)? else {
        return Ok(None);
    };
    let late = tx.submissions().late(workspace, id, after, AT_ONCE)?;
    let is_more = late.len() >= usize::from(AT_ONCE);
    let last = late.last().map(|one| one.id).filter(|_| is_more);
    let ended = ended(tx, workspace, &late)?;
    for before in late {
        let is_over = before.cohort_id.is_some_and(|id| ended.contains(&id));
        let due = due_dates::terms(tx, &assignment, before.user_id, before.cohort_id)?;
        // A date that is set anew for the next cohort is none of those whose time is over, unless it is said for them.
        let is_of_all = due.map(|due| due.due_at) == assignment.due_at;
        if is_over && is_of_all {
            continue;
        }
        let mut eased = before.clone();
        if eased.ease_due(due, ctx.now) {
            tx.submissions().update(&eased)?;
            audit::note_eased(tx, ctx, &before, &eased)?;
            tell(tx, ctx, EventType::SubmissionUpdated, &eased)?;
        }
    }
    Ok(last)
}
