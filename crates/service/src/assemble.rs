//! Wiring: settings in, a running application out.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use hmac::{Hmac, KeyInit, Mac};
use lyceum_api::addresses::RouteAddresses;
use lyceum_application::drafting::ai_tally::AiTally;
use lyceum_application::exporting::exports::Exports;
use lyceum_application::grading::groups::Grouping;
use lyceum_application::running::files::Files;
use lyceum_application::running::node::ThisNode;
use lyceum_application::traces::Tracing;
use lyceum_application::{App, Settings as Decisions};
use lyceum_blobs::Blobs;
use lyceum_domain::Timestamp;
use lyceum_inspection::Inspector;
use lyceum_media::{Fetcher, MediaSettings};
use lyceum_oidc::{OidcSettings, Providers};
use lyceum_passkeys::Passkeys;
use lyceum_ports::blobs::BlobStore;
use lyceum_ports::environment::{Clock, Ids};
use lyceum_ports::exporting::media::MediaFetcher;
use lyceum_ports::identity::passkeys::PasskeyProtocol;
use lyceum_ports::notifying::mailer::Mailer;
use lyceum_ports::running::nodes::NodeId;
use lyceum_scorm::{PackageFiles, ScormWriter};
use lyceum_store::running::metrics::StoreMetrics;
use lyceum_store::running::rotation;
use lyceum_store::{DataFolderLock, DatabaseUrl, Safeguards, SpaceSettings, StoreSettings};
use lyceum_webhooks::{WebhookClient, WebhookSettings};
use sha2::Sha256;

use crate::environment::{Bell, MonotonicIds, OsEntropy, SharedClock, SystemClock};
use crate::mail;
use crate::master_key::{self, MasterKeys};
use crate::private;
use crate::settings::Settings;
use crate::storage::Storage;
use crate::telemetry::PrometheusTelemetry;

/// The application, and the bell that its workers listen to.
pub struct Assembled {
    /// The application.
    pub app: App,
    /// Rings when something was queued.
    pub bell: Bell,
    /// What the application reads the time from.
    pub clock: Arc<SharedClock>,
    /// What it counts.
    pub telemetry: PrometheusTelemetry,
}

/// Opens the database (bringing it up to date), the file storage, the AI provider and the webhook client, for a command
/// that works beside a service.
///
/// # Errors
/// The first thing that cannot be opened, by the name of its setting.
pub fn assemble(settings: &Settings) -> anyhow::Result<Assembled> {
    let space = SpaceSettings {
        // The reserve is the service's.
        reserve_bytes: 0,
        ..settings.storage.space
    };
    assemble_with(
        settings,
        Safeguards {
            space,
            ..Safeguards::default()
        },
    )
}

/// Browsers use passkeys at a name that nobody reads along with.
fn passkeys(public_url: &str) -> Option<Arc<dyn PasskeyProtocol>> {
    match Passkeys::at(public_url) {
        Ok(passkeys) => Some(Arc::new(passkeys)),
        Err(reason) => {
            tracing::debug!(%reason, "nobody signs in by a passkey here");
            None
        }
    }
}

/// The same for the service itself, which holds its data folder.
///
/// # Errors
/// As for [`assemble`].
pub fn assemble_service(
    settings: &Settings,
    held: Option<DataFolderLock>,
    metrics: StoreMetrics,
) -> anyhow::Result<Assembled> {
    assemble_with(
        settings,
        Safeguards {
            space: settings.storage.space,
            lock: held.map(Arc::new),
            metrics: Some(metrics),
            ..Safeguards::default()
        },
    )
}

/// The folder of the SQLite file, for this process alone; on PostgreSQL there is nothing to hold.
///
/// # Errors
/// If another process has the folder, or it is on another machine.
pub fn hold_folder(storage: &Storage) -> anyhow::Result<Option<DataFolderLock>> {
    let Some(folder) = storage.database_folder() else {
        return Ok(None);
    };
    if !storage.may_be_on_network {
        lyceum_store::refuse_network_folder(&folder)?;
    }
    Ok(Some(DataFolderLock::take(&folder)?))
}

