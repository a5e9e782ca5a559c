//! How learners get in: a server asks for a one-time token, a client exchanges it for a session key.

use lyceum_domain::Stamp;
use lyceum_domain::keys::{ApiKey, ApiKeySecret, KeyKind, SecretHash};
use lyceum_domain::scopes::ScopeSet;
use lyceum_domain::text::{Email, Name};
use lyceum_domain::tokens::{LOGIN_TOKEN_LIFETIME, LoginToken, LoginTokenSecret, SESSION_LIFETIME};
use lyceum_domain::users::User;
use lyceum_ports::store::Tx;
use lyceum_wire::tokens::{LoginTokenView, SessionKeyView};

use crate::bootstrap::fresh_key;
use crate::context::{Context, Visitor};
use crate::error::{Error, Unauthenticated};
use crate::lookup::found;
use crate::users::with_email;

/// What session keys are called.
const SESSION_NAME: &str = "Session";

/// Hands out a one-time token for the user with this address.
///
/// # Errors
/// [`Error::NotFound`] if nobody here has the address
pub fn start(tx: &mut dyn Tx, ctx: &Context, email: &Email) -> Result<LoginTokenView, Error> {
    let asking = ctx.member()?.identity.key_id;
    let user = found(with_email(tx, ctx, email)?, "user")?;
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
        .ok_or_else(invalid)?;
    let workspace = tx
        .workspaces()
        .find(token.workspace_id)?
        .ok_or_else(invalid)?;
    let secret = fresh_key(visitor, KeyKind::Session);
    let key = session_key(visitor, &token, &user, &secret);
    tx.keys().insert(&key)?;
    Ok(SessionKeyView::new(&key, &secret, &user, &workspace))
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
        issued_by: Some(token.issued_by),
        kind: KeyKind::Session,
        name: Name::clamp(SESSION_NAME, SESSION_NAME),
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes: ScopeSet::session(),
        expires_at: Some(visitor.now.plus(SESSION_LIFETIME)),
        revoked_at: None,
        last_used_at: None,
        stamp: Stamp::new(visitor.now),
    }
}
