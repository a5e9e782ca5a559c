//! The sentences of a lesson and of a source, and when one of the one is one of the other.

use std::collections::BTreeSet;

use crate::folding::fold;
use crate::text::sentences::{sentences, without_list_mark};

/// Most sentences of one lesson that are looked at.
pub const MOST_SENTENCES: usize = 400;

/// The sentences of a lesson's Markdown that may claim something, each exactly as it stands there: no headings, code,
/// rulers; at most [`MOST_SENTENCES`].
pub fn lesson_sentences(content: &str) -> Vec<String> {
    let found = prose(content).flat_map(|line| sentences(unquoted(line)));
    let found = found.map(|sentence| sentence.text.to_owned());
    found.take(MOST_SENTENCES).collect()
}

/// The lines of Markdown that are text.
fn prose(content: &str) -> impl Iterator<Item = &str> {
    let mut fence = None;
    content.lines().filter(move |line| {
        let line = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) => return !is_heading(line),
        }
        false
    })
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && (rest.is_empty() || rest.starts_with(' '))
}

fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c == '>' || c.is_whitespace())
}

/// The sentences of a source, as they are compared.
pub struct SourceSentences(BTreeSet<String>);

impl SourceSentences {
    /// Those of a text, whether its lines are broken within sentences or not.
    pub fn of(source: &str) -> Self {
        let mut found = BTreeSet::new();
        for block in blocks(source) {
            let cut = sentences(&block).into_iter();
            found.extend(cut.map(|sentence| compared(sentence.text)));
        }
        Self(found)
    }

    /// Whether a sentence is one of them, word by word.
    pub fn has(&self, sentence: &str) -> bool {
        self.0.contains(&compared(sentence))
    }
}

/// Lines that belong together, each block in one line.
fn blocks(source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in source.lines() {
        let text = unquoted(line).trim_end();
        let is_item = without_list_mark(text) != text;
        let stands_alone = text.is_empty() || is_heading(text) || text.starts_with('|');
        match found.last_mut() {
            Some(block) if goes_on && !stands_alone && !is_item => {
                block.push(' ');
                block.push_str(text);
            }
            _ => found.push(text.to_owned()),
        }
        goes_on = !stands_alone;
    }
    found
}

/// What counts where two sentences are compared: every word, number and sign between them, but neither case, nor
/// emphasis, nor the mark at the end that only ends it.
fn compared(sentence: &str) -> String {
    let folded = fold(&without_emphasis(sentence)).into_iter();
    let folded: String = folded.map(|one| one.char).collect();
    let ended = folded
        .trim()
        .trim_end_matches(['.', '!', ':', ';', '。', '！']);
    ended.to_lowercase()
}

/// A text without the marks around what is emphasised; such as stand within a word or between numbers stay.
fn without_emphasis(text: &str) -> String {
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    let mut plain = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let inside = before.is_alphanumeric() && rest.peek().is_some_and(|c| c.is_alphanumeric());
        if inside || !matches!(c, '*' | '_' | '`') {
            plain.push(c);
        }
        before = c;
    }
    plain
}
