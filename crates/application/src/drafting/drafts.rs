//! Drafts becoming things of a course, each marked with where it came from: the one way for what lands by itself and for what a
//! person accepts, who may change it on the way.

use lyceum_domain::Stamp;
use lyceum_domain::authoring::activities::{Activity, ActivityChanges, NewActivity};
use lyceum_domain::authoring::assignments::{
    Assignment, AssignmentChanges, AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::lessons::{Lesson, LessonChanges, Minutes, NewLesson};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::{NewUnit, Objectives, Unit, UnitChanges};
use lyceum_domain::drafting::drafts::rewrite_activity as put_content;
use lyceum_domain::drafting::syllabus::{ActivityDraft, AssignmentDraft, LessonDraft, UnitDraft};
use lyceum_domain::ids::{CourseId, UnitId};
use lyceum_domain::json::Metadata;
use lyceum_domain::points::Points;
use lyceum_domain::text::{LongText, Name};

use crate::authoring::versions::{self, pinning};
use crate::authoring::{activities, lessons, recordings};
use crate::notifying::events;
use crate::prelude::*;

/// What AI drafted, where it came from, and what a person changes of it before it is there.
pub struct Draft<'a, D, C> {
    pub made: &'a D,
    pub provenance: Provenance,
    pub edits: Option<C>,
}

impl<'a, D, C> Draft<'a, D, C> {
    /// As it is.
    pub const fn unchanged(draft: &'a D, provenance: Provenance) -> Self {
        Self {
            made: draft,
            provenance,
            edits: None,
        }
    }
}

/// Makes a unit, without what is in it.
pub fn unit(
    tx: &mut dyn Tx,
    ctx: &Context,
    course_id: CourseId,
    position: u32,
    drafted: Draft<'_, UnitDraft, UnitChanges>,
) -> Result<Unit, Error> {
    let draft = drafted.made;
    let new = NewUnit {
        course_id,
        name: Name::clamp(&draft.name, "Unit"),
        description: LongText::clamp(&draft.description),
        objectives: objectives(&draft.objectives),
        position: None,
        metadata: Metadata::default(),
    };
    let (workspace, id, by) = (ctx.workspace_id(), ctx.mint(), drafted.provenance);
    let mut unit = Unit::new(workspace, id, new, position, by, ctx.now);
    if let Some(edits) = drafted.edits {
        unit.change(edits, ctx.now)?;
        unit.stamp = Stamp::new(ctx.now);
    }
    tx.units().insert(&unit)?;
    Ok(unit)
}

/// Makes a lesson, without what is in it.
pub fn lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    unit: &Unit,
    position: u32,
    drafted: Draft<'_, LessonDraft, LessonChanges>,
) -> Result<Lesson, Error> {
    let draft = drafted.made;
    let new = NewLesson {
        unit_id: unit.id,
        name: Name::clamp(&draft.name, "Lesson"),
        summary: LongText::clamp(&draft.summary),
        objectives: objectives(&draft.objectives),
        content: LongText::clamp(&draft.content),
        duration: Minutes::parse(draft.minutes.into()).unwrap_or_default(),
        language: None,
        position: None,
        metadata: Metadata::default(),
    };
    let (workspace, id, course) = (ctx.workspace_id(), ctx.mint(), unit.course_id);
    let by = drafted.provenance;
    let mut lesson = Lesson::new(workspace, id, course, new, position, by, ctx.now);
    if let Some(edits) = drafted.edits {
        lesson.change(edits, ctx.now)?;
        lesson.stamp = Stamp::new(ctx.now);
    }
    tx.lessons().insert(&lesson)?;
    Ok(lesson)
}

/// Makes an activity.
pub fn activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    lesson: &Lesson,
    position: u32,
    drafted: Draft<'_, ActivityDraft, ActivityChanges>,
) -> Result<Activity, Error> {
    let draft = drafted.made;
    let new = NewActivity {
        lesson_id: lesson.id,
        name: Name::clamp(&draft.name, "Activity"),
        kind: draft.kind,
        content: draft.content.clone(),
        language: None,
        position: None,
        metadata: Metadata::default(),
    };
    let (workspace, id, course) = (ctx.workspace_id(), ctx.mint(), lesson.course_id);
    let by = drafted.provenance;
    let mut activity = Activity::new(workspace, id, course, new, position, by, ctx.now);
    if let Some(edits) = drafted.edits {
        activity.change(edits, ctx.now)?;
        activity.stamp = Stamp::new(ctx.now);
    }
    tx.activities().insert(&activity)?;
    Ok(activity)
}

