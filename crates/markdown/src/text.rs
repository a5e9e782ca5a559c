//! Characters that a text may have, and their escapes.

/// Text of several lines without the characters that XML 1.0 or a screen reader would choke on.
pub fn clean(raw: &str) -> String {
    raw.chars()
        .filter(|&c| c == '\n' || c == '\t' || !unprintable(c))
        .collect()
}

/// Control characters, direction overrides that could disguise text, and code points that are no characters.
pub fn unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fdd0}'..='\u{fdef}')
        || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Makes a string safe between tags and inside quoted attributes of our own HTML.
pub fn escape_html(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// The inverse of what the sanitiser's writer does to values.
pub(crate) fn unescape(value: &str) -> String {
    value
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&")
}
