//! The files that run the program elsewhere fit the program: its settings, its routes, the time it takes to stop.
//!
//! They are read as lines of text. Whether systemd, Docker or Kubernetes take them, only these can say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::{root, sources};

const UNIT: &str = "packaging/systemd/lyceum.service";
const DOCKERFILE: &str = "packaging/docker/Dockerfile";
const COMPOSE: &str = "packaging/compose/compose.yaml";
const KUBERNETES: &str = "packaging/kubernetes/lyceum.yaml";

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// Every file below a folder, but for secrets that somebody made and packages that somebody fetched.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("packaging/compose/secrets") || path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Every setting that the program reads: a variable that it does not know stops its start.
fn settings() -> BTreeSet<String> {
    let mut found = Vec::new();
    sources(&root().join("crates/cli/src"), &mut found);
    let mut settings = BTreeSet::new();
    for file in found {
        let text = std::fs::read_to_string(file).unwrap();
        let named = text.split("env = \"").skip(1);
        let named = named.filter_map(|rest| rest.split('"').next());
        settings.extend(named.map(str::to_owned));
    }
    assert!(settings.contains("LYCEUM_LISTEN"), "{settings:?}");
    settings
}

/// The settings that a text names. `LYCEUM_RATE_LIMIT_…` is a family and none.
fn named(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let words = text.split(|c: char| !is_part(c));
    let whole = |word: &&str| word.starts_with("LYCEUM_") && !word.ends_with('_');
    // What tests say to tests, and to a binary that they started.
    let told = |word: &&str| !word.starts_with("LYCEUM_TEST_");
    words.filter(whole).filter(told).collect()
}

#[test]
fn every_setting_that_is_named_is_one_that_the_program_knows() {
    let known = settings();
    let mut all = files(&root().join("packaging"));
    all.extend(files(&root().join("docs")));
    all.push(root().join("README.md"));
    let mut seen = 0;
    for file in all {
        // Pictures are no text.
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        for name in named(&text) {
            assert!(known.contains(name), "{} names {name}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn nothing_runs_as_root() {
    let dockerfile = read(DOCKERFILE);
    let last = dockerfile.lines().rfind(|line| line.starts_with("USER "));
    assert_eq!(last, Some("USER 10001:10001"));
    assert!(read(UNIT).lines().any(|line| line == "User=lyceum"));
    let kubernetes = read(KUBERNETES);
    for line in [
        "runAsNonRoot: true",
        "runAsUser: 10001",
        "allowPrivilegeEscalation: false",
        "readOnlyRootFilesystem: true",
        "drop: [\"ALL\"]",
        "type: RuntimeDefault",
    ] {
        let there = kubernetes.lines().any(|it| it.trim() == line);
        assert!(there, "{line}");
    }
}

#[test]
fn the_unit_may_do_little() {
    let unit = read(UNIT);
    for line in [
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "CapabilityBoundingSet=",
        "MemoryDenyWriteExecute=yes",
        "SystemCallFilter=@system-service",
        "StateDirectory=lyceum",
        "EnvironmentFile=/etc/lyceum/lyceum.env",
    ] {
        assert!(unit.lines().any(|it| it == line), "{line}");
    }
    for line in unit.lines().filter(|line| !line.is_empty()) {
        let is_comment = line.starts_with('#');
        let is_section = line.starts_with('[') && line.ends_with(']');
        assert!(is_comment || is_section || line.contains('='), "{line}");
    }
}

/// The numbers behind a key, wherever it stands.
fn seconds(text: &str, key: &str) -> Vec<u32> {
    let values = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix(key));
    values
        .filter_map(|value| value.trim().trim_end_matches('s').parse().ok())
        .collect()
}

#[test]
fn a_stop_has_the_time_that_it_takes() {
    // "It ends with code 0 within 35 s", says the handbook, with at most two seconds of draining.
    assert_eq!(seconds(&read(UNIT), "TimeoutStopSec="), [40]);
    let compose = seconds(&read(COMPOSE), "stop_grace_period:");
    assert!(compose.contains(&40), "{compose:?}");
    let kubernetes = read(KUBERNETES);
    let grace = seconds(&kubernetes, "terminationGracePeriodSeconds:");
    let draining = kubernetes.lines().find_map(|line| {
        let value = line.trim().strip_prefix("LYCEUM_DRAIN_SECONDS: ")?;
        value.trim_matches('"').parse::<u32>().ok()
    });
    assert!(grace[0] >= 35 + draining.unwrap(), "{grace:?} {draining:?}");
}

#[test]
fn probes_ask_for_what_is_there() {
    let routes = read("crates/api/src/routes.rs");
    let kubernetes = read(KUBERNETES);
    let asked = kubernetes
        .lines()
        .filter_map(|line| line.trim().strip_prefix("path: "));
    let mut asked: Vec<&str> = asked.collect();
    assert_eq!(asked, ["/healthz", "/readyz", "/healthz"]);
    // Of the others the program asks, by itself.
    let check = "[\"CMD\", \"lyceum-entrypoint\", \"health\"]";
    assert!(read(COMPOSE).contains(&format!("test: {check}")));
    let check = "CMD [\"lyceum-entrypoint\", \"health\"]";
    let dockerfile = read(DOCKERFILE);
    let checks = |line: &str| line.starts_with("HEALTHCHECK ") && line.ends_with(check);
    assert!(dockerfile.lines().any(checks));
    asked.push("/readyz");
    assert!(read("crates/cli/src/health.rs").contains("/readyz\""));
    for path in asked {
        let row = format!("Route::raw(\"{path}\"");
        assert!(routes.contains(&row), "{path} is no route");
    }
}

#[test]
fn kubernetes_adds_no_variables_that_the_program_would_refuse() {
    // It would make LYCEUM_PORT and others of a Service called lyceum.
    let kubernetes = read(KUBERNETES);
    let pods = kubernetes.matches("\n    spec:\n").count();
    let without = kubernetes.matches("enableServiceLinks: false").count();
    assert_eq!((pods, without), (1, 1));
}

#[test]
fn secrets_are_files_and_every_one_of_them_is_made() {
    let compose = read(COMPOSE);
    for secret in [
        "LYCEUM_DATABASE_URL:",
        "AWS_SECRET_ACCESS_KEY:",
        "POSTGRES_PASSWORD:",
    ] {
        let beside = |line: &&str| {
            line.trim()
                .strip_prefix(secret)
                .is_some_and(|rest| !rest.is_empty())
        };
        assert_eq!(compose.lines().find(beside), None);
    }
    let maker = read("packaging/compose/make-secrets.sh");
    let files = compose
        .lines()
        .filter_map(|line| line.trim().strip_prefix("file: ./secrets/"));
    let files: Vec<&str> = files.collect();
    assert_eq!(files.len(), 6, "{files:?}");
    for file in files {
        let step = format!("make {file}");
        assert!(maker.contains(&step), "nobody makes {file}");
    }
    let ignored = read(".gitignore");
    assert!(
        ignored
            .lines()
            .any(|line| line == "/packaging/compose/secrets")
    );
}

#[test]
fn what_is_compiled_in_is_in_the_context_of_the_image() {
    let ignored = read(".dockerignore");
    let needed = [
        "migrations",
        "examples",
        "docs",
        "tests",
        "tests/data",
        "crates",
        ".cargo",
        "bench",
    ];
    for folder in needed {
        assert!(
            !ignored.lines().any(|line| line.trim_matches('/') == folder),
            "{folder}"
        );
    }
    let dockerfile = read(DOCKERFILE);
    let wanted = read("Cargo.toml");
    let version = wanted
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \""));
    let version = version.unwrap().trim_end_matches('"');
    assert!(
        dockerfile.contains(&format!("FROM rust:{version}-")),
        "{version}"
    );
}

