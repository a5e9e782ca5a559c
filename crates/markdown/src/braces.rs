//! Groups of TeX.

/// What stands before the brace that closes, and behind it; the one that opens has been read.
pub fn braced(text: &str) -> Option<(&str, &str)> {
    closed(text, '{', '}')
}

/// The same with other signs.
pub fn closed(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let mut depth = 1_u32;
    for (at, c) in text.char_indices() {
        if c == open {
            depth = depth.checked_add(1)?;
        } else if c == close {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            let (inside, tail) = text.split_at_checked(at)?;
            return Some((inside, tail.strip_prefix(close)?));
        }
    }
    None
}

/// `tex` with every `\command{…}` in it written otherwise, the outer ones first; unchanged from the first that does not end.
pub fn rewritten(tex: &str, command: &str, otherwise: &dyn Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(tex.len());
    let mut rest = tex;
    while let Some((before, after)) = rest.split_once(command) {
        let Some((inside, tail)) = after.strip_prefix('{').and_then(braced) else {
            break;
        };
        out.push_str(before);
        out.push_str(&otherwise(inside));
        rest = tail;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_ends_with_its_own_brace() {
        assert_eq!(braced("a{b}c}d"), Some(("a{b}c", "d")));
        assert_eq!(braced("a{b}"), None);
        let starred = |inside: &str| format!("*{inside}*");
        assert_eq!(
            rewritten("a\\x{b{c}}d\\x{e}", "\\x", &starred),
            "a*b{c}*d*e*"
        );
        assert_eq!(rewritten("\\x{a}\\x{b", "\\x", &starred), "*a*\\x{b");
    }
}
