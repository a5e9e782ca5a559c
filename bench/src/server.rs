//! The real `lyceum`, on a database of its own.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use lyceum_store::{DatabaseUrl, MasterKey, StoreSettings};
use rustix::process::Signal;
use serde::Deserialize;

use crate::api::Caller;
use crate::process::{self, Process, bound_to_us, without_settings};
use crate::seed::{Planted, Seed};

const START: Duration = Duration::from_mins(1);

/// A place with a database, a workspace and a key; nothing runs there yet.
#[derive(Debug, Clone)]
pub struct Site {
    /// The binary.
    pub binary: PathBuf,
    /// Its data folder.
    pub data: PathBuf,
    /// Its database.
    pub url: String,
    /// The owner's API key.
    pub key: String,
    /// The workspace.
    pub workspace: String,
    /// The owner.
    pub owner: String,
}

#[derive(Deserialize)]
struct Bootstrapped {
    api_key: String,
    workspace_id: String,
    user_id: String,
}

impl Site {
    /// Makes one below this folder: on SQLite, or in this empty database of PostgreSQL.
    ///
    /// # Errors
    /// Those of `lyceum bootstrap`.
    pub fn make(binary: &Path, folder: &Path, postgres: Option<&str>) -> anyhow::Result<Self> {
        let data = folder.to_owned();
        std::fs::create_dir_all(&data).context("could not make a data folder")?;
        let file = data.join("lyceum.db");
        let url = postgres.map_or_else(|| format!("sqlite://{}", file.display()), str::to_owned);
        let mut site = Self {
            binary: binary.to_owned(),
            data,
            url,
            key: String::new(),
            workspace: String::new(),
            owner: String::new(),
        };
        let arguments = [
            "--email",
            "owner@bench.example",
            "--workspace",
            "Bench",
            "--code",
            "main",
            "--json",
        ];
        let printed = process::output(
            site.configured(Command::new(binary))
                .arg("bootstrap")
                .args(arguments),
        )?;
        let made: Bootstrapped =
            serde_json::from_str(&printed).context("bootstrap printed no JSON")?;
        site.key = made.api_key;
        site.workspace = made.workspace_id;
        site.owner = made.user_id;
        Ok(site)
    }

    /// Fills the database, which nobody has open.
    pub fn plant(&self, runtime: &tokio::runtime::Runtime, seed: &Seed) -> anyhow::Result<Planted> {
        let store = lyceum_store::open(StoreSettings {
            url: DatabaseUrl::parse(&self.url)?,
            pooler: None,
            replica: None,
            // Nothing that is planted is sealed.
            master_key: MasterKey::from_bytes([7; 32]),
            connections: 1,
        })?;
        let planted = runtime.block_on(seed.plant(store.as_ref(), &self.workspace));
        runtime.block_on(store.close());
        planted
    }

    /// The same site in another folder; nobody has either open, and its database was put into one file.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub fn copy(&self, folder: PathBuf) -> anyhow::Result<Self> {
        fs::create_dir(&folder).context("could not make a folder")?;
        for entry in fs::read_dir(&self.data).context("could not read the folder")? {
            let path = entry?.path();
            // All is in one file, and whoever had it open may be taking the others away just now.
            let is_beside = |end: &str| path.to_string_lossy().ends_with(end);
            if !is_beside("-wal") && !is_beside("-shm") {
                process::output(Command::new("cp").arg("-r").arg(&path).arg(&folder))?;
            }
        }
        let mut copy = self.clone();
        copy.data = folder;
        copy.url = format!("sqlite://{}", copy.file().display());
        Ok(copy)
    }

    /// The SQLite file.
    pub fn file(&self) -> PathBuf {
        self.data.join("lyceum.db")
    }

    /// Starts the server and waits until it is ready.
    ///
    /// # Errors
    /// If it does not come up.
    pub fn serve(&self) -> anyhow::Result<Server> {
        self.start(self.configured(bound_to_us(&self.binary, "KILL")))
    }

    /// The same with limits and a line in a log for each answer, as it is shipped.
    ///
    /// # Errors
    /// As for [`Site::serve`].
    pub fn serve_as_shipped(&self) -> anyhow::Result<Server> {
        let log = File::create(self.data.join("log")).context("could not make a log")?;
        let mut command = self.as_shipped(bound_to_us(&self.binary, "KILL"));
        command.stderr(Stdio::from(log));
        self.start(command)
    }

    /// As it is shipped, behind a proxy that says by whom each request is.
    ///
    /// # Errors
    /// As for [`Site::serve`].
    pub fn serve_behind_a_proxy(&self) -> anyhow::Result<Server> {
        let mut command = self.as_shipped(bound_to_us(&self.binary, "KILL"));
        command
            .env("LYCEUM_TRUSTED_PROXIES", "1")
            .env("LYCEUM_LOG", "warn")
            .stderr(Stdio::null());
        self.start(command)
    }

    /// The same without anything between us and the program, for who takes the time.
    ///
    /// # Errors
    /// As for [`Site::serve`].
    pub fn serve_directly(&self) -> anyhow::Result<Server> {
        self.start(self.configured(Command::new(&self.binary)))
    }

    fn start(&self, mut command: Command) -> anyhow::Result<Server> {
        let address = free_address()?;
        command
            .env("LYCEUM_LISTEN", address.to_string())
            .stdout(Stdio::null());
        let since = Instant::now();
        let mut process = Process::start(&mut command)?;
        while !is_ready(address) {
            if !process.is_alive() || since.elapsed() > START {
                bail!("lyceum did not start on {}", self.data.display());
            }
            thread::sleep(Duration::from_millis(1));
        }
        Ok(Server {
            ready_after: since.elapsed(),
            process,
            caller: Caller::new(format!("http://{address}"), self.key.clone())?,
        })
    }

    /// With everything on that is on by default, but for limits that stop what has run wild: that is what a bench is.
    fn configured(&self, command: Command) -> Command {
        let mut command = self.as_shipped(command);
        command
            .env("LYCEUM_RATE_LIMITS", "off")
            .env("LYCEUM_LOG", "warn");
        command
    }

    /// With nothing decided but where it lies and whom it may reach.
    fn as_shipped(&self, command: Command) -> Command {
        let mut command = without_settings(command, "LYCEUM_");
        command
            .env("LYCEUM_DATA_DIR", &self.data)
            .env("LYCEUM_DATABASE_URL", &self.url)
            .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8");
        command
    }
}

/// A running server; dropping it kills it.
#[derive(Debug)]
pub struct Server {
    /// Its process.
    pub process: Process,
    /// The owner of its workspace.
    pub caller: Caller,
    /// From the start of the process to its first "ready".
    pub ready_after: Duration,
}

impl Server {
    /// Stops it in order.
    ///
    /// # Errors
    /// If it does not stop.
    pub fn stop(self) -> anyhow::Result<()> {
        self.process.stop(Signal::TERM)
    }
}

/// A loopback address that was free a moment ago.
///
/// # Errors
/// If there is none.
pub fn free_address() -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?;
    listener.local_addr().context("no free port")
}

/// One GET by hand: a client would cost more than what is measured.
fn is_ready(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream
            .write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut status_line = [0; 12];
        stream.read_exact(&mut status_line)?;
        Ok(status_line == *b"HTTP/1.1 200")
    };
    ask().unwrap_or(false)
}
