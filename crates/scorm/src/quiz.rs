//! What a package needs to know about quizzes: which can be scored, and what counts as passed.
//!
//! Reads quiz documents as they come and forgives what is missing. Scoring itself happens in the player.

use lyceum_ports::exporting::scorm::{CourseSnapshot, Done, SnapshotActivity};
use serde_json::Value;

use crate::rendering::Rendering;

/// Asked for when neither a quiz nor the course says otherwise.
const DEFAULT_PASS: u64 = 70;

/// The question types a player knows how to show.
const TYPES: [&str; 9] = [
    "single_choice",
    "multiple_choice",
    "true_false",
    "short_text",
    "numeric",
    "cloze",
    "ordering",
    "matching",
    "open",
];

/// Whether the type is one a player can show.
pub fn known_type(question: &Value) -> bool {
    question
        .get("type")
        .and_then(Value::as_str)
        .is_some_and(|kind| TYPES.contains(&kind))
}

/// Whether a machine can tell a right answer to this question from a wrong one.
pub fn scorable(question: &Value) -> bool {
    match question
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
    {
        "single_choice" | "multiple_choice" => items(question, "options")
            .iter()
            .any(|o| o.get("correct") == Some(&Value::Bool(true))),
        "true_false" => question.get("answer").is_some_and(Value::is_boolean),
        "short_text" => has_text(question, "accepted_answers"),
        "numeric" => question.get("answer").is_some_and(Value::is_number),
        "cloze" => {
            let blanks = items(question, "blanks");
            !blanks.is_empty()
                && blanks
                    .iter()
                    .all(|blank| has_text(blank, "accepted_answers"))
        }
        "ordering" => items(question, "items").len() > 1,
        "matching" => items(question, "pairs").len() > 1,
        _ => false,
    }
}

/// What a question is worth; 1 unless it says otherwise.
pub fn points(question: &Value) -> f64 {
    question
        .get("points")
        .and_then(Value::as_f64)
        .filter(|p| p.is_finite() && *p >= 0.0)
        .unwrap_or(1.0)
}

/// Whether a quiz ends in a score: at least one question that a machine can mark and that is worth something.
pub fn graded(activity: &SnapshotActivity) -> bool {
    activity.kind == "quiz"
        && items(&activity.content, "questions")
            .iter()
            .any(|q| scorable(q) && points(q) > 0.0)
}

/// The per cent a learner needs in one quiz.
pub fn passing_percent(content: &Value) -> u64 {
    let stated = content.get("passing_percent");
    let whole = stated.and_then(Value::as_u64);
    // JSON from elsewhere may say 80.0.
    let decimal = || {
        stated
            .and_then(Value::as_f64)
            .and_then(|p| format!("{p:.0}").parse().ok())
    };
    whole.or_else(decimal).unwrap_or(DEFAULT_PASS).min(100)
}

/// The per cent a learner needs over the course: what it says, else the graded quizzes' average; none if nothing is graded.
pub fn course_pass_mark(snapshot: &CourseSnapshot) -> Option<u64> {
    let average = average_mark(snapshot);
    // Grades of assignments come from the service, and only where the package waits for them before it is done.
    let waits = snapshot.reporting.waits_for_grades && !snapshot.assignments.is_empty();
    let stated = snapshot.completion.passing_percent.map(u64::from);
    stated.filter(|_| average.is_some() || waits).or(average)
}

/// What the course is done by: of quizzes or assignments only where it has some.
pub fn completion(snapshot: &CourseSnapshot, rendering: &mut Rendering<'_>) -> Done {
    let done = snapshot.completion.done;
    let (is_there, what) = match done {
        Done::Everything | Done::Share(_) => return done,
        Done::Quizzes => (average_mark(snapshot).is_some(), "quiz that is scored"),
        Done::Assignments => (!snapshot.assignments.is_empty(), "assignment"),
    };
    if is_there {
        return done;
    }
    rendering.warn(format!(
        "The course is done by its {}, and has no {what}: the package is done when every step is.",
        done.rule()
    ));
    Done::Everything
}

fn average_mark(snapshot: &CourseSnapshot) -> Option<u64> {
    let marks: Vec<u64> = snapshot
        .units
        .iter()
        .flat_map(|unit| &unit.lessons)
        .flat_map(|lesson| &lesson.activities)
        .filter(|activity| graded(activity))
        .map(|activity| passing_percent(&activity.content))
        .collect();
    let count = u64::try_from(marks.len()).ok()?;
    let sum: u64 = marks.iter().sum();
    // Rounded half up; an empty list has no average.
    sum.saturating_mul(2)
        .saturating_add(count)
        .checked_div(count.saturating_mul(2))
}

/// The array under `key`, or an empty one.
pub fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn has_text(value: &Value, key: &str) -> bool {
    items(value, key)
        .iter()
        .any(|v| v.as_str().is_some_and(|text| !text.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_question_without_a_right_answer_is_not_scored() {
        assert!(!scorable(
            &json!({"type": "single_choice", "options": [{"text": "a"}]})
        ));
        assert!(!scorable(
            &json!({"type": "short_text", "accepted_answers": [" "]})
        ));
        assert!(!scorable(&json!({"type": "open", "sample_answer": "x"})));
        assert!(scorable(&json!({"type": "numeric", "answer": 3})));
    }

    #[test]
    fn a_pass_mark_is_between_nothing_and_everything() {
        assert_eq!(passing_percent(&json!({})), 70);
        assert_eq!(passing_percent(&json!({"passing_percent": 80.0})), 80);
        assert_eq!(passing_percent(&json!({"passing_percent": 900})), 100);
        assert_eq!(passing_percent(&json!({"passing_percent": "x"})), 70);
    }
}
