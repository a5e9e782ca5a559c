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
        let (these, those) = (&self.grading, &other.grading);
        self.name == other.name
            && self.instructions == other.instructions
            && these.rubric == those.rubric
            && these.ai_evaluator.model == those.ai_evaluator.model
            && these.feedback == those.feedback
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
