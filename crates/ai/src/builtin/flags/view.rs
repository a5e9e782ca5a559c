//! A stretch of a text as one language reads it: which part each word plays, and what stands near what.

use super::lexicon::{
    ACT, DIRECTOR, GIVE, LINK, MINE, NUMBER, OF, Roles, SCORE, THIS, Word, by_place,
};

/// A stretch of words in one language.
pub(super) struct View<'a> {
    pub(super) words: &'a [Word],
    pub(super) roles: Vec<Roles>,
    /// Whether an order is told by its place in this language.
    pub(super) by_place: bool,
}

impl<'a> View<'a> {
    pub(super) fn of(words: &'a [Word], language: usize) -> Self {
        let roles = words
            .iter()
            .map(|word| word.roles.get(language).copied().unwrap_or_default());
        Self {
            words,
            roles: roles.collect(),
            by_place: by_place(language),
        }
    }

    pub(super) fn has(&self, role: Roles) -> bool {
        self.roles.iter().any(|roles| roles & role != 0)
    }

    pub(super) fn plays(&self, at: usize, role: Roles) -> bool {
        self.roles.get(at).is_some_and(|roles| roles & role != 0)
    }

    pub(super) fn at(&self, role: Roles) -> impl Iterator<Item = usize> {
        (0..self.roles.len()).filter(move |at| self.plays(*at, role))
    }

    /// Whether one stands at most so many words from the other, whichever comes first.
    pub(super) fn near(&self, one: Roles, other: Roles, reach: usize) -> bool {
        self.at(one).any(|at| {
            (at.saturating_sub(reach)..=at + reach)
                .any(|near| near != at && self.plays(near, other))
        })
    }

    /// Whether one stands at most so many words before the other.
    pub(super) fn before(&self, one: Roles, other: Roles, reach: usize) -> bool {
        self.at(one)
            .any(|at| (at + 1..=at + reach).any(|behind| self.plays(behind, other)))
    }

    pub(super) fn opens(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.opens)
    }

    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.words.get(at).is_some_and(|word| word.text == text)
    }

    pub(super) fn is_set(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.set)
    }

    pub(super) fn is_digits(&self, at: usize) -> bool {
        self.words
            .get(at)
            .is_some_and(|word| word.text.starts_with(|c: char| c.is_ascii_digit()))
    }

    pub(super) fn is_number(&self, at: usize) -> bool {
        self.is_digits(at) || self.plays(at, NUMBER)
    }

    pub(super) fn is_last(&self, at: usize) -> bool {
        at + 1 >= self.words.len()
    }

    /// Whether the word behind a number may be what is counted.
    pub(super) fn has_unit(&self, number: usize) -> bool {
        const NO_UNIT: Roles = SCORE | LINK | THIS | GIVE | ACT | MINE | DIRECTOR | OF;
        let follows = self
            .words
            .get(number + 1)
            .is_some_and(|word| !word.opens && !word.first);
        follows && !self.plays(number + 1, NO_UNIT)
    }
}
