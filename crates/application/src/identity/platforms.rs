//! What callers see of platforms and of themselves.

use std::sync::Arc;

use lyceum_domain::identity::keys::KeyKind;
use lyceum_domain::identity::users::User;
use lyceum_domain::identity::workspaces::{PlatformCode, PlatformUuid, Workspace};
use lyceum_domain::notifying::digests::{Digest, OwnChanges};
use lyceum_wire::identity::me::MeView;
use lyceum_wire::identity::platforms::PlatformView;

use crate::context::{Account, Actor, Member};
use crate::error::{PlatformProblem, Unauthenticated};
use crate::identity::users;
use crate::identity::workspaces::{memberships, page_of};
use crate::notifying::digests;
use crate::prelude::*;

/// Shows a page of the caller's platforms.
pub fn list(
    tx: &mut dyn Tx,
    account: &Account,
    page: &PageRequest,
) -> Result<Page<PlatformView>, Error> {
    let page = page_of(memberships(tx, account)?, page);
    Ok(page.map(|(user, workspace)| PlatformView::new(&user, &workspace)))
}

/// Shows one by its number, its uuid or its code; a code that looks like one of the others comes last.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, account: &Account, text: &str) -> Result<PlatformView, Error> {
    let memberships = memberships(tx, account)?;
    let number = text.parse::<i64>().ok();
    let uuid = PlatformUuid::parse(text).ok();
    let code = PlatformCode::parse(text).ok();
    let by = |is_it: &dyn Fn(&Workspace) -> bool| {
        memberships.iter().find(|(_, workspace)| is_it(workspace))
    };
    let (user, workspace) = found(
        by(&|workspace| number == Some(workspace.platform.number))
            .or_else(|| by(&|workspace| uuid.as_ref() == Some(&workspace.platform.uuid)))
            .or_else(|| by(&|workspace| code.is_some() && code == workspace.platform.code)),
        "platform",
    )?;
    Ok(PlatformView::new(user, workspace))
}

/// Changes what the caller is called, which language they prefer, where they live and whether they get digests, in the platform of which [`me`] tells.
///
/// # Errors
/// [`PlatformProblem::Missing`] for whoever belongs nowhere, those of [`users::update_own`]
pub fn update_me(tx: &mut dyn Tx, account: &Account, changes: OwnChanges) -> Result<MeView, Error> {
    let memberships = memberships(tx, account)?;
    let (user, workspace) = here(account, &memberships).ok_or(PlatformProblem::Missing)?;
    let member = Member {
        identity: Arc::clone(&account.identity),
        user: Arc::new(user.clone()),
    };
    let ctx = account
        .visit
        .within(workspace.clone(), Actor::Member(member));
    users::update_own(tx, &ctx, changes)?;
    me(tx, account)
}

/// Shows the caller who they are.
pub fn me(tx: &mut dyn Tx, account: &Account) -> Result<MeView, Error> {
    let identity = &account.identity;
    let key = tx
        .keys()
        .find(identity.key_id)?
        .ok_or(Unauthenticated::InvalidKey)?;
    let memberships = memberships(tx, account)?;
    let user = here(account, &memberships).map(|(user, _)| user);
    let reader = user.filter(|user| key.kind != KeyKind::Session && Digest::is_for(user));
    let digest = reader.map(|user| digests::rhythm(tx, user)).transpose()?;
    Ok(MeView::new(
        &key,
        &identity.email,
        (user, digest),
        &memberships,
    ))
}

/// What the caller is where they are: in the platform that they chose, else where they first belonged.
fn here<'a>(
    account: &Account,
    memberships: &'a [(User, Workspace)],
) -> Option<&'a (User, Workspace)> {
    let chosen = account
        .membership
        .as_ref()
        .map(|(workspace, _)| workspace.id);
    // A session key has chosen its platform once and for all.
    match chosen.or(account.identity.bound_to) {
        Some(chosen) => memberships
            .iter()
            .find(|(_, workspace)| workspace.id == chosen),
        // Newest first.
        None => memberships.last(),
    }
}
