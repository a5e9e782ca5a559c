//! What of a course and of an assignment fixes the grades that AI gives, beside the work and the examples.
//!
//! Whatever a grading task takes from the assignment or the course is named here; what only decides about a grade afterwards,
//! such as whether a person looks at it, is not.

use crate::authoring::assignments::Assignment;
use crate::authoring::courses::{Course, CourseAi};
use crate::authoring::rubric::Rubric;

impl CourseAi {
    /// The rubric of assignments that have none, if there is one that can be read.
    pub fn rubric(&self) -> Option<Rubric> {
        let rubric = self.evaluator.get("rubric")?.as_object()?;
        Rubric::parse("rubric", rubric).ok()
    }

    /// The model of assignments that name none; empty if the course names none either.
    pub fn model(&self) -> &str {
        let named = self.evaluator.get("model");
        named.and_then(|model| model.as_str()).unwrap_or_default()
    }
}

impl Assignment {
    /// Whether AI grades it as it grades the other, as far as the assignment decides.
    pub fn is_graded_like(&self, other: &Self) -> bool {
        let (own, its) = (&self.grading, &other.grading);
        self.name == other.name
            && self.instructions == other.instructions
            && own.rubric == its.rubric
            && own.ai_evaluator.model == its.ai_evaluator.model
            && own.feedback == its.feedback
    }
}

/// What a change of a course changes in how AI grades its assignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourseGraderChange {
    /// What every assignment takes from it: guidance and language.
    everywhere: bool,
    /// The rubric of those that have none.
    rubric: bool,
    /// The model of those that name none.
    model: bool,
}

impl CourseGraderChange {
    /// What is different in `after`.
    pub fn between(before: &Course, after: &Course) -> Self {
        Self {
            everywhere: before.language != after.language
                || before.ai.instructions != after.ai.instructions,
            rubric: before.ai.rubric() != after.ai.rubric(),
            model: before.ai.model() != after.ai.model(),
        }
    }

    /// Whether it reaches any assignment at all.
    pub const fn is_any(self) -> bool {
        self.everywhere || self.rubric || self.model
    }

