//! Names, addresses and ids of people, replaced before a text leaves the service and put back into what comes.
//!
//! What is replaced is what is known: the names, e-mail addresses and ids that are given. Nicknames, misspellings,
//! names of people who are not given and whatever else a text tells about its writer stay as they are.

use std::collections::HashMap;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::folding::{Folded, fold, is_unseen};

/// What a replaced name begins with.
const ALIAS: &str = "Person-";

/// Fewest letters of a part of a name that is looked for alone.
const SHORTEST_PART: usize = 3;

/// Parts of names that are looked for only where they begin with a capital, because they are words as well.
const WORDS: &str = "abel amber angel april art august autumn bach baker band bauer baum bay bella bell ben berg bill bishop \
black blanco bloom blue bond book brook brooks brown bruno buck bush butler cash chance chase christian clara clay cliff \
cook cooper cross cruz daisy dale dawn day dean drew duke earl east eden ernst eve faith fay felix field fisher fleur \
flora flores ford forest fox frank frau freeman fuchs gay gene gerber glen glory gold good grace grant gray green gross \
guy hahn hand hank harmony harry hart haven hazel heath herb herr hill holly homer honor hood hope house hunt hunter iris \
ivy jack jade jasmin jasmine jay jean jewel johns josh joy juan july june jung kaiser keen kelly king kirsch klein klug \
koch kraft krieg kurz lance lane lang lange lee leon leone lily little long love luz major mann mar marin mark marks mars \
martin mason max may melody mercedes mercy merry meyer mike mill miller mills miracle moon moore morgen neu neumann \
noble noel north oak ocean olive page paris park parks pat patience pearl peace penny pierce pilar pool poppy porter post price \
prince queen ray reed reich rein rice rich richter river rob robin rock rocky rose rosa rosario rot rowan ruby rush sage \
sand sandy saxon schmied schneider scholar schwarz scott shore short silver sky sol soledad sommer song star stein stern stone \
storm strong sue summer sunny swan swift taylor teal terry thorn thomas tod tony trinity tucker turner vera victor \
viola violet von wade walker wall wang ward warner water waters weaver weber wein weiss weiß west white wild will \
winter wise wolf wood woods wright young zimmer";

/// What stands in names and names nobody.
const PARTICLES: &str = "and bin ibn abu das del della der des dos den die dit dottor dr frau herr las los mag med miss \
mrs prof san santa sir the van ter und von zum zur";

/// A name, an address or an id, or a part of one.
#[derive(Debug, Clone)]
struct Needle {
    letters: Vec<char>,
    /// Whose it is.
    person: usize,
    /// Whether it counts only where it begins with a capital.
    capital: bool,
}

/// Replaces what is private in texts that leave, and puts it back into the answer.
///
/// The same spelling of the same name gets the same replacement in every text, such as `Person-1` for a full name and
/// `Person-1b` for another spelling or a part of it.
#[derive(Debug, Clone, Default)]
pub struct Pseudonyms {
    /// By their first letter, the longest first.
    needles: HashMap<char, Vec<Needle>>,
    /// The replacement of a person's name as it was written.
    aliases: HashMap<(usize, String), String>,
    originals: HashMap<String, String>,
    spellings: HashMap<usize, usize>,
}

impl Pseudonyms {
    /// Prepares to replace these names, e-mail addresses and ids: whole, and of names each part with at least three
    /// letters, also of double names (`Müller-Lüdenscheidt`), of addresses what stands before the `@`.
    pub fn of(private: &[String]) -> Self {
        let mut made = Self::default();
        for (index, text) in private.iter().enumerate() {
            made.expect(text, index + 1);
        }
        for needles in made.needles.values_mut() {
            needles.sort_by(|a, b| {
                (b.letters.len(), a.person, a.capital).cmp(&(a.letters.len(), b.person, b.capital))
            });
        }
        made
    }

