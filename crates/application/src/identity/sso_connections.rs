//! What admins do with their workspace's connections to identity providers.

pub mod domains;

use lyceum_domain::identity::sign_in::LONGEST;
use lyceum_domain::identity::sso_connections::faults::SsoProblem;
use lyceum_domain::identity::sso_connections::{
    EmailDomain, MOST_CONNECTIONS, NewSsoConnection, SsoConnection, SsoConnectionChanges,
};
use lyceum_domain::ids::SsoConnectionId;
use lyceum_ports::addresses::SsoDoor;
use lyceum_ports::identity::identity_providers::ProviderClient;
use lyceum_ports::identity::sso::SessionsOf;
use lyceum_wire::identity::sso_connections::{SsoConnectionView, SsoTestView};

use crate::app::App;
use crate::context::Visitor;
use crate::identity::sign_in;
use crate::identity::users::require_rank;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// Where providers send people back to.
pub fn redirect_uri(visitor: &Visitor) -> String {
    visitor.settings.addresses.of_sso(SsoDoor::Callback)
}

/// Where a provider says that somebody is no longer signed in there.
fn logout_uri(visitor: &Visitor, id: SsoConnectionId) -> String {
    visitor.settings.addresses.of_sso(SsoDoor::Logout(id))
}

/// What we are to the provider of a connection.
pub fn client(visitor: &Visitor, connection: &SsoConnection) -> ProviderClient {
    ProviderClient {
        issuer: connection.issuer.clone(),
        client_id: connection.client_id.clone(),
        client_secret: connection.client_secret.clone(),
        redirect_uri: redirect_uri(visitor),
    }
}

/// Makes one.
///
/// # Errors
/// [`Forbidden::Role`] for a greatest role above the caller's, [`Error::Invalid`] for a domain that is not the workspace's,
/// [`Conflict::LimitReached`]
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    new: NewSsoConnection,
) -> Result<SsoConnectionView, Error> {
    require_rank(ctx, new.greatest_role)?;
    // Whoever makes one at the same time is counted.
    tx.workspaces().hold(ctx.workspace_id())?;
    let most = u16::try_from(MOST_CONNECTIONS).unwrap_or(u16::MAX);
    let there = tx
        .sso()
        .page(ctx.workspace_id(), &PageRequest::first(most))?;
    if there.items.len() >= MOST_CONNECTIONS {
        let reason = format!("a workspace has at most {MOST_CONNECTIONS} connections");
        return Err(Conflict::LimitReached(reason).into());
    }
    let domains = new.domains.clone();
    let made = SsoConnection::new(ctx.workspace_id(), ctx.mint(), new, ctx.now)?;
    tx.sso().insert(&made)?;
    connect(tx, &made, &domains)?;
    let domains = domains_of(tx, &made)?;
    let change = AuditedChange::made(values::sso_connection(&made, &domains));
    note(tx, ctx, AuditAction::SsoConnectionCreated, &made, change)?;
    Ok(view(ctx, &made, &domains))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SsoConnectionId,
) -> Result<SsoConnectionView, Error> {
    let connection = find(tx, ctx, id)?;
    let domains = domains_of(tx, &connection)?;
    Ok(view(ctx, &connection, &domains))
}

/// Shows a page of them.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    page: &PageRequest,
) -> Result<Page<SsoConnectionView>, Error> {
    let found = tx.sso().page(ctx.workspace_id(), page)?;
    let assigned = tx.sso().domains(Some(ctx.workspace_id()))?;
    Ok(found.map(|connection| {
        let own = assigned.iter();
        let own = own.filter(|one| one.connection_id == Some(connection.id));
        let domains: Vec<String> = own.map(|one| one.domain.to_string()).collect();
        view(ctx, &connection, &domains)
    }))
}

/// Changes one. Switching it off ends the sessions that began by it.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Role`] for one that lets in, or is to let in, somebody above the caller, [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SsoConnectionId,
    changes: SsoConnectionChanges,
) -> Result<SsoConnectionView, Error> {
    let mut connection = find(tx, ctx, id)?;
    require_rank(ctx, connection.greatest_role)?;
    let domains = domains_of(tx, &connection)?;
    let before = values::sso_connection(&connection, &domains);
    let (was_enabled, had_secret) = (connection.enabled, connection.client_secret.clone());
    let wanted = changes.domains.clone();
    let is_changed = connection.change(changes, ctx.now)?;
    require_rank(ctx, connection.greatest_role)?;
    if is_changed {
        tx.sso().update(&connection)?;
    }
    if let Some(wanted) = wanted {
        connect(tx, &connection, &wanted)?;
    }
    if was_enabled && !connection.enabled {
        end_sessions(tx, ctx, &connection)?;
    }
    let domains = domains_of(tx, &connection)?;
    let after = values::sso_connection(&connection, &domains);
    let mut change = AuditedChange::between(before, after);
    if had_secret != connection.client_secret {
        change
            .new
            .insert("client_secret_changed".to_owned(), true.into());
    }
    if !change.is_empty() {
        note(
            tx,
            ctx,
            AuditAction::SsoConnectionUpdated,
            &connection,
            change,
        )?;
    }
    Ok(view(ctx, &connection, &domains))
}

