//! The tasks of a book: the assignments and scored quizzes of a course as its cohort sees them, in the order of the course.

use std::collections::HashMap;
use std::ops::Range;

use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::activities::quiz::Quiz;
use lyceum_domain::authoring::assignments::{Assignment, AssignmentPlace};
use lyceum_domain::authoring::courses::gradebook::{GradebookScheme, GradedItem};
use lyceum_domain::authoring::due_dates::{DueOverride, due_in};
use lyceum_domain::grading::gradebook::Column;
use lyceum_domain::ids::{CohortId, LessonId, UnitId};
use lyceum_domain::learning::cohorts::Cohort;
use lyceum_domain::text::Name;
use lyceum_wire::grading::gradebook::GradebookColumnView;

use super::AskedColumns;
use crate::authoring::versions::pinning;
use crate::prelude::*;

/// A task, and what it is called.
pub struct Task {
    /// What it is reckoned by.
    pub column: Column,
    name: Name,
    place: Place,
}

/// Where a task stands in the course; what comes first is less. Of a lesson first the quizzes, then the assignments, and behind its lessons
/// what belongs to a unit.
type Place = (usize, u8, u32, String);

impl Task {
    /// As it is shown.
    pub fn view(&self, scheme: &GradebookScheme) -> GradebookColumnView {
        let Column {
            item,
            best_possible,
            due_at,
        } = self.column;
        let group = scheme.group_of(item).map(|group| group.id.as_str());
        GradebookColumnView::new((item, &self.name), group, best_possible, due_at)
    }
}

/// All tasks of a course.
pub struct Tasks {
    /// In the order of the course.
    pub all: Vec<Task>,
    /// Which of them are assignments.
    pub assignments: Vec<Assignment>,
}

impl Tasks {
    /// Those of the course of a cohort, as the cohort sees them.
    ///
    /// # Errors
    /// Those of storage.
    pub fn of(tx: &mut dyn Tx, ctx: &Context, cohort: &Cohort) -> Result<Self, Error> {
        let (workspace, course) = (ctx.workspace_id(), cohort.course_id);
        let order = Order::of(&tx.gradebook().outline(workspace, course)?);
        let mut assignments = tx.assignments().of_course(workspace, course)?;
        let mut quizzes = tx.activities().quizzes_of_course(workspace, course)?;
        if cohort.pins() {
            pinning::as_cohort_sees(tx, cohort.id, &mut assignments)?;
            pinning::as_cohort_sees(tx, cohort.id, &mut quizzes)?;
        }
        let of_assignments = assignments.iter().map(|one| of_assignment(&order, one));
        let of_quizzes = quizzes.iter().filter_map(|quiz| of_quiz(&order, quiz));
        let mut all: Vec<Task> = of_assignments.chain(of_quizzes).collect();
        all.sort_by(|one, other| one.place.cmp(&other.place));
        Ok(Self { all, assignments })
    }

    /// Notes when they are due for a cohort.
    pub fn note_due(&mut self, cohort: CohortId, due: &[DueOverride]) {
        for task in &mut self.all {
            let mut assignments = self.assignments.iter();
            let is_of = |one: &&Assignment| GradedItem::Assignment(one.id) == task.column.item;
            let assignment = assignments.find(is_of);
            task.column.due_at = assignment.and_then(|one| due_in(one, due, Some(cohort)));
        }
    }

    /// The places of those that are asked for.
    ///
    /// # Errors
    /// [`Error::Invalid`] where they are to begin behind what is no task of the course.
    pub fn shown(&self, asked: AskedColumns) -> Result<Range<usize>, Error> {
        let begin = match asked.after {
            None => 0,
            Some(item) => {
                let mut all = self.all.iter();
                let at = all.position(|task| task.column.item == item);
                let problem = || Invalid::new("columns_after", "names no task of the course");
                at.ok_or_else(problem)? + 1
            }
        };
        let end = begin.saturating_add(asked.limit.into());
        Ok(begin..end.min(self.all.len()))
    }
}

fn of_assignment(order: &Order, assignment: &Assignment) -> Task {
    let column = Column {
        item: GradedItem::Assignment(assignment.id),
        best_possible: assignment.max_score,
        due_at: assignment.due_at,
    };
    Task {
        column,
        name: assignment.name.clone(),
        place: order.of_assignment(assignment),
    }
}

/// None of a quiz that is not scored.
fn of_quiz(order: &Order, activity: &Activity) -> Option<Task> {
    let quiz = activity.quiz().filter(Quiz::is_scored)?;
    let column = Column {
        item: GradedItem::Activity(activity.id),
        best_possible: quiz.points(),
        due_at: None,
    };
    Some(Task {
        column,
        name: activity.name.clone(),
        place: order.of_activity(activity),
    })
}

/// Where the units and lessons of a course are in it.
#[derive(Default)]
struct Order {
    units: HashMap<UnitId, usize>,
    lessons: HashMap<LessonId, usize>,
}

impl Order {
    fn of(outline: &[(UnitId, Vec<LessonId>)]) -> Self {
        let (mut order, mut at) = (Self::default(), 0);
        for (unit, lessons) in outline {
            for lesson in lessons {
                order.lessons.insert(*lesson, at);
                at += 1;
            }
            order.units.insert(*unit, at);
            at += 1;
        }
        order
    }

    fn of_lesson(&self, id: LessonId) -> usize {
        self.lessons.get(&id).copied().unwrap_or(usize::MAX)
    }

    fn of_activity(&self, activity: &Activity) -> Place {
        let id = activity.id.to_string();
        (self.of_lesson(activity.lesson_id), 0, activity.position, id)
    }

    fn of_assignment(&self, assignment: &Assignment) -> Place {
        let AssignmentPlace {
            unit_id, lesson_id, ..
        } = assignment.place;
        let of_unit = || unit_id.and_then(|unit| self.units.get(&unit).copied());
        let at = lesson_id.map(|lesson| self.of_lesson(lesson));
        let at = at.or_else(of_unit).unwrap_or(usize::MAX);
        (at, 1, 0, assignment.id.to_string())
    }
}
