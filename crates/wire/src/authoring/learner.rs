//! Content as a learner sees it: everything but what would give the answer away.
//!
//! What a question shows is listed, not what it hides: a member that nobody thought of stays hidden.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::json::JsonObject;
use serde_json::{Value, json};

/// Members of a quiz that learners see, beside its questions.
const QUIZ: [&str; 8] = [
    "title",
    "introduction",
    "instructions",
    "shuffle",
    "passing_percent",
    "show_answers",
    "max_attempts",
    "questions_per_attempt",
];
/// Members of a question that learners see as they are.
const QUESTION: [&str; 14] = [
    "id",
    "type",
    "prompt",
    "text",
    "points",
    "hint",
    "unit",
    "case_sensitive",
    "placeholder",
    "min_words",
    "max_words",
    "image",
    "alt",
    "media",
];
/// Members of a thing to choose or to put in order that learners see.
const CHOICE: [&str; 4] = ["id", "text", "image", "alt"];
/// Members that other kinds of activities hide, wherever they stand.
const HIDDEN: [&str; 6] = [
    "answer",
    "answers",
    "accepted_answers",
    "correct",
    "sample_answer",
    "grader_notes",
];

/// The content document of an activity without answers, explanations and notes for graders.
pub fn content(kind: ActivityKind, content: &JsonObject) -> JsonObject {
    match kind {
        ActivityKind::Quiz => quiz(content),
        ActivityKind::Flashcards
        | ActivityKind::Explainer
        | ActivityKind::Podcast
        | ActivityKind::Video
        | ActivityKind::Reflection => without_hidden(content),
    }
}

fn quiz(content: &JsonObject) -> JsonObject {
    let mut shown = only(content, &QUIZ);
    if let Some(questions) = content.get("questions") {
        let questions = entries(questions)
            .iter()
            .filter_map(Value::as_object)
            .map(|asked| Value::Object(question(asked)));
        shown.insert("questions".to_owned(), questions.collect());
    }
    shown
}

/// Goes by the members and not by the type, so that a question of a mistaken type tells nothing either.
fn question(asked: &JsonObject) -> JsonObject {
    let mut shown = only(asked, &QUESTION);
    if let Some(options) = asked.get("options") {
        shown.insert("options".to_owned(), choices(options).into());
    }
    if let Some(blanks) = asked.get("blanks") {
        let blanks = entries(blanks)
            .iter()
            .map(|blank| json!({"id": blank.get("id")}));
        shown.insert("blanks".to_owned(), blanks.collect());
    }
    if let Some(items) = asked.get("items") {
        let mut items = choices(items);
        // They are stored in the right order, and their ids count along with it: answers are made of their texts.
        items.sort_by_cached_key(|item| text_of(item).to_owned());
        for item in items.iter_mut().filter_map(Value::as_object_mut) {
            item.remove("id");
        }
        shown.insert("items".to_owned(), items.into());
    }
    if let Some(pairs) = asked.get("pairs") {
        shown.insert("pairs".to_owned(), torn_apart(entries(pairs)));
    }
    shown
}

fn torn_apart(pairs: &[Value]) -> Value {
    let lefts = pairs.iter().map(|pair| {
        let text = pair.get("left").cloned().unwrap_or_default();
        json!({"id": pair.get("id"), "text": text})
    });
    let mut rights: Vec<&str> = pairs
        .iter()
        .filter_map(|pair| pair.get("right")?.as_str())
        .collect();
    rights.sort_unstable();
    json!({"lefts": lefts.collect::<Vec<_>>(), "rights": rights})
}

fn choices(value: &Value) -> Vec<Value> {
    let shown = entries(value).iter().map(|choice| match choice {
        Value::Object(choice) => Value::Object(only(choice, &CHOICE)),
        // A list is nothing to choose, so nobody knows what it gives away.
        Value::Array(_) => Value::Null,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => choice.clone(),
    });
    shown.collect()
}

fn text_of(choice: &Value) -> &str {
    choice
        .as_str()
        .or_else(|| choice.get("text")?.as_str())
        .unwrap_or_default()
}

