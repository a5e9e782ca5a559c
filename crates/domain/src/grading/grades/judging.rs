//! From a proposal to a judgement: checked against rubric and text, summed up in whole hundredths.

use super::{CriterionProposal, CriterionResult, Evidence, GradeProposal, Judgement, Passages};
use crate::authoring::rubric::{Criterion, Level, Rubric};
use crate::points::{Points, WeightedPart, weighted_score};

/// Why a criterion was left to somebody else, where the grader gives no reason that can be shown.
pub const NOBODY_JUDGED: &str = "needs_person_or_provider";

/// Most passages of a criterion that are looked up; what comes after them is dropped.
pub const MAX_QUOTES: usize = 20;

/// Highest confidence, in hundredths, where points rest on no passage: who cannot point at anything cannot be sure.
const CONFIDENCE_WITHOUT_EVIDENCE: u8 = 30;

/// Checks a proposal against rubric and submission and sums it up.
///
/// Unknown criteria are dropped and of doubles the first counts; a missing criterion gives nothing and is a
/// reason for review; points are those of the chosen level, or brought to the nearest that the criterion can give;
/// quotes that do not stand in the submission are dropped, and points without any verified quote are a reason for
/// review. What the grader could not judge is no part of the score.
pub fn judge(
    rubric: &Rubric,
    text: &str,
    proposal: &GradeProposal,
    max_score: Points,
) -> Judgement {
    let passages = Passages::of(text);
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
                judge_criterion(criterion, given, &passages, &mut reasons)
            } else {
                reasons.push("criterion_missing".to_owned());
                unjudged(criterion)
            }
        })
        .collect();
    let score = total(rubric, &criteria, max_score);
    if is_off_topic(&reasons) && is_more_than_a_fifth(score, max_score) {
        reasons.push("off_topic_with_points".to_owned());
    }
    reasons.sort();
    reasons.dedup();
    Judgement {
        criteria,
        score,
        review_reasons: reasons,
    }
}

