//! What the words and signs of a language are told apart by.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::code::TokenKind;

/// What begins and ends a string.
#[derive(Debug, Clone, Copy)]
pub struct Quote {
    /// Both.
    pub sign: &'static str,
    /// Whether a backslash takes the next sign along.
    pub escapes: bool,
    /// Whether it goes on over the end of a line.
    pub goes_on: bool,
}

/// What languages have in common but not all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trait {
    /// A name before a bracket is a function.
    Calls,
    /// A name behind a bracket is one.
    Heads,
    /// A name with a capital is a type.
    Capitals,
    /// But before a bracket it is a function.
    CapitalCalls,
    /// Words are the same in capitals.
    AnyCase,
    /// `#define`, at the beginning of a line.
    Directives,
    /// `@Override`
    Annotations,
    /// `#[derive(…)]`
    Attributes,
    /// `println!(`
    Macros,
    /// `\section`
    Commands,
    /// `$name`
    Variables,
    /// `@name`
    Sigils,
    /// `:name`
    Symbols,
    /// `-name`
    Options,
    /// `"name":`
    Keys,
    /// `name:`, at the beginning of a line.
    Mapped,
    /// `name =`, at the beginning of a line.
    Assigned,
    /// `[name]`, at the beginning of a line.
    Sections,
    /// `/a+/`
    Regexes,
    /// A comment in a comment.
    Nested,
    /// A line comment begins a word.
    Apart,
    /// `'a'` is a character, `'a` is none.
    Characters,
    /// `x'` is no string.
    Transposed,
    /// `r#"…"#`
    Hashes,
    /// `@"…"`, in which two quotes are one.
    Verbatim,
}

/// The table of one language.
#[derive(Debug)]
pub struct Vocabulary {
    keywords: &'static [&'static str],
    types: &'static str,
    values: &'static str,
    /// What letters of names are beside letters, digits and `_`.
    pub letters: &'static str,
    /// What may stand before a string.
    pub prefixes: &'static str,
    pub lines: &'static [&'static str],
    pub blocks: &'static [(&'static str, &'static str)],
    pub quotes: &'static [Quote],
    traits: &'static [Trait],
    known: OnceLock<HashMap<&'static str, TokenKind>>,
}

impl Vocabulary {
    /// A language with these keywords.
    pub const fn of(keywords: &'static [&'static str]) -> Self {
        Self {
            keywords,
            types: "",
            values: "",
            letters: "",
            prefixes: "",
            lines: &[],
            blocks: &[],
            quotes: &[],
            traits: &[],
            known: OnceLock::new(),
        }
    }

    /// The same with words that are types, and words that are values.
    pub const fn knowing(mut self, types: &'static str, values: &'static str) -> Self {
        self.types = types;
        self.values = values;
        self
    }

    /// The same with more signs that names are made of.
    pub const fn spelled(mut self, letters: &'static str) -> Self {
        self.letters = letters;
        self
    }

    /// The same with comments: to the end of the line, and between two signs.
    pub const fn commented(
        mut self,
        lines: &'static [&'static str],
        blocks: &'static [(&'static str, &'static str)],
    ) -> Self {
        self.lines = lines;
        self.blocks = blocks;
        self
    }

    /// The same with strings, longer signs first, and what may stand before them.
    pub const fn quoted(mut self, quotes: &'static [Quote], prefixes: &'static str) -> Self {
        self.quotes = quotes;
        self.prefixes = prefixes;
        self
    }

    /// The same with these traits.
    pub const fn with(mut self, traits: &'static [Trait]) -> Self {
        self.traits = traits;
        self
    }

    /// Whether it has a trait.
    pub fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    /// What a word of the language itself is.
    pub fn kind(&self, word: &str) -> Option<TokenKind> {
        let known = self.known.get_or_init(|| self.table());
        if self.has(Trait::AnyCase) && word.contains(|c: char| c.is_ascii_uppercase()) {
            return known.get(word.to_ascii_lowercase().as_str()).copied();
        }
        known.get(word).copied()
    }

    fn table(&self) -> HashMap<&'static str, TokenKind> {
        let of = |list: &'static str, kind| list.split_whitespace().map(move |word| (word, kind));
        let keywords = self.keywords.iter();
        keywords
            .flat_map(|list| of(list, TokenKind::Keyword))
            .chain(of(self.types, TokenKind::Type))
            .chain(of(self.values, TokenKind::Number))
            .collect()
    }

    /// Whether a string may begin with this in front of its quote.
    pub fn is_prefix(&self, word: &str) -> bool {
        let mut prefixes = self.prefixes.split_whitespace();
        !word.is_empty() && prefixes.any(|known| known.eq_ignore_ascii_case(word))
    }
}
