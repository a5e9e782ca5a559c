//! Whether the key of a drafted quiz holds: somebody who has the lesson alone answered it, and here answers and key
//! are compared. A question on which they disagree is not asked.

use serde_json::Value;

use crate::authoring::activities::{ActivityContent, ActivityKind};
use crate::authoring::scoring::score;
use crate::json::JsonObject;

/// What the comparison says.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizCheck {
    /// How many questions were asked.
    pub questions: usize,
    /// Ids of the questions that were answered otherwise than the key says, in their order.
    pub disputed: Vec<String>,
    /// The quiz without them; none where too few would be left, or where nothing is disputed.
    pub without: Option<ActivityContent>,
}

impl QuizCheck {
    /// Whether the quiz may be used: as it is, or without what is disputed.
    pub const fn holds(&self) -> bool {
        self.disputed.is_empty() || self.without.is_some()
    }
}

/// Compares a quiz's key with answers given without it. Each question counts for itself, so that one answer of the
/// wrong form disputes one question only; questions that nobody marks are never disputed. At least half of the
/// questions must be left, and at least one.
pub fn compare(quiz: &ActivityContent, answers: &JsonObject) -> QuizCheck {
    let ids = question_ids(quiz);
    let disputed: Vec<String> = ids
        .iter()
        .filter(|id| is_disputed(quiz, id, answers))
        .cloned()
        .collect();
    let left = ids.len().saturating_sub(disputed.len());
    let enough = !disputed.is_empty() && left >= 1 && left * 2 >= ids.len();
    QuizCheck {
        questions: ids.len(),
        without: enough.then(|| without(quiz, &disputed)).flatten(),
        disputed,
    }
}

fn question_ids(quiz: &ActivityContent) -> Vec<String> {
    let questions = quiz.as_map().get("questions").and_then(Value::as_array);
    let ids = questions.into_iter().flatten().map(id_of);
    ids.flatten().map(str::to_owned).collect()
}

fn id_of(question: &Value) -> Option<&str> {
    question.get("id").and_then(Value::as_str)
}

fn is_disputed(quiz: &ActivityContent, id: &str, answers: &JsonObject) -> bool {
    let answer = answers.get(id).cloned().unwrap_or(Value::Null);
    let alone = JsonObject::from_iter([(id.to_owned(), answer)]);
    let Ok(result) = score(ActivityKind::Quiz, quiz, Some(&alone)) else {
        return true;
    };
    let mut marked = result.questions.iter().filter(|one| one.question_id == id);
    marked.any(|one| one.correct == Some(false))
}

fn without(quiz: &ActivityContent, disputed: &[String]) -> Option<ActivityContent> {
    let mut content = quiz.as_map().clone();
    let questions = content.get_mut("questions")?.as_array_mut()?;
    questions.retain(|question| {
        id_of(question).is_none_or(|id| !disputed.iter().any(|other| other == id))
    });
    ActivityContent::parse(ActivityKind::Quiz, content).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    fn quiz() -> ActivityContent {
        let choice = |id: &str| {
            json!({"id": id, "type": "single_choice", "prompt": "Which?", "options": [
                {"id": "a", "text": "Yes", "correct": true}, {"id": "b", "text": "No"},
            ]})
        };
        let open = json!({"id": "q4", "type": "open", "prompt": "Why?"});
        let questions = json!({"questions": [choice("q1"), choice("q2"), choice("q3"), open]});
        ActivityContent::parse(ActivityKind::Quiz, questions.as_object().cloned().unwrap()).unwrap()
    }

    fn compared(answers: &Value) -> QuizCheck {
        compare(&quiz(), answers.as_object().unwrap())
    }

    #[test]
    fn a_quiz_whose_key_everybody_agrees_on_stays_as_it_is() {
        let check = compared(&json!({"q1": "a", "q2": "a", "q3": "a", "q4": "Because."}));
        assert!(check.holds());
        assert_eq!((check.questions, check.disputed.len()), (4, 0));
        assert_eq!(check.without, None);
    }

    #[test]
    fn what_is_answered_otherwise_is_dropped() {
        let check = compared(&json!({"q1": "a", "q2": "b", "q3": "a"}));
        assert_eq!(check.disputed, ["q2"]);
        let left = check.without.unwrap();
        assert_eq!(question_ids(&left), ["q1", "q3", "q4"]);
    }

    #[rstest]
    #[case(json!({"q1": "a", "q2": {"no": "such form"}, "q3": "a"}), &["q2"])]
    #[case(json!({"q1": "a", "q2": "a", "q3": "z", "q9": "x"}), &["q3"])]
    #[case(json!({"q1": "a", "q2": "a"}), &["q3"])]
    fn an_answer_of_the_wrong_form_disputes_its_own_question(
        #[case] answers: Value,
        #[case] disputed: &[&str],
    ) {
        assert_eq!(compared(&answers).disputed, disputed);
    }

    #[test]
    fn fewer_than_half_is_too_few() {
        let check = compared(&json!({}));
        assert_eq!(check.disputed, ["q1", "q2", "q3"]);
        assert!(!check.holds());
        assert!(compared(&json!({"q1": "a"})).holds());
    }
}
