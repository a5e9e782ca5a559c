//! The real `lyceum` binary as a child process: started, asked, killed and started again.
//!
//! Tests of what survives a crash keep one [`LyceumProcess`], [`kill`](LyceumProcess::kill) it and
//! [`restart`](LyceumProcess::restart) it over the same data, at the same address.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test whose server does not run has nothing left to do"
)]

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A start takes a second; on a machine that is busy with other things, reading the binary alone may take many.
const START_DEADLINE: Duration = Duration::from_mins(1);
/// A server that is asked to stop may finish its requests first (30 s is their limit).
const STOP_DEADLINE: Duration = Duration::from_secs(40);
/// The longest other command, the demo, takes some seconds; a busy machine may need many more.
const RUN_DEADLINE: Duration = Duration::from_mins(2);
const POLL: Duration = Duration::from_millis(20);

/// How to start the binary: arguments, environment, and where its data lives.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    data: Option<PathBuf>,
    speaks_tls: bool,
    is_public: bool,
    shell: Option<String>,
}

impl Launch {
    /// No arguments, no settings beyond the address and an empty data folder: a first start.
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Uses this folder instead of a temporary one, and leaves it behind.
    #[must_use]
    pub fn data_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = Some(folder.into());
        self
    }

    /// Waits for the process to say that it listens, instead of asking it in plain HTTP.
    #[must_use]
    pub fn with_tls(mut self) -> Self {
        self.speaks_tls = true;
        self
    }

    /// Listens on every address of the machine.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.is_public = true;
        self
    }

    /// Starts it from a shell that does this before, such as `ulimit -n 100`.
    #[must_use]
    pub fn through(mut self, shell: impl Into<String>) -> Self {
        self.shell = Some(shell.into());
        self
    }

    /// Everything but the start: for what happens before one, and for starts that shall fail.
    pub fn prepare(self) -> LyceumProcess {
        let folder = TempDir::with_prefix("lyceum-").expect("the temporary folder is writable");
        LyceumProcess {
            address: free_address(),
            data: self
                .data
                .clone()
                .unwrap_or_else(|| folder.path().join("data")),
            launch: self,
            folder,
            child: None,
        }
    }

    /// Starts the binary and waits until it answers `/healthz`.
    ///
    /// # Panics
    /// When there is no binary, or it does not come up in time.
    pub fn start(self) -> LyceumProcess {
        let mut process = self.prepare();
        // Somebody else may take the free port before the server does.
        for _ in 0..2 {
            if process.spawn_and_wait() || !process.address_is_taken() {
                break;
            }
            process.address = free_address();
        }
        process.expect_up();
        process
    }
}

/// A running `lyceum`; dropping it kills it.
#[derive(Debug)]
pub struct LyceumProcess {
    launch: Launch,
    address: SocketAddr,
    data: PathBuf,
    folder: TempDir,
    child: Option<Child>,
}

