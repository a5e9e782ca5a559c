//! Certificates: what a teacher has to show before AI's grades of an assignment go out unseen, and what ends it.
//!
//! [`asking`] is what people ask for, [`offering`] tells beforehand whether there are enough answers, [`drawing`] fixes what a try is
//! about, [`testing`] takes blind grades in, [`gate`] is asked where grades land, [`chain`] writes down what happened, [`verifying`]
//! makes it again, and [`exporting`] shows what others need for that. Everything that changes a try stands in the line of its
//! assignment first, so that of two nodes one is after the other.

mod asking;
mod chain;
mod drawing;
mod exporting;
mod gate;
mod offering;
mod telling;
mod testing;
pub mod verifying;

use lyceum_domain::ids::AssignmentId;

use crate::prelude::*;

pub use asking::{ask, give_up, retrieve};
pub(crate) use chain::{grading_over, ledger, stand_in_line};
pub(crate) use drawing::declare;
pub use exporting::records;
pub(crate) use gate::{Arrival, Met, meet, note_arrival};
pub(crate) use offering::beforehand;
pub(crate) use testing::{given_up, graded_blind};

/// Until when grades of people are examples, while a certificate is sought or held; none else.
///
/// # Errors
/// Those of storage.
pub(crate) fn frozen_at(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    assignment: AssignmentId,
) -> Result<Option<Timestamp>, Error> {
    let newest = tx.certificates().newest(workspace, assignment)?;
    let open =
        newest.filter(lyceum_domain::grading::certificates::certification::Certification::is_open);
    Ok(open.map(|certification| certification.frozen_at))
}
