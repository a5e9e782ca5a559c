//! What every command has in common: one JSON document where it is asked for, completions, manual pages, and the health
//! check that asks the service of its own settings.

use std::fs;
use std::process::{Command, Output};

use rstest::rstest;
use serde_json::Value;
use support::binary::{Launch, LyceumProcess, binary};
use support::stores::Database;
use tempfile::TempDir;

use crate::service::Service;
use crate::traces::{NoTraces, VARIABLE};

const OWNER: &str = "owner@localhost.localdomain";

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The one document that a command prints.
fn document(process: &LyceumProcess, line: &str) -> Value {
    let mut arguments = words(line);
    arguments.push("--json");
    let output = process.run(&arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {} {said}", output.status);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_prints_one_json_document_where_it_is_asked_to() {
    let mut service = Service::on(Database::Sqlite);
    let process = &service.process;
    let key = document(
        process,
        &format!("keys create --email {OWNER} --name Night"),
    );
    assert!(
        key["api_key"].as_str().unwrap().starts_with("lyc_"),
        "{key}"
    );
    let id = key["id"].as_str().unwrap().to_owned();
    let listed = document(process, &format!("keys list --email {OWNER}"));
    let ours = |key: &&Value| key["id"] == id.as_str();
    let ours = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(ours)
        .unwrap();
    assert_eq!(
        (&ours["revoked"], &ours["name"]),
        (&Value::Bool(false), &"Night".into())
    );
    assert_eq!(ours["api_key"], Value::Null, "a list shows no secrets");
    assert_eq!(
        document(process, &format!("keys revoke {id}"))["revoked"],
        true
    );
    let migrated = document(process, "migrate");
    assert_eq!(
        (&migrated["changed"], &migrated["from"]),
        (&Value::Bool(false), &migrated["to"])
    );
    assert_eq!(document(process, "health")["status"], "ready");
    assert_eq!(document(process, "fsck")["clean"], true);
    assert_eq!(document(process, "verify-grades")["holds"], true);
    assert!(document(process, "doctor")["findings"].is_array());
    let folder = TempDir::new().unwrap();
    let backup = document(process, &format!("backup {}", folder.path().display()));
    let place = backup["path"].as_str().unwrap();
    assert!(fs::exists(format!("{place}/manifest.json")).unwrap());
    assert_eq!(
        (&backup["has_database"], &backup["has_master_key"]),
        (&true.into(), &false.into())
    );
    assert!(service.process.terminate().success());
    let process = &service.process;
    let rotated = document(process, "rotate-master-key");
    assert!(rotated["sealed"].as_u64().unwrap() >= 2, "{rotated}");
    let restored = document(process, &format!("restore {place} --force"));
    assert_eq!(restored["backup_of"], backup["created_at"]);
    assert!(!restored["put_aside"].as_array().unwrap().is_empty());
    let made = document(
        process,
        "bootstrap --email a@b.example --workspace W --code two",
    );
    assert_eq!(made["platform"]["code"], "two");
}

#[test]
fn a_migration_says_from_where_to_where() {
    let traces = NoTraces::expected();
    let process = Launch::new().env(VARIABLE, traces.mark()).prepare();
    let first = document(&process, "migrate");
    assert_eq!(
        (&first["changed"], &first["from"]),
        (&Value::Bool(true), &Value::Null)
    );
    assert!(first["to"].as_str().unwrap().contains('/'), "{first}");
}

#[test]
fn the_demo_tells_programs_by_one_document_and_people_beside_it() {
    let traces = NoTraces::expected();
    let process = Launch::new().env(VARIABLE, traces.mark()).prepare();
    let folder = TempDir::new().unwrap();
    let told = document(
        &process,
        &format!("demo --output {}", folder.path().display()),
    );
    let steps = told["steps"].as_array().unwrap();
    assert!(
        steps.iter().any(|step| step["step"] == "AI grading"),
        "{told}"
    );
    for file in told["files"].as_array().unwrap() {
        assert!(
            fs::exists(file["path"].as_str().unwrap()).unwrap(),
            "{file}"
        );
    }
}

/// The binary without any settings, in a folder of its own.
fn bare(folder: &TempDir, line: &str) -> Output {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("LYCEUM_")) {
        command.env_remove(name);
    }
    let output = command
        .current_dir(folder.path())
        .args(words(line))
        .output();
    output.unwrap()
}

