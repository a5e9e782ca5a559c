//! The shape of the project: which crate may know which, and what must be the same in two places.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod circles;
mod dependencies;
mod links;
mod names;
mod packaging;
mod promises;
mod publishing;
mod rebuilding;
mod watching;
mod wings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// What cargo says of our own crates.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::from_value(metadata["packages"].take()).unwrap()
}

/// Which of our crates each of our crates depends on, tests aside.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let packages = packages();
    let ours = |name: &str| name.strip_prefix("lyceum-").map(str::to_owned);
    packages
        .iter()
        .filter_map(|package| Some((ours(package["name"].as_str()?)?, package)))
        .map(|(name, package)| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let normal = dependencies.filter(|dependency| dependency["kind"].is_null());
            (
                name,
                normal
                    .filter_map(|dependency| ours(dependency["name"].as_str()?))
                    .collect(),
            )
        })
        .collect()
}

#[test]
fn arrows_point_inward_only() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("domain", &[][..]),
        ("ports", &["domain"]),
        ("wire", &["domain"]),
        ("application", &["domain", "ports", "wire", "markdown"]),
        ("store", &["domain", "ports"]),
        ("ai", &["domain", "ports"]),
        ("eval", &["domain", "ports"]),
        ("markdown", &[]),
        ("scorm", &["domain", "ports", "markdown"]),
        ("outbound", &[]),
        ("webhooks", &["domain", "ports", "outbound"]),
        ("mail", &["domain", "ports"]),
        ("oidc", &["domain", "ports", "outbound"]),
        ("passkeys", &["domain", "ports"]),
        ("media", &["domain", "ports", "outbound"]),
        ("inspection", &["domain", "ports"]),
        ("blobs", &["domain", "ports"]),
        ("client", &["wire"]),
        ("api", &["domain", "wire", "application", "reference"]),
        ("pages", &[]),
        ("console", &["pages"]),
        ("guides", &["pages"]),
        ("reference", &["pages"]),
        ("terminal", &[]),
        ("otlp", &["ports"]),
        // What serves: it wires everybody, and knows neither commands nor the console.
        (
            "service",
            &[
                "domain",
                "ports",
                "application",
                "store",
                "ai",
                "scorm",
                "inspection",
                "media",
                "webhooks",
                "mail",
                "oidc",
                "passkeys",
                "blobs",
                "api",
                "otlp",
            ],
        ),
        (
            "demo",
            &[
                "domain",
                "ports",
                "wire",
                "application",
                "client",
                "console",
                "service",
                "terminal",
            ],
        ),
        // The suites that adapters of anybody's run know no adapter.
        ("contracts", &["domain", "ports"]),
        ("example-json-blob-store", &["ports"]),
        (
            "example-use-cases",
            &[
                "domain",
                "ports",
                "wire",
                "application",
                "store",
                "ai",
                "scorm",
                "inspection",
                "example-json-blob-store",
            ],
        ),
        (
            "example-embedded-service",
            &[
                "domain",
                "wire",
                "application",
                "api",
                "scorm",
                "service",
                "example-json-blob-store",
            ],
        ),
    ]);
    let arrows = arrows();
    for (from, to) in &arrows {
        // The binary wires everybody and the tests see everybody; the bench fills the store and is seen by nobody.
        if ["cli", "tests", "simulation", "fuzzing", "bench"].contains(&from.as_str()) {
            continue;
        }
        let allowed = allowed
            .get(from.as_str())
            .unwrap_or_else(|| panic!("{from} has no row here"));
        for target in to {
            assert!(
                allowed.contains(&target.as_str()),
                "{from} must not know {target}"
            );
        }
    }
    assert_eq!(arrows.len(), allowed.len() + 5, "every row names a crate");
}

