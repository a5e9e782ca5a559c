//! The figures of a text: numbers with sign and unit, letters that name things, and signs of arithmetic, in order.
//!
//! Read from the text as it was written, not as it is compared: folding makes 102 of 10².

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::language::Language;
use crate::outline::{number_word, unit};

/// Words for numbers beside those that count.
const MORE_NUMBERS: &str = "zero hundred hundreds thousand thousands million millions billion billions once twice thrice half double \
triple first third fourth fifth null hundert tausend millionen milliarde milliarden halb halbe hälfte doppelt doppelte dreifach \
erste ersten erster zweite zweiten dritte dritten einmal zweimal dreimal cero cien ciento mil millón millones mitad doble triple \
primero primera segundo segunda tercero tercera zéro cent mille moitié premier première deuxième troisième cento mila milione \
metà doppio triplo primo prima secondo seconda terzo terza milhão milhões metade dobro triplo primeiro primeira terceiro \
terceira duas";

/// A number with what stands around it, a word, or a sign.
static PIECES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?P<sign>[-−])?(?P<number>\d+(?:[.,]\d+)*)(?:\s?(?P<unit>°\s?[cf]?\b|[%‰€$£]|\p{L}[\p{L}²³]*(?:/\p{L}+)?))?|(?P<word>\p{L}[\p{L}\p{M}'’]*)|(?P<mark>[<>≤≥≠=+×÷√^]|\p{No})",
    )
    .ok()
});

/// The figures in order, each as it is compared with others.
pub(super) fn figures(text: &str, language: Language) -> Vec<String> {
    let text = text.to_lowercase();
    let pieces = PIECES.iter().flat_map(|regex| regex.captures_iter(&text));
    pieces
        .filter_map(|piece| figure(&text, &piece, language))
        .collect()
}

fn figure(text: &str, piece: &Captures<'_>, language: Language) -> Option<String> {
    let named = |name: &str| piece.name(name).map(|found| found.as_str());
    if let Some(number) = named("number") {
        return Some(quantity(text, piece, number, language));
    }
    if let Some(word) = named("word") {
        return word_figure(word, language);
    }
    named("mark").map(str::to_owned)
}

fn quantity(text: &str, piece: &Captures<'_>, number: &str, language: Language) -> String {
    let behind = piece
        .name("unit")
        .map(|found| found.as_str())
        .unwrap_or_default();
    // What is counted is a word like others, and another number may be one.
    let unit = unit(behind, language).or_else(|| word_figure(behind, language));
    // Between two numbers it is a dash.
    let start = piece.name("sign").map(|sign| sign.start());
    let minus = start.is_some_and(|at| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(char::is_alphanumeric)
    });
    let sign = if minus { "-" } else { "" };
    format!(
        "{sign}{}{}",
        number.replace(',', "."),
        unit.unwrap_or_default()
    )
}

/// A word that is a number, or a letter that names something, as in *bulb C*.
fn word_figure(word: &str, language: Language) -> Option<String> {
    if let Some(number) = number_word(word, language) {
        return Some(number.to_string());
    }
    let is_letter = word.chars().count() == 1 && !language.is_stop_word(word);
    let is_number = MORE_NUMBERS
        .split_ascii_whitespace()
        .any(|number| number == word);
    (is_letter || is_number).then(|| word.to_owned())
}
