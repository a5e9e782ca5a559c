//! What was added and what was removed, line by line.

use crate::code::TokenKind;
use crate::code::cursor::Marked;

/// Reads all of it.
pub fn read(code: &str, out: &mut Marked<'_>) {
    for line in code.split_inclusive('\n') {
        let words = line.trim_end_matches('\n');
        let is = |begins: &[&str]| begins.iter().any(|begin| line.starts_with(begin));
        let kind = if is(&["@@", "+++", "---", "diff ", "index "]) {
            Some(TokenKind::Meta)
        } else if is(&["+", ">"]) {
            Some(TokenKind::Added)
        } else if is(&["-", "<"]) {
            Some(TokenKind::Removed)
        } else {
            None
        };
        out.push(kind, words);
        out.push(None, line.get(words.len()..).unwrap_or_default());
    }
}
