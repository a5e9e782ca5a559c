//! What the demo sends: the examples that are compiled in, or a folder of one's own.

use std::path::Path;

use anyhow::{Context, ensure};
use lyceum_wire::authoring::assignments::CreateAssignment;
use lyceum_wire::authoring::courses::CreateCourse;
use serde::Deserialize;

const COURSE: &str = include_str!("../../../examples/course.json");
const BRIEF: &str = include_str!("../../../examples/brief.md");
const ASSIGNMENT: &str = include_str!("../../../examples/assignment.json");
const ANSWERS: &str = include_str!("../../../examples/answers.csv");

/// One student's answer, and what their teacher thought of it.
#[derive(Debug, Clone, Deserialize)]
pub struct Answer {
    /// The student.
    #[serde(rename = "student_name")]
    pub name: String,
    /// Their address.
    #[serde(rename = "student_email")]
    pub email: String,
    /// What they wrote.
    #[serde(rename = "answer")]
    pub text: String,
    /// The teacher's verdict, in the words of the rubric.
    pub teacher_level: String,
}

/// Everything that is sent.
#[derive(Debug, Clone)]
pub struct Input {
    /// The course.
    pub course: CreateCourse,
    /// What its syllabus is drafted from.
    pub brief: String,
    /// The assignment, but for its course.
    pub assignment: CreateAssignment,
    /// The answers to it.
    pub answers: Vec<Answer>,
}

impl Input {
    /// Reads the files of a folder, or those that are compiled in.
    pub fn load(folder: Option<&Path>) -> anyhow::Result<Self> {
        let read = |name: &str, compiled_in: &str| match folder {
            None => Ok(compiled_in.to_owned()),
            Some(folder) => {
                let path = folder.join(name);
                std::fs::read_to_string(&path).with_context(|| path.display().to_string())
            }
        };
        let answers = read("answers.csv", ANSWERS)?;
        let answers: Vec<Answer> = csv::Reader::from_reader(answers.as_bytes())
            .deserialize()
            .collect::<Result<_, _>>()
            .context("answers.csv")?;
        ensure!(!answers.is_empty(), "answers.csv holds no answer");
        Ok(Self {
            course: serde_json::from_str(&read("course.json", COURSE)?).context("course.json")?,
            brief: read("brief.md", BRIEF)?,
            assignment: serde_json::from_str(&read("assignment.json", ASSIGNMENT)?)
                .context("assignment.json")?,
            answers,
        })
    }

    /// The teacher's levels, best first where the rubric says so, then those it does not know.
    pub fn levels(answers: &[&Answer], known: &[String]) -> Vec<String> {
        let mut levels: Vec<String> = known.to_vec();
        for answer in answers {
            if !levels.contains(&answer.teacher_level) {
                levels.push(answer.teacher_level.clone());
            }
        }
        levels.retain(|level| answers.iter().any(|answer| answer.teacher_level == *level));
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_that_are_compiled_in_can_be_read() {
        let input = Input::load(None).unwrap();
        assert_eq!(input.answers.len(), 24);
        assert!(
            input
                .answers
                .iter()
                .all(|answer| answer.email.ends_with("@example.org"))
        );
        assert!(input.assignment.rubric.is_some());
        assert!(input.brief.contains("House limits"));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Input::load(Some(Path::new("/nowhere"))).unwrap_err();
        assert_eq!(error.to_string(), "/nowhere/answers.csv");
    }
}
