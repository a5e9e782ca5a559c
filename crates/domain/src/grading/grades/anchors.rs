//! What a grader is calibrated by: grades that a person gave or confirmed.

use super::{Grade, Grader};
use crate::authoring::rubric::Rubric;
use crate::points::Points;

/// The reason of a record by which a person let an AI grade stand.
pub const APPROVED: &str = "approved";

/// The reason of a record by which a person took their decision back; it says again what stood before.
pub const TAKEN_BACK: &str = "taken_back";

/// What the reason of a record begins with by which a person gave the judgement of one answer to another that says the same; behind
/// it stands whose judgement it was (`sub_…`).
pub const ALIKE: &str = "as ";
const AS_ANOTHER: &str = "as sub_";

/// A submission of the same assignment that a person graded, for a grader to be calibrated by.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    /// The grade record (`grd_…`) that was confirmed.
    pub grade_id: String,
    /// The text that was graded.
    pub text: String,
    /// Points per criterion id, as the person gave them.
    pub points: Vec<(String, Points)>,
    /// What the person wrote; may be empty.
    pub reason: String,
}

impl Grade {
    /// Whether it can be an example to a grader: a person's own. Of an AI grade that a person let stand a grader would learn what it
    /// said itself, and of what was graded like another nothing new.
    pub fn is_example(&self) -> bool {
        let says_again = |reason: &str| {
            matches!(reason, APPROVED | TAKEN_BACK) || reason.starts_with(AS_ANOTHER)
        };
        matches!(self.grader, Grader::Human { .. })
            && !self.reason.as_deref().is_some_and(says_again)
    }
}

impl Anchor {
    /// Most examples that a grader is calibrated by.
    pub const MOST: usize = 50;

    /// The example that a record makes for grading by `rubric`, where it makes one: a person's own, with points for
    /// criteria, brought to the rubric's scale. A score without criteria says what the only criterion is worth.
    pub fn of(grade: &Grade, text: String, rubric: &Rubric) -> Option<Self> {
        if !grade.is_example() {
            return None;
        }
        let points = points(grade, rubric);
        (!points.is_empty()).then(|| Self {
            grade_id: grade.id.to_string(),
            text,
            points,
            reason: reason(grade),
        })
    }
}

fn points(grade: &Grade, rubric: &Rubric) -> Vec<(String, Points)> {
    if let ([], [only]) = (grade.criteria.as_slice(), rubric.criteria.as_slice()) {
        let points = scaled(grade.score, grade.max_score, only.max_points);
        return vec![(only.id.clone(), points)];
    }
    let judged = grade.criteria.iter().filter(|one| one.not_judged.is_none());
    judged
        .filter_map(|one| {
            let criterion = rubric.criterion(&one.criterion_id)?;
            let points = scaled(one.score, one.max_score, criterion.max_points);
            Some((criterion.id.clone(), points))
        })
        .collect()
}

/// The same share of another maximum, rounded half up to hundredths.
fn scaled(points: Points, of: Points, to: Points) -> Points {
    if of == to || of == Points::ZERO {
        return points.at_most(to);
    }
    let (points, of) = (i64::from(points.hundredths()), i64::from(of.hundredths()));
    let to = i64::from(to.hundredths());
    Points::from_hundredths((points * to * 2 + of) / (of * 2))
}

/// What the person wrote for the record, else about the criteria.
fn reason(grade: &Grade) -> String {
    match grade.reason.as_deref() {
        Some(reason) if !reason.is_empty() => reason.to_owned(),
        _ => {
            let criteria = grade.criteria.iter();
            let said: Vec<&str> = criteria
                .map(|one| one.rationale.as_str())
                .filter(|rationale| !rationale.is_empty())
                .collect();
            said.join("\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::grades::{CriterionResult, GradeStatus};
    use crate::{Id, Timestamp};
    use serde_json::json;
    use uuid::Uuid;

    fn rubric(criteria: &serde_json::Value) -> Rubric {
        let value = json!({ "criteria": criteria });
        Rubric::parse("rubric", value.as_object().unwrap()).unwrap()
    }

    fn result(id: &str, score: u16, max: u16) -> CriterionResult {
        CriterionResult {
            criterion_id: id.to_owned(),
            name: id.to_owned(),
            level_id: None,
            score: Points::whole(score),
            max_score: Points::whole(max),
            rationale: format!("about {id}"),
            evidence: Vec::new(),
            confidence: None,
            missing: Vec::new(),
            not_judged: None,
        }
    }

    fn grade(criteria: Vec<CriterionResult>) -> Grade {
        Grade {
            workspace_id: Id::from_uuid(Uuid::nil()),
            id: Id::from_uuid(Uuid::nil()),
            submission_id: Id::from_uuid(Uuid::nil()),
            run: 0,
            status: GradeStatus::Final,
            score: Points::whole(60),
            max_score: Points::HUNDRED,
            rubric_hash: String::new(),
            criteria,
            feedback: String::new(),
            review_reasons: Vec::new(),
            grader: Grader::Human {
                user_id: Id::from_uuid(Uuid::nil()),
                blind: false,
            },
            reason: None,
            created_at: Timestamp::from_unix_millis(0),
            receipt: None,
        }
    }

    fn anchor(grade: &Grade, rubric: &Rubric) -> Option<Anchor> {
        Anchor::of(grade, "text".to_owned(), rubric)
    }

    #[test]
    fn points_come_on_the_scale_of_the_rubric_and_only_where_judged() {
        let rubric = rubric(&json!([
            {"id": "a", "name": "A", "max_points": 10}, {"id": "b", "name": "B", "max_points": 4}]));
        let mut unjudged = result("b", 4, 4);
        unjudged.not_judged = Some("needs_person_or_provider".to_owned());
        let made = anchor(&grade(vec![result("a", 1, 3), unjudged]), &rubric).unwrap();
        assert_eq!(
            made.points,
            [("a".to_owned(), Points::from_hundredths(333))]
        );
        assert_eq!(made.reason, "about a\nabout b");
    }

    #[test]
    fn a_score_alone_says_what_the_only_criterion_is_worth() {
        let one = rubric(&json!([{"id": "a", "name": "A", "max_points": 5}]));
        let made = anchor(&grade(Vec::new()), &one).unwrap();
        assert_eq!(made.points, [("a".to_owned(), Points::whole(3))]);
        let two = rubric(&json!([{"id": "a", "name": "A"}, {"id": "b", "name": "B"}]));
        assert_eq!(anchor(&grade(Vec::new()), &two), None);
    }

    #[test]
    fn what_a_person_only_let_stand_is_no_example() {
        let rubric = rubric(&json!([{"id": "a", "name": "A", "max_points": 5}]));
        let mut given = grade(vec![result("a", 5, 5)]);
        assert!(anchor(&given, &rubric).is_some());
        let alike = format!("{ALIKE}sub_00000000000000000000000007");
        for reason in [APPROVED, TAKEN_BACK, &alike] {
            given.reason = Some(reason.to_owned());
            assert_eq!(anchor(&given, &rubric), None, "{reason}");
        }
    }
}
