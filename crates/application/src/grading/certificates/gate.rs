//! Where AI's grades land: what the assignment's certificate says of each.

use std::time::Duration;

use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::grading::certificates::certification::{Certification, CertificationState};
use lyceum_domain::grading::certificates::gate::{Fate, Standing, Unheld};
use lyceum_domain::grading::certificates::ledger::{BlindGrade, CertificateAnswer, TestSheet};
use lyceum_domain::grading::certificates::records::LapseCause;
use lyceum_domain::grading::grades::{Grade, Release};
use lyceum_domain::grading::submissions::Submission;

use super::chain::{lapse, ledger, seed, stand_in_line};
use super::drawing::sealed;
use super::testing::settle;
use crate::prelude::*;

/// An audit that nobody graded for so long counts as disagreement: an audit that nobody does is none.
const PATIENCE: Duration = Duration::from_hours(14 * 24);
/// So many overdue audits are counted where one grade lands.
const OVERDUE: u16 = 5;

/// A grade that is about to land.
pub struct Arrival<'a> {
    /// Whose answer it is of.
    pub submission: &'a Submission,
    /// What a certificate has to promise.
    pub terms: ReleaseTerms,
    /// SHA-256 of everything that fixed the grade but the text.
    pub grader_hash: &'a str,
    /// The lowest confidence of a criterion.
    pub confidence: Option<u8>,
    /// Whether nothing but the want of a certificate holds it.
    pub would_go_out: bool,
    /// Whether the assignment's own grader gave it: one that was asked once in its place says nothing of it.
    pub is_usual: bool,
}

/// What became of it.
pub struct Met {
    fate: Fate,
    /// The certificate, and the answer as it is noted with it.
    noted: Option<(Certification, CertificateAnswer)>,
}

impl Met {
    const fn waits() -> Self {
        Self {
            fate: Fate::Waits,
            noted: None,
        }
    }

    /// What the certificate says of the grade.
    pub const fn release(&self) -> Release {
        match self.fate {
            Fate::GoesOut => Release::Certified,
            Fate::Audited => Release::Audited,
            Fate::Waits => Release::Uncertified,
        }
    }

    /// What its record says of that: by which certificate it went out.
    pub fn reason(&self) -> Option<String> {
        let (certification, _) = self.noted.as_ref()?;
        (self.fate == Fate::GoesOut).then(|| format!("released by {}", certification.id))
    }
}

/// Asks the assignment's certificate. A grade of another grader than the tested one ends it.
///
/// # Errors
/// Those of storage.
pub fn meet(tx: &mut dyn Tx, ctx: &Context, arrival: &Arrival<'_>) -> Result<Met, Error> {
    let (workspace, assignment) = (ctx.workspace_id(), arrival.submission.assignment_id);
    let is_there = tx.certificates().newest(workspace, assignment)?;
    if !is_there.is_some_and(|newest| newest.is_open()) {
        return Ok(Met::waits());
    }
    stand_in_line(tx, assignment)?;
    let Some(open) = current(tx, ctx, arrival)? else {
        return Ok(Met::waits());
    };
    let (Some(mut gate), Some(confidence), true) =
        (open.gate(), arrival.confidence, arrival.would_go_out)
    else {
        return Ok(Met::waits());
    };
    let id = arrival.submission.id;
    let known = tx.certificates().answer(workspace, open.id, id)?;
    // The lot falls once: what was decided about an answer is decided.
    let standing = match &known {
        Some(one) if one.test.is_some() => Standing::Drawn,
        Some(one) if one.arrived.is_some() => return Ok(as_before(one, &open)),
        Some(_) => Standing::AtHand,
        None => Standing::Later,
    };
    let grade = Unheld {
        submission_id: id,
        confidence,
        grader_hash: arrival.grader_hash,
    };
    let counted = gate.arrivals.arrived;
    let fate = gate.meet(grade, standing, &seed(ctx, open.id));
    if standing == Standing::Later && gate.arrivals.arrived == counted {
        return Ok(Met::waits());
    }
    let mut answer = known.unwrap_or(CertificateAnswer {
        submission_id: id,
        confidence,
        place: None,
        arrived: Some(gate.arrivals.arrived),
        fate: None,
        test: None,
        audit: None,
        left: false,
        at: ctx.now,
    });
    answer.fate = Some(fate);
    let mut counting = open;
    if standing == Standing::Later {
        counting.count(gate.arrivals, ctx.now);
    }
    Ok(Met {
        fate,
        noted: (standing != Standing::Drawn).then_some((counting, answer)),
    })
}

