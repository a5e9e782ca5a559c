//! Wiring: settings in, a running application out.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use hmac::{Hmac, KeyInit, Mac};
use lyceum_application::ai_tally::AiTally;
use lyceum_application::exports::Exports;
use lyceum_application::node::ThisNode;
use lyceum_application::{App, Settings as Decisions};
use lyceum_blobs::Blobs;
use lyceum_domain::Timestamp;
use lyceum_media::{Fetcher, MediaSettings};
use lyceum_ports::blobs::BlobStore;
use lyceum_ports::environment::{Clock, Ids};
use lyceum_ports::media::MediaFetcher;
use lyceum_ports::nodes::NodeId;
use lyceum_scorm::{PackageFiles, ScormWriter};
use lyceum_store::{MasterKey, StoreSettings};
use lyceum_webhooks::{WebhookClient, WebhookSettings};
use sha2::Sha256;

use crate::environment::{Bell, MonotonicIds, OsEntropy, SharedClock, SystemClock};
use crate::master_key;
use crate::settings::{ScormMedia, Settings};

/// The application, and the bell that its workers listen to.
pub struct Assembled {
    /// The application.
    pub app: App,
    /// Rings when something was queued.
    pub bell: Bell,
    /// What the application reads the time from.
    pub clock: Arc<SharedClock>,
}

/// Opens the database (bringing it up to date), the file storage, the AI provider and the webhook client.
///
/// # Errors
/// The first thing that cannot be opened, by the name of its setting.
pub fn assemble(settings: &Settings) -> anyhow::Result<Assembled> {
    let key_file = settings.master_key_file.clone();
    let key_file = key_file.unwrap_or_else(|| settings.data_dir.join("master.key"));
    let master_key = master_key::load_or_make(&key_file)?;
    let store = lyceum_store::open(StoreSettings {
        url: settings.database()?,
        master_key: MasterKey::from_bytes(master_key),
        connections: 16,
    })
    .context("could not open the database")?;
    let bell = Bell::default();
    let public_url = settings.public_url()?;
    let webhooks = WebhookSettings {
        allowed_cidrs: settings.webhook_allowed_cidrs.clone(),
        // A service that is itself reached by http is a laptop's or a test's.
        require_https: public_url.as_str().starts_with("https://"),
        timeout: Duration::from_secs(15),
        connect_timeout: Duration::from_secs(5),
    };
    let blobs = Blobs::open(&settings.blobs_url()?).context("LYCEUM_BLOBS_URL")?;
    let blobs: Arc<dyn BlobStore> = Arc::new(blobs);
    let clock = Arc::new(SharedClock::default());
    let ids = MonotonicIds::by(&clock);
    let node = NodeId(ids.next());
    let scratch = scratch_of(settings, node);
    let app = App {
        store,
        clock: clock.clone(),
        ids: Arc::new(ids),
        entropy: Arc::new(OsEntropy),
        signal: Arc::new(bell.clone()),
        settings: Arc::new(Decisions {
            public_url,
            download_key: derived(&master_key, b"download")?,
            launch_key: derived(&master_key, b"launch")?,
            webhook_schedule: settings.webhook_schedule()?,
            scratch: scratch.clone(),
        }),
        ai: lyceum_ai::provider(settings.ai.provider()?)
            .context("could not set up the AI provider")?,
        ai_tally: AiTally::default(),
        packages: Arc::new(ScormWriter),
        media: media(settings)?,
        package_files: Arc::new(PackageFiles::new(Arc::clone(&blobs), scratch)),
        blobs,
        sink: Arc::new(WebhookClient::new(webhooks).context("could not set up webhooks")?),
        exports: Exports::default(),
        node: ThisNode::new(node),
    };
    Ok(Assembled { app, bell, clock })
}

/// The folder of this process for files that nobody needs after their job; made when it serves, and gone when it stops.
pub fn scratch_of(settings: &Settings, node: NodeId) -> PathBuf {
    settings.data_dir.join("tmp").join(node.0.to_string())
}

/// What fetches the files that packages carry, unless nobody is to be asked.
fn media(settings: &Settings) -> anyhow::Result<Option<Arc<dyn MediaFetcher>>> {
    if settings.scorm_media == ScormMedia::Off {
        return Ok(None);
    }
    let fetcher = Fetcher::new(MediaSettings {
        allowed_cidrs: settings.media_allowed_cidrs.clone(),
        ..MediaSettings::default()
    });
    let fetcher = fetcher.context("could not set up the fetching of media")?;
    Ok(Some(Arc::new(fetcher)))
}

/// A key for one purpose, so that none is used for two.
fn derived(master_key: &[u8; 32], purpose: &[u8]) -> anyhow::Result<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(master_key).context("the master key")?;
    mac.update(purpose);
    Ok(mac.finalize().into_bytes().into())
}

/// Now, for commands that print it.
pub fn now() -> Timestamp {
    SystemClock.now()
}
