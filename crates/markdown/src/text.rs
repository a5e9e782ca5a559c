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

/// Makes a string safe between tags and inside attributes of our own HTML, whose values stand in double quotes.
pub fn escape_html(raw: &str) -> String {
    escape_text(raw).replace('"', "&quot;")
}

/// Makes a string safe between tags, where quotes are signs like others.
pub fn escape_text(raw: &str) -> String {
    raw.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
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
