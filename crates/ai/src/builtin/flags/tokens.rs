//! The words of a plain text, and where each of them stands: at the beginning of a sentence or a clause, behind a colon.

use super::cutting::cut;
use crate::words::is_unspaced;

/// A word and where it stands.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) opens: bool,
    pub(super) set: bool,
    pub(super) first: bool,
}

/// Thai has letters that make words, and no spaces between these.
const fn is_thai(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0E7F}')
}

impl Token {
    /// The words in a token of a script that has no spaces between them.
    pub(super) fn cut(self, is_known: fn(&str) -> bool) -> Vec<Self> {
        if !self.text.starts_with(is_thai) {
            return vec![self];
        }
        let words = cut(&self.text, is_known).into_iter().enumerate();
        let word = |(at, text)| Self {
            text,
            opens: self.opens && at == 0,
            set: self.set && at == 0,
            first: self.first && at == 0,
        };
        words.map(word).collect()
    }
}

/// Reads words off a plain text: letters and digits apart, characters of scripts without spaces one by one.
#[derive(Default)]
struct LexiconReader {
    tokens: Vec<Token>,
    run: String,
    opens: bool,
    set: bool,
    first: bool,
    last: Option<char>,
}

/// What a full stop follows without ending the sentence.
const TITLES: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "sr", "sra", "hr", "fr", "frk", "nr", "no", "mme", "mlle",
    "st", "dott", "ing", "lic", "dra",
];

pub(super) fn tokens(plain: &str) -> Vec<Token> {
    let mut reader = LexiconReader {
        opens: true,
        first: true,
        ..LexiconReader::default()
    };
    let mut chars = plain.chars().peekable();
    while let Some(c) = chars.next() {
        reader.take(c, chars.peek().copied());
    }
    reader.finish();
    reader.tokens
}

impl LexiconReader {
    fn take(&mut self, c: char, next: Option<char>) {
        if is_unspaced(c) && c.is_alphabetic() && !is_thai(c) {
            self.finish();
            self.run.push(c);
            self.finish();
        } else if c.is_alphanumeric() {
            let last = self.run.chars().last();
            if last.is_some_and(|last| last.is_ascii_digit() != c.is_ascii_digit()) {
                self.finish();
            }
            self.run.push(c);
        } else {
            let run = self.finish();
            self.mark(c, next, &run);
        }
        self.last = Some(c);
    }

    /// What a sign between words says of the next one.
    fn mark(&mut self, c: char, next: Option<char>, run: &str) {
        let is_number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
        let apart = next.is_none_or(|next| !next.is_alphanumeric());
        let compares = self
            .last
            .is_some_and(|last| matches!(last, '<' | '>' | '!' | '='));
        match c {
            '%' if is_number(run) => self.push("%"),
            '+' if run == "a" && apart => self.push("+"),
            '/' if self
                .tokens
                .last()
                .is_some_and(|token| is_number(&token.text)) =>
            {
                self.push("/");
            }
            '!' | '?' | '\n' | '。' | '؟' | '।' => (self.first, self.opens) = (true, true),
            '.' if apart && !TITLES.contains(&run) => (self.first, self.opens) = (true, true),
            '=' if compares => {}
            // A result of a match, a time.
            ':' if is_number(run) && next.is_some_and(|next| next.is_ascii_digit()) => {}
            ':' | '=' => (self.set, self.opens) = (true, true),
            ';' | '؛' | ',' | '、' | '،' | '(' | '[' | '<' | '>' | '{' | '"' | '–' | '—' | '*'
            | '#' | '|' | ')' | ']' => self.opens = true,
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        self.run.push_str(text);
        self.finish();
    }

    /// Ends a word; what it was.
    fn finish(&mut self) -> String {
        let text = std::mem::take(&mut self.run);
        if !text.is_empty() {
            self.tokens.push(Token {
                text: text.clone(),
                opens: std::mem::take(&mut self.opens),
                set: std::mem::take(&mut self.set),
                first: std::mem::take(&mut self.first),
            });
        }
        text
    }
}