#[test]
fn what_a_layer_must_not_know_is_not_among_its_dependencies() {
    let banned: [(&str, &[&str]); 4] = [
        (
            "domain",
            &[
                "tokio",
                "actix-web",
                "diesel",
                "reqwest",
                "async-trait",
                "getrandom",
            ],
        ),
        ("ports", &["tokio", "actix-web", "diesel", "reqwest"]),
        (
            "application",
            &[
                "tokio",
                "actix-web",
                "diesel",
                "reqwest",
                "uuid",
                "getrandom",
            ],
        ),
        (
            "api",
            &["diesel", "reqwest", "lyceum-store", "lyceum-ports"],
        ),
    ];
    for (name, crates) in banned {
        let manifest =
            std::fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).unwrap();
        let (own, _) = manifest
            .split_once("[dev-dependencies]")
            .unwrap_or((&manifest, ""));
        for banned in crates {
            let listed = own
                .lines()
                .any(|line| line.starts_with(&format!("{banned} = ")));
            assert!(!listed, "{name} must not depend on {banned}");
        }
    }
}

/// The migrations of a database in order, its own and those that stand once for both: their names and folders.
fn migrations(database: &str) -> Vec<(String, PathBuf)> {
    let folders = ["both", database].map(|folder| root().join("migrations").join(folder));
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let named = |entry: std::fs::DirEntry| (entry.file_name().into_string().unwrap(), entry.path());
    let mut all: Vec<_> = entries.map(|entry| named(entry.unwrap())).collect();
    all.sort();
    all
}

#[test]
fn no_two_migrations_have_the_same_version() {
    // Of two with one version the second would never run, on any database.
    let names = migrations("sqlite");
    let versions: BTreeSet<&str> = names
        .iter()
        .filter_map(|(name, _)| name.split('_').next())
        .collect();
    assert_eq!(versions.len(), names.len(), "{names:?}");
}

#[test]
fn both_databases_have_the_same_migrations() {
    let (sqlite, postgres) = (migrations("sqlite"), migrations("postgres"));
    let names = |known: &[(String, PathBuf)]| -> Vec<String> {
        known.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&sqlite), names(&postgres));
    for (name, path) in sqlite.iter().chain(&postgres) {
        let (moment, words) = name.split_once('_').unwrap();
        assert!(
            moment.len() == 14 && moment.bytes().all(|b| b.is_ascii_digit()),
            "{name}"
        );
        assert!(words.contains('_'), "{name} says verb and noun");
        for file in ["up.sql", "down.sql"] {
            let path = path.join(file);
            assert!(path.exists(), "{} is missing", path.display());
        }
    }
}

/// Tables with their columns, as a migration makes them.
fn tables(database: &str) -> BTreeMap<String, Vec<String>> {
    let mut tables = BTreeMap::new();
    for (_, path) in migrations(database) {
        let sql = std::fs::read_to_string(path.join("up.sql")).unwrap();
        let mut current: Option<String> = None;
        for line in sql.lines() {
            if let Some(rest) = line.strip_prefix("CREATE TABLE ") {
                current = Some(rest.split_whitespace().next().unwrap().to_owned());
            } else if line.starts_with(')') {
                current = None;
            } else if let Some(table) = &current {
                let word = line.split_whitespace().next().unwrap_or_default();
                if word.starts_with(|c: char| c.is_ascii_lowercase()) {
                    tables
                        .entry(table.clone())
                        .or_insert_with(Vec::new)
                        .push(word.to_owned());
                }
            }
        }
    }
    tables
}

#[test]
fn both_databases_have_the_same_tables_and_columns() {
    let sqlite = tables("sqlite");
    assert_eq!(sqlite, tables("postgres"));
    assert!(sqlite.len() > 15);
}

