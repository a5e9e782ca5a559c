//! Topics of a unit, parted into lessons.
//!
//! Parts are named by what they say; a part that says nothing is a stage of its topic.

use std::collections::BTreeSet;

use super::brief::sections;
use super::naming::telling_term;
use super::topics::Topic;
use crate::language::Language;
use crate::outline::Labels;
use crate::template::fill;
use crate::words::fold;

/// Fewest sentences of a source that are a lesson of their own.
const LEAST_SENTENCES: usize = 5;

/// A lesson before it is written.
pub(crate) struct LessonPlan {
    pub(crate) name: String,
    pub(crate) topic: String,
    pub(crate) facts: Vec<String>,
}

/// The sentences that begin a paragraph of a source; list items and what stands behind a bold name are paragraphs too.
pub(crate) fn paragraph_starts(source: &str) -> BTreeSet<String> {
    let all = sections(source).into_iter().flat_map(|section| {
        let leads = section.leads.into_iter();
        let leads = leads.filter_map(|(_, facts)| facts.into_iter().next());
        section.starts.into_iter().chain(section.items).chain(leads)
    });
    all.collect()
}

/// Sentences in the paragraphs that they came from.
pub(crate) fn paragraphs<'a>(facts: &'a [String], starts: &BTreeSet<String>) -> Vec<&'a [String]> {
    facts.chunk_by(|_, next| !starts.contains(next)).collect()
}

/// Paragraphs as texts.
pub(crate) fn joined_paragraphs(facts: &[String], starts: &BTreeSet<String>) -> Vec<String> {
    let paragraphs = paragraphs(facts, starts).into_iter();
    paragraphs.map(|sentences| sentences.join(" ")).collect()
}

/// How topics are parted.
pub(crate) struct Parting<'a> {
    pub(crate) labels: &'static Labels,
    pub(crate) language: Language,
    /// All that the course says, folded.
    pub(crate) whole: &'a [String],
    /// Whether what is said is the lessons' text, and not only their key points.
    pub(crate) grounded: bool,
    /// First sentences of the source's paragraphs, which no lesson cuts apart.
    pub(crate) starts: BTreeSet<String>,
}

impl Parting<'_> {
    /// The lessons of a unit: at least one per topic, more where the brief says more.
    pub(crate) fn plans(&self, group: &[Topic], wanted: usize) -> Vec<LessonPlan> {
        let mut shares: Vec<usize> = group.iter().map(|_| 1).collect();
        while shares.iter().sum::<usize>() < wanted {
            let fullest = group
                .iter()
                .zip(shares.iter_mut())
                .max_by_key(|(topic, share)| {
                    (topic.facts.len() * 12 / **share, std::cmp::Reverse(**share))
                });
            let Some((topic, share)) = fullest else { break };
            if self.grounded && topic.facts.len() < LEAST_SENTENCES * (*share + 1) {
                break;
            }
            // Several topics with little on them fill a unit better than stages of the same word.
            if group.len() >= 2 && topic.facts.len() <= *share {
                break;
            }
            *share += 1;
        }
        group
            .iter()
            .zip(shares)
            .flat_map(|(topic, share)| self.parts(topic, share))
            .collect()
    }

    /// Sentences in at most `wanted` parts of about the same size; whole paragraphs where there are any.
    fn chunks(&self, facts: &[String], wanted: usize) -> Vec<Vec<String>> {
        let size = facts.len().div_ceil(wanted).max(1);
        if !self.grounded {
            return facts.chunks(size).map(<[String]>::to_vec).collect();
        }
        let mut parts: Vec<Vec<String>> = Vec::new();
        for paragraph in paragraphs(facts, &self.starts) {
            match parts.last_mut() {
                Some(part) if part.len() < size => part.extend_from_slice(paragraph),
                _ => parts.push(paragraph.to_vec()),
            }
        }
        parts
    }

    fn parts(&self, topic: &Topic, wanted: usize) -> Vec<LessonPlan> {
        let mut chunks = self.chunks(&topic.facts, wanted).into_iter();
        let wanted = if self.grounded {
            chunks.len().max(1)
        } else {
            wanted
        };
        let mut used = vec![topic.name.clone()];
        (0..wanted)
            .map(|index| {
                let facts: Vec<String> = chunks.next().unwrap_or_default();
                let name = self.part_name(topic, index, &facts, wanted, &used);
                used.push(name.clone());
                LessonPlan {
                    name,
                    topic: topic.name.clone(),
                    facts,
                }
            })
            .collect()
    }

    /// The topic, and from the second part on what the part is about.
    fn part_name(
        &self,
        topic: &Topic,
        index: usize,
        facts: &[String],
        parts: usize,
        used: &[String],
    ) -> String {
        if parts == 1 || (index == 0 && !facts.is_empty()) {
            return topic.name.clone();
        }
        let fresh = |start: &str| !topic.name.to_lowercase().contains(&start.to_lowercase());
        let labelled = facts
            .iter()
            .filter_map(|fact| beginning(fact))
            .find(|start| fresh(start));
        let told = || {
            let taken = [fold(&topic.name)];
            telling_term(facts, self.whole, self.language, &taken).filter(|term| fresh(term))
        };
        labelled
            .map(str::to_owned)
            .or_else(told)
            .map(|part| format!("{}: {part}", topic.name))
            .filter(|candidate| !used.contains(candidate))
            .unwrap_or_else(|| {
                if facts.is_empty() {
                    self.stage(&topic.name, index)
                } else {
                    format!("{} ({})", topic.name, index + 1)
                }
            })
    }

    fn stage(&self, topic: &str, index: usize) -> String {
        let stages = self.labels.stages;
        let stage = stages.iter().cycle().nth(index % stages.len());
        fill(stage.unwrap_or(&"{topic}"), &[("topic", topic)])
    }
}

/// What a sentence begins with, if that is a label: `Spores: why …`.
fn beginning(sentence: &str) -> Option<&str> {
    let (start, _) = sentence.split_once(": ")?;
    let start = start.trim();
    let words = start.split_whitespace().count();
    let plain = !start.contains([',', ';', '(', '.']);
    ((1..=4).contains(&words) && start.chars().count() >= 4 && plain).then_some(start)
}
