//! Whether a text is in the language it should be in.
//!
//! A vote of the small words that every sentence has, for the languages whose small words are known; of any other
//! language nothing is said. Short texts are given the benefit of the doubt.

use crate::language::Language;
use crate::words::{fold, tokens};

/// Fewest small words of another language that make a case.
const VOTES: usize = 3;
/// Fewest words of a text in which there should be small ones.
const WORDS: usize = 15;
/// Fewest letters of a text whose script is looked at.
const LETTERS: usize = 20;

/// Whether a text is clearly not in the language of a BCP-47 tag.
pub(super) fn is_other_language(text: &str, tag: &str) -> bool {
    let wanted = Language::of_tag(tag);
    wanted != Language::Other && (is_other_script(text, wanted) || is_outvoted(text, wanted))
}

fn is_outvoted(text: &str, wanted: Language) -> bool {
    let folded = fold(text);
    let votes = |language: Language| {
        let words = tokens(&folded, language);
        let small = words
            .iter()
            .filter(|word| language.is_stop_word(word) || language.is_negation(word));
        (small.count(), words.len())
    };
    let (own, words) = votes(wanted);
    let best = Language::KNOWN
        .into_iter()
        .filter(|language| *language != wanted)
        .map(|language| votes(language).0)
        .max()
        .unwrap_or_default();
    (best >= VOTES && best > own * 2) || (words >= WORDS && own * 10 < words)
}

fn is_other_script(text: &str, wanted: Language) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let is_own = |letter: char| {
        if wanted == Language::Arabic {
            matches!(letter, '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' | '\u{FB50}'..='\u{FEFC}')
        } else {
            matches!(letter, 'A'..='Z' | 'a'..='z' | '\u{00AA}'..='\u{024F}' | '\u{1E00}'..='\u{1EFF}')
        }
    };
    let all = letters.clone().count();
    let own = letters.filter(|letter| is_own(*letter)).count();
    all >= LETTERS && own * 2 < all
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const ENGLISH: &str =
        "Good start: you name the danger, and the time is right. Next, say why it matters.";
    const SPANISH: &str = "Muy bien hecho, pero falta el registro de la temperatura en la cámara.";
    const RUSSIAN: &str = "Хорошее начало, но не хватает записи температуры.";
    const ARABIC: &str = "بداية جيدة ولكن ينقص تسجيل درجة الحرارة في هذا النص";
    const DUTCH: &str = "Goed begonnen, maar het register van temperaturen ontbreekt nog steeds; schrijf daar volgende keer iets over op.";

    #[rstest]
    #[case(SPANISH, "en")]
    #[case(RUSSIAN, "en-GB")]
    #[case(DUTCH, "en")]
    #[case(ENGLISH, "es")]
    #[case(ENGLISH, "ar")]
    #[case(ARABIC, "de")]
    fn another_language_is_seen(#[case] text: &str, #[case] tag: &str) {
        assert!(is_other_language(text, tag));
    }

    #[rstest]
    #[case(ENGLISH, "en")]
    #[case(SPANISH, "es-MX")]
    #[case(ARABIC, "ar")]
    #[case("Good start.", "de")]
    #[case("", "de")]
    #[case(DUTCH, "nl")]
    #[case(
        "You wrote \"las fracciones son equivalentes\", and that is the point of it.",
        "en"
    )]
    fn the_right_one_and_what_cannot_be_told_is_let_pass(#[case] text: &str, #[case] tag: &str) {
        assert!(!is_other_language(text, tag));
    }
}
