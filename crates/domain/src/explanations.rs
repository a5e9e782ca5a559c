//! Explanations of grades that stand: from a proposal to the text a teacher reads.
//!
//! The points are given and stay; an explanation finds support for them in the submission, or says there is none.

use crate::grades::{CriterionResult, Evidence};
use crate::points::Points;
use crate::rubric::Rubric;

/// What an explainer is given.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplanationTask {
    /// Name of the assignment.
    pub assignment_name: String,
    /// What was to be done.
    pub instructions: String,
    /// What was judged.
    pub rubric: Rubric,
    /// The student's text.
    pub submission: String,
    /// The score that stands.
    pub score: Points,
    /// Best possible score.
    pub max_score: Points,
    /// How each criterion was judged; empty where only a score was given.
    pub results: Vec<CriterionResult>,
    /// What the student was told with the grade.
    pub feedback: String,
    /// Guidance of the course.
    pub course_instructions: String,
    /// Language of the course, in which teachers are written to.
    pub course_language: String,
    /// Names, addresses and ids of people that must not leave the service, wherever they stand.
    pub private: Vec<String>,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

/// What is said about one criterion, before anything is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriterionExplanation {
    /// The criterion meant.
    pub criterion_id: String,
    /// Why its points follow from the text.
    pub explanation: String,
    /// Passages, and which of their occurrences (1-based) is meant.
    pub quotes: Vec<(String, usize)>,
}

/// What is said about a grade, before anything is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplanationProposal {
    /// About the whole.
    pub summary: String,
    /// One per criterion judged, in any order.
    pub criteria: Vec<CriterionExplanation>,
}

/// An explanation of the grade that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// For the teacher.
    pub rationale: String,
    /// The model that wrote it.
    pub model: String,
}

/// The text of an explanation: a line per criterion in the order of the grade, with the points that stand and with
/// those quotes alone that stand in the submission, and then the summary.
///
/// Points are never read from the proposal; criteria that the grade does not have are dropped.
pub fn rationale(task: &ExplanationTask, proposal: &ExplanationProposal) -> String {
    let mut lines: Vec<String> = task
        .results
        .iter()
        .filter_map(|result| line(result, &task.submission, proposal))
        .collect();
    lines.push(proposal.summary.trim().to_owned());
    lines.retain(|line| !line.is_empty());
    // Not every database can hold the character, and no reason needs it.
    lines.join("\n").replace('\0', "")
}

fn line(result: &CriterionResult, text: &str, proposal: &ExplanationProposal) -> Option<String> {
    let given = proposal
        .criteria
        .iter()
        .find(|given| given.criterion_id == result.criterion_id)?;
    let quotes: Vec<String> = given
        .quotes
        .iter()
        .filter_map(|(quote, occurrence)| Evidence::locate(text, quote, *occurrence))
        .map(|evidence| format!(" [“{}”]", evidence.quote))
        .collect();
    Some(format!(
        "{} ({}/{}): {}{}",
        result.name,
        result.score,
        result.max_score,
        given.explanation.trim(),
        quotes.concat()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> ExplanationTask {
        let result = |id: &str, score: u16| CriterionResult {
            criterion_id: id.to_owned(),
            name: id.to_uppercase(),
            level_id: None,
            score: Points::whole(score),
            max_score: Points::whole(4),
            rationale: String::new(),
            evidence: Vec::new(),
            confidence: None,
            missing: Vec::new(),
            not_judged: None,
        };
        ExplanationTask {
            assignment_name: String::new(),
            instructions: String::new(),
            rubric: Rubric::overall(),
            submission: "Cool it. Log it.".to_owned(),
            score: Points::whole(50),
            max_score: Points::HUNDRED,
            results: vec![result("time", 3), result("log", 0), result("style", 1)],
            feedback: String::new(),
            course_instructions: String::new(),
            course_language: "en".to_owned(),
            private: Vec::new(),
            model: String::new(),
        }
    }

    fn about(id: &str, quote: &str) -> CriterionExplanation {
        CriterionExplanation {
            criterion_id: id.to_owned(),
            explanation: format!("About {id}."),
            quotes: vec![(quote.to_owned(), 1)],
        }
    }

    #[test]
    fn the_points_are_the_grades_and_the_quotes_the_submissions() {
        let proposal = ExplanationProposal {
            summary: " In all. ".to_owned(),
            criteria: vec![
                about("log", "never said"),
                about("zzz", "Cool it."),
                about("time", "Cool it."),
            ],
        };
        let expected = "TIME (3/4): About time. [“Cool it.”]\nLOG (0/4): About log.\nIn all.";
        assert_eq!(rationale(&task(), &proposal), expected);
    }
}
