use rstest::rstest;

use super::*;

const QUESTIONS: &str = r#"{"question_id": "q1", "language": "de", "question": "Warum?", "references": ["Darum."], "max_points": 4, "corpus": "x"}
{"question_id": "q2", "question": "Why?", "rubric": {"criteria": [{"id": "a", "name": "A", "max_points": 2}, {"id": "b", "name": "B", "levels": [{"id": "no", "label": "no", "points": 0}, {"id": "yes", "label": "yes", "points": 1}]}]}}
"#;

fn read(answers: &str, questions: &str) -> Result<Dataset, DatasetError> {
    let folder = tempfile::tempdir().unwrap();
    let (a, q) = (folder.path().join("a.csv"), folder.path().join("q.jsonl"));
    std::fs::write(&a, answers).unwrap();
    std::fs::write(&q, questions).unwrap();
    Dataset::read(&a, &q)
}

/// Six answers to the one question, of these four in the split `UQ`.
fn six() -> Dataset {
    let rows: String = (0..6)
        .map(|at| {
            let split = if at < 4 { "UQ" } else { "train" };
            format!("q1,a{at},answer {at},0.5,{split}\n")
        })
        .collect::<Vec<_>>()
        .concat();
    let csv = format!("question_id,answer_id,answer,score,split\n{rows}");
    read(&csv, QUESTIONS).unwrap()
}

#[test]
fn columns_may_come_in_any_order_with_points_or_scores() {
    let csv = "\u{feff}label,question_id,points,answer,group,second_score\n\
               ok,q1,3,\"One,\ntwo\",g,0.5\n\
               no,q2,25,Because,,\n";
    let data = read(csv, QUESTIONS).unwrap();
    let [first, second] = data.answers.as_slice() else {
        panic!("{data:?}");
    };
    assert_eq!((first.score, first.second_score), (0.75, Some(0.5)));
    assert_eq!((first.id.as_str(), first.text.as_str()), ("1", "One,\ntwo"));
    assert_eq!(first.group.as_deref(), Some("g"));
    assert_eq!((second.score, second.second_score), (0.25, None));
    assert_eq!((second.group.clone(), second.split.clone()), (None, None));
    assert_eq!(data.questions[0].language.as_str(), "de");
    let criterion = &data.questions[0].rubric.criteria[0];
    assert_eq!(criterion.texts("reference_answers"), ["Darum."]);
    assert_eq!(criterion.max_points, Points::whole(4));
    assert_eq!(data.questions[1].rubric.criteria.len(), 2);
}

#[test]
fn answers_that_share_a_name_can_be_told_apart() {
    let csv = "question_id,answer_id,answer,score\nq1,x,a,1\nq1,x,b,1\nq2,x,c,1\nq1,,d,1\n";
    let data = read(csv, QUESTIONS).unwrap();
    let names: Vec<&str> = data
        .answers
        .iter()
        .map(|answer| answer.id.as_str())
        .collect();
    assert_eq!(names, ["x", "x#2", "x", "4"]);
}

#[rstest]
#[case::no_question(
    "question_id,answer,score\nq9,x,1\n",
    "a.csv, line 2: there is no question q9"
)]
#[case::no_score(
    "question_id,answer,score\nq1,x,1\nq1,y,\n",
    "a.csv, line 3: needs a score or points"
)]
#[case::too_much(
    "question_id,answer,points\nq1,x,5\n",
    "a.csv, line 2: a score is between 0 and 1"
)]
#[case::language(
    "question_id,answer,score,language\nq1,x,1,??\n",
    "a.csv, line 2: language ??"
)]
#[case::no_column("question_id,score\nq1,1\n", "a.csv, line 2")]
fn a_wrong_row_is_named(#[case] csv: &str, #[case] complaint: &str) {
    let error = read(csv, QUESTIONS).unwrap_err().to_string();
    assert!(error.contains(complaint), "{error}");
}

#[rstest]
#[case::json("{\n", "q.jsonl, line 1")]
#[case::nothing_to_judge_by(
    r#"{"question_id": "q", "question": "?"}"#,
    "needs references or a rubric"
)]
#[case::twice(
    "{\"question_id\": \"q\", \"question\": \"?\", \"references\": [\"r\"]}\n{\"question_id\": \"q\", \"question\": \"?\", \"references\": [\"r\"]}",
    "line 2: the question q is there twice"
)]
#[case::no_points(
    r#"{"question_id": "q", "question": "?", "references": ["r"], "max_points": 0}"#,
    "max_points"
)]
fn a_wrong_question_is_named(#[case] questions: &str, #[case] complaint: &str) {
    let error = read("question_id,answer,score\n", questions).unwrap_err();
    assert!(error.to_string().contains(complaint), "{error}");
}

#[test]
fn a_draw_follows_from_its_seed_and_keeps_to_the_split() {
    let data = six();
    let choice = |limit, seed| Choice {
        split: Some("UQ".to_owned()),
        limit,
        seed,
    };
    assert_eq!(data.choose(&choice(None, 1)).unwrap(), [0, 1, 2, 3]);
    let two = data.choose(&choice(Some(2), 1)).unwrap();
    assert_eq!(two, data.choose(&choice(Some(2), 1)).unwrap());
    assert!(two.len() == 2 && two.iter().all(|at| *at < 4), "{two:?}");
    let drawn: BTreeMap<Vec<usize>, u64> = (0..20)
        .map(|seed| (data.choose(&choice(Some(2), seed)).unwrap(), seed))
        .collect();
    assert!(drawn.len() > 2, "{drawn:?}");
    let none = Choice {
        split: Some("UD".to_owned()),
        ..Choice::default()
    };
    assert!(data.choose(&none).is_err());
}

#[test]
fn anchors_are_other_answers_to_the_same_question_and_grow_by_appending() {
    let data = six();
    for at in 0..6 {
        let ids = |wanted| -> Vec<String> {
            let task = data.task(at, wanted, 3, "").unwrap();
            task.anchors
                .into_iter()
                .map(|anchor| anchor.grade_id)
                .collect()
        };
        let (two, all) = (ids(2), ids(50));
        assert_eq!((two.len(), all.len()), (2, 5));
        assert!(!all.contains(&format!("a{at}")), "{all:?}");
        assert_eq!(all[..2], two);
        assert!(ids(0).is_empty());
    }
}

#[test]
fn an_anchor_gives_each_criterion_its_share_and_levels_their_own_points() {
    let csv = "question_id,answer,score\nq2,x,0.75\nq2,y,1\n";
    let data = read(csv, QUESTIONS).unwrap();
    let task = data.task(1, 1, 1, "").unwrap();
    let wanted = [
        ("a".to_owned(), Points::from_hundredths(150)),
        ("b".to_owned(), Points::whole(1)),
    ];
    assert_eq!(task.anchors[0].points, wanted);
}

#[test]
fn the_data_sets_of_the_project_are_read() {
    let data = |name: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
        let folder = root.join(name);
        Dataset::read(&folder.join("answers.csv"), &folder.join("questions.jsonl")).unwrap()
    };
    let saf = data("saf-v1");
    assert_eq!((saf.questions.len(), saf.answers[1].score), (24, 1.0));
    let semeval = data("semeval2013-task7");
    assert_eq!(
        (semeval.questions.len(), semeval.answers.len()),
        (182, 8_910)
    );
}
