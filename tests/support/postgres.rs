//! A throw-away `PostgreSQL` cluster for the tests, made from the programs installed on the machine.
//!
//! All tests of one run share one cluster and get a database each, so they run side by side.
//! nextest gives every test a process of its own, so the cluster cannot live in a `static`: the
//! first test to ask starts it, the others find it by a file named after the run, and
//! `setup/throwaway_postgres.sh` keeps it until the test runner is gone.
//!
//! A missing `PostgreSQL` fails the test: a skipped test looks like a passed one.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot get its database has nothing left to do"
)]

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::{CommandExt, parent_id};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const FIND_POSTGRES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/support/setup/find_postgres.sh"
);
const KEEP_CLUSTER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/support/setup/throwaway_postgres.sh"
);

/// Name of the database that others are copies of.
const MIGRATED: &str = "migrated";

/// Making and starting a cluster takes about two seconds; a busy machine may need many more.
const START_DEADLINE: Duration = Duration::from_secs(90);

/// The `PostgreSQL` cluster of this test run.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    port: u16,
    /// By which the tests of the run find each other.
    folder: PathBuf,
}

/// Set where stores of tests are to read from a standby of the cluster.
const WITH_REPLICA: &str = "LYCEUM_TEST_REPLICA";

/// Where a standby of this database of the run's cluster is, if there is one.
///
/// # Panics
/// As for [`cluster`].
pub fn replica_of(url: &str) -> Option<String> {
    std::env::var_os(WITH_REPLICA)?;
    let cluster = cluster();
    let port = fs::read_to_string(cluster.folder.join("standby")).expect("there is a standby");
    let name = url.strip_prefix(&format!("postgres://postgres@127.0.0.1:{}/", cluster.port))?;
    Some(format!(
        "postgres://postgres@127.0.0.1:{}/{name}",
        port.trim()
    ))
}

/// The cluster of this test run, started if no other test has done so yet.
///
/// # Panics
/// When `PostgreSQL` is not installed or cannot be started.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let programs = programs();
        let run = Run::current();
        let port = run.find_or_start_cluster(&programs);
        Cluster {
            programs,
            port,
            folder: run.folder,
        }
    })
}

impl Cluster {
    /// Makes an empty database that nobody else uses and returns its `postgres://` URL.
    ///
    /// It disappears a few seconds after this process, so nobody needs to drop it.
    ///
    /// # Panics
    /// When the cluster refuses.
    pub fn create_database(&self) -> String {
        // `template1` cannot be copied while anybody is connected to it.
        self.create_from("template0")
    }

    fn create_from(&self, original: &str) -> String {
        static CREATED: AtomicU32 = AtomicU32::new(0);
        let serial = CREATED.fetch_add(1, Ordering::Relaxed);
        // The process id in the name tells the keeper of the cluster whose database this is.
        let name = format!("test_{}_{serial}", std::process::id());
        self.execute(&format!("CREATE DATABASE {name} TEMPLATE {original}"));
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    /// Makes a database with all tables: a copy of one that the first test of the run has brought up to date by
    /// `migrate`, which takes far longer than a copy.
    ///
    /// # Panics
    /// When the cluster refuses.
    pub fn create_migrated_database(&self, migrate: impl FnOnce(&str)) -> String {
        let url = format!("postgres://postgres@127.0.0.1:{}/{MIGRATED}", self.port);
        let done = self.folder.join(MIGRATED);
        let lock = File::create(self.folder.join("lock")).expect("the target folder is writable");
        lock.lock().expect("the target folder knows file locks");
        if !done.exists() {
            self.execute(&format!("CREATE DATABASE {MIGRATED} TEMPLATE template0"));
            migrate(&url);
            // Nobody may be connected to what is copied.
            self.execute(&format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{MIGRATED}'"
            ));
            self.execute(&format!(
                "ALTER DATABASE {MIGRATED} ALLOW_CONNECTIONS false"
            ));
            File::create(done).expect("the target folder is writable");
        }
        drop(lock);
        self.copy_database(&url)
    }

    /// Makes a database like one of [`Self::create_database`], which nobody may be connected to.
    ///
    /// # Panics
    /// When the cluster refuses.
    pub fn copy_database(&self, url: &str) -> String {
        self.create_from(url.rsplit('/').next().unwrap_or_default())
    }

