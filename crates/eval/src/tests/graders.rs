//! Graders for the tests, and what they grade.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lyceum_domain::grading::grades::{CriterionProposal, GradeProposal, GradingTask};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::{AiError, Answered, MockAiProvider, ResolvedModel, Usage};
use lyceum_ports::drafting::ai_calls::{AiCall, AiFeature, CallOutcome, Meter};

use crate::asking::{Asker, Engine, Terms};
use crate::dataset::{Choice, Dataset};
use crate::evaluation::Evaluation;

/// What a grader says to a text.
pub type Said = Result<GradeProposal, AiError>;

/// A provider's model that answers as `says`, for a hundredth of a dollar a call.
pub fn grader(says: impl Fn(&GradingTask) -> Said + Send + Sync + 'static) -> MockAiProvider {
    let mut mock = resolving(false);
    mock.expect_grade().returning(move |task, meter| {
        let price = MicroUsd::new(10_000);
        meter.admit(Usage::default(), Some(price))?;
        let said = says(&task);
        let outcome = match &said {
            Ok(_) => CallOutcome::Answered,
            Err(AiError::InvalidOutput(_) | AiError::InputTooThin(_)) => CallOutcome::Invalid,
            Err(AiError::Refused(_)) => CallOutcome::Refused,
            Err(
                AiError::Unavailable { .. }
                | AiError::LeftAlone { .. }
                | AiError::BudgetExceeded(_),
            ) => CallOutcome::Unavailable,
        };
        record(meter, outcome, price);
        Ok(answered(said?, price))
    });
    mock
}

fn resolving(built_in: bool) -> MockAiProvider {
    let mut mock = MockAiProvider::new();
    mock.expect_resolve().returning(move |_| {
        Some(ResolvedModel {
            model: "scripted".to_owned(),
            built_in,
            grading_version: "grade-1".to_owned(),
        })
    });
    mock
}

/// An answer that came of one call.
pub fn answered(value: GradeProposal, price: MicroUsd) -> Answered<GradeProposal> {
    Answered {
        value,
        model_asked: "scripted".to_owned(),
        model: "scripted-2026".to_owned(),
        prompt_version: "grade-1".to_owned(),
        raw: String::new(),
        usage: usage(),
        cost: Some(price),
        latency: Duration::from_millis(20),
    }
}

const fn usage() -> Usage {
    Usage {
        tokens_in: 100,
        tokens_out: 10,
        tokens_cached: 50,
    }
}

/// Writes a call into the meter.
pub fn record(meter: &Meter, outcome: CallOutcome, price: MicroUsd) {
    meter.record(AiCall {
        reservation: None,
        feature: AiFeature::Grading,
        host: "ai.example".to_owned(),
        model_asked: "scripted".to_owned(),
        model: Some("scripted-2026".to_owned()),
        request_id: None,
        usage: usage(),
        estimated: false,
        cost: Some(price),
        latency: Duration::from_millis(20),
        outcome,
        sent: vec!["submission_text"],
    });
}

/// A proposal that gives every criterion this share of its points, for the whole text as it stands.
pub fn share(task: &GradingTask, share: f64, confidence: u8) -> GradeProposal {
    let criteria = task
        .rubric
        .criteria
        .iter()
        .map(|criterion| CriterionProposal {
            criterion_id: criterion.id.clone(),
            level_id: None,
            points: Points::from_number(share * criterion.max_points.to_number()),
            rationale: String::new(),
            quotes: vec![(task.submission.clone(), 1)],
            confidence: Some(confidence),
            missing: Vec::new(),
            not_judged: None,
        });
    GradeProposal {
        criteria: criteria.collect(),
        feedback: "Well done.".to_owned(),
        flags: Vec::new(),
    }
}

/// A grader that gives the number that stands in the answer, and counts how often it is asked for each text.
pub fn counting() -> (MockAiProvider, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let mock = grader(move |task| {
        noted.lock().unwrap().push(task.submission.clone());
        Ok(share(task, number_in(&task.submission), 80))
    });
    (mock, asked)
}

/// The last word of a text as a number.
pub fn number_in(text: &str) -> f64 {
    text.split(' ').next_back().unwrap().parse().unwrap()
}

/// An asker of a mock.
pub fn asker(mock: MockAiProvider, terms: Terms) -> Asker {
    let engine = Engine::new(Arc::new(mock), "https://ai.example/v1", "").unwrap();
    Asker::new(engine, terms)
}

/// An asker of a mock that is the built-in engine.
pub fn built_in(says: impl Fn(&GradingTask) -> GradeProposal + Send + Sync + 'static) -> Asker {
    let mut mock = resolving(true);
    mock.expect_grade()
        .returning(move |task, _| Ok(answered(says(&task), MicroUsd::ZERO)));
    asker(mock, Terms::default())
}

/// A proposal that first came broken, for two calls.
pub fn repaired(mock: &mut MockAiProvider) {
    let asked = AtomicUsize::new(0);
    mock.expect_grade().returning(move |task, meter| {
        let price = MicroUsd::new(10_000);
        if asked.fetch_add(1, Ordering::Relaxed) == 0 {
            record(meter, CallOutcome::Invalid, price);
        }
        record(meter, CallOutcome::Answered, price);
        Ok(answered(share(&task, 1.0, 90), price))
    });
}

/// A mock that resolves a provider's model and grades nothing yet.
pub fn provider() -> MockAiProvider {
    resolving(false)
}

/// Answers `answer N SHARE` to three questions: what the person gave, and what a [`counting`] grader will give.
pub fn evaluation(scores: &[(f64, f64)]) -> Evaluation {
    let questions: Vec<String> = (0..3)
        .map(|at| {
            format!(r#"{{"question_id":"q{at}","question":"Why {at}?","references":["Because."],"max_points":4}}"#)
        })
        .collect();
    let rows: Vec<String> = scores
        .iter()
        .enumerate()
        .map(|(at, (human, machine))| {
            let (question, group) = (at % 3, if at % 2 == 0 { "even" } else { "odd" });
            let second = if at < 4 {
                human.to_string()
            } else {
                String::new()
            };
            format!("q{question},a{at},answer {at} {machine},{human},{second},{group}")
        })
        .collect();
    let csv = format!(
        "question_id,answer_id,answer,score,second_score,group\n{}\n",
        rows.join("\n")
    );
    let folder = tempfile::tempdir().unwrap();
    let (answers, lines) = (folder.path().join("a.csv"), folder.path().join("q.jsonl"));
    std::fs::write(&answers, csv).unwrap();
    std::fs::write(&lines, questions.join("\n")).unwrap();
    Evaluation {
        dataset: Arc::new(Dataset::read(&answers, &lines).unwrap()),
        answers_file: "a.csv".to_owned(),
        choice: Choice::default(),
        anchors: vec![0],
        bands: None,
        pass_mark: 0.5,
    }
}

/// Twelve answers: eight on which both agree, four on which they do not.
pub const TWELVE: [(f64, f64); 12] = [
    (0.0, 0.0),
    (1.0, 1.0),
    (0.5, 0.5),
    (0.25, 0.25),
    (0.75, 0.75),
    (1.0, 1.0),
    (0.0, 0.0),
    (0.5, 0.5),
    (1.0, 0.5),
    (0.75, 0.25),
    (0.5, 0.25),
    (0.25, 0.5),
];
