//! Plain text on its way into a package: no control characters, bounded, never empty where a name is shown.
//!
//! Nothing here knows about markup; Markdown has its own room.

use lyceum_markdown::unprintable;
pub use lyceum_markdown::{clean, escape_html};
use serde_json::Value;

/// The longest title SCORM 1.2 allows.
pub const TITLE_CHARS: usize = 200;

/// A name fit for a manifest and a menu: one line, no control characters, at most [`TITLE_CHARS`].
pub fn title(raw: &str, fallback: &str) -> String {
    let mut line = String::new();
    for word in raw.split(|c: char| c.is_whitespace() || unprintable(c)) {
        if !word.is_empty() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let short: String = line.chars().take(TITLE_CHARS).collect();
    if short.is_empty() {
        fallback.to_owned()
    } else {
        short
    }
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
        assert_eq!(title("\u{7}\n", "Course"), "Course");
        assert_eq!(title(&"é".repeat(4096), "x").chars().count(), TITLE_CHARS);
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
