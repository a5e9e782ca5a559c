//! Every corpus, played through its door: seeds made by hand, and whatever a fuzzer found.
#![allow(clippy::unwrap_used, reason = "a corpus that is not there has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lyceum_fuzzing::{TARGETS, let_in};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// What has to be let in: whoever is turned away at a door tests nothing behind it.
const LET_IN: &[(&str, &[&str])] = &[
    ("api_key", &["session", "standard"]),
    ("cursor", &["own", "without_position"]),
    (
        "json_body",
        &[
            "activity",
            "assignment",
            "course",
            "key",
            "submission",
            "user",
            "webhook",
        ],
    ),
    (
        "manifest",
        &["long", "markup", "plain_0", "plain_1", "plain_2"],
    ),
    ("merge_patch", &["many", "object_over_value", "rfc_7396"]),
    ("model_output", &["fenced", "good"]),
    ("sanitiser", &["nested", "vector_00"]),
    ("webhook_url", &["address_00", "address_14", "address_15"]),
];

/// What has to be turned away, or the doors are none.
const TURNED_AWAY: &[(&str, &[&str])] = &[
    ("api_key", &["legacy_form", "not_ascii", "typo"]),
    ("cursor", &["empty_object", "other_list"]),
    ("json_body", &["lone_surrogate", "nul", "too_deep", "twice"]),
    ("model_output", &["braces", "cut", "invented"]),
    ("sanitiser", &["deep", "quotes"]),
    ("webhook_url", &["address_02", "address_03", "address_09"]),
];

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

/// The named seeds of a list that did not go as they should.
fn astray(list: &[(&str, &[&str])], wanted: bool) -> Vec<String> {
    let seeds = list
        .iter()
        .flat_map(|(door, names)| names.iter().map(|name| (*door, *name)));
    let went_astray = seeds.filter(|(door, name)| {
        let bytes = std::fs::read(fuzz().join("corpus").join(door).join(name)).unwrap();
        let_in(door, &bytes) != wanted
    });
    went_astray
        .map(|(door, name)| format!("{door}/{name}"))
        .collect()
}

#[test]
fn who_belongs_in_gets_in_and_nobody_else() {
    assert_eq!(astray(LET_IN, true), Vec::<String>::new());
    assert_eq!(astray(TURNED_AWAY, false), Vec::<String>::new());
    let doors = LET_IN.iter().map(|(door, _)| *door);
    assert!(doors.eq(TARGETS.iter().map(|(door, _)| *door)));
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
