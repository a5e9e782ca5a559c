//! Sentences, as exact slices of a text.
//!
//! Nothing here changes a character: evidence is quoted from these slices.

/// A slice of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// Where it starts, in bytes of the text.
    pub start: usize,
    /// The slice, without white space or list marks around it.
    pub text: &'a str,
}

/// The sentences of a text in order; lines and list items end sentences too.
pub fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        let rest = text.get(after..).unwrap_or_default();
        let before = text.get(start..at).unwrap_or_default();
        if c == '\n' || ends_sentence(c, before, rest) {
            push(text, start, after, &mut found);
            start = after;
        }
    }
    push(text, start, text.len(), &mut found);
    found
}

fn ends_sentence(c: char, before: &str, rest: &str) -> bool {
    match c {
        '。' | '！' | '？' => true,
        '!' | '?' | '…' | '؟' => rest.is_empty() || rest.starts_with(is_boundary),
        '.' => rest.is_empty() || (rest.starts_with(is_boundary) && !is_abbreviation(before, rest)),
        _ => false,
    }
}

fn is_boundary(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | ')' | '”' | '’' | '»')
}

/// `e.g. this`, `J. Smith` and the `1.` of a list do not end sentences.
fn is_abbreviation(before: &str, rest: &str) -> bool {
    let next = rest.chars().find(|c| !is_boundary(*c));
    let word = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let list_mark = word.chars().all(|c| c.is_ascii_digit()) && before.trim() == word;
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    next.is_some_and(char::is_lowercase) || list_mark || initial
}

fn push<'a>(text: &'a str, start: usize, end: usize, found: &mut Vec<Sentence<'a>>) {
    let slice = text.get(start..end).unwrap_or_default();
    // A closing quotation mark behind the last full stop is not the start of anything.
    let kept = without_list_mark(slice).trim_start_matches(['"', '”', '’', ')', ' ']);
    let start = start + (slice.len() - kept.len());
    let kept = kept.trim_end();
    if kept.chars().any(char::is_alphanumeric) {
        found.push(Sentence { start, text: kept });
    }
}

/// A line without the bullet or number in front of it.
pub fn without_list_mark(line: &str) -> &str {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = (1..=3).contains(&(line.len() - digits.len()));
    if numbered
        && let Some(rest) = digits.strip_prefix(['.', ')'])
        && rest.starts_with(char::is_whitespace)
    {
        return rest.trim_start();
    }
    match line.strip_prefix(['-', '*', '•', '–', '+']) {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_end_at_marks_and_lines_but_not_at_abbreviations() {
        let text = "1. Keep it, e.g. rice, cold. He said: \"Stop!\" Then\n- ice bath\n* 5.5 cm";
        let found: Vec<&str> = sentences(text).iter().map(|s| s.text).collect();
        assert_eq!(
            found,
            [
                "Keep it, e.g. rice, cold.",
                "He said: \"Stop!",
                "Then",
                "ice bath",
                "5.5 cm"
            ]
        );
    }

    proptest! {
        #[test]
        fn sentences_are_slices_at_their_place(text in "\\PC{0,200}|[a-c .!?\n\"1-]{0,200}") {
            for sentence in sentences(&text) {
                prop_assert!(text.get(sentence.start..).unwrap().starts_with(sentence.text));
            }
        }
    }
}
