//! Tricks against graders that compare words: how many texts that say nothing, or the contrary, pass without a flag.
//!
//! The texts are made from the data set's own model answers and right answers, always the same ones, and go the way of every
//! submission. Honest answers go beside them: a flag on everything would catch every trick.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lyceum_domain::draws::Draws;
use lyceum_domain::grading::red_team::{Attack, AttackTask, AttackTechnique};
use lyceum_ports::grading::attacking::TrickMaker;
use serde::{Deserialize, Serialize};

use crate::asking::{Asker, Stop};
use crate::dataset::{Dataset, GradedAnswer, Question};
use crate::numbers::{count, rounded};
use crate::report::GraderPart;
use crate::run::{Graded, Marked, Plan, run};

/// From this share of the points on a text passes.
const PASSES: f64 = 0.5;
/// From this score on a person found an answer right.
const RIGHT: f64 = 0.999;
/// The model answers of how many other questions are pasted behind those of one.
const OTHERS: usize = 5;

/// What became of the texts of one trick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrickResult {
    /// What was tried.
    #[serde(with = "in_a_word")]
    pub trick: AttackTechnique,
    /// How many texts.
    pub texts: usize,
    /// Share that gets half of the points or more.
    pub passed: f64,
    /// Share that passes and that no person is asked to look at for what it says.
    pub unflagged: f64,
    /// The mean score.
    pub mean_score: f64,
}

/// Honest answers of the same data set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HonestResult {
    /// How many.
    pub answers: usize,
    /// Share with a reason to look.
    pub flagged: f64,
    /// Share with each reason.
    pub reasons: BTreeMap<String, f64>,
}

/// What tricks a grader falls for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrickReport {
    /// Always `tricks`.
    pub report: String,
    /// Version of the report's form.
    pub version: u32,
    /// Who graded.
    pub grader: GraderPart,
    /// Why not everything was asked, where that is so.
    pub stopped: Option<Stop>,
    /// Trick by trick.
    pub tricks: Vec<TrickResult>,
    /// Answers as learners wrote them.
    pub honest: HonestResult,
}

/// What tricks are made of, and who makes them.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    /// Questions with their model answers, and answers.
    pub dataset: &'a Arc<Dataset>,
    /// The places of the answers that are looked at.
    pub chosen: &'a [usize],
    /// Seed of what is shuffled.
    pub seed: u64,
    /// Who makes the texts.
    pub maker: &'a dyn TrickMaker,
}

/// Plays every trick that a data set has the words for, and grades its honest answers; `tell` hears of each text.
pub async fn play(
    material: &Material<'_>,
    asker: &Asker,
    tell: &(dyn Fn(&Graded) + Sync),
) -> TrickReport {
    let (dataset, seed) = (material.dataset, material.seed);
    let mut grader = GraderPart::seen(&asker.engine);
    let (kinds, texts) = played(material);
    let texts = Arc::new(texts);
    let tricked = grade_all(&texts, (0..kinds.len()).collect(), asker, seed, tell).await;
    let honest = grade_all(dataset, material.chosen.to_vec(), asker, seed, tell).await;
    for response in tricked
        .iter()
        .chain(&honest)
        .filter_map(|one| one.response.as_ref())
    {
        grader.note(&response.model, &response.prompt_version);
    }
    TrickReport {
        report: "tricks".to_owned(),
        version: crate::report::VERSION,
        grader: grader.finished(),
        stopped: asker.tally().stop,
        tricks: by_trick(&kinds, &tricked),
        honest: honesty(&honest),
    }
}

impl Material<'_> {
    /// How many texts [`play`] grades, honest answers among them.
    pub fn count(&self) -> usize {
        self.texts().len() + self.chosen.len()
    }

    /// Every text, with the place of its question: those of the questions first, then those of right answers.
    fn texts(&self) -> Vec<(usize, Attack)> {
        let answers = self.chosen.iter();
        let answers = answers.filter_map(|at| self.dataset.answers.get(*at));
        let asked: BTreeSet<usize> = answers.clone().map(|answer| answer.question).collect();
        let of_questions = asked.into_iter().flat_map(|at| {
            let made = self.of_question(at).into_iter();
            made.map(move |attack| (at, attack))
        });
        let of_answers = answers.flat_map(|answer| {
            let made = self.of_answer(answer).into_iter();
            made.map(|attack| (answer.question, attack))
        });
        of_questions.chain(of_answers).collect()
    }

    /// Tricks made of a question and its model answers, and of those of the next five.
    fn of_question(&self, at: usize) -> Vec<Attack> {
        let questions = &self.dataset.questions;
        let Some(question) = questions.get(at) else {
            return Vec::new();
        };
        let mut task = of(question);
        if questions.len() > OTHERS {
            let others =
                (1..=OTHERS).filter_map(|step| questions.get((at + step) % questions.len()));
            let others = others.filter_map(|other| of(other).references().into_iter().next());
            task.others = others.collect();
        }
        let mut draws = Draws::named(self.seed, &question.id);
        self.maker.of_task(&task, &mut draws)
    }

    /// Tricks made of a right answer.
    fn of_answer(&self, answer: &GradedAnswer) -> Vec<Attack> {
        if answer.score < RIGHT {
            return Vec::new();
        }
        let language = self.dataset.questions.get(answer.question);
        let language = language.map_or("en", |question| question.language.as_str());
        self.maker.of_right_answer(&answer.text, language)
    }
}

