//! Programs for Node.js beside the tests, with packages of their own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::binary::Launch;

use crate::service::Service;
use crate::traces::{NoTraces, VARIABLE};

/// A folder of such programs, with the packages of its `package-lock.json` in it.
pub struct Programs(PathBuf);

impl Programs {
    /// The folder of this name; whoever comes first installs its packages.
    pub fn of(name: &str) -> Self {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/e2e")).join(name);
        let lock = std::env::temp_dir().join(format!("lyceum-{name}.lock"));
        let lock = File::create(lock).unwrap();
        lock.lock().unwrap();
        if !is_installed(&folder) {
            install(&folder);
        }
        Self(folder)
    }

    /// A program of one of the packages, or of the folder itself, run by Node.js.
    pub fn command(&self, program: &str, traces: &NoTraces) -> Command {
        let mut command = Command::new("node");
        command
            .arg(program)
            .env(VARIABLE, traces.mark())
            .current_dir(&self.0)
            .stdin(Stdio::null());
        command
    }
}

/// Runs a command to its end.
pub fn output(command: &mut Command) -> Output {
    let output = command.output();
    output.expect("tests with programs for Node.js need Node.js")
}

/// What a walk through Studio reports, by a program of this name in `console`: it is told where an empty workspace is, and its key.
pub fn walked(program: &str) -> Value {
    let service = Service::start(Launch::new());
    let mut command = Programs::of("console").command(program, &service.traces);
    let walked = output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key),
    );
    let complaint = String::from_utf8_lossy(&walked.stderr);
    let report = serde_json::from_slice(&walked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

/// What npm notes down when it is through is what was to be installed: also after the lock has changed.
fn is_installed(folder: &Path) -> bool {
    let packages = |path: &str| -> Option<serde_json::Value> {
        let text = fs::read_to_string(folder.join(path)).ok()?;
        let mut lock: serde_json::Value = serde_json::from_str(&text).ok()?;
        let packages = lock.get_mut("packages")?.as_object_mut()?;
        packages.remove("");
        // Binaries for other systems are in the lock and never in the folder.
        packages.retain(|_, package| package["optional"] != true);
        Some(lock["packages"].take())
    };
    let wanted = packages("package-lock.json");
    wanted.is_some() && wanted == packages("node_modules/.package-lock.json")
}

fn install(folder: &Path) {
    let installed = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    let reason = match installed {
        Ok(output) if output.status.success() => return,
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    panic!(
        "this test needs Node.js and `npm ci` in {}, which failed: {reason}",
        folder.display()
    );
}
