use super::quiz::Quiz;
use super::*;
use crate::Id;
use crate::points::Points;
use rstest::rstest;
use serde_json::{Value, json};

fn parse(kind: ActivityKind, content: &Value) -> Result<Value, Vec<String>> {
    ActivityContent::parse(kind, content.as_object().cloned().unwrap())
        .map(|content| Value::Object(content.as_map().clone()))
        .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn question(question: &Value) -> Result<Value, Vec<String>> {
    let mut question = question.clone();
    question["prompt"] = json!("?");
    parse(ActivityKind::Quiz, &json!({"questions": [question]}))
}

fn one_of_each_type() -> Value {
    json!([
        {"type": "single_choice", "prompt": "?", "options": [{"text": "A", "correct": true}, {"text": "B"}]},
        {"type": "multiple_choice", "prompt": "?", "points": 2.5,
         "options": [{"text": "A", "correct": true}, {"text": "B", "correct": true, "feedback": "yes"}]},
        {"type": "true_false", "prompt": "?", "answer": false, "explanation": "because"},
        {"type": "short_text", "prompt": "?", "accepted_answers": ["a"], "case_sensitive": true},
        {"type": "numeric", "prompt": "?", "answer": -1.5, "tolerance": 0.1, "unit": "°C"},
        {"type": "cloze", "prompt": "?", "text": "{{1}} and {{ 2 }}",
         "blanks": [{"id": 1, "accepted_answers": ["a"]}, {"accepted_answers": ["b"]}]},
        {"type": "ordering", "prompt": "?", "items": ["first", {"text": "second"}]},
        {"type": "matching", "prompt": "?", "pairs": [{"left": "a", "right": "1"}, {"left": "b", "right": "2"}]},
        {"type": "open", "prompt": "?", "sample_answer": "x", "min_words": 5},
    ])
}

#[test]
fn every_type_of_question_is_taken_with_what_it_lives_on() {
    let quiz = json!({
        "questions": one_of_each_type(), "shuffle": true, "passing_percent": 62.5, "show_answers": "never", "mine": 1,
    });
    let kept = parse(ActivityKind::Quiz, &quiz).unwrap();
    assert_eq!(kept["mine"], json!(1), "unknown members stay");
    let quiz = Quiz::of(kept.as_object().unwrap());
    assert_eq!(quiz.questions.len(), QuestionType::ALL.len());
    assert_eq!((quiz.passing_percent, quiz.shows_answers), (63, false));
    let points: Vec<i32> = quiz
        .questions
        .iter()
        .map(|asked| asked.points.hundredths())
        .collect();
    assert_eq!(points, [100, 250, 100, 100, 100, 100, 100, 100, 0]);
}

#[test]
fn what_has_no_id_gets_one_from_its_place() {
    let quiz = json!({"questions": one_of_each_type()});
    let kept = parse(ActivityKind::Quiz, &quiz).unwrap();
    let ids = |list: &Value| -> Vec<String> {
        let entries = list.as_array().unwrap().iter();
        entries
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let questions = &kept["questions"];
    assert_eq!(ids(questions).join(" "), "q1 q2 q3 q4 q5 q6 q7 q8 q9");
    assert_eq!(ids(&questions[0]["options"]), ["o1", "o2"]);
    assert_eq!(ids(&questions[5]["blanks"]), ["1", "2"]);
    assert_eq!(ids(&questions[6]["items"]), ["i1", "i2"]);
    assert_eq!(ids(&questions[7]["pairs"]), ["p1", "p2"]);
    let again = parse(ActivityKind::Quiz, &kept).unwrap();
    assert_eq!(again, kept, "ids that are there stay");
    let cards = json!({"cards": [
        {"front": "a", "back": "b"}, {"id": " c1 ", "front": "a", "back": "b"}, {"front": "a", "back": "b"},
    ]});
    let cards = parse(ActivityKind::Flashcards, &cards).unwrap();
    assert_eq!(ids(&cards["cards"]), ["c2", "c1", "c3"]);
}

#[test]
fn an_empty_object_is_an_activity_still_to_be_written() {
    for kind in ActivityKind::ALL {
        assert_eq!(parse(*kind, &json!({})), Ok(json!({})));
    }
}

#[test]
fn every_problem_is_named_at_once() {
    let quiz = json!({"shuffle": 1, "passing_percent": 101, "show_answers": "always", "questions": [
        {"type": "single_choice", "prompt": " ", "options": [{"text": "A"}, {"correct": "yes", "text": "B"}]},
        {"type": "riddle", "prompt": "?"},
        {"id": "q1", "type": "numeric", "prompt": "?", "tolerance": -1, "points": -2},
        7,
    ]});
    assert_eq!(
        parse(ActivityKind::Quiz, &quiz).unwrap_err(),
        [
            "content.shuffle must be of type boolean",
            "content.passing_percent must be between 0 and 100",
            "content.show_answers must be one of after_submit never",
            "content.questions[3] must be an object",
            "content.questions[0].prompt must not be blank",
            "content.questions[0].options[1].correct must be of type boolean",
            "content.questions[0].options must have one that is correct",
            "content.questions[1].type must be one of single_choice multiple_choice true_false \
             short_text numeric cloze ordering matching open",
            "content.questions[2].points must be between 0 and 1000000",
            "content.questions[2].tolerance must be at least 0",
            "content.questions[2].answer is required",
        ]
    );
    let missing = parse(ActivityKind::Quiz, &json!({"shuffle": true}));
    assert_eq!(missing.unwrap_err(), ["content.questions is required"]);
}

#[rstest]
#[case(json!({"type": "single_choice"}), "options is required")]
#[case(json!({"type": "single_choice", "options": [{"text": "A", "correct": true}]}),
    "options must have at least 2 entries")]
