//! Changes of a published course that wait: kept beside what learners see, shown to authors alone, and made all at once by the same use
//! cases that make each by itself.

use lyceum_domain::authoring::courses::CourseStatus;
use lyceum_domain::authoring::versions::waiting::{ChangeTarget, ToWait, WaitingChange};
use lyceum_domain::ids::CourseId;
use lyceum_domain::{Id, Stamp};
use lyceum_ports::store::Line;
use lyceum_wire::common::Command;
use lyceum_wire::identity::actors::{ActorView, Named};
use serde_json::Value;

use crate::error::LastChange;
use crate::identity::visibility;
use crate::notifying::overtaking;
use crate::prelude::*;

mod publishing;
mod things;

pub use lyceum_ports::authoring::courses::ShownCourse;
pub use publishing::{discard, draft, publish};
pub(crate) use publishing::{notices, revision};
pub use things::Changeable;

/// Shows one as it will be, where something waits for it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`]
pub fn retrieve<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: Id<T::Kind>,
) -> Result<T::View, Error> {
    refuse_readers(ctx)?;
    let live = T::find(tx, ctx, id)?;
    show(tx, ctx, live, id)
}

/// Shows those of a page as they will be for which something waits.
///
/// # Errors
/// [`Error::Forbidden`]
pub fn as_they_will_be<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut page: Page<T::View>,
) -> Result<Page<T::View>, Error> {
    refuse_readers(ctx)?;
    let ids = page.items.iter().map(|view| T::id_of(view).parse().ok());
    let ids: Vec<Option<Id<T::Kind>>> = ids.collect();
    let targets: Vec<ChangeTarget> = ids.iter().flatten().map(|id| T::target(*id)).collect();
    let waiting = tx.waiting_changes().among(ctx.workspace_id(), &targets)?;
    for (view, id) in page.items.iter_mut().zip(ids) {
        if let Some(id) = id.filter(|id| waiting.contains(&T::target(*id))) {
            *view = retrieve::<T>(tx, ctx, id)?;
        }
    }
    Ok(page)
}

/// Has a change of one wait, together with what waits for it already. Nobody sees a course that was never published, so a change of one
/// is made at once.
///
/// # Errors
/// Those of changing it at once.
pub fn update<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: Id<T::Kind>,
    changes: T::Changes,
) -> Result<T::View, Error> {
    let live = T::find(tx, ctx, id)?;
    let course = live.course();
    if !is_seen(tx, ctx, course)? {
        return T::update(tx, ctx, id, changes);
    }
    tx.stand_in_line(line(course))?;
    let before = find(tx, ctx, T::target(id))?;
    let mut will = live.clone();
    if let Some(before) = &before {
        apply(tx, ctx, &mut will, before)?;
    }
    let was = will.clone();
    will.change(tx, ctx, changes)?;
    T::check(ctx, &was, &will)?;
    let to_wait = WaitingChange::between(&live.members()?, &will.members()?, before.as_ref());
    keep(tx, ctx, (T::target(id), course), before, to_wait)?;
    show(tx, ctx, live, id)
}

/// Who last changed what waits for a thing, or the thing itself where that was later, and when.
///
/// # Errors
/// Those of storage.
pub fn last_change(
    tx: &mut dyn Tx,
    ctx: &Context,
    object_id: &str,
) -> Result<Option<LastChange>, Error> {
    let of_thing = overtaking::last_change(tx, ctx, object_id)?;
    let waits = match ChangeTarget::parse(object_id) {
        Some(of) => find(tx, ctx, of)?,
        None => None,
    };
    let is_later = |waits: &WaitingChange| {
        let at = waits.stamp.updated_at;
        of_thing.as_ref().is_none_or(|change| change.at < at)
    };
    let Some(waits) = waits.filter(is_later) else {
        return Ok(of_thing);
    };
    let by = match waits.made_by {
        Some(id) => tx.users().find(ctx.workspace_id(), id)?,
        None => None,
    };
    Ok(by.map(|user| {
        let mut actor = ActorView::unnamed(&user.acted());
        actor.name(&user);
        LastChange {
            actor,
            at: waits.stamp.updated_at,
        }
    }))
}

/// Only authors see what is not there yet: whoever sees a course as its learners do, does not.
fn refuse_readers(ctx: &Context) -> Result<(), Error> {
    if visibility::is_restricted(ctx) {
        return Err(Forbidden::Role.into());
    }
    Ok(())
}

/// Whether anybody but its authors sees, or has seen, the course.
fn is_seen(tx: &mut dyn Tx, ctx: &Context, course: CourseId) -> Result<bool, Error> {
    let course = found(tx.courses().find(ctx.workspace_id(), course)?, "course")?;
    Ok(match course.status {
        CourseStatus::Draft => false,
        CourseStatus::Published | CourseStatus::Archived => true,
    })
}

/// Whoever changes what waits for a course, or publishes it, does so one after the other.
fn line(course: CourseId) -> Line {
    Line::at(format!("draft of {course}"))
}

