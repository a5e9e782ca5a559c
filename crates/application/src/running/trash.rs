//! What callers do with the trash. Deleting is putting something there whole; it comes back whole, or is destroyed.

mod telling;

use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::ids::{PersonId, TrashItemId};
use lyceum_domain::json::JsonObject;
use lyceum_domain::learning::enrollments::EnrollmentStatus;
use lyceum_domain::running::jobs::Job;
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashKind, TrashPart};
use lyceum_ports::store::StoreError;
use lyceum_wire::running::trash::TrashItemView;
use serde_json::{Value, json};

pub use lyceum_ports::running::trash::TrashFilter;

use crate::app::App;
use crate::authoring::lessons;
use crate::authoring::siblings::Parent;
use crate::context::Actor;
use crate::drafting::generations;
use crate::identity::users;
use crate::learning::cohorts;
use crate::prelude::*;
use crate::running::audit;
use crate::running::names;
use crate::running::queue;

/// How many ids are asked for at once, and events told.
const AT_ONCE: u16 = 200;

/// Something that is being deleted.
#[derive(Debug, Clone)]
pub struct Going {
    kind: TrashKind,
    object_id: String,
    name: String,
    person_id: Option<PersonId>,
}

impl Going {
    /// A thing, by its id and what it is called.
    pub fn new(kind: TrashKind, id: &impl ToString, name: &impl ToString) -> Self {
        Self {
            kind,
            object_id: id.to_string(),
            name: name.to_string(),
            person_id: None,
        }
    }

    /// A membership.
    pub fn member(user: &User) -> Self {
        Self {
            person_id: Some(user.person_id),
            ..Self::new(TrashKind::User, &user.id, &called(user))
        }
    }
}

/// What a person is called in the trash.
pub fn called(user: &User) -> String {
    user.name
        .as_ref()
        .map_or_else(|| user.email.to_string(), ToString::to_string)
}

/// Moves something with all that hangs on it into the trash, tells of every thing that goes, and notes it. The use cases
/// decide before that whether it may go.
pub fn put(tx: &mut dyn Tx, ctx: &Context, going: Going) -> Result<TrashItem, Error> {
    let mut item = TrashItem {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        kind: going.kind,
        object_id: going.object_id,
        name: going.name,
        counts: TrashCounts::new(),
        person_id: going.person_id,
        deleted_by: match &ctx.actor {
            Actor::Member(member) => Some(member.user.id),
            Actor::Service => None,
        },
        restorable_until: ctx.now.plus(ctx.settings.trash_kept),
        created_at: ctx.now,
    };
    item.counts = tx.trash().gather(&item)?;
    // What would be drafted has no place any more.
    for generation in tx.trash().pending_generations(&item)? {
        generations::cancel(tx, ctx, generation)?;
    }
    note_examples(tx, ctx, &item)?;
    telling::deleted(tx, ctx, &item)?;
    tx.trash().take_out(&item)?;
    note(tx, ctx, AuditAction::ObjectDeleted, &item)?;
    Ok(item)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for a kind of thing that the caller may not see
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: TrashItemId) -> Result<TrashItemView, Error> {
    let item = find(tx, ctx, id)?;
    require(ctx, item.kind.read_scope())?;
    view(tx, &item)
}

fn view(tx: &mut dyn Tx, item: &TrashItem) -> Result<TrashItemView, Error> {
    let mut view = TrashItemView::new(item);
    names::give(tx, item.workspace_id, [&mut view.actor])?;
    Ok(view)
}

/// Shows a page of what the caller may see, newest first.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: TrashFilter,
    page: &PageRequest,
) -> Result<Page<TrashItemView>, Error> {
    let mut filter = filter;
    let asked = |kind: &TrashKind| filter.kinds.is_empty() || filter.kinds.contains(kind);
    filter.kinds = TrashKind::ALL
        .iter()
        .copied()
        .filter(|kind| asked(kind) && ctx.may(kind.read_scope()))
        .collect();
    if filter.kinds.is_empty() {
        return Ok(Page::empty());
    }
    filter.restorable_at = Some(ctx.now);
    let found = tx.trash().page(ctx.workspace_id(), &filter, page)?;
    let mut shown = found.map(|item| TrashItemView::new(&item));
    let actors = shown.items.iter_mut().map(|view| &mut view.actor);
    names::give(tx, ctx.workspace_id(), actors)?;
    Ok(shown)
}

