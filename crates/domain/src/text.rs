//! Texts with rules: names, long texts, e-mail addresses, language tags.

pub mod sentences;

use std::fmt;

use oxilangtag::LanguageTag as Tag;

use crate::InvalidValue;

/// A human-readable name: 1 to 255 characters, not only white space, no NUL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// Longest name, in characters.
    pub const MAX_CHARS: usize = 255;

    /// Checks the rules.
    ///
    /// # Errors
    /// [`InvalidValue`] naming the rule.
    pub fn parse(text: impl Into<String>) -> Result<Self, InvalidValue> {
        let text = text.into();
        refuse_nul(&text)?;
        if text.trim().is_empty() {
            return Err(InvalidValue::new("must not be blank"));
        }
        refuse_longer(&text, Self::MAX_CHARS)?;
        Ok(Self(text))
    }

    /// Cuts and cleans a text made by a program until it is a name; `fallback` stands in for a blank one.
    pub fn clamp(text: &str, fallback: &str) -> Self {
        let cleaned: String = text.chars().filter(|c| !c.is_control()).collect();
        let cut: String = cleaned.trim().chars().take(Self::MAX_CHARS).collect();
        let cut = cut.trim_end().to_owned();
        Self(if cut.is_empty() {
            fallback.to_owned()
        } else {
            cut
        })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text of at most 100 000 characters, without NUL; may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LongText(String);

impl LongText {
    /// Longest text, in characters.
    pub const MAX_CHARS: usize = 100_000;

    /// Checks the rules.
    ///
    /// # Errors
    /// [`InvalidValue`] naming the rule.
    pub fn parse(text: impl Into<String>) -> Result<Self, InvalidValue> {
        let text = text.into();
        refuse_nul(&text)?;
        refuse_longer(&text, Self::MAX_CHARS)?;
        Ok(Self(text))
    }

    /// Cuts and cleans a text made by a program until it fits.
    pub fn clamp(text: &str) -> Self {
        Self(
            text.chars()
                .filter(|c| *c != '\0')
                .take(Self::MAX_CHARS)
                .collect(),
        )
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing but white space in it.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

/// An e-mail address, in lower case, at most 254 characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

impl Email {
    /// Longest address, in characters (RFC 5321).
    pub const MAX_CHARS: usize = 254;

    /// Folds case and checks that there is something on both sides of one `@` and no white space.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        refuse_longer(text, Self::MAX_CHARS)?;
        let folded = text.trim().to_lowercase();
        let plain = |part: &str| {
            !part.is_empty()
                && !part
                    .chars()
                    .any(|c| c.is_whitespace() || c.is_control() || c == '@')
        };
        match folded.split_once('@') {
            Some((local, domain)) if plain(local) && plain(domain) => Ok(Self(folded)),
            _ => Err(InvalidValue::new("must be an e-mail address")),
        }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A BCP-47 language tag in canonical case, such as `pt-BR` (RFC 5646).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageTag(String);

impl LanguageTag {
    /// Checks that the tag is well formed and gives it its canonical case.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        // The longest registered tags stay under 60; the cap keeps the field indexable.
        if text.len() > 100 {
            return Err(InvalidValue::new("must be a BCP-47 language tag"));
        }
        Tag::parse_and_normalize(text)
            .map(|tag| Self(tag.into_inner()))
            .map_err(|_| InvalidValue::new("must be a BCP-47 language tag such as en or pt-BR"))
    }

    /// English.
    pub fn english() -> Self {
        Self("en".to_owned())
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without script and region, such as `pt`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

/// The name of a time zone of the IANA database, such as `Europe/Berlin`. Its form alone is checked: which zones there are changes
/// several times a year.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TimeZone(String);

impl TimeZone {
    /// Longest name, in bytes.
    pub const MAX_BYTES: usize = 64;

    /// Checks the form.
    ///
    /// # Errors
    /// [`InvalidValue`] for what is no name
    pub fn parse(text: impl Into<String>) -> Result<Self, InvalidValue> {
        let text = text.into();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-".contains(&byte);
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(is_plain);
        if text.len() <= Self::MAX_BYTES && text.split('/').all(is_part) {
            Ok(Self(text))
        } else {
            Err(InvalidValue::new(
                "must be the name of a time zone such as UTC or Europe/Lisbon",
            ))
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a text could be the name of a language model, such as `gpt-4o`, `qwen2.5:7b` or `meta-llama/Llama-3.1-8B`:
/// letters, digits and what registries put between them. Whoever names a model may not be who runs the service, so
/// nothing passes that could mean more than a name where it is used: no spaces, control characters or quotes, and no
/// part of a path that leads elsewhere.
pub fn is_model_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-:/@+~".contains(&byte);
    let stays = |part: &str| part != ".." && part != ".";
    !text.is_empty() && text.bytes().all(plain) && text.split('/').all(stays)
}

macro_rules! displays_its_text {
    ($($kind:ty),+) => {$(
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}
displays_its_text!(Name, LongText, Email, LanguageTag, TimeZone);

pub(crate) fn refuse_nul(text: &str) -> Result<(), InvalidValue> {
    if text.contains('\0') {
        return Err(InvalidValue::new("must not contain the character U+0000"));
    }
    Ok(())
}

pub(crate) fn refuse_longer(text: &str, limit: usize) -> Result<(), InvalidValue> {
    // Bytes bound characters from above, so most texts never need counting.
    if text.len() > limit && text.chars().count() > limit {
        return Err(InvalidValue::new(format!(
            "must have at most {limit} characters"
        )));
    }
    Ok(())
}

/// A noun with its article, as it is said: `a course`, `an assignment`.
pub fn with_article(noun: &str) -> String {
    // Our nouns with a u begin like "unit".
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_their_article() {
        let said = [
            "assignment",
            "course",
            "unit",
            "user",
            "api_key",
            "enrollment",
        ]
        .map(with_article);
        let right = [
            "an assignment",
            "a course",
            "a unit",
            "a user",
            "an api_key",
            "an enrollment",
        ];
        assert_eq!(said, right);
    }
    use rstest::rstest;

    #[rstest]
    #[case("en", "en")]
    #[case("PT-br", "pt-BR")]
    #[case("ZH-hant-tw", "zh-Hant-TW")]
    fn language_tags_take_their_canonical_case(#[case] given: &str, #[case] kept: &str) {
        assert_eq!(LanguageTag::parse(given).unwrap().as_str(), kept);
    }

    #[rstest]
    #[case("UTC", true)]
    #[case("America/Argentina/Buenos_Aires", true)]
    #[case("Etc/GMT+12", true)]
    #[case("", false)]
    #[case("Europe/", false)]
    #[case("../etc/passwd", false)]
    #[case("+02:00", false)]
    #[case("Europe/Berlin ", false)]
    fn time_zones_have_the_form_of_names(#[case] given: &str, #[case] is_one: bool) {
        assert_eq!(TimeZone::parse(given).is_ok(), is_one);
    }

    #[rstest]
    #[case("")]
    #[case("english language")]
    #[case("e")]
    #[case("en_US")]
    fn other_texts_are_no_language_tags(#[case] given: &str) {
        assert!(LanguageTag::parse(given).is_err());
    }

    #[test]
    fn a_model_is_named_and_nothing_else() {
        for name in [
            "gpt-4o",
            "qwen2.5:7b-instruct",
            "meta-llama/Llama-3.1-8B-Instruct",
            "hf.co/bartowski/X-GGUF:Q4_K_M",
            "claude-3-5-sonnet@20240620",
            "ft:gpt-4o-mini:school::abc",
            "/models/llama-3.gguf",
        ] {
            assert!(is_model_name(name), "{name}");
        }
        for other in [
            "",
            "..",
            "../../x",
            "models/../../x",
            "./x",
            "a b",
            "x\ny",
            "x\u{202e}y",
            "m'--",
            "m?api-version=1",
            "m#x",
            "m%2e%2e",
            "m\\x",
            "<m>",
        ] {
            assert!(!is_model_name(other), "{other:?}");
        }
    }

    #[test]
    fn names_have_a_visible_character_and_an_end() {
        assert!(Name::parse("  ").is_err());
        assert!(Name::parse("a\0b").is_err());
        assert!(Name::parse("é".repeat(255)).is_ok());
        assert!(Name::parse("é".repeat(256)).is_err());
        assert_eq!(Name::clamp(" \u{7}Week 1 ", "x").as_str(), "Week 1");
        assert_eq!(Name::clamp("\n", "Untitled").as_str(), "Untitled");
    }

    #[test]
    fn emails_are_folded_and_need_both_sides() {
        assert_eq!(
            Email::parse("Ada@Example.ORG").unwrap().as_str(),
            "ada@example.org"
        );
        for wrong in [
            "",
            "ada",
            "@example.org",
            "ada@",
            "a b@example.org",
            "a@b@c",
        ] {
            assert!(Email::parse(wrong).is_err(), "{wrong}");
        }
    }
}
