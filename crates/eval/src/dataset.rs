//! Answers that people graded, and the questions they answer: read from CSV and JSON lines.
//!
//! Only reading and choosing is done here; nothing is asked and nothing calculated.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use lyceum_domain::authoring::assignments::FeedbackStyle;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::draws::Draws;
use lyceum_domain::grading::grades::{Anchor, GradingTask};
use lyceum_domain::hex;
use lyceum_domain::json::JsonObject;
use lyceum_domain::points::Points;
use lyceum_domain::text::LanguageTag;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file says something that cannot be meant.
    #[error("{}, line {line}: {problem}", path.display())]
    Wrong {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// Nothing is left to evaluate.
    #[error("there are no answers to evaluate: {0}")]
    Empty(String),
}

/// A question and how answers to it are judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its name in the file.
    pub id: String,
    /// What was asked.
    pub text: String,
    /// Name of the assignment; usually empty.
    pub title: String,
    /// What is judged.
    pub rubric: Rubric,
    /// Best possible points.
    pub max_points: f64,
    /// Language, a BCP-47 tag.
    pub language: LanguageTag,
}

/// An answer with the grade that a person gave.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedAnswer {
    /// Its name in the file; the number of its row where it has none, and with it where another answer to the
    /// question has the same name.
    pub id: String,
    /// Place of its question in [`Dataset::questions`].
    pub question: usize,
    /// The text.
    pub text: String,
    /// The person's score, 0..=1.
    pub score: f64,
    /// A second person's score.
    pub second_score: Option<f64>,
    /// Part of the data set, such as `train`.
    pub split: Option<String>,
    /// Group of learners, for the question whether all are treated alike.
    pub group: Option<String>,
    /// Language where it differs from the question's.
    pub language: Option<LanguageTag>,
}

/// Answers and their questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// In the order of the file.
    pub questions: Vec<Question>,
    /// In the order of the file.
    pub answers: Vec<GradedAnswer>,
    /// SHA-256 of the file of answers, lower-case hex.
    pub answers_hash: String,
    /// SHA-256 of the file of questions, lower-case hex.
    pub questions_hash: String,
}

/// Which answers are evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// Only those of this split.
    pub split: Option<String>,
    /// At most this many, drawn at random.
    pub limit: Option<usize>,
    /// Seed of every draw.
    pub seed: u64,
}

#[derive(Deserialize)]
struct QuestionLine {
    question_id: String,
    question: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    references: Vec<String>,
    rubric: Option<JsonObject>,
    max_points: Option<f64>,
    language: Option<String>,
}

#[derive(Deserialize)]
struct AnswerLine {
    question_id: String,
    answer_id: Option<String>,
    answer: String,
    score: Option<f64>,
    points: Option<f64>,
    second_score: Option<f64>,
    second_points: Option<f64>,
    split: Option<String>,
    language: Option<String>,
    group: Option<String>,
}

impl Dataset {
    /// Reads both files; columns that are not known are passed over.
    ///
    /// # Errors
    /// [`DatasetError`] with file and line.
    pub fn read(answers: &Path, questions: &Path) -> Result<Self, DatasetError> {
        let question_bytes = bytes_of(questions)?;
        let answer_bytes = bytes_of(answers)?;
        let questions_read = read_questions(questions, &question_bytes)?;
        Ok(Self {
            answers: read_answers(answers, &answer_bytes, &questions_read)?,
            questions: questions_read,
            answers_hash: hex::lower(&Sha256::digest(&answer_bytes)),
            questions_hash: hex::lower(&Sha256::digest(&question_bytes)),
        })
    }

    /// The places of the answers that are evaluated, in the order of the file.
    ///
    /// # Errors
    /// [`DatasetError::Empty`]
    pub fn choose(&self, choice: &Choice) -> Result<Vec<usize>, DatasetError> {
        let wanted = choice.split.as_deref();
        let mut chosen: Vec<usize> = self
            .answers
            .iter()
            .enumerate()
            .filter(|(_, answer)| wanted.is_none() || answer.split.as_deref() == wanted)
            .map(|(at, _)| at)
            .collect();
        if let Some(limit) = choice.limit {
            Draws::named(choice.seed, "limit").shuffle(&mut chosen);
            chosen.truncate(limit);
            chosen.sort_unstable();
        }
        if chosen.is_empty() {
            let why = wanted.map_or("the file is empty".to_owned(), |split| {
                format!("none has the split {split}")
            });
            return Err(DatasetError::Empty(why));
        }
        Ok(chosen)
    }

