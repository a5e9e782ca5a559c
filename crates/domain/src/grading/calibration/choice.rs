//! Which answers a teacher grades next: those from which a grader learns most, and others that nobody chose.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::grading::release::draw::Seed;
use crate::ids::{AssignmentId, SubmissionId};
use crate::points::Points;

/// Into how many parts the answers fall by what AI gives them; one of each is chosen.
pub const PARTS: usize = 5;
/// How many answers are drawn for testing.
pub const DRAWN: usize = 20;
/// So many answers of a part are held against each other.
pub const MOST_COMPARED: usize = 40;
/// So many characters of an answer are looked at.
const MOST_READ: usize = 1_000;

/// An answer that no person has graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub id: SubmissionId,
    /// What AI gives it.
    pub score: Points,
}

/// The answers from which one is to be chosen, for each fifth of what AI gives: those in its middle, at most
/// [`MOST_COMPARED`]. Fewer than five answers are a part each.
pub fn fifths(mut waiting: Vec<Waiting>) -> Vec<Vec<SubmissionId>> {
    waiting.sort_by_key(|one| (one.score, one.id));
    let count = waiting.len();
    (0..PARTS)
        .filter_map(|part| waiting.get(part * count / PARTS..(part + 1) * count / PARTS))
        .filter(|part| !part.is_empty())
        .map(|part| {
            let cut = part.len().saturating_sub(MOST_COMPARED) / 2;
            let middle = part.iter().skip(cut).take(MOST_COMPARED);
            middle.map(|one| one.id).collect()
        })
        .collect()
}

/// The answer that is most like all others of its part: the highest mean similarity of its letters in threes (Jaccard),
/// which every script has. The first of those that are equally typical.
pub fn typical(part: &[(SubmissionId, String)]) -> Option<SubmissionId> {
    let grams: Vec<BTreeSet<[char; 3]>> = part.iter().map(|(_, text)| threes(text)).collect();
    let likeness = |at: usize| -> f64 {
        let own = grams.get(at);
        let others = grams.iter().enumerate().filter(|(other, _)| *other != at);
        others
            .filter_map(|(_, other)| own.map(|own| jaccard(own, other)))
            .sum()
    };
    let mut best: Option<(SubmissionId, f64)> = None;
    for (at, (id, _)) in part.iter().enumerate() {
        let likeness = likeness(at);
        if best.is_none_or(|(_, most)| likeness > most) {
            best = Some((*id, likeness));
        }
    }
    best.map(|(id, _)| id)
}

fn threes(text: &str) -> BTreeSet<[char; 3]> {
    let letters: Vec<char> = text
        .chars()
        .take(MOST_READ)
        .flat_map(char::to_lowercase)
        .collect();
    letters
        .windows(3)
        .filter_map(|three| three.try_into().ok())
        .collect()
}

fn jaccard(one: &BTreeSet<[char; 3]>, other: &BTreeSet<[char; 3]>) -> f64 {
    let common = one.intersection(other).count();
    let all = one.len() + other.len() - common;
    let [common, all] =
        [common, all].map(|count| f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    if all > 0.0 { common / all } else { 0.0 }
}

/// Answers for testing, by lot: for one assignment the same each time it is asked, so that asking again is no way to
/// others. What is promised to a third party is drawn with a sealed seed instead.
pub fn drawn(assignment: AssignmentId, waiting: &[SubmissionId]) -> Vec<SubmissionId> {
    let seed = Seed::new(Sha256::digest(format!("lyceum-calibration-1\n{assignment}")).into());
    let named: Vec<(String, SubmissionId)> =
        waiting.iter().map(|id| (id.to_string(), *id)).collect();
    let all: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    let sample = seed.sample(&all, DRAWN);
    let id_of = |name: &str| named.iter().find(|(one, _)| one == name).map(|(_, id)| *id);
    sample.into_iter().filter_map(id_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use uuid::Uuid;

    fn id(number: u128) -> SubmissionId {
        Id::from_uuid(Uuid::from_u128(number))
    }

    fn waiting(scores: impl IntoIterator<Item = u16>) -> Vec<Waiting> {
        let numbered = (1..).zip(scores);
        numbered
            .map(|(number, score)| Waiting {
                id: id(number),
                score: Points::whole(score),
            })
            .collect()
    }

    #[test]
    fn each_fifth_of_the_scores_is_a_part() {
        let parts = fifths(waiting([90, 10, 50, 30, 70, 95, 15, 55, 35, 75]));
        let expected = [[2, 7], [4, 9], [3, 8], [5, 10], [1, 6]];
        assert_eq!(parts, expected.map(|part| part.map(id).to_vec()).to_vec());
    }

    #[test]
    fn few_answers_are_chosen_each_and_of_many_the_middle_is_compared() {
        assert_eq!(fifths(waiting([5, 1, 3])).concat(), [id(2), id(3), id(1)]);
        assert!(fifths(Vec::new()).is_empty());
        let many = fifths(waiting(0..500));
        assert!(many.iter().all(|part| part.len() == MOST_COMPARED));
        assert_eq!(
            many[0][0],
            id(31),
            "the first hundred without thirty at either end"
        );
    }

    #[test]
    fn what_is_like_the_others_is_typical_in_every_script() {
        let part = |texts: [&str; 3]| {
            let numbered = (1..).zip(texts);
            numbered
                .map(|(number, text)| (id(number), text.to_owned()))
                .collect::<Vec<_>>()
        };
        let english = part([
            "I do not know.",
            "Water boils faster when the air is thin.",
            "Water boils when the air is thin, and faster.",
        ]);
        assert_ne!(typical(&english), Some(id(1)));
        let chinese = part([
            "水在高山上更快沸腾",
            "我不知道答案是什么",
            "水在高山上沸腾得更快",
        ]);
        assert_ne!(typical(&chinese), Some(id(2)));
        assert_eq!(typical(&part(["", "", ""])), Some(id(1)));
        assert_eq!(typical(&[]), None);
    }

    #[test]
    fn the_lot_is_the_same_each_time_and_another_for_another_assignment() {
        let all: Vec<SubmissionId> = (1..=100).map(id).collect();
        let one = drawn(Id::from_uuid(Uuid::from_u128(1)), &all);
        assert_eq!(one.len(), DRAWN);
        assert_eq!(one, drawn(Id::from_uuid(Uuid::from_u128(1)), &all));
        assert_ne!(one, drawn(Id::from_uuid(Uuid::from_u128(2)), &all));
        let fewer: Vec<SubmissionId> = all.iter().copied().filter(|id| one[0] != *id).collect();
        assert_eq!(
            drawn(Id::from_uuid(Uuid::from_u128(1)), &fewer)[..19],
            one[1..]
        );
    }
}
