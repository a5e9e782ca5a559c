//! What all that learners did at a task says about it: how its points are spread, and how difficult and how telling its parts are.
//! Reckoned when it is asked for; nothing of it is kept.

use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::activities::quiz::{Question, Quiz};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::courses::gradebook::{CountingAttempt, GradedItem};
use lyceum_domain::grading::gradebook::{TaskPart, TaskStatistics};
use lyceum_domain::ids::{ActivityId, AssignmentId, CohortId, CourseId};
use lyceum_domain::points::Points;
use lyceum_ports::grading::gradebook::JudgedWork;
use lyceum_wire::grading::statistics::{NamedPart, StatisticsSubject, StatisticsView};
use serde_json::Value;

use crate::grading::rubrics;
use crate::prelude::*;

/// So many of the newest that were handed in are looked at,
const LOOKED_AT: u16 = 20_000;
/// and no more than have so many parts in all: a quiz of hundreds of questions must not take memory that is everybody's.
const PARTS_LOOKED_AT: usize = 200_000;
/// So many characters of a question are its name.
const NAME_LENGTH: usize = 200;

/// Of an assignment, by the criteria that grade now.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] where the cohort is none of the course
pub fn of_assignment(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    cohort: Option<CohortId>,
) -> Result<StatisticsView, Error> {
    let workspace = ctx.workspace_id();
    let assignment = found(tx.assignments().find(workspace, id)?, "assignment")?;
    let course = course_of(tx, ctx, assignment.place.course_id, cohort)?;
    let criteria = rubrics::usual(&assignment, &course).criteria.into_iter();
    let parts = criteria.map(|criterion| NamedPart {
        id: criterion.id,
        name: criterion.name,
        best_possible: criterion.max_points,
    });
    let item = GradedItem::Assignment(id);
    let subject = subject(&course, item, cohort, assignment.max_score, parts.collect());
    let handed_in = tx
        .gradebook()
        .submissions_judged(workspace, id, cohort, most(&subject))?;
    Ok(shown(&subject, &handed_in))
}

/// Of a scored quiz, by its questions.
///
/// # Errors
/// [`Error::NotFound`], also of an activity that is no scored quiz; [`Error::Invalid`] where the cohort is none of the course
pub fn of_activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ActivityId,
    cohort: Option<CohortId>,
) -> Result<StatisticsView, Error> {
    let workspace = ctx.workspace_id();
    let activity = found(tx.activities().find(workspace, id)?, "activity")?;
    let quiz = found(activity.quiz().filter(Quiz::is_scored), "scored quiz")?;
    let course = course_of(tx, ctx, activity.course_id, cohort)?;
    let item = GradedItem::Activity(id);
    let parts = questions(&activity, &quiz);
    let subject = subject(&course, item, cohort, quiz.points(), parts);
    let attempts = tx
        .gradebook()
        .attempts_judged(workspace, id, cohort, most(&subject))?;
    Ok(shown(&subject, &attempts))
}

/// The course, if the cohort takes it.
fn course_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CourseId,
    cohort: Option<CohortId>,
) -> Result<Course, Error> {
    if let Some(cohort) = cohort {
        let cohort = tx.cohorts().find(ctx.workspace_id(), cohort)?;
        if cohort.is_none_or(|cohort| cohort.course_id != id) {
            return Err(Invalid::new("cohort_id", "names no cohort of the course").into());
        }
    }
    found(tx.courses().find(ctx.workspace_id(), id)?, "course")
}

fn subject(
    course: &Course,
    item: GradedItem,
    cohort_id: Option<CohortId>,
    best_possible: Points,
    parts: Vec<NamedPart>,
) -> StatisticsSubject {
    let group = course.gradebook.group_of(item);
    StatisticsSubject {
        item,
        cohort_id,
        best_possible,
        attempt: group.map_or(CountingAttempt::Best, |group| group.attempt),
        parts,
    }
}

/// Those that are worth anything.
fn questions(activity: &Activity, quiz: &Quiz) -> Vec<NamedPart> {
    let scored = quiz
        .questions
        .iter()
        .filter(|one| one.points > Points::ZERO);
    let asked = activity.content.as_map().get("questions");
    let asked = asked.and_then(Value::as_array);
    let prompt = |id: &str| -> Option<String> {
        let question = asked?.iter().find(|one| one["id"] == id)?;
        let text = question["prompt"].as_str()?;
        Some(text.chars().take(NAME_LENGTH).collect())
    };
    let part = |question: &Question| NamedPart {
        id: question.id.clone(),
        name: prompt(&question.id).unwrap_or_default(),
        best_possible: question.points,
    };
    scored.map(part).collect()
}

/// How many are looked at.
fn most(subject: &StatisticsSubject) -> u16 {
    let by_parts = PARTS_LOOKED_AT / subject.parts.len().max(1);
    u16::try_from(by_parts).map_or(LOOKED_AT, |most| most.clamp(1, LOOKED_AT))
}

fn shown(subject: &StatisticsSubject, work: &JudgedWork) -> StatisticsView {
    let part = |part: &NamedPart| TaskPart {
        id: part.id.clone(),
        best_possible: part.best_possible,
    };
    let parts: Vec<TaskPart> = subject.parts.iter().map(part).collect();
    let found = TaskStatistics::of(
        &work.attempts,
        subject.attempt,
        subject.best_possible,
        &parts,
    );
    StatisticsView::new(subject, &found, work.is_all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::visibility::tests::id;

    #[test]
    fn a_task_of_many_parts_is_looked_at_less_often() {
        let of_parts = |count: usize| {
            let part = NamedPart {
                id: "q".to_owned(),
                name: String::new(),
                best_possible: Points::whole(1),
            };
            most(&StatisticsSubject {
                item: GradedItem::Activity(id(1)),
                cohort_id: None,
                best_possible: Points::whole(1),
                attempt: CountingAttempt::Best,
                parts: vec![part; count],
            })
        };
        assert_eq!(
            [0, 10, 11, 500].map(of_parts),
            [20_000, 20_000, 18_181, 400]
        );
        assert_eq!(of_parts(1_000_000), 1);
    }
}
