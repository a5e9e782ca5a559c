use super::*;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

fn object(value: &Value) -> JsonObject {
    value.as_object().cloned().unwrap()
}

/// One question of every type, worth 1 to 9 points; the open one counts nothing.
fn quiz() -> Value {
    json!({"show_answers": "after_submit", "passing_percent": 50, "questions": [
        {"id": "single", "type": "single_choice", "prompt": "?", "points": 1, "explanation": "why",
         "options": [{"id": "a", "text": "A", "correct": true, "feedback": "Yes."}, {"id": "b", "text": "B", "feedback": "No."}]},
        {"id": "multiple", "type": "multiple_choice", "prompt": "?", "points": 2, "options": [
            {"id": "a", "text": "A", "correct": true}, {"id": "b", "text": "B", "correct": true},
            {"id": "c", "text": "C"}, {"id": "d", "text": "D"}]},
        {"id": "truth", "type": "true_false", "prompt": "?", "points": 3, "answer": true},
        {"id": "short", "type": "short_text", "prompt": "?", "points": 4, "accepted_answers": ["Café au  lait", "milk coffee"]},
        {"id": "number", "type": "numeric", "prompt": "?", "points": 5, "answer": 40.4, "tolerance": 0.5},
        {"id": "cloze", "type": "cloze", "prompt": "?", "points": 6, "text": "{{1}} {{2}} {{3}}", "blanks": [
            {"id": "1", "accepted_answers": ["a"]}, {"id": "2", "accepted_answers": ["b", "bee"]},
            {"id": "3", "accepted_answers": ["c"]}]},
        {"id": "order", "type": "ordering", "prompt": "?", "points": 8, "items": [
            {"id": "1", "text": "wash"}, {"id": "2", "text": "cut"}, {"id": "3", "text": "heat"}, {"id": "4", "text": "eat"}]},
        {"id": "match", "type": "matching", "prompt": "?", "points": 9, "pairs": [
            {"id": "1", "left": "fridge", "right": "5 °C"}, {"id": "2", "left": "freezer", "right": "-18 °C"},
            {"id": "3", "left": "cold room", "right": "5 °C"}]},
        {"id": "open", "type": "open", "prompt": "?", "points": 100, "sample_answer": "S", "min_words": 2},
    ]})
}

/// Every answer right.
fn right() -> Value {
    json!({
        "single": "a", "multiple": ["b", "a"], "truth": true, "short": "milk coffee", "number": 40.4,
        "cloze": {"1": "a", "2": "b", "3": "c"}, "order": ["wash", "cut", "heat", "eat"],
        "match": {"1": "5 °C", "2": "-18 °C", "3": "5 °C"}, "open": "two words",
    })
}

fn attempt(answers: &Value) -> Result<AttemptResult, Unscorable> {
    let content = ActivityContent::parse(ActivityKind::Quiz, object(&quiz())).unwrap();
    score(ActivityKind::Quiz, &content, Some(&object(answers)), None)
}

/// Hundredths of points for one answer.
fn points(question: &str, answer: &Value) -> i32 {
    let result = attempt(&json!({ question: answer })).unwrap();
    let one = result
        .questions
        .iter()
        .find(|result| result.question_id == question)
        .unwrap();
    assert_eq!(result.score, one.score, "nothing else was answered");
    assert_eq!(one.correct, Some(one.score == one.max_score));
    one.score.hundredths()
}

#[test]
fn right_answers_give_the_maximum_without_what_is_open() {
    let result = attempt(&right()).unwrap();
    assert_eq!(
        (result.score, result.max_score),
        (Points::whole(38), Points::whole(38))
    );
    assert_eq!((result.percent, result.passed), (Some(100), Some(true)));
    let correct: Vec<Option<bool>> = result.questions.iter().map(|one| one.correct).collect();
    assert_eq!(
        correct,
        [[Some(true); 8].as_slice(), &[None]].concat(),
        "nobody marks the open one"
    );
}

