//! Manifests against schema documents: those that packages carry, and the published sets.

use std::path::PathBuf;

use lyceum_ports::exporting::scorm::ScormEdition;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::sample_course::{course, package};
use crate::traces::NoTraces;

const EDITIONS: [(ScormEdition, &str); 3] = [
    (ScormEdition::V1_2, "1.2"),
    (ScormEdition::V2004, "2004 3rd Edition"),
    (ScormEdition::V2004Fourth, "2004 4th Edition"),
];
const TITLES: [&str; 5] = [
    "../../x",
    "]]><x>&\"'",
    "a\u{0}\u{8}\u{1b}b\u{202e}c\r\n",
    "Žluťoučký 🐎 العربية \u{200f}",
    "",
];

/// What the judge says of each package, in their order.
pub fn judged(packages: &[PathBuf]) -> (bool, Vec<Value>) {
    let traces = NoTraces::expected();
    let mut judge = Programs::of("scorm_player").command("schemas.mjs", &traces);
    let output = node::output(judge.args(packages));
    let lines = String::from_utf8(output.stdout).unwrap();
    let verdicts: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(verdicts.len(), packages.len(), "{complaint}");
    (output.status.success(), verdicts)
}

#[test]
fn every_manifest_fits_what_it_carries_and_what_was_published() {
    let folder = TempDir::new().unwrap();
    let long = "long ".repeat(1000);
    let mut packages = Vec::new();
    for (edition, version) in EDITIONS {
        for (number, title) in TITLES.iter().chain([&long.as_str()]).enumerate() {
            let mut snapshot = course(edition, title, folder.path());
            // Every other one without a pass mark.
            if number % 2 == 1 {
                snapshot.units[0].lessons[0].activities.truncate(1);
            }
            let name = format!("{version}-{number}.zip");
            packages.push(package(&snapshot, folder.path(), &name));
        }
    }
    let (good, verdicts) = judged(&packages);
    for verdict in &verdicts {
        assert_eq!(verdict["carried"], json!([]), "{verdict:#}");
        assert_eq!(verdict["published"], json!([]), "{verdict:#}");
    }
    assert!(good);
    for (_, version) in EDITIONS {
        let of_edition = verdicts.iter().filter(|v| v["edition"] == version);
        assert_eq!(of_edition.count(), 6);
    }
}

/// Without this, a judge that never looks would do.
#[test]
fn a_wrong_manifest_fits_neither() {
    let folder = TempDir::new().unwrap();
    let mut wrong = Vec::new();
    for (edition, version) in EDITIONS {
        let whole = package(
            &course(edition, "Sky", folder.path()),
            folder.path(),
            version,
        );
        let unpacked = folder.path().join(format!("{version} unpacked"));
        let mut zip = zip::ZipArchive::new(std::fs::File::open(whole).unwrap()).unwrap();
        zip.extract(&unpacked).unwrap();
        let manifest = unpacked.join("imsmanifest.xml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        let text = text.replace("title>", "titel>");
        std::fs::write(manifest, text).unwrap();
        wrong.push(unpacked);
    }
    let (good, verdicts) = judged(&wrong);
    assert!(!good);
    for verdict in verdicts {
        assert_ne!(verdict["carried"], json!([]), "{verdict:#}");
        assert_ne!(verdict["published"], json!([]), "{verdict:#}");
    }
}
