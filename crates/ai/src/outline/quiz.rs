//! Quizzes from the lessons' own sentences: blanks, choices, true or false.
//!
//! A wrong option is a term from another sentence of the same kind; no term is made up.

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use serde_json::{Value, json};

use super::cards::pairs;
use super::phrases::phrases;
use super::pointing::points_back;
use super::{Labels, content};
use crate::language::Language;
use crate::template::fill;

/// Most questions of a quiz.
const MAX_QUESTIONS: usize = 6;
/// Wrong options of a choice.
const DISTRACTORS: usize = 3;

/// Fewest characters of a single word that is worth asking for; shorter ones are everyday words.
const TELLING_WORD: usize = 7;

/// What a quiz is made from.
pub(crate) struct QuizSource<'a> {
    pub(crate) language: Language,
    /// Name of the unit.
    pub(crate) unit: &'a str,
    /// The sentences asked about.
    pub(crate) facts: &'a [String],
    /// All sentences of the course, for wrong options.
    pub(crate) all_facts: &'a [String],
    /// Names of the unit's topics.
    pub(crate) topics: &'a [String],
    /// Names of all other topics.
    pub(crate) other_topics: &'a [String],
}

/// A sentence and the term that is asked for.
struct Gap<'a> {
    sentence: &'a str,
    term: String,
    distractors: Vec<String>,
}

impl Gap<'_> {
    fn with(&self, filling: &str) -> String {
        self.sentence.replacen(&self.term, filling, 1)
    }
}

/// A quiz of up to six questions; `None` if nothing can be asked.
pub(crate) fn quiz(labels: &Labels, source: &QuizSource<'_>) -> Option<ActivityContent> {
    quiz_of(labels, source, MAX_QUESTIONS)
}

/// A quiz of up to so many questions; `None` if nothing can be asked.
pub(crate) fn quiz_of(
    labels: &Labels,
    source: &QuizSource<'_>,
    most: usize,
) -> Option<ActivityContent> {
    let terms = Terms::of(source.all_facts, source.language);
    let gaps: Vec<Gap<'_>> = source
        .facts
        .iter()
        .filter_map(|fact| gap(fact, &terms))
        .collect();
    let gaps = spread(gaps, most);
    let mut questions: Vec<Value> = gaps
        .iter()
        .enumerate()
        .map(|(index, gap)| ask(labels, gap, index))
        .collect();
    // A unit is often called after its topics, so this is asked only where there is nothing else to ask.
    if questions.is_empty() {
        questions.extend(belonging(labels, source));
    }
    if questions.is_empty() {
        return None;
    }
    for (index, question) in questions.iter_mut().enumerate() {
        if let Value::Object(question) = question {
            question.insert("id".to_owned(), json!(format!("q{}", index + 1)));
        }
    }
    content(
        ActivityKind::Quiz,
        json!({"questions": questions, "shuffle": true, "passing_percent": 70, "show_answers": "after_submit"}),
    )
}

/// At most so many of a list, from all parts of it.
fn spread<T>(list: Vec<T>, most: usize) -> Vec<T> {
    let length = list.len();
    let taken = |at: usize| length <= most || (at * most) % length < most;
    let numbered = list.into_iter().enumerate();
    numbered
        .filter(|(at, _)| taken(*at))
        .map(|(_, one)| one)
        .collect()
}

fn ask(labels: &Labels, gap: &Gap<'_>, index: usize) -> Value {
    let number = gap.term.starts_with(|c: char| c.is_ascii_digit());
    match (index % 3, gap.distractors.first()) {
        (1, Some(_)) if gap.distractors.len() >= DISTRACTORS => single_choice(labels, gap),
        // Only another number makes a statement surely false, and every other one is to be true.
        (2, Some(wrong)) if number && index.is_multiple_of(2) => {
            true_false(labels, gap, Some(wrong))
        }
        (2, _) if number => true_false(labels, gap, None),
        _ => cloze(labels, gap),
    }
}

fn cloze(labels: &Labels, gap: &Gap<'_>) -> Value {
    json!({
        "type": "cloze",
        "prompt": labels.fill_blank,
        "text": gap.with("{{1}}"),
        "blanks": [{"id": "1", "accepted_answers": [gap.term]}],
        "explanation": fill(labels.as_lesson_says, &[("sentence", gap.sentence)]),
    })
}

fn true_false(labels: &Labels, gap: &Gap<'_>, wrong: Option<&String>) -> Value {
    let statement = wrong.map_or_else(|| gap.sentence.to_owned(), |wrong| gap.with(wrong));
    json!({
        "type": "true_false",
        "prompt": format!("{} {statement}", labels.true_or_false),
        "answer": wrong.is_none(),
        "explanation": fill(labels.as_lesson_says, &[("sentence", gap.sentence)]),
    })
}

fn single_choice(labels: &Labels, gap: &Gap<'_>) -> Value {
    json!({
        "type": "single_choice",
        "prompt": format!("{}\n\n{}", labels.which_completes, gap.with("____")),
        "options": options(&gap.term, &gap.distractors),
        "explanation": fill(labels.as_lesson_says, &[("sentence", gap.sentence)]),
    })
}