fn assemble_with(settings: &Settings, safeguards: Safeguards) -> anyhow::Result<Assembled> {
    settings.check()?;
    let storage = &settings.storage;
    let keys = master_key::load_or_make(&storage.master_key_file())?;
    let url = storage.database();
    let store_settings = StoreSettings {
        url: url.clone(),
        pooler: storage.pooler.clone(),
        replica: storage.replica.clone(),
        master_key: keys.master_key(),
        connections: storage.connections.get(),
    };
    let store = lyceum_store::open_with(store_settings, safeguards)
        .context("could not open the database")?;
    private::tighten(storage);
    let bell = Bell::default();
    let telemetry = PrometheusTelemetry::new()?;
    let public_url = settings.public_url.clone();
    // Admins of workspaces name both, so both reach the same.
    let providers = OidcSettings {
        allowed_cidrs: settings.webhook_allowed_cidrs.clone(),
        require_https: public_url.as_str().starts_with("https://"),
        ..OidcSettings::default()
    };
    let webhooks = WebhookSettings {
        allowed_cidrs: settings.webhook_allowed_cidrs.clone(),
        // A service that is itself reached by http is a laptop's or a test's.
        require_https: public_url.as_str().starts_with("https://"),
        timeout: Duration::from_secs(15),
        connect_timeout: Duration::from_secs(5),
    };
    let blobs = files(storage)?;
    let clock = Arc::new(SharedClock::default());
    let ids = MonotonicIds::by(&clock);
    let node = NodeId(ids.next());
    let scratch = scratch_of(storage, node);
    let mailer = mail::mailer(settings.mail.as_ref())?.map(|it| -> Arc<dyn Mailer> { it });
    let app = App {
        store,
        clock: clock.clone(),
        ids: Arc::new(ids),
        entropy: Arc::new(OsEntropy),
        signal: Arc::new(bell.clone()),
        settings: Arc::new(Decisions {
            addresses: Arc::new(RouteAddresses(public_url.clone())),
            public_url,
            download_key: service_secret(&url, &keys, "download")?,
            draw_key: service_secret(&url, &keys, "draw")?,
            launch_key: service_secret(&url, &keys, "launch")?,
            workspaces: settings.workspaces,
            webhook_schedule: settings.webhook_schedule.clone(),
            mail_is_configured: mailer.is_some(),
            trash_kept: settings.trash_kept,
            scratch: scratch.clone(),
            spending: settings.spending,
        }),
        grouping: Grouping::by(Arc::new(lyceum_ai::BuiltinGrouper)),
        attacks: Arc::new(lyceum_ai::attacks::BuiltinAttacks),
        ai: lyceum_ai::provider(settings.ai.clone()).context("could not set up the AI provider")?,
        ai_tally: AiTally::default(),
        telemetry: Arc::new(telemetry.clone()),
        room: lyceum_application::running::room::Room::default(),
        tracing: Tracing::default(),
        packages: Arc::new(ScormWriter),
        media: media(settings),
        inspector: Arc::new(Inspector::new(settings.inspection.clone())),
        package_files: Arc::new(PackageFiles::new(Arc::clone(&blobs), scratch)),
        blobs,
        sink: Arc::new(WebhookClient::new(webhooks)),
        passkeys: passkeys(settings.public_url.as_str()),
        identity_providers: Arc::new(Providers::new(providers)),
        mailer,
        exports: Exports::default(),
        files: Files::default(),
        node: ThisNode::new(node),
        rows: None,
    };
    Ok(Assembled {
        app,
        bell,
        clock,
        telemetry,
    })
}

/// The folder of this process for files that nobody needs after their job; made when it serves, and gone when it stops.
pub fn scratch_of(storage: &Storage, node: NodeId) -> PathBuf {
    storage.data_dir.join("tmp").join(node.0.to_string())
}

/// Where packages and media are kept, and what signs for them.
fn files(storage: &Storage) -> anyhow::Result<Arc<dyn BlobStore>> {
    let opened = Blobs::open_presigning(&storage.blobs_url()?, &storage.presigning);
    Ok(Arc::new(opened.context("LYCEUM_BLOBS_URL")?))
}

/// What fetches the files that packages carry, unless nobody is to be asked.
fn media(settings: &Settings) -> Option<Arc<dyn MediaFetcher>> {
    if !settings.carries_media {
        return None;
    }
    let fetcher = Fetcher::new(MediaSettings {
        allowed_cidrs: settings.media_allowed_cidrs.clone(),
        ..MediaSettings::default()
    });
    Some(Arc::new(fetcher))
}

/// A key for one purpose, so that none is used for two. It is kept in the database, sealed: what was handed out under it
/// goes on being let in after the master key was exchanged. It began as what the first master key gives.
///
/// # Errors
/// If the database does not answer.
pub fn service_secret(
    url: &DatabaseUrl,
    keys: &MasterKeys,
    purpose: &str,
) -> anyhow::Result<[u8; 32]> {
    let initial = derived(keys.first(), purpose.as_bytes())?;
    rotation::service_secret(url, &keys.master_key(), purpose, initial)
        .context("a key that the database keeps")
}

/// What a master key gives for a purpose.
fn derived(master_key: &[u8; 32], purpose: &[u8]) -> anyhow::Result<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(master_key).context("the master key")?;
    mac.update(purpose);
    Ok(mac.finalize().into_bytes().into())
}

/// Now, for commands that print it.
pub fn now() -> Timestamp {
    SystemClock.now()
}
