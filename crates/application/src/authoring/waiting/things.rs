//! What changes can wait for, each with what its own use cases would do.

use lyceum_domain::authoring::activities::{Activity, ActivityChanges};
use lyceum_domain::authoring::assignments::{Assignment, AssignmentChanges};
use lyceum_domain::authoring::courses::CourseChanges;
use lyceum_domain::authoring::lessons::{Lesson, LessonChanges};
use lyceum_domain::authoring::units::{Unit, UnitChanges};
use lyceum_domain::authoring::versions::waiting::ChangeTarget;
use lyceum_domain::id::Identified;
use lyceum_domain::ids::{self, CourseId};
use lyceum_domain::json::JsonObject;
use lyceum_domain::{Id, Stamp};
use lyceum_ports::authoring::courses::ShownCourse;
use lyceum_wire::authoring::activities::{ActivityView, UpdateActivity};
use lyceum_wire::authoring::assignments::{AssignmentView, UpdateAssignment};
use lyceum_wire::authoring::courses::{CourseView, UpdateCourse};
use lyceum_wire::authoring::lessons::{LessonView, UpdateLesson};
use lyceum_wire::authoring::units::{UnitView, UpdateUnit};
use lyceum_wire::common::Command;
use serde::de::DeserializeOwned;

use crate::authoring::{activities, assignments, courses, lessons, units, versions};
use crate::models;
use crate::prelude::*;

/// Something that changes can wait for.
pub trait Changeable: Clone {
    /// The kind of its ids.
    type Kind: Identified;
    /// What a change says.
    type Changes;
    /// The same as it is sent, and kept while it waits.
    type Body: Command<Of = Self::Changes> + DeserializeOwned;
    /// As it is shown.
    type View;

    /// Which one.
    fn target(id: Id<Self::Kind>) -> ChangeTarget;
    /// The one with this id.
    ///
    /// # Errors
    /// [`Error::NotFound`]
    fn find(tx: &mut dyn Tx, ctx: &Context, id: Id<Self::Kind>) -> Result<Self, Error>;
    /// The course that it is part of, or is.
    fn course(&self) -> CourseId;
    /// What it is called.
    fn name(&self) -> String;
    /// What an author can change, by the members that a change takes.
    ///
    /// # Errors
    /// [`Error::Internal`]
    fn members(&self) -> Result<JsonObject, Error>;
    /// Changes it by the rules of the domain; nothing is kept or told.
    ///
    /// # Errors
    /// [`Error::Invalid`]
    fn change(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        changes: Self::Changes,
    ) -> Result<(), Error>;
    /// Refuses what a change brings and the service does not allow.
    ///
    /// # Errors
    /// [`Error::Invalid`]
    fn check(_: &Context, _before: &Self, _after: &Self) -> Result<(), Error> {
        Ok(())
    }
    /// When it was made and changed.
    fn stamp(&mut self) -> &mut Stamp;
    /// Shows it, with the names of what waits.
    ///
    /// # Errors
    /// Those of storage.
    fn show(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        waiting: Option<Vec<String>>,
    ) -> Result<Self::View, Error>;
    /// Its id, as it is shown.
    fn id_of(view: &Self::View) -> &str;
    /// Changes it at once.
    ///
    /// # Errors
    /// Those of its own use case.
    fn update(
        tx: &mut dyn Tx,
        ctx: &Context,
        id: Id<Self::Kind>,
        changes: Self::Changes,
    ) -> Result<Self::View, Error>;
}

const OF_COURSES: &[&str] = &[
    "name",
    "language",
    "description",
    "ai",
    "tutor",
    "completion",
    "gradebook",
    "metadata",
];
const OF_UNITS: &[&str] = &["name", "description", "objectives", "metadata"];
/// Beside what versions keep.
const METADATA: &[&str] = &["metadata"];
const OF_ASSIGNMENTS: &[&str] = &["due_at", "max_attempts", "metadata"];

/// The members of a view that versions keep, and others.
fn members_of(
    view: &impl serde::Serialize,
    kept: &[&str],
    others: &[&str],
) -> Result<JsonObject, Error> {
    let mut members = versions::members(view, kept)?;
    members.extend(versions::members(view, others)?);
    Ok(members)
}

impl Changeable for ShownCourse {
    type Kind = ids::Course;
    type Changes = CourseChanges;
    type Body = UpdateCourse;
    type View = CourseView;

