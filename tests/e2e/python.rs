//! Pythons with packages of their own, beside the tests.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use crate::node::output;

/// A Python with the packages of `requirements.txt` in the folder of this name; whoever comes first installs them.
pub fn python(folder: &str) -> PathBuf {
    let wanted = format!(
        "{}/e2e/{folder}/requirements.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let packages = fs::read_to_string(&wanted).unwrap();
    let lock = std::env::temp_dir().join(format!("lyceum-{}.lock", folder.replace('_', "-")));
    let lock = File::create(lock).unwrap();
    lock.lock().unwrap();
    let home = std::env::var("HOME").unwrap();
    let place = PathBuf::from(home).join(".cache/lyceum").join(folder);
    let installed = place.join("requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|found| found == packages) {
        return place;
    }
    succeed(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&place),
    );
    let mut pip = Command::new(place.join("bin/pip"));
    let quiet = [
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
    ];
    succeed(pip.args(quiet).arg(&wanted));
    fs::write(installed, packages).unwrap();
    place
}

/// Runs a command, which has to succeed, and returns all that it said.
pub fn succeed(command: &mut Command) -> String {
    let output = output(command);
    let [printed, complaint] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
    let said = format!("{printed}\n{complaint}");
    assert!(output.status.success(), "{command:?}: {said}");
    said
}
