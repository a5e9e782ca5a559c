//! How alike two texts are by their letters alone, whatever language they are in.

use std::collections::BTreeMap;

/// How often a text has each three letters in a row, which every script has; words are kept apart by a space, and case and
/// white space do not count.
pub(super) struct Letters {
    counts: Vec<([char; 3], f64)>,
    length: f64,
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let letters: Vec<char> = format!(" {} ", words.to_lowercase()).chars().collect();
        let mut counts: BTreeMap<[char; 3], f64> = BTreeMap::new();
        for three in letters.windows(3) {
            if let Ok(three) = three.try_into() {
                *counts.entry(three).or_default() += 1.0;
            }
        }
        Self {
            length: counts
                .values()
                .map(|count| count * count)
                .sum::<f64>()
                .sqrt(),
            counts: counts.into_iter().collect(),
        }
    }

    /// The cosine of the two, 0 to 1; 0 where one has no letters.
    pub(super) fn similarity(&self, other: &Self) -> f64 {
        let lengths = self.length * other.length;
        if lengths > 0.0 {
            self.sum(other, |one, other| one * other) / lengths
        } else {
            0.0
        }
    }

    /// The share of these letters that the other has as well, 0 to 1; 0 where there are none.
    pub(super) fn share_in(&self, other: &Self) -> f64 {
        let all: f64 = self.counts.iter().map(|(_, count)| count).sum();
        if all > 0.0 {
            self.sum(other, f64::min) / all
        } else {
            0.0
        }
    }

    /// What two counts make together, summed over what both have.
    fn sum(&self, other: &Self, both: impl Fn(f64, f64) -> f64) -> f64 {
        let (mut own, mut others) = (
            self.counts.iter().peekable(),
            other.counts.iter().peekable(),
        );
        let mut sum = 0.0;
        while let (Some((one, count)), Some((two, other_count))) = (own.peek(), others.peek()) {
            match one.cmp(two) {
                std::cmp::Ordering::Less => drop(own.next()),
                std::cmp::Ordering::Greater => drop(others.next()),
                std::cmp::Ordering::Equal => {
                    sum += both(*count, *other_count);
                    own.next();
                    others.next();
                }
            }
        }
        sum
    }
}
