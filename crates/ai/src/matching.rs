//! How well two words match: what grading, the tutor and the search for passages compare by.
//!
//! The numbers here are part of the built-in grader's version: its fingerprint holds them.

use crate::words::Stem;

/// What a match of words that are not the same counts: one begins the other, one slip, two slips.
pub(crate) const PREFIX: f64 = 0.9;
pub(crate) const ONE_SLIP: f64 = 0.9;
pub(crate) const TWO_SLIPS: f64 = 0.8;
/// From how many letters on such matches count: a beginning or one slip, two slips.
pub(crate) const LONG_WORD: usize = 5;
pub(crate) const LONGER_WORD: usize = 8;

/// How well two words match, 0 to 1: the same stem, a beginning, or a slip of the pen.
pub(crate) fn word_match(a: &Stem, b: &Stem) -> f64 {
    if a.text == b.text {
        return 1.0;
    }
    if a.number || b.number || a.text.chars().next() != b.text.chars().next() {
        return 0.0;
    }
    let (long, short) = if a.text.len() >= b.text.len() {
        (&a.text, &b.text)
    } else {
        (&b.text, &a.text)
    };
    // Bytes are at least as many as letters, so the cheap look may only say no.
    if short.len() < LONG_WORD {
        return 0.0;
    }
    let (longer, shorter) = (long.chars().count(), short.chars().count());
    if shorter.min(longer) >= LONG_WORD
        && (long.starts_with(short.as_str()) || short.starts_with(long.as_str()))
    {
        return PREFIX;
    }
    let length = shorter.min(longer);
    if length < LONG_WORD || longer.abs_diff(shorter) > 2 {
        return 0.0;
    }
    // Optimal string alignment: insertions, deletions, substitutions, swapped neighbours.
    match strsim::osa_distance(long, short) {
        1 => ONE_SLIP,
        2 if length >= LONGER_WORD => TWO_SLIPS,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::language::Language;
    use crate::words::stems;

    #[rstest]
    #[case("bacteria", "bakteria", 0.9)]
    #[case("toxin", "toxni", 0.9)]
    #[case("magnesium", "magnisiom", 0.8)]
    #[case("terminal", "terminals", 1.0)]
    #[case("insulator", "insulatory", 0.9)]
    #[case("spore", "poser", 0.0)]
    #[case("cell", "cells", 1.0)]
    #[case("hot", "hat", 0.0)]
    #[case("1234567", "1234568", 0.0)]
    fn words_match_by_stem_beginning_or_slip(
        #[case] a: &str,
        #[case] b: &str,
        #[case] expected: f64,
    ) {
        let (a, b) = (stems(a, Language::English), stems(b, Language::English));
        let found = word_match(&a[0], &b[0]);
        assert!((found - expected).abs() < 1e-9, "{found}");
        assert!((word_match(&b[0], &a[0]) - expected).abs() < 1e-9);
    }
}
