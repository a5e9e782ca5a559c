//! What a submission answers; and by which rubric, and with which model, it is judged when the run itself names none.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::submissions::Submission;

use crate::authoring::versions::pinning;
use crate::models;
use crate::prelude::*;

/// The assignment's rubric, else the course's, else one criterion.
pub fn usual(assignment: &Assignment, course: &Course) -> Rubric {
    let of_assignment = assignment.grading.rubric.clone();
    of_assignment
        .or_else(|| course.ai.rubric())
        .unwrap_or_else(Rubric::overall)
}

/// The rubric that the submission would be judged by now; none if its assignment is gone.
pub fn of_submission(tx: &mut dyn Tx, submission: &Submission) -> Result<Option<Rubric>, Error> {
    let task = task_of(tx, submission)?;
    Ok(task.map(|(assignment, course)| usual(&assignment, &course)))
}

/// The assignment's model, else the course's, else the provider's, which is the empty name.
pub fn usual_model(assignment: &Assignment, course: &Course) -> String {
    let of_assignment = assignment.grading.ai_evaluator.model.as_str();
    let named = if of_assignment.is_empty() {
        models::of_course(course)
    } else {
        of_assignment
    };
    named.to_owned()
}

/// What a submission answers, as whoever handed it in sees it, and in which course; nothing if it was deleted meanwhile.
pub fn task_of(
    tx: &mut dyn Tx,
    submission: &Submission,
) -> Result<Option<(Assignment, Course)>, Error> {
    let workspace = submission.workspace_id;
    let Some(mut assignment) = tx.assignments().find(workspace, submission.assignment_id)? else {
        return Ok(None);
    };
    let whose = (submission.user_id, assignment.place.course_id);
    if let Some(cohort) = pinning::cohort_of(tx, workspace, whose, submission.cohort_id)? {
        pinning::as_cohort_sees(tx, cohort, std::slice::from_mut(&mut assignment))?;
    }
    let course = tx.courses().find(workspace, assignment.place.course_id)?;
    Ok(course.map(|course| (assignment, course)))
}
