//! What waits for a course as a whole: looked at, published in one transaction, or thrown away.

use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::authoring::versions::Versioned;
use lyceum_domain::authoring::versions::waiting::{ChangeTarget, DraftNoticeCode, WaitingChange};
use lyceum_domain::ids::CourseId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::transition::InvalidTransition;
use lyceum_domain::{Id, hex};
use lyceum_ports::authoring::courses::ShownCourse;
use lyceum_ports::authoring::waiting::{ChangeReach, WaitingMark};
use lyceum_wire::authoring::versions::waiting::{
    CourseDraftView, DraftNoticeView, Publishing, WaitingChangeView,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Changeable, changes_of, find, line, refuse_readers};
use crate::authoring::versions;
use crate::prelude::*;
use crate::running::audit;

/// Most things that a refusal or an entry names.
const MOST_NAMED: usize = 100;
/// Members that are no part of any version.
const UNVERSIONED: [&str; 3] = ["metadata", "due_at", "max_attempts"];

/// Shows what waits for a course and for what is in it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`]
pub fn draft(tx: &mut dyn Tx, ctx: &Context, course: CourseId) -> Result<CourseDraftView, Error> {
    refuse_readers(ctx)?;
    let workspace = ctx.workspace_id();
    let course = found(tx.courses().find(workspace, course)?, "course")?.id;
    let marks = tx.waiting_changes().of_course(workspace, course)?;
    // One after the other: of a large course all texts together are more than a service has room for.
    let mut changes = Vec::new();
    for mark in &marks {
        changes.extend(summary(tx, ctx, mark.of)?);
    }
    let reach = match marks.as_slice() {
        [] => ChangeReach::default(),
        _ => tx.waiting_changes().reach(workspace, course)?,
    };
    let id = course.to_string();
    Ok(CourseDraftView::new(
        id,
        revision(&marks),
        changes,
        notices(&reach),
    ))
}

/// Makes all that waits for a course go live, or nothing; shows what waits then. What somebody has changed meanwhile is changed only where
/// the caller has seen that.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`], [`Conflict::Transition`] where nothing waits, [`Conflict::ChangedMeanwhile`],
/// [`Error::Invalid`] where something is no longer allowed
pub fn publish(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    seen: &Publishing,
) -> Result<CourseDraftView, Error> {
    refuse_readers(ctx)?;
    let workspace = ctx.workspace_id();
    let course = found(tx.courses().find(workspace, course)?, "course")?.id;
    tx.stand_in_line(line(course))?;
    let marks = tx.waiting_changes().of_course(workspace, course)?;
    if marks.is_empty() {
        return Err(InvalidTransition {
            object: "course",
            from: "without changes that wait",
            action: "have them published",
        }
        .into());
    }
    refuse_unseen(tx, ctx, &marks, seen)?;
    for mark in marks {
        go_live(tx, ctx, mark.of)?;
    }
    draft(tx, ctx, course)
}

/// Throws away what waits for one thing of a course, or for all of it; shows what waits then.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`]
pub fn discard(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    only: Option<&str>,
) -> Result<CourseDraftView, Error> {
    refuse_readers(ctx)?;
    let workspace = ctx.workspace_id();
    let course = found(tx.courses().find(workspace, course)?, "course")?.id;
    tx.stand_in_line(line(course))?;
    if let Some(only) = only {
        let of = found(ChangeTarget::parse(only), "waiting change")?;
        let waits = find(tx, ctx, of)?.filter(|waits| waits.course_id == course);
        found(waits, "waiting change")?;
        note_discarded(tx, ctx, course, &[of])?;
        tx.waiting_changes().delete(workspace, of)?;
    } else {
        let marks = tx.waiting_changes().of_course(workspace, course)?;
        let all: Vec<ChangeTarget> = marks.iter().map(|mark| mark.of).collect();
        note_discarded(tx, ctx, course, &all)?;
        tx.waiting_changes().delete_of_course(workspace, course)?;
    }
    draft(tx, ctx, course)
}

/// It is gone for good, so who threw it away is kept.
fn note_discarded(
    tx: &mut dyn Tx,
    ctx: &Context,
    course: CourseId,
    gone: &[ChangeTarget],
) -> Result<(), Error> {
    if gone.is_empty() {
        return Ok(());
    }
    let mut named = JsonObject::new();
    for of in gone.iter().take(MOST_NAMED) {
        let fields = find(tx, ctx, *of)?.map(|waits| waits.fields());
        named.insert(of.id(), json!(fields));
    }
    let change = AuditedChange::gone(Value::Object(named));
    let subject = AuditSubject::of(course);
    audit::note(tx, ctx, AuditAction::DraftDiscarded, subject, change)
}

/// Names what waits: any change of it makes another name.
pub(crate) fn revision(marks: &[WaitingMark]) -> String {
    let told =
        |mark: &WaitingMark| format!("{} {} {}", mark.of.id(), mark.version, mark.updated_at);
    let lines: Vec<String> = marks.iter().map(told).collect();
    let digest = Sha256::digest(lines.join("\n").as_bytes());
    hex::lower(digest.get(..16).unwrap_or_default())
}

