//! Words as they are compared: without case and diacritics. English texts, and names of whoever they tell of: letters of Latin
//! alphabets are all that is folded.

/// Letters that are found by a plain one.
const LETTERS: &[(&str, &str)] = &[
    ("àáâãäåāăą", "a"),
    ("çćĉċč", "c"),
    ("ðďđ", "d"),
    ("èéêëēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįı", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŋ", "n"),
    ("òóôõöøōŏő", "o"),
    ("ŕŗř", "r"),
    ("śŝşšșſ", "s"),
    ("ţťŧț", "t"),
    ("ùúûüũūŭůűų", "u"),
    ("ŵ", "w"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("ß", "ss"),
    ("þ", "th"),
];

/// The words of a text with a blank before each, and nothing else.
pub fn folded_words(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + 1);
    push_folded_words(&mut folded, text);
    folded
}

/// The same at the end of what is there.
pub fn push_folded_words(folded: &mut String, text: &str) {
    for (_, word) in words_of(text) {
        folded.push(' ');
        for c in word.chars().flat_map(char::to_lowercase) {
            push_folded(folded, c);
        }
    }
}

fn push_folded(folded: &mut String, c: char) {
    if c.is_ascii() {
        folded.push(c);
    } else if !is_mark(c) {
        match LETTERS.iter().find(|(letters, _)| letters.contains(c)) {
            Some((_, plain)) => folded.push_str(plain),
            None => folded.push(c),
        }
    }
}

/// The words of a text, each with where it begins.
pub fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(is_of_word)?;
        let from = text.get(start..)?;
        let length = from.find(|c| !is_of_word(c)).unwrap_or(from.len());
        at = start + length;
        Some((start, text.get(start..at)?))
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

/// A diacritic of its own, which stands behind its letter.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}
