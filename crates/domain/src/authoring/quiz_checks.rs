//! Whether the key of a drafted quiz holds: somebody who has the lesson alone answered it, and here answers and key
//! are compared. A question on which they disagree is not asked. Whoever answered says also which options nobody would
//! take, and here it is counted how many wrong ones are left to choose from.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::authoring::activities::{ActivityContent, ActivityKind};
use crate::authoring::scoring::score;
use crate::json::JsonObject;

/// A wrong option alone is no choice: so many plausible ones a question keeps.
const LEAST_PLAUSIBLE: usize = 2;

/// A quiz, taken by somebody who has the lesson alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TakenQuiz {
    /// Answers by id of question, in the shape of an attempt's.
    pub answers: JsonObject,
    /// By id of question, ids of options that nobody who has read nothing would take.
    pub implausible: BTreeMap<String, Vec<String>>,
}

/// Wrong options of a question that give themselves away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImplausibleOptions {
    /// The question.
    pub question_id: String,
    /// Ids of the options, in their order.
    pub options: Vec<String>,
    /// How many wrong options are left to choose from.
    pub plausible: usize,
}

/// What the comparison says.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizCheck {
    /// How many questions were asked.
    pub questions: usize,
    /// Ids of the questions that were answered otherwise than the key says, in their order.
    pub disputed: Vec<String>,
    /// The quiz without them; none where too few would be left, or where nothing is disputed.
    pub without: Option<ActivityContent>,
    /// Options that give themselves away, of the questions that stay.
    pub implausible: Vec<ImplausibleOptions>,
}

impl QuizCheck {
    /// Whether the quiz may be used: as it is, or without what is disputed.
    pub const fn holds(&self) -> bool {
        self.disputed.is_empty() || self.without.is_some()
    }

    /// How many questions keep fewer than two plausible wrong options, because others give themselves away.
    pub fn easily_guessed(&self) -> usize {
        let questions = self.implausible.iter();
        let guessed = questions.filter(|question| question.plausible < LEAST_PLAUSIBLE);
        guessed.count()
    }
}

/// Compares a quiz's key with answers given without it. Each question counts for itself, so that one answer of the
/// wrong form disputes one question only; questions that nobody marks are never disputed. At least half of the
/// questions must be left, and at least one.
pub fn compare(quiz: &ActivityContent, taken: &TakenQuiz) -> QuizCheck {
    let ids = question_ids(quiz);
    let disputed: Vec<String> = ids
        .iter()
        .filter(|id| is_disputed(quiz, id, &taken.answers))
        .cloned()
        .collect();
    let left = ids.len().saturating_sub(disputed.len());
    let enough = !disputed.is_empty() && left >= 1 && left * 2 >= ids.len();
    let without = enough.then(|| without(quiz, &disputed)).flatten();
    QuizCheck {
        questions: ids.len(),
        implausible: implausible(without.as_ref().unwrap_or(quiz), &taken.implausible),
        without,
        disputed,
    }
}

/// What was named implausible of the questions of choice: their wrong options alone, since a right one that seems absurd
/// is what is to be learned.
fn implausible(
    quiz: &ActivityContent,
    named: &BTreeMap<String, Vec<String>>,
) -> Vec<ImplausibleOptions> {
    let of_question = |question: &Value| {
        let id = id_of(question)?;
        let named = named.get(id)?;
        let wrong = wrong_options(question);
        let is_named = |option: &&str| named.iter().any(|one| one == *option);
        let options: Vec<&str> = wrong.iter().copied().filter(is_named).collect();
        (!options.is_empty()).then(|| ImplausibleOptions {
            question_id: id.to_owned(),
            plausible: wrong.len() - options.len(),
            options: options.into_iter().map(str::to_owned).collect(),
        })
    };
    questions(quiz).iter().filter_map(of_question).collect()
}

fn wrong_options(question: &Value) -> Vec<&str> {
    let options = question.get("options").and_then(Value::as_array);
    let is_right = |option: &Value| option.get("correct").and_then(Value::as_bool);
    let options = options.into_iter().flatten();
    let wrong = options.filter(|option| !is_right(option).unwrap_or(false));
    wrong.filter_map(id_of).collect()
}

