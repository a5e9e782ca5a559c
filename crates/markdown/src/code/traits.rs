//! What only some languages have: annotations, variables with a sign, regular expressions and the like.

use crate::code::TokenKind;
use crate::code::cursor::run;
use crate::code::reading::{Lexer, Token};
use crate::code::vocabulary::Trait;

/// What stands next, if it is one of these.
pub fn told(lexer: &mut Lexer<'_, '_, '_>, c: char) -> Option<Token> {
    let has = |wanted| lexer.vocabulary.has(wanted);
    if lexer.is_fresh
        && let Some(token) = at_the_beginning(lexer, c)
    {
        return Some(token);
    }
    match c {
        '#' if has(Trait::Attributes) => attribute(lexer),
        '\\' if has(Trait::Commands) => {
            let name = run(lexer.at.rest.get(1..)?, char::is_alphabetic);
            let sign = lexer.at.second().map_or(0, char::len_utf8);
            Some(token(TokenKind::Keyword, name.max(sign).saturating_add(1)))
        }
        '$' if has(Trait::Variables) => variable(lexer),
        '@' if has(Trait::Verbatim) && lexer.at.rest.starts_with("@\"") => {
            Some(token(TokenKind::Text, verbatim(lexer.at.rest)))
        }
        '@' if has(Trait::Annotations) => {
            named(lexer, ".").map(|length| (Some(TokenKind::Meta), length))
        }
        '@' if has(Trait::Sigils) => {
            named(lexer, "@").map(|length| (Some(TokenKind::Name), length))
        }
        ':' if has(Trait::Symbols) && lexer.at.before != Some(':') => {
            named(lexer, "").map(|length| (Some(TokenKind::Name), length))
        }
        '-' if has(Trait::Options) && lexer.at.before.is_none_or(char::is_whitespace) => {
            named(lexer, "").map(|length| (Some(TokenKind::Name), length))
        }
        '/' if has(Trait::Regexes) && !lexer.ends_value => regex(lexer),
        '<' if lexer.is_included => {
            let line = lexer.at.rest.get(..lexer.at.line())?;
            let end = line.find('>')?;
            Some(token(TokenKind::Text, end.saturating_add(1)))
        }
        '\'' if has(Trait::Characters) => Some(character(lexer.at.rest)),
        '\'' if has(Trait::Transposed) && follows_value(lexer) => Some((None, 1)),
        'r' | 'b' if has(Trait::Hashes) => hashes(lexer.at.rest),
        _ => None,
    }
}

/// The same where nothing but white space stands before it in its line.
fn at_the_beginning(lexer: &mut Lexer<'_, '_, '_>, c: char) -> Option<Token> {
    let has = |wanted| lexer.vocabulary.has(wanted);
    let line = lexer.at.rest.get(..lexer.at.line())?;
    if c == '#' && has(Trait::Directives) {
        let spaces = run(line.get(1..)?, |c| c == ' ');
        let name = run(line.get(spaces.saturating_add(1)..)?, char::is_alphabetic);
        let length = name.saturating_add(spaces).saturating_add(1);
        lexer.is_included = line.get(..length)?.ends_with("include");
        return Some(token(TokenKind::Meta, length));
    }
    if c == '[' && has(Trait::Sections) {
        let end = line.rfind(']')?;
        return Some(token(TokenKind::Type, end.saturating_add(1)));
    }
    if has(Trait::Mapped) && (line.starts_with("---") || line.starts_with('%')) {
        return Some(token(TokenKind::Meta, line.len()));
    }
    if has(Trait::Mapped) && !"\"'{[&*!|>-?#".contains(c) {
        let ended = line.trim_end().strip_suffix(':').map(str::len);
        let end = line.find(": ").or(ended)?;
        let is_plain = !line.get(..end)?.contains([',', '#', '{']);
        return is_plain.then_some((Some(TokenKind::Name), end));
    }
    None
}

const fn token(kind: TokenKind, length: usize) -> Token {
    (Some(kind), length)
}

