//! Which texts are alike at all: a join over an inverted index, exact.
//!
//! Only texts that share a part can be alike, and frequent parts alone cannot make them so: what is left of a vector without
//! its rarest parts is too short to reach the least similarity with anything (Bayardo, Ma and Srikant 2007, "Scaling Up All
//! Pairs Similarity Search"). So only the rare parts are indexed, and what is found by them is compared whole.

use std::collections::HashMap;

use super::Patience;
use crate::builtin::anchors::Vector;

/// A vector of length 1 at most, whose parts are numbered by how rare they are, the most frequent first. Parts that no other text
/// has are left out: they never meet any.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sparse(Vec<(u32, f32)>);

impl Sparse {
    /// How many of the parts, from the most frequent on, are together shorter than the least similarity: they find nobody.
    fn silent(&self, least: f32) -> usize {
        let mut square = 0.0;
        let reaches = |(_, value): &(u32, f32)| {
            square += value * value;
            square >= least * least
        };
        self.0.iter().position(reaches).unwrap_or(self.0.len())
    }
}

fn dot(one: &[(u32, f32)], other: &[(u32, f32)]) -> f32 {
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    let mut sum = 0.0;
    while let (Some((key, value)), Some((met, factor))) = (left.peek(), right.peek()) {
        match key.cmp(met) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                sum += value * factor;
                left.next();
                right.next();
            }
        }
    }
    sum
}

/// The vectors with their parts numbered.
pub(super) fn interned(vectors: Vec<Vector>) -> Vec<Sparse> {
    let mut texts: HashMap<u64, u32> = HashMap::new();
    for (part, _) in vectors.iter().flat_map(Vector::parts) {
        *texts.entry(*part).or_default() += 1;
    }
    let mut shared: Vec<(u32, u64)> = texts
        .into_iter()
        .filter(|(_, texts)| *texts > 1)
        .map(|(part, texts)| (texts, part))
        .collect();
    shared.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let numbers: HashMap<u64, u32> = shared.into_iter().map(|(_, part)| part).zip(0..).collect();
    let sparse = vectors.into_iter().map(|vector| {
        let parts = vector.parts().iter();
        let mut parts: Vec<(u32, f32)> = parts
            .filter_map(|(part, value)| Some((*numbers.get(part)?, narrow(*value))))
            .collect();
        parts.sort_unstable_by_key(|(number, _)| *number);
        Sparse(parts)
    });
    sparse.collect()
}

/// The texts in sets between which nothing reaches the least similarity, each in order, by their first; none of one alone.
pub(super) fn components(
    vectors: &[Sparse],
    least: f32,
    patience: Patience<'_>,
) -> Option<Vec<Vec<usize>>> {
    let all: Vec<&Sparse> = vectors.iter().collect();
    let mut parents: Vec<usize> = (0..vectors.len()).collect();
    for_pairs(&all, least, patience, &mut |one, other, similarity| {
        if similarity >= least {
            join(&mut parents, one, other);
        }
    })?;
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); vectors.len()];
    for at in 0..vectors.len() {
        let root = root(&mut parents, at);
        if let Some(set) = sets.get_mut(root) {
            set.push(at);
        }
    }
    sets.retain(|set| !set.is_empty());
    Some(sets)
}

fn root(parents: &mut [usize], of: usize) -> usize {
    let mut at = of;
    while let Some(parent) = parents.get(at).copied().filter(|parent| *parent != at) {
        // Halves the way for whoever asks next.
        let grandparent = parents.get(parent).copied().unwrap_or(parent);
        if let Some(own) = parents.get_mut(at) {
            *own = grandparent;
        }
        at = grandparent;
    }
    at
}

/// The smaller root stays, so a set is named by its first text.
fn join(parents: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(parents, one), root(parents, other));
    if let Some(parent) = parents.get_mut(one.max(other)) {
        *parent = one.min(other);
    }
}

/// Tells of every pair that reaches the least similarity, the earlier text first, with its similarity; of others it may, too.
/// With 0 as the least it tells of all that share anything.
pub(super) fn for_pairs(
    vectors: &[&Sparse],
    least: f32,
    patience: Patience<'_>,
    tell: &mut dyn FnMut(usize, usize, f32),
) -> Option<()> {
    let parts = vectors.iter().filter_map(|vector| vector.0.last());
    let parts = parts.map(|(last, _)| wide(*last) + 1).max().unwrap_or(0);
    // For each part, the texts so far that have it, with its value there.
    let mut index: Vec<Vec<(u32, f32)>> = vec![Vec::new(); parts];
    let mut silent: Vec<&[(u32, f32)]> = Vec::with_capacity(vectors.len());
    let mut sums = vec![0.0_f32; vectors.len()];
    for ((at, number), vector) in (0_usize..).zip(0_u32..).zip(vectors) {
        patience.at(at)?;
        for (part, value) in &vector.0 {
            for (other, factor) in index.get(wide(*part)).into_iter().flatten() {
                if let Some(sum) = sums.get_mut(wide(*other)) {
                    *sum += value * factor;
                }
            }
        }
        for (other, (sum, rest)) in sums.iter_mut().zip(&silent).enumerate() {
            if *sum > 0.0 {
                tell(other, at, std::mem::take(sum) + dot(rest, &vector.0));
            }
        }
        let (quiet, heard) = vector.0.split_at(vector.silent(least));
        silent.push(quiet);
        for (part, value) in heard {
            if let Some(list) = index.get_mut(wide(*part)) {
                list.push((number, *value));
            }
        }
    }
    Some(())
}

/// A number as a place; there are no machines left where that is less.
fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "seven digits of a similarity are enough, and there is no other way to fewer"
)]
pub(super) const fn narrow(number: f64) -> f32 {
    number as f32
}

/// For each of these texts, which stand for as many answers as they weigh, the sum of the similarities of one of its answers to
/// all other answers; identical ones are alike wholly.
pub(super) fn totals(texts: &[(&Sparse, f64)]) -> Vec<f64> {
    let mut sum: HashMap<u32, f64> = HashMap::new();
    for (vector, weight) in texts {
        for (part, value) in &vector.0 {
            *sum.entry(*part).or_default() += f64::from(*value) * weight;
        }
    }
    let with = |vector: &Sparse, factor: &dyn Fn(u32, f64) -> f64| -> f64 {
        let parts = vector
            .0
            .iter()
            .map(|(part, value)| (*part, f64::from(*value)));
        parts.map(|(part, value)| value * factor(part, value)).sum()
    };
    let totals = texts.iter().map(|(vector, weight)| {
        let all = with(vector, &|part, _| sum.get(&part).copied().unwrap_or(0.0));
        let own = with(vector, &|_, value| value);
        all - own * weight + (weight - 1.0)
    });
    totals.collect()
}
