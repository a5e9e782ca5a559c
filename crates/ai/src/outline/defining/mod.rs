//! Sentences that say what something is: a term and its meaning, read both ways ("X is a …", "… is called X").
//!
//! Lexico-syntactic patterns in the manner of Hearst ("Automatic Acquisition of Hyponyms from Large Text Corpora", COLING
//! 1992), for definitions instead of kinds. What fits a pattern and names no term ("the reason is the …") is left out.

mod genus;
mod patterns;

use std::sync::LazyLock;

use regex::Regex;

use super::pointing::points_back;
use crate::language::Language;
use crate::words::fold;

pub(crate) use genus::{genus, same_sort};

/// Longest term, in characters.
const MAX_TERM: usize = 50;
/// Longest meaning, in characters.
const MAX_MEANING: usize = 300;

/// How a sentence says what a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// "X is a …"
    Is,
    /// "… is called X"
    Called,
    /// "X means …"
    Means,
    /// "X: …"
    Listed,
}

/// A term and what a sentence says it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    /// As it is written, without its article.
    pub(crate) term: String,
    /// What it is, without a full stop; empty where only the sentence before says it.
    pub(crate) meaning: String,
    /// How it is said.
    pub(crate) pattern: Pattern,
    /// Where the term stands in the sentence, in bytes.
    pub(crate) start: usize,
    /// Where the sentence's subject ends if the term is the subject: its article and itself.
    pub(crate) subject_end: Option<usize>,
    /// Whether the sentence speaks of it as of one among many ("an X").
    pub(crate) countable: bool,
    /// Whether it speaks of many ("X are").
    pub(crate) many: bool,
}

struct PatternReader {
    pattern: Pattern,
    regex: Regex,
}

/// What a sentence defines, if it does.
pub(crate) fn definition(sentence: &str, language: Language) -> Option<Definition> {
    let bare = sentence.trim_end_matches(['.', '!', ' ']);
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    readers(language)
        .iter()
        .find_map(|reader| read(reader, bare, language))
}

fn read(reader: &PatternReader, sentence: &str, language: Language) -> Option<Definition> {
    let found = reader.regex.captures(sentence)?;
    let term = found.name("term")?;
    let said = found
        .name("meaning")
        .map_or("", |said| said.as_str().trim());
    if !is_term(term.as_str(), language) {
        return None;
    }
    let is_subject = reader.pattern != Pattern::Called;
    if is_subject
        && (points_back(sentence, language) || !says_something(said, reader.pattern, language))
    {
        return None;
    }
    let before = sentence.get(..term.start()).unwrap_or_default();
    let article = fold(before.split_whitespace().last().unwrap_or_default());
    let said = first_clause(said, language);
    let stands_alone = !points_back(said, language)
        && !leaves_open(said, language)
        && says_something(said, reader.pattern, language);
    let verb = sentence.get(term.end()..).unwrap_or_default();
    let verb = verb.split_whitespace().next().unwrap_or_default();
    let is_first = before.is_empty() || patterns::is_article(before, language);
    Some(Definition {
        term: term.as_str().to_owned(),
        meaning: if stands_alone {
            said.to_owned()
        } else {
            String::new()
        },
        pattern: reader.pattern,
        start: term.start(),
        subject_end: (is_subject && is_first).then_some(term.end()),
        countable: COUNTING.contains(&article.as_str()),
        many: is_subject && MANY.contains(&verb),
    })
}

/// What is said, without a second statement behind "and".
fn first_clause(said: &str, language: Language) -> &str {
    let cut = patterns::second_statements(language)
        .iter()
        .filter_map(|mark| said.find(mark))
        .min();
    cut.and_then(|at| said.get(..at)).unwrap_or(said)
}

/// Whether a meaning needs what other sentences say ("the difference between the two"), or breaks off ("…, which").
fn leaves_open(said: &str, language: Language) -> bool {
    let folded = fold(said);
    let mut words = folded.split(|c: char| !c.is_alphanumeric());
    let last = said.split_whitespace().next_back().unwrap_or_default();
    let open = patterns::open_words(language);
    words.any(|word| has(open, word))
        || folded.contains("the two")
        || has(patterns::relatives(language), last)
}

/// Verbs that speak of many.
const MANY: &[&str] = &["are", "sind", "son", "sont", "sono", "são"];

/// Articles of one among many.
const COUNTING: &[&str] = &[
    "a", "an", "ein", "eine", "einen", "un", "una", "une", "uno", "um", "uma",
];

/// Whether a text can be what a term means: a few words, and no mere "that …" or "to …".
fn says_something(said: &str, pattern: Pattern, language: Language) -> bool {
    const OPENINGS: &[&str] = &[
        "that", "to", "when", "why", "how", "what", "who", "where", "dass", "zu", "warum", "wie",
        "was", "wer", "wo", "que", "qué", "cómo", "por", "comment", "pourquoi", "come", "che",
        "perché", "como", "porque", "quando",
    ];
    let fewest = match (pattern, language) {
        (Pattern::Listed, _) => 3,
        (Pattern::Called | Pattern::Means, _) | (Pattern::Is, Language::German) => 4,
        (Pattern::Is, _) => 5,
    };
    let first = fold(said.split_whitespace().next().unwrap_or_default());
    let second = fold(said.split_whitespace().nth(1).unwrap_or_default());
    let length = said.chars().count();
    // "The right choice" judges, and does not say what something is.
    let judges = has(patterns::judging(language), &second);
    said.split_whitespace().count() >= fewest
        && (8..=MAX_MEANING).contains(&length)
        && !OPENINGS.contains(&first.as_str())
        && !judges
}