    fn target(id: CourseId) -> ChangeTarget {
        ChangeTarget::Course(id)
    }

    fn find(tx: &mut dyn Tx, ctx: &Context, id: CourseId) -> Result<Self, Error> {
        courses::shown(tx, ctx, id)
    }

    fn course(&self) -> CourseId {
        self.course.id
    }

    fn name(&self) -> String {
        self.course.name.to_string()
    }

    fn members(&self) -> Result<JsonObject, Error> {
        let mut members = versions::members(&courses::view(self), OF_COURSES)?;
        members.insert("hours".to_owned(), self.course.hours.get().into());
        Ok(members)
    }

    fn change(
        &mut self,
        _: &mut dyn Tx,
        ctx: &Context,
        changes: CourseChanges,
    ) -> Result<(), Error> {
        // What decides whether changes wait cannot be one of them.
        if changes.changes_wait.is_some() {
            let problem = "never waits itself: leave out draft=true";
            return Err(Invalid::new("changes_wait", problem).into());
        }
        self.course.change(changes, ctx.now)?;
        Ok(())
    }

    fn check(ctx: &Context, before: &Self, after: &Self) -> Result<(), Error> {
        courses::refuse_new_models(ctx, &before.course, &after.course)
    }

    fn stamp(&mut self) -> &mut Stamp {
        &mut self.course.stamp
    }

    fn show(
        &self,
        _: &mut dyn Tx,
        _: &Context,
        waiting: Option<Vec<String>>,
    ) -> Result<CourseView, Error> {
        let view = courses::view(self);
        Ok(CourseView { waiting, ..view })
    }

    fn id_of(view: &CourseView) -> &str {
        &view.id
    }

    fn update(
        tx: &mut dyn Tx,
        ctx: &Context,
        id: CourseId,
        changes: CourseChanges,
    ) -> Result<CourseView, Error> {
        courses::update(tx, ctx, id, changes)
    }
}

impl Changeable for Unit {
    type Kind = ids::Unit;
    type Changes = UnitChanges;
    type Body = UpdateUnit;
    type View = UnitView;

    fn target(id: Id<ids::Unit>) -> ChangeTarget {
        ChangeTarget::Unit(id)
    }

    fn find(tx: &mut dyn Tx, ctx: &Context, id: Id<ids::Unit>) -> Result<Self, Error> {
        units::find(tx, ctx, id)
    }

    fn course(&self) -> CourseId {
        self.course_id
    }

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn members(&self) -> Result<JsonObject, Error> {
        versions::members(&UnitView::new(self, 0), OF_UNITS)
    }

    fn change(&mut self, _: &mut dyn Tx, ctx: &Context, changes: UnitChanges) -> Result<(), Error> {
        self.change(changes, ctx.now)?;
        Ok(())
    }

    fn stamp(&mut self) -> &mut Stamp {
        &mut self.stamp
    }

    fn show(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        waiting: Option<Vec<String>>,
    ) -> Result<UnitView, Error> {
        let view = units::view(tx, ctx, self)?;
        Ok(UnitView { waiting, ..view })
    }

    fn id_of(view: &UnitView) -> &str {
        &view.id
    }

    fn update(
        tx: &mut dyn Tx,
        ctx: &Context,
        id: Id<ids::Unit>,
        changes: UnitChanges,
    ) -> Result<UnitView, Error> {
        units::update(tx, ctx, id, changes)
    }
}

impl Changeable for Lesson {
    type Kind = ids::Lesson;
    type Changes = LessonChanges;
    type Body = UpdateLesson;
    type View = LessonView;

    fn target(id: Id<ids::Lesson>) -> ChangeTarget {
        ChangeTarget::Lesson(id)
    }

    fn find(tx: &mut dyn Tx, ctx: &Context, id: Id<ids::Lesson>) -> Result<Self, Error> {
        lessons::find(tx, ctx, id)
    }

    fn course(&self) -> CourseId {
        self.course_id
    }

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn members(&self) -> Result<JsonObject, Error> {
        members_of(&LessonView::new(self), versions::OF_LESSONS, METADATA)
    }

    fn change(
        &mut self,
        _: &mut dyn Tx,
        ctx: &Context,
        changes: LessonChanges,
    ) -> Result<(), Error> {
        self.change(changes, ctx.now)?;
        Ok(())
    }

