//! A `PostgreSQL` cluster that nobody else needs, so that it can be killed, and standbys of it.

use std::ffi::OsStr;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::postgres::{bare, programs};

const UP: Duration = Duration::from_mins(1);

/// The cluster; gone when dropped.
pub struct OwnPostgres {
    folder: TempDir,
    port: u16,
    server: Option<Child>,
}

impl OwnPostgres {
    /// Makes one and starts it.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn start() -> Self {
        let mut cluster = Self::in_a_folder();
        succeed(
            cluster
                .program("initdb")
                .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
                .args(["--locale=C", "--no-sync", "--no-instructions"]),
        );
        cluster.restart();
        cluster
    }

    /// Makes a standby of it, which replays what happens here, and starts it.
    ///
    /// # Panics
    /// If it does not come up.
    #[must_use]
    pub fn standby(&self) -> Self {
        let mut standby = Self::in_a_folder();
        let data = standby.folder.path().join("data");
        succeed(
            standby
                .program("pg_basebackup")
                .args(["-R", "-U", "postgres", "-h", "127.0.0.1", "-p"])
                .arg(self.port.to_string())
                .args(["--checkpoint=fast", "--no-sync", "-D"])
                .arg(data),
        );
        standby.restart();
        standby
    }

    fn in_a_folder() -> Self {
        let folder = TempDir::with_prefix("lyceum-own-postgres-").unwrap();
        hand_over(folder.path());
        Self {
            folder,
            port: free_port(),
            server: None,
        }
    }

    /// Where it is, for somebody who may do everything.
    pub fn url(&self) -> String {
        self.url_of("postgres", "postgres")
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port)
    }

    /// Where a database of it is, for this user.
    pub fn url_of(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/{database}", self.port)
    }

    /// All of it dies at once, without a word to its clients: what `pg_ctl stop -m immediate` does.
    ///
    /// # Panics
    /// If it does not.
    pub fn crash(&mut self) {
        succeed(
            self.program("pg_ctl")
                .args(["stop", "--mode=immediate", "--wait", "--silent"]),
        );
        if let Some(mut server) = self.server.take() {
            server.wait().unwrap();
        }
    }

    /// Starts it and waits until it takes connections.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn restart(&mut self) {
        let port = self.port.to_string();
        // Commits are kept over a crash of the server, which is what this is about; the machine stays up.
        let server = self
            .program("postgres")
            .args(["-p", &port, "-c", "listen_addresses=127.0.0.1"])
            .args(["-c", "unix_socket_directories=", "-c", "fsync=off"])
            .args(["-c", "max_connections=100"])
            // Nobody reads it, and a pipe that is full would stop the server.
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.server = Some(server);
        let start = Instant::now();
        while !self.answers() {
            assert!(start.elapsed() < UP, "PostgreSQL does not come up");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn answers(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok()
            && bare(programs().join("psql"))
                .args(["-XAtqc", "SELECT 1", &self.url()])
                .stderr(Stdio::null())
                .output()
                .is_ok_and(|answer| answer.status.success())
    }

    /// One of its programs, on its data, as somebody whom it does not refuse to run for.
    fn program(&self, name: &str) -> Command {
        let mut command = unprivileged_command(programs().join(name));
        command
            .env("PGDATA", self.folder.path().join("data"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }
}

/// A port that nobody listens at.
///
/// # Panics
/// If there is none.
pub fn free_port() -> u16 {
    let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    free.local_addr().unwrap().port()
}

/// Gives a folder to whom servers run for.
///
/// # Panics
/// If it cannot be given.
pub fn hand_over(folder: &Path) {
    if let Some((user, group)) = unprivileged() {
        chown(folder, Some(user), Some(group)).unwrap();
    }
}

/// A command that is run as somebody whom servers do not refuse to run for.
pub fn unprivileged_command(program: impl AsRef<OsStr>) -> Command {
    let Some((user, group)) = unprivileged() else {
        return bare(program);
    };
    let mut command = bare("setpriv");
    command
        .args([format!("--reuid={user}"), format!("--regid={group}")])
        .arg("--clear-groups")
        .arg(program);
    command
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let stop = self
                .program("pg_ctl")
                .args(["stop", "--mode=immediate", "--wait", "--silent"])
                .status();
            if !stop.is_ok_and(|status| status.success()) {
                drop(server.kill());
            }
            drop(server.wait());
        }
    }
}

/// `PostgreSQL` does not run for root: whom it runs for instead, by user and group.
fn unprivileged() -> Option<(u32, u32)> {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|me| owner(&me) == 0);
    if !is_root {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").unwrap();
    let entry = |name: &str| {
        let line = users
            .lines()
            .find(|line| line.starts_with(&format!("{name}:")))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    entry("postgres").or_else(|| entry("nobody"))
}

fn owner(metadata: &std::fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::uid(metadata)
}
