//! Style sheets: selectors, properties and their values.

use crate::code::TokenKind;
use crate::code::cursor::{Cursor, Marked};

/// Reads all of it.
pub fn read(code: &str, out: &mut Marked<'_>) {
    let mut sheet = Sheet {
        at: Cursor::new(code, out),
        is_value: false,
        ahead: (usize::MAX, ' '),
    };
    while sheet.step() {}
}

struct Sheet<'a, 'o, 'g> {
    at: Cursor<'a, 'o, 'g>,
    /// Whether a property's colon stands before it.
    is_value: bool,
    /// The next sign that ends or opens something, and how much is left where it stands.
    ahead: (usize, char),
}

impl Sheet<'_, '_, '_> {
    fn step(&mut self) -> bool {
        let Some(c) = self.at.peek() else {
            return false;
        };
        let (kind, length) = if let Some(gap) = self.at.gap() {
            (None, gap)
        } else if self.at.rest.starts_with("/*") {
            (Some(TokenKind::Comment), self.at.until(2, "*/"))
        } else {
            self.told(c)
        };
        self.at.mark(kind, length);
        true
    }

    fn told(&mut self, c: char) -> (Option<TokenKind>, usize) {
        let behind = self.at.second();
        let name = self
            .at
            .run(|c| is_of_name(c) || c == '@' || c == '.' || c == '#' || c == '%');
        match c {
            '"' | '\'' => {
                let mut sign = [0; 4];
                let end = self.at.until(1, c.encode_utf8(&mut sign));
                (Some(TokenKind::Text), end.min(self.at.line().max(1)))
            }
            '@' => (Some(TokenKind::Keyword), name),
            '!' => (
                Some(TokenKind::Keyword),
                self.at.run(|c| c == '!' || is_of_name(c)),
            ),
            '$' => (
                Some(TokenKind::Name),
                self.at.run(|c| c == '$' || is_of_name(c)),
            ),
            '{' | '}' | ';' => {
                self.is_value = false;
                (None, 1)
            }
            '#' if self.is_value => (Some(TokenKind::Number), name),
            '.' | '#' if !self.is_value => (Some(TokenKind::Type), name),
            '-' | '+' | '.' if behind.is_some_and(|c| c.is_ascii_digit()) => {
                (Some(TokenKind::Number), name.max(1))
            }
            '0'..='9' => (Some(TokenKind::Number), name),
            _ if is_of_name(c) => self.word(),
            _ => (None, c.len_utf8()),
        }
    }

    fn word(&mut self) -> (Option<TokenKind>, usize) {
        let length = self.at.run(is_of_name);
        let behind = self.at.rest.get(length..).unwrap_or_default();
        let kind = if behind.starts_with('(') {
            Some(TokenKind::Call)
        } else if self.is_value {
            None
        } else if behind.trim_start().starts_with(':') && self.ends_in() != '{' {
            self.is_value = true;
            Some(TokenKind::Name)
        } else {
            Some(TokenKind::Type)
        };
        (kind, length)
    }

    /// What the declaration or the list of selectors here ends in; a space where it does not end.
    fn ends_in(&mut self) -> char {
        let left = self.at.rest.len();
        if self.ahead.0 >= left {
            let found = self
                .at
                .rest
                .char_indices()
                .find(|(_, c)| "{};".contains(*c));
            let (at, sign) = found.unwrap_or((left, ' '));
            self.ahead = (left.saturating_sub(at), sign);
        }
        self.ahead.1
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}