fn belonging(labels: &Labels, source: &QuizSource<'_>) -> Option<Value> {
    let right = source.topics.first()?;
    let wrong: Vec<String> = source
        .other_topics
        .iter()
        .filter(|topic| !source.topics.contains(topic))
        .take(DISTRACTORS)
        .cloned()
        .collect();
    if wrong.is_empty() {
        return None;
    }
    let unit = labels.quoted(source.unit);
    Some(json!({
        "type": "single_choice",
        "prompt": fill(labels.which_belongs, &[("unit", &unit)]),
        "options": options(right, &wrong),
        "explanation": "",
    }))
}

/// The right and the wrong options in alphabetical order, which says nothing about which is right.
fn options(right: &str, wrong: &[String]) -> Vec<Value> {
    let mut texts: Vec<&str> = wrong.iter().map(String::as_str).take(DISTRACTORS).collect();
    texts.push(right);
    texts.sort_unstable();
    let ids = ["a", "b", "c", "d"];
    texts
        .into_iter()
        .zip(ids)
        .map(|(text, id)| json!({"id": id, "text": text, "correct": text == right}))
        .collect()
}

/// The term of a sentence worth asking for, with terms of the same shape from elsewhere.
fn gap<'a>(sentence: &'a str, terms: &Terms) -> Option<Gap<'a>> {
    let length = sentence.chars().count();
    if !(20..=300).contains(&length)
        || sentence.split_whitespace().count() < 4
        || sentence.contains("{{")
        || points_back(sentence, terms.language)
    {
        return None;
    }
    let term = terms.term(sentence)?;
    let lower = sentence.to_lowercase();
    let mut distractors: Vec<String> = Vec::new();
    for candidate in terms.like(&term) {
        let folded = candidate.to_lowercase();
        let fresh = distractors.iter().chain([&term]).all(|known| {
            let known = known.to_lowercase();
            !known.contains(&folded) && !folded.contains(&known)
        });
        if fresh && same_shape(candidate, &term) && !lower.contains(&folded) {
            distractors.push(candidate.clone());
        }
        if distractors.len() == DISTRACTORS {
            break;
        }
    }
    Some(Gap {
        sentence,
        term,
        distractors,
    })
}

/// What the sentences of a course can be asked about.
struct Terms {
    language: Language,
    /// The sentences as their words in lower case, with a space around each.
    sentences: Vec<String>,
    /// Each once, in order.
    all: Vec<String>,
}

impl Terms {
    fn of(facts: &[String], language: Language) -> Self {
        let mut terms = Self {
            language,
            sentences: facts.iter().map(|fact| whole_words(fact)).collect(),
            all: Vec::new(),
        };
        for term in facts
            .iter()
            .filter_map(|fact| terms.term(fact))
            .collect::<Vec<_>>()
        {
            if !terms.all.contains(&term) {
                terms.all.push(term);
            }
        }
        terms
    }

    /// A number of two digits or more; else what the sentence says something about; else a phrase that other
    /// sentences have too. Words that stand only once and are no subject name nothing worth asking for.
    fn term(&self, sentence: &str) -> Option<String> {
        let number = sentence
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()))
            .find(|word| word.len() >= 2 && word.chars().all(|c| c.is_ascii_digit()));
        if let Some(number) = number {
            return Some(number.to_owned());
        }
        let subject = pairs(&[sentence.to_owned()], self.language);
        let subject = subject.first().map(|(front, _)| front.as_str());
        let fits = |text: &str| {
            text.split(' ').count() <= 3 && text.chars().count() >= 4 && sentence.contains(text)
        };
        let named = subject
            .into_iter()
            .flat_map(|front| phrases([front], self.language))
            .map(|phrase| phrase.text)
            .find(|text| fits(text));
        named.or_else(|| {
            let known = phrases([sentence], self.language).into_iter();
            known
                .map(|phrase| (self.times(&phrase.text), phrase.text))
                .filter(|(times, text)| (2..=self.common()).contains(times) && fits(text))
                .filter(|(_, text)| text.contains(' ') || text.chars().count() >= TELLING_WORD)
                .max_by_key(|(times, text)| {
                    (text.split(' ').count().min(2), std::cmp::Reverse(*times))
                })
                .map(|(_, text)| text)
        })
    }

    /// What more sentences than these have is what the course is about, and gives no question.
    fn common(&self) -> usize {
        (self.sentences.len() / 4).max(2)
    }

    /// How many sentences have a phrase.
    fn times(&self, phrase: &str) -> usize {
        let phrase = whole_words(phrase);
        let sentences = self.sentences.iter();
        sentences
            .filter(|sentence| sentence.contains(&phrase))
            .count()
    }

    /// All terms, those like the one given first: of numbers the nearest.
    fn like(&self, term: &str) -> Vec<&String> {
        let mut all: Vec<&String> = self.all.iter().collect();
        if let Ok(number) = term.parse::<u64>() {
            all.sort_by_key(|other| {
                other
                    .parse()
                    .map_or(u64::MAX, |other| number.abs_diff(other))
            });
        }
        all
    }
}

fn whole_words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

fn same_shape(a: &str, b: &str) -> bool {
    let shape = |text: &str| {
        let mut chars = text.chars();
        let first = chars.next();
        (
            text.split(' ').count(),
            first.is_some_and(char::is_uppercase),
            first.is_some_and(|c| c.is_ascii_digit()),
        )
    };
    shape(a) == shape(b)
}