/// Refuses where something else waits than the caller has seen, or somebody has meanwhile changed what is to change.
fn refuse_unseen(
    tx: &mut dyn Tx,
    ctx: &Context,
    marks: &[WaitingMark],
    seen: &Publishing,
) -> Result<(), Error> {
    if seen
        .revision
        .as_ref()
        .is_some_and(|seen| *seen != revision(marks))
    {
        let problem = "something else waits by now".to_owned();
        return Err(Conflict::ChangedMeanwhile(vec![("revision".to_owned(), problem)]).into());
    }
    let mut overtaken = Vec::new();
    for mark in marks.iter().filter(|mark| !seen.over.contains(&mark.of)) {
        let changed = summary(tx, ctx, mark.of)?.filter(|change| change.base_changed);
        overtaken.extend(changed.map(|change| {
            let problem = format!("{} was changed meanwhile", change.object);
            (change.id, problem)
        }));
        if overtaken.len() >= MOST_NAMED {
            break;
        }
    }
    if overtaken.is_empty() {
        return Ok(());
    }
    Err(Conflict::ChangedMeanwhile(overtaken).into())
}

fn summary(
    tx: &mut dyn Tx,
    ctx: &Context,
    of: ChangeTarget,
) -> Result<Option<WaitingChangeView>, Error> {
    let Some(waits) = find(tx, ctx, of)? else {
        return Ok(None);
    };
    match of {
        ChangeTarget::Course(id) => summary_of::<ShownCourse>(tx, ctx, id, &waits),
        ChangeTarget::Unit(id) => summary_of::<Unit>(tx, ctx, id, &waits),
        ChangeTarget::Lesson(id) => summary_of::<Lesson>(tx, ctx, id, &waits),
        ChangeTarget::Activity(id) => summary_of::<Activity>(tx, ctx, id, &waits),
        ChangeTarget::Assignment(id) => summary_of::<Assignment>(tx, ctx, id, &waits),
    }
    .map(Some)
}

/// Nothing is applied here, so that what can no longer be made is seen and can be thrown away.
fn summary_of<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: Id<T::Kind>,
    waits: &WaitingChange,
) -> Result<WaitingChangeView, Error> {
    let live = T::find(tx, ctx, id)?;
    let name = waits.content.get("name").and_then(|name| name.as_str());
    Ok(WaitingChangeView {
        object: waits.of.object().to_owned(),
        id: waits.of.id(),
        name: name.map_or_else(|| live.name(), str::to_owned),
        change: "updated".to_owned(),
        fields: waits.fields(),
        base_changed: waits.is_overtaken(&live.members()?),
        changed_by: waits.made_by.map(|id| id.to_string()),
        changed_at: waits.stamp.updated_at.to_string(),
    })
}

fn go_live(tx: &mut dyn Tx, ctx: &Context, of: ChangeTarget) -> Result<(), Error> {
    let Some(waits) = find(tx, ctx, of)? else {
        return Ok(());
    };
    tx.waiting_changes().delete(ctx.workspace_id(), of)?;
    keep_version(tx, ctx, &waits)?;
    match of {
        ChangeTarget::Course(id) => make::<ShownCourse>(tx, ctx, id, &waits),
        ChangeTarget::Unit(id) => make::<Unit>(tx, ctx, id, &waits),
        ChangeTarget::Lesson(id) => make::<Lesson>(tx, ctx, id, &waits),
        ChangeTarget::Activity(id) => make::<Activity>(tx, ctx, id, &waits),
        ChangeTarget::Assignment(id) => make::<Assignment>(tx, ctx, id, &waits),
    }
}

/// What learners see until now is a version of its own, also where whoever publishes has just changed it at once.
fn keep_version(tx: &mut dyn Tx, ctx: &Context, waits: &WaitingChange) -> Result<(), Error> {
    let is_kept = |field: &String| !UNVERSIONED.contains(&field.as_str());
    if !waits.fields().iter().any(is_kept) {
        return Ok(());
    }
    let of = match waits.of {
        ChangeTarget::Course(_) | ChangeTarget::Unit(_) => return Ok(()),
        ChangeTarget::Lesson(id) => Versioned::Lesson(id),
        ChangeTarget::Activity(id) => Versioned::Activity(id),
        ChangeTarget::Assignment(id) => Versioned::Assignment(id),
    };
    versions::keep_apart(tx, ctx, of)
}

fn make<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: Id<T::Kind>,
    waits: &WaitingChange,
) -> Result<(), Error> {
    let changed = changes_of::<T>(waits).and_then(|changes| T::update(tx, ctx, id, changes));
    match changed {
        Ok(_) => Ok(()),
        // Of many things at once it has to be said of which.
        Err(Error::Invalid(problems)) => {
            let at = |problem: Invalid| Invalid {
                field: format!("{}.{}", waits.of.id(), problem.field),
                ..problem
            };
            Err(Error::Invalid(problems.into_iter().map(at).collect()))
        }
        Err(error) => Err(error),
    }
}

/// What there is somebody to notice of.
pub(crate) fn notices(reach: &ChangeReach) -> Vec<DraftNoticeView> {
    [
        (DraftNoticeCode::CohortsUnderWay, reach.cohorts),
        (DraftNoticeCode::CohortsByChoice, reach.by_choice),
        (DraftNoticeCode::CompletedLessons, reach.lessons),
        (DraftNoticeCode::TriedActivities, reach.activities),
        (DraftNoticeCode::UngradedWork, reach.ungraded),
        (DraftNoticeCode::GradedWork, reach.graded),
    ]
    .into_iter()
    .filter(|(_, reached)| reached.count > 0)
    .map(|(code, reached)| DraftNoticeView::new(code, reached.count, reached.learners))
    .collect()
}
