//! What those who act are called. The one place where names are looked up for answers: once per answer, whatever is on it.

use std::collections::BTreeMap;

use lyceum_domain::identity::users::User;
use lyceum_domain::ids::UserId;
use lyceum_wire::identity::actors::Named;

use crate::prelude::*;

/// Names everybody who is a member of the workspace, or was erased from it.
pub fn give<'a, N: Named + 'a>(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    views: impl IntoIterator<Item = &'a mut N>,
) -> Result<(), Error> {
    let mut views: Vec<&mut N> = views.into_iter().collect();
    let members = views.iter().filter_map(|view| view.member());
    let mut wanted: Vec<UserId> = members.filter_map(|id| id.parse().ok()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return Ok(());
    }
    let users = tx.users().with_ids(workspace, &wanted)?;
    let known: BTreeMap<String, &User> = users
        .iter()
        .map(|user| (user.id.to_string(), user))
        .collect();
    for view in &mut views {
        if let Some(user) = view.member().and_then(|id| known.get(id)) {
            view.name(user);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::actors::ActedBy;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::text::Name;
    use lyceum_ports::mocks::MockTx;
    use lyceum_wire::identity::actors::ActorView;

    use crate::identity::visibility::tests::{context, id};

    #[test]
    fn everybody_is_named_by_one_question() {
        let ctx = context(Role::Teacher, KeyKind::Standard);
        let mut ines = User::clone(&ctx.member().unwrap().user);
        ines.name = Some(Name::parse("Ines").unwrap());
        let (known, gone) = (ines.id, id(77));
        let mut tx = MockTx::default();
        tx.users
            .expect_with_ids()
            .withf(move |_, ids| ids.len() == 2)
            .once()
            .return_once(move |_, _| Ok(vec![ines]));
        let mut views: Vec<ActorView> = [
            ActedBy::Person(Some(known)),
            ActedBy::Person(Some(gone)),
            ActedBy::Person(Some(known)),
            ActedBy::Agent(Some("a-model".to_owned())),
            ActedBy::System,
        ]
        .iter()
        .map(ActorView::unnamed)
        .collect();
        give(&mut tx, ctx.workspace_id(), &mut views).unwrap();
        let names: Vec<Option<&str>> = views.iter().map(|view| view.name.as_deref()).collect();
        assert_eq!(
            names,
            [Some("Ines"), None, Some("Ines"), Some("a-model"), None]
        );
    }

    #[test]
    fn where_nobody_is_to_be_named_nobody_is_asked() {
        let ctx = context(Role::Teacher, KeyKind::Standard);
        let mut views = [ActorView::unnamed(&ActedBy::System)];
        give(&mut MockTx::default(), ctx.workspace_id(), &mut views).unwrap();
        assert_eq!(views[0].name, None);
    }
}
