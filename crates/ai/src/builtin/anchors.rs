//! Anchors: submissions of the same assignment that a person graded, by which the grader finds the teacher's scale.
//!
//! The mean deviation shifts the result, and what is like an anchor is drawn towards that anchor's deviation. An
//! upward shift reaches only what looks like an answer, so text about something else gains next to nothing.

use std::collections::BTreeMap;

use super::constants::{
    ANCHOR_FOURGRAM, ANCHOR_PAIR, ANCHOR_STEM, GOOD_ANCHOR, KERNEL_PRIOR, LIKE_AN_ANCHOR,
    SHIFT_PRIOR, USUAL_SIMILARITY,
};
use super::criterion::CriterionMatch;
use super::score::four_decimals;
use super::similarity::{Words, product};
use crate::numbers::count;
use crate::words::{fold, squeezed};

/// A text as a direction: stems, pairs of stems and four neighbouring characters, of length 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Vector(Vec<(u64, f64)>);

impl Vector {
    pub(crate) fn of(text: &str, words: &Words) -> Self {
        let mut parts: BTreeMap<u64, f64> = BTreeMap::new();
        let mut add = |tag: u8, text: &mut dyn Iterator<Item = u8>, weight: f64| {
            *parts.entry(fingerprint(tag, text)).or_insert(0.0) += weight;
        };
        let stems = &words.stems;
        for stem in stems {
            add(b's', &mut stem.text.bytes(), ANCHOR_STEM);
        }
        for (first, second) in stems.iter().zip(stems.iter().skip(1)) {
            let both = first.text.bytes().chain([b' ']).chain(second.text.bytes());
            add(b'p', &mut { both }, ANCHOR_PAIR);
        }
        let characters: Vec<char> = squeezed(&fold(text)).chars().collect();
        for run in characters.windows(4) {
            let bytes = run.iter().flat_map(|c| u32::from(*c).to_be_bytes());
            add(b'g', &mut { bytes }, ANCHOR_FOURGRAM);
        }
        let length = parts
            .values()
            .map(|value| value * value)
            .sum::<f64>()
            .sqrt();
        let parts = parts.into_iter();
        Self(parts.map(|(key, value)| (key, value / length)).collect())
    }

    /// Its parts, in order of what they stand for, with how much of the direction is theirs.
    pub(crate) fn parts(&self) -> &[(u64, f64)] {
        &self.0
    }

    /// The cosine of the angle between two texts, 0 to 1.
    pub(crate) fn cosine(&self, other: &Self) -> f64 {
        product(&self.0, &other.0)
    }
}

/// FNV-1a, 64 bits: short, the same everywhere, and far too wide for two parts of a text to meet by chance.
fn fingerprint(tag: u8, text: &mut dyn Iterator<Item = u8>) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325;
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.fold(step(start, tag), step)
}

/// An anchor as it bears on one submission and one criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GradedAnchor {
    /// The share of the points that a person gave, 0 to 1.
    pub(crate) given: f64,
    /// What word matching alone finds in it.
    pub(crate) found: CriterionMatch,
    /// How alike it and the submission are, 0 to 1.
    pub(crate) cosine: f64,
}

/// The share of the points after the anchors, 0 to 1, four decimals; without any, what was found.
pub(crate) fn calibrated(found: &CriterionMatch, anchors: &[GradedAnchor]) -> f64 {
    if anchors.is_empty() {
        return found.probability;
    }
    let deviation = |anchor: &GradedAnchor| anchor.given - anchor.found.probability;
    let shift = anchors.iter().map(deviation).sum::<f64>() / (count(anchors.len()) + SHIFT_PRIOR);
    let (mut near, mut kernel) = (0.0, 0.0);
    for anchor in anchors {
        let weight = anchor.cosine.max(0.0) * anchor.cosine.max(0.0);
        kernel += weight;
        near += weight * (deviation(anchor) - shift);
    }
    let reach = if shift <= 0.0 {
        1.0
    } else {
        reach(found, anchors)
    };
    let calibrated = found.probability + reach * shift + near / (kernel + KERNEL_PRIOR);
    four_decimals(calibrated.clamp(0.0, 1.0))
}

