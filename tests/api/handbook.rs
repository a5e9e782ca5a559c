//! What docs/api.md says of scopes, held against the tables that decide.

use std::collections::BTreeSet;

use lyceum_api::http::route::Route;
use lyceum_api::routes;
use lyceum_domain::identity::scopes::Scope;

const HANDBOOK: &str = include_str!("../../docs/api.md");

/// The text under a heading, up to the next one of its kind.
fn section(heading: &str) -> &'static str {
    let (_, after) = HANDBOOK.split_once(&format!("\n## {heading}\n")).unwrap();
    after.split("\n## ").next().unwrap()
}

/// The cells of the rows that begin with code.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
}

/// A route's scopes as its row must say them.
fn scopes(route: &Route) -> String {
    let requirement = route.policy.requirement;
    let join = |scopes: &[Scope], between: &str| {
        let quoted = scopes.iter().map(|scope| format!("`{scope}`"));
        quoted.collect::<Vec<_>>().join(between)
    };
    if !requirement.all.is_empty() {
        join(requirement.all, " + ")
    } else if !requirement.any.is_empty() {
        // Where one of two is in every student's key, that opens what is one's own; of more, each opens its kind of thing.
        let how = if requirement.any.contains(&Scope::WriteSubmissions) {
            " (own)"
        } else if requirement.any.len() > 2 {
            " (by what it is)"
        } else {
            ""
        };
        format!("{}{how}", join(requirement.any, " or "))
    } else if route.policy.needs_key {
        "any key".to_owned()
    } else {
        "no key".to_owned()
    }
}

#[test]
fn the_handbook_explains_every_scope_and_no_other() {
    let table = section("Scopes").split("**Roles**").next().unwrap();
    let explained: Vec<&str> = rows(table).map(|row| row[0].trim_matches('`')).collect();
    let unique: BTreeSet<&str> = explained.iter().copied().collect();
    assert_eq!(unique.len(), explained.len());
    assert_eq!(unique, Scope::ALL.iter().map(|s| s.as_str()).collect());
}

#[test]
fn the_handbook_names_the_scope_of_every_route_and_lists_no_other() {
    let said: BTreeSet<(String, String)> = rows(section("Endpoints"))
        .map(|row| (row[0].trim_matches('`').to_owned(), row[2].to_owned()))
        .collect();
    let there: BTreeSet<(String, String)> = routes::all()
        .iter()
        .map(|route| (format!("{} {}", route.method, route.path), scopes(route)))
        .collect();
    assert_eq!(said, there);
}
