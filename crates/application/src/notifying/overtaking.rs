//! "Somebody was faster": who changed a thing before whoever is refused for it.

use lyceum_domain::ids::SubmissionId;

use crate::error::LastChange;
use crate::notifying::events;
use crate::prelude::*;

/// Who changed a thing last, and when, as far as its events tell and the caller may know. Learners are not told who works on
/// what is theirs, and whoever is to grade a submission blind is not told that somebody has said anything of it.
pub fn last_change(
    tx: &mut dyn Tx,
    ctx: &Context,
    object_id: &str,
) -> Result<Option<LastChange>, Error> {
    if ctx.learner().is_some() {
        return Ok(None);
    }
    if let Ok(id) = object_id.parse::<SubmissionId>() {
        let found = tx.submissions().find(ctx.workspace_id(), id)?;
        if found.is_none_or(|submission| submission.is_blind()) {
            return Ok(None);
        }
    }
    events::last_change(tx, ctx, object_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_ports::mocks::MockTx;

    use crate::identity::visibility::tests::context;

    #[test]
    fn learners_are_not_told_who_was_faster() {
        // Nothing is asked either: a mock would say so.
        for ctx in [
            context(Role::Student, KeyKind::Standard),
            context(Role::Teacher, KeyKind::Session),
        ] {
            let told = last_change(&mut MockTx::default(), &ctx, "coh_1").unwrap();
            assert_eq!(told, None);
        }
    }
}
