//! What cohorts see that are updated by choice: kept where a thing changes, and shown to whoever sees the course as the cohort does.
//!
//! What work is due by is no part of it: who has more time reads the same text.

use std::collections::HashMap;

use lyceum_domain::Stamp;
use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::authoring::versions::pinning::{PinnedContent, pin};
use lyceum_domain::authoring::versions::waiting::ChangeTarget;
use lyceum_domain::ids::{CohortId, CourseId, UserId, WorkspaceId};
use lyceum_domain::json::JsonObject;
use lyceum_ports::store::Line;
use lyceum_wire::authoring::activities::UpdateActivity;
use lyceum_wire::authoring::assignments::UpdateAssignment;
use lyceum_wire::authoring::lessons::UpdateLesson;
use lyceum_wire::authoring::units::{UnitView, UpdateUnit};
use lyceum_wire::common::Command;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::authoring::versions;
use crate::identity::visibility::{self, Sight};
use crate::prelude::*;

const OF_UNITS: &[&str] = &["name", "description", "objectives"];
/// Of what versions of assignments keep, what says by when.
const BY_WHEN: &str = "late_policy";

/// Something that a cohort can see as it was.
pub trait Pinnable {
    /// A change of it, as it is sent and kept.
    type Body: Command + DeserializeOwned;

    /// The tenant it belongs to.
    fn workspace(&self) -> WorkspaceId;
    /// The course it is part of.
    fn course(&self) -> CourseId;
    /// Which one.
    fn target(&self) -> ChangeTarget;
    /// What it says, by the members that a change takes.
    ///
    /// # Errors
    /// [`Error::Internal`]
    fn said(&self) -> Result<JsonObject, Error>;
    /// Has it say something else. It stays as old as it is, and by whom it was.
    ///
    /// # Errors
    /// [`Error::Invalid`]
    fn say(&mut self, changes: <Self::Body as Command>::Of) -> Result<(), Error>;
}

/// The line in which whoever changes what the cohorts of a course have pinned stands.
pub fn line(course: CourseId) -> Line {
    Line::at(format!("pins of {course}"))
}

/// Keeps what a thing was for the cohorts that go on seeing it so; whether there are any. Before anything is written of the change: whoever is
/// not first in line begins anew.
///
/// # Errors
/// Those of storage.
pub(crate) fn keep<T: Pinnable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &T,
    after: &T,
) -> Result<bool, Error> {
    let (workspace_id, of) = (before.workspace(), before.target());
    let (was, is) = (before.said()?, after.said()?);
    if was == is {
        return Ok(false);
    }
    let cohorts = tx
        .pinned_contents()
        .pinning(workspace_id, before.course())?;
    if cohorts.is_empty() {
        return Ok(false);
    }
    let number = if let ChangeTarget::Assignment(id) = of {
        Some(versions::current_of(tx, ctx, id)?)
    } else {
        None
    };
    tx.stand_in_line(line(before.course()))?;
    let pinned = tx.pinned_contents().of_thing(workspace_id, of)?;
    let mut pinned: HashMap<CohortId, PinnedContent> =
        pinned.into_iter().map(|one| (one.cohort_id, one)).collect();
    for cohort_id in cohorts {
        let there = pinned.remove(&cohort_id);
        let content = pin(&was, &is, there.as_ref().map(|there| &there.content));
        match (there, content) {
            (None, None) => {}
            (Some(_), None) => {
                tx.pinned_contents().delete(workspace_id, cohort_id, of)?;
            }
            (Some(there), Some(content)) if there.content == content => {}
            (Some(mut there), Some(content)) => {
                there.content = content;
                there.stamp.touch(ctx.now);
                tx.pinned_contents().update(&there)?;
            }
            (None, Some(content)) => tx.pinned_contents().insert(&PinnedContent {
                workspace_id,
                cohort_id,
                of,
                content,
                number,
                stamp: Stamp::new(ctx.now),
            })?,
        }
    }
    Ok(true)
}

/// As which cohort a learner sees a course that they do not see as it is now; asked cheaply of courses all of whose cohorts do.
///
/// # Errors
/// Those of storage.
pub(crate) fn cohort_of(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    whose: (UserId, CourseId),
    named: Option<CohortId>,
) -> Result<Option<CohortId>, Error> {
    let pinning = tx.pinned_contents().pinning(workspace, whose.1)?;
    if pinning.is_empty() {
        return Ok(None);
    }
    visibility::cohort_of(tx, workspace, whose, named)
}

/// Makes things what the caller sees of them.
///
/// # Errors
/// Those of storage.
pub fn as_seen<T: Pinnable>(tx: &mut dyn Tx, sight: &Sight, things: &mut [T]) -> Result<(), Error> {
    for (course, cohort) in sight.pinned() {
        let of_course = |one: &&mut T| one.course() == *course;
        let mut things: Vec<&mut T> = things.iter_mut().filter(of_course).collect();
        as_pinned(tx, *cohort, &mut things)?;
    }
    Ok(())
}

