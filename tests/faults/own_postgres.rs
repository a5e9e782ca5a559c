//! A `PostgreSQL` cluster that nobody else needs, so that it can be killed.

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::chown;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::postgres::{bare, programs};
use tempfile::TempDir;

const UP: Duration = Duration::from_mins(1);

/// The cluster; gone when dropped.
pub struct OwnPostgres {
    folder: TempDir,
    port: u16,
    server: Option<Child>,
}

impl OwnPostgres {
    pub fn start() -> Self {
        let folder = TempDir::with_prefix("lyceum-own-postgres-").unwrap();
        if let Some((user, group)) = unprivileged() {
            chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut cluster = Self {
            folder,
            port,
            server: None,
        };
        let made = cluster
            .program("initdb")
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C", "--no-sync", "--no-instructions"])
            .output()
            .unwrap();
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        cluster.restart();
        cluster
    }

    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// All of it dies at once, without a word to its clients: what `pg_ctl stop -m immediate` does.
    pub fn crash(&mut self) {
        let stopped = self
            .program("pg_ctl")
            .args(["stop", "--mode=immediate", "--wait", "--silent"])
            .output()
            .unwrap();
        assert!(
            stopped.status.success(),
            "{}",
            String::from_utf8_lossy(&stopped.stderr)
        );
        if let Some(mut server) = self.server.take() {
            server.wait().unwrap();
        }
    }

    /// Starts it and waits until it takes connections.
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
        let program = programs().join(name);
        let mut command = if let Some((user, group)) = unprivileged() {
            let mut command = bare("setpriv");
            command
                .args([format!("--reuid={user}"), format!("--regid={group}")])
                .arg("--clear-groups")
                .arg(program);
            command
        } else {
            bare(program)
        };
        command
            .env("PGDATA", self.folder.path().join("data"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }
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
