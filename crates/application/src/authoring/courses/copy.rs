//! Copying a course with its content.

use lyceum_domain::authoring::activities::{Activity, ActivityContent};
use lyceum_domain::authoring::assignments::{Assignment, AssignmentPlace};
use lyceum_domain::authoring::courses::{Course, CourseCopy};
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::references::References;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::authoring::versions::{Version, Versioned};
use lyceum_domain::id::Identified;
use lyceum_domain::ids::{CourseId, LessonId, UnitId};
use lyceum_domain::text::LanguageTag;
use lyceum_domain::{Id, Stamp};
use lyceum_wire::authoring::courses::{CourseCloneView, CourseView};

use super::find;
use crate::notifying::events;
use crate::prelude::*;

/// So many versions of each thing are copied: those that are kept however old they are.
const NEWEST_COPIED: u16 = 20;

/// Makes a draft with copies of a course's units, lessons, activities and assignments.
///
/// Like a syllabus that lands, the copy is told as one thing: its content has no events of its own.
///
/// # Errors
/// [`Error::NotFound`]
pub fn copy(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CourseId,
    copy: CourseCopy,
) -> Result<CourseCloneView, Error> {
    let original = find(tx, ctx, id)?;
    let content = CourseContent::of(tx, ctx, id)?;
    let stayed = tx.courses().attachments(ctx.workspace_id(), id)?;
    let minutes = tx.lessons().generated_minutes(ctx.workspace_id(), id)?;
    let mut course = original.copy(ctx.mint(), copy, minutes, ctx.now);
    let copies = Copies::of(ctx, &original, &course, &content);
    course.description = copies.named.in_long_text(&course.description);
    course.tutor = copies.named.in_object(&course.tutor);
    course.gradebook = course.gradebook.of_copy(&copies.named);
    tx.courses().insert(&course)?;
    let due_dates = copies.insert(tx, content)?;
    let view = CourseView::new(&course, &[], None);
    events::record(tx, ctx, EventType::CourseCreated, &view)?;
    Ok(CourseCloneView::new(&course, &stayed, due_dates))
}

/// What a course consists of, parents first.
struct CourseContent {
    units: Vec<Unit>,
    lessons: Vec<Lesson>,
    activities: Vec<Activity>,
    assignments: Vec<Assignment>,
}

impl CourseContent {
    fn of(tx: &mut dyn Tx, ctx: &Context, course: CourseId) -> Result<Self, Error> {
        let workspace = ctx.workspace_id();
        let units = tx.units().of_courses(workspace, &[course])?;
        let ids: Vec<UnitId> = units.iter().map(|unit| unit.id).collect();
        let lessons = tx.lessons().of_units(workspace, &ids)?;
        let ids: Vec<LessonId> = lessons.iter().map(|lesson| lesson.id).collect();
        Ok(Self {
            units,
            lessons,
            activities: tx.activities().of_lessons(workspace, &ids)?,
            assignments: tx.assignments().of_course(workspace, course)?,
        })
    }
}

/// Who is whose copy. Every id is there before the first text is copied, because a text may name what comes later.
struct Copies<'a> {
    ctx: &'a Context,
    original: &'a Course,
    course_id: CourseId,
    language: LanguageTag,
    named: References,
}

impl<'a> Copies<'a> {
    fn of(ctx: &'a Context, original: &'a Course, copy: &Course, content: &CourseContent) -> Self {
        let mut named = References::default();
        named.note(original.id, copy.id);
        for unit in &content.units {
            named.note(unit.id, ctx.mint());
        }
        for lesson in &content.lessons {
            named.note(lesson.id, ctx.mint());
        }
        for activity in &content.activities {
            named.note(activity.id, ctx.mint());
        }
        for assignment in &content.assignments {
            named.note(assignment.id, ctx.mint());
        }
        Self {
            ctx,
            original,
            course_id: copy.id,
            language: copy.language.clone(),
            named,
        }
    }