    fn stamp(&mut self) -> &mut Stamp {
        &mut self.stamp
    }

    fn show(
        &self,
        _: &mut dyn Tx,
        ctx: &Context,
        waiting: Option<Vec<String>>,
    ) -> Result<LessonView, Error> {
        let view = lessons::view(ctx, self);
        Ok(LessonView { waiting, ..view })
    }

    fn id_of(view: &LessonView) -> &str {
        &view.id
    }

    fn update(
        tx: &mut dyn Tx,
        ctx: &Context,
        id: Id<ids::Lesson>,
        changes: LessonChanges,
    ) -> Result<LessonView, Error> {
        lessons::update(tx, ctx, id, changes)
    }
}

impl Changeable for Activity {
    type Kind = ids::Activity;
    type Changes = ActivityChanges;
    type Body = UpdateActivity;
    type View = ActivityView;

    fn target(id: Id<ids::Activity>) -> ChangeTarget {
        ChangeTarget::Activity(id)
    }

    fn find(tx: &mut dyn Tx, ctx: &Context, id: Id<ids::Activity>) -> Result<Self, Error> {
        activities::find(tx, ctx, id)
    }

    fn course(&self) -> CourseId {
        self.course_id
    }

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn members(&self) -> Result<JsonObject, Error> {
        members_of(&ActivityView::new(self), versions::OF_ACTIVITIES, METADATA)
    }

    fn change(
        &mut self,
        _: &mut dyn Tx,
        ctx: &Context,
        changes: ActivityChanges,
    ) -> Result<(), Error> {
        self.change(changes, ctx.now)?;
        Ok(())
    }

    fn stamp(&mut self) -> &mut Stamp {
        &mut self.stamp
    }

    fn show(
        &self,
        _: &mut dyn Tx,
        ctx: &Context,
        waiting: Option<Vec<String>>,
    ) -> Result<ActivityView, Error> {
        let view = activities::view(ctx, self);
        Ok(ActivityView { waiting, ..view })
    }

    fn id_of(view: &ActivityView) -> &str {
        &view.id
    }

    fn update(
        tx: &mut dyn Tx,
        ctx: &Context,
        id: Id<ids::Activity>,
        changes: ActivityChanges,
    ) -> Result<ActivityView, Error> {
        activities::update(tx, ctx, id, changes)
    }
}

impl Changeable for Assignment {
    type Kind = ids::Assignment;
    type Changes = AssignmentChanges;
    type Body = UpdateAssignment;
    type View = AssignmentView;

    fn target(id: Id<ids::Assignment>) -> ChangeTarget {
        ChangeTarget::Assignment(id)
    }

    fn find(tx: &mut dyn Tx, ctx: &Context, id: Id<ids::Assignment>) -> Result<Self, Error> {
        assignments::find(tx, ctx, id)
    }

    fn course(&self) -> CourseId {
        self.place.course_id
    }

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn members(&self) -> Result<JsonObject, Error> {
        let mut members = versions::of_assignment(self)?;
        let view = AssignmentView::new(self);
        members.extend(versions::members(&view, OF_ASSIGNMENTS)?);
        Ok(members)
    }

    fn change(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        mut changes: AssignmentChanges,
    ) -> Result<(), Error> {
        changes.grading = assignments::in_course(tx, ctx, self, changes.grading)?;
        self.change(changes, ctx.now)?;
        Ok(())
    }

    fn check(ctx: &Context, before: &Self, after: &Self) -> Result<(), Error> {
        let model = |one: &Self| one.grading.ai_evaluator.model.clone();
        if model(before) == model(after) {
            return Ok(());
        }
        models::refuse_unknown(ctx, &model(after), "ai_evaluator.model")
    }

    fn stamp(&mut self) -> &mut Stamp {
        &mut self.stamp
    }

    fn show(
        &self,
        _: &mut dyn Tx,
        ctx: &Context,
        waiting: Option<Vec<String>>,
    ) -> Result<AssignmentView, Error> {
        let view = assignments::view(ctx, self);
        Ok(AssignmentView { waiting, ..view })
    }

    fn id_of(view: &AssignmentView) -> &str {
        &view.id
    }

    fn update(
        tx: &mut dyn Tx,
        ctx: &Context,
        id: Id<ids::Assignment>,
        changes: AssignmentChanges,
    ) -> Result<AssignmentView, Error> {
        assignments::update(tx, ctx, id, changes)
    }
}
