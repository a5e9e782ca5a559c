//! What may be published is what is meant to be built on, and says what a registry wants to know.

use serde_json::Value;

use crate::{packages, root};

/// The libraries, each after those it needs; the Makefile publishes them in this order.
const PUBLISHED: [&str; 6] = [
    "lyceum-domain",
    "lyceum-ports",
    "lyceum-wire",
    "lyceum-markdown",
    "lyceum-application",
    "lyceum-client",
];

/// Most keywords and categories that crates.io takes.
const MOST: usize = 5;

fn may_be_published(package: &Value) -> bool {
    package["publish"].is_null()
}

#[test]
fn the_libraries_may_be_published_and_nothing_else() {
    let mut found: Vec<String> = packages()
        .iter()
        .filter(|package| may_be_published(package))
        .map(|package| package["name"].as_str().unwrap().to_owned())
        .collect();
    found.sort();
    let mut wanted = PUBLISHED.map(str::to_owned);
    wanted.sort();
    assert_eq!(found, wanted);
    let makefile = std::fs::read_to_string(root().join("Makefile")).unwrap();
    let line = format!("published := {}\n", PUBLISHED.join(" "));
    assert!(makefile.contains(&line), "{line}");
}

#[test]
fn what_is_published_says_what_it_is() {
    let packages = packages();
    for package in packages.iter().filter(|package| may_be_published(package)) {
        let name = package["name"].as_str().unwrap();
        assert_eq!(package["license"], "Apache-2.0", "{name}");
        assert!(
            package["description"]
                .as_str()
                .is_some_and(|text| text.len() > 40),
            "{name}"
        );
        for list in ["keywords", "categories"] {
            let words = package[list].as_array().unwrap();
            assert!((1..=MOST).contains(&words.len()), "{name}: {list}");
            let is_short = |word: &Value| word.as_str().is_some_and(|word| word.len() <= 20);
            assert!(
                list == "categories" || words.iter().all(is_short),
                "{name}: {words:?}"
            );
        }
        let folder = package["manifest_path"]
            .as_str()
            .unwrap()
            .trim_end_matches("Cargo.toml");
        let readme = package["readme"].as_str().unwrap();
        let readme = std::fs::read_to_string(format!("{folder}{readme}")).unwrap();
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}");
    }
}

#[test]
fn what_is_published_needs_only_what_is_published_in_the_same_version() {
    let packages = packages();
    for (place, name) in PUBLISHED.iter().enumerate() {
        let package = packages
            .iter()
            .find(|package| package["name"] == *name)
            .unwrap();
        let version = package["version"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let needed = dependency["name"].as_str().unwrap();
            if !needed.starts_with("lyceum-") {
                continue;
            }
            let before = PUBLISHED.iter().position(|other| *other == needed);
            assert!(
                before.is_some_and(|before| before < place),
                "{name} needs {needed}"
            );
            assert_eq!(
                dependency["req"],
                format!("^{version}"),
                "{name} needs {needed}"
            );
        }
    }
}
