//! Numbers of a sentence with their unit: what they count, where they stand, and how else they may be written.
//!
//! Only whole numbers as they are written are found: not the 5 of "15", of "1.5", of "5-minute" or of "E250". A number
//! without a unit is none, but for years.

mod words;

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::language::Language;
use crate::words::fold;

/// A number and what it is a number of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    /// Where it stands in the sentence, in bytes: with its unit where that measures, without it where things are counted.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    /// What stands there.
    pub(crate) shown: String,
    /// The number alone, as it is written.
    pub(crate) number: String,
    /// What it is worth.
    pub(crate) value: f64,
    /// The unit, the same for all ways of writing it.
    pub(crate) unit: String,
    /// Whether the unit measures (minutes, °C), and not only counts (allergens).
    pub(crate) measures: bool,
    /// Whether it is an end of a range, or one of several numbers of the same unit in the sentence.
    pub(crate) one_of_several: bool,
}

static WRITTEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?P<before>[€$£]\s?)?(?P<number>[-−]?\d+(?:[.,\u{a0}\u{202f}]\d{3})*(?:[.,]\d+)?)(?P<unit>[\s\u{a0}\u{202f}]?(?:°\s?[CF]?|%|‰|€|\$|£|[\p{L}][\p{L}²³]*(?:/\p{L}+)?))?",
    )
    .ok()
});

static SPELLED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?P<number>\p{L}+)(?P<unit> [\p{L}][\p{L}-]*)").ok());

/// What a number word is worth.
pub(crate) fn number_word(word: &str, language: Language) -> Option<u32> {
    words::value(word, language)
}

/// What a unit is called here, if it measures.
pub(crate) fn unit(written: &str, language: Language) -> Option<String> {
    words::canonical(written, language)
}

/// The numbers of a sentence that have a unit, in order.
pub(crate) fn quantities(sentence: &str, language: Language) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    for captures in WRITTEN
        .iter()
        .flat_map(|regex| regex.captures_iter(sentence))
    {
        found.extend(written(sentence, &captures, language));
    }
    let spelled_out = SPELLED
        .iter()
        .flat_map(|regex| overlapping(regex, sentence));
    found.extend(spelled_out.filter_map(|captures| spelled(sentence, &captures, language)));
    found.sort_by_key(|one| one.start);
    let units: Vec<String> = found.iter().map(|one| one.unit.clone()).collect();
    for one in &mut found {
        let alike = units.iter().filter(|unit| **unit == one.unit).count();
        one.one_of_several |= alike > 1;
    }
    found
}

/// Every word with the one behind it.
fn overlapping<'a>(regex: &'a Regex, sentence: &'a str) -> impl Iterator<Item = Captures<'a>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let captures = regex.captures_at(sentence, at)?;
        at = captures.name("number")?.end();
        Some(captures)
    })
}

fn written(sentence: &str, captures: &Captures<'_>, language: Language) -> Option<Quantity> {
    let number = captures.name("number")?;
    let start = captures.get(0)?.start();
    let (before, behind) = (sentence.get(..start)?, sentence.get(number.end()..)?);
    let apart = before
        .chars()
        .next_back()
        .is_none_or(|c| c.is_whitespace() || "(„“\"«~≈".contains(c));
    let glued = behind.starts_with(|c: char| {
        matches!(c, '-' | '–' | '—' | '/' | ':' | '\'' | '’') || c.is_ascii_digit()
    });
    if !apart || glued {
        return None;
    }
    let unit = captures
        .name("unit")
        .filter(|unit| is_whole(sentence, unit.end(), unit.as_str()));
    let currency = captures.name("before");
    let named = unit.map(|unit| unit.as_str().trim());
    let value = value(number.as_str(), language)?;
    let (unit_key, measures, end) = match (currency, named) {
        (Some(sign), _) => (
            words::canonical(sign.as_str(), language)?,
            true,
            number.end(),
        ),
        (None, Some(name)) => match words::canonical(name, language) {
            Some(key) => (key, true, unit?.end()),
            None => match counted(name, sentence, unit?.end(), language) {
                Some(key) => (key, false, number.end()),
                None => year(number.as_str(), before, number.end(), language)?,
            },
        },
        (None, None) => year(number.as_str(), before, number.end(), language)?,
    };
    Some(Quantity {
        start,
        end,
        shown: sentence.get(start..end)?.to_owned(),
        number: number.as_str().to_owned(),
        value,
        unit: unit_key,
        measures,
        one_of_several: is_end_of_range(before, sentence.get(end..)?, language),
    })
}