    /// Stores all copies; of how many assignments the due date was cleared.
    fn insert(&self, tx: &mut dyn Tx, content: CourseContent) -> Result<u32, Error> {
        for unit in content.units {
            tx.units().insert(&self.unit(unit)?)?;
        }
        for lesson in content.lessons {
            let was = Versioned::Lesson(lesson.id);
            let copy = self.lesson(lesson)?;
            tx.lessons().insert(&copy)?;
            self.versions(tx, was, Versioned::Lesson(copy.id))?;
        }
        for activity in content.activities {
            let was = Versioned::Activity(activity.id);
            let copy = self.activity(activity)?;
            tx.activities().insert(&copy)?;
            self.versions(tx, was, Versioned::Activity(copy.id))?;
        }
        let mut due_dates = 0;
        for assignment in content.assignments {
            due_dates += u32::from(assignment.due_at.is_some());
            let was = Versioned::Assignment(assignment.id);
            let copy = self.assignment(assignment)?;
            tx.assignments().insert(&copy)?;
            self.versions(tx, was, Versioned::Assignment(copy.id))?;
        }
        Ok(due_dates)
    }

    /// The newest of what the original was, oldest first.
    fn versions(&self, tx: &mut dyn Tx, from: Versioned, of: Versioned) -> Result<(), Error> {
        let newest = PageRequest::first(NEWEST_COPIED);
        let found = tx.versions().page(self.ctx.workspace_id(), from, &newest)?;
        for listed in found.items.into_iter().rev() {
            let Some(version) = tx.versions().find(self.ctx.workspace_id(), listed.id)? else {
                continue;
            };
            tx.versions().insert(&Version {
                id: self.ctx.mint(),
                of,
                content: self.named.in_object(&version.content),
                ..version
            })?;
        }
        Ok(())
    }

    fn unit(&self, unit: Unit) -> Result<Unit, Error> {
        Ok(Unit {
            id: self.id(unit.id)?,
            course_id: self.course_id,
            description: self.named.in_long_text(&unit.description),
            stamp: self.stamp(),
            ..unit
        })
    }

    fn lesson(&self, lesson: Lesson) -> Result<Lesson, Error> {
        Ok(Lesson {
            id: self.id(lesson.id)?,
            unit_id: self.id(lesson.unit_id)?,
            course_id: self.course_id,
            summary: self.named.in_long_text(&lesson.summary),
            content: self.named.in_long_text(&lesson.content),
            stamp: self.stamp(),
            ..lesson
        })
    }

    fn activity(&self, activity: Activity) -> Result<Activity, Error> {
        let named = self.named.in_object(activity.content.as_map());
        // Content that was stored under older rules is copied as it is.
        let recording = activity.content.recording();
        let parsed = ActivityContent::parse(activity.kind, named);
        let mut content = parsed.unwrap_or(activity.content);
        if let Some(recording) = recording {
            content.record(&recording);
        }
        Ok(Activity {
            id: self.id(activity.id)?,
            lesson_id: self.id(activity.lesson_id)?,
            course_id: self.course_id,
            content,
            stamp: self.stamp(),
            ..activity
        })
    }

    fn assignment(&self, assignment: Assignment) -> Result<Assignment, Error> {
        let mut grading = assignment.grading;
        if grading.feedback.language == self.original.language {
            grading.feedback.language = self.language.clone();
        }
        let place = assignment.place;
        Ok(Assignment {
            id: self.id(assignment.id)?,
            place: AssignmentPlace {
                course_id: self.course_id,
                unit_id: place.unit_id.map(|unit| self.id(unit)).transpose()?,
                lesson_id: place.lesson_id.map(|lesson| self.id(lesson)).transpose()?,
            },
            instructions: self.named.in_long_text(&assignment.instructions),
            due_at: None,
            grading,
            grader_changed_at: None,
            stamp: self.stamp(),
            ..assignment
        })
    }

    fn id<K: Identified>(&self, original: Id<K>) -> Result<Id<K>, Error> {
        let lost = || Error::Internal(format!("{original} has no copy").into());
        self.named.copy_of(original).ok_or_else(lost)
    }

    fn stamp(&self) -> Stamp {
        Stamp::new(self.ctx.now)
    }
}