/// Makes an assignment of a unit.
pub fn assignment(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: &Course,
    unit: UnitId,
    drafted: Draft<'_, AssignmentDraft, AssignmentChanges>,
) -> Result<Assignment, Error> {
    let draft = drafted.made;
    let new = NewAssignment {
        parent: AssignmentParent::Unit(unit),
        name: Name::clamp(&draft.name, "Assignment"),
        instructions: LongText::clamp(&draft.instructions),
        max_score: Points::HUNDRED,
        due_at: None,
        late_policy: None,
        max_attempts: None,
        grading: GradingChanges {
            rubric: Some(Some(draft.rubric.clone())),
            ..GradingChanges::default()
        },
        metadata: Metadata::default(),
    };
    let place = AssignmentPlace {
        course_id: course.id,
        unit_id: Some(unit),
        lesson_id: None,
    };
    let language = course.language.clone();
    let (workspace, id) = (ctx.workspace_id(), ctx.mint());
    let made = Assignment::new(workspace, id, place, language, new, ctx.now)?;
    let mut made = made.drafted(drafted.provenance);
    if let Some(mut edits) = drafted.edits {
        edits.grading = edits.grading.in_course(&course.language);
        made.change(edits, ctx.now)?;
        (made.stamp, made.grader_changed_at) = (Stamp::new(ctx.now), None);
    }
    tx.assignments().insert(&made)?;
    Ok(made)
}

/// Puts a drafted text into a lesson: what a person said of it beside stays, and what was there is kept as a version.
pub fn rewrite_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    was: &Lesson,
    drafted: Draft<'_, LessonDraft, LessonChanges>,
) -> Result<(), Error> {
    let mut lesson = redrafted(was, drafted.made, drafted.provenance, ctx.now);
    if let Some(edits) = drafted.edits {
        lesson.change(edits, ctx.now)?;
    }
    lesson.stamp = was.stamp;
    lesson.stamp.touch(ctx.now);
    pinning::keep(tx, ctx, was, &lesson)?;
    tx.lessons().update(&lesson)?;
    versions::keep_overwritten_lesson(tx, ctx, was, &lesson)?;
    let (before, after) = (lessons::view(ctx, was), lessons::view(ctx, &lesson));
    events::record_change(tx, ctx, EventType::LessonUpdated, &before, &after)?;
    lessons::recount_generated(tx, ctx, lesson.course_id)
}

/// What a lesson is with a drafted text.
pub fn redrafted(
    lesson: &Lesson,
    draft: &LessonDraft,
    provenance: Provenance,
    now: Timestamp,
) -> Lesson {
    let mut lesson = lesson.clone();
    lesson.draft(
        LongText::clamp(&draft.content),
        LongText::clamp(&draft.summary),
        objectives(&draft.objectives),
        Minutes::parse(draft.minutes.into()).unwrap_or_default(),
        provenance,
        now,
    );
    lesson
}

/// Puts drafted content into an activity: its name stays, and what was there is kept as a version.
pub fn rewrite_activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    was: &Activity,
    drafted: Draft<'_, ActivityDraft, ActivityChanges>,
) -> Result<(), Error> {
    let mut activity = was.clone();
    let content = drafted.made.content.clone();
    put_content(&mut activity, content, drafted.provenance, ctx.now);
    if let Some(edits) = drafted.edits {
        activity.change(edits, ctx.now)?;
    }
    activity.stamp = was.stamp;
    activity.stamp.touch(ctx.now);
    pinning::keep(tx, ctx, was, &activity)?;
    tx.activities().update(&activity)?;
    versions::keep_overwritten_activity(tx, ctx, was, &activity)?;
    let recorded = activity.content.recording();
    recordings::let_go(tx, ctx, was.content.recording(), recorded.as_ref())?;
    let (before, after) = (activities::view(ctx, was), activities::view(ctx, &activity));
    events::record_change(tx, ctx, EventType::ActivityUpdated, &before, &after)
}

/// Objectives as they fit.
pub fn objectives(sentences: &[String]) -> Objectives {
    let fitting = sentences
        .iter()
        .take(50)
        .map(|text| text.chars().take(1_000).collect());
    Objectives::parse(fitting.collect()).unwrap_or_default()
}
