//! A model's judgement of a submission: checked against the rubric, turned into a proposal.
//!
//! Quotes are passed on unchecked: finding them in the submission is the domain's business.

use lyceum_domain::grades::{CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::points::Points;
use lyceum_domain::rubric::{Criterion, Rubric};
use serde::Deserialize;
use serde_json::Value;

use super::prompts::MAX_SUBMISSION;
use crate::builtin::is_instruction_like;
use crate::words::is_suspicious;

/// Schema of the answer.
pub(super) const SCHEMA: &str = include_str!("../../schemas/grade.json");

#[derive(Deserialize)]
struct Graded {
    criteria: Vec<GradedCriterion>,
    overall: Overall,
    integrity: Integrity,
}

#[derive(Deserialize)]
struct GradedCriterion {
    criterion_id: String,
    evidence: Vec<Passage>,
    rationale: String,
    level_id: Option<String>,
    points: f64,
    confidence: f64,
    missing: Vec<String>,
}

#[derive(Deserialize)]
struct Passage {
    text: String,
    occurrence: f64,
}

#[derive(Deserialize)]
struct Overall {
    feedback: String,
}

#[derive(Deserialize)]
struct Integrity {
    instructions_in_submission: bool,
    off_topic: bool,
}

/// Reads a document that fits the schema; the rules it breaks otherwise.
pub(super) fn read(document: &Value, task: &GradingTask) -> Result<GradeProposal, Vec<String>> {
    let graded: Graded =
        serde_json::from_value(document.clone()).map_err(|error| vec![error.to_string()])?;
    let broken = broken_rules(&graded, &task.rubric);
    if !broken.is_empty() {
        return Err(broken);
    }
    let flags = flags(&graded.integrity, &task.submission);
    Ok(GradeProposal {
        criteria: graded.criteria.into_iter().map(proposal).collect(),
        feedback: graded.overall.feedback,
        flags,
    })
}

fn broken_rules(graded: &Graded, rubric: &Rubric) -> Vec<String> {
    let mut broken = Vec::new();
    for criterion in &rubric.criteria {
        let times = graded
            .criteria
            .iter()
            .filter(|given| given.criterion_id == criterion.id)
            .count();
        if times != 1 {
            broken.push(format!(
                "criterion {} must be judged exactly once, not {times} times",
                criterion.id
            ));
        }
    }
    for given in &graded.criteria {
        match rubric.criterion(&given.criterion_id) {
            None => broken.push(format!("there is no criterion {}", given.criterion_id)),
            Some(criterion) => broken.extend(broken_by(given, criterion)),
        }
    }
    if graded.overall.feedback.trim().is_empty() {
        broken.push("overall.feedback must not be empty".to_owned());
    }
    broken
}

fn broken_by(given: &GradedCriterion, criterion: &Criterion) -> Vec<String> {
    let mut broken = Vec::new();
    let id = &criterion.id;
    let max = criterion.max_points;
    // Half a hundredth is what rounding to points forgives.
    if !(0.0..=max.to_number() + 0.005).contains(&given.points) {
        broken.push(format!(
            "criterion {id}: points must be between 0 and {max}"
        ));
    }
    if !(0.0..=1.0).contains(&given.confidence) {
        broken.push(format!(
            "criterion {id}: confidence must be between 0 and 1"
        ));
    }
    let unknown = given
        .level_id
        .as_deref()
        .filter(|level| criterion.level(level).is_none());
    if let Some(level) = unknown {
        let known: Vec<&str> = criterion
            .levels
            .iter()
            .map(|level| level.id.as_str())
            .collect();
        broken.push(if known.is_empty() {
            format!("criterion {id} has no levels, so level_id must be null")
        } else {
            format!(
                "criterion {id} has no level {level}; it has {}",
                known.join(", ")
            )
        });
    }
    broken
}

fn proposal(given: GradedCriterion) -> CriterionProposal {
    CriterionProposal {
        criterion_id: given.criterion_id,
        level_id: given.level_id,
        points: Points::from_number(given.points),
        rationale: given.rationale,
        quotes: given
            .evidence
            .into_iter()
            .map(|passage| (passage.text, occurrence(passage.occurrence)))
            .collect(),
        // Points keep hundredths, which is what a confidence in hundredths needs.
        confidence: u8::try_from(Points::from_number(given.confidence).hundredths()).ok(),
        missing: given.missing,
        not_judged: None,
    }
}

/// Which occurrence a model means; the first when it says nothing sensible.
pub(super) fn occurrence(number: f64) -> usize {
    usize::try_from(Points::from_number(number).hundredths() / 100)
        .unwrap_or(1)
        .max(1)
}

fn flags(integrity: &Integrity, submission: &str) -> Vec<String> {
    let checks = [
        (
            "instructions_in_submission",
            integrity.instructions_in_submission,
        ),
        ("off_topic", integrity.off_topic),
        // A model that was talked into something will not say so.
        ("instruction_like_text", is_instruction_like(submission)),
        ("hidden_characters", submission.chars().any(is_suspicious)),
        ("too_long", submission.chars().nth(MAX_SUBMISSION).is_some()),
    ];
    checks
        .into_iter()
        .filter(|(_, raised)| *raised)
        .map(|(name, _)| name.to_owned())
        .collect()
}
