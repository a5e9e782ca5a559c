//! Dealing out what waits, so that nobody's long queue is in the way of the others.

use std::collections::VecDeque;

/// What waits of one party, and how much it has under way already.
pub struct WaitingQueue<T> {
    pub taken: usize,
    pub waiting: VecDeque<T>,
}

/// Up to `limit` of what waits, one by one, always of the party that has least, and among equals of the first. No party
/// gets beyond `share`.
pub fn take_fairly<T>(mut parties: Vec<WaitingQueue<T>>, share: usize, limit: usize) -> Vec<T> {
    let mut dealt = Vec::new();
    while dealt.len() < limit {
        let next = parties
            .iter_mut()
            .filter(|party| party.taken < share && !party.waiting.is_empty())
            .min_by_key(|party| party.taken);
        let Some(party) = next else {
            break;
        };
        party.taken += 1;
        dealt.extend(party.waiting.pop_front());
    }
    dealt
}

/// A walk over sorted keys in a circle, which ends where it began.
pub struct RoundRobin {
    start: String,
    at: String,
    wrapped: bool,
}

/// What a step of the walk came to.
pub enum Step {
    /// A key to look at.
    At(String),
    /// The end of the keys: look again, from the first.
    Wrapped,
    /// All have been seen.
    Over,
}

impl RoundRobin {
    /// Begins behind this key, or at the first.
    pub fn behind(key: Option<String>) -> Self {
        let start = key.unwrap_or_default();
        Self {
            at: start.clone(),
            wrapped: start.is_empty(),
            start,
        }
    }

    /// The next key is the first one behind this.
    pub fn position(&self) -> &str {
        &self.at
    }

    /// Goes on to the key that was found behind the position, if there was one.
    pub fn step(&mut self, found: Option<String>) -> Step {
        match found {
            None if self.wrapped => Step::Over,
            None => {
                self.wrapped = true;
                self.at.clear();
                Step::Wrapped
            }
            Some(key) if self.wrapped && !self.start.is_empty() && key > self.start => Step::Over,
            Some(key) => {
                self.at.clone_from(&key);
                Step::At(key)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn walk(keys: &BTreeSet<String>, behind: Option<String>) -> Vec<String> {
        let mut circle = RoundRobin::behind(behind);
        let mut seen = Vec::new();
        loop {
            let position = circle.position().to_owned();
            let found = keys.iter().find(|key| **key > position).cloned();
            match circle.step(found) {
                Step::At(key) => seen.push(key),
                Step::Wrapped => {}
                Step::Over => return seen,
            }
        }
    }

    proptest! {
        #[test]
        fn a_circle_sees_each_once_and_begins_behind(
            keys in prop::collection::btree_set("[a-e]{1,2}", 0..9),
            behind in prop::option::of("[a-e]{1,2}"),
        ) {
            let seen = walk(&keys, behind.clone());
            let (before, after): (Vec<String>, Vec<String>) = keys
                .into_iter()
                .partition(|key| behind.as_ref().is_some_and(|behind| key <= behind));
            prop_assert_eq!(seen, [after, before].concat());
        }

        #[test]
        fn who_has_least_comes_first_and_nobody_exceeds_the_share(
            parties in prop::collection::vec((0_usize..6, 0_usize..9), 0..7),
            share in 1_usize..6,
            limit in 0_usize..20,
        ) {
            let hands = parties.iter().enumerate().map(|(n, (taken, waiting))| WaitingQueue {
                taken: *taken,
                waiting: std::iter::repeat_n(n, *waiting).collect(),
            });
            let dealt = take_fairly(hands.collect(), share, limit);
            let of = |n: usize| dealt.iter().filter(|one| **one == n).count();
            let room = |(taken, waiting): &(usize, usize)| (*waiting).min(share.saturating_sub(*taken));
            let possible: usize = parties.iter().map(room).sum();
            prop_assert_eq!(dealt.len(), possible.min(limit));
            for (n, (taken, waiting)) in parties.iter().enumerate() {
                prop_assert!(of(n) == 0 || taken + of(n) <= share);
                if of(n) < room(&(*taken, *waiting)) {
                    // Whoever was left waiting has no less than one below anybody who was served.
                    for (m, (other, _)) in parties.iter().enumerate() {
                        prop_assert!(of(m) == 0 || other + of(m) <= taken + of(n) + 1);
                    }
                }
            }
        }
    }
}
