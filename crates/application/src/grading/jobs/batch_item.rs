//! Having AI grade an item of a batch: what it says is kept in the item, apart from all records.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::grading::batches::{
    Batch, BatchItem, BatchState, FoundGrade, ItemState, LeftBecause, Preview,
};
use lyceum_domain::grading::grades::{
    HELD_BY_NO_LOT, LandingFacts, PROVIDER_FAILED, Release, route,
};
use lyceum_domain::grading::submissions::{RunOverrides, Submission, SubmissionContent};
use lyceum_domain::ids::BatchId;
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::AiProvider;

use super::grade::asking;
use super::grade::prepare::{GradingQuestion, Run, known, run};
use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::grading::landing::Graded;
use crate::prelude::*;

/// The item that a job is for.
#[derive(Debug, Clone, Copy)]
pub struct AskedItem {
    workspace: WorkspaceId,
    batch: BatchId,
    place: u32,
}

/// What is to be done.
enum PreparedItem {
    /// Nothing: nobody waits for the item any more.
    Over,
    /// It is left alone.
    Left(LeftBecause),
    /// There is no text to judge.
    Unreadable,
    /// The same was judged before.
    Known(Box<Run>, Box<Graded>),
    /// Somebody is to be asked.
    Ask(Box<Run>),
}

const NOT_READABLE: &str = "content_not_readable";
const NOT_READABLE_TEXT: &str = "The submission is an address, and nothing is fetched from it.";

impl AskedItem {
    pub const fn new(workspace: WorkspaceId, batch: BatchId, place: u32) -> Self {
        Self {
            workspace,
            batch,
            place,
        }
    }

    /// The item with its batch, if somebody still waits for it.
    fn awaited(self, tx: &mut dyn Tx) -> Result<Option<(Batch, BatchItem)>, Error> {
        let batch = tx.batches().find(self.workspace, self.batch)?;
        let Some(batch) = batch.filter(|batch| batch.state == BatchState::Running) else {
            return Ok(None);
        };
        let item = tx.batches().item(self.workspace, self.batch, self.place)?;
        let asked = item.filter(|item| item.state == ItemState::Asked);
        Ok(asked.map(|item| (batch, item)))
    }
}

pub async fn perform(app: &App, job: &Claimed, asked: AskedItem) -> Result<(), Error> {
    let (ai, now) = (app.ai.clone(), app.clock.now());
    let prepared = app.store.read(move |tx| prepare(tx, &*ai, asked, now));
    match prepared.await? {
        PreparedItem::Over => claimed::finish(app, job).await,
        PreparedItem::Left(because) => {
            note(app, job, asked, move |_, _, item| {
                item.leave(because);
                Ok(())
            })
            .await
        }
        PreparedItem::Unreadable => fail(app, job, asked, NOT_READABLE, NOT_READABLE_TEXT).await,
        PreparedItem::Known(run, graded) => keep(app, job, asked, *run, *graded).await,
        PreparedItem::Ask(run) => {
            job.meter.limit(run.allowance);
            let call = |model| asking::ask(&*app.ai, &run, model, &job.meter);
            match job.ask(app, &run.task.model, call).await {
                Ok(graded) => keep(app, job, asked, *run, graded).await,
                Err(error) => {
                    let (code, sentence) = (error.code(), error.to_string());
                    let failing = fail(app, job, asked, code, &sentence);
                    claimed::retry_or(app, job, &error, failing).await
                }
            }
        }
    }
}