#[test]
fn the_workflow_runs_what_has_to_pass_before_a_change_lands() {
    let make = read("Makefile");
    let (_, check) = make.split_once("\ncheck: ").unwrap();
    let steps = check
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('\t'));
    let steps: Vec<&str> = steps
        .map(str::trim)
        .filter(|step| !step.contains("$(ensure)"))
        .map(|step| step.trim_start_matches("@$(MAKE) --no-print-directory "))
        .collect();
    assert_eq!(steps.len(), 3, "{steps:?}");
    let workflow = read(".github/workflows/check.yml");
    for step in steps {
        let run = step.strip_prefix("cargo ").map_or("make ", |_| "");
        assert!(workflow.contains(&format!("- run: {run}{step}")), "{step}");
    }
}

#[test]
fn yaml_is_indented_by_spaces_in_twos() {
    let mut yaml = files(&root().join("packaging"));
    yaml.extend(files(&root().join("docs/operations")));
    yaml.extend(files(&root().join(".github")));
    yaml.retain(|file| {
        let end = file.extension().and_then(|end| end.to_str());
        matches!(end, Some("yaml" | "yml"))
    });
    assert_eq!(yaml.len(), 5, "{yaml:?}");
    for file in yaml {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let indent = line.len() - line.trim_start().len();
            let place = format!("{}:{number}", file.display());
            assert!(!line.contains('\t'), "{place} has a tab");
            assert_eq!(indent % 2, 0, "{place}");
            assert_eq!(line.trim_end(), line, "{place} ends in spaces");
        }
    }
}

#[test]
fn names_of_settings_are_found_and_families_are_none() {
    let text = "`LYCEUM_LISTEN`, LYCEUM_RATE_LIMIT_…, LYCEUM_* and LYCEUM_TEST_BINARY";
    assert_eq!(named(text), BTreeSet::from(["LYCEUM_LISTEN"]));
    assert_eq!(seconds("  a: 40s\n  a: x\nb: 1", "a:"), [40]);
}
