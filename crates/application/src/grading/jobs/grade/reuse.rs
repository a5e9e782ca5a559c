//! Same question, same answer: a result that this workspace already paid for.

use lyceum_domain::grading::grades::{Grade, Grader, GradingTask, Judgement};
use lyceum_domain::grading::receipts::hash_of;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::money::MicroUsd;

use crate::grading::landing::Graded;
use crate::grading::verification;
use crate::prelude::*;

/// How many records are looked at: of more than these, one holds, or something is very wrong.
const LOOKED_AT: u16 = 5;

/// The newest result of the same question, as a result of this run; only from a history that holds.
pub fn known(
    tx: &mut dyn Tx,
    submission: &Submission,
    key: &str,
    task: &GradingTask,
) -> Result<Option<Graded>, Error> {
    let workspace = submission.workspace_id;
    let (text, rubric) = (hash_of(&task.submission), task.rubric.hash());
    for found in tx.grades().with_result(workspace, key, LOOKED_AT)? {
        let receipt = found.receipt.as_ref();
        if receipt.is_none_or(|it| it.text_hash != text) || found.rubric_hash != rubric {
            continue;
        }
        let judged = tx.submissions().find(workspace, found.submission_id)?;
        let Some(judged) = judged else { continue };
        if !verification::of_submission(tx, &judged)?.holds() {
            tracing::warn!(grade = %found.id, "a grade history does not hold; its results are not used again");
            continue;
        }
        let kept = tx.grades().kept(workspace, found.id)?;
        let answer = kept.and_then(|kept| kept.answer);
        return Ok(taken_over(found, answer));
    }
    Ok(None)
}

/// The same judgement, for nothing. It names the record that somebody was asked for, not one that took it over.
fn taken_over(found: Grade, answer: Option<String>) -> Option<Graded> {
    let Grader::Ai {
        model,
        prompt_version,
        model_asked,
        anchors,
        reused_from,
        tokens_in: _,
        tokens_out: _,
        cost: _,
        latency_ms: _,
    } = found.grader
    else {
        return None;
    };
    Some(Graded {
        judgement: Judgement {
            criteria: found.criteria,
            score: found.score,
            review_reasons: found.review_reasons,
        },
        feedback: found.feedback,
        grader: Grader::Ai {
            model,
            prompt_version,
            tokens_in: 0,
            tokens_out: 0,
            model_asked,
            cost: Some(MicroUsd::ZERO),
            latency_ms: 0,
            anchors,
            reused_from: Some(reused_from.unwrap_or(found.id)),
        },
        answer,
    })
}
