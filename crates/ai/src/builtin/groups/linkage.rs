//! Average linkage: whoever is nearest to each other becomes one, until nobody is near enough.
//!
//! Pairs are followed along chains of nearest neighbours until two are nearest to each other (Benzécri 1982; Müllner 2011): the
//! same tree as joining the nearest of all first, in a time that grows with the square of the texts whatever they are. That a
//! union is never nearer to a third than its nearer half holds for means, and still where some may not be joined.

use super::Patience;
use super::apart::Stance;
use super::joining::{Sparse, for_pairs, narrow};
use crate::numbers::share;

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
    /// The mean similarity of each two, the lower triangle row by row; below zero where they were found to be kept apart. The
    /// largest thing here: 200 MB for ten thousand texts that are all somewhat alike.
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
        least: f32,
        keeps_apart: bool,
        patience: Patience<'_>,
    ) -> Option<()> {
        // Those that may still be joined, in order.
        let mut open = self.left();
        let mut chain: Vec<usize> = Vec::new();
        for step in 0.. {
            patience.at(step)?;
            let Some(tip) = chain.last().or(open.first()).copied() else {
                break;
            };
            let before = chain.iter().rev().nth(1).copied();
            if chain.is_empty() {
                chain.push(tip);
            }
            match self.nearest(tip, &open, before, least, keeps_apart) {
                Some(nearest) if Some(nearest) == before => {
                    chain.truncate(chain.len() - 2);
                    self.join(tip.min(nearest), tip.max(nearest));
                    open.retain(|at| *at != tip.max(nearest));
                }
                Some(nearest) => chain.push(nearest),
                // Nobody is near enough, and nobody will be.
                None => {
                    chain.pop();
                    open.retain(|at| *at != tip);
                }
            }
        }
        Some(())
    }

    /// The texts of each node that is left, by its first.
    pub(super) fn clusters(&self) -> impl Iterator<Item = &[usize]> {
        let left = self.nodes.iter().flatten();
        left.map(|node| node.members.as_slice())
    }

    fn left(&self) -> Vec<usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| node.is_some())
            .map(|(at, _)| at)
            .collect()
    }

    /// The node that is most like this one and may be joined with it; of equals the one before it in the chain, else the first.
    fn nearest(
        &mut self,
        of: usize,
        open: &[usize],
        before: Option<usize>,
        least: f32,
        keeps_apart: bool,
    ) -> Option<usize> {
        let mut best: Option<(f32, usize)> = None;
        for other in open.iter().copied().filter(|other| *other != of) {
            let mean = self.mean(of, other);
            let mean = if keeps_apart { mean } else { mean.abs() };
            let nearer =
                best.is_none_or(|(most, _)| mean > most || (mean >= most && before == Some(other)));
            if mean < least || !nearer {
                continue;
            }
            // Only asked where it matters, and once of two.
            if keeps_apart && self.is_kept_apart(of, other) {
                self.set(of, other, -mean);
            } else {
                best = Some((mean, other));
            }
        }
        best.map(|(_, nearest)| nearest)
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
        let share = narrow(share(own.weight, own.weight + gone.weight));
        own.weight += gone.weight;
        own.members.extend(gone.members);
        own.stance.join(gone.stance);
        for other in self.left().into_iter().filter(|other| *other != first) {
            let (one, two) = (self.mean(first, other), self.mean(second, other));
            let mean = share * one.abs() + (1.0 - share) * two.abs();
            let apart = one < 0.0 || two < 0.0;
            self.set(first, other, if apart { -mean } else { mean });
        }
    }

    fn mean(&self, one: usize, other: usize) -> f32 {
        let mean = self.means.get(place(one, other)).copied();
        mean.unwrap_or(0.0)
    }

    fn set(&mut self, one: usize, other: usize, mean: f32) {
        if let Some(own) = self.means.get_mut(place(one, other)) {
            *own = mean;
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
