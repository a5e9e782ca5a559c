//! Passages that are short enough to be quoted, as exact slices of a text.

/// Longest quote, in characters.
pub(crate) const MAX_QUOTE: usize = 240;

/// The beginning of a sentence, at most [`MAX_QUOTE`] characters, cut at a word boundary.
pub(crate) fn quote(sentence: &str) -> &str {
    shorten(sentence, MAX_QUOTE)
}

/// The beginning of a text, at most `limit` characters, cut at a word boundary where there is one.
pub(crate) fn shorten(text: &str, limit: usize) -> &str {
    let Some((cut, _)) = text.char_indices().nth(limit) else {
        return text.trim();
    };
    let head = text.get(..cut).unwrap_or(text);
    let next_is_space = text
        .get(cut..)
        .is_some_and(|rest| rest.starts_with(char::is_whitespace));
    let end = if next_is_space {
        cut
    } else {
        head.rfind(char::is_whitespace).unwrap_or(cut)
    };
    head.get(..end).unwrap_or(head).trim()
}

/// Which occurrence (1-based) of `quote` in `text` starts at byte `start`.
pub(crate) fn occurrence(text: &str, quote: &str, start: usize) -> usize {
    text.match_indices(quote)
        .position(|(at, _)| at == start)
        .map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quotes_are_slices_of_their_sentence(sentence in "\\PC{0,400}|[a-c .!?\"1-]{0,400}") {
            let quote = quote(&sentence);
            prop_assert!(sentence.contains(quote) && quote.chars().count() <= MAX_QUOTE);
        }
    }
}
