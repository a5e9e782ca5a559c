//! What the signs of an order to whoever grades weigh, in hundredths of a logit: all numbers of that look in one place.
//!
//! A logistic regression over the best stretch of each text: which texts of `tests/data/orders` are orders, and that the
//! published answers are none. The weights are drawn towards those that signs had when they were weighed by hand. Only sums
//! are made of them, so the same text is judged alike on every machine.

use super::lexicon::{
    ACCEPT, ACT, AGENT, ALREADY, ANY, AUTHORITY, AWARD, BE, CALL, CHANGED, CHECK, COUNTS, DIRECTOR,
    DONE, ENOUGH, EVERY, FULL, GIVE, GRADER, HUMAN, IF, IGNORE, KIN, LINK, MACHINE, MILD, MINE,
    NUMBER, OF, OUGHT, OUTCOME, PERSONA, PLACE, PLEA, PRAISE, REMARK, REVEAL, RUBRIC, RULES, Roles,
    SAID, SCORE, SECRET, STEP, TALE, THIS, TOP, VERDICT, WATCH, WITHOUT, WORK, YOU,
};
use super::signs::Signs;

/// With fewer parts in a stretch no order is made.
pub(super) const LEAST_ROLES: u32 = 2;

/// What everything begins with, and what a stretch of one, two and three sentences has less.
const BIAS: i32 = -882;
const TOGETHER: [i32; 3] = [0, -295, -129];

/// Set by hand: that the rubric is to be ignored is an order by itself, in as few words as it can be said.
const OVERRULED: i32 = 100;

/// How much there is of a sign.
type Measure = fn(&Signs) -> u32;

const OF_SIGNS: &[(Measure, i32)] = &[
    (|signs| signs.result, 50),
    (|signs| signs.verdict, 12),
    (|signs| signs.act, 35),
    (|signs| u32::from(signs.ordered), -1),
    (|signs| u32::from(signs.judged), 68),
    (|signs| u32::from(signs.ought), 177),
    (|signs| signs.aim, 79),
    (|signs| signs.grader, 79),
    (|signs| signs.asked, -35),
    (|signs| signs.orders_more, -76),
    (|signs| signs.claim, 31),
    (|signs| signs.done, 51),
    (|signs| signs.rules, 34),
    (|signs| signs.unread, 43),
    (|signs| signs.told, 38),
    (|signs| signs.role, 102),
    (|signs| signs.plea, 90),
    (|signs| signs.whoever, 45),
    (|signs| signs.threat, 200),
    (|signs| signs.machine_asked, -44),
    (|signs| signs.forced, 43),
    (|signs| signs.suffices, 47),
    (|signs| signs.reader, 119),
    (|signs| signs.unwatched, 43),
    (|signs| signs.all_right, 63),
    (|signs| signs.speaker, -22),
    (|signs| signs.doubled, 69),
    (|signs| signs.tale, -164),
    (|signs| signs.remarked, 160),
    (|signs| signs.stepped, 212),
    (|signs| signs.pitied, 105),
    (|signs| signs.answered, 77),
    (|signs| u32::from(signs.finished()), 8),
    (|signs| u32::from(signs.cleared()), 99),
    (|signs| u32::from(signs.begged()), 119),
    (|signs| u32::from(signs.overruled()), OVERRULED),
    (|signs| u32::from(signs.points()), -65),
    (|signs| u32::from(signs.is_of_grading()), 36),
    (
        |signs| u32::from(signs.points() && signs.is_of_grading()),
        307,
    ),
];

/// Parts that are played at all. A part whose sign weighs much may weigh less than nothing here: it was counted there.
const OF_ROLES: &[(Roles, i32)] = &[
    (GIVE, 115),
    (AWARD, -97),
    (ACT, -3),
    (ACCEPT, 58),
    (SCORE, 8),
    (FULL, 3),
    (EVERY, 13),
    (TOP, 162),
    (VERDICT, 92),
    (WORK, 29),
    (THIS, 111),
    (MINE, -73),
    (GRADER, 67),
    (AGENT, 10),
    (CALL, -71),
    (YOU, 40),
    (DIRECTOR, 19),
    (AUTHORITY, 3),
    (SAID, -59),
    (DONE, 114),
    (ALREADY, -2),
    (RUBRIC, 224),
    (RULES, 150),
    (CHANGED, 95),
    (IGNORE, 16),
    (REVEAL, -167),
    (SECRET, 147),
    (WITHOUT, 65),
    (CHECK, -25),
    (ANY, 59),
    (PERSONA, -180),
    (PLEA, -6),
    (MACHINE, -7),
    (OUTCOME, 54),
    (COUNTS, -110),
    (NUMBER, -9),
    (BE, 113),
    (IF, -68),
    (OUGHT, -93),
    (ENOUGH, 339),
    (WATCH, 62),
    (KIN, -34),
    (TALE, 45),
    (PLACE, 91),
    (REMARK, 75),
    (PRAISE, 60),
    (HUMAN, 90),
    (STEP, -193),
    (MILD, 15),
    (OF, -55),
    (LINK, 20),
];

/// What a stretch of so many sentences weighs; an order weighs more than nothing.
pub(super) fn weight(signs: &Signs, played: Roles, sentences: usize) -> i32 {
    let of_signs = OF_SIGNS.iter().map(|(measure, weight)| {
        let much = i32::try_from(measure(signs)).unwrap_or_default();
        much * weight
    });
    let of_roles = OF_ROLES.iter().filter(|(role, _)| played & role != 0);
    let together = TOGETHER.get(sentences.saturating_sub(1));
    BIAS + together.copied().unwrap_or_default()
        + of_signs.sum::<i32>()
        + of_roles.map(|(_, weight)| weight).sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_weighs_once_and_every_number_of_sentences_something() {
        assert!(TOGETHER.iter().skip(1).all(|less| *less < 0));
        let all = OF_ROLES.iter().fold(0, |all, (role, _)| all | role);
        assert_eq!(usize::try_from(all.count_ones()), Ok(OF_ROLES.len()));
    }
}
