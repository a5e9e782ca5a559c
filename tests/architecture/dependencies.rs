//! What comes from others: nothing below the floors of `deny.toml`, from crates.io alone; and what we promise of our
//! own code, that every crate opts in to the lints of the workspace.

use std::fs;
use std::path::PathBuf;

use super::root;

/// Name and version of every package in a lock file, with where it comes from.
fn locked(file: &str) -> Vec<(String, Vec<u64>, Option<String>)> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let value = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(name));
        line.map(|line| line.trim_start_matches(" = ").trim_matches('"').to_owned())
    };
    text.split("[[package]]")
        .skip(1)
        .map(|package| {
            let version = value(package, "version").unwrap();
            (
                value(package, "name").unwrap(),
                numbers(&version),
                value(package, "source"),
            )
        })
        .collect()
}

/// The numbers of a version, without what follows them.
fn numbers(version: &str) -> Vec<u64> {
    let plain = version.split(['-', '+']).next().unwrap();
    plain
        .split('.')
        .map(|number| number.parse().unwrap())
        .collect()
}

/// What `deny.toml` bans: a crate, below a version or altogether.
fn banned() -> Vec<(String, Option<Vec<u64>>)> {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("{ crate = \""))
        .map(|line| {
            let named = line.split('"').next().unwrap();
            match named.split_once("@<") {
                Some((name, floor)) => (name.to_owned(), Some(numbers(floor))),
                None => (named.to_owned(), None),
            }
        })
        .collect()
}

#[test]
fn nothing_below_its_floor_is_locked() {
    let banned = banned();
    assert!(banned.len() >= 9, "{banned:?}");
    for file in ["Cargo.lock", "fuzz/Cargo.lock"] {
        for (name, version, _) in locked(file) {
            let below =
                |floor: &Option<Vec<u64>>| floor.as_ref().is_none_or(|floor| version < *floor);
            let is_banned = banned
                .iter()
                .any(|(other, floor)| *other == name && below(floor));
            assert!(!is_banned, "{file} has {name} {version:?}");
        }
    }
}

#[test]
fn everything_comes_from_the_registry_or_from_here() {
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    for file in ["Cargo.lock", "fuzz/Cargo.lock"] {
        for (name, _, source) in locked(file) {
            let known = match &source {
                Some(source) => source == registry,
                None => name.starts_with("lyceum-"),
            };
            assert!(known, "{file} has {name} from {source:?}");
        }
    }
}

#[test]
fn every_crate_opts_in_to_the_lints_that_forbid_unsafe_code() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("unsafe_code = \"forbid\""));
    let mut manifests: Vec<PathBuf> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("Cargo.toml"))
        .collect();
    manifests.push(root().join("tests/Cargo.toml"));
    manifests.push(root().join("bench/Cargo.toml"));
    for folder in ["tests", "examples"] {
        let nested = fs::read_dir(root().join(folder)).unwrap();
        let nested = nested.map(|entry| entry.unwrap().path().join("Cargo.toml"));
        manifests.extend(nested.filter(|manifest| manifest.is_file()));
    }
    assert!(manifests.len() > 15);
    for manifest in manifests {
        let text = fs::read_to_string(&manifest).unwrap();
        assert!(
            text.contains("[lints]\nworkspace = true"),
            "{}",
            manifest.display()
        );
    }
}