#[case(json!({"type": "multiple_choice", "options": [{"text": "A", "correct": true}, {"correct": false}]}),
    "options[1].text is required")]
#[case(json!({"type": "multiple_choice", "options": [
    {"id": "a", "text": "A", "correct": true}, {"id": "a", "text": "B"}]}),
    "options[1].id must not be used twice")]
#[case(json!({"type": "true_false", "answer": "true"}), "answer must be of type boolean")]
#[case(json!({"type": "short_text", "accepted_answers": []}), "accepted_answers must not be empty")]
#[case(json!({"type": "short_text", "accepted_answers": [" "]}), "accepted_answers[0] must not be blank")]
#[case(json!({"type": "numeric", "answer": "5"}), "answer must be of type number")]
#[case(json!({"type": "cloze", "text": "{{1}}", "blanks": []}), "blanks must have at least 1 entries")]
#[case(json!({"type": "cloze", "text": "a {{2}}", "blanks": [{"id": "2"}]}),
    "blanks[0].accepted_answers is required")]
#[case(json!({"type": "cloze", "text": "nothing", "blanks": [{"accepted_answers": ["a"]}]}),
    "blanks[0].id must stand in the text as {{id}}")]
#[case(json!({"type": "cloze", "text": "{{1}} {{x}}", "blanks": [{"accepted_answers": ["a"]}]}),
    "text must name every blank once: {{x}}")]
#[case(json!({"type": "ordering", "items": ["only"]}), "items must have at least 2 entries")]
#[case(json!({"type": "matching", "pairs": [{"left": "a", "right": "b"}, {"left": "c"}]}),
    "pairs[1].right is required")]
#[case(json!({"type": "open", "min_words": 1.5}), "min_words must be an integer between 0 and 10000")]
fn a_question_says_what_it_lacks(#[case] asked: Value, #[case] problem: &str) {
    assert_eq!(
        question(&asked).unwrap_err(),
        [format!("content.questions[0].{problem}")]
    );
}

#[rstest]
#[case(ActivityKind::Flashcards, json!({"cards": [{"front": "a", "back": " "}]}),
    "content.cards[0].back must not be blank")]
#[case(ActivityKind::Explainer, json!({"sections": [{"heading": "a"}]}), "content.sections[0].body is required")]
#[case(ActivityKind::Explainer, json!({"sections": [], "glossary": [{"term": "a"}]}),
    "content.glossary[0].definition is required")]
#[case(ActivityKind::Podcast, json!({"segments": []}), "content.speakers is required")]
#[case(ActivityKind::Podcast, json!({"speakers": [{"id": "a", "name": "A"}],
    "segments": [{"turns": [{"speaker_id": "b", "text": "Hm."}]}]}),
    "content.segments[0].turns[0].speaker_id must be the id of one of the speakers")]
#[case(ActivityKind::Podcast, json!({"speakers": vec![json!({"name": "A"}); 5], "segments": []}),
    "content.speakers must have at most 4 entries")]
