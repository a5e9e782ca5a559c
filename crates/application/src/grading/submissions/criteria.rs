//! A person's judgement of criteria, held against the rubric.

use lyceum_domain::authoring::rubric::{Criterion, Rubric};
use lyceum_domain::grading::grades::CriterionResult;
use lyceum_domain::points::Points;
use lyceum_wire::grading::submissions::PersonCriterion;

use crate::prelude::*;

/// A person's points per criterion, checked against the rubric.
///
/// # Errors
/// [`Error::Invalid`] with every problem.
pub fn judged(rubric: &Rubric, given: &[PersonCriterion]) -> Result<Vec<CriterionResult>, Error> {
    let mut problems = Vec::new();
    let mut results = Vec::new();
    for (index, one) in given.iter().enumerate() {
        let path = format!("criteria[{index}]");
        let mut before = given.iter().take(index);
        if before.any(|other| other.criterion_id == one.criterion_id) {
            problems.push(Invalid::new(
                format!("{path}.criterion_id"),
                "is given twice",
            ));
            continue;
        }
        match judged_one(rubric, one, &path) {
            Ok(result) => results.push(result),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(results)
    } else {
        Err(Error::Invalid(problems))
    }
}

fn judged_one(
    rubric: &Rubric,
    given: &PersonCriterion,
    path: &str,
) -> Result<CriterionResult, Invalid> {
    let unknown = || {
        Invalid::new(
            format!("{path}.criterion_id"),
            "is not a criterion of the rubric",
        )
    };
    let criterion = rubric.criterion(&given.criterion_id).ok_or_else(unknown)?;
    let (level_id, score) = level_and_score(criterion, given, path)?;
    Ok(CriterionResult {
        criterion_id: criterion.id.clone(),
        name: criterion.name.clone(),
        level_id,
        score,
        max_score: criterion.max_points,
        rationale: given.rationale.clone(),
        evidence: Vec::new(),
        confidence: None,
        missing: Vec::new(),
        not_judged: None,
    })
}

fn level_and_score(
    criterion: &Criterion,
    given: &PersonCriterion,
    path: &str,
) -> Result<(Option<String>, Points), Invalid> {
    if let Some(id) = &given.level_id {
        let level = criterion.level(id);
        let level = level.ok_or_else(|| {
            Invalid::new(
                format!("{path}.level_id"),
                "is not a level of the criterion",
            )
        })?;
        return Ok((Some(level.id.clone()), level.points));
    }
    let score = given
        .score
        .ok_or_else(|| Invalid::missing(format!("{path}.score")))?;
    if score > criterion.max_points {
        let limit = criterion.max_points;
        return Err(Invalid::new(
            format!("{path}.score"),
            format!("must be at most {limit}"),
        ));
    }
    Ok((None, score))
}
