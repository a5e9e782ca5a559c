//! Texts as they are compared when small differences do not count, with the way back to the original.
//!
//! Whoever copies a passage changes its line ends, quotation marks, dashes or the form of its accents without meaning
//! to. What is found in the folded text is always shown as it stands in the original.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// One character of a folded text and the character of the original that it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Folded {
    /// The character as it is compared.
    pub(crate) char: char,
    /// Which character of the original it came from.
    pub(crate) origin: usize,
}

/// A text, folded: canonical decomposition, one space for white space, straight quotation marks and dashes, and
/// without characters that nobody sees.
#[derive(Debug, Clone)]
pub(crate) struct FoldedText {
    folded: Vec<Folded>,
    /// The folded characters as text, and where in it each of them starts.
    text: String,
    starts: Vec<usize>,
}

impl FoldedText {
    /// Folds a text.
    pub(crate) fn of(text: &str) -> Self {
        let folded = fold(text);
        let mut starts = Vec::with_capacity(folded.len());
        let mut whole = String::with_capacity(text.len());
        for one in &folded {
            starts.push(whole.len());
            whole.push(one.char);
        }
        Self {
            folded,
            text: whole,
            starts,
        }
    }

    /// Where a passage stands, in characters of the original, in order; the passage is folded first.
    ///
    /// A place that would cut a character of the original, or part it from its accents, is none.
    pub(crate) fn places(&self, passage: &str) -> Vec<Range<usize>> {
        let wanted: String = fold(passage).into_iter().map(|one| one.char).collect();
        let wanted = wanted.trim();
        if wanted.is_empty() {
            return Vec::new();
        }
        let length = wanted.chars().count();
        self.text
            .match_indices(wanted)
            .filter_map(|(byte, _)| self.starts.binary_search(&byte).ok())
            .filter_map(|first| self.origin_of(first, first + length))
            .collect()
    }

    fn origin_of(&self, first: usize, end: usize) -> Option<Range<usize>> {
        let matched = self.folded.get(first..end)?;
        if canonical_combining_class(matched.first()?.char) != 0 {
            return None;
        }
        let low = matched.iter().map(|one| one.origin).min()?;
        let high = matched.iter().map(|one| one.origin).max()?;
        let before = first.checked_sub(1).and_then(|at| self.folded.get(at));
        let after = self.folded.get(end);
        let whole = before.is_none_or(|one| one.origin < low)
            && after.is_none_or(|one| one.origin > high && !is_combining_mark(one.char));
        whole.then_some(low..high + 1)
    }
}

/// The characters as they are compared.
pub(crate) fn fold(text: &str) -> Vec<Folded> {
    let mut folded: Vec<Folded> = Vec::with_capacity(text.len());
    let shown = text.chars().enumerate().filter(|(_, c)| !is_unseen(*c));
    for (origin, c) in shown {
        if c.is_whitespace() {
            if folded.last().is_none_or(|last| last.char != ' ') {
                folded.push(Folded { char: ' ', origin });
            }
            continue;
        }
        let plain = plain_mark(c);
        if plain.is_empty() {
            let parts = std::iter::once(c).nfd();
            folded.extend(parts.map(|char| Folded { char, origin }));
        } else {
            folded.extend(plain.chars().map(|char| Folded { char, origin }));
        }
    }
    order_marks(&mut folded);
    folded
}

/// Accents on one letter in the order that the Unicode standard (chapter 3.11) gives them.
fn order_marks(folded: &mut [Folded]) {
    let runs = folded.chunk_by_mut(|a, b| is_mark(a.char) == is_mark(b.char));
    for run in runs {
        if run.first().is_some_and(|one| is_mark(one.char)) {
            run.sort_by_key(|one| canonical_combining_class(one.char));
        }
    }
}

fn is_mark(c: char) -> bool {
    canonical_combining_class(c) != 0
}

/// What a quotation mark, dash or ellipsis is compared as; empty for every other character.
const fn plain_mark(c: char) -> &'static str {
    match c {
        '\u{2018}'..='\u{201B}'
        | '\u{2032}'
        | '\u{02B9}'
        | '\u{02BC}'
        | '`'
        | '\u{00B4}'
        | '\u{2039}'
        | '\u{203A}' => "'",
        '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{00AB}' | '\u{00BB}' => "\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => "-",
        '\u{2026}' => "...",
        _ => "",
    }
}

/// Whether a character shows nothing: zero-width, direction and tag characters, soft hyphens and variation selectors.
pub(crate) const fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}')
}

/// The characters of `text` from `range.start` to before `range.end`.
pub(crate) fn slice(text: &str, range: &Range<usize>) -> String {
    let length = range.end.saturating_sub(range.start);
    text.chars().skip(range.start).take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("one\r\ntwo", "one two", "one\r\ntwo")]
    #[case("He said “no” – twice…", "\"no\" - twice...", "“no” – twice…")]
    #[case("caf\u{65}\u{301} au lait", "caf\u{e9}", "caf\u{65}\u{301}")]
    #[case("a\u{323}\u{307} b", "a\u{307}\u{323}", "a\u{323}\u{307}")]
    #[case("ig\u{200B}no\u{AD}re", "ignore", "ig\u{200B}no\u{AD}re")]
    #[case("한국어 글", "\u{1112}\u{1161}\u{11ab}국어", "한국어")]
    #[case("👩\u{200D}👩\u{200D}👧 eat", "👩👩👧", "👩\u{200D}👩\u{200D}👧")]
    #[case("אמר: \u{202B}שלום\u{202C}!", "שלום", "שלום")]
    fn small_differences_do_not_count(
        #[case] text: &str,
        #[case] passage: &str,
        #[case] original: &str,
    ) {
        let places = FoldedText::of(text).places(passage);
        let found: Vec<String> = places.iter().map(|place| slice(text, place)).collect();
        assert_eq!(found, [original]);
    }

    #[rstest]
    #[case("cafe\u{301}", "cafe")]
    #[case("caf\u{e9}", "cafe")]
    #[case("각", "가")]
    #[case("wait…", "wait.")]
    #[case("text", " ")]
    fn characters_are_never_cut(#[case] text: &str, #[case] passage: &str) {
        assert!(FoldedText::of(text).places(passage).is_empty());
    }
}