#[case(ActivityKind::Podcast, json!({"speakers": [{"name": "A"}], "segments": [], "audio": {"status": "loud"}}),
    "content.audio.status must be one of none pending ready error")]
#[case(ActivityKind::Podcast, json!({"speakers": [{"name": "A"}], "segments": [], "audio": {"status": "ready"}}),
    "content.audio.url is required")]
#[case(ActivityKind::Video, json!({"url": "javascript:alert(1)"}),
    "content.url must be an absolute http or https address, or media:med_…")]
#[case(ActivityKind::Video, json!({"url": "media:crs_01kajxyz5v8e2m4q6r8t0w2y4a"}),
    "content.url must be an absolute http or https address, or media:med_…")]
#[case(ActivityKind::Video, json!({"url": "https://v.example", "chapters": [{"start_seconds": 3}]}),
    "content.chapters[0].title is required")]
#[case(ActivityKind::Reflection, json!({"min_words": 5}), "content.prompt is required")]
fn a_kind_says_what_it_lacks(
    #[case] kind: ActivityKind,
    #[case] content: Value,
    #[case] problem: &str,
) {
    assert_eq!(parse(kind, &content).unwrap_err(), [problem]);
}

#[test]
fn a_blank_may_stand_in_braces_of_its_own() {
    let asked = |text: &str| {
        let blanks = json!([{"accepted_answers": ["a"]}]);
        question(&json!({"type": "cloze", "text": text, "blanks": blanks}))
    };
    for text in ["{{{1}}}", "{{ 1 }}, }} and {x}", "}{{{1}}{", "{{1}}{{"] {
        assert!(asked(text).is_ok(), "{text}");
    }
    for text in ["{1}", "{{1}", "{{1 }x}", "{{2}}"] {
        assert!(asked(text).is_err(), "{text}");
    }
}

#[test]
fn the_other_kinds_are_taken_whole() {
    let explainer = json!({
        "sections": [{"id": "s", "heading": "H", "body": "B", "visual": "A lamp"}, {"body": "B", "visual": {"alt": "x"}}],
        "key_points": ["one"], "glossary": [{"term": "T", "definition": "D"}],
    });
    let podcast = json!({
        "language": "pt-BR", "speakers": [{"id": "a", "name": "Mara"}],
        "segments": [{"title": "T", "turns": [{"speaker_id": "a", "text": "Hello."}]}],
        "audio": {"status": "ready", "url": "https://a.example/1.mp3", "duration_ms": 900},
    });
    let video = json!({
        "url": "https://v.example/1",
        "captions": [{"language": "en", "url": "https://v.example/1.vtt"}], "chapters": [{"title": "T", "start_seconds": 0}],
    });
    let address = "media:med_01kajxyz5v8e2m4q6r8t0w2y4a";
    let of_library = json!({"url": address, "captions": [{"language": "en", "url": address}]});
    let mut recorded = podcast.clone();
    recorded["audio"]["url"] = json!(address);
    let reflection = json!({"prompt": "Why?", "min_words": 50});
    assert!(parse(ActivityKind::Explainer, &explainer).is_ok());
    assert_eq!(parse(ActivityKind::Podcast, &podcast), Ok(podcast));
    assert_eq!(parse(ActivityKind::Video, &video), Ok(video));
    assert_eq!(parse(ActivityKind::Video, &of_library), Ok(of_library));
    assert!(parse(ActivityKind::Podcast, &recorded).is_ok());
    assert_eq!(parse(ActivityKind::Reflection, &reflection), Ok(reflection));
}

fn pool(count: usize, more: &Value) -> Value {
    let questions: Vec<Value> = (1..=count)
        .map(
            |n| json!({"id": format!("q{n}"), "type": "true_false", "prompt": "?", "answer": true}),
        )
        .collect();
    let mut quiz = json!({"questions": questions});
    for (name, value) in more.as_object().unwrap() {
        quiz[name] = value.clone();
    }
    quiz
}

fn read_quiz(quiz: &Value) -> Quiz {
    Quiz::of(quiz.as_object().unwrap())
}

