//! A model's explanation of a grade.

use lyceum_domain::grading::explanations::{ExplanationTask, rationale};
use lyceum_domain::grading::grades::CriterionResult;
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::{AiError, AiProvider};
use lyceum_ports::drafting::ai_calls::Meter;
use serde_json::{Value, json};

use super::{SUBMISSION, adapter, answering, requests, says, task as grading};

fn result(id: &str, hundredths: u32) -> CriterionResult {
    CriterionResult {
        criterion_id: id.to_owned(),
        name: id.to_owned(),
        level_id: None,
        score: Points::from_hundredths(i64::from(hundredths)),
        max_score: Points::whole(4),
        rationale: "The teacher's words".to_owned(),
        evidence: Vec::new(),
        confidence: None,
        missing: Vec::new(),
        not_judged: None,
    }
}

fn task() -> ExplanationTask {
    let grading = grading();
    ExplanationTask {
        assignment_name: grading.assignment_name,
        instructions: grading.instructions,
        rubric: grading.rubric,
        submission: grading.submission,
        score: Points::whole(60),
        max_score: Points::HUNDRED,
        results: vec![result("danger", 300), result("log", 50)],
        feedback: "Fine.".to_owned(),
        course_instructions: String::new(),
        course_language: "en".to_owned(),
        private: Vec::new(),
        model: String::new(),
    }
}

fn explained() -> Value {
    json!({
        "criteria": [
            {"criterion_id": "danger", "awarded_points": 3, "agreement": "supported", "explanation": "Spores are named.",
             "evidence": [{"text": "Spores survive the cooking.", "occurrence": 1}]},
            {"criterion_id": "log", "awarded_points": 0.5, "agreement": "not_found_in_submission",
             "explanation": "No log is named.", "evidence": []},
        ],
        "summary": "60 of 100 fits, with 3 of 4 for the danger.",
    })
}

#[tokio::test]
async fn an_explanation_keeps_to_the_grade_and_to_the_text() {
    let server = answering(vec![says(&explained().to_string(), "stop")]).await;
    let answered = adapter(&server)
        .explain_grade(task(), &Meter::default())
        .await
        .unwrap();
    assert_eq!(answered.prompt_version, "explain-2");
    let told = rationale(&task(), &answered.value);
    let expected = "danger (3/4): Spores are named. [“Spores survive the cooking.”]\nlog (0.5/4): No log is named. (not_found_in_submission)\n60 of 100 fits, with 3 of 4 for the danger.";
    assert_eq!(told, expected);
}

#[tokio::test]
async fn the_students_text_is_fenced_and_apart() {
    let server = answering(vec![says(&explained().to_string(), "stop")]).await;
    adapter(&server)
        .explain_grade(task(), &Meter::default())
        .await
        .unwrap();
    let sent = requests(&server).await;
    let messages = sent[0]["messages"].as_array().unwrap();
    let content = |at: usize| messages[at]["content"].as_str().unwrap().to_owned();
    assert!(!content(0).contains(SUBMISSION) && !content(1).contains(SUBMISSION));
    assert!(content(1).contains("The teacher's words"));
    let fenced: Value = serde_json::from_str(&content(2)).unwrap();
    let (name, text) = fenced.as_object().unwrap().iter().next().unwrap();
    assert!(
        name.starts_with("submission_") && name.len() == 19,
        "{name}"
    );
    assert_eq!(text, SUBMISSION);
}

#[tokio::test]
async fn another_grade_between_the_lines_is_refused() {
    let changed = |at: &str, value: Value| {
        let mut wrong = explained();
        *wrong.pointer_mut(at).unwrap() = value;
        wrong
    };
    let cases = [
        changed("/criteria/0/awarded_points", json!(4)),
        changed("/criteria/1/criterion_id", json!("danger")),
        changed("/criteria/1/criterion_id", json!("style")),
        changed("/summary", json!("It should rather be 85.")),
        changed("/summary", json!(" ")),
    ];
    for wrong in cases {
        let answer = || says(&wrong.to_string(), "stop");
        let server = answering(vec![answer(), answer()]).await;
        let refused = adapter(&server)
            .explain_grade(task(), &Meter::default())
            .await;
        assert!(matches!(refused, Err(AiError::InvalidOutput(_))), "{wrong}");
        assert_eq!(requests(&server).await.len(), 2);
    }
}

#[tokio::test]
async fn a_blank_text_needs_no_model() {
    let server = answering(vec![]).await;
    let mut blank = task();
    blank.submission = "  ".to_owned();
    let answered = adapter(&server)
        .explain_grade(blank, &Meter::default())
        .await
        .unwrap();
    assert_eq!(answered.model, "builtin");
    assert!(requests(&server).await.is_empty());
}

#[tokio::test]
async fn bad_explanations_are_sent_back_once() {
    let changed = |at: &str, value: Value| {
        let mut wrong = explained();
        *wrong.pointer_mut(at).unwrap() = value;
        wrong.to_string()
    };
    let good = explained().to_string();
    let invented = json!([{"text": "Spores are killed.", "occurrence": 1}]);
    let cases = [
        changed("/criteria/0/evidence", invented.clone()),
        changed("/criteria/0/agreement", json!("perhaps")),
        changed("/criteria/0/awarded_points", json!(3.004_9)),
        changed(
            "/summary",
            json!("60 of 100 fits. See https://evil.example."),
        ),
        changed("/summary", json!("Sixty fits, as 5 °C is named.")),
        changed(
            "/summary",
            json!("La nota es justa porque el texto dice que las esporas sobreviven a la cocción."),
        ),
    ];
    for wrong in cases {
        let server = answering(vec![says(&wrong, "stop"), says(&good, "stop")]).await;
        let answered = adapter(&server)
            .explain_grade(task(), &Meter::default())
            .await
            .unwrap();
        let told = rationale(&task(), &answered.value);
        assert!(
            told.starts_with("danger (3/4): Spores are named. [“Spores"),
            "{told}"
        );
        let expected = if wrong.contains("3.0049") { 1 } else { 2 };
        assert_eq!(requests(&server).await.len(), expected, "{wrong}");
    }
    // Still invented: the rest is of use, and the teacher is told that nothing was found.
    let wrong = changed("/criteria/0/evidence", invented);
    let server = answering(vec![says(&wrong, "stop"), says(&wrong, "stop")]).await;
    let answered = adapter(&server)
        .explain_grade(task(), &Meter::default())
        .await
        .unwrap();
    let told = rationale(&task(), &answered.value);
    assert!(
        told.starts_with("danger (3/4): Spores are named. (not_found_in_submission)"),
        "{told}"
    );
}

#[tokio::test]
async fn nobody_is_named_to_the_provider() {
    let mut named = task();
    named.private = vec!["Ada Lovelace".to_owned()];
    named.submission = "Spores survive the cooking. I am Ada.".to_owned();
    named.feedback = "Well done, Ada Lovelace.".to_owned();
    named.results[0].rationale = "Lovelace knows.".to_owned();
    let mut answer = explained();
    answer["criteria"][0]["explanation"] = json!("Person-1 names spores.");
    let server = answering(vec![says(&answer.to_string(), "stop")]).await;
    let answered = adapter(&server)
        .explain_grade(named.clone(), &Meter::default())
        .await
        .unwrap();
    let body = requests(&server).await[0].to_string();
    assert!(
        !body.contains("Ada") && !body.contains("Lovelace"),
        "{body}"
    );
    let told = rationale(&named, &answered.value);
    assert!(told.contains("Ada") && !told.contains("Person-"), "{told}");
}
