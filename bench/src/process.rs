//! A child process that does not outlive the bench, and what the system says it uses.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::cpu;

/// How long a process that was asked to end may take.
const ENDING: Duration = Duration::from_secs(40);
/// The same of one that is no longer needed.
const SHORT_ENDING: Duration = Duration::from_secs(5);

/// A running program; dropping it ends it, and so does the end of the bench, however it comes.
#[derive(Debug)]
pub struct Process {
    child: Child,
}

/// A command whose process gets this signal when the bench dies.
///
/// The signal is the system's own (`PR_SET_PDEATHSIG`), which `setpriv` of util-linux sets before it becomes the
/// program: the process id stays the same. It belongs to the thread that starts the process, so only the main
/// thread may. Where there is no `setpriv`, the program is started by itself.
pub fn bound_to_us(program: &Path, signal: &str) -> Command {
    if !Path::new("/usr/bin/setpriv").exists() {
        return Command::new(program);
    }
    let mut command = Command::new("/usr/bin/setpriv");
    command.args(["--pdeathsig", signal]).arg(program);
    command
}

/// The same command without the settings of whoever runs the bench.
pub fn without_settings(mut command: Command, prefix: &str) -> Command {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with(prefix) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command to its end; what it printed, or what it complained of.
///
/// # Errors
/// If it cannot be run, or says that it failed.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let name = name(command.get_program());
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("could not run {name}"))?;
    if !output.status.success() {
        bail!(
            "{name} failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn name(program: &OsStr) -> String {
    program.to_string_lossy().into_owned()
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn start(command: &mut Command) -> anyhow::Result<Self> {
        let name = name(command.get_program());
        let child = command
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("could not start {name}"))?;
        Ok(Self { child })
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Asks it to end and waits until it has.
    ///
    /// # Errors
    /// If it does not.
    pub fn stop(mut self, signal: Signal) -> anyhow::Result<()> {
        self.end(signal, ENDING)
    }

    fn end(&mut self, signal: Signal, patience: Duration) -> anyhow::Result<()> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill_process(pid.context("a process has an id")?, signal)
            .context("could not stop a process")?;
        let deadline = Instant::now() + patience;
        while self.is_alive() {
            if Instant::now() > deadline {
                bail!("a process did not end within {patience:?}");
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Seconds of processor time it has used, of all its threads.
    ///
    /// # Errors
    /// If it is gone.
    pub fn cpu_seconds(&self) -> anyhow::Result<f64> {
        cpu::of_process(self.child.id())
    }

    /// … and of all its children, those that live and those that ended.
    ///
    /// # Errors
    /// If it is gone.
    pub fn family_cpu_seconds(&self) -> anyhow::Result<f64> {
        cpu::of_family(self.child.id())
    }

    /// MB (10⁶ bytes) of memory it occupies.
    ///
    /// # Errors
    /// If it is gone.
    pub fn resident_mb(&self) -> anyhow::Result<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status =
            std::fs::read_to_string(&path).with_context(|| format!("could not read {path}"))?;
        resident_mb(&status).context("/proc/<pid>/status has another form")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; that it is waited for is what matters. One that counts what it does writes that down at its end.
        drop(self.end(Signal::TERM, SHORT_ENDING));
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// `VmRSS`, which the system gives in units of 1024 bytes.
fn resident_mb(status: &str) -> Option<f64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1_024.0 / 1_000_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_no_longer_needed_is_asked_to_end_first() {
        let folder = tempfile::tempdir().unwrap();
        let (ready, ended) = (folder.path().join("ready"), folder.path().join("ended"));
        let script = "trap 'touch \"$1\"; exit' TERM; touch \"$0\"; while :; do sleep 0.01; done";
        let mut shell = Command::new("sh");
        let process = Process::start(shell.args(["-c", script]).args([&ready, &ended])).unwrap();
        while !ready.exists() {
            thread::sleep(Duration::from_millis(5));
        }
        drop(process);
        assert!(ended.exists());
    }

    #[test]
    fn memory_is_told_in_millions_of_bytes() {
        let status = "Name:\tlyceum\nVmRSS:\t   31250 kB\nThreads:\t4\n";
        assert_eq!(resident_mb(status), Some(32.0));
        assert_eq!(resident_mb("Name:\tlyceum\n"), None);
    }

    #[test]
    fn what_a_process_uses_can_be_asked_for_while_it_runs() {
        let mut sleeping = Process::start(Command::new("sleep").arg("60")).unwrap();
        assert!(sleeping.is_alive());
        assert!(sleeping.resident_mb().unwrap() > 0.0);
        assert!(sleeping.cpu_seconds().unwrap() < 1.0);
        sleeping.stop(Signal::TERM).unwrap();
    }
}
