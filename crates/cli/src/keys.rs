//! `lyceum keys`: make, list and revoke keys without a key.

use anyhow::{Context, bail};
use clap::Subcommand;
use lyceum_application::identity::{bootstrap, invitations};
use lyceum_application::{App, Error, PageRequest};
use lyceum_domain::Stamp;
use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::keys::{ApiKey, KeyKind};
use lyceum_domain::identity::scopes::{Scope, ScopeSet};
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::ids::ApiKeyId;
use lyceum_domain::text::{Email, Name};
use serde_json::{Map, Value, json};

use lyceum_terminal::say;

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make a key for a person and print it, once.
    Create {
        /// The person's address.
        #[arg(long)]
        email: String,
        /// What the key is called.
        #[arg(long, default_value = "Command line key")]
        name: String,
        /// Code of a platform that the key is to open: the person has accepted, because you say so; may be repeated.
        /// When absent, the only one that has a record of the person.
        #[arg(long = "workspace", value_name = "CODE")]
        workspaces: Vec<String>,
        /// Scopes, separated by commas; `read:*,write:*` when absent.
        #[arg(long, value_delimiter = ',')]
        scopes: Vec<String>,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// List a person's keys.
    List {
        /// The person's address.
        #[arg(long)]
        email: String,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key; it opens nothing from the next request on.
    Revoke {
        /// The key's id (`key_…`).
        id: String,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
}

/// Does it.
///
/// # Errors
/// Those of storage, or values that are none.
pub async fn run(app: &App, command: KeysCommand) -> anyhow::Result<()> {
    match command {
        KeysCommand::Create {
            email,
            name,
            workspaces,
            scopes,
            json,
        } => create(app, (&email, &name), &workspaces, &scopes, json).await,
        KeysCommand::List { email, json } => list(app, &email, json).await,
        KeysCommand::Revoke { id, json } => revoke(app, &id, json).await,
    }
}

async fn person(app: &App, email: &str) -> anyhow::Result<Person> {
    let email = Email::parse(email).context("--email")?;
    let found = app
        .read(move |tx| Ok(tx.users().find_person(&email)?))
        .await?;
    found.context("there is nobody with this address")
}

async fn create(
    app: &App,
    (email, name): (&str, &str),
    workspaces: &[String],
    scopes: &[String],
    as_json: bool,
) -> anyhow::Result<()> {
    let person = person(app, email).await?;
    if User::is_of_service(&person.email) {
        bail!("keys of a service account are made by those who run its platform");
    }
    let name = Name::parse(name).context("--name")?;
    let scopes = if scopes.is_empty() {
        ScopeSet::standard()
    } else {
        ScopeSet::parse(scopes.iter().map(String::as_str)).context("--scopes")?
    };
    let codes = workspaces.iter().map(|code| PlatformCode::parse(code));
    let codes = codes.collect::<Result<Vec<_>, _>>();
    let codes = codes.context("--workspace")?;
    let visit = app.service_visit();
    let secret = bootstrap::fresh_key(&visit, KeyKind::Standard);
    let key = ApiKey {
        id: visit.mint(),
        person_id: person.id,
        workspace_id: None,
        user_id: None,
        made_by: None,
        made_in: None,
        issued_by: None,
        package_id: None,
        kind: KeyKind::Standard,
        name,
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes,
        allowed_addresses: AllowedAddresses::default(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        signed_in: None,
        last_used_from: None,
        stamp: Stamp::new(visit.now),
    };
    let mut stored = key.clone();
    app.store
        .write(move |tx| {
            let opened = invitations::accept_for(tx, &visit, person.id, &codes)?;
            stored.made_in = match opened.as_slice() {
                [only] => Some(only.id),
                _ => None,
            };
            Ok::<_, Error>(tx.keys().insert(&stored)?)
        })
        .await
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    if as_json {
        let mut made = document(&key);
        made.insert("api_key".to_owned(), secret.reveal().into());
        say!("{}", Value::Object(made));
    } else {
        say!("{}  {} (shown once, keep it)", key.id, secret.reveal());
    }
    Ok(())
}

/// A key as programs read it, without what opens.
fn document(key: &ApiKey) -> Map<String, Value> {
    let scopes: Vec<&str> = key.scopes.iter().map(Scope::as_str).collect();
    let told = [
        ("id", json!(key.id.to_string())),
        ("name", json!(key.name.as_str())),
        ("prefix", json!(key.lookup.as_str())),
        ("scopes", json!(scopes)),
        ("revoked", json!(key.revoked_at.is_some())),
        ("created_at", json!(key.stamp.created_at.to_string())),
    ];
    let told = told.map(|(name, value)| (name.to_owned(), value));
    told.into_iter().collect()
}

async fn list(app: &App, email: &str, as_json: bool) -> anyhow::Result<()> {
    let keys = keys_of(app, email).await?;
    if as_json {
        let all: Vec<_> = keys.iter().map(document).collect();
        say!("{}", json!({ "data": all }));
        return Ok(());
    }
    for key in &keys {
        let scopes: Vec<&str> = key.scopes.iter().map(Scope::as_str).collect();
        let state = if key.revoked_at.is_some() {
            "revoked"
        } else {
            "live"
        };
        say!(
            "{}  {}-…  {state}  {}  {}",
            key.id,
            key.lookup.as_str(),
            scopes.join(","),
            key.name
        );
    }
    Ok(())
}

async fn keys_of(app: &App, email: &str) -> anyhow::Result<Vec<ApiKey>> {
    let person = person(app, email).await?;
    let mut keys = Vec::new();
    let mut page = PageRequest::first(PageRequest::MAX_LIMIT);
    loop {
        let wanted = page.clone();
        let found = app
            .read(move |tx| Ok(tx.keys().page(person.id, None, &wanted)?))
            .await?;
        keys.extend(found.items);
        match found.next {
            Some(after) => page.after = Some(after),
            None => return Ok(keys),
        }
    }
}

async fn revoke(app: &App, id: &str, as_json: bool) -> anyhow::Result<()> {
    let id: ApiKeyId = id.parse().context("not a key id")?;
    let now = app.service_visit().now;
    let revoked = app
        .store
        .write(move |tx| {
            let Some(mut key) = tx.keys().find(id)? else {
                return Ok(false);
            };
            if key.revoke(now) {
                tx.keys().update(&key)?;
            }
            Ok::<_, Error>(true)
        })
        .await?;
    if !revoked {
        bail!("there is no such key");
    }
    if as_json {
        say!("{}", json!({"id": id.to_string(), "revoked": true}));
    } else {
        say!("{id} is revoked");
    }
    Ok(())
}
