//! The demo's server: the real one, in a folder that goes away again.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use anyhow::Context;
use lyceum_application::identity::bootstrap::{self, Bootstrap};
use lyceum_application::{App, Error};
use lyceum_client::{Client, ClientSettings, Platform};
use lyceum_domain::identity::keys::{ApiKeySecret, KeyKind};
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_domain::text::{Email, Name};
use lyceum_ports::environment::Entropy;
use tempfile::TempDir;

use lyceum_service::assemble::assemble;
use lyceum_service::environment::OsEntropy;
use lyceum_service::serve::{self, ListenerSettings, Running};
use lyceum_service::{Settings, Storage};

/// A server with a workspace for the demo alone.
pub struct DemoServer {
    /// A client of the workspace's owner.
    pub client: Client,
    /// Where it listens.
    pub address: SocketAddr,
    /// The workspace.
    pub workspace: String,
    /// Its platform's code.
    pub code: String,
    running: Running,
    // Removed with everything in it when the server is dropped.
    folder: TempDir,
    /// Whether the database outlives the demo.
    borrowed: bool,
}

impl DemoServer {
    /// Opens, bootstraps and serves.
    ///
    /// The database is the operator's if they named one, the AI provider too; files, keys and addresses are the
    /// demo's own.
    pub async fn start(settings: &Settings) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("lyceum-demo-").tempdir()?;
        let listen = free_address()?;
        let settings = of_demo(settings, &folder, listen)?;
        let code = format!("demo-{}", random_hex());
        // Before serving: an empty database would be given a workspace and a key nobody asked for.
        let app = assemble(&settings)?.app;
        let (key, workspace) = make_workspace(&app, &code).await?;
        drop(app);
        let listener = ListenerSettings::new(listen);
        // Whoever starts a demo has no use for the key of its first workspace, of which there is none.
        let running = serve::start(&settings, &listener, lyceum_console::configure, |_| ()).await?;
        let address = running.address;
        let client = client(address, &key, &code)?;
        let borrowed = settings.storage.database.is_some();
        Ok(Self {
            client,
            address,
            workspace,
            code,
            running,
            folder,
            borrowed,
        })
    }

    /// A client with another key.
    pub fn client_of(&self, key: &ApiKeySecret) -> anyhow::Result<Client> {
        client(self.address, key, &self.code)
    }

    /// Stops cleanly and takes everything away.
    pub async fn stop(self) {
        let Self {
            client,
            workspace,
            running,
            folder,
            borrowed,
            ..
        } = self;
        if borrowed && let Err(error) = client.workspaces().delete(&workspace).force().await {
            tracing::warn!(%error, workspace, "the demo's workspace stays in the database");
        }
        drop(client);
        running.stop().await;
        if let Err(error) = folder.close() {
            tracing::warn!(%error, "the demo's temporary folder could not be removed");
        }
    }
}

/// A key that no server has seen.
pub fn unknown_key() -> ApiKeySecret {
    ApiKeySecret::mint(KeyKind::Standard, &mut |bytes| OsEntropy.fill(bytes))
}

/// What the operator decided, but for files, keys and addresses.
fn of_demo(settings: &Settings, folder: &TempDir, listen: SocketAddr) -> anyhow::Result<Settings> {
    let own = Settings::new(
        folder.path(),
        &format!("http://{listen}"),
        settings.ai.clone(),
    )?;
    let mut api = settings.api.clone();
    api.is_secure = false;
    Ok(Settings {
        storage: Storage {
            data_dir: own.storage.data_dir,
            blobs_url: None,
            presigning: own.storage.presigning,
            ..settings.storage.clone()
        },
        public_url: own.public_url,
        api,
        // The receiver of the demo listens there.
        webhook_allowed_cidrs: vec!["127.0.0.0/8".parse()?],
        // Quick retries: nobody waits five minutes for a demo.
        webhook_schedule: DeliverySchedule::parse("0,1,2,5,10")?,
        bootstrap_key: None,
        ..settings.clone()
    })
}

/// An address that was free a moment ago: the server's own address has to be known before it starts.
fn free_address() -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?;
    Ok(listener.local_addr()?)
}

async fn make_workspace(app: &App, code: &str) -> anyhow::Result<(ApiKeySecret, String)> {
    let wanted = Bootstrap {
        email: Email::parse(&format!("{code}@example.org"))?,
        workspace: Name::parse("Lyceum demo")?,
        code: PlatformCode::parse(code)?,
        key: None,
    };
    let visit = app.service_visit();
    let made = app
        .store
        .write(move |tx| bootstrap::run(tx, &visit, &wanted))
        .await
        .map_err(|error: Error| anyhow::anyhow!("{error}"))?;
    Ok((made.key, made.workspace.id.to_string()))
}

fn client(address: SocketAddr, key: &ApiKeySecret, code: &str) -> anyhow::Result<Client> {
    let mut settings = ClientSettings::new(format!("http://{address}"), key.reveal());
    settings.platform = Platform::Code(code.to_owned());
    Ok(Client::new(settings)?)
}

fn random_hex() -> String {
    let mut bytes = [0_u8; 4];
    OsEntropy.fill(&mut bytes);
    format!("{:08x}", u32::from_be_bytes(bytes))
}