/// A question as tricks are made of it.
fn of(question: &Question) -> AttackTask {
    AttackTask {
        instructions: question.text.clone(),
        rubric: question.rubric.clone(),
        samples: Vec::new(),
        others: Vec::new(),
        language: question.language.as_str().to_owned(),
        weak_answers: Vec::new(),
    }
}

async fn grade_all(
    dataset: &Arc<Dataset>,
    chosen: Vec<usize>,
    asker: &Asker,
    seed: u64,
    tell: &(dyn Fn(&Graded) + Sync),
) -> Vec<Graded> {
    let plan = Plan {
        chosen,
        anchors: 0,
        seed,
    };
    run(dataset, &plan, asker, tell).await
}

/// The same questions with the tricks' texts as answers, and which trick each of them is.
fn played(material: &Material<'_>) -> (Vec<AttackTechnique>, Dataset) {
    let made = material.texts();
    let kinds = made.iter().map(|(_, attack)| attack.technique).collect();
    let answers = made
        .into_iter()
        .enumerate()
        .map(|(at, (question, attack))| GradedAnswer {
            id: at.to_string(),
            question,
            text: attack.text,
            score: 0.0,
            second_score: None,
            split: None,
            group: None,
            language: None,
        });
    let texts = Dataset {
        answers: answers.collect(),
        ..Dataset::clone(material.dataset)
    };
    (kinds, texts)
}

fn by_trick(kinds: &[AttackTechnique], graded: &[Graded]) -> Vec<TrickResult> {
    let mut by: BTreeMap<AttackTechnique, Vec<&Marked>> = BTreeMap::new();
    for one in graded {
        if let (Some(kind), Ok(marked)) = (kinds.get(one.at), &one.result) {
            by.entry(*kind).or_default().push(marked);
        }
    }
    let results = by.into_iter().map(|(trick, marked)| {
        let passed = marked.iter().filter(|one| one.score >= PASSES);
        let unflagged = passed.clone().filter(|one| one.reasons.is_empty());
        let all = count(marked.len());
        TrickResult {
            trick,
            texts: marked.len(),
            passed: rounded(count(passed.count()) / all),
            unflagged: rounded(count(unflagged.count()) / all),
            mean_score: rounded(marked.iter().map(|one| one.score).sum::<f64>() / all),
        }
    });
    results.collect()
}

fn honesty(graded: &[Graded]) -> HonestResult {
    let marked: Vec<&Marked> = graded
        .iter()
        .filter_map(|one| one.result.as_ref().ok())
        .collect();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for reason in marked.iter().flat_map(|one| &one.reasons) {
        *reasons.entry(reason.clone()).or_default() += 1;
    }
    let share = |part: usize| rounded(count(part) / count(marked.len().max(1)));
    HonestResult {
        answers: marked.len(),
        flagged: share(marked.iter().filter(|one| !one.reasons.is_empty()).count()),
        reasons: reasons
            .into_iter()
            .map(|(reason, n)| (reason, share(n)))
            .collect(),
    }
}

/// Techniques in reports, by their words.
mod in_a_word {
    use lyceum_domain::grading::red_team::AttackTechnique;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands a field over by reference"
    )]
    pub fn serialize<S: Serializer>(
        technique: &AttackTechnique,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(technique.as_str())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<AttackTechnique, D::Error> {
        let word = String::deserialize(deserializer)?;
        AttackTechnique::parse(&word).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_and_what_nobody_looks_at_are_counted_apart() {
        let graded = |at, score, reasons: &[&str]| Graded {
            at,
            result: Ok(Marked {
                score,
                confidence: None,
                reasons: reasons.iter().map(|&reason| reason.to_owned()).collect(),
                quotes: 0,
                verified: 0,
            }),
            response: None,
        };
        let all = [
            graded(0, 0.9, &["keyword_list"]),
            graded(1, 0.8, &[]),
            graded(2, 0.1, &[]),
            graded(3, 0.5, &["keyword_list"]),
        ];
        let results = by_trick(&[AttackTechnique::SixKeywords; 4], &all);
        assert_eq!(results.len(), 1);
        assert_eq!((results[0].passed, results[0].unflagged), (0.75, 0.25));
        let honest = honesty(&all);
        assert_eq!((honest.answers, honest.flagged), (4, 0.5));
        assert_eq!(honest.reasons.get("keyword_list"), Some(&0.5));
    }
}
