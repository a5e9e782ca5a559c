//! Blind grades of answers that were drawn, for looks and for audits; and what comes of them.

use lyceum_domain::grading::certificates::certification::{Certification, CertificationState};
use lyceum_domain::grading::certificates::ledger::{BlindGrade, CertificateAnswer, Ledger};
use lyceum_domain::grading::certificates::records::{of_audit, of_look};
use lyceum_domain::grading::grades::Grade;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::running::jobs::Job;

use super::chain::{append, ledger, revoke, stand_in_line};
use super::drawing::{sealed, without_erased};
use super::telling::tell;
use crate::prelude::*;
use crate::running::queue;

/// A person has graded a submission without seeing what AI gave: if it was drawn, that is a test.
///
/// # Errors
/// Those of storage.
pub fn graded_blind(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: &Submission,
    record: &Grade,
) -> Result<(), Error> {
    let grade = BlindGrade::Given(sealed(record));
    take(tx, ctx, submission, grade)
}

/// Nobody will grade it blind any more: it was shown, or deleted. If it was drawn, that counts as disagreement, because hard
/// answers would vanish else.
///
/// # Errors
/// Those of storage.
pub fn given_up(tx: &mut dyn Tx, ctx: &Context, submission: &Submission) -> Result<(), Error> {
    take(tx, ctx, submission, BlindGrade::GivenUp)
}

fn take(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: &Submission,
    grade: BlindGrade,
) -> Result<(), Error> {
    let (workspace, assignment) = (submission.workspace_id, submission.assignment_id);
    let open = |found: Option<Certification>| found.filter(Certification::is_open);
    if open(tx.certificates().newest(workspace, assignment)?).is_none() {
        return Ok(());
    }
    stand_in_line(tx, assignment)?;
    let Some(certification) = open(tx.certificates().newest(workspace, assignment)?) else {
        return Ok(());
    };
    let known = tx
        .certificates()
        .answer(workspace, certification.id, submission.id)?;
    let Some(answer) = known.filter(CertificateAnswer::is_awaited) else {
        return Ok(());
    };
    let ledger = ledger(tx, certification)?;
    settle(tx, ctx, ledger, answer, grade)
}

/// Puts a grade on the sheet of an answer, and does what follows.
pub fn settle(
    tx: &mut dyn Tx,
    ctx: &Context,
    ledger: Ledger,
    mut answer: CertificateAnswer,
    grade: BlindGrade,
) -> Result<(), Error> {
    let is_audit = answer.place.is_none();
    if let Some(sheet) = &mut answer.test {
        sheet.grade = Some(grade);
    }
    // Before it is put on: what the certificate was like.
    let certificate = ledger.certificate();
    if is_audit {
        answer.audit = Some(ledger.audits().saturating_add(1));
    }
    let (workspace, id) = (ledger.certification.workspace_id, ledger.certification.id);
    tx.certificates().update_answer(workspace, id, &answer)?;
    let ledger = self::ledger(tx, ledger.certification)?;
    match certificate {
        Some(certificate) if is_audit => audit(tx, ctx, ledger, &certificate, answer.submission_id),
        Some(_) | None => look_if_complete(tx, ctx, ledger),
    }
}

fn audit(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut ledger: Ledger,
    certificate: &lyceum_domain::grading::certificates::standing::Certificate,
    id: SubmissionId,
) -> Result<(), Error> {
    let (Some(declaration), Some(test)) = (ledger.declaration(), ledger.test_of(id)) else {
        return Ok(());
    };
    let (entries, next) = of_audit(certificate, &declaration, test);
    let before = ledger.certification.state;
    ledger.certification.stand(next.state(), ctx.now);
    append(tx, ctx, &mut ledger.certification, &entries)?;
    if ledger.certification.state == CertificationState::Revoked {
        return revoke(tx, ctx, ledger);
    }
    if ledger.certification.state == before {
        return Ok(());
    }
    tell(tx, ctx, EventType::CertificatePaused, &ledger)
}

/// Looks, once every drawn answer was graded or given up.
pub fn look_if_complete(tx: &mut dyn Tx, ctx: &Context, mut ledger: Ledger) -> Result<(), Error> {
    let is_testing = ledger.certification.state == CertificationState::Testing;
    let (Some(declaration), Some(Ok(look)), true) =
        (ledger.declaration(), ledger.look(), is_testing)
    else {
        return Ok(());
    };
    let (entries, certificate) = of_look(&declaration, look);
    let tested = certificate.map(|certificate| certificate.tested);
    ledger.certification.looked(tested, ctx.now);
    append(tx, ctx, &mut ledger.certification, &entries)?;
    if tested.is_none() {
        return tell(tx, ctx, EventType::CertificateRefused, &ledger);
    }
    let certificate = ledger.certification.id;
    queue::enqueue(tx, ctx, Job::TendCertificate { certificate })?;
    tell(tx, ctx, EventType::CertificateIssued, &ledger)
}

/// Notes which drawn answers nobody can grade any more: those of persons who were erased leave the draw, and what was deleted
/// counts as disagreement. Looks, where none is waited for any more.
///
/// # Errors
/// Those of storage.
pub fn sweep(tx: &mut dyn Tx, ctx: &Context, certification: Certification) -> Result<(), Error> {
    let (workspace, id) = (certification.workspace_id, certification.id);
    let found = ledger(tx, certification)?;
    let waiting = awaited(&found);
    let found = without_erased(tx, ctx, found, waiting)?;
    let waiting = awaited(&found);
    let ids: Vec<SubmissionId> = waiting.iter().map(|one| one.submission_id).collect();
    let there = tx.submissions().with_ids(workspace, &ids)?;
    let can_be_graded = |id| there.iter().any(|one| one.id == id && one.is_blind());
    for mut answer in waiting {
        if can_be_graded(answer.submission_id) {
            continue;
        }
        if let Some(sheet) = &mut answer.test {
            sheet.grade = Some(BlindGrade::GivenUp);
        }
        tx.certificates().update_answer(workspace, id, &answer)?;
    }
    let swept = ledger(tx, found.certification)?;
    look_if_complete(tx, ctx, swept)
}

/// The drawn answers that wait for a blind grade.
fn awaited(ledger: &Ledger) -> Vec<CertificateAnswer> {
    let drawn = ledger.answers.iter().filter(|one| one.place.is_some());
    drawn.filter(|one| one.is_awaited()).cloned().collect()
}
