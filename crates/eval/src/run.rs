//! Grading a data set: through the same provider and the same rules as a submission to the service.

use std::sync::Arc;

use futures_util::StreamExt;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{Judgement, judge};
use lyceum_domain::points::Points;

use crate::asking::{Asker, Ending, Outcome, Response};
use crate::dataset::{Dataset, GradedAnswer};

/// A reason that every result of the built-in grader without examples carries, so that it says nothing about a text.
pub const UNCALIBRATED: &str = "uncalibrated";

/// What a run is about: which answers, with how many anchors.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Places of the answers.
    pub chosen: Vec<usize>,
    /// How many graded answers of the same question the grader is shown.
    pub anchors: usize,
    /// Seed of the anchors.
    pub seed: u64,
}

/// An answer of the data set and what the grader made of it.
#[derive(Debug, Clone)]
pub struct Graded {
    /// Place of the answer in the data set.
    pub at: usize,
    /// What came of it.
    pub result: Result<Marked, Missing>,
    /// What it took, where the grader said anything.
    pub response: Option<Box<Response>>,
}

/// Why there is no score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The provider would not.
    Refused,
    /// The provider's answer broke the rules.
    Invalid,
    /// Nobody answered.
    Unavailable,
    /// No criterion of the rubric could be judged.
    NotJudged,
    /// The run had stopped.
    NotAsked,
}

/// A judgement in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Marked {
    /// The total, a share of the maximum.
    pub score: f64,
    /// The least confidence of the judged criteria, 0..=1, where the grader says.
    pub confidence: Option<f64>,
    /// Reasons to have a person look, without [`UNCALIBRATED`].
    pub reasons: Vec<String>,
    /// Passages that the grader named.
    pub quotes: usize,
    /// Those that stand in the answer.
    pub verified: usize,
}

/// Grades the answers of a plan, in order; `tell` hears of each as it is done.
pub async fn run(
    dataset: &Arc<Dataset>,
    plan: &Plan,
    asker: &Asker,
    tell: &(dyn Fn(&Graded) + Sync),
) -> Vec<Graded> {
    let grade = |at: usize| grade(Arc::clone(dataset), plan, asker, at);
    let mut graded = futures_util::stream::iter(plan.chosen.iter().copied())
        .map(grade)
        .buffered(asker.at_once());
    let mut all = Vec::with_capacity(plan.chosen.len());
    while let Some(one) = graded.next().await {
        if let Some(one) = one {
            tell(&one);
            all.push(one);
        }
    }
    all
}

async fn grade(dataset: Arc<Dataset>, plan: &Plan, asker: &Asker, at: usize) -> Option<Graded> {
    let task = dataset.task(at, plan.anchors, plan.seed, &asker.engine.model)?;
    let answer = dataset.answers.get(at)?;
    let rubric = task.rubric.clone();
    Some(graded(at, answer, &rubric, asker.ask(task, 0).await))
}

fn graded(at: usize, answer: &GradedAnswer, rubric: &Rubric, outcome: Outcome) -> Graded {
    let response = match outcome {
        Outcome::Answered(response) => response,
        Outcome::Unavailable(_) => return without(at, Missing::Unavailable),
        Outcome::NotAsked => return without(at, Missing::NotAsked),
    };
    let result = match &response.ending {
        Ending::Proposed(proposal) => {
            let proposal = proposal.clone().restored();
            let quotes = proposal.criteria.iter().map(|given| given.quotes.len());
            let quotes = quotes.sum();
            let judged = judge(rubric, &answer.text, &proposal, Points::HUNDRED);
            marked(&judged, quotes).ok_or(Missing::NotJudged)
        }
        Ending::Refused(_) => Err(Missing::Refused),
        Ending::Invalid(_) => Err(Missing::Invalid),
    };
    Graded {
        at,
        result,
        response: Some(response),
    }
}

fn without(at: usize, why: Missing) -> Graded {
    Graded {
        at,
        result: Err(why),
        response: None,
    }
}

/// A judgement in numbers; nothing where no criterion was judged.
fn marked(judged: &Judgement, quotes: usize) -> Option<Marked> {
    let criteria = judged.criteria.iter();
    let counted: Vec<_> = criteria.filter(|one| one.not_judged.is_none()).collect();
    if counted.is_empty() {
        return None;
    }
    let least = counted.iter().filter_map(|one| one.confidence).min();
    let reasons = judged.review_reasons.iter();
    Some(Marked {
        score: ratio(judged),
        confidence: least.map(|hundredths| f64::from(hundredths) / 100.0),
        reasons: reasons
            .filter(|reason| *reason != UNCALIBRATED)
            .cloned()
            .collect(),
        quotes,
        verified: counted.iter().map(|one| one.evidence.len()).sum(),
    })
}

/// The total of a judgement out of [`Points::HUNDRED`], as a share.
pub fn ratio(judged: &Judgement) -> f64 {
    judged.score.to_number() / Points::HUNDRED.to_number()
}
