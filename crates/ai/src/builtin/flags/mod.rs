//! Signs that a person should look: attempts to steer the grading, tricks, and texts word matching misjudges.
//!
//! A flag asks for review and nothing else; no points are taken for it.

mod cutting;
mod disguises;
mod encodings;
mod grammar;
mod lexicon;
mod marks;
mod orders;
mod security;
mod shapes;
mod signs;
mod tokens;
mod view;
mod weights;

pub(crate) use grammar::{has_grammar, makes_sentences};
pub(crate) use orders::is_instruction_like;
pub use security::security_flags;

use std::collections::BTreeSet;

use super::score::share_of_new;
use super::similarity::Words;
use crate::language::Language;
use crate::numbers::share;
use crate::words::{MAX_CHARS, Stem, fold, tokens};
use lyceum_domain::text::sentences::sentences;

/// From this share on of neighbouring words that are neighbours in the question a text repeats it.
const REPEATED: f64 = 0.7;
/// How many small words in wrong places make a text a shuffled one, and which share of its words they must be.
const MISPLACED: usize = 2;
const MISPLACED_SHARE: f64 = 0.1;

/// What is known about a submission when its flags are raised.
pub(crate) struct Subject<'a> {
    /// The original.
    pub(crate) text: &'a str,
    /// Its words.
    pub(crate) words: &'a Words,
    /// Those of the task.
    pub(crate) question: &'a Words,
    /// Everything the teacher wrote.
    pub(crate) taught: &'a str,
    /// The language the course is in.
    pub(crate) language: Language,
}

