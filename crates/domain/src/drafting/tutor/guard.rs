//! What a tutor must not give away: open tasks with their keys, and whether a reply gives one of them away.
//!
//! The keys stand here and in no prompt. The comparison is of words, in any language that parts them with spaces;
//! it holds what is said word by word, not what is said in other words.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::authoring::rubric::Rubric;
use crate::json::JsonObject;

/// A task whose answer the tutor must not give away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GuardedItem {
    /// What is asked.
    pub prompt: String,
    /// Short answers that are right.
    pub answers: Vec<String>,
    /// Longer texts that show what is right: model answers, key points, explanations, notes.
    pub references: Vec<String>,
}

/// This many words of a reference one after the other are a copy of it.
const COPIED_WORDS: usize = 8;
/// A reply with this share (in per cent) of a reference's own words says what it says.
const COVERED_PERCENT: usize = 60;
/// Answers with at least this many words of their own are compared by their words, shorter ones as they stand.
const LONG_ANSWER: usize = 4;
/// A message with this share (in per cent) of a task's words is about that task.
const ABOUT_PERCENT: usize = 50;
/// How soon a reply says yes, in words.
const OPENING: usize = 6;

/// Words that say a guess is right, in the languages that our own texts are in.
const YES: &str = "yes yep correct right exactly indeed true ja richtig genau stimmt korrekt sí correcto exacto cierto oui \
exact exactement juste vrai sì esatto giusto corretto sim correto certo exato isso نعم صحيح";

impl GuardedItem {
    /// The questions of a quiz.
    pub fn of_quiz(content: &JsonObject) -> Vec<Self> {
        let questions = content.get("questions").and_then(Value::as_array);
        questions.into_iter().flatten().map(question).collect()
    }

    /// An assignment: its criteria with their model answers and key points.
    pub fn of_assignment(instructions: &str, rubric: Option<&Rubric>) -> Self {
        let criteria = rubric.into_iter().flat_map(|rubric| &rubric.criteria);
        let references = criteria.flat_map(|criterion| {
            let mut texts = criterion.texts("reference_answers");
            texts.extend(criterion.texts("key_points"));
            texts
        });
        Self {
            prompt: instructions.to_owned(),
            answers: Vec::new(),
            references: references.collect(),
        }
    }

    /// Whether there is anything to hold back.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.references.is_empty()
    }

    /// Whether somebody who says this speaks of the task.
    pub fn is_asked_about(&self, said: &str) -> bool {
        let asked = own_words(&self.prompt, &[]);
        covers(&words(said), &asked, ABOUT_PERCENT)
    }

    /// Whether a reply to `said` gives the task's answer away.
    pub fn is_given_away_by(&self, reply: &str, said: &str) -> bool {
        let (spoken, asked) = (words(reply), words(&self.prompt));
        let texts = || self.answers.iter().chain(&self.references);
        if texts().any(|text| is_copied(&words(text), &spoken)) {
            return true;
        }
        if !self.is_asked_about(said) {
            return false;
        }
        let says = |text: &String| {
            let own = own_words(text, &asked);
            own.len() >= LONG_ANSWER && covers(&spoken, &own, COVERED_PERCENT)
        };
        texts().any(says)
            || self
                .answers
                .iter()
                .any(|answer| tells(answer, &spoken, said))
    }
}

/// Whether a reply names a short answer that the learner has not said, or says that their guess is right.
fn tells(answer: &str, spoken: &[String], said: &str) -> bool {
    let answer = words(answer);
    let guessed = stands_in(&answer, &words(said));
    if !guessed {
        return stands_in(&answer, spoken);
    }
    let yes = |word: &String| YES.split_ascii_whitespace().any(|yes| yes == word);
    spoken.iter().take(OPENING).any(yes)
}

