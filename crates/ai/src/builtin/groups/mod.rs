//! Answers that say nearly the same, grouped by average linkage over the vectors that anchors are compared by.
//!
//! Linkage of two groups is the mean similarity of all pairs across them (Sokal and Michener 1958). Identical texts are one from
//! the start; only what could reach a group is compared at all; and what a negation, an opposite or a number keeps apart is never
//! graded together, however alike it is. Which grade a group deserves is nobody's question here.

mod apart;
mod figures;
mod joining;
mod linkage;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use lyceum_domain::grading::groups::{
    AnswerGroup, AnswerGroups, GroupLevel, LOOK_TOGETHER, MOST_GROUPED,
};
use lyceum_ports::grading::grouping::AnswerGrouper;

use self::apart::{Stance, stances};
use self::joining::{Sparse, interned, narrow};
use self::linkage::{Linkage, Node};
use super::anchors::Vector;
use super::score::four_decimals;
use super::similarity::Words;
use crate::language::Language;
use crate::numbers::count;
use crate::words::{MAX_CHARS, is_hidden};

/// So many texts or rows are worked on between two looks at whether to stop.
const AT_ONCE: usize = 16;

/// Groups answers as the built-in engine compares texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltinGrouper;

impl AnswerGrouper for BuiltinGrouper {
    fn group(
        &self,
        texts: &[String],
        language: &str,
        stop: &dyn Fn() -> bool,
    ) -> Option<AnswerGroups> {
        let texts = texts.get(..MOST_GROUPED).unwrap_or(texts);
        let found = found(texts, Language::of_tag(language), &Patience { stop })?;
        Some(AnswerGroups::of(texts.len(), found))
    }
}

/// Whether whoever asked still waits.
#[derive(Clone, Copy)]
struct Patience<'a> {
    stop: &'a dyn Fn() -> bool,
}

impl Patience<'_> {
    /// Nothing once the work is to stop; asked every [`AT_ONCE`] steps.
    fn at(self, step: usize) -> Option<()> {
        let ended = step.is_multiple_of(AT_ONCE) && (self.stop)();
        (!ended).then_some(())
    }
}

/// One of the texts that differ, and whose it is.
struct Distinct<'a> {
    text: &'a str,
    /// The answers that are this text, in order.
    members: Vec<usize>,
}

/// The texts but for case and white space, in the order of their first answers; none of what says nothing.
fn distinct(texts: &[String]) -> Vec<Distinct<'_>> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut found: Vec<Distinct<'_>> = Vec::new();
    for (answer, text) in texts.iter().enumerate() {
        let plain: String = text.chars().filter(|c| !is_hidden(*c)).collect();
        let words: Vec<&str> = plain.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let next = found.len();
        let place = *places.entry(words.join(" ").to_lowercase()).or_insert(next);
        if place == next {
            let members = Vec::new();
            found.push(Distinct { text, members });
        }
        if let Some(one) = found.get_mut(place) {
            one.members.push(answer);
        }
    }
    found
}

/// What of a text is compared: what every reading of the engine reads.
fn read_part(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_CHARS);
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

fn found(
    texts: &[String],
    language: Language,
    patience: &Patience<'_>,
) -> Option<Vec<AnswerGroup>> {
    let distinct = distinct(texts);
    let mut vectors = Vec::with_capacity(distinct.len());
    for (at, one) in distinct.iter().enumerate() {
        patience.at(at)?;
        let text = read_part(one.text);
        vectors.push(Vector::of(text, &Words::of(text, language)));
    }
    let vectors = interned(vectors);
    let texts: Vec<&str> = distinct.iter().map(|one| one.text).collect();
    let stances = stances(&texts, language, *patience)?;
    let answers = Answers {
        distinct,
        vectors,
        stances,
    };
    let mut groups = Vec::new();
    for part in joining::components(&answers.vectors, narrow(LOOK_TOGETHER), *patience)? {
        groups.extend(answers.groups_of(&part, *patience)?);
    }
    Some(groups)
}

/// The texts that differ, as they are compared.
struct Answers<'a> {
    distinct: Vec<Distinct<'a>>,
    vectors: Vec<Sparse>,
    stances: Vec<Stance>,
}

impl Answers<'_> {
    /// The groups of both levels among some of the texts.
    fn groups_of(&self, part: &[usize], patience: Patience<'_>) -> Option<Vec<AnswerGroup>> {
        let nodes = part.iter().filter_map(|at| {
            Some(Node {
                members: vec![*at],
                weight: self.distinct.get(*at)?.members.len(),
                stance: self.stances.get(*at)?.clone(),
            })
        });
        let vectors: Vec<&Sparse> = part.iter().filter_map(|at| self.vectors.get(*at)).collect();
        let mut linkage = Linkage::of(nodes.collect(), &vectors, patience)?;
        let mut groups = Vec::new();
        for level in [GroupLevel::Grade, GroupLevel::Look] {
            linkage.merge(
                narrow(level.least_similarity()),
                level == GroupLevel::Grade,
                patience,
            )?;
            groups.extend(
                linkage
                    .clusters()
                    .filter_map(|texts| self.group(level, texts)),
            );
        }
        Some(groups)
    }

    /// The group that these texts make, if they are those of two answers at least.
    fn group(&self, level: GroupLevel, texts: &[usize]) -> Option<AnswerGroup> {
        let mut texts = texts.to_vec();
        texts.sort_unstable();
        let own: Vec<(&Distinct<'_>, &Sparse)> = texts
            .iter()
            .filter_map(|at| Some((self.distinct.get(*at)?, self.vectors.get(*at)?)))
            .collect();
        let mut members: Vec<usize> = own
            .iter()
            .flat_map(|(one, _)| one.members.iter().copied())
            .collect();
        members.sort_unstable();
        if members.len() < 2 {
            return None;
        }
        let weighed: Vec<(&Sparse, f64)> = own
            .iter()
            .map(|(one, vector)| (*vector, count(one.members.len())))
            .collect();
        let totals = joining::totals(&weighed);
        let sum: f64 = totals
            .iter()
            .zip(&weighed)
            .map(|(total, (_, weight))| total * weight)
            .sum();
        let pairs = count(members.len()) * (count(members.len()) - 1.0);
        let mut best: Option<(f64, usize)> = None;
        for ((one, _), total) in own.iter().zip(totals) {
            let total = (total * ROUNDING).round();
            if best.is_none_or(|(most, _)| total > most) {
                best = Some((total, *one.members.first()?));
            }
        }
        Some(AnswerGroup {
            level,
            members,
            representative: best?.1,
            similarity: four_decimals(sum / pairs),
        })
    }
}

/// Sums that differ by less than one in so many are the same: that is the order in which they were made.
const ROUNDING: f64 = 1e9;
