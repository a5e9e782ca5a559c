//! Batches: AI at work on many answers of an assignment at once.
//!
//! [`asking`] is what people ask for, [`showing`] what they see of it, [`collecting`] fixes what a batch is about, [`landing`] lets a preview land and puts back what
//! stood before, [`attacking`] makes attacks and reports on them. The jobs `tend_batch` and `batch_item` do the work between. Every
//! change of a batch stands in its line first, so that of two nodes one is after the other.

mod asking;
mod attacking;
mod collecting;
mod landing;
mod showing;

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::grading::batches::Batch;
use lyceum_domain::ids::{AssignmentId, BatchId};
use lyceum_ports::store::Line;

use crate::prelude::*;

pub use asking::{attack, commit, grade_all, regrade, stop, stop_grading, undo};
pub(crate) use attacking::{add_attacks, report_on, task_of_attacks};
pub(crate) use collecting::collect;
pub(crate) use landing::{land_one, put_back_one};
pub use showing::{bulk, items, newest_red_team, regrades, retrieve};
pub(crate) use showing::{counted, tell};

/// Goes on only as the one who changes the batch now.
pub(crate) fn stand_in_line(tx: &mut dyn Tx, id: BatchId) -> Result<(), Error> {
    let line = Line::at(format_args!("batch {id}"));
    Ok(tx.stand_in_line(line)?)
}

/// The batch, once it is one's turn to change it.
pub(crate) fn in_turn(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    id: BatchId,
) -> Result<Option<Batch>, Error> {
    if tx.batches().find(workspace, id)?.is_none() {
        return Ok(None);
    }
    stand_in_line(tx, id)?;
    Ok(tx.batches().find(workspace, id)?)
}

/// An assignment and its course.
fn task(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<(Assignment, Course), Error> {
    let workspace = ctx.workspace_id();
    let assignment = found(tx.assignments().find(workspace, id)?, "assignment")?;
    let course = tx.courses().find(workspace, assignment.place.course_id)?;
    Ok((assignment, found(course, "course")?))
}
