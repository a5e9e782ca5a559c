//! What a sentence can be asked about, and how good a question that makes.
//!
//! Asked for are terms that a sentence defines, numbers with their unit, and terms defined elsewhere in the course; names of
//! things only where a lesson has nothing else. What is below the bar is not asked.

use super::course::{Course, CourseSentence, whole_words};
use crate::outline::Labels;
use crate::outline::defining::Pattern;
use crate::outline::definites::{Surroundings, points_to_named};
use crate::outline::pointing::{points_back, refers_back};
use crate::words::stems;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskedFor {
    /// The term that the sentence defines.
    Defined,
    /// The number of this place among the sentence's.
    Number(usize),
    /// A term that another sentence defines.
    Term,
    /// The name of a thing.
    Name,
}

/// How an item is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Blank,
    /// Which term or number fits.
    Answers,
    /// What a term means.
    Meanings,
    TrueOrFalse,
}

/// A question before it has a form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) lesson: usize,
    /// Which sentence of the course.
    pub(super) at: usize,
    pub(super) kind: AskedFor,
    /// The sentence before it, where it points back to that.
    pub(super) context: String,
    /// The part of the sentence that is asked for, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// What is asked for, without an article.
    pub(super) answer: String,
    pub(super) score: f64,
}

/// Least worth of a question.
const BAR: f64 = 1.0;
/// What the kinds of questions are worth.
const DEFINED: f64 = 2.6;
const LISTED: f64 = 1.9;
const MEASURED: f64 = 2.0;
const COUNTED: f64 = 1.6;
const TERM: f64 = 1.3;
const NAME: f64 = 1.0;
/// What the most salient sentence adds, and what makes a question worse takes.
const SALIENT: f64 = 0.7;
const LONG: f64 = 0.5;
const AN_EXAMPLE: f64 = 1.4;
const ONE_OF_SEVERAL: f64 = 0.7;
const FEW: f64 = 1.0;
/// Fewer things than these are counted in passing: "two sides".
const MANY_THINGS: f64 = 3.0;
/// More words than these are a long sentence.
const LONG_SENTENCE: usize = 28;
/// Letters that two words begin with alike when one gives the other away.
const ALIKE: usize = 5;

impl Item {
    /// The sentence, and that before it where it points back.
    pub(super) fn text(&self, sentence: &str) -> String {
        if self.context.is_empty() {
            sentence.to_owned()
        } else {
            format!("{} {sentence}", self.context)
        }
    }

    /// The text with something else where the answer stands.
    pub(super) fn with(&self, sentence: &str, filling: &str) -> String {
        let before = sentence.get(..self.start).unwrap_or_default();
        let behind = sentence.get(self.end..).unwrap_or_default();
        // "a" or "an" would tell how the answer begins.
        let open = [" a ", " an "]
            .iter()
            .find_map(|article| before.strip_suffix(article));
        let before = match open {
            Some(rest) if filling.contains('_') || filling.contains('{') => format!("{rest} a(n) "),
            _ => before.to_owned(),
        };
        self.text(&format!("{before}{filling}{behind}"))
    }
}

/// The items of a lesson's sentences that are worth asking, the best first.
pub(super) fn items(
    course: &Course,
    lesson: usize,
    facts: &[String],
    headings: &[String],
) -> Vec<Item> {
    let reader = ItemReader {
        course,
        lesson,
        headings,
    };
    let mut found: Vec<Item> = Vec::new();
    for (index, fact) in facts.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| facts.get(index));
        found.extend(reader.of_sentence(fact, before.map_or("", String::as_str)));
    }
    found.retain(|item| item.score >= BAR);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.at.cmp(&b.at)));
    found
}

struct ItemReader<'a> {
    course: &'a Course,
    lesson: usize,
    headings: &'a [String],
}