/// Whether some words can name a thing that is taught.
pub(crate) fn is_term(text: &str, language: Language) -> bool {
    let folded = fold(text);
    let words: Vec<&str> = folded
        .split([' ', '’', '\''])
        .filter(|word| !word.is_empty())
        .collect();
    let inner = |at: usize| at > 0 && at + 1 < words.len();
    let is_joint = |word: &str| has(patterns::joints(language), word);
    let small = words.iter().enumerate().any(|(at, word)| {
        let small = language.is_stop_word(word) || language.is_negation(word);
        small && !(inner(at) && is_joint(word))
    });
    // The head says what kind of thing it is: behind in Germanic languages, in front in Romance ones.
    let head = match language {
        Language::Spanish | Language::French | Language::Italian | Language::Portuguese => {
            words.first()
        }
        Language::English | Language::German | Language::Arabic | Language::Other => words.last(),
    };
    let generic = head.is_some_and(|word| has(patterns::generic(language), word));
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let begins = text.chars().next().is_some_and(char::is_alphabetic);
    let fits = begins && letters >= 3 && text.chars().count() <= MAX_TERM && !words.is_empty();
    fits && !small && !generic && speaks_of_a_thing(text, &words, language)
}

/// What the form of the words says: German nouns begin with a capital; English adverbs and superlatives name nothing.
fn speaks_of_a_thing(text: &str, words: &[&str], language: Language) -> bool {
    match language {
        Language::German => text
            .split(' ')
            .next_back()
            .and_then(|word| word.chars().next())
            .is_some_and(char::is_uppercase),
        Language::English | Language::Other => {
            let several = words.len() > 1;
            let adverb = words
                .iter()
                .any(|word| word.len() > 4 && word.ends_with("ly"));
            let superlative = several
                && words
                    .first()
                    .is_some_and(|word| word.len() > 4 && word.ends_with("est"));
            let activity =
                words.len() > 2 && words.first().is_some_and(|word| word.ends_with("ing"));
            !(superlative || activity || adverb && several)
        }
        Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic => true,
    }
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

fn compiled(language: Language) -> Vec<PatternReader> {
    const TERM: &str = r"(?P<term>[\p{L}\d][\p{L}\d'’-]*(?: [\p{L}\d'’-]+){0,3}?)";
    const END: &str = r"(?:[,.;:)“”»]|$| and | because | und | weil | y | porque | et | e | ed )";
    let rows = patterns::rows(language).iter().chain(patterns::LISTED);
    rows.filter_map(|(pattern, source)| {
        let source = source
            .replace("ART", patterns::articles(language))
            .replace("TERM", TERM)
            .replace("END", END);
        let regex = Regex::new(&source).ok()?;
        Some(PatternReader {
            pattern: *pattern,
            regex,
        })
    })
    .collect()
}

fn readers(language: Language) -> &'static [PatternReader] {
    type Readers = LazyLock<Vec<PatternReader>>;
    static ENGLISH: Readers = LazyLock::new(|| compiled(Language::English));
    static GERMAN: Readers = LazyLock::new(|| compiled(Language::German));
    static SPANISH: Readers = LazyLock::new(|| compiled(Language::Spanish));
    static FRENCH: Readers = LazyLock::new(|| compiled(Language::French));
    static ITALIAN: Readers = LazyLock::new(|| compiled(Language::Italian));
    static PORTUGUESE: Readers = LazyLock::new(|| compiled(Language::Portuguese));
    static ARABIC: Readers = LazyLock::new(|| compiled(Language::Arabic));
    match language {
        Language::English | Language::Other => &ENGLISH,
        Language::German => &GERMAN,
        Language::Spanish => &SPANISH,
        Language::French => &FRENCH,
        Language::Italian => &ITALIAN,
        Language::Portuguese => &PORTUGUESE,
        Language::Arabic => &ARABIC,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn every_pattern_can_be_read() {
        for language in Language::KNOWN {
            let rows = patterns::rows(language).len() + patterns::LISTED.len();
            assert_eq!(compiled(language).len(), rows, "{language:?}");
        }
    }

    #[rstest]
    #[case(
        Language::English,
        "An ice bath is a sink full of ice.",
        "ice bath",
        "a sink full of ice"
    )]
    #[case(
        Language::English,
        "Enzymes are proteins that speed up reactions.",
        "Enzymes",
        "proteins that speed up reactions"
    )]
    #[case(
        Language::English,
        "The loss of water through leaves is called transpiration.",
        "transpiration",
        "The loss of water through leaves"
    )]
    #[case(
        Language::English,
        "Kitchens call this range the danger zone.",
        "danger zone",
        ""
    )]
    #[case(
        Language::English,
        "This process is called photosynthesis, and it needs light.",
        "photosynthesis",
        ""
    )]
    #[case(
        Language::English,
        "Depreciation means the loss of value over time.",
        "Depreciation",
        "the loss of value over time"
    )]
    #[case(
        Language::German,
        "Ein Eisbad ist ein Becken voll Eis.",
        "Eisbad",
        "ein Becken voll Eis"
    )]
    #[case(
        Language::German,
        "Allergene sind Stoffe, die eine Reaktion auslösen.",
        "Allergene",
        "Stoffe, die eine Reaktion auslösen"
    )]
    #[case(
        Language::German,
        "Diesen Bereich nennt man Gefahrenzone.",
        "Gefahrenzone",
        ""
    )]
    #[case(
        Language::German,
        "Unter Abschreibung versteht man den Wertverlust eines Gutes.",
        "Abschreibung",
        "den Wertverlust eines Gutes"
    )]
    #[case(
        Language::German,
        "Die Abgabe von Wasser über die Blätter heißt Transpiration.",
        "Transpiration",
        "Die Abgabe von Wasser über die Blätter"
    )]
    #[case(
        Language::Spanish,
        "Un alérgeno es una sustancia que provoca alergia.",
        "alérgeno",
        "una sustancia que provoca alergia"
    )]
    #[case(
        Language::Spanish,
        "Este proceso se llama fotosíntesis.",
        "fotosíntesis",
        ""
    )]
    #[case(
        Language::French,
        "La photosynthèse est la production de sucre par la lumière.",
        "photosynthèse",
        "la production de sucre par la lumière"
    )]
    #[case(
        Language::French,
        "Ce processus s'appelle la photosynthèse.",
        "photosynthèse",
        ""
    )]
    #[case(
        Language::Italian,
        "Per ammortamento si intende la perdita di valore nel tempo.",
        "ammortamento",
        "la perdita di valore nel tempo"
    )]
    #[case(
        Language::Italian,
        "Un bagno di ghiaccio è una vasca piena di ghiaccio.",
        "bagno di ghiaccio",
        "una vasca piena di ghiaccio"
    )]
    #[case(
        Language::Portuguese,
        "Um banho de gelo é uma pia cheia de gelo.",
        "banho de gelo",
        "uma pia cheia de gelo"
    )]
    #[case(
        Language::Portuguese,
        "Esse processo chama-se fotossíntese.",
        "fotossíntese",
        ""
    )]
    fn definitions_are_read_both_ways(
        #[case] language: Language,
        #[case] sentence: &str,
        #[case] term: &str,
        #[case] meaning: &str,
    ) {
        let read = definition(sentence, language).unwrap();
        assert_eq!((read.term.as_str(), read.meaning.as_str()), (term, meaning));
    }

    #[rstest]
    #[case(
        Language::English,
        "The reason is a lack of light in the winter months."
    )]
    #[case(Language::English, "This is a good moment to rest the dough.")]
    #[case(
        Language::English,
        "The most common mistake is a pot with a lid on it."
    )]
    #[case(Language::English, "Boards are cleaned with a brush that is kept dry.")]
    #[case(Language::English, "What is a ledger that nobody reads?")]
    #[case(
        Language::German,
        "Der wichtigste Grund ist der Mangel an Licht im Winter."
    )]
    #[case(Language::German, "Das ist ein guter Moment für eine lange Pause.")]
    #[case(
        Language::English,
        "A water mist unit is the right choice for a chip pan."
    )]
    #[case(Language::Spanish, "Esto es una señal de que falta agua.")]
    fn what_names_no_term_defines_nothing(#[case] language: Language, #[case] sentence: &str) {
        assert_eq!(definition(sentence, language), None);
    }

    #[rstest]
    #[case(Language::English, "The gap between these two is known as profit.", "")]
    #[case(
        Language::English,
        "Sugar is burned at once, which is known as respiration.",
        ""
    )]
    #[case(
        Language::English,
        "A recipe sheet is the list of all ingredients, and it is kept.",
        "the list of all ingredients"
    )]
    #[case(
        Language::German,
        "Die Spannung ist der Antrieb des Stroms und wird in Volt gemessen.",
        "der Antrieb des Stroms"
    )]
    fn a_meaning_is_one_statement_that_stands_alone(
        #[case] language: Language,
        #[case] sentence: &str,
        #[case] meaning: &str,
    ) {
        assert_eq!(definition(sentence, language).unwrap().meaning, meaning);
    }

    #[test]
    fn only_an_article_belongs_to_the_subject() {
        let end = |sentence: &str, language| definition(sentence, language).unwrap().subject_end;
        assert_eq!(
            end("An ice bath is a sink full of ice.", Language::English),
            Some(11)
        );
        let german =
            "Als Widerstand bezeichnet man die Eigenschaft eines Bauteils, Strom zu hemmen.";
        assert_eq!(end(german, Language::German), None);
    }
}
