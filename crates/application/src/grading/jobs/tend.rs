//! Bringing a try for a certificate on: AI grades what waits by the frozen examples, answers are drawn, and what a certificate
//! covers goes out. Each step is a transaction of its own that finds out first where the try is, so that it may be broken off
//! between any two, and done twice.

use std::collections::BTreeMap;
use std::time::Duration;

use lyceum_domain::grading::certificates::certification::{
    Certification, CertificationState, EndCause,
};
use lyceum_domain::grading::certificates::declaration::Releasable;
use lyceum_domain::grading::certificates::gate::Fate;
use lyceum_domain::grading::certificates::ledger::CertificateAnswer;
use lyceum_domain::grading::grades::{Grade, GradeSource, GradeStatus, wants_only_a_certificate};
use lyceum_domain::grading::submissions::{RunOverrides, Submission, SubmissionStatus};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::{CertificateId, SubmissionId};
use lyceum_domain::running::jobs::{Job, JobKind};
use lyceum_ports::grading::submissions::{AiRun, AiStanding};

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::drafting::ai_calls;
use crate::grading::certificates;
use crate::grading::rubrics;
use crate::grading::submissions::{records, rubric_kept, starting, tell};
use crate::prelude::*;
use crate::running::{audit, queue};

/// So many of the newest answers are looked at.
const LOOKED_AT: u16 = 10_000;
/// So many submissions are changed in one transaction.
const AT_ONCE: usize = 50;
/// So long AI is left to grade before anybody looks again.
const PAUSE: Duration = Duration::from_secs(1);
/// How many records of an answer are looked at for what AI last said of it.
const RECORDS: u16 = 20;

/// What comes after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Another one.
    Step,
    /// Another one, when AI has graded some.
    Later,
    /// Nothing.
    Done,
}

pub async fn perform(app: &App, job: &Claimed, id: CertificateId) -> Result<(), Error> {
    loop {
        let (inner, workspace) = (app.clone(), job.workspace_id);
        let stepping = move |tx: &mut dyn Tx| {
            let Some(workspace) = tx.workspaces().find(workspace)? else {
                return Ok::<_, Error>(Next::Done);
            };
            step(tx, &inner.service_context(workspace), id)
        };
        match app.store.write(stepping).await? {
            Next::Step => app.signal.wake(),
            Next::Done => return claimed::finish(app, job).await,
            Next::Later => {
                let again = Job::TendCertificate { certificate: id };
                return claimed::settle(app, job, move |tx, ctx| {
                    queue::enqueue_for(tx, ctx, again.clone(), ctx.now.plus(PAUSE))
                })
                .await;
            }
        }
    }
}

fn step(tx: &mut dyn Tx, ctx: &Context, id: CertificateId) -> Result<Next, Error> {
    let workspace = ctx.workspace_id();
    let Some(found) = tx.certificates().find(workspace, id)? else {
        return Ok(Next::Done);
    };
    certificates::stand_in_line(tx, found.assignment_id)?;
    let Some(certification) = tx.certificates().find(workspace, id)? else {
        return Ok(Next::Done);
    };
    match certification.state {
        CertificationState::Grading => grade(tx, ctx, certification),
        CertificationState::Valid => release(tx, ctx, certification),
        CertificationState::Testing
        | CertificationState::Refused
        | CertificationState::Paused
        | CertificationState::Revoked
        | CertificationState::Lapsed
        | CertificationState::Ended => Ok(Next::Done),
    }
}

/// Has AI grade what waits and was not graded since the examples were frozen; draws when all of it is.
fn grade(tx: &mut dyn Tx, ctx: &Context, certification: Certification) -> Result<Next, Error> {
    let workspace = ctx.workspace_id();
    let assignment = certification.assignment_id;
    let mut all = tx
        .submissions()
        .ai_standing(workspace, assignment, LOOKED_AT)?;
    let frozen = certification.frozen_at;
    all.retain(|one| one.submitted_at.is_some_and(|at| at <= frozen) && one.is_open());
    let stale: Vec<SubmissionId> = all
        .iter()
        .filter(|one| is_stale(one, frozen))
        .map(|one| one.id)
        .take(AT_ONCE)
        .collect();
    if !stale.is_empty() {
        return ask(tx, ctx, certification, &stale);
    }
    if all.iter().any(|one| one.run == AiRun::Pending) {
        return Ok(Next::Later);
    }
    let (grader_hash, population) = of_one_grader(&all);
    if is_revoked(tx, &certification, &grader_hash)? {
        certificates::grading_over(tx, ctx, certification, EndCause::GraderRevoked)?;
    } else {
        certificates::declare(tx, ctx, certification, grader_hash, population)?;
    }
    Ok(Next::Done)
}

/// Whether AI has to grade it anew. What AI could not grade is not asked for again.
fn is_stale(one: &AiStanding, frozen: Timestamp) -> bool {
    match one.run {
        AiRun::NotAsked => true,
        AiRun::Ready => one.proposed_at.is_none_or(|at| at < frozen),
        AiRun::Pending | AiRun::Failed => false,
    }
}

