//! Code read word by word, with the table of its language.
//!
//! Nothing is looked at again and again: what a sign begins is passed over as a whole, and what has no end goes to the end.

use crate::code::TokenKind;
use crate::code::cursor::{Cursor, Marked, run};
use crate::code::reading::{Lexer, Token};
use crate::code::traits;
use crate::code::vocabulary::{Quote, Trait, Vocabulary};

/// Reads all of it.
pub fn read(vocabulary: &'static Vocabulary, code: &str, out: &mut Marked<'_>) {
    let mut lexer = Lexer {
        vocabulary,
        at: Cursor::new(code, out),
        is_fresh: true,
        ends_value: false,
        is_included: false,
        regexes_from: usize::MAX,
    };
    while lexer.step() {}
}

impl Lexer<'_, '_, '_> {
    fn step(&mut self) -> bool {
        let Some(c) = self.at.peek() else {
            return false;
        };
        if c.is_whitespace() {
            let length = self.at.run(char::is_whitespace);
            if self.at.mark(None, length).contains('\n') {
                self.is_fresh = true;
                self.is_included = false;
            }
            return true;
        }
        let gap = self.at.gap().map(|length| (None, length));
        let (kind, length) = gap
            .or_else(|| self.comment())
            .or_else(|| traits::told(self, c))
            .or_else(|| self.text(c))
            .or_else(|| self.number(c))
            .or_else(|| self.word(c))
            .unwrap_or((None, c.len_utf8()));
        // An entry of a list begins its line anew.
        self.is_fresh =
            self.is_fresh && c == '-' && length == 1 && self.vocabulary.has(Trait::Mapped);
        let piece = self.at.mark(kind, length);
        self.ends_value = match kind {
            Some(TokenKind::Comment) => self.ends_value,
            Some(TokenKind::Keyword | TokenKind::Meta) => false,
            Some(_) => true,
            None => piece.ends_with(|c: char| c.is_alphanumeric() || "_)]}".contains(c)),
        };
        true
    }

    fn comment(&self) -> Option<Token> {
        let rest = self.at.rest;
        let mut blocks = self.vocabulary.blocks.iter();
        if let Some((open, close)) = blocks.find(|(open, _)| rest.starts_with(open)) {
            let length = if self.vocabulary.has(Trait::Nested) {
                nested(rest, open, close)
            } else {
                self.at.until(open.len(), close)
            };
            return Some((Some(TokenKind::Comment), length));
        }
        let mut lines = self.vocabulary.lines.iter();
        let begins = lines.any(|open| rest.starts_with(open));
        let is_apart = self.at.before.is_none_or(|c| c.is_whitespace() || c == ';');
        let is_comment = begins && (is_apart || !self.vocabulary.has(Trait::Apart));
        is_comment.then(|| (Some(TokenKind::Comment), self.at.line()))
    }

    fn text(&self, c: char) -> Option<Token> {
        let prefix = if c.is_ascii_alphabetic() {
            let length = self.at.run(|c| c.is_ascii_alphanumeric());
            let word = self.at.rest.get(..length).unwrap_or_default();
            if !self.vocabulary.is_prefix(word) {
                return None;
            }
            length
        } else {
            0
        };
        let rest = self.at.rest.get(prefix..).unwrap_or_default();
        let mut quotes = self.vocabulary.quotes.iter();
        let quote = quotes.find(|quote| rest.starts_with(quote.sign))?;
        let length = prefix.saturating_add(quoted(rest, *quote));
        let behind = self.at.rest.get(length..).unwrap_or_default();
        let is_key = self.vocabulary.has(Trait::Keys) && behind.trim_start().starts_with(':');
        let kind = if is_key {
            TokenKind::Name
        } else {
            TokenKind::Text
        };
        Some((Some(kind), length))
    }

    fn number(&self, c: char) -> Option<Token> {
        let is_fraction = c == '.' && !self.ends_value;
        let begins = c.is_ascii_digit()
            || is_fraction && self.at.second().is_some_and(|c| c.is_ascii_digit());
        if !begins {
            return None;
        }
        let is_hexadecimal = self.at.rest.starts_with("0x");
        let mut before = '0';
        let mut signs = self.at.rest.char_indices().peekable();
        while let Some((at, c)) = signs.next() {
            let is_followed = signs.peek().is_some_and(|(_, next)| next.is_ascii_digit());
            let is_part = match c {
                '.' | '\'' => is_followed,
                '+' | '-' => is_followed && !is_hexadecimal && matches!(before, 'e' | 'E'),
                _ => c.is_alphanumeric() || c == '_',
            };
            if !is_part {
                return Some((Some(TokenKind::Number), at));
            }
            before = c;
        }
        Some((Some(TokenKind::Number), self.at.rest.len()))
    }

    fn word(&self, c: char) -> Option<Token> {
        let letters = self.vocabulary.letters;
        let is_letter = |c: char| c.is_alphanumeric() || c == '_' || letters.contains(c);
        if !is_letter(c) {
            return None;
        }
        let length = self.at.run(is_letter);
        let (word, behind) = self.at.rest.split_at_checked(length)?;
        Some(self.told_word(word, behind))
    }

    fn told_word(&self, word: &str, behind: &str) -> Token {
        let has = |wanted| self.vocabulary.has(wanted);
        let is_member = self.at.before == Some('.');
        let length = word.len();
        if has(Trait::Assigned) && self.is_fresh && behind.trim_start().starts_with('=') {
            return (Some(TokenKind::Name), length);
        }
        let known = self.vocabulary.kind(word).filter(|_| !is_member);
        if known.is_some() {
            return (known, length);
        }
        if has(Trait::Macros) && behind.starts_with(['!']) && !behind.starts_with("!=") {
            return (Some(TokenKind::Call), length.saturating_add(1));
        }
        let is_called = has(Trait::Calls) && behind.starts_with('(')
            || has(Trait::Heads) && self.at.before == Some('(');
        let is_type = has(Trait::Capitals) && is_capital(word);
        let kind = if is_called && (is_member || !is_type || has(Trait::CapitalCalls)) {
            Some(TokenKind::Call)
        } else {
            is_type.then_some(TokenKind::Type)
        };
        (kind, length)
    }
}