fn prepare(
    tx: &mut dyn Tx,
    ai: &dyn AiProvider,
    asked: AskedItem,
    now: Timestamp,
) -> Result<PreparedItem, Error> {
    let Some((batch, item)) = asked.awaited(tx)? else {
        return Ok(PreparedItem::Over);
    };
    let Some(assignment) = tx
        .assignments()
        .find(asked.workspace, batch.assignment_id)?
    else {
        return Ok(PreparedItem::Over);
    };
    let course = tx
        .courses()
        .find(asked.workspace, assignment.place.course_id)?;
    let Some(course) = course else {
        return Ok(PreparedItem::Over);
    };
    let overrides = RunOverrides {
        rubric: Some(batch.grader.rubric.clone()),
        model: Some(batch.grader.model.clone()),
        ..RunOverrides::default()
    };
    let Some(id) = item.submission_id else {
        let text = item.text.as_deref().unwrap_or_default();
        let question = GradingQuestion {
            submission: None,
            text,
            max_score: assignment.max_score,
            assignment: &assignment,
            course: &course,
            overrides: &overrides,
        };
        return Ok(PreparedItem::Ask(Box::new(run(tx, ai, &question, now)?)));
    };
    let Some(submission) = tx.submissions().find(asked.workspace, id)? else {
        return Ok(PreparedItem::Left(LeftBecause::Gone));
    };
    if submission.is_blind() {
        return Ok(PreparedItem::Left(LeftBecause::Blind));
    }
    if matches!(submission.content, SubmissionContent::Url(_)) {
        return Ok(PreparedItem::Unreadable);
    }
    let question = GradingQuestion::of_submission(&submission, &assignment, &course, &overrides);
    let run = run(tx, ai, &question, now)?;
    let known = known(tx, &run, &submission, &overrides)?;
    Ok(match known {
        Some(graded) => PreparedItem::Known(Box::new(run), Box::new(graded)),
        None => PreparedItem::Ask(Box::new(run)),
    })
}

async fn keep(
    app: &App,
    job: &Claimed,
    asked: AskedItem,
    mut run: Run,
    mut graded: Graded,
) -> Result<(), Error> {
    if job.failure().is_some() {
        // Of the model that was asked for this says nothing.
        run.result_key = None;
        let reasons = &mut graded.judgement.review_reasons;
        reasons.push(PROVIDER_FAILED.to_owned());
    }
    note(app, job, asked, move |tx, batch, item| {
        let assignment = tx
            .assignments()
            .find(batch.workspace_id, batch.assignment_id)?;
        let Some(assignment) = assignment else {
            return Ok(());
        };
        let seen = match item.submission_id {
            Some(id) => match tx.submissions().find(batch.workspace_id, id)? {
                Some(submission) => seen(tx, &submission)?,
                None => return Ok(()),
            },
            None => nobodys(run.max_score),
        };
        let preview = preview(&run, &assignment, graded.clone());
        item.graded(Some(seen), preview);
        Ok(())
    })
    .await
}

/// The grade that stands while the preview is kept: what it is compared with, and by which a later change is told.
fn seen(tx: &mut dyn Tx, submission: &Submission) -> Result<FoundGrade, Error> {
    let head = tx.grades().head(submission.workspace_id, submission.id)?;
    let grade = submission.grade.as_ref();
    Ok(FoundGrade {
        score: grade.map(|grade| grade.score),
        by: grade.map(|grade| grade.by),
        decided: submission.is_decided_by_person(),
        max_score: submission.max_score,
        receipt: head.hash,
    })
}

const fn nobodys(max_score: Points) -> FoundGrade {
    FoundGrade {
        score: None,
        by: None,
        decided: false,
        max_score,
        receipt: String::new(),
    }
}

fn preview(run: &Run, assignment: &Assignment, graded: Graded) -> Preview {
    // On an assignment whose first grades are long out, with a certificate that covers it: as much as ever goes out.
    let facts = LandingFacts {
        release: Release::Certified,
        ..LandingFacts::settled(assignment.grading.human_review)
    };
    let route = route(&graded.judgement, run.max_score, facts, HELD_BY_NO_LOT);
    Preview {
        is_held: route.held,
        grader_hash: run.grader_hash(&graded.grader),
        read_at: run.read_at,
        result_key: run.result_key.clone(),
        judgement: graded.judgement,
        feedback: graded.feedback,
        grader: graded.grader,
        answer: graded.answer,
    }
}

pub async fn fail(
    app: &App,
    job: &Claimed,
    asked: AskedItem,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    let (code, message) = (code.to_owned(), message.to_owned());
    note(app, job, asked, move |_, _, item| {
        item.fail(&code, &message);
        Ok(())
    })
    .await
}

/// Ends the job, and notes what came of its item, if somebody still waits for that.
async fn note(
    app: &App,
    job: &Claimed,
    asked: AskedItem,
    mut change: impl FnMut(&mut dyn Tx, &Batch, &mut BatchItem) -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    claimed::settle(app, job, move |tx, _| {
        let Some((batch, mut item)) = asked.awaited(tx)? else {
            return Ok(());
        };
        change(tx, &batch, &mut item)?;
        Ok(tx.batches().update_item(asked.workspace, &item)?)
    })
    .await
}
