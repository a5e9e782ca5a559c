//! From graded answers to the parts of a report.

use std::collections::{BTreeMap, BTreeSet};

use super::demands::gates;
use super::{
    AnswerRow, Bin, Confidence, Effort, Flags, Group, HumanHuman, Point, Quotes, Reliance,
    RunReport, ScoreBand, Validity, measure,
};
use crate::asking::{Ending, Response};
use crate::bootstrap::RESAMPLES;
use crate::dataset::{Dataset, GradedAnswer};
use crate::gates::ENOUGH;
use crate::metrics::{
    Pair, Scale, auroc, calibration, confident, coverage, difference_of_standardised_means,
    expected_calibration_error, group_difference, share,
};
use crate::numbers::{count, mean, quantile, rounded};
use crate::run::{Graded, Marked, Missing};

/// Reasons that suspect an attack rather than a weak answer.
const SECURITY: [&str; 8] = [
    "instructions_in_submission",
    "instruction_like_text",
    "hidden_characters",
    "grading_vocabulary",
    "mixed_script",
    "encoded_block",
    "markup",
    "link",
];

/// Fewer questions than this make intervals by question too narrow.
const ENOUGH_QUESTIONS: usize = 10;

/// An answer with both scores.
struct Both<'a> {
    answer: &'a GradedAnswer,
    marked: &'a Marked,
    pair: Pair,
}

/// The report of a run.
pub fn run_report(dataset: &Dataset, graded: &[Graded], anchors: usize, scale: Scale) -> RunReport {
    let both = both(dataset, graded);
    let pairs: Vec<Pair> = both.iter().map(|one| one.pair).collect();
    let questions: BTreeSet<usize> = pairs.iter().map(|pair| pair.question).collect();
    let (resampled_by, figures) = measure(&pairs, scale, RESAMPLES);
    let human_human = human_human(&both, scale);
    let groups = groups(&both, &pairs);
    let responses: Vec<&Response> = graded
        .iter()
        .filter_map(|one| one.response.as_deref())
        .collect();
    RunReport {
        anchors,
        n: pairs.len(),
        questions: questions.len(),
        caveats: caveats(pairs.len(), questions.len(), graded.len()),
        missing: missing(graded),
        gates: gates(pairs.len(), &figures, human_human.as_ref(), &groups),
        figures,
        resampled_by,
        human_human,
        score_bands: score_bands(&pairs, scale),
        confusion: scale.confusion(&pairs),
        confidence: Confidence {
            n: pairs
                .iter()
                .filter(|pair| pair.confidence.is_some())
                .count(),
            pass: reliance(&confident(&pairs, |pair| scale.same_side(pair))),
            band: reliance(&confident(&pairs, |pair| scale.same_band(pair))),
        },
        flags: flags(&both),
        quotes: quotes(&both),
        validity: validity(&responses),
        effort: effort(&responses),
        groups,
        answers: graded.iter().filter_map(|one| row(dataset, one)).collect(),
    }
}

fn both<'a>(dataset: &'a Dataset, graded: &'a [Graded]) -> Vec<Both<'a>> {
    graded
        .iter()
        .filter_map(|one| {
            let answer = dataset.answers.get(one.at)?;
            let marked = one.result.as_ref().ok()?;
            let pair = Pair {
                question: answer.question,
                human: answer.score,
                machine: marked.score,
                confidence: marked.confidence,
            };
            Some(Both {
                answer,
                marked,
                pair,
            })
        })
        .collect()
}

fn caveats(n: usize, questions: usize, chosen: usize) -> Vec<String> {
    let mut caveats = Vec::new();
    if n < ENOUGH {
        caveats.push(format!(
            "only {n} answers: with fewer than {ENOUGH} the figures say little"
        ));
    }
    if questions < ENOUGH_QUESTIONS {
        caveats.push(format!(
            "only {questions} questions: the intervals are too narrow for other questions"
        ));
    }
    if n < chosen {
        let without = chosen - n;
        caveats.push(format!("{without} of {chosen} answers have no score"));
    }
    caveats
}

