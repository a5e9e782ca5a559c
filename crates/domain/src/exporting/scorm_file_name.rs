//! What a package is called on the disk of whoever downloads it.

use unicode_normalization::UnicodeNormalization;

use crate::exporting::scorm::ScormVersion;

/// Longest part that comes from the course's name, in characters.
const LONGEST: usize = 60;
/// What a course is called whose name has no character that may stand there.
const NAMELESS: &str = "course";

/// The name of a package's file, twice: for every client, and for those that read any language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFileName {
    /// `[a-z0-9-]` and the ending.
    pub ascii: String,
    /// The course's own name, without what cannot stand in a file's name.
    pub unicode: String,
}

impl PackageFileName {
    /// Of a course's package: `…-scorm12.zip` or `…-scorm2004.zip`.
    pub fn of(course: &str, version: ScormVersion) -> Self {
        let ending = format!("-scorm{}.zip", version.as_str().replace('.', ""));
        Self {
            ascii: slug(course) + &ending,
            unicode: readable(course) + &ending,
        }
    }
}

/// Letters without their accents, and a hyphen for each run of anything else.
fn slug(name: &str) -> String {
    let plain = name.nfkd().filter(|c| !is_mark(*c)).collect::<String>();
    let parts = plain.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<String> = parts
        .filter(|part| !part.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    named(&parts.join("-"))
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// Marks that turn the direction of a text: what is shown of a file's name would end in something else than its ending.
fn turns_around(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn readable(name: &str) -> String {
    let allowed = |c: char| {
        if c.is_control() || turns_around(c) || "/\\:*?\"<>|".contains(c) {
            ' '
        } else {
            c
        }
    };
    let text: String = name.chars().map(allowed).collect();
    named(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn named(text: &str) -> String {
    let short: String = text.chars().take(LONGEST).collect();
    let short = short.trim_matches(['-', ' ', '.']);
    if short.is_empty() { NAMELESS } else { short }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_its_course() {
        for (course, ascii, unicode) in [
            ("Food safety", "food-safety", "Food safety"),
            (
                "Küche & Café, Teil 1",
                "kuche-cafe-teil-1",
                "Küche & Café, Teil 1",
            ),
            ("a/b\\c: \"d\"\u{7}", "a-b-c-d", "a b c d"),
            ("سلامة الغذاء", "course", "سلامة الغذاء"),
            ("../..", "course", "course"),
            ("a\u{202e}gpj.exe", "a-gpj-exe", "a gpj.exe"),
        ] {
            let name = PackageFileName::of(course, ScormVersion::V2004);
            assert_eq!(name.ascii, format!("{ascii}-scorm2004.zip"));
            assert_eq!(name.unicode, format!("{unicode}-scorm2004.zip"));
        }
        let old = PackageFileName::of("Food", ScormVersion::V12);
        assert_eq!(old.ascii, "food-scorm12.zip");
    }

    #[test]
    fn a_long_name_is_cut() {
        let name = PackageFileName::of(&"é ".repeat(200), ScormVersion::V12);
        assert!(name.ascii.len() <= 60 + 12, "{}", name.ascii);
        assert!(!name.ascii.contains("--"), "{}", name.ascii);
        assert_eq!(name.unicode.chars().count(), 59 + 12);
    }
}