/// A grade of the same answer that lands again goes the way of the first, unless release stopped meanwhile; who was to be audited
/// is.
fn as_before(answer: &CertificateAnswer, open: &Certification) -> Met {
    let went_out = answer.fate == Some(Fate::GoesOut);
    let is_valid = open.state == CertificationState::Valid;
    Met {
        fate: if went_out && is_valid {
            Fate::GoesOut
        } else {
            Fate::Waits
        },
        noted: None,
    }
}

/// The try that is open after this grade: none where the grade, or what is asked for, ends it. Audits that waited too long are
/// counted first.
fn current(
    tx: &mut dyn Tx,
    ctx: &Context,
    arrival: &Arrival<'_>,
) -> Result<Option<Certification>, Error> {
    let (workspace, assignment) = (ctx.workspace_id(), arrival.submission.assignment_id);
    let newest = tx.certificates().newest(workspace, assignment)?;
    let Some(open) = newest.filter(Certification::is_open) else {
        return Ok(None);
    };
    let declared = open.declared.as_ref();
    let is_other = declared.is_some_and(|declared| declared.grader_hash != arrival.grader_hash);
    let cause = if open.terms != arrival.terms {
        Some(LapseCause::Terms)
    } else if is_other && arrival.is_usual {
        Some(LapseCause::Grader)
    } else {
        None
    };
    if let Some(cause) = cause {
        let ledger = ledger(tx, open)?;
        lapse(tx, ctx, ledger, cause)?;
        return Ok(None);
    }
    count_overdue(tx, ctx, open).map(Some)
}

fn count_overdue(
    tx: &mut dyn Tx,
    ctx: &Context,
    open: Certification,
) -> Result<Certification, Error> {
    if open.gate().is_none() {
        return Ok(open);
    }
    let (workspace, assignment, before) = (
        open.workspace_id,
        open.assignment_id,
        ctx.now.minus(PATIENCE),
    );
    let overdue = tx
        .certificates()
        .overdue(workspace, open.id, before, OVERDUE)?;
    if overdue.is_empty() {
        return Ok(open);
    }
    for answer in overdue {
        let newest = tx.certificates().newest(workspace, assignment)?;
        let Some(newest) = newest.filter(Certification::is_open) else {
            break;
        };
        let ledger = ledger(tx, newest)?;
        settle(tx, ctx, ledger, answer, BlindGrade::GivenUp)?;
    }
    let newest = tx.certificates().newest(workspace, assignment)?;
    Ok(newest.unwrap_or(open))
}

/// Notes what became of a grade, once its record is sealed.
///
/// # Errors
/// Those of storage.
pub fn note_arrival(tx: &mut dyn Tx, ctx: &Context, met: Met, record: &Grade) -> Result<(), Error> {
    let Some((certification, mut answer)) = met.noted else {
        return Ok(());
    };
    if met.fate == Fate::Audited {
        answer.test = Some(TestSheet {
            ai: sealed(record),
            max_score: record.max_score,
            grade: None,
        });
    }
    let (workspace, id) = (ctx.workspace_id(), certification.id);
    let is_known = tx
        .certificates()
        .answer(workspace, id, answer.submission_id)?
        .is_some();
    if is_known {
        return Ok(tx.certificates().update_answer(workspace, id, &answer)?);
    }
    tx.certificates().add_answers(workspace, id, &[answer])?;
    Ok(tx.certificates().update(&certification)?)
}