fn find(tx: &mut dyn Tx, ctx: &Context, of: ChangeTarget) -> Result<Option<WaitingChange>, Error> {
    Ok(tx.waiting_changes().find(ctx.workspace_id(), of)?)
}

/// What waits for a thing, as a change of it.
fn changes_of<T: Changeable>(waits: &WaitingChange) -> Result<T::Changes, Error> {
    let content = Value::Object(waits.content.clone());
    let body: T::Body =
        serde_json::from_value(content).map_err(|error| Error::Internal(error.into()))?;
    Ok(body.command()?)
}

/// Makes a thing what it will be. It is as old as what waits, and not as this look at it.
fn apply<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    thing: &mut T,
    waits: &WaitingChange,
) -> Result<(), Error> {
    let stamp = *thing.stamp();
    thing.change(tx, ctx, changes_of::<T>(waits)?)?;
    *thing.stamp() = Stamp {
        updated_at: waits.stamp.updated_at,
        ..stamp
    };
    Ok(())
}

fn show<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut thing: T,
    id: Id<T::Kind>,
) -> Result<T::View, Error> {
    let Some(waits) = find(tx, ctx, T::target(id))? else {
        return thing.show(tx, ctx, None);
    };
    apply(tx, ctx, &mut thing, &waits)?;
    thing.show(tx, ctx, Some(waits.fields()))
}

/// Keeps what is to wait in the place of what did.
fn keep(
    tx: &mut dyn Tx,
    ctx: &Context,
    (of, course_id): (ChangeTarget, CourseId),
    before: Option<WaitingChange>,
    to_wait: Option<ToWait>,
) -> Result<(), Error> {
    let workspace_id = ctx.workspace_id();
    let made_by = ctx.member().ok().map(|member| member.user.id);
    match (before, to_wait) {
        (None, None) => {}
        (Some(_), None) => {
            tx.waiting_changes().delete(workspace_id, of)?;
        }
        (Some(same), Some(to_wait)) if same.content == to_wait.content => {}
        (Some(mut waits), Some(to_wait)) => {
            waits.replace(to_wait, made_by, ctx.now);
            tx.waiting_changes().update(&waits)?;
        }
        (None, Some(ToWait { content, base })) => {
            tx.waiting_changes().insert(&WaitingChange {
                workspace_id,
                of,
                course_id,
                content,
                base,
                made_by,
                stamp: Stamp::new(ctx.now),
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::authoring::courses::Course;
    use lyceum_domain::authoring::lessons::Lesson;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::json::JsonObject;
    use lyceum_ports::mocks::MockTx;
    use lyceum_wire::authoring::versions::waiting::Publishing;

    use crate::identity::visibility::tests::{context, course, id, now};

    #[test]
    fn nothing_is_even_looked_up_for_who_learns() {
        // Whatever is not expected of a mock panics.
        for ctx in [
            context(Role::Student, KeyKind::Standard),
            context(Role::Teacher, KeyKind::Session),
        ] {
            let refused = retrieve::<Lesson>(&mut MockTx::default(), &ctx, id(5));
            assert!(matches!(refused, Err(Error::Forbidden(Forbidden::Role))));
            let refused = draft(&mut MockTx::default(), &ctx, id(4));
            assert!(matches!(refused, Err(Error::Forbidden(Forbidden::Role))));
            let refused = publish(&mut MockTx::default(), &ctx, id(4), &Publishing::default());
            assert!(matches!(refused, Err(Error::Forbidden(Forbidden::Role))));
            let refused = discard(&mut MockTx::default(), &ctx, id(4), None);
            assert!(matches!(refused, Err(Error::Forbidden(Forbidden::Role))));
        }
    }

    #[test]
    fn what_was_published_once_has_been_seen() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        for status in CourseStatus::ALL {
            let mut tx = MockTx::default();
            let found = Course {
                status: *status,
                ..course(4)
            };
            tx.courses
                .expect_find()
                .returning(move |_, _| Ok(Some(found.clone())));
            let seen = is_seen(&mut tx, &ctx, id(4)).unwrap();
            assert_eq!(seen, *status != CourseStatus::Draft, "{status}");
        }
    }

    #[test]
    fn what_waits_is_kept_anew_only_where_it_is_another() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        let content = JsonObject::from_iter([("name".to_owned(), "B".into())]);
        let of = (ChangeTarget::Lesson(id(5)), id(4));
        let waits = WaitingChange {
            workspace_id: ctx.workspace_id(),
            of: of.0,
            course_id: of.1,
            content: content.clone(),
            base: JsonObject::new(),
            made_by: None,
            stamp: Stamp::new(now()),
        };
        let same = ToWait {
            content,
            base: JsonObject::new(),
        };
        keep(&mut MockTx::default(), &ctx, of, None, None).unwrap();
        keep(
            &mut MockTx::default(),
            &ctx,
            of,
            Some(waits.clone()),
            Some(same),
        )
        .unwrap();
        let mut tx = MockTx::default();
        tx.waiting_changes
            .expect_delete()
            .once()
            .returning(|_, _| Ok(true));
        keep(&mut tx, &ctx, of, Some(waits), None).unwrap();
    }
}
