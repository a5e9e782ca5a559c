//! Grades: judged per criterion, summed by the service, never read from a model.

use crate::assignments::FeedbackStyle;
use crate::id::Identified;
use crate::points::{Points, WeightedPart, weighted_score};
use crate::rubric::{Criterion, Rubric};
use crate::submissions::SubmissionId;
use crate::users::UserId;
use crate::words::words;
use crate::workspaces::WorkspaceId;
use crate::{Id, Timestamp};

/// Identifies a grade record (`grd_…`).
pub type GradeId = Id<Grade>;

impl Identified for Grade {
    const PREFIX: &'static str = "grd";
    const OBJECT: &'static str = "grade";
}

words!(
    /// Who judged.
    GradeSource {
        /// AI, or the built-in grader.
        Ai = "ai",
        /// A person.
        Human = "human",
    }
);

words!(
    /// What a grade record is worth.
    GradeStatus {
        /// Proposed, waiting for a person.
        Suggested = "suggested",
        /// Counts.
        Final = "final",
        /// Counted once, or was proposed once.
        Superseded = "superseded",
    }
);

/// A passage of the submission that bears on a criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Where it starts, in characters (Unicode scalar values) of the submission's text.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// The passage, exactly as it stands there.
    pub quote: String,
}

impl Evidence {
    /// Finds the `occurrence`-th (1-based) place where `quote` stands in `text`; white space at its ends is dropped.
    pub fn locate(text: &str, quote: &str, occurrence: usize) -> Option<Self> {
        let quote = quote.trim();
        if quote.is_empty() {
            return None;
        }
        let places: Vec<usize> = text.match_indices(quote).map(|(at, _)| at).collect();
        let wanted = places
            .get(occurrence.saturating_sub(1))
            .or_else(|| places.first())?;
        let start = text.get(..*wanted)?.chars().count();
        let end = start + quote.chars().count();
        Some(Self {
            start,
            end,
            quote: quote.to_owned(),
        })
    }
}

/// What a grader says about one criterion, before anything is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionProposal {
    /// The criterion meant.
    pub criterion_id: String,
    /// The level chosen, where there are levels.
    pub level_id: Option<String>,
    /// The points given.
    pub points: Points,
    /// Why, for the teacher.
    pub rationale: String,
    /// Passages, and which of their occurrences (1-based) is meant.
    pub quotes: Vec<(String, usize)>,
    /// The chance that an expert would choose the same, in hundredths (0..=100), where the grader says.
    pub confidence: Option<u8>,
}

/// What a grader says about a submission, before anything is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct GradeProposal {
    /// One per criterion, in any order.
    pub criteria: Vec<CriterionProposal>,
    /// For the student.
    pub feedback: String,
    /// Reasons to have a person look, such as `instructions_in_submission`.
    pub flags: Vec<String>,
}

/// One criterion, judged and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionResult {
    /// The criterion.
    pub criterion_id: String,
    /// Its name when it was judged.
    pub name: String,
    /// The level reached, where there are levels.
    pub level_id: Option<String>,
    /// Points reached.
    pub score: Points,
    /// Best possible points.
    pub max_score: Points,
    /// Why.
    pub rationale: String,
    /// Passages that were found in the submission.
    pub evidence: Vec<Evidence>,
    /// In hundredths (0..=100), where the grader says.
    pub confidence: Option<u8>,
}

/// A whole submission, judged and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// One per criterion of the rubric, in its order.
    pub criteria: Vec<CriterionResult>,
    /// The sum, out of the assignment's maximum.
    pub score: Points,
    /// Reasons to have a person look; empty when there are none.
    pub review_reasons: Vec<String>,
}

