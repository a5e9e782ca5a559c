//! Every corpus, played through its door: seeds made by hand, and whatever a fuzzer found.
#![allow(clippy::unwrap_used, reason = "a corpus that is not there has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lyceum_fuzzing::TARGETS;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn every_corpus_passes() {
    for (name, target) in TARGETS {
        let corpus = files(&fuzz().join("corpus").join(name));
        assert!(corpus.len() >= 3, "{name} has a corpus of {}", corpus.len());
        for file in corpus {
            let bytes = std::fs::read(&file).unwrap();
            let passes = std::panic::catch_unwind(|| target(&bytes));
            assert!(passes.is_ok(), "{}", file.display());
        }
    }
}

#[test]
fn every_door_has_a_binary_for_the_fuzzer() {
    let names: BTreeSet<String> = TARGETS
        .iter()
        .map(|(name, _)| format!("{name}.rs"))
        .collect();
    let binaries: BTreeSet<String> = files(&fuzz().join("fuzz_targets"))
        .iter()
        .map(|file| file.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(binaries, names);
    let manifest = std::fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
