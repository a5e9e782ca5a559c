//! `pgbouncer` in transaction mode in front of the run's cluster: many clients share two sessions of the server.

use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::own_postgres::{free_port, hand_over, unprivileged_command};
use crate::postgres::bare;

const UP: Duration = Duration::from_secs(30);

/// The pooler; gone when dropped.
pub struct Pooler {
    folder: TempDir,
    port: u16,
    process: Option<Child>,
}

impl Pooler {
    /// In front of the server of this address, with so many sessions of each database.
    ///
    /// # Panics
    /// If `pgbouncer` is not installed, or does not come up.
    pub fn before(url: &str, sessions: u32) -> Self {
        let folder = TempDir::with_prefix("lyceum-pooler-").unwrap();
        hand_over(folder.path());
        let server = url
            .rsplit(':')
            .next()
            .and_then(|rest| rest.split('/').next());
        let (port, server) = (free_port(), server.unwrap());
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={server} user=postgres\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = transaction\ndefault_pool_size = {sessions}\nmax_client_conn = 1000\n"
        );
        std::fs::write(folder.path().join("pgbouncer.ini"), settings).unwrap();
        let mut pooler = Self {
            folder,
            port,
            process: None,
        };
        pooler.restart();
        pooler
    }

    /// Where this database is, behind the pooler.
    pub fn url_of(&self, url: &str) -> String {
        let database = url.rsplit('/').next().unwrap_or_default();
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// It dies at once, and all connections through it.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            drop(process.kill());
            drop(process.wait());
        }
    }

    /// Starts it and waits until it takes connections.
    ///
    /// # Panics
    /// If it does not.
    pub fn restart(&mut self) {
        let process = unprivileged_command(program())
            .arg("-q")
            .arg(self.folder.path().join("pgbouncer.ini"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.process = Some(process.unwrap());
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(start.elapsed() < UP, "pgbouncer does not come up");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Debian keeps it where only root looks.
fn program() -> &'static str {
    let there = ["pgbouncer", "/usr/sbin/pgbouncer"];
    let runs = |program: &&&str| bare(program).arg("--version").output().is_ok();
    let found = there.iter().find(runs);
    found.expect(
        "these tests need pgbouncer: `make test` installs it where it can, `apt-get install pgbouncer` does elsewhere",
    )
}
