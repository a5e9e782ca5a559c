//! Passages of a submission: found by the service, never taken on trust.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::folding::{FoldedText, fold, slice};

/// A passage of the submission that bears on a criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Where it starts, in characters (Unicode scalar values) of the submission's text.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// The passage, exactly as it stands there.
    pub quote: String,
}

impl Evidence {
    /// Finds the `occurrence`-th (1-based) place where `quote` stands in `text`; see [`Passages::locate`].
    pub fn locate(text: &str, quote: &str, occurrence: usize) -> Option<Self> {
        Passages::of(text).locate(quote, occurrence)
    }
}

/// A text in which quotes are looked up.
#[derive(Debug, Clone)]
pub struct Passages<'a> {
    text: &'a str,
    folded: FoldedText,
}

impl<'a> Passages<'a> {
    /// Prepares a text.
    pub fn of(text: &'a str) -> Self {
        Self {
            text,
            folded: FoldedText::of(text),
        }
    }

    /// The `occurrence`-th (1-based) place where `quote` stands, or the first where there are fewer.
    ///
    /// It stands where its characters do. Where they stand nowhere, differences in white space, quotation marks,
    /// dashes, invisible characters and the form of accents are forgiven, and the passage is given as it stands in
    /// the text. White space at its ends is dropped; marks alone, such as a full stop, are no passage.
    pub fn locate(&self, quote: &str, occurrence: usize) -> Option<Evidence> {
        let quote = quote.trim();
        let says_nothing = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
        if fold(quote).iter().all(|one| says_nothing(one.char)) {
            return None;
        }
        let exact = self.exact_places(quote);
        let places = if exact.is_empty() {
            self.folded.places(quote)
        } else {
            exact
        };
        let place = places
            .get(occurrence.saturating_sub(1))
            .or_else(|| places.first())?;
        Some(Evidence {
            start: place.start,
            end: place.end,
            quote: slice(self.text, place),
        })
    }

    fn exact_places(&self, quote: &str) -> Vec<Range<usize>> {
        let length = quote.chars().count();
        let mut places = Vec::new();
        let (mut byte, mut chars) = (0, 0);
        for (at, found) in self.text.match_indices(quote) {
            chars += self
                .text
                .get(byte..at)
                .map_or(0, |between| between.chars().count());
            byte = at;
            let rest = self.text.get(at + found.len()..).unwrap_or_default();
            // `e` is not a passage of a text that says `é` with two characters.
            if !rest.starts_with(is_combining_mark) {
                places.push(chars..chars + length);
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;
    use unicode_normalization::UnicodeNormalization;

    const TEXT: &str = "Wäsche dich. Wash your hands. Wash your hands again.";

    fn stands(text: &str, evidence: &Evidence) -> bool {
        slice(text, &(evidence.start..evidence.end)) == evidence.quote
    }

    #[test]
    fn evidence_is_found_by_characters_and_occurrence() {
        let second = Evidence::locate(TEXT, "Wash your hands", 2).unwrap();
        assert!(stands(TEXT, &second));
        assert_eq!(
            (second.quote.as_str(), second.start),
            ("Wash your hands", 30)
        );
        let beyond = Evidence::locate(TEXT, "Wash your hands", 9).unwrap();
        assert_eq!(beyond.start, 13);
    }

    #[rstest]
    #[case("never said")]
    #[case("  ")]
    #[case(".")]
    #[case("wash your hands")]
    fn what_does_not_stand_there_is_no_evidence(#[case] quote: &str) {
        assert_eq!(Evidence::locate(TEXT, quote, 1), None);
    }

    #[test]
    fn a_copy_with_other_marks_gives_the_passage_as_it_stands() {
        let text = "Erstens: „Kühlen“ –\r\nsofort. Zweitens: „Kühlen“ – sofort.";
        let found = Evidence::locate(text, "\"Ku\u{308}hlen\" - sofort", 1).unwrap();
        assert_eq!(found.quote, "„Kühlen“ –\r\nsofort");
        let second = Evidence::locate(text, "\"Kühlen\" - sofort", 2).unwrap();
        assert_eq!(second.quote, "„Kühlen“ – sofort");
        assert!(stands(text, &found) && stands(text, &second));
    }

    #[test]
    fn an_exact_copy_wins_over_one_that_is_only_alike() {
        let text = "so – far, so - far";
        assert_eq!(Evidence::locate(text, "so - far", 1).unwrap().start, 10);
    }

    fn compared(text: &str) -> String {
        let folded: String = fold(text).iter().map(|one| one.char).collect();
        folded.trim().to_owned()
    }

    /// Texts of pieces that are easy to cut wrongly.
    fn texts() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "word",
            "é",
            "e\u{301}",
            "a\u{323}\u{307}",
            "\r\n",
            " ",
            "\t",
            "\u{a0}",
            "“",
            "„",
            "'",
            "—",
            "-",
            "…",
            "👩\u{200D}👩\u{200D}👧",
            "🍚",
            "שלום",
            "\u{202B}",
            "مرحبا",
            "한",
            "각",
            "漢字",
            "\u{200B}",
            "नमस्ते",
            "ß",
            "1/2",
            ".",
        ]);
        prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn what_is_quoted_always_stands_at_its_place(text in texts(), quote in texts(), occurrence in 0..5_usize) {
            if let Some(found) = Evidence::locate(&text, &quote, occurrence) {
                prop_assert!(stands(&text, &found), "{found:?} in {text:?}");
                prop_assert_eq!(compared(&found.quote), compared(&quote));
            }
        }

        #[test]
        fn a_passage_is_found_however_it_was_copied(text in texts(), from in 0..60_usize, length in 1..30_usize) {
            let text = format!("word{text}word");
            let from = from % text.chars().count();
            let passage = slice(&text, &(from..from + length));
            let rest = slice(&text, &(from + length..usize::MAX));
            let says_something = passage.chars().any(char::is_alphanumeric);
            let cut = passage.starts_with(is_combining_mark) || rest.trim_start_matches('\u{200B}').starts_with(is_combining_mark);
            prop_assume!(says_something && !cut);
            let copies = [
                passage.clone(),
                passage.nfc().collect(),
                passage.nfd().collect(),
                passage.replace("\r\n", "\n"),
                passage.split_whitespace().collect::<Vec<_>>().join(" "),
                passage.replace(['“', '„'], "\"").replace('—', "-").replace('…', "..."),
                passage.replace(['\u{200B}', '\u{202B}'], ""),
            ];
            for copy in copies {
                let found = Evidence::locate(&text, &copy, 1);
                prop_assert!(found.is_some_and(|found| stands(&text, &found)), "{copy:?} of {text:?}");
            }
        }
    }
}
