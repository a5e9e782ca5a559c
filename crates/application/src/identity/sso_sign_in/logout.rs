//! What a provider tells behind people's backs: that somebody is no longer signed in there.

use lyceum_domain::identity::sso_connections::SsoConnection;
use lyceum_domain::identity::sso_connections::faults::SsoFault;
use lyceum_domain::identity::sso_sign_in::SsoLogout;
use lyceum_domain::ids::SsoConnectionId;
use lyceum_ports::identity::sso::SessionsOf;
use lyceum_wire::identity::sso_sign_in::SsoLogoutView;

use crate::app::App;
use crate::context::Visitor;
use crate::identity::sign_in;
use crate::identity::sso_connections::client;
use crate::prelude::*;

/// A token, and the connection whose it should be.
pub struct Told {
    visitor: Visitor,
    connection: SsoConnection,
    token: String,
}

/// Looks for the connection.
///
/// # Errors
/// [`Error::NotFound`]
pub fn prepare(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    id: SsoConnectionId,
    token: String,
) -> Result<Told, Error> {
    Ok(Told {
        visitor: visitor.clone(),
        connection: found(tx.sso().anywhere(id)?, "sso_connection")?,
        token,
    })
}

/// What a token says that holds.
pub struct Heard {
    connection: SsoConnection,
    logout: SsoLogout,
}

/// Whether the token is the provider's, and what it says.
///
/// # Errors
/// [`Error::Invalid`] for a token that does not hold, [`Error::IdentityProvider`] where nobody can tell
pub async fn ask(app: App, told: Told) -> Result<Heard, Error> {
    let ours = client(&told.visitor, &told.connection);
    let now = told.visitor.now;
    let logout = app.identity_providers.logout(&ours, &told.token, now).await;
    let logout = logout.map_err(|problem| {
        if problem.fault != SsoFault::TokenInvalid {
            return Error::from(problem);
        }
        let told = format!("does not hold: {}", problem.detail);
        Error::from(Invalid::new("logout_token", told))
    });
    Ok(Heard {
        logout: logout?,
        connection: told.connection,
    })
}

/// Ends the sessions that the token names, with the next request on every node.
///
/// # Errors
/// Those of storage
pub fn end(tx: &mut dyn Tx, visitor: &Visitor, heard: &Heard) -> Result<SsoLogoutView, Error> {
    let Heard { connection, logout } = heard;
    let of = match (&logout.sid, &logout.subject) {
        (Some(sid), _) => SessionsOf::Sid(sid.to_string()),
        (None, Some(subject)) => SessionsOf::Subject(subject.to_string()),
        (None, None) => return Ok(SsoLogoutView::new(0)),
    };
    let place = (connection.workspace_id, connection.id);
    // Somebody who comes in right now comes first, or later.
    tx.sso().hold(place.0, place.1)?;
    let sessions = tx.sso().sessions(place.0, place.1, &of)?;
    let mut ended = 0;
    for session in sessions.iter().filter(|session| logout.ends(session)) {
        let key = tx.keys().find(session.key_id)?;
        if let Some(mut key) = key.filter(|key| key.alive(visitor.now).is_ok()) {
            sign_in::end(tx, visitor, &mut key)?;
            ended += 1;
        }
    }
    Ok(SsoLogoutView::new(ended))
}