/// How much of an upward shift a text gets: all if it is as near to the references as good answers are, or near to
/// an anchor.
fn reach(found: &CriterionMatch, anchors: &[GradedAnchor]) -> f64 {
    let good = anchors.iter().filter(|anchor| anchor.given >= GOOD_ANCHOR);
    let usual = median(good.map(|anchor| anchor.found.similarity).collect());
    let usual = usual.unwrap_or(USUAL_SIMILARITY);
    let by_reference = if usual > 0.0 {
        found.similarity / usual
    } else {
        1.0
    };
    let nearest = anchors.iter().map(|anchor| anchor.cosine);
    let by_anchor = nearest.fold(0.0, f64::max) / LIKE_AN_ANCHOR;
    let reach = by_reference.max(by_anchor).min(1.0);
    reach * reach
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    let upper = *numbers.get(middle)?;
    if numbers.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = numbers.get(middle.checked_sub(1)?)?;
    Some(f64::midpoint(*lower, upper))
}

/// At most `most` of the anchors, newest first as they come; of too many, as evenly from all grades as there are.
pub(crate) fn stratified<T>(anchors: Vec<(f64, T)>, most: usize) -> Vec<(f64, T)> {
    if anchors.len() <= most {
        return anchors;
    }
    let band = |share: f64| BANDS.iter().filter(|limit| share > **limit).count();
    let mut seen = [0_usize; BANDS.len() + 1];
    let mut ranked: Vec<(usize, usize, (f64, T))> = Vec::new();
    for (index, anchor) in anchors.into_iter().enumerate() {
        let rank = seen.get_mut(band(anchor.0)).map_or(0, |seen| {
            *seen += 1;
            *seen
        });
        ranked.push((rank, index, anchor));
    }
    ranked.sort_by_key(|(rank, index, _)| (*rank, *index));
    ranked.truncate(most);
    ranked.sort_by_key(|(_, index, _)| *index);
    ranked.into_iter().map(|(_, _, anchor)| anchor).collect()
}

/// Where the grades are parted so that each part is heard.
const BANDS: [f64; 4] = [0.2, 0.4, 0.6, 0.8];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn found(probability: f64, similarity: f64) -> CriterionMatch {
        CriterionMatch {
            probability,
            similarity,
            ..CriterionMatch::default()
        }
    }

    fn graded(given: f64, probability: f64, similarity: f64, cosine: f64) -> GradedAnchor {
        GradedAnchor {
            given,
            found: found(probability, similarity),
            cosine,
        }
    }

    /// Computed by hand: b = (0.6 + 0.2)/6, kernel 0.25 and 0, the similarity reaches the median.
    #[test]
    fn the_formula_is_that_of_the_version() {
        let anchors = [graded(1.0, 0.4, 0.5, 0.5), graded(0.5, 0.3, 0.3, 0.0)];
        let shift: f64 = 0.8 / 6.0;
        let near = 0.25 * (0.6 - shift) / 0.45;
        let expected = 0.2 + shift + near;
        let value = calibrated(&found(0.2, 0.4), &anchors);
        assert!((value - expected).abs() < 6e-5, "{value} {expected}");
        assert!((calibrated(&found(0.2, 0.4), &[]) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn what_is_unlike_any_answer_gains_next_to_nothing_from_generous_grades() {
        let anchors = [graded(1.0, 0.2, 0.5, 0.05), graded(1.0, 0.3, 0.5, 0.02)];
        assert!(calibrated(&found(0.0, 0.05), &anchors) < 0.03);
        assert!(calibrated(&found(0.2, 0.5), &anchors) > 0.4);
    }

    #[test]
    fn strict_grades_lower_everything() {
        let anchors = [graded(0.0, 0.6, 0.5, 0.0), graded(0.2, 0.8, 0.5, 0.0)];
        assert!(calibrated(&found(0.5, 0.01), &anchors) < 0.31);
    }

    #[test]
    fn texts_are_like_themselves_and_unlike_others() {
        let vector = |text| Vector::of(text, &Words::of(text, Language::English));
        let text = vector("Spores survive the cooking.");
        assert!((text.cosine(&text) - 1.0).abs() < 1e-9);
        assert!(text.cosine(&vector("A quick brown fox")) < 0.1);
        assert!(text.cosine(&vector("")).abs() < 1e-9);
    }

    #[test]
    fn of_too_many_anchors_every_grade_is_heard_and_the_newest_first() {
        let mut all: Vec<(f64, usize)> = (0..60).map(|index| (1.0, index)).collect();
        all.push((0.0, 60));
        let kept = stratified(all, 50);
        assert_eq!(kept.len(), 50);
        assert_eq!((kept[0].1, kept[48].1, kept[49].1), (0, 48, 60));
    }
}
