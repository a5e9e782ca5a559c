//! Keeping what lessons, activities and assignments were before a change, and showing it.

use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::versions::{Version, Versioned, VersionedChange, current_number};
use lyceum_domain::ids::{AssignmentId, VersionId};
use lyceum_domain::json::JsonObject;
use lyceum_wire::authoring::activities::ActivityView;
use lyceum_wire::authoring::assignments::AssignmentView;
use lyceum_wire::authoring::lessons::LessonView;
use lyceum_wire::authoring::versions::VersionView;
use serde::Serialize;
use serde_json::{Value, json};

use crate::prelude::*;

pub mod pinning;

/// What of each a version keeps, by the members that a change of it takes.
pub(super) const OF_LESSONS: &[&str] = &[
    "name",
    "summary",
    "objectives",
    "content",
    "duration_minutes",
    "language",
];
pub(super) const OF_ACTIVITIES: &[&str] = &["name", "content", "language"];
const OF_ASSIGNMENTS: &[&str] = &[
    "name",
    "instructions",
    "max_score",
    "late_policy",
    "rubric",
    "ai_evaluator",
    "human_review",
    "release",
    "feedback",
];

/// Shows a page of what something was, newest first, without the texts.
///
/// # Errors
/// [`Error::NotFound`] where it is not there.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    of: Versioned,
    page: &PageRequest,
) -> Result<Page<VersionView>, Error> {
    refuse_missing(tx, ctx, of)?;
    let found = tx.versions().page(ctx.workspace_id(), of, page)?;
    Ok(found.map(|version| VersionView::listed(&version)))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: VersionId) -> Result<VersionView, Error> {
    Ok(VersionView::new(&find(tx, ctx, id)?))
}

pub(crate) fn find(tx: &mut dyn Tx, ctx: &Context, id: VersionId) -> Result<Version, Error> {
    found(tx.versions().find(ctx.workspace_id(), id)?, "version")
}

/// Keeps what a lesson was, where what an author can change of it changes.
pub(crate) fn keep_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Lesson,
    after: &Lesson,
) -> Result<(), Error> {
    let change = (of_lesson(before)?, of_lesson(after)?);
    let of = Versioned::Lesson(before.id);
    keep(tx, ctx, of, before.stamp.created_at, change, false)
}

/// The same where what AI drafted takes its place: whoever has it do so goes on with nothing that they had begun.
pub(crate) fn keep_overwritten_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Lesson,
    after: &Lesson,
) -> Result<(), Error> {
    let change = (of_lesson(before)?, of_lesson(after)?);
    let of = Versioned::Lesson(before.id);
    keep(tx, ctx, of, before.stamp.created_at, change, true)
}

/// Keeps what an activity was, where what an author can change of it changes.
pub(crate) fn keep_activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Activity,
    after: &Activity,
) -> Result<(), Error> {
    let change = (of_activity(before)?, of_activity(after)?);
    let of = Versioned::Activity(before.id);
    keep(tx, ctx, of, before.stamp.created_at, change, false)
}

/// The same where what AI drafted takes its place.
pub(crate) fn keep_overwritten_activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Activity,
    after: &Activity,
) -> Result<(), Error> {
    let change = (of_activity(before)?, of_activity(after)?);
    let of = Versioned::Activity(before.id);
    keep(tx, ctx, of, before.stamp.created_at, change, true)
}

/// What of a lesson an author can change.
pub(crate) fn of_lesson(lesson: &Lesson) -> Result<JsonObject, Error> {
    members(&LessonView::new(lesson), OF_LESSONS)
}

/// What of an activity an author can change.
pub(crate) fn of_activity(activity: &Activity) -> Result<JsonObject, Error> {
    members(&ActivityView::new(activity), OF_ACTIVITIES)
}

/// The same of an assignment: every version of one that something was handed in to, or that cohorts go on seeing.
pub(crate) fn keep_assignment(
    tx: &mut dyn Tx,
    ctx: &Context,
    (before, after): (&Assignment, &Assignment),
    is_pinned: bool,
) -> Result<(), Error> {
    let change = (of_assignment(before)?, of_assignment(after)?);
    if change.0 == change.1 {
        return Ok(());
    }
    let relied_on = is_pinned || tx.submissions().is_any_of(ctx.workspace_id(), before.id)?;
    let of = Versioned::Assignment(before.id);
    keep(tx, ctx, of, before.stamp.created_at, change, relied_on)
}