    /// Whether this assignment of the course is graded otherwise by it.
    pub fn reaches(self, assignment: &Assignment) -> bool {
        let grading = &assignment.grading;
        self.everywhere
            || (self.rubric && grading.rubric.is_none())
            || (self.model && grading.ai_evaluator.model.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authoring::assignments::{
        AssignmentChanges, AssignmentParent, AssignmentPlace, GradingChanges, HumanReview,
        NewAssignment, Tone,
    };
    use crate::authoring::courses::tests::new_course;
    use crate::authoring::courses::{CourseAiChanges, CourseChanges, Hours};
    use crate::json::Metadata;
    use crate::points::Points;
    use crate::text::{LanguageTag, LongText, Name};
    use crate::{Id, Timestamp};
    use serde_json::json;
    use uuid::Uuid;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_unix_millis(millis)
    }

    fn rubric() -> Rubric {
        let value = json!({"criteria": [{"id": "a", "name": "A"}]});
        Rubric::parse("rubric", value.as_object().unwrap()).unwrap()
    }

    fn assignment() -> Assignment {
        let (workspace, course) = (Id::from_uuid(Uuid::nil()), Id::from_uuid(Uuid::nil()));
        let place = AssignmentPlace {
            course_id: course,
            unit_id: None,
            lesson_id: None,
        };
        let new = NewAssignment {
            parent: AssignmentParent::Course(course),
            name: Name::parse("Plan").unwrap(),
            instructions: LongText::default(),
            max_score: Points::HUNDRED,
            due_at: None,
            late_policy: None,
            max_attempts: None,
            grading: GradingChanges::default(),
            metadata: Metadata::default(),
        };
        let id = Id::from_uuid(Uuid::nil());
        Assignment::new(workspace, id, place, LanguageTag::english(), new, at(0)).unwrap()
    }

    fn course() -> Course {
        let id = || Uuid::nil();
        Course::draft(
            Id::from_uuid(id()),
            Id::from_uuid(id()),
            new_course(),
            at(0),
        )
    }

    #[test]
    fn a_change_of_what_ai_grades_by_is_noted_and_no_other_is() {
        let graded_by = |grading: GradingChanges| AssignmentChanges {
            grading,
            ..AssignmentChanges::default()
        };
        let notes = [
            graded_by(GradingChanges {
                rubric: Some(Some(rubric())),
                ..GradingChanges::default()
            }),
            graded_by(GradingChanges {
                ai_model: Some("other".to_owned()),
                ..GradingChanges::default()
            }),
            graded_by(GradingChanges {
                tone: Some(Tone::Demanding),
                ..GradingChanges::default()
            }),
            AssignmentChanges {
                name: Some(Name::parse("Another").unwrap()),
                ..AssignmentChanges::default()
            },
            AssignmentChanges {
                instructions: Some(LongText::parse("Write.").unwrap()),
                ..AssignmentChanges::default()
            },
        ];
        for change in notes {
            let mut changed = assignment();
            assert!(changed.change(change.clone(), at(5)).unwrap());
            assert_eq!(changed.grader_changed_at, Some(at(5)), "{change:?}");
        }
        let others = [
            graded_by(GradingChanges {
                ai_enabled: Some(true),
                human_review: Some(HumanReview::Required),
                ..GradingChanges::default()
            }),
            AssignmentChanges {
                max_score: Some(Points::whole(7)),
                due_at: Some(Some(at(9))),
                ..AssignmentChanges::default()
            },
        ];
        for change in others {
            let mut changed = assignment();
            assert!(changed.change(change.clone(), at(5)).unwrap());
            assert_eq!(changed.grader_changed_at, None, "{change:?}");
        }
    }

    #[test]
    fn putting_the_configuration_back_is_a_change_too() {
        let mut changed = assignment();
        let own = GradingChanges {
            rubric: Some(Some(rubric())),
            ..GradingChanges::default()
        };
        assert!(changed.configure(own, at(5)));
        assert!(changed.reset_configuration(LanguageTag::english(), at(6)));
        assert_eq!(changed.grader_changed_at, Some(at(6)));
    }

    /// Whether a change of the course reaches an assignment with its own rubric and model, and one with neither.
    fn reached(changes: CourseChanges) -> [bool; 2] {
        let before = course();
        let mut after = before.clone();
        assert!(after.change(changes, at(5)).unwrap());
        let change = CourseGraderChange::between(&before, &after);
        let mut own = assignment();
        own.grading.rubric = Some(rubric());
        own.grading.ai_evaluator.model = "own".to_owned();
        let reached = [change.reaches(&own), change.reaches(&assignment())];
        assert_eq!(change.is_any(), reached.contains(&true));
        reached
    }

    #[test]
    fn a_change_of_the_course_reaches_what_goes_by_it() {
        let ai = |ai: CourseAiChanges| CourseChanges {
            ai,
            ..CourseChanges::default()
        };
        let evaluator = |value: serde_json::Value| {
            ai(CourseAiChanges {
                evaluator: value.as_object().cloned(),
                ..CourseAiChanges::default()
            })
        };
        let guidance = ai(CourseAiChanges {
            instructions: Some(LongText::parse("Be strict.").unwrap()),
            ..CourseAiChanges::default()
        });
        assert_eq!(reached(guidance), [true, true]);
        let language = CourseChanges {
            language: Some(LanguageTag::parse("de").unwrap()),
            ..CourseChanges::default()
        };
        assert_eq!(reached(language), [true, true]);
        let of_rubric = evaluator(json!({"rubric": {"criteria": [{"id": "b", "name": "B"}]}}));
        assert_eq!(reached(of_rubric), [false, true]);
        assert_eq!(reached(evaluator(json!({"model": "m"}))), [false, true]);
        assert_eq!(reached(evaluator(json!({"note": "n"}))), [false, false]);
        let hours = CourseChanges {
            hours: Some(Hours::parse(3).unwrap()),
            ..CourseChanges::default()
        };
        assert_eq!(reached(hours), [false, false]);
    }
}
