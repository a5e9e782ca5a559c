//! What handing in starts by itself: grading by AI, where the assignment says so and the learner's share holds it.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::grading::submissions::{RunOverrides, Submission, SubmissionStatus};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::running::jobs::{Job, JobKind};

use super::tell;
use crate::drafting::ai_calls;
use crate::drafting::ai_starts::{self, Starter, USED_UP};
use crate::grading::rubrics;
use crate::prelude::*;
use crate::running::queue;

/// What handing in starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Nothing: a person grades.
    Nothing,
    /// This run, for whoever spends.
    Run(u32, Spender),
    /// Nothing yet: the work is kept, and says why nobody has graded it.
    Withheld,
}

/// Starts a run of AI on what was handed in.
pub(super) fn if_enabled(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: &Assignment,
    submission: &mut Submission,
) -> Result<Start, Error> {
    let is_wanted =
        assignment.grading.ai_evaluator.enabled && submission.status == SubmissionStatus::Submitted;
    if !is_wanted {
        return Ok(Start::Nothing);
    }
    // Whoever's key it is that hands in: it is the learner who starts it.
    let spender = match ctx.spender() {
        Spender::Staff | Spender::Learners => Spender::Learners,
        Spender::Package(package) => Spender::Package(package),
    };
    let starter = Starter {
        workspace: ctx.workspace_id(),
        user: submission.user_id,
        spender,
    };
    if !is_free(tx, ctx, assignment)?
        && let Some(whose) = ai_starts::used_up(tx, ctx, starter)?
    {
        submission.fail_ai(USED_UP, whose.sentence(), ctx.now);
        return Ok(Start::Withheld);
    }
    let ready_at = queue::ready_at(tx, ctx, JobKind::GradeSubmission)?;
    let run = submission.ask_ai(RunOverrides::default(), ready_at, ctx.now)?;
    Ok(Start::Run(run, spender))
}

/// Whether the built-in engine grades it, which costs nothing.
fn is_free(tx: &mut dyn Tx, ctx: &Context, assignment: &Assignment) -> Result<bool, Error> {
    let course = tx
        .courses()
        .find(ctx.workspace_id(), assignment.place.course_id)?;
    let model = course.map(|course| rubrics::usual_model(assignment, &course));
    Ok(ai_calls::costs_nothing(ctx, &model.unwrap_or_default()))
}

/// Queues what was started, once the submission is stored; or tells why nothing was.
pub(super) fn follow(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: &Submission,
    start: Start,
) -> Result<(), Error> {
    match start {
        Start::Nothing => Ok(()),
        Start::Run(run, spender) => enqueue(tx, ctx, submission, run, spender),
        Start::Withheld => tell(tx, ctx, EventType::SubmissionGradingFailed, submission),
    }
}

/// Queues a run for whoever spends.
pub(crate) fn enqueue(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: &Submission,
    run: u32,
    spender: Spender,
) -> Result<(), Error> {
    let submission = submission.id;
    let job = Job::GradeSubmission {
        submission,
        run,
        spender,
    };
    queue::enqueue(tx, ctx, job)
}
