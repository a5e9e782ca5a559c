//! How the texts of tricks are made.

use lyceum_domain::draws::Draws;

/// Small words of English and German: what is left over has content. Nothing is judged by them; they only make tricks.
const SMALL: &str = "a an the is are was were be been being am do does did has have had of in on at to from by with for and or but \
because so that this these those it its they their them he she his her you your we i as if then than when where which who whose what \
will would can could should may might must not no into through there here up down out over under about also only very \
der die das den dem des ein eine einen einem einer eines und oder aber weil so dass ist sind war waren sein wird werden wurde \
wurden hat haben kann können muss müssen soll sollen in im an am auf aus bei mit nach von vom vor zu zum zur für durch über unter \
um als wie wenn es sie er wir ich man sich nicht kein keine auch nur noch";

/// Comparatives and their opposites.
const COMPARATIVES: [(&str, &str); 22] = [
    ("more", "less"),
    ("greater", "smaller"),
    ("larger", "smaller"),
    ("bigger", "smaller"),
    ("higher", "lower"),
    ("increase", "decrease"),
    ("increases", "decreases"),
    ("increased", "decreased"),
    ("before", "after"),
    ("faster", "slower"),
    ("hotter", "colder"),
    ("warmer", "cooler"),
    ("longer", "shorter"),
    ("heavier", "lighter"),
    ("stronger", "weaker"),
    ("above", "below"),
    ("same", "different"),
    ("mehr", "weniger"),
    ("größer", "kleiner"),
    ("höher", "niedriger"),
    ("schneller", "langsamer"),
    ("länger", "kürzer"),
];

/// What is done with a comparative.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Swap {
    /// Its opposite takes its place.
    Turned,
    /// Both stand there.
    Both,
}

/// The words of a text, without marks around them.
pub(super) fn in_words(text: &str) -> Vec<String> {
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_small(word: &str) -> bool {
    let word = word.to_lowercase();
    SMALL.split_ascii_whitespace().any(|small| small == word)
}

/// The words with content, each once.
pub(super) fn content(words: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words.iter().filter(|word| !is_small(word)) {
        if !found.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            found.push(word.clone());
        }
    }
    found
}

/// The words in another order, in lower case.
pub(super) fn shuffled(words: &[String], draws: &mut Draws) -> String {
    let mut words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    draws.shuffle(&mut words);
    words.join(" ")
}

/// The words with the first and the last of content in each other's place; nothing where they are the same.
pub(super) fn swapped(words: &[String]) -> Option<String> {
    let first = words.iter().position(|word| !is_small(word))?;
    let last = words.iter().rposition(|word| !is_small(word))?;
    let (a, b) = (words.get(first)?, words.get(last)?);
    if a.eq_ignore_ascii_case(b) {
        return None;
    }
    let mut words = words.to_vec();
    words.swap(first, last);
    Some(words.join(" "))
}

/// The opposite of a comparative; nothing of another word.
fn opposite(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let (one, other) = COMPARATIVES
        .iter()
        .find(|(one, other)| *one == word || *other == word)?;
    Some(if *one == word { *other } else { *one })
}

/// How many of the words are comparatives.
pub(super) fn comparatives(words: &[String]) -> usize {
    let found = words.iter().filter(|word| opposite(word).is_some());
    found.count()
}

/// The words with the first comparative turned, or beside its opposite; nothing where there is none.
pub(super) fn of_comparatives(words: &[String], swap: Swap) -> Option<String> {
    let at = words.iter().position(|word| opposite(word).is_some())?;
    let word = words.get(at)?;
    let other = opposite(word)?;
    let put = match swap {
        Swap::Turned => other.to_owned(),
        Swap::Both => format!("{word} or {other}"),
    };
    let mut words = words.to_vec();
    if let Some(place) = words.get_mut(at) {
        *place = put;
    }
    Some(words.join(" "))
}

/// Texts one after the other, each a sentence.
pub(super) fn joined(texts: &[String]) -> String {
    let sentences: Vec<String> = texts
        .iter()
        .map(|text| format!("{}.", text.trim().trim_end_matches('.')))
        .collect();
    sentences.join(" ")
}

/// An answer denied in three ways, in the language of its question.
pub(super) fn denied(answer: &str, language: &str) -> [String; 3] {
    let (wrong, not_true, after) = match language.split('-').next().unwrap_or_default() {
        "de" => (
            "Es ist falsch zu sagen, dass",
            "Es ist nicht wahr, dass",
            "Das ist falsch.",
        ),
        "es" => ("Es falso decir que", "No es cierto que", "Eso es falso."),
        "fr" => (
            "Il est faux de dire que",
            "Il n'est pas vrai que",
            "C'est faux.",
        ),
        "it" => ("È falso dire che", "Non è vero che", "Questo è falso."),
        "pt" => ("É falso dizer que", "Não é verdade que", "Isso é falso."),
        _ => (
            "It is wrong to say that",
            "It is not true that",
            "That is false.",
        ),
    };
    let answer = answer.trim();
    let mut characters = answer.chars();
    let lower: String = characters
        .next()
        .into_iter()
        .flat_map(char::to_lowercase)
        .chain(characters)
        .collect();
    let ended = answer.trim_end_matches('.');
    [
        format!("{wrong} {lower}"),
        format!("{not_true} {lower}"),
        format!("{ended}. {after}"),
    ]
}
