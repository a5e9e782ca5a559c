//! Explanations of grades that stand: from a proposal to the text a teacher reads.
//!
//! The points are given and stay; an explanation finds support for them in the submission, or says there is none.

use crate::authoring::rubric::Rubric;
use crate::grading::grades::{CriterionResult, MAX_QUOTES, Passages};
use crate::points::Points;
use crate::words::words;

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

words!(
    /// Whether the text bears out the points of a criterion; for teachers, never for learners.
    Agreement {
        /// It does.
        Supported = "supported",
        /// It does in part.
        PartlySupported = "partly_supported",
        /// Nothing of the kind was found in it.
        NotFoundInSubmission = "not_found_in_submission",
    }
);

/// What is said about one criterion, before anything is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriterionExplanation {
    /// The criterion meant.
    pub criterion_id: String,
    /// Why its points follow from the text.
    pub explanation: String,
    /// Passages, and which of their occurrences (1-based) is meant.
    pub quotes: Vec<(String, usize)>,
    /// Whether the text bears out the points.
    pub agreement: Agreement,
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
/// Points are never read from the proposal; criteria that the grade does not have are dropped. Where the text does not
/// bear the points out, or nothing that was quoted for them stands in it, the line ends with that word of
/// [`Agreement`].
pub fn rationale(task: &ExplanationTask, proposal: &ExplanationProposal) -> String {
    let passages = Passages::of(&task.submission);
    let mut lines: Vec<String> = task
        .results
        .iter()
        .filter_map(|result| line(result, &passages, proposal))
        .collect();
    lines.push(proposal.summary.trim().to_owned());
    lines.retain(|line| !line.is_empty());
    // Not every database can hold the character, and no reason needs it.
    lines.join("\n").replace('\0', "")
}

fn line(
    result: &CriterionResult,
    passages: &Passages<'_>,
    proposal: &ExplanationProposal,
) -> Option<String> {
    let given = proposal
        .criteria
        .iter()
        .find(|given| given.criterion_id == result.criterion_id)?;
    let mut quotes: Vec<String> = given
        .quotes
        .iter()
        .take(MAX_QUOTES)
        .filter_map(|(quote, occurrence)| passages.locate(quote, *occurrence))
        .map(|evidence| format!(" [“{}”]", evidence.quote))
        .collect();
    quotes.dedup();
    let doubt = match doubt(result, given.agreement, quotes.is_empty()) {
        Some(agreement) => format!(" ({agreement})"),
        None => String::new(),
    };
    Some(format!(
        "{} ({}/{}): {}{}{doubt}",
        result.name,
        result.score,
        result.max_score,
        given.explanation.trim(),
        quotes.concat()
    ))
}

/// What a teacher should know about the support of points; a claim counts no more than what was quoted for it.
fn doubt(result: &CriterionResult, said: Agreement, nothing_stands: bool) -> Option<Agreement> {
    let unproven = nothing_stands && result.score > Points::ZERO;
    match said {
        Agreement::Supported | Agreement::PartlySupported if unproven => {
            Some(Agreement::NotFoundInSubmission)
        }
        Agreement::Supported => None,
        Agreement::PartlySupported | Agreement::NotFoundInSubmission => Some(said),
    }
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
            agreement: Agreement::Supported,
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

    #[test]
    fn what_the_text_does_not_bear_out_is_said_to_the_teacher() {
        let told = |id: &str, quote: &str, agreement| {
            let mut one = about(id, quote);
            one.agreement = agreement;
            let proposal = ExplanationProposal {
                summary: String::new(),
                criteria: vec![one],
            };
            let told = rationale(&task(), &proposal);
            told.rsplit_once(' ').unwrap().1.to_owned()
        };
        let invented = told("time", "never said", Agreement::Supported);
        assert_eq!(invented, "(not_found_in_submission)");
        let partly = told("time", "Log it.", Agreement::PartlySupported);
        assert_eq!(partly, "(partly_supported)");
        let nothing_for_nothing = told("log", "never said", Agreement::Supported);
        assert_eq!(nothing_for_nothing, "log.");
        let honest = told("log", "Log it.", Agreement::NotFoundInSubmission);
        assert_eq!(honest, "(not_found_in_submission)");
    }
}
