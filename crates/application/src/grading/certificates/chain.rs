//! What happened to an assignment's certificates, written down in its chain; and what every change of one begins with.

use hmac::{Hmac, KeyInit, Mac};
use lyceum_domain::grading::certificates::certification::{
    Certification, CertificationState, EndCause,
};
use lyceum_domain::grading::certificates::ledger::Ledger;
use lyceum_domain::grading::certificates::records::{LapseCause, ReleaseChain, ReleaseEntry};
use lyceum_domain::grading::release::draw::Seed;
use lyceum_domain::ids::{AssignmentId, CertificateId};
use lyceum_ports::store::Line;
use sha2::Sha256;

use super::telling::tell;
use crate::prelude::*;

/// Goes on only as the one who changes the assignment's certificates now.
///
/// # Errors
/// Those of storage; then it is begun anew.
pub fn stand_in_line(tx: &mut dyn Tx, assignment: AssignmentId) -> Result<(), Error> {
    let line = Line::at(format_args!("certificates of {assignment}"));
    Ok(tx.stand_in_line(line)?)
}

/// The seed of a try: nobody chose it, and nobody can know it without the service's own secret.
pub fn seed(ctx: &Context, id: CertificateId) -> Seed {
    let mut bytes = [0; 32];
    // HMAC takes keys of any length.
    if let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&ctx.settings.draw_key) {
        mac.update(format!("lyceum-draw-1\nseed\n{id}").as_bytes());
        bytes.copy_from_slice(&mac.finalize().into_bytes());
    }
    Seed::new(bytes)
}

/// A try with its answers.
///
/// # Errors
/// Those of storage.
pub fn ledger(tx: &mut dyn Tx, certification: Certification) -> Result<Ledger, Error> {
    let (workspace, id) = (certification.workspace_id, certification.id);
    Ok(Ledger {
        answers: tx.certificates().answers(workspace, id)?,
        certification,
    })
}

/// Adds to the assignment's chain, and stores the try as it is then.
///
/// # Errors
/// Those of storage.
pub fn append(
    tx: &mut dyn Tx,
    ctx: &Context,
    certification: &mut Certification,
    entries: &[ReleaseEntry],
) -> Result<(), Error> {
    let chain = ReleaseChain {
        workspace_id: certification.workspace_id,
        assignment_id: certification.assignment_id,
    };
    let mut head = certification.head.clone();
    for entry in entries {
        let record = chain.record(&head, ctx.now, entry);
        tx.certificates().append(certification, &record)?;
        head = record.head();
    }
    certification.note(head, ctx.now);
    Ok(tx.certificates().update(certification)?)
}

/// The last record of a try: it shows the seed.
fn ended(ctx: &Context, ledger: &Ledger) -> ReleaseEntry {
    ReleaseEntry::Ended {
        seed: seed(ctx, ledger.certification.id).revealed(),
        graded: u32::try_from(ledger.graded()).unwrap_or(u32::MAX),
    }
}

/// Ends a try.
///
/// # Errors
/// Those of storage.
pub fn end(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut ledger: Ledger,
    cause: EndCause,
) -> Result<(), Error> {
    let is_declared = ledger.certification.declared.is_some();
    let graded = ledger.graded();
    ledger.certification.end(cause, graded, ctx.now);
    close(tx, ctx, &mut ledger, is_declared, Vec::new())?;
    tell(tx, ctx, EventType::CertificateEnded, &ledger)
}

/// What was tested is no longer what grades, or what is asked for.
///
/// # Errors
/// Those of storage.
pub fn lapse(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut ledger: Ledger,
    cause: LapseCause,
) -> Result<(), Error> {
    let is_declared = ledger.certification.declared.is_some();
    let graded = ledger.graded();
    ledger.certification.lapse(graded, ctx.now);
    close(
        tx,
        ctx,
        &mut ledger,
        is_declared,
        vec![ReleaseEntry::Lapsed(cause)],
    )?;
    tell(tx, ctx, EventType::CertificateEnded, &ledger)
}

/// The evidence speaks against the promise: it ends for good.
///
/// # Errors
/// Those of storage.
pub fn revoke(tx: &mut dyn Tx, ctx: &Context, mut ledger: Ledger) -> Result<(), Error> {
    close(tx, ctx, &mut ledger, true, Vec::new())?;
    tell(tx, ctx, EventType::CertificateRevoked, &ledger)
}

/// Writes the end down. What was drawn and nobody graded waits for nobody any more, so it is shown again.
fn close(
    tx: &mut dyn Tx,
    ctx: &Context,
    ledger: &mut Ledger,
    is_declared: bool,
    mut entries: Vec<ReleaseEntry>,
) -> Result<(), Error> {
    if is_declared {
        entries.push(ended(ctx, ledger));
        append(tx, ctx, &mut ledger.certification, &entries)?;
    } else {
        tx.certificates().update(&ledger.certification)?;
    }
    note_examples(tx, ctx, &ledger.certification)?;
    let waiting = ledger.answers.iter().filter(|one| one.is_awaited());
    let waiting: Vec<_> = waiting.map(|one| one.submission_id).collect();
    for mut submission in tx
        .submissions()
        .with_ids(ledger.certification.workspace_id, &waiting)?
    {
        if submission.show_ai(ctx.now) {
            tx.submissions().update(&submission)?;
        }
    }
    Ok(())
}

/// What people gave since it began taught the grader nothing until now.
fn note_examples(tx: &mut dyn Tx, ctx: &Context, ended: &Certification) -> Result<(), Error> {
    let (workspace, assignment) = (ended.workspace_id, ended.assignment_id);
    Ok(tx
        .grades()
        .note_examples_after(workspace, assignment, ended.frozen_at, ctx.now)?)
}

/// Ends what cannot begin, because nothing that waits can be graded or drawn.
///
/// # Errors
/// Those of storage.
pub fn grading_over(
    tx: &mut dyn Tx,
    ctx: &Context,
    certification: Certification,
    cause: EndCause,
) -> Result<(), Error> {
    debug_assert_eq!(certification.state, CertificationState::Grading);
    let ledger = ledger(tx, certification)?;
    end(tx, ctx, ledger, cause)
}