    /// What a grader is given for the answer at a place, with up to `anchors` others of the same question.
    ///
    /// The others are the first of one fixed random order per question, as if a teacher had graded these before:
    /// more anchors are the same and some more, and an answer is never an anchor of its own.
    pub fn task(&self, at: usize, anchors: usize, seed: u64, model: &str) -> Option<GradingTask> {
        let answer = self.answers.get(at)?;
        let question = self.questions.get(answer.question)?;
        let language = answer.language.clone();
        let language = language.unwrap_or_else(|| question.language.clone());
        Some(GradingTask {
            assignment_name: question.title.clone(),
            instructions: question.text.clone(),
            rubric: question.rubric.clone(),
            submission: answer.text.clone(),
            course_instructions: String::new(),
            course_language: language.as_str().to_owned(),
            feedback: FeedbackStyle::of_course(language),
            anchors: self.anchors(at, answer, question, anchors, seed),
            private: Vec::new(),
            model: model.to_owned(),
        })
    }

    /// The places of the answers to a question, in the fixed random order in which they are examples.
    pub fn examples(&self, question: usize, seed: u64) -> Vec<usize> {
        let answers = self.answers.iter().enumerate();
        let mut order: Vec<usize> = answers
            .filter(|(_, answer)| answer.question == question)
            .map(|(at, _)| at)
            .collect();
        let name = self.questions.get(question);
        let name = name.map_or("", |question| question.id.as_str());
        Draws::named(seed, name).shuffle(&mut order);
        order
    }

    fn anchors(
        &self,
        at: usize,
        answer: &GradedAnswer,
        question: &Question,
        wanted: usize,
        seed: u64,
    ) -> Vec<Anchor> {
        if wanted == 0 {
            return Vec::new();
        }
        self.examples(answer.question, seed)
            .into_iter()
            .filter(|place| *place != at)
            .filter_map(|place| self.answers.get(place))
            .take(wanted.min(Anchor::MOST))
            .map(|other| Anchor {
                grade_id: other.id.clone(),
                text: other.text.clone(),
                points: question.points(other.score),
                reason: String::new(),
            })
            .collect()
    }
}

impl Question {
    /// A share of the maximum as points per criterion; one score says nothing about criteria, so each gets its share.
    fn points(&self, share: f64) -> Vec<(String, Points)> {
        let criteria = self.rubric.criteria.iter();
        criteria
            .map(|criterion| {
                let wanted = Points::from_number(share * criterion.max_points.to_number());
                let level = criterion.nearest_level(wanted);
                (
                    criterion.id.clone(),
                    level.map_or(wanted, |level| level.points),
                )
            })
            .collect()
    }

    fn parse(line: QuestionLine) -> Result<Self, String> {
        let max_points = line.max_points.unwrap_or(100.0);
        if !(max_points > 0.0 && max_points <= 10_000.0) {
            return Err("max_points must be more than 0 and at most 10000".to_owned());
        }
        let rubric = match line.rubric {
            Some(rubric) => rubric,
            None if line.references.is_empty() => {
                return Err("needs references or a rubric".to_owned());
            }
            None => rubric_of_references(&line.references, max_points),
        };
        let rubric = Rubric::parse("rubric", &rubric).map_err(|invalid| invalid.to_string())?;
        let language = line.language.as_deref().unwrap_or("en");
        Ok(Self {
            language: LanguageTag::parse(language)
                .map_err(|problem| format!("language {language}: {problem}"))?,
            id: line.question_id,
            text: line.question,
            title: line.title,
            rubric,
            max_points,
        })
    }
}