    fn execute(&self, sql: &str) {
        let output = bare(self.programs.join("psql"))
            .args(["-X", "-q", "-U", "postgres", "-h", "127.0.0.1"])
            .args(["-p", &self.port.to_string(), "-c", sql, "postgres"])
            .stdin(Stdio::null())
            .output()
            .expect("psql can be run");
        assert!(
            output.status.success(),
            "PostgreSQL refused `{sql}`: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
}

/// One run of the test runner: who it is, and the folder by which its tests find each other.
struct Run {
    runner: u32,
    folder: PathBuf,
}

impl Run {
    fn current() -> Self {
        // nextest and cargo run a test as their own child. A test started by hand has a shell for a
        // parent, which may stay open for days, so there the run is the test itself.
        let by_runner = ["NEXTEST_RUN_ID", "CARGO"]
            .iter()
            .any(|name| std::env::var_os(name).is_some());
        let runner = if by_runner {
            parent_id()
        } else {
            std::process::id()
        };
        let name = std::env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| runner.to_string());
        let folder = scratch().join(format!("postgres-{name}"));
        fs::create_dir_all(&folder).expect("the target folder is writable");
        Self { runner, folder }
    }

    fn find_or_start_cluster(&self, programs: &Path) -> u16 {
        let lock = File::create(self.folder.join("lock")).expect("the target folder is writable");
        lock.lock().expect("the target folder knows file locks");
        if let Some(port) = self.port().filter(|port| answers(*port)) {
            return port;
        }
        // Somebody else may take the free port before PostgreSQL does.
        for _ in 0..3 {
            if let Some(port) = self.start_cluster(programs) {
                return port;
            }
        }
        let log = self.folder.join("log");
        panic!(
            "PostgreSQL from {} could not be started, {} says: {}",
            programs.display(),
            log.display(),
            fs::read_to_string(&log).unwrap_or_default()
        );
    }

    fn start_cluster(&self, programs: &Path) -> Option<u16> {
        // A file left by a run that the machine went down under would be taken for the new one.
        drop(fs::remove_file(self.folder.join("port")));
        let log = File::create(self.folder.join("log")).expect("the target folder is writable");
        let errors = log.try_clone().expect("a file handle can be doubled");
        // Not under the target folder: PostgreSQL may run as a user who cannot get that far.
        let home = tempfile::Builder::new()
            .prefix("lyceum-postgres-")
            .tempdir()
            .expect("the temporary folder is writable")
            .keep();
        let mut keeper = bare("sh");
        keeper
            .args([Path::new(KEEP_CLUSTER), programs, &home])
            .args([free_port().to_string(), self.runner.to_string()])
            .arg(&self.folder);
        if std::env::var_os(WITH_REPLICA).is_some() {
            let port = free_port().to_string();
            fs::write(self.folder.join("standby"), &port).expect("the target folder is writable");
            keeper.arg(port);
        }
        let mut keeper = keeper
            // A test that is stopped takes its process group with it; the cluster must stay.
            .process_group(0)
            // An inherited pipe would make the runner wait for the cluster as for a leaked child.
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors)
            .spawn()
            .expect("sh can be run");
        self.wait_for_port(&mut keeper)
    }

    fn wait_for_port(&self, keeper: &mut Child) -> Option<u16> {
        let deadline = Instant::now() + START_DEADLINE;
        while Instant::now() < deadline {
            if let Some(port) = self.port() {
                return Some(port);
            }
            if matches!(keeper.try_wait(), Ok(Some(_))) {
                return None;
            }
            thread::sleep(Duration::from_millis(20));
        }
        None
    }

    fn port(&self) -> Option<u16> {
        let text = fs::read_to_string(self.folder.join("port")).ok()?;
        text.trim().parse().ok()
    }
}

/// The folder of `PostgreSQL`'s server programs.
///
/// # Panics
/// When they are not installed.
pub fn programs() -> PathBuf {
    let found = bare("sh")
        .arg(FIND_POSTGRES)
        .stdin(Stdio::null())
        .output()
        .expect("sh can be run");
    assert!(
        found.status.success(),
        "these tests need PostgreSQL's server programs, and neither pg_config nor \
         /usr/lib/postgresql has them: `make test` installs them where it can, \
         `apt-get install postgresql` does elsewhere"
    );
    PathBuf::from(String::from_utf8_lossy(&found.stdout).trim())
}

/// A command that sees none of the developer's own `PostgreSQL` settings, in English.
pub fn bare(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PG") {
            command.env_remove(name);
        }
    }
    command.env("LC_ALL", "C");
    command
}

/// `target/tmp`, wherever cargo was told to put `target`.
fn scratch() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    test.ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .map_or_else(std::env::temp_dir, |target| target.join("tmp"))
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .expect("the loopback interface has a free port")
        .port()
}

fn answers(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}