#[rstest]
#[case("single", json!("a"), 100)]
#[case("single", json!("b"), 0)]
#[case("multiple", json!(["a", "b"]), 200)]
#[case("multiple", json!(["a"]), 100)]
#[case("multiple", json!(["a", "b", "c"]), 100)]
#[case("multiple", json!(["a", "b", "c", "d"]), 0)]
#[case("multiple", json!(["c"]), 0)]
#[case("multiple", json!([]), 0)]
#[case("truth", json!(true), 300)]
#[case("truth", json!(false), 0)]
#[case("short", json!("  CAFE\u{301} au\tlait "), 400)]
#[case("short", json!("milk"), 0)]
#[case("short", json!(""), 0)]
#[case("number", json!(40.9), 500)]
#[case("number", json!("39,9"), 500)]
#[case("number", json!(41), 0)]
#[case("number", json!(" "), 0)]
#[case("cloze", json!({"1": "A", "2": "bee"}), 400)]
#[case("cloze", json!({"3": "x", "1": null}), 0)]
#[case("order", json!(["wash", "cut", "heat", "eat"]), 800)]
#[case("order", json!(["1", "2", "3", "4"]), 800)]
#[case("order", json!(["cut", "wash", "heat", "eat"]), 400)]
#[case("order", json!(["eat", "heat", "cut", "wash"]), 0)]
#[case("match", json!({"1": "5 °C", "3": "-18 °C"}), 300)]
#[case("match", json!({"2": "2", "3": "1"}), 600)]
#[case("match", json!({"1": ""}), 0)]
fn an_answer_is_worth_what_is_right_of_it(
    #[case] question: &str,
    #[case] answer: Value,
    #[case] hundredths: i32,
) {
    assert_eq!(points(question, &answer), hundredths);
}

#[rstest]
#[case(json!({"single": ["a"]}), "answers.single must be of type string")]
#[case(json!({"single": "z"}), "answers.single must be the id of one of the options")]
#[case(json!({"multiple": "a"}), "answers.multiple must be an array")]
#[case(json!({"multiple": ["a", "z"]}), "answers.multiple[1] must be the id of one of the options")]
#[case(json!({"multiple": ["a", "a"]}), "answers.multiple[1] must not be chosen twice")]
#[case(json!({"truth": "true"}), "answers.truth must be of type boolean")]
#[case(json!({"short": 5}), "answers.short must be of type string")]
#[case(json!({"number": true}), "answers.number must be of type number")]
#[case(json!({"number": "inf"}), "answers.number must be a number")]
#[case(json!({"cloze": ["a"]}), "answers.cloze must be of type object")]
#[case(json!({"cloze": {"9": "a"}}), "answers.cloze.9 is not a part of this question")]
#[case(json!({"cloze": {"1": 7}}), "answers.cloze.1 must be of type string")]
#[case(json!({"order": ["wash", "cut"]}), "answers.order must name every item once")]
#[case(json!({"order": ["wash", "wash", "heat", "eat"]}), "answers.order must name every item once")]
#[case(json!({"match": {"1": "7 °C"}}), "answers.match.1 must be one of the right sides")]
#[case(json!({"open": "one"}), "answers.open must have at least 2 words")]
#[case(json!({"riddle": 1}), "answers.riddle is not a question of this quiz")]
fn an_answer_of_another_form_is_refused(#[case] answers: Value, #[case] problem: &str) {
    let Err(Unscorable::Invalid(problems)) = attempt(&answers) else {
        panic!("refused");
    };
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [problem]);
}