fn spelled(sentence: &str, captures: &Captures<'_>, language: Language) -> Option<Quantity> {
    let (number, unit) = (captures.name("number")?, captures.name("unit")?);
    let value = words::value(&fold(number.as_str()), language)?;
    let before = sentence.get(..number.start())?;
    let glued = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’'));
    if glued || !is_whole(sentence, unit.end(), unit.as_str()) {
        return None;
    }
    let name = unit.as_str().trim();
    let (key, measures, end) = match words::canonical(name, language) {
        Some(key) => (key, true, unit.end()),
        None => (
            counted(name, sentence, unit.end(), language)?,
            false,
            number.end(),
        ),
    };
    Some(Quantity {
        start: number.start(),
        end,
        shown: sentence.get(number.start()..end)?.to_owned(),
        number: number.as_str().to_owned(),
        value: f64::from(value),
        unit: key,
        measures,
        one_of_several: is_end_of_range(before, sentence.get(end..)?, language),
    })
}

/// Whether no word goes on where the unit ends.
fn is_whole(sentence: &str, end: usize, unit: &str) -> bool {
    let behind = sentence.get(end..).unwrap_or_default().chars().next();
    let letters = unit.chars().next_back().is_some_and(char::is_alphabetic);
    !letters || behind.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '\'' | '’'))
}

/// The things that are counted: a content word, as it stands behind the number.
fn counted(name: &str, sentence: &str, end: usize, language: Language) -> Option<String> {
    let folded = fold(name);
    let small = language.is_stop_word(&folded) || language.is_negation(&folded);
    let is_noun = match language {
        Language::German => name.starts_with(char::is_uppercase),
        Language::English | Language::Other => {
            let ends_clause = followed_by_boundary(sentence, end, language);
            folded.ends_with('s') && !folded.ends_with("ss") && ends_clause
        }
        Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic => true,
    };
    (!small && is_noun && folded.chars().count() >= 3)
        .then(|| format!("#{}", language.stemmer().stem(&folded)))
}

/// Whether a clause or a noun phrase ends: what follows is a mark or a small word.
fn followed_by_boundary(sentence: &str, end: usize, language: Language) -> bool {
    let rest = sentence.get(end..).unwrap_or_default();
    let next = rest.split_whitespace().next().unwrap_or_default();
    let glued = !rest.starts_with(char::is_whitespace);
    let folded = fold(next.trim_matches(|c: char| !c.is_alphanumeric()));
    glued
        || language.is_stop_word(&folded)
        || folded.is_empty()
        || folded.ends_with("ed")
        || folded.ends_with("ing")
}

fn year(
    number: &str,
    before: &str,
    end: usize,
    language: Language,
) -> Option<(String, bool, usize)> {
    let value: u32 = number.parse().ok()?;
    let last = fold(before.split_whitespace().next_back().unwrap_or_default());
    let is_year = (1_000..2_100).contains(&value)
        && number.len() == 4
        && words::before_years(language).contains(&last.as_str());
    is_year.then(|| ("year".to_owned(), true, end))
}

