//! How AI and the teacher of an assignment agree, and which answers to grade next.
//!
//! Two steps, because the built-in engine grades every example anew, as if it had not seen it, and nothing waits for that in a
//! transaction: [`look`] reads, [`judge_anew`] grades and counts. Nothing is written: which answers are graded blind is said
//! submission by submission.

use std::collections::BTreeMap;

use lyceum_domain::grading::calibration::agreement::{TwoGrades, agreement};
use lyceum_domain::grading::calibration::choice::{self, Waiting};
use lyceum_domain::grading::certificates::offer::{Beforehand, Offer, as_test};
use lyceum_domain::grading::grades::{
    Anchor, Grade, GradeSource, Grader, GradingTask, Judgement, ReviewStatus, judge,
};
use lyceum_domain::grading::release::disagreement::Disagreement;
use lyceum_domain::grading::submissions::{BlindGrading, SubmissionStatus};
use lyceum_domain::ids::{AssignmentId, SubmissionId};
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai_calls::{Allowance, Meter};
use lyceum_ports::grading::grades::ConfirmedGrade;
use lyceum_ports::grading::submissions::AiStanding;
use lyceum_wire::grading::calibration::{CalibrationView, Method, StandingView};

use crate::app::App;
use crate::grading::certificates;
use crate::grading::rubrics;
use crate::prelude::*;

/// So many of the newest answers are looked at.
const LOOKED_AT: u16 = 2_000;
/// How many records of an answer are looked at for what AI last said of it.
const RECORDS: u16 = 20;

/// What was read of an assignment.
pub struct Materials {
    assignment_id: AssignmentId,
    task: GradingTask,
    examples: Vec<Example>,
    standing: StandingView,
    blind: Vec<SubmissionId>,
    next: Vec<SubmissionId>,
    drawn: Vec<SubmissionId>,
    /// What is known before a try for a certificate, where one could be made; its examples are not judged yet.
    beforehand: Option<Beforehand>,
}

/// What a person said of an answer, and what AI did.
struct Example {
    anchor: Anchor,
    score: Points,
    max: Points,
    is_blind: bool,
    by_ai: Option<Judgement>,
}

