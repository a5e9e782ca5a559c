//! Whether something may be deleted or written anew although learners have used it: asked before anything is done.

use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::users::Role;
use lyceum_domain::running::in_use::{MOST_COUNTED, Stays, Subject, Uses, may_be_replaced, may_go};

use crate::context::Account;
use crate::context::Actor;
use crate::prelude::*;

/// Refuses to let go of what learners have used, unless by force of somebody who may destroy what goes.
///
/// # Errors
/// [`Conflict::InUse`], [`Error::Forbidden`]
pub fn refuse(tx: &mut dyn Tx, ctx: &Context, subject: Subject, force: bool) -> Result<(), Error> {
    let uses = tx
        .in_use()
        .uses(ctx.workspace_id(), subject, MOST_COUNTED)?;
    may_go(uses, force, |right| ctx.may(right)).map_err(|stays| {
        let has_scope = |right| match &ctx.actor {
            Actor::Member(member) => member.identity.scopes.allows(right),
            Actor::Service => true,
        };
        refusal(stays, subject, uses, has_scope)
    })
}

/// Refuses to have AI write anew what learners have used, unless by force of somebody who may write it.
///
/// # Errors
/// [`Conflict::InUse`], [`Error::Forbidden`]
pub fn refuse_replacing(
    tx: &mut dyn Tx,
    ctx: &Context,
    subject: Subject,
    force: bool,
) -> Result<(), Error> {
    let uses = tx
        .in_use()
        .uses(ctx.workspace_id(), subject, MOST_COUNTED)?;
    may_be_replaced(uses, force, |right| ctx.may(right))
        .map_err(|stays| refusal(stays, subject, uses, |_| false))
}

/// Refuses to let go of a whole workspace, like [`refuse`]. Its roles are looked at before.
///
/// # Errors
/// [`Conflict::InUse`], [`Error::Forbidden`]
pub fn refuse_workspace(
    tx: &mut dyn Tx,
    account: &Account,
    (workspace, role): (WorkspaceId, Role),
    force: bool,
) -> Result<(), Error> {
    let subject = Subject::Workspace;
    let uses = tx.in_use().uses(workspace, subject, MOST_COUNTED)?;
    let has_scope = |right| account.identity.scopes.allows(right);
    may_go(uses, force, |right| has_scope(right) && role.permits(right))
        .map_err(|stays| refusal(stays, subject, uses, has_scope))
}

fn refusal(stays: Stays, subject: Subject, uses: Uses, has_scope: impl Fn(Scope) -> bool) -> Error {
    match stays {
        Stays::InUse => Conflict::InUse {
            object: subject.object(),
            uses,
        }
        .into(),
        Stays::Needs(right) if has_scope(right) => Forbidden::Role.into(),
        Stays::Needs(right) => Forbidden::Scope(right).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::scopes::ScopeSet;
    use lyceum_ports::mocks::MockTx;
    use std::sync::Arc;

    use crate::identity::visibility::tests::{context, id};

    fn used(uses: Uses) -> MockTx {
        let mut tx = MockTx::default();
        tx.in_use.expect_uses().returning(move |_, _, most| {
            assert_eq!(most, MOST_COUNTED);
            Ok(uses)
        });
        tx
    }

    /// Somebody in this role with a key of these scopes.
    fn with(role: Role, scopes: &[&str]) -> Context {
        let mut ctx = context(role, KeyKind::Standard);
        if let Actor::Member(member) = &mut ctx.actor {
            let scopes = ScopeSet::parse(scopes.iter().copied()).unwrap();
            Arc::make_mut(&mut member.identity).scopes = scopes;
        }
        ctx
    }

    fn graded() -> Uses {
        Uses {
            submissions: 3,
            grades: 2,
            ..Uses::default()
        }
    }

    #[test]
    fn what_is_in_use_is_refused_with_its_counts() {
        let ctx = with(Role::Owner, &["write:*"]);
        let refused = refuse(&mut used(graded()), &ctx, Subject::Course(id(4)), false);
        let Err(Error::Conflict(Conflict::InUse { object, uses })) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!((object, uses), ("course", graded()));
        assert!(refuse(&mut used(graded()), &ctx, Subject::Course(id(4)), true).is_ok());
    }

    #[test]
    fn force_takes_the_scope_and_the_role() {
        let narrow = with(Role::Owner, &["write:courses"]);
        let subject = Subject::Assignment(id(4));
        let refused = refuse(&mut used(graded()), &narrow, subject, true);
        assert!(matches!(
            refused,
            Err(Error::Forbidden(Forbidden::Scope(Scope::WriteGrades)))
        ));
        let student = with(Role::Student, &["write:*"]);
        let refused = refuse(&mut used(graded()), &student, subject, true);
        assert!(matches!(refused, Err(Error::Forbidden(Forbidden::Role))));
        let tried = Uses {
            attempts: 9,
            ..Uses::default()
        };
        assert!(refuse(&mut used(tried), &narrow, Subject::Unit(id(4)), true).is_ok());
    }

    #[test]
    fn ai_writes_anew_what_is_used_by_force_of_an_author() {
        let done = Uses {
            completions: 1,
            ..Uses::default()
        };
        let subject = Subject::Lesson(id(4));
        let author = with(Role::Teacher, &["write:courses", "ai:generate"]);
        let refused = refuse_replacing(&mut used(done), &author, subject, false);
        assert!(matches!(
            refused,
            Err(Error::Conflict(Conflict::InUse { .. }))
        ));
        assert!(refuse_replacing(&mut used(done), &author, subject, true).is_ok());
        let ai_alone = with(Role::Teacher, &["ai:generate"]);
        assert!(refuse_replacing(&mut used(Uses::default()), &ai_alone, subject, false).is_ok());
        let refused = refuse_replacing(&mut used(done), &ai_alone, subject, true);
        assert!(matches!(
            refused,
            Err(Error::Forbidden(Forbidden::Scope(Scope::WriteCourses)))
        ));
    }
}
