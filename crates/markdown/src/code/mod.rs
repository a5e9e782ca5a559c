//! Blocks of code with what their words are: keywords, strings, comments and the like, each in an element with a class.
//!
//! It is read once from left to right, by tables of what a language's words look like and not by its grammar: what a reader of
//! a lesson needs costs as little as what a stranger may write. It is done to text that the sanitiser has let through, so no
//! author can write such elements.

mod cursor;
mod differences;
mod languages;
mod lexer;
mod markup;
mod reading;
mod styles;
mod tables;
mod traits;
mod vocabulary;

use crate::code::cursor::Marked;
use crate::code::languages::Grammar;

/// A longer block is shown as it is: every word of it becomes an element.
pub const BLOCK_BYTES: usize = 20 * 1024;
/// What is told apart of one text; blocks behind it are shown as they are.
pub const CODE_BYTES: usize = 64 * 1024;

/// What a word or a sign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Keyword,
    /// A string or a character.
    Text,
    Comment,
    /// Of digits, or one that has a name, such as `true`.
    Number,
    /// A function, where it is called or defined.
    Call,
    /// A type, an element of HTML, a selector.
    Type,
    /// A key, an attribute, a property, a variable with a sign.
    Name,
    /// What speaks of the code: directives, annotations.
    Meta,
    Added,
    Removed,
}

impl TokenKind {
    /// The class of its elements, as short as it can be: there are thousands on a page.
    const fn class(self) -> &'static str {
        match self {
            Self::Keyword => "k",
            Self::Text => "s",
            Self::Comment => "c",
            Self::Number => "n",
            Self::Call => "f",
            Self::Type => "t",
            Self::Name => "a",
            Self::Meta => "m",
            Self::Added => "i",
            Self::Removed => "d",
        }
    }
}

/// Tells words apart in the blocks of one text.
#[derive(Debug)]
pub struct Highlighter<'g> {
    /// How much may still be told apart.
    bytes: usize,
    gap: Option<&'g str>,
}

impl<'g> Highlighter<'g> {
    /// For a text in which `gap` begins the places that somebody fills: such a place stays in one piece.
    pub const fn new(gap: Option<&'g str>) -> Self {
        Self {
            bytes: CODE_BYTES,
            gap,
        }
    }

    /// For a text that nobody will look at.
    pub const fn idle() -> Self {
        Self {
            bytes: 0,
            gap: None,
        }
    }

    /// The code as escaped text with its elements; none of a language without a table, and none of too much.
    pub fn highlighted(&mut self, language: &str, code: &str) -> Option<String> {
        let grammar = languages::grammar(language)?;
        if code.len() > BLOCK_BYTES {
            return None;
        }
        self.bytes = self.bytes.checked_sub(code.len())?;
        let mut out = Marked::new(self.gap);
        grammar.read(code, &mut out);
        Some(out.finished())
    }
}

impl Grammar {
    fn read(self, code: &str, out: &mut Marked<'_>) {
        match self {
            Self::WithinMarkup(vocabulary) if code.contains("<?") => {
                markup::read(code, Some(vocabulary), out);
            }
            Self::Words(vocabulary) | Self::WithinMarkup(vocabulary) => {
                lexer::read(vocabulary, code, out);
            }
            Self::Markup => markup::read(code, None, out),
            Self::Styles => styles::read(code, out),
            Self::Differences => differences::read(code, out),
        }
    }
}