fn questions(quiz: &ActivityContent) -> &[Value] {
    let questions = quiz.as_map().get("questions").and_then(Value::as_array);
    questions.map_or(&[], Vec::as_slice)
}

fn question_ids(quiz: &ActivityContent) -> Vec<String> {
    let ids = questions(quiz).iter().filter_map(id_of);
    ids.map(str::to_owned).collect()
}

/// The id of a question, or of an option.
fn id_of(part: &Value) -> Option<&str> {
    part.get("id").and_then(Value::as_str)
}

fn is_disputed(quiz: &ActivityContent, id: &str, answers: &JsonObject) -> bool {
    let answer = answers.get(id).cloned().unwrap_or(Value::Null);
    let alone = JsonObject::from_iter([(id.to_owned(), answer)]);
    let Ok(result) = score(ActivityKind::Quiz, quiz, Some(&alone), None) else {
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
        let answers = answers.as_object().cloned().unwrap();
        let taken = TakenQuiz {
            answers,
            ..TakenQuiz::default()
        };
        compare(&quiz(), &taken)
    }

    /// What a quiz of four says whose key holds, but of which these options were named implausible.
    fn doubted(named: &Value) -> QuizCheck {
        let options = |right: &[&str], all: &[&str]| -> Vec<Value> {
            let option = |id: &&str| json!({"id": id, "text": format!("Option {id}"), "correct": right.contains(id)});
            all.iter().map(option).collect()
        };
        let question = |id: &str, kind: &str, options: Vec<Value>| json!({"id": id, "type": kind, "prompt": "Which?", "options": options});
        let quiz = json!({"questions": [
            question("q1", "single_choice", options(&["a"], &["a", "b"])),
            question("q2", "single_choice", options(&["a"], &["a", "b", "c"])),
            question("q3", "multiple_choice", options(&["a", "b"], &["a", "b", "c", "d", "e"])),
            {"id": "q4", "type": "true_false", "prompt": "So?", "answer": true},
        ]});
        let quiz = quiz.as_object().cloned().unwrap();
        let quiz = ActivityContent::parse(ActivityKind::Quiz, quiz).unwrap();
        let answers = json!({"q1": "a", "q2": "a", "q3": ["a", "b"], "q4": true});
        let taken = TakenQuiz {
            answers: answers.as_object().cloned().unwrap(),
            implausible: serde_json::from_value(named.clone()).unwrap(),
        };
        compare(&quiz, &taken)
    }

    #[rstest]
    #[case(json!({}), &[], 0)]
    #[case(json!({"q2": ["c"]}), &[("q2", 1)], 1)]
    #[case(json!({"q3": ["e", "c"]}), &[("q3", 1)], 1)]
    #[case(json!({"q3": ["d"]}), &[("q3", 2)], 0)]
    #[case(json!({"q1": ["b"], "q2": ["b", "c"]}), &[("q1", 0), ("q2", 0)], 2)]
    fn options_that_give_themselves_away_leave_too_little_to_choose_from(
        #[case] named: Value,
        #[case] kept: &[(&str, usize)],
        #[case] guessed: usize,
    ) {
        let check = doubted(&named);
        let found: Vec<(&str, usize)> = check
            .implausible
            .iter()
            .map(|one| (one.question_id.as_str(), one.plausible))
            .collect();
        assert_eq!((found.as_slice(), check.easily_guessed()), (kept, guessed));
        assert!(check.holds() && check.without.is_none());
    }

    #[test]
    fn right_options_and_what_is_no_option_are_never_implausible() {
        let named =
            json!({"q1": ["a"], "q2": ["z"], "q3": ["a", "d", "c"], "q4": ["a"], "q9": ["b"]});
        let check = doubted(&named);
        assert_eq!(check.implausible.len(), 1, "{:?}", check.implausible);
        assert_eq!(check.implausible[0].options, ["c", "d"]);
    }

    #[test]
    fn of_a_question_that_is_dropped_nothing_is_said() {
        let taken = TakenQuiz {
            answers: json!({"q1": "a", "q2": "b", "q3": "a"})
                .as_object()
                .cloned()
                .unwrap(),
            implausible: BTreeMap::from([("q2".to_owned(), vec!["b".to_owned()])]),
        };
        assert!(compare(&quiz(), &taken).implausible.is_empty());
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
