//! Where the reading of code is, and what it has made of the code so far.

use crate::code::TokenKind;

/// Beyond this a mark of a gap does not end.
const GAP_CHARS: usize = 80;

/// Code that was read: escaped, with an element around each run of one kind.
#[derive(Debug)]
pub struct Marked<'g> {
    html: String,
    open: Option<TokenKind>,
    gap: Option<&'g str>,
}

impl<'g> Marked<'g> {
    /// Nothing yet; `gap` is what begins a place that somebody fills.
    pub const fn new(gap: Option<&'g str>) -> Self {
        Self {
            html: String::new(),
            open: None,
            gap,
        }
    }

    /// Adds a piece.
    pub fn push(&mut self, kind: Option<TokenKind>, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if kind != self.open {
            self.close();
            if let Some(kind) = kind {
                self.html.push_str("<span class=\"");
                self.html.push_str(kind.class());
                self.html.push_str("\">");
            }
            self.open = kind;
        }
        for c in piece.chars() {
            match c {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                // As the sanitiser writes it.
                '\u{a0}' => self.html.push_str("&nbsp;"),
                other => self.html.push(other),
            }
        }
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.html.push_str("</span>");
        }
    }

    /// All of it.
    pub fn finished(mut self) -> String {
        self.close();
        self.html
    }
}

/// What is still to be read of a piece of code.
#[derive(Debug)]
pub struct Cursor<'a, 'o, 'g> {
    /// From here on.
    pub rest: &'a str,
    /// The character before it.
    pub before: Option<char>,
    /// Where it goes.
    pub out: &'o mut Marked<'g>,
}

impl<'a, 'o, 'g> Cursor<'a, 'o, 'g> {
    /// The beginning of a piece of code.
    pub const fn new(code: &'a str, out: &'o mut Marked<'g>) -> Self {
        Self {
            rest: code,
            before: None,
            out,
        }
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// The one behind it.
    pub fn second(&self) -> Option<char> {
        self.rest.chars().nth(1)
    }

    /// Passes over so many bytes, which are of this kind.
    pub fn mark(&mut self, kind: Option<TokenKind>, length: usize) -> &'a str {
        let (piece, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.out.push(kind, piece);
        self.before = piece.chars().next_back().or(self.before);
        self.rest = rest;
        piece
    }

    /// How long what satisfies `is` goes on.
    pub fn run(&self, is: impl Fn(char) -> bool) -> usize {
        run(self.rest, is)
    }

    /// How long the line goes on.
    pub fn line(&self) -> usize {
        self.rest.find('\n').unwrap_or(self.rest.len())
    }

    /// How long what ends in `end` goes on, that included; all of it where nothing ends it.
    pub fn until(&self, skipped: usize, end: &str) -> usize {
        let found = self.rest.get(skipped..).and_then(|rest| rest.find(end));
        found.map_or(self.rest.len(), |at| {
            skipped.saturating_add(at).saturating_add(end.len())
        })
    }

    /// How long the place is that begins here and that somebody fills.
    pub fn gap(&self) -> Option<usize> {
        let inside = self.rest.strip_prefix(self.out.gap?)?;
        let mut near = inside.char_indices().take(GAP_CHARS);
        let (at, _) =
            near.find(|(at, _)| inside.get(*at..).is_some_and(|r| r.starts_with("}}")))?;
        let before = self.rest.len().saturating_sub(inside.len());
        Some(before.saturating_add(at).saturating_add(2))
    }
}

/// How long what satisfies `is` goes on from the beginning.
pub fn run(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is(c)).unwrap_or(text.len())
}
