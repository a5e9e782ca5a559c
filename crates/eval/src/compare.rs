//! Two reports side by side: what differs, and whether the difference is more than chance.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bootstrap::{RESAMPLES, paired_intervals};
use crate::metrics::{FIGURES, Pair, Scale, figures};
use crate::numbers::rounded;
use crate::report::{AnswerRow, GradeReport, Measured, RunReport, VERSION};

/// Two reports side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Always `comparison`.
    pub report: String,
    /// Version of the report's form.
    pub version: u32,
    /// What speaks against comparing the two, in sentences.
    pub caveats: Vec<String>,
    /// One per pair of runs.
    pub runs: Vec<RunComparison>,
}

/// Two runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunComparison {
    /// Anchors of the first run.
    pub anchors_a: usize,
    /// Anchors of the second run.
    pub anchors_b: usize,
    /// Answers that both graded.
    pub shared: usize,
    /// By figure.
    pub figures: BTreeMap<String, Difference>,
}

/// A figure in both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// In the first.
    pub a: Measured,
    /// In the second.
    pub b: Measured,
    /// Whether their intervals overlap.
    pub intervals_overlap: Option<bool>,
    /// Second minus first on the answers that both graded, with its interval: 0 outside it is more than chance.
    pub difference: Measured,
}

/// Compares two reports: runs with equal anchors, or the only run of each.
pub fn compare(a: &GradeReport, b: &GradeReport) -> Comparison {
    let mut caveats = Vec::new();
    if a.data.answers_sha256 != b.data.answers_sha256 {
        caveats.push("the answers are not those of the same file".to_owned());
    }
    if (a.bands, a.pass_mark.to_bits()) != (b.bands, b.pass_mark.to_bits()) {
        caveats
            .push("bands or pass marks differ; differences are by those of the first".to_owned());
    }
    let runs: Vec<RunComparison> = couples(&a.runs, &b.runs)
        .map(|(one, other)| compare_runs(one, other, a.scale()))
        .collect();
    if runs.is_empty() {
        caveats.push("no run of the one has as many anchors as a run of the other".to_owned());
    }
    Comparison {
        report: "comparison".to_owned(),
        version: VERSION,
        caveats,
        runs,
    }
}

fn couples<'a>(
    a: &'a [RunReport],
    b: &'a [RunReport],
) -> impl Iterator<Item = (&'a RunReport, &'a RunReport)> {
    let single = a.len() == 1 && b.len() == 1;
    a.iter().flat_map(move |one| {
        let fits = move |other: &&RunReport| single || one.anchors == other.anchors;
        b.iter().filter(fits).map(move |other| (one, other))
    })
}

fn compare_runs(a: &RunReport, b: &RunReport, scale: Scale) -> RunComparison {
    let shared = shared(&a.answers, &b.answers);
    let differences = differences(&shared, scale);
    let named = FIGURES.iter().zip(differences).map(|(name, difference)| {
        let find = |run: &RunReport| {
            let nothing = Measured {
                value: None,
                low: None,
                high: None,
            };
            run.figures.get(*name).copied().unwrap_or(nothing)
        };
        let (of_a, of_b) = (find(a), find(b));
        let difference = Difference {
            intervals_overlap: overlap(of_a, of_b),
            difference,
            a: of_a,
            b: of_b,
        };
        ((*name).to_owned(), difference)
    });
    RunComparison {
        anchors_a: a.anchors,
        anchors_b: b.anchors,
        shared: shared.len(),
        figures: named.collect(),
    }
}

fn overlap(a: Measured, b: Measured) -> Option<bool> {
    Some(a.low? <= b.high? && b.low? <= a.high?)
}

/// The answers that both graded, as pairs of pairs.
fn shared(a: &[AnswerRow], b: &[AnswerRow]) -> Vec<(Pair, Pair)> {
    let mut questions: BTreeMap<&str, usize> = BTreeMap::new();
    let of_b: BTreeMap<(&str, &str), &AnswerRow> = b
        .iter()
        .map(|row| ((row.question_id.as_str(), row.answer_id.as_str()), row))
        .collect();
    let mut shared = Vec::new();
    for row in a {
        let name = (row.question_id.as_str(), row.answer_id.as_str());
        let next = questions.len();
        let question = *questions.entry(name.0).or_insert(next);
        let pair = |row: &AnswerRow| {
            Some(Pair {
                question,
                human: row.human,
                machine: row.machine?,
                confidence: row.confidence,
            })
        };
        let other = of_b.get(&name).and_then(|other| pair(other));
        shared.extend(pair(row).zip(other));
    }
    shared
}

/// Second minus first, of every figure.
fn differences(shared: &[(Pair, Pair)], scale: Scale) -> Vec<Measured> {
    let (a, b): (Vec<Pair>, Vec<Pair>) = shared.iter().copied().unzip();
    let values = figures(&a, scale).into_iter().zip(figures(&b, scale));
    values
        .zip(paired_intervals(shared, scale, RESAMPLES))
        .map(|((a, b), interval)| {
            let value = a.zip(b).map(|(a, b)| b - a);
            let interval = interval.filter(|_| value.is_some());
            Measured {
                value: value.map(rounded),
                low: interval.map(|(low, _)| rounded(low)),
                high: interval.map(|(_, high)| rounded(high)),
            }
        })
        .collect()
}
