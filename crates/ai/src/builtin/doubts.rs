//! Flags that only show once a text was held against what is expected: it has the right words and may not say the right
//! thing.
//!
//! What the text shows by itself is in [`super::flags`]; here, too, a flag asks for a person and takes nothing.

use super::criterion::CriterionMatch;
use super::expected::{Expected, Source};
use super::flags::{has_grammar, is_odd, makes_sentences};
use super::similarity::{Words, shares_in_order};
use crate::language::Language;
use crate::numbers::{count, share};
use crate::words::{Pointer, fold, tokens};

/// From this share of the points on it matters what a text says.
const WORTH_SOMETHING: f64 = 0.3;
/// From this share on of matched words that stand on the other side of a negation.
const DENIED: f64 = 0.6;
/// Words of a model answer in another order: how many there must be; with nearly all of its and of the text's words any
/// other order is odd, with most of them one that keeps little.
const SCRAMBLED_WORDS: usize = 3;
const NEARLY_ALL: f64 = 0.8;
/// From how many words out of their places on.
const MOVED: f64 = 1.5;
const MOST: f64 = 0.75;
const LITTLE_KEPT: f64 = 0.6;
/// The same of pairs of neighbours, in longer model answers.
const LONG_REFERENCE: usize = 5;
const NO_PAIRS: f64 = 0.05;
/// From this share on of words that nothing expects; in longer texts a smaller one, for there it is no accident.
const UNRELATED: f64 = 0.8;
const UNRELATED_AND_LONG: f64 = 0.6;
const LONG_TEXT: usize = 12;
/// So many times as long as the model answer, and most of it not expected: somebody wrote down all there is.
const TIMES_AS_LONG: usize = 2;
const HARDLY_EXPECTED: f64 = 0.5;
/// Fewest words of a list of keywords, and the share at most of words that make sentences.
const KEYWORDS: usize = 4;
const FEW_SMALL: f64 = 0.1;
/// A model answer counts as pasted with this share of its words in order, and so many of all must be.
const PASTED: f64 = 0.95;
const MOST_PASTED: f64 = 0.75;
/// Two opposites this near to each other, in words, are offered as alternatives.
const BESIDE: usize = 2;

/// What is known about a submission once it is judged.
pub(crate) struct Compared<'a> {
    /// What each criterion expects, what of it was found, and the share of the points.
    pub(crate) criteria: Vec<(&'a Expected, CriterionMatch, f64)>,
    /// What was compared.
    pub(crate) words: &'a Words,
    pub(crate) text: &'a str,
    pub(crate) question: &'a Words,
    pub(crate) language: Language,
}