/// The score out of `max_score` for judged criteria, by the rubric's weights; what nobody judged does not count.
pub fn total(rubric: &Rubric, criteria: &[CriterionResult], max_score: Points) -> Points {
    let parts: Vec<WeightedPart> = criteria
        .iter()
        .filter(|result| result.not_judged.is_none())
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

fn is_off_topic(reasons: &[String]) -> bool {
    reasons.iter().any(|reason| reason == "off_topic")
}

fn is_more_than_a_fifth(score: Points, max_score: Points) -> bool {
    i64::from(score.hundredths()) * 5 > i64::from(max_score.hundredths())
}

fn judge_criterion(
    criterion: &Criterion,
    given: &CriterionProposal,
    passages: &Passages<'_>,
    reasons: &mut Vec<String>,
) -> CriterionResult {
    if let Some(why) = &given.not_judged {
        let why = shown_reason(why);
        reasons.push(why.clone());
        return left_open(criterion, given, why);
    }
    let named = given.level_id.as_deref().and_then(|id| criterion.level(id));
    let level = named.or_else(|| criterion.nearest_level(given.points));
    let score = level.map_or_else(
        || criterion.nearest_points(given.points),
        |level| level.points.at_most(criterion.max_points),
    );
    let evidence = verified(given, passages, reasons);
    let lowest = lowest_level(criterion).map_or(Points::ZERO, |level| level.points);
    let unsupported = evidence.is_empty() && score > lowest;
    if unsupported {
        reasons.push("points_without_evidence".to_owned());
    }
    let limit = if unsupported {
        CONFIDENCE_WITHOUT_EVIDENCE
    } else {
        100
    };
    CriterionResult {
        level_id: level.map(|level| level.id.clone()),
        score,
        rationale: storable(&given.rationale),
        evidence,
        confidence: given.confidence.map(|said| said.min(limit)),
        missing: given.missing.iter().map(|idea| storable(idea)).collect(),
        ..empty(criterion)
    }
}

/// The quotes that stand in the submission; when more than a third do not, that is a reason for review.
fn verified(
    given: &CriterionProposal,
    passages: &Passages<'_>,
    reasons: &mut Vec<String>,
) -> Vec<Evidence> {
    let quotes = given.quotes.iter().take(MAX_QUOTES);
    let asked = quotes.len();
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut found = 0;
    for (quote, occurrence) in quotes {
        let Some(one) = passages.locate(quote, *occurrence) else {
            continue;
        };
        found += 1;
        if !evidence.contains(&one) {
            evidence.push(one);
        }
    }
    if too_few_stand(found, asked) {
        reasons.push("evidence_not_found".to_owned());
    }
    evidence
}

/// Whether more than a third of the quotes do not stand in the text.
pub const fn too_few_stand(found: usize, asked: usize) -> bool {
    found * 3 < asked * 2
}

/// A reason as it may be shown: a short word of our own kind, else the usual one.
fn shown_reason(why: &str) -> String {
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if (1..=64).contains(&why.len()) && why.chars().all(word) {
        why.to_owned()
    } else {
        NOBODY_JUDGED.to_owned()
    }
}

/// Not every database can hold the character, and no reason needs it.
fn storable(text: &str) -> String {
    text.replace('\0', "")
}

fn lowest_level(criterion: &Criterion) -> Option<&Level> {
    criterion.levels.iter().min_by_key(|level| level.points)
}

/// A criterion that the grader says it cannot judge.
fn left_open(criterion: &Criterion, given: &CriterionProposal, why: String) -> CriterionResult {
    CriterionResult {
        rationale: storable(&given.rationale),
        missing: given.missing.iter().map(|idea| storable(idea)).collect(),
        not_judged: Some(why),
        ..empty(criterion)
    }
}

/// A criterion that the grader forgot.
fn unjudged(criterion: &Criterion) -> CriterionResult {
    let lowest = lowest_level(criterion);
    CriterionResult {
        level_id: lowest.map(|level| level.id.clone()),
        score: lowest.map_or(Points::ZERO, |level| level.points),
        ..empty(criterion)
    }
}

/// Nothing reached, nothing said, no confidence.
fn empty(criterion: &Criterion) -> CriterionResult {
    CriterionResult {
        criterion_id: criterion.id.clone(),
        name: criterion.name.clone(),
        level_id: None,
        score: Points::ZERO,
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
    use proptest::prelude::*;
    use serde_json::json;

    fn rubric() -> Rubric {
        let value = json!({"criteria": [
            {"id": "a", "name": "A", "max_points": 10, "weight": 3},
            {"id": "b", "name": "B", "levels": [
                {"id": "no", "label": "no", "points": 0}, {"id": "yes", "label": "yes", "points": 4}]},
        ]});
        Rubric::parse("rubric", value.as_object().unwrap()).unwrap()
    }

    /// The same, with a criterion whose points come in steps.
    fn stepped() -> Rubric {
        let mut value = rubric().to_json();
        let criteria = value["criteria"].as_array_mut().unwrap();
        criteria.push(json!({"id": "c", "name": "C", "max_points": 2.75, "step": 0.5}));
        Rubric::parse("rubric", &value).unwrap()
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

    #[test]
    fn what_could_not_be_judged_is_no_part_of_the_score() {
        let mut open = given("b", 4, &["Wash"]);
        open.not_judged = Some(NOBODY_JUDGED.to_owned());
        let judged = judge(
            &rubric(),
            TEXT,
            &proposal(vec![given("a", 5, &["Wash"]), open.clone()]),
            Points::HUNDRED,
        );
        assert_eq!(judged.score, Points::whole(50));
        assert_eq!(judged.review_reasons, [NOBODY_JUDGED]);
        let left = &judged.criteria[1];
        assert_eq!(
            (left.score, left.confidence, left.level_id.as_deref()),
            (Points::ZERO, Some(0), None)
        );
        let mut odd = given("a", 5, &["Wash"]);
        odd.not_judged = Some("Ask <b>somebody</b>".to_owned());
        let judged = judge(&rubric(), TEXT, &proposal(vec![odd, open]), Points::HUNDRED);
        assert_eq!(judged.score, Points::ZERO);
        assert_eq!(judged.review_reasons, [NOBODY_JUDGED]);
    }

    #[test]
    fn a_third_of_the_quotes_may_be_wrong_and_no_more() {
        let third = given("a", 5, &["Wash your hands", "hands again", "never said"]);
        let half = given("b", 4, &["dich", "never said"]);
        let judged = |criteria| judge(&rubric(), TEXT, &proposal(criteria), Points::HUNDRED);
        let fine = judged(vec![third.clone(), given("b", 0, &[])]);
        assert!(fine.review_reasons.is_empty() && fine.criteria[0].evidence.len() == 2);
        assert_eq!(
            judged(vec![third, half]).review_reasons,
            ["evidence_not_found"]
        );
    }

    #[test]
    fn the_same_passage_is_kept_once() {
        let twice = given("a", 5, &["dich", "dich"]);
        let judged = judge(
            &rubric(),
            TEXT,
            &proposal(vec![twice, given("b", 0, &[])]),
            Points::HUNDRED,
        );
        assert_eq!(judged.criteria[0].evidence.len(), 1);
        assert!(judged.review_reasons.is_empty());
    }

    #[test]
    fn points_for_what_is_off_topic_are_a_contradiction() {
        let judged = |points| {
            let mut off = proposal(vec![given("a", points, &["Wash"]), given("b", 0, &[])]);
            off.flags = vec!["off_topic".to_owned()];
            judge(&rubric(), TEXT, &off, Points::HUNDRED).review_reasons
        };
        assert_eq!(judged(2), ["off_topic"]);
        assert_eq!(judged(3), ["off_topic", "off_topic_with_points"]);
    }

    fn proposals() -> impl Strategy<Value = GradeProposal> {
        let id = prop::sample::select(vec!["a", "b", "c", "zzz", ""]);
        let level = prop::option::of(prop::sample::select(vec!["no", "yes", "superb"]));
        let quote = prop::sample::select(vec![
            "Wash",
            "never",
            "",
            "Wäsche",
            "\0",
            "🍚",
            "dich.\r\nWash",
        ]);
        let quotes = prop::collection::vec((quote, 0..9_usize), 0..30);
        let given = (
            id,
            level,
            any::<i64>(),
            quotes,
            prop::option::of(any::<u8>()),
            any::<bool>(),
        );
        let given =
            given.prop_map(
                |(id, level, points, quotes, confidence, open)| CriterionProposal {
                    criterion_id: id.to_owned(),
                    level_id: level.map(str::to_owned),
                    points: Points::from_hundredths(points),
                    rationale: "\0because".to_owned(),
                    quotes: quotes
                        .into_iter()
                        .map(|(quote, at)| (quote.to_owned(), at))
                        .collect(),
                    confidence,
                    missing: Vec::new(),
                    not_judged: open.then(|| NOBODY_JUDGED.to_owned()),
                },
            );
        prop::collection::vec(given, 0..8).prop_map(proposal)
    }

    proptest! {
        #[test]
        fn no_proposal_moves_a_score_beyond_its_bounds(proposal in proposals(), max in 0..1_000_000_i64) {
            let max = Points::from_hundredths(max);
            let judged = judge(&stepped(), TEXT, &proposal, max);
            prop_assert!(judged.score <= max);
            prop_assert_eq!(judged.criteria.len(), 3);
            for (result, criterion) in judged.criteria.iter().zip(&stepped().criteria) {
                prop_assert_eq!(&result.criterion_id, &criterion.id);
                prop_assert!(result.score <= criterion.max_points);
                prop_assert_eq!(criterion.nearest_points(result.score), result.score);
                prop_assert!(result.confidence.is_none_or(|said| said <= 100));
                prop_assert!(result.evidence.len() <= MAX_QUOTES);
                for found in &result.evidence {
                    let stands: String = TEXT.chars().skip(found.start).take(found.end - found.start).collect();
                    prop_assert_eq!(&stands, &found.quote);
                }
                prop_assert!(!result.rationale.contains('\0'));
            }
        }
    }
}
