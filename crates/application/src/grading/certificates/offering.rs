//! What is known before anybody grades an answer for a certificate: whether there are enough, and what a try has to prove.

use std::num::NonZeroU32;

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::grading::certificates::certification::CertificationState;
use lyceum_domain::grading::certificates::declaration::{Terms, TooFewAtHand};
use lyceum_domain::grading::certificates::offer::Beforehand;
use lyceum_domain::ids::AssignmentId;

use crate::prelude::*;

/// So many of the newest answers are counted; no promise needs more.
const COUNTED: u16 = 2_000;

/// What is known of a try that could be made now, with so many open answers; none where no certificate is asked for, or a try is
/// under way or was earned.
///
/// # Errors
/// Those of storage.
pub fn beforehand(
    tx: &mut dyn Tx,
    assignment: &Assignment,
    open: usize,
) -> Result<Option<Beforehand>, Error> {
    use CertificationState::{Ended, Grading, Lapsed, Paused, Refused, Revoked, Testing, Valid};

    let Some(terms) = assignment.grading.release else {
        return Ok(None);
    };
    let newest = tx
        .certificates()
        .newest(assignment.workspace_id, assignment.id)?;
    let looks_spent = match newest {
        None => 0,
        Some(newest) => match newest.state {
            Grading | Testing | Valid if newest.terms == terms => return Ok(None),
            Grading | Testing | Valid | Refused | Paused | Revoked | Lapsed | Ended => {
                newest.looks_spent
            }
        },
    };
    Ok(Some(Beforehand {
        terms: Terms::from(&terms),
        looks_spent,
        at_hand: u32::try_from(open).unwrap_or(u32::MAX),
        examples: Vec::new(),
    }))
}

/// Refuses a try for which too few answers wait, whatever AI makes of them: nobody is asked to grade, AI neither.
///
/// # Errors
/// [`Conflict::TooFewAnswers`]
pub fn refuse_too_few(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    terms: ReleaseTerms,
    looks_spent: u32,
) -> Result<(), Error> {
    let all = tx
        .submissions()
        .ai_standing(ctx.workspace_id(), id, COUNTED)?;
    let open = all.iter().filter(|one| one.is_open()).count();
    let at_hand = u32::try_from(open).unwrap_or(u32::MAX);
    let look = NonZeroU32::MIN.saturating_add(looks_spent);
    let needed = Terms::from(&terms).needed(look);
    if needed.is_some_and(|needed| needed <= at_hand) {
        return Ok(());
    }
    Err(Conflict::TooFewAnswers(TooFewAtHand { at_hand, needed }).into())
}
