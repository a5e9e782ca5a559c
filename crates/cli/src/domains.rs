//! `lyceum domains`: which workspace's organisation has the addresses of a domain. Whoever has one decides where everybody with such an
//! address is sent to sign in, so it is the operator who gives it.

use anyhow::{Context, bail};
use clap::Subcommand;
use lyceum_application::error::Conflict;
use lyceum_application::identity::sso_connections::domains as sso_domains;
use lyceum_application::{App, Error};
use lyceum_domain::identity::sso_connections::{AssignedDomain, EmailDomain};
use lyceum_domain::identity::workspaces::PlatformCode;
use serde_json::{Value, json};

use lyceum_terminal::say;

/// What to do with domains.
#[derive(Debug, Subcommand)]
pub enum DomainsCommand {
    /// Give a domain to a workspace: its admins may have everybody with such an address sign in by their provider.
    Assign {
        /// The domain (`example.org`); those below it are others.
        domain: String,
        /// Code of the workspace's platform.
        #[arg(long = "workspace", value_name = "CODE")]
        workspace: String,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// List every domain and whose it is.
    List {
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Take a domain back: nobody with such an address is sent anywhere any more.
    Remove {
        /// The domain.
        domain: String,
    },
}

/// Does it.
///
/// # Errors
/// Those of storage, and what is said of the domain or the workspace.
pub async fn run(app: &App, command: DomainsCommand) -> anyhow::Result<()> {
    match command {
        DomainsCommand::Assign {
            domain,
            workspace,
            json,
        } => assign(app, &domain, &workspace, json).await,
        DomainsCommand::List { json } => list(app, json).await,
        DomainsCommand::Remove { domain } => remove(app, &domain).await,
    }
}

async fn assign(app: &App, domain: &str, workspace: &str, json: bool) -> anyhow::Result<()> {
    let domain = EmailDomain::parse(domain).context("the domain")?;
    let code = PlatformCode::parse(workspace).context("--workspace")?;
    let visit = app.service_visit();
    let assigning = app
        .store
        .write(move |tx| sso_domains::assign(tx, &visit, &domain, &code));
    let assigned: Result<AssignedDomain, Error> = assigning.await;
    let assigned = match assigned {
        Ok(assigned) => assigned,
        Err(Error::Reference { .. }) => bail!("there is no platform with the code {workspace}"),
        Err(Error::Conflict(Conflict::Taken(_))) => bail!(
            "the domain is another workspace's; take it back first with lyceum domains remove"
        ),
        Err(error) => return Err(error.into()),
    };
    if json {
        say!("{}", told(&assigned, Some(workspace)));
    } else {
        say!("{} is of {workspace} now.", assigned.domain);
    }
    Ok(())
}

async fn list(app: &App, json: bool) -> anyhow::Result<()> {
    let listed = app.store.read(sso_domains::list).await;
    let listed: Vec<(AssignedDomain, Option<PlatformCode>)> =
        listed.map_err(|error: Error| anyhow::anyhow!("{error}"))?;
    let code = |code: &Option<PlatformCode>| code.as_ref().map(ToString::to_string);
    if json {
        let all: Vec<Value> = listed
            .iter()
            .map(|(assigned, platform)| told(assigned, code(platform).as_deref()))
            .collect();
        say!("{}", Value::from(all));
        return Ok(());
    }
    for (assigned, platform) in &listed {
        let platform = code(platform).unwrap_or_else(|| assigned.workspace_id.to_string());
        say!("{}  {platform}", assigned.domain);
    }
    Ok(())
}

async fn remove(app: &App, domain: &str) -> anyhow::Result<()> {
    let domain = EmailDomain::parse(domain).context("the domain")?;
    let removing = app
        .store
        .write(move |tx| sso_domains::unassign(tx, &domain));
    match removing.await {
        Ok(()) => Ok(()),
        Err(Error::NotFound(_)) => bail!("the domain is nobody's"),
        Err(error) => Err(error.into()),
    }
}

fn told(assigned: &AssignedDomain, code: Option<&str>) -> Value {
    json!({
        "domain": assigned.domain.as_str(),
        "workspace": code,
        "workspace_id": assigned.workspace_id.to_string(),
        "connection_id": assigned.connection_id.map(|id| id.to_string()),
    })
}
