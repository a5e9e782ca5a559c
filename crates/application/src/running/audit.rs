//! The audit trail: every change of a grade, a key, a membership or a setting is noted with it, in its transaction.
//!
//! This is the one door to it. What an entry carries is said in [`values`]: ids, numbers and words that the platform
//! knows, never a secret and never a text that a person wrote.

use lyceum_domain::grading::grades::Grade;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::ids::AuditEntryId;
use lyceum_domain::running::audit::AuditActor;
use lyceum_domain::running::audit::AuditEntry;
use lyceum_wire::running::audit::AuditEntryView;

pub use lyceum_ports::running::audit::AuditFilter;

use crate::context::Actor;
use crate::context::Visitor;
use crate::prelude::*;
use crate::running::names;

pub mod values;

/// Notes what the caller, or the service itself, did.
pub fn note(
    tx: &mut dyn Tx,
    ctx: &Context,
    action: AuditAction,
    subject: AuditSubject,
    change: AuditedChange,
) -> Result<(), Error> {
    let actor = actor_of(ctx);
    let place = (ctx.workspace_id(), actor);
    note_at(tx, &ctx.visitor(), place, action, subject, change)
}

/// The same, unless nothing that is audited changed.
pub fn note_change(
    tx: &mut dyn Tx,
    ctx: &Context,
    action: AuditAction,
    subject: AuditSubject,
    change: AuditedChange,
) -> Result<(), Error> {
    if change.is_empty() {
        return Ok(());
    }
    note(tx, ctx, action, subject, change)
}

/// Notes what somebody did in a workspace, where no caller was let into it.
pub fn note_at(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    (workspace_id, actor): (WorkspaceId, AuditActor),
    action: AuditAction,
    subject: AuditSubject,
    change: AuditedChange,
) -> Result<(), Error> {
    let entry = AuditEntry {
        workspace_id,
        id: visitor.mint(),
        created_at: visitor.now,
        actor,
        request_id: visitor.request_id.clone(),
        action,
        subject,
        change,
    };
    Ok(tx.audit().append(&entry)?)
}

/// Notes that a record was added to a submission's grade history, and what counts since.
pub fn note_grade(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Submission,
    after: &Submission,
    record: &Grade,
) -> Result<(), Error> {
    let (standing, said) = if after.is_blind() {
        // Who is to grade it blind may read this.
        let [before, after] = [before, after].map(|one| values::standing(&one.blinded()));
        ((before, after), values::record_unseen(record))
    } else {
        let standing = (values::standing(before), values::standing(after));
        (standing, values::record(record))
    };
    let mut change = AuditedChange::between(standing.0, standing.1);
    change.new.extend(said);
    let subject = AuditSubject::of(after.id);
    note(tx, ctx, AuditAction::GradeChanged, subject, change)
}

/// Notes that another grade counts, or the same in another state, without a record added to the history.
pub fn note_standing(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Submission,
    after: &Submission,
) -> Result<(), Error> {
    let change = AuditedChange::between(values::standing(before), values::standing(after));
    let subject = AuditSubject::of(after.id);
    note(tx, ctx, AuditAction::GradeChanged, subject, change)
}

/// The same for one whose due date became better, unless that changes nothing of its grade.
pub fn note_eased(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Submission,
    after: &Submission,
) -> Result<(), Error> {
    let change = AuditedChange::between(values::standing(before), values::standing(after));
    let subject = AuditSubject::of(after.id);
    note_change(tx, ctx, AuditAction::GradeChanged, subject, change)
}

fn actor_of(ctx: &Context) -> AuditActor {
    match &ctx.actor {
        Actor::Member(member) => member.user.audited_with(member.identity.key_id),
        // What the service does in a request is done for somebody it does not know yet.
        Actor::Service if ctx.request_id.is_some() => AuditActor::Visitor,
        Actor::Service => AuditActor::System,
    }
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: AuditEntryId) -> Result<AuditEntryView, Error> {
    let entry = found(tx.audit().find(ctx.workspace_id(), id)?, "audit_entry")?;
    let mut view = AuditEntryView::new(&entry);
    names::give(tx, ctx.workspace_id(), [&mut view.actor])?;
    Ok(view)
}

/// Shows a page of them, newest first.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &AuditFilter,
    page: &PageRequest,
) -> Result<Page<AuditEntryView>, Error> {
    let found = tx.audit().page(ctx.workspace_id(), filter, page)?;
    let mut shown = found.map(|entry| AuditEntryView::new(&entry));
    let actors = shown.items.iter_mut().map(|view| &mut view.actor);
    names::give(tx, ctx.workspace_id(), actors)?;
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_ports::mocks::MockTx;
    use serde_json::json;

    use crate::identity::visibility::tests::{context, id};

    #[test]
    fn an_entry_says_who_when_and_in_which_request() {
        let mut ctx = context(Role::Admin, KeyKind::Standard);
        ctx.visit.request_id = Some("req_1".to_owned());
        let mut tx = MockTx::default();
        let subject = AuditSubject::of::<lyceum_domain::ids::User>(id(9));
        let change = AuditedChange::made(json!({"role": "student"}));
        note(&mut tx, &ctx, AuditAction::MemberAdded, subject, change).unwrap();
        let entry = &tx.audit.entries[0];
        let member = ctx.member().unwrap();
        let actor = AuditActor::User {
            user_id: member.user.id,
            api_key_id: member.identity.key_id,
        };
        assert_eq!(entry.actor, actor);
        assert_eq!(entry.request_id.as_deref(), Some("req_1"));
        assert_eq!(entry.workspace_id, ctx.workspace_id());
        assert_eq!(entry.created_at, ctx.now);
    }

    #[test]
    fn the_service_is_nobody_else() {
        let mut ctx = context(Role::Admin, KeyKind::Standard);
        ctx.actor = Actor::Service;
        ctx.visit.request_id = None;
        assert_eq!(actor_of(&ctx), AuditActor::System);
        ctx.visit.request_id = Some("req_1".to_owned());
        assert_eq!(actor_of(&ctx), AuditActor::Visitor);
    }

    #[test]
    fn what_changes_nothing_is_not_noted() {
        let ctx = context(Role::Admin, KeyKind::Standard);
        let mut tx = MockTx::default();
        let subject = AuditSubject::of::<lyceum_domain::ids::User>(id(9));
        let same = AuditedChange::default();
        note_change(&mut tx, &ctx, AuditAction::WorkspaceUpdated, subject, same).unwrap();
        assert!(tx.audit.entries.is_empty());
    }
}
