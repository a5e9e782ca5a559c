//! HTML and XML, and what stands in them in another language.

use crate::code::cursor::{Cursor, Marked, run};
use crate::code::vocabulary::Vocabulary;
use crate::code::{TokenKind, lexer, styles, tables};

/// Reads all of it; `within` is the language between `<?` and `?>`.
pub fn read(code: &str, within: Option<&'static Vocabulary>, out: &mut Marked<'_>) {
    let mut at = Cursor::new(code, out);
    while !at.rest.is_empty() {
        let plain = at.run(|c| c != '<' && c != '{');
        at.mark(None, plain);
        if let Some(gap) = at.gap() {
            at.mark(None, gap);
        } else if at.rest.starts_with("<!--") {
            let length = at.until(4, "-->");
            at.mark(Some(TokenKind::Comment), length);
        } else if at.rest.starts_with("<![CDATA[") {
            let length = at.until(9, "]]>");
            at.mark(Some(TokenKind::Text), length);
        } else if let (Some(vocabulary), true) = (within, at.rest.starts_with("<?")) {
            embedded(vocabulary, &mut at);
        } else if at.rest.starts_with("<!") || at.rest.starts_with("<?") {
            let length = at.until(2, ">");
            at.mark(Some(TokenKind::Meta), length);
        } else if is_tag(at.rest) {
            tag(&mut at);
        } else {
            let sign = at.peek().map_or(0, char::len_utf8);
            at.mark(None, sign);
        }
    }
}

fn is_tag(rest: &str) -> bool {
    let name = rest.strip_prefix("</").or_else(|| rest.strip_prefix('<'));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_-:.".contains(c)
}

/// `<?php … ?>`, with its own language in it.
fn embedded(vocabulary: &'static Vocabulary, at: &mut Cursor<'_, '_, '_>) {
    let name = at.rest.get(2..).unwrap_or_default();
    let name = run(name, |c| c.is_ascii_alphabetic() || c == '=');
    at.mark(Some(TokenKind::Meta), name.saturating_add(2));
    let end = at.rest.find("?>").unwrap_or(at.rest.len());
    let (inside, rest) = at.rest.split_at_checked(end).unwrap_or((at.rest, ""));
    lexer::read(vocabulary, inside, at.out);
    at.rest = rest;
    at.mark(Some(TokenKind::Meta), "?>".len().min(rest.len()));
}

fn tag(at: &mut Cursor<'_, '_, '_>) {
    let is_end = at.rest.starts_with("</");
    at.mark(None, if is_end { 2 } else { 1 });
    let length = at.run(is_of_name);
    let name = at.mark(Some(TokenKind::Type), length);
    while let Some(c) = at.peek() {
        if let Some(gap) = at.gap() {
            at.mark(None, gap);
            continue;
        }
        match c {
            '>' => {
                at.mark(None, 1);
                break;
            }
            // Whoever forgot the end begins anew.
            '<' => return,
            '"' | '\'' => {
                let mut sign = [0; 4];
                let length = at.until(1, c.encode_utf8(&mut sign));
                at.mark(Some(TokenKind::Text), length);
            }
            _ if is_of_name(c) => {
                let kind = if at.before == Some('=') {
                    TokenKind::Text
                } else {
                    TokenKind::Name
                };
                let length = at.run(is_of_name);
                at.mark(Some(kind), length);
            }
            _ => {
                at.mark(None, c.len_utf8());
            }
        }
    }
    if !is_end {
        content(name, at);
    }
}

/// What an element of HTML holds in another language.
fn content(name: &str, at: &mut Cursor<'_, '_, '_>) {
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    if !is("script") && !is("style") {
        return;
    }
    let end = at.rest.find("</").unwrap_or(at.rest.len());
    let (inside, rest) = at.rest.split_at_checked(end).unwrap_or((at.rest, ""));
    if is("script") {
        lexer::read(&tables::JAVASCRIPT, inside, at.out);
    } else {
        styles::read(inside, at.out);
    }
    at.rest = rest;
}
