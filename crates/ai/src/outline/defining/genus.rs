//! What sort of thing a definition says its term is: the genus of "the lowest *temperature* at which …".
//!
//! The genus is the head noun of the meaning; where two meanings have different heads, broad sorts in the manner of
//! `WordNet`'s lexicographer files (Miller, "`WordNet`: A Lexical Database for English", CACM 1995) tell whether they are alike.

mod words;

use super::Definition;
use crate::language::Language;
use crate::words::fold;

/// Fewest letters of a word that may end a compound.
const COMPOUND_END: usize = 4;

/// A broad sort of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThingSort {
    /// People and what they form.
    People,
    /// What lives.
    Organism,
    /// A material.
    Substance,
    /// Something made to be used.
    Device,
    /// A part of a body or a building.
    Structure,
    /// Somewhere.
    Place,
    /// A time, a temperature, a number.
    Measure,
    /// An amount of money.
    Money,
    /// Something written.
    Document,
    /// What happens or is done.
    Event,
    /// How something is.
    State,
}

/// The stem of what a meaning says its term is a kind of, if it says it.
pub(crate) fn genus(meaning: &str, language: Language) -> Option<String> {
    let head = head(meaning, language)?;
    Some(language.stemmer().stem(&head).into_owned())
}

/// Whether two definitions say that their terms are things of one sort.
pub(crate) fn same_sort(one: &Definition, other: &Definition, language: Language) -> bool {
    let heads = (head(&one.meaning, language), head(&other.meaning, language));
    let (Some(one), Some(other)) = heads else {
        return false;
    };
    let stemmer = language.stemmer();
    let sort = words::sort_of(&one, language);
    stemmer.stem(&one) == stemmer.stem(&other)
        || (sort.is_some() && sort == words::sort_of(&other, language))
}

/// The head noun of a meaning, folded; "part", "kind", "set" hand on to what they are parts of.
fn head(meaning: &str, language: Language) -> Option<String> {
    let pieces: Vec<&str> = meaning.split_whitespace().collect();
    let (at, found) = first_noun(&pieces, language)?;
    if words::is_partitive(&found, language) {
        let rest = pieces.get(at + 1..).unwrap_or_default();
        let is_next_of = rest
            .first()
            .is_some_and(|word| words::is_of(&fold(word), language));
        if is_next_of && let Some((_, whole)) = first_noun(rest, language) {
            return Some(whole);
        }
    }
    Some(found)
}

/// The head of the first noun phrase, and where it stands.
fn first_noun(pieces: &[&str], language: Language) -> Option<(usize, String)> {
    let bare = |piece: &str| fold(piece.trim_matches(|c: char| !c.is_alphanumeric()));
    let small = |word: &str| language.is_stop_word(word) || language.is_negation(word);
    let mut read = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| (at, *piece, bare(piece)))
        .skip_while(|(_, _, word)| small(word));
    match language {
        Language::German => read
            .find(|(_, piece, word)| {
                piece.starts_with(char::is_uppercase) && !small(word) && !word.is_empty()
            })
            .map(|(at, _, word)| (at, word)),
        Language::English | Language::Other => {
            let mut last = None;
            for (at, piece, word) in read {
                if last.is_some() && (small(&word) || words::ends_noun(&word)) {
                    break;
                }
                let ends = piece.ends_with([',', ';', ':', '.']);
                last = Some((at, word));
                if ends {
                    break;
                }
            }
            last
        }
        Language::Spanish | Language::French | Language::Italian | Language::Portuguese => {
            read.next().map(|(at, _, word)| (at, word))
        }
        Language::Arabic => None,
    }
}

/// Whether a word is another, or in German a compound that ends with it.
fn is_kind_of(word: &str, known: &str, language: Language) -> bool {
    let compounds = matches!(language, Language::German);
    word == known || (compounds && known.chars().count() >= COMPOUND_END && word.ends_with(known))
}

#[cfg(test)]
mod tests {
    use super::super::definition;
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        Language::German,
        "die niedrigste Temperatur, bei der etwas brennt",
        Some("temperatur")
    )]
    #[case(
        Language::German,
        "der Teil des Kapitals, der den Eigentümern gehört",
        Some("kapital")
    )]
    #[case(
        Language::English,
        "a set of measures that keeps blood flowing",
        Some("measur")
    )]
    #[case(Language::English, "a sink filled with ice", Some("sink"))]
    #[case(
        Language::English,
        "the green pigment that absorbs light",
        Some("pigment")
    )]
    #[case(
        Language::French,
        "une substance qui provoque une allergie",
        Some("substanc")
    )]
    #[case(Language::Arabic, "مادة", None)]
    fn a_meaning_says_what_its_term_is_a_kind_of(
        #[case] language: Language,
        #[case] meaning: &str,
        #[case] expected: Option<&str>,
    ) {
        assert_eq!(genus(meaning, language).as_deref(), expected);
    }

    #[rstest]
    // One genus, one sort, two sorts.
    #[case(
        "An oven is a device that bakes bread.",
        "A probe is a device that measures heat.",
        true
    )]
    #[case(
        "An oven is a device that bakes bread.",
        "A probe is an instrument for measuring heat.",
        true
    )]
    #[case(
        "An oven is a device that bakes bread.",
        "A toxin is a poison that an organism makes.",
        false
    )]
    #[case(
        "Erosion is the removal of soil by water.",
        "Filtration is a separation of solids from water.",
        true
    )]
    fn things_are_of_one_sort_or_not(
        #[case] one: &str,
        #[case] other: &str,
        #[case] expected: bool,
    ) {
        let read = |text: &str| definition(text, Language::English).unwrap();
        let alike = same_sort(&read(one), &read(other), Language::English);
        assert_eq!(alike, expected);
    }

    #[test]
    fn a_german_compound_is_of_the_sort_of_its_end() {
        let read = |text: &str| definition(text, Language::German).unwrap();
        let one = read("Eine Sicherung ist ein Schutzgerät, das den Strom unterbricht.");
        let other = read("Ein Ofen ist eine Vorrichtung, in der Brot gebacken wird.");
        assert!(same_sort(&one, &other, Language::German));
    }
}
