//! One name, one type: whoever reads a name in a crate need not ask which of them is meant.

use std::collections::{BTreeMap, BTreeSet};

use crate::{root, sources};

/// The name of the type that a line defines, outside of any block.
fn defined(line: &str) -> Option<String> {
    let bare = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let (word, rest) = bare.split_once(' ')?;
    let name: String = rest
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    ["struct", "enum", "trait", "type"]
        .contains(&word)
        .then_some(name)
}

/// The names that stand twice among the sources of a crate.
fn twice(krate: &str) -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(&root().join("crates").join(krate).join("src"), &mut files);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        for name in text.lines().filter_map(defined) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let several = counts.into_iter().filter(|(_, count)| *count > 1);
    several.map(|(name, _)| name).collect()
}

#[test]
fn a_type_has_its_name_to_itself_in_its_crate() {
    let crates = std::fs::read_dir(root().join("crates")).unwrap();
    for krate in crates.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        assert_eq!(twice(&krate), BTreeSet::new(), "{krate}");
    }
}

#[test]
fn a_definition_is_seen_whoever_may_use_it() {
    for line in [
        "struct A;",
        "pub enum A {",
        "pub(super) trait A: Send {",
        "pub(crate) type A<T> = B;",
    ] {
        assert_eq!(defined(line).as_deref(), Some("A"), "{line}");
    }
    assert_eq!(defined("    struct A;"), None);
    assert_eq!(defined("pub fn a() {"), None);
}
