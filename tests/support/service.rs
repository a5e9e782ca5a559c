//! A running service and a client of its owner.

use std::time::Duration;

use crate::binary::{Launch, LyceumProcess};
use crate::postgres;
use crate::stores::Database;
use crate::traces::{NoTraces, VARIABLE};
use lyceum_client::{Client, ClientSettings, Platform};

/// What the first start prints before the key.
pub const KEY_LABEL: &str = "API key (shown once, keep it): ";

/// Long enough for background work on a busy machine.
pub const SOON: Duration = Duration::from_secs(30);

/// A started service with the first workspace, `main`; nothing of it is left when it is dropped.
pub struct Service {
    pub process: LyceumProcess,
    pub key: String,
    /// After the process, so that it is dropped after it.
    pub traces: NoTraces,
}

impl Service {
    /// A first start on a database of this kind.
    pub fn on(database: Database) -> Self {
        Self::start(place(Launch::new(), database))
    }

    /// A first start with these settings.
    pub fn start(launch: Launch) -> Self {
        let traces = NoTraces::expected();
        let process = launch.env(VARIABLE, traces.mark()).start();
        let key = printed_key(&process.stdout()).expect("the first start prints its key");
        Self {
            process,
            key,
            traces,
        }
    }

    /// The owner's client; it does not send anything again.
    pub fn client(&self) -> Client {
        client(&self.process, &self.key, "main")
    }
}

/// A client for a key and a platform; it does not send anything again.
pub fn client(process: &LyceumProcess, key: &str, platform: &str) -> Client {
    let mut settings = ClientSettings::new(process.url(), key);
    settings.platform = Platform::Code(platform.to_owned());
    settings.max_retries = 0;
    Client::new(settings).unwrap()
}

/// The same launch, on a fresh database of this kind.
pub fn place(launch: Launch, database: Database) -> Launch {
    match database {
        Database::Sqlite => launch,
        Database::Postgres => {
            launch.env("LYCEUM_DATABASE_URL", postgres::cluster().create_database())
        }
    }
}

/// The key in what a first start printed.
pub fn printed_key(stdout: &str) -> Option<String> {
    let line = stdout.lines().find(|line| line.starts_with(KEY_LABEL))?;
    line.strip_prefix(KEY_LABEL).map(str::to_owned)
}