/// Keeps what something is now as a version of its own, whatever somebody has just begun, because it is to be again what this version
/// says; whether it is anything else.
pub(crate) fn keep_current(tx: &mut dyn Tx, ctx: &Context, again: &Version) -> Result<bool, Error> {
    let (content, created_at) = current(tx, ctx, again.of)?;
    let differs = content != again.content;
    if differs {
        store(tx, ctx, again.of, created_at, content, true)?;
    }
    Ok(differs)
}

/// Keeps what something is now as a version of its own, whatever somebody has just begun, because all that waits for it is about to go
/// live.
pub(super) fn keep_apart(tx: &mut dyn Tx, ctx: &Context, of: Versioned) -> Result<(), Error> {
    let (content, created_at) = current(tx, ctx, of)?;
    store(tx, ctx, of, created_at, content, true)
}

/// What something is now, and when it was made.
fn current(
    tx: &mut dyn Tx,
    ctx: &Context,
    of: Versioned,
) -> Result<(JsonObject, Timestamp), Error> {
    let workspace = ctx.workspace_id();
    Ok(match of {
        Versioned::Lesson(id) => {
            let lesson = found(tx.lessons().find(workspace, id)?, "lesson")?;
            (of_lesson(&lesson)?, lesson.stamp.created_at)
        }
        Versioned::Activity(id) => {
            let activity = found(tx.activities().find(workspace, id)?, "activity")?;
            (of_activity(&activity)?, activity.stamp.created_at)
        }
        Versioned::Assignment(id) => {
            let assignment = found(tx.assignments().find(workspace, id)?, "assignment")?;
            (of_assignment(&assignment)?, assignment.stamp.created_at)
        }
    })
}

/// The number of the version that an assignment is now.
pub(crate) fn current_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: AssignmentId,
) -> Result<u32, Error> {
    let of = Versioned::Assignment(assignment);
    let newest = tx.versions().newest(ctx.workspace_id(), of)?;
    Ok(current_number(newest.as_ref()))
}

pub(super) fn of_assignment(assignment: &Assignment) -> Result<JsonObject, Error> {
    let mut content = members(&AssignmentView::new(assignment), OF_ASSIGNMENTS)?;
    if assignment.grading.rubric.is_none() {
        content.insert("rubric".to_owned(), Value::Null);
    }
    Ok(content)
}

pub(super) fn members(view: &impl Serialize, names: &[&str]) -> Result<JsonObject, Error> {
    let view = serde_json::to_value(view).map_err(|error| Error::Internal(error.into()))?;
    let of = |name: &str| view.get(name).cloned().unwrap_or(json!(null));
    Ok(names
        .iter()
        .map(|name| ((*name).to_owned(), of(name)))
        .collect())
}

fn keep(
    tx: &mut dyn Tx,
    ctx: &Context,
    of: Versioned,
    created_at: Timestamp,
    (before, after): (JsonObject, JsonObject),
    every_one_counts: bool,
) -> Result<(), Error> {
    if before == after {
        return Ok(());
    }
    store(tx, ctx, of, created_at, before, every_one_counts)
}

fn store(
    tx: &mut dyn Tx,
    ctx: &Context,
    of: Versioned,
    created_at: Timestamp,
    before: JsonObject,
    every_one_counts: bool,
) -> Result<(), Error> {
    let workspace_id = ctx.workspace_id();
    let newest = tx.versions().newest(workspace_id, of)?;
    let is_kept = |newest: &Version| newest.replaced_at == ctx.now && newest.content == before;
    if newest.as_ref().is_some_and(is_kept) {
        return Ok(());
    }
    let change = VersionedChange {
        workspace_id,
        of,
        before,
        created_at,
        by: ctx.member().ok().map(|member| member.user.id),
        every_one_counts,
    };
    if let Some(version) = change.keeps(newest.as_ref(), ctx.mint(), ctx.now) {
        tx.versions().insert(&version)?;
    }
    Ok(())
}

fn refuse_missing(tx: &mut dyn Tx, ctx: &Context, of: Versioned) -> Result<(), Error> {
    let workspace = ctx.workspace_id();
    match of {
        Versioned::Lesson(id) => found(tx.lessons().find(workspace, id)?, "lesson").map(drop),
        Versioned::Activity(id) => {
            found(tx.activities().find(workspace, id)?, "activity").map(drop)
        }
        Versioned::Assignment(id) => {
            found(tx.assignments().find(workspace, id)?, "assignment").map(drop)
        }
    }
}
