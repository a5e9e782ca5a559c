//! Fixing what a try is about, and drawing the answers that are graded blind for it.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use lyceum_domain::grading::certificates::certification::{Certification, EndCause};
use lyceum_domain::grading::certificates::declaration::{NewDeclaration, Releasable, Sample};
use lyceum_domain::grading::certificates::ledger::{
    BlindGrade, CertificateAnswer, Ledger, TestSheet,
};
use lyceum_domain::grading::certificates::records::ReleaseEntry;
use lyceum_domain::grading::certificates::testing::SealedPoints;
use lyceum_domain::grading::grades::{Grade, GradeSource};
use lyceum_domain::ids::{SubmissionId, UserId};
use lyceum_domain::points::Points;

use super::chain::{append, grading_over, ledger, seed};
use super::telling::tell;
use crate::grading::graders;
use crate::prelude::*;

/// How many answers are looked up together.
const AT_ONCE: usize = 200;
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
        Some(assignment) => graders::report_that_passes(tx, ctx, &assignment)?.ok(),
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
pub fn draw_next(tx: &mut dyn Tx, ctx: &Context, ledger: Ledger) -> Result<bool, Error> {
    let at_hand = ledger.answers.iter().filter(|one| one.arrived.is_none());
    let open: Vec<CertificateAnswer> = at_hand
        .filter(|one| one.test.is_none() && !one.left)
        .cloned()
        .collect();
    let mut ledger = without_erased(tx, ctx, ledger, open)?;
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
            test: Some(sheet(tx, ctx, *submission)?),
            ..known.clone()
        };
        tx.certificates().update_answer(workspace, id, &answer)?;
    }
    let ledger = self::ledger(tx, ledger.certification)?;
    tell(tx, ctx, EventType::CertificateDrawn, &ledger)
}

/// Hides what AI says of an answer; and what that was. What cannot be graded blind any more, because somebody graded it openly or
/// deleted it, is given up at once: that counts as disagreement, or hard answers would vanish.
fn sheet(tx: &mut dyn Tx, ctx: &Context, id: SubmissionId) -> Result<TestSheet, Error> {
    let workspace = ctx.workspace_id();
    let mut is_hidden = false;
    if let Some(mut submission) = tx.submissions().find(workspace, id)? {
        if submission.hide_ai(ctx.now).unwrap_or(false) {
            tx.submissions().update(&submission)?;
        }
        is_hidden = submission.is_blind();
    }
    let newest = PageRequest::first(RECORDS);
    let records = tx.grades().page(workspace, id, None, &newest)?;
    let mut by_ai = records
        .items
        .iter()
        .filter(|record| record.source() == GradeSource::Ai);
    let by_ai = by_ai.next();
    Ok(TestSheet {
        ai: by_ai.map_or_else(SealedPoints::unknown, sealed),
        max_score: by_ai.map_or(Points::ZERO, |record| record.max_score),
        grade: (!is_hidden || by_ai.is_none()).then_some(BlindGrade::GivenUp),
    })
}

/// Notes those of these answers whose persons were erased: they leave draw and population.
///
/// # Errors
/// Those of storage.
pub fn without_erased(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut ledger: Ledger,
    ungraded: Vec<CertificateAnswer>,
) -> Result<Ledger, Error> {
    let (workspace, id) = (ledger.certification.workspace_id, ledger.certification.id);
    let ids: Vec<SubmissionId> = ungraded.iter().map(|one| one.submission_id).collect();
    let erased = erased_among(tx, workspace, &ids)?;
    for mut answer in ungraded {
        if erased.contains(&answer.submission_id) {
            answer.left = true;
            let left = ReleaseEntry::Left(answer.submission_id);
            append(tx, ctx, &mut ledger.certification, &[left])?;
            tx.certificates().update_answer(workspace, id, &answer)?;
        }
    }
    self::ledger(tx, ledger.certification)
}

fn erased_among(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    ids: &[SubmissionId],
) -> Result<BTreeSet<SubmissionId>, Error> {
    let mut erased = BTreeSet::new();
    for some in ids.chunks(AT_ONCE) {
        let there = tx.submissions().with_ids(workspace, some)?;
        let users: Vec<UserId> = there.iter().map(|one| one.user_id).collect();
        let users = tx.users().with_ids(workspace, &users)?;
        let gone = users.iter().filter(|user| user.is_erased());
        let gone: BTreeSet<UserId> = gone.map(|user| user.id).collect();
        let theirs = there.iter().filter(|one| gone.contains(&one.user_id));
        erased.extend(theirs.map(|one| one.id));
    }
    Ok(erased)
}

/// A record as a test sees it.
pub fn sealed(record: &Grade) -> SealedPoints {
    let receipt = record.receipt.as_ref();
    SealedPoints {
        points: record.score,
        receipt: receipt.map_or_else(String::new, |receipt| receipt.hash.clone()),
    }
}