    fn expect(&mut self, text: &str, person: usize) {
        let parts: Vec<&str> = text
            .split_whitespace()
            .map(|part| part.trim_matches(|c: char| !in_word(c)))
            .collect();
        let words = parts.iter().filter(|part| !part.is_empty());
        let whole = parts.join(" ");
        let all_words = words.clone().all(|part| lists(WORDS, part));
        // `Al` is a name and `al` is a word of many languages; a number that short is no id.
        let short = whole.chars().count() < SHORTEST_PART;
        let cased = whole.starts_with(|c: char| c.is_uppercase() || c.is_lowercase());
        if !short || whole.contains(char::is_alphabetic) {
            self.push(&whole, person, all_words || (short && cased));
        }
        if let Some((local, _)) = text.split_once('@') {
            self.expect_part(local, person);
            return;
        }
        for part in words {
            self.expect_part(part, person);
            // Of a double name people also write one half.
            if part.contains(|c: char| !in_word(c)) {
                for half in part.split(|c: char| !in_word(c)) {
                    self.expect_part(half, person);
                }
            }
        }
    }

    fn expect_part(&mut self, part: &str, person: usize) {
        if part.chars().count() >= SHORTEST_PART && !lists(PARTICLES, part) {
            self.push(part, person, lists(WORDS, part));
        }
    }

    fn push(&mut self, text: &str, person: usize, capital: bool) {
        let letters: Vec<char> = compared(text).into_iter().map(|one| one.char).collect();
        if let Some(first) = letters.first() {
            self.needles.entry(*first).or_default().push(Needle {
                letters,
                person,
                capital,
            });
        }
    }

    /// The text with everything private replaced.
    pub fn mask(&mut self, text: &str) -> String {
        let original: Vec<char> = text.chars().collect();
        let mut masked = String::with_capacity(text.len());
        let mut copied = 0;
        for (person, place) in self.places(text, &original) {
            masked.extend(part(&original, copied..place.start));
            let written: String = part(&original, place.clone()).collect();
            masked.push_str(&self.alias(person, &written));
            copied = place.end;
        }
        masked.extend(part(&original, copied..original.len()));
        masked
    }

    /// Whose names stand where, in characters; no two of them touch.
    fn places(&self, text: &str, original: &[char]) -> Vec<(usize, Range<usize>)> {
        let letters = compared(text);
        let mut places: Vec<(usize, Range<usize>)> = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            let Some((person, length)) = self.found(&letters, original, at) else {
                at += 1;
                continue;
            };
            let origins = letters.iter().skip(at).take(length).map(|one| one.origin);
            let (start, last) = (origins.clone().min(), origins.max());
            let place = whole_word(original, start.unwrap_or(0)..last.unwrap_or(0) + 1);
            match places.last_mut() {
                Some((_, before)) if before.end >= place.start => {
                    before.end = before.end.max(place.end);
                }
                _ => places.push((person, place)),
            }
            at += length;
        }
        places
    }

    /// Whose name stands at a place, and how many letters of it.
    fn found(&self, letters: &[Folded], original: &[char], at: usize) -> Option<(usize, usize)> {
        let first = letters.get(at)?;
        if !ends_at(letters, at) {
            return None;
        }
        // Somebody may write what our replacements look like.
        let own = alias_length(letters, at).map(|length| (0, length));
        let capital = original.get(first.origin).is_some_and(|c| c.is_uppercase());
        let needles = self.needles.get(&first.char).into_iter().flatten();
        let named = needles
            .filter(|needle| capital || !needle.capital)
            .find(|needle| stands(&needle.letters, letters, at))
            .map(|needle| (needle.person, needle.letters.len()));
        own.or(named)
    }

    fn alias(&mut self, person: usize, written: &str) -> String {
        let key = (person, written.to_owned());
        if let Some(alias) = self.aliases.get(&key) {
            return alias.clone();
        }
        let spelling = self.spellings.entry(person).or_default();
        *spelling += 1;
        let alias = format!("{ALIAS}{person}{}", letters_of(*spelling));
        self.originals
            .insert(alias.to_lowercase(), written.to_owned());
        self.aliases.insert(key, alias.clone());
        alias
    }

    /// The text with every replacement that [`Self::mask`] made put back.
    pub fn unmask(&self, text: &str) -> String {
        let (original, letters): (Vec<char>, _) = (text.chars().collect(), compared(text));
        let mut plain = String::with_capacity(text.len());
        let (mut at, mut copied) = (0, 0);
        while at < letters.len() {
            let Some((length, written)) = self.replaced(&letters, at) else {
                at += 1;
                continue;
            };
            let origin = |at: usize| letters.get(at).map_or(copied, |one| one.origin);
            let (start, last) = (origin(at), origin(at + length - 1));
            plain.extend(part(&original, copied..start));
            plain.push_str(written);
            copied = last + 1;
            at += length;
        }
        plain.extend(part(&original, copied..original.len()));
        plain
    }

    fn replaced(&self, letters: &[Folded], at: usize) -> Option<(usize, &str)> {
        let length = alias_length(letters, at)?;
        let alias: String = letters
            .iter()
            .skip(at)
            .take(length)
            .map(|one| one.char)
            .collect();
        let original = self.originals.get(&alias)?;
        Some((length, original))
    }
}