/// Every command, as `--help` lists them.
fn commands(folder: &TempDir) -> Vec<String> {
    let help = bare(folder, "--help").stdout;
    let help = String::from_utf8(help).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        Some(name.to_owned())
    });
    let names: Vec<String> = names
        .filter(|name| !name.is_empty() && name != "help")
        .collect();
    assert!(names.len() > 15, "{names:?}");
    names
}

#[rstest]
fn completions_know_every_command(
    #[values("bash", "zsh", "fish", "elvish", "powershell")] shell: &str,
) {
    let folder = TempDir::new().unwrap();
    let output = bare(&folder, &format!("completions {shell}"));
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let script = String::from_utf8(output.stdout).unwrap();
    for name in commands(&folder) {
        assert!(script.contains(&name), "{shell} does not complete {name}");
    }
    assert!(script.contains("data-dir"), "{shell} knows no settings");
    if shell == "bash" {
        let file = folder.path().join("lyceum.bash");
        fs::write(&file, script).unwrap();
        let read = Command::new("bash").arg("-n").arg(&file).status().unwrap();
        assert!(read.success(), "bash cannot read it");
    }
}

#[test]
fn the_manual_has_a_page_of_every_command() {
    let folder = TempDir::new().unwrap();
    let output = bare(&folder, "man --output pages/man1");
    assert!(
        output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
    let pages = folder.path().join("pages/man1");
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    for name in commands(&folder) {
        let text = page(&format!("lyceum-{name}.1"));
        assert!(text.contains(".SH NAME"), "{name}: {text}");
        assert!(
            page("lyceum.1").contains(&format!("lyceum\\-{}", name.replace('-', "\\-"))),
            "{name}"
        );
    }
    assert!(page("lyceum-eval-grade.1").contains("anchors"));
    let whole = bare(&folder, "man").stdout;
    assert_eq!(String::from_utf8(whole).unwrap(), page("lyceum.1"));
}

#[test]
fn on_a_terminal_a_bar_is_drawn_and_taken_away_and_elsewhere_there_is_none() {
    let folder = TempDir::new().unwrap();
    assert!(bare(&folder, "migrate").status.success());
    let plain = bare(&folder, "backup plain");
    assert!(
        plain.status.success() && plain.stderr.is_empty(),
        "{plain:?}"
    );
    // It gives what it runs a terminal, and prints what was drawn there.
    let line = format!("{} backup watched", binary().display());
    let drawn = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(drawn.status.success(), "{drawn:?}");
    let drawn = String::from_utf8(drawn.stdout).unwrap();
    let (bar, result) = drawn.rsplit_once("\u{1b}[2K").unwrap();
    assert!(bar.contains("backing up"), "{drawn:?}");
    let first = result.trim_start_matches('\r').lines().next().unwrap();
    assert!(first.starts_with("watched/lyceum-"), "{drawn:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_says_whether_the_service_of_these_settings_is_ready() {
    let mut service = Service::start(Launch::new().public().env("LYCEUM_INSECURE_HTTP", "true"));
    let url = format!(
        "http://127.0.0.1:{}/readyz",
        service.process.address().port()
    );
    let ready = service.process.run(&["health"]);
    assert!(ready.status.success(), "{ready:?}");
    assert_eq!(
        String::from_utf8(ready.stdout).unwrap(),
        format!("{url}: ready\n")
    );
    service.process.signal("STOP");
    let hangs = service.process.run(&["health", "--timeout", "1"]);
    service.process.signal("CONT");
    assert_eq!(hangs.status.code(), Some(1));
    let said = String::from_utf8(hangs.stdout).unwrap();
    assert!(said.contains("no answer in time"), "{said}");
    assert!(service.process.terminate().success());
    let gone = service.process.run(&["health", "--json"]);
    assert_eq!(gone.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&gone.stdout).unwrap();
    assert_eq!(
        (&told["ready"], &told["status"]),
        (&false.into(), &"unreachable".into())
    );
}
