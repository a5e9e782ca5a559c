//! Plain text on its way into a package: no control characters, bounded, never empty where a name is shown.
//!
//! Nothing here knows about markup; Markdown has its own room.

use lyceum_markdown::unprintable;
pub use lyceum_markdown::{clean, escape_text};
use serde_json::Value;

/// The longest title SCORM 1.2 allows.
pub const TITLE_CHARS: usize = 200;

/// A name fit for a manifest and a menu: one line, no control characters, at most [`TITLE_CHARS`].
///
/// White space between words is one space, or one that does not break where nothing else stood there. What orders text and
/// must not stay goes without leaving a space within its word.
pub fn title(raw: &str, fallback: &str) -> String {
    let mut line = String::new();
    let mut gap = None;
    for c in raw.chars() {
        if c.is_whitespace() || c.is_control() {
            gap = Some(joined(gap, c));
        } else if !unprintable(c) {
            let between = gap.take().filter(|_| !line.is_empty());
            line.extend(between);
            line.push(c);
        }
    }
    let short: String = line.chars().take(TITLE_CHARS).collect();
    let short = short.trim_end_matches(|c: char| c.is_whitespace() || c == JOINER);
    if short.chars().all(invisible) {
        fallback.to_owned()
    } else {
        short.to_owned()
    }
}

/// Between the parts of one sign, such as a family; at the end of what was cut it joins nothing.
const JOINER: char = '\u{200d}';

/// The space that stands for both.
fn joined(before: Option<char>, c: char) -> char {
    let unbreaking = |c: &char| matches!(c, '\u{a0}' | '\u{202f}' | '\u{2007}');
    match before {
        None if unbreaking(&c) => c,
        Some(before) if unbreaking(&before) && unbreaking(&c) => before,
        _ => ' ',
    }
}

/// What a name cannot be made of alone: nobody would see it.
fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}')
}

/// Percent-encodes a path for an `href`; letters, digits and `/._-~` stay.
pub fn percent_encode(path: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// JSON that stays inert even if somebody pastes it into a page.
pub fn script_json(value: &Value) -> String {
    // `</` can only occur inside a JSON string, where `<\/` means the same.
    value.to_string().replace("</", "<\\/")
}

/// The two-letter part of a language tag, lower case.
pub fn primary_language(tag: &str) -> String {
    tag.split(['-', '_'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}

/// Whether a language is written from right to left.
pub fn right_to_left(tag: &str) -> bool {
    matches!(
        primary_language(tag).as_str(),
        "ar" | "he" | "fa" | "ur" | "ps" | "yi" | "dv" | "ckb" | "sd"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_short_printable_line() {
        assert_eq!(title(" a\u{0}b\n\tc\u{202e} ", "x"), "a b c");
        for nothing in ["\u{7}\n", "", "\u{200f}\u{200b}", " \u{a0} ", "\u{feff}"] {
            assert_eq!(title(nothing, "Course"), "Course", "{nothing:?}");
        }
        assert_eq!(title(&"é".repeat(4096), "x").chars().count(), TITLE_CHARS);
    }

    #[test]
    fn a_title_loses_no_space_and_gets_none() {
        for (raw, shown) in [
            ("Food  &   \t safety", "Food & safety"),
            (
                "\u{a0}4\u{a0}°C\u{202f}: prêt ? ",
                "4\u{a0}°C\u{202f}: prêt ?",
            ),
            ("a \u{a0}b\u{a0}\u{a0}c\u{2028}d\u{3000}e", "a b\u{a0}c d e"),
            ("Ka\u{feff}ffee\u{202b}maschine\u{2066}", "Kaffeemaschine"),
            ("\u{200f}مرحبا\u{200e} (1)", "\u{200f}مرحبا\u{200e} (1)"),
            (
                "Soft\u{ad}ware & \"Tools\" <b> 'x' &amp;",
                "Soft\u{ad}ware & \"Tools\" <b> 'x' &amp;",
            ),
            ("👩\u{200d}🍳 cooks\u{fe0f}", "👩\u{200d}🍳 cooks\u{fe0f}"),
        ] {
            assert_eq!(title(raw, "x"), shown);
        }
        let cut = |behind: &str| title(&format!("{}{behind}", "a".repeat(199)), "x");
        assert_eq!(cut(" b").len(), 199);
        assert_eq!(cut("\u{200d}b").len(), 199);
    }

    #[test]
    fn a_path_is_percent_encoded_once() {
        assert_eq!(
            percent_encode("content/a b-é.js"),
            "content/a%20b-%C3%A9.js"
        );
    }

    #[test]
    fn json_cannot_close_a_script_element() {
        let json = script_json(&serde_json::json!({"a": "</script>"}));
        assert_eq!(json, r#"{"a":"<\/script>"}"#);
    }
}
