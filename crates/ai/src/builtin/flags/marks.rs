//! What of an order to whoever grades is about marks: which one, that it is to be given, and that something is right.

use super::lexicon::{
    ACCEPT, ACT, ANY, AWARD, COUNTS, DIRECTOR, EVERY, FULL, GIVE, LINK, MINE, NUMBER, OF, OUTCOME,
    RULES, Roles, SAID, SCORE, TOP, VERDICT, WORK, YOU,
};
use super::view::View;

/// What it weighs that there are two full marks, a number out of itself and one named so.
pub(super) const DOUBLED: u32 = 4;
/// What a full mark weighs, named as such or as a number out of itself.
pub(super) const FULL_MARK: u32 = 5;

/// A full mark, the name of the best grade, a mark with its number, a mark.
pub(super) fn result(view: &View<'_>) -> u32 {
    let numbered = || {
        (0..view.words.len()).any(|at| {
            view.is_digits(at) && (view.plays(at + 1, SCORE) || at > 0 && view.plays(at - 1, SCORE))
        })
    };
    let given = || {
        view.at(GIVE | AWARD | ACT)
            .any(|at| (at + 1..=at + 4).any(|near| view.is_number(near) && !view.has_unit(near)))
    };
    if view.near(FULL, SCORE, 3) {
        FULL_MARK
    } else if view.has(TOP) || view.near(EVERY, SCORE, 2) || has_letter(view) || all_met(view) {
        4
    } else if view.near(FULL, OUTCOME, 4) || numbered() {
        3
    } else if view.has(SCORE) || given() {
        2
    } else {
        0
    }
}

/// All criteria, and that they are met or to be ticked.
fn all_met(view: &View<'_>) -> bool {
    let all = view.before(EVERY | ANY, RULES, 3);
    all && (view.near(RULES, VERDICT, 6) || view.near(GIVE | ACCEPT, EVERY | ANY, 5))
}

/// A grade by its letter, which is a word too.
fn has_letter(view: &View<'_>) -> bool {
    let ends = |at: usize| view.is_last(at) || view.opens(at + 1) || view.plays(at + 1, LINK);
    view.at(SCORE)
        .any(|at| view.is(at + 1, "a") && ends(at + 1))
}

/// A number out of the same number, `6/6` or "two out of two"; less where a word follows that may be its unit.
pub(super) fn out_of_itself(view: &View<'_>) -> u32 {
    let same = |one: usize, other: usize| {
        view.words
            .get(other)
            .is_some_and(|word| view.is(one, &word.text))
    };
    let between = |one: usize, other: usize| {
        (one + 1..other).any(|at| view.plays(at, OF) || view.is(at, "/"))
    };
    let for_me = |one: usize| (one.saturating_sub(3)..one).any(|before| view.plays(before, MINE));
    let weight = |one: usize| {
        let pairs = (one + 2..=one + 4).filter(|other| same(one, *other) && between(one, *other));
        pairs
            .map(|other| {
                if view.has_unit(other) && !for_me(one) {
                    2
                } else {
                    FULL_MARK
                }
            })
            .max()
    };
    let numbers = (0..view.words.len()).filter(|at| view.is_number(*at));
    numbers.filter_map(weight).max().unwrap_or_default()
}

/// How often somebody is told to do something that is done to answers.
pub(super) fn orders(view: &View<'_>, verbs: Roles) -> usize {
    const OBJECTS: Roles = SCORE | TOP | VERDICT | WORK | FULL | OUTCOME | NUMBER;
    const REACH: usize = 7;
    let has_object = |at: usize| {
        let mut near = at.saturating_sub(REACH)..=at + REACH;
        near.any(|near| view.plays(near, OBJECTS) || view.is_digits(near))
    };
    let needs_object = |at: usize| !view.plays(at, ACCEPT);
    let directed =
        |at: usize| (at.saturating_sub(2)..at).any(|before| view.plays(before, DIRECTOR));
    let asked_to = |at: usize| (at.saturating_sub(6)..at).any(|before| view.plays(before, YOU));
    let in_place = |at: usize| !view.by_place || view.opens(at) || directed(at) || asked_to(at);
    // What tells of somebody who said so is no order to accept.
    let tells = |at: usize| view.plays(at, SAID) && !view.by_place;
    view.at(verbs)
        .filter(|at| in_place(*at) && !tells(*at) && (!needs_object(*at) || has_object(*at)))
        .count()
}

/// An order to give, to grade or to accept; the same told of.
pub(super) fn act(view: &View<'_>, ordered: bool, result: u32) -> u32 {
    // To give takes many things, to award takes marks.
    let of_grading = || !view.by_place || orders(view, AWARD) > 0;
    if ordered && result >= 4 && of_grading() {
        5
    } else if ordered {
        3
    } else if view.has(ACT | GIVE | AWARD | ACCEPT | COUNTS) {
        2
    } else {
        0
    }
}

/// Right, passed: as what is told to be, of an answer, at all.
pub(super) fn verdict(view: &View<'_>) -> u32 {
    if view.before(ACCEPT | AWARD, VERDICT, 5) || view.before(VERDICT, ACCEPT, 2) {
        3
    } else if view.near(VERDICT, WORK | OUTCOME | COUNTS | ACT, 5) {
        2
    } else {
        u32::from(view.has(VERDICT))
    }
}
