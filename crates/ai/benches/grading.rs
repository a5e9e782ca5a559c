//! How long the built-in grader takes for a criterion, at 200 words: `cargo bench -p lyceum-ai --bench grading`.
//!
//! Measured, not judged: it fails never, and prints the median in microseconds.

#![allow(clippy::print_stdout, reason = "a benchmark tells what it measured")]
#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

use std::time::{Duration, Instant};

use lyceum_ai::Builtin;
use lyceum_domain::authoring::assignments::FeedbackStyle;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{Anchor, GradingTask};
use lyceum_domain::points::Points;
use lyceum_domain::text::LanguageTag;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::Meter;
use serde_json::json;

const SENTENCES: &[&str] = &[
    "Spores of some bacteria survive the cooking and wake up when a big pot cools slowly.",
    "Between five and sixty-three degrees they multiply fast, and after hours there are millions of them.",
    "Boiling the curry again kills the bacteria but does not destroy the toxins that they left in it.",
    "I take the pot off the worktop, label it and throw the food away before anybody eats from it.",
    "To the sous-chef I say that we lose one dish tonight and not sixty guests, and offer another one.",
    "Sixteen litres are divided into shallow trays and put into an ice bath, then into the cold room.",
    "The time and the temperature are written down in the log, with what was done and by whom.",
    "The blast chiller gets a plan, so that hot food comes first and desserts have to wait for it.",
    "Everybody in the kitchen learns that a lid keeps the heat inside and that size matters.",
    "At the end of the shift the head chef reads the log and signs it, and asks about what is odd.",
    "The probe is cleaned before and after, because otherwise it carries germs from pot to pot.",
];

fn task(criteria: usize, anchors: usize) -> GradingTask {
    let submission = SENTENCES.join(" ");
    let criterion = |index: usize| {
        json!({"id": format!("c{index}"), "name": "Danger", "max_points": 10, "reference_answers": [
            "Cooking kills bacteria but not their spores, which multiply while a big pot cools slowly in the danger zone.",
            "Some bacteria leave toxins in the food that boiling does not destroy, so heating it again is no help."]})
    };
    let rubric = json!({"criteria": (0..criteria).map(criterion).collect::<Vec<_>>()});
    let given = |index: usize| Points::whole(u16::try_from(index % 11).unwrap());
    let anchor = |index: usize| Anchor {
        grade_id: format!("grd_{index}"),
        text: SENTENCES
            .iter()
            .cycle()
            .skip(index)
            .take(11)
            .copied()
            .collect::<Vec<_>>()
            .join(" "),
        points: (0..criteria)
            .map(|one| (format!("c{one}"), given(index)))
            .collect(),
        reason: String::new(),
    };
    let language = LanguageTag::parse("en").unwrap();
    GradingTask {
        assignment_name: "The pot on the worktop".to_owned(),
        instructions: "What is the danger, and what do you do now?".to_owned(),
        rubric: Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap(),
        submission,
        course_instructions: String::new(),
        course_language: "en".to_owned(),
        feedback: FeedbackStyle::of_course(language),
        anchors: (0..anchors).map(anchor).collect(),
        private: Vec::new(),
        model: String::new(),
    }
}

fn median(task: &GradingTask) -> Duration {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let meter = Meter::default();
    let mut times: Vec<Duration> = (0..301)
        .map(|_| {
            let task = task.clone();
            let start = Instant::now();
            runtime.block_on(Builtin.grade(task, &meter)).unwrap();
            start.elapsed()
        })
        .collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn main() {
    let words = SENTENCES.join(" ").split_whitespace().count();
    for (criteria, anchors) in [(1, 0), (4, 0), (1, 10), (1, 50)] {
        let took = median(&task(criteria, anchors));
        println!(
            "{words} words, {criteria} criteria, {anchors} anchors: {} µs",
            took.as_micros()
        );
    }
}