/// Brings something back with everything that went with it, as it was.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`], [`Conflict::NotRestorable`] where something that it hangs on is gone or its
/// place is taken, [`Conflict::LimitReached`] where a cohort is full
pub fn restore(tx: &mut dyn Tx, ctx: &Context, id: TrashItemId) -> Result<TrashItemView, Error> {
    let item = held(tx, ctx, id)?;
    let root = tx.trash().root(&item)?;
    require_above(ctx, &item, &root)?;
    refuse_orphan(tx, &item)?;
    let position = make_room(tx, ctx, &item, &root)?;
    tx.trash()
        .put_back(&item, position, ctx.now)
        .map_err(taken)?;
    take_places(tx, ctx, &item)?;
    if matches!(item.kind, TrashKind::Unit | TrashKind::Lesson) {
        lessons::recount_generated(tx, ctx, id_in(&root, "course_id")?)?;
    }
    note_examples(tx, ctx, &item)?;
    telling::restored(tx, ctx, &item)?;
    tx.trash().forget(&item)?;
    note(tx, ctx, AuditAction::ObjectRestored, &item)?;
    if item.count(TrashPart::Jobs) > 0 {
        ctx.note_queued();
    }
    view(tx, &item)
}

/// Destroys something for good, with everything in it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`], [`Conflict::WorkInTrash`] for a membership whose work is in other items
pub fn destroy(tx: &mut dyn Tx, ctx: &Context, id: TrashItemId) -> Result<TrashItemId, Error> {
    let item = held(tx, ctx, id)?;
    let root = tx.trash().root(&item)?;
    require_above(ctx, &item, &root)?;
    if item.kind == TrashKind::User {
        refuse_while_needed(tx, &item)?;
    }
    let_go_of_files(tx, ctx, &item)?;
    tx.trash().forget(&item)?;
    note(tx, ctx, AuditAction::ObjectDestroyed, &item)?;
    Ok(id)
}

/// Destroys what can no longer come back, a little at a time; how many items went.
pub async fn sweep(app: &App, batch: u16) -> Result<u64, Error> {
    let mut gone = 0;
    loop {
        let inner = app.clone();
        let step = app.store.conclude(move |tx| {
            let now = inner.clock.now();
            let Some(item) = tx.trash().expired(now)? else {
                return Ok(None);
            };
            let workspace = found(tx.workspaces().find(item.workspace_id)?, "workspace")?;
            let ctx = inner.service_context(workspace);
            let_go_of_files(tx, &ctx, &item)?;
            let is_gone = tx.trash().forget_some(&item, batch)?;
            if is_gone {
                note(tx, &ctx, AuditAction::ObjectDestroyed, &item)?;
            }
            Ok::<_, Error>(Some(is_gone))
        });
        match step.await? {
            None => return Ok(gone),
            Some(is_gone) => gone += u64::from(is_gone),
        }
    }
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: TrashItemId) -> Result<TrashItem, Error> {
    let item = tx.trash().find(ctx.workspace_id(), id)?;
    let item = item.filter(|item| item.is_restorable(ctx.now));
    found(item, "trash_item")
}

/// One that the caller may bring back or destroy, and that nobody else does meanwhile.
fn held(tx: &mut dyn Tx, ctx: &Context, id: TrashItemId) -> Result<TrashItem, Error> {
    let item = find(tx, ctx, id)?;
    for scope in item.needed() {
        require(ctx, scope)?;
    }
    tx.trash().hold(&item)?;
    Ok(item)
}

/// The route lets in whoever may do this to something; whether it is this is decided by what it is.
fn require(ctx: &Context, scope: Scope) -> Result<(), Error> {
    if ctx.may(scope) {
        return Ok(());
    }
    Err(Forbidden::Scope(scope).into())
}

/// Nobody brings back or destroys a membership above their own.
fn require_above(ctx: &Context, item: &TrashItem, root: &JsonObject) -> Result<(), Error> {
    if item.kind != TrashKind::User {
        return Ok(());
    }
    let role = root.get("role").and_then(Value::as_str).unwrap_or_default();
    let role = Role::parse(role).map_err(|error| Error::Internal(error.into()))?;
    users::require_rank(ctx, role)
}

fn refuse_orphan(tx: &mut dyn Tx, item: &TrashItem) -> Result<(), Error> {
    let missing = tx.trash().missing(item)?;
    if missing.is_empty() {
        return Ok(());
    }
    let fields = missing.into_iter().map(|parent| {
        let problem = match parent.item {
            Some(item) => format!("{} is in the trash; restore {item} first", parent.id),
            None => format!("{} is gone for good", parent.id),
        };
        (parent.field, problem)
    });
    Err(Conflict::NotRestorable(fields.collect()).into())
}