#[test]
fn rows_of_a_tenant_are_found_by_tenant_first() {
    for (table, columns) in tables("sqlite") {
        let global = [
            "workspaces",
            "counters",
            "access_stamps",
            "people",
            "api_keys",
            "login_tokens",
            "passkeys",
            "passkey_ceremonies",
            "sign_in_links",
            "jobs",
            // Who signs in is in none yet.
            "mails",
            "idempotency_replies",
            // Looked for by the domain and by what somebody brings back.
            "sso_domains",
            "sso_sign_ins",
            // The service's own.
            "nodes",
            "service_secrets",
            "limit_buckets",
            "unwanted_files",
        ];
        let id = match table.as_str() {
            // A step is told by its generation and its key.
            "generation_steps" => "generation_id",
            // What somebody is called at a connection, and what began by it.
            "sso_identities" | "sso_sessions" => "connection_id",
            // One row for each member.
            "digests" => "user_id",
            // One row for each workspace.
            "ai_budget_turns" => "turn",
            "storage_use" => "bytes",
            // One row for each thing that a cohort sees as it was.
            "pinned_contents" => "cohort_id",
            // Rows of all tables, by the item that they are in.
            "trash_rows" => "trash_id",
            _ => "id",
        };
        if !global.contains(&table.as_str()) {
            assert_eq!(&columns[..2], ["workspace_id", id], "{table}");
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let skipped = ["target", "node_modules", ".git"];
            if !skipped.iter().any(|name| path.ends_with(name)) {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_same_aggregate_has_the_same_file_in_every_layer() {
    let aggregates = [
        (
            "authoring",
            &["courses", "units", "lessons", "activities", "assignments"][..],
        ),
        ("drafting", &["generations"]),
        ("grading", &["submissions"]),
        ("identity", &["users", "workspaces", "keys", "tokens"]),
        (
            "learning",
            &["cohorts", "enrollments", "attempts", "progress"],
        ),
        ("notifying", &["events", "webhooks"]),
    ];
    for (wing, aggregates) in aggregates {
        for (aggregate, layer) in aggregates
            .iter()
            .flat_map(|one| wings::LAYERS.map(|layer| (one, layer)))
        {
            let path = root().join(format!("crates/{layer}/src/{wing}/{aggregate}.rs"));
            assert!(path.exists(), "{} is missing", path.display());
        }
    }
}

#[test]
fn nothing_unfinished_is_left_behind() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    // Spelled apart, so that this file does not find itself.
    let marks = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("#[ig", "nore"),
    ];
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for mark in marks {
            assert!(!text.contains(mark), "{} holds {mark}", file.display());
        }
    }
}

/// What the binary is made of, with these features.
fn made_of(features: &str) -> String {
    made_of_package("lyceum-cli", features)
}

/// What a package of ours is made of, with these features.
fn made_of_package(package: &str, features: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", package])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .args(["--features", features])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(tree.contains("lyceum-store v"), "{tree}");
    tree
}

#[test]
fn whoever_embeds_the_service_builds_no_command_line() {
    let tree = made_of_package("lyceum-service", "otel");
    for absent in [
        "clap",
        "lyceum-eval",
        "lyceum-demo",
        "lyceum-console",
        "lyceum-guides",
        "lyceum-cli",
        "indicatif",
    ] {
        let line = format!("{absent} v");
        assert!(!tree.lines().any(|it| it.starts_with(&line)), "{absent}");
    }
}

#[test]
fn the_binary_is_built_without_fail_points() {
    for features in ["", "otel"] {
        let tree = made_of(features);
        assert!(!tree.lines().any(|line| line.starts_with("fail v")));
    }
}

#[test]
fn traces_are_in_the_binary_by_their_feature_alone_and_bring_no_grpc() {
    let has = |tree: &str| tree.contains("opentelemetry");
    assert!(!has(&made_of("")));
    let traced = made_of("otel");
    assert!(has(&traced));
    let others = ["tonic v", "openssl-sys v", "aws-lc-rs v"];
    for line in traced.lines() {
        assert!(
            !others.iter().any(|other| line.starts_with(other)),
            "{line}"
        );
    }
}
