//! Words that show each other: a half of a compound, and meanings that say nearly the same.

use crate::language::Language;
use crate::words::{Stem, stems};

/// Fewest letters of a half that is recognised: "Fett" in "Fettexplosion".
const HALF: usize = 4;
/// Two meanings with this share (in per cent) of the shorter one's words say nearly the same.
const SHARED_PERCENT: usize = 50;

/// Whether a text shows a half of a term: a word that begins like one of its words, or that it begins or ends with.
pub(super) fn shares_half(term: &str, text: &str, language: Language) -> bool {
    let (asked, seen) = (stems(term, language), stems(text, language));
    asked
        .iter()
        .any(|asked| seen.iter().any(|seen| is_half(asked, seen)))
}

fn is_half(one: &Stem, other: &Stem) -> bool {
    let (one, other) = (one.text.as_str(), other.text.as_str());
    let alike = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let (short, long) = if one.chars().count() <= other.chars().count() {
        (one, other)
    } else {
        (other, one)
    };
    let is_long = short.chars().count() >= HALF;
    // Alike up to the end of the shorter one but for a joint or an ending: "Kühl|kette", "Kühl|ung".
    let begins_alike = alike >= HALF && alike + 3 >= short.chars().count();
    begins_alike || (is_long && (long.starts_with(short) || long.ends_with(short)))
}

/// Whether two meanings share so many words that what is true of one may be true of the other.
pub(super) fn says_nearly_the_same(one: &str, other: &str, language: Language) -> bool {
    let (one, other) = (stems(one, language), stems(other, language));
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let shared = short
        .iter()
        .filter(|word| long.iter().any(|known| known.text == word.text));
    let shared = shared.count();
    // The genus alone says that they are of one sort.
    shared >= 2 && shared * 100 >= short.len() * SHARED_PERCENT
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Fettexplosion", "eine Verdampfung in brennendem Fett", true)]
    #[case("Kühlkette", "die lückenlose Kühlung vom Hersteller an", true)]
    #[case("Eigenkapital", "der Teil des Kapitals, der den Gründern gehört", true)]
    #[case("Wechselstrom", "ein Strom, der seine Richtung ändert", true)]
    #[case("Bilanz", "eine Gegenüberstellung von Vermögen und Kapital", false)]
    fn a_half_of_a_compound_is_seen(
        #[case] term: &str,
        #[case] text: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(shares_half(term, text, Language::German), expected);
    }

    #[rstest]
    #[case(
        "a carbohydrate made of many glucose units",
        "a carbohydrate made of glucose that forms walls",
        true
    )]
    #[case("a device that measures heat", "a device that bakes bread", false)]
    fn meanings_are_nearly_the_same_or_not(
        #[case] one: &str,
        #[case] other: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(
            says_nearly_the_same(one, other, Language::English),
            expected
        );
    }
}
