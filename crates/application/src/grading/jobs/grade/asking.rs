//! Asking for a grade, once or several times, and holding the answer against rubric and text.

use std::time::Duration;

use lyceum_domain::grading::grades::{GradeProposal, Grader, GradingTask, judge, middle};
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::{AiError, AiProvider, Answered, Usage};
use lyceum_ports::drafting::ai_calls::Meter;

use super::prepare::Run;
use crate::grading::landing::Graded;

/// Asks as often as the run says; the middle answer counts.
///
/// # Errors
/// [`AiError`] of the first call that failed.
pub async fn ask(
    ai: &dyn AiProvider,
    run: &Run,
    model: String,
    meter: &Meter,
) -> Result<Graded, AiError> {
    let task = GradingTask {
        model,
        ..run.task.clone()
    };
    let mut answers = vec![ai.grade(task.clone(), meter).await?];
    for _ in 1..run.samples {
        answers.push(ai.grade(task.clone(), meter).await?);
    }
    Ok(judged(run, combined(run, answers)?))
}

/// One answer out of several: the middle proposal, what all of them took, and every one as it came.
fn combined(
    run: &Run,
    answers: Vec<Answered<GradeProposal>>,
) -> Result<Answered<GradeProposal>, AiError> {
    let nothing = || AiError::InvalidOutput("nobody was asked".to_owned());
    if answers.len() == 1 {
        return answers.into_iter().next().ok_or_else(nothing);
    }
    let usage = answers.iter().map(|answer| answer.usage);
    let usage = usage.fold(Usage::default(), std::ops::Add::add);
    let cost = answers.iter().map(|answer| answer.cost);
    let cost = cost.collect::<Option<Vec<MicroUsd>>>();
    let latency: Duration = answers.iter().map(|answer| answer.latency).sum();
    let raw: Vec<&str> = answers.iter().map(|answer| answer.raw.as_str()).collect();
    let raw = serde_json::Value::from(raw).to_string();
    let proposals: Vec<GradeProposal> = answers.iter().map(|one| one.value.clone()).collect();
    let value = middle(&run.task.rubric, &proposals).ok_or_else(nothing)?;
    let first = answers.into_iter().next().ok_or_else(nothing)?;
    Ok(Answered {
        value,
        raw,
        usage,
        cost: cost.map(|costs| costs.into_iter().sum()),
        latency,
        ..first
    })
}

fn judged(run: &Run, answered: Answered<GradeProposal>) -> Graded {
    let Answered {
        value,
        model_asked,
        model,
        prompt_version,
        raw,
        usage,
        cost,
        latency,
    } = answered;
    let task = &run.task;
    let judgement = judge(&task.rubric, &task.submission, &value, run.max_score);
    let anchors = task.anchors.iter();
    Graded {
        judgement,
        // Not every database can hold the character.
        feedback: value.feedback.replace('\0', ""),
        grader: Grader::Ai {
            model,
            prompt_version,
            tokens_in: usage.tokens_in,
            tokens_out: usage.tokens_out,
            model_asked,
            cost,
            latency_ms: u64::try_from(latency.as_millis()).unwrap_or(u64::MAX),
            anchors: anchors.map(|anchor| anchor.grade_id.clone()).collect(),
            reused_from: None,
        },
        answer: Some(raw.replace('\0', "")),
    }
}
