//! Every number that decides a grade of the built-in grader, and their fingerprint. Those that decide what is a word and
//! what matches it stand with the words and their matching, which others read by, too.
//!
//! The weights were fitted by logistic regression on the training splits of `SemEval`-2013 Task 7 (both corpora
//! pooled, standardised features, C = 0.03, a right answer counting 1.2) and rounded to two decimals, which a test does anew;
//! those of the anchors on the training splits of `SemEval` and SAF. They are the version `builtin-lexical-2`: whoever changes one makes another version.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::denials;
use crate::language::Language;
use crate::matching::{LONG_WORD, LONGER_WORD, ONE_SLIP, PREFIX, TWO_SLIPS};
use crate::opposites;
use crate::words::{MAX_CHARS, NEGATION_FADES, NEGATION_SCOPE};

/// Version of the algorithm.
pub(super) const VERSION: &str = "builtin-lexical-2";

/// What a word that also stands in the question counts: saying it again proves little.
pub(super) const DEMOTED: f64 = 0.25;

/// What the similarity s is made of.
pub(super) const S_RECALL: f64 = 0.4;
pub(super) const S_F1: f64 = 0.3;
pub(super) const S_TRIGRAMS: f64 = 0.3;

/// How much less a reference is like an answer that says the contrary, all of it, when one of several is chosen.
pub(super) const CONTRARY: f64 = 0.9;

/// The weights of the logistic regression, in the order in which sums are made.
pub(super) const WEIGHTS: [(&str, f64); 20] = [
    ("intercept", -1.20),
    ("similarity", 1.51),
    ("recall", -0.28),
    ("precision", 0.72),
    ("trigrams", 0.91),
    ("order", 0.77),
    ("pairs", 0.17),
    ("numbers", 0.05),
    ("negation", -0.91),
    ("parroting", 0.18),
    ("reference_length", -0.61),
    ("answer_length", 0.57),
    ("references", -0.81),
    ("new_in_reference", -0.49),
    ("new_in_answer", -0.01),
    ("opposed", -0.39),
    ("new_recall", 1.33),
    ("nothing_new", 0.39),
    ("reference_negated", 0.00),
    ("answer_negated", 0.72),
];

/// The word lists (stop words, negations, frames of denial, opposites) that [`WEIGHTS`] were fitted with.
#[cfg(test)]
const LISTS_HASH: &str = "078bb90dd9f9e659cade8336619e225318ef5912f6595261fd5c35fa5812d730";

/// Below this similarity nothing is given, and so much above it everything.
pub(super) const FLOOR: f64 = 0.03;
pub(super) const RAMP: f64 = 0.15;

/// How much the mean deviation of the anchors is drawn towards none, in anchors.
pub(super) const SHIFT_PRIOR: f64 = 4.0;
/// How much the nearest anchors' deviation is drawn towards none.
pub(super) const KERNEL_PRIOR: f64 = 0.2;
/// From this share of the points on an anchor shows what a good answer looks like.
pub(super) const GOOD_ANCHOR: f64 = 0.5;
/// The similarity a good answer has where no anchor shows it.
pub(super) const USUAL_SIMILARITY: f64 = 0.3;
/// The cosine with an anchor from which on an answer looks like one.
pub(super) const LIKE_AN_ANCHOR: f64 = 0.5;
/// What a stem, a pair of stems and four neighbouring characters count when texts are held against anchors.
pub(super) const ANCHOR_STEM: f64 = 2.0;
pub(super) const ANCHOR_PAIR: f64 = 1.0;
pub(super) const ANCHOR_FOURGRAM: f64 = 0.5;
/// From so many anchors on a result counts as calibrated, and is so much surer, in hundredths.
pub(super) const CALIBRATED: usize = 5;
pub(super) const CALIBRATED_BONUS: i32 = 20;
/// Highest confidence, in hundredths, where a flag is raised or nobody wrote a reference.
pub(super) const UNSURE: i32 = 20;

/// Most reference texts, key points and sentences read.
pub(super) const MAX_REFERENCES: usize = 20;
pub(super) const MAX_SENTENCES: usize = 150;
/// Longest run of sentences that a key point is looked for in.
pub(super) const POINT_WINDOW: usize = 2;

/// SHA-256 over everything that decides a grade: the version, each constant by name, and the word lists; lower-case
/// hex. Results of equal hash are comparable.
pub fn constants_hash() -> &'static str {
    static HASH: LazyLock<String> =
        LazyLock::new(|| lyceum_domain::hex::lower(&Sha256::digest(canonical().as_bytes())));
    &HASH
}

/// The constants' canonical text: `name=value` line by line, in a fixed order.
fn canonical() -> String {
    let numbers = [
        ("prefix", PREFIX),
        ("one_slip", ONE_SLIP),
        ("two_slips", TWO_SLIPS),
        ("demoted", DEMOTED),
        ("s.recall", S_RECALL),
        ("s.f1", S_F1),
        ("s.trigrams", S_TRIGRAMS),
        ("s.contrary", CONTRARY),
        ("floor", FLOOR),
        ("ramp", RAMP),
        ("anchors.shift_prior", SHIFT_PRIOR),
        ("anchors.kernel_prior", KERNEL_PRIOR),
        ("anchors.good", GOOD_ANCHOR),
        ("anchors.usual_similarity", USUAL_SIMILARITY),
        ("anchors.like", LIKE_AN_ANCHOR),
        ("anchors.stem", ANCHOR_STEM),
        ("anchors.pair", ANCHOR_PAIR),
        ("anchors.fourgram", ANCHOR_FOURGRAM),
        ("negation.scope", NEGATION_SCOPE),
        ("negation.fades", NEGATION_FADES),
    ];
    let counts = [
        ("long_word", LONG_WORD),
        ("longer_word", LONGER_WORD),
        ("anchors.calibrated", CALIBRATED),
        ("max.characters", MAX_CHARS),
        ("max.references", MAX_REFERENCES),
        ("max.sentences", MAX_SENTENCES),
        ("point_window", POINT_WINDOW),
    ];
    let mut lines = vec![format!("version={VERSION}")];
    lines.extend(WEIGHTS.map(|(name, value)| format!("z.{name}={value:.2}")));
    lines.extend(numbers.map(|(name, value)| format!("{name}={value:.2}")));
    lines.extend(counts.map(|(name, value)| format!("{name}={value}")));
    lines.push(format!("confidence.bonus={CALIBRATED_BONUS}"));
    lines.push(format!("confidence.unsure={UNSURE}"));
    lines.push(format!("lists={}", lists_hash()));
    lines.join("\n")
}

/// SHA-256 over the word lists that grading reads by, lower-case hex: [`LISTS_HASH`] as long as nobody changed one.
fn lists_hash() -> String {
    let mut lines = Vec::new();
    for language in Language::KNOWN {
        lines.push(format!("{language:?}.stop={}", language.stop_words()));
        lines.push(format!("{language:?}.not={}", language.negations()));
    }
    let denials = denials::lists().into_iter();
    lines.extend(denials.map(|(language, words)| format!("{language:?}.denials={words}")));
    let opposites = opposites::lists().into_iter();
    lines.extend(opposites.map(|(language, words)| format!("{language:?}.opposites={words}")));
    lyceum_domain::hex::lower(&Sha256::digest(lines.join("\n").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_belong_to_these_word_lists() {
        assert_eq!(
            lists_hash(),
            LISTS_HASH,
            "a word list changed: fit the weights anew (`fitting`), then pin its hash beside them"
        );
    }
}
