//! The same wings in every layer, and which of them may know which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::{root, sources};

pub const LAYERS: [&str; 6] = ["domain", "ports", "wire", "application", "store", "api"];

/// Each wing, and those it may know besides those at the side.
const WINGS: [(&str, &[&str]); 6] = [
    ("identity", &[]),
    ("authoring", &["identity"]),
    ("drafting", &["identity", "authoring"]),
    ("learning", &["identity", "authoring"]),
    (
        "grading",
        &["identity", "authoring", "drafting", "learning"],
    ),
    (
        "exporting",
        &["identity", "authoring", "drafting", "learning", "grading"],
    ),
];

/// Known by all, also by each other, and knowing nobody else but who is who.
const AT_THE_SIDE: [&str; 2] = ["notifying", "running"];

/// What knows more than its wing may, and why that is so for now. None is added without a reason as good as these, and
/// one that is no longer needed has to go.
const EXCEPTIONS: [(&str, &str, &str); 3] = [
    (
        "wire/notifying/event_types",
        "*",
        "the table of what each event shows",
    ),
    (
        "application/running/trash",
        "*",
        "what comes back is told in the words of its wing",
    ),
    (
        "store/running/trash",
        "grading",
        "a history is put back as it was sealed",
    ),
];

/// No folder has more files than one looks over.
const MOST_FILES: usize = 18;

fn names() -> impl Iterator<Item = &'static str> {
    WINGS.into_iter().map(|(wing, _)| wing).chain(AT_THE_SIDE)
}

fn may_know(wing: &str, other: &str) -> bool {
    let known = WINGS.into_iter().find(|(name, _)| *name == wing);
    let known = known.map_or(["identity"].as_slice(), |(_, known)| known);
    AT_THE_SIDE.contains(&other) || known.contains(&other)
}

pub fn source(layer: &str) -> PathBuf {
    root().join("crates").join(layer).join("src")
}

/// What is compiled into the crate of a file, without its tests and comments.
pub fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    // Tests in a file of their own are only named here, and more of the crate may follow.
    let parts = text.split("#[cfg(test)]\nmod").enumerate();
    let shipped = parts.take_while(|(at, part)| {
        let named = part.lines().next().unwrap_or_default();
        *at == 0 || !named.ends_with('{')
    });
    let lines = shipped
        .flat_map(|(_, part)| part.lines())
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Which wings a text names: `crate::wing::…`, alone or in a group.
fn named(code: &str) -> BTreeSet<&'static str> {
    let heads: Vec<&str> = code.split("crate::").skip(1).collect();
    let is_named = |wing: &&'static str| {
        let path = format!("{wing}::");
        heads.iter().any(|rest| {
            let group = rest
                .strip_prefix('{')
                .and_then(|group| group.split(';').next());
            rest.starts_with(&path) || group.is_some_and(|group| group.contains(&path))
        })
    };
    names().filter(is_named).collect()
}

/// Who knows whom across wings: `layer/wing/module` and the other wing, where the wing may not.
fn trespasses() -> BTreeSet<(String, &'static str)> {
    let mut found = BTreeSet::new();
    for layer in LAYERS {
        let folder = source(layer);
        let mut files = Vec::new();
        sources(&folder, &mut files);
        for file in files {
            let place = file.strip_prefix(&folder).unwrap().with_extension("");
            let place = place.to_string_lossy().into_owned();
            let mut parts = place.split('/');
            let (Some(wing), Some(module)) = (parts.next(), parts.next()) else {
                continue;
            };
            if !names().any(|name| name == wing) || place.contains("test") {
                continue;
            }
            let others = named(&code(&file)).into_iter();
            let others = others.filter(|other| *other != wing && !may_know(wing, other));
            found.extend(others.map(|other| (format!("{layer}/{wing}/{module}"), other)));
        }
    }
    found
}

#[test]
fn every_layer_has_the_same_wings() {
    for layer in LAYERS {
        for wing in names() {
            let path = source(layer).join(wing);
            assert!(path.is_dir(), "{} is missing", path.display());
        }
    }
}

#[test]
fn a_wing_knows_only_those_below_it() {
    let trespasses = trespasses();
    let excepted = |place: &str, other: &str| {
        EXCEPTIONS
            .iter()
            .any(|(who, whom, _)| *who == place && (*whom == "*" || *whom == other))
    };
    let new: Vec<_> = trespasses
        .iter()
        .filter(|(place, other)| !excepted(place, other))
        .collect();
    assert!(new.is_empty(), "{new:#?}");
    for (who, whom, _) in EXCEPTIONS {
        let needed = trespasses
            .iter()
            .any(|(place, other)| who == place && (whom == "*" || whom == *other));
        assert!(needed, "{who} no longer knows {whom}");
    }
}

#[test]
fn what_all_wings_use_is_of_none_of_them() {
    for layer in LAYERS {
        let prelude = source(layer).join("prelude.rs");
        if prelude.exists() {
            let text = code(&prelude);
            let is_of = |wing: &&str| text.contains(&format!("{wing}::"));
            let mut wings = names().filter(|wing| !AT_THE_SIDE.contains(wing));
            assert_eq!(wings.find(is_of), None, "{layer}");
        }
    }
}

/// Whoever wants to give an address out asks [`lyceum_ports::addresses::Addresses`].
#[test]
fn addresses_are_spelled_beside_the_routes_alone() {
    for layer in LAYERS.into_iter().filter(|layer| *layer != "api") {
        let mut files = Vec::new();
        sources(&source(layer), &mut files);
        for file in files {
            let spelled = code(&file).contains("/v1/");
            assert!(!spelled, "{}", file.display());
        }
    }
}

#[test]
fn no_folder_is_a_corridor() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for layer in LAYERS {
        let mut files = Vec::new();
        sources(&source(layer), &mut files);
        for file in files {
            let folder = file.parent().unwrap();
            // What a crate shows at its door are the wings themselves.
            if folder == source(layer) && names().any(|name| file.file_stem().unwrap() == name) {
                continue;
            }
            let folder = folder.strip_prefix(root().join("crates")).unwrap();
            *counts
                .entry(folder.to_string_lossy().into_owned())
                .or_default() += 1;
        }
    }
    for (folder, count) in counts {
        assert!(count <= MOST_FILES, "{folder} has {count} files");
    }
}
