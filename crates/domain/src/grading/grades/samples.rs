//! Several answers to the same question: the middle one counts, and how many agree says how sure it is.

use super::{CriterionProposal, GradeProposal};
use crate::authoring::rubric::Rubric;

/// One proposal out of several: per criterion the one with the median points, and no surer of itself than the share
/// of proposals that give as many. Feedback is that of the proposal which is the middle one most often; every
/// reason for review that any of them gives counts.
///
/// Nothing comes of nothing. An even number gives the lower of the two in the middle.
pub fn middle(rubric: &Rubric, proposals: &[GradeProposal]) -> Option<GradeProposal> {
    let mut chosen = vec![0_usize; proposals.len()];
    let mut criteria = Vec::with_capacity(rubric.criteria.len());
    for criterion in &rubric.criteria {
        let Some((index, result)) = middle_of(&criterion.id, proposals) else {
            continue;
        };
        if let Some(times) = chosen.get_mut(index) {
            *times += 1;
        }
        criteria.push(result);
    }
    let most = chosen.iter().max()?;
    let spokesman = chosen.iter().position(|times| times == most)?;
    let mut flags: Vec<String> = proposals
        .iter()
        .flat_map(|proposal| proposal.flags.clone())
        .collect();
    flags.sort();
    flags.dedup();
    Some(GradeProposal {
        criteria,
        flags,
        ..proposals.get(spokesman)?.clone()
    })
}

/// The median answer on one criterion, and whose it is. Who left the criterion out has no say in it.
fn middle_of(id: &str, proposals: &[GradeProposal]) -> Option<(usize, CriterionProposal)> {
    let mut given: Vec<(usize, &CriterionProposal)> = proposals
        .iter()
        .enumerate()
        .filter_map(|(index, proposal)| {
            let found = proposal
                .criteria
                .iter()
                .find(|one| one.criterion_id == id)?;
            Some((index, found))
        })
        .collect();
    given.sort_by_key(|(index, one)| (one.points, *index));
    let (index, median) = given.get(given.len().checked_sub(1)? / 2).copied()?;
    let agreeing = given.iter().filter(|(_, one)| agrees(one, median)).count();
    let share = u8::try_from(agreeing * 100 / proposals.len().max(1)).unwrap_or(100);
    let mut result = median.clone();
    result.confidence = Some(result.confidence.map_or(share, |said| said.min(share)));
    Some((index, result))
}

/// Whether two answers come to the same.
fn agrees(one: &CriterionProposal, other: &CriterionProposal) -> bool {
    one.points == other.points && one.not_judged.is_some() == other.not_judged.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;
    use serde_json::json;

    fn rubric() -> Rubric {
        let value = json!({"criteria": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}]});
        Rubric::parse("rubric", value.as_object().unwrap()).unwrap()
    }

    fn proposal(feedback: &str, points: &[(&str, u16)]) -> GradeProposal {
        let criterion = |&(id, points): &(&str, u16)| CriterionProposal {
            criterion_id: id.to_owned(),
            level_id: None,
            points: Points::whole(points),
            rationale: feedback.to_owned(),
            quotes: Vec::new(),
            confidence: Some(90),
            missing: Vec::new(),
            not_judged: None,
        };
        GradeProposal {
            criteria: points.iter().map(criterion).collect(),
            feedback: feedback.to_owned(),
            flags: vec![format!("flag_{feedback}")],
        }
    }

    #[test]
    fn the_median_counts_and_agreement_limits_confidence() {
        let proposals = [
            proposal("x", &[("a", 10), ("b", 50)]),
            proposal("y", &[("a", 90), ("b", 50)]),
            proposal("z", &[("b", 50), ("a", 40)]),
        ];
        let middle = middle(&rubric(), &proposals).unwrap();
        let figures: Vec<_> = middle
            .criteria
            .iter()
            .map(|one| (one.points, one.confidence, one.rationale.as_str()))
            .collect();
        let expected = [
            (Points::whole(40), Some(33), "z"),
            (Points::whole(50), Some(90), "y"),
        ];
        assert_eq!(figures, expected);
        assert_eq!(middle.flags, ["flag_x", "flag_y", "flag_z"]);
    }

    #[test]
    fn who_leaves_a_criterion_out_agrees_with_nobody() {
        let proposals = [
            proposal("x", &[("a", 10)]),
            proposal("y", &[("a", 10), ("b", 70)]),
            proposal("z", &[("a", 10)]),
        ];
        let middle = middle(&rubric(), &proposals).unwrap();
        assert_eq!(middle.criteria[0].confidence, Some(90));
        assert_eq!(
            (middle.criteria[1].points, middle.criteria[1].confidence),
            (Points::whole(70), Some(33))
        );
    }

    #[test]
    fn one_answer_is_its_own_middle() {
        let only = proposal("x", &[("a", 10), ("b", 50)]);
        assert_eq!(middle(&rubric(), std::slice::from_ref(&only)), Some(only));
        assert_eq!(middle(&rubric(), &[]), None);
    }
}