fn missing(graded: &[Graded]) -> BTreeMap<String, usize> {
    let mut missing = BTreeMap::new();
    for why in graded.iter().filter_map(|one| one.result.as_ref().err()) {
        *missing.entry(word(*why).to_owned()).or_default() += 1;
    }
    missing
}

const fn word(missing: Missing) -> &'static str {
    match missing {
        Missing::Refused => "refused",
        Missing::Invalid => "invalid",
        Missing::Unavailable => "unavailable",
        Missing::NotJudged => "not_judged",
        Missing::NotAsked => "not_asked",
    }
}

fn human_human(both: &[Both<'_>], scale: Scale) -> Option<HumanHuman> {
    let twice: Vec<(Pair, f64)> = both
        .iter()
        .filter_map(|one| Some((one.pair, one.answer.second_score?)))
        .collect();
    let machine: Vec<Pair> = twice.iter().map(|(pair, _)| *pair).collect();
    let people: Vec<Pair> = twice
        .iter()
        .map(|(pair, second)| Pair {
            machine: *second,
            confidence: None,
            ..*pair
        })
        .collect();
    (!twice.is_empty()).then(|| HumanHuman {
        n: twice.len(),
        figures: measure(&people, scale, RESAMPLES).1,
        machine: measure(&machine, scale, RESAMPLES).1,
    })
}

fn score_bands(pairs: &[Pair], scale: Scale) -> Vec<ScoreBand> {
    let named = [("low", 0.0, 0.35), ("mid", 0.35, 0.75), ("high", 0.75, 1.1)];
    named
        .into_iter()
        .map(|(name, from, to)| {
            let inside = |pair: &&Pair| (from..to).contains(&pair.human);
            let own: Vec<Pair> = pairs.iter().filter(inside).copied().collect();
            let distances: Vec<f64> = own.iter().map(|p| (p.machine - p.human).abs()).collect();
            ScoreBand {
                name: name.to_owned(),
                n: own.len(),
                human_mean: mean_of(&own, |pair| pair.human),
                machine_mean: mean_of(&own, |pair| pair.machine),
                mae: mean(&distances).map(rounded),
                accuracy: share(&own, |pair| scale.same_side(pair)).map(rounded),
                exact_agreement: share(&own, |pair| scale.same_band(pair)).map(rounded),
            }
        })
        .collect()
}

fn mean_of(pairs: &[Pair], of: impl Fn(&Pair) -> f64) -> Option<f64> {
    let numbers: Vec<f64> = pairs.iter().map(of).collect();
    mean(&numbers).map(rounded)
}

fn reliance(sure: &[(f64, bool)]) -> Reliance {
    let bins = calibration(sure).into_iter();
    let points = coverage(sure).into_iter();
    Reliance {
        ece: expected_calibration_error(sure).map(rounded),
        auroc: auroc(sure).map(rounded),
        bins: bins
            .map(|(confidence, right, n)| Bin {
                confidence: rounded(confidence),
                right: rounded(right),
                n,
            })
            .collect(),
        coverage: points
            .map(|(share, right)| Point {
                share: rounded(share),
                right: rounded(right),
            })
            .collect(),
    }
}

fn flags(both: &[Both<'_>]) -> Flags {
    let total = count(both.len());
    let share = |is: &dyn Fn(&Marked) -> bool| {
        let found = both.iter().filter(|one| is(one.marked)).count();
        (!both.is_empty()).then(|| rounded(count(found) / total))
    };
    let suspects = |reason: &String| SECURITY.contains(&reason.as_str());
    let mut by_reason = BTreeMap::new();
    for reason in both.iter().flat_map(|one| &one.marked.reasons) {
        *by_reason.entry(reason.clone()).or_default() += 1;
    }
    Flags {
        any: share(&|marked| !marked.reasons.is_empty()),
        security: share(&|marked| marked.reasons.iter().any(suspects)),
        by_reason,
    }
}

fn quotes(both: &[Both<'_>]) -> Quotes {
    let named = both.iter().map(|one| one.marked.quotes).sum();
    let verified = both.iter().map(|one| one.marked.verified).sum();
    Quotes {
        named,
        verified,
        rate: (named > 0).then(|| rounded(count(verified) / count(named))),
    }
}

fn validity(responses: &[&Response]) -> Validity {
    let mut validity = Validity::default();
    for response in responses {
        let place = match &response.ending {
            Ending::Proposed(_) if response.invalid_calls == 0 => &mut validity.first_time,
            Ending::Proposed(_) => &mut validity.after_repair,
            Ending::Invalid(_) => &mut validity.failed,
            Ending::Refused(_) => &mut validity.refused,
        };
        *place += 1;
    }
    validity
}

fn effort(responses: &[&Response]) -> Effort {
    let each = || responses.iter();
    // What the built-in engine or a blank took is no measure of a provider.
    let asked: Vec<&&Response> = each().filter(|one| one.calls > 0).collect();
    let milliseconds =
        |response: &&&Response| f64::from(u32::try_from(response.latency_ms).unwrap_or(u32::MAX));
    let times: Vec<f64> = asked.iter().map(milliseconds).collect();
    let cost: Option<u64> = each().map(|one| one.cost).sum();
    let cost = cost.filter(|_| !asked.is_empty()).map(dollars);
    Effort {
        calls: each().map(|one| one.calls).sum(),
        tokens_in: each().map(|one| one.tokens_in).sum(),
        tokens_out: each().map(|one| one.tokens_out).sum(),
        tokens_cached: each().map(|one| one.tokens_cached).sum(),
        cost_usd: cost.map(rounded),
        cost_per_100_usd: cost.map(|cost| rounded(100.0 * cost / count(responses.len()))),
        latency_p50_ms: quantile(&times, 0.5),
        latency_p95_ms: quantile(&times, 0.95),
    }
}

/// Millionths of a dollar as dollars; more than four thousand dollars are not spent on an evaluation.
fn dollars(millionths: u64) -> f64 {
    f64::from(u32::try_from(millionths).unwrap_or(u32::MAX)) / 1_000_000.0
}

fn groups(both: &[Both<'_>], all: &[Pair]) -> BTreeMap<String, Group> {
    let mut members: BTreeMap<String, Vec<Pair>> = BTreeMap::new();
    for one in both {
        if let Some(group) = &one.answer.group {
            members.entry(group.clone()).or_default().push(one.pair);
        }
    }
    members
        .into_iter()
        .map(|(name, own)| {
            let group = Group {
                n: own.len(),
                human_mean: mean_of(&own, |pair| pair.human),
                machine_mean: mean_of(&own, |pair| pair.machine),
                smd: group_difference(all, &own).map(rounded),
                dsm: difference_of_standardised_means(all, &own).map(rounded),
            };
            (name, group)
        })
        .collect()
}

fn row(dataset: &Dataset, graded: &Graded) -> Option<AnswerRow> {
    let answer = dataset.answers.get(graded.at)?;
    let question = dataset.questions.get(answer.question)?;
    let marked = graded.result.as_ref();
    Some(AnswerRow {
        question_id: question.id.clone(),
        answer_id: answer.id.clone(),
        human: rounded(answer.score),
        second: answer.second_score.map(rounded),
        machine: marked.ok().map(|marked| rounded(marked.score)),
        confidence: marked.ok().and_then(|marked| marked.confidence),
        flags: marked
            .map(|marked| marked.reasons.clone())
            .unwrap_or_default(),
        missing: marked.err().map(|why| word(*why).to_owned()),
    })
}
