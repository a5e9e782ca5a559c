//! The learners of a book: what each has handed in, and where they stand by it.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use lyceum_domain::authoring::courses::gradebook::GradedItem;
use lyceum_domain::authoring::due_dates::{DueOverride, due_for};
use lyceum_domain::grading::gradebook::{Attempted, Column, HandedIn, LearnerWork, reckon};
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{AssignmentId, UserId};
use lyceum_domain::learning::enrollments::Enrollment;
use lyceum_wire::grading::gradebook::{GradebookCellView, GradebookRowView};

use super::{Book, BookRow};
use crate::prelude::*;

/// A learner, where they stand, and what they have handed in.
pub struct Reckoned {
    /// Who, and where they stand.
    pub row: BookRow,
    handed_in: Vec<HandedIn>,
}

impl Reckoned {
    /// As they are shown on a page with these tasks.
    pub fn view(self, shown: &Range<usize>) -> GradebookRowView {
        let BookRow {
            enrollment,
            user,
            book,
        } = &self.row;
        let cells = book.cells.get(shown.clone()).unwrap_or_default().iter();
        let cells = cells.map(|cell| GradebookCellView::new(cell, &self.at(cell.item)));
        GradebookRowView::new(enrollment, user, book, cells.collect())
    }

    /// When they last handed something in.
    pub fn last_handed_in_at(&self) -> Option<Timestamp> {
        self.handed_in.iter().map(|one| one.submitted_at).max()
    }

    fn at(&self, item: GradedItem) -> Vec<&HandedIn> {
        let of_item = |one: &&HandedIn| GradedItem::Assignment(one.assignment_id) == item;
        self.handed_in.iter().filter(of_item).collect()
    }
}

/// What learners have done, by learner.
#[derive(Default)]
struct Work {
    attempts: HashMap<UserId, BTreeMap<GradedItem, Vec<Attempted>>>,
    handed_in: HashMap<UserId, Vec<HandedIn>>,
    due: Vec<DueOverride>,
}

impl Work {
    fn note(&mut self, user: UserId, item: GradedItem, attempted: Attempted) {
        let of_learner = self.attempts.entry(user).or_default();
        of_learner.entry(item).or_default().push(attempted);
    }
}

impl Book {
    /// Reckons where learners stand, with a few queries however many they are; notes of the tasks when they are due.
    ///
    /// # Errors
    /// Those of storage.
    pub fn reckon(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        learners: Vec<(Enrollment, User)>,
    ) -> Result<Vec<Reckoned>, Error> {
        let users: Vec<UserId> = learners.iter().map(|(_, user)| user.id).collect();
        let mut work = self.work_of(tx, ctx, &users)?;
        self.tasks.note_due(self.cohort.id, &work.due);
        let columns: Vec<Column> = self.tasks.all.iter().map(|task| task.column).collect();
        let reckoned = learners.into_iter().map(|(enrollment, user)| {
            let done = LearnerWork {
                attempts: work.attempts.remove(&user.id).unwrap_or_default(),
                own_due: self.own_due(&work.due, user.id),
            };
            Reckoned {
                handed_in: work.handed_in.remove(&user.id).unwrap_or_default(),
                row: BookRow {
                    book: reckon(&self.scheme, &columns, &done, ctx.now),
                    enrollment,
                    user,
                },
            }
        });
        Ok(reckoned.collect())
    }

    fn work_of(&self, tx: &mut dyn Tx, ctx: &Context, users: &[UserId]) -> Result<Work, Error> {
        let workspace = ctx.workspace_id();
        let assignments = self.tasks.assignments.iter();
        let assignments: Vec<AssignmentId> = assignments.map(|one| one.id).collect();
        let mut work = Work::default();
        for one in tx.gradebook().handed_in(workspace, users, &assignments)? {
            if one.counts_in(self.cohort.id) {
                let item = GradedItem::Assignment(one.assignment_id);
                work.note(one.user_id, item, one.attempted());
                work.handed_in.entry(one.user_id).or_default().push(one);
            }
        }
        for one in tx
            .gradebook()
            .quiz_attempts(workspace, users, self.course_id)?
        {
            let item = GradedItem::Activity(one.activity_id);
            work.note(one.user_id, item, one.attempted);
        }
        let cohort = self.cohort.id;
        let due = tx
            .gradebook()
            .due_overrides(workspace, &assignments, cohort, users)?;
        work.due = due;
        Ok(work)
    }

    /// What is due for a learner at another time than for the cohort.
    fn own_due(
        &self,
        due: &[DueOverride],
        user: UserId,
    ) -> BTreeMap<GradedItem, Option<Timestamp>> {
        let own = due.iter().filter(|one| one.target.user() == Some(user));
        let own = own.filter_map(|one| {
            let mut assignments = self.tasks.assignments.iter();
            let assignment = assignments.find(|known| known.id == one.assignment_id)?;
            let due_at = due_for(assignment, due, user, Some(self.cohort.id));
            Some((GradedItem::Assignment(assignment.id), due_at))
        });
        own.collect()
    }
}
