//! Names and numbers as people read them.

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_wire::authoring::assignments::AssignmentView;
use lyceum_wire::grading::grades::{CriterionResultView, GradeView};

/// A level of a criterion.
pub struct Level {
    pub id: String,
    pub label: String,
    pub points: f64,
}

/// A criterion of the assignment's rubric.
pub struct Criterion {
    pub id: String,
    pub name: String,
    pub description: String,
    pub weight: f64,
    pub levels: Vec<Level>,
}

impl Criterion {
    /// The label of the level that was reached, or `""` where there are no levels.
    pub fn label(&self, result: &CriterionResultView) -> &str {
        let reached = |level: &&Level| Some(&level.id) == result.level_id.as_ref();
        self.levels
            .iter()
            .find(reached)
            .map_or("", |level| level.label.as_str())
    }
}

/// What the assignment is judged by.
pub fn criteria(assignment: &AssignmentView) -> Vec<Criterion> {
    let rubric =
        Rubric::parse("rubric", &assignment.rubric.0).unwrap_or_else(|_| Rubric::overall());
    let criterion = |criterion: lyceum_domain::authoring::rubric::Criterion| Criterion {
        id: criterion.id,
        name: criterion.name,
        description: criterion.description,
        weight: f64::from(criterion.weight) / 100.0,
        levels: criterion
            .levels
            .into_iter()
            .map(|level| Level {
                id: level.id,
                label: level.label,
                points: level.points.to_number(),
            })
            .collect(),
    };
    rubric.criteria.into_iter().map(criterion).collect()
}

/// How a criterion was judged in a grade.
pub fn result_of<'a>(
    grade: &'a GradeView,
    criterion: &Criterion,
) -> Option<&'a CriterionResultView> {
    grade
        .criteria
        .iter()
        .find(|result| result.criterion_id == criterion.id)
}

/// A number with at most one decimal.
pub fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Why a person should look, for that person.
pub fn reason(code: &str) -> String {
    let known = match code {
        "uncalibrated" => "Not calibrated with graded examples",
        "blank" => "Says nothing",
        "no_content_words" => "No words with content",
        "instruction_like_text" => "Reads like an order to the grader",
        "hidden_characters" => "Hidden characters",
        "mixed_script" => "Letters of several scripts mixed",
        "encoded_block" => "Encoded block",
        "markup" => "Markup",
        "link" => "Contains a link",
        "too_long" => "Longer than what was read",
        "grading_vocabulary" => "Talks about grading",
        "repeats_question" => "Repeats the question",
        "repeats_rubric" => "Says the rubric back",
        "several_answers" => "Gives several answers at once",
        "repetition" => "Repeats itself",
        "keyword_list" => "Keywords without sentences",
        "language_mismatch" => "Another language than the course",
        "negation_mismatch" => "May say the opposite of what is expected",
        "scrambled_order" => "Words in an unlikely order",
        "much_unrelated_text" => "Much text beside the point",
        "provider_failed" => "Graded by the built-in engine because the provider failed",
        "criterion_missing" => "A criterion was not judged",
        "feedback_replaced" => "Its feedback broke a rule and is not shown",
        "evidence_not_found" => "A quotation was not found",
        "points_without_evidence" => "Points without a quotation",
        "cannot_judge" => "Nothing to compare a text with",
        "needs_person_or_provider" => "A criterion that this grader cannot judge",
        "instructions_in_submission" => "Tries to influence grading",
        "off_topic" => "About something else",
        "off_topic_with_points" => "About something else, and yet has points",
        "low_confidence" => "The grader is not sure",
        "middle_band" => "In the middle, and the grader is not sure",
        "first_of_assignment" => "Among the first grades of the assignment",
        "audit_sample" => "Picked for a look",
        other => return other.replace('_', " "),
    };
    known.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [number(70.0), number(63.25), number(0.04)],
            ["70", "63.2", "0"]
        );
    }

    #[test]
    fn an_unknown_reason_is_still_readable() {
        assert_eq!(reason("new_reason"), "new reason");
    }
}
