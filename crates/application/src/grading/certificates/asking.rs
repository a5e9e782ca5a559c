//! What people ask of certificates: to try for one, to see where it stands, to give it up.

use lyceum_domain::authoring::assignments::{Assignment, HumanReview};
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::grading::certificates::certification::{
    Certification, CertificationState, EndCause,
};
use lyceum_domain::ids::AssignmentId;
use lyceum_domain::running::jobs::Job;
use lyceum_wire::grading::certificates::{AskedCertificate, CertificateView};

use super::chain::{end, ledger, stand_in_line};
use super::drawing::draw_next;
use super::offering::refuse_too_few;
use super::testing::sweep;
use crate::drafting::ai_calls;
use crate::grading::{graders, rubrics};
use crate::models;
use crate::prelude::*;
use crate::running::queue;

/// Tries for a certificate: freezes the grader and has it grade what waits; then answers are drawn. After a look that earned
/// nothing it draws the next sample, where there is one, and begins anew where there is none.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] where the assignment asks for no certificate, while a try is under way or a
/// certificate is in force; [`Conflict::RedTeamNeeded`]; [`Conflict::TooFewAnswers`]; [`Conflict::AiBudgetExceeded`]
pub fn ask(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    asked: AskedCertificate,
) -> Result<CertificateView, Error> {
    let workspace = ctx.workspace_id();
    let assignment = found(tx.assignments().find(workspace, id)?, "assignment")?;
    let terms = terms_of(&assignment)?;
    check_means(tx, ctx, &assignment)?;
    stand_in_line(tx, id)?;
    let newest = tx.certificates().newest(workspace, id)?;
    if let Some(open) = newest
        .clone()
        .filter(|one| one.state == CertificationState::Testing)
    {
        sweep(tx, ctx, open)?;
    }
    let newest = tx.certificates().newest(workspace, id)?;
    if let Some(before) = newest {
        let is_drawn = follow_up(tx, ctx, before, terms)?;
        if is_drawn {
            return retrieve(tx, ctx, id);
        }
    }
    begin(tx, ctx, &assignment, terms, asked.tests)?;
    retrieve(tx, ctx, id)
}

/// What has to be promised, where grades may go out by a certificate at all.
fn terms_of(assignment: &Assignment) -> Result<ReleaseTerms, Error> {
    let grading = &assignment.grading;
    let is_optional = grading.human_review == HumanReview::Optional;
    let asked = grading.release.filter(|_| is_optional);
    Ok(asked.ok_or_else(|| Conflict::Transition(assignment.cannot_be_certified()))?)
}

fn check_means(tx: &mut dyn Tx, ctx: &Context, assignment: &Assignment) -> Result<(), Error> {
    let course = tx
        .courses()
        .find(ctx.workspace_id(), assignment.place.course_id)?;
    let usual = rubrics::usual_model(assignment, &found(course, "course")?);
    models::refuse_to_ask(ctx, "", &usual)?;
    ai_calls::check_budget(tx, ctx, &usual)
}

/// Refuses a try about a grader that was not attacked, or falls for an attack: what tricks it would go out unseen.
fn check_attacked(tx: &mut dyn Tx, ctx: &Context, assignment: &Assignment) -> Result<(), Error> {
    let found = graders::report_that_passes(tx, ctx, assignment)?;
    Ok(found.map(drop).map_err(Conflict::RedTeamNeeded)?)
}

/// What comes of the try before: its next sample, where it has one; whether that was drawn.
fn follow_up(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: Certification,
    terms: ReleaseTerms,
) -> Result<bool, Error> {
    use CertificationState::{Ended, Grading, Lapsed, Paused, Refused, Revoked, Testing, Valid};

    match before.state {
        Grading | Testing | Valid if before.terms == terms => {
            Err(Conflict::Transition(before.cannot("be tried for anew")).into())
        }
        Refused if before.terms == terms => {
            let (workspace, id) = (before.workspace_id, before.assignment_id);
            let open = ledger(tx, before)?;
            let is_drawn = draw_next(tx, ctx, open)?;
            let Some(open) = tx.certificates().newest(workspace, id)? else {
                return Ok(is_drawn);
            };
            if is_drawn {
                // All that was drawn anew may have been given up at once.
                return sweep(tx, ctx, open).map(|()| true);
            }
            let open = ledger(tx, open)?;
            end(tx, ctx, open, EndCause::Replaced).map(|()| false)
        }
        Grading | Testing | Valid | Refused | Paused => {
            let open = ledger(tx, before)?;
            end(tx, ctx, open, EndCause::Replaced).map(|()| false)
        }
        Revoked | Lapsed | Ended => Ok(false),
    }
}

fn begin(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: &Assignment,
    terms: ReleaseTerms,
    tests: Option<u32>,
) -> Result<(), Error> {
    let (workspace, id) = (ctx.workspace_id(), assignment.id);
    let ids = (workspace, ctx.mint(), id);
    let mut certification = Certification::new(ids, terms, tests, ctx.now);
    if let Some(before) = tx.certificates().newest(workspace, id)? {
        certification = certification.after(&before);
    }
    refuse_too_few(tx, ctx, id, terms, certification.looks_before)?;
    check_attacked(tx, ctx, assignment)?;
    tx.certificates().insert(&certification)?;
    let certificate = certification.id;
    queue::enqueue(tx, ctx, Job::TendCertificate { certificate })
}

/// Shows where the newest try stands.
///
/// # Errors
/// [`Error::NotFound`], also where nobody ever tried.
pub fn retrieve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
) -> Result<CertificateView, Error> {
    let workspace = ctx.workspace_id();
    found(tx.assignments().find(workspace, id)?, "assignment")?;
    let newest = found(tx.certificates().newest(workspace, id)?, "certificate")?;
    Ok(CertificateView::new(&ledger(tx, newest)?))
}

/// Gives the newest try up, or the certificate: from now on nothing goes out by it. What went out stays out.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] where it has ended
pub fn give_up(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<CertificateView, Error> {
    let workspace = ctx.workspace_id();
    found(tx.assignments().find(workspace, id)?, "assignment")?;
    stand_in_line(tx, id)?;
    let newest = found(tx.certificates().newest(workspace, id)?, "certificate")?;
    if !newest.is_open() {
        return Err(Conflict::Transition(newest.cannot("be given up")).into());
    }
    let open = ledger(tx, newest)?;
    end(tx, ctx, open, EndCause::GivenUp)?;
    retrieve(tx, ctx, id)
}