fn ask(
    tx: &mut dyn Tx,
    ctx: &Context,
    certification: Certification,
    ids: &[SubmissionId],
) -> Result<Next, Error> {
    for id in ids {
        let Some(mut submission) = tx.submissions().find(ctx.workspace_id(), *id)? else {
            continue;
        };
        let Some((assignment, course)) = rubrics::task_of(tx, &submission)? else {
            return Ok(Next::Done);
        };
        let model = rubrics::usual_model(&assignment, &course);
        match ai_calls::check_budget(tx, ctx, &model) {
            Ok(()) => {}
            Err(Error::Conflict(Conflict::AiBudgetExceeded { .. })) => {
                let cause = EndCause::AiBudgetExceeded;
                certificates::grading_over(tx, ctx, certification, cause)?;
                return Ok(Next::Done);
            }
            Err(error) => return Err(error),
        }
        let ready_at = queue::ready_at(tx, ctx, JobKind::GradeSubmission)?;
        let run = submission.ask_ai(RunOverrides::default(), ready_at, ctx.now)?;
        tx.submissions().update(&submission)?;
        starting::enqueue(tx, ctx, &submission, run, Spender::Staff)?;
    }
    Ok(Next::Step)
}

/// What waits for nothing but a certificate, of the grader that gave most of it.
fn of_one_grader(all: &[AiStanding]) -> (String, Vec<Releasable>) {
    let mut graders: BTreeMap<&str, Vec<Releasable>> = BTreeMap::new();
    for one in all {
        let is_waiting = one.status == SubmissionStatus::InReview
            && wants_only_a_certificate(&one.review_reasons);
        let (Some(hash), Some(confidence), true) = (&one.grader_hash, one.confidence, is_waiting)
        else {
            continue;
        };
        graders.entry(hash).or_default().push(Releasable {
            submission_id: one.id,
            confidence,
        });
    }
    let most = graders.into_iter().max_by_key(|(_, graded)| graded.len());
    most.map_or_else(Default::default, |(hash, graded)| (hash.to_owned(), graded))
}

fn is_revoked(
    tx: &mut dyn Tx,
    certification: &Certification,
    grader_hash: &str,
) -> Result<bool, Error> {
    let (workspace, assignment) = (certification.workspace_id, certification.assignment_id);
    let all = tx.certificates().of_assignment(workspace, assignment)?;
    Ok(all.iter().any(|one| {
        let declared = one.declared.as_ref();
        one.state == CertificationState::Revoked
            && declared.is_some_and(|declared| declared.grader_hash == grader_hash)
    }))
}

/// Lets out what was at hand and is covered.
fn release(tx: &mut dyn Tx, ctx: &Context, certification: Certification) -> Result<Next, Error> {
    let workspace = ctx.workspace_id();
    let assignment = tx
        .assignments()
        .find(workspace, certification.assignment_id)?;
    let asked = assignment.and_then(|assignment| assignment.grading.release);
    let (Some(gate), true) = (certification.gate(), asked == Some(certification.terms)) else {
        return Ok(Next::Done);
    };
    let ledger = certificates::ledger(tx, certification)?;
    let is_covered = |one: &&CertificateAnswer| {
        let is_undecided = one.arrived.is_none() && one.test.is_none() && one.fate.is_none();
        is_undecided && !one.left && one.confidence >= gate.threshold
    };
    let covered = ledger.answers.iter().filter(is_covered).take(AT_ONCE);
    let mut is_more = false;
    for one in covered {
        is_more = true;
        let fate = release_one(tx, ctx, &ledger.certification, one.submission_id)?;
        let answer = CertificateAnswer {
            fate: Some(fate),
            ..one.clone()
        };
        tx.certificates()
            .update_answer(workspace, ledger.certification.id, &answer)?;
    }
    Ok(if is_more { Next::Step } else { Next::Done })
}

/// Lets one grade out, unless something happened to it since.
fn release_one(
    tx: &mut dyn Tx,
    ctx: &Context,
    certification: &Certification,
    id: SubmissionId,
) -> Result<Fate, Error> {
    let workspace = ctx.workspace_id();
    let Some(mut submission) = tx.submissions().find(workspace, id)? else {
        return Ok(Fate::Waits);
    };
    let before = submission.clone();
    let tested = certification
        .declared
        .as_ref()
        .map(|declared| &declared.grader_hash);
    let proposal = submission.ai_proposal.as_ref();
    let is_tested = proposal.and_then(|proposal| proposal.grader_hash.as_ref()) == tested;
    if !is_tested || submission.release(ctx.now).is_err() {
        return Ok(Fate::Waits);
    }
    let newest = PageRequest::first(RECORDS);
    let found = tx.grades().page(workspace, id, None, &newest)?;
    let mut by_ai = found.items.into_iter();
    let Some(held) = by_ai.find(|record| record.source() == GradeSource::Ai) else {
        return Ok(Fate::Waits);
    };
    let record = released(ctx, certification, &held);
    let Some(kept) = rubric_kept(tx, &submission, &held)? else {
        return Ok(Fate::Waits);
    };
    tx.grades().supersede(workspace, id)?;
    audit::note_grade(tx, ctx, &before, &submission, &record)?;
    records::append(tx, &submission, record, &kept)?;
    tx.submissions().update(&submission)?;
    tell_released(tx, ctx, &submission)?;
    Ok(Fate::GoesOut)
}

/// AI's record once more, as one that counts.
fn released(ctx: &Context, certification: &Certification, held: &Grade) -> Grade {
    Grade {
        id: ctx.mint(),
        // No run made it: the one that did has its record.
        run: 0,
        status: GradeStatus::Final,
        reason: Some(format!("released by {}", certification.id)),
        created_at: ctx.now,
        receipt: None,
        ..held.clone()
    }
}

fn tell_released(tx: &mut dyn Tx, ctx: &Context, submission: &Submission) -> Result<(), Error> {
    tell(tx, ctx, EventType::SubmissionReleased, submission)
}
