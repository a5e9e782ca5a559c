//! What courses are done by, and how much of it each student has: looked up only for courses that are done by something else than
//! lessons.

use std::collections::{HashMap, HashSet};

use lyceum_domain::authoring::completion::Done;
use lyceum_domain::ids::{ActivityId, AssignmentId, CourseId, UserId};
use lyceum_domain::learning::progress::Towards;
use lyceum_ports::learning::attempts::BestAttempt;

use crate::prelude::*;

/// Of some students in some courses.
#[derive(Debug, Default)]
pub struct Goals {
    rules: HashMap<CourseId, Done>,
    totals: HashMap<CourseId, u32>,
    done: HashMap<(CourseId, UserId), u32>,
}

impl Goals {
    /// Looks them up; `best` are the students' results.
    ///
    /// # Errors
    /// Those of storage.
    pub fn of(
        tx: &mut dyn Tx,
        ctx: &Context,
        users: &[UserId],
        courses: &[CourseId],
        best: &[BestAttempt],
    ) -> Result<Self, Error> {
        let mut goals = Self::default();
        for course in tx.courses().with_ids(ctx.workspace_id(), courses)? {
            goals.rules.insert(course.id, course.completion.done);
            match course.completion.done {
                Done::Everything | Done::Share(_) => {}
                Done::Quizzes => goals.take_quizzes(tx, ctx, course.id, best)?,
                Done::Assignments => goals.take_assignments(tx, ctx, course.id, users)?,
            }
        }
        Ok(goals)
    }

    /// What a course is done by.
    pub fn rule(&self, course: CourseId) -> Done {
        self.rules.get(&course).copied().unwrap_or_default()
    }

    /// How much of that a student has.
    pub fn towards(&self, course: CourseId, user: UserId) -> Towards {
        Towards {
            done: self.done.get(&(course, user)).copied().unwrap_or_default(),
            total: self.totals.get(&course).copied().unwrap_or_default(),
        }
    }

    fn count(&mut self, course: CourseId, user: UserId) {
        let done = self.done.entry((course, user)).or_default();
        *done = done.saturating_add(1);
    }

    fn total(&mut self, course: CourseId, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.totals.insert(course, count);
    }

    fn take_quizzes(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        course: CourseId,
        best: &[BestAttempt],
    ) -> Result<(), Error> {
        let marks = marks(tx, ctx, course)?;
        self.total(course, marks.len());
        for one in best.iter().filter(|one| one.course_id == course) {
            let mark = marks.get(&one.activity_id);
            if mark.is_some_and(|mark| one.percent >= Some(*mark)) {
                self.count(course, one.user_id);
            }
        }
        Ok(())
    }

    fn take_assignments(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        course: CourseId,
        users: &[UserId],
    ) -> Result<(), Error> {
        let workspace = ctx.workspace_id();
        let assignments = tx.assignments().of_course(workspace, course)?;
        let ids: Vec<AssignmentId> = assignments.iter().map(|one| one.id).collect();
        self.total(course, ids.len());
        let handed_in = tx.progress().handed_in(workspace, users, &ids)?;
        for (user, _) in handed_in.into_iter().collect::<HashSet<_>>() {
            self.count(course, user);
        }
        Ok(())
    }
}

/// What it takes to pass each quiz of the course that is scored.
fn marks(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
) -> Result<HashMap<ActivityId, u8>, Error> {
    let found = tx
        .activities()
        .quizzes_of_course(ctx.workspace_id(), course)?;
    let quizzes = found.iter().filter_map(|one| Some((one.id, one.quiz()?)));
    let scored = quizzes.filter(|(_, quiz)| quiz.is_scored());
    Ok(scored
        .map(|(id, quiz)| (id, quiz.passing_percent))
        .collect())
}
