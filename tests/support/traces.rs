//! What a test leaves behind: nothing that runs.

use std::fs;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A child hands it on to its own children; `lyceum` takes no offence at the name.
pub const VARIABLE: &str = "LYCEUM_TEST_TRACE";
/// A killed process may take a moment to disappear.
const PATIENCE: Duration = Duration::from_secs(5);

/// Fails the test if, when it is dropped, a process is alive that carries its mark.
///
/// Declare it before everything that starts a process, so that it is dropped last.
pub struct NoTraces {
    mark: String,
}

impl NoTraces {
    pub fn expected() -> Self {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        Self {
            mark: format!("{}-{serial}", process::id()),
        }
    }

    /// The value that [`VARIABLE`] must have in every process of the test.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    fn left(&self) -> Vec<String> {
        let wanted = format!("{VARIABLE}={}", self.mark);
        let carries = |environment: &[u8]| {
            environment
                .split(|byte| *byte == 0)
                .any(|pair| pair == wanted.as_bytes())
        };
        // Only Linux shows the environments of processes; elsewhere there is nothing to look at.
        let Ok(processes) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        processes
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| fs::read(path.join("environ")).is_ok_and(|bytes| carries(&bytes)))
            .map(|path| {
                let line = fs::read(path.join("cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).replace('\0', " ")
            })
            .collect()
    }
}

impl Drop for NoTraces {
    fn drop(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.left().is_empty() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
        let left = self.left();
        // A second panic would end the process, and the first says more.
        assert!(
            left.is_empty() || thread::panicking(),
            "the test left processes behind: {left:?}"
        );
    }
}

#[test]
fn a_process_that_is_left_is_seen_until_it_is_gone() {
    let traces = NoTraces::expected();
    let mut sleeper = process::Command::new("sleep")
        .arg("60")
        .env(VARIABLE, traces.mark())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + PATIENCE;
    // Until it is `sleep`, the child is still this process, whose environment has no mark.
    while traces.left().is_empty() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    let seen = traces.left();
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    assert_eq!(seen, ["sleep 60 "]);
    assert!(traces.left().is_empty());
}