impl LyceumProcess {
    /// `http://127.0.0.1:port`, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn data_dir(&self) -> &Path {
        &self.data
    }

    /// The id of the process, or `None` while it is down.
    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Everything the process has printed, over all its starts.
    pub fn stdout(&self) -> String {
        self.output("stdout")
    }

    /// Everything the process has logged, over all its starts.
    pub fn stderr(&self) -> String {
        self.output("stderr")
    }

    /// SIGKILL: what a crash or a pulled plug looks like.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended by itself; `wait` is what must happen.
            drop(child.kill());
            child.wait().expect("a child can be waited for");
        }
    }

    /// SIGTERM: what an operator or a container runtime sends. Returns how the process ended.
    ///
    /// # Panics
    /// When the process is not running, or is still there after its grace period.
    pub fn terminate(&mut self) -> ExitStatus {
        self.signal("TERM");
        self.ended()
    }

    /// Waits for the end of a process that was asked to stop. Returns how it ended.
    ///
    /// # Panics
    /// When the process is not running, or is still there after its grace period.
    pub fn ended(&mut self) -> ExitStatus {
        self.ended_within(STOP_DEADLINE)
            .unwrap_or_else(|| panic!("lyceum ignored SIGTERM for {STOP_DEADLINE:?}"))
    }

    /// Sends the running process a signal by its name: `TERM`, `STOP`, `CONT`.
    ///
    /// # Panics
    /// When the process is not running.
    pub fn signal(&self, name: &str) {
        send(name, self.pid().expect("the process is running"));
    }

    /// How the process ended, if it does so within this time; else it goes on.
    ///
    /// # Panics
    /// When the process is not running.
    pub fn ended_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let mut child = self.child.take().expect("the process is running");
        let status = wait(&mut child, patience);
        if status.is_none() {
            // Back to its owner, so that dropping it still kills it.
            self.child = Some(child);
        }
        status
    }

    /// Starts a stopped process again without waiting for it: it may be killed before it is up.
    ///
    /// # Panics
    /// When it is still running, or there is no binary.
    pub fn spawn(&mut self) {
        self.spawn_to(self.append("stdout").into(), self.append("stderr").into());
    }

    /// The same with its output where a test wants it.
    ///
    /// # Panics
    /// When it is still running, or there is no binary.
    pub fn spawn_to(&mut self, stdout: Stdio, stderr: Stdio) {
        assert!(
            self.child.is_none(),
            "stop the process before starting it again"
        );
        let child = self
            .command()
            .args(&self.launch.arguments)
            .stdout(stdout)
            .stderr(stderr)
            .spawn()
            .expect("the binary can be run");
        self.child = Some(child);
    }

    /// Waits until the process that was spawned answers `/healthz`; whether it does.
    pub fn wait_until_up(&mut self) -> bool {
        let deadline = Instant::now() + START_DEADLINE;
        while Instant::now() < deadline {
            let ended = self.child.as_mut().map(Child::try_wait);
            if !matches!(ended, Some(Ok(None))) {
                self.child = None;
                return false;
            }
            if self.is_up() {
                return true;
            }
            thread::sleep(POLL);
        }
        self.kill();
        false
    }

    /// Starts a stopped process again: same data, same address, same settings.
    ///
    /// # Panics
    /// When it is still running, or does not come up in time.
    pub fn restart(&mut self) {
        self.spawn_and_wait();
        self.expect_up();
    }

    /// Runs the binary once over the same data and settings, for one of its other commands, and
    /// waits for its end.
    ///
    /// # Panics
    /// When it does not end by itself in time.
    pub fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Output {
        self.begin(arguments).end()
    }

    /// The same without waiting for its end; one at a time, because the next writes over what it printed.
    ///
    /// # Panics
    /// When there is no binary.
    pub fn begin<A: AsRef<OsStr>>(&self, arguments: &[A]) -> RunningCommand {
        let [stdout, stderr] =
            ["run-stdout", "run-stderr"].map(|name| self.folder.path().join(name));
        let create = |path| File::create(path).expect("the temporary folder is writable");
        let child = self
            .command()
            .args(arguments)
            .stdout(create(&stdout))
            .stderr(create(&stderr))
            .spawn()
            .expect("the binary can be run");
        RunningCommand {
            child,
            stdout,
            stderr,
        }
    }

    fn listens_on(&self) -> SocketAddr {
        let mut address = self.address;
        if self.launch.is_public {
            address.set_ip(Ipv4Addr::UNSPECIFIED.into());
        }
        address
    }

    fn command(&self) -> Command {
        let mut command = match &self.launch.shell {
            None => Command::new(binary()),
            Some(shell) => {
                let mut command = Command::new("sh");
                let script = format!("{shell}; exec \"$0\" \"$@\"");
                command.arg("-c").arg(script).arg(binary());
                command
            }
        };
        // A developer's own settings would make the test about something else.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("LYCEUM_") {
                command.env_remove(name);
            }
        }
        command
            .env("LYCEUM_LISTEN", self.listens_on().to_string())
            .env("LYCEUM_DATA_DIR", &self.data)
            .envs(
                self.launch
                    .environment
                    .iter()
                    .map(|(name, value)| (name, value)),
            )
            // A stray relative path shall land where it is thrown away.
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    fn spawn_and_wait(&mut self) -> bool {
        self.spawn();
        self.wait_until_up()
    }

    fn is_up(&self) -> bool {
        if self.launch.speaks_tls {
            self.stdout().contains("is listening on")
        } else {
            healthy(self.address)
        }
    }

    fn expect_up(&self) {
        assert!(
            self.child.is_some(),
            "lyceum did not answer {}/healthz within {START_DEADLINE:?}, or ended",
            self.url()
        );
    }

    fn address_is_taken(&self) -> bool {
        TcpListener::bind(self.address).is_err()
    }

    fn append(&self, stream: &str) -> File {
        File::options()
            .create(true)
            .append(true)
            .open(self.folder.path().join(stream))
            .expect("the temporary folder is writable")
    }

    fn output(&self, stream: &str) -> String {
        let bytes = fs::read(self.folder.path().join(stream)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A command that was begun.
#[derive(Debug)]
pub struct RunningCommand {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl RunningCommand {
    /// Sends it a signal by its name, such as `INT`.
    ///
    /// # Panics
    /// When it has ended.
    pub fn signal(&self, name: &str) {
        send(name, self.child.id());
    }

    /// Whether it has ended.
    ///
    /// # Panics
    /// When nobody can say.
    pub fn has_ended(&mut self) -> bool {
        let ended = self.child.try_wait();
        ended.expect("a child can be asked").is_some()
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it does not end by itself in time.
    pub fn end(mut self) -> Output {
        let read = |path| fs::read(path).expect("what was just written can be read");
        let status = wait(&mut self.child, RUN_DEADLINE);
        let is_in_time = status.is_some();
        let status = status.unwrap_or_else(|| {
            drop(self.child.kill());
            self.child.wait().expect("a child can be waited for")
        });
        let output = Output {
            status,
            stdout: read(&self.stdout),
            stderr: read(&self.stderr),
        };
        assert!(
            is_in_time,
            "lyceum did not end within {RUN_DEADLINE:?}: {output:?}"
        );
        output
    }
}

fn send(signal: &str, pid: u32) {
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &pid.to_string()])
        .status();
    assert!(
        sent.is_ok_and(|status| status.success()),
        "SIG{signal} could not be sent"
    );
}

impl Drop for LyceumProcess {
    fn drop(&mut self) {
        self.kill();
        if thread::panicking() {
            // The runner shows this with the failure, whatever the test failed over.
            eprintln!(
                "lyceum at {} printed:\n{}\nand logged:\n{}",
                self.url(),
                self.stdout(),
                self.stderr()
            );
        }
    }
}

/// The binary under test: `LYCEUM_TEST_BINARY`, or the one cargo built beside this test.
///
/// # Panics
/// When there is none.
pub fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("LYCEUM_TEST_BINARY") {
        let path = PathBuf::from(path);
        assert!(
            path.is_file(),
            "LYCEUM_TEST_BINARY is {}, and there is no such file",
            path.display()
        );
        return path;
    }
    let test = std::env::current_exe().expect("a test knows its own path");
    // target/debug/deps/e2e-… → target/debug/lyceum
    test.ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join("lyceum"))
        .find(|path| path.is_file())
        .unwrap_or_else(|| {
            panic!(
                "there is no lyceum binary beside {}: `cargo build -p lyceum-cli --bin lyceum --features otel` \
                 makes one, LYCEUM_TEST_BINARY names another",
                test.display()
            )
        })
}

fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + patience;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status);
        }
        thread::sleep(POLL);
    }
    None
}

/// A loopback address that was free a moment ago.
///
/// # Panics
/// When there is none.
pub fn free_address() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .expect("the loopback interface has a free port")
}

/// One GET by hand: waiting for a server must not need a client that could be what is broken.
fn healthy(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream.write_all(
            format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        )?;
        let mut status_line = [0; 12];
        stream.read_exact(&mut status_line)?;
        Ok(status_line == *b"HTTP/1.1 200")
    };
    ask().unwrap_or(false)
}