/// The flags that the text itself raises, in a fixed order.
pub(crate) fn raise(subject: &Subject<'_>) -> Vec<&'static str> {
    let mut raised = Vec::new();
    let blank = is_blank(subject.text);
    if blank {
        raised.push("blank");
    } else if subject.words.stems.is_empty() {
        raised.push("no_content_words");
    }
    raised.extend(security_flags(subject.text, subject.taught));
    let words = tokens(&fold(subject.text), subject.language);
    let foreign = is_other_language(&words, subject.language);
    let checks: [(&'static str, bool); 6] = [
        ("too_long", subject.text.chars().nth(MAX_CHARS).is_some()),
        ("repeats_question", repeats_question(subject)),
        ("repetition", repeats_itself(&subject.words.stems)),
        ("keyword_list", !foreign && is_keyword_list(subject, &words)),
        ("scrambled_order", !foreign && is_shuffled(subject)),
        ("language_mismatch", foreign),
    ];
    raised.extend(
        checks
            .into_iter()
            .filter_map(|(name, is)| is.then_some(name)),
    );
    raised
}

/// Words of the question with hardly another among them, and mostly beside each other as they are there: an answer may well
/// use the question's words, but puts them together anew.
fn repeats_question(subject: &Subject<'_>) -> bool {
    let (said, asked) = (&subject.words.stems, &subject.question.stems);
    let new = share_of_new(subject.words, subject.question);
    said.len() >= 3 && !asked.is_empty() && new <= 0.2 && beside(said, asked) >= REPEATED
}

/// The share of a text's neighbouring words that are neighbours in another, too, whichever comes first.
fn beside(said: &[Stem], asked: &[Stem]) -> f64 {
    let neighbours = |stems: &[Stem]| -> Vec<(String, String)> {
        let pairs = stems.iter().zip(stems.iter().skip(1));
        let pairs = pairs.map(|(a, b)| (a.text.clone(), b.text.clone()));
        pairs
            .map(|(a, b)| if a <= b { (a, b) } else { (b, a) })
            .collect()
    };
    let asked: BTreeSet<_> = neighbours(asked).into_iter().collect();
    let said = neighbours(said);
    let found = said.iter().filter(|pair| asked.contains(*pair)).count();
    share(found, said.len())
}

/// Whether so many small words stand in wrong places that the text is none.
fn is_shuffled(subject: &Subject<'_>) -> bool {
    let sentences = in_sentences(subject.text, subject.language);
    let words: usize = sentences.iter().map(Vec::len).sum();
    let found = grammar::misplaced(&sentences, subject.language);
    found >= MISPLACED && share(found, words) >= MISPLACED_SHARE
}

/// Whether small words stand as no sentence has them.
pub(crate) fn is_odd(text: &str, language: Language) -> bool {
    let sentences = in_sentences(text, language);
    sentences
        .iter()
        .any(|words| grammar::is_odd(words, language))
}

fn in_sentences(text: &str, language: Language) -> Vec<Vec<String>> {
    let sentences = sentences(text).into_iter();
    sentences
        .map(|one| tokens(&fold(one.text), language))
        .collect()
}

fn repeats_itself(stems: &[Stem]) -> bool {
    let different: BTreeSet<&str> = stems.iter().map(|stem| stem.text.as_str()).collect();
    stems.len() >= 20 && share(different.len(), stems.len()) < 0.35
}

/// Words without the small words that make sentences of them, or many short pieces one after the other.
fn is_keyword_list(subject: &Subject<'_>, words: &[String]) -> bool {
    let spaced = subject.language != Language::Other && subject.language != Language::Arabic;
    let small = words.iter().filter(|word| is_small(word, subject.language));
    let content = 1.0 - share(small.count(), words.len());
    let pieces = subject.text.split([',', ';', '\n', '/', '|', '•']);
    let pieces = pieces
        .filter(|piece| piece.chars().any(char::is_alphanumeric))
        .count();
    let listed = pieces >= 6 && share(words.len(), pieces) <= 2.5 && content >= 0.75;
    spaced && ((words.len() >= 7 && content > 0.85) || listed)
}

/// Whether a word is one that lists of keywords leave out.
fn is_small(word: &str, language: Language) -> bool {
    makes_sentences(word, language) || language.is_stop_word(word) || language.is_negation(word)
}

/// Whether another language's small words clearly outnumber the course language's.
pub(crate) fn is_other_language(words: &[String], language: Language) -> bool {
    if language == Language::Other {
        return false;
    }
    let votes = |candidate: Language| {
        let small = words.iter().filter(|word| candidate.is_stop_word(word));
        small.count()
    };
    let own = votes(language);
    let others = Language::KNOWN
        .into_iter()
        .filter(|other| *other != language);
    others
        .map(votes)
        .max()
        .is_some_and(|best| best >= 3 && best > own * 2)
}

/// Whether a text says nothing: empty, a mark, or one of the ways to say "I don't know".
pub(crate) fn is_blank(text: &str) -> bool {
    const GIVING_UP: &[&str] = &[
        "i not know",
        "not know",
        "i dont know",
        "dont know",
        "i don know",
        "i didn know",
        "i do not know",
        "idk",
        "no idea",
        "i have no idea",
        "n a",
        "na",
        "none",
        "nothing",
        "skip",
        "pass",
        "sorry i not know",
        "i not know sorry",
        "i am not sure",
        "not sure",
        "no answer",
        "no submission",
        "no response",
        "not answered",
        "keine antwort",
        "keine abgabe",
        "sin respuesta",
        "sem resposta",
        "sans réponse",
        "nessuna risposta",
        "no sé",
        "no lo sé",
        "ni idea",
        "não sei",
        "não faço ideia",
        "je ne sais pas",
        "aucune idée",
        "ich weiß nicht",
        "weiß ich nicht",
        "weiß nicht",
        "ich weiss nicht",
        "keine ahnung",
        "non lo so",
        "non so",
        "non ne ho idea",
        "boh",
        "لا أعرف",
        "لا اعرف",
        "todo",
        "tbd",
    ];
    let said = tokens(&fold(text), Language::English).join(" ");
    !said.contains(char::is_alphanumeric) || GIVING_UP.contains(&said.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn raised(text: &str) -> Vec<&'static str> {
        let words = |text| Words::of(text, Language::English);
        raise(&Subject {
            text,
            words: &words(text),
            question: &words("Why does the pot stay warm for hours?"),
            taught: "",
            language: Language::English,
        })
    }

    #[rstest]
    #[case("", "blank")]
    #[case("It is what it is, because it was.", "no_content_words")]
    #[case(
        "The pot stays warm for hours: warm pot, hours warm.",
        "repeats_question"
    )]
    #[case(
        "spores survive cooking toxins heat stable reheating useless",
        "keyword_list"
    )]
    #[case(
        "spores, toxins, danger zone, heat stable, ice bath, shallow trays",
        "keyword_list"
    )]
    #[case(
        "Porque las esporas sobreviven y los gérmenes crecen en la olla.",
        "language_mismatch"
    )]
    fn texts_that_are_no_answer_are_flagged(#[case] text: &str, #[case] flag: &str) {
        assert_eq!(raised(text), [flag]);
    }

    #[test]
    fn floods_are_flagged() {
        let flood = "The lid keeps heat inside. ".repeat(400);
        assert_eq!(raised(&flood), ["too_long", "repetition"]);
    }

    #[test]
    fn an_answer_raises_nothing() {
        let text = "Because the lid keeps the heat inside, and so much curry cools slowly.";
        assert_eq!(raised(text), Vec::<&str>::new());
    }

    #[rstest]
    #[case("")]
    #[case(" \n\t")]
    #[case("...")]
    #[case("I don't know")]
    #[case("I dont know.")]
    #[case("No submission.")]
    #[case("Keine Ahnung!")]
    fn nothing_said_is_blank(#[case] text: &str) {
        assert!(is_blank(text), "{text}");
    }
}