/// Checks a proposal against rubric and submission and sums it up.
///
/// Unknown criteria are dropped and of doubles the first counts; a missing criterion gives nothing and is a
/// reason for review; points are those of the chosen level, or clamped to the criterion; quotes that do not
/// stand in the submission are dropped, and points without any verified quote are a reason for review.
pub fn judge(
    rubric: &Rubric,
    text: &str,
    proposal: &GradeProposal,
    max_score: Points,
) -> Judgement {
    let mut reasons = proposal.flags.clone();
    let criteria: Vec<CriterionResult> = rubric
        .criteria
        .iter()
        .map(|criterion| {
            let found = proposal
                .criteria
                .iter()
                .find(|given| given.criterion_id == criterion.id);
            if let Some(given) = found {
                judge_criterion(criterion, given, text, &mut reasons)
            } else {
                reasons.push("criterion_missing".to_owned());
                unjudged(criterion)
            }
        })
        .collect();
    reasons.sort();
    reasons.dedup();
    let score = total(rubric, &criteria, max_score);
    Judgement {
        criteria,
        score,
        review_reasons: reasons,
    }
}

/// The score out of `max_score` for judged criteria, by the rubric's weights.
pub fn total(rubric: &Rubric, criteria: &[CriterionResult], max_score: Points) -> Points {
    let parts: Vec<WeightedPart> = criteria
        .iter()
        .filter_map(|result| {
            let weight = rubric.criterion(&result.criterion_id)?.weight;
            Some(WeightedPart {
                reached: result.score,
                possible: result.max_score,
                weight,
            })
        })
        .collect();
    weighted_score(&parts, max_score)
}

fn judge_criterion(
    criterion: &Criterion,
    given: &CriterionProposal,
    text: &str,
    reasons: &mut Vec<String>,
) -> CriterionResult {
    let named = given.level_id.as_deref().and_then(|id| criterion.level(id));
    let level = named.or_else(|| criterion.nearest_level(given.points));
    let score = level
        .map_or(given.points, |level| level.points)
        .at_most(criterion.max_points);
    let evidence: Vec<Evidence> = given
        .quotes
        .iter()
        .filter_map(|(quote, occurrence)| Evidence::locate(text, quote, *occurrence))
        .collect();
    if evidence.len() * 3 < given.quotes.len() * 2 {
        reasons.push("evidence_not_found".to_owned());
    }
    let lowest = criterion
        .levels
        .iter()
        .map(|level| level.points)
        .min()
        .unwrap_or_default();
    let unsupported = evidence.is_empty() && score > lowest;
    if unsupported {
        reasons.push("points_without_evidence".to_owned());
    }
    // A grader that cannot point at anything cannot be sure.
    let confidence = given.confidence.map(|said| {
        if unsupported {
            said.min(30)
        } else {
            said.min(100)
        }
    });
    CriterionResult {
        criterion_id: criterion.id.clone(),
        name: criterion.name.clone(),
        level_id: level.map(|level| level.id.clone()),
        score,
        max_score: criterion.max_points,
        // Not every database can hold the character, and no reason needs it.
        rationale: given.rationale.replace('\0', ""),
        evidence,
        confidence,
    }
}

fn unjudged(criterion: &Criterion) -> CriterionResult {
    let lowest = criterion.levels.iter().min_by_key(|level| level.points);
    CriterionResult {
        criterion_id: criterion.id.clone(),
        name: criterion.name.clone(),
        level_id: lowest.map(|level| level.id.clone()),
        score: lowest.map_or(Points::ZERO, |level| level.points),
        max_score: criterion.max_points,
        rationale: String::new(),
        evidence: Vec::new(),
        confidence: Some(0),
    }
}

/// Who judged, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grader {
    /// A model, or the built-in grader.
    Ai {
        /// The model that answered.
        model: String,
        /// Version of the prompt or algorithm.
        prompt_version: String,
        /// Tokens read.
        tokens_in: u64,
        /// Tokens written.
        tokens_out: u64,
    },
    /// A person.
    Human {
        /// Who.
        user_id: UserId,
    },
}