/// Whether a name is written as types are: `SIZE` is a constant.
fn is_capital(word: &str) -> bool {
    let begins = word.starts_with(char::is_uppercase);
    begins && (word.chars().count() == 1 || word.contains(char::is_lowercase))
}

/// How long a string at the beginning is.
pub fn quoted(rest: &str, quote: Quote) -> usize {
    let inside = rest.strip_prefix(quote.sign).unwrap_or_default();
    let before = rest.len().saturating_sub(inside.len());
    let mut signs = inside.char_indices();
    while let Some((at, c)) = signs.next() {
        if c == '\\' && quote.escapes {
            signs.next();
        } else if c == '\n' && !quote.goes_on {
            return before.saturating_add(at);
        } else if quote.sign.starts_with(c)
            && inside.get(at..).is_some_and(|r| r.starts_with(quote.sign))
        {
            return before.saturating_add(at).saturating_add(quote.sign.len());
        }
    }
    rest.len()
}

/// How long a comment is in which others may stand.
fn nested(rest: &str, open: &str, close: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0_usize;
    loop {
        let tail = rest.get(at..).unwrap_or_default();
        if tail.starts_with(open) {
            depth = depth.saturating_add(1);
            at = at.saturating_add(open.len());
        } else if tail.starts_with(close) {
            depth = depth.saturating_sub(1);
            at = at.saturating_add(close.len());
            if depth == 0 {
                return at;
            }
        } else {
            let signs = [open, close].map(|sign| sign.chars().next());
            let ahead = tail.chars().next().map_or(0, char::len_utf8);
            if ahead == 0 {
                return rest.len();
            }
            let skipped = tail.get(ahead..).unwrap_or_default();
            let plain = run(skipped, |c| !signs.contains(&Some(c)));
            at = at.saturating_add(ahead).saturating_add(plain);
        }
    }
}