/// How long a sign and the name behind it are, which may have more of these signs in it.
fn named(lexer: &Lexer<'_, '_, '_>, signs: &str) -> Option<usize> {
    let behind = lexer.at.rest.get(1..)?;
    let begins = behind.starts_with(|c: char| c.is_alphabetic() || c == '_' || signs.contains(c));
    let name = run(behind, |c| {
        c.is_alphanumeric() || c == '_' || signs.contains(c)
    });
    begins.then(|| name.saturating_add(1))
}

fn variable(lexer: &Lexer<'_, '_, '_>) -> Option<Token> {
    let line = lexer.at.rest.get(..lexer.at.line())?;
    if line.starts_with("${") {
        let end = line.find('}').unwrap_or(1);
        return Some(token(TokenKind::Name, end.saturating_add(1)));
    }
    let behind = line.get(1..)?;
    let name = run(behind, |c| c.is_alphanumeric() || c == '_');
    let is_special = name == 0 && behind.starts_with(['?', '#', '@', '*', '!', '$']);
    let name = if is_special { 1 } else { name };
    (name > 0).then(|| (Some(TokenKind::Name), name.saturating_add(1)))
}

/// `#[…]` to its end in the same line.
fn attribute(lexer: &Lexer<'_, '_, '_>) -> Option<Token> {
    let line = lexer.at.rest.get(..lexer.at.line())?;
    if !line.starts_with("#[") && !line.starts_with("#![") {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in line.char_indices() {
        if c == '[' {
            depth = depth.saturating_add(1);
        } else if c == ']' {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(token(TokenKind::Meta, at.saturating_add(1)));
            }
        }
    }
    Some(token(TokenKind::Meta, line.len()))
}

/// `@"…"`, in which two quotes are one.
fn verbatim(rest: &str) -> usize {
    let mut signs = rest.char_indices().skip(2).peekable();
    while let Some((at, c)) = signs.next() {
        if c == '"' && signs.next_if(|(_, next)| *next == '"').is_none() {
            return at.saturating_add(1);
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#`, in which nothing is escaped.
fn hashes(rest: &str) -> Option<Token> {
    let behind = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = run(behind, |c| c == '#');
    let inside = behind.get(hashes..)?.strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let before = rest.len().saturating_sub(inside.len());
    let end = inside.find(&close).map(|at| at.saturating_add(close.len()));
    Some(token(
        TokenKind::Text,
        before.saturating_add(end.unwrap_or(inside.len())),
    ))
}

/// `'a'` or `'\n'`; any other quote is a sign, with the name behind it.
fn character(rest: &str) -> Token {
    let inside = rest.strip_prefix('\'').unwrap_or_default();
    let mut signs = inside.char_indices().skip(1);
    let end = if inside.starts_with('\\') {
        signs.skip(1).take(10).find(|(_, c)| *c == '\'')
    } else {
        signs.next().filter(|(_, c)| *c == '\'')
    };
    if let Some((at, _)) = end {
        return token(TokenKind::Text, at.saturating_add(2));
    }
    let name = run(inside, |c| c.is_alphanumeric() || c == '_');
    (None, name.saturating_add(1))
}

fn follows_value(lexer: &Lexer<'_, '_, '_>) -> bool {
    lexer.ends_value && !lexer.at.before.is_some_and(char::is_whitespace)
}

/// `/a+/gi` within its line.
fn regex(lexer: &mut Lexer<'_, '_, '_>) -> Option<Token> {
    let rest = lexer.at.rest;
    if rest.len() > lexer.regexes_from {
        return None;
    }
    let line = rest.get(..lexer.at.line())?;
    let mut in_class = false;
    let mut signs = line.char_indices().skip(1);
    while let Some((at, c)) = signs.next() {
        match c {
            '\\' => {
                signs.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = run(line.get(at.saturating_add(1)..)?, |c| {
                    c.is_ascii_alphabetic()
                });
                return Some(token(
                    TokenKind::Text,
                    at.saturating_add(1).saturating_add(flags),
                ));
            }
            _ => {}
        }
    }
    // None that begins further on in this line ends either, or it would be looked for again and again.
    lexer.regexes_from = rest.len().saturating_sub(line.len());
    None
}
