//! How learners get in: a server asks for a one-time token, a client exchanges it for a session key.

use lyceum_domain::Stamp;
use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, KeyKind, SecretHash};
use lyceum_domain::identity::scopes::ScopeSet;
use lyceum_domain::identity::tokens::{
    LOGIN_TOKEN_LIFETIME, LoginToken, LoginTokenSecret, SESSION_LIFETIME,
};
use lyceum_domain::identity::users::User;
use lyceum_domain::running::audit::AuditActor;
use lyceum_domain::text::{Email, Name};
use lyceum_wire::identity::tokens::{LoginTokenView, SessionKeyView};

use crate::context::Visitor;
use crate::error::Unauthenticated;
use crate::identity::bootstrap::fresh_key;
use crate::identity::users::with_email;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// How many sessions of a person live at once on a platform.
pub const MAX_SESSIONS: u16 = 20;

/// What session keys are called.
const SESSION_NAME: &str = "Session";

/// Hands out a one-time token for the user with this address.
///
/// # Errors
/// [`Error::Reference`] if nobody here has the address, [`Conflict::ServiceAccount`]
pub fn start(tx: &mut dyn Tx, ctx: &Context, email: &Email) -> Result<LoginTokenView, Error> {
    let asking = ctx.member()?.identity.key_id;
    let user = with_email(tx, ctx, email)?;
    let user = user.filter(|user| !user.is_erased() && user.suspension.is_none());
    let user = referenced(user, "email", "user")?;
    if user.is_service() {
        return Err(Conflict::ServiceAccount.into());
    }
    let mut bytes = [0_u8; 32];
    ctx.entropy.fill(&mut bytes);
    let secret = LoginTokenSecret::from_bytes(bytes);
    let token = LoginToken {
        hash: secret.hash(),
        workspace_id: ctx.workspace_id(),
        user_id: user.id,
        email: user.email,
        issued_by: asking,
        created_at: ctx.now,
        expires_at: ctx.now.plus(LOGIN_TOKEN_LIFETIME),
    };
    // Of a user one lives at a time.
    tx.tokens().withdraw(ctx.workspace_id(), token.user_id)?;
    tx.tokens().insert(&token)?;
    Ok(LoginTokenView::new(&token, &secret))
}

/// Exchanges a one-time token for a session key.
///
/// # Errors
/// [`Unauthenticated::InvalidToken`], whatever is wrong with it
pub fn finish(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    hash: &SecretHash,
) -> Result<SessionKeyView, Error> {
    let invalid = || Error::from(Unauthenticated::InvalidToken);
    let token = tx.tokens().redeem(hash, visitor.now)?.ok_or_else(invalid)?;
    // Whoever took back the key that asked has taken back what it asked for.
    let asking = tx.keys().find(token.issued_by)?.ok_or_else(invalid)?;
    asking.alive(visitor.now).map_err(|_| invalid())?;
    let user = tx
        .users()
        .find(token.workspace_id, token.user_id)?
        .filter(|user| user.is_open_to(KeyKind::Session, None))
        .ok_or_else(invalid)?;
    let workspace = tx
        .workspaces()
        .find(token.workspace_id)?
        .ok_or_else(invalid)?;
    let secret = fresh_key(visitor, KeyKind::Session);
    let key = session_key(visitor, &token, &user, &secret);
    insert_session(tx, &key, visitor.now)?;
    let place = (workspace.id, AuditActor::Visitor);
    let change = AuditedChange::made(values::session(&key, user.id));
    let subject = AuditSubject::of(key.id);
    audit::note_at(
        tx,
        visitor,
        place,
        AuditAction::SessionStarted,
        subject,
        change,
    )?;
    Ok(SessionKeyView::new(&key, &secret, &user, &workspace))
}

/// Stores a session key; of those that live, the oldest make room for it.
pub fn insert_session(tx: &mut dyn Tx, key: &ApiKey, now: Timestamp) -> Result<(), Error> {
    if let Some(workspace) = key.workspace_id {
        tx.keys()
            .end_oldest_sessions(workspace, key.person_id, MAX_SESSIONS - 1, now)?;
    }
    Ok(tx.keys().insert(key)?)
}

