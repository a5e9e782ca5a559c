//! Where AI's grades land: on a submission, in its history, in the audit trail, and past its assignment's certificate.

use lyceum_domain::authoring::assignments::HumanReview;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{
    FIRST_GRADES, Grade, GradeStatus, Grader, Judgement, LandingFacts, PROVIDER_FAILED, Release,
    least_confidence,
};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::{AiLanding, Submission};
use lyceum_domain::transition::InvalidTransition;

use crate::grading::certificates::{self, Arrival, Met};
use crate::grading::submissions::records;
use crate::prelude::*;
use crate::running::audit;

/// What grading came to, by a call or from a record.
#[derive(Clone)]
pub struct Graded {
    /// The judgement.
    pub judgement: Judgement,
    /// For the student.
    pub feedback: String,
    /// Who judged, and with what.
    pub grader: Grader,
    /// What the model answered, word for word, where one was asked.
    pub answer: Option<String>,
}

/// How it lands.
pub struct GradeLanding {
    /// As what.
    pub place: LandingPlace,
    /// Whether a person looks at it.
    pub review: HumanReview,
    /// What a certificate has to promise before it goes out unseen, where one is asked for.
    pub release: Option<ReleaseTerms>,
    /// Whether the assignment's own grader was asked: nothing was otherwise.
    pub is_usual: bool,
    /// By what it was judged.
    pub rubric: Rubric,
    /// SHA-256 of everything that fixed the grade but the text.
    pub grader_hash: String,
    /// When that was read, before AI was asked.
    pub read_at: Timestamp,
    /// Names the question, where its answer may be taken over later.
    pub result_key: Option<String>,
}

/// As what a grade lands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LandingPlace {
    /// As the run that the submission waits for.
    Run,
    /// As a regrade that was previewed.
    Regrade {
        /// Whether it takes the place of a person's grade.
        over_person: bool,
    },
}

/// What landed.
pub struct LandedGrade {
    /// As it is since.
    pub submission: Submission,
    /// The record.
    pub record: Grade,
}

/// Lands it, or says that the submission has moved on; then nothing is changed but what certificates count.
///
/// # Errors
/// Those of storage.
pub fn land(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Submission,
    landing: &GradeLanding,
    graded: Graded,
) -> Result<Result<LandedGrade, InvalidTransition>, Error> {
    let mut landed = before.clone();
    let mut facts = LandingFacts {
        review: landing.review,
        // Who matches words without graded examples says so in its reasons.
        calibrated: true,
        graded_before: graded_before(tx, before)?,
        release: Release::Unasked,
    };
    let met = meet(tx, ctx, before, landing, &graded, facts)?;
    facts.release = met.as_ref().map_or(Release::Unasked, Met::release);
    let status = match put(&mut landed, landing, &graded, facts, ctx.now) {
        Ok(status) => status,
        Err(moved_on) => return Ok(Err(moved_on)),
    };
    // A proposal beside what a person decided replaces nothing.
    if !before.is_decided_by_person() || landing.place != LandingPlace::Run {
        tx.grades().supersede(ctx.workspace_id(), landed.id)?;
    }
    let kept = Kept {
        rubric: Some(landing.rubric.canonical()),
        answer: graded.answer.clone(),
        result_key: landing.result_key.clone(),
        tombstone: None,
    };
    let mut record = record(ctx, &landed, landing, graded, status);
    record.reason = met.as_ref().and_then(Met::reason);
    audit::note_grade(tx, ctx, before, &landed, &record)?;
    let record = records::append(tx, &landed, record, &kept)?;
    tx.submissions().update(&landed)?;
    if let Some(met) = met {
        certificates::note_arrival(tx, ctx, met, &record)?;
    }
    Ok(Ok(LandedGrade {
        submission: landed,
        record,
    }))
}

/// What the assignment's certificate says of it, where one is asked for.
fn meet(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: &Submission,
    landing: &GradeLanding,
    graded: &Graded,
    facts: LandingFacts,
) -> Result<Option<Met>, Error> {
    let is_optional = landing.review == HumanReview::Optional;
    let Some(terms) = landing.release.filter(|_| is_optional) else {
        return Ok(None);
    };
    let mut reasons = graded.judgement.review_reasons.iter();
    let arrival = Arrival {
        submission,
        terms,
        grader_hash: &landing.grader_hash,
        confidence: least_confidence(&graded.judgement),
        would_go_out: submission.would_go_out(&graded.judgement, facts),
        is_usual: landing.is_usual && !reasons.any(|reason| reason == PROVIDER_FAILED),
    };
    certificates::meet(tx, ctx, &arrival).map(Some)
}

fn put(
    submission: &mut Submission,
    landing: &GradeLanding,
    graded: &Graded,
    facts: LandingFacts,
    now: Timestamp,
) -> Result<GradeStatus, InvalidTransition> {
    let lands = AiLanding {
        judged: &graded.judgement,
        feedback: &graded.feedback,
        model: model_of(&graded.grader),
        grader_hash: &landing.grader_hash,
        read_at: landing.read_at,
        facts,
    };
    match landing.place {
        LandingPlace::Run => submission.land_ai(&lands, now),
        LandingPlace::Regrade { over_person } => submission.land_regrade(&lands, over_person, now),
    }
}

fn record(
    ctx: &Context,
    landed: &Submission,
    landing: &GradeLanding,
    graded: Graded,
    status: GradeStatus,
) -> Grade {
    Grade {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        submission_id: landed.id,
        run: landed.run,
        status,
        score: graded.judgement.score,
        max_score: landed.max_score,
        rubric_hash: landing.rubric.hash(),
        criteria: graded.judgement.criteria,
        feedback: graded.feedback,
        review_reasons: graded.judgement.review_reasons,
        grader: graded.grader,
        reason: None,
        created_at: ctx.now,
        receipt: None,
    }
}

/// How many AI grades the assignment had before this one, as far as that matters.
fn graded_before(tx: &mut dyn Tx, submission: &Submission) -> Result<u32, Error> {
    let (workspace, assignment) = (submission.workspace_id, submission.assignment_id);
    Ok(tx
        .grades()
        .graded_by_ai(workspace, assignment, FIRST_GRADES)?)
}

fn model_of(grader: &Grader) -> &str {
    match grader {
        Grader::Ai { model, .. } => model,
        Grader::Human { .. } | Grader::Service { .. } => "",
    }
}
