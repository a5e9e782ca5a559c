//! Fixing what a try is about, and drawing the answers that are graded blind for it.

use std::num::NonZeroU32;

use lyceum_domain::grading::certificates::certification::{Certification, EndCause};
use lyceum_domain::grading::certificates::declaration::{NewDeclaration, Releasable, Sample};
use lyceum_domain::grading::certificates::ledger::{CertificateAnswer, Ledger, TestSheet};
use lyceum_domain::grading::certificates::records::ReleaseEntry;
use lyceum_domain::grading::certificates::testing::SealedPoints;
use lyceum_domain::grading::grades::{Grade, GradeSource};
use lyceum_domain::ids::SubmissionId;

use super::chain::{append, grading_over, ledger, seed};
use super::telling::tell;
use crate::grading::graders;
use crate::prelude::*;

/// How many records of an answer are looked at for what AI last said of it.
const RECORDS: u16 = 20;

/// Fixes which answers the try is about, all graded by the grader of this hash, and draws the first sample; or ends it where no
/// sample could prove anything.
///
/// # Errors
/// Those of storage.
pub fn declare(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut certification: Certification,
    grader_hash: String,
    population: Vec<Releasable>,
) -> Result<(), Error> {
    let seed = seed(ctx, certification.id);
    let assignment = tx
        .assignments()
        .find(certification.workspace_id, certification.assignment_id)?;
    let red_team_hash = match assignment {
        Some(assignment) => graders::report_that_passes(tx, ctx, &assignment)?,
        None => None,
    };
    let new = NewDeclaration {
        terms: certification.promised(),
        grader_hash,
        red_team_hash,
        looks_spent: certification.looks_before,
        tests: certification.tests,
        population,
    };
    let Ok((declaration, sample)) = new.declare(&seed) else {
        return grading_over(tx, ctx, certification, EndCause::TooFew);
    };
    certification.declare(&declaration, ctx.now);
    let at_hand = declaration.population.iter();
    let answers: Vec<CertificateAnswer> = at_hand
        .map(|one| CertificateAnswer::at_hand(*one, ctx.now))
        .collect();
    tx.certificates()
        .add_answers(certification.workspace_id, certification.id, &answers)?;
    let entries = [
        ReleaseEntry::Declared(declaration),
        ReleaseEntry::Drawn(sample.clone()),
    ];
    append(tx, ctx, &mut certification, &entries)?;
    let drawn = Ledger {
        certification,
        answers,
    };
    draw(tx, ctx, drawn, &sample)
}

/// Draws the sample of a further look, where the try has one; whether it has.
///
/// # Errors
/// Those of storage.
pub fn draw_next(tx: &mut dyn Tx, ctx: &Context, mut ledger: Ledger) -> Result<bool, Error> {
    let next = next_sample(ctx, &ledger);
    let Some(sample) = next else {
        return Ok(false);
    };
    ledger.certification.draw(&sample, ctx.now);
    append(
        tx,
        ctx,
        &mut ledger.certification,
        &[ReleaseEntry::Drawn(sample.clone())],
    )?;
    draw(tx, ctx, ledger, &sample)?;
    Ok(true)
}

fn next_sample(ctx: &Context, ledger: &Ledger) -> Option<Sample> {
    let declaration = ledger.declaration()?;
    let look: NonZeroU32 = ledger.certification.declared.as_ref()?.look;
    let next = declaration.look_after(look)?;
    declaration.draw(&seed(ctx, ledger.certification.id), next, &ledger.left())
}

/// Hides what AI says of the drawn answers, and notes what it was.
fn draw(tx: &mut dyn Tx, ctx: &Context, ledger: Ledger, sample: &Sample) -> Result<(), Error> {
    let (workspace, id) = (ledger.certification.workspace_id, ledger.certification.id);
    for (place, submission) in (0_u32..).zip(&sample.submission_ids) {
        let known = ledger.of(*submission).filter(|one| one.test.is_none());
        let Some(known) = known else { continue };
        let answer = CertificateAnswer {
            place: Some(place),
            test: sheet(tx, ctx, *submission)?,
            ..known.clone()
        };
        tx.certificates().update_answer(workspace, id, &answer)?;
    }
    let ledger = self::ledger(tx, ledger.certification)?;
    tell(tx, ctx, EventType::CertificateDrawn, &ledger)
}

/// Hides what AI says of an answer; and what that was.
fn sheet(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<Option<TestSheet>, Error> {
    let workspace = ctx.workspace_id();
    let Some(mut submission) = tx.submissions().find(workspace, id)? else {
        return Ok(None);
    };
    // Who graded it meanwhile knew what AI said, and it is given up below.
    if submission.hide_ai(ctx.now).unwrap_or(false) {
        tx.submissions().update(&submission)?;
    }
    let newest = PageRequest::first(RECORDS);
    let records = tx.grades().page(workspace, id, None, &newest)?;
    let mut by_ai = records
        .items
        .iter()
        .filter(|record| record.source() == GradeSource::Ai);
    Ok(by_ai.next().map(|record| TestSheet {
        ai: sealed(record),
        max_score: record.max_score,
        grade: None,
    }))
}

/// A record as a test sees it.
pub fn sealed(record: &Grade) -> SealedPoints {
    let receipt = record.receipt.as_ref();
    SealedPoints {
        points: record.score,
        receipt: receipt.map_or_else(String::new, |receipt| receipt.hash.clone()),
    }
}