/// Deletes one: nobody comes in by it, the sessions that began by it end, and nobody is linked by it any more.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Role`] for one that lets in somebody above the caller
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: SsoConnectionId,
) -> Result<SsoConnectionId, Error> {
    let connection = find(tx, ctx, id)?;
    require_rank(ctx, connection.greatest_role)?;
    let domains = domains_of(tx, &connection)?;
    tx.sso().hold(ctx.workspace_id(), id)?;
    end_sessions(tx, ctx, &connection)?;
    tx.sso().delete(ctx.workspace_id(), id)?;
    let change = AuditedChange::gone(values::sso_connection(&connection, &domains));
    note(
        tx,
        ctx,
        AuditAction::SsoConnectionDeleted,
        &connection,
        change,
    )?;
    Ok(id)
}

/// What a test is made with.
pub struct Tested {
    visitor: Visitor,
    connection: SsoConnection,
    domains: Vec<String>,
}

/// Looks for what is to be tested.
///
/// # Errors
/// [`Error::NotFound`]
pub fn look(tx: &mut dyn Tx, ctx: &Context, id: SsoConnectionId) -> Result<Tested, Error> {
    let connection = find(tx, ctx, id)?;
    Ok(Tested {
        visitor: ctx.visitor(),
        domains: domains_of(tx, &connection)?,
        connection,
    })
}

/// Asks the provider about everything that can be asked without somebody who signs in.
///
/// # Errors
/// None; what is wrong is the answer.
pub async fn test(app: App, tested: Tested) -> Result<SsoTestView, Error> {
    let client = client(&tested.visitor, &tested.connection);
    let faults: Vec<SsoProblem> = app
        .identity_providers
        .test(&client, tested.visitor.now)
        .await;
    Ok(SsoTestView::new(
        &tested.connection,
        &tested.domains,
        &faults,
    ))
}

/// Has the people of these domains sign in by the connection, and of no others.
fn connect(
    tx: &mut dyn Tx,
    connection: &SsoConnection,
    wanted: &[EmailDomain],
) -> Result<(), Error> {
    let assigned = tx.sso().domains(Some(connection.workspace_id))?;
    for domain in wanted {
        let own = assigned.iter().find(|one| one.domain == *domain);
        let Some(own) = own else {
            let problem =
                format!("{domain} was not assigned to this workspace by who runs the service");
            return Err(Invalid::new("domains", problem).into());
        };
        if own.connection_id.is_some_and(|id| id != connection.id) {
            let problem = format!("{domain} is of another connection");
            return Err(Invalid::new("domains", problem).into());
        }
    }
    for one in &assigned {
        let is_wanted = wanted.contains(&one.domain);
        let is_ours = one.connection_id == Some(connection.id);
        if is_wanted != is_ours {
            let connection = is_wanted.then_some(connection.id);
            tx.sso().connect_domain(&one.domain, connection)?;
        }
    }
    Ok(())
}

fn domains_of(tx: &mut dyn Tx, connection: &SsoConnection) -> Result<Vec<String>, Error> {
    let assigned = tx.sso().domains(Some(connection.workspace_id))?;
    let own = assigned.into_iter();
    let own = own.filter(|one| one.connection_id == Some(connection.id));
    Ok(own.map(|one| one.domain.to_string()).collect())
}

/// Each by itself, as it is told.
fn end_sessions(tx: &mut dyn Tx, ctx: &Context, connection: &SsoConnection) -> Result<(), Error> {
    let place = (ctx.workspace_id(), connection.id);
    let sessions = tx
        .sso()
        .sessions(place.0, place.1, &SessionsOf::Everybody)?;
    // Older ones have ended.
    let oldest = ctx.now.minus(LONGEST);
    for session in sessions.iter().filter(|one| one.created_at >= oldest) {
        if let Some(mut key) = tx.keys().find(session.key_id)? {
            sign_in::end(tx, &ctx.visit, &mut key)?;
        }
    }
    Ok(())
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: SsoConnectionId) -> Result<SsoConnection, Error> {
    found(tx.sso().find(ctx.workspace_id(), id)?, "sso_connection")
}

fn view(ctx: &Context, connection: &SsoConnection, domains: &[String]) -> SsoConnectionView {
    let redirect = redirect_uri(&ctx.visit);
    let logout = logout_uri(&ctx.visit, connection.id);
    SsoConnectionView::new(connection, domains, &redirect, &logout)
}

fn note(
    tx: &mut dyn Tx,
    ctx: &Context,
    action: AuditAction,
    connection: &SsoConnection,
    change: AuditedChange,
) -> Result<(), Error> {
    audit::note(tx, ctx, action, AuditSubject::of(connection.id), change)
}