/// Makes things of its course what a cohort sees of them.
///
/// # Errors
/// Those of storage.
pub(crate) fn as_cohort_sees<T: Pinnable>(
    tx: &mut dyn Tx,
    cohort: CohortId,
    things: &mut [T],
) -> Result<(), Error> {
    let mut things: Vec<&mut T> = things.iter_mut().collect();
    as_pinned(tx, cohort, &mut things)
}

/// An assignment as a cohort sees it, and the number of the version that it is.
///
/// # Errors
/// Those of storage.
pub(crate) fn assignment_as_seen(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut assignment: Assignment,
    cohort: Option<CohortId>,
) -> Result<(Assignment, u32), Error> {
    let pinned = match cohort {
        Some(cohort) => {
            tx.pinned_contents()
                .find(assignment.workspace_id, cohort, assignment.target())?
        }
        None => None,
    };
    let current = versions::current_of(tx, ctx, assignment.id)?;
    let Some(pinned) = pinned else {
        return Ok((assignment, current));
    };
    assignment.say(changes_of::<Assignment>(&pinned)?)?;
    Ok((assignment, pinned.number.unwrap_or(current)))
}

fn as_pinned<T: Pinnable>(
    tx: &mut dyn Tx,
    cohort: CohortId,
    things: &mut [&mut T],
) -> Result<(), Error> {
    let Some(workspace) = things.first().map(|one| one.workspace()) else {
        return Ok(());
    };
    let targets: Vec<ChangeTarget> = things.iter().map(|one| one.target()).collect();
    let pinned = tx.pinned_contents().among(workspace, cohort, &targets)?;
    for pinned in pinned {
        for thing in things.iter_mut().filter(|one| one.target() == pinned.of) {
            thing.say(changes_of::<T>(&pinned)?)?;
        }
    }
    Ok(())
}

/// What is pinned of a thing, as a change of it.
fn changes_of<T: Pinnable>(pinned: &PinnedContent) -> Result<<T::Body as Command>::Of, Error> {
    let content = Value::Object(pinned.content.clone());
    let body: T::Body =
        serde_json::from_value(content).map_err(|error| Error::Internal(error.into()))?;
    Ok(body.command()?)
}

impl Pinnable for Unit {
    type Body = UpdateUnit;

    fn workspace(&self) -> WorkspaceId {
        self.workspace_id
    }

    fn course(&self) -> CourseId {
        self.course_id
    }

    fn target(&self) -> ChangeTarget {
        ChangeTarget::Unit(self.id)
    }

    fn said(&self) -> Result<JsonObject, Error> {
        versions::members(&UnitView::new(self, 0), OF_UNITS)
    }

    fn say(&mut self, changes: <UpdateUnit as Command>::Of) -> Result<(), Error> {
        let was = self.clone();
        self.change(changes, was.stamp.updated_at)?;
        (self.stamp, self.provenance) = (was.stamp, was.provenance);
        Ok(())
    }
}

impl Pinnable for Lesson {
    type Body = UpdateLesson;

    fn workspace(&self) -> WorkspaceId {
        self.workspace_id
    }

    fn course(&self) -> CourseId {
        self.course_id
    }

    fn target(&self) -> ChangeTarget {
        ChangeTarget::Lesson(self.id)
    }

    fn said(&self) -> Result<JsonObject, Error> {
        versions::of_lesson(self)
    }

    fn say(&mut self, changes: <UpdateLesson as Command>::Of) -> Result<(), Error> {
        let was = self.clone();
        self.change(changes, was.stamp.updated_at)?;
        (self.stamp, self.provenance) = (was.stamp, was.provenance);
        Ok(())
    }
}

impl Pinnable for Activity {
    type Body = UpdateActivity;

    fn workspace(&self) -> WorkspaceId {
        self.workspace_id
    }

    fn course(&self) -> CourseId {
        self.course_id
    }

    fn target(&self) -> ChangeTarget {
        ChangeTarget::Activity(self.id)
    }

    fn said(&self) -> Result<JsonObject, Error> {
        versions::of_activity(self)
    }

    fn say(&mut self, changes: <UpdateActivity as Command>::Of) -> Result<(), Error> {
        let was = self.clone();
        self.change(changes, was.stamp.updated_at)?;
        (self.stamp, self.provenance) = (was.stamp, was.provenance);
        Ok(())
    }
}

impl Pinnable for Assignment {
    type Body = UpdateAssignment;

    fn workspace(&self) -> WorkspaceId {
        self.workspace_id
    }

    fn course(&self) -> CourseId {
        self.place.course_id
    }

    fn target(&self) -> ChangeTarget {
        ChangeTarget::Assignment(self.id)
    }

    fn said(&self) -> Result<JsonObject, Error> {
        let mut said = versions::of_assignment(self)?;
        said.remove(BY_WHEN);
        Ok(said)
    }

    fn say(&mut self, changes: <UpdateAssignment as Command>::Of) -> Result<(), Error> {
        let was = self.clone();
        self.change(changes, was.stamp.updated_at)?;
        self.grader_changed_at = was.grader_changed_at;
        (self.stamp, self.provenance) = (was.stamp, was.provenance);
        Ok(())
    }
}
