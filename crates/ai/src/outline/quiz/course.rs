//! What a whole course says, read once: its definitions, numbers and names of things, and how salient each sentence is.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::Language;
use crate::outline::defining::{Definition, definition, genus};
use crate::outline::nouns::{Noun, nouns};
use crate::outline::quantities::{Quantity, quantities};
use crate::outline::salience::salience;
use crate::words::stems;

/// The sentences of a course and what questions are made of.
pub(crate) struct Course {
    pub(super) language: Language,
    pub(super) sentences: Vec<CourseSentence>,
    pub(super) nouns: Vec<Noun>,
    places: BTreeMap<String, usize>,
    /// How many sentences have each defined term.
    times: BTreeMap<String, usize>,
    /// How many sentences have each stem.
    stem_times: BTreeMap<String, usize>,
    /// The stems of what the definitions say their terms are.
    pub(super) genera: BTreeSet<String>,
    /// The stems of the defined terms' words.
    pub(super) term_stems: BTreeSet<String>,
}

/// A sentence and what was found in it.
pub(super) struct CourseSentence {
    pub(super) text: String,
    /// Its words in lower case with a space around each.
    pub(super) words: String,
    pub(super) definition: Option<Definition>,
    pub(super) quantities: Vec<Quantity>,
    pub(super) salience: f64,
}

impl Course {
    /// Reads a course; a sentence that stands in it twice is read once.
    pub(crate) fn of(facts: &[String], language: Language) -> Self {
        let mut places = BTreeMap::new();
        let mut texts: Vec<String> = Vec::new();
        for fact in facts {
            places.entry(fact.clone()).or_insert_with(|| {
                texts.push(fact.clone());
                texts.len() - 1
            });
        }
        let sentences = texts
            .iter()
            .zip(salience(&texts, language))
            .map(|(text, salience)| CourseSentence {
                words: whole_words(text),
                definition: definition(text, language),
                quantities: quantities(text, language),
                text: text.clone(),
                salience,
            })
            .collect();
        let mut course = Self {
            language,
            sentences,
            nouns: nouns(&texts, language),
            places,
            times: BTreeMap::new(),
            stem_times: stem_times(&texts, language),
            genera: BTreeSet::new(),
            term_stems: BTreeSet::new(),
        };
        let terms: Vec<String> = course.definitions().map(|one| one.term.clone()).collect();
        course.genera = course
            .definitions()
            .filter_map(|one| genus(&one.meaning, language))
            .collect();
        let words = terms.iter().flat_map(|term| stems(term, language));
        course.term_stems = words.map(|stem| stem.text).collect();
        course.times = terms
            .into_iter()
            .map(|term| (term.clone(), course.count(&term)))
            .collect();
        course
    }

    /// Where a sentence stands, if the course has it.
    pub(super) fn place(&self, text: &str) -> Option<usize> {
        self.places.get(text).copied()
    }

    pub(super) fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.sentences
            .iter()
            .filter_map(|one| one.definition.as_ref())
    }

    /// How many sentences have some words.
    pub(super) fn times(&self, text: &str) -> usize {
        self.times
            .get(text)
            .copied()
            .unwrap_or_else(|| self.count(text))
    }

    /// How many sentences have a stem.
    pub(super) fn times_of_stem(&self, stem: &str) -> usize {
        self.stem_times.get(stem).copied().unwrap_or_default()
    }

    fn count(&self, text: &str) -> usize {
        let words = whole_words(text);
        self.sentences
            .iter()
            .filter(|one| one.words.contains(&words))
            .count()
    }
}

fn stem_times(texts: &[String], language: Language) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for text in texts {
        let own = stems(text, language).into_iter().map(|stem| stem.text);
        for stem in own.collect::<BTreeSet<_>>() {
            *times.entry(stem).or_default() += 1;
        }
    }
    times
}

/// The words of a text in lower case, with a space around each.
pub(super) fn whole_words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}
