//! What is watched is what the table of metrics says: `docs/operations.md`, "Watching it".

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::links::headings;
use crate::root;

const HANDBOOK: &str = "docs/operations.md";
const DASHBOARD: &str = "docs/operations/grafana-dashboard.json";
const ALERTS: &str = "docs/operations/alerts.yaml";

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// The part of the handbook under a heading of the second level.
fn section(heading: &str) -> String {
    let page = read(HANDBOOK);
    let (_, behind) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    behind.split("\n## ").next().unwrap_or_default().to_owned()
}

/// Every metric that there is, and its type.
fn table() -> BTreeMap<String, String> {
    let section = section("Watching it");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let mut table = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        // Name, type, labels, meaning.
        assert_eq!(cells.len(), 4, "{row}");
        let (name, kind, meaning) = (cells[0], cells[1], cells[3]);
        assert!(["counter", "gauge", "histogram"].contains(&kind), "{row}");
        assert!(!meaning.is_empty(), "{row}");
        let name = name.trim_matches('`').to_owned();
        let before = table.insert(name, kind.to_owned());
        assert!(before.is_none(), "stands there twice: {row}");
    }
    table
}

/// Words that are names of metrics.
fn metrics(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = |word: &&str| word.starts_with("lyceum_") || word.starts_with("process_");
    words.filter(ours).collect()
}

/// Whether the table has the metric, or the histogram that it is a part of.
fn is_told(table: &BTreeMap<String, String>, name: &str) -> bool {
    let parts = ["_bucket", "_sum", "_count"];
    let whole = parts.iter().find_map(|part| name.strip_suffix(part));
    let is_histogram = |name: &str| table.get(name).is_some_and(|kind| kind == "histogram");
    table.contains_key(name) || whole.is_some_and(is_histogram)
}

#[test]
fn what_is_shown_and_what_wakes_people_is_in_the_table() {
    let table = table();
    for file in [DASHBOARD, ALERTS] {
        let text = read(file);
        let names = metrics(&text);
        assert!(names.len() > 10, "{file}: {names:?}");
        for name in names {
            assert!(is_told(&table, name), "{file} names {name}");
        }
    }
}

#[test]
fn counters_say_so_in_their_names_and_nothing_else_does() {
    for (name, kind) in table() {
        assert_eq!(name.ends_with("_total"), kind == "counter", "{name} {kind}");
    }
}

#[test]
fn the_dashboard_asks_the_source_that_was_chosen() {
    let dashboard: Value = serde_json::from_str(&read(DASHBOARD)).unwrap();
    assert!(dashboard["schemaVersion"].as_u64() >= Some(38));
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<u64> = panels
        .iter()
        .filter_map(|panel| panel["id"].as_u64())
        .collect();
    assert_eq!(ids.len(), panels.len());
    let rows = panels.iter().filter(|panel| panel["type"] == "row");
    let titles: Vec<&str> = rows.filter_map(|row| row["title"].as_str()).collect();
    let wanted = [
        "Traffic",
        "Latency",
        "Work in the background",
        "Webhooks",
        "AI",
        "Storage",
    ];
    assert_eq!(titles, wanted);
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        assert_eq!(panel["datasource"]["uid"], "${datasource}", "{panel}");
        let asked = panel["targets"].as_array().unwrap();
        assert!(!asked.is_empty(), "{panel}");
        for target in asked {
            let expression = target["expr"].as_str().unwrap();
            // Prometheus' own: whether it reached a node.
            let asks = expression.contains("up{") || !metrics(expression).is_empty();
            assert!(asks, "{target}");
        }
    }
}

/// What stands behind a key in a rule.
fn value<'a>(rule: &'a str, key: &str) -> &'a str {
    let mut lines = rule.lines().map(str::trim);
    let found = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    found.unwrap_or_default().trim_matches('"')
}

#[test]
fn every_alert_leads_to_its_section_and_every_section_has_an_alert() {
    let text = read(ALERTS);
    let there = headings(&read(HANDBOOK));
    let mut led_to = BTreeSet::new();
    let mut names = BTreeSet::new();
    for rule in text.split("- alert: ").skip(1) {
        let name = rule.lines().next().unwrap_or_default();
        assert!(names.insert(name), "{name} stands there twice");
        assert!(!value(rule, "for").is_empty(), "{name}");
        assert!(!value(rule, "summary").is_empty(), "{name}");
        let severity = value(rule, "severity");
        assert!(["critical", "warning"].contains(&severity), "{name}");
        let runbook = value(rule, "runbook");
        let section = runbook
            .strip_prefix("docs/operations.md#")
            .unwrap_or_default();
        assert!(there.contains(section), "{name} leads to {runbook}");
        led_to.insert(section.to_owned());
    }
    assert!(names.len() > 10, "{names:?}");
    assert_eq!(headings(&section("Runbook")), led_to);
}

#[test]
fn parts_of_a_histogram_are_known_and_those_of_others_are_not() {
    let kinds = [("lyceum_a", "histogram"), ("lyceum_b", "gauge")];
    let table: BTreeMap<String, String> = kinds
        .into_iter()
        .map(|(name, kind)| (name.to_owned(), kind.to_owned()))
        .collect();
    let told = ["lyceum_a", "lyceum_a_bucket", "lyceum_a_sum", "lyceum_b"];
    assert!(told.iter().all(|name| is_told(&table, name)));
    let strange = ["lyceum_b_count", "lyceum_c", "lyceum_a_total"];
    assert!(!strange.iter().any(|name| is_told(&table, name)));
}