impl Compared<'_> {
    /// The flags, in a fixed order.
    pub(crate) fn doubts(&self) -> Vec<&'static str> {
        let checks: [(&'static str, bool); 5] = [
            (
                "negation_mismatch",
                self.any(says_the_contrary) || self.denies(),
            ),
            ("scrambled_order", self.is_scrambled()),
            ("keyword_list", self.worth_something() && self.is_bare()),
            (
                "several_answers",
                self.any(|expected, _| self.is_several(expected)),
            ),
            (
                "much_unrelated_text",
                self.worth_something() && self.is_beside_the_point(),
            ),
        ];
        let raised = checks.into_iter().filter(|(_, raised)| *raised);
        raised.map(|(name, _)| name).collect()
    }

    /// Whether the text denies something in so many words, which no model answer does.
    fn denies(&self) -> bool {
        let denies = |expected: &Expected| expected.references().any(|one| one.text.words.denies);
        self.words.denies && self.any(|expected, _| !denies(expected))
    }

    fn worth_something(&self) -> bool {
        self.any(|_, _| true)
    }

    /// Whether something is so of a criterion that gives points.
    fn any(&self, is: impl Fn(&Expected, &CriterionMatch) -> bool) -> bool {
        let mut criteria = self.criteria.iter();
        criteria.any(|(expected, found, share)| *share >= WORTH_SOMETHING && is(expected, found))
    }

    fn any_at_all(&self, is: impl Fn(&CriterionMatch) -> bool) -> bool {
        self.criteria.iter().any(|(_, found, _)| is(found))
    }

    /// A sentence of its own, whose small words are in their places, may well name two things the other way round.
    fn is_scrambled(&self) -> bool {
        let odd = is_odd(self.text, self.language);
        let words = self.words.stems.len();
        let same_words = |found: &CriterionMatch| found.common == words && found.length == words;
        self.any_at_all(|found| is_scrambled(found, odd || same_words(found)))
    }

    /// Words with content and hardly one of the small ones that make sentences.
    fn is_bare(&self) -> bool {
        let words = tokens(&fold(self.text), self.language);
        let small = words.iter().filter(|word| self.holds_together(word));
        has_grammar(self.language)
            && words.len() >= KEYWORDS
            && share(small.count(), words.len()) <= FEW_SMALL
    }

    fn holds_together(&self, word: &str) -> bool {
        makes_sentences(word, self.language) || self.language.is_negation(word)
    }

    /// Whether a text gives several answers at once: most of the model answers, one after the other, or two opposites side by
    /// side where no model answer has them so.
    fn is_several(&self, expected: &Expected) -> bool {
        pastes(expected, self.words) || offers_both(expected, self.words)
    }

    fn is_beside_the_point(&self) -> bool {
        let unrelated = self.unrelated();
        let long = self.words.distinct().count() >= LONG_TEXT;
        let many_times = self.any(|_, found| self.is_many_times_as_long(found));
        unrelated > UNRELATED || (long && (unrelated > UNRELATED_AND_LONG || many_times))
    }

    fn is_many_times_as_long(&self, found: &CriterionMatch) -> bool {
        self.words.distinct().count() >= TIMES_AS_LONG * found.length
            && found.precision < HARDLY_EXPECTED
    }

    /// The share of the submission's words that no reference and no question has.
    fn unrelated(&self) -> f64 {
        let strange = self.words.distinct().filter(|stem| {
            let mut references = self
                .criteria
                .iter()
                .flat_map(|(one, _, _)| one.references());
            !self.question.contains(stem) && !references.any(|one| one.text.words.contains(stem))
        });
        share(strange.count(), self.words.distinct().count())
    }
}

fn says_the_contrary(_: &Expected, found: &CriterionMatch) -> bool {
    found.negation > DENIED || found.opposed > 0.0 || found.contradicted
}

/// The words of a model answer, but not in an order that a sentence has.
fn is_scrambled(found: &CriterionMatch, odd: bool) -> bool {
    let both = found.recall.min(found.precision);
    let enough = found.common >= SCRAMBLED_WORDS;
    let few = found.common == SCRAMBLED_WORDS;
    // Of a few words one that has moved is odd; of more, *a is connected to b* and *a and b are connected* are as good.
    let moved = (1.0 - found.kept) * count(found.common);
    let turned = both > NEARLY_ALL && (moved >= MOVED || ((few || odd) && found.kept < 1.0));
    let shuffled = both > MOST && found.kept <= LITTLE_KEPT;
    let no_pair = found.length >= LONG_REFERENCE && found.pairs < NO_PAIRS && found.recall > MOST;
    no_pair || (enough && (turned || shuffled))
}

fn pastes(expected: &Expected, words: &Words) -> bool {
    if expected.source != Source::Answers || expected.answers.len() < 2 {
        return false;
    }
    let references = expected.answers.iter().map(|(_, one)| &one.text.words);
    let pasted: Vec<usize> = references
        .filter(|one| shares_in_order(one, words) >= PASTED)
        .map(|one| one.stems.len())
        .collect();
    let all: usize = pasted.iter().sum();
    pasted.len() >= 2
        && share(pasted.len(), expected.answers.len()) >= MOST_PASTED
        && count(words.stems.len()) >= 0.8 * count(all)
}

fn offers_both(expected: &Expected, words: &Words) -> bool {
    let offers = |words: &Words| {
        words.pointers.windows(2).any(|two| match two {
            [a, b] => are_alternatives(*a, *b),
            _ => false,
        })
    };
    offers(words) && !expected.references().any(|one| offers(&one.text.words))
}

const fn are_alternatives(a: Pointer, b: Pointer) -> bool {
    a.pole.axis == b.pole.axis && a.pole.first != b.pole.first && b.at - a.at <= BESIDE
}
