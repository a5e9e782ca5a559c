//! Average linkage: whoever is nearest to each other becomes one, until nobody is near enough.
//!
//! Pairs are followed along chains of nearest neighbours until two are nearest to each other (Benzécri 1982; Müllner 2011): the
//! same tree as joining the nearest of all first, in a time that grows with the square of the texts whatever they are. That a
//! union is never nearer to a third than its nearer half holds for means, and still where some may not be joined.

use super::Patience;
use super::apart::Stance;
use super::joining::{Sparse, for_pairs};
use crate::numbers::count;

/// Texts that were joined.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The texts.
    pub(super) members: Vec<usize>,
    /// How many answers they stand for.
    pub(super) weight: usize,
    /// What they all say and deny.
    pub(super) stance: Stance,
}

/// Nodes and how alike they are.
pub(super) struct Linkage {
    /// Those that were joined with an earlier one are gone.
    nodes: Vec<Option<Node>>,
    /// The mean similarity of each two, the lower triangle row by row; below zero where they were found to be kept apart. Half as wide
    /// as what it is computed in, because it is the largest thing here: 200 MB for ten thousand texts that are all somewhat alike.
    means: Vec<f32>,
}

impl Linkage {
    /// Compares the nodes, each of one text.
    pub(super) fn of(
        nodes: Vec<Node>,
        vectors: &[&Sparse],
        patience: Patience<'_>,
    ) -> Option<Self> {
        let pairs = nodes.len() * nodes.len().saturating_sub(1) / 2;
        let mut linkage = Self {
            nodes: nodes.into_iter().map(Some).collect(),
            means: vec![0.0; pairs],
        };
        for_pairs(vectors, 0.0, patience, &mut |one, other, similarity| {
            linkage.set(one, other, similarity);
        })?;
        Some(linkage)
    }

    /// Joins what is at least so alike; what the stances keep apart only where that is not asked for.
    pub(super) fn merge(
        &mut self,
        least: f64,
        keeps_apart: bool,
        patience: Patience<'_>,
    ) -> Option<()> {
        let mut open: Vec<usize> = (0..self.nodes.len())
            .rev()
            .filter(|at| self.has(*at))
            .collect();
        let mut ended = vec![false; self.nodes.len()];
        let mut chain: Vec<usize> = Vec::new();
        let mut step = 0;
        loop {
            patience.at(step)?;
            step += 1;
            let is_open = |at: &usize| self.has(*at) && ended.get(*at) == Some(&false);
            while chain.is_empty() && open.last().is_some_and(|at| !is_open(at)) {
                open.pop();
            }
            let Some(tip) = chain.last().or(open.last()).copied() else {
                return Some(());
            };
            if chain.is_empty() {
                chain.push(tip);
            }
            let before = chain
                .len()
                .checked_sub(2)
                .and_then(|at| chain.get(at))
                .copied();
            match self.nearest(tip, before, least, keeps_apart, &ended) {
                // Nobody is near enough, and nobody will be.
                None => {
                    if let Some(ended) = ended.get_mut(tip) {
                        *ended = true;
                    }
                    chain.pop();
                }
                Some(nearest) if Some(nearest) == before => {
                    chain.truncate(chain.len() - 2);
                    self.join(tip.min(nearest), tip.max(nearest));
                }
                Some(nearest) => chain.push(nearest),
            }
        }
    }

    /// The texts of each node that is left, by its first.
    pub(super) fn clusters(&self) -> impl Iterator<Item = &[usize]> {
        let left = self.nodes.iter().flatten();
        left.map(|node| node.members.as_slice())
    }

    fn has(&self, at: usize) -> bool {
        self.nodes.get(at).is_some_and(Option::is_some)
    }

    /// The node that is most like this one and may be joined with it; of equals the one before it in the chain, else the first.
    fn nearest(
        &mut self,
        of: usize,
        before: Option<usize>,
        least: f64,
        keeps_apart: bool,
        ended: &[bool],
    ) -> Option<usize> {
        loop {
            let mut best: Option<(f64, usize)> = None;
            for other in 0..self.nodes.len() {
                if other == of || !self.has(other) || ended.get(other) == Some(&true) {
                    continue;
                }
                let mean = self.mean(of, other);
                let mean = if keeps_apart { mean } else { mean.abs() };
                let nearer = best
                    .is_none_or(|(most, _)| mean > most || (mean >= most && before == Some(other)));
                if mean >= least && nearer {
                    best = Some((mean, other));
                }
            }
            let (mean, nearest) = best?;
            if !keeps_apart || !self.is_kept_apart(of, nearest) {
                return Some(nearest);
            }
            self.set(of, nearest, -mean);
        }
    }

    fn is_kept_apart(&self, one: usize, other: usize) -> bool {
        let stance = |at: usize| self.nodes.get(at)?.as_ref().map(|node| &node.stance);
        let both = stance(one).zip(stance(other));
        both.is_some_and(|(one, other)| one.is_kept_apart(other))
    }

    /// Joins a node with an earlier one.
    fn join(&mut self, first: usize, second: usize) {
        let Some(gone) = self.nodes.get_mut(second).and_then(Option::take) else {
            return;
        };
        let Some(own) = self.nodes.get_mut(first).and_then(Option::as_mut) else {
            return;
        };
        let (a, b) = (count(own.weight), count(gone.weight));
        own.weight += gone.weight;
        own.members.extend(gone.members);
        own.stance.join(gone.stance);
        for other in 0..self.nodes.len() {
            if other != first && self.has(other) {
                let (one, two) = (self.mean(first, other), self.mean(second, other));
                let mean = (a * one.abs() + b * two.abs()) / (a + b);
                let apart = one < 0.0 || two < 0.0;
                self.set(first, other, if apart { -mean } else { mean });
            }
        }
    }

    fn mean(&self, one: usize, other: usize) -> f64 {
        let mean = self.means.get(place(one, other)).copied();
        f64::from(mean.unwrap_or(0.0))
    }

    fn set(&mut self, one: usize, other: usize, mean: f64) {
        if let Some(own) = self.means.get_mut(place(one, other)) {
            *own = half(mean);
        }
    }
}

/// Where two nodes stand in the lower triangle.
const fn place(one: usize, other: usize) -> usize {
    let (row, column) = if one > other {
        (one, other)
    } else {
        (other, one)
    };
    row * row.saturating_sub(1) / 2 + column
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "seven digits of a similarity are enough, and there is no other way to fewer"
)]
const fn half(number: f64) -> f32 {
    number as f32
}