/// What a teacher who has only a model answer would set up: one criterion with reference answers.
fn rubric_of_references(references: &[String], max_points: f64) -> JsonObject {
    let rubric = json!({"criteria": [{
        "id": "content",
        "name": "Content",
        "description": "How completely and correctly the answer says what a reference answer says.",
        "max_points": max_points,
        "reference_answers": references,
    }]});
    match rubric {
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            JsonObject::new()
        }
    }
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, DatasetError> {
    std::fs::read(path).map_err(|source| DatasetError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

fn wrong(path: &Path, line: u64, problem: &dyn Display) -> DatasetError {
    DatasetError::Wrong {
        path: path.to_owned(),
        line,
        problem: problem.to_string(),
    }
}

fn read_questions(path: &Path, bytes: &[u8]) -> Result<Vec<Question>, DatasetError> {
    let text = String::from_utf8_lossy(bytes);
    let mut questions: Vec<Question> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.trim().is_empty() {
            continue;
        }
        let read = serde_json::from_str(line).map_err(|error| wrong(path, number, &error))?;
        let question = Question::parse(read).map_err(|problem| wrong(path, number, &problem))?;
        if questions.iter().any(|known| known.id == question.id) {
            let problem = format!("the question {} is there twice", question.id);
            return Err(wrong(path, number, &problem));
        }
        questions.push(question);
    }
    Ok(questions)
}

fn read_answers(
    path: &Path,
    bytes: &[u8],
    questions: &[Question],
) -> Result<Vec<GradedAnswer>, DatasetError> {
    let places: BTreeMap<&str, usize> = questions
        .iter()
        .enumerate()
        .map(|(at, question)| (question.id.as_str(), at))
        .collect();
    // Spreadsheets put a mark in front of what they save as UTF-8.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::Headers)
        .from_reader(bytes);
    let headers = reader
        .headers()
        .map_err(|error| wrong(path, 1, &error))?
        .clone();
    let mut answers = Vec::new();
    let mut names = BTreeSet::new();
    let mut record = csv::StringRecord::new();
    let mut row = 0;
    loop {
        let line = reader.position().line();
        let more = reader.read_record(&mut record);
        if !more.map_err(|error| wrong(path, line, &error))? {
            return Ok(answers);
        }
        row += 1;
        let read: AnswerLine = record
            .deserialize(Some(&headers))
            .map_err(|error| wrong(path, line, &error))?;
        let question = places
            .get(read.question_id.as_str())
            .and_then(|at| Some((*at, questions.get(*at)?)));
        let Some(question) = question else {
            let problem = format!("there is no question {}", read.question_id);
            return Err(wrong(path, line, &problem));
        };
        let mut answer =
            answer_of(read, question, row).map_err(|problem| wrong(path, line, &problem))?;
        // Reports are compared by these names, so that no two answers to a question may share one.
        if !names.insert((answer.question, answer.id.clone())) {
            answer.id = format!("{}#{row}", answer.id);
        }
        answers.push(answer);
    }
}

fn answer_of(
    line: AnswerLine,
    (place, question): (usize, &Question),
    row: usize,
) -> Result<GradedAnswer, String> {
    let share = |score: Option<f64>, points: Option<f64>| {
        score.or_else(|| points.map(|points| points / question.max_points))
    };
    let score = share(line.score, line.points).ok_or("needs a score or points")?;
    let second_score = share(line.second_score, line.second_points);
    for score in [Some(score), second_score].into_iter().flatten() {
        if !(0.0..=1.0).contains(&score) {
            return Err(format!(
                "a score is between 0 and 1, and points between 0 and {}; this is {score} of 1",
                question.max_points
            ));
        }
    }
    let language = line.language.filter(|tag| !tag.is_empty());
    let language = language
        .map(|tag| LanguageTag::parse(&tag).map_err(|problem| format!("language {tag}: {problem}")))
        .transpose()?;
    Ok(GradedAnswer {
        id: line.answer_id.unwrap_or_else(|| row.to_string()),
        question: place,
        text: line.answer,
        score,
        second_score,
        split: line.split.filter(|split| !split.is_empty()),
        group: line.group.filter(|group| !group.is_empty()),
        language,
    })
}

#[cfg(test)]
mod tests;
