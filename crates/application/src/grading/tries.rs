//! Rubrics that are tried on an answer: judged by what would judge a submission, and given to nobody.
//!
//! Three steps, because somebody remote answers and the caller waits: read what the grader is told (a transaction), ask (outside
//! any), show. Nothing is kept but the calls of AI, which count as any other.

use std::sync::Arc;

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::grading::grades::{FIRST_GRADES, LandingFacts, Release};
use lyceum_domain::grading::submissions::RunOverrides;
use lyceum_domain::grading::tries::{GradingTerms, Tried, UnsavedTerm};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::AssignmentId;
use lyceum_ports::drafting::ai_calls::{Allowance, Meter};
use lyceum_ports::traces::TraceParent;
use lyceum_wire::grading::tries::{AskedTry, TriedGradeView};

use crate::app::App;
use crate::drafting::ai_calls;
use crate::drafting::ai_reservations::BudgetReservation;
use crate::grading::jobs::grade::asking;
use crate::grading::jobs::grade::prepare::{self, GradingQuestion, Run};
use crate::grading::rubrics;
use crate::models;
use crate::prelude::*;

/// An answer that is ready to be judged.
pub struct Trial {
    workspace: Arc<Workspace>,
    assignment_id: AssignmentId,
    allowance: Allowance,
    spender: Spender,
    trace: Option<TraceParent>,
    run: Run,
    facts: LandingFacts,
    unsaved: Vec<UnsavedTerm>,
}

/// Reads what the grader is told.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] where it names a model that may not be asked; [`Conflict::AiBudgetExceeded`]
pub fn prepare(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    asked: &AskedTry,
) -> Result<Trial, Error> {
    let workspace = ctx.workspace_id();
    let mut assignment = found(tx.assignments().find(workspace, id)?, "assignment")?;
    let course = tx.courses().find(workspace, assignment.place.course_id)?;
    let course = found(course, "course")?;
    let saved = terms_of(&assignment, &course);
    if let Some(instructions) = &asked.instructions {
        assignment.instructions = instructions.clone();
    }
    let changes = asked.changes.clone().in_course(&course.language);
    let named = changes.ai_model.clone().unwrap_or_default();
    models::refuse_unknown(ctx, &named, "ai_evaluator.model")?;
    assignment.configure(changes, ctx.now);
    let terms = terms_of(&assignment, &course);
    models::refuse_to_ask(ctx, "", &terms.model)?;
    ai_calls::check_budget(tx, ctx, &terms.model)?;
    let overrides = RunOverrides {
        budget: asked.budget,
        ..RunOverrides::default()
    };
    let question = GradingQuestion {
        submission: None,
        text: asked.text.as_str(),
        max_score: assignment.max_score,
        assignment: &assignment,
        course: &course,
        overrides: &overrides,
    };
    let run = prepare::run(tx, &*ctx.ai, &question, ctx.now)?;
    let spender = ctx.spender();
    let payer = (spender, ctx.now);
    let graded_before = tx.grades().graded_by_ai(workspace, id, FIRST_GRADES)?;
    Ok(Trial {
        allowance: ai_calls::meter_for(tx, &ctx.workspace, &ctx.settings.spending, payer)?,
        workspace: Arc::clone(&ctx.workspace),
        assignment_id: id,
        spender,
        trace: ctx.trace,
        facts: LandingFacts {
            graded_before,
            // Whoever asks for a certificate hears of all else that would hold such a grade.
            release: run.release.map_or(Release::Unasked, |_| Release::Certified),
            ..LandingFacts::settled(run.review)
        },
        run,
        unsaved: terms.unlike(&saved),
    })
}

fn terms_of(assignment: &Assignment, course: &Course) -> GradingTerms {
    GradingTerms {
        rubric: rubrics::usual(assignment, course),
        instructions: assignment.instructions.clone(),
        model: rubrics::usual_model(assignment, course),
        feedback: assignment.grading.feedback.clone(),
        human_review: assignment.grading.human_review,
    }
}

/// Asks the grader, and shows what it would give.
///
/// # Errors
/// [`Error::Ai`]
pub async fn ask(app: App, trial: Trial) -> Result<TriedGradeView, Error> {
    let workspace = trial.workspace.id;
    let shared = BudgetReservation::of(&app, &trial.workspace, trial.spender);
    let meter = Meter::new(trial.allowance.at_most(trial.run.allowance))
        .on_behalf_of(workspace)
        .sharing(shared)
        .watched(app.tracing.calls(trial.trace))
        .waited_for();
    let run = &trial.run;
    let asked = asking::ask(&*app.ai, run, run.task.model.clone(), &meter).await;
    let subject = trial.assignment_id.to_string();
    ai_calls::book(&app, workspace, (&subject, trial.spender), &meter).await?;
    let judged = asked?;
    let tried = Tried::of(
        (trial.assignment_id, run.max_score),
        &run.task.rubric,
        trial.unsaved,
        &judged.judgement,
        trial.facts,
    );
    let (judgement, feedback, grader) = (&judged.judgement, &judged.feedback, &judged.grader);
    Ok(TriedGradeView::new(&tried, judgement, feedback, grader))
}
