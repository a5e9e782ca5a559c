//! Hiding what AI says of a submission until a person has graded it, and showing it all the same.

use lyceum_domain::ids::SubmissionId;
use lyceum_wire::grading::submissions::SubmissionView;

use super::find_any;
use crate::grading::certificates;
use crate::grading::stale;
use crate::prelude::*;

/// Hides from everybody what AI says of it, and will say, until a person has graded it; meanwhile no grade of it goes out. A
/// second time changes nothing. There is no event for it: nothing happened to the work.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] unless it was handed in and no grade of it is out, and where it was shown
/// since it was hidden
pub fn hide_ai(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<SubmissionView, Error> {
    let mut submission = find_any(tx, ctx, id)?;
    if submission.hide_ai(ctx.now)? {
        tx.submissions().update(&submission)?;
    }
    stale::shown(tx, &submission)
}

/// Shows what AI says of it although nobody has graded it; it cannot be hidden again. What is shown already stays so. Where it
/// was drawn for a certificate it counts as disagreement.
///
/// # Errors
/// [`Error::NotFound`]
pub fn show_ai(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<SubmissionView, Error> {
    let mut submission = find_any(tx, ctx, id)?;
    if submission.show_ai(ctx.now) {
        tx.submissions().update(&submission)?;
        certificates::given_up(tx, ctx, &submission)?;
    }
    stale::shown(tx, &submission)
}