/// Reads what a person graded, where AI's grades stand, and which answers wait.
///
/// # Errors
/// [`Error::NotFound`]
pub fn look(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<Materials, Error> {
    let workspace = ctx.workspace_id();
    let assignment = found(tx.assignments().find(workspace, id)?, "assignment")?;
    let course = tx.courses().find(workspace, assignment.place.course_id)?;
    let course = found(course, "course")?;
    let rubric = rubrics::usual(&assignment, &course);
    let task = GradingTask {
        assignment_name: assignment.name.to_string(),
        instructions: assignment.instructions.to_string(),
        submission: String::new(),
        course_instructions: course.ai.instructions.to_string(),
        course_language: course.language.to_string(),
        feedback: assignment.grading.feedback.clone(),
        anchors: Vec::new(),
        private: Vec::new(),
        model: rubrics::usual_model(&assignment, &course),
        rubric,
    };
    let examples = examples(tx, id, workspace, &task)?;
    let all = tx.submissions().ai_standing(workspace, id, LOOKED_AT)?;
    let open: Vec<&AiStanding> = all.iter().filter(|one| one.is_open()).collect();
    Ok(Materials {
        beforehand: certificates::beforehand(tx, &assignment, open.len())?,
        assignment_id: id,
        next: next(tx, workspace, &open)?,
        drawn: choice::drawn(id, &open.iter().map(|one| one.id).collect::<Vec<_>>()),
        blind: all
            .iter()
            .filter(|one| is_hidden(one))
            .map(|one| one.id)
            .collect(),
        standing: standing(&all),
        task,
        examples,
    })
}

fn is_hidden(one: &AiStanding) -> bool {
    one.blind == BlindGrading::Awaited
}

fn examples(
    tx: &mut dyn Tx,
    id: AssignmentId,
    workspace: WorkspaceId,
    task: &GradingTask,
) -> Result<Vec<Example>, Error> {
    let criteria = task.rubric.criteria.iter();
    let criteria: Vec<String> = criteria.map(|criterion| criterion.id.clone()).collect();
    let confirmed = tx
        .grades()
        .confirmed(workspace, id, None, None, &criteria, Anchor::MOST)?;
    let mut examples = Vec::with_capacity(confirmed.len());
    for ConfirmedGrade { grade, text, .. } in confirmed {
        let Some(anchor) = Anchor::of(&grade, text, &task.rubric) else {
            continue;
        };
        let is_blind = matches!(grade.grader, Grader::Human { blind: true, .. });
        examples.push(Example {
            anchor,
            score: grade.score,
            max: grade.max_score,
            is_blind,
            by_ai: if is_blind {
                said_by_ai(tx, &grade)?
            } else {
                None
            },
        });
    }
    Ok(examples)
}

/// What AI last said of the answer that a person graded.
fn said_by_ai(tx: &mut dyn Tx, grade: &Grade) -> Result<Option<Judgement>, Error> {
    let newest = PageRequest::first(RECORDS);
    let (workspace, submission) = (grade.workspace_id, grade.submission_id);
    let records = tx.grades().page(workspace, submission, None, &newest)?;
    let by_ai = records.items.into_iter();
    let mut by_ai = by_ai.filter(|record| record.source() == GradeSource::Ai);
    Ok(by_ai.next().map(|record| Judgement {
        criteria: record.criteria,
        score: record.score,
        review_reasons: record.review_reasons,
    }))
}

/// A typical answer of each fifth of what AI gives.
fn next(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    open: &[&AiStanding],
) -> Result<Vec<SubmissionId>, Error> {
    let graded = open.iter().filter_map(|one| {
        let score = one.score?;
        Some(Waiting { id: one.id, score })
    });
    let mut chosen = Vec::new();
    for part in choice::fifths(graded.collect()) {
        let mut texts: Vec<(SubmissionId, String)> = tx
            .submissions()
            .with_ids(workspace, &part)?
            .into_iter()
            .map(|one| (one.id, one.content.as_text().to_owned()))
            .collect();
        texts.sort_by_key(|(id, _)| *id);
        chosen.extend(choice::typical(&texts));
    }
    Ok(chosen)
}

/// What became of AI's grades as things are.
fn standing(all: &[AiStanding]) -> StandingView {
    let mut standing = StandingView::default();
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for one in all.iter().filter(|one| !is_hidden(one)) {
        if one.review == Some(ReviewStatus::Done) {
            standing.decided += 1;
        } else if one.score.is_none() {
            standing.ungraded += 1;
        } else if one.status == SubmissionStatus::InReview {
            standing.held += 1;
            for reason in &one.review_reasons {
                *reasons.entry(reason.clone()).or_default() += 1;
            }
        } else {
            standing.released += 1;
        }
    }
    standing.held_because = reasons;
    standing
}

/// Has the built-in engine grade the examples, each from the others, where it is the grader; counts how AI and the teacher agree on
/// those that were graded blind, and says whether a certificate is worth a try. Of a language model counts what it last said of
/// blind ones, which costs nothing more.
pub async fn judge_anew(app: App, read: Materials) -> Result<CalibrationView, Error> {
    let is_built_in = app
        .ai
        .resolve(&read.task.model)
        .is_some_and(|model| model.built_in);
    let mut judged = Vec::new();
    for (at, example) in read.examples.iter().enumerate() {
        let by_ai = if is_built_in && (example.is_blind || read.beforehand.is_some()) {
            Some(without(&app, &read, at, example).await?)
        } else {
            example.by_ai.clone()
        };
        judged.extend(by_ai.map(|by_ai| (example, by_ai)));
    }
    let blind = judged.iter().filter(|(example, _)| example.is_blind);
    let pairs: Vec<TwoGrades> = blind
        .map(|(example, by_ai)| example.beside(by_ai))
        .collect();
    let method = if is_built_in {
        Method::LeaveOneOut
    } else {
        Method::AsGraded
    };
    let found = agreement(&pairs, Disagreement::default());
    let blind_grades = read.examples.iter().filter(|one| one.is_blind).count();
    let mut view = CalibrationView::new(
        read.assignment_id,
        (read.examples.len(), blind_grades),
        [&read.blind, &read.next, &read.drawn],
        found.as_ref().map(|found| (found, method)),
        read.standing,
    );
    let offer = read.beforehand.map(|known| offered(known, &judged));
    view.offer = offer.as_ref().map(Into::into);
    Ok(view)
}

/// What a try is worth, by examples that were judged as if they had not been seen.
fn offered(mut known: Beforehand, judged: &[(&Example, Judgement)]) -> Offer {
    let rule = known.terms.disagreement;
    let tests = judged.iter();
    let tests =
        tests.filter_map(|(example, by_ai)| as_test(by_ai, example.score, example.max, rule));
    known.examples = tests.collect();
    known.offer()
}

impl Example {
    fn beside(&self, by_ai: &Judgement) -> TwoGrades {
        TwoGrades {
            ai: by_ai.score,
            teacher: self.score,
            max: self.max,
        }
    }
}

/// What the built-in engine gives an example that it has not seen.
async fn without(
    app: &App,
    read: &Materials,
    at: usize,
    example: &Example,
) -> Result<Judgement, Error> {
    let others = read.examples.iter().enumerate();
    let others = others.filter(|(other, _)| *other != at);
    let task = GradingTask {
        submission: example.anchor.text.clone(),
        anchors: others.map(|(_, other)| other.anchor.clone()).collect(),
        ..read.task.clone()
    };
    // It costs nothing, and nobody is called.
    let meter = Meter::new(Allowance::default());
    let answered = app.ai.grade(task, &meter).await;
    let answered = answered.map_err(|error| Error::Internal(error.into()))?;
    let text = &example.anchor.text;
    Ok(judge(&read.task.rubric, text, &answered.value, example.max))
}