fn question(question: &Value) -> GuardedItem {
    let text = |value: &Value, member: &str| match value.get(member) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let entries = |member: &str| {
        let entries = question.get(member).and_then(Value::as_array);
        entries.cloned().unwrap_or_default()
    };
    let accepted = |value: &Value| -> Vec<String> {
        let texts = value.get("accepted_answers").and_then(Value::as_array);
        let texts = texts.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    let mut answers: Vec<String> = entries("options")
        .iter()
        .filter(|option| option.get("correct") == Some(&Value::Bool(true)))
        .filter_map(|option| text(option, "text"))
        .collect();
    answers.extend(accepted(question));
    answers.extend(text(question, "answer"));
    for blank in entries("blanks") {
        answers.extend(accepted(&blank));
    }
    answers.retain(|answer| !words(answer).is_empty());
    let mut references: Vec<String> = ["explanation", "sample_answer", "grader_notes"]
        .into_iter()
        .filter_map(|member| text(question, member))
        .collect();
    let feedback = entries("options").into_iter();
    references.extend(feedback.filter_map(|option| text(&option, "feedback")));
    let prompts = ["prompt", "text"].into_iter();
    GuardedItem {
        prompt: prompts
            .filter_map(|member| text(question, member))
            .collect::<Vec<_>>()
            .join(" "),
        answers,
        references,
    }
}

/// Words and numbers, in lower case.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The different words of a text that carry meaning and that the question does not say already: numbers, and words
/// of at least four letters.
fn own_words(text: &str, question: &[String]) -> BTreeSet<String> {
    let says_something =
        |word: &String| word.chars().count() >= 4 || word.chars().any(|c| c.is_ascii_digit());
    let known = |word: &String| question.iter().any(|asked| is_form_of(asked, word));
    let mut own: BTreeSet<String> = words(text).into_iter().collect();
    own.retain(|word| says_something(word) && !known(word));
    own
}

/// Whether two words are forms of one: long ones may differ at their ends.
fn is_form_of(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let common = common.count();
    let (first, second) = (one.chars().count(), other.chars().count());
    let (shorter, longer) = (first.min(second), first.max(second));
    one == other || (common >= 4 && common * 10 >= shorter * 7 && longer - common <= 4)
}

fn covers(spoken: &[String], wanted: &BTreeSet<String>, percent: usize) -> bool {
    let said = |word: &&String| spoken.iter().any(|spoken| is_form_of(spoken, word));
    let found = wanted.iter().filter(said).count();
    !wanted.is_empty() && found * 100 >= wanted.len() * percent
}

fn is_copied(text: &[String], spoken: &[String]) -> bool {
    let mut runs = text.windows(COPIED_WORDS);
    runs.any(|run| stands_in(run, spoken))
}

fn stands_in(part: &[String], whole: &[String]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    fn items(questions: &Value) -> Vec<GuardedItem> {
        GuardedItem::of_quiz(json!({ "questions": questions }).as_object().unwrap())
    }

    fn cooling() -> GuardedItem {
        let questions = json!([{"prompt": "Within how much time must cooked rice be cooled?", "type": "short_text",
            "accepted_answers": ["two hours", "120 minutes"],
            "explanation": "Spores survive the cooking, wake up in the warm rice and leave a toxin that stays."}]);
        items(&questions).remove(0)
    }

    const ASKED: &str = "Within how much time must the rice be cooled?";

    #[rstest]
    #[case("It is two hours.")]
    #[case("Cool it within TWO   hours, then label it.")]
    #[case("Think of 120 minutes.")]
    #[case("Spores survive the cooking, wake up in the warm pot.")]
    #[case("Because surviving spores wake in warm food, leaving toxins.")]
    fn what_says_the_answer_gives_it_away(#[case] reply: &str) {
        assert!(cooling().is_given_away_by(reply, ASKED), "{reply}");
    }

    #[rstest]
    #[case("What did the lesson say about the danger zone?")]
    #[case("Look at the part on cooling; how long is too long?")]
    #[case("There are two things to think about, and hours matter.")]
    fn a_hint_gives_nothing_away(#[case] reply: &str) {
        assert!(!cooling().is_given_away_by(reply, ASKED), "{reply}");
    }

    #[test]
    fn a_guess_is_not_confirmed() {
        let said = "Must cooked rice be cooled within the time of two hours?";
        let item = cooling();
        assert!(item.is_given_away_by("Yes, that is it.", said));
        assert!(item.is_given_away_by("Genau!", said));
        assert!(!item.is_given_away_by("How did you get to two hours?", said));
    }

    #[test]
    fn a_short_answer_is_an_ordinary_word_where_nobody_asks_for_it() {
        let other = "Who cleans the probe?";
        let item = cooling();
        assert!(!item.is_given_away_by("Clean it every two hours.", other));
        // A copy is one whatever was asked.
        let copy = "Spores survive the cooking, wake up in the warm rice";
        assert!(item.is_given_away_by(copy, other));
    }

    #[test]
    fn every_type_of_question_shows_its_key() {
        let all = items(&json!([
            {"prompt": "a", "options": [{"text": "right one", "correct": true, "feedback": "so"},
                {"text": "wrong", "correct": false}]},
            {"prompt": "b", "answer": 63},
            {"prompt": "c", "text": "At {{x}} degrees", "blanks": [{"id": "x", "accepted_answers": ["five"]}]},
            {"prompt": "d", "sample_answer": "long", "grader_notes": "notes"},
        ]));
        assert_eq!(all[0].answers, ["right one"]);
        assert_eq!(all[0].references, ["so"]);
        assert_eq!(all[1].answers, ["63"]);
        assert_eq!(
            (all[2].answers.as_slice(), all[2].prompt.as_str()),
            (["five".to_owned()].as_slice(), "c At {{x}} degrees")
        );
        assert_eq!(all[3].references, ["long", "notes"]);
    }

    #[test]
    fn an_assignment_guards_its_model_answers() {
        let rubric = json!({"criteria": [{"name": "Method", "reference_answers": ["Shallow trays in an ice bath cool fast."],
            "key_points": [{"text": "Measure with a clean probe."}]}]});
        let rubric = Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap();
        let item = GuardedItem::of_assignment("Plan how to cool soup.", Some(&rubric));
        assert_eq!(item.references.len(), 2);
        let said = "How do I plan to cool the soup?";
        assert!(item.is_given_away_by("Use shallow trays and an ice bath, it cools fast.", said));
        assert!(!item.is_given_away_by("Which containers are flat?", said));
    }
}