fn session_key(
    visitor: &Visitor,
    token: &LoginToken,
    user: &User,
    secret: &ApiKeySecret,
) -> ApiKey {
    ApiKey {
        id: visitor.mint(),
        person_id: user.person_id,
        workspace_id: Some(token.workspace_id),
        user_id: None,
        made_by: None,
        made_in: Some(token.workspace_id),
        issued_by: Some(token.issued_by),
        package_id: None,
        kind: KeyKind::Session,
        name: Name::clamp(SESSION_NAME, SESSION_NAME),
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes: ScopeSet::session(),
        allowed_addresses: AllowedAddresses::default(),
        expires_at: Some(visitor.now.plus(SESSION_LIFETIME)),
        revoked_at: None,
        last_used_at: None,
        signed_in: None,
        last_used_from: None,
        stamp: Stamp::new(visitor.now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::workspaces::Workspace;
    use std::sync::Arc;

    use lyceum_domain::identity::users::Role;
    use lyceum_ports::environment::MockEntropy;
    use lyceum_ports::mocks::MockTx;

    use crate::identity::visibility::tests::{context, id, now};

    fn scene() -> Context {
        let mut ctx = context(Role::Owner, KeyKind::Standard);
        let mut entropy = MockEntropy::new();
        entropy.expect_fill().returning(|bytes| bytes.fill(7));
        ctx.visit.entropy = Arc::new(entropy);
        ctx
    }

    fn token(ctx: &Context) -> LoginToken {
        let member = ctx.member().unwrap();
        LoginToken {
            hash: SecretHash::of("tok_1"),
            workspace_id: ctx.workspace_id(),
            user_id: member.user.id,
            email: member.user.email.clone(),
            issued_by: member.identity.key_id,
            created_at: now(),
            expires_at: now().plus(LOGIN_TOKEN_LIFETIME),
        }
    }

    /// A transaction in which the token is good and was asked for with `issuer`.
    fn redeeming(ctx: &Context, issuer: ApiKey) -> MockTx {
        let mut tx = MockTx::default();
        let token = token(ctx);
        let user = User::clone(&ctx.member().unwrap().user);
        let workspace = Workspace::clone(&ctx.workspace);
        tx.tokens
            .expect_redeem()
            .returning(move |_, _| Ok(Some(token.clone())));
        tx.keys
            .expect_find()
            .returning(move |_| Ok(Some(issuer.clone())));
        tx.keys
            .expect_end_oldest_sessions()
            .withf(|_, _, kept, _| *kept == MAX_SESSIONS - 1)
            .returning(|_, _, _, _| Ok(()));
        tx.users
            .expect_find()
            .returning(move |_, _| Ok(Some(user.clone())));
        tx.workspaces
            .expect_find()
            .returning(move |_| Ok(Some(workspace.clone())));
        tx
    }

    /// Only whether it is alive matters.
    fn issuer(ctx: &Context) -> ApiKey {
        let secret = fresh_key(&ctx.visitor(), KeyKind::Standard);
        let user = User::clone(&ctx.member().unwrap().user);
        session_key(&ctx.visitor(), &token(ctx), &user, &secret)
    }

    fn is_invalid(result: &Result<SessionKeyView, Error>) -> bool {
        matches!(
            result,
            Err(Error::Unauthenticated(Unauthenticated::InvalidToken))
        )
    }

    #[test]
    fn a_used_token_makes_no_key() {
        let mut tx = MockTx::default();
        tx.tokens.expect_redeem().returning(|_, _| Ok(None));
        assert!(is_invalid(&finish(
            &mut tx,
            &scene().visitor(),
            &SecretHash::of("tok_1")
        )));
    }

    #[test]
    fn a_token_whose_issuer_was_revoked_makes_no_key() {
        let ctx = scene();
        let mut issuer = issuer(&ctx);
        issuer.revoke(now());
        let mut tx = redeeming(&ctx, issuer);
        assert!(is_invalid(&finish(
            &mut tx,
            &ctx.visitor(),
            &SecretHash::of("tok_1")
        )));
    }

    #[test]
    fn a_good_token_becomes_a_key_for_one_day_and_one_platform() {
        let ctx = scene();
        let mut tx = redeeming(&ctx, issuer(&ctx));
        tx.keys
            .expect_insert()
            .withf(|key| {
                key.kind == KeyKind::Session
                    && key.scopes == ScopeSet::session()
                    && key.workspace_id == Some(id(1))
                    && key.issued_by == Some(id(3))
            })
            .times(1)
            .returning(|_| Ok(()));
        let view = finish(&mut tx, &ctx.visitor(), &SecretHash::of("tok_1"))
            .ok()
            .unwrap();
        assert_eq!(view.expires_at.as_deref(), Some("2026-11-22T06:55:00.000Z"));
        assert!(view.api_key.starts_with("lyc_s"));
    }

    #[test]
    fn nobody_here_with_that_address_gets_no_token() {
        let mut tx = MockTx::default();
        tx.users.expect_with_email().returning(|_, _| Ok(None));
        let email = Email::parse("nobody@example.org").unwrap();
        let refused = start(&mut tx, &scene(), &email).err().unwrap();
        let named = matches!(
            refused,
            Error::Reference {
                field: "email",
                object: "user"
            }
        );
        assert!(named, "{refused}");
    }

    #[test]
    fn what_is_kept_of_a_token_is_its_hash() {
        let ctx = scene();
        let user = User::clone(&ctx.member().unwrap().user);
        let secret = LoginTokenSecret::from_bytes([7; 32]);
        let mut tx = MockTx::default();
        tx.users
            .expect_with_email()
            .returning(move |_, _| Ok(Some(user.clone())));
        tx.tokens.expect_withdraw().returning(|_, _| Ok(()));
        tx.tokens
            .expect_insert()
            .withf(move |token| token.hash == secret.hash())
            .times(1)
            .returning(|_| Ok(()));
        let email = Email::parse("ada@example.org").unwrap();
        let view = start(&mut tx, &ctx, &email).ok().unwrap();
        assert_eq!(view.expires_at, "2026-11-21T07:05:00.000Z");
    }
}
