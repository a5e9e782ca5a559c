//! Which of the tricks on graders that compare words pass the built-in one without a flag, and how many honest answers are
//! flagged for it, on the published answers in `tests/data`.
//!
//! What `lyceum eval tricks` measures on all of them is measured here on the tricks made of model answers, and on every third
//! answer.

use std::collections::BTreeMap;

use lyceum_domain::draws::Draws;
use lyceum_domain::grading::grades::judge;
use lyceum_domain::grading::red_team::AttackTask;
use lyceum_domain::points::Points;
use lyceum_ports::grading::attacking::TrickMaker;
use rstest::rstest;
use serde_json::{Value, json};

use super::grading::grade;
use super::grading_tests::task;
use crate::attacks::BuiltinAttacks;
use crate::numbers::{count, share};

const QUESTIONS: &str = include_str!("../../../../tests/data/semeval2013-task7/questions.jsonl");
const ANSWERS: &str = include_str!("../../../../tests/data/semeval2013-task7/answers.csv");

struct Asked {
    id: String,
    text: String,
    references: Vec<String>,
}

impl Asked {
    fn read(line: &str) -> Self {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let references = row["references"].as_array().unwrap().iter();
        Self {
            id: text("question_id"),
            text: text("question"),
            references: references
                .map(|one| one.as_str().unwrap().to_owned())
                .collect(),
        }
    }

    fn rubric(&self) -> Value {
        json!({"criteria": [{"id": "c", "name": "Answer", "max_points": 100, "reference_answers": self.references}]})
    }

    /// Whether a text gets half of the points, and why a person is to look at it.
    fn graded(&self, text: &str) -> (bool, Vec<String>) {
        let task = task(&self.text, &self.rubric(), text, "en");
        let proposal = grade(&task).proposal;
        let judged = judge(&task.rubric, text, &proposal, Points::HUNDRED);
        let reasons = judged.review_reasons.iter();
        let reasons = reasons.filter(|reason| *reason != "uncalibrated");
        (judged.score.to_number() >= 50.0, reasons.cloned().collect())
    }
}

fn asked(corpus: &str) -> Vec<Asked> {
    let questions = QUESTIONS.lines().map(Asked::read);
    let of_corpus = |asked: &Asked| asked.id.starts_with("beetle") == (corpus == "beetle");
    questions.filter(of_corpus).collect()
}

/// The share of the texts of each trick that pass and that no flag shows.
fn passed_unseen(corpus: &str) -> BTreeMap<&'static str, f64> {
    let mut by_trick: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    for asked in asked(corpus) {
        let attacked = AttackTask {
            instructions: asked.text.clone(),
            rubric: task(&asked.text, &asked.rubric(), "", "en").rubric,
            samples: Vec::new(),
            others: Vec::new(),
            language: "en".to_owned(),
            weak_answers: Vec::new(),
        };
        for trick in BuiltinAttacks.of_task(&attacked, &mut Draws::named(0, &asked.id)) {
            let (passes, reasons) = asked.graded(&trick.text);
            let (unseen, all) = by_trick.entry(trick.technique.as_str()).or_default();
            *unseen += usize::from(passes && reasons.is_empty());
            *all += 1;
        }
    }
    let shares = by_trick.into_iter();
    shares
        .map(|(trick, (unseen, all))| (trick, share(unseen, all)))
        .collect()
}

#[rstest]
#[case::beetle("beetle")]
#[case::scientsbank("sciEntsBank")]
fn hardly_a_trick_passes_without_a_flag(#[case] corpus: &str) {
    let passed = passed_unseen(corpus);
    assert!(passed.len() >= 8, "{passed:?}");
    assert!(passed.values().all(|share| *share <= 0.1), "{passed:#?}");
}

#[rstest]
#[case::beetle("beetle", 0.12)]
#[case::scientsbank("sciEntsBank", 0.085)]
fn honest_answers_are_seldom_flagged(#[case] corpus: &str, #[case] at_most: f64) {
    let asked = asked(corpus);
    let mut by_reason: BTreeMap<String, usize> = BTreeMap::new();
    let (mut flagged, mut all) = (0, 0);
    for row in csv::Reader::from_reader(ANSWERS.as_bytes())
        .deserialize()
        .step_by(3)
    {
        let row: BTreeMap<String, String> = row.unwrap();
        let Some(asked) = asked.iter().find(|one| one.id == row["question_id"]) else {
            continue;
        };
        let (_, reasons) = asked.graded(&row["answer"]);
        all += 1;
        flagged += usize::from(!reasons.is_empty());
        for reason in reasons {
            *by_reason.entry(reason).or_default() += 1;
        }
    }
    let flagged = count(flagged) / count(all);
    assert!(
        all > 1_200 && flagged <= at_most,
        "{flagged} of {all}: {by_reason:#?}"
    );
}
