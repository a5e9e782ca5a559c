//! Making room for a new syllabus: what AI made and nobody touched or used goes, everything else stays and is named.

use std::collections::HashSet;

use lyceum_domain::Id;
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::id::Identified;
use lyceum_domain::ids::{CourseId, LessonId};
use lyceum_domain::running::in_use::{KeptBecause, Subject, Uses};
use lyceum_domain::text::Name;
use serde_json::{Map, Value, json};

use crate::authoring::{assignments, lessons, units};
use crate::prelude::*;

/// No more than so many uses of a kind are counted for each piece: a course may have very many of both.
const MOST_COUNTED: u32 = 1_000;
/// No more than so many pieces are named.
const MOST_NAMED: usize = 500;

/// What came of it.
#[derive(Debug, Default)]
pub struct Replaced {
    kept: Vec<Value>,
    kept_count: u32,
    gone: Gone,
}

/// How much went.
#[derive(Debug, Default)]
struct Gone {
    units: usize,
    lessons: usize,
    activities: usize,
    assignments: usize,
}

impl Replaced {
    /// Adds what stayed, and how much went, to the result of a generation.
    pub fn tell(self, result: &mut Value) {
        let Some(members) = result.as_object_mut() else {
            return;
        };
        let Gone {
            units,
            lessons,
            activities,
            assignments,
        } = self.gone;
        let gone = json!({
            "units": units, "lessons": lessons, "activities": activities, "assignments": assignments,
        });
        members.insert("replaced".to_owned(), gone);
        members.insert("kept_count".to_owned(), json!(self.kept_count));
        members.insert("kept".to_owned(), Value::Array(self.kept));
    }

    fn keep<K: Identified>(&mut self, id: Id<K>, name: &Name, uses: Uses) {
        self.kept_count += 1;
        if self.kept.len() >= MOST_NAMED {
            return;
        }
        let reason = if uses.is_none() {
            KeptBecause::Edited
        } else {
            KeptBecause::InUse
        };
        let counts = uses.by_kind().into_iter().filter(|(_, count)| *count > 0);
        let counts: Map<String, Value> = counts
            .map(|(kind, count)| (kind.to_owned(), json!(count)))
            .collect();
        self.kept.push(json!({
            "object": K::OBJECT, "id": id.to_string(), "name": name.to_string(),
            "reason": reason.as_str(), "counts": counts,
        }));
    }
}

/// Deletes the units of a course, with all that is in them, as far as they are AI's alone. A lesson goes or stays as a
/// whole; of a unit that has to stay goes what need not.
pub fn make_room(tx: &mut dyn Tx, ctx: &Context, course: CourseId) -> Result<Replaced, Error> {
    let workspace = ctx.workspace_id();
    let tasks = tx.assignments().of_course(workspace, course)?;
    let is_used = !uses(tx, ctx, Subject::Course(course), true)?.is_none();
    let mut replaced = Replaced::default();
    for unit in tx.units().of_courses(workspace, &[course])? {
        let content = UnitContent::of(tx, ctx, unit, &tasks)?;
        content.make_room(tx, ctx, is_used, &mut replaced)?;
    }
    Ok(replaced)
}

/// What learners did below something, unless it is known that they did nothing above it.
fn uses(tx: &mut dyn Tx, ctx: &Context, subject: Subject, is_used: bool) -> Result<Uses, Error> {
    if !is_used {
        return Ok(Uses::default());
    }
    let uses = tx
        .in_use()
        .uses(ctx.workspace_id(), subject, MOST_COUNTED)?;
    Ok(uses)
}

/// A unit with what is in it.
struct UnitContent<'a> {
    unit: Unit,
    lessons: Vec<Lesson>,
    /// The lesson of each activity.
    activities: Vec<LessonId>,
    tasks: Vec<&'a Assignment>,
    /// Lessons in which a person had a hand.
    edited: HashSet<LessonId>,
}

impl<'a> UnitContent<'a> {
    fn of(
        tx: &mut dyn Tx,
        ctx: &Context,
        unit: Unit,
        tasks: &'a [Assignment],
    ) -> Result<Self, Error> {
        let lessons = tx.lessons().of_units(ctx.workspace_id(), &[unit.id])?;
        let ids: Vec<LessonId> = lessons.iter().map(|lesson| lesson.id).collect();
        let activities = tx.activities().of_lessons(ctx.workspace_id(), &ids)?;
        let tasks = tasks
            .iter()
            .filter(|task| task.place.unit_id == Some(unit.id));
        let tasks: Vec<&Assignment> = tasks.collect();
        let lessons_by = lessons.iter().map(|one| (Some(one.id), &one.provenance));
        let activities_by = activities
            .iter()
            .map(|one| (Some(one.lesson_id), &one.provenance));
        let tasks_by = tasks
            .iter()
            .map(|one| (one.place.lesson_id, &one.provenance));
        let edited = lessons_by
            .chain(activities_by)
            .chain(tasks_by)
            .filter(|(_, provenance)| provenance.is_a_persons())
            .filter_map(|(lesson, _)| lesson)
            .collect();
        Ok(Self {
            unit,
            activities: activities.iter().map(|one| one.lesson_id).collect(),
            lessons,
            tasks,
            edited,
        })
    }

    fn is_edited(&self) -> bool {
        self.unit.provenance.is_a_persons()
            || !self.edited.is_empty()
            || self.tasks.iter().any(|task| task.provenance.is_a_persons())
    }

    fn make_room(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        is_used: bool,
        replaced: &mut Replaced,
    ) -> Result<(), Error> {
        let of_unit = uses(tx, ctx, Subject::Unit(self.unit.id), is_used)?;
        if !self.is_edited() && of_unit.is_none() {
            units::delete(tx, ctx, self.unit.id, false)?;
            replaced.gone.units += 1;
            replaced.gone.lessons += self.lessons.len();
            replaced.gone.activities += self.activities.len();
            replaced.gone.assignments += self.tasks.len();
            return Ok(());
        }
        replaced.keep(self.unit.id, &self.unit.name, of_unit);
        let is_used = !of_unit.is_none();
        for lesson in &self.lessons {
            self.lesson(tx, ctx, lesson, is_used, replaced)?;
        }
        let of_the_unit = |task: &&&Assignment| task.place.lesson_id.is_none();
        for task in self.tasks.iter().filter(of_the_unit) {
            let of_task = uses(tx, ctx, Subject::Assignment(task.id), is_used)?;
            if task.provenance.is_a_persons() || !of_task.is_none() {
                replaced.keep(task.id, &task.name, of_task);
                continue;
            }
            assignments::delete(tx, ctx, task.id, false)?;
            replaced.gone.assignments += 1;
        }
        Ok(())
    }

    fn lesson(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        lesson: &Lesson,
        is_used: bool,
        replaced: &mut Replaced,
    ) -> Result<(), Error> {
        let of_lesson = uses(tx, ctx, Subject::Lesson(lesson.id), is_used)?;
        if self.edited.contains(&lesson.id) || !of_lesson.is_none() {
            replaced.keep(lesson.id, &lesson.name, of_lesson);
            return Ok(());
        }
        lessons::delete(tx, ctx, lesson.id, false)?;
        let tasks = self.tasks.iter();
        replaced.gone.lessons += 1;
        replaced.gone.activities += self
            .activities
            .iter()
            .filter(|parent| **parent == lesson.id)
            .count();
        replaced.gone.assignments += tasks
            .filter(|task| task.place.lesson_id == Some(lesson.id))
            .count();
        Ok(())
    }
}
