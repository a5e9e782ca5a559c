//! From a proposal to a judgement: checked against rubric and text, summed up in whole hundredths.

use super::{CriterionProposal, CriterionResult, Evidence, GradeProposal, Judgement};
use crate::points::{Points, WeightedPart, weighted_score};
use crate::rubric::{Criterion, Rubric};

/// Checks a proposal against rubric and submission and sums it up.
///
/// Unknown criteria are dropped and of doubles the first counts; a missing criterion gives nothing and is a
/// reason for review; points are those of the chosen level, or clamped to the criterion; quotes that do not
/// stand in the submission are dropped, and points without any verified quote are a reason for review.
pub fn judge(
    rubric: &Rubric,
    text: &str,
    proposal: &GradeProposal,
    max_score: Points,
) -> Judgement {
    let mut reasons = proposal.flags.clone();
    let criteria: Vec<CriterionResult> = rubric
        .criteria
        .iter()
        .map(|criterion| {
            let found = proposal
                .criteria
                .iter()
                .find(|given| given.criterion_id == criterion.id);
            if let Some(given) = found {
                judge_criterion(criterion, given, text, &mut reasons)
            } else {
                reasons.push("criterion_missing".to_owned());
                unjudged(criterion)
            }
        })
        .collect();
    reasons.sort();
    reasons.dedup();
    let score = total(rubric, &criteria, max_score);
    Judgement {
        criteria,
        score,
        review_reasons: reasons,
    }
}

/// The score out of `max_score` for judged criteria, by the rubric's weights.
pub fn total(rubric: &Rubric, criteria: &[CriterionResult], max_score: Points) -> Points {
    let parts: Vec<WeightedPart> = criteria
        .iter()
        .filter_map(|result| {
            let weight = rubric.criterion(&result.criterion_id)?.weight;
            Some(WeightedPart {
                reached: result.score,
                possible: result.max_score,
                weight,
            })
        })
        .collect();
    weighted_score(&parts, max_score)
}

fn judge_criterion(
    criterion: &Criterion,
    given: &CriterionProposal,
    text: &str,
    reasons: &mut Vec<String>,
) -> CriterionResult {
    let named = given.level_id.as_deref().and_then(|id| criterion.level(id));
    let level = named.or_else(|| criterion.nearest_level(given.points));
    let score = level
        .map_or(given.points, |level| level.points)
        .at_most(criterion.max_points);
    let evidence: Vec<Evidence> = given
        .quotes
        .iter()
        .filter_map(|(quote, occurrence)| Evidence::locate(text, quote, *occurrence))
        .collect();
    if evidence.len() * 3 < given.quotes.len() * 2 {
        reasons.push("evidence_not_found".to_owned());
    }
    let lowest = criterion
        .levels
        .iter()
        .map(|level| level.points)
        .min()
        .unwrap_or_default();
    let unsupported = evidence.is_empty() && score > lowest;
    if unsupported {
        reasons.push("points_without_evidence".to_owned());
    }
    // A grader that cannot point at anything cannot be sure.
    let confidence = given.confidence.map(|said| {
        if unsupported {
            said.min(30)
        } else {
            said.min(100)
        }
    });
    CriterionResult {
        criterion_id: criterion.id.clone(),
        name: criterion.name.clone(),
        level_id: level.map(|level| level.id.clone()),
        score,
        max_score: criterion.max_points,
        // Not every database can hold the character, and no reason needs it.
        rationale: given.rationale.replace('\0', ""),
        evidence,
        confidence,
        missing: given.missing.clone(),
        not_judged: given.not_judged.clone(),
    }
}

fn unjudged(criterion: &Criterion) -> CriterionResult {
    let lowest = criterion.levels.iter().min_by_key(|level| level.points);
    CriterionResult {
        criterion_id: criterion.id.clone(),
        name: criterion.name.clone(),
        level_id: lowest.map(|level| level.id.clone()),
        score: lowest.map_or(Points::ZERO, |level| level.points),
        max_score: criterion.max_points,
        rationale: String::new(),
        evidence: Vec::new(),
        confidence: Some(0),
        missing: Vec::new(),
        not_judged: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rubric() -> Rubric {
        let value = json!({"criteria": [
            {"id": "a", "name": "A", "max_points": 10, "weight": 3},
            {"id": "b", "name": "B", "levels": [
                {"id": "no", "label": "no", "points": 0}, {"id": "yes", "label": "yes", "points": 4}]},
        ]});
        Rubric::parse("rubric", value.as_object().unwrap()).unwrap()
    }

    fn given(id: &str, points: u16, quotes: &[&str]) -> CriterionProposal {
        CriterionProposal {
            criterion_id: id.into(),
            level_id: None,
            points: Points::whole(points),
            rationale: "because".into(),
            quotes: quotes
                .iter()
                .map(|quote| ((*quote).to_owned(), 1))
                .collect(),
            confidence: Some(90),
            missing: Vec::new(),
            not_judged: None,
        }
    }

    fn proposal(criteria: Vec<CriterionProposal>) -> GradeProposal {
        GradeProposal {
            criteria,
            feedback: String::new(),
            flags: Vec::new(),
        }
    }

    const TEXT: &str = "Wäsche dich. Wash your hands. Wash your hands again.";

    #[test]
    fn points_are_clamped_snapped_to_levels_and_weighted() {
        let proposal = proposal(vec![given("b", 3, &["Wash"]), given("a", 99, &["hands"])]);
        let judged = judge(&rubric(), TEXT, &proposal, Points::HUNDRED);
        assert_eq!(judged.criteria[0].score, Points::whole(10));
        assert_eq!(judged.criteria[1].level_id.as_deref(), Some("yes"));
        assert_eq!(judged.score, Points::HUNDRED);
        assert!(judged.review_reasons.is_empty());
    }

    #[test]
    fn invented_quotes_are_dropped_and_ask_for_a_person() {
        let proposal = proposal(vec![given("a", 5, &["never said"]), given("b", 0, &[])]);
        let judged = judge(&rubric(), TEXT, &proposal, Points::HUNDRED);
        assert!(judged.criteria[0].evidence.is_empty());
        assert_eq!(judged.criteria[0].confidence, Some(30));
        assert_eq!(
            judged.review_reasons,
            ["evidence_not_found", "points_without_evidence"]
        );
        assert_eq!(judged.score, Points::from_hundredths(3_750));
    }

    #[test]
    fn missing_unknown_and_doubled_criteria_cannot_move_the_score_up() {
        let proposal = proposal(vec![
            given("a", 5, &["Wash"]),
            given("a", 10, &["Wash"]),
            given("zzz", 10, &["Wash"]),
        ]);
        let judged = judge(&rubric(), TEXT, &proposal, Points::HUNDRED);
        assert_eq!(judged.score, Points::from_hundredths(3_750));
        assert_eq!(judged.review_reasons, ["criterion_missing"]);
    }
}
