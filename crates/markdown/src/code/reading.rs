//! Where the reading of a piece of code stands.

use crate::code::TokenKind;
use crate::code::cursor::Cursor;
use crate::code::vocabulary::Vocabulary;

/// What stands next, and how long it is.
pub type Token = (Option<TokenKind>, usize);

/// The reading of one piece of code.
pub struct Lexer<'a, 'o, 'g> {
    pub vocabulary: &'static Vocabulary,
    pub at: Cursor<'a, 'o, 'g>,
    /// Whether nothing but white space stands before it in its line.
    pub is_fresh: bool,
    /// Whether a value ends here, so that a slash divides it.
    pub ends_value: bool,
    /// Whether a file is named next, as behind `#include`.
    pub is_included: bool,
    /// With more than so much left no regular expression ends in its line.
    pub regexes_from: usize,
}
