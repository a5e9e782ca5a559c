//! Which of a group's tasks are dropped, so that what stays has the best percentage.
//!
//! Where all tasks are worth the same, that is those with the lowest percentage. Where they are not, it may be others, and which
//! two are best to drop need not have in it the one that is best to drop alone: Kane and Kane, *The Algebra of Dropping
//! Scores* (Mathematics Magazine 79, 2006). The best `k` tasks have the share `q` for which the `k` largest of `pᵢ - q·mᵢ`
//! (points, best possible) add up to nothing. It is found as Dinkelbach does it (*On Nonlinear Fractional Programming*,
//! Management Science 13, 1967): choose the `k` largest by some `q`, take their own share as the next `q`, and stop when it
//! grows no more. Every step but the last has a greater share than the one before, and there are finitely many choices, so it
//! ends; in practice after two or three. All of it is in whole numbers, with `q` as a fraction.

use std::cmp::Reverse;

use super::percent::Tally;

/// For each task whether it is dropped: `most` of them, but never the last one of which anything was possible.
///
/// A task of which nothing was possible is never dropped: it makes no difference. Where several choices are equally good,
/// the later tasks are dropped.
pub(super) fn dropped(tasks: &[Tally], most: usize) -> Vec<bool> {
    let mut counted: Vec<(usize, Tally)> = tasks.iter().copied().enumerate().collect();
    counted.retain(|(_, task)| task.possible() > 0);
    let keep = counted.len().saturating_sub(most).max(1);
    if keep >= counted.len() {
        return vec![false; tasks.len()];
    }
    let mut best = sum(&counted);
    let kept = loop {
        let kept = largest(&counted, keep, best);
        let next = sum(&kept);
        if !is_greater(next, best) {
            break kept;
        }
        best = next;
    };
    let is_kept = |at: usize| kept.iter().any(|(place, _)| *place == at);
    let flags = tasks.iter().enumerate();
    flags
        .map(|(at, task)| task.possible() > 0 && !is_kept(at))
        .collect()
}

/// The `keep` tasks that lie highest above the share `q`, the earlier ones of those that lie equally high.
fn largest(tasks: &[(usize, Tally)], keep: usize, q: Tally) -> Vec<(usize, Tally)> {
    let mut ordered = tasks.to_vec();
    ordered.sort_by_key(|(at, task)| {
        let height = i128::from(task.reached()) * i128::from(q.possible())
            - i128::from(q.reached()) * i128::from(task.possible());
        (Reverse(height), *at)
    });
    ordered.truncate(keep);
    ordered
}

fn sum(tasks: &[(usize, Tally)]) -> Tally {
    let tallies = tasks.iter().map(|(_, task)| *task);
    tallies.fold(Tally::default(), Tally::plus)
}

/// Whether one share is greater than another, exactly.
fn is_greater(one: Tally, other: Tally) -> bool {
    let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
    product(one.reached(), other.possible()) > product(other.reached(), one.possible())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;
    use proptest::prelude::*;

    fn task((reached, possible): (i64, i64)) -> Tally {
        let [reached, possible] = [reached, possible].map(Points::from_hundredths);
        Tally::of(reached, possible)
    }

    fn tasks(given: &[(i64, i64)]) -> Vec<Tally> {
        given.iter().copied().map(task).collect()
    }

    fn left(tasks: &[Tally], dropped: &[bool]) -> Tally {
        let stays = tasks.iter().zip(dropped).filter(|(_, dropped)| !**dropped);
        stays
            .map(|(task, _)| *task)
            .fold(Tally::default(), Tally::plus)
    }

    #[test]
    fn the_lowest_percentage_is_not_always_what_is_dropped() {
        let given = tasks(&[(80, 100), (20, 100), (1, 20)]);
        assert_eq!(dropped(&given, 1), [false, true, false]);
    }

    #[test]
    fn the_best_two_need_not_have_the_best_one_in_them() {
        let given = tasks(&[(100, 100), (42, 91), (14, 55), (3, 38)]);
        assert_eq!(dropped(&given, 1), [false, false, false, true]);
        assert_eq!(dropped(&given, 2), [false, true, true, false]);
    }

    #[test]
    fn one_stays_and_of_equal_ones_the_later_goes() {
        let alike = tasks(&[(5, 10), (5, 10), (10, 20)]);
        assert_eq!(dropped(&alike, 1), [false, false, true]);
        assert_eq!(dropped(&alike, 9), [false, true, true]);
        assert_eq!(dropped(&alike, 0), [false; 3]);
        assert_eq!(dropped(&alike[..1], 1), [false]);
        assert_eq!(dropped(&[], 1), Vec::<bool>::new());
    }

    #[test]
    fn what_is_worth_nothing_is_neither_dropped_nor_the_one_that_stays() {
        let given = tasks(&[(0, 0), (5, 10), (1, 10)]);
        assert_eq!(dropped(&given, 2), [false, false, true]);
        assert_eq!(dropped(&given[..2], 2), [false, false]);
    }

    /// Of all ways to drop so many, the greatest share.
    fn by_trying_all(given: &[Tally], most: usize) -> Tally {
        let count = given.len();
        let drop = most.min(count - 1);
        let choices =
            (0..1_u32 << count).filter(|set| usize::try_from(set.count_ones()) == Ok(drop));
        let shares = choices.map(|set| {
            let flags: Vec<bool> = (0..count).map(|at| set >> at & 1 == 1).collect();
            left(given, &flags)
        });
        shares
            .reduce(|best, next| if is_greater(next, best) { next } else { best })
            .unwrap()
    }

    fn some(most: i64) -> impl Strategy<Value = Vec<(i64, i64)>> {
        let one = (0..=most, 1..=most).prop_map(|(points, best)| (points.min(best), best));
        prop::collection::vec(one, 1..=8)
    }

    proptest! {
        #[test]
        fn as_good_as_the_best_of_all_choices(given in prop_oneof![some(12), some(100_000_000)], most in 0..=8_usize) {
            let given = tasks(&given);
            let flags = dropped(&given, most);
            prop_assert_eq!(flags.iter().filter(|flag| **flag).count(), most.min(given.len() - 1));
            let (ours, best) = (left(&given, &flags), by_trying_all(&given, most));
            prop_assert!(!is_greater(best, ours) && !is_greater(ours, best), "{ours:?} {best:?}");
        }

        #[test]
        fn dropping_more_is_never_worse(given in some(50), most in 0..=8_usize) {
            let given = tasks(&given);
            let after = |most| left(&given, &dropped(&given, most));
            prop_assert!(!is_greater(after(most), after(most + 1)));
        }
    }
}
