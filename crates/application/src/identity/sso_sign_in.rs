//! Signing in by a workspace's identity provider: there, back, and who it is.
//!
//! Between leaving and coming back a row waits that one browser may take, once. What the provider says is asked outside of any
//! transaction; what becomes of it is one: link, membership, role and session, or nothing.

pub mod logout;
mod members;

use std::sync::atomic::Ordering;

use lyceum_domain::hex;
use lyceum_domain::identity::keys::{ApiKeySecret, SecretHash};
use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::sso_connections::{EmailDomain, ProviderWord, SsoConnection};
use lyceum_domain::identity::sso_sign_in::{
    ConsolePlace, SSO_PATIENCE, SsoClaims, SsoRefusal, SsoSession, SsoSignIn, SsoState,
};
use lyceum_domain::identity::users::User;
use lyceum_domain::running::audit::AuditActor;
use lyceum_ports::identity::identity_providers::{
    ProviderAnswer, ProviderClient, ProviderQuestion,
};
use lyceum_wire::identity::sso_sign_in::{AskedForSso, SsoDepartureView};

use crate::app::App;
use crate::context::{Actor, Visitor};
use crate::identity::sign_in::{self, Begun, Browser, Proof};
use crate::identity::sso_connections::client;
use crate::prelude::*;
use crate::running::audit;

/// Somebody about to leave.
pub struct Leaving {
    client: ProviderClient,
    question: ProviderQuestion,
    sign_in: SsoSignIn,
    held: String,
    now: Timestamp,
}

/// Somebody who may leave, and to where.
pub struct Left {
    url: String,
    sign_in: SsoSignIn,
    held: String,
}

/// Looks for the connection by which whoever has the address signs in. It depends on the domain alone: of who is known nobody
/// learns anything by it.
///
/// # Errors
/// [`Error::NotFound`], the same where there is none and where it is switched off
pub fn prepare(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    asked: &AskedForSso,
    held: Option<&str>,
) -> Result<Leaving, Error> {
    let connection = connection_of(tx, asked)?;
    let connection = found(connection.filter(|one| one.enabled), "sso_connection")?;
    let held = held.map_or_else(|| hex::lower(&random(visitor)), str::to_owned);
    let state = SsoState::from_bytes(random(visitor));
    Ok(Leaving {
        client: client(visitor, &connection),
        question: ProviderQuestion {
            state: state.reveal().to_owned(),
            nonce: state.nonce(&held),
            verifier: state.verifier(&held),
            hint: Some(asked.email.to_string()),
            fresh: asked.fresh,
        },
        sign_in: SsoSignIn {
            hash: state.hash(),
            workspace_id: connection.workspace_id,
            connection_id: connection.id,
            browser: SecretHash::of(&held),
            place: asked.place.clone(),
            fresh: asked.fresh,
            created_at: visitor.now,
            expires_at: visitor.now.plus(SSO_PATIENCE),
        },
        held,
        now: visitor.now,
    })
}

fn connection_of(tx: &mut dyn Tx, asked: &AskedForSso) -> Result<Option<SsoConnection>, Error> {
    let Some(domain) = EmailDomain::of(&asked.email) else {
        return Ok(None);
    };
    match tx.sso().domain(&domain)? {
        Some(assigned) => match assigned.connection_id {
            Some(id) => Ok(tx.sso().find(assigned.workspace_id, id)?),
            None => Ok(None),
        },
        None => Ok(None),
    }
}

fn random(visitor: &Visitor) -> [u8; 32] {
    let mut bytes = [0_u8; 32];
    visitor.entropy.fill(&mut bytes);
    bytes
}

/// Asks the provider's documents where to go.
///
/// # Errors
/// [`Error::IdentityProvider`]
pub async fn ask(app: App, leaving: Leaving) -> Result<Left, Error> {
    let providers = &app.identity_providers;
    let url = providers
        .question(&leaving.client, &leaving.question, leaving.now)
        .await;
    Ok(Left {
        url: url?,
        sign_in: leaving.sign_in,
        held: leaving.held,
    })
}

/// Keeps what is to be known when they come back.
///
/// # Errors
/// Those of storage
pub fn leave(tx: &mut dyn Tx, _: &Visitor, left: &Left) -> Result<SsoDepartureView, Error> {
    tx.sso().begin(&left.sign_in)?;
    Ok(SsoDepartureView::new(&left.url, &left.held))
}

/// What somebody brings back from a provider.
#[derive(Clone, Default)]
pub struct Returned {
    /// What went along.
    pub state: String,
    /// To be exchanged.
    pub code: Option<String>,
    /// Whose answer it is.
    pub issuer: Option<String>,
}

/// Somebody who came back.
pub struct SsoArrival {
    /// Where in Studio they come out.
    pub place: ConsolePlace,
    /// What goes into the browser's cookie, or why they are not let in.
    pub outcome: Result<ApiKeySecret, SsoRefusal>,
}