/// One record of the append-only grade history.
#[derive(Debug, Clone, PartialEq)]
pub struct Grade {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: GradeId,
    /// What was graded.
    pub submission_id: SubmissionId,
    /// Grading run that made it; 0 for a person.
    pub run: u32,
    /// What it is worth.
    pub status: GradeStatus,
    /// The score, out of `max_score`.
    pub score: Points,
    /// Best possible score.
    pub max_score: Points,
    /// Hash of the rubric it was judged by.
    pub rubric_hash: String,
    /// One per criterion.
    pub criteria: Vec<CriterionResult>,
    /// For the student.
    pub feedback: String,
    /// Who judged.
    pub grader: Grader,
    /// Why a person overruled.
    pub reason: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

impl Grade {
    /// Who judged, in a word.
    pub const fn source(&self) -> GradeSource {
        match self.grader {
            Grader::Ai { .. } => GradeSource::Ai,
            Grader::Human { .. } => GradeSource::Human,
        }
    }
}

/// What a grader is given.
#[derive(Debug, Clone, PartialEq)]
pub struct GradingTask {
    /// Name of the assignment.
    pub assignment_name: String,
    /// What was to be done.
    pub instructions: String,
    /// What is judged.
    pub rubric: Rubric,
    /// The student's text.
    pub submission: String,
    /// Guidance of the course.
    pub course_instructions: String,
    /// Language of the course.
    pub course_language: String,
    /// How feedback is to be written.
    pub feedback: FeedbackStyle,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rubric() -> Rubric {
        let value = json!({"criteria": [
            {"id": "a", "name": "A", "max_points": 10, "weight": 3},
            {"id": "b", "name": "B", "levels": [
                {"id": "no", "label": "no", "points": 0}, {"id": "yes", "label": "yes", "points": 4}]},
        ]});
        Rubric::parse("rubric", value.as_object().unwrap()).unwrap()
    }

    fn given(id: &str, points: u16, quotes: &[&str]) -> CriterionProposal {
        CriterionProposal {
            criterion_id: id.into(),
            level_id: None,
            points: Points::whole(points),
            rationale: "because".into(),
            quotes: quotes
                .iter()
                .map(|quote| ((*quote).to_owned(), 1))
                .collect(),
            confidence: Some(90),
        }
    }

    fn proposal(criteria: Vec<CriterionProposal>) -> GradeProposal {
        GradeProposal {
            criteria,
            feedback: String::new(),
            flags: Vec::new(),
        }
    }

    const TEXT: &str = "Wäsche dich. Wash your hands. Wash your hands again.";

    #[test]
    fn evidence_is_found_by_characters_and_occurrence() {
        let second = Evidence::locate(TEXT, "Wash your hands", 2).unwrap();
        let slice: String = TEXT
            .chars()
            .skip(second.start)
            .take(second.end - second.start)
            .collect();
        assert_eq!((slice.as_str(), second.start), ("Wash your hands", 30));
        assert_eq!(Evidence::locate(TEXT, "never said", 1), None);
        assert_eq!(Evidence::locate(TEXT, "  ", 1), None);
    }

    #[test]
    fn points_are_clamped_snapped_to_levels_and_weighted() {
        let proposal = proposal(vec![given("b", 3, &["Wash"]), given("a", 99, &["hands"])]);
        let judged = judge(&rubric(), TEXT, &proposal, Points::HUNDRED);
        assert_eq!(judged.criteria[0].score, Points::whole(10));
        assert_eq!(judged.criteria[1].level_id.as_deref(), Some("yes"));
        assert_eq!(judged.score, Points::HUNDRED);
        assert!(judged.review_reasons.is_empty());
    }

    #[test]
    fn invented_quotes_are_dropped_and_ask_for_a_person() {
        let proposal = proposal(vec![given("a", 5, &["never said"]), given("b", 0, &[])]);
        let judged = judge(&rubric(), TEXT, &proposal, Points::HUNDRED);
        assert!(judged.criteria[0].evidence.is_empty());
        assert_eq!(judged.criteria[0].confidence, Some(30));
        assert_eq!(
            judged.review_reasons,
            ["evidence_not_found", "points_without_evidence"]
        );
        assert_eq!(judged.score, Points::from_hundredths(3_750));
    }

    #[test]
    fn missing_unknown_and_doubled_criteria_cannot_move_the_score_up() {
        let proposal = proposal(vec![
            given("a", 5, &["Wash"]),
            given("a", 10, &["Wash"]),
            given("zzz", 10, &["Wash"]),
        ]);
        let judged = judge(&rubric(), TEXT, &proposal, Points::HUNDRED);
        assert_eq!(judged.score, Points::from_hundredths(3_750));
        assert_eq!(judged.review_reasons, ["criterion_missing"]);
    }
}
