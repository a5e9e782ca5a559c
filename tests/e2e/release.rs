//! `packaging/release.sh`: what others install, packed from the binary under test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::binary::binary;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// Runs a program; what it printed.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The binary under test without what only a debugger reads, as a release is: with it there is three times as much to pack.
fn stripped(folder: &Path) -> PathBuf {
    let stripped = folder.join("lyceum");
    printed(Command::new("strip").arg("-o").arg(&stripped).arg(binary()));
    stripped
}

/// Packs the binary; where the archive is.
fn pack(binary: &Path, output: &Path) -> PathBuf {
    let mut script = Command::new("sh");
    script.arg(root().join("packaging/release.sh"));
    // The same moment wherever the sources come from.
    script.env("SOURCE_DATE_EPOCH", "1700000000");
    let printed = printed(script.arg(binary).arg(output));
    PathBuf::from(printed.trim())
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn a_release_has_everything_and_is_the_same_each_time() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("artifacts");
    let binary = stripped(folder.path());
    let archive = pack(&binary, &output);
    let file = archive.file_name().unwrap().to_str().unwrap();
    let name = file.strip_suffix(".tar.gz").unwrap();
    assert!(name.starts_with(&format!("lyceum-{VERSION}-")), "{name}");
    let listed = printed(
        Command::new("tar")
            .args(["--numeric-owner", "-tvzf"])
            .arg(&archive),
    );
    for line in listed.lines() {
        assert!(
            line.contains(" 0/0 ") && line.contains("2023-11-14"),
            "{line}"
        );
        assert!(
            !line.starts_with("-rw-rw") && !line.starts_with("drwxrwx"),
            "{line}"
        );
    }
    let names = printed(Command::new("tar").arg("-tzf").arg(&archive));
    let names: Vec<&str> = names.lines().collect();
    assert!(names.is_sorted(), "{names:?}");
    let wanted = [
        "lyceum",
        "LICENSE",
        "README.md",
        "man/man1/lyceum.1",
        "man/man1/lyceum-backup.1",
        "man/man1/lyceum-eval-grade.1",
        "completions/lyceum.bash",
        "completions/_lyceum",
        "completions/lyceum.fish",
        "completions/lyceum.elv",
        "completions/_lyceum.ps1",
        "systemd/lyceum.service",
        "systemd/lyceum.env",
        "systemd/lyceum.sysusers.conf",
        "systemd/lyceum-command",
        "postgres/move-workspace.sh",
        "postgres/move-workspace.sql",
    ];
    for wanted in wanted {
        let path = format!("{name}/{wanted}");
        assert!(
            names.contains(&path.as_str()),
            "{path} is missing: {names:?}"
        );
    }
    let sums = Command::new("sha256sum")
        .args(["--check", "--strict", "SHA256SUMS"])
        .current_dir(&output)
        .output()
        .unwrap();
    assert!(sums.status.success(), "{sums:?}");
    printed(
        Command::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .arg("-C")
            .arg(folder.path()),
    );
    let unpacked = folder.path().join(name).join("lyceum");
    let version = printed(Command::new(&unpacked).arg("--version"));
    assert_eq!(version, format!("lyceum {VERSION}\n"));
    let linked = printed(Command::new("ldd").arg(&unpacked));
    for library in ["libpq", "sqlite", "libssl"] {
        assert!(!linked.contains(library), "{linked}");
    }
    let again = pack(&binary, &folder.path().join("again"));
    assert!(
        fs::read(&archive).unwrap() == fs::read(&again).unwrap(),
        "the archives differ"
    );
    let left = fs::read_dir(&output).unwrap().count();
    assert_eq!(left, 2, "archive and sums");
}
