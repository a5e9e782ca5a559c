//! Certificates tried for on data whose truth is known.

use std::sync::Arc;

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::text::LanguageTag;
use rstest::rstest;
use serde_json::json;

use super::graders::{asker, counting};
use crate::asking::Terms;
use crate::dataset::{Choice, Dataset, GradedAnswer, Question};
use crate::release::{ReleaseReport, Simulation, simulate};

/// So many questions with sixty answers each, of which a person gives every `bad`-th nothing and all others everything; the text
/// says that the grader gives everything.
fn dataset(questions: usize, bad: usize) -> Arc<Dataset> {
    let question = |at: usize| Question {
        id: at.to_string(),
        text: format!("question {at}"),
        title: String::new(),
        rubric: Rubric::parse(
            "rubric",
            json!({"criteria": [{"name": "A", "max_points": 10}]})
                .as_object()
                .unwrap(),
        )
        .unwrap(),
        max_points: 1.0,
        language: LanguageTag::english(),
    };
    let answer = |at: usize| GradedAnswer {
        id: at.to_string(),
        question: at / 60,
        text: format!("answer {at} 1"),
        score: if bad > 0 && at.is_multiple_of(bad) {
            0.0
        } else {
            1.0
        },
        second_score: None,
        split: None,
        group: None,
        language: None,
    };
    Arc::new(Dataset {
        questions: (0..questions).map(question).collect(),
        answers: (0..60 * questions).map(answer).collect(),
        answers_hash: String::new(),
        questions_hash: String::new(),
    })
}

fn simulation(bad: usize, redraws: u32) -> Simulation {
    Simulation {
        dataset: dataset(3, bad),
        answers_file: "answers.csv".to_owned(),
        choice: Choice {
            split: None,
            limit: None,
            seed: 1,
        },
        examples: 10,
        promises: vec![20],
        tests: vec![20],
        class: 100,
        redraws,
        points_share: 25,
    }
}

async fn simulated(bad: usize, redraws: u32) -> (ReleaseReport, usize) {
    let (grader, asked) = counting();
    let who = asker(grader, Terms::default());
    let report = simulate(&simulation(bad, redraws), &who, &|| ()).await;
    let number = asked.lock().unwrap().len();
    (report.unwrap(), number)
}

#[tokio::test]
async fn who_is_always_right_is_certified_and_releases_everything() {
    let (report, _) = simulated(0, 20).await;
    assert_eq!((report.tasks, report.answers), (3, 150));
    assert_eq!(
        (report.releasable, report.disagreement),
        (Some(1.0), Some(0.0))
    );
    assert_eq!(report.rows.len(), 2);
    for row in &report.rows {
        let share = |share: Option<crate::release::Share>| share.unwrap().value;
        assert_eq!((row.tried, row.tries), (1.0, 60));
        assert_eq!((share(row.certified), share(row.released)), (1.0, 1.0));
        assert_eq!(row.drawn, Some(20.0));
        assert_eq!(
            (share(row.broken_at_hand), share(row.broken_of_later)),
            (0.0, 0.0)
        );
    }
}

#[rstest]
#[case::clearly_worse(2)]
#[case::a_little_worse(4)]
#[tokio::test]
async fn who_is_worse_than_promised_breaks_no_more_promises_than_the_look_may(#[case] bad: usize) {
    let (report, _) = simulated(bad, 300).await;
    let row = &report.rows[0];
    assert!(report.disagreement > Some(0.2), "{report:?}");
    let broken = row.broken_of_later.unwrap();
    assert_eq!(Some(broken.value), row.certified.map(|share| share.value));
    // Three of 100, and what nine hundred tries are off by.
    assert!(broken.value <= 0.045, "{row:?}");
    assert!(bad > 2 || report.rows[1].tried == 0.0, "it is not offered");
}

#[tokio::test]
async fn each_answer_is_graded_once_however_often_classes_are_drawn() {
    let (few, asked_few) = simulated(4, 1).await;
    let (many, asked_many) = simulated(4, 30).await;
    assert_eq!((asked_few, asked_many), (180, 180));
    assert_eq!(few.answers, many.answers);
    let (again, _) = simulated(4, 30).await;
    assert_eq!(again, many, "the same seed, the same report");
}

#[tokio::test]
async fn questions_with_too_few_answers_are_named_where_there_is_no_other() {
    let simulation = Simulation {
        examples: 50,
        ..simulation(0, 1)
    };
    let asker = asker(counting().0, Terms::default());
    let refused = simulate(&simulation, &asker, &|| ()).await;
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("no question has 25"), "{said}");
}
