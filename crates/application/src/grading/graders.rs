//! What grades an assignment as things are, and whether it withstands attacks: asked by batches and certificates alike.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::grading::batches::{Batch, BatchGrader, BatchKind, BatchState};
use lyceum_domain::grading::red_team::RedTeamNeeded;
use lyceum_domain::ids::AssignmentId;

use crate::grading::rubrics;
use crate::prelude::*;

/// Among so many of the newest red teams one that came to its end is looked for.
const TRIES: u16 = 10;

/// What grades an assignment as things are.
pub fn usual_grader(assignment: &Assignment, course: &Course) -> BatchGrader {
    BatchGrader {
        rubric: rubrics::usual(assignment, course),
        model: rubrics::usual_model(assignment, course),
        is_usual: true,
        min_confidence: 0,
    }
}

/// The same, with the confidence below which release lets nothing out: what attacks are made on.
pub fn attacked_grader(assignment: &Assignment, course: &Course) -> BatchGrader {
    let terms = assignment.grading.release;
    BatchGrader {
        min_confidence: terms.map_or(0, |terms| terms.min_confidence()),
        ..usual_grader(assignment, course)
    }
}

/// The hash of the newest report about what grades the assignment now, if it lets nothing through that is as sure as release asks for;
/// what is needed otherwise.
///
/// # Errors
/// Those of storage.
pub fn report_that_passes(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: &Assignment,
) -> Result<Result<String, RedTeamNeeded>, Error> {
    let course = tx
        .courses()
        .find(ctx.workspace_id(), assignment.place.course_id)?;
    let Some(current) = course.map(|course| attacked_grader(assignment, &course)) else {
        return Ok(Err(RedTeamNeeded::NotAttacked));
    };
    let newest = newest_done(tx, ctx, assignment.id)?;
    let report = newest
        .filter(|batch| batch.grader.grades_as(&current))
        .and_then(|batch| batch.report);
    let report = report.ok_or(RedTeamNeeded::NotAttacked);
    Ok(report.and_then(|report| {
        report.check(current.min_confidence)?;
        Ok(report.hash(&current.rubric.hash(), &current.model))
    }))
}

/// The newest red team that came to its end: one that runs takes nothing away from what was found before.
fn newest_done(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<Option<Batch>, Error> {
    let some = PageRequest::first(TRIES);
    let newest = tx
        .batches()
        .page(ctx.workspace_id(), id, BatchKind::RedTeam, &some)?;
    let mut all = newest.items.into_iter();
    Ok(all.find(|batch| batch.state == BatchState::Done))
}
