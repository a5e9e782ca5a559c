use std::sync::{Arc, Mutex};

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::red_team::{Attack, AttackTask, AttackTechnique};
use lyceum_domain::text::LanguageTag;
use lyceum_ports::grading::attacking::MockTrickMaker;
use rstest::rstest;
use serde_json::json;

use super::graders::{built_in, share};
use crate::dataset::{Dataset, GradedAnswer, Question};
use crate::tricks::{Material, TrickReport, play};

/// So many questions with one model answer, each answered right and wrong.
fn dataset(questions: usize) -> Arc<Dataset> {
    let question = |at: usize| {
        let rubric =
            json!({"criteria": [{"name": "A", "reference_answers": [format!("model {at}")]}]});
        Question {
            id: at.to_string(),
            text: format!("question {at}"),
            title: String::new(),
            rubric: Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap(),
            max_points: 1.0,
            language: LanguageTag::parse("de").unwrap(),
        }
    };
    let answer = |at: usize| GradedAnswer {
        id: at.to_string(),
        question: at / 2,
        text: format!("answer {at}"),
        score: if at.is_multiple_of(2) { 1.0 } else { 0.5 },
        second_score: None,
        split: None,
        group: None,
        language: None,
    };
    Arc::new(Dataset {
        questions: (0..questions).map(question).collect(),
        answers: (0..2 * questions).map(answer).collect(),
        answers_hash: String::new(),
        questions_hash: String::new(),
    })
}

const fn trick(technique: AttackTechnique, text: String) -> Attack {
    Attack {
        technique,
        base: None,
        text,
    }
}

type Heard = Arc<Mutex<Vec<AttackTask>>>;

/// One trick for each question and one for each right answer, and what it was asked.
fn maker() -> (MockTrickMaker, Heard) {
    let heard = Heard::default();
    let mut maker = MockTrickMaker::new();
    let tasks = Arc::clone(&heard);
    maker.expect_of_task().returning(move |task, _| {
        tasks.lock().unwrap().push(task.clone());
        vec![trick(
            AttackTechnique::QuestionRepeated,
            task.instructions.clone(),
        )]
    });
    maker
        .expect_of_right_answer()
        .returning(|answer, language| {
            vec![trick(
                AttackTechnique::NotTrue,
                format!("{answer} in {language}"),
            )]
        });
    (maker, heard)
}

async fn played(dataset: &Arc<Dataset>, chosen: &[usize], maker: &MockTrickMaker) -> TrickReport {
    let material = Material {
        dataset,
        chosen,
        seed: 1,
        maker,
    };
    let report = play(&material, &built_in(|task| share(task, 1.0, 50)), &|_| ()).await;
    let tried: usize = report.tricks.iter().map(|one| one.texts).sum();
    assert_eq!(tried + report.honest.answers, material.count());
    report
}

#[tokio::test]
async fn questions_are_played_once_and_right_answers_each() {
    let (maker, heard) = maker();
    let report = played(&dataset(3), &[0, 1, 5], &maker).await;
    let counts = report
        .tricks
        .iter()
        .map(|one| (one.trick.as_str(), one.texts));
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [("not_true", 1), ("question_repeated", 2)]
    );
    assert_eq!(report.honest.answers, 3);
    let heard = heard.lock().unwrap();
    let mut asked = heard.iter().map(|task| task.instructions.as_str());
    assert!(asked.all(|text| text != "question 1"), "nobody answered it");
}

#[rstest]
#[case::five_questions(5, &[])]
#[case::seven(7, &["model 5", "model 6", "model 0", "model 1", "model 2"])]
#[tokio::test]
async fn model_answers_of_five_other_questions_are_given_where_there_are_as_many(
    #[case] questions: usize,
    #[case] expected: &[&str],
) {
    let (maker, heard) = maker();
    played(&dataset(questions), &[8], &maker).await;
    assert_eq!(heard.lock().unwrap()[0].others, expected);
}

#[tokio::test]
async fn a_report_of_tricks_reads_back() {
    let (maker, _) = maker();
    let report = played(&dataset(1), &[0, 1], &maker).await;
    let text = serde_json::to_string(&report).unwrap();
    assert!(text.contains(r#""trick":"not_true""#), "{text}");
    assert_eq!(serde_json::from_str::<TrickReport>(&text).unwrap(), report);
}
