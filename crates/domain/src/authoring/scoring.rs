//! What answers to an activity are worth, and what is wrong with them.

mod answers;
mod marks;

use serde_json::Value;

use crate::Invalid;
use crate::authoring::activities::quiz::Quiz;
use crate::authoring::activities::{ActivityContent, ActivityKind};
use crate::json::JsonObject;
use crate::points::Points;

/// Largest answers of an activity that asks nothing, written as JSON, in bytes.
const MAX_NOTES_BYTES: usize = 16 * 1024;
/// Longest text of an answer, in characters.
const MAX_TEXT_CHARS: usize = 20_000;

/// What answers are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptResult {
    /// Points reached.
    pub score: Points,
    /// Points possible; none where nothing is scored.
    pub max_score: Points,
    /// Whole per cent of what is possible, half up; `None` where nothing is scored.
    pub percent: Option<u8>,
    /// Whether that is enough; `None` where nothing is scored.
    pub passed: Option<bool>,
    /// One per question, in the order of the quiz.
    pub questions: Vec<QuestionResult>,
    /// Whether the learner may see what was right.
    pub shows_answers: bool,
}

/// What an answer was worth.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionResult {
    /// The question.
    pub question_id: String,
    /// Whether it is right altogether; `None` for a question that nobody marks.
    pub correct: Option<bool>,
    /// Points reached.
    pub score: Points,
    /// Points possible.
    pub max_score: Points,
    /// What the author says to whoever answers like that; may be empty.
    pub feedback: String,
    /// Why the right answer is right; may be empty.
    pub explanation: String,
    /// A right answer, in the form in which answers are given; null if there is none.
    pub right_answer: Value,
}

impl QuestionResult {
    /// The same without anything that tells what would have been right.
    #[must_use]
    pub fn without_answer(mut self) -> Self {
        self.feedback = String::new();
        self.explanation = String::new();
        self.right_answer = Value::Null;
        self
    }
}

/// Why answers cannot be scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unscorable {
    /// The activity is still to be written.
    Unwritten,
    /// What is wrong with the answers, with paths such as `answers.q1`.
    Invalid(Vec<Invalid>),
}

/// Scores answers; the same answers always give the same result.
///
/// `asked` are the questions of a quiz that draws some of its own; all of them where there are none. An answer that is missing, or
/// `null`, is worth nothing. Activities other than quizzes are not scored: to have
/// done them is all there is. A reflection takes a `text`; the rest take whatever a client wants to remember.
///
/// # Errors
/// [`Unscorable`]
pub fn score(
    kind: ActivityKind,
    content: &ActivityContent,
    answers: Option<&JsonObject>,
    asked: Option<&[String]>,
) -> Result<AttemptResult, Unscorable> {
    let content = content.as_map();
    if content.is_empty() {
        return Err(Unscorable::Unwritten);
    }
    let missing = || Unscorable::Invalid(vec![Invalid::missing("answers")]);
    match kind {
        ActivityKind::Quiz => score_quiz(&Quiz::of(content), answers.ok_or_else(missing)?, asked),
        ActivityKind::Reflection => reflect(content, answers.ok_or_else(missing)?),
        ActivityKind::Flashcards
        | ActivityKind::Explainer
        | ActivityKind::Podcast
        | ActivityKind::Video => note(answers),
    }
}

fn score_quiz(
    quiz: &Quiz,
    answers: &JsonObject,
    asked: Option<&[String]>,
) -> Result<AttemptResult, Unscorable> {
    if quiz.questions.is_empty() {
        return Err(Unscorable::Unwritten);
    }
    let is_asked = |id: &String| asked.is_none_or(|asked| asked.contains(id));
    let mut problems = Vec::new();
    for id in answers.keys() {
        let path = format!("answers.{id}");
        if !quiz.questions.iter().any(|one| one.id == *id) {
            problems.push(Invalid::new(path, "is not a question of this quiz"));
        } else if !is_asked(id) {
            problems.push(Invalid::new(
                path,
                "is not asked in this attempt; read the quiz again",
            ));
        }
    }
    let mut questions = Vec::new();
    for one in quiz.questions.iter().filter(|one| is_asked(&one.id)) {
        let answer = answers.get(&one.id).filter(|answer| !answer.is_null());
        match marks::mark(one, answer) {
            Ok(result) => questions.push(result),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(Unscorable::Invalid(problems));
    }
    let (score, max_score) = (
        sum(&questions, |result| result.score),
        sum(&questions, |result| result.max_score),
    );
    let percent = percent(score, max_score);
    Ok(AttemptResult {
        score,
        max_score,
        percent,
        passed: percent.map(|percent| percent >= quiz.passing_percent),
        questions,
        shows_answers: quiz.shows_answers,
    })
}

fn sum(questions: &[QuestionResult], part: impl Fn(&QuestionResult) -> Points) -> Points {
    let hundredths = questions.iter().map(|result| part(result).hundredths());
    Points::from_hundredths(hundredths.map(i64::from).sum())
}

/// Whole per cent, half up; none of nothing.
fn percent(score: Points, max_score: Points) -> Option<u8> {
    let share = marks::Share {
        of: i64::from(max_score.hundredths()),
        hits: i64::from(score.hundredths()),
    };
    (max_score > Points::ZERO).then(|| u8::try_from(share.times(100)).unwrap_or(100))
}

fn reflect(content: &JsonObject, answers: &JsonObject) -> Result<AttemptResult, Unscorable> {
    let mut problems = Vec::new();
    for name in answers.keys().filter(|name| *name != "text") {
        let path = format!("answers.{name}");
        problems.push(Invalid::new(path, "is not asked for here"));
    }
    let least = content.get("min_words").and_then(Value::as_u64);
    match answers.get("text").filter(|text| !text.is_null()) {
        None => problems.push(Invalid::missing("answers.text")),
        Some(text) => {
            let least = least.unwrap_or_default().max(1);
            problems.extend(answers::written(text, "answers.text", least).err());
        }
    }
    finished(problems)
}

fn note(answers: Option<&JsonObject>) -> Result<AttemptResult, Unscorable> {
    let size = answers.and_then(|answers| serde_json::to_string(answers).ok());
    let too_large = size.is_some_and(|text| text.len() > MAX_NOTES_BYTES);
    let problem = too_large.then(|| Invalid::new("answers", "must not be larger than 16 KiB"));
    finished(problem.into_iter().collect())
}

fn finished(problems: Vec<Invalid>) -> Result<AttemptResult, Unscorable> {
    if !problems.is_empty() {
        return Err(Unscorable::Invalid(problems));
    }
    Ok(AttemptResult {
        score: Points::ZERO,
        max_score: Points::ZERO,
        percent: None,
        passed: None,
        questions: Vec::new(),
        shows_answers: true,
    })
}

#[cfg(test)]
mod tests;