/// A text as names in it are compared: folded, in lower case, without accents.
fn compared(text: &str) -> Vec<Folded> {
    let letters = fold(text).into_iter();
    let letters = letters.filter(|one| !is_combining_mark(one.char));
    letters
        .flat_map(|one| {
            one.char.to_lowercase().map(move |char| Folded {
                char,
                origin: one.origin,
            })
        })
        .collect()
}

fn part(text: &[char], range: Range<usize>) -> impl Iterator<Item = &char> {
    text.get(range).into_iter().flatten()
}

fn stands(needle: &[char], letters: &[Folded], at: usize) -> bool {
    let found = letters.get(at..at + needle.len());
    found.is_some_and(|found| {
        let mut pairs = found.iter().zip(needle);
        pairs.all(|(one, wanted)| one.char == *wanted) && ends_at(letters, at + needle.len())
    })
}

/// Whether no word goes on over a place.
fn ends_at(letters: &[Folded], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| letters.get(at));
    match (before, letters.get(at)) {
        (Some(last), Some(next)) => !joins(last.char, next.char),
        _ => true,
    }
}

/// How many letters a replacement has that stands at a place: `person-`, digits, perhaps letters.
fn alias_length(letters: &[Folded], at: usize) -> Option<usize> {
    let mut rest = letters.iter().skip(at).map(|one| one.char).peekable();
    for wanted in ALIAS.chars().flat_map(char::to_lowercase) {
        rest.next_if_eq(&wanted)?;
    }
    rest.peek().filter(|c| c.is_ascii_digit())?;
    let mut length = ALIAS.len();
    while rest.next_if(char::is_ascii_alphanumeric).is_some() {
        length += 1;
    }
    (ends_at(letters, at) && ends_at(letters, at + length)).then_some(length)
}

/// A place with whatever is written onto it, which only happens in scripts without spaces; marks belong to it too.
fn whole_word(original: &[char], place: Range<usize>) -> Range<usize> {
    let belongs =
        |c: &&char| is_combining_mark(**c) || is_unseen(**c) || (in_word(**c) && !is_unspaced(**c));
    let before = original.iter().take(place.start).rev();
    let after = original.iter().skip(place.end);
    let (before, after) = (
        before.take_while(belongs).count(),
        after.take_while(belongs).count(),
    );
    place.start - before..place.end + after
}

/// Nothing for the first spelling, then `b`, `c`, …, `z`, `aa`, ….
fn letters_of(spelling: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = if spelling == 1 { 0 } else { spelling };
    while rest > 0 {
        let digit = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'a' + digit));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// Whether two characters are of one word; scripts without spaces have none that could be told.
fn joins(a: char, b: char) -> bool {
    in_word(a) && in_word(b) && !is_unspaced(a) && !is_unspaced(b)
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{20000}'..='\u{2FA1F}')
}