impl ItemReader<'_> {
    /// At most one item of a sentence for every kind.
    fn of_sentence(&self, fact: &str, before: &str) -> Vec<Item> {
        let found = self
            .course
            .place(fact)
            .and_then(|at| Some((at, self.course.sentences.get(at)?)));
        let Some((at, sentence)) = found.filter(|(_, sentence)| is_fit(&sentence.text)) else {
            return Vec::new();
        };
        let candidates = [
            self.defined(at, sentence, before),
            self.number(at, sentence, before),
            self.term(at, sentence, before),
            self.name(at, sentence, before),
        ];
        candidates
            .into_iter()
            .flatten()
            .filter(|item| !gives_away(item, &sentence.text, self.course))
            .collect()
    }

    fn item(
        &self,
        at: usize,
        sentence: &CourseSentence,
        kind: AskedFor,
        span: (usize, usize),
        answer: &str,
        worth: f64,
    ) -> Item {
        let words = sentence.text.split_whitespace().count();
        let long = if words > LONG_SENTENCE { LONG } else { 0.0 };
        let example = if is_example(&sentence.text) {
            AN_EXAMPLE
        } else {
            0.0
        };
        Item {
            lesson: self.lesson,
            at,
            kind,
            context: String::new(),
            start: span.0,
            end: span.1,
            answer: answer.to_owned(),
            score: worth + sentence.salience * SALIENT - long - example,
        }
    }

    fn defined(&self, at: usize, sentence: &CourseSentence, before: &str) -> Option<Item> {
        let definition = sentence.definition.as_ref()?;
        let is_heading = self
            .headings
            .iter()
            .any(|heading| whole_words(heading) == whole_words(&definition.term));
        // A heading with what stands under it is no definition.
        if Labels::is_heading(&definition.term)
            || (is_heading && definition.pattern == Pattern::Listed)
        {
            return None;
        }
        let worth = if definition.pattern == Pattern::Listed {
            LISTED
        } else {
            DEFINED
        };
        let end = definition.start + definition.term.len();
        let span = definition
            .subject_end
            .map_or((definition.start, end), |end| (0, end));
        let mut item = self.item(
            at,
            sentence,
            AskedFor::Defined,
            span,
            &definition.term,
            worth,
        );
        if points_back(&sentence.text, self.course.language) || definition.meaning.is_empty() {
            let language = self.course.language;
            let stands =
                is_fit(before) && !points_back(before, language) && !refers_back(before, language);
            let named = !whole_words(before).contains(&whole_words(&definition.term));
            if !stands || !named {
                return None;
            }
            before.clone_into(&mut item.context);
        }
        Some(item)
    }

    fn stands_alone(&self, sentence: &CourseSentence, before: &str) -> bool {
        let language = self.course.language;
        let around = Surroundings {
            before,
            genera: &self.course.genera,
            terms: &self.course.term_stems,
        };
        let times = |stem: &str| self.course.times_of_stem(stem);
        !points_back(&sentence.text, language)
            && !refers_back(&sentence.text, language)
            && !points_to_named(&sentence.text, &around, times, language)
    }

    fn number(&self, at: usize, sentence: &CourseSentence, before: &str) -> Option<Item> {
        if !self.stands_alone(sentence, before) {
            return None;
        }
        let worth = |index: usize| {
            let quantity = sentence.quantities.get(index)?;
            let worth = if quantity.measures { MEASURED } else { COUNTED };
            let several = if quantity.one_of_several {
                ONE_OF_SEVERAL
            } else {
                0.0
            };
            let is_few = !quantity.measures && quantity.value < MANY_THINGS;
            Some(worth - several - if is_few { FEW } else { 0.0 })
        };
        let best = (0..sentence.quantities.len())
            .filter_map(|index| Some((index, worth(index)?)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let quantity = sentence.quantities.get(best.0)?;
        let span = (quantity.start, quantity.end);
        Some(self.item(
            at,
            sentence,
            AskedFor::Number(best.0),
            span,
            &quantity.shown,
            best.1,
        ))
    }

    /// A term that another sentence defines, and this one says something about.
    fn term(&self, at: usize, sentence: &CourseSentence, before: &str) -> Option<Item> {
        if sentence.definition.is_some() || !self.stands_alone(sentence, before) {
            return None;
        }
        let terms = self
            .course
            .definitions()
            .filter(|one| one.pattern != Pattern::Listed);
        let (start, term) = terms
            .filter_map(|one| Some((once(&sentence.text, &one.term)?, &one.term)))
            .max_by_key(|(start, _)| *start)?;
        let rare = self.course.times(term) <= (self.course.sentences.len() / 4).max(3);
        let span = (start, start + term.len());
        rare.then(|| self.item(at, sentence, AskedFor::Term, span, term, TERM))
    }

    /// The last name in the sentence that the course has elsewhere, too.
    fn name(&self, at: usize, sentence: &CourseSentence, before: &str) -> Option<Item> {
        if sentence.definition.is_some() || !self.stands_alone(sentence, before) {
            return None;
        }
        let common = (self.course.sentences.len() / 5).max(3);
        let known = self
            .course
            .nouns
            .iter()
            .filter(|noun| (2..=common).contains(&noun.sentences.len()));
        let told = known.filter(|noun| {
            noun.sentences.binary_search(&at).is_ok() && noun.text.chars().count() >= 5
        });
        let (start, noun) = told
            .filter(|noun| !Labels::is_heading(&noun.text))
            .filter_map(|noun| Some((once(&sentence.text, &noun.text)?, noun)))
            .max_by_key(|(start, noun)| (noun.text.split(' ').count(), *start))?;
        let span = (start, start + noun.text.len());
        Some(self.item(at, sentence, AskedFor::Name, span, &noun.text, NAME))
    }
}

/// Where some words stand in a sentence as whole words, if they stand there once, and not at its beginning.
fn once(sentence: &str, words: &str) -> Option<usize> {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    let mut places = sentence.match_indices(words).filter(|(at, _)| {
        let before = sentence
            .get(..*at)
            .and_then(|text| text.chars().next_back());
        let behind = sentence
            .get(at + words.len()..)
            .and_then(|text| text.chars().next());
        is_edge(before) && is_edge(behind)
    });
    let (first, _) = places.next()?;
    (places.next().is_none() && first > 0).then_some(first)
}

/// Whether a sentence can be asked about at all: a whole statement of its own, and nothing of ours.
pub(super) fn is_fit(sentence: &str) -> bool {
    let length = sentence.chars().count();
    let begins = sentence.chars().find(|c| c.is_alphanumeric());
    let whole = begins.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
    let marked = ["{{", "____", "http", "|"]
        .iter()
        .any(|mark| sentence.contains(mark));
    let states = !sentence.ends_with(['?', ':', '…']);
    (20..=280).contains(&length)
        && sentence.split_whitespace().count() >= 5
        && whole
        && states
        && !marked
        && !Labels::is_label(sentence)
}

fn is_example(sentence: &str) -> bool {
    const MARKS: &[&str] = &[
        " for example ",
        " e g ",
        " example ",
        " suppose ",
        " imagine ",
        " zum beispiel ",
        " z b ",
        " beispiel ",
        " etwa ein ",
        " therefore ",
        " if we ",
        " wenn wir ",
        " por ejemplo ",
        " par exemple ",
        " ad esempio ",
        " por exemplo ",
        " say ",
    ];
    let words = whole_words(sentence);
    MARKS.iter().any(|mark| words.contains(mark))
}

/// Whether what is left of the text shows the answer: its words, their family, or a part of a compound.
fn gives_away(item: &Item, sentence: &str, course: &Course) -> bool {
    let left = item.with(sentence, "____");
    if let AskedFor::Number(_) = item.kind {
        return whole_words(&left).contains(&whole_words(&item.answer));
    }
    let seen = stems(&left, course.language);
    let asked = stems(&item.answer, course.language);
    asked
        .iter()
        .any(|asked| seen.iter().any(|seen| akin(&asked.surface, &seen.surface)))
}

/// Whether two words are of one family, as far as letters tell.
pub(super) fn akin(one: &str, other: &str) -> bool {
    let alike = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let (short, long) = if one.chars().count() <= other.chars().count() {
        (one, other)
    } else {
        (other, one)
    };
    let short_letters = short.chars().count();
    one == other
        || (alike >= ALIKE && alike + 4 >= short_letters)
        || (short_letters > ALIKE && long.contains(short))
}