fn taken(error: StoreError) -> Error {
    if let StoreError::Taken { field } = error {
        let problem = "is taken by something that is there now".to_owned();
        return Conflict::NotRestorable(vec![(field.to_owned(), problem)]).into();
    }
    error.into()
}

fn refuse_while_needed(tx: &mut dyn Tx, item: &TrashItem) -> Result<(), Error> {
    let others = tx.trash().others_with_work(item)?;
    if others.is_empty() {
        return Ok(());
    }
    let fields = others.into_iter().map(|other| {
        let problem = "has work of theirs; restore or destroy it first".to_owned();
        (other.to_string(), problem)
    });
    Err(Conflict::WorkInTrash(fields.collect()).into())
}

fn id_in<K: lyceum_domain::id::Identified>(
    root: &JsonObject,
    member: &str,
) -> Result<lyceum_domain::Id<K>, Error> {
    let text = root.get(member).and_then(Value::as_str).unwrap_or_default();
    text.parse()
        .map_err(|_| Error::Internal(format!("{member} is no id: {text:?}").into()))
}

/// Where it stands among its siblings, who make room: where it was, or at the end of those that are left.
fn make_room(
    tx: &mut dyn Tx,
    ctx: &Context,
    item: &TrashItem,
    root: &JsonObject,
) -> Result<Option<u32>, Error> {
    let was = root
        .get("position")
        .and_then(Value::as_u64)
        .and_then(|position| u32::try_from(position).ok())
        .unwrap_or(u32::MAX);
    let parent = match item.kind {
        TrashKind::Unit => Parent::Course(id_in(root, "course_id")?),
        TrashKind::Lesson => Parent::Unit(id_in(root, "unit_id")?),
        TrashKind::Activity => Parent::Lesson(id_in(root, "lesson_id")?),
        TrashKind::Course
        | TrashKind::Assignment
        | TrashKind::Cohort
        | TrashKind::Enrollment
        | TrashKind::Submission
        | TrashKind::User
        | TrashKind::ScormPackage
        | TrashKind::MediaFile => return Ok(None),
    };
    Ok(Some(parent.make_room(tx, ctx, Some(was))?))
}

/// Whoever comes back to a cohort finds a place in it.
fn take_places(tx: &mut dyn Tx, ctx: &Context, item: &TrashItem) -> Result<(), Error> {
    if !matches!(item.kind, TrashKind::Enrollment | TrashKind::User) {
        return Ok(());
    }
    let mut after = None;
    while let Some(ids) = telling::next(tx, item, TrashPart::Enrollments, after.take())? {
        after = ids.last().cloned();
        let ids = telling::parsed(&ids)?;
        for (enrollment, _) in tx.enrollments().with_ids(ctx.workspace_id(), &ids)? {
            if enrollment.status == EnrollmentStatus::Withdrawn {
                continue;
            }
            let cohort = tx
                .cohorts()
                .find(ctx.workspace_id(), enrollment.cohort_id)?;
            cohorts::refuse_overfull(tx, ctx, &found(cohort, "cohort")?)?;
        }
    }
    Ok(())
}

/// The work that comes and goes may be examples to a grader; not so where its assignment comes and goes with it.
fn note_examples(tx: &mut dyn Tx, ctx: &Context, item: &TrashItem) -> Result<(), Error> {
    if item.count(TrashPart::Assignments) > 0 {
        return Ok(());
    }
    let mut after = None;
    while let Some(ids) = telling::next(tx, item, TrashPart::Submissions, after.take())? {
        after = ids.last().cloned();
        tx.grades()
            .note_examples_moved(ctx.workspace_id(), &telling::parsed(&ids)?, ctx.now)?;
    }
    Ok(())
}

fn let_go_of_files(tx: &mut dyn Tx, ctx: &Context, item: &TrashItem) -> Result<(), Error> {
    for name in tx.trash().let_go_of_files(item)? {
        queue::enqueue(tx, ctx, Job::remove_file(name))?;
    }
    Ok(())
}

fn note(
    tx: &mut dyn Tx,
    ctx: &Context,
    action: AuditAction,
    item: &TrashItem,
) -> Result<(), Error> {
    let subject = AuditSubject {
        object: item.kind.to_string(),
        id: item.object_id.clone(),
    };
    let counts = item.counts.iter();
    let counts: JsonObject = counts
        .map(|(part, count)| (part.to_string(), json!(count)))
        .collect();
    let what = json!({ "trash_id": item.id.to_string(), "counts": counts });
    let change = if action == AuditAction::ObjectRestored {
        AuditedChange::made(what)
    } else {
        AuditedChange::gone(what)
    };
    audit::note(tx, ctx, action, subject, change)
}