/// Lets somebody in who came back, if it is them; signed in or not, whatever happens on the way.
///
/// # Errors
/// Those of storage
pub async fn come_back(
    app: &App,
    visitor: Visitor,
    returned: Returned,
    browser: Browser,
    held: Option<String>,
) -> Result<SsoArrival, Error> {
    let state = SsoState::returned(returned.state);
    let (hash, now) = (state.hash(), visitor.now);
    let refused = |place, reason| SsoArrival {
        place,
        outcome: Err(reason),
    };
    let held = held.unwrap_or_default();
    let bearer = SecretHash::of(&held);
    let asking = visitor.clone();
    // Used up before anybody is asked: so nobody has us ask with one state again and again.
    let taken = app.store.write(move |tx| take(tx, &asking, &hash, &bearer));
    let Some((sign_in, connection)) = taken.await? else {
        return Ok(refused(ConsolePlace::default(), SsoRefusal::Expired));
    };
    let place = sign_in.place.clone();
    let Some(code) = returned.code else {
        return Ok(refused(place, SsoRefusal::Denied));
    };
    let Some(connection) = connection else {
        return Ok(refused(place, SsoRefusal::SwitchedOff));
    };
    let answer = ProviderAnswer {
        code,
        issuer: returned.issuer,
        nonce: state.nonce(&held),
        verifier: state.verifier(&held),
    };
    let ours = client(&visitor, &connection);
    let claims = match app.identity_providers.identify(&ours, &answer, now).await {
        Ok(claims) => claims,
        Err(problem) => {
            let id = connection.id;
            tracing::warn!(%problem, connection = %id, "nobody was signed in by a provider");
            return Ok(refused(place, SsoRefusal::ProviderFailed));
        }
    };
    let queued = std::sync::Arc::clone(&visitor.queued);
    let settling = app
        .store
        .write(move |tx| settle(tx, &visitor, &sign_in, &claims, &browser));
    let outcome = settling.await?;
    if queued.load(Ordering::Relaxed) {
        app.signal.wake();
    }
    Ok(SsoArrival { place, outcome })
}

/// Who went with this state, from this browser, and the connection, if people still come in by it.
type Taken = Option<(SsoSignIn, Option<SsoConnection>)>;

/// Whoever brings it in another browser than the one that began does not use it up.
fn take(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    hash: &SecretHash,
    bearer: &SecretHash,
) -> Result<Taken, Error> {
    let waiting = tx.sso().waiting(hash, visitor.now)?;
    let Some(sign_in) = waiting.filter(|sign_in| sign_in.browser == *bearer) else {
        return Ok(None);
    };
    if !tx.sso().take(hash)? {
        return Ok(None);
    }
    let connection = tx.sso().find(sign_in.workspace_id, sign_in.connection_id)?;
    let connection = connection.filter(|connection| connection.enabled);
    Ok(Some((sign_in, connection)))
}

/// What becomes of what the provider says: all of it, or nothing but a note why not.
fn settle(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    sign_in: &SsoSignIn,
    claims: &SsoClaims,
    browser: &Browser,
) -> Result<Result<ApiKeySecret, SsoRefusal>, Error> {
    let (workspace, id) = (sign_in.workspace_id, sign_in.connection_id);
    // Whoever switches it off, or comes in by it, at the same time goes first or begins anew.
    tx.sso().hold(workspace, id)?;
    let connection = tx.sso().find(workspace, id)?;
    let Some(connection) = connection.filter(|connection| connection.enabled) else {
        return Ok(Err(SsoRefusal::SwitchedOff));
    };
    let found_workspace = found(tx.workspaces().find(workspace)?, "workspace")?;
    let ctx = visitor.within(found_workspace, Actor::Service);
    // Before anybody is linked or let in: else nothing of it could be taken back.
    let vouched = if sign_in.fresh && !claims.is_fresh(visitor.now) {
        Err(SsoRefusal::NotFresh)
    } else {
        members::member(tx, &ctx, &connection, claims, browser)?
    };
    let user = match vouched {
        Ok(user) => user,
        Err(reason) => {
            note_refused(tx, &ctx, &connection, reason)?;
            return Ok(Err(reason));
        }
    };
    let begun = begin(tx, visitor, (&connection, &user), claims, browser)?;
    tx.sso().note_use(workspace, id, visitor.now)?;
    Ok(Ok(begun.secret))
}

fn begin(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    (connection, user): (&SsoConnection, &User),
    claims: &SsoClaims,
    browser: &Browser,
) -> Result<Begun, Error> {
    let person = found(tx.users().person(user.person_id)?, "person")?;
    let proof = Proof {
        person: &person,
        method: SignInMethod::Sso,
        only_as: Some(user),
    };
    // A provider lets people come back without a word whom it knows by a cookie: only what it says counts as proven just now.
    let proven_at = claims.proven_at(visitor.now);
    let begun = sign_in::begin_proven_at(tx, visitor, &proof, browser, proven_at)?;
    let sid = claims.text("sid").map(ProviderWord::parse);
    tx.sso().note_session(&SsoSession {
        workspace_id: connection.workspace_id,
        connection_id: connection.id,
        key_id: begun.key.id,
        subject: claims.subject.clone(),
        sid: sid.and_then(Result::ok),
        created_at: visitor.now,
    })?;
    Ok(begun)
}

/// Admins see why people do not get in; who it was they do not, because it may be nobody of theirs.
fn note_refused(
    tx: &mut dyn Tx,
    ctx: &Context,
    connection: &SsoConnection,
    reason: SsoRefusal,
) -> Result<(), Error> {
    let place = (ctx.workspace_id(), AuditActor::Visitor);
    let change = AuditedChange::made(serde_json::json!({ "reason": reason.as_str() }));
    let subject = AuditSubject::of(connection.id);
    audit::note_at(
        tx,
        &ctx.visit,
        place,
        AuditAction::SsoRefused,
        subject,
        change,
    )
}