fn lists(words: &str, part: &str) -> bool {
    let part = part.to_lowercase();
    words.split_ascii_whitespace().any(|word| word == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn of(private: &[&str]) -> Pseudonyms {
        let private: Vec<String> = private.iter().map(|&text| text.to_owned()).collect();
        Pseudonyms::of(&private)
    }

    #[rstest]
    #[case("I am Ada Lovelace.", "I am Person-1.")]
    #[case(
        "ADA\r\nLOVELACE wrote it, lovelace did.",
        "Person-1 wrote it, Person-1b did."
    )]
    #[case(
        "Ada's work; Adam's and Canada's are not.",
        "Person-1's work; Adam's and Canada's are not."
    )]
    #[case("Write to ada.lovelace@example.org!", "Write to Person-2!")]
    #[case("I am @Ada.Lovelace there", "I am @Person-2 there")]
    #[case("usr_01m7ye62d0 is me", "Person-3 is me")]
    #[case("A\u{200B}da", "Person-1")]
    #[case("nobody here", "nobody here")]
    fn what_is_known_is_replaced(#[case] text: &str, #[case] masked: &str) {
        let mut pseudonyms = of(&["Ada Lovelace", "ada.lovelace@example.org", "usr_01m7ye62d0"]);
        assert_eq!(pseudonyms.mask(text), masked);
        assert_eq!(pseudonyms.unmask(masked), text);
    }

    #[rstest]
    #[case(
        "Will Mark",
        "I will mark it, said Mark. Will you?",
        "I will mark it, said Person-1. Person-1b you?"
    )]
    #[case(
        "Grace Hopper",
        "with grace, grace hopper and hopper",
        "with grace, Person-1 and Person-1b"
    )]
    #[case("José Núñez", "jose nunez, Jose\u{301}", "Person-1, Person-1b")]
    #[case(
        "Anna von der Leyen",
        "von der Anna, der Leyen",
        "von der Person-1, der Person-1b"
    )]
    #[case(
        "Eva Müller-Oxenfree",
        "Eva Müller-Oxenfree, Mu\u{308}ller, oxenfree's and Müller-Lüdenscheidt",
        "Person-1, Person-1b, Person-1c's and Person-1d-Lüdenscheidt"
    )]
    #[case("Ben Carter", "Ben, ben and Carter", "Person-1, ben and Person-1b")]
    #[case(
        "Jean-Luc O'Brien",
        "jean met Luc and Brien",
        "jean met Person-1 and Person-1b"
    )]
    #[case("王伟", "我叫王伟今天", "我叫Person-1今天")]
    #[case("王伟", "x王伟 王伟王伟", "Person-1 Person-1b")]
    #[case("Bo Li", "Bo and Li met Bo Li", "Bo and Li met Person-1")]
    #[case("Al", "vado al mare, Al", "vado al mare, Person-1")]
    #[case("7", "7 days", "7 days")]
    #[case("Straße", "STRASSE Straße", "STRASSE Person-1")]
    fn names_that_are_words_count_as_names_only_with_a_capital(
        #[case] name: &str,
        #[case] text: &str,
        #[case] masked: &str,
    ) {
        let mut pseudonyms = of(&[name]);
        assert_eq!(pseudonyms.mask(text), masked);
        assert_eq!(pseudonyms.unmask(masked), text);
    }

    #[test]
    fn a_learner_who_writes_a_replacement_learns_nothing() {
        let mut pseudonyms = of(&["Ada Lovelace"]);
        let text = "Person-1 said hello to Ada Lovelace and person-12c.";
        let masked = pseudonyms.mask(text);
        assert_eq!(masked, "Person-0 said hello to Person-1 and Person-0b.");
        assert_eq!(pseudonyms.unmask(&masked), text);
        assert_eq!(pseudonyms.unmask("Person-7, Person-"), "Person-7, Person-");
    }

    #[test]
    fn the_same_spelling_is_the_same_in_every_text_and_answers_may_change_case() {
        let mut pseudonyms = of(&["Ada Lovelace"]);
        assert_eq!(pseudonyms.mask("Lovelace"), "Person-1");
        assert_eq!(pseudonyms.mask("Ada, Lovelace"), "Person-1b, Person-1");
        assert_eq!(pseudonyms.unmask("PERSON-1B, person-1."), "Ada, Lovelace.");
    }

    fn texts() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "Ada",
            "ada",
            "Lovelace",
            "LOVELACE",
            " ",
            "-",
            "_",
            "1",
            "e\u{301}",
            "\u{301}",
            "Person-",
            "person-1",
            "\r\n",
            "ada@example.org",
            "İ",
            "ﬁ",
            "🍚",
            "王伟",
            "\u{200B}",
            ".",
            "will",
            "Will",
        ]);
        prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_it_was(texts in prop::collection::vec(texts(), 1..4)) {
            let mut pseudonyms = of(&["Ada Lovelace", "ada@example.org", "王伟", "Will I", "İﬁ"]);
            let masked: Vec<String> = texts.iter().map(|text| pseudonyms.mask(text)).collect();
            for (text, masked) in texts.iter().zip(&masked) {
                prop_assert_eq!(&pseudonyms.unmask(masked), text);
            }
        }
    }
}