#[test]
fn a_result_says_what_would_have_been_right() {
    let result = attempt(&json!({"single": "b"})).unwrap();
    let told: Vec<&Value> = result
        .questions
        .iter()
        .map(|one| &one.right_answer)
        .collect();
    assert_eq!(
        json!(told),
        json!([
            "a", ["a", "b"], true, "Café au  lait", 40.4, {"1": "a", "2": "b", "3": "c"},
            ["wash", "cut", "heat", "eat"], {"1": "5 °C", "2": "-18 °C", "3": "5 °C"}, "S",
        ])
    );
    let single = result.questions.first().cloned().unwrap();
    assert_eq!(
        (single.feedback.as_str(), single.explanation.as_str()),
        ("No.", "why")
    );
    let hidden = single.without_answer();
    assert_eq!(hidden.correct, Some(false));
    assert_eq!(
        (hidden.feedback + &hidden.explanation, hidden.right_answer),
        (String::new(), Value::Null)
    );
}

#[test]
fn a_right_answer_is_given_in_the_form_of_an_answer() {
    let told = attempt(&json!({})).unwrap();
    let again: JsonObject = told
        .questions
        .into_iter()
        .filter(|one| one.correct.is_some())
        .map(|one| (one.question_id, one.right_answer))
        .collect();
    assert_eq!(attempt(&Value::Object(again)).unwrap().percent, Some(100));
}

#[test]
fn a_quiz_of_open_questions_has_no_score_to_pass() {
    let quiz = json!({"questions": [{"id": "q1", "type": "open", "prompt": "?"}]});
    let content = ActivityContent::parse(ActivityKind::Quiz, object(&quiz)).unwrap();
    let answers = object(&json!({"q1": "Because."}));
    let result = score(ActivityKind::Quiz, &content, Some(&answers), None).unwrap();
    assert_eq!((result.percent, result.passed), (None, None));
    assert_eq!(result.max_score, Points::ZERO);
}

#[test]
fn what_is_not_written_yet_cannot_be_answered() {
    for (kind, content) in [
        (ActivityKind::Quiz, json!({})),
        (ActivityKind::Quiz, json!({"questions": []})),
        (ActivityKind::Flashcards, json!({})),
    ] {
        let content = ActivityContent::parse(kind, object(&content)).unwrap();
        let refused = score(kind, &content, Some(&JsonObject::new()), None);
        assert_eq!(refused, Err(Unscorable::Unwritten));
    }
}

