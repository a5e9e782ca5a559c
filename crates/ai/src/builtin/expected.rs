//! What a criterion expects: its model answers or key points, made ready to be compared.
//!
//! Only reading happens here; how much of it a submission has is found out in [`super::criterion`].

use lyceum_domain::authoring::rubric::{Criterion, Rubric};
use serde_json::Value;

use super::constants::MAX_REFERENCES;
use super::score::Reference;
use super::similarity::Words;
use crate::language::Language;
use crate::words::{fold, tokens};

/// What the points of a criterion come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The best of the model answers.
    Answers,
    /// All of the key points, by weight; used where there is no model answer.
    Points,
    /// Nobody wrote down what a good answer says; the rubric's own words stand in for it.
    OwnWords,
    /// It is not about content, so there is nothing that words could be held against.
    Nothing,
}

/// One idea that a good answer has.
pub(crate) struct KeyPoint {
    /// As the teacher wrote it.
    pub(crate) text: String,
    pub(crate) weight: f64,
    pub(crate) reference: Reference,
}

/// What a submission is compared with for one criterion.
pub(crate) struct Expected {
    pub(crate) source: Source,
    /// Whether its own words are but a name: then there is nothing to compare a text with.
    pub(crate) is_bare: bool,
    /// Model answers, or the rubric's own words, and their texts.
    pub(crate) answers: Vec<(String, Reference)>,
    pub(crate) points: Vec<KeyPoint>,
}

impl Expected {
    /// Reads a criterion's `kind`, `reference_answers` and `key_points`, or else its own words.
    pub(crate) fn of(criterion: &Criterion, question: &Words, language: Language) -> Self {
        let points = key_points(criterion, question, language);
        let given = texts(criterion.texts("reference_answers"), language);
        let source = match (is_about_content(criterion), given.is_empty()) {
            (false, _) => Source::Nothing,
            (true, false) => Source::Answers,
            (true, true) if !points.is_empty() => Source::Points,
            (true, true) => Source::OwnWords,
        };
        let given = if source == Source::OwnWords {
            texts(vec![own_words(criterion)], language)
        } else {
            given
        };
        let references = given.len();
        let prepared = given.into_iter().map(|(text, words)| {
            let reference = Reference::new(words, question, references);
            (text, reference)
        });
        Self {
            is_bare: source == Source::OwnWords && is_bare(criterion),
            source,
            answers: prepared.collect(),
            points,
        }
    }

    /// Everything that is expected, model answers first.
    pub(crate) fn references(&self) -> impl Iterator<Item = &Reference> {
        let answers = self.answers.iter().map(|(_, reference)| reference);
        answers.chain(self.points.iter().map(|point| &point.reference))
    }
}

/// The texts that have content words.
fn texts(given: Vec<String>, language: Language) -> Vec<(String, Words)> {
    let read = given.into_iter().take(MAX_REFERENCES).map(|text| {
        let words = Words::of(&text, language);
        (text, words)
    });
    read.filter(|(_, words)| !words.stems.is_empty()).collect()
}

fn key_points(criterion: &Criterion, question: &Words, language: Language) -> Vec<KeyPoint> {
    let entries = criterion.extra.get("key_points").and_then(Value::as_array);
    let entries = entries.into_iter().flatten().take(MAX_REFERENCES);
    let read = entries.filter_map(|entry| {
        let text = entry.as_str().or_else(|| entry.get("text")?.as_str())?;
        let words = Words::of(text, language);
        // Written by a person: what is no weight counts like the others.
        let weight = entry.get("weight").and_then(Value::as_f64);
        let weight = weight.filter(|weight| *weight > 0.0 && weight.is_finite());
        (!words.stems.is_empty()).then(|| KeyPoint {
            text: text.to_owned(),
            weight: weight.unwrap_or(1.0),
            reference: Reference::new(words, question, 1),
        })
    });
    read.collect()
}

/// Whether nobody said what a good answer says, in no word beside the criterion's name; so it is with the criterion that
/// stands for a rubric where there is none.
fn is_bare(criterion: &Criterion) -> bool {
    let best = criterion.levels.iter().max_by_key(|level| level.points);
    let described = best.is_some_and(|level| !level.description.trim().is_empty());
    let stands_in = Rubric::overall().criteria.first() == Some(criterion);
    stands_in || (!described && criterion.description.trim().is_empty())
}

