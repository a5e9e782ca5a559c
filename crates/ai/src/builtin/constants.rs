//! Every number that decides a grade of the built-in grader, and their fingerprint. Those that decide what is a word and
//! what matches it stand with the words and their matching, which others read by, too.
//!
//! The weights were fitted by logistic regression on the training splits of `SemEval`-2013 Task 7 (both corpora
//! pooled, standardised features, C = 0.03) and rounded to two decimals; those of the anchors on the training
//! splits of `SemEval` and SAF. They are the version `builtin-lexical-1`: whoever changes one makes another version.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::language::Language;
use crate::matching::{LONG_WORD, LONGER_WORD, ONE_SLIP, PREFIX, TWO_SLIPS};
use crate::words::{MAX_CHARS, NEGATION_FADES, NEGATION_SCOPE};

/// Version of the algorithm.
pub(super) const VERSION: &str = "builtin-lexical-1";

/// What a word that also stands in the question counts: saying it again proves little.
pub(super) const DEMOTED: f64 = 0.25;

/// What the similarity s is made of.
pub(super) const S_RECALL: f64 = 0.4;
pub(super) const S_F1: f64 = 0.3;
pub(super) const S_TRIGRAMS: f64 = 0.3;

/// The weights of the logistic regression.
pub(super) struct Weights {
    pub(super) intercept: f64,
    pub(super) similarity: f64,
    pub(super) recall: f64,
    pub(super) precision: f64,
    pub(super) trigrams: f64,
    pub(super) order: f64,
    pub(super) pairs: f64,
    pub(super) numbers: f64,
    pub(super) negation: f64,
    pub(super) parroting: f64,
    pub(super) reference_length: f64,
    pub(super) answer_length: f64,
    pub(super) references: f64,
    pub(super) new_in_reference: f64,
    pub(super) new_in_answer: f64,
}

pub(super) const WEIGHTS: Weights = Weights {
    intercept: 0.01,
    similarity: 2.29,
    recall: 0.36,
    precision: 0.70,
    trigrams: 1.30,
    order: 0.19,
    pairs: -0.11,
    numbers: 0.11,
    negation: -1.07,
    parroting: -2.57,
    reference_length: -0.60,
    answer_length: 0.41,
    references: -0.75,
    new_in_reference: -1.48,
    new_in_answer: 0.12,
};

/// Below this similarity nothing is given, and so much above it everything.
pub(super) const FLOOR: f64 = 0.03;
pub(super) const RAMP: f64 = 0.12;

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
    let w = WEIGHTS;
    let numbers = [
        ("prefix", PREFIX),
        ("one_slip", ONE_SLIP),
        ("two_slips", TWO_SLIPS),
        ("demoted", DEMOTED),
        ("s.recall", S_RECALL),
        ("s.f1", S_F1),
        ("s.trigrams", S_TRIGRAMS),
        ("z.intercept", w.intercept),
        ("z.similarity", w.similarity),
        ("z.recall", w.recall),
        ("z.precision", w.precision),
        ("z.trigrams", w.trigrams),
        ("z.order", w.order),
        ("z.pairs", w.pairs),
        ("z.numbers", w.numbers),
        ("z.negation", w.negation),
        ("z.parroting", w.parroting),
        ("z.reference_length", w.reference_length),
        ("z.answer_length", w.answer_length),
        ("z.references", w.references),
        ("z.new_in_reference", w.new_in_reference),
        ("z.new_in_answer", w.new_in_answer),
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
    lines.extend(numbers.map(|(name, value)| format!("{name}={value:.2}")));
    lines.extend(counts.map(|(name, value)| format!("{name}={value}")));
    lines.push(format!("confidence.bonus={CALIBRATED_BONUS}"));
    lines.push(format!("confidence.unsure={UNSURE}"));
    for language in Language::KNOWN {
        lines.push(format!("{language:?}.stop={}", language.stop_words()));
        lines.push(format!("{language:?}.not={}", language.negations()));
    }
    lines.join("\n")
}