fn entries(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn only(object: &JsonObject, members: &[&str]) -> JsonObject {
    object
        .iter()
        .filter(|(name, _)| members.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn without_hidden(object: &JsonObject) -> JsonObject {
    object
        .iter()
        .filter(|(name, _)| !HIDDEN.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), cleaned(value)))
        .collect()
}

fn cleaned(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(without_hidden(object)),
        Value::Array(entries) => entries.iter().map(cleaned).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::authoring::activities::QuestionType;

    fn of_every_type() -> JsonObject {
        let quiz = json!({
            "shuffle": true, "passing_percent": 70, "show_answers": "after_submit", "solution": "SECRET",
            "questions": [
                {"id": "q1", "type": "single_choice", "prompt": "One?", "explanation": "SECRET", "points": 2,
                 "source_quote": "SECRET", "rationale": "SECRET", "lesson_key_point": 1, "bloom": "SECRET",
                 "options": [{"id": "a", "text": "A", "correct": true, "feedback": "SECRET", "rationale": "SECRET"},
                             {"id": "b", "text": "B", "correct": false}]},
                {"id": "q2", "type": "multiple_choice", "prompt": "Some?",
                 "options": [{"id": "a", "text": "A", "correct": true}], "grader_notes": "SECRET"},
                {"id": "q3", "type": "true_false", "prompt": "True?", "answer": "SECRET"},
                {"id": "q4", "type": "short_text", "prompt": "Word?", "accepted_answers": ["SECRET"]},
                {"id": "q5", "type": "numeric", "prompt": "Number?", "answer": "SECRET", "tolerance": "SECRET",
                 "unit": "°C"},
                {"id": "q6", "type": "cloze", "prompt": "Fill", "text": "Below {{1}}",
                 "blanks": [{"id": "1", "accepted_answers": ["SECRET"]}]},
                {"id": "q7", "type": "ordering", "prompt": "Order",
                 "items": [{"id": "1", "text": "wash"}, {"id": "2", "text": "cut"}, {"id": "3", "text": "heat"}]},
                {"id": "q8", "type": "matching", "prompt": "Pair",
                 "pairs": [{"id": "1", "left": "fridge", "right": "5 °C"}, {"id": "2", "left": "freezer", "right": "-18 °C"}]},
                {"id": "q9", "type": "open", "prompt": "Why?", "sample_answer": "SECRET"},
            ],
        });
        quiz.as_object().cloned().unwrap()
    }

    #[test]
    fn no_answer_of_any_question_type_survives() {
        let shown = Value::Object(content(ActivityKind::Quiz, &of_every_type()));
        let text = shown.to_string();
        for hidden in [
            "SECRET",
            "correct",
            "answer\"",
            "accepted_answers",
            "tolerance",
            "feedback",
            "explanation",
            "rationale",
            "lesson_key_point",
        ] {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
        let types: Vec<&str> = entries(&shown["questions"])
            .iter()
            .filter_map(|question| question["type"].as_str())
            .collect();
        let all: Vec<&str> = QuestionType::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(types, all);
    }

    #[test]
    fn what_a_learner_needs_to_answer_stays() {
        let shown = content(ActivityKind::Quiz, &of_every_type());
        let questions = &shown["questions"];
        assert_eq!(shown["passing_percent"], json!(70));
        assert_eq!(questions[0]["options"][0], json!({"id": "a", "text": "A"}));
        assert_eq!(questions[0]["points"], json!(2));
        assert_eq!(questions[5]["blanks"], json!([{"id": "1"}]));
        let order: Vec<&str> = entries(&questions[6]["items"])
            .iter()
            .map(text_of)
            .collect();
        assert_eq!(order, ["cut", "heat", "wash"]);
        assert_eq!(questions[6]["items"][0], json!({"text": "cut"}));
        let pairs = json!({
            "lefts": [{"id": "1", "text": "fridge"}, {"id": "2", "text": "freezer"}],
            "rights": ["-18 °C", "5 °C"],
        });
        assert_eq!(questions[7]["pairs"], pairs);
    }

    #[test]
    fn other_kinds_hide_what_is_for_graders() {
        let reflection = json!({"prompt": "Why?", "min_words": 50, "sample_answer": "Because", "grader_notes": "!"});
        let shown = content(ActivityKind::Reflection, reflection.as_object().unwrap());
        assert_eq!(
            Value::Object(shown),
            json!({"prompt": "Why?", "min_words": 50})
        );
        let cards = json!({"cards": [{"id": "1", "front": "a", "back": "b"}]});
        let shown = content(ActivityKind::Flashcards, cards.as_object().unwrap());
        assert_eq!(Value::Object(shown), cards);
    }
}