/// What the best level asks for, and what the criterion means; its name where neither is said.
fn own_words(criterion: &Criterion) -> String {
    let best = criterion.levels.iter().max_by_key(|level| level.points);
    let descriptor = best.map_or("", |level| level.description.trim());
    let said = format!("{descriptor}\n{}", criterion.description.trim());
    if said.trim().is_empty() {
        criterion.name.clone()
    } else {
        said
    }
}

/// Words for how a text is written, in the languages of our catalogues.
const FORM: &str = "style structure grammar spelling orthography punctuation formatting format layout presentation \
mechanics language writing organisation organization tone legibility and of the \
stil struktur grammatik rechtschreibung zeichensetzung gliederung aufbau sprache form ausdruck und \
estilo estructura gramática ortografía puntuación redacción presentación organización lenguaje y de la \
estrutura ortografia pontuação redação apresentação organização linguagem e da \
grammaire orthographe ponctuation présentation rédaction langue et \
stile struttura grammatica ortografia punteggiatura presentazione lingua";

/// Whether a criterion is about what is said; one whose `kind` is missing is, unless its name says nothing but
/// `Style` or `Grammar and spelling` and nobody wrote down what to look for.
fn is_about_content(criterion: &Criterion) -> bool {
    let is_form = |text: &str| {
        let words = tokens(&fold(text), Language::Other);
        let known = |word: &String| FORM.split_ascii_whitespace().any(|form| form == word);
        !words.is_empty() && words.iter().all(known)
    };
    if let Some(kind) = criterion.extra.get("kind").and_then(Value::as_str) {
        return !is_form(kind);
    }
    let described = ["reference_answers", "key_points"]
        .iter()
        .any(|member| !criterion.texts(member).is_empty());
    described || !is_form(&criterion.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case(json!({"name": "A", "reference_answers": ["Ice melts."], "key_points": ["melting"]}), Source::Answers)]
    #[case(json!({"name": "A", "reference_answers": [{"text": "Ice melts."}]}), Source::Answers)]
    #[case(json!({"name": "A", "key_points": ["melting"]}), Source::Points)]
    #[case(json!({"name": "A", "reference_answers": ["", "…"]}), Source::OwnWords)]
    #[case(json!({"name": "A", "kind": "content"}), Source::OwnWords)]
    #[case(json!({"name": "A", "kind": "style", "reference_answers": ["Ice melts."]}), Source::Nothing)]
    #[case(json!({"name": "A", "kind": "Grammar"}), Source::Nothing)]
    #[case(json!({"name": "Rechtschreibung und Grammatik"}), Source::Nothing)]
    #[case(json!({"name": "Structure of a cell"}), Source::OwnWords)]
    #[case(json!({"name": "Structure", "key_points": ["nucleus"]}), Source::Points)]
    fn a_criterion_says_what_it_is_judged_by(#[case] criterion: Value, #[case] expected: Source) {
        let rubric = json!({"criteria": [criterion]});
        let rubric = Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap();
        let question = Words::default();
        let read = Expected::of(&rubric.criteria[0], &question, Language::English);
        assert_eq!(read.source, expected);
    }

    #[rstest]
    #[case(json!({"name": "Safety"}), true)]
    #[case(json!({"name": "Safety", "description": "Says how cold."}), false)]
    #[case(json!({"name": "Safety", "key_points": ["5 °C"]}), false)]
    #[case(json!({"name": "A", "levels": [{"label": "no", "points": 0}, {"label": "yes", "points": 1}]}), true)]
    #[case(json!({"name": "A", "levels": [{"label": "no", "points": 0},
        {"label": "yes", "points": 1, "description": "Names 5 °C."}]}), false)]
    fn a_criterion_that_is_but_a_name_is_bare(#[case] criterion: Value, #[case] bare: bool) {
        let rubric = json!({"criteria": [criterion]});
        let rubric = Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap();
        let question = Words::default();
        let read = Expected::of(&rubric.criteria[0], &question, Language::English);
        assert_eq!(read.is_bare, bare);
        let stands_in = Expected::of(&Rubric::overall().criteria[0], &question, Language::English);
        assert!(stands_in.is_bare);
    }

    #[test]
    fn weights_of_key_points_are_read_and_nonsense_counts_one() {
        let rubric = json!({"criteria": [{"name": "A", "key_points": [
            {"text": "melting", "weight": 3}, {"text": "freezing", "weight": -2}, "boiling"]}]});
        let rubric = Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap();
        let read = Expected::of(&rubric.criteria[0], &Words::default(), Language::English);
        let weights: Vec<f64> = read.points.iter().map(|point| point.weight).collect();
        assert_eq!(weights, [3.0, 1.0, 1.0]);
    }
}