#[test]
fn each_learner_and_attempt_is_asked_questions_of_their_own_and_always_the_same() {
    let quiz = read_quiz(&pool(40, &json!({"questions_per_attempt": 5})));
    let asked = |user: u128, number: u32| {
        let id = |n: u128| uuid::Uuid::from_u128(n);
        quiz.asked(Id::from_uuid(id(1)), Id::from_uuid(id(user)), number)
    };
    assert!(quiz.draws());
    assert_eq!(asked(7, 1), asked(7, 1));
    assert_eq!(asked(7, 1).len(), 5);
    let place = |id: &String| id.trim_start_matches('q').parse::<usize>().unwrap();
    assert!(asked(7, 1).iter().map(place).is_sorted());
    let different: std::collections::BTreeSet<Vec<String>> = (0..20)
        .flat_map(|user| [asked(user, 1), asked(user, 2)])
        .collect();
    assert!(different.len() > 35, "{}", different.len());
    // Every question has its turn: none of forty is left out of two hundred draws of five.
    let drawn: std::collections::BTreeSet<String> =
        (0..200).flat_map(|user| asked(user, 1)).collect();
    assert_eq!(drawn.len(), 40);
    let all = read_quiz(&pool(3, &json!({})));
    assert!(!all.draws());
    assert_eq!(
        all.asked(
            Id::from_uuid(uuid::Uuid::nil()),
            Id::from_uuid(uuid::Uuid::nil()),
            1
        ),
        ["q1", "q2", "q3"]
    );
}

#[test]
fn an_attempt_that_is_drawn_can_be_scored() {
    let mut pool = pool(1, &json!({"questions_per_attempt": 1}));
    let questions = pool["questions"].as_array_mut().unwrap();
    for n in 0..20 {
        questions.push(json!({"id": format!("o{n}"), "type": "open", "prompt": "?"}));
    }
    let quiz = read_quiz(&pool);
    for user in 0..30 {
        let user = Id::from_uuid(uuid::Uuid::from_u128(user));
        assert_eq!(
            quiz.asked(Id::from_uuid(uuid::Uuid::nil()), user, 1),
            ["q1"]
        );
    }
}

#[test]
fn who_draws_draws_as_many_as_are_asked_each_once_and_of_this_quiz() {
    let quiz = read_quiz(&pool(4, &json!({"questions_per_attempt": 2})));
    let drawn = |ids: &[&str]| {
        let ids: Vec<String> = ids.iter().map(|&id| id.to_owned()).collect();
        quiz.check_drawn(&ids)
    };
    assert!(drawn(&["q4", "q1"]).is_ok());
    for wrong in [
        &["q1"][..],
        &["q1", "q1"],
        &["q1", "q2", "q3"],
        &["q1", "q9"],
        &[],
    ] {
        assert_eq!(drawn(wrong).unwrap_err().field, "asked", "{wrong:?}");
    }
}

#[test]
fn a_quiz_asks_no_more_than_it_has_and_lets_somebody_try_at_least_once() {
    let refused = |more: Value| {
        let content = pool(3, &more).as_object().unwrap().clone();
        let problems = ActivityContent::parse(ActivityKind::Quiz, content).unwrap_err();
        problems
            .into_iter()
            .map(|one| one.field)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        refused(json!({"questions_per_attempt": 4})),
        ["content.questions_per_attempt"]
    );
    assert_eq!(
        refused(json!({"questions_per_attempt": 0})),
        ["content.questions_per_attempt"]
    );
    assert_eq!(
        refused(json!({"max_attempts": 0})),
        ["content.max_attempts"]
    );
    assert_eq!(
        refused(json!({"max_attempts": 1_001})),
        ["content.max_attempts"]
    );
    let quiz = read_quiz(&pool(
        3,
        &json!({"questions_per_attempt": null, "max_attempts": 2}),
    ));
    assert_eq!((quiz.max_attempts, quiz.draws()), (Some(2), false));
}

#[test]
fn an_attempt_that_asks_some_of_the_questions_can_reach_what_they_come_to_on_average() {
    let points = |more: Value| read_quiz(&pool(3, &more)).points().hundredths();
    assert_eq!(points(json!({})), 300);
    assert_eq!(points(json!({"questions_per_attempt": 2})), 200);
    let mut uneven = pool(3, &json!({"questions_per_attempt": 2}));
    uneven["questions"][0]["points"] = json!(2);
    // Two thirds of four points.
    assert_eq!(read_quiz(&uneven).points().hundredths(), 267);
    assert_eq!(read_quiz(&json!({"questions": []})).points(), Points::ZERO);
}
