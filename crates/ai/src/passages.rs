//! A source text in passages that can be named, and those of them that bear on a topic.
//!
//! Passages are exact slices: what is quoted from one can be found in the text again.

use std::collections::BTreeSet;

use crate::language::Language;
use crate::words::stems;

/// Longest passage, in characters, unless a single paragraph is longer.
const PASSAGE_CHARS: usize = 900;

/// A slice of a source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage<'a> {
    /// `p1`, `p2`, … by its place in the text.
    pub(crate) id: String,
    /// The slice, without white space around it.
    pub(crate) text: &'a str,
}

/// The passages of a text in order: neighbouring paragraphs, put together while they are short.
pub(crate) fn passages(text: &str) -> Vec<Passage<'_>> {
    let mut slices: Vec<(usize, usize)> = Vec::new();
    for (start, end) in paragraphs(text) {
        let joined = slices.last().is_some_and(|(first, _)| {
            let whole = text.get(*first..end).unwrap_or_default();
            whole.chars().count() <= PASSAGE_CHARS
        });
        match slices.last_mut() {
            Some(last) if joined => last.1 = end,
            _ => slices.push((start, end)),
        }
    }
    (1_usize..)
        .zip(slices)
        .map(|(number, (start, end))| Passage {
            id: format!("p{number}"),
            text: text.get(start..end).unwrap_or_default(),
        })
        .collect()
}

/// Where the paragraphs of a text start and end, in bytes; blank lines stand between them.
fn paragraphs(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut open) = (0, false);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        let end = start + trimmed.len();
        match found.last_mut() {
            Some(last) if open => last.1 = end,
            _ => found.push((start, end)),
        }
        open = true;
    }
    found
}

/// Those passages that share most words with a topic, in the order of the text, at most `limit` characters of
/// them; all where they fit.
pub(crate) fn about<'a>(
    mut passages: Vec<Passage<'a>>,
    topic: &str,
    language: Language,
    limit: usize,
) -> Vec<Passage<'a>> {
    let wanted: BTreeSet<String> = stems(topic, language)
        .into_iter()
        .map(|stem| stem.text)
        .collect();
    let shared = |passage: &Passage<'_>| {
        let own = stems(passage.text, language);
        let own: BTreeSet<&str> = own.iter().map(|stem| stem.text.as_str()).collect();
        own.iter().filter(|stem| wanted.contains(**stem)).count()
    };
    let mut order: Vec<(usize, usize)> = passages.iter().map(shared).enumerate().collect();
    order.sort_by_key(|(at, shared)| (std::cmp::Reverse(*shared), *at));
    let mut room = limit;
    let mut kept = BTreeSet::new();
    for (at, _) in order {
        let length = passages
            .get(at)
            .map_or(0, |passage| passage.text.chars().count());
        if length <= room {
            room -= length;
            kept.insert(at);
        }
    }
    let mut at = 0;
    passages.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
    passages
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_paragraphs_go_together_and_long_ones_stand_alone() {
        let long = "Cold air sinks. ".repeat(60);
        let text = format!("One.\n\nTwo\nstill two.\n\n{long}\n\n\nThree.");
        let found = passages(&text);
        let texts: Vec<&str> = found.iter().map(|passage| passage.text).collect();
        assert_eq!(texts, ["One.\n\nTwo\nstill two.", long.trim(), "Three."]);
        assert_eq!(found[2].id, "p3");
    }

    #[test]
    fn passages_about_the_topic_come_first_when_there_is_no_room_for_all() {
        let filler = "Salt is mined in the mountains. ".repeat(30);
        let text = format!("{filler}\n\n{filler}\n\nTrays are shallow.\n\n{filler}");
        let chosen = about(passages(&text), "Which trays?", Language::English, 1_000);
        let ids: Vec<&str> = chosen.iter().map(|passage| passage.id.as_str()).collect();
        assert_eq!(ids, ["p1", "p3"]);
        assert_eq!(
            about(passages(&text), "x", Language::English, 10_000).len(),
            4
        );
    }

    proptest! {
        #[test]
        fn passages_are_slices_and_lose_no_word(text in "[a-c é\n.]{0,400}") {
            let found = passages(&text);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let all: Vec<String> = found.iter().flat_map(|passage| words(passage.text)).collect();
            prop_assert_eq!(all, words(&text));
            for passage in &found {
                prop_assert!(text.contains(passage.text));
            }
        }
    }
}