fn is_end_of_range(before: &str, behind: &str, language: Language) -> bool {
    let last = fold(before.split_whitespace().next_back().unwrap_or_default());
    let next = fold(behind.split_whitespace().next().unwrap_or_default());
    let bridges = words::bridges(language);
    let digits = |word: Option<&str>| {
        word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let joined = bridges.contains(&last.as_str()) && digits(before.split_whitespace().rev().nth(1));
    let joins = bridges.contains(&next.as_str()) && digits(behind.split_whitespace().nth(1));
    joined || joins || words::between(language).contains(&last.as_str())
}

/// What a number is worth; a mark before three digits parts thousands, in English a comma, elsewhere a full stop.
fn value(number: &str, language: Language) -> Option<f64> {
    let english = matches!(
        language,
        Language::English | Language::Other | Language::Arabic
    );
    let (thousands, decimal) = if english { (',', '.') } else { ('.', ',') };
    let plain: String = number
        .chars()
        .filter(|c| *c != thousands && !c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}'))
        .map(|c| match c {
            '−' => '-',
            c if c == decimal => '.',
            c => c,
        })
        .collect();
    plain.parse().ok()
}

/// Whether another number in its place could be as true: "above 5 °C" is true of 8 °C, too.
pub(crate) fn is_bound(sentence: &str, quantity: &Quantity) -> bool {
    let before = fold(sentence.get(..quantity.start).unwrap_or_default());
    let behind = fold(sentence.get(quantity.end..).unwrap_or_default());
    let mut near = before
        .split_whitespace()
        .rev()
        .take(4)
        .chain(behind.split_whitespace().take(3));
    near.any(|word| words::is_comparing(word.trim_matches(|c: char| !c.is_alphanumeric())))
}

/// Other ways of writing a number with its unit that are as right: the number alone, as a word or in digits, the unit set
/// apart or not.
pub(crate) fn variants(quantity: &Quantity, language: Language) -> Vec<String> {
    let mut found = vec![quantity.shown.clone()];
    let mut add = |text: String| {
        if !found.contains(&text) {
            found.push(text);
        }
    };
    let unit = quantity.shown.replacen(&quantity.number, "", 1);
    let unit = unit.trim();
    let mut numbers = vec![quantity.number.clone()];
    numbers.extend(words::otherwise(quantity.value, &quantity.number, language));
    if quantity.number.starts_with('−') {
        numbers.push(quantity.number.replace('−', "-"));
    }
    if quantity.number.starts_with(['−', '-']) {
        numbers.push(quantity.number.replace(['−', '-'], "minus "));
    }
    let joined: String = quantity
        .number
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    // 1,700 may be written without its mark.
    if quantity.value >= 1_000.0 && quantity.value.fract().abs() < 1e-9 {
        numbers.push(joined);
    }
    for number in numbers {
        if unit.is_empty() {
            add(number);
            continue;
        }
        let sets_apart = unit.chars().count() > 3 || number.chars().all(char::is_alphabetic);
        add(format!("{number} {unit}"));
        if !sets_apart {
            add(format!("{number}{unit}"));
        }
        add(number.clone());
        for word in words::spelled_units(&quantity.unit, language) {
            add(format!("{number} {word}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn shown(sentence: &str, language: Language) -> Vec<(String, String)> {
        let found = quantities(sentence, language).into_iter();
        found.map(|one| (one.shown, one.unit)).collect()
    }

    #[rstest]
    #[case(
        Language::English,
        "Cool it to 8 °C within 90 minutes.",
        "8 °C=° 90 minutes=minute"
    )]
    #[case(
        Language::English,
        "There are fourteen allergens on 2 lists.",
        "fourteen=#allergen 2=#list"
    )]
    #[case(
        Language::English,
        "A 5-minute walk, E250, room 12b and 3 of them.",
        ""
    )]
    #[case(Language::English, "It cost $1,200 in 1998.", "$1,200=$ 1998=year")]
    #[case(
        Language::German,
        "Nach zwei Stunden sind 12,5 % verdunstet.",
        "zwei Stunden=hour 12,5 %=%"
    )]
    #[case(
        Language::German,
        "Bei −18 °C hält es 3 Monate.",
        "−18 °C=° 3 Monate=month"
    )]
    #[case(
        Language::French,
        "On attend 20 minutes à 180 °C.",
        "20 minutes=minute 180 °C=°"
    )]
    fn numbers_are_whole_and_have_their_unit(
        #[case] language: Language,
        #[case] sentence: &str,
        #[case] expected: &str,
    ) {
        let found: Vec<String> = shown(sentence, language)
            .into_iter()
            .map(|(shown, unit)| format!("{shown}={unit}"))
            .collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn ends_of_ranges_and_one_of_several_are_told() {
        let several = |text: &str| {
            quantities(text, Language::English)
                .iter()
                .all(|one| one.one_of_several)
        };
        assert!(several("Water between 92 and 96 degrees extracts well."));
        assert!(several("It falls from 63 °C to 8 °C."));
        assert!(!several("It falls to 8 °C in 90 minutes."));
    }

    #[test]
    fn a_number_may_be_written_in_several_ways() {
        let of = |text: &str| variants(&quantities(text, Language::English)[0], Language::English);
        assert_eq!(
            of("Hold it at 63 °C."),
            ["63 °C", "63°C", "63", "63 degrees", "63 degrees Celsius"]
        );
        assert_eq!(of("Wait 2 hours."), ["2 hours", "2", "two hours", "two"]);
        assert_eq!(of("The fourteen allergens."), ["fourteen", "14"]);
        assert_eq!(
            of("It makes 1,700 litres."),
            ["1,700 litres", "1,700", "1700 litres", "1700"]
        );
    }
}