#[test]
fn a_reflection_takes_a_text_of_so_many_words() {
    let content = json!({"prompt": "Why?", "min_words": 3});
    let content = ActivityContent::parse(ActivityKind::Reflection, object(&content)).unwrap();
    let reflect = |answers: Value| {
        let answers = answers.as_object();
        match score(ActivityKind::Reflection, &content, answers, None) {
            Ok(result) => Ok(result.percent),
            Err(Unscorable::Invalid(problems)) => Err(problems
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ")),
            Err(Unscorable::Unwritten) => panic!("it is written"),
        }
    };
    assert_eq!(reflect(json!({"text": "It is cold."})), Ok(None));
    assert_eq!(
        reflect(json!({"text": "It is"})).unwrap_err(),
        "answers.text must have at least 3 words"
    );
    assert_eq!(
        reflect(json!({"mood": 5})).unwrap_err(),
        "answers.mood is not asked for here; answers.text is required"
    );
    assert_eq!(reflect(Value::Null).unwrap_err(), "answers is required");
}

#[test]
fn the_other_kinds_are_done_when_they_are_done() {
    let content = json!({"cards": [{"front": "a", "back": "b"}]});
    let content = ActivityContent::parse(ActivityKind::Flashcards, object(&content)).unwrap();
    let done = score(ActivityKind::Flashcards, &content, None, None).unwrap();
    assert_eq!((done.max_score, done.passed), (Points::ZERO, None));
    let noted = object(&json!({"c1": "known"}));
    assert!(score(ActivityKind::Flashcards, &content, Some(&noted), None).is_ok());
    let flood = object(&json!({"c1": "x".repeat(20_000)}));
    assert!(score(ActivityKind::Flashcards, &content, Some(&flood), None).is_err());
}

/// Answers of the right form to the quiz, right or wrong.
fn any_answers() -> impl Strategy<Value = Value> {
    let ids = prop::sample::subsequence(vec!["a", "b", "c", "d"], 0..=4);
    let order = Just(vec!["wash", "cut", "heat", "eat"]).prop_shuffle();
    let sides = prop::collection::vec(prop::sample::select(vec!["5 °C", "-18 °C", ""]), 3);
    let blanks = prop::collection::vec("[abcx ]{0,3}", 3);
    let one = prop::sample::select(vec!["a", "b"]);
    (
        one,
        ids,
        any::<bool>(),
        "\\PC{0,12}",
        any::<f64>(),
        blanks,
        order,
        sides,
    )
        .prop_map(|(one, ids, truth, short, number, blanks, order, sides)| {
            let by_id = |texts: Vec<String>| -> Value {
                let numbered = (1..).zip(texts);
                numbered
                    .map(|(n, text)| (n.to_string(), json!(text)))
                    .collect()
            };
            let sides = sides.into_iter().map(str::to_owned).collect();
            json!({
                "single": one, "multiple": ids, "truth": truth, "short": short, "number": number,
                "cloze": by_id(blanks), "order": order, "match": by_id(sides), "open": "two words",
            })
        })
}

proptest! {
    #[test]
    fn a_score_is_between_nothing_and_the_maximum(answers in any_answers(), left_out in 0..9_usize) {
        let mut answers = object(&answers);
        let name = answers.keys().nth(left_out).cloned().unwrap();
        answers.remove(&name);
        let result = attempt(&Value::Object(answers.clone())).unwrap();
        prop_assert!(result.score <= result.max_score);
        prop_assert!(result.questions.iter().all(|one| one.score <= one.max_score));
        prop_assert!(result.percent.unwrap() <= 100);
        prop_assert_eq!(result.percent == Some(100), result.score == result.max_score);
        prop_assert_eq!(attempt(&Value::Object(answers)).unwrap(), result);
    }

    #[test]
    fn right_answers_give_everything_whatever_it_is_worth(worth in prop::collection::vec(1..10_000_u32, 8)) {
        let mut quiz = quiz();
        for (question, worth) in quiz["questions"].as_array_mut().unwrap().iter_mut().zip(worth) {
            question["points"] = json!(f64::from(worth) / 100.0);
        }
        let content = ActivityContent::parse(ActivityKind::Quiz, object(&quiz)).unwrap();
        let result = score(ActivityKind::Quiz, &content, Some(&object(&right())), None).unwrap();
        prop_assert_eq!(result.score, result.max_score);
        prop_assert_eq!(result.percent, Some(100));
    }

    #[test]
    fn no_answer_breaks_the_scoring(text in "\\PC{0,20}", number in any::<f64>(), which in 0..9_usize) {
        let names = object(&right());
        let name = names.keys().nth(which).cloned().unwrap();
        for answer in [json!(text), json!([text]), json!({text.as_str(): text}), json!(number), json!([[number]])] {
            let _ = attempt(&json!({name.as_str(): answer}));
        }
    }
}

#[test]
fn only_what_was_asked_counts_and_only_that_is_answered() {
    let content = ActivityContent::parse(ActivityKind::Quiz, object(&quiz())).unwrap();
    let asked = ["truth".to_owned(), "short".to_owned()];
    let answers = object(&json!({"truth": true}));
    let result = score(ActivityKind::Quiz, &content, Some(&answers), Some(&asked)).unwrap();
    let ids: Vec<&str> = result
        .questions
        .iter()
        .map(|one| one.question_id.as_str())
        .collect();
    assert_eq!(ids, ["truth", "short"]);
    let all: i32 = result
        .questions
        .iter()
        .map(|one| one.max_score.hundredths())
        .sum();
    assert_eq!(result.max_score.hundredths(), all);
    let others = object(&json!({"single": "a"}));
    let refused = score(ActivityKind::Quiz, &content, Some(&others), Some(&asked));
    assert!(
        matches!(&refused, Err(Unscorable::Invalid(problems)) if problems[0].field == "answers.single"),
        "{refused:?}"
    );
}
