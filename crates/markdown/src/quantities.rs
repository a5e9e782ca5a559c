//! Numbers with their units within words that are written from right to left: `74 °C` stays `74 °C`.
//!
//! In such words a browser takes a number and the unit behind it for two things, and puts the second to the left of the
//! first; the same with a sign before a number, or a range. Each of them is put into an element that is a world of its own.

use crate::tags::{self, Piece};

/// Letters of one unit: `mmHg` has four.
const UNIT_LETTERS: usize = 4;
const END: &str = "</bdi>";

/// The exponent of a unit where it is an element, `m<sup>3</sup>`: within the world of its quantity, or it would stand before it.
#[derive(Debug, Default)]
pub struct Exponent {
    /// How many such elements are open within a quantity that is not closed yet.
    depth: Option<usize>,
}

impl Exponent {
    /// Text as it was kept together; its last quantity stays open for an exponent right behind it.
    pub fn awaited(&mut self, kept: String, next: Option<&Piece<'_>>) -> String {
        let follows = matches!(next, Some(Piece::Tag(tag)) if is_opened(tag));
        match kept.strip_suffix(END) {
            Some(open) if follows && self.depth.is_none() => {
                self.depth = Some(0);
                open.to_owned()
            }
            Some(_) | None => kept,
        }
    }

    /// What closes the quantity behind this tag.
    pub fn passed(&mut self, tag: &str) -> &'static str {
        let Some(depth) = self.depth else { return "" };
        self.depth = match (is_opened(tag), is_closed(tag)) {
            (true, _) => depth.checked_add(1),
            (_, true) => depth.checked_sub(1).filter(|left| *left > 0),
            (false, false) => Some(depth),
        };
        if self.depth.is_none() { END } else { "" }
    }
}

fn is_opened(tag: &str) -> bool {
    matches!(tags::name(tag), "sup" | "sub") && !tag.starts_with('/')
}

fn is_closed(tag: &str) -> bool {
    matches!(tags::name(tag), "sup" | "sub") && tag.starts_with('/')
}

/// Escaped text with its quantities kept together.
pub fn kept_together(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (part, is_quantity) in parts(text) {
        if is_quantity {
            out.push_str(&["<bdi dir=\"ltr\">", part, "</bdi>"].concat());
        } else {
            out.push_str(part);
        }
    }
    out
}

/// The first letter of escaped text that is none of a unit.
pub fn first_letter(text: &str) -> Option<char> {
    let words = parts(text)
        .into_iter()
        .filter(|(_, is_quantity)| !is_quantity);
    words
        .filter(|(part, _)| !part.starts_with('&'))
        .flat_map(|(part, _)| part.chars())
        .find(|c| c.is_alphabetic())
}

/// Escaped text character by character, entities and quantities as a whole, with whether they are quantities.
fn parts(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before: Option<char> = None;
    while let Some(c) = rest.chars().next() {
        let begins = !before.is_some_and(char::is_alphanumeric);
        let quantity = begins.then(|| quantity(rest)).flatten();
        let (taken, is_quantity) = match quantity {
            Some(length) => (length, true),
            None if c == '&' => (rest.find(';').map_or(1, |at| at.saturating_add(1)), false),
            None => (c.len_utf8(), false),
        };
        let (part, tail) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        found.push((part, is_quantity));
        before = part.chars().next_back();
        rest = tail;
    }
    found
}

/// How long the quantity at the beginning is: a number with a sign, a second number or a unit.
fn quantity(text: &str) -> Option<usize> {
    let unsigned = text.trim_start_matches(is_sign);
    let signs = text.len().checked_sub(unsigned.len())?;
    let digits = numbers(unsigned)?;
    let (number, behind) = unsigned.split_at_checked(digits)?;
    let unit = unit(behind).unwrap_or_default();
    let is_range = number.contains(['\u{2013}', '-', '/', ':']);
    (signs > 0 || unit > 0 || is_range).then(|| signs.checked_add(digits)?.checked_add(unit))?
}

fn is_sign(c: char) -> bool {
    matches!(
        c,
        '+' | '-' | '\u{2212}' | '±' | '$' | '€' | '£' | '~' | '≈' | '≤' | '≥'
    )
}

/// Figures, and what stands between figures.
fn numbers(text: &str) -> Option<usize> {
    let mut end = None;
    for (at, c) in text.char_indices() {
        if c.is_ascii_digit() {
            end = at.checked_add(1);
        } else if end != Some(at) || !is_between(c) {
            break;
        }
    }
    end
}

fn is_between(c: char) -> bool {
    matches!(c, '.' | ',' | ':' | '/' | '-' | '\u{2013}')
}

/// The length of a unit with the space before it.
fn unit(text: &str) -> Option<usize> {
    let spaces = ["&nbsp;", "\u{202f}", "\u{a0}", " "];
    let space = spaces.into_iter().find(|space| text.starts_with(space));
    let space = space.unwrap_or_default();
    let named = text.strip_prefix(space)?;
    let end = named.find(|c: char| !is_of_unit(c)).unwrap_or(named.len());
    let unit = named.get(..end)?.trim_end_matches(['/', '-', '·', '^']);
    let parts = unit.split(['/', '·', '^']);
    let is_short = |part: &str| part.chars().filter(|c| c.is_alphabetic()).count() <= UNIT_LETTERS;
    let is_unit = unit.contains(|c: char| {
        c.is_alphabetic() || matches!(c, '°' | '%' | '‰' | '€' | '$' | '£' | '′' | '″')
    });
    let behind = named.get(unit.len()..)?.chars().next();
    let ends = behind.is_none_or(|c| !c.is_alphanumeric());
    let fits = is_unit && ends && parts.into_iter().all(is_short);
    fits.then(|| space.len().checked_add(unit.len()))?
}

fn is_of_unit(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(
            c,
            '°' | '%' | '‰' | 'µ' | 'μ' | 'Ω' | '€' | '$' | '£' | '/' | '·' | '^' | '-'
        )
        || matches!(c, '²' | '³' | '¹' | '⁻' | '′' | '″' | 'Å')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_unit_its_sign_and_its_range() {
        for (text, kept) in [
            ("عند 74 °C", "74 °C"),
            ("عند 74&nbsp;°C.", "74&nbsp;°C"),
            ("سرعة 9.81 m/s² هنا", "9.81 m/s²"),
            ("حوالي -5 درجات", "-5"),
            ("من 10–20 kg", "10–20 kg"),
            ("سعر $5", "$5"),
            ("نسبة 12%", "12%"),
        ] {
            let made = kept_together(text);
            assert!(
                made.contains(&format!("<bdi dir=\"ltr\">{kept}</bdi>")),
                "{made}"
            );
            assert_eq!(made.matches("<bdi").count(), 1, "{made}");
        }
    }

    #[test]
    fn a_unit_is_no_word() {
        assert_eq!(first_letter("5 °C, 7&nbsp;kg &amp; 74"), None);
        assert_eq!(first_letter("5 kg of b"), Some('o'));
    }

    #[test]
    fn everything_else_is_left_alone() {
        for text in [
            "عام 2024",
            "الفصل 3 Python",
            "&#39;7",
            "a7 kg",
            "&amp;",
            "ب - ج",
            "3.",
        ] {
            assert_eq!(kept_together(text), text);
        }
    }
}
